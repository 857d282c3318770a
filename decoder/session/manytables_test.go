//go:build !js

package session_test

import (
	"binlens/decoder/schema"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

var (
	anyTypes = []string{"TINYINT", "SMALLINT UNSIGNED", "MEDIUMINT(5)", "INT", "INTEGER UNSIGNED ZEROFILL", "BIGINT(20) UNSIGNED", "DECIMAL(12,3)", "DECIMAL(5) UNSIGNED",
		"FLOAT", "FLOAT(7,3) UNSIGNED", "DOUBLE", "BIT(9)", "BOOLEAN", "DATE", "TIME(3)", "DATETIME(6)", "YEAR", "CHAR(10)", "CHAR(3) CHARACTER SET ucs2", "VARCHAR(50)",
		"VARCHAR(20) CHARACTER SET latin1 COLLATE latin1_bin", "VARCHAR(7) COLLATE utf8mb4_czech_ci", "BINARY(8)", "VARBINARY(30)", "TINYTEXT", "TEXT CHARACTER SET cp1251", "MEDIUMTEXT",
		"LONGTEXT", "TINYBLOB", "BLOB", "MEDIUMBLOB", "LONGBLOB", "ENUM('a','b c','d''e','f,g',')')", "SET('x','y(','--z')", "JSON", "GEOMETRY", "POINT", "INET6", "UUID", "TEXT COMPRESSED",
		"NATIONAL VARCHAR(9)"}
	anyAttributes = []string{"", "", "NOT NULL", "NULL", "COMMENT 'it''s, (a) `comment`; -- yes'", "INVISIBLE NULL", "NOT NULL COMMENT '/* no */'"}
	anyOptions    = []string{"", "CHARACTER SET latin1", "DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin", "COMMENT='); DROP TABLE x;'", "ROW_FORMAT=DYNAMIC"}
)

// anyTable makes a CREATE TABLE by chance.
func anyTable(r *rand.Rand, n int) string {
	var parts []string
	for i := range 2 + r.IntN(12) {
		parts = append(parts, fmt.Sprintf("`c%d%s` %s %s", i, []string{"", " `` tick", "größe", " key"}[r.IntN(4)], anyTypes[r.IntN(len(anyTypes))], anyAttributes[r.IntN(len(anyAttributes))]))
	}
	parts = append(parts, "id INT NOT NULL AUTO_INCREMENT", "d DECIMAL(6,2) DEFAULT 1.50", "t TIMESTAMP(2) NOT NULL DEFAULT CURRENT_TIMESTAMP(2) ON UPDATE CURRENT_TIMESTAMP(2)",
		"v VARCHAR(9) DEFAULT 'it''s'", "gv INT AS (d + 1) VIRTUAL", "gs INT GENERATED ALWAYS AS (LENGTH(CONCAT(v, '),('))) STORED", "x INT DEFAULT (1 + (2 * 3)) CHECK (x > 0)")
	parts = append(parts, []string{"PRIMARY KEY (id)", "PRIMARY KEY (id, d), UNIQUE KEY `u k` (v(3), d)", "UNIQUE (id), KEY k (x) USING BTREE", "KEY (id), FULLTEXT KEY (v)"}[r.IntN(4)])
	if r.IntN(5) == 0 {
		parts = append(parts, "CONSTRAINT positive CHECK (d > 0 AND v <> '`,')")
	}
	options := anyOptions[r.IntN(len(anyOptions))]
	if all := strings.Join(parts, ""); r.IntN(3) == 0 && strings.Contains(all, "PRIMARY KEY (id)") && !strings.Contains(all, "GEOMETRY") && !strings.Contains(all, "POINT") {
		options += " PARTITION BY HASH (id) PARTITIONS 2"
	}
	return fmt.Sprintf("CREATE TABLE `t%d` (%s) ENGINE=MyISAM %s;\n", n, strings.Join(parts, ", "), options)
}

// The schema that mariadb-dump writes of 500 tables, over two databases, is read without a warning, and every column of it is what
// the server says that it is.
func manyTables(t *testing.T, s *server) {
	r := rand.New(rand.NewPCG(1, 2))
	script := []string{"CREATE DATABASE many1 CHARACTER SET latin1; CREATE DATABASE many2 CHARACTER SET utf8mb4; SET sql_mode = '';\n"}
	for i := range 500 {
		script = append(script, fmt.Sprintf("USE many%d;\n", 1+i%2), anyTable(r, i))
	}
	script = append(script, "CREATE VIEW many1.w AS SELECT 1 AS a;\nDELIMITER //\nCREATE TRIGGER many1.tr BEFORE INSERT ON many1.t0 FOR EACH ROW BEGIN SET @a = 1; END//\nDELIMITER ;\n")
	if out, err := s.try(strings.Join(script, "")); err != nil {
		t.Fatal(out, err.Error()[strings.LastIndex(err.Error(), "ERROR"):])
	}
	var c schema.Catalog
	for i, w := range c.Load("", s.schema("many1", "many2"), 0) {
		if i < 10 {
			t.Errorf("warning at %d: %s", w.Offset, w.Reason)
		}
	}
	columns, tables := 0, map[string]bool{}
	for _, line := range s.lines(`SELECT table_schema, table_name, ordinal_position, column_name, data_type, column_type LIKE '%unsigned%', is_nullable = 'NO',
		IFNULL(character_set_name, ''), extra LIKE '%VIRTUAL GENERATED%', extra LIKE '%STORED GENERATED%', extra LIKE '%INVISIBLE%', column_key = 'PRI'
		FROM information_schema.columns WHERE table_schema IN ('many1', 'many2') AND table_name <> 'w' ORDER BY 1, 2, 3`) {
		f := strings.Split(line, "\t")
		table := c.Lookup(f[0], f[1], 0)
		if table == nil {
			t.Fatalf("%s.%s is not known", f[0], f[1])
		}
		tables[f[0]+f[1]] = true
		var n int
		fmt.Sscan(f[2], &n)
		if n > len(table.Columns) {
			t.Fatalf("%s.%s has %d columns", f[0], f[1], len(table.Columns))
		}
		col := &table.Columns[n-1]
		charset := col.Charset
		if charset == "binary" {
			charset = ""
		}
		key := false
		for _, k := range table.Keys {
			for _, name := range k.Columns {
				key = key || k.Name == "PRIMARY" && name == col.Name
			}
		}
		typ := map[string]string{"point": "geometry"}[f[4]]
		if typ == "" {
			typ = f[4]
		}
		bit := map[bool]string{true: "1", false: "0"}
		got := []string{col.Name, col.Type, bit[col.Unsigned], bit[col.NotNull], charset, bit[col.Virtual], bit[col.Stored], bit[col.Invisible]}
		want := []string{f[3], typ, f[5], f[6], f[7], f[8], f[9], f[10]}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s.%s: %q, the server has %q", f[0], f[1], got, want)
		}
		if (f[11] == "1") != key && f[11] == "1" && len(table.RowKey()) == 0 {
			t.Errorf("%s.%s: %s is in the primary key", f[0], f[1], col.Name)
		}
		columns++
	}
	if len(tables) != 500 || c.Tables() < 500 {
		t.Errorf("%d tables, %d known", len(tables), c.Tables())
	}
	t.Logf("%d tables, %d columns", len(tables), columns)
}
