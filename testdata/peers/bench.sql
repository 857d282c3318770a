-- The log that ./build.sh bench measures with: about 270 MB of rows, as an application writes them, in 31 transactions.
SET NAMES utf8mb4;
SET time_zone = '+00:00';
CREATE DATABASE bench CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
USE bench;
CREATE TABLE orders (
  id BIGINT UNSIGNED NOT NULL PRIMARY KEY, customer_id INT UNSIGNED NOT NULL, status ENUM('new','paid','packed','shipped','returned') NOT NULL,
  total DECIMAL(12,2) NOT NULL, discount DOUBLE NULL, placed_at DATETIME(6) NOT NULL, changed_at TIMESTAMP NOT NULL, deliver_on DATE NULL,
  email VARCHAR(120) NOT NULL, note VARCHAR(400) NULL, flags SMALLINT NOT NULL, payload BLOB NULL
) ENGINE=InnoDB;
DELIMITER //
CREATE PROCEDURE fill(IN batches INT)
BEGIN
  DECLARE n INT DEFAULT 0;
  WHILE n < batches DO
    INSERT INTO orders SELECT n * 100000 + seq, seq * 7919 % 500000, 1 + seq % 5, seq * 1.37, IF(seq % 3, seq / 7, NULL),
      '2026-01-06 08:00:00.000001' + INTERVAL seq * 997 MICROSECOND, '2026-01-06 08:00:00' + INTERVAL seq SECOND, IF(seq % 4, DATE '2026-01-06' + INTERVAL seq % 365 DAY, NULL),
      CONCAT('customer', seq * 7919 % 500000, '@example.com'), IF(seq % 5, NULL, CONCAT('Bitte beim Nachbarn abgeben – danke! ', seq)), CAST(seq % 30000 AS SIGNED) - 15000,
      IF(seq % 8, NULL, UNHEX(SHA2(seq, 256))) FROM seq_1_to_100000;
    SET n = n + 1;
  END WHILE;
END //
DELIMITER ;
CALL fill(29);
UPDATE orders SET status = 'shipped', total = total + 1 WHERE id <= 100000;
DELETE FROM orders WHERE id > 2800000;
