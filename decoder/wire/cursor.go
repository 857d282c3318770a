package wire

import (
	"encoding/binary"
	"math/bits"
	"strconv"
)

// Cursor reads a run of bytes from front to back. It is a value: copy it to look ahead. The first read that fails stays
// as its error; from then on reads return zero values and do not move.
type Cursor struct {
	b    []byte
	pos  int
	mark int // where the bytes not yet named by Field start
	base int // offset in the event of b[0]
	body int // offset in b of the byte that Error.Offset counts from
	err  *Error
	rec  *Recorder
}

// NewCursor reads b, whose first byte is byte base of its event. Errors count from b's first byte. rec may be nil.
func NewCursor(b []byte, base int, rec *Recorder) Cursor {
	return Cursor{b: b, base: base, rec: rec}
}

// Err returns the first thing that went wrong, or nil.
func (c *Cursor) Err() error {
	if c.err == nil {
		return nil
	}
	return c.err
}

// Fault is Err as its own type.
func (c *Cursor) Fault() *Error { return c.err }

// OK says that no read has failed.
func (c *Cursor) OK() bool { return c.err == nil }

// Pos returns how many bytes were read.
func (c *Cursor) Pos() int { return c.pos }

// EventPos returns the offset in the event of the next byte.
func (c *Cursor) EventPos() int { return c.base + c.pos }

// Len returns how many bytes are left; 0 after a failure, so that loops over what is left end.
func (c *Cursor) Len() int {
	if c.err != nil {
		return 0
	}
	return len(c.b) - c.pos
}

// Data returns all bytes of the cursor, read or not.
func (c *Cursor) Data() []byte { return c.b }

// Recording says whether the names given to Field are kept.
func (c *Cursor) Recording() bool { return c.rec != nil }

// Fail records an error at the next byte, unless there is one already.
func (c *Cursor) Fail(k Kind, msg string) { c.FailAt(c.pos, k, msg) }

// FailAt records an error at byte pos of the cursor, unless there is one already.
func (c *Cursor) FailAt(pos int, k Kind, msg string) {
	if c.err == nil {
		c.err = &Error{Offset: int64(pos - c.body), Kind: k, Msg: msg}
	}
}

// FailWith records err, whose offset counts from the cursor's first byte, unless there is an error already.
func (c *Cursor) FailWith(err *Error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *Cursor) short(n int) {
	if c.err == nil {
		c.err = &Error{Offset: int64(c.pos - c.body), Kind: Truncated,
			Msg: plural(n, "byte") + " needed, " + strconv.Itoa(len(c.b)-c.pos) + " left"}
	}
}

func plural(n int, what string) string {
	s := strconv.Itoa(n) + " " + what
	if n != 1 {
		s += "s"
	}
	return s
}

// take returns the next n bytes, or nil and the error Truncated. n < 0 is Corrupt.
func (c *Cursor) take(n int) []byte {
	if c.err != nil || n < 0 || n > len(c.b)-c.pos {
		if n < 0 {
			c.Fail(Corrupt, "negative length")
		}
		c.short(n)
		return nil
	}
	p := c.b[c.pos : c.pos+n : c.pos+n]
	c.pos += n
	return p
}

// Uint8 reads one byte.
func (c *Cursor) Uint8() uint8 {
	if c.err == nil && c.pos < len(c.b) {
		v := c.b[c.pos]
		c.pos++
		return v
	}
	c.short(1)
	return 0
}

// Uint16 reads 2 bytes.
func (c *Cursor) Uint16() uint16 {
	if p := c.take(2); p != nil {
		return binary.LittleEndian.Uint16(p)
	}
	return 0
}

// Uint24 reads 3 bytes.
func (c *Cursor) Uint24() uint32 { return uint32(c.UintN(3)) }

// Uint32 reads 4 bytes.
func (c *Cursor) Uint32() uint32 {
	if p := c.take(4); p != nil {
		return binary.LittleEndian.Uint32(p)
	}
	return 0
}

// Uint48 reads 6 bytes.
func (c *Cursor) Uint48() uint64 { return c.UintN(6) }

// Uint64 reads 8 bytes.
func (c *Cursor) Uint64() uint64 {
	if p := c.take(8); p != nil {
		return binary.LittleEndian.Uint64(p)
	}
	return 0
}

// UintN reads n bytes, 0 to 8.
func (c *Cursor) UintN(n int) uint64 {
	var v uint64
	for i, b := range c.take(n) {
		v |= uint64(b) << (8 * i)
	}
	return v
}

// UintBE reads n bytes, 0 to 8, most significant first.
func (c *Cursor) UintBE(n int) uint64 {
	var v uint64
	for _, b := range c.take(n) {
		v = v<<8 | uint64(b)
	}
	return v
}

// Bytes reads n bytes. The result is part of the cursor's bytes, with no room to append.
func (c *Cursor) Bytes(n int) []byte { return c.take(n) }

// Skip reads n bytes and forgets them.
func (c *Cursor) Skip(n int) {
	if c.err == nil && uint(n) <= uint(len(c.b)-c.pos) {
		c.pos += n
	} else {
		c.take(n) // which says why not
	}
}

