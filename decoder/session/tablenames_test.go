package session_test

import (
	"binlens/decoder/session"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// stepped does all of an export in steps of some time and size.
func stepped(t *testing.T, x *session.Export, budget int) string {
	t.Helper()
	var all strings.Builder
	var buf []byte
	for more := true; more; {
		var err error
		if buf, more, err = x.StepFor(buf[:0], budget, time.Millisecond); err != nil {
			t.Fatal(err)
		}
		all.Write(buf)
	}
	if done, total := x.Progress(); done != total {
		t.Errorf("%d of %d rows passed at the end", done, total)
	}
	return all.String()
}

// The tables of a selection are those that the row events in it name, by how many there are.
func TestTableNames(t *testing.T) {
	s := open(t, testdata(t, "sample/sample.binlog"), session.Options{})
	for _, rows := range []session.Rows{{From: 0, To: s.Index().Len()}, {From: 0, To: 33}, {From: 0, To: 5}} {
		want := map[string]int64{}
		for _, e := range dump(t, s)[rows.From:rows.To] {
			if d := e.m["data"]; get(d, "rows") != nil {
				want[text(get(d, "schema"))+"."+text(get(d, "table"))]++
			}
		}
		x, err := s.NewExport(session.FormatTables, rows, session.ExportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var got []struct {
			Table  string
			Events int64
		}
		if err := json.Unmarshal([]byte(stepped(t, x, 1<<16)), &got); err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Errorf("rows %v: %v, want %v", rows, got, want)
		}
		for i, table := range got {
			if table.Events != want[table.Table] || i > 0 && table.Events > got[i-1].Events {
				t.Errorf("rows %v: %v, want %v", rows, got, want)
			}
		}
	}
}

// However small the steps are, what they write is the same.
func TestStepFor(t *testing.T) {
	s := open(t, testdata(t, "sample/sample.binlog"), session.Options{})
	for _, f := range []session.Format{session.FormatSQL, session.FormatUndo, session.FormatText, session.FormatBlock, session.FormatJSON, session.FormatCSV, session.FormatShare} {
		var whole strings.Builder
		x, err := s.NewExport(f, s.All(), session.ExportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := x.WriteTo(&whole); err != nil || whole.Len() < 1000 {
			t.Fatal(f, err, whole.Len())
		}
		x, _ = s.NewExport(f, s.All(), session.ExportOptions{})
		if got := stepped(t, x, 1); got != whole.String() {
			t.Errorf("%s: %d bytes in steps, %d at once", f, len(got), whole.Len())
		}
	}
}
