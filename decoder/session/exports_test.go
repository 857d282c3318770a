package session_test

import (
	"binlens/decoder/session"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// export writes a log in a format and returns it with its notes.
func export(t *testing.T, s *session.Session, f session.Format, sel session.Selection) (string, *session.Notes) {
	t.Helper()
	return exportWith(t, s, f, sel, session.ExportOptions{})
}

func exportWith(t *testing.T, s *session.Session, f session.Format, sel session.Selection, o session.ExportOptions) (string, *session.Notes) {
	t.Helper()
	x, err := s.NewExport(f, sel, o)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := x.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	return out.String(), x.Notes()
}

// Every cell of every table of a log, as CSV and as the server itself selects it.
func TestCSVIsTheServersOwn(t *testing.T) {
	tables := map[string]map[string]string{} // table -> id and column -> value
	kinds := map[string]string{}
	for _, line := range strings.Split(strings.TrimSuffix(string(testdata(t, "mariadb/types.expected.tsv")), "\n"), "\n") {
		f := strings.Split(line, "\t")
		if tables[f[0]] == nil {
			tables[f[0]] = map[string]string{}
		}
		tables[f[0]][f[1]+" "+f[2]] = strings.NewReplacer(`\t`, "\t", `\n`, "\n", `\\`, `\`, `\0`, "\x00").Replace(f[5])
		kinds[f[0]+" "+f[1]+" "+f[2]] = f[4]
	}
	s := open(t, testdata(t, "mariadb/types_nolog.binlog"), session.Options{})
	compared := 0
	for table, want := range tables {
		out, notes := exportWith(t, s, session.FormatCSV, s.All(), session.ExportOptions{Table: "types." + table})
		if !notes.Complete() {
			t.Errorf("%s: %+v", table, notes.List())
		}
		lines, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", table, err)
		}
		for _, line := range lines[1:] {
			if line[0] != "insert" || line[1] != "after" {
				continue
			}
			for i := 9; i < len(line); i++ {
				name, _, _ := strings.Cut(lines[0][i], ":")
				key := line[8] + " " + name
				w, ok := want[key]
				if !ok {
					continue // a row that changed later
				}
				if got := line[i]; !sameCSV(got, w, kinds[table+" "+key]) {
					t.Errorf("%s.%s of %s: %q, the server has %q", table, name, line[8], cut(got), cut(w))
				}
				compared++
			}
		}
	}
	if compared < 1200 {
		t.Errorf("only %d cells compared", compared)
	}
}

func sameCSV(got, want, kind string) bool {
	switch kind {
	case "null":
		return got == ""
	case "hex":
		return strings.EqualFold(got, "0x"+want)
	case "number":
		return got == want || sameNumber(got, want)
	}
	return got == want
}

func sameNumber(a, b string) bool {
	var x, y float64
	if _, err := fmt.Sscan(a, &x); err != nil {
		return false
	}
	if _, err := fmt.Sscan(b, &y); err != nil {
		return false
	}
	return x == y || float32(x) == float32(y) || fmt.Sprintf("%.5g", x) == fmt.Sprintf("%.5g", y)
}

// NULL and empty text are told apart, and an update has two lines.
func TestCSVLines(t *testing.T) {
	s := open(t, testdata(t, "mariadb/images.binlog"), session.Options{})
	out, _ := exportWith(t, s, session.FormatCSV, s.All(), session.ExportOptions{})
	lines := strings.Split(out, "\r\n")
	if lines[len(lines)-1] != "" || len(lines) < 5 {
		t.Fatalf("%q", out)
	}
	for i, line := range lines {
		if strings.HasPrefix(line, "update,before,") && !strings.HasPrefix(lines[i+1], "update,after,") {
			t.Errorf("%q is followed by %q", line, lines[i+1])
		}
	}
	if !strings.Contains(out, ",0-1-") {
		t.Error("no GTID")
	}
}

// A report to be shared has every event and every byte's place, and none of the data: no text of three bytes or more that stands
// in a value, a statement or a name stands in it.
func TestShareShowsNoData(t *testing.T) {
	for _, name := range []string{"types", "statement", "gtid", "xa", "compressed", "images"} {
		s := open(t, testdata(t, "mariadb/"+name+".binlog"), session.Options{})
		out, _ := exportWith(t, s, session.FormatShare, s.All(), session.ExportOptions{})
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		if int64(len(lines)) != s.Index().Len() {
			t.Fatalf("%s: %d lines", name, len(lines))
		}
		shown := map[string]bool{}
		for i, line := range lines {
			var e struct {
				Size   int64
				Sum    *bool `json:"checksum_ok"`
				Fields []struct {
					Path       string
					Start, End int64
					Bytes      *string
					Masked     *int64
				}
			}
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			at := int64(0)
			for _, f := range e.Fields {
				if f.Start != at {
					t.Errorf("%s, row %d: %s starts at %d, not %d", name, i, f.Path, f.Start, at)
				}
				at = f.End
				if f.Bytes != nil {
					shown[f.Path] = true
				}
				if (f.Bytes == nil) == (f.Masked == nil) {
					t.Errorf("%s is neither shown nor masked", f.Path)
				}
			}
			if at != e.Size || e.Sum == nil {
				t.Errorf("%s, row %d: fields end at %d of %d", name, i, at, e.Size)
			}
		}
		for _, path := range []string{"query", "schema", "table", "db", "value", "name", "rows", "block", "checksum", "next_file", "gtrid"} {
			if shown[path] {
				t.Errorf("%s: %s is shown", name, path)
			}
		}
		for path := range shown {
			if strings.Contains(path, "labels") || strings.Contains(path, "column_name") {
				t.Errorf("%s: %s is shown", name, path)
			}
		}
	}
	s := open(t, testdata(t, "mariadb/types.binlog"), session.Options{})
	out, _ := exportWith(t, s, session.FormatShare, s.All(), session.ExportOptions{KeepNames: true})
	if !strings.Contains(out, fmt.Sprintf(`"bytes":"%x"`, "\x05types\x00")) {
		t.Error("the name of the schema is not shown")
	}
}

// What is undone comes backwards: the last transaction first, and rows of an event from the last to the first.
func TestUndoOrder(t *testing.T) {
	s := open(t, testdata(t, "mariadb/basic.binlog"), session.Options{})
	undo, notes := export(t, s, session.FormatUndo, s.All())
	var got []string
	for _, line := range strings.Split(undo, "\n") {
		for _, verb := range []string{"BEGIN", "COMMIT", "INSERT", "DELETE", "UPDATE"} {
			if strings.HasPrefix(line, verb) {
				_, where, _ := strings.Cut(line, "WHERE ")
				got = append(got, strings.TrimSpace(verb+" "+strings.TrimSuffix(where, ";")))
			}
		}
	}
	if len(got) < 8 || got[0] != "BEGIN" || got[len(got)-1] != "COMMIT" || got[len(got)-2] != "DELETE `id`=1" || got[len(got)-4] != "DELETE `id`=3" {
		t.Errorf("%q", got)
	}
	if notes.Complete() { // its tables are made in the log
		t.Error("complete")
	}
	// Without the DDL and the statement of the log it is: the rows of one transaction.
	for i := range s.Index().Len() {
		if row := s.Index().Row(i); row.Type.RowOp() != 0 {
			_, notes := export(t, s, session.FormatUndo, session.Rows{From: i, To: i + 1})
			if !notes.Complete() {
				t.Errorf("row %d: %+v", i, notes.List())
			}
		}
	}
}

func TestUndoOfNothing(t *testing.T) {
	s := open(t, testdata(t, "mariadb/basic.binlog"), session.Options{})
	undo, notes := export(t, s, session.FormatUndo, session.Rows{From: 3, To: 3})
	if !notes.Complete() || !strings.Contains(undo, ", no rows: nothing was chosen.\n") || strings.Contains(undo, "BEGIN") {
		t.Error(undo)
	}
}

// What cannot be undone is said at the head of the script, and it does not run by itself.
func TestUndoSaysWhatItLeavesOut(t *testing.T) {
	for _, c := range []struct{ log, reason string }{
		{"mariadb/truncated_body.binlog", "NOT UNDONE: the log is cut off inside an event"},
		{"mariadb/truncated_checksum.binlog", "NOT UNDONE: the log is cut off inside an event"},
		{"mariadb/statement.binlog", "NOT UNDONE: changes logged as a statement"},
		{"mariadb/statement.binlog", "NOT UNDONE: LOAD DATA"},
		{"mariadb/images.binlog", "NOT UNDONE: the before image does not have every column"},
		{"mariadb/extras.binlog", "NOT UNDONE: a table with system versioning is not written"},
		{"mariadb/xa.binlog", "NOT UNDONE: an XA transaction was prepared, and the selection does not show that it was committed"},
		{"mysql/damaged84.binlog", "NOT UNDONE: "},
	} {
		s := open(t, testdata(t, c.log), session.Options{})
		undo, notes := export(t, s, session.FormatUndo, s.All())
		head, _, _ := strings.Cut(undo, "SET SESSION sql_mode")
		if notes.Complete() || !strings.Contains(head, c.reason) || !strings.Contains(head, "THIS SCRIPT IS NOT COMPLETE") || !strings.Contains(head, "SIGNAL SQLSTATE") {
			t.Errorf("%s: no %q in %s", c.log, c.reason, head)
		}
	}
}

// Exports of all formats over all logs end, in any steps, and go through every row.
func TestExportsOfAllLogs(t *testing.T) {
	for _, name := range []string{"mysql/payload80", "mysql/documents80", "mysql/rare84", "mysql/damaged84", "mysql/damaged_parts84", "mysql/load323", "mysql/load41", "mysql/load57",
		"mariadb/compressed", "mariadb/temporals_hires", "mariadb/in_use", "mariadb/truncated_fde"} {
		s := open(t, testdata(t, name+".binlog"), session.Options{})
		for _, f := range []session.Format{session.FormatSQL, session.FormatUndo, session.FormatText, session.FormatBlock, session.FormatJSON, session.FormatCSV, session.FormatShare} {
			x, err := s.NewExport(f, s.All(), session.ExportOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var out []byte
			steps := 0
			for more := true; more && steps < 1<<20; steps++ {
				if out, more, err = x.Step(out, len(out)+1); err != nil {
					t.Fatalf("%s as %s: %v", name, f, err)
				}
			}
			if done, total := x.Progress(); done != total || total < s.Index().Len() {
				t.Errorf("%s as %s: %d of %d rows", name, f, done, total)
			}
			if len(out) == 0 && f != session.FormatCSV {
				t.Errorf("%s as %s: nothing", name, f)
			}
		}
	}
	if _, err := open(t, testdata(t, "mariadb/basic.binlog"), session.Options{}).NewExport("parquet", session.Rows{}, session.ExportOptions{}); err != session.ErrFormat {
		t.Errorf("%v", err)
	}
}

// A selection has the rows of the filter, in both directions.
func TestSelections(t *testing.T) {
	s := open(t, testdata(t, "mariadb/basic.binlog"), session.Options{})
	if err := s.SetFilter("type:query"); err != nil {
		t.Fatal(err)
	}
	for s.Step(0) {
	}
	var want []int64
	for i := range s.Index().Len() {
		if s.View().Has(i) {
			want = append(want, i)
		}
	}
	for _, r := range []session.Rows{{From: 0, To: s.Index().Len()}, {From: want[1], To: want[2] + 1}, {From: want[1] + 1, To: want[2]}} {
		sel := session.Within(s.Filtered(), r)
		var in, up, down []int64
		for _, i := range want {
			if i >= r.From && i < r.To {
				in = append(in, i)
			}
		}
		for i, ok := sel.Next(0); ok; i, ok = sel.Next(i + 1) {
			up = append(up, i)
		}
		for i, ok := sel.Prev(s.Index().Len() - 1); ok; i, ok = sel.Prev(i - 1) {
			down = append([]int64{i}, down...)
		}
		if fmt.Sprint(up) != fmt.Sprint(in) || fmt.Sprint(down) != fmt.Sprint(in) {
			t.Errorf("%v: %v up and %v down, want %v", r, up, down, in)
		}
	}
}
