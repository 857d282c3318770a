package query

import "strconv"

const (
	minute = 60
	hour   = 60 * minute
	day    = 24 * hour
)

// parseTime takes a range of times, UTC. Its second end may leave out the date, which is then that of the first, or the day
// after where it would be before it.
func parseTime(w word) (Alt, *Error) {
	const expected = "2026-01-02, 2026-01-02T03:04[:05] or seconds since 1970, a range such as 2026-01-02T03:04..03:10, or >=, < …"
	var first uint64
	known := false
	return parseRange(w, expected, func(w word) (lo, hi uint64, bad *Error) {
		lo, hi, bad = parseInstant(w, first, known)
		first, known = lo, true
		return lo, hi, bad
	})
}

// parseInstant returns the first and the last second of a time, by which it is told.
func parseInstant(w word, first uint64, known bool) (lo, hi uint64, bad *Error) {
	text := w.String()
	if n, err := strconv.ParseUint(text, 10, 32); err == nil && len(text) > 4 {
		return n, n, nil
	}
	if n := len(text); n > 0 && lower(text[n-1]) == 'z' {
		text = text[:n-1]
	}
	date, ok := first/day*day, true
	clock := text
	if len(text) >= 10 && text[4] == '-' {
		if date, ok = parseDate(text[:10]); !ok {
			return 0, 0, w.wrong("there is no such date from 1970 on", "")
		}
		if len(text) == 10 {
			return date, date + day - 1, nil
		}
		if clock = text[11:]; lower(text[10]) != 't' && text[10] != ' ' {
			return 0, 0, w.wrong("this is no time", "")
		}
	} else if !known {
		return 0, 0, w.wrong("the first time needs a date", "")
	}
	of, unit, ok := parseClock(clock)
	if !ok {
		return 0, 0, w.wrong("this is no time", "")
	}
	lo = date + of
	if len(clock) == len(text) && lo+unit-1 < first {
		lo += day
	}
	return lo, lo + unit - 1, nil
}

// parseDate returns the first second of YYYY-MM-DD.
func parseDate(s string) (uint64, bool) {
	y, okY := digits(s[:4])
	m, okM := digits(s[5:7])
	d, okD := digits(s[8:10])
	if !okY || !okM || !okD || s[4] != '-' || s[7] != '-' || y < 1970 || m < 1 || m > 12 || d < 1 {
		return 0, false
	}
	n := daysTo(y, m, d)
	if cy, cm, cd := dateOf(n); cy != y || cm != m || cd != d { // 31 February
		return 0, false
	}
	return n * day, true
}

// parseClock returns the seconds of HH:MM or HH:MM:SS since midnight, and of the unit named last.
func parseClock(s string) (of, unit uint64, ok bool) {
	if len(s) != 5 && len(s) != 8 {
		return 0, 0, false
	}
	h, okH := digits(s[:2])
	m, okM := digits(s[3:5])
	if !okH || !okM || s[2] != ':' || h > 23 || m > 59 {
		return 0, 0, false
	}
	of, unit = h*hour+m*minute, minute
	if len(s) == 8 {
		sec, okS := digits(s[6:])
		if !okS || s[5] != ':' || sec > 59 {
			return 0, 0, false
		}
		of, unit = of+sec, 1
	}
	return of, unit, true
}

func digits(s string) (n uint64, ok bool) {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return 0, false
		}
		n = 10*n + uint64(s[i]-'0')
	}
	return n, true
}

// Years here start in March, so that the day that comes and goes is their last.
const (
	daysTo1970     = 719468 // from 0000-03-01
	daysIn400Years = 146097
	daysIn100Years = 36524
	daysIn4Years   = 1461
)

// daysTo returns the days from 1970-01-01 to a date of the Gregorian calendar from then on.
func daysTo(y, m, d uint64) uint64 {
	if m > 2 {
		m -= 3
	} else {
		m += 9
		y--
	}
	return 365*y + y/4 - y/100 + y/400 + (153*m+2)/5 + d - 1 - daysTo1970
}

// dateOf undoes daysTo.
func dateOf(n uint64) (y, m, d uint64) {
	n += daysTo1970
	era, n := n/daysIn400Years, n%daysIn400Years
	y = (n - n/(daysIn4Years-1) + n/daysIn100Years - n/(daysIn400Years-1)) / 365
	n -= 365*y + y/4 - y/100
	m = (5*n + 2) / 153 // 0 is March
	d = n - (153*m+2)/5 + 1
	y += 400 * era
	if m += 3; m > 12 {
		m -= 12
		y++
	}
	return y, m, d
}

// appendTime appends a second as YYYY-MM-DDTHH:MM:SS.
func appendTime(dst []byte, t uint64) []byte {
	y, m, d := dateOf(t / day)
	t %= day
	dst = append(appendPadded(dst, y, 4), '-')
	dst = append(appendPadded(dst, m, 2), '-')
	dst = append(appendPadded(dst, d, 2), 'T')
	dst = append(appendPadded(dst, t/hour, 2), ':')
	dst = append(appendPadded(dst, t/minute%60, 2), ':')
	return appendPadded(dst, t%60, 2)
}

// appendPadded appends the last digits of n, as many as width.
func appendPadded(dst []byte, n uint64, width int) []byte {
	if width > 1 {
		dst = appendPadded(dst, n/10, width-1)
	}
	return append(dst, byte('0'+n%10))
}
