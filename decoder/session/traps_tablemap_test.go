package session_test

import (
	"binlens/decoder/internal/logtest"
	"fmt"
	"strings"
	"testing"
)

// Table maps: counts and lengths in their longer forms, optional metadata in any order, columns that no image has.
func TestTrapTableMaps(t *testing.T) {
	checkTraps(t, logtest.MySQL8040, []trapRow{
		{name: "83 signs and a charset behind the null bits", build: "03 03 0f 03 / 7800 / 01 01 a0 02 01 2d / 01000000 ffffffff 0133 ffffffff", want: `1 | -1 | "3" | 4294967295`},
		{name: "83 nothing behind them", build: "03 0f / 7800 / / 01000000 0133", want: `1 | "3"`},
		{name: "84 a length of three bytes", build: "01 / / 63 fc0300 010203 02 fd010000 2d 01 fe0100000000000000 80 / ff", want: `255`},
		{name: "85 an unknown field first", build: "03 03 / / 63 02 abcd 0c 01 80 01 01 c0 / ffffffff feffffff", want: `4294967295 | 4294967294`},
		{name: "85 names before signs", build: "01 01 / / 04 04 0161 0162 01 01 40 / ff ff", want: `-1 | 255`},
		{name: "85 an empty field", build: "01 / / fa 00 01 01 80 / ff", want: `255`},
		{name: "90 an exception counts among the columns of text", build: "01 0f 01 0f / 0a00 0a00 / 02 03 2d 01 08 / 05 02c3a9 06 029192", want: `5 | "é" | 6 | "‘’"`},
		{name: "90 and among those of ENUM and SET", build: "01 fe fe 01 / f701 f701 / 06 08 01 02c3a9 01 029192 0a 03 2d 01 08 / 05 01 01 06", want: `5 | "é" | "‘’" | 6`},
		{name: "98 JSON has one byte of metadata", build: "f5 0f / 04 0a00 / / 02000000 0402 0161", want: `false | "a"`},
	})
}

// columnsAndValues are a column of each type with a value of it. The width of the metadata of each is what the type needs.
var columnsAndValues = []struct{ typ, meta, value, want string }{
	{"01", "", "05", `5`}, {"02", "", "0500", `5`}, {"09", "", "050000", `5`}, {"03", "", "05000000", `5`}, {"08", "", "0500000000000000", `5`},
	{"04", "04", "0000a040", `5`}, {"05", "08", "0000000000001440", `5`}, {"f6", "0502", "800500", `"5.00"`}, {"0d", "", "7c", `"2024"`},
	{"0a", "", "5dd00f", `"2024-02-29"`}, {"0e", "", "5dd00f", `"2024-02-29"`}, {"0b", "", "40e201", `"12:34:56"`}, {"0c", "", "f67cac8b68120000", `"2024-02-29 23:59:58"`},
	{"07", "", "7e1ae165", `"2024-02-29 23:59:58"`}, {"13", "00", "80c8b8", `"12:34:56"`}, {"12", "02", "99b2bb7efa0c", `"2024-02-29 23:59:58.12"`},
	{"11", "06", "65e11a7e01e240", `"2024-02-29 23:59:58.123456"`}, {"10", "0201", "0201", `"b'1000000001'"`}, {"fe", "f701", "02", `2`}, {"fe", "f802", "0500", `5`},
	{"fe", "fe0a", "0161", `"a"`}, {"fe", "ee2c", "010061", `"a"`}, {"0f", "0a00", "0161", `"a"`}, {"0f", "0001", "010061", `"a"`},
	{"fc", "01", "0161", `"a"`}, {"fc", "04", "0100000061", `"a"`}, {"f5", "04", "020000000401", `true`}, {"ff", "04", "00000000", `""`}, {"f2", "04", "040000000000803f", `[1]`},
	{"f7", "f701", "02", `2`}, {"f8", "f801", "05", `5`}, {"06", "", "", `"NULL"`},
}

