package schema

import (
	"fmt"
	"strings"
	"testing"
)

// describe writes a table in one line: columns with what is known of them, then the unique keys.
func describe(t *Table) string {
	if t == nil {
		return "unknown"
	}
	var parts []string
	for _, c := range t.Columns {
		s := c.Name + " " + c.Type
		if c.Args != nil {
			s += strings.ReplaceAll(fmt.Sprint(c.Args), " ", ",")
		}
		if c.Labels != nil {
			s += fmt.Sprintf("%q", c.Labels)
		}
		for _, f := range []struct {
			on   bool
			text string
		}{{c.Unsigned, " unsigned"}, {c.Charset != "", " " + c.Charset}, {c.Collation != "", "/" + c.Collation}, {c.NotNull, "!"},
			{c.Invisible, " invisible"}, {c.Virtual, " virtual"}, {c.Stored, " stored"}, {c.Packed, " packed"}} {
			if f.on {
				s += f.text
			}
		}
		parts = append(parts, s)
	}
	out := strings.Join(parts, ", ")
	for _, k := range t.Keys {
		if k.Unique {
			out += " | " + k.Name + fmt.Sprint(k.Columns)
		}
	}
	return out
}

// Statements on database d, and what the table t is after them.
var statements = []struct{ name, sql, want string }{
	{"plain", "CREATE TABLE t (id INT NOT NULL, name VARCHAR(20))", "id int!, name varchar[20]"},
	{"with its database", "CREATE TABLE d.t (id INT)", "id int"},
	{"another database", "CREATE TABLE e.t (id INT)", "unknown"},
	{"backticks", "create table `d`.`t` (`a``b` int, `key` int, `primary` text)", "a`b int, key int, primary text"},
	{"ANSI quotes", `CREATE TABLE "d"."t" ("id" INT, "x y" CHAR(3))`, "id int, x y char[3]"},
	{"comments", "/* one */ CREATE -- two\nTABLE # three\n t (/* , */ id INT /* ) */, b INT -- end\n)", "id int, b int"},
	{"version comments", "/*!40101 CREATE TABLE*/ t (id INT /*!80023 INVISIBLE */) /*!50100 PARTITION BY HASH(id) (PARTITION p0 ENGINE = InnoDB) */", "id int invisible"},
	{"MariaDB's version comments", "CREATE TABLE t (a INT, b TEXT /*M!100301 COMPRESSED*/)", "a int, b text packed"},
	{"comment with a mark inside", "CREATE TABLE t (a INT COMMENT 'it''s ; , ) */ -- no', b INT)", "a int, b int"},
	{"backslash in a text", `CREATE TABLE t (a INT COMMENT 'it\'s', b INT DEFAULT '\\')`, "a int, b int"},
	{"text of two parts", "CREATE TABLE t (a VARCHAR(9) DEFAULT 'a' 'b', b INT)", "a varchar[9], b int"},
	{"synonyms", "CREATE TABLE t (a INTEGER, b BOOL, c INT8, d DEC(5,2), e NUMERIC, f DOUBLE PRECISION, g REAL, h FLOAT(30), i MIDDLEINT, j FIXED(3))",
		"a int, b tinyint, c bigint, d decimal[5,2], e decimal, f double, g double, h double[30], i mediumint, j decimal[3]"},
	{"signs", "CREATE TABLE t (a INT(10) UNSIGNED, b BIGINT ZEROFILL, c DECIMAL(5,1) SIGNED, d FLOAT UNSIGNED ZEROFILL)",
		"a int[10] unsigned, b bigint unsigned, c decimal[5,1], d float unsigned"},
	{"serial", "CREATE TABLE t (id SERIAL, v INT)", "id bigint unsigned!, v int | id[id]"},
	{"character sets", "CREATE TABLE t (a CHAR(1), b CHAR(1) CHARACTER SET latin1, c TEXT COLLATE koi8r_bin, d NCHAR(2), e NATIONAL VARCHAR(3), f CHAR(1) ASCII) DEFAULT CHARSET=utf8mb4",
		"a char[1] utf8mb4, b char[1] latin1, c text koi8r/koi8r_bin, d char[2] utf8mb3, e varchar[3] utf8mb3, f char[1] latin1"},
	{"collation of the table", "CREATE TABLE t (a CHAR(1)) ENGINE=InnoDB COLLATE=latin1_german1_ci", "a char[1] latin1/latin1_german1_ci"},
	{"MariaDB's new collations", "CREATE TABLE t (a CHAR(1)) CHARSET=utf8mb3 COLLATE=uca1400_ai_ci", "a char[1] utf8mb3/uca1400_ai_ci"},
	{"bytes", "CREATE TABLE t (a BINARY(4), b VARBINARY(9), c BLOB(10), d TEXT(100000), e CHAR(3) CHARACTER SET binary, f CHAR(2) BYTE, g LONG VARBINARY, h LONG VARCHAR)",
		"a binary[4] binary, b varbinary[9] binary, c tinyblob[10] binary, d mediumtext[100000], e binary[3] binary, f binary[2] binary, g mediumblob binary, h mediumtext"},
	{"varying", "CREATE TABLE t (a CHARACTER VARYING(5), b NATIONAL CHAR VARYING(6), c CHAR VARYING(7))", "a varchar[5], b varchar[6] utf8mb3, c varchar[7]"},
	{"members", `CREATE TABLE t (e ENUM('a','b,c','it''s',"q", ' x '), s SET('1','2') CHARACTER SET latin1)`,
		`e enum["a" "b,c" "it's" "q" " x"], s set["1" "2"] latin1`},
	{"members in hexadecimal", "CREATE TABLE t (e ENUM(x'6162', N'c', X'4A'))", `e enum["ab" "c" "J"]`},
	{"geometry, json, vector", "CREATE TABLE t (p POINT NOT NULL SRID 4326, g GEOMCOLLECTION, j JSON, v VECTOR(3))",
		"p geometry binary!, g geometry binary, j json utf8mb4, v vector[3] binary"},
	{"generated", "CREATE TABLE t (a INT, b INT GENERATED ALWAYS AS (a + (1)) STORED NOT NULL, c INT AS (a) VIRTUAL, d INT AS (concat(a,',')) PERSISTENT, e INT AS (a))",
		"a int, b int! stored, c int virtual, d int stored, e int virtual"},
	{"defaults", "CREATE TABLE t (a INT DEFAULT -1, b TIMESTAMP(6) DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6), c CHAR(1) DEFAULT _latin1'x', d DATE DEFAULT DATE '2000-01-01', e BIT(2) DEFAULT b'10', f CHAR(36) DEFAULT (uuid()), g DECIMAL(3,1) DEFAULT 1.5, h INT DEFAULT NULL, i BIGINT DEFAULT nextval(`d`.`s`), j DATETIME DEFAULT NOW, k INT)",
		"a int, b timestamp[6], c char[1], d date, e bit[2], f char[36], g decimal[3,1], h int, i bigint, j datetime, k int"},
	{"keys", "CREATE TABLE t (a INT, b INT NOT NULL, c INT, PRIMARY KEY USING BTREE (a DESC), UNIQUE KEY u (b, c(10)) COMMENT 'x', KEY k (c), CONSTRAINT x UNIQUE (c), FULLTEXT f (c), CONSTRAINT FOREIGN KEY (a) REFERENCES o (i) ON DELETE SET NULL, CHECK (a > 0), INDEX (b) USING HASH)",
		"a int!, b int!, c int | PRIMARY[a] | u[b c] | x[c]"},
	{"keys of columns", "CREATE TABLE t (a INT PRIMARY KEY, b INT UNIQUE, c INT UNIQUE KEY NOT NULL, d INT REFERENCES o (i) ON DELETE CASCADE ON UPDATE NO ACTION, e INT CHECK (e > 1) )",
		"a int!, b int, c int!, d int, e int | PRIMARY[a] | b[b] | c[c]"},
	{"key alone means primary", "CREATE TABLE t (a INT KEY)", "a int! | PRIMARY[a]"},
	{"columns named like keywords", "CREATE TABLE t (date DATE, time TIME, timestamp TIMESTAMP, text TEXT, `check` INT, comment INT, status INT, value INT, period INT)",
		"date date, time time, timestamp timestamp, text text, check int, comment int, status int, value int, period int"},
	{"system versioning with columns", "CREATE TABLE t (x INT, s TIMESTAMP(6) GENERATED ALWAYS AS ROW START, e TIMESTAMP(6) GENERATED ALWAYS AS ROW END INVISIBLE, PERIOD FOR SYSTEM_TIME (s, e)) WITH SYSTEM VERSIONING",
		"x int, s timestamp[6] stored, e timestamp[6] invisible stored"},
	{"created as it logs a query", "CREATE TABLE `t` (`a` int DEFAULT NULL) START TRANSACTION", "a int"},
	{"like", "CREATE TABLE o (a INT PRIMARY KEY); CREATE TABLE t LIKE o", "a int! | PRIMARY[a]"},
	{"like in parentheses", "CREATE TABLE o (a INT); CREATE TABLE t (LIKE d.o)", "a int"},
	{"from a query", "CREATE TABLE t (a INT) SELECT 1 AS b", "unknown"},
	{"from a query alone", "CREATE TABLE t SELECT 1", "unknown"},
	{"if not exists", "CREATE TABLE t (a INT); CREATE TABLE IF NOT EXISTS t (b INT)", "a int"},
	{"or replace", "CREATE TABLE t (a INT); CREATE OR REPLACE TABLE t (b INT)", "b int"},
	{"temporary", "CREATE TEMPORARY TABLE t (a INT)", "unknown"},
	{"drop", "CREATE TABLE t (a INT); DROP TABLE IF EXISTS x, t /* generated by server */", "unknown"},
	{"drop database", "CREATE TABLE t (a INT); DROP DATABASE d", "unknown"},
	{"truncate", "CREATE TABLE t (a INT); TRUNCATE TABLE t", "a int"},
	{"character set of the database", "CREATE DATABASE d CHARACTER SET = latin1; CREATE TABLE t (a CHAR(1))", "a char[1] latin1"},
	{"rename", "CREATE TABLE o (a INT); RENAME TABLE o TO t", "a int"},
	{"swap", "CREATE TABLE t (a INT); CREATE TABLE o (b INT); RENAME TABLE t TO x, o TO t, x TO o", "b int"},
	{"alter rename", "CREATE TABLE o (a INT); ALTER TABLE o RENAME TO t, ADD b INT", "a int, b int"},
	{"add", "CREATE TABLE t (a INT); ALTER TABLE t ADD b INT, ADD COLUMN c INT FIRST, ADD COLUMN IF NOT EXISTS d INT AFTER a, ADD (e INT, f TEXT)", "c int, a int, d int, b int, e int, f text"},
	{"add what is there", "CREATE TABLE t (a INT); ALTER TABLE t ADD COLUMN IF NOT EXISTS a TEXT FIRST, ADD b INT", "a int, b int"},
	{"drop columns", "CREATE TABLE t (a INT, b INT, c INT, UNIQUE (b), UNIQUE k (a, c)); ALTER TABLE t DROP b, DROP COLUMN IF EXISTS zz, DROP COLUMN a CASCADE", "c int | k[c]"},
	{"change", "CREATE TABLE t (a INT, b INT, PRIMARY KEY (b)); ALTER TABLE t CHANGE b x BIGINT UNSIGNED FIRST, CHANGE COLUMN a a TEXT", "x bigint unsigned!, a text | PRIMARY[x]"},
	{"modify", "CREATE TABLE t (a INT, b INT); ALTER TABLE t MODIFY b VARCHAR(3) CHARSET latin1 FIRST", "b varchar[3] latin1, a int"},
	{"rename column", "CREATE TABLE t (a INT PRIMARY KEY, b INT); ALTER TABLE t RENAME COLUMN a TO z, RENAME INDEX i TO j", "z int!, b int | PRIMARY[z]"},
	{"options", "CREATE TABLE t (a CHAR(1)) CHARSET latin1; ALTER TABLE t ENGINE=InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET=utf8mb4, ALGORITHM=INPLACE, LOCK=NONE, ADD b CHAR(1), FORCE",
		"a char[1] latin1, b char[1] utf8mb4"},
	{"convert", "CREATE TABLE t (a CHAR(1) CHARSET latin1, b INT); ALTER TABLE t CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", "a char[1] utf8mb4/utf8mb4_bin, b int"},
	{"visibility", "CREATE TABLE t (a INT, b INT INVISIBLE); ALTER TABLE t ALTER a SET INVISIBLE, ALTER COLUMN b SET VISIBLE", "a int invisible, b int"},
	{"keys come and go", "CREATE TABLE t (a INT, b INT NOT NULL); ALTER TABLE t ADD PRIMARY KEY (a), ADD CONSTRAINT u UNIQUE KEY (b); ALTER TABLE t DROP PRIMARY KEY; CREATE UNIQUE INDEX v ON t (b); DROP INDEX u ON t",
		"a int!, b int! | v[b]"},
	{"alter of what is not there", "CREATE TABLE t (a INT); ALTER TABLE t DROP b", "unknown"},
	{"MariaDB's types", "CREATE TABLE t (a UUID, b INET6, c INET4, d mariadb_schema.date, e VARCHAR(9) COMPRESSED, f LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin CHECK (json_valid(`f`)))",
		"a uuid binary, b inet6 binary, c inet4 binary, d date, e varchar[9] packed, f longtext utf8mb4/utf8mb4_bin"},
	{"names in UTF-8", "CREATE TABLE t (größe INT, `日本` INT)", "größe int, 日本 int"},
	{"a body is not read", "CREATE TABLE t (a INT); DELIMITER ;;\nCREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW BEGIN DROP TABLE t; ALTER TABLE t ADD b INT; END ;;\nDELIMITER ;\nALTER TABLE t ADD c INT;", "a int, c int"},
}

