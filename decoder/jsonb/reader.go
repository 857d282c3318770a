package jsonb

import (
	"math"
	"strconv"
	"unicode/utf8"

	"binlens/decoder/wire"
)

// The types of values.
const (
	typeSmallObject = 0
	typeLargeObject = 1
	typeSmallArray  = 2
	typeLargeArray  = 3
	typeLiteral     = 4
	typeInt16       = 5
	typeUint16      = 6
	typeInt32       = 7
	typeUint32      = 8
	typeInt64       = 9
	typeUint64      = 10
	typeDouble      = 11
	typeString      = 12
	typeOpaque      = 15
)

// scalarLen is the bytes of the types of fixed width.
var scalarLen = [16]uint8{
	typeLiteral: 1, typeInt16: 2, typeUint16: 2, typeInt32: 4, typeUint32: 4, typeInt64: 8, typeUint64: 8, typeDouble: 8,
}

// maxDepth is the server's limit on containers inside of each other.
const maxDepth = 100

// item is a value of a document.
type item struct {
	at, end uint32 // bytes from the document's first: where the value starts, and where at the latest it ends
	typ     uint8
	inline  bool // at is not where the value is, but the value
}

// container is an array or object while its entries are read, in their order.
type container struct {
	object, large bool
	word          int // bytes of a word
	n             int // entries
	at            int // of its first word, in bytes from the document's first
	header, size  uint64
	keys, values  wire.Cursor
}

// reader reads one document. It remembers the first fault.
type reader struct {
	doc   []byte
	left  int // bytes that no value was read from yet; see spend
	err   *wire.Error
	trail []step // the way to the fault, innermost first
}

// step is one step into a container.
type step struct {
	key    []byte
	index  int
	object bool
}

func newReader(doc []byte) reader { return reader{doc: doc, left: len(doc)} }

// root returns the document's value. A document without bytes is null: what the server makes of NULL in a NOT NULL column
// when it may not refuse it.
func (r *reader) root() item {
	switch {
	case len(r.doc) == 0:
		return item{typ: typeLiteral, inline: true}
	case uint64(len(r.doc)) > math.MaxUint32:
		r.fail(0, "a document of "+itoa(len(r.doc))+" bytes; 4 GiB are possible")
		return item{typ: typeLiteral, inline: true}
	}
	r.spend(0, 1)
	if !r.known(0, r.doc[0]) {
		return item{typ: typeLiteral, inline: true}
	}
	return item{typ: r.doc[0], at: 1, end: uint32(len(r.doc))}
}

// known says whether there are values of the type, whose byte is byte at of the document.
func (r *reader) known(at int, typ uint8) bool {
	if typ <= typeString || typ == typeOpaque {
		return true
	}
	r.fail(at, "value type "+itoa(int(typ))+" is none of binary JSON")
	return false
}

func (r *reader) fail(at int, msg string) {
	if r.err == nil {
		r.err = &wire.Error{Offset: int64(at), Kind: wire.Corrupt, Msg: msg}
	}
}

// spend counts the n bytes at byte at as read, and says whether they can be bytes that nothing else was read from.
func (r *reader) spend(at, n int) bool {
	r.left -= n
	if r.left < 0 {
		r.fail(at, "values share their bytes: all that is read here has more bytes than the document")
	}
	return r.err == nil
}

// cursor reads the bytes of an item that is not inline.
func (r *reader) cursor(it item) wire.Cursor {
	return wire.NewCursor(r.doc[it.at:it.end:it.end], int(it.at), nil)
}

// open reads the words and the place of the entries of an array or object.
func (r *reader) open(it item) (c container, ok bool) {
	c.object = it.typ <= typeLargeObject
	c.large = it.typ == typeLargeObject || it.typ == typeLargeArray
	c.at = int(it.at)
	word, name := 2, "array"
	if c.large {
		word = 4
	}
	c.word = word
	valueEntry, keyEntry := 1+word, 0
	if c.object {
		name, keyEntry = "object", word+2
	}
	in := r.cursor(it)
	room := in.Len()
	if room < 2*word {
		r.fail(c.at, "an "+name+" of "+byteCount(uint64(room))+"; its count and size need "+itoa(2*word))
		return c, false
	}
	n := in.UintN(word)
	c.size = in.UintN(word)
	if c.size > uint64(room) {
		r.fail(c.at+word, "an "+name+" of "+byteCount(c.size)+", "+itoa(room)+" left")
		return c, false
	}
	c.header = uint64(2*word) + n*uint64(keyEntry+valueEntry)
	if c.header > c.size {
		r.fail(c.at, "the "+name+" has "+utoa(n)+" entries, which do not fit into its "+byteCount(c.size))
		return c, false
	}
	c.n = int(n)
	c.keys = in.Sub(c.n * keyEntry)
	c.values = in.Sub(c.n * valueEntry)
	return c, r.spend(c.at, int(c.header))
}

