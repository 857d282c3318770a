package value

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// fractionText is what the server prints of µs with fsp digits.
func fractionText(micro, fsp int) string {
	if fsp == 0 {
		return ""
	}
	return "." + fmt.Sprintf("%06d", micro)[:fsp]
}

// packTime2 stores a TIME as my_time_packed_to_binary of the server does: the integer part and the fraction for
// themselves, where the integer part of a negative value is rounded down and the fraction is what a signed byte, or two,
// make of the rest.
func packTime2(negative bool, hour, minute, second, micro, fsp int) []byte {
	packed := int64(hour<<12|minute<<6|second)<<24 + int64(micro)
	if negative {
		packed = -packed
	}
	whole, fraction := packed>>24, packed%(1<<24)
	b := binary.BigEndian.AppendUint32(nil, uint32(whole+0x800000))[1:]
	switch (fsp + 1) / 2 {
	case 1:
		b = append(b, byte(fraction/10000))
	case 2:
		b = binary.BigEndian.AppendUint16(b, uint16(fraction/100))
	case 3:
		b = binary.BigEndian.AppendUint64(nil, uint64(packed+0x800000000000))[2:]
	}
	return b
}

func TestTime2All(t *testing.T) {
	unit := [7]int{1000000, 100000, 10000, 1000, 100, 10, 1}
	for fsp := range 7 {
		for _, negative := range []bool{false, true} {
			for _, hour := range []int{0, 1, 12, 23, 24, 99, 100, 511, 512, 838} {
				for _, minute := range []int{0, 1, 31, 59} {
					for _, second := range []int{0, 1, 32, 59} {
						for _, part := range []int{0, 1, 2, 12, 55, 127, 128, 255, 256, 32767, 32768, 499999, 999999} {
							micro := part * unit[fsp] % 1000000
							want := fmt.Sprintf("%02d:%02d:%02d", hour, minute, second) + fractionText(micro, fsp)
							if negative && hour|minute|second|micro != 0 {
								want = "-" + want
							}
							cell := packTime2(negative, hour, minute, second, micro, fsp)
							event, v := readAll(t, Time2, uint16(fsp), cell)
							if got := string(AppendText(nil, event, uint16(fsp), false, &v)); got != want {
								t.Fatalf("TIME(%d) % x = %s, want %s", fsp, cell, got, want)
							}
							if s := Doubt(event, uint16(fsp), &v); s != "" {
								t.Fatalf("TIME(%d) %s is doubted: %s", fsp, want, s)
							}
						}
					}
				}
			}
		}
	}
}

// Every month of every year, with the day, time and fraction varied.
func TestDatetime2All(t *testing.T) {
	for year := range 10000 {
		for month := range 13 {
			n := year*13 + month
			day, hour, minute, second, fsp := n%32, n*7%24, n*11%60, n*13%60, n%7
			micro := [7]int{0, 900000, 120000, 4000, 999900, 10, 123456}[fsp]
			b := binary.BigEndian.AppendUint64(nil, uint64(n<<22|day<<17|hour<<12|minute<<6|second)+0x8000000000)[3:]
			switch (fsp + 1) / 2 {
			case 1:
				b = append(b, byte(micro/10000))
			case 2:
				b = binary.BigEndian.AppendUint16(b, uint16(micro/100))
			case 3:
				b = append(b, byte(micro>>16), byte(micro>>8), byte(micro))
			}
			event, v := readAll(t, Datetime2, uint16(fsp), b)
			want := fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d", year, month, day, hour, minute, second) + fractionText(micro, fsp)
			if got := string(AppendText(nil, event, uint16(fsp), false, &v)); got != want {
				t.Fatalf("DATETIME(%d) % x = %s, want %s", fsp, b, got, want)
			}
			if s := Doubt(event, uint16(fsp), &v); s != "" {
				t.Fatalf("DATETIME(%d) %s is doubted: %s", fsp, want, s)
			}
		}
	}
}

// Every day that a TIMESTAMP can name, at both of its ends, against the time package.
func TestTimestampAll(t *testing.T) {
	for day := range uint64(1<<32/86400 + 1) {
		for _, s := range []uint64{day * 86400, day*86400 + 86399, day*86400 + day%86400} {
			if s == 0 || s >= 1<<32 {
				continue
			}
			var c clock
			c.setTimestamp(s << 24)
			if got, want := string(c.appendDatetime(nil, 0)), time.Unix(int64(s), 0).UTC().Format(time.DateTime); got != want {
				t.Fatalf("%d s = %s, want %s", s, got, want)
			}
		}
	}
}

func TestDateAll(t *testing.T) {
	for bits := range uint64(1 << 24) {
		if bits>>9 > 300 && bits>>9 < 9990 { // the years between differ in nothing
			continue
		}
		var c clock
		c.setDate(bits)
		if uint64(c.year<<9|c.month<<5|c.day) != bits || c.month > 15 || c.day > 31 {
			t.Fatalf("%#x = %+v", bits, c)
		}
	}
}

