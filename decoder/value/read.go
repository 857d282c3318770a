package value

import (
	"encoding/binary"
	"strconv"

	"binlens/decoder/wire"
)

// refused is the length of a cell that cannot be read: no event has so many bytes.
const refused = 1 << 63

// A Layout is how the cells of one column lie in a row: what a type and its metadata say, looked up once for all rows of a
// table.
//
// Every cell starts with its value or with the length of its data, in at most 8 bytes. So one word is all of a cell that
// is looked at, and most types differ in no more than which part of that word they use.
type Layout struct {
	Column uint16 // which of the table's columns it is

	mask uint64 // the part of the word that is the value, or the length of the data; 0 where the value is the cell's bytes
	meta uint16
	t    Type
	kind Kind
	form form
	n    uint8 // bytes of a cell, or of the length before its data
}

// form is how a word becomes a value.
type form uint8

const (
	formUnread   form = iota // not at all: the type is not known, or its metadata is none that a column has
	formWord                 // as it stands, little-endian
	formData                 // it is the length of the data
	formTemporal             // fields and fraction, in the way of the type; see unpack
	formBits                 // big-endian
)

// LayoutOf returns the layout of the cells of type t with metadata meta, both from [Resolve]; so a STRING is CHAR or
// BINARY here. It is the only switch over column types: skipping a cell is reading it.
//
// TIME, DATETIME and TIMESTAMP of the old types have no metadata in a log. MariaDB may write them with fractions all the
// same (mysql56_temporal_format=OFF), and then only the table's definition knows: meta is the digits of the fraction,
// 0 to 6.
func LayoutOf(t Type, meta uint16) Layout {
	l := Layout{meta: meta, t: t}
	switch t {
	case Tiny:
		l.word(KindInt, 1)
	case Short:
		l.word(KindInt, 2)
	case Int24:
		l.word(KindInt, 3)
	case Long:
		l.word(KindInt, 4)
	case LongLong:
		l.word(KindInt, 8)
	case Float:
		l.word(KindFloat32, 4)
	case Double:
		l.word(KindFloat64, 8)
	case Year:
		l.word(KindYear, 1)
	case Date, NewDate:
		l.word(KindDate, 3)
	case Enum:
		l.word(KindEnum, memberLen(t, meta))
	case Set:
		l.word(KindSet, memberLen(t, meta))
	case Null:
		l.word(KindNull, 0)
	case NewDecimal:
		l.word(KindDecimal, decimalLen(meta))
		l.mask = 0
	case Time2:
		l.whole(formTemporal, KindTime, temporalLen(3, meta))
	case Datetime2:
		l.whole(formTemporal, KindDatetime, temporalLen(5, meta))
	case Timestamp2:
		l.whole(formTemporal, KindTimestamp, temporalLen(4, meta))
	case Time, Datetime, Timestamp:
		l.whole(formTemporal, oldKind(t, meta), oldLen(t, meta))
	case Bit:
		l.whole(formBits, KindBit, bitLen(meta))
	case String, VarString, Varchar:
		l.data(KindBytes, varPrefix(meta))
	case TinyBlob, MediumBlob, LongBlob, Blob:
		l.data(KindBytes, blobPrefix(meta))
	case VarcharCompressed:
		l.data(KindCompressed, varPrefix(meta))
	case BlobCompressed:
		l.data(KindCompressed, blobPrefix(meta))
	case JSON:
		l.data(KindJSON, blobPrefix(meta))
	case Geometry:
		l.data(KindGeometry, blobPrefix(meta))
	case Vector:
		l.data(KindVector, blobPrefix(meta))
	case TypedArray:
		l.data(KindArray, 4)
	}
	return l
}

// word, data and whole set the layout to a form and a kind, unless n is refused.
func (l *Layout) word(k Kind, n uint64) {
	l.whole(formWord, k, n)
	l.mask = 1<<(8*n) - 1
}

func (l *Layout) data(k Kind, prefix uint64) {
	l.whole(formData, k, prefix)
	l.mask = 1<<(8*prefix) - 1
}

func (l *Layout) whole(f form, k Kind, n uint64) {
	if n != refused {
		l.form, l.kind, l.n = f, k, uint8(n)
	}
}

// ReadCells reads cells that follow one another, one for each layout, into those of their columns; where a bit of nulls is
// set, the least significant first, the cell is NULL and has no bytes. It returns how many it has read, which is all of them
// unless the cursor has failed: then the one behind them is an empty cell of KindNone.
func ReadCells(c *wire.Cursor, layouts []Layout, nulls []byte, cells []Value) int {
	if !c.OK() {
		return 0
	}
	b, start := c.Data(), c.Pos()
	base := c.EventPos() - start
	at := start
	for k := range layouts {
		l := &layouts[k]
		v := &cells[l.Column]
		v.Off = uint32(base + at)
		if nulls[k>>3]>>(k&7)&1 != 0 {
			v.Kind, v.End, v.Bits = KindNull, v.Off, 0
			continue
		}
		var word uint64
		if rest := b[at:]; len(rest) >= wordLen {
			word = binary.LittleEndian.Uint64(rest)
		} else {
			word = wire.LastWord(rest)
		}
		bits, n := word&l.mask, uint64(l.n)
		switch l.form {
		case formWord:
		case formData:
			bits, n = uint64(base+at)+n, n+bits
		case formTemporal:
			bits = unpack(l, word)
		case formBits:
			bits = bigEndian(word, n)
		default:
			n = refused
		}
		if n > uint64(len(b)-at) {
			c.Skip(at - start)
			l.refuse(c, n)
			*v = Value{Off: v.Off, End: v.Off}
			return k
		}
		at += int(n)
		v.Kind, v.End, v.Bits = l.kind, uint32(base+at), bits
	}
	c.Skip(at - start)
	return len(layouts)
}

