//go:build !js

package session_test

import (
	"binlens/decoder/session"
	"fmt"
	"os"
	"strings"
	"testing"
)

// tablesOf are the tables of databases, quoted.
func (s *server) tablesOf(databases string) []string {
	list := s.lines("SELECT CONCAT('`', table_schema, '`.`', REPLACE(table_name, '`', '``'), '`') FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND table_schema IN (" + databases + ") ORDER BY 1")
	for i := range list {
		list[i] = strings.ReplaceAll(list[i], `\n`, "\n") // as the client prints a line break
	}
	return list
}

// state is a checksum over all rows of each table, whatever their order, and how many there are.
func (s *server) state(tables []string) map[string]string {
	s.t.Helper()
	m := map[string]string{}
	var q strings.Builder
	for _, t := range tables {
		q.WriteString("CHECKSUM TABLE " + t + " EXTENDED; SELECT COUNT(*) FROM " + t + ";\n")
	}
	lines := s.lines(q.String())
	for i, t := range tables {
		_, sum, _ := strings.Cut(lines[2*i], "\t")
		m[t] = sum + ", " + lines[2*i+1] + " rows"
	}
	return m
}

func sameState(t *testing.T, what string, want, got map[string]string) {
	t.Helper()
	for table := range want {
		if got[table] != want[table] {
			t.Errorf("%s: %s has checksum %s, not %s", what, table, got[table], want[table])
		}
	}
}

// columnsOf are the names of a table's columns that can be written, quoted, without those called id.
func (s *server) columnsOf(table string) (list []string) {
	schema, name, _ := strings.Cut(table, "`.`")
	name = strings.ReplaceAll(name[:len(name)-1], "``", "`")
	for _, c := range s.lines("SELECT CONCAT('`', REPLACE(column_name, '`', '``'), '`') FROM information_schema.columns WHERE table_schema = '" + schema[1:] + "' AND table_name = '" + name +
		"' AND extra NOT LIKE '%GENERATED%' AND column_name <> 'id' ORDER BY ordinal_position") {
		if c != "" {
			list = append(list, c)
		}
	}
	return list
}

// changes are statements that touch every column of a table: values move from row to row, rows go and come, keys change.
func (s *server) changes(table string) string {
	columns := s.columnsOf(table)
	var set []string
	for _, c := range columns {
		set = append(set, "a."+c+" = b."+c)
	}
	list := strings.Join(append([]string{"id"}, columns...), ", ")
	plus := strings.Join(append([]string{"id + 100"}, columns...), ", ")
	out := "BEGIN;\n"
	out += fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s WHERE id < 100;\n", table, list, plus, table)
	if len(set) > 0 {
		out += fmt.Sprintf("UPDATE %s a JOIN %s b ON b.id = a.id + 1 SET %s WHERE a.id < 100;\n", table, table, strings.Join(set, ", "))
	}
	out += fmt.Sprintf("UPDATE %s SET id = -id WHERE id IN (101, 103) ORDER BY id;\n", table)
	out += fmt.Sprintf("DELETE FROM %s WHERE id IN (2, 102, 4);\n", table)
	return out + "COMMIT;\n"
}

// Tables that are not written, as designed, and objects that are none.
var notRoundTripped = map[string]string{
	"`extras`.`history`": "system versioning",
	"`extras`.`numbers`": "a sequence",
}

// Round trips on a real server.
func TestRoundTrips(t *testing.T) {
	s := startMariaDB(t)
	for _, test := range []struct {
		name string
		run  func(t *testing.T, s *server)
	}{{"all types", roundTripAllTypes}, {"minimal images", roundTripMinimal}, {"statements", roundTripStatements}, {"XA", roundTripXA}, {"DDL in the log", roundTripDDL}, {"schema", manyTables}} {
		t.Run(test.name, func(t *testing.T) { test.run(t, s.of(t)) })
	}
}

