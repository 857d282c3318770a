package session_test

import (
	"binlens/decoder/session"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// explained says how many lines of the tool's text and of ours are a difference that is known, and its name; "" where there is
// none. The reasons are in the documentation of package text.
func explained(said, ours []string) (name string, skipSaid, skipOurs int) {
	a, b := first(said), first(ours)
	cell := strings.HasPrefix(a, "###   @") && strings.HasPrefix(b, "###   @")
	switch {
	case strings.HasPrefix(b, a+"\t# MARIADB_GTID_EVENT: ") && len(said) > 1 && said[1] == "# Unknown event":
		return "an event that cannot be read, where we say why", 2, 1
	case strings.HasPrefix(a, "# Columns("), strings.HasPrefix(a, "#         "), strings.HasPrefix(a, "# Primary Key("):
		return "an option prints the metadata of tables", 1, 0
	case strings.Contains(a, "!! Don't know how to handle column type=255"):
		n := 0
		for n < len(ours) && strings.HasPrefix(ours[n], "###") {
			n++
		}
		return "the tool stops at geometries", 1, n
	case strings.HasPrefix(a, "LOAD DATA LOCAL INFILE '") && strings.HasPrefix(b, "LOAD DATA LOCAL INFILE 'SQL_LOAD") && a[strings.Index(a, "' INTO"):] == b[strings.Index(b, "' INTO"):]:
		return "the name of a file", 1, 1
	case strings.HasSuffix(a, "\tIntvar"):
		return "values for a LOAD DATA", 2, 0
	case strings.HasSuffix(b, "\tIntvar"):
		return "values for a LOAD DATA", 0, 2
	case cell && strings.Contains(a, "/* SET(") && strings.Contains(b, "/* SET("):
		return "MariaDB's tool takes the bytes of a SET in the wrong order", 1, 1
	case cell && strings.Contains(a, " COMPRESSED meta=") && noteOf(a) == noteOf(b):
		return "compressed columns", 1, 1
	case cell && strings.NewReplacer(`\'`, `'`, `\\`, `\`).Replace(b) == a:
		return "MariaDB's tool does not escape quotes", 1, 1
	case strings.HasPrefix(a, "# at ") && strings.HasPrefix(b, "#") && len(said) > 1 && said[1] == b:
		return "places of row events", 1, 0
	case strings.HasPrefix(b, "# at ") && strings.HasPrefix(a, "#") && len(ours) > 1 && ours[1] == a:
		return "places of row events", 0, 1
	}
	return "", 0, 0
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func noteOf(line string) string { return line[strings.LastIndex(line, " /* "):] }

// compareText compares two texts line by line and counts the differences by name.
func compareText(t *testing.T, said, ours string) (lines int, differences map[string]int) {
	t.Helper()
	a, b := strings.Split(said, "\n"), strings.Split(ours, "\n")
	differences = map[string]int{}
	for len(a) > 0 || len(b) > 0 {
		if len(a) > 0 && len(b) > 0 && a[0] == b[0] {
			a, b, lines = a[1:], b[1:], lines+1
			continue
		}
		name, n, m := explained(a, b)
		if name == "" || n > len(a) || m > len(b) {
			t.Errorf("line %d: %q, the tool has %q", lines, cut(first(b)), cut(first(a)))
			return lines, differences
		}
		a, b = a[n:], b[m:]
		differences[name]++
	}
	return lines, differences
}

// Our text is that of MySQL's own tool, to the byte but for the differences named.
func TestTextIsMySQLs(t *testing.T) {
	total := 0
	for _, l := range mysqlbinlogTexts {
		if !strings.HasPrefix(l.text, "mysql80/") { // others are of older tools, some with every byte: their events are compared elsewhere
			continue
		}
		t.Run(filepath.Base(l.text), func(t *testing.T) {
			said := shared(t, "corpus/"+l.text)
			format := session.FormatText
			if bytes.Contains(said, []byte("\nBINLOG '")) {
				format = session.FormatBlock
			}
			s := open(t, shared(t, "corpus/"+l.log), session.Options{})
			ours, _ := export(t, s, format, s.All())
			lines, differences := compareText(t, string(said), ours)
			t.Logf("%d lines are the same; %v", lines, differences)
			total += lines
		})
	}
	t.Logf("%d lines in all", total)
}

// Texts that end where the tool failed: how far they go.
var failedTexts = map[string]bool{"temporals_hires": true}

// Our text is that of MariaDB's own tool, to the byte but for the differences named.
func TestTextIsMariaDBs(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(root(t), "testdata", "mariadb", "*.mariadb-binlog.txt"))
	if err != nil || len(names) < 10 {
		t.Fatalf("%d texts, %v", len(names), err)
	}
	total := 0
	for _, n := range names {
		base := strings.TrimSuffix(filepath.Base(n), ".mariadb-binlog.txt")
		if failedTexts[base] {
			continue
		}
		t.Run(base, func(t *testing.T) {
			said, err := os.ReadFile(n)
			if err != nil {
				t.Fatal(err)
			}
			s := open(t, testdata(t, "mariadb/"+base+".binlog"), session.Options{})
			ours, _ := export(t, s, session.FormatText, s.All())
			lines, differences := compareText(t, string(said), ours)
			t.Logf("%d lines are the same; %v", lines, differences)
			total += lines
		})
	}
	t.Logf("%d lines in all", total)
}

// So is that of logs of MariaDB from elsewhere.
func TestTextOfMariaDBsCorpus(t *testing.T) {
	shared(t, "corpus/README.md")
	texts, err := filepath.Glob(filepath.Join(root(t), "..", "shared", "corpus", "expected", "ma*.mariadb-binlog-10.11.txt"))
	if err != nil || len(texts) < 8 {
		t.Fatalf("%d texts, %v", len(texts), err)
	}
	for _, n := range texts {
		base := strings.TrimSuffix(filepath.Base(n), ".mariadb-binlog-10.11.txt")
		t.Run(base, func(t *testing.T) {
			said, err := os.ReadFile(n)
			if err != nil {
				t.Fatal(err)
			}
			s := open(t, shared(t, "corpus/files/"+base), session.Options{})
			ours, _ := export(t, s, session.FormatText, s.All())
			lines, differences := compareText(t, string(said), ours)
			t.Logf("%d lines are the same; %v", lines, differences)
		})
	}
}

// The text of one row at a time, in the smallest steps, is the text.
func TestTextInSteps(t *testing.T) {
	s := open(t, testdata(t, "mariadb/compressed.binlog"), session.Options{})
	want, _ := export(t, s, session.FormatBlock, s.All())
	x, err := s.NewExport(session.FormatBlock, s.All(), session.ExportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var got []byte
	steps, last := 0, int64(-1)
	for more := true; more; steps++ {
		if got, more, err = x.Step(got, len(got)+1); err != nil {
			t.Fatal(err)
		}
		done, all := x.Progress()
		if done < last || done > all {
			t.Errorf("%d of %d after %d", done, all, last)
		}
		last = done
	}
	if string(got) != want || steps < 50 {
		t.Errorf("%d steps, the same text: %t", steps, string(got) == want)
	}
}
