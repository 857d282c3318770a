package wire

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestIntegers(t *testing.T) {
	for _, tt := range []struct {
		name string
		hex  string
		read func(*Cursor) uint64
		want uint64
	}{
		{"Uint8", "fe", func(c *Cursor) uint64 { return uint64(c.Uint8()) }, 0xfe},
		{"Uint16", "01 fe", func(c *Cursor) uint64 { return uint64(c.Uint16()) }, 0xfe01},
		{"Uint24", "01 02 fe", func(c *Cursor) uint64 { return uint64(c.Uint24()) }, 0xfe0201},
		{"Uint32", "01 02 03 fe", func(c *Cursor) uint64 { return uint64(c.Uint32()) }, 0xfe030201},
		{"Uint48", "01 02 03 04 05 fe", (*Cursor).Uint48, 0xfe0504030201},
		{"Uint64", "01 02 03 04 05 06 07 fe", (*Cursor).Uint64, 0xfe07060504030201},
		{"UintN(0)", "", func(c *Cursor) uint64 { return c.UintN(0) }, 0},
		{"UintN(1)", "fe", func(c *Cursor) uint64 { return c.UintN(1) }, 0xfe},
		{"UintN(5)", "01 02 03 04 fe", func(c *Cursor) uint64 { return c.UintN(5) }, 0xfe04030201},
		{"UintN(7)", "ff ff ff ff ff ff ff", func(c *Cursor) uint64 { return c.UintN(7) }, 1<<56 - 1},
		{"UintN(8)", "01 00 00 00 00 00 00 80", func(c *Cursor) uint64 { return c.UintN(8) }, 1<<63 | 1},
		{"UintBE(0)", "", func(c *Cursor) uint64 { return c.UintBE(0) }, 0},
		{"UintBE(3)", "fe 02 01", func(c *Cursor) uint64 { return c.UintBE(3) }, 0xfe0201},
		{"UintBE(8)", "80 00 00 00 00 00 00 01", func(c *Cursor) uint64 { return c.UintBE(8) }, 1<<63 | 1},
	} {
		b := unhex(t, tt.hex)
		c := NewCursor(append(b, 0x55), 0, nil)
		if got := tt.read(&c); got != tt.want || c.Err() != nil || c.Pos() != len(b) || c.Len() != 1 {
			t.Errorf("%s of % x = %#x, pos %d, %v; want %#x", tt.name, b, got, c.Pos(), c.Err(), tt.want)
		}
		for n := range len(b) { // cut: nothing is read, and the error counts from the value's first byte
			c := NewCursor(append([]byte{9}, b[:n]...), 0, nil)
			c.Uint8()
			got := tt.read(&c)
			bad := c.Fault()
			if got != 0 || bad == nil || bad.Kind != Truncated || bad.Offset != 1 || c.Pos() != 1 || c.Len() != 0 {
				t.Errorf("%s of % x = %#x, pos %d, %v; want Truncated at 1", tt.name, b[:n], got, c.Pos(), bad)
			}
		}
	}
}

