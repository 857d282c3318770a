-- A few transactions: enough to see how a log starts, goes on and ends.
SET NAMES utf8mb4;
CREATE DATABASE basic CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
USE basic;
CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(100), n DECIMAL(10,4));
INSERT INTO t VALUES (1, 'one', 3.14), (2, 'zwei', -0.5), (3, NULL, NULL);
START TRANSACTION;
UPDATE t SET v = CONCAT(v, ' ', REPEAT('and on ', 12)) WHERE id = 1;
DELETE FROM t WHERE id = 3;
INSERT INTO t VALUES (4, REPEAT('four ', 20), 4);
COMMIT;
SET SESSION binlog_format = 'STATEMENT';
INSERT INTO t VALUES (5, REPEAT('five ', 20), 5);
SET SESSION binlog_format = 'ROW';
