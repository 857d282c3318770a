package gtid

import "strings"

// whiteSpace is what the server's my_isspace takes for white space in ASCII.
const whiteSpace = " \t\n\v\f\r"

// Parse reads the text of a GTID set:
//
//	set      = ["+"] element ("," element)*
//	element  = "" | UUID (":" part)*
//	part     = TAG | GNO | GNO "-" GNO
//
// White space, also line ends, may stand around every part. The UUID takes the forms of ParseUUID. A tag (NormalTag) is in
// force for the intervals behind it, up to the next tag or the element's end; intervals before the first tag are
// untagged. An interval whose end is below its start is empty, as to the server; overlapping intervals and repeated UUIDs
// are joined. Numbers are decimal, 1 to MaxGNO, an interval's end also 0; a leading zero is refused, because the server
// reads it as octal. A leading "+" (as SET gtid_purged takes) has no effect here. ANONYMOUS is refused: it names no GTID.
//
// The error is a *ParseError with the byte offset in text.
func Parse(text string) (*Set, error) {
	p := parser{text: text}
	p.space()
	if p.eat('+') {
		p.space()
	}
	var b Builder
	for p.pos < len(text) {
		if p.eat(',') {
			p.space()
		} else if !p.element(&b) {
			return nil, p.err
		}
	}
	return b.Set(), nil
}

// ParseGTID reads the text of one GTID, "uuid:gno" or "uuid:tag:gno", with white space allowed around every part. The
// error is a *ParseError.
func ParseGTID(text string) (GTID, error) {
	p := parser{text: text}
	p.space()
	g, ok := p.gtid()
	if !ok {
		return GTID{}, p.err
	}
	return g, nil
}

// parser walks over a text. Its methods return false once err is set; it keeps the first error.
type parser struct {
	text string
	pos  int
	err  error // nil or a *ParseError
}

func (p *parser) fail(offset int, reason string) bool {
	if p.err == nil {
		p.err = &ParseError{Offset: offset, Reason: reason}
	}
	return false
}

// peek returns the byte at the position, 0 at the end.
func (p *parser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

func (p *parser) eat(c byte) bool {
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *parser) space() {
	for p.pos < len(p.text) && strings.IndexByte(whiteSpace, p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// element reads UUID (":" part)* and the white space behind it, up to the comma or the end of the text.
func (p *parser) element(b *Builder) bool {
	var t TSID
	var ok bool
	if t.UUID, ok = p.uuid(); !ok {
		return false
	}
	for p.space(); p.eat(':'); p.space() {
		p.space()
		if isDigit(p.peek()) {
			ok = p.interval(b, t)
		} else {
			t.Tag, ok = p.tag("expected a transaction number or a tag")
		}
		if !ok {
			return false
		}
	}
	if p.pos < len(p.text) && p.peek() != ',' {
		return p.fail(p.pos, `expected ":", "," or the end`)
	}
	return true
}

// interval reads GNO ["-" GNO] and adds it to b.
func (p *parser) interval(b *Builder, t TSID) bool {
	at := p.pos
	first, ok := p.gno()
	if !ok {
		return false
	}
	if first == 0 {
		return p.fail(at, "transaction numbers begin at 1")
	}
	last := first
	p.space()
	if p.eat('-') {
		p.space()
		if last, ok = p.gno(); !ok {
			return false
		}
	}
	if last >= first {
		b.Add(t, Interval{first, last + 1})
	}
	return true
}

func (p *parser) gtid() (g GTID, ok bool) {
	if g.UUID, ok = p.uuid(); !ok {
		return g, false
	}
	if !p.separator() {
		return g, false
	}
	if !isDigit(p.peek()) {
		if g.Tag, ok = p.tag("expected a transaction number or a tag"); !ok || !p.separator() {
			return g, false
		}
	}
	at := p.pos
	if g.GNO, ok = p.gno(); !ok {
		return g, false
	}
	if g.GNO == 0 {
		return g, p.fail(at, "transaction numbers begin at 1")
	}
	p.space()
	if p.pos < len(p.text) {
		return g, p.fail(p.pos, "text after the GTID")
	}
	return g, true
}

// separator reads ":" and the white space around it.
func (p *parser) separator() bool {
	p.space()
	if !p.eat(':') {
		return p.fail(p.pos, `expected ":"`)
	}
	p.space()
	return true
}

// gno reads a transaction number or 0.
func (p *parser) gno() (uint64, bool) {
	at := p.pos
	n, ok := p.number(MaxGNO, "expected a transaction number", "a transaction number is at most 9223372036854775806")
	if ok && p.text[at] == '0' && p.pos-at > 1 {
		ok = p.fail(at, "a number with a leading zero, which the server would read as octal")
	}
	return n, ok
}

// number reads decimal digits, a value up to limit. missing and large are the reasons of its errors.
func (p *parser) number(limit uint64, missing, large string) (n uint64, ok bool) {
	at := p.pos
	if !isDigit(p.peek()) {
		return 0, p.fail(at, missing)
	}
	for isDigit(p.peek()) {
		d := uint64(p.peek() - '0')
		if n > (limit-d)/10 {
			return 0, p.fail(at, large)
		}
		n = n*10 + d
		p.pos++
	}
	return n, true
}

// tag reads a tag and returns its normal form; missing is the reason when none begins here.
func (p *parser) tag(missing string) (string, bool) {
	at := p.pos
	for isTagByte(p.peek()) {
		p.pos++
	}
	switch text := p.text[at:p.pos]; {
	case text == "" || isDigit(text[0]):
		return "", p.fail(at, missing)
	case len(text) > MaxTagLen:
		return "", p.fail(at, "a tag has at most 32 characters")
	default:
		return strings.ToLower(text), true
	}
}

// uuid reads a UUID in one of the forms of ParseUUID.
func (p *parser) uuid() (u UUID, ok bool) {
	start := p.pos
	if strings.HasPrefix(p.text[p.pos:], "ANONYMOUS") {
		return u, p.fail(start, "ANONYMOUS is no GTID and cannot be in a set")
	}
	braced := p.eat('{')
	dashed := braced
	for i := range u {
		high, low := hexValue(p.peek()), uint8(0xff)
		if high != 0xff {
			p.pos++
			low = hexValue(p.peek())
		}
		if low == 0xff {
			return u, p.fail(p.pos, uuidReason(p.pos-start))
		}
		p.pos++
		u[i] = high<<4 | low
		if i == 3 && !braced {
			dashed = p.peek() == '-'
		}
		if dashed && uuidDashAfter>>i&1 != 0 && !p.eat('-') {
			return u, p.fail(p.pos, `expected "-" in the UUID`)
		}
	}
	if braced && !p.eat('}') {
		return u, p.fail(p.pos, `expected "}" after the UUID`)
	}
	return u, true
}

// uuidReason says what is missing where no hexadecimal digit is found after n bytes of a UUID.
func uuidReason(n int) string {
	if n == 0 {
		return "expected a UUID"
	}
	return "expected a hexadecimal digit of the UUID"
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isTagByte(c byte) bool {
	return c == '_' || isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// hexValue returns the value of a hexadecimal digit of either case, 0xff for any other byte.
func hexValue(c byte) uint8 {
	switch {
	case isDigit(c):
		return c - '0'
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return (c | 0x20) - 'a' + 10
	}
	return 0xff
}
