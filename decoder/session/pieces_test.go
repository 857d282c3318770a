package session_test

import (
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"testing"
)

// pieceEvents are the row events of the logs below, of a table of an INT and a text.
var pieceEvents = []struct {
	name string
	typ  byte
	body func() []byte
}{
	{"insert", logtest.TypeWriteRowsV1, func() []byte {
		return logtest.Rows{ID: 100, Flags: logtest.StmtEnd, Width: 2, After: logtest.All(2), Data: logtest.Cat(pieceRow(1, "one"), pieceRow(2, "two"))}.Body()
	}},
	{"update", logtest.TypeUpdateRowsV1, func() []byte {
		return logtest.Rows{ID: 100, Flags: logtest.StmtEnd, Width: 2, Before: logtest.All(2), After: logtest.All(2), Data: logtest.Cat(pieceRow(1, "one"), pieceRow(1, "uno"))}.Body()
	}},
	{"delete", logtest.TypeDeleteRowsV1, func() []byte {
		return logtest.Rows{ID: 100, Flags: logtest.StmtEnd, Width: 2, Before: logtest.All(2), Data: pieceRow(2, "two")}.Body()
	}},
	{"compressed", logtest.TypeWriteDeflatedV1, func() []byte {
		return logtest.Rows{ID: 100, Flags: logtest.StmtEnd, Width: 2, After: logtest.All(2), Data: logtest.Cat(pieceRow(3, "three"), pieceRow(4, "four"))}.Compressed()
	}},
}

func pieceRow(id uint32, s string) []byte { return logtest.Image(logtest.U32(id), logtest.Text8(s)) }

// pieceLog begins a log with a transaction in which a row event comes next.
func pieceLog(sum logtest.Checksum) *logtest.Log {
	l := logtest.New(logtest.MariaDB105, sum).Event(logtest.TypeMariaGtid, logtest.MariaGtid(1, 0, 4))
	return l.Event(logtest.TypeTableMap, logtest.Table{ID: 100, Schema: "shop", Name: "t", Columns: []logtest.Column{logtest.Col(3), logtest.Col(15, 20, 0)},
		Optional: logtest.Cat(logtest.TLV(4, logtest.Names("id", "s")), logtest.TLV(8, logtest.Lenencs(0)))}.Body())
}

// rowLines are the lines of an export that rows are in.
func rowLines(out string) string {
	var lines []string
	for _, l := range strings.Split(out, "\n") {
		for _, start := range []string{"INSERT", "UPDATE", "DELETE", "### ", "BEGIN", "COMMIT", "insert,", "update,", "delete,"} {
			if strings.HasPrefix(l, start) {
				if f := strings.SplitN(l, ",", 7); strings.HasSuffix(start, ",") {
					l = f[0] + f[1] + f[6] // without time, GTID and places
				}
				lines = append(lines, l)
			}
		}
	}
	return strings.Join(lines, "\n")
}

// However a row event is cut, its rows are those of the event in one: in exports, the event JSON, filters and figures.
func TestPiecesAreTheEvent(t *testing.T) {
	for _, c := range pieceEvents {
		for _, sum := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
			l := pieceLog(sum)
			whole := open(t, l.Event(c.typ, c.body()).Event(logtest.TypeXid, logtest.U64(5)).Bytes(), session.Options{})
			want := map[session.Format]string{}
			for _, f := range []session.Format{session.FormatSQL, session.FormatUndo, session.FormatText, session.FormatCSV} {
				out, notes := export(t, whole, f, whole.All())
				if want[f] = rowLines(out); !notes.Complete() || !strings.Contains(want[f], "o") {
					t.Fatalf("%s: %s %+v", f, out, notes.List())
				}
			}
			data := get(dump(t, whole)[3].m["data"], "rows")
			n := len(pieceLog(sum).RowEvent(c.typ, c.body()))
			for cut := 27; cut < n; cut++ {
				cuts := []int{cut}
				if cut%3 == 0 {
					cuts = []int{27, cut, n}
				}
				checkPieces(t, fmt.Sprintf("%s, cut at %v", c.name, cuts), pieceLog(sum), c.typ, c.body(), cuts, want, plain(data))
			}
		}
	}
}

