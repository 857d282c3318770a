package session_test

import (
	"binlens/decoder/internal/logtest"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"testing"
)

// Integers and their signs, which stand in the optional metadata: one bit for each numeric column, YEAR, FLOAT, DOUBLE and
// DECIMAL among them.
func TestTrapIntegers(t *testing.T) {
	checkTraps(t, logtest.MySQL8040, []trapRow{
		{name: "1 TINYINT UNSIGNED 129", build: "01 / / 01 01 80 / 81", want: `129`},
		{name: "1 TINYINT with its bit clear", build: "01 / / 01 01 00 / 81", want: `-127`},
		{name: "1 TINYINT of unknown sign", build: "01 / / / 81", want: `-127`},
		{name: "2 the largest unsigned of each width", build: "01 02 09 03 08 / / 01 01 f8 / ff ffff ffffff ffffffff ffffffffffffffff",
			want: `255 | 65535 | 16777215 | 4294967295 | "18446744073709551615"`},
		{name: "2 the same bytes signed", build: "01 02 09 03 08 / / 01 01 00 / ff ffff ffffff ffffffff ffffffffffffffff", want: `-1 | -1 | -1 | -1 | -1`},
		{name: "3 the INT behind a YEAR", build: "03 0d 03 / / 01 01 40 / 7b000000 8d 068b8100", want: `123 | "2041" | 8489734`},
		{name: "3 signed around an unsigned YEAR", build: "03 0d 03 / / 01 01 40 / ffffffff 8d ffffffff", want: `-1 | "2041" | -1`},
		{name: "3 unsigned around it", build: "03 0d 03 / / 01 01 a0 / ffffffff 8d ffffffff", want: `4294967295 | "2041" | 4294967295`},
		{name: "4 nine bits, with a YEAR", build: "03 0d 03 03 03 03 03 03 03 fe / fe28 / 01 02 0000 02 01 2d /" +
			"01000000 66 03000000 04000000 05000000 06000000 07000000 08000000 09000000 00", want: `1 | "2002" | 3 | 4 | 5 | 6 | 7 | 8 | 9 | ""`},
		{name: "4 nine bits, the ninth set", build: "03 0d 03 03 03 03 03 03 03 / / 01 02 0080 /" +
			"ffffffff 66 ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff", want: `-1 | "2002" | -1 | -1 | -1 | -1 | -1 | -1 | 4294967295`},
		{name: "5 no bit for a VARCHAR", build: "03 03 0f 03 / 7800 / 01 01 a0 / ffffffff ffffffff 0133 ffffffff", want: `4294967295 | -1 | "3" | 4294967295`},
		{name: "6 one bit behind thirty VARCHARs", build: strings.Repeat("0f", 30) + "03 /" + strings.Repeat("0a00", 30) + "/ 01 01 80 02 01 2d /" +
			strings.Repeat("00", 30) + "ffffffff", want: strings.Repeat(`"" | `, 30) + `4294967295`},
		{name: "7 a bit for a DECIMAL", build: "f6 03 / 0502 / 01 01 40 / 800001 ffffffff", want: `"0.01" | 4294967295`},
		{name: "7 a bit for FLOAT and DOUBLE", build: "04 05 03 / 04 08 / 01 01 20 / 00004040 0000000000000840 ffffffff", want: `3 | 3 | 4294967295`},
		{name: "8 a BIGINT UNSIGNED that is NULL", build: "08 / / 01 01 80 /", nulls: "01", want: `null`},
		{name: "8 NULL between others", build: "08 08 08 / / 01 01 e0 / 0100000000000000 ffffffffffffffff", nulls: "02", want: `1 | null | "18446744073709551615"`},
		{name: "9 the largest numbers that JSON readers keep", build: "08 08 08 / / 01 01 20 / ffffffffffff1f00 010000000000e0ff ffffffffffff1f00",
			want: `9007199254740991 | -9007199254740991 | 9007199254740991`},
		{name: "9 one beyond them", build: "08 08 08 / / 01 01 20 / 0000000000002000 000000000000e0ff 0000000000002000",
			want: `"9007199254740992" | "-9007199254740992" | "9007199254740992"`},
		{name: "10 TINYINT(1) is a number", build: "01 01 01 / / 01 01 00 / 80 01 7f", want: `-128 | 1 | 127`},
	})
}

// integerWidths are the integer types and their bytes.
var integerWidths = []struct {
	typ   byte
	width int
}{{1, 1}, {2, 2}, {9, 3}, {3, 4}, {8, 8}}

