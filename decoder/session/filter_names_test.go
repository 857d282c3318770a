package session_test

import (
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// rowsLeft returns the ordinals of the rows that a filter leaves.
func rowsLeft(t *testing.T, s *session.Session, text string) string {
	t.Helper()
	filtered(t, s, text)
	return rowList(s)
}

func rowList(s *session.Session) string {
	return strings.Trim(fmt.Sprint(ordinals(s)), "[]")
}

// renamedLog has rows of shop.t, whose map is the same bytes before and after its columns get other names. The ordinals:
//
//	0 format · 1 CREATE (id, n) · 2 map, 3 insert (1, 5) · 4 RENAME n TO m · 5 map, 6 insert (2, 5) · 7 map and 8 insert (1, 7)
//	of shop.u, of which the log has no DDL
func renamedLog() *logtest.Log {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	row := func(id uint64, name string, a, b uint32) {
		l.Event(logtest.TypeTableMap, logtest.Table{ID: id, Schema: "shop", Name: name, Columns: []logtest.Column{logtest.Col(3), logtest.Col(3)}}.Body())
		l.Event(logtest.TypeWriteRows, logtest.Rows{ID: id, Flags: logtest.StmtEnd, V2: true, Width: 2, After: logtest.All(2),
			Data: logtest.Image(logtest.U32(a), logtest.U32(b))}.Body())
	}
	l.SQL("shop", "CREATE TABLE t (id INT PRIMARY KEY, n INT)")
	row(100, "t", 1, 5)
	l.SQL("shop", "ALTER TABLE t CHANGE n m INT")
	row(100, "t", 2, 5)
	row(101, "u", 1, 7)
	return l
}

const schemaOfU = "CREATE TABLE shop.u (id INT PRIMARY KEY, n INT);"

// A row term goes by the names that DDL in the log and a schema give, as they hold where the row stands.
func TestFilterByNamesOfDDL(t *testing.T) {
	for _, c := range []struct{ filter, log, given string }{ // rows left by the names of the log, and with a schema of shop.u beside it
		{"row:id=1", "3", "3 8"},
		{"row:ID=2", "6", "6"},
		{"row:n=5", "3", "3"},
		{"row:m=5", "6", "6"},
		{"row:n=5,m=5", "3 6", "3 6"},
		{"row:n=7", "", "8"},
		{"row:id=1 row:n>1", "3", "3 8"},
		{"table:shop.t row:id=1", "3", "3"},
		{"row:@2=5", "3 6", "3 6"},
		{"row:other=1", "", ""},
		{"type:insert -row:id=1", "6 8", "6"},
	} {
		s := open(t, renamedLog().Bytes(), session.Options{})
		if got := rowsLeft(t, s, c.filter); got != c.log {
			t.Errorf("%s: rows %s, want %s", c.filter, got, c.log)
		}
		if w := s.AddSchema([]byte(schemaOfU)); len(w) > 0 {
			t.Fatal(w)
		}
		for s.Step(0) {
		}
		if got := rowList(s); got != c.given {
			t.Errorf("%s: rows %s with a schema, want %s", c.filter, got, c.given)
		}
	}
}

// The rows found are the same when the filter runs while the log is indexed, before its DDL is known.
func TestFilterByNamesWhileIndexing(t *testing.T) {
	log := renamedLog().Bytes()
	s, err := session.Open(bytes.NewReader(log), int64(len(log)), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetFilter("row:m=5"); err != nil {
		t.Fatal(err)
	}
	for len(log) > 0 {
		n := min(17, len(log))
		s.Feed(log[:n])
		for s.Step(0) {
		}
		log = log[n:]
	}
	s.Finish()
	for s.Step(0) {
	}
	if got := rowList(s); got != "6" {
		t.Errorf("rows %s", got)
	}
}

// Completion offers the names, too.
func TestCompleteNamesOfDDL(t *testing.T) {
	s := open(t, renamedLog().Bytes(), session.Options{})
	var got []string
	for _, c := range s.Complete("row:", 4) {
		got = append(got, c.Text)
	}
	if strings.Join(got, " ") != "id m" {
		t.Errorf("%q", got)
	}
}

// The same statements were logged with three settings of binlog_row_metadata: a filter by names leaves the same rows.
func TestFilterByDDLAndMetadataAgree(t *testing.T) {
	for _, text := range []string{"row:id=3", "row:id=1 row:f>0", "row:s~b", "row:e=small,e=b", "row:id", "type:update row:id=2"} {
		want := ""
		for i, name := range []string{"types", "types_minimal", "types_nolog"} {
			s := open(t, testdata(t, "mariadb/"+name+".binlog"), session.Options{})
			if got := rowsLeft(t, s, text); i == 0 {
				want = got
			} else if got != want {
				t.Errorf("%s, %s: rows %s, with metadata %s", text, name, got, want)
			}
		}
		if want == "" && text == "row:id=3" {
			t.Error(text + " leaves nothing")
		}
	}
}
