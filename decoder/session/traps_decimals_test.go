package session_test

import (
	"binlens/decoder/internal/logtest"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// DECIMAL is groups of up to nine digits, the highest bit turned over, all bits turned over when negative.
func TestTrapDecimals(t *testing.T) {
	checkTraps(t, logtest.MySQL8040, []trapRow{
		{name: "11 DECIMAL(13,4) 0.3333", build: "f6 / 0d04 / / 80000000 0d05", want: `"0.3333"`},
		{name: "11 DECIMAL(13,4) -0.3333", build: "f6 / 0d04 / / 7fffffff f2fa", want: `"-0.3333"`},
		{name: "12 a zero in front of the point", build: "f6 f6 / 0201 0a0a / / 8001 85f5e0ff 09", want: `"0.1" | "0.0999999999"`},
		{name: "12 DECIMAL(20,0) 1", build: "f6 / 1400 / / 80 00000000 00000001", want: `"1"`},
		{name: "12 DECIMAL(2,2) -0.12", build: "f6 / 0202 / / 73", want: `"-0.12"`},
		{name: "13 the scale stays", build: "f6 f6 / 0502 0a00 / / 800000 8000000000", want: `"0.00" | "0"`},
		{name: "14 DECIMAL(36,18) 0.0000007565 in plain digits", build: "f6 / 2412 / / 8000000000000000 000002f4 1dcd6500", want: `"0.000000756500000000"`},
		{name: "15 DECIMAL(5,2) -0.01", build: "f6 / 0502 / / 7ffffe", want: `"-0.01"`},
		{name: "16 an opaque decimal has its own precision and scale", build: "f5 / 04 / / 07000000 0ff604 0302 8163", want: `1.99`},
		{name: "16 a negative one", build: "f5 / 04 / / 07000000 0ff604 0302 7ff5", want: `-0.10`},
		{name: "16 one of a group's width", build: "f5 / 04 / / 0a000000 0ff607 0a00 8000000001", want: `1`},
		{name: "18 FLOAT in the shortest digits", build: "04 04 04 04 / 04040404 / / 9a99993e e6d6ac43 85eb9140 cdcccc3d", want: `0.3 | 345.6789 | 4.56 | 0.1`},
		{name: "18 DOUBLE in its own", build: "05 05 05 / 080808 / / 3d0ad7a3703d1240 408cb5781daf1544 9a9999999999b93f", want: `4.56 | 1e20 | 0.1`},
		{name: "18 the edges of FLOAT", build: "04 04 04 04 / 04040404 / / ffff7f7f 01000000 0000804b 00000080", want: `3.4028235e38 | 1e-45 | 16777216 | -0`},
		{name: "19 DECIMAL of before 5.0.3", build: "03 00 03 / / / 01000000 31323334 02000000", want: ``,
			problem: "unsupported: row 1 cannot be read at column 2 decimal: DECIMAL from before MySQL 5.0.3"},
	})
}

// packDecimal is the digits of a number as the server stores them, by the description of the format: the first group of
// the integer part and the last of the fraction take as many bytes as their digits need.
func packDecimal(integer, fraction string, negative bool) (b []byte) {
	need := []int{0, 1, 1, 2, 2, 3, 3, 4, 4, 4}
	group := func(digits string) {
		n, _ := strconv.ParseUint("0"+digits, 10, 64)
		b = append(b, bigEndian(n, need[len(digits)])...)
	}
	for first := len(integer) % 9; len(integer) > 0; first = 9 {
		group(integer[:first])
		integer = integer[first:]
	}
	for len(fraction) > 0 {
		n := min(9, len(fraction))
		group(fraction[:n])
		fraction = fraction[n:]
	}
	b[0] ^= 0x80
	if negative {
		for i := range b {
			b[i] ^= 0xff
		}
	}
	return b
}

// decimalText is a number as it is to be read: without zeros in front, with all digits of its scale.
func decimalText(integer, fraction string, negative bool) string {
	s := strings.TrimLeft(integer, "0")
	if s == "" {
		s = "0"
	}
	if fraction != "" {
		s += "." + fraction
	}
	if negative {
		s = "-" + s
	}
	return `"` + s + `"`
}

// Every precision and scale there is, each with the largest number, one, and some others, of both signs.
func TestTrapDecimalShapes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 12))
	cells := 0
	for scale := 0; scale <= 30; scale++ {
		var types, meta, values []byte
		var want []string
		add := func(precision int, digits string, negative bool) {
			integer, fraction := digits[:precision-scale], digits[precision-scale:]
			types, meta = append(types, 246), append(meta, byte(precision), byte(scale))
			values = append(values, packDecimal(integer, fraction, negative)...)
			want = append(want, decimalText(integer, fraction, negative))
		}
		for precision := max(scale, 1); precision <= 65; precision++ {
			one := strings.Repeat("0", precision-1) + "1"
			add(precision, strings.Repeat("0", precision), false)
			some := make([]byte, precision)
			for i := range some {
				some[i] = '0' + byte(rng.IntN(10))
			}
			some[0] = '7'
			for _, negative := range []bool{false, true} {
				add(precision, strings.Repeat("9", precision), negative)
				add(precision, one, negative)
				add(precision, string(some), negative)
			}
		}
		rows := dumpLog(t, oneRow(logtest.MySQL8040, types, meta, nil, nil, values).Bytes())
		got, problems := cellsOf(rows[2])
		if problems != "" {
			t.Fatalf("11, 12, 15: scale %d: %s", scale, problems)
		}
		for i, g := range strings.Split(got, " | ") {
			if cells++; g != want[i] {
				t.Errorf("11, 12, 15: DECIMAL(%d,%d): %s, want %s", meta[2*i], scale, g, want[i])
			}
		}
	}
	if want := 7 * (65*31 - 29*30/2); cells != want { // precisions from max(scale, 1) to 65
		t.Errorf("%d numbers read, want %d", cells, want)
	}
}