func TestLenenc(t *testing.T) {
	for _, tt := range []struct {
		hex  string
		want uint64
	}{
		{"00", 0}, {"01", 1}, {"fa", 250},
		{"fc fb 00", 251}, {"fc ff ff", 65535}, {"fc 2c 01", 300},
		{"fd 00 00 01", 65536}, {"fd ff ff ff", 1<<24 - 1},
		{"fe 00 00 00 01 00 00 00 00", 1 << 24}, {"fe ff ff ff ff ff ff ff ff", 1<<64 - 1},
		{"fc 00 00", 0}, {"fd 01 00 00", 1}, {"fe 02 00 00 00 00 00 00 00", 2}, // not the shortest forms
	} {
		b := unhex(t, tt.hex)
		c := NewCursor(b, 0, nil)
		if got := c.Lenenc(); got != tt.want || c.Err() != nil || c.Len() != 0 {
			t.Errorf("Lenenc of %s = %d, %v; want %d", tt.hex, got, c.Err(), tt.want)
		}
		for n := range len(b) {
			c := NewCursor(append([]byte{9, 9}, b[:n]...), 0, nil)
			c.Skip(2)
			if got := c.Lenenc(); got != 0 || c.Fault() == nil || c.Fault().Kind != Truncated || c.Fault().Offset != 2 {
				t.Errorf("Lenenc of % x = %d, %v; want Truncated at 2, where the integer starts", b[:n], got, c.Fault())
			}
		}
	}
	for _, first := range []byte{0xfb, 0xff} {
		c := NewCursor([]byte{1, first, 1, 2, 3, 4, 5, 6, 7, 8}, 0, nil)
		c.Uint8()
		if got := c.Lenenc(); got != 0 || c.Fault() == nil || c.Fault().Kind != Corrupt || c.Fault().Offset != 1 {
			t.Errorf("Lenenc of %#x = %d, %v; want Corrupt at 1", first, got, c.Fault())
		}
	}
}

func TestVarlen(t *testing.T) {
	for _, tt := range []struct {
		hex  string
		want uint64
	}{
		{"00", 0}, {"02", 1}, {"fe", 127}, {"65 02", 153}, {"a1 04", 296}, {"43 0f 0b", 90600},
		{"7f 1c f3 b8 14 24 4a 06", 0x064a2414b8f31c},
		{"01 02", 128}, {"fd ff", 16383},
		{"7f 00 00 00 00 00 00 80", 0x80000000000000},
		{"ff 01 00 00 00 00 00 00 80", 1<<63 | 1}, {"ff ff ff ff ff ff ff ff ff", 1<<64 - 1},
		{"01 00", 0}, {"ff 00 00 00 00 00 00 00 00", 0}, // not the shortest forms
	} {
		b := unhex(t, tt.hex)
		c := NewCursor(b, 0, nil)
		if got := c.Varlen(); got != tt.want || c.Err() != nil || c.Len() != 0 {
			t.Errorf("Varlen of %s = %#x, %v, %d left; want %#x", tt.hex, got, c.Err(), c.Len(), tt.want)
		}
		for n := range len(b) {
			c := NewCursor(append([]byte{9}, b[:n]...), 0, nil)
			c.Uint8()
			if got := c.Varlen(); got != 0 || c.Fault() == nil || c.Fault().Kind != Truncated || c.Fault().Offset != 1 {
				t.Errorf("Varlen of % x = %d, %v; want Truncated at 1, where the integer starts", b[:n], got, c.Fault())
			}
		}
	}
	for _, tt := range []struct {
		hex  string
		want int64
	}{
		{"00", 0}, {"02", -1}, {"04", 1}, {"06", -2}, {"0c", 3},
		{"ff fe ff ff ff ff ff ff ff", 1<<63 - 1}, {"ff ff ff ff ff ff ff ff ff", -1 << 63},
	} {
		c := NewCursor(unhex(t, tt.hex), 0, nil)
		if got := c.VarlenSigned(); got != tt.want || c.Err() != nil {
			t.Errorf("VarlenSigned of %s = %d, %v; want %d", tt.hex, got, c.Err(), tt.want)
		}
	}
}