// exactJSON is an integer as the event JSON has it: in quotes beyond 2^53-1.
func exactJSON(n *big.Int) string {
	if new(big.Int).Abs(n).Cmp(big.NewInt(1<<53-1)) > 0 {
		return `"` + n.String() + `"`
	}
	return n.String()
}

// Each width at all its edges, signed and unsigned, by the arithmetic of two's complement.
func TestTrapIntegerEdges(t *testing.T) {
	var list []trapRow
	for _, w := range integerWidths {
		typ, width := w.typ, w.width
		span := new(big.Int).Lsh(big.NewInt(1), uint(8*width))
		half := new(big.Int).Rsh(span, 1)
		for _, bits := range []*big.Int{big.NewInt(0), big.NewInt(1), new(big.Int).Sub(half, big.NewInt(1)), half, new(big.Int).Sub(span, big.NewInt(2)), new(big.Int).Sub(span, big.NewInt(1))} {
			signed := new(big.Int).Set(bits)
			if bits.Cmp(half) >= 0 {
				signed.Sub(bits, span)
			}
			cell := logtest.UN(bits.Uint64(), width)
			build := fmt.Sprintf("%02x %02x / / 01 01 80 / %x %x", typ, typ, cell, cell)
			list = append(list, trapRow{name: fmt.Sprintf("2 %s in %d bytes", bits, width), build: build, want: exactJSON(bits) + " | " + exactJSON(signed)})
		}
	}
	checkTraps(t, logtest.MySQL8040, list)
}

// A table map without signs says that they are unknown; one that has them does not.
func TestTrapSignUnknown(t *testing.T) {
	for _, c := range []struct{ name, build, want string }{
		{"1 MySQL 5.7 writes no signs", "01 / / / 81", `"unknown"`},
		{"1 nor does MariaDB", "0f 08 / 0a00 / / 00 ffffffffffffffff", `"unknown"`},
		{"1 with signs", "01 / / 01 01 80 / 81", "absent"},
		{"1 a YEAR has none", "0d / / / 81", "absent"},
	} {
		t.Run(c.name, func(t *testing.T) {
			types, meta, optional, values := trapRow{name: c.name, build: c.build}.parts(t)
			rows := dumpLog(t, oneRow(logtest.MySQL8040, types, meta, optional, nil, values).Bytes())
			checkEvents(t, c.name, rows, "FORMAT_DESCRIPTION_EVENT TABLE_MAP_EVENT WRITE_ROWS_EVENT", []want{{1, []any{"data", "signedness"}, c.want}})
		})
	}
}

// Wherever the YEAR columns stand among up to 20 numeric ones, the signs go to the right columns, and what follows them in
// the metadata is read.
func TestTrapSignBits(t *testing.T) {
	for n := 1; n <= 20; n++ {
		for year := range n {
			var types, values []byte
			var bits []bool
			var names, cells []string
			for i := range n {
				unsigned := i%3 != 1 || i == year
				bits, names = append(bits, unsigned), append(names, "c"+strconv.Itoa(i))
				switch {
				case i == year:
					types, values, cells = append(types, 13), append(values, 0x7c), append(cells, `"2024"`)
				case unsigned:
					types, values, cells = append(types, 1), append(values, 0xff), append(cells, "255")
				default:
					types, values, cells = append(types, 1), append(values, 0xff), append(cells, "-1")
				}
			}
			optional := logtest.Cat(logtest.TLV(1, logtest.BitsMSB(bits...)), logtest.TLV(4, logtest.Names(names...)))
			rows := dumpLog(t, oneRow(logtest.MySQL8040, types, nil, optional, nil, values).Bytes())
			got, problems := cellsOf(rows[2])
			if got != strings.Join(cells, " | ") || problems != "" || text(get(rows[2], "data", "names")) != "metadata" {
				t.Errorf("4, 6: %d columns, YEAR at %d: %s %s, want %v", n, year, got, problems, cells)
			}
		}
	}
}

// Every value of a TINYINT, signed and unsigned.
func TestTrapTinyint(t *testing.T) {
	for n := range 256 {
		rows := dumpLog(t, oneRow(logtest.MySQL8040, []byte{1, 1}, nil, logtest.TLV(1, logtest.U8(0x40)), nil, []byte{byte(n), byte(n)}).Bytes())
		if got, _ := cellsOf(rows[2]); got != fmt.Sprintf("%d | %d", (n+128)%256-128, n) {
			t.Errorf("10 TINYINT %d: %s", n, got)
		}
	}
}
