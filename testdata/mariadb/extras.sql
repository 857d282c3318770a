-- What MariaDB writes for types and tables of its own, and for JSON, which it keeps as text.
SET NAMES utf8mb4;
SET time_zone = '+00:00';
CREATE DATABASE extras CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
USE extras;

CREATE TABLE documents (id INT PRIMARY KEY, j JSON, t LONGTEXT);
INSERT INTO documents VALUES (1, '{"a": [1, 2.50, "ü", null, true], "b": {}}', 'x'), (2, '[]', ''), (3, '"text"', NULL), (4, '12.0', '{"not": "json column"}'), (5, NULL, NULL);
UPDATE documents SET j = JSON_SET(j, '$.a[0]', 100) WHERE id = 1;

CREATE TABLE addresses (id INT PRIMARY KEY, v4 INET4, v6 INET6, u UUID);
INSERT INTO addresses VALUES (1, '192.0.2.1', '2001:db8::1', '3e11fa47-71ca-11e1-9e33-c80aa9429562'), (2, '0.0.0.0', '::', '00000000-0000-0000-0000-000000000000'),
  (3, '255.255.255.255', '::ffff:192.0.2.1', 'ffffffff-ffff-ffff-ffff-ffffffffffff'), (4, NULL, NULL, NULL);

CREATE TABLE shapes (id INT PRIMARY KEY, g GEOMETRY, p POINT, l LINESTRING, y POLYGON);
INSERT INTO shapes VALUES
  (1, ST_GeomFromText('POINT(1 2)'), ST_GeomFromText('POINT(-0.5 1e300)', 4326), ST_GeomFromText('LINESTRING(0 0,1 1,2 0)'), ST_GeomFromText('POLYGON((0 0,4 0,4 4,0 0),(1 1,2 1,2 2,1 1))')),
  (2, ST_GeomFromText('GEOMETRYCOLLECTION(POINT(1 1),LINESTRING(0 0,1 1))'), NULL, NULL, NULL),
  (3, ST_GeomFromText('MULTIPOINT(1 1,2 2)'), NULL, NULL, NULL),
  (4, ST_GeomFromText('MULTIPOLYGON(((0 0,1 0,1 1,0 0)),((5 5,6 5,6 6,5 5)))'), NULL, NULL, NULL);

-- Column types 140 and 141: compressed in the row itself.
CREATE TABLE packed (id INT PRIMARY KEY, v VARCHAR(1000) COMPRESSED, t TEXT COMPRESSED, b BLOB COMPRESSED);
INSERT INTO packed VALUES (1, REPEAT('compressible ', 40), REPEAT('text ü ', 100), REPEAT(x'00', 500)), (2, 'short', 'short', x'00'), (3, '', '', ''), (4, NULL, NULL, NULL);

CREATE TABLE computed (id INT PRIMARY KEY, a INT, v INT AS (a * 2) VIRTUAL, p VARCHAR(20) AS (CONCAT('#', a)) PERSISTENT, hidden INT INVISIBLE DEFAULT 7);
INSERT INTO computed (id, a) VALUES (1, 21), (2, NULL);

CREATE TABLE history (id INT PRIMARY KEY, v INT) WITH SYSTEM VERSIONING;
SET timestamp = 1767686400.123456;
INSERT INTO history VALUES (1, 1), (2, 2);
SET timestamp = 1767686500.5;
UPDATE history SET v = 10 WHERE id = 1;
SET timestamp = 1767686600;
DELETE FROM history WHERE id = 2;

CREATE SEQUENCE numbers START WITH 5 INCREMENT BY 3;
SELECT NEXTVAL(numbers);
