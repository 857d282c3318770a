-- The sample log that the page ships: one working day of a small shop, with the mistake that brings people here.
-- make.sh runs this on a fresh MariaDB server (row format, FULL row metadata, CRC32, annotated rows). Times and
-- thread ids are set by hand, so that two runs of the script differ as little as possible; a line with CLOCK_FILE
-- also moves the server's own clock, which shows in exec_time and in the events that no session writes.

SET NAMES utf8mb4;
SET time_zone = '+00:00';

-- 08:00, thread 11: the schema.
\! echo "@2026-01-06 08:00:06" > "$CLOCK_FILE"
SET timestamp = 1767686400, pseudo_thread_id = 11;
CREATE DATABASE shop CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
USE shop;

SET timestamp = 1767686401;
CREATE TABLE customers (
  id           INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name         VARCHAR(80) NOT NULL,
  email        VARCHAR(255) CHARACTER SET latin1 NOT NULL,
  birthday     DATE NULL,
  member_since YEAR NOT NULL,
  interests    SET('books','music','garden','kitchen','tools') NOT NULL DEFAULT '',
  settings     JSON NULL,
  note         TEXT NULL,
  created_at   TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  UNIQUE KEY email (email)
) ENGINE=InnoDB;

SET timestamp = 1767686402;
CREATE TABLE products (
  id          SMALLINT UNSIGNED NOT NULL PRIMARY KEY,
  title       VARCHAR(120) NOT NULL,
  price       DECIMAL(10,2) NOT NULL,
  weight_kg   DOUBLE NULL,
  rating      FLOAT NULL,
  features    BIT(12) NOT NULL DEFAULT b'0',
  stock       MEDIUMINT NOT NULL,
  thumbnail   BLOB NULL,
  sku         BINARY(8) NOT NULL
) ENGINE=InnoDB;

SET timestamp = 1767686403;
CREATE TABLE orders (
  id          BIGINT UNSIGNED NOT NULL PRIMARY KEY,
  customer_id INT UNSIGNED NOT NULL,
  status      ENUM('new','paid','packed','shipped','returned') NOT NULL DEFAULT 'new',
  total       DECIMAL(12,2) NOT NULL DEFAULT 0,
  placed_at   DATETIME(6) NOT NULL,
  deliver_by  TIME NULL,
  note        VARCHAR(500) NULL,
  changed_at  TIMESTAMP(3) NOT NULL DEFAULT '2026-01-06 00:00:00',
  KEY customer (customer_id)
) ENGINE=InnoDB;

SET timestamp = 1767686404;
CREATE TABLE order_items (
  order_id   BIGINT UNSIGNED NOT NULL,
  line       TINYINT UNSIGNED NOT NULL,
  product_id SMALLINT UNSIGNED NOT NULL,
  quantity   INT NOT NULL,
  price      DECIMAL(10,2) NOT NULL,
  discount   DECIMAL(4,3) NULL,
  PRIMARY KEY (order_id, line)
) ENGINE=InnoDB;

SET timestamp = 1767686405;
CREATE TABLE audit (
  at   DATETIME NOT NULL,
  who  VARCHAR(40) NOT NULL,
  what VARCHAR(200) NOT NULL
) ENGINE=MyISAM;

-- 08:05, thread 12: stock arrives.
SET timestamp = 1767686700, pseudo_thread_id = 12;
INSERT INTO products VALUES
  (1, 'Thé vert «Gyokuro» 100 g', 18.90, 0.1, 4.7, b'000000000101', 140, x'89504e470d0a1a0a0000000d49484452', 'TEA-0001'),
  (2, 'Gartenschere „Löwe“',      34.50, 0.28, 4.25, b'000000010010', 60, NULL, 'GRD-0002'),
  (3, 'Roman noir',                9.95, 0.31, 3.9, b'000000000000', 500, NULL, 'BOK-0003'),
  (4, '包丁 (santoku)',          129.00, 0.19, 4.95, b'100000000011', 12, x'ffd8ffe000104a46494600010100', 'KIT-0004'),
  (5, 'Ukulele 🎸',               79.00, 0.45, NULL, b'000011110000', 25, NULL, 'MUS-0005'),
  (6, 'Торцевой ключ 13 мм',       7.49, 0.125, 4.1, b'000000000001', 300, NULL, 'TOL-06'),
  (7, 'Gift card',                25.00, NULL, NULL, b'111111111111', 8388607, NULL, 'GIFT');

SET timestamp = 1767686760;
INSERT INTO customers (id, name, email, birthday, member_since, interests, settings, note) VALUES
  (1, 'Zoë Müller',        'zoe@example.com',    '1990-02-28', 2019, 'books,garden', '{"newsletter": true, "theme": "dark"}', NULL),
  (2, 'José Ñandú',        'jose@example.com',   '1984-12-31', 2021, 'music',        NULL, 'Rings twice.'),
  (3, '山田 太郎',          'taro@example.com',   NULL,         2024, 'kitchen,tools','{"newsletter": false}', NULL),
  (4, 'Ольга Петрова',     'olga@example.com',   '2000-02-29', 2025, '',             '{"addresses": [{"city": "Tallinn"}, {"city": "Riga"}]}', ''),
  (5, 'Søren Kierkegård',  'soren@example.com',  '1913-05-05', 1998, 'books',        NULL, 'Either/or.'),
  (6, 'Ada 🦊 Fox',        'ada@example.com',    '1999-09-09', 2026, 'books,music,garden,kitchen,tools', '[]', NULL);

