package session_test

import (
	"binlens/decoder/session"
	"bytes"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// mysqlbinlogTexts are the logs beside which the text of MySQL's own tool lies: log and text below the collection, and how
// many events and cells there are to compare.
var mysqlbinlogTexts = []struct {
	log, text     string
	events, cells int
}{
	{"mysql80/a-row-full.binlog.000001", "mysql80/a-row-full.binlog.000001.mysqlbinlog.txt", 312, 892},
	{"mysql80/a-row-full.binlog.000001", "mysql80/a-row-full.binlog.000001.base64.txt", 312, 892},
	{"mysql80/b-row-minimal-metadata-gtid.binlog.000001", "mysql80/b-row-minimal-metadata-gtid.binlog.000001.mysqlbinlog.txt", 300, 890},
	{"mysql80/b-row-minimal-metadata-gtid.binlog.000001", "mysql80/b-row-minimal-metadata-gtid.binlog.000001.base64.txt", 300, 890},
	{"mysql80/c-compressed-gtid.binlog.000001", "mysql80/c-compressed-gtid.binlog.000001.mysqlbinlog.txt", 341, 890},
	{"mysql80/c-compressed-gtid.binlog.000001", "mysql80/c-compressed-gtid.binlog.000001.base64.txt", 341, 890},
	{"mysql80/d-statement-mixed.binlog.000001", "mysql80/d-statement-mixed.binlog.000001.mysqlbinlog.txt", 99, 4},
	{"mysql80/d-statement-mixed.binlog.000001", "mysql80/d-statement-mixed.binlog.000001.base64.txt", 99, 4},
	{"mysql80/g-decrypted.binlog.000001", "mysql80/g-decrypted.binlog.000001.mysqlbinlog.txt", 150, 130},
	{"files/my5.7.30_boxer_02_query.bin", "files/boxer_02_query.mysqlbinlog.txt", 7, 0},
	{"files/my5.7.30_boxer_03_stop.bin", "files/boxer_03_stop.mysqlbinlog.txt", 3, 0},
	{"files/my5.7.30_boxer_04_rotate.bin", "files/boxer_04_rotate.mysqlbinlog.txt", 3, 0},
	{"files/my5.7.30_boxer_05_intvar.bin", "files/boxer_05_intvar.mysqlbinlog.txt", 12, 0},
	{"files/my5.7.30_boxer_13_rand.bin", "files/boxer_13_rand.mysqlbinlog.txt", 12, 0},
	{"files/my5.7.30_boxer_14_user_var.bin", "files/boxer_14_user_var.mysqlbinlog.txt", 15, 0},
	{"files/my5.7.30_boxer_15_format_desc.bin", "files/boxer_15_format_desc.mysqlbinlog.txt", 3, 0},
	{"files/my5.7.30_boxer_16_xid.bin", "files/boxer_16_xid.mysqlbinlog.txt", 12, 0},
	{"files/my5.7.30_boxer_17_18_load.bin", "files/boxer_17_18_load.mysqlbinlog.txt", 8, 0},
	{"files/my5.7.30_boxer_19_table_map.bin", "files/boxer_19_table_map.mysqlbinlog.txt", 12, 2},
	{"files/my5.7.30_boxer_29_row_query.bin", "files/boxer_29_row_query.mysqlbinlog.txt", 13, 2},
	{"files/my5.7.30_boxer_30_write_rows_v2.bin", "files/boxer_30_write_rows_v2.mysqlbinlog.txt", 13, 2},
	{"files/my5.7.30_boxer_31_update_rows_v2.bin", "files/boxer_31_update_rows_v2.mysqlbinlog.txt", 8, 0},
	{"files/my5.7.30_boxer_32_delete_rows_v2.bin", "files/boxer_32_delete_rows_v2.mysqlbinlog.txt", 19, 4},
	{"files/my5.7.30_boxer_33_35_gtid_prev_gtid.bin", "files/boxer_33_35_gtid_prev_gtid.mysqlbinlog.txt", 13, 2},
	{"files/my5.7.30_boxer_34_anonymous_gtid.bin", "files/boxer_34_anonymous_gtid.mysqlbinlog.txt", 13, 2},
	{"files/my5.6.17_ikari_mysql-bin56.000001", "files/ikari_mysql-bin56.000001.mysqlbinlog.txt", 3, 0},
	{"files/my5.6.17_ikari_mysql-bin56.000002", "files/ikari_mysql-bin56.000002.mysqlbinlog.txt", 5, 0},
	{"files/my5.6.35_zalora_mysql-bin.03", "files/zalora_03.mysqlbinlog.txt", 17, 36},
	{"files/my5.6.35_zalora_mysql-bin.05", "files/zalora_05.mysqlbinlog.txt", 5, 0},
	{"files/my5.6.35_zalora_mysql-bin.06", "files/zalora_06.mysqlbinlog.txt", 12, 7},
	{"files/ma10.0.15_zalora_mysql-bin.07", "files/zalora_07.mysqlbinlog.txt", 11, 4},
	{"files/my5.6.35_zalora_mysql-bin.empty", "files/zalora_empty.mysqlbinlog.txt", 1, 0},
}

// Texts beside which no log of theirs lies.
var textsAlone = map[string]bool{"ghost_rbr-sample-0.mysqlbinlog.txt": true, "ghost_rbr-sample-1.mysqlbinlog.txt": true, "ghost_rbr-sample-2.mysqlbinlog.txt": true, "pt_binlog-CRC32.mysqlbinlog.txt": true}

// toolEvent is an event as the tool prints it: the line of its header, and those after it.
type toolEvent struct {
	time           int64 // of the line, read as UTC
	server, end    int64
	crc            string
	text           string // of the header's line, behind the fields above
	lines          []string
	bytes          []byte // with the option that prints them
	hasCRC, inside bool
	used           bool // compared
}

// toolText is all that the tool says of a log.
type toolText struct {
	ats    []int64
	events []toolEvent
	rows   []printedRow
}

var (
	headerLine = regexp.MustCompile(`^#(\d{6}) +(\d+):(\d\d):(\d\d) server id (\d+)  end_log_pos (\d+) (?:CRC32 0x([0-9a-f]{8}) )?(.*)$`)
	hexLine    = regexp.MustCompile(`^# +[0-9a-f]+ ((?:[0-9a-f]{2} *)+)(?:\||$)`)
)

func readToolText(t *testing.T, b []byte) (said toolText) {
	inside := false
	for _, line := range strings.Split(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n") { // some were kept on Windows
		if m := toolAt.FindStringSubmatch(line); m != nil {
			n, _ := strconv.ParseInt(m[1], 10, 64)
			said.ats = append(said.ats, n)
			continue
		}
		if m := headerLine.FindStringSubmatch(line); m != nil {
			at, err := time.Parse("060102 15:4:5", m[1]+" "+m[2]+":"+m[3]+":"+m[4])
			if err != nil {
				t.Fatal(err)
			}
			e := toolEvent{time: at.Unix(), crc: m[7], hasCRC: m[7] != "", text: strings.TrimPrefix(m[8], "\t"), inside: inside}
			e.server, _ = strconv.ParseInt(m[5], 10, 64)
			e.end, _ = strconv.ParseInt(m[6], 10, 64)
			said.events = append(said.events, e)
			continue
		}
		switch line {
		case "# Start of compressed events.":
			inside = true
			continue
		case "# End of compressed events.":
			inside = false
			continue
		}
		if len(said.events) == 0 {
			continue // before the first event
		}
		e := &said.events[len(said.events)-1]
		if said.row(line) {
			continue
		}
		if m := hexLine.FindStringSubmatch(line); m != nil && e.text == "" {
			raw, err := hex.DecodeString(strings.ReplaceAll(m[1], " ", ""))
			if err != nil {
				t.Fatal(err)
			}
			e.bytes = append(e.bytes, raw...)
			continue
		}
		if strings.HasPrefix(line, "# Position  Timestamp   Type ") {
			continue
		}
		if rest, ok := strings.CutPrefix(line, "# \t"); ok && e.bytes != nil && e.text == "" {
			e.text = rest
			continue
		}
		e.lines = append(e.lines, line)
	}
	return said
}

// MySQL's tool and this project say the same of every event and every value of the logs beside which its text lies.
//
// The known differences, all in form, are undone in the comparison:
//   - times are printed in the zone of who ran the tool, the same for all events of a text
//   - an event inside a payload is said to stand and to end at the end of the payload, and to have the checksum that it would
//     have with one
//   - INTVAR, RAND and USER_VAR are printed when their statement comes, which another event may precede
//   - the tool knows no signs: a negative integer is followed by the unsigned one in parentheses
//   - FLOAT is printed with %-20g, which is 6 digits, DOUBLE with %-.20g, a DATE with colons, YEAR 0000 as 1900, TIMESTAMP in
//     seconds since 1970, ENUM as its number, SET as its bits
//   - text is printed as its bytes, whatever its character set is; a BINARY without the zeros that it is filled up with
//   - a JSON string is printed without its quotes, a document with a space behind commas and colons, a partial update as the
//     function that makes it instead of the document that it makes
//   - collations of utf8mb3 are called utf8 before 8.0.28
//   - where the algorithm of checksums is OFF that of the format description is not printed
//   - the tool stops at a GEOMETRY, which it cannot print
func TestMySQLToolSaysTheSame(t *testing.T) {
	shared(t, "corpus/mysql80/README.md")
	told := map[string]bool{}
	events, cells := 0, 0
	for _, l := range mysqlbinlogTexts {
		told[l.text] = true
		t.Run(filepath.Base(l.text), func(t *testing.T) {
			s := open(t, shared(t, "corpus/"+l.log), session.Options{MapNames: true})
			said := readToolText(t, shared(t, "corpus/"+l.text))
			c := comparison{s: s, said: said}
			c.events(t)
			c.compareRows(t)
			if c.compared != l.events || c.cells != l.cells {
				t.Errorf("%d events and %d cells compared, not %d and %d", c.compared, c.cells, l.events, l.cells)
			}
			events, cells = events+c.compared, cells+c.cells
			t.Logf("%d events, %d cells; what it cannot print: %v", c.compared, c.cells, c.skipped)
		})
	}
	t.Logf("%d events and %d cells in all", events, cells)
	for _, pattern := range []string{"files/*.mysqlbinlog.txt", "mysql80/*.mysqlbinlog.txt", "mysql80/*.base64.txt"} {
		names, err := filepath.Glob(filepath.Join(root(t), "..", "shared", "corpus", filepath.FromSlash(pattern)))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d, %v", pattern, len(names), err)
		}
		for _, n := range names {
			name := filepath.Base(filepath.Dir(n)) + "/" + filepath.Base(n)
			if !told[name] && !textsAlone[filepath.Base(n)] {
				t.Errorf("no log is compared with %s", name)
			}
		}
	}
}

