package value

import "math"

// Kind says what a Value holds, and what its Bits are.
type Kind uint8

// The kinds of Value.
const (
	KindNone           Kind = iota // nothing was read: the column is not in the image, or its bytes could not be read
	KindNull                       // NULL
	KindInt                        // the bytes of the integer; its sign is the table's to know
	KindFloat32                    // IEEE 754, 32 bits
	KindFloat64                    // IEEE 754, 64 bits
	KindDecimal                    // not used: the value is in the bytes of the cell
	KindDate                       // year<<9 | month<<5 | day
	KindTime                       // int64: (hour<<12 | minute<<6 | second)<<24 | µs, negated as a whole
	KindTimeDigits                 // before fractions: the decimal digits HHMMSS as a number, 24 bits with sign
	KindDatetime                   // int64: ((year*13+month)<<22 | day<<17 | hour<<12 | minute<<6 | second)<<24 | µs
	KindDatetimeDigits             // before fractions: the decimal digits YYYYMMDDhhmmss as a number
	KindTimestamp                  // s since 1970 UTC <<24 | µs; all zero is the zero timestamp
	KindYear                       // 0 for 0000, else year - 1900
	KindBit                        // the bits
	KindEnum                       // number of the member: 1 is the first, 0 the invalid value ""
	KindSet                        // bit i is member i

	// The kinds from here on are byte kinds: Bits is where their data starts, in bytes from the first of the event.
	KindBytes      // CHAR, VARCHAR, TEXT, BINARY, VARBINARY, BLOB
	KindCompressed // MariaDB's compressed TEXT and VARCHAR, as they are stored
	KindJSON       // a binary JSON document; 0 bytes stand for null
	KindGeometry   // SRID (4 bytes) and WKB; 0 bytes are possible
	KindVector     // float32 after float32
	KindJSONDiff   // what changes in a binary JSON document (PARTIAL_UPDATE_ROWS_EVENT); set by who knows that it is one
	KindArray      // the keys of a multi-valued index, as a binary JSON document
)

// Value is one cell of a row image: a range of the event's bytes, and what can be said of it in 64 bits.
type Value struct {
	Kind     Kind
	Off, End uint32 // the cell, length prefix included; bytes from the first of the event, End exclusive
	Bits     uint64 // see Kind
}

// Uint64 returns the value of KindInt, KindBit, KindEnum and KindSet without a sign.
func (v *Value) Uint64() uint64 { return v.Bits }

// Int64 returns the value of KindInt with the sign that the top bit of its bytes says.
func (v *Value) Int64() int64 {
	unused := 64 - 8*(v.End-v.Off)
	return int64(v.Bits<<unused) >> unused
}

// Float returns the value of KindFloat32 and KindFloat64.
func (v *Value) Float() float64 {
	if v.Kind == KindFloat32 {
		return float64(math.Float32frombits(uint32(v.Bits)))
	}
	return math.Float64frombits(v.Bits)
}

// IsFinite says that a KindFloat32 or KindFloat64 is a number. Servers store nothing else, and JSON has no other.
func (v *Value) IsFinite() bool {
	f := v.Float()
	return f-f == 0
}

// Bytes returns the data of a byte kind without its length prefix, and nil for other kinds. event starts with the event's
// first byte. The result is part of event, with no room to append.
func Bytes(event []byte, v *Value) []byte {
	if v.Kind < KindBytes || v.Bits > uint64(v.End) {
		return nil
	}
	return part(event, uint32(v.Bits), v.End)
}

// part returns event[off:end], or nothing where there is no such range: a Value may come with the wrong event.
func part(event []byte, off, end uint32) []byte {
	if off > end || uint64(end) > uint64(len(event)) {
		return nil
	}
	return event[off:end:end]
}