// A DECIMAL of the old kind, or a type that is not known, spoils the rows of its table and no others.
func TestTrapUnreadableTypes(t *testing.T) {
	for _, c := range []struct {
		name string
		typ  byte
		meta string
		why  string
	}{
		{"19 old DECIMAL", 0, "", "unsupported: row 1 cannot be read at column 1 decimal: DECIMAL from before MySQL 5.0.3: the width of its values is not in the log"},
		{"58 BOOL", 244, "", "unsupported: row 1 cannot be read at column 1 BOOL: column type BOOL is the server's placeholder"},
		{"58 a BIT of 65 bits", 16, "0108", "corrupt: row 1 cannot be read at column 1 bit(65): the table map gives this BIT column 65 bits; 1 to 64 are possible"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := logtest.New(logtest.MySQL8040, logtest.CRC32)
			l.Event(logtest.TypeTableMap, rawTable(7, []byte{c.typ}, logtest.Hex(c.meta), nil).Body())
			l.Event(logtest.TypeTableMap, rawTable(8, []byte{3}, nil, nil).Body())
			insert(l, 7, 1, logtest.Hex("00 31"))
			insert(l, 8, 1, logtest.Image(logtest.U32(5)))
			rows := dumpLog(t, l.Bytes())
			if cells, problems := cellsOf(rows[3]); cells != "" || !strings.HasPrefix(problems, c.why) {
				t.Errorf("%s: %s", cells, problems)
			}
			if cells, problems := cellsOf(rows[4]); cells != "5" || problems != "" {
				t.Errorf("the other table: %s, %s", cells, problems)
			}
		})
	}
	// A type that no server documents has metadata of unknown length: its table map is at fault, and only its rows.
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	l.Event(logtest.TypeTableMap, rawTable(7, []byte{99}, []byte{1}, nil).Body())
	l.Event(logtest.TypeTableMap, rawTable(8, []byte{3}, nil, nil).Body())
	insert(l, 7, 1, logtest.Hex("00 31"))
	insert(l, 8, 1, logtest.Image(logtest.U32(5)))
	rows := dumpLog(t, l.Bytes())
	if said := plain(rows[1].m["problems"]); !strings.Contains(said, `"unsupported"`) || !strings.Contains(said, "99") {
		t.Errorf("58 type 99: %s", said)
	}
	if cells, problems := cellsOf(rows[3]); cells != "" || problems == "" {
		t.Errorf("58 type 99: rows %s, %s", cells, problems)
	}
	if cells, problems := cellsOf(rows[4]); cells != "5" || problems != "" {
		t.Errorf("58 the other table: %s", fmt.Sprint(cells, problems))
	}
}
