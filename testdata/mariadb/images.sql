-- Row images that leave columns out: binlog_row_image MINIMAL and NOBLOB, beside FULL, with and without a primary key.
SET NAMES utf8mb4;
SET time_zone = '+00:00';
CREATE DATABASE images CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
USE images;
CREATE TABLE keyed (id INT PRIMARY KEY, a INT, b VARCHAR(20), c TEXT, d BLOB, e DECIMAL(5,2) DEFAULT 1.5, f BIT(3), g INT NOT NULL DEFAULT 9);
CREATE TABLE keyless (id INT, a VARCHAR(20), b TEXT);
CREATE TABLE unique_only (id INT NOT NULL, a INT, b BLOB, UNIQUE KEY (id));

SET SESSION binlog_row_image = 'MINIMAL';
INSERT INTO keyed (id, a, b) VALUES (1, 10, 'one'), (2, NULL, 'two'), (3, 30, NULL);
INSERT INTO keyed VALUES (4, 40, 'four', 'text four', x'0004', 4.44, b'100', 4), (5, NULL, NULL, NULL, NULL, NULL, NULL, 5);
UPDATE keyed SET a = a + 1 WHERE id <= 3;
UPDATE keyed SET c = 'long text', f = b'111' WHERE id IN (1, 4);
UPDATE keyed SET id = id + 100, b = NULL WHERE id >= 4;
UPDATE keyed SET a = NULL, b = '', d = x'00' WHERE id = 1;
DELETE FROM keyed WHERE id IN (2, 104);
INSERT INTO keyless VALUES (1, 'a', 'b'), (1, 'a', 'b'), (2, NULL, NULL);
UPDATE keyless SET a = 'changed' WHERE id = 1 LIMIT 1;
DELETE FROM keyless WHERE id = 2;
INSERT INTO unique_only VALUES (1, 1, x'01'), (2, NULL, NULL);
UPDATE unique_only SET a = 5;
REPLACE INTO unique_only VALUES (2, 22, x'02');
INSERT INTO keyed (id, a) VALUES (3, 33) ON DUPLICATE KEY UPDATE a = VALUES(a);

SET SESSION binlog_row_image = 'NOBLOB';
INSERT INTO keyed (id, a, b) VALUES (201, 10, 'one');
INSERT INTO keyed VALUES (202, 40, 'four', 'text four', x'0004', 4.44, b'100', 4);
UPDATE keyed SET a = 11 WHERE id = 202;
UPDATE keyed SET c = 'new text' WHERE id = 202;
UPDATE keyless SET a = 'noblob' WHERE id = 1 LIMIT 1;
DELETE FROM keyed WHERE id = 201;

SET SESSION binlog_row_image = 'FULL';
UPDATE keyed SET a = a * 2;
UPDATE keyless SET b = NULL;
DELETE FROM unique_only WHERE id = 2;
