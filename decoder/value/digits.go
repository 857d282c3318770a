package value

import (
	"encoding/binary"
	"math/bits"
	"strconv"
)

// Digits are made 8 at a time in one 64-bit word, the first of them in its lowest byte, and stored whole: no branches, no
// table, one store. What of the word is no digit of the number is overwritten by what follows.

// wordLen is how many bytes a word takes, whatever part of it is used.
const wordLen = 8

// extend makes dst n bytes longer; what they are is still to be written.
func extend(dst []byte, n int) []byte {
	if cap(dst)-len(dst) < n {
		dst = grow(dst, n)
	}
	return dst[:len(dst)+n]
}

func grow(dst []byte, n int) []byte { return append(dst, make([]byte, n)...)[:len(dst)] }

const zeros = 0x3030303030303030 // "00000000"

// digits8 returns the 8 digits of n, below 10^8, as numbers 0 to 9: with zeros they are text.
func digits8(n uint32) uint64 {
	fours := uint64(n/1e4) | uint64(n%1e4)<<32
	hundreds := fours * 10486 >> 20 & 0x0000007f_0000007f // each half div 100
	twos := hundreds | (fours-100*hundreds)<<16
	tens := twos * 103 >> 10 & 0x000f000f_000f000f // each quarter div 10
	return tens | (twos-10*tens)<<8
}

// digits2 returns the 2 digits of n, below 100, as text.
func digits2(n uint32) uint16 {
	tens := n * 103 >> 10
	return uint16(tens|(n-10*tens)<<8) | 0x3030
}

// triple returns "aa?bb?cc" of three numbers below 100; between are the two bytes that stand between them, in their places.
func triple(a, b, c uint32, between uint64) uint64 {
	n := uint64(a) | uint64(b)<<24 | uint64(c)<<48
	tens := n * 103 >> 10 & 0x000f_0000_0f00_000f
	return tens | (n-10*tens)<<8 | between | 0x3030_0030_3000_3030
}

// AppendUint appends n in decimal.
func AppendUint(dst []byte, n uint64) []byte {
	if n >= 1e8 {
		return appendLong(dst, n)
	}
	at := len(dst)
	dst = extend(dst, wordLen)
	digits := digits8(uint32(n))
	unused := bits.TrailingZeros64(digits|1<<56) &^ 7 // leading zeros, 8 bits each; one digit stays
	binary.LittleEndian.PutUint64(dst[at:], (digits|zeros)>>unused)
	return dst[:at+wordLen-unused/8]
}

// appendLong is AppendUint from 10^8 on.
func appendLong(dst []byte, n uint64) []byte {
	if n >= 1e16 {
		return strconv.AppendUint(dst, n, 10)
	}
	dst = AppendUint(dst, n/1e8)
	return binary.LittleEndian.AppendUint64(dst, digits8(uint32(n%1e8))|zeros)
}

// appendPadded appends n with at least width digits, 0 to 9.
func appendPadded(dst []byte, n uint64, width int) []byte {
	if n >= pow10[width] {
		return strconv.AppendUint(dst, n, 10)
	}
	u := uint32(n)
	if width > 8 {
		dst, u, width = append(dst, '0'+byte(u/1e8)), u%1e8, 8
	}
	at := len(dst)
	dst = extend(dst, wordLen)
	binary.LittleEndian.PutUint64(dst[at:], (digits8(u)|zeros)>>(8*(wordLen-width)))
	return dst[:at+width]
}
