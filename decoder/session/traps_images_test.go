package session_test

import (
	"binlens/decoder/internal/logtest"
	"fmt"
	"strings"
	"testing"
)

// updateLog is an update of a table of TINYINTs, given the present bitmaps in hexadecimal.
func updateLog(width int, before, after string, data []byte) *logtest.Log {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	l.Event(logtest.TypeTableMap, rawTable(100, bytesOf(1, width), nil, nil).Body())
	return l.Event(logtest.TypeUpdateRows, logtest.Rows{ID: 100, Flags: logtest.StmtEnd, V2: true, Width: width,
		Before: logtest.Hex(before), After: logtest.Hex(after), Data: data}.Body())
}

// Null bits count the columns of the image, not those of the table; a column that is not in the image has no key.
func TestTrapImages(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		width               int
		data, want          string
	}{
		{"99 one column of ten before, another after", "0100", "0002", 10, "00 01 00 63", `[{"before":{"@1":1},"after":{"@10":99}}]`},
		{"99 nine of ten have two bytes of null bits", "0100", "ff01", 10, "00 01 8000 01 02 03 04 05 06 07 09",
			`[{"before":{"@1":1},"after":{"@1":1,"@2":2,"@3":3,"@4":4,"@5":5,"@6":6,"@7":7,"@8":null,"@9":9}}]`},
		{"99 eight of ten have one", "0100", "fc03", 10, "00 01 80 03 04 05 06 07 08 09", `[{"before":{"@1":1},"after":{"@3":3,"@4":4,"@5":5,"@6":6,"@7":7,"@8":8,"@9":9,"@10":null}}]`},
		{"99 two rows", "0100", "0002", 10, "00 01 00 63 00 02 01", `[{"before":{"@1":1},"after":{"@10":99}},{"before":{"@1":2},"after":{"@10":null}}]`},
		{"102 absent, NULL, and a value", "07", "05", 3, "02 01 03 01 04", `[{"before":{"@1":1,"@2":null,"@3":3},"after":{"@1":null,"@3":4}}]`},
		{"102 nothing after", "01", "00", 3, "00 01 00 02", `[{"before":{"@1":1},"after":{}},{"before":{"@1":2},"after":{}}]`},
	} {
		row := dumpLog(t, updateLog(c.width, c.before, c.after, logtest.Hex(c.data)).Bytes())[2]
		if got := plain(get(row, "data", "rows")); got != c.want || row.m["problems"] != nil {
			t.Errorf("%s: %s %s\nwant %s", c.name, got, plain(row.m["problems"]), c.want)
		}
	}
}

// Rows of only NULL take their null bits and nothing else: the last of them counts.
func TestTrapRowsOfNull(t *testing.T) {
	for width := 1; width <= 20; width++ {
		for rows := 1; rows <= 3; rows++ {
			images := [][]byte{logtest.Cat(make([]byte, (width+7)/8), bytesOf(5, width))}
			for range rows {
				images = append(images, logtest.Image(make([][]byte, width)...))
			}
			m := rawTable(100, bytesOf(1, width), nil, nil)
			row := dumpLog(t, rowsOf(logtest.MySQL8040, m, images...).Bytes())[2]
			got, problems := cellsOf(row)
			if want := strings.Repeat("5 | ", width) + strings.Repeat("null | ", width*rows); got+" | " != want || problems != "" {
				t.Errorf("100: %d rows of %d columns: %s %s", rows, width, got, problems)
			}
		}
	}
}

// An INSERT of only defaults has no columns in a minimal image, and no bytes: nothing is wrong with it.
func TestTrapNoColumns(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	l.Event(logtest.TypeTableMap, rawTable(100, []byte{3, 1}, nil, nil).Body())
	l.Event(logtest.TypeWriteRows, logtest.Rows{ID: 100, Flags: logtest.StmtEnd, V2: true, Width: 2, After: []byte{0}}.Body())
	insert(l, 100, 2, logtest.Hex("00 05000000 07"))
	rows := dumpLog(t, l.Bytes())
	if got := plain(get(rows[2], "data", "rows")); got != "[]" || rows[2].m["problems"] != nil {
		t.Errorf("101: %s %s", got, plain(rows[2].m["problems"]))
	}
	if got, problems := cellsOf(rows[3]); got != "5 | 7" || problems != "" {
		t.Errorf("101: the event behind it: %s %s", got, problems)
	}
}

// What version 2 says in front of the columns: partitions, and bytes of NDB.
func TestTrapExtraInformation(t *testing.T) {
	for _, c := range []struct {
		name   string
		update bool
		extra  string
		want   string
	}{
		{"103 a partition", false, "01 0300", `[{"kind":1,"partition_id":3}]`},
		{"103 a row that moves to another", true, "01 0300 0700", `[{"kind":1,"partition_id":3,"source_partition_id":7}]`},
		{"104 NDB", false, "00 04 00 6162", `[{"kind":0,"length":4,"format":0,"data":{"hex":"6162"}}]`},
		{"104 NDB and a partition", true, "00 03 01 61 01 0300 0700", `[{"kind":0,"length":3,"format":1,"data":{"hex":"61"}},{"kind":1,"partition_id":3,"source_partition_id":7}]`},
		{"104 a kind that is not known", false, "09 0102", `[{"kind":9,"data":{"hex":"0102"}}]`},
	} {
		l := logtest.New(logtest.MySQL8040, logtest.CRC32)
		l.Event(logtest.TypeTableMap, rawTable(100, []byte{1}, nil, nil).Body())
		r := logtest.Rows{ID: 100, Flags: logtest.StmtEnd, V2: true, Extra: logtest.Hex(c.extra), Width: 1, After: []byte{1}, Data: logtest.Hex("00 05")}
		typ, want := byte(logtest.TypeWriteRows), "5"
		if c.update {
			r.Before, r.Data, typ, want = []byte{1}, logtest.Hex("00 04 00 05"), logtest.TypeUpdateRows, "4 | 5"
		}
		row := dumpLog(t, l.Event(typ, r.Body()).Bytes())[2]
		if got := plain(get(row, "data", "extra", "info")); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if got, problems := cellsOf(row); got != want || problems != "" {
			t.Errorf("%s: %s %s", c.name, got, problems)
		}
	}
}