func TestStatements(t *testing.T) {
	for _, s := range statements {
		t.Run(s.name, func(t *testing.T) {
			var c Catalog
			c.Load("d", []byte(s.sql), 1)
			if got := describe(c.Lookup("d", "t", 1)); got != s.want {
				t.Errorf("%s\n got %s\nwant %s", s.sql, got, s.want)
			}
		})
	}
}

// None of the statements gives a warning but those that say that columns are not known.
func TestNoWarnings(t *testing.T) {
	for _, s := range statements {
		var c Catalog
		for _, w := range c.Load("d", []byte(s.sql), 1) {
			if s.want != "unknown" {
				t.Errorf("%s: at %d: %s", s.name, w.Offset, w.Reason)
			}
		}
	}
}

func TestWarnings(t *testing.T) {
	for _, tt := range []struct {
		sql, reason string
		offset      int
		want        string
	}{
		{"CREATE TABLE t (a INT FROBNICATE (1, 2), b INT)", "`FROBNICATE` is skipped", 22, "a int, b int"},
		{"CREATE TABLE t (a INT", "the columns do not end", 21, "unknown"},
		{"CREATE TABLE t (a INT, a INT)", "column a is there twice", 28, "unknown"},
		{"CREATE TABLE t (a)", "a type is expected, not `)`", 17, "unknown"},
		{"CREATE TABLE t SELECT 1", "the columns of t are not in its statement", 15, "unknown"},
		{"CREATE TABLE t (a INT); ALTER TABLE t = 1, ADD b INT", "`=` is skipped", 38, "a int, b int"},
	} {
		var c Catalog
		w := c.Load("d", []byte(tt.sql), 1)
		if len(w) != 1 || w[0] != (Warning{tt.offset, tt.reason}) {
			t.Errorf("%s: %v", tt.sql, w)
		}
		if got := describe(c.Lookup("d", "t", 1)); got != tt.want {
			t.Errorf("%s: %s", tt.sql, got)
		}
	}
}

