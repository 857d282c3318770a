package value

import (
	"encoding/binary"
	"strconv"
)

// clock is a time or a date, as its parts were stored: they need not be possible.
type clock struct {
	negative             bool
	year, month, day     uint32 // day and month have at most 2 digits
	hour, minute, second uint32 // minute and second too
	micro                uint32
}

// setDate, setTime and so on take apart the Bits of the Kind of that name. t is zero before.
func (t *clock) setDate(v uint64) {
	t.year, t.month, t.day = uint32(v>>9), uint32(v>>5&15), uint32(v&31)
}

func (t *clock) setTime(v uint64) {
	if int64(v) < 0 {
		t.negative = true
		v = -v
	}
	t.micro = uint32(v & (1<<microBits - 1))
	v >>= microBits
	t.hour, t.minute, t.second = uint32(v>>12), uint32(v>>6&63), uint32(v&63)
}

func (t *clock) setDatetime(v uint64) {
	t.setTime(v)
	ymd := t.hour >> 5
	t.hour &= 31
	t.year, t.month, t.day = ymd>>5/13, ymd>>5%13, ymd&31
}

// setTimeDigits: bit 23 is the sign.
func (t *clock) setTimeDigits(v uint64) {
	n := int32(uint32(v)<<8) >> 8
	if n < 0 {
		t.negative = true
		n = -n
	}
	d := uint32(n)
	t.hour, t.minute, t.second = d/1e4, d/100%100, d%100
}

// setDatetimeDigits: the year has what is left of 64 bits, up to 10 digits.
func (t *clock) setDatetimeDigits(v uint64) {
	date, time := v/1e6, uint32(v%1e6)
	day := uint32(date % 1e4)
	t.year, t.month, t.day = uint32(date/1e4), day/100, day%100
	t.hour, t.minute, t.second = time/1e4, time/100%100, time%100
}

// setTimestamp turns seconds since 1970 into a date of the Gregorian calendar, UTC; 0 is the zero timestamp.
func (t *clock) setTimestamp(v uint64) {
	if v == 0 {
		return
	}
	t.micro = uint32(v & (1<<microBits - 1))
	s := uint32(v >> microBits)
	t.hour, t.minute, t.second = s/3600%24, s/60%60, s%60

	// Years here start in March, so that the day that comes and goes is their last.
	const daysTo1970 = 719468 // from 0000-03-01
	const daysIn400Years, daysIn100Years, daysIn4Years = 146097, 36524, 1461
	day := s/86400 + daysTo1970
	era, day := day/daysIn400Years, day%daysIn400Years
	year := (day - day/(daysIn4Years-1) + day/daysIn100Years - day/(daysIn400Years-1)) / 365
	day -= 365*year + year/4 - year/100
	month := (5*day + 2) / 153 // 0 is March
	t.day = day - (153*month+2)/5 + 1
	t.month = month + 3
	t.year = 400*era + year
	if t.month > 12 {
		t.month -= 12
		t.year++
	}
}

// appendDate appends year, month and day; a year with more than 4 digits has them all.
func (t *clock) appendDate(dst []byte) []byte {
	year := t.year
	if year > 9999 {
		dst = strconv.AppendUint(dst, uint64(year/1e4), 10)
		year %= 1e4
	}
	at := len(dst)
	dst = extend(dst, len("YYYY-MM-DD"))
	p := (*[len("YYYY-MM-DD")]byte)(dst[at:])
	binary.LittleEndian.PutUint16(p[:], digits2(year/100))
	binary.LittleEndian.PutUint64(p[2:], triple(year%100, t.month, t.day, '-'<<16|'-'<<40))
	return dst
}

// appendTime appends hours, minutes, seconds and fsp digits of the fraction.
func (t *clock) appendTime(dst []byte, fsp uint16) []byte {
	hour := t.hour
	if hour > 99 {
		dst = strconv.AppendUint(dst, uint64(hour/100), 10)
		hour %= 100
	}
	dst = binary.LittleEndian.AppendUint64(dst, triple(hour, t.minute, t.second, ':'<<16|':'<<40))
	if fsp == 0 {
		return dst
	}
	dst = append(dst, '.')
	dst = appendPadded(dst, uint64(t.micro), 6)
	return dst[:len(dst)-int(6-min(fsp, 6))]
}

func (t *clock) appendDatetime(dst []byte, fsp uint16) []byte {
	if t.negative || t.year > 9999 || t.hour > 99 || t.micro > 999999 {
		dst = t.appendDate(t.appendSign(dst))
		return t.appendTime(append(dst, ' '), fsp)
	}
	const whole, fraction = len("YYYY-MM-DD hh:mm:ss"), len(".ffffff00")
	at := len(dst)
	dst = extend(dst, whole+fraction)
	p := (*[whole + fraction]byte)(dst[at:])
	binary.LittleEndian.PutUint16(p[:], digits2(t.year/100))
	binary.LittleEndian.PutUint64(p[2:], triple(t.year%100, t.month, t.day, '-'<<16|'-'<<40))
	p[10] = ' '
	binary.LittleEndian.PutUint64(p[11:], triple(t.hour, t.minute, t.second, ':'<<16|':'<<40))
	if fsp == 0 {
		return dst[:at+whole]
	}
	p[whole] = '.'
	binary.LittleEndian.PutUint64(p[whole+1:], digits8(t.micro*100)|zeros)
	return dst[:at+whole+1+int(min(fsp, 6))]
}

func (t *clock) appendSign(dst []byte) []byte {
	if t.negative {
		dst = append(dst, '-')
	}
	return dst
}
