package session_test

import (
	"binlens/decoder/internal/logtest"
	"fmt"
	"strings"
	"testing"
)

// Dates and times as they are stored: never through a calendar, never through a zone.
func TestTrapTemporals(t *testing.T) {
	checkTraps(t, logtest.MySQL8040, []trapRow{
		{name: "20 TIME(6) -16:08:04.010123", build: "13 / 06 / / 7efdfbffd875", want: `"-16:08:04.010123"`},
		{name: "21 -16:08:04.25 at fsp 3, 6 and 0", build: "13 13 13 / 03 06 00 / / 7efdfbf63c 7efdfbfc2f70 7efdfc", want: `"-16:08:04.250" | "-16:08:04.250000" | "-16:08:04"`},
		{name: "22 TIME(2), four neighbours", build: "13 13 13 13 / 02020202 / / 7fffffff 7fffff9d 7fffff00 7ffffef6",
			want: `"-00:00:00.01" | "-00:00:00.99" | "-00:00:01.00" | "-00:00:01.10"`},
		{name: "23 TIME(2) -00:00:00.12 keeps its sign", build: "13 / 02 / / 7ffffff4", want: `"-00:00:00.12"`},
		{name: "24 TIME(6) -838:59:59.000000", build: "13 13 / 06 06 / / 4b9105000000 b46efb000000", want: `"-838:59:59.000000" | "838:59:59.000000"`},
		{name: "25 DATE with a month or day of zero", build: "0a 0a 0a / / / 0fce0f a0ce0f 000000", want: `"2023-00-15" | "2023-05-00" | "0000-00-00"`},
		{name: "25 DATETIME with a month or day of zero", build: "12 12 / 0000 / / 99aedea000 99b000a000", want: `"2023-00-15 10:00:00" | "2023-05-00 10:00:00"`},
		{name: "26 DATETIME of zero", build: "12 12 / 0006 / / 8000000000 8000000000000000", want: `"0000-00-00 00:00:00" | "0000-00-00 00:00:00.000000"`},
		{name: "26 DATETIME of zero, old kind", build: "0c 0a / / / 0000000000000000 000000", want: `"0000-00-00 00:00:00" | "0000-00-00"`},
		{name: "27 the INT behind fractions", build: "0a 12 12 11 03 / 00 06 06 / / 0fce0f 99b000a000 8000000000000000 00000000000000 78563412",
			want: `"2023-00-15" | "2023-05-00 10:00:00" | "0000-00-00 00:00:00.000000" | "0000-00-00 00:00:00.000000" | 305419896`},
		{name: "28 TIMESTAMP of zero is not the epoch", build: "11 11 07 / 00 06 / / 00000000 00000000000000 00000000",
			want: `"0000-00-00 00:00:00" | "0000-00-00 00:00:00.000000" | "0000-00-00 00:00:00"`},
		{name: "28 one second later it is", build: "11 07 / 00 / / 00000001 01000000", want: `"1970-01-01 00:00:01" | "1970-01-01 00:00:01"`},
		{name: "31 TIMESTAMP is UTC and big-endian, DATETIME has no zone", build: "11 12 07 / 00 00 / / 65e11a7e 99b2bb7efa 7e1ae165",
			want: `"2024-02-29 23:59:58" | "2024-02-29 23:59:58" | "2024-02-29 23:59:58"`},
		{name: "32 YEAR 0000", build: "0d / / 01 01 80 / 00", want: `"0000"`},
		{name: "33 as many digits as the column has", build: "12 12 12 13 11 / 00 03 06 02 04 / / 99b01ea000 99b01ea00004ce 99b01ea00001e240 80000000 65e11a7e0000",
			want: `"2023-05-15 10:00:00" | "2023-05-15 10:00:00.123" | "2023-05-15 10:00:00.123456" | "00:00:00.00" | "2024-02-29 23:59:58.0000"`},
		{name: "35 TIME above a day", build: "13 13 0b 0b / 00 00 / / 81defb 79bfff 178404 590a80", want: `"29:59:59" | "-100:00:01" | "29:59:59" | "-838:59:59"`},
	})
	checkTraps(t, logtest.MariaDB105, []trapRow{
		{name: "34 TIMESTAMP to 2106", build: "11 11 / 00 06 / / ffffffff ffffffff0f423f", want: `"2106-02-07 06:28:15" | "2106-02-07 06:28:15.999999"`},
		{name: "34 and behind 2038", build: "11 / 00 / / 80000000", want: `"2038-01-19 03:14:08"`},
	})
}

// clockTime is a time in parts; all its numbers are of the same sign.
type clockTime struct {
	negative                      bool
	hour, minute, second, microse int64
}

// pack is the server's my_time_packed_to_binary over TIME_to_longlong_time_packed: hours, minutes and seconds above 24
// bits of microseconds, negative as a whole; then cut to the bytes of the fraction.
func (c clockTime) pack(fsp int) []byte {
	n := (c.hour<<12|c.minute<<6|c.second)<<24 + c.microse
	if c.negative {
		n = -n
	}
	whole, fraction := n>>24, n%(1<<24) // the fraction has the sign of the whole
	head := bigEndian(uint64(whole+0x800000), 3)
	switch (fsp + 1) / 2 {
	case 0:
		return head
	case 1:
		return logtest.Cat(head, bigEndian(uint64(fraction/10000), 1))
	case 2:
		return logtest.Cat(head, bigEndian(uint64(fraction/100), 2))
	}
	return bigEndian(uint64(n+0x800000000000), 6)
}

// fractionText is the fraction of a second with its point, in fsp digits.
func fractionText(microse int64, fsp int) string {
	if fsp == 0 {
		return ""
	}
	return "." + fmt.Sprintf("%06d", microse)[:fsp]
}

