package session_test

import (
	"binlens/decoder/session"
	"bytes"
	"strings"
	"testing"
)

// namedRows returns the rows of all row events of a log, and the sources of their names, by how many events have each.
func namedRows(t *testing.T, s *session.Session) (rows []string, sources map[string]int) {
	t.Helper()
	sources = map[string]int{}
	for _, e := range dump(t, s) {
		if d := e.m["data"]; get(d, "rows") != nil {
			rows = append(rows, text(get(d, "table"))+" "+plain(get(d, "rows")))
			sources[text(get(d, "names"))]++
		}
	}
	return rows, sources
}

// The same statements were logged with three settings of binlog_row_metadata. With the names, signs, members and character
// sets of the DDL in the log the rows are the same as with those of the full metadata.
func TestDDLTellsWhatMetadataTells(t *testing.T) {
	want, sources := namedRows(t, open(t, testdata(t, "mariadb/types.binlog"), session.Options{}))
	if sources["metadata"] != len(want) || len(want) < 20 {
		t.Fatal(sources)
	}
	for _, name := range []string{"types_minimal", "types_nolog"} {
		got, sources := namedRows(t, open(t, testdata(t, "mariadb/"+name+".binlog"), session.Options{}))
		if sources["ddl"] != len(want) {
			t.Errorf("%s: %v", name, sources)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s: %s\nwith metadata: %s", name, cut(got[i]), cut(want[i]))
			}
		}
	}
}

// ddlOf is all DDL of a log, as a script.
func ddlOf(t *testing.T, s *session.Session) []byte {
	var b bytes.Buffer
	b.WriteString("SET @old = @@sql_mode, sql_mode = 'NO_BACKSLASH_ESCAPES';\n") // as the log's statements were written
	for _, e := range dump(t, s) {
		q, _ := get(e.m["data"], "query").(string)
		if word, _, _ := strings.Cut(q, " "); word == "CREATE" || word == "ALTER" {
			if db := text(get(e.m["data"], "db")); db != "" {
				b.WriteString("USE `" + db + "`;\n")
			}
			b.WriteString(q + ";\n")
		}
	}
	return b.Bytes()
}

// A schema that is given serves where the log has no DDL: here its DDL is cut out.
func TestSchemaGiven(t *testing.T) {
	log := testdata(t, "mariadb/types_nolog.binlog")
	whole := open(t, log, session.Options{})
	want, _ := namedRows(t, whole)
	script := ddlOf(t, whole)
	part := log[:4:4]
	for _, e := range dump(t, whole) {
		q := text(get(e.m["data"], "query"))
		if word, _, _ := strings.Cut(q, " "); word != "CREATE" && word != "ALTER" {
			off := number(e.m["offset"])
			part = append(part, log[off:off+number(e.m["size"])]...)
		}
	}
	s := open(t, part, session.Options{})
	if _, sources := namedRows(t, s); sources["none"] != len(want) {
		t.Fatalf("without a schema: %v", sources)
	}
	if w := s.AddSchema(script); len(w) > 0 {
		t.Error(w)
	}
	got, sources := namedRows(t, s)
	if sources["file"] != len(want) {
		t.Errorf("with a schema: %v", sources)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s\nwith DDL: %s", cut(got[i]), cut(want[i]))
		}
	}
}

// A schema that does not fit is a problem of the rows, and gives no names; DDL of the log comes before it, and metadata
// before both.
func TestSchemaThatDoesNotFit(t *testing.T) {
	log := testdata(t, "mariadb/types_nolog.binlog")
	s := open(t, log, session.Options{MapNames: true})
	s.AddSchema([]byte("CREATE TABLE types.floats (id INT, x INT)"))
	if _, sources := namedRows(t, s); sources["none"] == 0 || len(sources) != 1 {
		t.Errorf("without DDL and schemas: %v", sources)
	}
	s = open(t, log, session.Options{})
	s.AddSchema([]byte("CREATE TABLE types.floats (id INT, x INT)"))
	if _, sources := namedRows(t, s); sources["ddl"] == 0 || len(sources) != 1 {
		t.Errorf("with DDL: %v", sources)
	}

	s = open(t, testdata(t, "mariadb/gtid.binlog"), session.Options{})
	s.AddSchema([]byte("CREATE TABLE nowhere (id INT)"))
	if _, sources := namedRows(t, s); sources["metadata"] == 0 || len(sources) != 1 {
		t.Errorf("with metadata: %v", sources)
	}

	cutOut := shared(t, "corpus/mysql80/b-row-minimal-metadata-gtid.binlog.000001")
	s = open(t, cutOut, session.Options{})
	rows := dump(t, s)
	var table, schema string
	for _, e := range rows {
		if text(get(e.m["data"], "names")) == "ddl" {
			schema, table = text(get(e.m["data"], "schema")), text(get(e.m["data"], "table"))
			break
		}
	}
	part := cutOut[:4:4]
	for _, e := range rows {
		if !strings.HasPrefix(text(get(e.m["data"], "query")), "CREATE TABLE") {
			off := number(e.m["offset"])
			part = append(part, cutOut[off:off+number(e.m["size"])]...)
		}
	}
	s = open(t, part, session.Options{})
	s.AddSchema([]byte("CREATE TABLE `" + schema + "`.`" + table + "` (only_one INT)"))
	for _, e := range dump(t, s) {
		if text(get(e.m["data"], "table")) != table || get(e.m["data"], "rows") == nil {
			continue
		}
		if plain(get(e.m["data"], "names")) != `"none"` || !strings.Contains(text(get(e.m["problems"], 0, "reason")), "the schema given does not fit the table") {
			t.Errorf("names %s, problems %s", plain(get(e.m["data"], "names")), plain(e.m["problems"]))
		}
	}
}
