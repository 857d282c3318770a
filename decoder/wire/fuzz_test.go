package wire

import "testing"

// FuzzCursor runs a program of reads over any bytes: nothing may panic, positions only grow, and what is recorded covers
// the bytes without gap or overlap, whatever goes wrong.
func FuzzCursor(f *testing.F) {
	for _, seed := range []struct{ program, data string }{
		{"\x00\x01\x02\x03\x04\x05", "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10"},
		{"\x06\x06\x06\x06", "\xfa\xfc\x01\x02\xfd\x01\x02\x03\xfe\x01\x02\x03\x04\x05\x06\x07\x08"},
		{"\x06", "\xfb"}, {"\x06", "\xff"}, {"\x06", "\xfe\x01"},
		{"\x07\x07\x08", "\x65\x02\xff\x01\x02\x03\x04\x05\x06\x07\x08\x02"},
		{"\x09\x0a\x0b", "\x02ab\x03abctext\x00"},
		{"\x0c\x00\x0d\x0c\x01\x0d\x0f", "abcdefgh"},
		{"\x0e\x00\x01\x02\x0e\x03", "\x04abcdefgh"},
		{"\x0c\x0e\x05\x0d\x00", "\x01abcdefgh"},
		{"\x10\x11\x12", "\xff\xff\xff"},
	} {
		f.Add([]byte(seed.program), []byte(seed.data))
	}
	f.Fuzz(func(t *testing.T, program, data []byte) {
		if len(program) > 64 {
			program = program[:64]
		}
		rec := new(Recorder)
		c, plain := NewCursor(data, 19, rec), NewCursor(data, 19, nil)
		run(t, &c, program, 0)
		run(t, &plain, program, 0)
		if c.Pos() != plain.Pos() || c.OK() != plain.OK() {
			t.Fatalf("with a Recorder: pos %d %v; without: pos %d %v", c.Pos(), c.Err(), plain.Pos(), plain.Err())
		}
		if bad := c.Fault(); bad != nil && (bad.Offset < 0 || bad.Offset > int64(len(data)) || bad.Msg == "") {
			t.Fatalf("%+v in %d bytes", bad, len(data))
		}
		if c.OK() {
			c.Rest()
			c.Field("tail")
		}
		c.Finish("unread")
		at := uint32(19)
		for _, s := range rec.Spans {
			if s.Group {
				continue
			}
			if s.Start != at || s.End < s.Start {
				t.Fatalf("span %+v; want its start at %d\n%s", s, at, show(rec.Spans))
			}
			at = s.End
		}
		if at != uint32(19+len(data)) {
			t.Fatalf("spans end at %d of %d\n%s", at, 19+len(data), show(rec.Spans))
		}
	})
}

// run reads what the program says.
func run(t *testing.T, c *Cursor, program []byte, depth int) {
	open := 0
	for i := 0; i < len(program); i++ {
		before := c.Pos()
		switch op := program[i]; op % 19 {
		case 0:
			c.Uint8()
		case 1:
			c.Uint16()
		case 2:
			c.Uint24()
		case 3:
			c.Uint32()
		case 4:
			c.Uint48()
		case 5:
			c.Uint64()
		case 6:
			c.Lenenc()
		case 7:
			c.Varlen()
		case 8:
			c.VarlenSigned()
		case 9:
			c.LenBytes()
		case 10:
			c.LenencBytes()
		case 11:
			c.UntilNUL()
		case 12:
			c.Begin("g")
			open++
			continue
		case 13:
			if open > 0 {
				c.End()
				open--
			}
			continue
		case 14:
			n := int(c.Uint8())
			c.Field("n")
			if depth < 3 {
				s := c.Sub(n)
				run(t, &s, program[i+1:], depth+1)
				if s.OK() {
					s.Rest()
					s.Field("rest")
				}
				c.Join(&s)
			}
		case 15:
			c.ExpectEnd()
		case 16:
			if n := c.Count(c.Uint64(), 3); n > len(c.Data())/3 {
				t.Fatalf("Count accepted %d", n)
			}
		case 17:
			c.UintN(int(op) % 9)
		case 18:
			c.UintBE(int(op) % 9)
		}
		c.Field("f")
		if c.Pos() < before || c.Pos() > len(c.Data()) {
			t.Fatalf("op %d: pos %d after %d of %d", program[i], c.Pos(), before, len(c.Data()))
		}
	}
	for ; open > 0; open-- {
		c.End()
	}
}