func (c clockTime) text(fsp int) string {
	sign := ""
	if c.negative {
		sign = "-"
	}
	return fmt.Sprintf(`"%s%02d:%02d:%02d%s"`, sign, c.hour, c.minute, c.second, fractionText(c.microse, fsp))
}

// TIME of every precision around zero, around full seconds, minutes and hours, and at its ends.
func TestTrapTimes(t *testing.T) {
	for fsp := range 7 {
		unit := int64(1)
		for range 6 - fsp {
			unit *= 10
		}
		var times []clockTime
		for _, base := range []clockTime{{}, {second: 1}, {second: 59}, {minute: 1}, {minute: 59, second: 59}, {hour: 1}, {hour: 23, minute: 59, second: 59}, {hour: 24},
			{hour: 29, minute: 59, second: 59}, {hour: 100}, {hour: 255}, {hour: 256}, {hour: 511}, {hour: 512}, {hour: 838, minute: 59, second: 58}} {
			for _, units := range []int64{0, 1, 2, 9, 10, 50, 99, 100, 127, 128, 255, 256, 5000, 9999, 32767, 32768, 65535, 999999} {
				c := base
				if c.microse = units * unit; c.microse < 1_000_000 {
					times = append(times, c)
				}
			}
			last := base
			last.microse = (1_000_000 - unit) % 1_000_000
			times = append(times, last)
		}
		times = append(times, clockTime{hour: 838, minute: 59, second: 59})
		var types, meta, values []byte
		var want []string
		for _, c := range times {
			for _, c.negative = range []bool{false, true} {
				if c.negative && c == (clockTime{negative: true}) {
					continue // no server stores a zero with a sign
				}
				types, meta, values, want = append(types, 19), append(meta, byte(fsp)), append(values, c.pack(fsp)...), append(want, c.text(fsp))
			}
		}
		checkCells(t, fmt.Sprintf("20, 21, 22, 23, 24, 29, 35: TIME(%d)", fsp), types, meta, values, want)
	}
}

// checkCells reads one row of many columns.
func checkCells(t *testing.T, name string, types, meta, values []byte, want []string) {
	t.Helper()
	got, problems := cellsOf(dumpLog(t, oneRow(logtest.MySQL8040, types, meta, nil, nil, values).Bytes())[2])
	if problems != "" {
		t.Errorf("%s: %s", name, problems)
	}
	list := strings.Split(got, " | ")
	if len(list) != len(want) {
		t.Fatalf("%s: %d cells, want %d", name, len(list), len(want))
	}
	for i, g := range list {
		if g != want[i] {
			t.Errorf("%s: cell %d is %s, want %s", name, i, g, want[i])
		}
	}
}

// DATETIME and TIMESTAMP of every precision.
func TestTrapFractions(t *testing.T) {
	for fsp := range 7 {
		var types, meta, values []byte
		var want []string
		for _, microse := range []int64{0, 100000, 990000, 999000, 999900, 999990, 999999, 123456, 1, 10, 100, 1000, 10000} {
			cut := fractionText(microse, fsp)
			unit := []int64{1000000, 100000, 10000, 1000, 100, 10, 1}[fsp]
			stored := uint64(microse - microse%unit)
			fraction := bigEndian(stored/[]uint64{1, 10000, 100, 1}[(fsp+1)/2], (fsp+1)/2)
			for _, d := range []struct{ year, month, day, hour, minute, second uint64 }{{2024, 2, 29, 23, 59, 58}, {9999, 12, 31, 23, 59, 59}, {1, 1, 1, 0, 0, 0}, {2023, 0, 15, 10, 0, 0}, {2023, 2, 31, 1, 2, 3}} {
				packed := ((d.year*13+d.month)<<5|d.day)<<17 | d.hour<<12 | d.minute<<6 | d.second
				types, meta, values = append(types, 18), append(meta, byte(fsp)), append(values, logtest.Cat(bigEndian(packed+0x8000000000, 5), fraction)...)
				want = append(want, fmt.Sprintf(`"%04d-%02d-%02d %02d:%02d:%02d%s"`, d.year, d.month, d.day, d.hour, d.minute, d.second, cut))
			}
			for _, s := range []struct {
				seconds uint64
				text    string
			}{{1, "1970-01-01 00:00:01"}, {1709251198, "2024-02-29 23:59:58"}, {1<<31 - 1, "2038-01-19 03:14:07"}, {1<<32 - 1, "2106-02-07 06:28:15"}} {
				types, meta, values = append(types, 17), append(meta, byte(fsp)), append(values, logtest.Cat(bigEndian(s.seconds, 4), fraction)...)
				want = append(want, `"`+s.text+cut+`"`)
			}
		}
		checkCells(t, fmt.Sprintf("25, 29, 33, 34: fsp %d", fsp), types, meta, values, want)
	}
}

// Every YEAR, and every DATE of a leap year with the zeros that a lax mode lets in.
func TestTrapYearsAndDates(t *testing.T) {
	var types, values []byte
	var want []string
	for n := range 256 {
		types, values = append(types, 13), append(values, byte(n))
		if n == 0 {
			want = append(want, `"0000"`)
		} else {
			want = append(want, fmt.Sprintf(`"%d"`, 1900+n))
		}
	}
	for month := range 13 {
		for day := range 32 {
			types, values = append(types, 10), append(values, logtest.UN(uint64(2024<<9|month<<5|day), 3)...)
			want = append(want, fmt.Sprintf(`"2024-%02d-%02d"`, month, day))
		}
	}
	checkCells(t, "25, 32", types, nil, values, want)
}
