package session_test

import (
	"binlens/decoder/session"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A server's own tool prints each event as "# at OFFSET" and a line of header and summary; -vv adds the rows.
var (
	toolAt     = regexp.MustCompile(`^# at (\d+)$`)
	toolHeader = regexp.MustCompile(`^#(\d{6}) +(\d+:\d\d:\d\d) server id (\d+)  end_log_pos (\d+) (?:CRC32 0x([0-9a-f]{8}) )?\s*(.*)$`)
	toolCell   = regexp.MustCompile(`(?s)^###   @(\d+)=(.*) /\* ([A-Z]+)\S* .*?meta=\d+.* \*/$`)
	toolRow    = regexp.MustCompile("^### (INSERT INTO|UPDATE|DELETE FROM) (`.*`)$")
)

// toolLog is what the tool says of a log.
type toolLog struct {
	at     map[int64]bool
	events map[int64][]string          // by end_log_pos: time of day, server id, checksum, summary
	rows   map[string][]map[int]string // by table: images in their order, cells by column number, "value /* type"
}

func readTool(t *testing.T, b []byte) toolLog {
	l := toolLog{map[int64]bool{}, map[int64][]string{}, map[string][]map[int]string{}}
	table := ""
	for _, line := range strings.Split(string(b), "\n") {
		if m := toolAt.FindStringSubmatch(line); m != nil {
			n, _ := strconv.ParseInt(m[1], 10, 64)
			l.at[n] = true
		} else if m := toolHeader.FindStringSubmatch(line); m != nil {
			n, _ := strconv.ParseInt(m[4], 10, 64)
			l.events[n] = []string{m[2], m[3], m[5], m[6]}
		} else if m := toolRow.FindStringSubmatch(line); m != nil {
			table = m[2]
		} else if line == "### SET" || line == "### WHERE" {
			l.rows[table] = append(l.rows[table], map[int]string{})
		} else if strings.HasPrefix(line, "###   @") {
			m := toolCell.FindStringSubmatch(line)
			if m == nil {
				continue // "Don't know how to handle column type": its row is dropped below
			}
			n, _ := strconv.Atoi(m[1])
			images := l.rows[table]
			images[len(images)-1][n] = m[2] + " /* " + m[3]
		}
	}
	if len(l.at) == 0 {
		t.Fatal("no events in the tool's text")
	}
	return l
}

// Tables whose rows the tool does not print, or not rightly.
var toolTables = map[string]string{
	"`temporals_hires`.`fractional`": "MariaDB 5.3's fractional types have no width in the log; the tool guesses",
	"`extras`.`packed`":              "compressed columns are printed as they are stored",
	"`extras`.`shapes`":              "the tool cannot print geometries",
}

func TestToolSaysTheSame(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(root(t), "testdata", "mariadb", "*.mariadb-binlog.txt"))
	if err != nil || len(names) < 10 {
		t.Fatalf("%d texts, %v", len(names), err)
	}
	for _, n := range names {
		compareWithTool(t, n, strings.TrimSuffix(n, ".mariadb-binlog.txt")+".binlog")
	}
}

func compareWithTool(t *testing.T, textName, logName string) {
	t.Run(filepath.Base(logName), func(t *testing.T) {
		said, err := os.ReadFile(textName)
		if err != nil {
			t.Fatal(err)
		}
		log, err := os.ReadFile(logName)
		if err != nil {
			t.Fatal(err)
		}
		rows := dump(t, open(t, log, session.Options{MapNames: true}))
		tool := readTool(t, said)
		// The text ends early where the tool failed.
		failed := strings.Contains(string(said), "# exit status")
		seen := 0
		for _, r := range rows {
			at, end := number(r.m["offset"]), number(r.m["next_position"])
			if failed && !tool.at[at] {
				continue
			}
			seen++
			if !tool.at[at] {
				t.Errorf("the tool has no event at %d: %v", at, r.m["type"])
			}
			delete(tool.at, at)
			if said, ok := tool.events[end]; ok {
				compareEvent(t, r, said)
			} else if typ := text(r.m["type"]); !failed && typ != "ROWS_QUERY_LOG_EVENT" && typ != "APPEND_BLOCK_EVENT" {
				t.Errorf("the tool says nothing of %v at %d", typ, at)
			}
		}
		for at := range tool.at {
			t.Errorf("the tool has an event at %d", at)
		}
		if seen < 4 {
			t.Errorf("only %d events compared", seen)
		}
		compareRows(t, rows, tool, failed)
	})
}