func TestBytes(t *testing.T) {
	for _, tt := range []struct {
		name string
		hex  string
		read func(*Cursor) []byte
		want string
	}{
		{"Bytes(0)", "", func(c *Cursor) []byte { return c.Bytes(0) }, ""},
		{"Bytes(3)", "61 62 63", func(c *Cursor) []byte { return c.Bytes(3) }, "abc"},
		{"LenBytes", "02 61 62", (*Cursor).LenBytes, "ab"},
		{"LenBytes", "00", (*Cursor).LenBytes, ""},
		{"LenencBytes", "02 61 62", (*Cursor).LenencBytes, "ab"},
		{"LenencBytes", "fc 01 00 61", (*Cursor).LenencBytes, "a"},
		{"LenencBytes", "00", (*Cursor).LenencBytes, ""},
		{"UntilNUL", "61 62 00", (*Cursor).UntilNUL, "ab"},
		{"UntilNUL", "00", (*Cursor).UntilNUL, ""},
	} {
		b := unhex(t, tt.hex)
		c := NewCursor(append(bytes.Clone(b), 0x7a), 0, nil)
		got := tt.read(&c)
		if string(got) != tt.want || got == nil || cap(got) != len(got) || c.Err() != nil || c.Pos() != len(b) {
			t.Errorf("%s of %s = %q (nil %t, cap %d), pos %d, %v; want %q", tt.name, tt.hex, got, got == nil, cap(got), c.Pos(), c.Err(), tt.want)
		}
		for n := range len(b) {
			c := NewCursor(b[:n], 0, nil)
			if got := tt.read(&c); got != nil || c.Fault() == nil || c.Fault().Kind != Truncated || c.Fault().Offset > int64(n) {
				t.Errorf("%s of % x = %q, %v; want Truncated", tt.name, b[:n], got, c.Fault())
			}
		}
	}
	c := NewCursor([]byte("rest"), 0, nil)
	if c.Skip(1); string(c.Rest()) != "est" || c.Len() != 0 || c.Rest() == nil || c.Err() != nil {
		t.Errorf("Rest: %v", c.Err())
	}
}

func TestNegativeLength(t *testing.T) {
	for name, read := range map[string]func(*Cursor){
		"Bytes": func(c *Cursor) { c.Bytes(-1) },
		"Skip":  func(c *Cursor) { c.Skip(-1 << 40) },
		"Sub":   func(c *Cursor) { s := c.Sub(-1); c.Join(&s) },
	} {
		c := NewCursor([]byte{1, 2}, 0, nil)
		read(&c)
		if c.Fault() == nil || c.Fault().Kind != Corrupt || c.Pos() != 0 {
			t.Errorf("%s: %v, pos %d; want Corrupt", name, c.Fault(), c.Pos())
		}
	}
}

func TestCount(t *testing.T) {
	for _, tt := range []struct {
		left int
		n    uint64
		each int
		want int
		ok   bool
	}{
		{10, 0, 4, 0, true}, {10, 2, 4, 2, true}, {10, 3, 4, 0, false}, {10, 10, 1, 10, true}, {10, 11, 1, 0, false},
		{10, 10, 0, 10, true}, {10, 11, -5, 0, false}, {0, 0, 1, 0, true}, {0, 1, 1, 0, false}, {10, 1<<64 - 1, 1, 0, false}, {10, 1 << 63, 16, 0, false},
	} {
		c := NewCursor(make([]byte, tt.left+1), 0, nil)
		c.Uint8()
		got := c.Count(tt.n, tt.each)
		if got != tt.want || c.OK() != tt.ok {
			t.Errorf("Count(%d, %d) of %d bytes = %d, %v; want %d, %t", tt.n, tt.each, tt.left, got, c.Err(), tt.want, tt.ok)
		}
		if bad := c.Fault(); bad != nil && (bad.Kind != Corrupt || bad.Offset != 1) {
			t.Errorf("Count(%d, %d) of %d bytes: %v; want Corrupt at 1", tt.n, tt.each, tt.left, bad)
		}
	}
}

// After the first error nothing moves and nothing replaces it.
func TestSticky(t *testing.T) {
	c := NewCursor([]byte{1, 2, 3}, 0, nil)
	c.Uint8()
	c.Uint32()
	first := c.Fault()
	c.Uint8()
	c.Uint64()
	c.Lenenc()
	c.Varlen()
	c.LenencBytes()
	c.UntilNUL()
	c.Rest()
	c.Skip(1)
	c.Rewind(1)
	c.Count(9, 1)
	c.ExpectEnd()
	c.Fail(Unsupported, "later")
	c.FailWith(&Error{Kind: Checksum})
	s := c.Sub(1)
	s.Uint8()
	c.Join(&s)
	if c.Fault() != first || c.Pos() != 1 || c.Len() != 0 || c.OK() {
		t.Errorf("after an error: %v, pos %d, len %d", c.Fault(), c.Pos(), c.Len())
	}
	if got := first.Error(); got != "truncated at byte 1: 4 bytes needed, 2 left" {
		t.Errorf("Error() = %q", got)
	}
}