// comparison compares a log with what the tool says of it.
type comparison struct {
	s        *session.Session
	said     toolText
	rows     []*object // the events of the log
	compared int
	cells    int
	skipped  map[string]int // values that it cannot print
}

// The tool prints these when their statement comes.
var heldBack = map[string]bool{"INTVAR_EVENT": true, "RAND_EVENT": true, "USER_VAR_EVENT": true}

// events compares the events in their order.
func (c *comparison) events(t *testing.T) {
	c.skipped = map[string]int{}
	c.rows = dump(t, c.s)
	var ats []int64
	zone, zoned, next := int64(0), false, 0
	for i, r := range c.rows {
		typ := text(r.m["type"])
		if kindOf(r) != "event" {
			t.Errorf("row %d is %s", i, kindOf(r))
			continue
		}
		// Of an event inside a payload the tool says the end of the payload, as its own place and its own end.
		at, end := number(r.m["offset"]), number(r.m["next_position"])
		if p := r.m["payload"]; p != nil {
			outer := c.rows[number(get(p, "ordinal"))]
			at = number(outer.m["next_position"])
			end = at
		}
		ats = append(ats, at)
		for next < len(c.said.events) && c.said.events[next].used {
			next++
		}
		if next == len(c.said.events) {
			t.Fatalf("the tool ends before %s at %d", typ, at)
		}
		e := &c.said.events[next]
		for k := next; heldBack[typ] && e.end != end && k < len(c.said.events); k++ {
			e = &c.said.events[k]
		}
		e.used = true
		if e.end != end || e.inside != (r.m["payload"] != nil) || e.server != number(r.m["server_id"]) {
			t.Fatalf("%s at %d ends at %d, server %d; the tool has %+v", typ, at, end, number(r.m["server_id"]), e)
		}
		if when := number(r.m["timestamp"]); when != 0 {
			if d := e.time - when; !zoned {
				zone, zoned = d, true // the tool prints in the zone of who ran it
			} else if d != zone {
				t.Errorf("%s at %d: the time is %d, the tool has %d with its zone's %d", typ, at, when, e.time, zone)
			}
		}
		c.sum(t, i, r, e)
		raw := c.raw(t, i)
		if e.bytes != nil && !bytes.Equal(e.bytes, raw) {
			t.Errorf("%s at %d: other bytes than the tool's", typ, at)
		}
		if want := c.line(t, i, r, e); want != e.text {
			t.Errorf("%s at %d: %q, the tool has %q", typ, at, want, e.text)
		}
		c.body(t, i, r, e)
		c.compared++
	}
	for _, e := range c.said.events {
		if !e.used {
			t.Errorf("the tool has an event that ends at %d: %s", e.end, e.text)
		}
	}
	if zone%900 != 0 || zone < -14*3600 || zone > 14*3600 {
		t.Errorf("the tool's times are %d seconds off", zone)
	}
	if fmt.Sprint(ats) != fmt.Sprint(c.said.ats) {
		t.Errorf("events at %v, the tool has them at %v", ats, c.said.ats)
	}
}

// raw returns the bytes of a row.
func (c *comparison) raw(t *testing.T, i int) []byte {
	b, err := c.s.Bytes(int64(i), 0, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Clone(b)
}

// field returns the bytes of a field of row i.
func (c *comparison) field(t *testing.T, i int, path string) []byte {
	t.Helper()
	b, err := c.s.Detail(int64(i), false)
	if err != nil {
		t.Fatal(err)
	}
	d, err := parse(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range get(d, "nodes").([]any) {
		if text(get(n, "path")) == path {
			return c.raw(t, i)[number(get(n, "start")):number(get(n, "end"))]
		}
	}
	t.Fatalf("row %d has no field %s", i, path)
	return nil
}
