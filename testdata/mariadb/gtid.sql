-- Several domains and servers, a GTID list at the head of the log, every flag that one server can be brought to write,
-- and two transactions that were committed as one group.
CREATE DATABASE gtids;
USE gtids;
CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(40)) ENGINE=InnoDB;
CREATE TABLE m (id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(40)) ENGINE=MyISAM;
SET gtid_domain_id = 1, server_id = 101, gtid_seq_no = 1000;
INSERT INTO t (v) VALUES ('domain 1');
SET gtid_domain_id = 4294967295, server_id = 4294967295, gtid_seq_no = 9223372036854775806;
INSERT INTO t (v) VALUES ('the last domain');
SET gtid_domain_id = 2, server_id = 1, gtid_seq_no = 4294967296;
INSERT INTO t (v) VALUES ('a sequence number of 33 bits');
SET gtid_domain_id = 0;
FLUSH BINARY LOGS;
INSERT INTO t (v) VALUES ('transactional');
INSERT INTO m (v) VALUES ('not transactional');
SET skip_parallel_replication = 1;
INSERT INTO t (v) VALUES ('not to be replayed in parallel');
SET skip_parallel_replication = 0;
ALTER TABLE t ADD COLUMN n INT;
SET gtid_domain_id = 1, server_id = 102;
INSERT INTO t (v) VALUES ('domain 1, another server');
SET gtid_domain_id = 7;
CREATE TABLE u (id INT);
SET gtid_domain_id = 0, server_id = 1;
CREATE TABLE as_select AS SELECT * FROM t;
SET GLOBAL binlog_commit_wait_count = 2, GLOBAL binlog_commit_wait_usec = 5000000;
\! $CLIENT gtids -e "INSERT INTO t (v) VALUES ('grouped')" & $CLIENT gtids -e "INSERT INTO t (v) VALUES ('grouped too')" & wait
SET GLOBAL binlog_commit_wait_count = 0;
