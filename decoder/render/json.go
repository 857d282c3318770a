package render

import (
	"binlens/decoder/value"
	"strconv"
	"unicode/utf8"
)

// maxExact is the largest integer that every reader of JSON keeps exact.
const maxExact = value.MaxExact

// appendString appends s as a JSON string. s must be UTF-8.
func appendString[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		if i+8 <= len(s) && !value.Escaped(word(s[i:i+8])) {
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

func word[T string | []byte](s T) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
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

// appendUint appends n as a number, or as a string where a number would lose digits.
func appendUint(dst []byte, n uint64) []byte {
	if n > maxExact {
		return append(strconv.AppendUint(append(dst, '"'), n, 10), '"')
	}
	return value.AppendUint(dst, n)
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
