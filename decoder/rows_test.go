package decoder_test

import (
	"strings"
	"testing"

	"binlens/decoder"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/value"
	"binlens/decoder/wire"
)

// rowCase is a row event and its table.
type rowCase struct {
	server logtest.Server
	typ    decoder.Type
	table  logtest.Table
	rows   logtest.Rows
}

// decode reads the map and the row event.
func (rc rowCase) decode(t testing.TB) (*decoder.Rows, []byte) {
	t.Helper()
	f := format(t, rc.server, logtest.CRC32)
	m := read[*decoder.TableMap](t, f, decoder.TableMapType, rc.table.Body())
	body := rc.rows.Body()
	ev, bad, spans := inspect(t, &decoder.Context{Format: f, TableMap: m}, header(f, rc.typ, body), body)
	if bad != nil {
		t.Fatalf("%s: %v", rc.typ, bad)
	}
	e := ev.(*decoder.Rows)
	if e.Start < e.End {
		if last := spans[len(spans)-1]; last.Path != "rows" || last.Start != e.Start || last.End != e.End {
			t.Errorf("the rows are %d-%d, named %+v", e.Start, e.End, last)
		}
	}
	return e, append(make([]byte, 19), body...)
}

// text reads all rows: columns divided by spaces, the images by ->, the rows by bars; . stands for a column that is not in
// the image. It fails unless ranges tile the rows.
func text(t testing.TB, e *decoder.Rows, event []byte) (string, *wire.Error) {
	t.Helper()
	var rows []string
	r := e.Reader()
	at := e.Start
	image := func(im *decoder.Image) string {
		if im.Off != at || im.NullEnd < im.Off {
			t.Errorf("an image at %d, the bytes before it end at %d", im.Off, at)
		}
		at = im.NullEnd
		var cells []string
		for i := range im.Cells {
			v := &im.Cells[i]
			col := &e.Map.Columns[i]
			if v.Kind == value.KindNone {
				cells = append(cells, ".")
				continue
			}
			if v.Off != at || v.End < v.Off {
				t.Errorf("a cell at %d-%d, the bytes before it end at %d", v.Off, v.End, at)
			}
			at = v.End
			if b := value.Bytes(event, v); b != nil {
				cells = append(cells, string(b))
			} else {
				cells = append(cells, string(value.AppendText(nil, event, col.Meta, col.Unsigned, v)))
			}
		}
		if im.End != at {
			t.Errorf("an image ends at %d, its cells at %d", im.End, at)
		}
		return strings.Join(cells, " ")
	}
	for i := 0; r.Next(); i++ {
		if r.Index != i {
			t.Errorf("row %d has the index %d", i, r.Index)
		}
		var images []string
		if r.Before.Cells != nil {
			images = append(images, image(&r.Before))
		}
		if r.After.Cells != nil {
			images = append(images, image(&r.After))
		}
		if r.Pos() != at {
			t.Errorf("row %d ends at %d, its cells at %d", i, r.Pos(), at)
		}
		rows = append(rows, strings.Join(images, " -> "))
	}
	if r.Err() == nil && (at != e.End || r.Pos() != e.End) {
		t.Errorf("the rows end at %d, the last one at %d", e.End, at)
	}
	if r.Next() {
		t.Error("a row after the last")
	}
	return strings.Join(rows, " | "), r.Err()
}

var three = []logtest.Column{logtest.Col(3), logtest.Col(15, 20, 0), logtest.Col(1)}

