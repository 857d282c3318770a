package value

import "math/bits"

// Doubt returns why no server has written this value, in words, or "": parts that no date or time has, digits that do not
// fit their place in a DECIMAL, bits beyond a BIT's width. Such a value is still read and printed, but the cell, or the
// metadata it was read with, is likely damaged. The arguments are those of [AppendText].
func Doubt(event []byte, meta uint16, v *Value) string {
	var t clock
	switch v.Kind {
	case KindFloat32, KindFloat64:
		if !v.IsFinite() {
			return "no finite number"
		}
	case KindDecimal:
		if b, ok := decimalBytes(event, meta, v); ok && !soundDecimal(b, meta) {
			return "a group of digits is too large for its place"
		}
	case KindBit:
		if bits.Len64(v.Bits) > BitWidth(meta) {
			return "bits beyond the column's width are set"
		}
	case KindDate:
		t.setDate(v.Bits)
		return t.doubtDate()
	case KindTime:
		t.setTime(v.Bits)
		return t.doubtTime()
	case KindTimeDigits:
		t.setTimeDigits(v.Bits)
		return t.doubtTime()
	case KindDatetime:
		t.setDatetime(v.Bits)
		return t.doubtDatetime()
	case KindDatetimeDigits:
		t.setDatetimeDigits(v.Bits)
		return t.doubtDatetime()
	case KindTimestamp:
		t.setTimestamp(v.Bits)
		return t.doubtDatetime()
	}
	return ""
}

func (t *clock) doubtDatetime() string {
	switch {
	case t.negative:
		return "the date is negative"
	case t.hour > 23:
		return "the hour is above 23"
	}
	if s := t.doubtDate(); s != "" {
		return s
	}
	return t.doubtTime()
}

// doubtDate knows no lengths of months: ALLOW_INVALID_DATES stores February 31.
func (t *clock) doubtDate() string {
	switch {
	case t.year > 9999:
		return "the year is above 9999"
	case t.month > 12:
		return "the month is above 12"
	case t.day > 31:
		return "the day is above 31"
	}
	return ""
}

func (t *clock) doubtTime() string {
	switch {
	case t.hour > 838:
		return "the hour is above 838"
	case t.minute > 59:
		return "the minute is above 59"
	case t.second > 59:
		return "the second is above 59"
	case t.micro > 999999:
		return "the fraction is a second or more"
	}
	return ""
}

// Sound says, cheaply, that Doubt has nothing to say. It is exact for what servers write; when it is false, ask Doubt.
func Sound(event []byte, meta uint16, v *Value) bool {
	switch v.Kind {
	case KindDate:
		return soundDate(v.Bits)
	case KindDatetime:
		return soundDatetime(v.Bits)
	case KindTimestamp:
		return soundTimestamp(v.Bits)
	case KindYear, KindInt, KindEnum, KindSet:
		return true
	case KindDecimal:
		b, ok := decimalBytes(event, meta, v)
		return ok && soundDecimal(b, meta)
	}
	return false
}

func soundDate(v uint64) bool { return v>>9 <= 9999 && v>>5&15 <= 12 }

func soundDatetime(v uint64) bool {
	s := v >> microBits
	return v>>63 == 0 && v&(1<<microBits-1) <= 999999 && s&63 <= 59 && s>>6&63 <= 59 && s>>12&31 <= 23 && s>>22 < 10000*13
}

func soundTimestamp(v uint64) bool { return v&(1<<microBits-1) <= 999999 }
