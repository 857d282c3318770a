package sql

import (
	"binlens/decoder"
	"binlens/decoder/charset"
	"binlens/decoder/value"
	"strconv"
	"unicode/utf8"
)

// appendQuoted appends text in quotes. No byte of it ends the text, the line or the statement.
func appendQuoted(dst, text []byte) []byte {
	dst = append(dst, '\'')
	for _, c := range text {
		switch c {
		case 0:
			dst = append(dst, '\\', '0')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case 0x1a:
			dst = append(dst, '\\', 'Z')
		case '\'', '\\':
			dst = append(dst, '\\', c)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '\'')
}

const hexDigits = "0123456789abcdef"

// appendHex appends bytes as a literal.
func appendHex(dst, b []byte) []byte {
	if len(b) == 0 {
		return append(dst, "''"...)
	}
	dst = append(dst, "X'"...)
	for _, c := range b {
		dst = append(dst, hexDigits[c>>4], hexDigits[c&15])
	}
	return append(dst, '\'')
}

// asciiAlike says that bytes below 0x80 that stand alone are the characters of ASCII, and that a server gives them back as
// they are.
func asciiAlike(cs charset.Charset) bool {
	switch cs {
	case charset.Unknown, charset.UCS2, charset.UTF16, charset.UTF16LE, charset.UTF32, charset.SWE7, charset.SJIS, charset.CP932, charset.Big5,
		charset.GBK, charset.GB18030, charset.Filename:
		return false
	}
	return true
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// printable says that bytes of an unknown character set look like ASCII.
func printable(b []byte) bool {
	for _, c := range b {
		if (c < ' ' || c > '~') && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// appendText appends the bytes of a text such that the server stores the same ones.
func (c *column) appendText(dst, b []byte) []byte {
	switch {
	case c.cs == charset.Binary:
		return appendHex(dst, c.padded(b))
	case c.cs == charset.Unknown && printable(b), asciiAlike(c.cs) && isASCII(b):
		return appendQuoted(dst, b)
	case (c.cs == charset.UTF8MB4 || c.cs == charset.UTF8MB3) && utf8.Valid(b):
		return appendQuoted(dst, b)
	case c.cs == charset.Latin1:
		if text, ok := c.cs.AppendUTF8(nil, b); ok {
			return appendQuoted(dst, text)
		}
	case c.cs != charset.Unknown && c.cs != charset.UTF8MB4 && c.cs != charset.UTF8MB3:
		dst = append(append(append(dst, '_'), c.cs.Name()...), ' ')
	}
	return appendHex(dst, b)
}

// padded gives a BINARY value back the zeros at its end, which the log leaves out.
func (c *column) padded(b []byte) []byte {
	if c.pad <= len(b) {
		return b
	}
	out := make([]byte, c.pad)
	copy(out, b)
	return out
}

// appendValue appends the literal of a cell for INSERT and SET. why is not empty where the value may be another, or cannot be
// written.
func (c *column) appendValue(dst, raw []byte, v *value.Value) (out []byte, why string) {
	switch v.Kind {
	case value.KindNull:
		return append(dst, "NULL"...), ""
	case value.KindInt:
		return c.appendInt(dst, v)
	case value.KindFloat32, value.KindFloat64:
		return appendFloat(dst, v), ""
	case value.KindDecimal:
		return value.AppendText(dst, raw, c.m.Meta, c.m.Unsigned, v), ""
	case value.KindYear:
		if v.Bits == 0 {
			return append(dst, '0'), ""
		}
		return strconv.AppendUint(dst, 1900+v.Bits, 10), ""
	case value.KindBit:
		return value.AppendText(dst, raw, c.m.Meta, false, v), ""
	case value.KindEnum:
		return c.appendMember(dst, v.Bits), ""
	case value.KindSet:
		return c.appendSet(dst, v.Bits), ""
	case value.KindBytes:
		return c.appendBytes(dst, value.Bytes(raw, v)), ""
	case value.KindCompressed:
		plain, err := decoder.InflateColumn(value.Bytes(raw, v))
		if err != nil {
			return append(dst, "NULL"...), err.Msg
		}
		return c.appendText(dst, plain), ""
	case value.KindJSON:
		return appendDocument(dst, value.Bytes(raw, v))
	case value.KindGeometry:
		return c.appendGeometry(dst, value.Bytes(raw, v)), ""
	case value.KindVector:
		return appendHex(dst, value.Bytes(raw, v)), ""
	}
	return append(value.AppendText(append(dst, '\''), raw, c.m.Meta, c.m.Unsigned, v), '\''), ""
}

// signDoubt is of a number whose sign bit is set.
const signDoubt = "no table map, DDL or schema says whether a column is unsigned, and a value differs by it"

func (c *column) appendInt(dst []byte, v *value.Value) ([]byte, string) {
	if c.m.Unsigned {
		return strconv.AppendUint(dst, v.Bits, 10), ""
	}
	n := v.Int64()
	if n < 0 && !c.m.SignKnown {
		return strconv.AppendInt(dst, n, 10), signDoubt
	}
	return strconv.AppendInt(dst, n, 10), ""
}

// appendMember appends the member of an ENUM: its label, or its number. The invalid value has number 0.
func (c *column) appendMember(dst []byte, n uint64) []byte {
	if n > 0 && n <= uint64(len(c.labels)) {
		return appendQuoted(dst, c.labels[n-1])
	}
	return strconv.AppendUint(dst, n, 10)
}

// appendSet appends the members of a SET, or their bits as a number.
func (c *column) appendSet(dst []byte, bits uint64) []byte {
	if c.labels == nil || len(c.labels) < 64 && bits>>len(c.labels) != 0 {
		return strconv.AppendUint(dst, bits, 10)
	}
	var joined []byte
	for i, l := range c.labels {
		if bits>>i&1 != 0 {
			if joined != nil {
				joined = append(joined, ',')
			}
			joined = append(joined, l...)
		}
	}
	return appendQuoted(dst, joined)
}

// appendBytes appends the data of a text or binary column. MariaDB's INET4, INET6 and UUID are bytes in the log, and text in
// SQL.
func (c *column) appendBytes(dst, b []byte) []byte {
	switch {
	case c.typ == "inet4" && len(b) <= 4:
		return appendINET4(dst, c.padded(b))
	case c.typ == "uuid" && len(b) <= 16:
		return appendUUID(dst, c.padded(b))
	}
	return c.appendText(dst, b)
}

func appendINET4(dst, b []byte) []byte {
	for i, n := range b {
		dst = append(dst, ".'"[b2i(i == 0)])
		dst = strconv.AppendUint(dst, uint64(n), 10)
	}
	return append(dst, '\'')
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// appendUUID appends a UUID. MariaDB stores one of a version from 1 to 5 with its groups in the opposite order, so that those
// made one after the other are near each other: node, clock, time high, middle, low. Others stand as they are.
func appendUUID(dst, b []byte) []byte {
	dst = append(dst, '\'')
	u := b
	if swapped(b) {
		u = make([]byte, 0, 16)
		u = append(u, b[12:16]...)
		u = append(u, b[10:12]...)
		u = append(u, b[8:10]...)
		u = append(u, b[6:8]...)
		u = append(u, b[0:6]...)
	}
	for i, n := range u {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			dst = append(dst, '-')
		}
		dst = append(dst, hexDigits[n>>4], hexDigits[n&15])
	}
	return append(dst, '\'')
}

// swapped says that the stored bytes of a UUID are in the opposite order: the top bit of the clock's group is set, and the
// version is below 6.
func swapped(b []byte) bool { return b[6]&0x80 != 0 && b[8]>>4 < 6 && b[8]>>4 > 0 }

// appendGeometry appends a geometry as its SRID and WKB. MySQL 8.0 takes the axes of a geographic system in that system's
// order unless told otherwise; they are stored longitude first.
func (c *column) appendGeometry(dst, b []byte) []byte {
	if len(b) < 4 {
		return appendHex(dst, b)
	}
	srid := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24
	dst = appendHex(append(dst, "ST_GeomFromWKB("...), b[4:])
	if srid != 0 {
		dst = strconv.AppendUint(append(dst, ','), srid, 10)
		if c.axisOrder {
			dst = append(dst, ",'axis-order=long-lat'"...)
		}
	}
	return append(dst, ')')
}
