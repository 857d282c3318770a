package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const testdata = "../../../testdata/"

// Each command over a real log: what its output has, and its exit code.
func TestExportCommands(t *testing.T) {
	nolog := testdata + "mariadb/types_nolog.binlog"
	sample := testdata + "sample/sample.binlog"
	for _, c := range []struct {
		args []string
		code int
		has  []string // parts of the output
		says string   // part of standard error
	}{
		{[]string{"sql", sample}, 0, []string{"\nBEGIN;\nINSERT INTO `", "\nCOMMIT;\n", "-- GTID 0-1-1", "SET SESSION sql_mode='STRICT_ALL_TABLES"}, ""},
		{[]string{"undo", sample}, 3, []string{"THIS SCRIPT IS NOT COMPLETE", "SIGNAL SQLSTATE '45000'", "DELETE FROM `"}, "not written: a statement that changes tables"},
		{[]string{"text", sample}, 0, []string{"# at 4\n", "### INSERT INTO `", "# End of log file\n"}, ""},
		{[]string{"text", "-blocks", sample}, 0, []string{"\nBINLOG '\n"}, ""},
		{[]string{"csv", "-table", "types.floats", nolog}, 0, []string{"_op,_image,_time,_gtid,_ordinal,_offset,_row,_absent,id:int,f:float,fu:float unsigned,", "\r\ninsert,after,2026-01-06 "}, ""},
		{[]string{"csv", "-table", "types.nothing", nolog}, 3, nil, "no rows of the table types.nothing"},
		{[]string{"share", sample}, 0, []string{`"type":"TABLE_MAP_EVENT"`, `"masked":`}, ""},
		{[]string{"dump", sample, sample}, 0, []string{`"type":"STOP_EVENT"`}, ""},
		{[]string{"undo", "-filter", "table:types.floats type:insert", nolog}, 0, []string{"Everything that the log shows is taken back.", "\nDELETE FROM `types`.`floats` WHERE `id`=8;\n"}, ""},
		{[]string{"sql", "-filter", "table:types.floats type:insert", nolog}, 0, []string{"\nBEGIN;\nINSERT INTO `types`.`floats`", "NULL);\nCOMMIT;\n"}, ""},
		{[]string{"sql", "-filter", "size:many", nolog}, 2, nil, "binlens: "},
		{[]string{"sql", "-from", "0", "-to", "@285", sample}, 0, []string{"TIMESTAMP=DEFAULT"}, ""},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if code := run(c.args, &stdout, &stderr); code != c.code {
				t.Errorf("exit code %d, want %d: %s", code, c.code, stderr.String())
			}
			for _, part := range c.has {
				if c.args[0] != "dump" && !strings.Contains(stdout.String(), part) {
					t.Errorf("no %q in\n%.2000s", part, stdout.String())
				}
			}
			if c.says == "" && c.code == 0 && stderr.Len() > 0 || !strings.Contains(stderr.String(), c.says) {
				t.Errorf("standard error: %q", stderr.String())
			}
		})
	}
}

// -schema names what the log does not, and -from and -to cut: here the DDL of the tables.
func TestSchemaOption(t *testing.T) {
	log := testdata + "mariadb/nochecksum.binlog"
	schema := filepath.Join(t.TempDir(), "s.sql")
	script := "CREATE TABLE basic.t (id INT PRIMARY KEY, renamed VARCHAR(100), n DECIMAL(10,4)); CREATE TABLE x (a FROB, b INT CLAUSE);"
	if err := os.WriteFile(schema, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if code := run([]string{"sql", "-schema", schema, log}, &stdout, &stderr); code != 0 {
		t.Fatalf("%d %s", code, stderr.String())
	}
	if !strings.Contains(stderr.String(), fmt.Sprintf("s.sql: byte %d: `CLAUSE` is skipped", strings.Index(script, "CLAUSE"))) || !strings.Contains(stdout.String(), "`v`") {
		t.Errorf("%q; metadata comes before the schema: %.300s", stderr.String(), stdout.String())
	}
}
