// Package csv writes the rows of one table as CSV by RFC 4180, one line an image: an UPDATE has two, the row before and the row
// after.
//
// The first columns say what happened, their names with an underscore: _op (insert, update, delete), _image (before, after),
// _time (of the event, UTC), _gtid, _ordinal (row of the log's list), _offset (of the event in the file), _row (of the event, from
// 0), _absent (the columns that the image does not have, with a space between them; with binlog_row_image=FULL none). The columns
// of the table follow, each named with its type: "id:int unsigned".
//
// NULL is an empty field without quotes; empty text is "". Columns that are absent are empty, too. Numbers, dates and times are as
// the server prints them, TIMESTAMP in UTC. Text is in UTF-8; bytes, and text that is not what its character set allows, are
// hexadecimal with 0x before them. BIT is its digits, ENUM its label, SET its labels with commas, JSON its text, geometries are
// WKT.
package csv

import (
	"binlens/decoder"
	"binlens/decoder/charset"
	"binlens/decoder/jsonb"
	"binlens/decoder/value"
	"encoding/binary"
	"math"
	"strconv"
	"unicode/utf8"
)

// Table is what the rows of a table version are written with.
type Table struct {
	columns []column
	header  []byte
}

type column struct {
	m      *decoder.Column
	label  string
	cs     charset.Charset
	labels [][]byte
}

const fixedColumns = "_op,_image,_time,_gtid,_ordinal,_offset,_row,_absent"

// NewTable makes a Table of a table map.
func NewTable(m *decoder.TableMap, family charset.Family) *Table {
	t := &Table{columns: make([]column, len(m.Columns)), header: []byte(fixedColumns)}
	for i := range m.Columns {
		c := &t.columns[i]
		c.m = &m.Columns[i]
		c.label = c.m.Label(i)
		if c.m.Collation != 0 && c.m.Collation <= math.MaxUint16 {
			c.cs = charset.CharsetOf(family, charset.ID(c.m.Collation))
		}
		traits := value.Traits{Unsigned: c.m.Unsigned, Binary: c.cs == charset.Binary, CharLen: c.cs.MaxLen(), Geometry: int(min(c.m.Geometry, 255)), Dims: int(min(c.m.Dimension, 1<<16))}
		name := append([]byte(c.label), ':')
		t.header = appendField(append(t.header, ','), value.AppendTypeName(name, c.m.Type, c.m.Meta, traits))
		for _, l := range c.m.Labels {
			if text, ok := c.cs.AppendUTF8(nil, l); ok {
				l = text
			}
			c.labels = append(c.labels, l)
		}
	}
	t.header = append(t.header, "\r\n"...)
	return t
}

// Header is the line of titles. Rows of two tables go together when these are the same.
func (t *Table) Header() []byte { return t.header }

// Line is what the first columns of a line say.
type Line struct {
	Op, Image, Time, GTID string
	Ordinal, Offset       int64
	Row                   int
}

// Append appends the line of one image, whose cells are in raw.
func (t *Table) Append(dst []byte, l *Line, raw []byte, cells []value.Value) []byte {
	dst = append(append(append(append(dst, l.Op...), ','), l.Image...), ',')
	dst = appendField(append(append(dst, l.Time...), ','), []byte(l.GTID))
	dst = strconv.AppendInt(append(dst, ','), l.Ordinal, 10)
	dst = strconv.AppendInt(append(dst, ','), l.Offset, 10)
	dst = strconv.AppendInt(append(dst, ','), int64(l.Row), 10)
	dst = t.appendAbsent(append(dst, ','), cells)
	for i := range t.columns {
		if dst = append(dst, ','); i < len(cells) {
			dst = t.columns[i].append(dst, raw, &cells[i])
		}
	}
	return append(dst, "\r\n"...)
}

func (t *Table) appendAbsent(dst []byte, cells []value.Value) []byte {
	var list []byte
	for i := range t.columns {
		if i >= len(cells) || cells[i].Kind == value.KindNone {
			if list != nil {
				list = append(list, ' ')
			}
			list = append(list, t.columns[i].label...)
		}
	}
	if list == nil {
		return dst
	}
	return appendField(dst, list)
}

// appendField appends a field, in quotes where it needs them or is empty.
func appendField(dst, b []byte) []byte {
	plain := len(b) > 0
	for _, c := range b {
		if c == '"' || c == ',' || c == '\n' || c == '\r' {
			plain = false
		}
	}
	if plain && b[0] != ' ' && b[len(b)-1] != ' ' {
		return append(dst, b...)
	}
	dst = append(dst, '"')
	for _, c := range b {
		if c == '"' {
			dst = append(dst, c)
		}
		dst = append(dst, c)
	}
	return append(dst, '"')
}

func (c *column) append(dst, raw []byte, v *value.Value) []byte {
	b := value.Bytes(raw, v)
	switch v.Kind {
	case value.KindNone, value.KindNull:
		return dst
	case value.KindBit:
		text := value.AppendText(nil, raw, c.m.Meta, false, v)
		return append(dst, text[2:len(text)-1]...) // the digits of b'…'
	case value.KindEnum:
		if v.Bits > 0 && v.Bits <= uint64(len(c.labels)) {
			return appendField(dst, c.labels[v.Bits-1])
		} else if v.Bits == 0 {
			return append(dst, `""`...)
		}
	case value.KindSet:
		if c.labels != nil {
			return appendField(dst, c.set(v.Bits))
		}
	case value.KindCompressed:
		plain, err := decoder.InflateColumn(b)
		if err != nil {
			return appendHex(dst, b)
		}
		return c.appendText(dst, plain)
	case value.KindBytes:
		return c.appendText(dst, b)
	case value.KindJSON, value.KindArray:
		if text, err := jsonb.AppendText(nil, b); err == nil {
			return appendField(dst, text)
		}
		return appendHex(dst, b)
	case value.KindGeometry:
		if text, err := value.AppendWKT(nil, b); err == nil {
			return appendField(dst, text)
		}
		return appendHex(dst, b)
	case value.KindVector:
		return appendField(dst, vector(b))
	case value.KindJSONDiff:
		return appendHex(dst, b)
	}
	return value.AppendText(dst, raw, c.m.Meta, c.m.Unsigned, v)
}

func (c *column) set(bits uint64) (joined []byte) {
	for i, l := range c.labels {
		if bits>>i&1 != 0 {
			if joined != nil {
				joined = append(joined, ',')
			}
			joined = append(joined, l...)
		}
	}
	return joined
}

func (c *column) appendText(dst, b []byte) []byte {
	switch {
	case c.cs == charset.Binary:
		out := b
		if n := int(c.m.Meta); c.m.Type == value.String && n > len(b) {
			out = append(append(make([]byte, 0, n), b...), make([]byte, n-len(b))...)
		}
		return appendHex(dst, out)
	case c.cs == charset.Unknown && utf8.Valid(b):
		return appendField(dst, b)
	}
	if text, ok := c.cs.AppendUTF8(nil, b); ok {
		return appendField(dst, text)
	}
	return appendHex(dst, b)
}

func appendHex(dst, b []byte) []byte {
	dst = append(dst, "0x"...)
	for _, c := range b {
		dst = append(dst, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
	}
	return dst
}

func vector(b []byte) []byte {
	out := []byte{'['}
	for i := 0; i+4 <= len(b); i += 4 {
		if i > 0 {
			out = append(out, ',')
		}
		v := value.Value{Kind: value.KindFloat32, Bits: uint64(binary.LittleEndian.Uint32(b[i:]))}
		out = value.AppendText(out, nil, 4, false, &v)
	}
	return append(out, ']')
}