// Read reads the next cell, of type t with metadata meta as [LayoutOf] takes them. It must not be called for a column that is
// NULL or not in the image: these have no bytes.
//
// A failure stays in the cursor: Truncated, Corrupt for metadata that no column has, Unsupported for a type whose bytes
// cannot be told. Then v is an empty cell of KindNone.
func Read(c *wire.Cursor, t Type, meta uint16, v *Value) {
	cells := [1]Value{{Off: uint32(c.EventPos()), End: uint32(c.EventPos())}}
	ReadCells(c, []Layout{LayoutOf(t, meta)}, []byte{0}, cells[:])
	*v = cells[0]
}

// varPrefix returns the bytes of the length before text or bytes: 2 when the column may be longer than 255 bytes.
func varPrefix(meta uint16) uint64 {
	if meta < 256 {
		return 1
	}
	return 2
}

// blobPrefix is varPrefix for a length of meta bytes, 1 to 4.
func blobPrefix(meta uint16) uint64 {
	if meta-1 > 3 {
		return refused
	}
	return uint64(meta)
}

// bitLen returns the bytes of a BIT: those that are full, and one for the bits over.
func bitLen(meta uint16) uint64 {
	n := uint64(meta >> 8)
	if meta&0xff != 0 {
		n++
	}
	if n-1 > 7 {
		return refused
	}
	return n
}

// memberLen returns the bytes of an ENUM or SET, which are its metadata.
func memberLen(t Type, meta uint16) uint64 {
	if t == Enum && meta-1 < 2 || t == Set && (meta-1 < 4 || meta == 8) {
		return uint64(meta)
	}
	return refused
}

// refuse says why a cell of n bytes cannot be read.
func (l *Layout) refuse(c *wire.Cursor, n uint64) {
	t, meta := l.t, l.meta
	if n != refused {
		l.short(c, n)
		return
	}
	what := "values of " + strconv.Itoa(int(meta)) + " bytes"
	switch t {
	case Decimal:
		c.Fail(wire.Unsupported, "DECIMAL from before MySQL 5.0.3: the width of its values is not in the log")
		return
	case Invalid:
		c.Fail(wire.Corrupt, "the table map's metadata makes this column none of CHAR, BINARY, ENUM and SET")
		return
	case Bool:
		c.Fail(wire.Unsupported, "column type BOOL is the server's placeholder: no table has it")
		return
	case NewDecimal:
		what = "a precision of " + strconv.Itoa(int(meta>>8)) + " and a scale of " + strconv.Itoa(int(meta&0xff))
	case Bit:
		what = strconv.Itoa(BitWidth(meta)) + " bits; 1 to 64 are possible"
	case Time2, Datetime2, Timestamp2, Time, Datetime, Timestamp:
		what = strconv.Itoa(int(meta)) + " digits of a second; 0 to 6 are possible"
	case TinyBlob, MediumBlob, LongBlob, Blob, BlobCompressed, JSON, Geometry, Vector:
		what = "a length of " + strconv.Itoa(int(meta)) + " bytes; 1 to 4 are possible"
	case Enum, Set:
	default:
		c.Fail(wire.Unsupported, "column "+t.String()+" is not known, nor how long its values are")
		return
	}
	c.Fail(wire.Corrupt, "the table map gives this "+t.String()+" column "+what)
}

// short says that a cell of n bytes is not there: its length itself, or what the length says.
func (l *Layout) short(c *wire.Cursor, n uint64) {
	prefix := 0
	if l.form == formData {
		prefix = int(l.n)
	}
	switch left := c.Len(); {
	case prefix == 0:
		c.Skip(int(n))
	case left < prefix:
		c.Skip(prefix)
	default:
		c.FailAt(c.Pos()+prefix, wire.Truncated, "a length of "+strconv.FormatUint(n-uint64(prefix), 10)+" bytes, "+
			strconv.Itoa(left-prefix)+" left")
	}
}

// FixedLen returns the bytes of every cell of such a column, and false when they depend on the data or when [Read] would
// refuse the type or its metadata.
func FixedLen(t Type, meta uint16) (n int, ok bool) {
	l := LayoutOf(t, meta)
	if l.form == formUnread || l.form == formData {
		return 0, false
	}
	return int(l.n), true
}