// packHires stores what a TIME, DATETIME or TIMESTAMP of an old type with a fraction counts to, in MariaDB with
// mysql56_temporal_format=OFF: big-endian, in size bytes.
func packHires(n uint64, size int) []byte { return binary.BigEndian.AppendUint64(nil, n)[8-size:] }

func TestHires(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	timeLen := [7]int{3, 4, 4, 5, 5, 5, 6}
	datetimeLen := [7]int{5, 6, 6, 7, 7, 7, 8}
	scale := [7]int{1, 10, 100, 1000, 10000, 100000, 1000000}
	for range 20000 {
		fsp := 1 + rnd.IntN(6)
		fraction := rnd.IntN(scale[fsp])
		tail := fmt.Sprintf(".%0*d", fsp, fraction)

		hour, minute, second := rnd.IntN(839), rnd.IntN(60), rnd.IntN(60)
		units := ((hour*60+minute)*60+second)*scale[fsp] + fraction
		want := fmt.Sprintf("%02d:%02d:%02d", hour, minute, second) + tail
		if units != 0 && rnd.IntN(2) == 0 {
			units, want = -units, "-"+want
		}
		checkHires(t, Time, fsp, packHires(uint64(units+3020400*scale[fsp]), timeLen[fsp]), want)

		year, month, day := rnd.IntN(10000), rnd.IntN(13), rnd.IntN(32)
		hour %= 24
		units = (((((year*13+month)*32+day)*24+hour)*60+minute)*60+second)*scale[fsp] + fraction
		want = fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d", year, month, day, hour, minute, second) + tail
		checkHires(t, Datetime, fsp, packHires(uint64(units), datetimeLen[fsp]), want)

		s := 1 + rnd.Uint32N(1<<32-1)
		cell := binary.BigEndian.AppendUint32(nil, s)
		cell = append(cell, packHires(uint64(fraction), (fsp+1)/2)...)
		checkHires(t, Timestamp, fsp, cell, time.Unix(int64(s), 0).UTC().Format(time.DateTime)+tail)
	}
}

func checkHires(t *testing.T, typ Type, fsp int, cell []byte, want string) {
	t.Helper()
	meta := uint16(fsp)
	event, v := readAll(t, typ, meta, cell)
	if got := string(AppendText(nil, event, meta, false, &v)); got != want {
		t.Fatalf("%s(%d) % x = %s, want %s", typ, fsp, cell, got, want)
	}
	if n, ok := FixedLen(typ, meta); !ok || n != len(cell) {
		t.Fatalf("FixedLen(%s, %d) = %d, %v; want %d", typ, fsp, n, ok, len(cell))
	}
}

func TestDoubt(t *testing.T) {
	for _, tt := range []struct {
		typ  Type
		meta uint16
		hex  string
		want string
	}{
		{Date, 0, "5d d0 0f", ""},
		{Date, 0, "00 00 00", ""},
		{Date, 0, "a0 cf 0f", "the month is above 12"}, // 2023-13-00
		{Date, 0, "ff ff ff", "the year is above 9999"},
		{Time2, 0, "b4 6e fb", ""},
		{Time2, 0, "b4 70 00", "the hour is above 838"}, // 839:00:00
		{Time2, 0, "80 0f 00", "the minute is above 59"},
		{Time2, 0, "80 00 3c", "the second is above 59"},
		{Time2, 2, "80 00 00 64", "the fraction is a second or more"},
		{Time, 0, "cf 00 80", "the minute is above 59"},
		{Datetime2, 0, "80 00 00 00 00", ""},
		{Datetime2, 0, "7f ff ff ff ff", "the date is negative"},
		{Datetime2, 0, "80 00 01 80 00", "the hour is above 23"},
		{Datetime, 0, "f6 7c ac 8b 68 12 00 00", ""},
		{Datetime, 0, "ff ff ff ff ff ff ff ff", "the hour is above 23"},
		{Datetime, 0, "00 48 e8 01 00 00 00 00", "the day is above 31"}, // 32000000: 0000-00-32 00:00:00
		{Timestamp2, 2, "65 e1 1a 7e ff", "the fraction is a second or more"},
		{Bit, 1, "01", ""},
		{Bit, 1, "02", "bits beyond the column's width are set"},
		{Float, 4, "00 00 c0 7f", "no finite number"},
		{Double, 8, "00 00 00 00 00 00 04 c0", ""},
		{Long, 0, "ff ff ff ff", ""},
		{Varchar, 10, "01 61", ""},
	} {
		event, v := readAll(t, tt.typ, tt.meta, unhex(t, tt.hex))
		if got := Doubt(event, tt.meta, &v); got != tt.want {
			t.Errorf("%s(%d) %s: %q, want %q", tt.typ, tt.meta, tt.hex, got, tt.want)
		}
	}
}
