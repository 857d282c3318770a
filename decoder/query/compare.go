package query

import (
	"binlens/decoder"
	"binlens/decoder/value"
	"bytes"
	"cmp"
	"strconv"
	"strings"
)

// comparison is a value of a filter, prepared to be compared with cells of any type.
type comparison struct {
	null   bool
	text   []byte
	fold   needle
	number decimal // valid when isNumber
	signed int64   // valid when isSigned
	whole  uint64  // valid when isWhole
	bytes  []byte  // of 0x…; valid when isBytes
	micros int64   // of a TIME; valid when isTime

	isNumber, isSigned, isWhole, isBytes, isTime bool
}

func newComparison(v Literal) comparison {
	c := comparison{null: v.Null, text: []byte(v.Text), fold: newNeedle(v.Text)}
	digits := v.Text
	if n := len(digits); n > 3 && digits[:2] == "b'" && digits[n-1] == '\'' {
		if n, err := strconv.ParseUint(digits[2:n-1], 2, 64); err == nil {
			digits = strconv.FormatUint(n, 10)
		}
	}
	c.number, c.isNumber = newDecimal(digits)
	var err error
	c.signed, err = strconv.ParseInt(digits, 10, 64)
	c.isSigned = err == nil
	c.whole, err = strconv.ParseUint(digits, 10, 64)
	c.isWhole = err == nil
	c.bytes, c.isBytes = parseHex(v.Text)
	c.micros, c.isTime = timeMicros(v.Text)
	return c
}

// parseHex reads 0x and pairs of hexadecimal digits.
func parseHex(s string) ([]byte, bool) {
	if len(s) < 4 || s[:2] != "0x" || len(s)%2 != 0 {
		return nil, false
	}
	var b []byte
	for i := 2; i < len(s); i += 2 {
		n, err := strconv.ParseUint(s[i:i+2], 16, 8)
		if err != nil {
			return nil, false
		}
		b = append(b, byte(n))
	}
	return b, true
}

// decimal is a decimal number as text: digits before the point without leading zeros, behind it without trailing ones.
type decimal struct {
	negative        bool
	whole, fraction string
}

// maxExponent is more than a DOUBLE has.
const maxExponent = 400

// newDecimal reads a number, also one with an exponent.
func newDecimal(s string) (d decimal, ok bool) {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		d.negative = s[0] == '-'
		s = s[1:]
	}
	exponent := 0
	if e := strings.IndexByte(lowerText(s), 'e'); e >= 0 {
		n, err := strconv.Atoi(s[e+1:])
		if err != nil || n > maxExponent || n < -maxExponent {
			return d, false
		}
		s, exponent = s[:e], n
	}
	point := strings.IndexByte(s, '.')
	if point < 0 {
		point = len(s)
	} else {
		s = s[:point] + s[point+1:]
	}
	if _, ok := digits(s); !ok || s == "" {
		return d, false
	}
	for point += exponent; point < 0; point++ {
		s = "0" + s
	}
	for point > len(s) {
		s += "0"
	}
	d.whole, d.fraction = s[:point], s[point:]
	for d.whole != "" && d.whole[0] == '0' {
		d.whole = d.whole[1:]
	}
	for n := len(d.fraction); n > 0 && d.fraction[n-1] == '0'; n-- {
		d.fraction = d.fraction[:n-1]
	}
	d.negative = d.negative && d.whole+d.fraction != ""
	return d, true
}

func (d decimal) compare(o decimal) int {
	if d.negative != o.negative {
		if d.negative {
			return -1
		}
		return 1
	}
	c := cmp.Compare(len(d.whole), len(o.whole))
	if c == 0 {
		c = strings.Compare(d.whole, o.whole)
	}
	if c == 0 {
		c = strings.Compare(d.fraction, o.fraction)
	}
	if d.negative {
		return -c
	}
	return c
}

