package session_test

import (
	"binlens/decoder/internal/logtest"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
)

// documents are binary documents in hexadecimal, and what the server prints of them.
var documents = []struct{ name, hex, want string }{
	{"60 of no bytes", "", `null`},
	{"61 a literal beside a string", "00 0200 1600 1200 0100 1300 0100 04 0100 0c 1400 61 62 01 78", `{"a":true,"b":"x"}`},
	{"61 what stands inline in small containers", "02 0300 0d00 05 fbff 06 ffff 04 0200", `[-5,65535,false]`},
	{"61 what does not", "02 0200 1200 07 0a00 08 0e00 feffffff ffffffff", `[-2,4294967295]`},
	{"62 what stands inline in large ones", "03 04000000 1c000000 07 feffffff 08 ffffffff 04 00000000 05 fbff0000", `[-2,4294967295,null,-5]`},
	{"62 and in a large object", "01 01000000 14000000 13000000 0100 07 00000080 61", `{"a":-2147483648}`},
	{"62 64 bits never do", "03 01000000 15000000 09 0d000000 feffffffffffffff", `[-2]`},
	{"66 an empty key", "00 0100 0b00 0b00 0000 05 0000", `{"":0}`},
	{"66 an empty string", "0c 00", `""`},
	{"66 an empty string in an array", "02 0100 0800 0c 0700 00", `[""]`},
	{"67 a gap that an update in place left", "00 0100 0f00 0b00 0100 0c 0c00 61 01 78 78", `{"a":"x"}`},
	{"67 a gap between two values", "02 0200 1000 0c 0a00 0c 0e00 01 78 79 7a 01 62", `["x","b"]`},
	{"68 offsets of a nested object count from its own first byte", "00 0100 4200 0b00 0b00 00 1600 696e666f726d6174696f6e" +
		"0300 2c00 1900 0600 1f00 0600 2500 0700 04 0000 04 0000 04 0000 4e756d626572 537461747573 707572706f7365",
		`{"information":{"Number":null,"Status":null,"purpose":null}}`},
	{"68 arrays in an array", "02 0200 1b00 02 0a00 02 1200 0100 0800 0c 0700 00 0100 0900 0c 0700 01 7a", `[[""],["z"]]`},
	{"68 empty containers", "02 0200 1200 00 0a00 02 0e00 0000 0400 0000 0400", `[{},[]]`},
	{"69 null", "04 00", `null`}, {"69 true", "04 01", `true`}, {"69 false", "04 02", `false`},
	{"70 12.0", "0b 0000000000002840", `12.0`},
	{"70 -0.0", "0b 0000000000000080", `-0.0`},
	{"71 the largest unsigned", "0a ffffffffffffffff", `18446744073709551615`},
	{"71 the smallest signed", "09 0000000000000080", `-9223372036854775808`},
	{"71 the same bits as unsigned", "0a 0000000000000080", `9223372036854775808`},
}

// document is the log of one JSON column and one document.
func document(doc []byte) *logtest.Log {
	return rowsOf(logtest.MySQL8040, logtest.Table{Columns: []logtest.Column{logtest.Col(245, 4), logtest.Col(1)}},
		logtest.Image(logtest.Document(doc), logtest.U8(7)))
}

// checkDocument reads a document, and the TINYINT behind it.
func checkDocument(t *testing.T, name string, doc []byte, want string) {
	t.Helper()
	got, problems := cellsOf(dumpLog(t, document(doc).Bytes())[2])
	if got != want+" | 7" || problems != "" {
		t.Errorf("%s: %s %s\nwant %s", name, cut(got), problems, cut(want))
	}
}

func TestTrapDocuments(t *testing.T) {
	for _, d := range documents {
		checkDocument(t, d.name, logtest.Hex(d.hex), d.want)
	}
	for _, d := range []struct {
		f    float64
		want string
	}{{12, "12.0"}, {1e21, "1e21"}, {1.5, "1.5"}, {0.1, "0.1"}, {-1e300, "-1e300"}, {5e-324, "5e-324"}, {100, "100.0"}, {1e-7, "0.0000001"}, {1e14, "100000000000000.0"}, {1e15, "1e15"}} {
		checkDocument(t, "70 "+d.want, logtest.Cat(logtest.U8(11), logtest.U64(math.Float64bits(d.f))), d.want)
	}
}

// packedTime is the packed form of a time or a date and time: parts above 24 bits of microseconds.
func packedTime(parts, microse uint64, negative bool) []byte {
	n := int64(parts<<24 + microse)
	if negative {
		n = -n
	}
	return logtest.U64(uint64(n))
}

// opaque is an opaque value of a column type. Its length takes a byte for each 7 bits.
func opaque(columnType byte, data []byte) []byte {
	return logtest.Cat([]byte{15, columnType}, binary.AppendUvarint(nil, uint64(len(data))), data)
}