// Behind a column of each type stands a VARCHAR whose length needs its own metadata: none is lost or taken twice. And each
// may be NULL, or be missing in the image, without that moving what is said of the columns behind it.
func TestTrapMetadataWidths(t *testing.T) {
	for _, c := range columnsAndValues {
		for _, how := range []string{"there", "NULL", "absent"} {
			types, meta := logtest.Hex(c.typ+"0f"), logtest.Hex(c.meta+"0001")
			l := logtest.New(logtest.MySQL8040, logtest.CRC32)
			l.Event(logtest.TypeTableMap, rawTable(100, types, meta, nil).Body())
			rows := logtest.Rows{ID: 100, Flags: logtest.StmtEnd, V2: true, Width: 2, After: []byte{3}}
			want := c.want + ` | "x"`
			switch how {
			case "there":
				rows.Data = logtest.Hex("00" + c.value + "010078")
			case "NULL":
				rows.Data, want = logtest.Hex("01 010078"), `null | "x"`
			case "absent":
				rows.After, rows.Data, want = []byte{2}, logtest.Hex("00 010078"), `"x"`
			}
			l.Event(logtest.TypeWriteRows, rows.Body())
			if c.typ == "06" && how == "there" {
				continue // a column of type NULL has no values
			}
			if got, problems := cellsOf(dumpLog(t, l.Bytes())[2]); got != want || problems != "" {
				t.Errorf("93, 98: type %s, %s: %s %s, want %s", c.typ, how, got, problems, want)
			}
		}
	}
}

// Counts of columns and lengths of metadata on both sides of where they take more bytes.
func TestTrapManyColumns(t *testing.T) {
	for _, n := range []int{1, 7, 8, 9, 250, 251, 252, 255, 256, 257, 300, 4096} {
		var values []byte
		var want []string
		for i := range n {
			values, want = append(values, byte(i)), append(want, fmt.Sprint((i+128)%256-128))
		}
		rows := dumpLog(t, oneRow(logtest.MySQL8040, bytesOf(1, n), nil, nil, nil, values).Bytes())
		if got, problems := cellsOf(rows[2]); got != strings.Join(want, " | ") || problems != "" || number(get(rows[1], "data", "column_count")) != int64(n) || number(get(rows[2], "data", "width")) != int64(n) {
			t.Errorf("81: %d columns: %s %s", n, cut(got), problems)
		}
	}
	for _, n := range []int{124, 125, 126, 127, 128, 130, 1000} {
		types, meta := bytesOf(15, n), []byte(strings.Repeat("\x0a\x00", n))
		rows := dumpLog(t, oneRow(logtest.MySQL8040, types, meta, nil, nil, []byte(strings.Repeat("\x01a", n))).Bytes())
		if got, problems := cellsOf(rows[2]); got != `"a"`+strings.Repeat(` | "a"`, n-1) || problems != "" || number(get(rows[1], "data", "metadata_length")) != int64(2*n) {
			t.Errorf("82: %d bytes of metadata: %s %s", 2*n, cut(got), problems)
		}
	}
}

func bytesOf(b byte, n int) []byte { return []byte(strings.Repeat(string([]byte{b}), n)) }