// What is done to all column types, at their edges, is taken back by the undo script, and done again by the redo script, on the
// server itself: with keys, without keys and with rows that are there twice.
func roundTripAllTypes(t *testing.T, s *server) {
	for _, name := range []string{"types", "extras"} {
		script, err := os.ReadFile(root(t) + "/testdata/mariadb/" + name + ".sql")
		if err != nil {
			t.Fatal(err)
		}
		s.sql(string(script))
	}
	s.sql("CREATE DATABASE keyless; CREATE DATABASE twin; CREATE DATABASE more;" + moreTables)
	var tables []string
	for _, table := range s.tablesOf("'types', 'extras'") {
		if notRoundTripped[table] != "" {
			continue
		}
		tables = append(tables, table)
		_, name, _ := strings.Cut(table, "`.")
		copied := "`keyless`." + name
		list := strings.Join(append([]string{"id"}, s.columnsOf(table)...), ", ")
		s.sql(fmt.Sprintf("SET sql_mode = ''; CREATE TABLE %s AS SELECT %s FROM %s; INSERT INTO %s SELECT * FROM %s;", copied, list, table, copied, copied))
		tables = append(tables, copied)
	}
	var script strings.Builder
	script.WriteString("SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO';\n")
	for _, table := range tables {
		script.WriteString(s.changes(table))
	}
	script.WriteString(moreChanges)
	tables = append(tables, s.tablesOf("'more'")...)

	before := s.state(tables)
	log := s.logged(script.String())
	after := s.state(tables)
	for _, table := range tables {
		if before[table] == after[table] && !strings.HasPrefix(table, "`more`") {
			t.Errorf("%s was not changed: %s", table, after[table])
		}
	}

	l := open(t, log, session.Options{})
	if w := l.AddSchema(s.schema("types", "extras", "keyless", "more")); len(w) > 0 {
		t.Errorf("the schema: %v", w)
	}
	t.Run("undo", func(t *testing.T) {
		sql, notes := export(t, l, session.FormatUndo, l.All())
		if !notes.Complete() {
			t.Errorf("not complete: %+v", notes.List())
		}
		if out, err := s.try(sql); err != nil {
			t.Fatalf("%v %s", err, cut(out))
		}
		sameState(t, "undo", before, s.state(tables))
		t.Logf("%d tables, %d events, %d bytes of SQL", len(tables), l.Index().Len(), len(sql))
	})
	t.Run("redo", func(t *testing.T) {
		sql, notes := export(t, l, session.FormatSQL, l.All())
		if !notes.Complete() {
			t.Errorf("not complete: %+v", notes.List())
		}
		if out, err := s.try(sql); err != nil {
			t.Fatalf("%v %s", err, cut(out))
		}
		sameState(t, "redo", after, s.state(tables))
		t.Logf("%d bytes of SQL", len(sql))
	})
}

const moreTables = `
USE more;
CREATE TABLE plain (id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(40), changed TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3));
INSERT INTO plain (v) VALUES ('one'), ('two'), ('it''s; -- "three"\n\\'), (NULL), (CONCAT('nul', x'00', 'sub', x'1a', 'tab\t'));
CREATE TABLE unique_only (a INT NOT NULL, b VARCHAR(20) NOT NULL, c TEXT, UNIQUE (a, b)) CHARACTER SET latin1;
INSERT INTO unique_only VALUES (1, 'x', 'é'), (1, 'y', NULL), (2, 'X', '');
CREATE TABLE nullable_unique (a INT, c VARCHAR(9), UNIQUE (a));
INSERT INTO nullable_unique VALUES (NULL, 'n'), (NULL, 'n'), (1, 'n'), (2, NULL);
CREATE TABLE cases (v VARCHAR(9), f FLOAT, d DOUBLE);
INSERT INTO cases VALUES ('a', 0.1, 0.1), ('A', 0.1, 0.1), ('a ', 0.1, 0.1), ('á', 1e30, 1e-30), ('', -0.0, -0.0), (NULL, NULL, NULL);
CREATE TABLE e (id INT PRIMARY KEY, k ENUM('', 'x', '2'), s SET('a', 'b'));
SET sql_mode = '';
INSERT INTO e VALUES (1, 'bad', ''), (2, '', 'a,b'), (3, '2', 'a');
CREATE TABLE parent (id INT PRIMARY KEY);
CREATE TABLE child (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES parent (id));
INSERT INTO parent VALUES (1), (2), (3);
INSERT INTO child VALUES (10, 1), (20, 2);
CREATE TABLE swapped (id INT PRIMARY KEY, n INT, UNIQUE (n));
INSERT INTO swapped VALUES (1, 1), (2, 2), (3, 3);
` + "CREATE TABLE `odd ``;\n-- name` (`a``b` INT, `;` INT PRIMARY KEY, `x\ny` INT);\nINSERT INTO `odd ``;\n-- name` VALUES (1, 2, 3);\n"

