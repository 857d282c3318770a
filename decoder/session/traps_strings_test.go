package session_test

import (
	"binlens/decoder/internal/logtest"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// Texts and bytes: how long they may be says how long their length is, and the collation what they are.
func TestTrapStrings(t *testing.T) {
	uuid := "550e8400 e29b 41d4 a716 446655440000"
	checkTraps(t, logtest.MySQL8040, []trapRow{
		{name: "36 CHAR of 63, 64, 128, 192 and 255 characters of utf8mb4", build: "fe fe fe fe fe / fefc ee00 de00 ce00 cefc / 02 03 fcff00 / 03313233 0300313233 0300313233 0300313233 0300313233",
			want: `"123" | "123" | "123" | "123" | "123"`},
		{name: "37 the length of CHAR(2) utf8mb4 is 8 bytes", build: "fe / fe08 / 02 01 2d / 08 f09f9880 f09f9881", want: `"😀😁"`},
		{name: "38 CHAR(75) utf8mb4 of 300 bytes", build: "fe 01 / ee2c / 02 01 2d / 0300 616263 07", want: `"abc" | 7`},
		{name: "39 VARCHAR of 256 and 255 bytes", build: "0f 0f / 0001 ff00 / 02 01 2d / 010061 0161", want: `"a" | "a"`},
		{name: "40 BINARY(5) is padded back", build: "fe / fe05 / 02 01 3f / 0161", want: `{"hex":"6100000000"}`},
		{name: "40 BINARY(4) of bytes that end in none", build: "fe fe / fe04 fe04 / 03 02 3f3f / 04 61626364 00", want: `{"hex":"61626364"} | {"hex":"00000000"}`},
		{name: "40 CHAR(5) is not", build: "fe / fe05 / 02 01 2d / 0161", want: `"a"`},
		{name: "40 nor VARBINARY(5)", build: "0f / 0500 / 02 01 3f / 0161", want: `{"hex":"61"}`},
		{name: "40 nor what may be either", build: "fe / fe05 / / 0161", want: `"a"`},
		{name: "41 a collation that ends in _bin is no BINARY", build: "fe fe fe fe fe / fe05 fe05 fe05 fe05 fe05 / 03 07 2e 2f 53 41 fc3501 / 0161 0161 0161 0161 0161",
			want: `"a" | "a" | "a" | "a" | "a"`},
		{name: "41 BINARY among them, by the default and an exception", build: "fe fe / fe05 fe05 / 02 03 2e 01 3f / 0161 0161", want: `"a" | {"hex":"6100000000"}`},
		{name: "45 TEXT that looks like JSON, BLOB that looks like text", build: "fc fc fc / 02 02 02 / 03 03 2d 3f 2d / 0500 66616c7365 0500 66616c7365 0400 6e756c6c",
			want: `"false" | {"hex":"66616c7365"} | "null"`},
		{name: "46 UUID and INET6 are 16 bytes", build: "fe / fe10 / 02 01 3f / 10" + uuid, want: `{"hex":"` + strings.ReplaceAll(uuid, " ", "") + `"}`},
		{name: "46 INET4 is 4", build: "fe / fe04 / 02 01 3f / 04 7f000001", want: `{"hex":"7f000001"}`},
		{name: "47 BLOBs of every size", build: "fc fc fc fc 01 / 01 02 03 04 / 02 01 3f / 0161 010062 01000063 0100000064 07",
			want: `{"hex":"61"} | {"hex":"62"} | {"hex":"63"} | {"hex":"64"} | 7`},
		{name: "48 names go by the order of the columns", build: "01 01 01 / / 04 06 0163 0161 0162 / 01 02 03", want: `1 | 2 | 3`},
	})
}

// The name of a type says that BINARY and CHAR cannot be told apart, where that is so.
func TestTrapEitherBinaryOrChar(t *testing.T) {
	for _, c := range []struct{ name, optional, want string }{
		{"40 without a collation", "", "char/binary(5 bytes)"}, {"40 binary", "02 01 3f", "binary(5)"}, {"40 utf8mb4", "02 01 2d", "char(1)"}, {"41 latin1_bin", "02 01 2f", "char(5)"},
	} {
		s := open(t, oneRow(logtest.MySQL8040, []byte{254}, logtest.Hex("fe05"), logtest.Hex(c.optional), nil, logtest.Hex("0161")).Bytes(), noOptions)
		b, err := s.Detail(2, false)
		if err != nil {
			t.Fatal(err)
		}
		d, err := parse(b)
		if err != nil {
			t.Fatal(err)
		}
		if got := text(get(d, "rows", "columns", 0, "type")); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Every declared length of CHAR and some of VARCHAR, with a value of one byte: above 255 its length takes two bytes.
func TestTrapLengths(t *testing.T) {
	var types, meta, values []byte
	var want []string
	add := func(typ byte, m []byte, declared int) {
		types, meta = append(types, typ), append(meta, m...)
		prefix := 1
		if declared > 255 {
			prefix = 2
		}
		values = append(values, logtest.UN(1, prefix)...)
		values = append(values, 'a'+byte(declared%26))
		want = append(want, fmt.Sprintf(`"%c"`, 'a'+byte(declared%26)))
	}
	for declared := 1; declared < 1024; declared++ {
		add(254, []byte{0xfe ^ byte(declared>>4&0x30), byte(declared)}, declared)
	}
	for _, declared := range []int{1, 254, 255, 256, 257, 511, 512, 1024, 4095, 32767, 32768, 65535} {
		add(15, logtest.U16(uint16(declared)), declared)
	}
	checkCells(t, "36, 37, 38, 39", types, meta, values, want)
}

// characters are the same text, or what a character set has of it, as the servers store it.
var characters = []struct {
	collation uint64
	hex, text string
}{
	{8, "9192", "‘’"}, {47, "80e9", "€é"}, {8, "818d", "\u0081\u008d"}, // MySQL's latin1 is cp1252 with the five gaps filled
	{28, "b2e2cad4", "测试"}, {54, "004100e9", "Aé"}, {54, "d83dde00", "😀"}, {35, "004100e9", "Aé"}, {60, "00000041 0001f600", "A😀"}, {56, "4100e900", "Aé"},
	{33, "c3a9", "é"}, {45, "f09f9880", "😀"}, {255, "f09f9880", "😀"}, {309, "e6b58b", "测"}, {83, "e6b58b", "测"}, {11, "41", "A"},
	{9, "b1e6", "ąć"}, {26, "8a9a", "Šš"}, {51, "cff0e8", "При"}, {7, "f0d2c9", "При"}, {36, "8fe0a8", "При"}, {25, "c1e1", "Αα"}, {16, "f9ec", "של"}, {18, "a1a2", "กข"},
	{30, "fdf0", "ığ"}, {41, "c0e0", "Ąą"}, {57, "c7ed", "\u0627\u064a"}, {40, "8186", "üć"},
	{1, "b4fab8d5", "測試"}, {24, "b2e2cad4", "测试"}, {248, "b2e2cad4", "测试"}, {12, "c6fccbdc", "日本"}, {13, "93fa967b", "日本"}, {95, "93fa967b", "日本"}, {97, "c6fccbdc", "日本"}, {19, "c7d1b1db", "한글"},
}

// A text is decoded by its collation, whatever it is; as a default of all columns and as that of one.
func TestTrapCharacterSets(t *testing.T) {
	for _, c := range characters {
		cell := logtest.Hex(c.hex)
		for _, code := range []byte{2, 3} {
			rows := dumpLog(t, oneRow(logtest.MySQL8040, []byte{15}, logtest.U16(100), logtest.TLV(code, logtest.Lenenc(c.collation)), nil, logtest.Cat(logtest.U8(uint8(len(cell))), cell)).Bytes())
			if got, problems := cellsOf(rows[2]); got != quote(c.text) || problems != "" {
				t.Errorf("42 collation %d, %s: %s %s, want %s", c.collation, c.hex, got, problems, quote(c.text))
			}
		}
	}
}

// Bytes that are none of their character set stay bytes, and are a problem: nothing is replaced.
func TestTrapUndecodable(t *testing.T) {
	for _, c := range []struct {
		collation uint64
		hex       string
	}{{45, "6196"}, {33, "ff"}, {33, "f09f9880"}, {11, "80"}, {28, "b2ff"}, {54, "0041d8"}, {54, "d83d0041"}, {60, "00110000"}, {12, "c6"}, {45, "eda080"}, {45, "c080"}, {28, "ff"}} {
		cell := logtest.Hex(c.hex)
		rows := dumpLog(t, oneRow(logtest.MySQL8040, []byte{15}, logtest.U16(100), logtest.TLV(2, logtest.Lenenc(c.collation)), nil, logtest.Cat(logtest.U8(uint8(len(cell))), cell)).Bytes())
		got, problems := cellsOf(rows[2])
		if got != `{"hex":"`+hex.EncodeToString(cell)+`"}` || !strings.HasPrefix(problems, "corrupt: @1: byte ") || strings.ContainsRune(plain(rows[2]), '\ufffd') {
			t.Errorf("42 collation %d, %s: %s %s", c.collation, c.hex, got, problems)
		}
	}
	// Of a text whose collation is not known nothing is claimed: UTF-8 is shown as that, all else as bytes.
	rows := dumpLog(t, oneRow(logtest.MySQL8040, []byte{15, 15}, logtest.Hex("6400 6400"), nil, nil, logtest.Hex("02 c3a9 02 9192")).Bytes())
	if got, problems := cellsOf(rows[2]); got != `"é" | {"hex":"9192"}` || problems != "" {
		t.Errorf("42 without a collation: %s %s", got, problems)
	}
}

// The text of a statement is in its client's character set, which a status variable names.
func TestTrapQueryCharacters(t *testing.T) {
	for _, c := range []struct {
		name, status, text, want, problem string
	}{
		{"44 latin1", "04 0800 0800 0800", "279627", `"'–'"`, ""},
		{"43 gbk", "04 1c00 1c00 0800", "27 b2e2cad4 27", `"'测试'"`, ""},
		{"44 utf8mb4 behind other variables", "00 00000000 01 0000000000000000 06 03 737464 04 2d00 2d00 ff00", "27 e28093 27", `"'–'"`, ""},
		{"44 no variable, and no UTF-8", "", "279627", `{"hex":"279627"}`, ""},
		{"44 utf8mb4 that is none", "04 2d00 2d00 ff00", "279627", `{"hex":"279627"}`, "corrupt: byte 1 is no character of utf8mb4"},
	} {
		l := logtest.New(logtest.MySQL8040, logtest.CRC32)
		l.Event(logtest.TypeQuery, l.Query(logtest.Query{DB: "d", Status: logtest.Hex(c.status), SQL: string(logtest.Hex(c.text))}))
		row := dumpLog(t, l.Bytes())[1]
		_, problems := cellsOf(row)
		if got := plain(get(row.m["data"], "query")); got != c.want || !strings.HasPrefix(problems, c.problem) || c.problem == "" && problems != "" {
			t.Errorf("%s: %s %s, want %s", c.name, got, problems, c.want)
		}
	}
}
