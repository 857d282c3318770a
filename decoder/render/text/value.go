package text

import (
	"binlens/decoder"
	"binlens/decoder/jsonb"
	"binlens/decoder/value"
	"binlens/decoder/wire"
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"
)

// value prints a cell as the tools do, which know its type and nothing else of its column.
func (p *rowPrinter) value(dst []byte, i int, v *value.Value) []byte {
	c := &p.m.Columns[i]
	plain := func(quote bool) []byte {
		if !quote {
			return value.AppendText(dst, p.raw, c.Meta, false, v)
		}
		return append(value.AppendText(append(dst, '\''), p.raw, c.Meta, false, v), '\'')
	}
	switch v.Kind {
	case value.KindNull:
		return append(dst, "NULL"...)
	case value.KindInt:
		return appendInt(dst, v)
	case value.KindFloat32:
		return padRight(appendG(dst, v.Float(), 6), len(dst), 20)
	case value.KindFloat64:
		return appendG(dst, v.Float(), 20)
	case value.KindYear:
		return strconv.AppendUint(dst, 1900+v.Bits, 10)
	case value.KindDate:
		start := len(dst)
		dst = plain(true)
		return append(dst[:start], bytes.ReplaceAll(dst[start:], []byte("-"), []byte(":"))...)
	case value.KindTimestamp:
		return appendEpoch(dst, v.Bits, c.Meta)
	case value.KindDatetimeDigits:
		return plain(p.maria)
	case value.KindTime, value.KindTimeDigits, value.KindDatetime:
		return plain(true)
	case value.KindSet:
		return appendBits(dst, v.Bits, 8*int(v.End-v.Off))
	case value.KindJSON, value.KindArray:
		text, err := jsonb.AppendUnquoted(nil, value.Bytes(p.raw, v))
		if err != nil {
			text = value.Bytes(p.raw, v)
		}
		return p.quote(dst, text)
	case value.KindJSONDiff:
		return appendDiffs(dst, i+1, value.Bytes(p.raw, v))
	case value.KindVector:
		return appendVector(dst, value.Bytes(p.raw, v))
	case value.KindCompressed:
		if b, err := decoder.InflateColumn(value.Bytes(p.raw, v)); err == nil {
			return p.quote(dst, b)
		}
	}
	if v.Kind >= value.KindBytes {
		return p.quote(dst, value.Bytes(p.raw, v))
	}
	return plain(false)
}

// appendInt prints an integer as signed, and a negative one as unsigned too.
func appendInt(dst []byte, v *value.Value) []byte {
	n := v.Int64()
	dst = strconv.AppendInt(dst, n, 10)
	if n < 0 {
		dst = append(strconv.AppendUint(append(dst, " ("...), v.Bits, 10), ')')
	}
	return dst
}

func padRight(dst []byte, start, width int) []byte {
	for len(dst) < start+width {
		dst = append(dst, ' ')
	}
	return dst
}

// appendG prints a number as printf's %.Ng does.
func appendG(dst []byte, f float64, digits int) []byte {
	e := strconv.AppendFloat(nil, f, 'e', digits-1, 64)
	at := bytes.IndexByte(e, 'e')
	if at < 0 {
		return append(dst, e...)
	}
	x, _ := strconv.Atoi(string(e[at+1:]))
	if x >= -4 && x < digits {
		return append(dst, trimZeros(strconv.AppendFloat(nil, f, 'f', digits-1-x, 64))...)
	}
	return append(append(dst, trimZeros(e[:at:at])...), e[at:]...)
}

// trimZeros takes the zeros off the end of a fraction, and the point with them.
func trimZeros(b []byte) []byte {
	if bytes.IndexByte(b, '.') < 0 {
		return b
	}
	return bytes.TrimRight(bytes.TrimRight(b, "0"), ".")
}

