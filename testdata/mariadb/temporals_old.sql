-- The temporal types as servers before 5.6 stored them (column types 7, 11 and 12), still written for tables made so.
SET NAMES utf8mb4;
SET sql_mode = '';
SET time_zone = '+00:00';
SET GLOBAL mysql56_temporal_format = OFF;
CREATE DATABASE temporals_old;
USE temporals_old;
CREATE TABLE whole (id INT PRIMARY KEY, t TIME, d DATETIME, s TIMESTAMP NULL, y DATE);
INSERT INTO whole VALUES
  (1, '00:00:00', '0000-00-00 00:00:00', '0000-00-00 00:00:00', '0000-00-00'), (2, '838:59:59', '9999-12-31 23:59:59', '2038-01-19 03:14:07', '9999-12-31'),
  (3, '-838:59:59', '1000-01-01 00:00:00', '1970-01-01 00:00:01', '1000-01-01'), (4, '-00:00:01', '2023-00-15 10:20:30', '2000-02-29 12:34:56', '2023-05-00'),
  (5, '12:34:56', '2000-02-29 12:34:56', '2026-01-06 08:00:00', '2000-02-29'), (6, NULL, NULL, NULL, NULL);
SET GLOBAL mysql56_temporal_format = ON;
