package schema

import "bytes"

type kind uint8

const (
	end    kind = iota // of the text or of the statement
	word               // a keyword, or a name without quotes
	quoted             // a name in backticks
	text               // '…', with N, x or b before it or not
	double             // "…": text, or a name where one is expected
	number
	punct
)

// token is a piece of the text.
type token struct {
	kind   kind
	at, to int
}

// lexer takes SQL text apart. The content of version comments, /*!40101 … */ and /*M! … */, is text as any other; other
// comments are skipped.
type lexer struct {
	src      []byte
	pos      int
	comments int    // open version comments
	delim    []byte // what ends a statement
	raw      bool   // backslashes are bytes as others: NO_BACKSLASH_ESCAPES
	statEnd  bool   // stands behind the end of a statement
}

func (l *lexer) byteAt(i int) byte {
	if i < len(l.src) {
		return l.src[i]
	}
	return 0
}

// skip passes over spaces and comments.
func (l *lexer) skip() {
	for l.pos < len(l.src) {
		c, next := l.src[l.pos], l.byteAt(l.pos+1)
		switch {
		case c <= ' ':
			l.pos++
		case c == '#', c == '-' && next == '-' && (l.pos+2 >= len(l.src) || l.src[l.pos+2] <= ' '):
			l.skipTo("\n")
		case c == '/' && next == '*':
			l.comment()
		case c == '*' && next == '/' && l.comments > 0:
			l.comments--
			l.pos += 2
		default:
			return
		}
	}
}

// comment opens a version comment, or skips any other.
func (l *lexer) comment() {
	at := l.pos + 2
	if l.byteAt(at) == 'M' && l.byteAt(at+1) == '!' {
		at++
	}
	if l.byteAt(at) != '!' {
		l.pos += 2
		l.skipTo("*/")
		return
	}
	for at++; l.byteAt(at) >= '0' && l.byteAt(at) <= '9'; {
		at++
	}
	l.comments++
	l.pos = at
}

// skipTo goes behind the next mark, or to the end.
func (l *lexer) skipTo(mark string) {
	if i := bytes.Index(l.src[l.pos:], []byte(mark)); i >= 0 {
		l.pos += i + len(mark)
		return
	}
	l.pos = len(l.src)
}

// next returns the next token; end at the end of each statement, and from then on until statEnd is taken back.
func (l *lexer) next() token {
	if l.statEnd {
		return token{end, l.pos, l.pos}
	}
	l.skip()
	at := l.pos
	if at >= len(l.src) || bytes.HasPrefix(l.src[at:], l.delim) {
		l.statEnd, l.comments = true, 0
		l.pos = min(at+len(l.delim), len(l.src))
		return token{end, at, at}
	}
	return token{l.scan(), at, l.pos}
}

// scan passes over one token.
func (l *lexer) scan() kind {
	c := l.src[l.pos]
	switch {
	case c == '`':
		l.quotes(c, true)
		return quoted
	case c == '\'':
		l.quotes(c, l.raw)
		return text
	case c == '"':
		l.quotes(c, l.raw)
		return double
	case (c|0x20 == 'n' || c|0x20 == 'x' || c|0x20 == 'b') && l.byteAt(l.pos+1) == '\'':
		l.pos++
		l.quotes('\'', l.raw)
		return text
	case isWord(c):
		digits := true
		for ; l.pos < len(l.src) && isWord(l.src[l.pos]); l.pos++ {
			digits = digits && l.src[l.pos] >= '0' && l.src[l.pos] <= '9'
		}
		if digits {
			return number
		}
		return word
	}
	l.pos++
	return punct
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c >= 0x80
}

// quotes passes over a quoted text that starts here. The quote twice stands for itself.
func (l *lexer) quotes(q byte, raw bool) {
	for l.pos++; l.pos < len(l.src); l.pos++ {
		switch c := l.src[l.pos]; {
		case c == '\\' && !raw:
			l.pos++
		case c == q && l.byteAt(l.pos+1) == q:
			l.pos++
		case c == q:
			l.pos++
			return
		}
	}
	l.pos = len(l.src) // also where a backslash is the last byte
}

// unquote returns what a text or name stands for.
func (l *lexer) unquote(t token) string {
	b := l.src[t.at:t.to]
	if t.kind != quoted && t.kind != text && t.kind != double {
		return string(b)
	}
	hex := false
	if c := b[0] | 0x20; b[0] != '`' && b[0] != '\'' && b[0] != '"' {
		hex = c == 'x'
		b = b[1:]
	}
	q := b[0]
	b = b[1:]
	if n := len(b); n > 0 && b[n-1] == q {
		b = b[:n-1]
	}
	if hex {
		return string(unhex(b))
	}
	return string(unescape(b, q, l.raw || t.kind == quoted))
}

func unhex(b []byte) (out []byte) {
	digit := func(c byte) byte {
		if c >= 'A' {
			return c&0xf + 9
		}
		return c & 0xf
	}
	for i := 0; i+1 < len(b); i += 2 {
		out = append(out, digit(b[i])<<4|digit(b[i+1]))
	}
	return out
}

func unescape(b []byte, q byte, raw bool) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		c := b[i]
		if i+1 < len(b) && (c == q && b[i+1] == q || c == '\\' && !raw) {
			i++
			if c = b[i]; b[i-1] == '\\' {
				c = escaped(c)
			}
		}
		out = append(out, c)
	}
	return out
}

func escaped(c byte) byte {
	switch c {
	case '0':
		return 0
	case 'b':
		return '\b'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'Z':
		return 0x1a
	}
	return c
}