const moreChanges = `
USE more;
UPDATE plain SET v = REVERSE(v);
UPDATE plain SET v = 'kept time', changed = '2020-01-01 00:00:00.123' WHERE id = 2;
DELETE FROM plain WHERE id > 3;
INSERT INTO plain VALUES (0, 'zero', '2021-01-01 00:00:00');
UPDATE unique_only SET b = UPPER(b), c = 'ü€' WHERE a = 1;
DELETE FROM unique_only WHERE a = 2;
UPDATE nullable_unique SET c = 'm' WHERE a IS NULL LIMIT 1;
DELETE FROM nullable_unique WHERE c = 'n' LIMIT 1;
DELETE FROM cases WHERE v = BINARY 'a';
UPDATE cases SET v = 'b' WHERE v = BINARY 'A';
UPDATE cases SET f = 3.3, d = 4.9406564584124654e-324;
SET sql_mode = '';
UPDATE e SET k = 'worse', s = 'b' WHERE id > 1;
DELETE FROM e WHERE id = 1;
BEGIN;
INSERT INTO parent VALUES (4);
INSERT INTO child VALUES (30, 4);
DELETE FROM child WHERE id = 20;
DELETE FROM parent WHERE id = 2;
COMMIT;
SET foreign_key_checks = 0;
INSERT INTO child VALUES (40, 99);
SET foreign_key_checks = 1;
BEGIN;
UPDATE swapped SET n = n + 10;
UPDATE swapped SET n = 4 - (n - 10);
COMMIT;
` + "UPDATE `odd ``;\n-- name` SET `x\ny` = 4;\n"

// With partial row images what was done cannot be taken back, but for rows whose key tells all; the script says so, stops by
// itself, and has what it can. Redo needs no more than there is.
func roundTripMinimal(t *testing.T, s *server) {
	s.sql("CREATE DATABASE m; USE m; CREATE TABLE t (id INT PRIMARY KEY, a INT, b TEXT); CREATE TABLE u (id INT, a INT); INSERT INTO t VALUES (1, 1, 'x'), (2, 2, 'y'), (3, 3, 'z'); INSERT INTO u VALUES (1, 1), (1, 1), (2, NULL);")
	tables := s.tablesOf("'m'")
	before := s.state(tables)
	log := s.logged(`USE m; SET binlog_row_image = MINIMAL;
INSERT INTO t VALUES (4, 4, 'new');
UPDATE t SET a = 10 WHERE id = 1;
DELETE FROM t WHERE id = 2;
UPDATE u SET a = 5 WHERE id = 1 LIMIT 1;
DELETE FROM u WHERE id = 2;`)
	after := s.state(tables)
	l := open(t, log, session.Options{})
	l.AddSchema(s.schema("m"))

	undo, notes := export(t, l, session.FormatUndo, l.All())
	if notes.Complete() || len(notes.List()) != 1 || notes.List()[0].Count != 2 || !strings.Contains(notes.List()[0].Reason, "the before image does not have every column") {
		t.Errorf("notes %+v", notes.List())
	}
	if !strings.Contains(undo, "NOT COMPLETE") || strings.Count(undo, "-- not written, row") != 2 {
		t.Error(undo)
	}
	if out, err := s.try(undo); err == nil || !strings.Contains(err.Error(), "not complete") {
		t.Errorf("the script ran: %s %v", out, err)
	}
	sameState(t, "after the guard", after, s.state(tables))

	s.sql("DELETE FROM m.t; DELETE FROM m.u; INSERT INTO m.t VALUES (1, 1, 'x'), (2, 2, 'y'), (3, 3, 'z'); INSERT INTO m.u VALUES (1, 1), (1, 1), (2, NULL);")
	sameState(t, "made again", before, s.state(tables))
	s.runs(t, l, session.FormatSQL, tables, after)
}

// Statements logged as such come back with the settings that they ran under, and are no undo.
func roundTripStatements(t *testing.T, s *server) {
	s.sql("CREATE DATABASE st CHARACTER SET utf8mb4;")
	script := `USE st; SET binlog_format = STATEMENT; SET time_zone = '+05:00'; SET timestamp = 1700000000.25;
CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(50), w DATETIME(6), r DOUBLE) ENGINE=InnoDB;
CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW BEGIN SET NEW.v = CONCAT(NEW.v, '; -- x'); SET NEW.w = NOW(6); END;
`
	rest := `SET @x = 'ü', @n = 12.5, @i = -3, @f = 1e10, @nothing = NULL;
INSERT INTO t (v, r) VALUES (@x, RAND()), (CONCAT(@n, @i, @f), RAND()), (@nothing, 0);
SET sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT';
INSERT INTO "t" ("v") VALUES ('a' || 'b');
SET sql_mode = 'NO_BACKSLASH_ESCAPES';
INSERT INTO t (v) VALUES ('back\slash');
SET NAMES latin1;
INSERT INTO t (v) VALUES (_latin1 0xe9);
SET NAMES utf8mb4; SET auto_increment_increment = 10, auto_increment_offset = 5;
BEGIN; INSERT INTO t (v) VALUES ('in'), ('transaction'); SAVEPOINT a; UPDATE t SET v = UPPER(v); COMMIT;
`
	log := s.logged(strings.Replace(script, "CREATE TRIGGER", "DELIMITER //\nCREATE TRIGGER", 1) + "//\nDELIMITER ;\n" + rest)
	tables := s.tablesOf("'st'")
	want := s.state(tables)
	l := open(t, log, session.Options{})
	s.sql("DROP TABLE st.t")
	s.runs(t, l, session.FormatSQL, tables, want)

	undo, notes := export(t, l, session.FormatUndo, l.All())
	if notes.Complete() || !strings.Contains(undo, "NOT UNDONE: changes logged as a statement") || !strings.Contains(undo, "NOT UNDONE: a statement that changes tables") {
		t.Error(undo)
	}
}