// Opaque values of each kind.
func TestTrapOpaque(t *testing.T) {
	day := uint64((2024*13+5)<<5 | 31)
	second := day<<17 | 14<<12 | 41<<6 | 47
	for _, c := range []struct {
		name string
		typ  byte
		data []byte
		want string
	}{
		{"64, 65 DECIMAL 1.99", 246, logtest.Hex("0302 8163"), `1.99`},
		{"65 DECIMAL(65,30)", 246, logtest.Cat(logtest.Hex("411e"), packDecimal(strings.Repeat("9", 35), strings.Repeat("1", 30), true)), `-` + strings.Repeat("9", 35) + "." + strings.Repeat("1", 30)},
		{"65 DATE", 10, packedTime(day<<17, 0, false), `"2024-05-31"`},
		{"65 DATETIME", 12, packedTime(second, 0, false), `"2024-05-31 14:41:47.000000"`},
		{"65 TIMESTAMP", 7, packedTime(second, 123456, false), `"2024-05-31 14:41:47.123456"`},
		{"65 TIME", 11, packedTime(1<<12|2<<6|3, 500000, true), `"-01:02:03.500000"`},
		{"65 TIME of 838 hours", 11, packedTime(838<<12|59<<6|59, 0, false), `"838:59:59.000000"`},
		{"65 BIT", 16, logtest.Hex("0201"), `"base64:type16:AgE="`},
		{"65 BLOB", 252, logtest.Hex("00ff"), `"base64:type252:AP8="`},
		{"65 VARBINARY", 15, logtest.Hex("61"), `"base64:type15:YQ=="`},
		{"65 BINARY", 254, logtest.Hex("616200"), `"base64:type254:YWIA"`},
		{"65 LONG BLOB, GEOMETRY, YEAR", 255, nil, `"base64:type255:"`},
	} {
		checkDocument(t, c.name, opaque(c.typ, c.data), c.want)
		// The same value in an array, where its place is an offset.
		in := opaque(c.typ, c.data)[1:]
		checkDocument(t, c.name+", in an array", logtest.Cat(logtest.Hex("02 0100"), logtest.U16(uint16(7+len(in))), logtest.Hex("0f 0700"), in), `[`+c.want+`]`)
	}
	for _, n := range []int{127, 128, 129, 300, 16383, 16384, 70000} { // lengths of 1, 2 and 3 bytes; base64 has lines of 76
		data := []byte(strings.Repeat("x", n))
		var lines []string
		for code := base64.StdEncoding.EncodeToString(data); len(code) > 0; code = code[min(76, len(code)):] {
			lines = append(lines, code[:min(76, len(code))])
		}
		checkDocument(t, fmt.Sprintf("64 BLOB of %d bytes", n), opaque(252, data), `"base64:type252:`+strings.Join(lines, `\n`)+`"`)
		checkDocument(t, fmt.Sprintf("64 string of %d bytes", n), logtest.Cat([]byte{12}, binary.AppendUvarint(nil, uint64(n)), data), `"`+string(data)+`"`)
	}
}

// Documents above 64 KiB have words of 4 bytes: entries of keys take 6, entries of values 5.
func TestTrapLargeDocuments(t *testing.T) {
	const n = 30001
	array := logtest.Cat([]byte{3}, logtest.U32(n), logtest.U32(8+7*n))
	for i := range uint32(n) {
		array = binary.LittleEndian.AppendUint32(append(array, 12), 8+5*n+2*i)
	}
	checkDocument(t, "63 30001 strings", append(array, strings.Repeat("\x01a", n)...), `["a"`+strings.Repeat(`,"a"`, n-1)+`]`)

	const members, header = 12000, 8 + 11*12000
	var keys, values, data []byte
	var want []string
	for i := range uint32(members) {
		key := fmt.Sprintf("k%05d", i)
		keys = append(keys, logtest.Cat(logtest.U32(header+6*i), logtest.U16(6))...)
		values = binary.LittleEndian.AppendUint32(append(values, 7), -i)
		data = append(data, key...)
		want = append(want, fmt.Sprintf(`"%s":%d`, key, -int64(i)))
	}
	checkDocument(t, "63 12000 members", logtest.Cat([]byte{1}, logtest.U32(members), logtest.U32(header+6*members), keys, values, data), `{`+strings.Join(want, ",")+`}`)

	// A small object inside of a large array, behind more than 64 KiB.
	long := strings.Repeat("x", 70000)
	inner := logtest.Hex("0100 0c00 0b00 0100 05 0500 61")
	large := logtest.Cat([]byte{3}, logtest.U32(2), logtest.U32(uint32(18+3+len(long)+len(inner))), []byte{12}, logtest.U32(18), []byte{0}, logtest.U32(uint32(18+3+len(long))),
		binary.AppendUvarint(nil, uint64(len(long))), []byte(long), inner)
	checkDocument(t, "63 a small container in a large one", large, `["`+long+`",{"a":5}]`)
}

// Arrays inside of each other, small and large.
func TestTrapNestedDocuments(t *testing.T) {
	small, large := logtest.Hex("0000 0400"), logtest.Hex("00000000 08000000")
	for depth := 2; depth <= 100; depth++ { // the most that there are
		small = logtest.Cat(logtest.U16(1), logtest.U16(uint16(7+len(small))), []byte{2}, logtest.U16(7), small)
		large = logtest.Cat(logtest.U32(1), logtest.U32(uint32(13+len(large))), []byte{3}, logtest.U32(13), large)
		want := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		checkDocument(t, "68 small", append([]byte{2}, small...), want)
		checkDocument(t, "68 large", append([]byte{3}, large...), want)
	}
}

// A JSON column of MariaDB is a LONGTEXT, and its text is text.
func TestTrapJSONOfMariaDB(t *testing.T) {
	cell := "fc / 04 / 02 01 2d / 07000000 7b2261223a317d"
	list := []trapRow{{name: "75 LONGTEXT that holds JSON", build: cell, want: `"{\"a\":1}"`}, {name: "75 of unknown collation", build: strings.Replace(cell, "02 01 2d", "", 1), want: `"{\"a\":1}"`}}
	checkTraps(t, logtest.MariaDB105, list)
	checkTraps(t, logtest.MySQL8040, list)
}
