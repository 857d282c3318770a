package render

import (
	"binlens/decoder"
	"binlens/decoder/internal/logtest"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// What is not in an image has no key; NULL is null.
func TestAbsentIsNotNull(t *testing.T) {
	columns := []logtest.Column{logtest.Col(1), logtest.Col(1), logtest.Col(1)}
	table := logtest.Table{Schema: "d", Name: "t", Columns: columns}
	bits := func(b ...bool) []byte { return logtest.BitsLSB(b...) }
	one, two := []byte{1}, []byte{2}
	for _, c := range []struct {
		name string
		typ  byte
		rows logtest.Rows
		want string
	}{
		{"INSERT of one column", logtest.TypeWriteRows, logtest.Rows{After: bits(false, true, false), Data: logtest.Image(one)}, `[{"after":{"@2":1}}]`},
		{"INSERT with a NULL", logtest.TypeWriteRows, logtest.Rows{After: bits(true, false, true), Data: logtest.Image(one, nil)}, `[{"after":{"@1":1,"@3":null}}]`},
		{"DELETE by key", logtest.TypeDeleteRows, logtest.Rows{Before: bits(true, false, false), Data: logtest.Image(one)}, `[{"before":{"@1":1}}]`},
		{"UPDATE, MINIMAL", logtest.TypeUpdateRows, logtest.Rows{Before: bits(true, false, false), After: bits(false, false, true),
			Data: logtest.Cat(logtest.Image(one), logtest.Image(two))}, `[{"before":{"@1":1},"after":{"@3":2}}]`},
		{"UPDATE to NULL", logtest.TypeUpdateRows, logtest.Rows{Before: bits(true, false, false), After: bits(false, false, true),
			Data: logtest.Cat(logtest.Image(one), logtest.Image(nil))}, `[{"before":{"@1":1},"after":{"@3":null}}]`},
		{"UPDATE of nothing", logtest.TypeUpdateRows, logtest.Rows{Before: bits(true, false, false), After: bits(false, false, false),
			Data: logtest.Image(one)}, `[{"before":{"@1":1},"after":{}}]`},
		{"two rows", logtest.TypeWriteRows, logtest.Rows{After: bits(true, false, false), Data: logtest.Cat(logtest.Image(one), logtest.Image(nil))},
			`[{"after":{"@1":1}},{"after":{"@1":null}}]`},
		{"no rows", logtest.TypeWriteRows, logtest.Rows{After: bits(true, false, false)}, `[]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.rows.Width = 3
			e := rowsOf(t, logtest.MySQL8040, table, c.typ, c.rows)
			var v struct {
				Data struct{ Rows json.RawMessage }
			}
			if err := json.Unmarshal(e.AppendJSON(nil), &v); err != nil || string(v.Data.Rows) != c.want {
				t.Errorf("%s, %v; want %s", v.Data.Rows, err, c.want)
			}
			if p := e.Problems(); p != nil {
				t.Errorf("problems %+v", p)
			}
		})
	}
}

// rowPage is what the page gets.
type rowPage struct {
	From, Total int
	Rows        []struct {
		Index, Start, End int
		Before, After     []*struct {
			Path, Value, Kind, Problem string
			Start, End                 int
		}
	}
	Problem *struct{ Kind, Path, Reason string }
}

func pageOf(t *testing.T, e *Event, from, n int) (p rowPage) {
	t.Helper()
	b := e.AppendRowPage(nil, from, n)
	if err := json.Unmarshal(b, &p); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	return p
}

// tenRows is an update of ten rows of an INT and a VARCHAR, of which the before image has only the first. Row i takes
// 1+4 and 1+4+1+i bytes.
func tenRows(t *testing.T, mend func(data []byte) []byte) *Event {
	var data []byte
	for i := range 10 {
		data = logtest.Cat(data, logtest.Image(logtest.U32(uint32(i))), logtest.Image(logtest.U32(uint32(100+i)), logtest.Text8(strings.Repeat("x", i))))
	}
	if mend != nil {
		data = mend(data)
	}
	table := logtest.Table{Schema: "d", Name: "t", Columns: []logtest.Column{logtest.Col(3), logtest.Col(15, 20, 0)}}
	return rowsOf(t, logtest.MySQL8040, table, logtest.TypeUpdateRows,
		logtest.Rows{Width: 2, Before: logtest.BitsLSB(true, false), After: logtest.All(2), Data: data})
}

func TestRowPages(t *testing.T) {
	e := tenRows(t, nil)
	for _, c := range []struct{ from, n, first, rows int }{
		{0, 10, 0, 10}, {0, 3, 0, 3}, {4, 2, 4, 2}, {9, 5, 9, 1}, {10, 5, 0, 0}, {100, 5, 0, 0}, {0, 0, 0, 0}, {-5, 3, 0, 0}, {-1, 3, 0, 2},
	} {
		p := pageOf(t, e, c.from, c.n)
		if p.From != c.from || p.Total != 10 || len(p.Rows) != c.rows || p.Problem != nil {
			t.Errorf("rows %d to %d: from %d, %d rows of %d, %v", c.from, c.from+c.n, p.From, len(p.Rows), p.Total, p.Problem)
			continue
		}
		for k, r := range p.Rows {
			if r.Index != c.first+k {
				t.Errorf("rows %d to %d: entry %d is row %d", c.from, c.from+c.n, k, r.Index)
			}
		}
	}
	start := 0
	for i, r := range pageOf(t, e, 0, 10).Rows {
		if start == 0 {
			start = r.Start
		}
		if r.Start != start || r.End-r.Start != 11+i {
			t.Errorf("row %d is %d to %d, want %d to %d", i, r.Start, r.End, start, start+11+i)
		}
		start = r.End
		b, a := r.Before, r.After
		if len(b) != 2 || b[1] != nil || len(a) != 2 {
			t.Fatalf("row %d: %d cells before, %d after", i, len(b), len(a))
		}
		for _, cell := range []struct{ got, want any }{
			{*b[0], cellOf(fmt.Sprintf("rows[%d].before.@1", i), fmt.Sprint(i), "number", r.Start+1, r.Start+5)},
			{*a[0], cellOf(fmt.Sprintf("rows[%d].after.@1", i), fmt.Sprint(100+i), "number", r.Start+6, r.Start+10)},
			{*a[1], cellOf(fmt.Sprintf("rows[%d].after.@2", i), strings.Repeat("x", i), "text", r.Start+10, r.End)},
		} {
			if !reflect.DeepEqual(cell.got, cell.want) {
				t.Errorf("row %d: cell %+v, want %+v", i, cell.got, cell.want)
			}
		}
	}
	if start != len(e.Raw)-4 {
		t.Errorf("the rows end at %d, the checksum starts at %d", start, len(e.Raw)-4)
	}
}

func cellOf(path, value, kind string, start, end int) any {
	return struct {
		Path, Value, Kind, Problem string
		Start, End                 int
	}{path, value, kind, "", start, end}
}

// A row that cannot be read ends the list: the rows before it are there, and the problem names it.
func TestBadRowInTheMiddle(t *testing.T) {
	at := 0
	for i := range 4 {
		at += 11 + i
	}
	e := tenRows(t, func(data []byte) []byte { // row 4 claims a text of 200 bytes
		data[at+10] = 200
		return data
	})
	for _, c := range []struct{ from, n, rows int }{{0, 10, 4}, {2, 2, 2}, {3, 5, 1}, {4, 1, 0}, {7, 1, 0}} {
		p := pageOf(t, e, c.from, c.n)
		if p.Total != 4 || len(p.Rows) != c.rows || p.Problem == nil || p.Problem.Kind != "truncated" || p.Problem.Path != "rows[4].after.@2" ||
			!strings.HasPrefix(p.Problem.Reason, "row 5 ends inside column 2 ") {
			t.Errorf("rows %d to %d: %d of %d, problem %+v", c.from, c.from+c.n, len(p.Rows), p.Total, p.Problem)
		}
	}
	r := resultOf(t, e)
	if len(r.Data.Rows) != 4 || len(r.Problems) != 1 || r.Problems[0].Path != "rows[4].after.@2" {
		t.Errorf("the event JSON has %d rows, problems %+v", len(r.Data.Rows), r.Problems)
	}
	if n, bad := e.CountRows(new(decoder.RowReader)); n != 4 || bad == nil {
		t.Errorf("%d rows counted, %v", n, bad)
	}
}

// Rows without their table map: no rows, one problem.
func TestRowsWithoutTableMap(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	l.Event(logtest.TypeWriteRows, logtest.Rows{ID: 9, V2: true, Width: 1, After: logtest.All(1), Data: logtest.Image([]byte{1})}.Body())
	e := decodeAt(t, l, 1, nil)
	r := resultOf(t, e)
	if len(r.Data.Rows) != 0 || len(r.Problems) != 1 || r.Problems[0].Kind != "unsupported" || !strings.Contains(r.Problems[0].Reason, "table id 9") {
		t.Errorf("%+v", r)
	}
	if p := pageOf(t, e, 0, 10); p.Total != 0 || len(p.Rows) != 0 || p.Problem == nil {
		t.Errorf("%+v", p)
	}
	if got := string(e.AppendSummary(nil)); got != "table id 9" {
		t.Errorf("summary %q", got)
	}
	// What is no row event has no rows.
	l.Event(logtest.TypeXid, logtest.U64(1))
	if p := pageOf(t, decodeAt(t, l, 2, nil), 0, 10); p.Total != 0 || len(p.Rows) != 0 || p.Problem != nil {
		t.Errorf("%+v", p)
	}
}

// The page shows every cell as text and says of what kind it is.
func TestShownCells(t *testing.T) {
	for _, c := range []struct {
		column      logtest.Column
		optional    []byte
		value       []byte
		shown, kind string
		problem     string
	}{
		{logtest.Col(3), nil, nil, "NULL", "null", ""},
		{logtest.Col(15, 10, 0), charsets(utf8mb4), logtest.Text8("NULL"), "NULL", "text", ""},
		{logtest.Col(8), nil, hexBytes("ffffffffffffff7f"), "9223372036854775807", "number", ""},
		{logtest.Col(3), nil, hexBytes("07000000"), "7", "number", ""},
		{logtest.Col(246, 5, 2), nil, hexBytes("7ffffe"), "-0.01", "number", ""},
		{logtest.Col(13), nil, hexBytes("00"), "0000", "number", ""},
		{logtest.Col(10), nil, hexBytes("5dd00f"), "2024-02-29", "time", ""},
		{logtest.Col(17, 0), nil, hexBytes("65e11a7e"), "2024-02-29 23:59:58", "time", ""},
		{logtest.Col(16, 3, 0), nil, hexBytes("04"), "b'100'", "bit", ""},
		{logtest.Col(252, 1), charsets(bytesOnly), hexBytes("02 7b22"), "7b22", "hex", ""},
		{logtest.Col(252, 1), charsets(bytesOnly), hexBytes("00"), "", "hex", ""},
		{logtest.Col(252, 1), charsets(utf8mb4), logtest.Text8(`{"hex":"00"}`), `{"hex":"00"}`, "text", ""},
		{logtest.Col(252, 1), charsets(utf8mb4), logtest.Text8("\xff"), "ff", "hex", "no character of utf8mb4"},
		{logtest.Col(242, 4), nil, hexBytes("04000000 0000803f"), "[1]", "json", ""},
	} {
		p := pageOf(t, insert(t, logtest.MySQL8040, c.optional, []logtest.Column{c.column}, c.value), 0, 1)
		cell := p.Rows[0].After[0]
		if cell.Value != c.shown || cell.Kind != c.kind || !strings.Contains(cell.Problem, c.problem) || (c.problem == "") != (cell.Problem == "") {
			t.Errorf("%x of type %d is %+v, want %s %q %q", c.value, c.column.Type, *cell, c.kind, c.shown, c.problem)
		}
	}
}