// All flags of a row event are told, those that are not known as a number.
func TestTrapRowFlags(t *testing.T) {
	for flags, want := range map[uint16]string{
		0: `[]`, 1: `["STMT_END"]`, 2: `["NO_FOREIGN_KEY_CHECKS"]`, 4: `["RELAXED_UNIQUE_CHECKS"]`, 8: `["COMPLETE_ROWS"]`,
		15: `["STMT_END","NO_FOREIGN_KEY_CHECKS","RELAXED_UNIQUE_CHECKS","COMPLETE_ROWS"]`, 0x8001: `["STMT_END","0x8000"]`,
	} {
		l := logtest.New(logtest.MySQL8040, logtest.CRC32)
		l.Event(logtest.TypeTableMap, rawTable(100, []byte{1}, nil, nil).Body())
		l.Event(logtest.TypeWriteRows, logtest.Rows{ID: 100, Flags: flags, V2: true, Width: 1, After: []byte{1}, Data: logtest.Hex("00 05")}.Body())
		if got := plain(get(dumpLog(t, l.Bytes())[2], "data", "flags")); got != want {
			t.Errorf("105 flags %#x: %s, want %s", flags, got, want)
		}
	}
}

// Rows that do not end where their event does are a problem that says where; those before it are read.
func TestTrapRowsEnd(t *testing.T) {
	types, meta := []byte{3, 15, 1}, logtest.Hex("0a00")
	one, two := logtest.Hex("00 01000000 0161 05"), logtest.Hex("00 02000000 0162 06")
	whole := logtest.Cat(one, two)
	for n := 1; n < len(two); n++ {
		row := dumpLog(t, rowsOf(logtest.MySQL8040, rawTable(100, types, meta, nil), whole[:len(one)+n]).Bytes())[2]
		got, problems := cellsOf(row)
		if got != `1 | "a" | 5` || !strings.HasPrefix(problems, "truncated: row 2 ends inside column ") || !strings.Contains(text(get(row, "problems", 0, "path")), "rows[1].after.@") {
			t.Errorf("107: %d bytes of the second row: %s %s", n, got, problems)
		}
	}
	for n := 1; n <= 45; n++ { // each byte of ones is a row of only NULL
		l := rowsOf(logtest.MySQL8040, rawTable(100, types, meta, nil), whole, bytesOf(0xff, n))
		got, problems := cellsOf(dumpLog(t, l.Bytes())[2])
		if got != `1 | "a" | 5 | 2 | "b" | 6`+strings.Repeat(" | null", 3*n) || problems != "" {
			t.Errorf("107: %d bytes of null bits: %s %s", n, got, problems)
		}
	}
	// 45 bytes were left over in the report.
	for n := 1; n <= 45; n++ {
		l := rowsOf(logtest.MySQL8040, rawTable(100, types, meta, nil), whole, make([]byte, n))
		rows := dumpLog(t, l.Event(logtest.TypeXid, logtest.U64(5)).Bytes())
		got, problems := cellsOf(rows[2])
		full := n / 7 // 00 00000000 00 00: a row of 0, "", 0
		if left := n % 7; (problems == "") != (left == 0) || got != `1 | "a" | 5 | 2 | "b" | 6`+strings.Repeat(` | 0 | "" | 0`, full) || number(get(rows[3], "data", "xid")) != 5 {
			t.Errorf("107: %d zeros more: %s %s", n, got, problems)
		}
	}
}

// Rows of two tables in one statement, as triggers write them: each event has its own table, in the order of the log.
func TestTrapTriggers(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	var want []string
	for i, name := range []string{"a", "b"} {
		l.Event(logtest.TypeTableMap, logtest.Table{ID: uint64(i), Schema: "d", Name: name, Columns: []logtest.Column{logtest.Col(1)}}.Body())
	}
	for i := range 6 {
		flags := uint16(0)
		if i == 5 {
			flags = logtest.StmtEnd
		}
		cell := fmt.Sprintf("00 %02x", i)
		if i%2 == 0 {
			l.Event(logtest.TypeDeleteRows, logtest.Rows{ID: 0, Flags: flags, V2: true, Width: 1, Before: []byte{1}, Data: logtest.Hex(cell)}.Body())
			want = append(want, fmt.Sprintf(`a [{"before":{"@1":%d}}]`, i))
		} else {
			l.Event(logtest.TypeWriteRows, logtest.Rows{ID: 1, Flags: flags, V2: true, Width: 1, After: []byte{1}, Data: logtest.Hex(cell)}.Body())
			want = append(want, fmt.Sprintf(`b [{"after":{"@1":%d}}]`, i))
		}
	}
	for i, r := range dumpLog(t, l.Bytes())[3:] {
		if got := text(get(r, "data", "table")) + " " + plain(get(r, "data", "rows")); got != want[i] {
			t.Errorf("108: %s, want %s", got, want[i])
		}
	}
}
