package query

import (
	"binlens/decoder"
	"binlens/decoder/charset"
	"binlens/decoder/jsonb"
	"binlens/decoder/value"
	"binlens/decoder/wire"
	"bytes"
	"math"
)

// textColumn is how the text of a column's cells is read.
type textColumn struct {
	cs     charset.Charset
	pad    bool     // BINARY: zero bytes at the end of a value are not stored
	labels [][]byte // of ENUM and SET, in UTF-8; nil when they are not known
}

func newTextColumn(c *decoder.Column, family charset.Family) (t textColumn) {
	if c.Collation != 0 && c.Collation <= math.MaxUint16 {
		t.cs = charset.CharsetOf(family, charset.ID(c.Collation))
	}
	t.pad = c.Type == value.String && t.cs == charset.Binary
	for _, l := range c.Labels {
		if !t.plain() {
			l, _ = t.cs.AppendUTF8(nil, l)
		}
		t.labels = append(t.labels, l)
	}
	return t
}

// plain says that the bytes are compared as they stand: they are UTF-8, no text, or of an unknown character set.
func (t *textColumn) plain() bool {
	switch t.cs {
	case charset.UTF8MB4, charset.UTF8MB3, charset.ASCII, charset.Binary, charset.Unknown:
		return true
	}
	return false
}

func (t *textColumn) binary() bool { return t.cs == charset.Binary || t.cs == charset.Unknown }

// unpadded returns a value as it is stored.
func (t *textColumn) unpadded(b []byte) []byte {
	for t.pad && len(b) > 0 && b[len(b)-1] == 0 {
		b = b[:len(b)-1]
	}
	return b
}

// appendBytes appends text in UTF-8; bytes that are no text of the column's character set stay as they are.
func (t *textColumn) appendBytes(dst, b []byte) []byte {
	if !t.plain() {
		if out, ok := t.cs.AppendUTF8(dst, b); ok {
			return out
		}
	}
	return append(dst, b...)
}

// appendText appends the cell as text: without quotes, as a page shows it.
func (c *cell) appendText(dst []byte) []byte {
	b := value.Bytes(c.raw, c.v)
	switch c.v.Kind {
	case value.KindBytes:
		return c.text.appendBytes(dst, b)
	case value.KindCompressed:
		if plain, err := decoder.InflateColumn(b); err == nil {
			return c.text.appendBytes(dst, plain)
		}
		return dst
	case value.KindJSON, value.KindArray:
		return appendDocument(dst, b)
	case value.KindJSONDiff:
		return c.appendDiffed(dst, b)
	case value.KindGeometry:
		dst, _ = value.AppendWKT(dst, b)
		return dst
	case value.KindEnum:
		if c.v.Bits-1 < uint64(len(c.text.labels)) {
			return append(dst, c.text.labels[c.v.Bits-1]...)
		}
	case value.KindSet:
		if c.text.labels != nil {
			return c.appendSet(dst)
		}
	}
	return value.AppendText(dst, c.raw, c.column.Meta, c.column.Unsigned, c.v)
}

func (c *cell) appendSet(dst []byte) []byte {
	first := len(dst)
	for i, l := range c.text.labels {
		if c.v.Bits>>i&1 != 0 {
			if len(dst) > first {
				dst = append(dst, ',')
			}
			dst = append(dst, l...)
		}
	}
	return dst
}

// appendDocument appends a JSON document without spaces; one that is a string comes without its quotes.
func appendDocument(dst, doc []byte) []byte {
	out, err := jsonb.AppendJSON(dst, doc)
	if err == nil && len(out) > len(dst) && out[len(dst)] == '"' {
		out, err = jsonb.AppendUnquoted(dst, doc)
	}
	if err != nil {
		return dst
	}
	return out
}

// appendDocument appends a JSON document, or what a partial update changes, as JSON.
func (c *cell) appendDocument(dst []byte) []byte {
	b := value.Bytes(c.raw, c.v)
	if c.v.Kind == value.KindJSONDiff {
		return c.appendDiffed(dst, b)
	}
	dst, _ = jsonb.AppendJSON(dst, b)
	return dst
}

// appendDiffed appends what a partial update makes of the document before it, or what it changes where that is not known.
func (c *cell) appendDiffed(dst, b []byte) []byte {
	cursor := wire.NewCursor(b, 0, nil)
	diffs := jsonb.ReadDiffs(&cursor, nil)
	if !cursor.OK() {
		return dst
	}
	if c.before != nil && c.before.Kind == value.KindJSON {
		if tree, err := jsonb.Parse(value.Bytes(c.raw, c.before)); err == nil && tree.Apply(diffs) == nil {
			if out, err := tree.AppendJSON(dst); err == nil {
				return out
			}
		}
	}
	out, err := jsonb.AppendDiffsJSON(dst, diffs)
	if err != nil {
		return dst
	}
	return out
}

// contains says that the cell's text contains a text, in either case, or its bytes those of 0x….
func (c *cell) contains(w *comparison) bool {
	if c.v.Kind == value.KindBytes && w.isBytes && c.text.binary() &&
		bytes.Contains(value.Bytes(c.raw, c.v), w.bytes) {
		return true
	}
	return w.fold.in(c.appendText(nil))
}
