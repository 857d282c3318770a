package session_test

import (
	"binlens/decoder/internal/logtest"
	"fmt"
	"strings"
	"testing"
)

// MariaDB's compressed queries: a byte that tells how many bytes of length follow, the highest first, then zlib.
func TestTrapCompressedQueries(t *testing.T) {
	for _, n := range []int{0, 1, 255, 256, 421, 65535, 65536, 1 << 20} {
		sql := strings.Repeat("x", n)
		for _, sum := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
			l := logtest.New(logtest.MariaDB105, sum)
			l.Event(logtest.TypeQueryCompressed, l.QueryCompressed(logtest.Query{Thread: 7, DB: "d", SQL: sql, Status: logtest.Hex("00 00000000")})).SQL("d", "COMMIT")
			checkEvents(t, fmt.Sprintf("155 a text of %d bytes", n), dumpLog(t, l.Bytes()), "FORMAT_DESCRIPTION_EVENT QUERY_COMPRESSED_EVENT QUERY_EVENT", []want{{1, []any{"data", "query"}, quote(sql)}, {1, []any{"data", "db"}, `"d"`},
				{1, []any{"data", "thread_id"}, "7"}, {1, []any{"problems"}, "absent"}, {2, []any{"problems"}, "absent"}})
		}
	}
	for _, head := range []string{"81 05", "82 0005", "83 000005", "84 00000005"} { // a length may have more bytes than it needs
		l := logtest.New(logtest.MariaDB105, logtest.CRC32)
		l.Event(logtest.TypeQueryCompressed, l.Query(logtest.Query{DB: "d"}), logtest.Hex(head), logtest.Zlib([]byte("BEGIN")))
		checkEvents(t, "155 a length of "+head, dumpLog(t, l.Bytes()), "FORMAT_DESCRIPTION_EVENT QUERY_COMPRESSED_EVENT", []want{{1, []any{"data", "query"}, `"BEGIN"`}, {1, []any{"problems"}, "absent"}})
	}
	for _, c := range []struct{ head, body string }{{"", ""}, {"01 05", "BEGIN"}, {"80", "BEGIN"}, {"85 0000000005", "BEGIN"}, {"81 06", "BEGIN"}, {"81 04", "BEGIN"}, {"84 ffffffff", "BEGIN"}} {
		l := logtest.New(logtest.MariaDB105, logtest.CRC32)
		l.Event(logtest.TypeQueryCompressed, l.Query(logtest.Query{DB: "d"}), logtest.Hex(c.head), logtest.Zlib([]byte(c.body))).SQL("d", "COMMIT")
		checkEvents(t, "155 damaged: "+c.head, dumpLog(t, l.Bytes()), "FORMAT_DESCRIPTION_EVENT QUERY_COMPRESSED_EVENT QUERY_EVENT", []want{{1, []any{"problems", 0, "path"}, `"query"`}, {1, []any{"data", "db"}, `"d"`}, {2, []any{"problems"}, "absent"}})
	}
}

// Its compressed rows: what follows the bitmaps is compressed, of INSERT, UPDATE and DELETE, in version 1 and 2.
func TestTrapCompressedRows(t *testing.T) {
	for typ := byte(166); typ <= 171; typ++ {
		v2, op := typ >= 169, (typ-166)%3
		name := "155"
		extras := []string{""}
		if v2 {
			name, extras = "156", []string{"", "01 0300"}
		}
		if v2 && op == 1 {
			extras[1] = "01 0300 0400"
		}
		for _, extra := range extras {
			for _, rows := range []int{1, 2, 500} {
				r := logtest.Rows{ID: 100, Flags: logtest.StmtEnd, V2: v2, Extra: logtest.Hex(extra), Width: 2}
				row, want := logtest.Hex("00 05000000 0161"), `5 | "a"`
				switch op {
				case 0:
					r.After = []byte{3}
				case 1:
					r.Before, r.After, row, want = []byte{1}, []byte{3}, logtest.Cat(logtest.Hex("00 04000000"), row), `4 | `+want
				case 2:
					r.Before = []byte{3}
				}
				r.Data = []byte(strings.Repeat(string(row), rows))
				l := logtest.New(logtest.MariaDB105, logtest.CRC32)
				l.Event(logtest.TypeTableMap, rawTable(100, []byte{3, 15}, logtest.Hex("0a00"), nil).Body()).Event(typ, r.Compressed()).Event(logtest.TypeXid, logtest.U64(5))
				all := dumpLog(t, l.Bytes())
				if got, problems := cellsOf(all[2]); got != want+strings.Repeat(" | "+want, rows-1) || problems != "" || number(get(all[3], "data", "xid")) != 5 {
					t.Errorf("%s: type %d, %d rows: %s %s", name, typ, rows, cut(got), problems)
				}
			}
		}
	}
}

// A row event that was split keeps the places of its pieces: which of how many, and how long the whole is. The last has its rows.
func TestTrapSplitRows(t *testing.T) {
	server := logtest.MariaDB105
	server.Version = "12.3.1-MariaDB-log"
	l := logtest.New(server, logtest.CRC32)
	l.Event(logtest.TypeMariaGtid, logtest.MariaGtid(1, 0, 4))
	l.Event(logtest.TypeTableMap, rawTable(100, []byte{3}, nil, nil).Body())
	event := l.RowEvent(logtest.TypeWriteRowsV1, logtest.Rows{ID: 100, Flags: logtest.StmtEnd, Width: 1, After: []byte{1}, Data: logtest.Hex("00 01000000 00 02000000")}.Body())
	l.Pieces(event, 30, 35).Event(logtest.TypeXid, logtest.U64(5))
	rows := dumpLog(t, l.Bytes())
	checkEvents(t, "157 three pieces", rows, "FORMAT_DESCRIPTION_EVENT MARIADB_GTID_EVENT TABLE_MAP_EVENT PARTIAL_ROW_DATA_EVENT PARTIAL_ROW_DATA_EVENT PARTIAL_ROW_DATA_EVENT XID_EVENT", []want{
		{3, []any{"data", "total_fragments"}, "3"}, {3, []any{"data", "seq_no"}, "1"}, {3, []any{"data", "original_size"}, fmt.Sprint(len(event))}, {4, []any{"data", "original_size"}, "absent"},
		{5, []any{"data", "seq_no"}, "3"}, {5, []any{"transaction"}, "1"}, {6, []any{"transaction"}, "1"}, {3, []any{"joined"}, "absent"}, {4, []any{"joined"}, "absent"},
		{5, []any{"joined", "type"}, `"WRITE_ROWS_EVENT_V1"`}, {5, []any{"joined", "size"}, fmt.Sprint(len(event))}, {5, []any{"joined", "pieces"}, "3"},
		{5, []any{"joined", "data", "rows"}, `[{"after":{"@1":1}},{"after":{"@1":2}}]`}, {3, []any{"problems"}, "absent"}, {4, []any{"problems"}, "absent"}, {5, []any{"problems"}, "absent"}})
	joined := ""
	for _, r := range rows[3:6] {
		joined += text(get(r, "data", "chunk", "hex"))
	}
	if joined != fmt.Sprintf("%x", event) {
		t.Errorf("157: the pieces are %s, the event %x", joined, event)
	}
}
