package render_test

import (
	"binlens/decoder/charset"
	"binlens/decoder/session"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

var update = flag.Bool("update", false, "write the golden dumps anew, and the logs that they are made of where these are missing")

// goldens are the logs that have a dump in testdata/golden, with how they came about. A dump shows the first events
// events, all when that is 0.
var goldens = []struct {
	log    string // below testdata, without its suffix
	made   string
	events int
}{
	{"sample/sample", "written by MariaDB 10.11 from sample.sql", 40},
	{"mariadb/basic", "written by MariaDB 10.11 from basic.sql", 0},
	{"mariadb/gtid", "written by MariaDB 10.11 from gtid.sql", 0},
	{"mariadb/statement", "written by MariaDB 10.11 from statement.sql", 60},
	{"mariadb/xa", "written by MariaDB 10.11 from xa.sql", 0},
	{"mariadb/images", "written by MariaDB 10.11 from images.sql", 50},
	{"mariadb/types", "written by MariaDB 10.11 from types.sql", 60},
	{"mariadb/temporals_old", "written by MariaDB 10.11 from temporals_old.sql", 0},
	{"mariadb/temporals_hires", "written by MariaDB 10.11 from temporals_hires.sql", 0},
	{"mariadb/truncated_body", "basic.binlog, cut behind a header", 0},
	{"mariadb/compressed", "written by MariaDB 10.11 from compressed.sql", 14},
	{"mariadb/extras", "written by MariaDB 10.11 from extras.sql", 45},
	{"mysql/rows80", "built by logtest as MySQL 8.0.40 writes it: mysqlLogs in golden_logs_test.go", 0},
	{"mysql/statements57", "built by logtest as MySQL 5.7.22 writes it: mysqlLogs in golden_logs_test.go", 0},
	{"mysql/rows55", "built by logtest as MySQL 5.5 writes it: mysqlLogs in golden_logs_test.go", 0},
	{"mysql/payload80", "built by logtest as MySQL 8.0.40 writes it: mysqlLogs in golden_logs_test.go", 0},
	{"mysql/documents80", "built by logtest as MySQL 8.0.40 writes it: mysqlLogs in golden_logs_test.go", 0},
	{"mysql/rare84", "built by logtest as MySQL 8.4 writes it: mysqlLogs in golden_logs_test.go", 0},
	{"mysql/damaged_parts84", "built by logtest as MySQL 8.4 writes it, its events whole, but not what is in them: mysqlLogs in golden_logs_test.go", 0},
	{"mysql/load57", "built by logtest as MySQL 5.7.22 writes it: mysqlLogs in golden_logs_test.go", 0},
	{"mysql/load41", "built by logtest as MySQL 4.1 writes it: mysqlLogs in golden_logs_test.go", 0},
	{"mysql/load323", "built by logtest as MySQL 3.23 writes it: mysqlLogs in golden_logs_test.go", 0},
	{"mysql/version3", "built by logtest as MySQL 4.1 writes it: mysqlLogs in golden_logs_test.go", 0},
	{"mysql/version1", "built by logtest as MySQL 3.23 writes it: mysqlLogs in golden_logs_test.go", 0},
	{"mysql/damaged84", "built by logtest as MySQL 8.4 writes it, then damaged: mysqlLogs in golden_logs_test.go", 0},
}

// eastAsia reads the character sets of East Asia that types.binlog has.
func eastAsia(c charset.Charset, src []byte) ([]byte, bool) {
	set := map[charset.Charset]encoding.Encoding{charset.Big5: traditionalchinese.Big5, charset.GBK: simplifiedchinese.GBK, charset.GB2312: simplifiedchinese.GBK,
		charset.CP932: japanese.ShiftJIS, charset.SJIS: japanese.ShiftJIS, charset.UJIS: japanese.EUCJP, charset.EUCKR: korean.EUCKR}[c]
	if set == nil {
		return nil, false
	}
	text, err := set.NewDecoder().Bytes(src)
	return text, err == nil && !bytes.ContainsRune(text, '\ufffd')
}

// TestGolden compares what is shown of each log, down to every field and cell with its bytes, with testdata/golden.
//
//	go test ./decoder/render -run Golden -update
//
// writes the dumps anew; what changed in them is to be reviewed as a change.
func TestGolden(t *testing.T) {
	if *update {
		writeMySQLLogs(t)
	}
	total := 0
	for _, g := range goldens {
		t.Run(g.log, func(t *testing.T) {
			charset.SetDecoder(eastAsia) // as at the terminal
			defer charset.SetDecoder(nil)
			log, err := os.ReadFile(filepath.FromSlash("../../testdata/" + g.log + ".binlog"))
			if err != nil {
				t.Fatal(err)
			}
			got := goldenDump(t, g.log, g.made, log, g.events)
			total += len(got)
			path := filepath.FromSlash("../../testdata/golden/" + filepath.Base(g.log) + ".golden")
			if *update {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("the dump differs from %s: %s", path, firstDifference(string(got), string(want)))
			}
		})
	}
	if total > 1_500_000 {
		t.Errorf("the dumps have %d bytes: choose smaller logs", total)
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d is\n%s\nwant\n%s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}

type node struct {
	Path, Value, Note string
	Depth             int
	Start, End        int64
	Group             bool
}

type detail struct {
	Kind, Type, Summary string
	Code, Class         int
	Offset, Size        int64
	Transaction         int
	Nodes               []node
	Rows                *struct{ Total int }
	Problems            []struct{ Kind, Path, Reason string }
	Payload             *struct{ Ordinal, Offset int64 }
}

type rowPage struct {
	Rows []struct {
		Index         int
		Start, End    int64
		Before, After []*struct {
			Path, Value, Kind, Problem string
			Start, End                 int64
		}
	}
}

// goldenDump shows a log in lines: bytes in hexadecimal | path = value (what it means) | first and last byte in the event.
func goldenDump(t *testing.T, name, made string, log []byte, events int) []byte {
	s, err := session.Open(bytes.NewReader(log), int64(len(log)), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Feed(log)
	s.Finish()
	for s.Step(0) {
	}
	n := int(s.Index().Len())
	shown := n
	if events > 0 {
		shown = min(n, events)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "# testdata/%s.binlog: %s.\n", name, made)
	fmt.Fprintf(&out, "# %d of its %d rows. Written by: go test ./decoder/render -run Golden -update\n", shown, n)
	fmt.Fprintf(&out, "# bytes (at most %d) | path = value (meaning) | first to last byte in the event\n", maxHex)
	sum := s.Summary()
	fmt.Fprintf(&out, "# %s %s, binlog version %d, checksum %s, %s\n", sum.Family, sum.ServerVersion, sum.BinlogVersion, sum.Checksum, sum.State)
	for i := range shown {
		b, err := s.Detail(int64(i), false)
		if err != nil {
			t.Fatal(err)
		}
		var d detail
		if err := json.Unmarshal(b, &d); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "\n%d: %s (%d) at %d, %d bytes, class %d, transaction %d: %s\n", i, d.Type, d.Code, d.Offset, d.Size, d.Class, d.Transaction, d.Summary)
		if d.Payload != nil {
			fmt.Fprintf(&out, "inside the payload of row %d, which stands at %d\n", d.Payload.Ordinal, d.Payload.Offset)
		}
		raw, err := s.Bytes(int64(i), 0, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		raw = bytes.Clone(raw)
		for _, n := range d.Nodes {
			if n.Group {
				fmt.Fprintf(&out, "%*s | %s%s%s | %s\n", 3*maxHex, "", strings.Repeat("  ", n.Depth), n.Path, meaning(n.Note), span(n.Start, n.End))
				continue
			}
			line(&out, raw, strings.Repeat("  ", n.Depth)+n.Path, n.Value, n.Note, n.Start, n.End)
		}
		if d.Rows != nil {
			if strings.Contains(d.Type, "_COMPRESSED_") { // the cells stand in what the rows are decompressed to
				raw = nil
			}
			goldenRows(t, &out, s, int64(i), raw)
		}
		for _, p := range d.Problems {
			fmt.Fprintf(&out, "! %s: %s: %s\n", p.Kind, p.Path, p.Reason)
		}
	}
	return out.Bytes()
}

// goldenRows shows the cells of a row event.
func goldenRows(t *testing.T, out *bytes.Buffer, s *session.Session, ordinal int64, raw []byte) {
	b, err := s.RowPage(ordinal, 0, 1<<20, false)
	if err != nil {
		t.Fatal(err)
	}
	var page rowPage
	if err := json.Unmarshal(b, &page); err != nil {
		t.Fatal(err)
	}
	for _, r := range page.Rows {
		fmt.Fprintf(out, "%*s |   rows[%d] | %s\n", 3*maxHex, "", r.Index, span(r.Start, r.End))
		for _, c := range append(r.Before, r.After...) {
			if c == nil {
				continue // not in this image
			}
			note := c.Kind
			if c.Problem != "" {
				note += ": " + c.Problem
			}
			line(out, raw, "    "+c.Path, c.Value, note, c.Start, c.End)
		}
	}
}

// How much of a field's bytes and of its value a dump shows.
const (
	maxHex   = 12
	maxValue = 100
)

func line(out *bytes.Buffer, raw []byte, path, value, note string, start, end int64) {
	var b []byte
	if raw != nil {
		b = raw[start:end]
	}
	text := fmt.Sprintf("% x", b[:min(len(b), maxHex)])
	if len(b) > maxHex {
		text = text[:len(text)-2] + ".."
	}
	if r := []rune(value); len(r) > maxValue {
		value = string(r[:maxValue]) + "…"
	}
	value = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\x00", `\0`, "\t", `\t`).Replace(value)
	fmt.Fprintf(out, "%-*s | %s = %s%s | %s\n", 3*maxHex, text, path, value, meaning(note), span(start, end))
}

func meaning(note string) string {
	if note == "" {
		return ""
	}
	return " (" + note + ")"
}

// span is the first and the last byte; none for a field without bytes.
func span(start, end int64) string {
	if start == end {
		return fmt.Sprintf("%d, none", start)
	}
	return fmt.Sprintf("%d-%d", start, end-1)
}
