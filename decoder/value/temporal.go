package value

import "math/bits"

// fractionUnit is what 1 means in a fraction of 0 to 3 bytes, in µs.
var fractionUnit = [4]uint64{0, 10000, 100, 1}

// microBits is the room of the fraction in packed values, in µs. The largest fraction of any width fits.
const microBits = 24

// fractionLen returns the bytes of a fraction of fsp digits, 0 to 6.
func fractionLen(fsp uint16) uint64 { return uint64(fsp+1) / 2 }

// temporalLen returns the bytes of a cell with that many bytes before the fraction.
func temporalLen(whole uint64, fsp uint16) uint64 {
	if fsp > 6 {
		return refused
	}
	return whole + fractionLen(fsp)
}

// bigEndian returns the first n bytes of a cell, 0 to 8, as a big-endian number. word has them little-endian.
func bigEndian(word, n uint64) uint64 { return bits.ReverseBytes64(word) >> (64 - 8*n) }

// unpack returns the Bits of a date or time from the word that its cell starts with.
func unpack(l *Layout, word uint64) uint64 {
	switch n, fsp := uint64(l.n), l.meta; l.t {
	case Time2, Datetime2:
		return packed(word, n, fsp)
	case Timestamp2:
		return timestamp(word, n, fsp)
	case Time:
		return oldTime(word, n, fsp)
	case Datetime:
		return oldDatetime(word, n, fsp)
	default:
		return oldTimestamp(word, n, fsp)
	}
}

// packed unpacks TIME2 or DATETIME2: the fields and the fraction, together one big-endian number of n bytes with its zero in
// the middle. So a negative value is negative as a whole, its fraction not by itself.
func packed(word, n uint64, fsp uint16) uint64 {
	f := fractionLen(fsp)
	v := bigEndian(word, n) - 1<<(8*n-1)
	sign := uint64(int64(v) >> 63) // all ones for a negative value: (v ^ sign) - sign changes its sign
	v = (v ^ sign) - sign
	v = v>>(8*f)<<microBits | v&(1<<(8*f)-1)*fractionUnit[f&3]
	return (v ^ sign) - sign
}

// timestamp unpacks TIMESTAMP2: seconds, big-endian, and the fraction.
func timestamp(word, n uint64, fsp uint16) uint64 {
	f := fractionLen(fsp)
	v := bigEndian(word, n)
	return v>>(8*f)<<microBits | v&(1<<(8*f)-1)*fractionUnit[f&3]
}

// oldLen returns the bytes of TIME, DATETIME and TIMESTAMP of the old types: 3, 8 and 4, or what they are in MariaDB with
// 1 to 6 digits of a fraction.
func oldLen(t Type, fsp uint16) uint64 {
	if fsp > 6 {
		return refused
	}
	switch t {
	case Time:
		return uint64([7]uint8{3, 4, 4, 5, 5, 5, 6}[fsp])
	case Datetime:
		return uint64([7]uint8{8, 6, 6, 7, 7, 7, 8}[fsp])
	}
	return 4 + fractionLen(fsp)
}

// oldKind returns the kind of the old types: TIME and DATETIME without a fraction are digits.
func oldKind(t Type, fsp uint16) Kind {
	switch {
	case t == Timestamp:
		return KindTimestamp
	case t == Time && fsp == 0:
		return KindTimeDigits
	case t == Time:
		return KindTime
	case fsp == 0:
		return KindDatetimeDigits
	}
	return KindDatetime
}

// oldTime unpacks TIME from before fractions, or MariaDB's with one: units of 10^-fsp s, big-endian, with zero at 839
// hours.
func oldTime(word, n uint64, fsp uint16) uint64 {
	if fsp == 0 {
		return word & 0xffffff
	}
	unit := pow10[fsp]
	v := bigEndian(word, n) - 839*3600*unit
	sign := uint64(int64(v) >> 63)
	v = (v ^ sign) - sign
	s, fraction := v/unit, v%unit
	v = (s/3600<<12|s/60%60<<6|s%60)<<microBits | fraction*pow10[6-fsp]
	return (v ^ sign) - sign
}

// oldDatetime unpacks DATETIME from before fractions, or MariaDB's with one: all fields and the fraction as digits of one
// big-endian number with mixed bases. Dates that KindDatetime has no room for, all past the year 10000, become its last.
func oldDatetime(word, n uint64, fsp uint16) uint64 {
	if fsp == 0 {
		return word
	}
	v := bigEndian(word, n)
	unit := pow10[fsp]
	s, fraction := v/unit, v%unit
	hms := s/3600%24<<12 | s/60%60<<6 | s%60
	ymd := min(s/86400, 1<<22-1)
	return (ymd<<17|hms)<<microBits | fraction*pow10[6-fsp]
}

// oldTimestamp unpacks TIMESTAMP from before fractions, little-endian, or MariaDB's with one, big-endian.
func oldTimestamp(word, n uint64, fsp uint16) uint64 {
	if fsp == 0 {
		return word & 0xffffffff << microBits
	}
	f := fractionLen(fsp)
	v := bigEndian(word, n)
	return v>>(8*f)<<microBits | v&(1<<(8*f)-1)*pow10[6-fsp]
}