// Names whose field is as long as its length takes one, three, four bytes; and one of 192 bytes for table and schema.
func TestTrapLongNames(t *testing.T) {
	for _, n := range []int{1, 50, 51, 64, 1100} {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf("c%03d", i)+strings.Repeat("測", 20))
		}
		rows := dumpLog(t, oneRow(logtest.MySQL8040, bytesOf(1, n), nil, logtest.Cat(logtest.TLV(4, logtest.Names(names...)), logtest.TLV(1, make([]byte, (n+7)/8))), nil, make([]byte, n)).Bytes())
		after, _ := get(rows[2], "data", "rows", 0, "after").(*object)
		if rows[1].m["problems"] != nil || after == nil || strings.Join(after.keys, ",") != strings.Join(names, ",") || get(rows[1], "data", "signedness") != nil {
			t.Errorf("84: %d names: %s", n, cut(plain(rows[2])))
		}
	}
	for _, n := range []int{1, 63, 64, 84, 85} { // 85 characters of 3 bytes are 255, the most that a length of one byte can tell
		l := logtest.New(logtest.MySQL8040, logtest.CRC32)
		l.Event(logtest.TypeTableMap, logtest.Table{ID: 100, Schema: strings.Repeat("庫", n), Name: strings.Repeat("測", n), Columns: []logtest.Column{logtest.Col(1)}}.Body())
		insert(l, 100, 1, logtest.Hex("00 05"))
		checkEvents(t, "97 long names", dumpLog(t, l.Bytes()), "FORMAT_DESCRIPTION_EVENT TABLE_MAP_EVENT WRITE_ROWS_EVENT", []want{
			{1, []any{"data", "schema"}, quote(strings.Repeat("庫", n))}, {2, []any{"data", "table"}, quote(strings.Repeat("測", n))}, {2, []any{"data", "rows"}, `[{"after":{"@1":5}}]`}})
	}
}

// Columns that a table has and the definition of it does not show.
func TestTrapHiddenColumns(t *testing.T) {
	for _, c := range []struct {
		name, types, meta, optional string
		after                       byte
		values, want                string
	}{
		{"85 an invisible column has values", "0303", "", "0c 01 80 01 01 00", 3, "01000000 02000000", `1 | 2`},
		{"86 a multi-valued index, not in the image", "0314", "08", "", 1, "07000000", `7`},
		{"86 one of texts", "0314", "0f000100", "", 1, "07000000", `7`},
		{"86 one of texts, its length cut to two bytes", "0314", "0f0001", "", 1, "07000000", `7`},
		{"86 one of decimals, and a column behind it", "0314 0f", "f60a02 0a00", "", 5, "07000000 0161", `7 | "a"`},
		{"86 times and dates", "03 14 14 14", "1306 1206 0e", "", 1, "07000000", `7`},
		{"87 the other type number, surplus metadata", "03f4", "0800", "", 1, "07000000", `7`},
		{"87 surplus metadata", "0314", "08000000", "", 1, "07000000", `7`},
		{"87 surplus metadata, and signs behind it", "0314", "0800", "01 01 80", 1, "ffffffff", `4294967295`},
		{"88 the column of a functional index is in the image", "08 01 0f 11 0a", "8000 00", "0c 01 f0", 31, "0100000000000000 02 0161 65e11a7e 5dd00f", `1 | 2 | "a" | "2024-02-29 23:59:58" | "2024-02-29"`},
		{"88 a hash column of MariaDB is not", "03 fc 08", "04", "", 3, "01000000 0100000061", `1 | "a"`},
		{"89 the two columns of system versioning", "03 11 11", "0606", "", 7, "01000000 65e11a7e01e240 7fffffff0f423f", `1 | "2024-02-29 23:59:58.123456" | "2038-01-19 03:14:07.999999"`},
	} {
		for _, server := range []logtest.Server{logtest.MySQL8040, logtest.MariaDB105} {
			l := logtest.New(server, logtest.CRC32)
			types := logtest.Hex(c.types)
			l.Event(logtest.TypeTableMap, rawTable(100, types, logtest.Hex(c.meta), logtest.Hex(c.optional)).Body())
			typ := byte(logtest.TypeWriteRowsV1)
			if server.V2() {
				typ = logtest.TypeWriteRows
			}
			l.Event(typ, logtest.Rows{ID: 100, Flags: logtest.StmtEnd, V2: server.V2(), Width: len(types), After: []byte{c.after}, Data: logtest.Hex("00" + c.values)}.Body())
			rows := dumpLog(t, l.Bytes())
			if got, problems := cellsOf(rows[2]); got != c.want || problems != "" || rows[1].m["problems"] != nil {
				t.Errorf("%s, %s: %s %s %s, want %s", c.name, server.Name, got, problems, plain(rows[1].m["problems"]), c.want)
			}
		}
	}
}

