package render

import (
	"strconv"
	"unicode/utf8"
)

// maxExact is the largest integer that every reader of JSON keeps exact: 2^53-1.
const maxExact = 1<<53 - 1

// appendString appends s as a JSON string. s must be UTF-8.
func appendString[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		if i+8 <= len(s) && plain8(s[i:i+8]) {
			i += 7
			continue
		}
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(append(dst, s[start:i]...), '\\')
		switch c {
		case '"', '\\':
			dst = append(dst, c)
		case '\n':
			dst = append(dst, 'n')
		case '\r':
			dst = append(dst, 'r')
		case '\t':
			dst = append(dst, 't')
		default:
			dst = append(dst, 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		start = i + 1
	}
	return append(append(dst, s[start:]...), '"')
}

// plain8 says that none of 8 bytes needs an escape. Each is looked at in its own eighth of a word: a byte below 0x20 borrows
// into the top bit, and so does one that is a quote or a backslash once it is turned into zero.
func plain8[T string | []byte](s T) bool {
	_ = s[7]
	w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	quote, slash := w^ones*'"', w^ones*'\\'
	return ((w-ones*' ')&^w|(quote-ones)&^quote|(slash-ones)&^slash)&tops == 0
}

const hexDigits = "0123456789abcdef"

// appendHex appends bytes in hexadecimal.
func appendHex(dst, b []byte) []byte {
	for _, c := range b {
		dst = append(dst, hexDigits[c>>4], hexDigits[c&15])
	}
	return dst
}

// appendHexObject appends {"hex":"…"}, the form of bytes that are no text.
func appendHexObject(dst, b []byte) []byte {
	return append(appendHex(append(dst, `{"hex":"`...), b), `"}`...)
}

// appendDigits appends n in decimal, below 2^32 without the detour through a buffer.
func appendDigits(dst []byte, n uint64) []byte {
	if n >= 1<<32 {
		return strconv.AppendUint(dst, n, 10)
	}
	u := uint32(n)
	digits := 1
	for t := u; t >= 10; t /= 10 {
		digits++
	}
	dst = append(dst, "0000000000"[:digits]...)
	out := dst[len(dst)-digits:]
	for ; u >= 10; u /= 10 {
		digits--
		out[digits] = '0' + byte(u%10)
	}
	out[0] = '0' + byte(u)
	return dst
}

// appendUint appends n as a number, or as a string where a number would lose digits.
func appendUint(dst []byte, n uint64) []byte {
	if n > maxExact {
		return append(strconv.AppendUint(append(dst, '"'), n, 10), '"')
	}
	return appendDigits(dst, n)
}

// appendText appends bytes as a string if they are UTF-8, else in hexadecimal.
func appendText(dst, b []byte) []byte {
	if utf8.Valid(b) {
		return appendString(dst, b)
	}
	return appendHexObject(dst, b)
}

// appendKey appends a comma where one is due, and the key.
func appendKey(dst []byte, key string) []byte {
	dst = comma(dst)
	return append(appendString(dst, key), ':')
}

// comma appends a comma unless an object or array has just begun.
func comma(dst []byte) []byte {
	if n := len(dst); n > 0 && dst[n-1] != '{' && dst[n-1] != '[' {
		return append(dst, ',')
	}
	return dst
}