// next reads the next entry. key is nil for elements of arrays, and when it could not be read.
func (r *reader) next(c *container) (key []byte, it item, ok bool) {
	if c.object {
		if key = r.key(c); key == nil {
			return nil, it, false
		}
	}
	word := c.values.Peek()
	it.typ = uint8(word)
	if c.large {
		it.at = uint32(word >> 8)
		it.inline = it.typ >= typeLiteral && it.typ <= typeUint32
		c.values.Skip(5)
	} else {
		it.at = uint32(word >> 8 & 0xffff)
		it.inline = it.typ >= typeLiteral && it.typ <= typeUint16
		c.values.Skip(3)
	}
	if !r.known(c.values.EventPos()-c.word-1, it.typ) {
		return key, it, false
	}
	if it.inline {
		if it.typ == typeLiteral && uint8(it.at) > 2 {
			r.fail(c.values.EventPos()-c.word, "literal "+utoa(uint64(it.at))+" is none of null, true and false")
		}
		return key, it, r.err == nil
	}
	if off := uint64(it.at); off < c.header || off >= c.size {
		r.fail(c.values.EventPos()-c.word, "a value at byte "+utoa(off)+" of a container whose values are in bytes "+utoa(c.header)+" to "+utoa(c.size))
		return key, it, false
	}
	it.at, it.end = uint32(c.at)+it.at, uint32(c.at)+uint32(c.size)
	return key, it, true
}

// key reads the next key entry and returns the key, never nil unless it failed.
func (r *reader) key(c *container) []byte {
	word := c.keys.Peek()
	off, n := word&0xffff, word>>16&0xffff
	if c.large {
		off, n = word&0xffffffff, word>>32&0xffff
		c.keys.Skip(6)
	} else {
		c.keys.Skip(4)
	}
	if off < c.header || off+n > c.size {
		r.fail(c.keys.EventPos()-c.word-2, "a key of "+byteCount(n)+" at byte "+utoa(off)+" of an object whose keys are in bytes "+utoa(c.header)+" to "+utoa(c.size))
		return nil
	}
	at := c.at + int(off)
	key := r.doc[at : at+int(n) : at+int(n)]
	if !r.spend(at, int(n)) || !r.valid(at, key, "a key") {
		return nil
	}
	return key
}

// valid says whether text is UTF-8, as it always is in a document.
func (r *reader) valid(at int, text []byte, what string) bool {
	if utf8.Valid(text) {
		return true
	}
	bad := 0
	for bad < len(text) {
		c, n := utf8.DecodeRune(text[bad:])
		if c == utf8.RuneError && n == 1 {
			break
		}
		bad += n
	}
	r.fail(at+bad, what+" that is not UTF-8")
	return false
}

// number returns the bits of a value of fixed width, not yet extended by their sign.
func (r *reader) number(it item) (v uint64, ok bool) {
	if it.inline {
		return uint64(it.at), true
	}
	n := int(scalarLen[it.typ])
	c := r.cursor(it)
	if c.Len() < n {
		r.fail(int(it.at), "a value of "+byteCount(uint64(n))+", "+itoa(c.Len())+" left")
		return 0, false
	}
	return c.UintN(n), r.spend(int(it.at), n)
}

// opaque reads a column type and its data.
func (r *reader) opaque(it item) (columnType uint8, at int, data []byte, ok bool) {
	if it.at == it.end {
		r.fail(int(it.at), "an opaque value without bytes")
		return 0, 0, nil, false
	}
	columnType = r.doc[it.at]
	it.at++
	if !r.spend(int(it.at)-1, 1) {
		return 0, 0, nil, false
	}
	at, data, ok = r.bytes(it)
	return columnType, at, data, ok
}

// bytes reads a length and as many bytes, the first of which is byte at of the document.
func (r *reader) bytes(it item) (at int, data []byte, ok bool) {
	c := r.cursor(it)
	var n uint64
	for shift := 0; ; shift += 7 {
		if c.Len() == 0 || shift > 28 {
			r.fail(int(it.at), "a length that does not end")
			return 0, nil, false
		}
		b := c.Uint8()
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			break
		}
	}
	if n > uint64(c.Len()) {
		r.fail(int(it.at), "a length of "+byteCount(n)+", "+itoa(c.Len())+" left")
		return 0, nil, false
	}
	prefix := c.Pos()
	return c.EventPos(), c.Bytes(int(n)), r.spend(int(it.at), prefix+int(n))
}

// byteCount is n bytes in words.
func byteCount(n uint64) string {
	if n == 1 {
		return "1 byte"
	}
	return utoa(n) + " bytes"
}

func itoa(n int) string    { return strconv.Itoa(n) }
func utoa(n uint64) string { return strconv.FormatUint(n, 10) }
