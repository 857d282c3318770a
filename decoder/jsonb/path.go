package jsonb

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"binlens/decoder/wire"
)

// Path is a JSON path that names one place, such as $.a[1]: what the server writes into a diff.
type Path []Leg

// Leg is one step of a Path: a member of an object, or an element of an array.
type Leg struct {
	Key      []byte // the member, as UTF-8; nil for an element
	Index    uint32 // the element
	FromLast bool   // Index counts from the last element back
}

// ParsePath reads the text of a path. A path of the server's language that may name several places ($[*], $**.a,
// $[1 to 2]) is an error: it cannot stand in a diff. Errors are Corrupt, and count from the first byte of text.
func ParsePath(text []byte) (Path, *wire.Error) {
	p := pathParser{text: text}
	var path Path
	p.space()
	if !p.skip('$') {
		p.fail("a path starts with $")
	}
	for p.space(); p.err == nil && p.at < len(text); p.space() {
		switch {
		case p.skip('.'):
			path = append(path, p.member())
		case p.skip('['):
			path = append(path, p.element())
		default:
			p.fail("a path goes on with . or [")
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	return path, nil
}

type pathParser struct {
	text []byte
	at   int
	err  *wire.Error
}

func (p *pathParser) fail(msg string) {
	if p.err == nil {
		p.err = &wire.Error{Offset: int64(p.at), Kind: wire.Corrupt, Msg: msg}
	}
}

// peek returns the next byte, 0 at the end.
func (p *pathParser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *pathParser) skip(c byte) bool {
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func (p *pathParser) space() {
	for isSpace(p.peek()) {
		p.at++
	}
}

// member reads what stands after a point: a name, or a JSON string.
func (p *pathParser) member() Leg {
	p.space()
	start := p.at
	quoted := p.skip('"')
	key := make([]byte, 0, 16)
	for p.err == nil {
		if p.at == len(p.text) {
			if quoted {
				p.fail("a quoted member without its closing quote")
			}
			break
		}
		c := p.peek()
		if quoted && c == '"' {
			p.at++
			break
		}
		if !quoted && (isSpace(c) || c == '.' || c == '[' || c == '*') {
			break
		}
		p.at++
		if c == '\\' {
			key = p.escape(key)
		} else {
			key = append(key, c)
		}
	}
	switch {
	case len(key) == 0 && !quoted:
		p.fail("a point without a member")
	case !utf8.Valid(key):
		p.at = start
		p.fail("a member that is not UTF-8")
	case len(key) > math.MaxUint16:
		p.at = start
		p.fail("a member of " + itoa(len(key)) + " bytes; 65535 are possible")
	}
	return Leg{Key: key}
}

// escape reads what stands after a backslash.
func (p *pathParser) escape(key []byte) []byte {
	c := p.peek()
	p.at++
	switch c {
	case '"', '\\', '/':
		return append(key, c)
	case 'b':
		return append(key, '\b')
	case 't':
		return append(key, '\t')
	case 'n':
		return append(key, '\n')
	case 'f':
		return append(key, '\f')
	case 'r':
		return append(key, '\r')
	case 'u':
		r := p.hex4()
		if r&^0x3ff == 0xd800 && p.skip('\\') && p.skip('u') {
			low := p.hex4()
			if low&^0x3ff != 0xdc00 {
				p.fail("half of a surrogate pair")
			}
			r = 0x10000 + (r&0x3ff)<<10 + low&0x3ff
		} else if r&^0x7ff == 0xd800 {
			p.fail("half of a surrogate pair")
		}
		return utf8.AppendRune(key, r)
	}
	p.at--
	p.fail("an escape that JSON does not have")
	return key
}

func (p *pathParser) hex4() (r rune) {
	for range 4 {
		c := p.peek()
		digit := rune(-1)
		switch {
		case c >= '0' && c <= '9':
			digit = rune(c - '0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			digit = rune(c|0x20-'a') + 10
		}
		if digit < 0 {
			p.fail("4 hexadecimal digits belong here")
			return 0
		}
		p.at++
		r = r<<4 | digit
	}
	return r
}

// element reads what stands after [: a number, last, or last - number.
func (p *pathParser) element() (leg Leg) {
	p.space()
	number := true
	if rest := p.text[p.at:]; len(rest) >= 4 && binary.BigEndian.Uint32(rest) == 'l'<<24|'a'<<16|'s'<<8|'t' {
		p.at += 4
		leg.FromLast = true
		p.space()
		number = p.skip('-')
	}
	if number {
		p.space()
		leg.Index = p.index()
	}
	p.space()
	if !p.skip(']') {
		p.fail("] belongs here")
	}
	return leg
}

func (p *pathParser) index() uint32 {
	start := p.at
	var n uint64
	for c := p.peek(); c >= '0' && c <= '9' && n <= math.MaxUint32; c = p.peek() {
		n = n*10 + uint64(c-'0')
		p.at++
	}
	switch {
	case p.at == start:
		p.fail("the number of an element belongs here")
	case n > math.MaxUint32:
		p.fail("no array has so many elements")
	}
	return uint32(n)
}

// AppendText appends the path as the server writes it: $.a[1]."odd key"[last-1]. Names of ASCII letters, digits, $ and _
// stand as they are; others, which the server may leave so too, are quoted.
func (p Path) AppendText(dst []byte) []byte {
	dst = append(dst, '$')
	for _, leg := range p {
		if leg.Key != nil {
			dst = appendMember(dst, leg.Key)
			continue
		}
		dst = append(dst, '[')
		if leg.FromLast {
			dst = append(dst, "last"...)
			if leg.Index > 0 {
				dst = append(dst, '-')
			}
		}
		if leg.Index > 0 || !leg.FromLast {
			dst = append(dst, utoa(uint64(leg.Index))...)
		}
		dst = append(dst, ']')
	}
	return dst
}

func appendMember(dst, key []byte) []byte {
	dst = append(dst, '.')
	if plainMember(key) {
		return append(dst, key...)
	}
	return appendString(dst, key)
}

func plainMember(key []byte) bool {
	for i, c := range key {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return len(key) > 0
}

// trailKey is the bytes of a key that are shown in the path of an error.
const trailKey = 64

// trailPath returns the path of steps that stand innermost first.
func trailPath(trail []step) string {
	dst := []byte{'$'}
	for i := len(trail) - 1; i >= 0; i-- {
		s := trail[i]
		switch {
		case !s.object:
			dst = append(append(append(dst, '['), itoa(s.index)...), ']')
		case len(s.key) > trailKey:
			cut := trailKey
			for cut > 0 && !utf8.RuneStart(s.key[cut]) {
				cut--
			}
			dst = appendMember(dst, append(s.key[:cut:cut], "…"...))
		default:
			dst = appendMember(dst, s.key)
		}
	}
	return string(dst)
}