// XA transactions that were committed are taken back and done again, in one phase and in two; those that were rolled back
// are left out.
func roundTripXA(t *testing.T, s *server) {
	s.sql("CREATE DATABASE xat; USE xat; CREATE TABLE t (id INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 1), (2, 2);")
	tables := s.tablesOf("'xat'")
	before := s.state(tables)
	log := s.logged(`USE xat;
XA START 'two', 'b', 7; UPDATE t SET v = 10 WHERE id = 1; INSERT INTO t VALUES (3, 3); XA END 'two', 'b', 7; XA PREPARE 'two', 'b', 7; XA COMMIT 'two', 'b', 7;
XA START 'one'; DELETE FROM t WHERE id = 2; XA END 'one'; XA COMMIT 'one' ONE PHASE;
XA START 'back'; DELETE FROM t; XA END 'back'; XA PREPARE 'back'; XA ROLLBACK 'back';`)
	after := s.state(tables)
	l := open(t, log, session.Options{})
	s.runs(t, l, session.FormatUndo, tables, before)
	s.runs(t, l, session.FormatSQL, tables, after)
}

// A log without metadata whose statements are compressed: names, signs, generated columns and keys come from its own DDL, also
// where they change on the way.
func roundTripDDL(t *testing.T, s *server) {
	s.sql("SET GLOBAL log_bin_compress = ON, GLOBAL log_bin_compress_min_len = 10, GLOBAL binlog_row_metadata = NO_LOG; CREATE DATABASE dd CHARACTER SET latin1;")
	defer s.sql("SET GLOBAL log_bin_compress = OFF, GLOBAL binlog_row_metadata = FULL")
	log := s.logged(`USE dd;
CREATE TABLE t (k INT UNSIGNED NOT NULL, v VARCHAR(50) COMMENT 'a comment to be compressed, a comment to be compressed', g BIGINT AS (k + 1) PERSISTENT, UNIQUE KEY (k)) CHARACTER SET utf8mb4;
INSERT INTO t (k, v) VALUES (4294967290, 'ü'), (7, NULL);
ALTER TABLE t RENAME COLUMN v TO w, ADD first_one BINARY(3) FIRST, DROP KEY k, ADD PRIMARY KEY (k);
UPDATE t SET w = 'changed, changed, changed', first_one = 'a' WHERE k = 7;
DELETE FROM t WHERE k = 4294967290;`)
	tables := s.tablesOf("'dd'")
	after := s.state(tables)
	l := open(t, log, session.Options{})
	if _, sources := namedRows(t, l); sources["ddl"] != 3 || len(sources) != 1 {
		t.Errorf("names come from %v", sources)
	}
	redo, notes := export(t, l, session.FormatSQL, l.All())
	if !notes.Complete() || !strings.Contains(redo, "WHERE `k`=4294967290;") || !strings.Contains(redo, "`w`='changed, changed, changed'") {
		t.Errorf("%+v\n%s", notes.List(), redo)
	}
	s.sql("DROP TABLE dd.t")
	if out, err := s.try(redo); err != nil {
		t.Fatalf("%v %s\n%s", err, out, redo)
	}
	sameState(t, "redo", after, s.state(tables))
}

// runs writes a log in a format, which must lose nothing, runs the script and compares the tables after it.
func (s *server) runs(t *testing.T, l *session.Session, f session.Format, tables []string, want map[string]string) {
	t.Helper()
	script, notes := export(t, l, f, l.All())
	if !notes.Complete() {
		t.Errorf("notes %+v", notes.List())
	}
	if out, err := s.try(script); err != nil {
		t.Fatalf("%v %s\n%s", err, out, script)
	}
	sameState(t, string(f), want, s.state(tables))
}