-- 08:10, thread 12: a batch of imported customers, several events of one statement.
SET timestamp = 1767687000;
INSERT INTO customers (id, name, email, birthday, member_since, interests, note)
  SELECT 100 + seq, CONCAT('Imported customer ', seq), CONCAT('import', seq, '@example.org'),
         DATE '1960-01-01' + INTERVAL seq * 97 DAY, 2000 + seq % 27, seq % 32,
         IF(seq % 5 = 0, REPEAT('imported from the old shop; ', 1 + seq % 7), NULL)
  FROM seq_1_to_250;

-- 09:00, thread 13: how the shop takes an order.
\! echo "@2026-01-06 09:00:02" > "$CLOCK_FILE"
SET timestamp = 1767690000, pseudo_thread_id = 13;
DELIMITER //
CREATE PROCEDURE place_order(IN n BIGINT UNSIGNED, IN customer INT UNSIGNED)
BEGIN
  START TRANSACTION;
  INSERT INTO orders (id, customer_id, placed_at, deliver_by, note)
    VALUES (n, customer, NOW(6) + INTERVAL (n % 900) * 1009 MICROSECOND, SEC_TO_TIME(9 * 3600 + n % 900 * 60),
            IF(n % 4 = 0, 'Bitte beim Nachbarn abgeben – danke!', NULL));
  INSERT INTO order_items
    SELECT n, seq, 1 + (n * 3 + seq) % 7, 1 + (n + seq) % 4, p.price, IF(seq = 2, 0.050, NULL)
    FROM seq_1_to_5 s JOIN products p ON p.id = 1 + (n * 3 + s.seq) % 7
    WHERE seq <= 1 + n % 5 ORDER BY seq;
  UPDATE orders SET total = (SELECT SUM(quantity * price * (1 - IFNULL(discount, 0))) FROM order_items WHERE order_id = n),
                    changed_at = NOW(3) WHERE id = n;
  UPDATE products p JOIN order_items i ON i.product_id = p.id SET p.stock = p.stock - i.quantity WHERE i.order_id = n;
  COMMIT;
END //
CREATE PROCEDURE morning(IN first INT, IN last INT, IN start_time INT)
BEGIN
  DECLARE n INT DEFAULT first;
  WHILE n <= last DO
    SET timestamp = start_time + (n - first) * 97;
    CALL place_order(90071992547409920 + n, IF(n % 3 = 0, 100 + n, 1 + n % 6));
    SET n = n + 1;
  END WHILE;
END //
DELIMITER ;

-- 09:10 to 10:15, thread 21: forty orders.
SET pseudo_thread_id = 21;
CALL morning(1, 40, 1767690600);

-- 11:00, thread 22: payments come in.
SET timestamp = 1767697200, pseudo_thread_id = 22;
UPDATE orders SET status = 'paid', changed_at = NOW(3) WHERE id % 2 = 0;
SET timestamp = 1767697260;
UPDATE orders SET status = 'shipped', deliver_by = '-01:30:00', changed_at = NOW(3) WHERE id = 90071992547409924;

-- 11:30, thread 22: a customer asks to be forgotten; another one changes a name.
SET timestamp = 1767699000;
START TRANSACTION;
UPDATE customers SET name = 'Ada Fox-Müller', settings = '{"newsletter": true}' WHERE id = 6;
DELETE FROM customers WHERE id = 5;
COMMIT;

-- 12:00, thread 11: the schema grows. The rows before this and after it have different columns.
\! echo "@2026-01-06 12:00:12" > "$CLOCK_FILE"
SET timestamp = 1767700800, pseudo_thread_id = 11;
ALTER TABLE orders ADD COLUMN coupon VARCHAR(16) CHARACTER SET ascii NULL AFTER status, ADD COLUMN gift BOOLEAN NOT NULL DEFAULT 0;
SET timestamp = 1767700810;
CREATE INDEX placed ON orders (placed_at);

SET timestamp = 1767700920, pseudo_thread_id = 22;
UPDATE orders SET coupon = 'WINTER-10', gift = 1, changed_at = NOW(3) WHERE id = 90071992547409930;

-- 13:00, thread 23: a job that still writes statements. Its audit table is not transactional, so that its rolled-back
-- transaction has to be logged as well.
\! echo "@2026-01-06 13:00:01" > "$CLOCK_FILE"
SET timestamp = 1767704400, pseudo_thread_id = 23;
SET SESSION binlog_format = 'STATEMENT';
START TRANSACTION;
UPDATE products SET price = price * 1.1 WHERE id = 4;
INSERT INTO audit VALUES (NOW(), 'repricing', 'santoku +10 %');
ROLLBACK;
SET SESSION binlog_format = 'ROW';

-- 14:03:07, thread 42: somebody forgets half of the WHERE clause.
SET timestamp = 1767708187, pseudo_thread_id = 42;
START TRANSACTION;
DELETE FROM order_items WHERE order_id > 90071992547409930;
DELETE FROM orders WHERE id > 90071992547409930 /* AND status = 'new' AND customer_id = 131 */;
COMMIT;

-- 14:09, thread 21: the shop goes on meanwhile.
SET pseudo_thread_id = 21;
CALL morning(41, 52, 1767708540);

-- 15:00, thread 11: clearing up.
\! echo "@2026-01-06 15:00:07" > "$CLOCK_FILE"
SET timestamp = 1767711600, pseudo_thread_id = 11;
DROP PROCEDURE morning;
SET timestamp = 1767711605;
TRUNCATE TABLE audit;
