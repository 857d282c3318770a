package value

import (
	"testing"

	"binlens/decoder/wire"
)

// FuzzRead reads any bytes as a cell of any type: it must stay inside its bytes, agree with FixedLen, and print a bounded
// text for what it has read.
func FuzzRead(f *testing.F) {
	for _, seed := range []struct {
		typ  Type
		meta uint16
		cell string
	}{
		{Long, 0, "\x01\x02\x03\x04"},
		{NewDecimal, 14<<8 | 4, "\x81\x0d\xfb\x38\xd2\x04\xd2"},
		{NewDecimal, 65<<8 | 30, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"},
		{Time2, 6, "\x7f\x37\x47\xf3\xf5\xec"},
		{Time2, 2, "\x00\x00\x00\x00"},
		{Datetime2, 6, "\x00\x00\x00\x00\x00\x00\x00\x00"},
		{Timestamp2, 3, "\x65\xe1\x1a\x7e\x01\xe2"},
		{Datetime, 0, "\xff\xff\xff\xff\xff\xff\xff\xff"},
		{Datetime, 6, "\x01\x02\x7a\xc7\x05\x58\x9d\xc0"},
		{Time, 6, "\x02\xb4\xb1\xf8\x55\xec"},
		{Bit, 1<<8 | 2, "\x02\x01"},
		{Bit, 0xff07, "\x02\x01"},
		{Set, 8, "\x01\x00\x00\x00\x00\x00\x00\x80"},
		{Varchar, 256, "\x01\x00a"},
		{Blob, 4, "\xff\xff\xff\xff"},
		{JSON, 4, "\x00\x00\x00\x00"},
		{TypedArray, 8, "\x01\x00\x00\x00\x04"},
		{Double, 8, "\x01\x00\x00\x00\x00\x00\x00\x80"},
		{String, 0xee2c, "\x01a"},
	} {
		f.Add(uint8(seed.typ), seed.meta, []byte(seed.cell))
	}
	f.Fuzz(func(t *testing.T, code uint8, meta uint16, cell []byte) {
		const base = 19
		typ := Type(code)
		event := append(make([]byte, base), cell...)

		mc := wire.NewCursor(cell, 0, nil)
		if m := ReadMeta(&mc, typ); !mc.OK() && m != 0 && typ != TypedArray {
			t.Errorf("ReadMeta(%s) failed and says %#x", typ, m)
		}
		AppendTypeName(nil, typ, meta, Traits{CharLen: int(code % 5)})
		if typ == String {
			typ, meta = Resolve(typ, meta)
		}

		var v Value
		c := wire.NewCursor(event[base:], base, nil)
		Read(&c, typ, meta, &v)
		if v.Off != base || v.End < v.Off || int(v.End) > len(event) || int(v.End) != c.EventPos() {
			t.Fatalf("the cell is [%d,%d) of [%d,%d), read to %d", v.Off, v.End, base, len(event), c.EventPos())
		}
		n, fixed := FixedLen(typ, meta)
		if fixed && c.OK() && n != int(v.End-v.Off) {
			t.Errorf("FixedLen(%s, %#x) = %d; the cell has %d bytes", typ, meta, n, v.End-v.Off)
		}
		if !c.OK() && v.Kind != KindNone || c.OK() && v.Kind == KindNone {
			t.Errorf("kind %d after %v", v.Kind, c.Err())
		}
		data := Bytes(event, &v)
		if v.Kind >= KindBytes && (data == nil || v.Bits < uint64(v.Off) || v.Bits+uint64(len(data)) != uint64(v.End)) {
			t.Errorf("data at %d, %d bytes; the cell is [%d,%d)", v.Bits, len(data), v.Off, v.End)
		}
		for _, m := range []uint16{meta, 0, 0xffff} { // also with metadata the cell was not read with
			for _, unsigned := range []bool{false, true} {
				if text := AppendText(nil, event, m, unsigned, &v); len(text) > 128 {
					t.Errorf("a text of %d bytes: %s", len(text), text)
				}
			}
			Doubt(event, m, &v)
		}
	})
}
