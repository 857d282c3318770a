package sql

import (
	"binlens/decoder/value"
	"math"
	"strconv"
)

// appendFloat appends the shortest digits that a FLOAT or DOUBLE column reads back to the same number. The server reads them
// as a double first; where rounding that to a float gives another number, or it is beyond the largest float, the digits are
// those of the double.
func appendFloat(dst []byte, v *value.Value) []byte {
	f := v.Float()
	if v.Kind == value.KindFloat64 {
		return appendDigits(dst, f, 64)
	}
	start := len(dst)
	dst = appendDigits(dst, f, 32)
	if back, err := strconv.ParseFloat(string(dst[start:]), 64); err != nil || float32(back) != float32(f) || math.Abs(back) > math.MaxFloat32 {
		return appendDigits(dst[:start], f, 64)
	}
	return dst
}

// appendCompared appends a number to compare a column with: a FLOAT is compared as the double that it widens to.
func appendCompared(dst []byte, v *value.Value) []byte { return appendDigits(dst, v.Float(), 64) }

// appendDigits appends a number plainly where that is an exact literal of the server, which keeps at most 30 digits behind the
// point, and with an exponent elsewhere. Negative zero has one too: without it it is an integer.
func appendDigits(dst []byte, f float64, size int) []byte {
	abs := math.Abs(f)
	if abs >= 1e-5 && abs < 1e15 || f == 0 && !math.Signbit(f) {
		return strconv.AppendFloat(dst, f, 'f', -1, size)
	}
	return strconv.AppendFloat(dst, f, 'e', -1, size)
}