func checkPieces(t *testing.T, name string, l *logtest.Log, typ byte, body []byte, cuts []int, want map[session.Format]string, data string) {
	t.Helper()
	s := open(t, l.Pieces(l.RowEvent(typ, body), cuts...).Event(logtest.TypeXid, logtest.U64(5)).Bytes(), session.Options{})
	for f, w := range want {
		out, notes := export(t, s, f, s.All())
		if got := rowLines(out); got != w || len(notes.List()) > 0 {
			t.Fatalf("%s: %s\n%s\nwant\n%s\n%+v", name, f, got, w, notes.List())
		}
	}
	rows := dump(t, s)
	last := 3 + len(cuts)
	for i, r := range rows {
		if r.m["problems"] != nil || (r.m["joined"] != nil) != (i == last) {
			t.Fatalf("%s: %s", name, cut(plain(r)))
		}
	}
	if got := plain(get(rows[last].m["joined"], "data", "rows")); got != data {
		t.Errorf("%s: %s, want %s", name, got, data)
	}
	class := map[byte]string{'W': "insert", 'U': "update", 'D': "delete"}[text(get(rows[last].m["joined"], "type"))[0]]
	for filter, found := range map[string]bool{"row:id>=1": true, "row:id=9": false, "rows:>0": true, "rows:>2": false, "type:" + class: true, "type:gtid": false, "trx:>0rows": true, `"o" type:172`: true} {
		if got := filtered(t, s, filter); slices.Contains(got, int64(last)) != found || strings.HasPrefix(filter, "row") && len(got) != map[bool]int{true: 1}[found] {
			t.Errorf("%s: %s leaves %v", name, filter, got)
		}
	}
	if got := filtered(t, s, "table:shop.t"); len(got) != 2+len(cuts) {
		t.Errorf("%s: of the table are %v", name, got)
	}
	s.Survey(0)
	st := statsOf(t, s, nil, 1)
	v, n := st.Tables[0], strings.Count(data, "{")/2
	if got := v.Inserted + v.Updated + v.Deleted; len(st.Tables) != 1 || v.Uncounted != 0 || v.Events != int64(1+len(cuts)) || got != int64(max(n, 1)) && !strings.Contains(data, "before") || st.Problems.Rows != 0 || st.Transactions.States["committed"] != 1 {
		t.Errorf("%s: %+v, %+v", name, v, st.Transactions)
	}
}

// The rows are shown at the last piece, cells with the range of that piece.
func TestPiecesOnThePage(t *testing.T) {
	l := pieceLog(logtest.CRC32)
	l.Pieces(l.RowEvent(pieceEvents[0].typ, pieceEvents[0].body()), 40).Event(logtest.TypeXid, logtest.U64(5))
	s := open(t, l.Bytes(), session.Options{})
	b, err := s.Detail(4, false)
	if err != nil {
		t.Fatal(err)
	}
	d := mustParse(t, b)
	if plain(get(d, "rows", "total")) != "2" || plain(get(d, "table_map")) != "2" || text(get(d, "rows", "names")) != "metadata" || text(get(d, "type")) != "PARTIAL_ROW_DATA_EVENT" {
		t.Errorf("%s", b)
	}
	if b, err = s.RowPage(4, 1, 5, false); err != nil {
		t.Fatal(err)
	}
	page, size := mustParse(t, b), int64(l.Events[4].Size)
	cell := get(page, "rows", 0, "after", 1)
	if plain(get(page, "total")) != "2" || text(get(cell, "value")) != "two" || number(get(cell, "start")) != 19+9 || number(get(cell, "end")) != size-4 {
		t.Errorf("%s", b)
	}
	if b, err = s.RowPage(3, 0, 5, false); err != nil || string(b) != `{"from":0,"total":0,"rows":[]}` {
		t.Errorf("%s %v", b, err)
	}
}

