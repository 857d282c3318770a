package value

import "strconv"

// Type is a column type as the server numbers them. In a table map CHAR, BINARY, ENUM and SET are all String: [Resolve]
// tells them apart.
type Type uint8

// The column types. Those that end in 2 came with MySQL 5.6 and MariaDB 10.0 and carry fractions of a second; the ones
// they replace are still read.
const (
	Decimal           Type = 0 // before MySQL 5.0.3: text of a width that is not in the log
	Tiny              Type = 1
	Short             Type = 2
	Long              Type = 3
	Float             Type = 4
	Double            Type = 5
	Null              Type = 6
	Timestamp         Type = 7
	LongLong          Type = 8
	Int24             Type = 9
	Date              Type = 10
	Time              Type = 11
	Datetime          Type = 12
	Year              Type = 13
	NewDate           Type = 14
	Varchar           Type = 15
	Bit               Type = 16
	Timestamp2        Type = 17
	Datetime2         Type = 18
	Time2             Type = 19
	TypedArray        Type = 20  // MySQL 8.0.18: the hidden column of a multi-valued index
	BlobCompressed    Type = 140 // MariaDB 10.3
	VarcharCompressed Type = 141 // MariaDB 10.3
	Vector            Type = 242 // MySQL 9.0
	Invalid           Type = 243
	Bool              Type = 244
	JSON              Type = 245 // MySQL 5.7
	NewDecimal        Type = 246
	Enum              Type = 247
	Set               Type = 248
	TinyBlob          Type = 249
	MediumBlob        Type = 250
	LongBlob          Type = 251
	Blob              Type = 252 // all TEXT and BLOB sizes; the metadata tells which
	VarString         Type = 253
	String            Type = 254
	Geometry          Type = 255
)

var typeNames = [256]string{
	Decimal: "DECIMAL", Tiny: "TINY", Short: "SHORT", Long: "LONG", Float: "FLOAT", Double: "DOUBLE", Null: "NULL",
	Timestamp: "TIMESTAMP", LongLong: "LONGLONG", Int24: "INT24", Date: "DATE", Time: "TIME", Datetime: "DATETIME",
	Year: "YEAR", NewDate: "NEWDATE", Varchar: "VARCHAR", Bit: "BIT", Timestamp2: "TIMESTAMP2", Datetime2: "DATETIME2",
	Time2: "TIME2", TypedArray: "TYPED_ARRAY", BlobCompressed: "BLOB_COMPRESSED", VarcharCompressed: "VARCHAR_COMPRESSED",
	Vector: "VECTOR", Invalid: "INVALID", Bool: "BOOL", JSON: "JSON", NewDecimal: "NEWDECIMAL", Enum: "ENUM", Set: "SET",
	TinyBlob: "TINY_BLOB", MediumBlob: "MEDIUM_BLOB", LongBlob: "LONG_BLOB", Blob: "BLOB", VarString: "VAR_STRING",
	String: "STRING", Geometry: "GEOMETRY",
}

// String returns the server's name without its MYSQL_TYPE_, such as "LONGLONG", and "type 99" for a code it has no name
// for.
func (t Type) String() string {
	if s := typeNames[t]; s != "" {
		return s
	}
	return "type " + strconv.Itoa(int(t))
}

// Known says whether the code is one of the server's.
func (t Type) Known() bool { return typeNames[t] != "" }

// Numeric says whether the column has a bit in the SIGNEDNESS metadata. YEAR has one in MySQL and from MariaDB's server;
// BIT has none.
func (t Type) Numeric() bool {
	switch t {
	case Tiny, Short, Int24, Long, LongLong, Year, Float, Double, Decimal, NewDecimal:
		return true
	}
	return false
}

// Character says whether the column counts in the DEFAULT_CHARSET and COLUMN_CHARSET metadata. t is the real type of
// [Resolve] and meta its metadata. GEOMETRY counts in MariaDB only; a MySQL multi-valued index counts when it is one over
// text.
func (t Type) Character(meta uint16, mariaDB bool) bool {
	switch t {
	case String, VarString, Varchar, TinyBlob, MediumBlob, LongBlob, Blob, Vector, BlobCompressed, VarcharCompressed:
		return true
	case Geometry:
		return mariaDB
	case TypedArray:
		return Type(meta) == Varchar
	}
	return false
}

// EnumOrSet says whether the real type t is ENUM or SET: these count in metadata of their own.
func (t Type) EnumOrSet() bool { return t == Enum || t == Set }
