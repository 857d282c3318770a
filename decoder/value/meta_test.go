package value

import (
	"testing"

	"binlens/decoder/wire"
)

func TestReadMeta(t *testing.T) {
	for _, tt := range []struct {
		typ  Type
		hex  string
		want uint16
		left int
	}{
		{Tiny, "aa", 0, 1}, {Short, "aa", 0, 1}, {Int24, "aa", 0, 1}, {Long, "aa", 0, 1}, {LongLong, "aa", 0, 1},
		{Year, "aa", 0, 1}, {Date, "aa", 0, 1}, {NewDate, "aa", 0, 1}, {Time, "aa", 0, 1}, {Datetime, "aa", 0, 1},
		{Timestamp, "aa", 0, 1}, {Null, "aa", 0, 1}, {Decimal, "aa", 0, 1}, {Bool, "aa", 0, 1}, {Invalid, "aa", 0, 1},
		{Float, "04 aa", 4, 1}, {Double, "08 aa", 8, 1},
		{Blob, "02 aa", 2, 1}, {TinyBlob, "01 aa", 1, 1}, {MediumBlob, "03 aa", 3, 1}, {LongBlob, "04 aa", 4, 1},
		{JSON, "04 aa", 4, 1}, {Geometry, "04 aa", 4, 1}, {Vector, "04 aa", 4, 1}, {BlobCompressed, "02 aa", 2, 1},
		{Time2, "06 aa", 6, 1}, {Datetime2, "03 aa", 3, 1}, {Timestamp2, "00 aa", 0, 1},
		{Varchar, "2c 01 aa", 300, 1}, {VarcharCompressed, "2c 01 aa", 300, 1}, {VarString, "0a 00 aa", 10, 1},
		{String, "ee 2c aa", 0xee2c, 1}, {Enum, "f7 01 aa", 0xf701, 1}, {Set, "f8 08 aa", 0xf808, 1},
		{NewDecimal, "0d 04 aa", 13<<8 | 4, 1},
		{Bit, "03 00 aa", 3, 1}, {Bit, "00 02 aa", 2 << 8, 1}, {Bit, "02 01 aa", 1<<8 | 2, 1},
		{TypedArray, "08 aa", uint16(LongLong), 1},
		{TypedArray, "0f 00 01 00 aa", uint16(Varchar), 1},
		{TypedArray, "0f 00 01", uint16(Varchar), 0}, // a maximum length cut to 2 bytes
		{TypedArray, "f6 0a 02 aa", uint16(NewDecimal), 1},
		{TypedArray, "13 06 aa", uint16(Time2), 1},
		{TypedArray, "12 06 aa", uint16(Datetime2), 1},
		{TypedArray, "0e aa", uint16(NewDate), 1},
	} {
		c := wire.NewCursor(unhex(t, tt.hex), 0, nil)
		if got := ReadMeta(&c, tt.typ); got != tt.want || c.Len() != tt.left || !c.OK() {
			t.Errorf("ReadMeta(%s, %s) = %#x, %d bytes left, %v; want %#x, %d left", tt.typ, tt.hex, got, c.Len(), c.Err(), tt.want, tt.left)
		}
	}
}

func TestReadMetaRefuses(t *testing.T) {
	for _, tt := range []struct {
		typ  Type
		hex  string
		kind wire.Kind
	}{
		{Varchar, "2c", wire.Truncated},
		{Blob, "", wire.Truncated},
		{TypedArray, "", wire.Truncated},
		{TypedArray, "0f 00", wire.Truncated},
		{TypedArray, "14 14 14", wire.Corrupt},
		{TypedArray, "63", wire.Unsupported},
		{Type(99), "00", wire.Unsupported},
	} {
		c := wire.NewCursor(unhex(t, tt.hex), 0, nil)
		ReadMeta(&c, tt.typ)
		if err := c.Fault(); err == nil || err.Kind != tt.kind {
			t.Errorf("ReadMeta(%s, %s): %v, want %v", tt.typ, tt.hex, err, tt.kind)
		}
	}
}

func TestResolve(t *testing.T) {
	for _, tt := range []struct {
		typ      Type
		meta     uint16
		want     Type
		wantMeta uint16
	}{
		{String, 0xfe0a, String, 10},
		{String, 0xfe08, String, 8}, // CHAR(2) utf8mb4: bytes, not characters
		{String, 0xfeff, String, 255},
		{String, 0xee00, String, 256},
		{String, 0xee2c, String, 300},
		{String, 0xde00, String, 512},
		{String, 0xdefc, String, 764},
		{String, 0xcefc, String, 1020},
		{String, 0xfe10, String, 16},
		{String, 0xf701, Enum, 1},
		{String, 0xf702, Enum, 2},
		{String, 0xf801, Set, 1},
		{String, 0xf808, Set, 8},
		{String, 0x0014, String, 20},
		{String, 0, String, 0},
		{String, 0xfd0a, VarString, 10},
		{String, 0xf50a, Invalid, 0xf50a},
		{String, 0x0301, Invalid, 0x0301},
		{Enum, 0xf702, Enum, 2},
		{Set, 0xf803, Set, 3},
		{Varchar, 300, Varchar, 300},
		{NewDecimal, 13<<8 | 4, NewDecimal, 13<<8 | 4},
	} {
		if got, meta := Resolve(tt.typ, tt.meta); got != tt.want || meta != tt.wantMeta {
			t.Errorf("Resolve(%s, %#x) = %s, %d; want %s, %d", tt.typ, tt.meta, got, meta, tt.want, tt.wantMeta)
		}
	}
}