// Pieces that make no row event say why, and no export hides that rows are missing.
func TestPiecesThatDoNotFit(t *testing.T) {
	event := pieceLog(logtest.CRC32).RowEvent(pieceEvents[0].typ, pieceEvents[0].body())
	piece := func(total, seq uint32, from, to int, size ...uint64) []byte {
		return logtest.PartialRowData(total, seq, event[from:to], size...)
	}
	changed := func(at int, b byte) []byte {
		e := slices.Clone(event)
		e[at] = b
		return e
	}
	n := len(event)
	size := uint64(n)
	for _, c := range []struct {
		name   string
		pieces [][]byte
		row    int // with the first problem
		kind   string
		path   string
		reason string
		lost   bool
	}{
		{"a missing middle", [][]byte{piece(3, 1, 0, 30, size), piece(3, 3, 40, n)}, 3, "truncated", "seq_no", "piece 1 of 3 is the last there is", true},
		{"a missing end", [][]byte{piece(3, 1, 0, 30, size), piece(3, 2, 30, 40)}, 4, "truncated", "seq_no", "piece 2 of 3 is the last there is", true},
		{"a missing beginning", [][]byte{piece(3, 2, 30, 40), piece(3, 3, 40, n)}, 3, "corrupt", "seq_no", "piece 2 of 3 does not stand behind piece 1", true},
		{"out of order", [][]byte{piece(2, 2, 30, n), piece(2, 1, 0, 30, size)}, 3, "corrupt", "seq_no", "piece 2 of 2 does not stand behind piece 1", true},
		{"the last twice", [][]byte{piece(2, 1, 0, 30, size), piece(2, 2, 30, n), piece(2, 2, 30, n)}, 5, "corrupt", "seq_no", "piece 2 of 2 does not stand behind piece 1", true},
		{"another total", [][]byte{piece(2, 1, 0, 30, size), piece(3, 2, 30, n)}, 3, "truncated", "seq_no", "piece 1 of 2 is the last there is", true},
		{"number 0", [][]byte{piece(2, 0, 0, 30)}, 3, "corrupt", "seq_no", "piece 0 of 2: pieces of a row event are numbered from 1", true},
		{"beyond the total", [][]byte{piece(1, 3, 0, n, size)}, 3, "corrupt", "seq_no", "piece 3 of 1: pieces", true},
		{"none at all", [][]byte{piece(0, 0, 0, 30)}, 3, "corrupt", "seq_no", "piece 0 of 0: pieces", true},
		{"a total that lies", [][]byte{piece(math.MaxUint32, math.MaxUint32, 0, n)}, 3, "corrupt", "seq_no", "piece 4294967295 of 4294967295 does not stand", true},
		{"another one begins", [][]byte{piece(2, 1, 0, 30, size), piece(1, 1, 0, n, size)}, 3, "truncated", "seq_no", "piece 1 of 2 is the last there is", true},
		{"a size that lies", [][]byte{piece(2, 1, 0, 30, 1<<62), piece(2, 2, 30, n)}, 4, "corrupt", "joined.original_size", "the first piece says that it has 4611686018427387904 bytes, the pieces have 47", false},
		{"an event_size that lies", [][]byte{logtest.PartialRowData(1, 1, changed(9, 77))}, 3, "corrupt", "chunk", "the row event in the pieces says that it has 77 bytes", true},
		{"no row event", [][]byte{logtest.PartialRowData(1, 1, changed(4, logtest.TypeXid))}, 3, "corrupt", "chunk", "the pieces make no row event, or none whose table is known", true},
		{"less than a header", [][]byte{logtest.PartialRowData(1, 1, event[:12])}, 3, "corrupt", "chunk", "the pieces make no row event, or none whose table is known", true},
		{"nothing", [][]byte{logtest.PartialRowData(1, 1, nil)}, 3, "corrupt", "chunk", "the pieces make no row event, or none whose table is known", true},
		{"a head that is cut", [][]byte{logtest.Hex("01000000 0100")}, 3, "corrupt", "seq_no", "", true},
		{"a first piece without the table", [][]byte{piece(2, 1, 0, 20, size), piece(2, 2, 20, n)}, 4, "corrupt", "chunk", "the pieces make no row event, or none whose table is known", true},
		{"a row that is cut", [][]byte{logtest.PartialRowData(1, 1, append(changed(9, byte(n-2))[:n-2:n-2], nil...))}, 3, "truncated", "joined.rows[1].after.s", "row 2 ends inside column 2", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := pieceLog(logtest.CRC32)
			for _, p := range c.pieces {
				l.Event(logtest.TypePartialRowData, p)
			}
			s := open(t, l.Event(logtest.TypeXid, logtest.U64(5)).Bytes(), session.Options{})
			first := -1
			for i, r := range dump(t, s) {
				if r.m["problems"] == nil || first >= 0 {
					continue
				}
				first = i
				p := get(r.m["problems"], 0)
				if i != c.row || text(get(p, "kind")) != c.kind || text(get(p, "path")) != c.path || !strings.HasPrefix(text(get(p, "reason")), c.reason) || number(get(p, "offset")) < 0 {
					t.Errorf("row %d: %s", i, plain(p))
				}
			}
			if first < 0 {
				t.Error("no problem")
			}
			for _, f := range []session.Format{session.FormatSQL, session.FormatUndo, session.FormatCSV} {
				if out, notes := exportWith(t, s, f, s.All(), session.ExportOptions{Table: "shop.t"}); notes.Complete() == c.lost {
					t.Errorf("%s: %+v\n%s", f, notes.List(), out)
				}
			}
		})
	}
}

