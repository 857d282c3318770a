package jsonb

import (
	"encoding/base64"
	"encoding/binary"
	"strconv"

	"binlens/decoder/value"
	"binlens/decoder/wire"
)

// appendOpaqueJSON appends an opaque value whose data starts at byte at of the document: decimals as a number, all else
// as a string.
func (p *printer) appendOpaqueJSON(dst []byte, columnType uint8, at int, data []byte) []byte {
	switch value.Type(columnType) {
	case value.NewDecimal:
		return p.appendOpaque(dst, columnType, at, data)
	case value.Date, value.Time, value.Datetime, value.Timestamp:
		return append(p.appendOpaque(append(dst, '"'), columnType, at, data), '"')
	}
	return append(appendBase64(append(dst, '"'), columnType, data, `\n`), '"')
}

// appendOpaque appends an opaque value without quotes.
//
//	NEWDECIMAL           u8 precision, u8 scale, and the digits as a DECIMAL column stores them
//	DATETIME, TIMESTAMP  i64 of the date and time as Bits of [value.KindDatetime]; DATE the same with no time
//	TIME                 i64 as Bits of [value.KindTime]
//	others               the bytes that the server takes for the column's value
func (p *printer) appendOpaque(dst []byte, columnType uint8, at int, data []byte) []byte {
	switch t := value.Type(columnType); t {
	case value.NewDecimal:
		return p.appendDecimal(dst, at, data)
	case value.Date, value.Time, value.Datetime, value.Timestamp:
		if len(data) != 8 {
			p.fail(at, "a "+t.String()+" of "+byteCount(uint64(len(data)))+"; it has 8")
			return dst
		}
		return appendTemporal(dst, t, binary.LittleEndian.Uint64(data))
	}
	return appendBase64(dst, columnType, data, "\n")
}

func (p *printer) appendDecimal(dst []byte, at int, data []byte) []byte {
	if len(data) < 2 {
		p.fail(at, "a decimal of "+byteCount(uint64(len(data))))
		return dst
	}
	precision, scale, digits := data[0], data[1], data[2:]
	meta := uint16(precision)<<8 | uint16(scale)
	if n, ok := value.FixedLen(value.NewDecimal, meta); !ok || n != len(digits) {
		p.fail(at, "a decimal of precision "+itoa(int(precision))+" and scale "+itoa(int(scale))+" in "+byteCount(uint64(len(digits))))
		return dst
	}
	var v value.Value
	c := wire.NewCursor(digits, 0, nil)
	value.Read(&c, value.NewDecimal, meta, &v)
	return value.AppendText(dst, digits, meta, false, &v)
}

func appendTemporal(dst []byte, t value.Type, packed uint64) []byte {
	const fsp = 6
	v := value.Value{Kind: value.KindDatetime, Bits: packed}
	switch t {
	case value.Time:
		v.Kind = value.KindTime
	case value.Date:
		ymd := packed >> 41
		v.Kind, v.Bits = value.KindDate, ymd>>5/13<<9|ymd>>5%13<<5|ymd&31
	}
	return value.AppendText(dst, nil, fsp, false, &v)
}

// appendBase64 appends base64:type252:AP8=. The server's base64 has lines of 76 characters.
func appendBase64(dst []byte, columnType uint8, data []byte, newline string) []byte {
	dst = append(dst, "base64:type"...)
	dst = strconv.AppendUint(dst, uint64(columnType), 10)
	dst = append(dst, ':')
	const line = 76 / 4 * 3
	for len(data) > line {
		dst = base64.StdEncoding.AppendEncode(dst, data[:line])
		dst = append(dst, newline...)
		data = data[line:]
	}
	return base64.StdEncoding.AppendEncode(dst, data)
}