// compareEvent compares time, server, checksum and the summary with an event.
func compareEvent(t *testing.T, r *object, said []string) {
	t.Helper()
	at := number(r.m["offset"])
	clock := number(r.m["timestamp"]) % 86400
	if got := fmt.Sprintf("%d:%02d:%02d", clock/3600, clock/60%60, clock%60); got != said[0] {
		t.Errorf("event at %d: time %s, the tool has %s", at, got, said[0])
	}
	if got := fmt.Sprint(number(r.m["server_id"])); got != said[1] {
		t.Errorf("event at %d: server %s, the tool has %s", at, got, said[1])
	}
	// Where the algorithm is OFF the tool does not show the checksum that a format description has even so.
	off := plain(get(r.m["data"], "checksum_algorithm")) == "0" && said[2] == ""
	if got := strings.TrimPrefix(text(get(r, "checksum", "stored")), "0x"); got != said[2] && !off {
		t.Errorf("event at %d: checksum %q, the tool has %q", at, got, said[2])
	}
	d := r.m["data"]
	num := func(path ...any) string { return plain(get(d, path...)) }
	var want string
	switch typ := text(r.m["type"]); typ {
	case "FORMAT_DESCRIPTION_EVENT":
		want = "Start: binlog v " + num("binlog_version") + ", server v " + text(get(d, "server_version")) + " created "
	case "QUERY_EVENT":
		want = "Query\tthread_id=" + num("thread_id") + "\texec_time=" + num("exec_time") + "\terror_code=" + num("error_code")
		if strings.Contains(said[3], "Xid = ") {
			want += "\tXid = " + num("status_vars", "ddl_logged_with_xid")
		}
		if x := get(d, "status_vars", "xid"); x != nil {
			want += "\txid=" + plain(x)
		}
	case "ROTATE_EVENT":
		want = "Rotate to " + text(get(d, "next_file")) + "  pos: " + num("position")
	case "XID_EVENT":
		want = "Xid = " + num("xid")
	case "GTID_LIST_EVENT": // which the tool sorts: its first line has the smallest
		want = "Gtid list ["
		list, _ := get(d, "gtids").([]any)
		for _, g := range list {
			gtid := fmt.Sprintf("%s-%s-%s", plain(get(g, "domain_id")), plain(get(g, "server_id")), strings.Trim(plain(get(g, "seq_no")), `"`))
			if strings.HasPrefix(said[3], "Gtid list ["+gtid+",") || strings.HasPrefix(said[3], "Gtid list ["+gtid+"]") {
				want += gtid
			}
		}
		if list != nil && want == "Gtid list [" {
			t.Errorf("event at %d: %s, the tool has %q", at, plain(d), said[3])
		}
	case "MARIADB_GTID_EVENT":
		want = fmt.Sprintf("GTID %s-%d-%s", num("domain_id"), number(r.m["server_id"]), strings.Trim(num("seq_no"), `"`))
		if c := get(d, "commit_id"); c != nil {
			want += " cid=" + plain(c)
		}
		flags := plain(get(d, "flags2"))
		for _, f := range []struct{ flag, word string }{{"DDL", " ddl"}, {"\"TRANSACTIONAL", " trans"}, {"WAITED", " waited"}} {
			if strings.Contains(said[3], f.word) != strings.Contains(flags, f.flag) {
				t.Errorf("event at %d: flags2 %s, the tool has %q", at, flags, said[3])
			}
		}
	case "TABLE_MAP_EVENT":
		tick := strings.NewReplacer("`", "``")
		want = "Table_map: `" + tick.Replace(text(get(d, "schema"))) + "`.`" + tick.Replace(text(get(d, "table"))) + "` mapped to number " + num("table_id")
	case "WRITE_ROWS_EVENT", "WRITE_ROWS_EVENT_V1":
		want = rowsLine("Write", d, "")
	case "UPDATE_ROWS_EVENT", "UPDATE_ROWS_EVENT_V1":
		want = rowsLine("Update", d, "")
	case "DELETE_ROWS_EVENT", "DELETE_ROWS_EVENT_V1":
		want = rowsLine("Delete", d, "")
	default:
		want = map[string]string{"STOP_EVENT": "Stop", "INTVAR_EVENT": "Intvar", "RAND_EVENT": "Rand", "USER_VAR_EVENT": "User_var",
			"ANNOTATE_ROWS_EVENT": "Annotate_rows:", "PREVIOUS_GTIDS_EVENT": "Previous-GTIDs", "ROWS_QUERY_LOG_EVENT": "Rows_query",
			"BINLOG_CHECKPOINT_EVENT": "Binlog checkpoint " + text(get(d, "name"))}[typ]
	}
	if !strings.HasPrefix(said[3], want) {
		t.Errorf("event at %d: %q, the tool has %q", at, want, said[3])
	}
}