func TestRows(t *testing.T) {
	row := func(a uint32, b string, c byte) []byte { return logtest.Image(u32(a), text8(b), u8(c)) }
	image := logtest.Image
	for _, tt := range []struct {
		name    string
		typ     decoder.Type
		rows    logtest.Rows
		columns []logtest.Column
		want    string
	}{
		{"insert", 30, logtest.Rows{Width: 3, After: hex("07"), Data: cat(row(1, "a", 2), row(3, "b", 0xff))}, three, "1 a 2 | 3 b -1"},
		{"delete", 32, logtest.Rows{Width: 3, Before: hex("07"), Data: row(1, "a", 2)}, three, "1 a 2"},
		{"update", 31, logtest.Rows{Width: 3, Before: hex("07"), After: hex("07"), Data: cat(row(1, "a", 2), row(1, "b", 2))}, three, "1 a 2 -> 1 b 2"},
		{"NULL", 30, logtest.Rows{Width: 3, After: hex("07"), Data: cat(image(nil, text8("a"), nil), image(nil, nil, nil))}, three, "NULL a NULL | NULL NULL NULL"},
		{"MINIMAL update", 31, logtest.Rows{Width: 3, Before: hex("01"), After: hex("04"), Data: cat(image(u32(1)), image(u8(9)), image(u32(2)), image(nil))}, three, "1 . . -> . . 9 | 2 . . -> . . NULL"},
		{"MINIMAL insert", 30, logtest.Rows{Width: 3, After: hex("02"), Data: image(text8("x"))}, three, ". x ."},
		{"MINIMAL delete", 32, logtest.Rows{Width: 3, Before: hex("05"), Data: image(u32(1), u8(3))}, three, "1 . 3"},
		{"NOBLOB update", 31, logtest.Rows{Width: 3, Before: hex("05"), After: hex("07"), Data: cat(image(u32(1), u8(2)), row(1, "blob", 2))}, three, "1 . 2 -> 1 blob 2"},
		{"bits beyond the columns set", 31, logtest.Rows{Width: 3, Before: hex("ff"), After: hex("fc"), Data: cat(row(1, "a", 2), image(u8(7)))}, three, "1 a 2 -> . . 7"},
		{"no rows", 30, logtest.Rows{Width: 3, After: hex("07")}, three, ""},
		{"an update of nothing", 31, logtest.Rows{Width: 3, Before: hex("01"), After: hex("00"), Data: image(u32(1))}, three, "1 . . -> . . ."},
		{"fewer columns than the map", 30, logtest.Rows{Width: 1, After: hex("01"), Data: image(u32(5))}, three, "5 . ."},
		{"extra information", 30, logtest.Rows{Extra: hex("01 0300"), Width: 3, After: hex("07"), Data: row(1, "a", 2)}, three, "1 a 2"},
	} {
		for _, v2 := range []bool{true, false} {
			rc := rowCase{server: logtest.MySQL8040, typ: tt.typ, rows: tt.rows, table: logtest.Table{ID: 100, Schema: "d", Name: "t", Columns: tt.columns}}
			if rc.rows.V2 = v2; !v2 {
				rc.typ -= 7 // 30 -> 23
				if tt.rows.Extra != nil {
					continue
				}
			}
			rc.rows.ID, rc.rows.Flags = 100, logtest.StmtEnd
			e, event := rc.decode(t)
			if e.V2 != v2 || e.TableID != 100 || e.Flags != 1 || e.Op != tt.typ.RowOp() || e.Width != uint64(tt.rows.Width) || e.Map == nil || e.Dummy ||
				string(e.Before) != string(tt.rows.Before) || string(e.After) != string(tt.rows.After) {
				t.Errorf("%s: %+v", tt.name, e)
			}
			if got, bad := text(t, e, event); got != tt.want || bad != nil {
				t.Errorf("%s: %s, %v; want %s", tt.name, got, bad, tt.want)
			}
		}
	}
}

// Every column type in one table, in both versions of row events, from the servers' sides.
func TestRowsOfEveryType(t *testing.T) {
	columns, first, second := logtest.SampleColumns()
	want := "-127 -32768 -2 -1 -1 3.14 -2.5 1234567890.1234 -0.01 2024 2024-02-29 2024-02-29 12:34:56 2024-02-29 23:59:58 2024-02-29 23:59:58" +
		" 12:34:56 -12:34:56.789012 2024-02-29 23:59:58 2024-02-29 23:59:58.123 2024-02-29 23:59:58 2024-02-29 23:59:58.123456 b'100' b'1000000001' 2 5 abc abc a a a a a a a" +
		" \x04\x00  \x00\x00\x80?   NULL"
	for _, s := range logtest.Servers {
		if !s.Rows() {
			continue
		}
		typ := decoder.WriteRowsV1Type
		if s.V2() {
			typ = decoder.WriteRowsType
		}
		rc := rowCase{server: s, typ: typ, table: logtest.Table{ID: 9, Schema: "d", Name: "t", Columns: columns},
			rows: logtest.Rows{ID: 9, V2: s.V2(), Width: len(columns), After: logtest.All(len(columns)), Data: cat(first, second)}}
		e, event := rc.decode(t)
		got, bad := text(t, e, event)
		one, two, _ := strings.Cut(got, " | ")
		if one != want || bad != nil {
			t.Errorf("%s:\n got %q %v\nwant %q", s.Name, one, bad, want)
		}
		if n := strings.Count(two, "NULL"); n != len(columns)/2 {
			t.Errorf("%s: the second row has %d NULLs: %q", s.Name, n, two)
		}
	}
}