func TestVersions(t *testing.T) {
	var c Catalog
	for i, sql := range []string{"CREATE TABLE t (a INT)", "ALTER TABLE t RENAME COLUMN a TO b", "RENAME TABLE t TO e.t", "RENAME TABLE e.t TO t", "DROP TABLE t", "CREATE TABLE T (c INT)"} {
		if w := c.Apply("d", []byte(sql), int64(10*i+10), false); w != nil {
			t.Errorf("%s: %v", sql, w)
		}
	}
	for _, tt := range []struct {
		schema, table string
		at            int64
		want          string
	}{
		{"d", "t", 9, "unknown"}, {"d", "t", 10, "a int"}, {"d", "t", 19, "a int"}, {"d", "t", 20, "b int"}, {"d", "t", 30, "unknown"},
		{"e", "t", 29, "unknown"}, {"e", "t", 30, "b int"}, {"e", "t", 40, "unknown"}, {"d", "t", 45, "b int"}, {"d", "t", 50, "unknown"},
		{"d", "T", 60, "c int"}, {"D", "t", 60, "c int"},
	} {
		if got := describe(c.Lookup(tt.schema, tt.table, tt.at)); got != tt.want {
			t.Errorf("%s.%s at %d: %s, want %s", tt.schema, tt.table, tt.at, got, tt.want)
		}
	}
}

