-- MariaDB 5.3's own fractional times. The log gives the old type codes (7, 11, 12) and no metadata, so a reader cannot
-- know the width of these cells; the server's own tool gives up at the first row. What is right here is a row that says
-- so, and everything behind it.
SET NAMES utf8mb4;
SET time_zone = '+00:00';
SET GLOBAL mysql56_temporal_format = OFF;
CREATE DATABASE temporals_hires;
USE temporals_hires;
CREATE TABLE fractional (id INT PRIMARY KEY, t1 TIME(1), t3 TIME(3), t6 TIME(6), d1 DATETIME(1), d3 DATETIME(3), d6 DATETIME(6), s1 TIMESTAMP(1) NULL, s3 TIMESTAMP(3) NULL, s6 TIMESTAMP(6) NULL);
INSERT INTO fractional VALUES
  (1, '-16:08:04.1', '-16:08:04.25', '-16:08:04.010123', '2000-02-29 12:34:56.7', '2000-02-29 12:34:56.789', '2000-02-29 12:34:56.789012', '2026-01-06 08:00:00.1', '2026-01-06 08:00:00.123', '2026-01-06 08:00:00.123456'),
  (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
SET GLOBAL mysql56_temporal_format = ON;
CREATE TABLE behind (id INT PRIMARY KEY, t3 TIME(3));
INSERT INTO behind VALUES (1, '-16:08:04.25');
