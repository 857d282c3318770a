package value

import "strconv"

// Traits are what a column's type and metadata do not say, but the optional metadata of a table map does.
type Traits struct {
	Unsigned bool
	Binary   bool // the collation is binary (63): bytes, not text
	CharLen  int  // bytes of the character set's longest character, 1 to 5; 0 while the character set is unknown
	Dims     int  // numbers in a VECTOR; 0 while unknown
	Geometry int  // subtype of a GEOMETRY, 0 any, 1 POINT, … 7 GEOMETRYCOLLECTION
}

// AppendTypeName appends the type as SHOW COLUMNS spells it: bigint unsigned, decimal(10,2), varchar(100), longblob,
// datetime(6). t is the real type of [Resolve] and meta its metadata.
//
// The log knows lengths of text in bytes, so with CharLen 0 they are called that: varchar(400 bytes); and nobody can tell
// TEXT from BLOB then, which gives mediumblob/mediumtext. What no log says is left out: display widths, the digits of
// FLOAT(7,3), ZEROFILL, the members of ENUM and SET.
func AppendTypeName(dst []byte, t Type, meta uint16, a Traits) []byte {
	switch t {
	case Varchar, VarString:
		return appendCharName(dst, "varchar", "varbinary", int(meta), a)
	case VarcharCompressed: // one byte is the header of the compression
		dst = appendCharName(dst, "varchar", "varbinary", max(int(meta)-1, 0), a)
		return append(dst, " compressed"...)
	case String:
		return appendCharName(dst, "char", "binary", int(meta), a)
	case Blob, TinyBlob, MediumBlob, LongBlob:
		return appendBlobName(dst, t, meta, a)
	case BlobCompressed:
		return append(appendBlobName(dst, t, meta, a), " compressed"...)
	case TypedArray:
		return append(append(dst, baseName(Type(meta))...), " array"...)
	case Geometry:
		if a.Geometry > 0 && a.Geometry < len(geometryNames) {
			return append(dst, geometryNames[a.Geometry]...)
		}
	}
	dst = append(dst, baseName(t)...)
	switch t {
	case NewDecimal:
		dst = appendArgs(dst, int(meta>>8), int(meta&0xff))
	case Bit:
		dst = appendArgs(dst, BitWidth(meta))
	case Time2, Datetime2, Timestamp2, Time, Datetime, Timestamp:
		if meta != 0 {
			dst = appendArgs(dst, int(meta))
		}
	case Vector:
		if a.Dims > 0 {
			dst = appendArgs(dst, a.Dims)
		}
	}
	if a.Unsigned && t.Numeric() && t != Year {
		dst = append(dst, " unsigned"...)
	}
	return dst
}

var baseNames = [256]string{
	Decimal: "decimal", Tiny: "tinyint", Short: "smallint", Long: "int", Float: "float", Double: "double", Null: "null",
	Timestamp: "timestamp", LongLong: "bigint", Int24: "mediumint", Date: "date", Time: "time", Datetime: "datetime",
	Year: "year", NewDate: "date", Varchar: "varchar", Bit: "bit", Timestamp2: "timestamp", Datetime2: "datetime",
	Time2: "time", Vector: "vector", JSON: "json", NewDecimal: "decimal", Enum: "enum", Set: "set", Geometry: "geometry",
}

// geometryNames are the subtypes of GEOMETRY. MySQL 8 says geomcollection in SHOW COLUMNS and takes both; MariaDB knows
// the long name only.
var geometryNames = [...]string{
	"geometry", "point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon", "geometrycollection",
}

// blobNames are by bytes of length, less 1: for bytes, for text, and for either.
var blobNames = [4][3]string{
	{"tinyblob", "tinytext", "tinyblob/tinytext"},
	{"blob", "text", "blob/text"},
	{"mediumblob", "mediumtext", "mediumblob/mediumtext"},
	{"longblob", "longtext", "longblob/longtext"},
}

func baseName(t Type) string {
	if s := baseNames[t]; s != "" {
		return s
	}
	return t.String()
}

func appendArgs(dst []byte, args ...int) []byte {
	for i, n := range args {
		if i == 0 {
			dst = append(dst, '(')
		} else {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	return append(dst, ')')
}

func appendCharName(dst []byte, text, binary string, length int, a Traits) []byte {
	switch {
	case a.Binary:
		return appendArgs(append(dst, binary...), length)
	case a.CharLen > 0:
		return appendArgs(append(dst, text...), length/a.CharLen)
	}
	dst = append(append(append(append(dst, text...), '/'), binary...), '(') // either: the log does not tell
	dst = strconv.AppendInt(dst, int64(length), 10)
	return append(dst, " bytes)"...)
}

func appendBlobName(dst []byte, t Type, meta uint16, a Traits) []byte {
	if meta-1 > 3 {
		return append(dst, t.String()...)
	}
	names := &blobNames[meta-1]
	switch {
	case a.Binary:
		return append(dst, names[0]...)
	case a.CharLen > 0:
		return append(dst, names[1]...)
	}
	return append(dst, names[2]...)
}