func TestPeekRewind(t *testing.T) {
	b := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9}
	c := NewCursor(b, 0, nil)
	if got := c.Peek(); got != 0x0807060504030201 {
		t.Errorf("Peek = %#x", got)
	}
	c.Skip(6)
	if got := c.Peek(); got != 0x090807 || c.Pos() != 6 {
		t.Errorf("Peek near the end = %#x at %d", got, c.Pos())
	}
	c.Rewind(2)
	if got := c.Uint8(); got != 5 {
		t.Errorf("after Rewind(2): %d", got)
	}
	c.Rewind(6) // one more than was read: refused
	c.Rewind(-1)
	if c.Pos() != 5 {
		t.Errorf("pos %d after impossible rewinds", c.Pos())
	}
	c.Skip(4)
	if got := c.Peek(); got != 0 || c.Err() != nil {
		t.Errorf("Peek at the end = %#x, %v", got, c.Err())
	}
}

func TestExpectEnd(t *testing.T) {
	c := NewCursor([]byte{1, 2}, 0, nil)
	c.Uint8()
	look := c
	look.Uint8()
	if look.ExpectEnd(); look.Err() != nil {
		t.Errorf("at the end: %v", look.Err())
	}
	c.ExpectEnd()
	if bad := c.Fault(); bad == nil || bad.Kind != Corrupt || bad.Offset != 1 || bad.Msg != "1 byte left over" {
		t.Errorf("one byte left: %v", bad)
	}
}

func TestKindAndError(t *testing.T) {
	for k, want := range map[Kind]string{Truncated: "truncated", Corrupt: "corrupt", Unsupported: "unsupported", Checksum: "checksum", 0: "unknown", 99: "unknown"} {
		if k.String() != want {
			t.Errorf("Kind(%d) = %q", k, k)
		}
	}
	cause := &Error{Kind: Corrupt, Msg: "cause"}
	e := &Error{Offset: 7, Path: "a.b", Kind: Checksum, Msg: "wrong", Err: cause}
	if e.Error() != "checksum at byte 7 in a.b: wrong" || e.Unwrap() != error(cause) {
		t.Errorf("%q, %v", e.Error(), e.Unwrap())
	}
}

func TestNoAllocations(t *testing.T) {
	b := unhex(t, "01 0200 030000 04000000 050000000000 0600000000000000 fc2c01 6502 02 61 62 61 00 61 62 00 00 00 00")
	var sink uint64
	if n := testing.AllocsPerRun(100, func() {
		c := NewCursor(b, 19, nil)
		sink += uint64(c.Uint8()) + uint64(c.Uint16()) + uint64(c.Uint24()) + uint64(c.Uint32()) + c.Uint48() + c.Uint64() + c.Lenenc() + c.Varlen()
		c.Field("numbers")
		c.Begin("group")
		sink += uint64(len(c.LenBytes()))
		c.FieldItem("item", 3)
		c.UntilNUL()
		c.BeginItem("item", 4)
		s := c.Sub(2)
		s.Skip(1)
		s.Field("part")
		c.Join(&s)
		c.End()
		c.End()
		sink += c.Peek() + uint64(c.Count(2, 1))
		c.Rest()
		c.ExpectEnd()
		c.Finish("rest")
		if !c.OK() {
			t.Error(c.Fault())
		}
	}); n != 0 {
		t.Errorf("%v allocations a run without a Recorder", n)
	}
}