// compareRows compares the images of each table in their order, cell by cell.
func compareRows(t *testing.T, rows []*object, tool toolLog, failed bool) {
	t.Helper()
	ours := map[string][]*object{}
	labels := map[string][]string{} // column names, in order, of tables whose maps name them
	for _, r := range rows {
		tick := strings.NewReplacer("`", "``")
		table := "`" + tick.Replace(text(get(r.m["data"], "schema"))) + "`.`" + tick.Replace(text(get(r.m["data"], "table"))) + "`"
		if text(r.m["type"]) == "TABLE_MAP_EVENT" {
			labels[table] = nil
			names, _ := get(r.m["data"], "optional_metadata", "column_name", "values").([]any)
			for _, n := range names {
				labels[table] = append(labels[table], text(n))
			}
		}
		list, _ := get(r.m["data"], "rows").([]any)
		for _, row := range list {
			for _, image := range []string{"before", "after"} {
				if im, ok := get(row, image).(*object); ok {
					ours[table] = append(ours[table], im)
				}
			}
		}
	}
	compared, told := 0, 0
	for table, images := range tool.rows {
		if toolTables[table] != "" {
			continue
		}
		if len(images) != len(ours[table]) && !failed {
			t.Errorf("%s: %d images, the tool has %d", table, len(ours[table]), len(images))
		}
		for i := range min(len(images), len(ours[table])) {
			for n, said := range images[i] {
				name := fmt.Sprintf("@%d", n)
				if l := labels[table]; l != nil {
					name = l[n-1]
				}
				v, ok := ours[table][i].m[name]
				value, typ, _ := strings.Cut(said, " /* ")
				if k := strings.LastIndex(said, " /* "); k >= 0 {
					value, typ = said[:k], said[k+4:]
				}
				told++
				switch same, known := sameCell(v, ok, value, typ); {
				case !known:
				case !same:
					t.Errorf("%s image %d, %s (%s): %s, the tool has %s", table, i, name, typ, cut(plain(v)), cut(value))
				default:
					compared++
				}
			}
		}
	}
	if compared*10 < told*7 {
		t.Errorf("only %d of %d cells compared", compared, told)
	}
}

// sameCell compares a cell with what the tool prints of it; known is false where the tool's form says too little or is
// known to be wrong: ENUM labels, SET, GEOMETRY, JSON, YEAR 0, text in other character sets.
func sameCell(v any, present bool, said, typ string) (same, known bool) {
	ours := fmt.Sprint(v)
	switch {
	case !present:
		return false, true
	case said == "NULL" || v == nil:
		return said == "NULL" && v == nil, true
	}
	switch typ {
	case "TINYINT", "SHORTINT", "MEDIUMINT", "INT", "LONGINT": // -1 (255): as signed and as unsigned
		signed, plus, _ := strings.Cut(strings.TrimSuffix(said, ")"), " (")
		return ours == signed || ours == plus, true
	case "DECIMAL", "BIT":
		return ours == said, true
	case "YEAR":
		return ours == said, said != "1900"
	case "FLOAT", "DOUBLE":
		f, err := strconv.ParseFloat(strings.TrimSpace(said), 64)
		n, isNumber := v.(json.Number)
		g, err2 := strconv.ParseFloat(string(n), 64)
		near := f == g || (f-g)/g < 1e-4 && (f-g)/g > -1e-4 || float32(f) == float32(g)
		return err == nil && err2 == nil && isNumber && near, true
	case "DATE":
		return ours == strings.ReplaceAll(strings.Trim(said, "'"), ":", "-"), true
	case "TIME", "DATETIME":
		return ours == strings.Trim(said, "'"), true
	case "TIMESTAMP":
		return epoch(ours) == said, true
	case "ENUM":
		_, isNumber := v.(json.Number)
		return ours == said, isNumber
	case "SET", "GEOMETRY", "JSON":
		return true, false
	}
	raw := unquote(said, false)
	if o, ok := v.(*object); ok {
		return strings.HasPrefix(text(o.m["hex"]), fmt.Sprintf("%x", raw)), true
	}
	if ours == raw || ours == unquote(said, true) {
		return true, true
	}
	return false, strings.IndexFunc(raw, func(r rune) bool { return r >= 0x80 || r == 0 }) < 0
}

// epoch is a TIMESTAMP as the tool prints it: seconds since 1970 with the fraction.
func epoch(s string) string {
	if strings.HasPrefix(s, "0000-00-00 00:00:00") {
		return "0" + s[19:]
	}
	var y, mo, d, h, mi, sec int64
	if n, err := fmt.Sscanf(s, "%d-%d-%d %d:%d:%d", &y, &mo, &d, &h, &mi, &sec); n != 6 {
		return s + fmt.Sprint(err)
	}
	// Days by counting: slow, and by another way than the decoder's.
	days := int64(0)
	for year := int64(1970); year < y; year++ {
		days += 365 + leap(year)
	}
	for month, n := range []int64{31, 28 + leap(y), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31} {
		if int64(month+1) < mo {
			days += n
		}
	}
	return fmt.Sprint((days+d-1)*86400+h*3600+mi*60+sec) + s[19:]
}

func leap(y int64) int64 {
	if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
		return 1
	}
	return 0
}

var hexEscape = regexp.MustCompile(`\\x[0-9a-f]{2}`)

// unquote undoes the tool's quoting: \xNN always, and with all of it MySQL's other escapes, which MariaDB does not write.
func unquote(s string, all bool) string {
	s = strings.TrimSuffix(strings.TrimPrefix(s, "'"), "'")
	s = hexEscape.ReplaceAllStringFunc(s, func(e string) string {
		n, _ := strconv.ParseUint(e[2:], 16, 8)
		return string([]byte{byte(n)})
	})
	if all {
		s = strings.NewReplacer(`\\`, `\`, `\'`, `'`, `\n`, "\n", `\r`, "\r", `\t`, "\t", `\b`, "\b", `\f`, "\f").Replace(s)
	}
	return s
}
