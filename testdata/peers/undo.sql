-- The log of ./build.sh bench with one transaction of about 200 MB, to be undone.
SET NAMES utf8mb4;
SET time_zone = '+00:00';
CREATE DATABASE bench CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
USE bench;
CREATE TABLE notes (id INT UNSIGNED NOT NULL PRIMARY KEY, changed_at TIMESTAMP NOT NULL, note VARCHAR(400) NULL, payload BLOB NULL) ENGINE=InnoDB;
START TRANSACTION;
INSERT INTO notes SELECT seq, '2026-01-06 08:00:00' + INTERVAL seq SECOND, CONCAT('Bitte beim Nachbarn abgeben – danke! ', seq), UNHEX(SHA2(seq, 512)) FROM seq_1_to_1080000;
UPDATE notes SET note = NULL WHERE id <= 350000;
COMMIT;
