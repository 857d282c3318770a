package value

import "encoding/binary"

// A DECIMAL is stored in groups of 9 digits, each a big-endian integer of 4 bytes. The digits over, before the first full
// group of the integer part and behind the last of the fraction, take only the bytes they need.
const (
	groupDigits  = 9
	groupLen     = 4
	maxPrecision = 65 // the servers' own; at 30 bytes at most
)

// restLen is the bytes of 0 to 9 digits.
var restLen = [groupDigits + 1]uint8{0, 1, 1, 2, 2, 3, 3, 4, 4, 4}

// digitsLen is the bytes of 0 to 65 digits on one side of the point.
var digitsLen = func() (t [maxPrecision + 1]uint8) {
	for n := range t {
		t[n] = uint8(n/groupDigits*groupLen) + restLen[n%groupDigits]
	}
	return t
}()

// decimalLen returns the bytes of a DECIMAL, 1 to 30, or refused when its precision or scale is none a column can have.
// MySQL's scale ends at 30, MariaDB's at 38.
func decimalLen(meta uint16) uint64 {
	precision, scale := meta>>8, meta&0xff
	if precision-1 >= maxPrecision || scale > precision {
		return refused
	}
	return uint64(digitsLen[precision-scale]) + uint64(digitsLen[scale])
}

// decimalReader reads the groups of one DECIMAL.
type decimalReader struct {
	b       []byte
	sign    uint64 // 1 until the sign bit, the top bit of the first byte, was read
	invert  uint64 // all ones for a negative value, which is stored with every bit inverted
	nonzero uint64 // not 0 once a group was not
	unsound bool   // set once a group had more than its digits
}

// newDecimalReader reads the DECIMAL at the start of b, which may have more bytes.
func newDecimalReader(b []byte) decimalReader {
	return decimalReader{b: b, sign: 1, invert: uint64(b[0]>>7) - 1}
}

// group reads the next digits, 1 to 9 of them. In a damaged cell the result may have more.
func (r *decimalReader) group(digits int) uint64 {
	n := uint64(restLen[digits])
	var g uint64
	if b := r.b; len(b) >= groupLen {
		g = uint64(binary.BigEndian.Uint32(b) >> (8 * (groupLen - n)))
	} else {
		for _, c := range b[:n] {
			g = g<<8 | uint64(c)
		}
	}
	r.b = r.b[n:]
	g ^= r.sign << (8*n - 1)
	g ^= r.invert & (1<<(8*n) - 1)
	r.sign = 0
	r.nonzero |= g
	r.unsound = r.unsound || g >= pow10[digits]
	return g
}

// AppendDecimal appends the DECIMAL of v with exactly its scale and at least one digit before the point. A negative zero
// has no sign. sound is false where [Doubt] has something to say.
func AppendDecimal(dst, event []byte, meta uint16, v *Value) (out []byte, sound bool) {
	b, ok := decimalBytes(event, meta, v)
	if !ok {
		return dst, false
	}
	if v.End-v.Off <= wordLen && len(b) >= wordLen {
		if out, ok := appendShortDecimal(dst, binary.BigEndian.Uint64(b), meta); ok {
			return out, true
		}
	}
	start := len(dst)
	r := newDecimalReader(b)
	if r.invert != 0 {
		dst = append(dst, '-')
	}
	scale := int(meta & 0xff)
	dst = r.appendInteger(dst, int(meta>>8)-scale)
	if scale > 0 {
		dst = append(dst, '.')
		dst = r.appendFraction(dst, scale)
	}
	if r.invert != 0 && r.nonzero == 0 {
		dst = append(dst[:start], dst[start+1:]...)
	}
	return dst, !r.unsound
}

// appendShortDecimal is AppendDecimal for at most 8 bytes, the first of word. ok is false, and dst as it was, when a group has
// more than its digits.
func appendShortDecimal(dst []byte, word uint64, meta uint16) (out []byte, ok bool) {
	negative := word>>63 == 0
	word ^= 1 << 63
	if negative {
		word = ^word
	}
	scale := int(meta & 0xff)
	var whole, nonzero uint64
	for digits := int(meta>>8) - scale; digits > 0; {
		n := (digits-1)%groupDigits + 1 // the digits over come first
		digits -= n
		bits := 8 * restLen[n]
		g := word >> (64 - bits)
		word <<= bits
		if g >= pow10[n] {
			return dst, false
		}
		whole = whole*pow10[groupDigits] + g
	}
	out = dst
	if negative {
		out = append(out, '-')
	}
	out = AppendUint(out, whole)
	if scale > 0 {
		out = append(out, '.')
	}
	for nonzero = whole; scale > 0; {
		n := min(scale, groupDigits)
		scale -= n
		bits := 8 * restLen[n]
		g := word >> (64 - bits)
		word <<= bits
		if g >= pow10[n] {
			return dst, false
		}
		out = appendPadded(out, g, n)
		nonzero |= g
	}
	if negative && nonzero == 0 {
		return dst, false // whose sign is not written
	}
	return out, true
}

// decimalBytes returns the event from the DECIMAL on, at least a byte: it is read in words, and more than its own bytes make
// that fast.
func decimalBytes(event []byte, meta uint16, v *Value) ([]byte, bool) {
	ok := decimalLen(meta) == uint64(v.End-v.Off) && part(event, v.Off, v.End) != nil
	if !ok {
		return nil, false
	}
	return event[v.Off:], true
}

func (r *decimalReader) appendInteger(dst []byte, digits int) []byte {
	begun := false
	for digits > 0 {
		n := (digits-1)%groupDigits + 1 // the digits over come first
		switch g := r.group(n); {
		case begun:
			dst = appendPadded(dst, g, n)
		case g != 0:
			dst = AppendUint(dst, g)
			begun = true
		}
		digits -= n
	}
	if !begun {
		dst = append(dst, '0')
	}
	return dst
}

func (r *decimalReader) appendFraction(dst []byte, digits int) []byte {
	for digits > 0 {
		n := min(digits, groupDigits)
		dst = appendPadded(dst, r.group(n), n)
		digits -= n
	}
	return dst
}

// soundDecimal says that no group holds more than its digits.
func soundDecimal(b []byte, meta uint16) bool {
	r := newDecimalReader(b)
	scale := int(meta & 0xff)
	for digits := int(meta>>8) - scale; digits > 0; {
		n := (digits-1)%groupDigits + 1
		r.group(n)
		digits -= n
	}
	for digits := scale; digits > 0; digits -= groupDigits {
		r.group(min(digits, groupDigits))
	}
	return !r.unsound
}