// Every length of CHAR that a column can have, packed as the server packs it.
func TestResolveLengths(t *testing.T) {
	for length := range uint16(1024) {
		first := uint16(String) ^ length&0x300>>4
		if got, meta := Resolve(String, first<<8|length&0xff); got != String || meta != length {
			t.Errorf("length %d: Resolve = %s, %d", length, got, meta)
		}
	}
}

func TestTypeGroups(t *testing.T) {
	numeric := map[Type]bool{Tiny: true, Short: true, Int24: true, Long: true, LongLong: true, Year: true, Float: true,
		Double: true, Decimal: true, NewDecimal: true}
	character := map[Type]bool{String: true, VarString: true, Varchar: true, TinyBlob: true, MediumBlob: true, LongBlob: true,
		Blob: true, Vector: true, BlobCompressed: true, VarcharCompressed: true}
	for i := range 256 {
		typ := Type(i)
		if typ.Numeric() != numeric[typ] {
			t.Errorf("%s: Numeric is %v", typ, typ.Numeric())
		}
		if typ.Character(0, false) != character[typ] {
			t.Errorf("%s: Character is %v in MySQL", typ, typ.Character(0, false))
		}
		if maria := typ == Geometry || character[typ]; typ.Character(0, true) != maria {
			t.Errorf("%s: Character is %v in MariaDB", typ, !maria)
		}
		if typ.EnumOrSet() != (typ == Enum || typ == Set) {
			t.Errorf("%s: EnumOrSet is %v", typ, typ.EnumOrSet())
		}
	}
	if !TypedArray.Character(uint16(Varchar), false) || TypedArray.Character(uint16(LongLong), false) {
		t.Error("an array counts as text when its elements are text, and only then")
	}
}

func TestTypeString(t *testing.T) {
	for typ, want := range map[Type]string{Decimal: "DECIMAL", LongLong: "LONGLONG", Int24: "INT24", String: "STRING",
		BlobCompressed: "BLOB_COMPRESSED", Type(99): "type 99"} {
		if got := typ.String(); got != want {
			t.Errorf("Type(%d) = %q, want %q", typ, got, want)
		}
	}
}

func TestTypeName(t *testing.T) {
	utf8mb4, binary, unknown := Traits{CharLen: 4}, Traits{Binary: true, CharLen: 1}, Traits{}
	for _, tt := range []struct {
		typ  Type
		meta uint16
		a    Traits
		want string
	}{
		{Tiny, 0, unknown, "tinyint"}, {Short, 0, unknown, "smallint"}, {Int24, 0, Traits{Unsigned: true}, "mediumint unsigned"},
		{Long, 0, unknown, "int"}, {LongLong, 0, Traits{Unsigned: true}, "bigint unsigned"},
		{Float, 4, unknown, "float"}, {Double, 8, Traits{Unsigned: true}, "double unsigned"},
		{NewDecimal, 10<<8 | 2, unknown, "decimal(10,2)"}, {NewDecimal, 10 << 8, Traits{Unsigned: true}, "decimal(10,0) unsigned"},
		{Decimal, 0, unknown, "decimal"},
		{Year, 0, Traits{Unsigned: true}, "year"},
		{Date, 0, unknown, "date"}, {NewDate, 0, unknown, "date"},
		{Time2, 0, unknown, "time"}, {Time2, 3, unknown, "time(3)"}, {Time, 0, unknown, "time"},
		{Datetime2, 6, unknown, "datetime(6)"}, {Datetime, 0, unknown, "datetime"}, {Datetime, 2, unknown, "datetime(2)"},
		{Timestamp2, 3, unknown, "timestamp(3)"}, {Timestamp, 0, unknown, "timestamp"},
		{Bit, 1<<8 | 2, unknown, "bit(10)"}, {Bit, 8 << 8, unknown, "bit(64)"},
		{Enum, 1, utf8mb4, "enum"}, {Set, 8, utf8mb4, "set"},
		{Varchar, 400, utf8mb4, "varchar(100)"}, {Varchar, 20, binary, "varbinary(20)"}, {Varchar, 400, unknown, "varchar/varbinary(400 bytes)"},
		{String, 40, utf8mb4, "char(10)"}, {String, 16, binary, "binary(16)"}, {String, 16, unknown, "char/binary(16 bytes)"},
		{Blob, 1, binary, "tinyblob"}, {Blob, 2, binary, "blob"}, {Blob, 3, binary, "mediumblob"}, {Blob, 4, binary, "longblob"},
		{Blob, 1, utf8mb4, "tinytext"}, {Blob, 2, utf8mb4, "text"}, {Blob, 3, utf8mb4, "mediumtext"}, {Blob, 4, utf8mb4, "longtext"},
		{Blob, 2, unknown, "blob/text"}, {Blob, 0, unknown, "BLOB"}, {Blob, 9, unknown, "BLOB"},
		{VarcharCompressed, 401, utf8mb4, "varchar(100) compressed"}, {BlobCompressed, 2, utf8mb4, "text compressed"},
		{JSON, 4, unknown, "json"},
		{Geometry, 4, unknown, "geometry"}, {Geometry, 4, Traits{Geometry: 1}, "point"}, {Geometry, 4, Traits{Geometry: 99}, "geometry"},
		{Geometry, 4, Traits{Geometry: -1}, "geometry"},
		{Vector, 4, Traits{Dims: 3}, "vector(3)"}, {Vector, 4, unknown, "vector"},
		{TypedArray, uint16(LongLong), unknown, "bigint array"}, {TypedArray, uint16(Varchar), unknown, "varchar array"},
		{Type(99), 0, unknown, "type 99"},
	} {
		if got := string(AppendTypeName(nil, tt.typ, tt.meta, tt.a)); got != tt.want {
			t.Errorf("%s(%#x) %+v = %q, want %q", tt.typ, tt.meta, tt.a, got, tt.want)
		}
	}
}