// Peek returns the next 8 bytes without reading them, those beyond the end as zeros.
func (c *Cursor) Peek() uint64 {
	if p := c.b[c.pos:]; len(p) >= 8 {
		return binary.LittleEndian.Uint64(p)
	}
	return LastWord(c.b[c.pos:])
}

// LastWord returns p, of less than 8 bytes, as a little-endian number.
func LastWord(p []byte) uint64 {
	var v uint64
	for i, b := range p {
		v |= uint64(b) << (8 * i)
	}
	return v
}

// Rewind goes back over the last n bytes read, to read them again in another way.
func (c *Cursor) Rewind(n int) {
	if c.err == nil && n >= 0 && n <= c.pos {
		c.pos -= n
	}
}

// Rest reads what is left.
func (c *Cursor) Rest() []byte { return c.take(c.Len()) }

// LenBytes reads a length of one byte and as many bytes.
func (c *Cursor) LenBytes() []byte { return c.take(int(c.Uint8())) }

// LenencBytes reads a length-encoded length and as many bytes.
func (c *Cursor) LenencBytes() []byte {
	n := c.Lenenc()
	if n > uint64(c.Len()) {
		c.FailAt(c.pos, Truncated, "a length of "+strconv.FormatUint(n, 10)+" bytes, "+strconv.Itoa(c.Len())+" left")
		return nil
	}
	return c.take(int(n))
}

// UntilNUL reads up to and with the next zero byte, and returns what stands before it. No zero byte is Truncated.
func (c *Cursor) UntilNUL() []byte {
	for i := c.pos; c.err == nil && i < len(c.b); i++ {
		if c.b[i] == 0 {
			p := c.b[c.pos:i:i]
			c.pos = i + 1
			return p
		}
	}
	c.Fail(Truncated, "no zero byte ends the text")
	return nil
}

// Lenenc reads a MySQL length-encoded integer: below 0xfb the byte itself, 0xfc, 0xfd and 0xfe announce 2, 3 and 8
// bytes. Non-shortest forms are read. 0xfb (NULL) and 0xff never stand in a binary log and are Corrupt.
func (c *Cursor) Lenenc() uint64 {
	at := c.pos
	switch b := c.Uint8(); b {
	default:
		return uint64(b)
	case 0xfc:
		return c.following(at, 2)
	case 0xfd:
		return c.following(at, 3)
	case 0xfe:
		return c.following(at, 8)
	case 0xfb, 0xff:
		c.FailAt(at, Corrupt, "0x"+strconv.FormatUint(uint64(b), 16)+" starts no packed integer")
		return 0
	}
}

// following reads the n bytes that the first byte of an integer, at, announced. Where they are missing the integer is not
// read at all, and the error is at its first byte.
func (c *Cursor) following(at, n int) uint64 {
	if c.err == nil && n > len(c.b)-c.pos {
		c.pos = at
		c.short(1 + n)
	}
	return c.UintN(n)
}

// Varlen reads an unsigned integer of MySQL's serialization library: as many bytes follow the first as it has low-order
// one bits; its remaining bits are the low bits of the value.
func (c *Cursor) Varlen() uint64 {
	at := c.pos
	b := c.Uint8()
	n := bits.TrailingZeros8(^b)
	v := c.following(at, n)
	switch {
	case c.err != nil:
		return 0
	case n == 8:
		return v
	}
	return uint64(b)>>(n+1) | v<<(7-n)
}

// VarlenSigned reads a signed integer of MySQL's serialization library: zigzag over [Cursor.Varlen].
func (c *Cursor) VarlenSigned() int64 {
	u := c.Varlen()
	return int64(u>>1) ^ -int64(u&1)
}

// Count accepts a number of items only when that many, of at least minBytesEach bytes each, fit into what is left; so
// that nothing is allocated on the word of a file. Otherwise it returns 0 and the error Corrupt.
func (c *Cursor) Count(n uint64, minBytesEach int) int {
	if c.err != nil {
		return 0
	}
	if minBytesEach < 1 {
		minBytesEach = 1
	}
	if n > uint64((len(c.b)-c.pos)/minBytesEach) {
		c.Fail(Corrupt, strconv.FormatUint(n, 10)+" items of at least "+plural(minBytesEach, "byte")+" do not fit into the "+
			plural(len(c.b)-c.pos, "byte")+" left")
		return 0
	}
	return int(n)
}

// Sub returns a cursor over the next n bytes and moves behind them. Its positions and error offsets count as this
// cursor's do, and it records into the same Recorder. After it is read, hand it to Join.
func (c *Cursor) Sub(n int) Cursor {
	at := c.pos
	p := c.take(n)
	return Cursor{b: p, base: c.base + at, body: c.body - at, mark: 0, err: c.err, rec: c.rec}
}

// Join takes over the error of a cursor made by Sub and counts its bytes as named: all of them, or, when it failed, those
// before the fault.
func (c *Cursor) Join(s *Cursor) {
	if c.err != nil {
		return
	}
	c.mark = c.pos
	if s.err != nil {
		c.mark -= len(s.b) - s.mark
		c.err = s.err
	}
}

// ExpectEnd is the error Corrupt when bytes are left.
func (c *Cursor) ExpectEnd() {
	if n := c.Len(); n > 0 {
		c.Fail(Corrupt, plural(n, "byte")+" left over")
	}
}
