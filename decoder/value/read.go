package value

import (
	"strconv"

	"binlens/decoder/wire"
)

// refused is the length of a cell that cannot be read: no event has so many bytes. See refuse.
const refused = 1 << 63

// Read reads the next cell, of type t with metadata meta, both from [Resolve]; so a STRING is CHAR or BINARY here. It is
// the only switch over column types: skipping a cell is reading it. It must not be called for a column that is NULL or
// not in the image: these have no bytes (see [SetNull]).
//
// TIME, DATETIME and TIMESTAMP of the old types have no metadata in a log. MariaDB may write them with fractions all the
// same (mysql56_temporal_format=OFF), and then only the table's definition knows: meta is the digits of the fraction,
// 0 to 6.
//
// A failure stays in the cursor: Truncated, Corrupt for metadata that no column has, Unsupported for a type whose bytes
// cannot be told. Then v is an empty cell of KindNone.
//
// Every cell starts with its value or with its length, in at most 8 bytes. So each case makes do with one word, says what
// it holds and how long the cell is, and what is missing is found once, at the end.
func Read(c *wire.Cursor, t Type, meta uint16, v *Value) {
	at := uint64(c.EventPos())
	word := c.Peek()
	var kind Kind
	var bits, n uint64
	switch t {
	case Tiny:
		kind, bits, n = KindInt, word&0xff, 1
	case Short:
		kind, bits, n = KindInt, word&0xffff, 2
	case Int24:
		kind, bits, n = KindInt, word&0xffffff, 3
	case Long:
		kind, bits, n = KindInt, word&0xffffffff, 4
	case LongLong:
		kind, bits, n = KindInt, word, 8
	case Float:
		kind, bits, n = KindFloat32, word&0xffffffff, 4
	case Double:
		kind, bits, n = KindFloat64, word, 8
	case Year:
		kind, bits, n = KindYear, word&0xff, 1
	case Date, NewDate:
		kind, bits, n = KindDate, word&0xffffff, 3
	case NewDecimal:
		kind, n = KindDecimal, decimalLen(meta)
	case Time2:
		kind = KindTime
		bits, n = packed(word, 3, meta)
	case Datetime2:
		kind = KindDatetime
		bits, n = packed(word, 5, meta)
	case Timestamp2:
		kind = KindTimestamp
		bits, n = timestamp(word, meta)
	case Time:
		kind, bits, n = oldTime(word, meta)
	case Datetime:
		kind, bits, n = oldDatetime(word, meta)
	case Timestamp:
		kind = KindTimestamp
		bits, n = oldTimestamp(word, meta)
	case Bit:
		kind, n = KindBit, bitLen(meta)
		bits = bigEndian(word, n)
	case Enum:
		kind, n = KindEnum, memberLen(t, meta)
		bits = word & (1<<(8*n) - 1)
	case Set:
		kind, n = KindSet, memberLen(t, meta)
		bits = word & (1<<(8*n) - 1)
	case String, VarString, Varchar:
		kind = KindBytes
		bits, n = varLen(word, at, meta)
	case TinyBlob, MediumBlob, LongBlob, Blob:
		kind = KindBytes
		bits, n = blobLen(word, at, meta)
	case VarcharCompressed:
		kind = KindCompressed
		bits, n = varLen(word, at, meta)
	case BlobCompressed:
		kind = KindCompressed
		bits, n = blobLen(word, at, meta)
	case JSON:
		kind = KindJSON
		bits, n = blobLen(word, at, meta)
	case Geometry:
		kind = KindGeometry
		bits, n = blobLen(word, at, meta)
	case Vector:
		kind = KindVector
		bits, n = blobLen(word, at, meta)
	case TypedArray:
		kind = KindArray
		bits, n = blobLen(word, at, 4)
	case Null:
		kind = KindNull
	default:
		n = refused
	}
	if n > uint64(c.Len()) || !c.OK() {
		refuse(c, t, meta, n)
		*v = Value{Off: uint32(at), End: uint32(at)}
		return
	}
	c.Skip(int(n))
	v.Kind, v.Off, v.End, v.Bits = kind, uint32(at), uint32(at+n), bits
}

// SetNull makes v the NULL that stands at the cursor's position; a NULL has no bytes.
func SetNull(c *wire.Cursor, v *Value) {
	at := uint32(c.EventPos())
	*v = Value{Kind: KindNull, Off: at, End: at}
}

// varLen returns where text or bytes start, and the bytes of the cell. Their length takes 1 byte, or 2 when the column may
// be longer than 255 bytes.
func varLen(word, at uint64, meta uint16) (data, n uint64) {
	if meta < 256 {
		return at + 1, 1 + word&0xff
	}
	return at + 2, 2 + word&0xffff
}

// blobLen is varLen for a length of meta bytes, 1 to 4.
func blobLen(word, at uint64, meta uint16) (data, n uint64) {
	prefix := uint64(meta)
	if prefix-1 > 3 {
		return 0, refused
	}
	return at + prefix, prefix + word&(1<<(8*prefix)-1)
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
func refuse(c *wire.Cursor, t Type, meta uint16, n uint64) {
	if n != refused {
		short(c, t, meta, n)
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
func short(c *wire.Cursor, t Type, meta uint16, n uint64) {
	prefix := prefixLen(t, meta)
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

// prefixLen returns the bytes of the length before the data of a byte kind, and 0 for other types.
func prefixLen(t Type, meta uint16) int {
	switch t {
	case String, VarString, Varchar, VarcharCompressed:
		if meta < 256 {
			return 1
		}
		return 2
	case TinyBlob, MediumBlob, LongBlob, Blob, BlobCompressed, JSON, Geometry, Vector:
		return int(meta)
	case TypedArray:
		return 4
	}
	return 0
}

// fixedLens are the widths that the type alone decides.
var fixedLens = [256]uint8{
	Tiny: 1, Year: 1, Short: 2, Int24: 3, Date: 3, NewDate: 3, Long: 4, Float: 4, LongLong: 8, Double: 8,
}

// FixedLen returns the bytes of every cell of such a column, and false when they depend on the data or when [Read] would
// refuse the type or its metadata.
func FixedLen(t Type, meta uint16) (n int, ok bool) {
	var size uint64
	switch t {
	case Time, Datetime, Timestamp:
		size = oldLen(t, meta)
	case Time2:
		size = temporalLen(3, meta)
	case Datetime2:
		size = temporalLen(5, meta)
	case Timestamp2:
		size = temporalLen(4, meta)
	case NewDecimal:
		size = decimalLen(meta)
	case Bit:
		size = bitLen(meta)
	case Enum, Set:
		size = memberLen(t, meta)
	case Null:
		return 0, true
	default:
		size = uint64(fixedLens[t])
		return int(size), size > 0
	}
	if size == refused {
		return 0, false
	}
	return int(size), true
}
