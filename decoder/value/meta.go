package value

import "binlens/decoder/wire"

// ReadMeta reads the bytes that a column of type t has in the metadata block of a table map, and returns what they say:
//
//	type                                    bytes  meta
//	FLOAT, DOUBLE                           1      bytes of a value, 4 or 8
//	BLOB family, JSON, GEOMETRY, VECTOR,
//	  BLOB_COMPRESSED                       1      bytes of the length before the data, 1 to 4
//	TIME2, DATETIME2, TIMESTAMP2            1      digits of the fraction, 0 to 6
//	VARCHAR, VARCHAR_COMPRESSED, VAR_STRING 2      maximum length in bytes
//	STRING, ENUM, SET                       2      first byte << 8 | second byte, for Resolve
//	NEWDECIMAL                              2      precision << 8 | scale
//	BIT                                     2      bits div 8 << 8 | bits mod 8
//	TYPED_ARRAY                             1 + n  type of the elements
//	all other types                         0      0
//
// The current servers write no VAR_STRING columns, and those that read them do not agree on its 2 bytes. A caller whose
// block does not come out even with them should read the block again and give VAR_STRING columns no bytes, that is, not
// call ReadMeta for them.
//
// A code that is no type of the server is Unsupported: nobody can say how many bytes are its own, nor where the next
// column's start.
func ReadMeta(c *wire.Cursor, t Type) (meta uint16) {
	switch t {
	case Float, Double, TinyBlob, MediumBlob, LongBlob, Blob, JSON, Geometry, Vector, BlobCompressed, Time2, Datetime2, Timestamp2:
		return uint16(c.Uint8())
	case Varchar, VarcharCompressed, VarString, Bit:
		return c.Uint16()
	case String, Enum, Set, NewDecimal:
		return uint16(c.UintBE(2))
	case TypedArray:
		return readArrayMeta(c)
	}
	if !t.Known() {
		c.Fail(wire.Unsupported, "column "+t.String()+" is not known, nor how much metadata it has")
	}
	return 0
}

// readArrayMeta reads the element type and skips what follows for it: 3 bytes for text (the maximum length; some writers
// cut it to 2, seen only at the end of the block), and as always for the others.
func readArrayMeta(c *wire.Cursor) uint16 {
	elem := Type(c.Uint8())
	switch elem {
	case TypedArray:
		c.FailAt(c.Pos()-1, wire.Corrupt, "an array of arrays")
	case Varchar:
		c.Skip(max(2, min(3, c.Len())))
	default:
		ReadMeta(c, elem)
	}
	return uint16(elem)
}

// Resolve returns the real type of a column and the metadata that [Read] and [AppendText] want, from the type code and
// the metadata of a table map. Only STRING, ENUM and SET change: their metadata becomes the length in bytes, at most for
// STRING, exactly for ENUM (1 or 2) and SET (1, 2, 3, 4 or 8).
//
// The first metadata byte of STRING is the real type; CHAR and BINARY longer than 255 bytes hide the upper bits of their
// length in bits 4 and 5 of it, inverted. A real type that STRING cannot stand for becomes Invalid, which Read refuses.
func Resolve(t Type, meta uint16) (Type, uint16) {
	switch t {
	case Enum, Set:
		return t, meta & 0xff
	case String:
		return resolveString(meta)
	}
	return t, meta
}

func resolveString(meta uint16) (Type, uint16) {
	first, length := meta>>8, meta&0xff
	if first == 0 { // very old logs
		return String, length
	}
	if first&0x30 != 0x30 {
		length |= (first&0x30 ^ 0x30) << 4
		first |= 0x30
	}
	switch real := Type(first); real {
	case String, VarString, Enum, Set:
		return real, length
	}
	return Invalid, meta
}

// BitWidth returns the bits of a BIT column, 1 to 64, from its metadata.
func BitWidth(meta uint16) int { return int(meta>>8)*8 + int(meta&0xff) }
