package charset

import (
	"slices"
	"unicode/utf8"
)

// AppendUTF8 appends the text of src, whose bytes are in c, as UTF-8. ok is false, and dst comes back with its length and
// its bytes unchanged, when c is not Supported (ASCII in a multi-byte set of East Asia is text all the same) or when any byte of src is no part of a character of c: there is no partial
// and no replaced text (FirstBad says where). In UTF-8, UTF-16 and UTF-32 that is what Unicode's definitions refuse: also
// surrogates that are no pair, forms longer than needed and values beyond U+10FFFF; in ucs2 every surrogate, in utf8mb3
// every form of four bytes. It allocates only to grow dst; the room behind dst's length may be overwritten in any case.
func (c Charset) AppendUTF8(dst, src []byte) (out []byte, ok bool) {
	p := c.props()
	switch p.form {
	case formSingle:
		out, ok = appendSingle(dst, src, p.high)
	case formUTF8:
		if badUTF8(src, int(p.maxLen)) < 0 {
			return append(dst, src...), true
		}
	case formUnits:
		out, ok = appendUnits(dst, src, p.next)
	case formMulti:
		out, ok = appendMulti(c, dst, src)
	}
	if !ok {
		return dst, false
	}
	return out, true
}

// FirstBad returns the offset in src of the first character that AppendUTF8 refuses, -1 when it refuses none. It is always
// 0 when c is not Supported, but for the multi-byte sets of East Asia: there it is the first byte that is not ASCII, since only
// the whole text was judged.
func (c Charset) FirstBad(src []byte) int {
	p := c.props()
	switch p.form {
	case formSingle:
		for i := asciiLen(src); i < len(src); i++ {
			if b := src[i]; b >= 0x80 && (p.high == nil || p.high[b&0x7f] == 0) {
				return i
			}
		}
		return -1
	case formUTF8:
		return badUTF8(src, int(p.maxLen))
	case formUnits:
		for i := 0; i < len(src); {
			_, n := p.next(src[i:])
			if n == 0 {
				return i
			}
			i += n
		}
		return -1
	}
	if p.form != formMulti {
		return 0
	}
	if n := asciiLen(src); n < len(src) {
		return n
	}
	return -1
}

func appendSingle(dst, src []byte, high *[128]uint16) ([]byte, bool) {
	n := asciiLen(src)
	if n < len(src) && high == nil {
		return dst, false
	}
	dst = append(slices.Grow(dst, len(src)), src[:n]...)
	for n < len(src) {
		for ; n < len(src) && src[n] >= 0x80; n++ {
			r := high[src[n]&0x7f]
			if r == 0 {
				return dst, false
			}
			dst = utf8.AppendRune(dst, rune(r))
		}
		m := n + asciiLen(src[n:])
		dst = append(dst, src[n:m]...)
		n = m
	}
	return dst, true
}

func appendUnits(dst, src []byte, next func([]byte) (rune, int)) ([]byte, bool) {
	for len(src) > 0 {
		r, n := next(src)
		if n == 0 {
			return dst, false
		}
		dst = utf8.AppendRune(dst, r)
		src = src[n:]
	}
	return dst, true
}

// asciiLen returns the number of bytes before the first that is not ASCII.
func asciiLen(src []byte) int {
	n := 0
	for ; len(src)-n >= 8; n += 8 {
		s := src[n : n+8 : n+8]
		if (s[0]|s[1]|s[2]|s[3]|s[4]|s[5]|s[6]|s[7])&0x80 != 0 {
			break
		}
	}
	for n < len(src) && src[n] < 0x80 {
		n++
	}
	return n
}
