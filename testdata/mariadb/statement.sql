-- Statement format: the events that stand before a statement, the status variables in it, LOAD DATA, temporary tables,
-- and statements that failed half way (make.sh goes on after an error here).
SET NAMES utf8mb4;
\! echo "@2026-01-06 08:00:02" > "$CLOCK_FILE"
SET timestamp = 1767686400;
CREATE DATABASE statements CHARACTER SET latin1;
CREATE DATABASE other;
USE statements;
CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(200) CHARACTER SET utf8mb4, n DOUBLE) ENGINE=InnoDB;
CREATE TABLE m (id INT PRIMARY KEY, v VARCHAR(200)) ENGINE=MyISAM;
CREATE TABLE a (id INT AUTO_INCREMENT PRIMARY KEY) ENGINE=InnoDB;

-- INTVAR and RAND
INSERT INTO t (v) VALUES ('insert_id');
INSERT INTO t (v, n) VALUES ('last_insert_id', LAST_INSERT_ID());
INSERT INTO t (v, n) VALUES ('rand', RAND());
SET insert_id = 2147483000;
INSERT INTO t (v) VALUES ('a high one');

-- USER_VAR
SET @str = 'it''s ünï 😀', @latin = _latin1 x'fc', @bin = x'00ff', @int = -42, @big = 18446744073709551615, @min = -9223372036854775808, @real = 2.5e-10,
    @dec = 12345678901234567890.123456789, @negdec = -0.5, @null = NULL, @empty = '', @`odd ``name` = 1, @ucs = CONVERT('ü' USING ucs2) COLLATE ucs2_bin;
SET sql_mode = '';
INSERT INTO t (v) VALUES (@str), (@latin), (@bin), (@int), (@big), (@min), (@real), (@dec), (@negdec), (@null), (@empty), (@`odd ``name`), (@ucs);

-- status variables
SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES,ONLY_FULL_GROUP_BY,TRADITIONAL';
INSERT INTO t (v) VALUES ('sql_mode \n is not escaped');
SET sql_mode = DEFAULT;
SET time_zone = 'SYSTEM';
SET time_zone = '+05:30';
INSERT INTO t (v) VALUES (NOW());
SET timestamp = 1767686400.654321;
INSERT INTO t (v) VALUES (NOW(6));
SET time_zone = '+00:00', lc_time_names = 'de_DE', timestamp = 1767686401;
INSERT INTO t (v) VALUES (DATE_FORMAT(NOW(), '%W'));
SET lc_time_names = DEFAULT, foreign_key_checks = 0, unique_checks = 0, sql_auto_is_null = 1, check_constraint_checks = 0;
INSERT INTO t (v) VALUES ('flags2');
SET foreign_key_checks = DEFAULT, unique_checks = DEFAULT, sql_auto_is_null = DEFAULT, check_constraint_checks = DEFAULT;
SET auto_increment_increment = 10, auto_increment_offset = 3;
INSERT INTO a VALUES (), ();
SET auto_increment_increment = DEFAULT, auto_increment_offset = DEFAULT;
SET collation_connection = utf8mb4_unicode_ci, collation_server = latin1_swedish_ci;
INSERT INTO other.x SELECT 1; -- fails, leaves nothing
CREATE TABLE other.x (v VARCHAR(20)) CHARACTER SET cp1251;
INSERT INTO other.x VALUES ('Привет');
SET NAMES latin1;
INSERT INTO t (v) VALUES ('these bytes are read as latin1: é');
SET NAMES utf8mb4;
SET pseudo_thread_id = 4000000000;
INSERT INTO t (v) VALUES ('from a late connection');

-- definers, views, programs
CREATE DEFINER = 'binlens'@'localhost' VIEW w AS SELECT id FROM t;
CREATE DEFINER = CURRENT_USER FUNCTION twice(n INT) RETURNS INT DETERMINISTIC RETURN n * 2;
CREATE USER 'reader'@'%';
GRANT SELECT ON statements.* TO 'reader'@'%';
DROP VIEW w;

-- temporary tables, of which the connection's end drops the last one
CREATE TEMPORARY TABLE tmp (id INT) ENGINE=MyISAM;
INSERT INTO tmp VALUES (1), (2);
INSERT INTO m SELECT id, 'from a temporary table' FROM tmp;
DROP TEMPORARY TABLE tmp;
CREATE TEMPORARY TABLE left_over (id INT);

-- a statement that failed after it had changed something
INSERT INTO m VALUES (10, 'in'), (11, 'in too'), (1, 'a duplicate'), (12, 'never');

-- LOAD DATA: the file's bytes are in the log
LOAD DATA LOCAL INFILE 'statement.load.txt' IGNORE INTO TABLE m CHARACTER SET utf8mb4 FIELDS TERMINATED BY '\t' (id, v);
LOAD DATA LOCAL INFILE 'statement.load.txt' REPLACE INTO TABLE statements.m CHARACTER SET utf8mb4 FIELDS TERMINATED BY '\t' ENCLOSED BY '"' LINES STARTING BY '' (@skipped, v) SET id = 100 + @skipped;

-- transactions: committed, rolled back to a savepoint, rolled back with a table that cannot be
START TRANSACTION;
INSERT INTO t (v) VALUES ('kept');
SAVEPOINT `s 1`;
INSERT INTO m VALUES (50, 'not transactional');
INSERT INTO t (v) VALUES ('taken back');
ROLLBACK TO `s 1`;
COMMIT;
START TRANSACTION;
UPDATE t SET n = 1 WHERE id = 1;
INSERT INTO m VALUES (51, 'stays');
ROLLBACK;

-- comments, more statements in one, an empty name of the default database
/* leading comment */ INSERT INTO t (v) VALUES ('; not the end -- nor this');
DROP DATABASE other;
connect;
CREATE DATABASE after_reconnect;