// appendEpoch prints a TIMESTAMP as seconds since 1970 with its fraction.
func appendEpoch(dst []byte, bits uint64, digits uint16) []byte {
	dst = strconv.AppendUint(dst, bits>>24, 10)
	if digits == 0 || digits > 6 {
		return dst
	}
	fraction := strconv.FormatUint(1e6+bits&(1<<24-1), 10)[1:]
	return append(append(dst, '.'), fraction[:digits]...)
}

func appendBits(dst []byte, bits uint64, n int) []byte {
	dst = append(dst, "b'"...)
	for i := min(n, 64) - 1; i >= 0; i-- {
		dst = append(dst, '0'+byte(bits>>i&1))
	}
	return append(dst, '\'')
}

// escapes are the bytes that have a short form behind a backslash; MariaDB's tool has one for none of them, but without those of
// the first two nobody could read the text.
const escapes = "'\\\b\f\n\r\t"

const (
	mysqlForms = `'\bfnrt`
	mariaForms = `'\`
)

// quote prints bytes in quotes as the server's tool does.
func (p *rowPrinter) quote(dst, b []byte) []byte {
	if p.maria {
		return appendQuoted(dst, b, mariaForms)
	}
	return appendQuoted(dst, b, mysqlForms)
}

// appendQuoted prints bytes in quotes. short are the short forms, in the order of escapes.
func appendQuoted(dst, b []byte, short string) []byte {
	dst = append(dst, '\'')
	for _, c := range b {
		if i := strings.IndexByte(escapes[:len(short)], c); i >= 0 {
			dst = append(dst, '\\', short[i])
		} else if c < 0x20 {
			dst = append(dst, '\\', 'x', "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		} else {
			dst = append(dst, c)
		}
	}
	return append(dst, '\'')
}

// appendVector prints a vector's numbers as %.5e.
func appendVector(dst, b []byte) []byte {
	dst = append(dst, '[')
	for i := 0; i+4 <= len(b); i += 4 {
		if i > 0 {
			dst = append(dst, ',')
		}
		v := value.Value{Kind: value.KindFloat32, Bits: uint64(binary.LittleEndian.Uint32(b[i:]))}
		dst = strconv.AppendFloat(dst, v.Float(), 'e', 5, 64)
	}
	return append(dst, ']')
}

// appendDiffs prints a partial update as the functions that make it. Changes by the same function that follow each other share
// one call.
func appendDiffs(dst []byte, column int, b []byte) []byte {
	c := wire.NewCursor(b, 0, nil)
	diffs := jsonb.ReadDiffs(&c, nil)
	start := true
	for i := len(diffs) - 1; i >= 0; i-- { // the outermost function is the last
		if i+1 < len(diffs) && function(&diffs[i]) == function(&diffs[i+1]) {
			continue
		}
		if !start {
			dst = append(dst, "\n###      "...)
		}
		start = false
		dst = append(append(dst, function(&diffs[i])...), '(')
	}
	dst = strconv.AppendInt(append(dst, '@'), int64(column), 10)
	for i := range diffs {
		d := &diffs[i]
		dst = append(dst, ',')
		if i > 0 {
			dst = append(dst, "\n###      "...)
		} else {
			dst = append(dst, ' ')
		}
		dst = appendQuoted(dst, d.Path, mysqlForms)
		if d.Op != jsonb.Remove {
			dst = appendJSONValue(append(dst, ", "...), d.Value)
		}
		if i+1 == len(diffs) || function(d) != function(&diffs[i+1]) {
			dst = append(dst, ')')
		}
	}
	return dst
}

func function(d *jsonb.Diff) string {
	switch {
	case d.Op == jsonb.Replace:
		return "JSON_REPLACE"
	case d.Op == jsonb.Remove:
		return "JSON_REMOVE"
	case bytes.HasSuffix(d.Path, []byte("]")):
		return "JSON_ARRAY_INSERT"
	}
	return "JSON_INSERT"
}

// appendJSONValue prints a new value: numbers and literals as they are, containers as a cast, others in quotes.
func appendJSONValue(dst, doc []byte) []byte {
	text, err := jsonb.AppendUnquoted(nil, doc)
	if err != nil || len(doc) == 0 {
		return append(dst, "NULL"...)
	}
	switch t := doc[0]; {
	case t <= 3:
		return append(appendQuoted(append(dst, "CAST("...), text, mysqlForms), " AS JSON)"...)
	case t <= 11:
		return append(dst, text...)
	}
	return appendQuoted(dst, text, mysqlForms)
}

// typeNames are the tools' names of types, and how the metadata stands behind them.
var typeNames = map[value.Type]string{value.Tiny: "TINYINT", value.Short: "SHORTINT", value.Int24: "MEDIUMINT", value.Long: "INT",
	value.LongLong: "LONGINT", value.Float: "FLOAT", value.Double: "DOUBLE", value.NewDecimal: "DECIMAL", value.Bit: "BIT", value.Timestamp: "TIMESTAMP",
	value.Timestamp2: "TIMESTAMP", value.Datetime: "DATETIME", value.Datetime2: "DATETIME", value.Time: "TIME", value.Time2: "TIME", value.Date: "DATE",
	value.NewDate: "DATE", value.Year: "YEAR", value.Varchar: "VARSTRING", value.VarString: "VARSTRING", value.VarcharCompressed: "VARSTRING", value.JSON: "JSON",
	value.Vector: "VECTOR", value.Geometry: "GEOMETRY"}

var blobNames = [...]string{"BLOB/TEXT", "TINYBLOB/TINYTEXT", "BLOB/TEXT", "MEDIUMBLOB/MEDIUMTEXT", "LONGBLOB/LONGTEXT"}

// note prints what is said of a column's type.
func (p *rowPrinter) note(dst []byte, c *decoder.Column, v *value.Value) []byte {
	meta, name, size := uint64(c.Meta), typeNames[c.Type], ""
	n := func(i uint16) string { return "(" + strconv.Itoa(int(i)) + ")" }
	switch c.Type {
	case value.NewDecimal:
		size = "(" + strconv.Itoa(int(c.Meta>>8)) + "," + strconv.Itoa(int(c.Meta&0xff)) + ")"
	case value.Bit:
		size = n(c.Meta>>8*8 + c.Meta&0xff)
	case value.Timestamp2, value.Datetime2, value.Time2, value.Varchar, value.VarString, value.VarcharCompressed:
		size = n(c.Meta)
	case value.Blob, value.BlobCompressed, value.TinyBlob, value.MediumBlob, value.LongBlob:
		name = blobNames[min(int(c.Meta), 4)]
	case value.Enum:
		name, size, meta = "ENUM", map[uint16]string{1: "(1 byte)", 2: "(2 bytes)"}[c.Meta], 0xf700|meta
	case value.Set:
		name, size, meta = "SET", "("+strconv.Itoa(int(c.Meta))+" bytes)", 0xf800|meta
	case value.String:
		name, size, meta = "STRING", n(c.Meta), stringMeta(c.Meta)
	case value.Vector:
		size = n(uint16(min(c.Dimension, 1<<15)))
	}
	if c.Type == value.BlobCompressed || c.Type == value.VarcharCompressed {
		size += " COMPRESSED"
	}
	dst = strconv.AppendUint(append(append(append(dst, name...), size...), " meta="...), meta, 10)
	dst = append(append(dst, " nullable="...), "01"[b2i(c.Nullable)])
	return append(append(dst, " is_null="...), "01"[b2i(v.Kind == value.KindNull)])
}

// stringMeta is the metadata of a CHAR as it stands in the table map, its first byte the high one: bits 8 and 9 of the length
// are in that, the other way round.
func stringMeta(length uint16) uint64 {
	return uint64(0xfe^length>>8&3<<4)<<8 | uint64(length&0xff)
}