// Metadata shorter than the types need is a fault of the table map at that column, and reads nothing beyond.
func TestTrapShortMetadata(t *testing.T) {
	for _, c := range []struct{ types, meta, path string }{
		{"0f0f", "0a00", "metadata[1]"}, {"0f0f", "0a000a", "metadata[1]"}, {"fc", "", "metadata[0]"}, {"03f610", "0502 01", "metadata[2]"}, {"0314", "", "metadata[1]"}, {"03fe", "fe", "metadata[1]"},
	} {
		l := oneRow(logtest.MySQL8040, logtest.Hex(c.types), logtest.Hex(c.meta), nil, nil, logtest.Hex("0161 0162"))
		rows := dumpLog(t, l.Event(logtest.TypeXid, logtest.U64(5)).Bytes())
		if got := get(rows[1], "problems", 0); text(get(got, "path")) != c.path || text(get(got, "kind")) != "truncated" {
			t.Errorf("91: types %s, metadata %s: %s", c.types, c.meta, plain(got))
		}
		if cells, problems := cellsOf(rows[2]); cells != "" || problems == "" || number(get(rows[3], "data", "xid")) != 5 {
			t.Errorf("91: types %s, metadata %s: rows %s, %s", c.types, c.meta, cells, problems)
		}
	}
}

// What the optional metadata says of a column stays with it, whichever columns are in the image.
func TestTrapMetadataOfAbsentColumns(t *testing.T) {
	columns := []logtest.Column{logtest.Col(1), logtest.Col(15, 10, 0), logtest.Col(254, 0xf7, 1), logtest.Col(1), logtest.Col(254, 0xfe, 4), logtest.Col(254, 0xf7, 1), logtest.Col(15, 10, 0)}
	optional := logtest.Cat(logtest.TLV(1, logtest.Hex("80")), logtest.TLV(3, logtest.Hex("08 3f 1c")), logtest.TLV(6, logtest.Labels("a1", "a2"), logtest.Labels("b1", "b2")), logtest.TLV(8, logtest.Hex("03")))
	cells := []string{"ff", "02 9192", "02", "ff", "01 61", "01", "04 b2e2cad4"}
	want := []string{`255`, `"‘’"`, `"a2"`, `-1`, `{"hex":"61000000"}`, `"b1"`, `"测试"`}
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	l.Event(logtest.TypeTableMap, logtest.Table{ID: 100, Schema: "d", Name: "t", Columns: columns, Optional: optional}.Body())
	var wants []string
	for present := 1; present < 128; present++ {
		var image [][]byte
		var list []string
		for i, c := range cells {
			if present>>i&1 == 0 {
				continue
			}
			if (present+i)%5 == 0 { // some are NULL
				image, list = append(image, nil), append(list, fmt.Sprintf(`"@%d":null`, i+1))
				continue
			}
			image, list = append(image, logtest.Hex(c)), append(list, fmt.Sprintf(`"@%d":%s`, i+1, want[i]))
		}
		l.Event(logtest.TypeWriteRows, logtest.Rows{ID: 100, V2: true, Width: 7, After: []byte{byte(present)}, Data: logtest.Image(image...)}.Body())
		wants = append(wants, `[{"after":{`+strings.Join(list, ",")+`}}]`)
	}
	for i, r := range dumpLog(t, l.Bytes())[2:] {
		if got := plain(get(r, "data", "rows")); got != wants[i] || r.m["problems"] != nil {
			t.Errorf("90, 93: columns %07b: %s %s\nwant %s", i+1, got, plain(r.m["problems"]), wants[i])
		}
	}
}

// A primary key over the beginning of a text.
func TestTrapPrefixKey(t *testing.T) {
	l := oneRow(logtest.MySQL8040, []byte{252, 3}, []byte{2}, logtest.Hex("01 01 00 02 01 2d 09 04 00 0a 01 00"), nil, logtest.Hex("0100 61 05000000"))
	rows := dumpLog(t, l.Bytes())
	if got := plain(get(rows[1], "data", "optional_metadata", "primary_key_with_prefix", "columns")); got != `[{"column":0,"prefix":10},{"column":1,"prefix":0}]` {
		t.Errorf("92: %s", got)
	}
	if got, problems := cellsOf(rows[2]); got != `"a" | 5` || problems != "" {
		t.Errorf("92: %s %s", got, problems)
	}
}

