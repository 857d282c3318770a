-- log_bin_compress: QUERY_COMPRESSED_EVENT and the compressed row events.
SET NAMES utf8mb4;
CREATE DATABASE compressed CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
USE compressed;
CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(1000), n DECIMAL(10,4), b BLOB);
INSERT INTO t SELECT seq, REPEAT(CONCAT('row ', seq, ' '), 10 + seq), seq / 7, REPEAT(x'00', seq) FROM seq_1_to_40;
UPDATE t SET v = 'short', b = NULL WHERE id % 4 = 0;
UPDATE t SET n = -n WHERE id <= 10;
DELETE FROM t WHERE id > 30;
INSERT INTO t VALUES (100, 'x', 1, NULL);
SET SESSION binlog_format = 'STATEMENT';
INSERT INTO t VALUES (101, 'a statement that is long enough to be compressed, compressed, compressed, compressed and compressed again', 2, NULL);
UPDATE t SET n = 3 WHERE id = 101;
SET SESSION binlog_format = 'ROW';