func TestRowsPreGATableID(t *testing.T) {
	s := logtest.MySQL51
	s.Lengths = append([]byte(nil), s.Lengths...)
	for _, typ := range []int{19, 23, 24, 25} {
		s.Lengths[typ-1] = 6
	}
	rc := rowCase{server: s, typ: decoder.WriteRowsV1Type, table: logtest.Table{ID: 7, IDLen: 4, Schema: "d", Name: "t", Columns: three},
		rows: logtest.Rows{ID: 7, IDLen: 4, Width: 3, After: hex("07"), Data: logtest.Image(u32(1), nil, nil)}}
	e, event := rc.decode(t)
	if got, bad := text(t, e, event); got != "1 NULL NULL" || bad != nil || e.TableID != 7 {
		t.Errorf("%s, %v", got, bad)
	}
}

func TestRowsWide(t *testing.T) {
	const n = 300
	columns := make([]logtest.Column, n)
	cells := make([][]byte, n)
	for i := range columns {
		columns[i], cells[i] = logtest.Col(1), u8(byte(i%127))
	}
	cells[77] = nil
	rc := rowCase{server: logtest.MySQL8040, typ: decoder.WriteRowsType, table: logtest.Table{ID: 7, Schema: "d", Name: "t", Columns: columns},
		rows: logtest.Rows{ID: 7, V2: true, Width: n, After: logtest.All(n), Data: cat(logtest.Image(cells...), logtest.Image(cells...))}}
	e, event := rc.decode(t)
	got, bad := text(t, e, event)
	if cells := strings.Fields(strings.Split(got, " | ")[1]); bad != nil || len(cells) != n || cells[77] != "NULL" || cells[299] != "45" {
		t.Errorf("%s, %v", got, bad)
	}
}

