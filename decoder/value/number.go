package value

import (
	"math"
	"math/bits"
	"strconv"
)

// pow10 is 10 to the 0 … 9.
var pow10 = [groupDigits + 1]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9}

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
