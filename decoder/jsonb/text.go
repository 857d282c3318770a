package jsonb

import (
	"strconv"

	"binlens/decoder/value"
	"binlens/decoder/wire"
)

// MaxExpansion bounds the text of a document: at most so many bytes for each of its bytes, and as many again once.
const MaxExpansion = 6

// printer makes text of values.
type printer struct {
	reader
	comma, colon string
}

func textPrinter(doc []byte) printer { return printer{newReader(doc), ", ", ": "} }
func jsonPrinter(doc []byte) printer { return printer{newReader(doc), ",", ":"} }

// AppendText appends a document as the server prints it:
//
//	{"a": [1, -2.5, 12.0, 1e21], "b": "text", "c": null}
//
// with members in their stored order, doubles in the shortest digits that read back and never without a point or an
// exponent, decimals with exactly their scale, DATE as "2024-02-29", DATETIME and TIMESTAMP as
// "2024-02-29 23:59:58.000000", TIME as "-838:59:59.000000", and other column types as "base64:type252:AP8=". Of control
// characters, quotes and backslashes only these are escaped. A document of no bytes is null.
//
// The text is JSON as it stands. On an error, always Corrupt, dst is returned as it was; Offset counts from the document's
// first byte, and Path is a JSON path such as $.a[1].
func AppendText(dst, doc []byte) ([]byte, *wire.Error) {
	p := textPrinter(doc)
	return p.document(dst)
}

// AppendJSON is AppendText without spaces after commas and colons.
func AppendJSON(dst, doc []byte) ([]byte, *wire.Error) {
	p := jsonPrinter(doc)
	return p.document(dst)
}

// AppendUnquoted is AppendText, but a document that is a string, a date or time, or another column type comes without
// quotes and escapes: as JSON_UNQUOTE gives it, and as mysqlbinlog -v prints the value of a JSON column.
func AppendUnquoted(dst, doc []byte) ([]byte, *wire.Error) {
	p := textPrinter(doc)
	start := len(dst)
	switch it := p.root(); it.typ {
	case typeString:
		dst = append(dst, p.str(it)...)
	case typeOpaque:
		if t, at, data, ok := p.opaque(it); ok {
			dst = p.appendOpaque(dst, t, at, data)
		}
	default:
		dst = p.value(dst, it, 0)
	}
	return p.result(dst, start)
}

func (p *printer) document(dst []byte) ([]byte, *wire.Error) {
	start := len(dst)
	dst = p.value(dst, p.root(), 0)
	return p.result(dst, start)
}

func (p *printer) result(dst []byte, start int) ([]byte, *wire.Error) {
	if p.err != nil {
		p.err.Path = trailPath(p.trail)
		return dst[:start], p.err
	}
	return dst, nil
}

// value appends a value that stands inside of depth containers.
func (p *printer) value(dst []byte, it item, depth int) []byte {
	if it.typ > typeLargeArray {
		return p.scalar(dst, it)
	}
	if depth == maxDepth {
		p.fail(int(it.at), "more than 100 arrays and objects inside of each other")
		return dst
	}
	c, ok := p.open(it)
	if !ok {
		return dst
	}
	dst = append(dst, bracket(c.object, "{[")...)
	for i := range c.n {
		if i > 0 {
			dst = append(dst, p.comma...)
		}
		key, it, ok := p.next(&c)
		if ok {
			if c.object {
				dst = append(appendString(dst, key), p.colon...)
			}
			dst = p.value(dst, it, depth+1)
		}
		if p.err != nil {
			p.into(&c, key, i)
			return dst
		}
	}
	return append(dst, bracket(c.object, "}]")...)
}

func bracket(object bool, pair string) string {
	if object {
		return pair[:1]
	}
	return pair[1:]
}

// into notes that the fault is in entry i of the container; a key that could not be read names none.
func (r *reader) into(c *container, key []byte, i int) {
	if key != nil || !c.object {
		r.trail = append(r.trail, step{key, i, c.object})
	}
}

// check reads a value without making text of it: what it accepts, value prints.
func (p *printer) check(it item, depth int, scratch []byte) []byte {
	if it.typ > typeLargeArray {
		return p.scalar(scratch[:0], it)
	}
	if depth == maxDepth {
		p.fail(int(it.at), "more than 100 arrays and objects inside of each other")
		return scratch
	}
	c, _ := p.open(it)
	for i := 0; i < c.n && p.err == nil; i++ {
		key, it, ok := p.next(&c)
		if ok {
			scratch = p.check(it, depth+1, scratch)
		}
		if p.err != nil {
			p.into(&c, key, i)
		}
	}
	return scratch
}

// scalar appends a value that is no container.
func (p *printer) scalar(dst []byte, it item) []byte {
	if it.typ == typeString {
		return appendString(dst, p.str(it))
	}
	if it.typ == typeOpaque {
		if t, at, data, ok := p.opaque(it); ok {
			return p.appendOpaqueJSON(dst, t, at, data)
		}
		return dst
	}
	v, ok := p.number(it)
	if !ok {
		return dst
	}
	switch it.typ {
	case typeLiteral:
		switch uint8(v) {
		case 0:
			return append(dst, "null"...)
		case 1:
			return append(dst, "true"...)
		case 2:
			return append(dst, "false"...)
		}
		p.fail(int(it.at), "literal "+utoa(v&0xff)+" is none of null, true and false")
		return dst
	case typeInt16:
		return strconv.AppendInt(dst, int64(int16(v)), 10)
	case typeInt32:
		return strconv.AppendInt(dst, int64(int32(v)), 10)
	case typeInt64:
		return strconv.AppendInt(dst, int64(v), 10)
	case typeDouble:
		return p.double(dst, it, v)
	}
	return strconv.AppendUint(dst, v, 10)
}

func (p *printer) double(dst []byte, it item, bits uint64) []byte {
	v := value.Value{Kind: value.KindFloat64, Bits: bits}
	if !v.IsFinite() {
		p.fail(int(it.at), "a double that is no finite number")
		return dst
	}
	start := len(dst)
	dst = value.AppendText(dst, nil, 8, false, &v)
	for _, c := range dst[start:] {
		if c == '.' || c == 'e' {
			return dst
		}
	}
	return append(dst, ".0"...)
}

// str returns a string's bytes.
func (p *printer) str(it item) []byte {
	at, text, ok := p.bytes(it)
	if !ok || !p.valid(at, text, "a string") {
		return nil
	}
	return text
}

// escapes is what stands after the backslash for the bytes below 0x20 that have a short escape, and for " and \; 'u' for
// other control characters and 0 for bytes that stand for themselves.
var escapes = func() (t [256]byte) {
	for c := range 0x20 {
		t[c] = 'u'
	}
	t['\b'], t['\t'], t['\n'], t['\f'], t['\r'], t['"'], t['\\'] = 'b', 't', 'n', 'f', 'r', '"', '\\'
	return t
}()

// appendString appends a JSON string as the server escapes it.
func appendString(dst, s []byte) []byte {
	dst = append(dst, '"')
	plain := 0
	for i, c := range s {
		e := escapes[c]
		if e == 0 {
			continue
		}
		dst = append(append(dst, s[plain:i]...), '\\', e)
		if e == 'u' {
			const hex = "0123456789abcdef"
			dst = append(dst, '0', '0', hex[c>>4], hex[c&15])
		}
		plain = i + 1
	}
	return append(append(dst, s[plain:]...), '"')
}
