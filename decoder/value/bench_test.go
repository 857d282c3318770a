package value

import (
	"testing"
	"unsafe"

	"binlens/decoder/wire"
)

type benchColumn struct {
	typ      Type
	meta     uint16
	unsigned bool
	cell     string
}

// A row such as web shops have it: 20 columns, 123 bytes.
var orderRow = []benchColumn{
	{LongLong, 0, true, "\x15\xcd\x5b\x07\x00\x00\x00\x00"},
	{Long, 0, false, "\x40\xe2\x01\x00"},
	{Long, 0, true, "\xff\xff\xff\xff"},
	{Tiny, 0, false, "\x01"},
	{Tiny, 0, false, "\x00"},
	{Short, 0, false, "\x0a\x00"},
	{Varchar, 400, false, "\x0c\x00Ada Lovelace"},
	{Varchar, 200, false, "\x10ada@example.com."},
	{String, 8, false, "\x02DE"},
	{NewDecimal, 10<<8 | 2, false, "\x80\x00\x04\xd2\x38"},
	{NewDecimal, 10<<8 | 2, false, "\x7f\xff\xff\xf4\x9d"},
	{Datetime2, 6, false, "\x99\xb2\xbb\x7e\xfa\x01\xe2\x40"},
	{Timestamp2, 0, false, "\x65\xe1\x1a\x7e"},
	{Timestamp2, 3, false, "\x65\xe1\x1a\x7e\x04\xce"},
	{Date, 0, false, "\x5d\xd0\x0f"},
	{Double, 8, false, "\x3d\x0a\xd7\xa3\x70\x3d\x12\x40"},
	{Enum, 1, false, "\x02"},
	{Set, 2, false, "\x05\x00"},
	{Bit, 1, false, "\x01"},
	{Blob, 2, false, "\x10\x00a note, of sorts"},
}

// Few wide cells: what the splitting costs beside them is small.
var textRow = []benchColumn{
	{LongLong, 0, true, "\x15\xcd\x5b\x07\x00\x00\x00\x00"},
	{Varchar, 400, false, "\x40\x000123456789012345678901234567890123456789012345678901234567890123"},
	{Varchar, 400, false, "\x40\x000123456789012345678901234567890123456789012345678901234567890123"},
}

func benchEvent(row []benchColumn) []byte {
	event := make([]byte, 19)
	for range 64 {
		for _, col := range row {
			event = append(event, col.cell...)
		}
	}
	return event
}

func readRows(b testing.TB, event []byte, row []benchColumn, cells []Value) {
	var layouts [32]Layout
	var nulls [4]byte
	for i := range row {
		layouts[i] = LayoutOf(row[i].typ, row[i].meta)
		layouts[i].Column = uint16(i)
	}
	c := wire.NewCursor(event[19:], 19, nil)
	for c.Len() > 0 {
		ReadCells(&c, layouts[:len(row)], nulls[:], cells)
	}
	if !c.OK() {
		b.Fatal(c.Err())
	}
}

func benchmarkRead(b *testing.B, row []benchColumn) {
	event := benchEvent(row)
	cells := make([]Value, len(row))
	b.SetBytes(int64(len(event) - 19))
	b.ReportAllocs()
	for b.Loop() {
		readRows(b, event, row, cells)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/64/float64(len(row)), "ns/cell")
}

func BenchmarkReadOrder(b *testing.B) { benchmarkRead(b, orderRow) }
func BenchmarkReadText(b *testing.B)  { benchmarkRead(b, textRow) }

func BenchmarkAppendText(b *testing.B) {
	for _, bm := range []struct {
		name string
		col  benchColumn
	}{
		{"int", benchColumn{Long, 0, false, "\x40\xe2\x01\x00"}},
		{"decimal", benchColumn{NewDecimal, 14<<8 | 4, false, "\x81\x0d\xfb\x38\xd2\x04\xd2"}},
		{"double", benchColumn{Double, 8, false, "\x3d\x0a\xd7\xa3\x70\x3d\x12\x40"}},
		{"datetime6", benchColumn{Datetime2, 6, false, "\x99\xb2\xbb\x7e\xfa\x01\xe2\x40"}},
		{"timestamp", benchColumn{Timestamp2, 0, false, "\x65\xe1\x1a\x7e"}},
		{"time6", benchColumn{Time2, 6, false, "\x7f\x37\x47\xf3\xf5\xec"}},
	} {
		b.Run(bm.name, func(b *testing.B) {
			event, v := readAll(b, bm.col.typ, bm.col.meta, []byte(bm.col.cell))
			event = append(event, "the next cell"...)
			dst := make([]byte, 0, 128)
			b.ReportAllocs()
			for b.Loop() {
				dst = AppendText(dst[:0], event, bm.col.meta, bm.col.unsigned, &v)
			}
		})
	}
}

// Rows are kept as slices of Value: it must stay small.
func TestValueSize(t *testing.T) {
	if n := unsafe.Sizeof(Value{}); n != 24 {
		t.Errorf("a Value has %d bytes, want 24", n)
	}
}

func TestNoAllocation(t *testing.T) {
	event := benchEvent(orderRow)
	cells := make([]Value, len(orderRow))
	if n := testing.AllocsPerRun(100, func() { readRows(t, event, orderRow, cells) }); n != 0 {
		t.Errorf("reading rows allocates %v times", n)
	}
	hires := append(make([]byte, 19), "\x01\x02\x7a\xc7\x05\x58\x9d\xc0\x02\xb4\xb1\xf8\x55\xec"...)
	more := make([]Value, 2)
	if n := testing.AllocsPerRun(100, func() {
		c := wire.NewCursor(hires[19:], 19, nil)
		Read(&c, Datetime, 6, &more[0])
		Read(&c, Time, 6, &more[1])
	}); n != 0 {
		t.Errorf("reading MariaDB's old types allocates %v times", n)
	}
	dst := make([]byte, 0, 1024)
	if n := testing.AllocsPerRun(100, func() {
		dst = dst[:0]
		for i := range cells {
			dst = AppendText(dst, event, orderRow[i].meta, orderRow[i].unsigned, &cells[i])
			Doubt(event, orderRow[i].meta, &cells[i])
		}
		dst = AppendText(dst, hires, 6, false, &more[0])
		dst = AppendText(dst, hires, 6, false, &more[1])
		dst = AppendTypeName(dst, NewDecimal, 10<<8|2, Traits{Unsigned: true})
	}); n != 0 {
		t.Errorf("printing cells allocates %v times", n)
	}
}
