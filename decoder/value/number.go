package value

import (
	"math"
	"math/bits"
	"strconv"
)

// pow10 is 10 to the 0 … 9.
var pow10 = [groupDigits + 1]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}

// pairs are the digits of 00 to 99.
const pairs = "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899"

// AppendUint appends n in decimal. What is below 10^8, as most numbers of rows are, it writes where it goes, pair by pair.
func AppendUint(dst []byte, n uint64) []byte {
	switch {
	case n < 10:
		return append(dst, '0'+byte(n))
	case n < 100:
		return append(dst, pairs[2*n], pairs[2*n+1])
	case n < 1e4:
		return append2(AppendUint(dst, n/100), uint32(n%100))
	case n < 1e8:
		return append4(AppendUint(dst, n/1e4), uint32(n%1e4))
	}
	return strconv.AppendUint(dst, n, 10)
}

// append2 appends the two digits of n, below 100.
func append2(dst []byte, n uint32) []byte { return append(dst, pairs[2*n], pairs[2*n+1]) }

// append4 appends the four digits of n, below 10000.
func append4(dst []byte, n uint32) []byte {
	high, low := n/100, n%100
	return append(dst, pairs[2*high], pairs[2*high+1], pairs[2*low], pairs[2*low+1])
}

// appendPadded appends n with at least width digits, 0 to 9.
func appendPadded(dst []byte, n uint64, width int) []byte {
	if n >= pow10[width] {
		return strconv.AppendUint(dst, n, 10)
	}
	u := uint32(n)
	if width > 8 {
		dst, u = append(dst, '0'+byte(u/1e8)), u%1e8
	}
	switch width {
	case 0:
		return dst
	case 1:
		return append(dst, '0'+byte(u))
	case 2:
		return append2(dst, u)
	case 3:
		return append2(append(dst, '0'+byte(u/100)), u%100)
	case 4:
		return append4(dst, u)
	case 5:
		return append4(append(dst, '0'+byte(u/1e4)), u%1e4)
	case 6:
		return append4(append2(dst, u/1e4), u%1e4)
	case 7:
		return append4(append2(append(dst, '0'+byte(u/1e6)), u/1e4%100), u%1e4)
	}
	return append4(append4(dst, u/1e4), u%1e4)
}

// appendFloat appends the shortest digits that read back to the same number of size bits, 32 or 64. Like the server it
// writes them plain from 1e-15 up to below 1e15, or as far as there is a fraction, and as 1.5e20 or 1.5e-20 elsewhere; JSON
// reads both. Unlike it, it does not stop at 6 digits for FLOAT, which would not read back.
func appendFloat(dst []byte, f float64, size int) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "NaN"...)
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	}
	low, high := 1e-15, 1e15
	if size == 32 {
		low, high = float64(float32(low)), float64(float32(high))
	}
	if abs := math.Abs(f); abs == 0 || abs >= low && (abs < high || abs != math.Trunc(abs)) {
		return strconv.AppendFloat(dst, f, 'f', -1, size)
	}
	return trimExponent(strconv.AppendFloat(dst, f, 'e', -1, size))
}

// trimExponent takes the plus sign and the leading zero from the exponent at the end of dst.
func trimExponent(dst []byte) []byte {
	digits := len(dst)
	for dst[digits-1] >= '0' && dst[digits-1] <= '9' {
		digits--
	}
	keep := digits
	if dst[digits-1] == '+' {
		keep--
	}
	if dst[digits] == '0' {
		digits++
	}
	return append(dst[:keep], dst[digits:]...)
}

// appendBit appends b'1010' with as many digits as the column has bits, and more if bits beyond them are set.
func appendBit(dst []byte, b uint64, meta uint16) []byte {
	dst = append(dst, "b'"...)
	for i := max(min(BitWidth(meta), 64), bits.Len64(b)) - 1; i >= 0; i-- {
		dst = append(dst, '0'+byte(b>>i&1))
	}
	return append(dst, '\'')
}