// timeMicros reads [-]H:MM[:SS[.ffffff]] as microseconds.
func timeMicros(s string) (n int64, ok bool) {
	negative := s != "" && s[0] == '-'
	if negative {
		s = s[1:]
	}
	micros := int64(0)
	if point := strings.IndexByte(s, '.'); point >= 0 {
		fraction, ok := digits((s[point+1:] + "000000")[:6])
		if !ok {
			return 0, false
		}
		s, micros = s[:point], int64(fraction)
	}
	parts := 0
	for more := true; more; parts++ {
		part := s
		if colon := strings.IndexByte(s, ':'); colon >= 0 {
			part, s = s[:colon], s[colon+1:]
		} else {
			more = false
		}
		d, ok := digits(part)
		if !ok || part == "" || len(part) > 4 {
			return 0, false
		}
		n = n*60 + int64(d)
	}
	if parts == 2 {
		n *= 60
	}
	if n = n*1_000_000 + micros; negative {
		n = -n
	}
	return n, parts == 2 || parts == 3
}

// cell is a cell that is not NULL, with all that is needed to read it.
type cell struct {
	v      *value.Value
	before *value.Value // of an after image, the cell of the before image; may be nil
	column *decoder.Column
	text   *textColumn
	raw    []byte
}

// compare returns -1, 0 or 1 as the cell is below, equal to or above a value, and false where they cannot be compared.
func (c *cell) compare(w *comparison) (order int, ok bool) {
	switch c.v.Kind {
	case value.KindInt:
		if c.column.Unsigned && w.isWhole {
			return cmp.Compare(c.v.Bits, w.whole), true
		}
		if !c.column.Unsigned && w.isSigned {
			return cmp.Compare(c.v.Int64(), w.signed), true
		}
		return c.compareNumber(w)
	case value.KindBit:
		return cmp.Compare(c.v.Bits, w.whole), w.isWhole
	case value.KindDecimal, value.KindYear, value.KindFloat32, value.KindFloat64: // a float is the number that it is shown as
		return c.compareNumber(w)
	case value.KindEnum, value.KindSet:
		if c.text.labels == nil {
			return cmp.Compare(c.v.Bits, w.whole), w.isWhole
		}
	case value.KindTime, value.KindTimeDigits:
		n, sound := timeMicros(string(c.appendText(nil)))
		return cmp.Compare(n, w.micros), sound && w.isTime
	case value.KindDate, value.KindDatetime, value.KindDatetimeDigits, value.KindTimestamp:
		return compareDates(c.appendText(nil), w.text), true
	case value.KindBytes:
		return c.compareBytes(w), true
	}
	return bytes.Compare(c.appendText(nil), w.text), true
}

// unsignedEqual says that an integer is the value when it is read without a sign, where its sign is not known.
func (c *cell) unsignedEqual(w *comparison) bool {
	return c.v.Kind == value.KindInt && !c.column.SignKnown && w.isWhole && c.v.Bits == w.whole
}

func (c *cell) compareNumber(w *comparison) (int, bool) {
	d, ok := newDecimal(string(c.appendText(nil)))
	return d.compare(w.number), ok && w.isNumber
}

func (c *cell) compareBytes(w *comparison) int {
	b := value.Bytes(c.raw, c.v)
	if w.isBytes && c.text.binary() {
		return bytes.Compare(c.text.unpadded(b), c.text.unpadded(w.bytes))
	}
	if !c.text.plain() {
		b = c.appendText(nil)
	}
	return bytes.Compare(b, w.text)
}

// compareDates compares dates as the server prints them. A date alone is its midnight; zeros at the end of a fraction do not
// count; a T may stand between date and time.
func compareDates(cell, want []byte) int {
	return bytes.Compare(normalDate(cell), normalDate(want))
}

func normalDate(b []byte) []byte {
	b = bytes.Clone(b)
	if n := len(b); n > 0 && b[n-1] == 'Z' {
		b = b[:n-1]
	}
	if len(b) > 10 && b[10] == 'T' {
		b[10] = ' '
	}
	if point := bytes.IndexByte(b, '.'); point >= 0 {
		for len(b) > point && (b[len(b)-1] == '0' || len(b) == point+1) {
			b = b[:len(b)-1]
		}
	}
	switch len(b) {
	case 10:
		b = append(b, " 00:00:00"...)
	case 16:
		b = append(b, ":00"...)
	}
	return b
}