// Maps hold for all row events of the statement, whatever stands between: one map and many events, several maps first,
// an event sent by a source, a heartbeat, a format description again.
func TestTrapMapsInForce(t *testing.T) {
	tableMap := func(l *logtest.Log, id uint64, name string, typ byte) {
		l.Event(logtest.TypeTableMap, logtest.Table{ID: id, Schema: "d", Name: name, Columns: []logtest.Column{logtest.Col(typ)}}.Body())
	}
	add := func(l *logtest.Log, id uint64, flags uint16, cell string) {
		l.Event(logtest.TypeWriteRows, logtest.Rows{ID: id, Flags: flags, V2: true, Width: 1, After: []byte{1}, Data: logtest.Hex("00" + cell)}.Body())
	}
	for _, c := range []struct {
		name  string
		write func(l *logtest.Log)
		want  string
	}{
		{"94 one map, three events", func(l *logtest.Log) {
			tableMap(l, 1, "a", 1)
			add(l, 1, 0, "01")
			add(l, 1, 0, "02")
			add(l, 1, 1, "03")
		}, "a 1, a 2, a 3"},
		{"94 two maps, four events in turn", func(l *logtest.Log) {
			tableMap(l, 1, "a", 1)
			tableMap(l, 2, "b", 2)
			add(l, 1, 0, "01")
			add(l, 2, 0, "0002")
			add(l, 1, 0, "03")
			add(l, 2, 1, "0004")
		}, "a 1, b 512, a 3, b 1024"},
		{"94 the same id stands for another table later", func(l *logtest.Log) {
			tableMap(l, 1, "a", 1)
			add(l, 1, 1, "01")
			tableMap(l, 1, "b", 2)
			add(l, 1, 1, "0002")
			tableMap(l, 1, "a", 1)
			add(l, 1, 1, "03")
		}, "a 1, b 512, a 3"},
		{"95 a rotate that a source sends, between map and rows", func(l *logtest.Log) {
			tableMap(l, 1, "a", 1)
			l.EventFlags(logtest.TypeRotate, logtest.FlagArtificial, l.Rotate(4, "bin.000002"))
			add(l, 1, 1, "01")
		}, "a 1"},
		{"95 heartbeats", func(l *logtest.Log) {
			tableMap(l, 1, "a", 1)
			l.EventFlags(logtest.TypeHeartbeat, logtest.FlagArtificial, []byte("bin.000001"))
			add(l, 1, 0, "01")
			l.EventFlags(logtest.TypeHeartbeatV2, logtest.FlagArtificial, logtest.HeartbeatV2("bin.000001", 4711))
			add(l, 1, 1, "02")
		}, "a 1, a 2"},
		{"95 a rows query and an unknown event", func(l *logtest.Log) {
			tableMap(l, 1, "a", 1)
			l.EventFlags(logtest.TypeRowsQuery, logtest.FlagIgnorable, logtest.RowsQuery("INSERT"))
			l.EventFlags(100, logtest.FlagIgnorable, []byte("aurora"))
			add(l, 1, 1, "01")
		}, "a 1"},
	} {
		l := logtest.New(logtest.MySQL8040, logtest.CRC32)
		c.write(l)
		var got []string
		for _, r := range dumpLog(t, l.Bytes()) {
			if isRows(text(r.m["type"])) {
				cells, problems := cellsOf(r)
				got = append(got, text(get(r, "data", "table"))+" "+cells+problems)
			}
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
	// Rows whose id no map has are listed, with their bytes and their problem.
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	add(l, 9, 1, "01")
	row := dumpLog(t, l.Bytes())[1]
	if _, problems := cellsOf(row); problems != "unsupported: no TABLE_MAP_EVENT before it has table id 9" {
		t.Errorf("95 no map: %s", problems)
	}
}
