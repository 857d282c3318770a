package session_test

import (
	"binlens/decoder/internal/logtest"
	"fmt"
	"strings"
	"testing"
)

// ENUM and SET are little-endian, BIT is big-endian.
func TestTrapEnumSetBit(t *testing.T) {
	checkTraps(t, logtest.MySQL8040, []trapRow{
		{name: "49 ENUM of two bytes", build: "fe fe / f702 f702 / / 0201 2c01", want: `258 | 300`},
		{name: "49 SET of two bytes", build: "fe / f802 / / 0280", want: `32770`},
		{name: "50 the invalid member is neither NULL nor the first", build: "fe fe fe / f702 f701 f701 / / 0000 00 01", want: `"" | "" | 1`},
		{name: "50 with labels", build: "fe fe fe / f701 f701 f701 / 06 09 01 0161 01 0162 01 0163 / 00 01", nulls: "04", want: `"" | "b" | null`},
		{name: "51 SET(64), members 1 and 64", build: "fe / f808 / / 0100000000000080", want: `"9223372036854775809"`},
		{name: "52 SET and ENUM share their bytes with nobody", build: "fe 01 fe 01 / f803 f701 / / 010080 07 02 08", want: `8388609 | 7 | 2 | 8`},
		{name: "53 labels with a comma and a quote", build: "fe fe / f701 f801 / 05 06 02 0178 02797a 06 0b 03 0161 03622c63 03642765 / 02 03", want: `"b,c" | "x,yz"`},
		{name: "54 BIT(64) of all ones", build: "10 / 0008 / / ffffffffffffffff", want: `"b'` + strings.Repeat("1", 64) + `'"`},
		{name: "54 the highest bit alone", build: "10 / 0008 / / 8000000000000000", want: `"b'1` + strings.Repeat("0", 63) + `'"`},
		{name: "55 BIT(10) 513", build: "10 / 0201 / / 0201", want: `"b'1000000001'"`},
		{name: "55 BIT(16) 258", build: "10 / 0002 / / 0102", want: `"b'0000000100000010'"`},
		{name: "56 BIT(1), BIT(7), BIT(8), BIT(9) behind each other", build: "10 10 10 10 01 / 0100 0700 0001 0101 / / 01 41 81 0101 05",
			want: `"b'1'" | "b'1000001'" | "b'10000001'" | "b'100000001'" | 5`},
		{name: "57 a BIT is a literal of bits", build: "10 / 0300 / / 05", want: `"b'101'"`},
		{name: "59 the label, where it is known", build: "fe fe / f701 f801 / 05 05 02 0173 0174 06 07 02 036f6e65 0174 / 01 02", want: `"one" | "t"`},
		{name: "59 the index, where it is not", build: "fe fe / f701 f801 / / 01 02", want: `1 | 2`},
		{name: "59 a member that there is not", build: "fe / f701 / 06 03 01 0161 / 02", want: `2`, problem: "corrupt: @1: the table map has no such member"},
	})
}

// A BIT of every width, with its highest and lowest bit set and the others alternating.
func TestTrapBits(t *testing.T) {
	var types, meta, values []byte
	var want []string
	for width := 1; width <= 64; width++ {
		n := uint64(1)<<(width-1) | 1 | 0x5555555555555555&(1<<(width-1)-1)
		types, meta = append(types, 16), append(meta, byte(width%8), byte(width/8))
		values = append(values, bigEndian(n, (width+7)/8)...)
		want = append(want, fmt.Sprintf(`"b'%0*b'"`, width, n))
	}
	checkCells(t, "54, 55, 56, 57", types, meta, values, want)
}

// A SET of every number of members up to 64, its first and its last set: by number, and by labels.
func TestTrapSets(t *testing.T) {
	var types, meta, values, labels []byte
	var numbers, names []string
	for members := 1; members <= 64; members++ {
		width := (members + 7) / 8
		if width == 5 || width == 6 || width == 7 {
			width = 8 // what the server makes of more than 32 members
		}
		mask := uint64(1)<<(members-1) | 1
		types, meta, values = append(types, 254), append(meta, 0xf8, byte(width)), append(values, logtest.UN(mask, width)...)
		var list []string
		for i := range members {
			list = append(list, fmt.Sprintf("m%d", i+1))
		}
		labels = append(labels, logtest.Labels(list...)...)
		number := fmt.Sprint(mask)
		if mask > 1<<53-1 {
			number = `"` + number + `"`
		}
		name := "m1"
		if members > 1 {
			name += "," + list[members-1]
		}
		numbers, names = append(numbers, number), append(names, `"`+name+`"`)
	}
	checkCells(t, "49, 51", types, meta, values, numbers)
	got, problems := cellsOf(dumpLog(t, oneRow(logtest.MySQL8040, types, meta, logtest.TLV(5, labels), nil, values).Bytes())[2])
	if got != strings.Join(names, " | ") || problems != "" {
		t.Errorf("51, 53, with labels: %s %s\nwant %s", got, problems, strings.Join(names, " | "))
	}
}

// Every index of an ENUM around the change from one byte to two.
func TestTrapEnums(t *testing.T) {
	var types, meta, values []byte
	var want []string
	add := func(width int, index uint64, text string) {
		types, meta, values, want = append(types, 254), append(meta, 0xf7, byte(width)), append(values, logtest.UN(index, width)...), append(want, text)
	}
	for index := range uint64(256) {
		text := fmt.Sprint(index)
		if index == 0 {
			text = `""`
		}
		add(1, index, text)
		add(2, index, text)
	}
	for _, index := range []uint64{256, 257, 258, 511, 512, 4660, 32767, 32768, 65535} {
		add(2, index, fmt.Sprint(index))
	}
	checkCells(t, "49, 50", types, meta, values, want)
}