// What is wrong with rows is said when they are read; the event stands.
func TestRowsProblems(t *testing.T) {
	named := tlv(4, logtest.Names("id", "name", "n"))
	for _, tt := range []struct {
		name    string
		rows    logtest.Rows
		columns []logtest.Column
		names   []byte
		want    string // rows before the fault
		kind    wire.Kind
		offset  int // from the start of the rows
		path    string
		msg     string
	}{
		{"ends inside the null bits", logtest.Rows{ID: 1, Width: 9, After: hex("ff01"), Data: hex("00")}, make([]logtest.Column, 9), nil, "", wire.Truncated, 0, "rows[0].after.null_bits", "2 bytes needed, 1 left"},
		{"ends inside an integer", logtest.Rows{ID: 1, Width: 3, After: hex("07"), Data: cat(logtest.Image(u32(1), nil, nil), hex("00 0102"))}, three, nil, "1 NULL NULL", wire.Truncated, 6,
			"rows[1].after.@1", "row 2 ends inside column 1 int: 4 bytes needed, 2 left"},
		{"ends inside a text", logtest.Rows{ID: 1, Width: 3, After: hex("07"), Data: hex("00 01000000 05 6162")}, three, named, "", wire.Truncated, 6,
			"rows[0].after.name", "row 1 ends inside column 2 `name` varchar/varbinary(20 bytes): a length of 5 bytes, 2 left"},
		{"ends before a text", logtest.Rows{ID: 1, Width: 3, After: hex("07"), Data: hex("00 01000000")}, three, named, "", wire.Truncated, 5,
			"rows[0].after.name", "row 1 ends inside column 2 `name` varchar/varbinary(20 bytes): 1 byte needed, 0 left"},
		{"ends inside a decimal", logtest.Rows{ID: 1, Width: 1, After: hex("01"), Data: hex("00 80 00")}, []logtest.Column{logtest.Col(246, 10, 2)}, tlv(4, logtest.Names("price")), "", wire.Truncated, 1,
			"rows[0].after.price", "row 1 ends inside column 1 `price` decimal(10,2): 5 bytes needed, 2 left"},
		{"old DECIMAL", logtest.Rows{ID: 1, Width: 1, After: hex("01"), Data: hex("00 30")}, []logtest.Column{logtest.Col(0)}, nil, "", wire.Unsupported, 1,
			"rows[0].after.@1", "row 1 cannot be read at column 1 decimal: DECIMAL from before MySQL 5.0.3: the width of its values is not in the log"},
		{"impossible metadata", logtest.Rows{ID: 1, Width: 1, After: hex("01"), Data: hex("00 30")}, []logtest.Column{logtest.Col(19, 7)}, nil, "", wire.Corrupt, 1,
			"rows[0].after.@1", "row 1 cannot be read at column 1 time(7): the table map gives this TIME2 column 7 digits of a second; 0 to 6 are possible"},
		{"no map with its id", logtest.Rows{ID: 2, Width: 3, After: hex("07"), Data: hex("00 01")}, three, nil, "", wire.Unsupported, 0, "", "no TABLE_MAP_EVENT before it has table id 2"},
		{"wider than its map", logtest.Rows{ID: 1, Width: 4, After: hex("0f"), Data: hex("00 01")}, three, nil, "", wire.Corrupt, 0, "", "rows of 4 columns, a table map of 3"},
		{"bytes without columns", logtest.Rows{ID: 1, Width: 3, After: hex("00"), Data: hex("00")}, three, nil, "", wire.Corrupt, 0, "", "rows without columns take no bytes, but bytes are left"},
	} {
		tt.rows.V2 = true
		for i := range tt.columns {
			if tt.columns[i].Type == 0 && tt.kind == wire.Truncated {
				tt.columns[i] = logtest.Col(1)
			}
		}
		e, event := rowCase{server: logtest.MySQL8040, typ: decoder.WriteRowsType, rows: tt.rows, table: logtest.Table{ID: 1, Schema: "d", Name: "t", Columns: tt.columns, Optional: tt.names}}.decode(t)
		got, bad := text(t, e, event)
		if bad == nil {
			t.Errorf("%s: no problem: %s", tt.name, got)
			continue
		}
		if start := int(e.Start) - 19; got != tt.want || bad.Kind != tt.kind || int(bad.Offset) != start+tt.offset || bad.Path != tt.path || bad.Msg != tt.msg {
			t.Errorf("%s: rows %q, then\n got %+v\nwant %s at %d in %s: %s", tt.name, got, bad, tt.kind, start+tt.offset, tt.path, tt.msg)
		}
	}
}

// A row event without columns and rows only ends its statement.
func TestDummyRows(t *testing.T) {
	f := format(t, logtest.MySQL8040, logtest.Off)
	for _, tt := range []struct {
		body  []byte
		dummy bool
	}{
		{logtest.Rows{ID: 0xffffff, Flags: 1, V2: true}.Body(), true},
		{logtest.Rows{ID: 0xffffff, Flags: 1, V2: true, Width: 1, After: hex("ff")}.Body(), true},
		{logtest.Rows{ID: 0xffffff, Flags: 0, V2: true}.Body(), false},
		{logtest.Rows{ID: 5, Flags: 1, V2: true}.Body(), false},
	} {
		e := read[*decoder.Rows](t, f, decoder.WriteRowsType, tt.body)
		if r := e.Reader(); e.Dummy != tt.dummy || r.Next() || r.Err() != nil {
			t.Errorf("% x: dummy %t, %v", tt.body, e.Dummy, r.Err())
		}
	}
}