// One statement of a log is one: what follows a semicolon in it belongs to a body.
func TestApplyTakesOneStatement(t *testing.T) {
	var c Catalog
	c.Apply("d", []byte("CREATE TABLE t (a INT)"), 1, false)
	c.Apply("d", []byte("CREATE PROCEDURE p() BEGIN DROP TABLE t; END"), 2, false)
	c.Apply("d", []byte(`CREATE TABLE u (a INT COMMENT '\', b INT)`), 3, true)
	if got := describe(c.Lookup("d", "t", 3)) + "; " + describe(c.Lookup("d", "u", 3)); got != "a int; a int, b int" {
		t.Error(got)
	}
}

func TestRowKey(t *testing.T) {
	for _, tt := range []struct {
		sql  string
		want []int
	}{
		{"CREATE TABLE t (a INT, b INT, UNIQUE (a), PRIMARY KEY (b, a))", []int{1, 0}},
		{"CREATE TABLE t (a INT, b INT NOT NULL, UNIQUE (a), UNIQUE (b))", []int{1}},
		{"CREATE TABLE t (a INT, UNIQUE (a))", nil},
		{"CREATE TABLE t (a INT NOT NULL, UNIQUE ((a + 1)))", nil},
		{"CREATE TABLE t (a INT NOT NULL, KEY (a))", nil},
		{"CREATE TABLE t (a INT NOT NULL, b INT NOT NULL, UNIQUE (a, b)); ALTER TABLE t DROP b", []int{0}},
	} {
		var c Catalog
		c.Load("d", []byte(tt.sql), 1)
		if got := c.Lookup("d", "t", 1).RowKey(); fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%s: %v, want %v", tt.sql, got, tt.want)
		}
	}
}

func FuzzLoad(f *testing.F) {
	for _, s := range statements {
		f.Add([]byte(s.sql))
	}
	f.Add([]byte("DELIMITER \nCREATE"))
	f.Fuzz(func(t *testing.T, sql []byte) {
		var c Catalog
		for _, w := range c.Load("d", sql, 1) {
			if w.Offset < 0 || w.Offset > len(sql) || w.Reason == "" {
				t.Errorf("warning %v of %d bytes", w, len(sql))
			}
		}
		c.Apply("d", sql, 2, true)
		for k := range c.tables {
			if v := c.Lookup(k.schema, k.table, 2); v != nil && v.RowKey() != nil && len(v.Columns) == 0 {
				t.Error("a key without columns")
			}
		}
	})
}
