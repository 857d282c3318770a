package charset

import (
	"unicode/utf16"
	"unicode/utf8"
)

// badUTF8 returns the offset of the first form in src that is no UTF-8 or longer than maxLen bytes, -1 when there is none.
func badUTF8(src []byte, maxLen int) int {
	if maxLen == utf8.UTFMax && utf8.Valid(src) {
		return -1
	}
	for i := asciiLen(src); i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 || n > maxLen {
			return i
		}
		i += n
	}
	return -1
}

// The functions below read the character at the start of src, which is not empty: the rune and how many bytes it takes, 0
// bytes when there is no character.

func nextUCS2(src []byte) (rune, int) {
	if len(src) < 2 {
		return 0, 0
	}
	r := rune(src[0])<<8 | rune(src[1])
	if utf16.IsSurrogate(r) {
		return 0, 0
	}
	return r, 2
}

func nextUTF16(src []byte) (rune, int) {
	if r, n := nextUCS2(src); n != 0 || len(src) < 4 {
		return r, n
	}
	return surrogates(rune(src[0])<<8|rune(src[1]), rune(src[2])<<8|rune(src[3]))
}

func nextUTF16LE(src []byte) (rune, int) {
	if len(src) < 2 {
		return 0, 0
	}
	r := rune(src[1])<<8 | rune(src[0])
	switch {
	case !utf16.IsSurrogate(r):
		return r, 2
	case len(src) < 4:
		return 0, 0
	}
	return surrogates(r, rune(src[3])<<8|rune(src[2]))
}

func surrogates(first, second rune) (rune, int) {
	r := utf16.DecodeRune(first, second)
	if r == utf8.RuneError { // no pair stands for U+FFFD
		return 0, 0
	}
	return r, 4
}

func nextUTF32(src []byte) (rune, int) {
	if len(src) < 4 || src[0] != 0 {
		return 0, 0
	}
	r := rune(src[1])<<16 | rune(src[2])<<8 | rune(src[3])
	if !utf8.ValidRune(r) {
		return 0, 0
	}
	return r, 4
}

// nextSWE7 reads ISO 646-SE, where ten ASCII bytes are letters and 0x7f and above are nothing.
func nextSWE7(src []byte) (rune, int) {
	switch b := src[0]; b {
	case 0x40:
		return 'É', 1
	case 0x5b:
		return 'Ä', 1
	case 0x5c:
		return 'Ö', 1
	case 0x5d:
		return 'Å', 1
	case 0x5e:
		return 'Ü', 1
	case 0x60:
		return 'é', 1
	case 0x7b:
		return 'ä', 1
	case 0x7c:
		return 'ö', 1
	case 0x7d:
		return 'å', 1
	case 0x7e:
		return 'ü', 1
	default:
		if b >= 0x7f {
			return 0, 0
		}
		return rune(b), 1
	}
}
