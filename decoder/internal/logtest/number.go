package logtest

import (
	"encoding/binary"
	"encoding/hex"
	"math/bits"
	"strings"
)

// U8 is one byte; U16 to U64 are little-endian.
func U8(v uint8) []byte   { return []byte{v} }
func U16(v uint16) []byte { return binary.LittleEndian.AppendUint16(nil, v) }
func U32(v uint32) []byte { return binary.LittleEndian.AppendUint32(nil, v) }
func U64(v uint64) []byte { return binary.LittleEndian.AppendUint64(nil, v) }

// UN is v in n bytes, little-endian.
func UN(v uint64, n int) []byte { return U64(v)[:n] }

// Cat joins parts.
func Cat(parts ...[]byte) []byte {
	var b []byte
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

// Hex reads hexadecimal digits; spaces and bars between them are for the eye.
func Hex(s string) []byte {
	b, err := hex.DecodeString(strings.NewReplacer(" ", "", "|", "", "\n", "", "\t", "").Replace(s))
	if err != nil {
		panic("logtest.Hex: " + err.Error())
	}
	return b
}

// Lenenc is v as a length-encoded integer in its shortest form.
func Lenenc(v uint64) []byte {
	switch {
	case v < 0xfb:
		return U8(uint8(v))
	case v < 1<<16:
		return LenencForm(0xfc, v)
	case v < 1<<24:
		return LenencForm(0xfd, v)
	}
	return LenencForm(0xfe, v)
}

// LenencForm is v in the form that first announces: 0xfc 2, 0xfd 3, 0xfe 8 bytes; any other first byte stands alone.
func LenencForm(first byte, v uint64) []byte {
	n := map[byte]int{0xfc: 2, 0xfd: 3, 0xfe: 8}[first]
	return Cat(U8(first), UN(v, n))
}

// LenencText is a text behind its length-encoded length.
func LenencText(s string) []byte { return Cat(Lenenc(uint64(len(s))), []byte(s)) }

// Text8 is a text behind its length of one byte.
func Text8(s string) []byte { return Cat(U8(uint8(len(s))), []byte(s)) }

// TextNUL is a text before a zero byte.
func TextNUL(s string) []byte { return append([]byte(s), 0) }

// Varlen is v as an unsigned integer of MySQL's serialization library, in its shortest form.
func Varlen(v uint64) []byte {
	n := max(1, (bits.Len64(v)+6)/7)
	if n >= 9 {
		return Cat(U8(0xff), U64(v))
	}
	return UN(v<<n|1<<(n-1)-1, n)
}

// BitsLSB packs bits, the first into the lowest of the first byte: null bits and present bitmaps.
func BitsLSB(bits ...bool) []byte {
	b := make([]byte, (len(bits)+7)/8)
	for i, on := range bits {
		if on {
			b[i/8] |= 1 << (i % 8)
		}
	}
	return b
}

// BitsMSB packs bits, the first into the highest of the first byte: signedness and visibility.
func BitsMSB(bits ...bool) []byte {
	b := make([]byte, (len(bits)+7)/8)
	for i, on := range bits {
		if on {
			b[i/8] |= 0x80 >> (i % 8)
		}
	}
	return b
}