// A log that ends between two pieces, or inside one.
func TestPiecesAtTheEnd(t *testing.T) {
	l := pieceLog(logtest.CRC32)
	l.Pieces(l.RowEvent(pieceEvents[0].typ, pieceEvents[0].body()), 40)
	for _, n := range []int{l.Last().Off, l.Last().Off + 30} {
		s := open(t, l.Bytes()[:n], session.Options{})
		p := get(dump(t, s)[3].m["problems"], 0)
		if text(get(p, "reason")) != "piece 1 of 2 is the last there is: the row event cannot be put together" {
			t.Errorf("%d bytes: %s", n, plain(p))
		}
		if _, notes := exportWith(t, s, session.FormatCSV, s.All(), session.ExportOptions{Table: "shop.t"}); notes.Complete() {
			t.Error("the export seems complete")
		}
	}
}

// A row event larger than max_event_size is put together only when it is asked for; exports ask.
func TestLargePieces(t *testing.T) {
	var rows []byte
	for i := range uint32(400) {
		rows = append(rows, pieceRow(i, "a text of 20 letters")...)
	}
	l := pieceLog(logtest.CRC32)
	event := l.RowEvent(logtest.TypeWriteRowsV1, logtest.Rows{ID: 100, Flags: logtest.StmtEnd, Width: 2, After: logtest.All(2), Data: rows}.Body())
	l.Pieces(event, 3000, 6000, 9000).Event(logtest.TypeXid, logtest.U64(5))
	s := open(t, l.Bytes(), session.Options{MaxEvent: session.MinEventLimit})
	b, err := s.AppendJSON(nil, 6, false)
	if err != nil || !bytes.Contains(b, fmt.Appendf(nil, `"the pieces of the row event have %d bytes, more than 4096: not put together unless asked for, and never beyond 1 GiB"`, l.Events[6].Off-l.Events[3].Off+l.Events[6].Size)) || bytes.Contains(b, []byte(`"joined"`)) {
		t.Errorf("%s %v", b, err)
	}
	if b, err = s.Detail(6, false); err != nil || !bytes.Contains(b, []byte(`"large":true`)) {
		t.Errorf("%s %v", b, err)
	}
	if b, err = s.AppendJSON(nil, 6, true); err != nil || bytes.Count(b, []byte(`"after"`)) != 400 {
		t.Errorf("%s %v", b, err)
	}
	if out, notes := export(t, s, session.FormatSQL, s.All()); strings.Count(out, "\nINSERT") != 400 || !notes.Complete() {
		t.Errorf("%d rows, %+v", strings.Count(out, "\nINSERT"), notes.List())
	}
	if filtered(t, s, "row:id=399"); s.Progress().Unread != 1 {
		t.Errorf("%+v", s.Progress())
	}
}

// binlogEvents are the events in the first BINLOG statement of rows.
func binlogEvents(t *testing.T, out string) (events [][]byte) {
	t.Helper()
	_, list, _ := strings.Cut(out, "Table_map")
	_, list, _ = strings.Cut(list, "\nBINLOG '\n")
	list, _, _ = strings.Cut(list, "'/*!*/;")
	var b []byte
	for _, line := range strings.Fields(list) {
		raw, err := base64.StdEncoding.DecodeString(line)
		if err != nil {
			t.Fatal(err)
		}
		b = append(b, raw...)
	}
	for len(b) > 19 {
		n := binary.LittleEndian.Uint32(b[9:])
		events, b = append(events, b[:n]), b[n:]
	}
	return events
}

// The BINLOG statement of a row event in pieces has the event in one, with the checksum that the log's format asks for.
func TestBlockOfPieces(t *testing.T) {
	for _, sum := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
		l := pieceLog(sum)
		event := l.RowEvent(pieceEvents[0].typ, pieceEvents[0].body())
		l.Pieces(event, 40).Event(logtest.TypeXid, logtest.U64(5))
		s := open(t, l.Bytes(), session.Options{})
		out, _ := export(t, s, session.FormatBlock, s.All())
		blocks := binlogEvents(t, out)
		if len(blocks) != 2 || !bytes.Equal(blocks[0], l.Bytes()[l.Events[2].Off:][:l.Events[2].Size]) {
			t.Fatalf("%d events\n%s", len(blocks), out)
		}
		want := slices.Clone(event)
		if sum == logtest.CRC32 {
			binary.LittleEndian.PutUint32(want[9:], uint32(len(want)+4))
			want = binary.LittleEndian.AppendUint32(want, crc32.ChecksumIEEE(want))
		}
		if !bytes.Equal(blocks[1], want) {
			t.Errorf("%x\nwant %x", blocks[1], want)
		}
	}
}
