package value

import (
	"math"
	"strconv"
)

// AppendText appends the value as the server prints it, and nothing for byte kinds (see [Bytes]) and for KindNone. event
// starts with the event's first byte, meta is the column's metadata from [Resolve], unsigned its sign from the table map.
//
//	NULL                       NULL
//	integers                   digits
//	FLOAT, DOUBLE              the shortest digits that read back, as a number of JSON; NaN, Infinity and -Infinity,
//	                           which no server stores, are none (see IsFinite)
//	DECIMAL                    exactly its scale: 0.00, -0.10
//	YEAR                       4 digits
//	DATE, DATETIME, TIMESTAMP  2024-02-29 23:59:58.123, exactly the column's digits of a fraction; zeros as stored;
//	                           TIMESTAMP in UTC, up to 2106
//	TIME                       -838:59:59.000000
//	BIT                        b'0101', all bits of the column
//	ENUM, SET                  the number of the member, the mask of the members
//
// Parts of a date or time that are not possible, and bits beyond a BIT's width, are printed as they are stored; [Doubt]
// names them. The text has at most 128 bytes.
func AppendText(dst, event []byte, meta uint16, unsigned bool, v *Value) []byte {
	var t clock
	switch v.Kind {
	case KindNull:
		return append(dst, "NULL"...)
	case KindInt:
		if unsigned {
			return AppendUint(dst, v.Bits)
		}
		return strconv.AppendInt(dst, v.Int64(), 10)
	case KindFloat32:
		return appendFloat(dst, float64(math.Float32frombits(uint32(v.Bits))), 32)
	case KindFloat64:
		return appendFloat(dst, math.Float64frombits(v.Bits), 64)
	case KindDecimal:
		dst, _ = AppendDecimal(dst, event, meta, v)
		return dst
	case KindYear:
		if v.Bits == 0 {
			return append(dst, "0000"...)
		}
		return strconv.AppendUint(dst, 1900+v.Bits, 10)
	case KindDate:
		t.setDate(v.Bits)
		return t.appendDate(dst)
	case KindTime:
		t.setTime(v.Bits)
		return t.appendTime(t.appendSign(dst), meta)
	case KindTimeDigits:
		t.setTimeDigits(v.Bits)
		return t.appendTime(t.appendSign(dst), 0)
	case KindDatetime:
		t.setDatetime(v.Bits)
		return t.appendDatetime(dst, meta)
	case KindDatetimeDigits:
		t.setDatetimeDigits(v.Bits)
		return t.appendDatetime(dst, 0)
	case KindTimestamp:
		t.setTimestamp(v.Bits)
		return t.appendDatetime(dst, meta)
	case KindBit:
		return appendBit(dst, v.Bits, meta)
	case KindEnum, KindSet:
		return strconv.AppendUint(dst, v.Bits, 10)
	}
	return dst
}