func TestExtraRowInfo(t *testing.T) {
	f := format(t, logtest.MySQL8040, logtest.Off)
	type info = []decoder.ExtraInfo
	for _, tt := range []struct {
		name  string
		typ   decoder.Type
		extra string
		want  info
	}{
		{"none", 30, "", nil},
		{"NDB", 30, "00 04 00 aabb", info{{Kind: 0, Format: 0, Data: hex("aabb")}}},
		{"NDB without data", 30, "00 02 07", info{{Kind: 0, Format: 7, Data: []byte{}}}},
		{"partition", 30, "01 0300", info{{Kind: 1, Partition: 3}}},
		{"partitions of an update", 31, "01 0300 0500", info{{Kind: 1, Partition: 3, SourcePartition: 5, HasSource: true}}},
		{"both", 32, "00 03 01 aa 01 0200", info{{Kind: 0, Format: 1, Data: hex("aa")}, {Kind: 1, Partition: 2}}},
		{"unknown", 30, "09 0102", info{{Kind: 9, Data: hex("0102")}}},
	} {
		rows := logtest.Rows{ID: 1, V2: true, Extra: hex(tt.extra), Width: 1}
		if tt.typ != 30 {
			rows.Before = hex("01")
		}
		if tt.typ != 32 {
			rows.After = hex("01")
		}
		e := read[*decoder.Rows](t, f, tt.typ, rows.Body())
		equal(t, tt.name, e.Extra, tt.want)
		if int(e.ExtraLength) != 2+len(rows.Extra) {
			t.Errorf("%s: length %d", tt.name, e.ExtraLength)
		}
	}
}

func TestRowsFaults(t *testing.T) {
	f := format(t, logtest.MySQL8040, logtest.Off)
	for _, tt := range []struct {
		name   string
		typ    decoder.Type
		body   string
		kind   wire.Kind
		offset int64
		path   string
	}{
		{"no table id", 30, "0102030405", wire.Truncated, 0, "table_id"},
		{"no flags", 30, "010000000000 01", wire.Truncated, 6, "flags"},
		{"no extra length", 30, "010000000000 0100 02", wire.Truncated, 8, "extra_length"},
		{"extra length of 1", 30, "010000000000 0100 0100", wire.Corrupt, 8, "extra_length"},
		{"extra beyond the end", 30, "010000000000 0100 0900 01", wire.Truncated, 10, "extra.info"},
		{"NDB cut", 30, "010000000000 0100 0500 00 05 00", wire.Truncated, 13, "extra.info[0].data"},
		{"NDB shorter than itself", 30, "010000000000 0100 0500 00 01 00", wire.Corrupt, 13, "extra.info[0].data"},
		{"partition cut", 30, "010000000000 0100 0400 01 03", wire.Truncated, 11, "extra.info[0].partition_id"},
		{"source partition cut", 31, "010000000000 0100 0500 01 0300", wire.Truncated, 13, "extra.info[0].source_partition_id"},
		{"no width", 23, "010000000000 0100", wire.Truncated, 8, "width"},
		{"a NULL width", 23, "010000000000 0100 fb", wire.Corrupt, 8, "width"},
		{"a width of 4097", 23, "010000000000 0100 fc0110", wire.Corrupt, 8, "width"},
		{"a width of 2^64-1", 23, "010000000000 0100 fe ffffffffffffffff", wire.Corrupt, 8, "width"},
		{"no bitmap", 25, "010000000000 0100 01", wire.Truncated, 9, "columns_before"},
		{"no second bitmap", 24, "010000000000 0100 09 ff01 ff", wire.Truncated, 11, "columns_after"},
	} {
		ev, bad := fault(t, f, tt.typ, hex(tt.body))
		if bad.Kind != tt.kind || bad.Offset != tt.offset || bad.Path != tt.path {
			t.Errorf("%s: %v; want %s at %d in %s", tt.name, bad, tt.kind, tt.offset, tt.path)
		}
		if r := ev.(*decoder.Rows).Reader(); r.Next() {
			t.Errorf("%s: a row", tt.name)
		}
	}
}

func TestReadingRowsAllocatesNothing(t *testing.T) {
	columns, first, second := logtest.SampleColumns()
	data := []byte(nil)
	for range 200 {
		data = cat(data, first, second, second, first)
	}
	n := len(columns)
	e, _ := rowCase{server: logtest.MySQL8040, typ: decoder.UpdateRowsType, table: logtest.Table{ID: 7, Schema: "d", Name: "t", Columns: columns},
		rows: logtest.Rows{ID: 7, V2: true, Width: n, Before: logtest.All(n), After: logtest.All(n), Data: data}}.decode(t)
	r := e.Reader()
	if got := testing.AllocsPerRun(100, func() {
		if !r.Next() {
			t.Fatal(r.Err())
		}
	}); got != 0 {
		t.Errorf("%v allocations a row", got)
	}
}
