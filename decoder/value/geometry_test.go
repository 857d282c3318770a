package value

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"testing"
)

// wkb makes a geometry out of words: "le" and "be" set and write the byte order, #n is a u32, everything
// else is a double.
func wkb(t testing.TB, s string) []byte {
	t.Helper()
	var order binary.AppendByteOrder = binary.LittleEndian
	var b []byte
	for _, word := range strings.Fields(s) {
		switch {
		case word == "le":
			order, b = binary.LittleEndian, append(b, 1)
		case word == "be":
			order, b = binary.BigEndian, append(b, 0)
		case word[0] == '#':
			b = order.AppendUint32(b, uint32(number(t, word[1:])))
		default:
			b = order.AppendUint64(b, math.Float64bits(number(t, word)))
		}
	}
	return b
}

func number(t testing.TB, s string) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

var geometries = []struct{ words, want string }{
	{"", ""},
	{"#0 le #1 1 2", "POINT(1 2)"},
	{"#4326 le #1 1 2", "SRID=4326;POINT(1 2)"},
	{"#4294967295 be #1 -1.5 2.25", "SRID=4294967295;POINT(-1.5 2.25)"},
	{"#0 le #1 1e300 -1e-300", "POINT(1e300 -1e-300)"},
	{"#0 le #1 0.1 100000000000000", "POINT(0.1 100000000000000)"},
	{"#0 le #1 NaN NaN", "POINT EMPTY"},
	{"#0 le #2 #3 0 0 1 1 2 4", "LINESTRING(0 0,1 1,2 4)"},
	{"#0 be #2 #2 0 0 1 1", "LINESTRING(0 0,1 1)"},
	{"#0 le #2 #0", "LINESTRING EMPTY"},
	{"#0 le #3 #2 #5 0 0 10 0 10 10 0 10 0 0 #4 1 1 2 1 2 2 1 1", "POLYGON((0 0,10 0,10 10,0 10,0 0),(1 1,2 1,2 2,1 1))"},
	{"#0 le #3 #0", "POLYGON EMPTY"},
	{"#0 le #3 #1 #0", "POLYGON(EMPTY)"},
	{"#0 le #4 #2 le #1 1 1 be #1 2 2", "MULTIPOINT((1 1),(2 2))"},
	{"#0 le #4 #0", "MULTIPOINT EMPTY"},
	{"#0 le #4 #2 le #1 1 1 le #1 NaN NaN", "MULTIPOINT((1 1),EMPTY)"},
	{"#0 le #5 #2 le #2 #2 0 0 1 1 le #2 #2 2 2 3 3", "MULTILINESTRING((0 0,1 1),(2 2,3 3))"},
	{"#0 be #6 #2 be #3 #1 #4 0 0 1 0 1 1 0 0 le #3 #1 #4 5 5 6 5 6 6 5 5", "MULTIPOLYGON(((0 0,1 0,1 1,0 0)),((5 5,6 5,6 6,5 5)))"},
	{"#0 le #7 #0", "GEOMETRYCOLLECTION EMPTY"},
	{"#0 le #7 #2 le #1 1 2 le #2 #2 0 0 1 1", "GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(0 0,1 1))"},
	{"#0 be #7 #3 le #7 #0 le #4 #1 le #1 1 2 be #7 #1 be #1 3 4", "GEOMETRYCOLLECTION(GEOMETRYCOLLECTION EMPTY,MULTIPOINT((1 2)),GEOMETRYCOLLECTION(POINT(3 4)))"},
	{"#0 " + strings.Repeat("le #7 #1 ", 100) + "le #7 #0", strings.Repeat("GEOMETRYCOLLECTION(", 100) + "GEOMETRYCOLLECTION EMPTY" + strings.Repeat(")", 100)},
}

func TestAppendWKT(t *testing.T) {
	for _, tt := range geometries {
		data := wkb(t, tt.words)
		got, err := AppendWKT([]byte("x"), data)
		if err != nil || string(got) != "x"+tt.want {
			t.Errorf("%s: %s, %v\nwant %s", tt.words, got, err, tt.want)
		}
		for n := 1; n < len(data); n++ { // no cut of it is a geometry
			if got, err := AppendWKT([]byte("x"), data[:n]); err == nil || string(got) != "x" || err.Offset > int64(n) {
				t.Errorf("%s cut to %d bytes: %s, %v", tt.words, n, got, err)
			}
		}
		if len(data) > 0 {
			if got, err := AppendWKT([]byte("x"), append(bytes.Clone(data), 0)); err == nil || err.Msg != "1 byte left over" || string(got) != "x" {
				t.Errorf("%s and a byte more: %s, %v", tt.words, got, err)
			}
		}
	}
	// The bytes of the format's description: length 25, POINT(1 2).
	data, _ := hex.DecodeString("000000000101000000000000000000f03f0000000000000040")
	if got, err := AppendWKT(nil, data); err != nil || string(got) != "POINT(1 2)" {
		t.Errorf("%s, %v", got, err)
	}
}

func TestWKTFaults(t *testing.T) {
	for _, tt := range []struct {
		words string
		tail  string
		want  string
	}{
		{"", "0000", "truncated at byte 0 in srid: 4 bytes needed, 2 left"},
		{"#0", "", "truncated at byte 4 in wkb: 1 byte needed, 0 left"},
		{"#0", "02 01000000", "corrupt at byte 4 in wkb: byte order 2; 0 and 1 are possible"},
		{"#0 le #0", "", "unsupported at byte 5 in wkb: geometry type 0; the servers have 1 to 7"},
		{"#0 le #1001 1 2 3", "", "unsupported at byte 5 in wkb: geometry type 1001; the servers have 1 to 7"},
		{"#0 be #8 #0", "", "unsupported at byte 5 in wkb: geometry type 8; the servers have 1 to 7"},
		{"#0 le #1 1", "", "truncated at byte 17 in wkb: 8 bytes needed, 0 left"},
		{"#0 le #1 1 Inf", "", "corrupt at byte 9 in wkb: a coordinate that is no finite number"},
		{"#0 le #2 #1 NaN NaN", "", "corrupt at byte 13 in wkb: a coordinate that is no finite number"},
		{"#0 le #2 #4294967295 1 2", "", "corrupt at byte 13 in wkb: 4294967295 items of at least 16 bytes do not fit into the 16 bytes left"},
		{"#0 le #3 #2 #0", "", "corrupt at byte 13 in wkb: 2 items of at least 4 bytes do not fit into the 4 bytes left"},
		{"#0 le #7 #4294967295", "", "corrupt at byte 13 in wkb: 4294967295 items of at least 9 bytes do not fit into the 0 bytes left"},
		{"#0 le #4 #1 le #2 #0", "", "corrupt at byte 14 in wkb: a LINESTRING inside of a MULTIPOINT"},
		{"#0 le #6 #1 le #6 #0", "", "corrupt at byte 14 in wkb: a MULTIPOLYGON inside of a MULTIPOLYGON"},
		{"#0 le #7 #1 le #4 #1 le #4 #0", "", "corrupt at byte 23 in wkb: a MULTIPOINT inside of a MULTIPOINT"},
		{"#0 " + strings.Repeat("le #7 #1 ", 101) + "le #7 #0", "", "unsupported at byte 913 in wkb: more than 100 geometries inside of each other"},
	} {
		tail, err := hex.DecodeString(strings.ReplaceAll(tt.tail, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		got, bad := AppendWKT([]byte("x"), append(wkb(t, tt.words), tail...))
		if bad == nil || bad.Error() != tt.want || string(got) != "x" {
			t.Errorf("%.60s: %s, %v\nwant %s", tt.words, got, bad, tt.want)
		}
	}
}

func TestWKTNoAllocations(t *testing.T) {
	data := wkb(t, "#4326 be #7 #3 le #7 #0 le #4 #1 le #1 1 2 be #6 #1 be #3 #1 #4 0 0 1 0 1 1 0 0")
	dst := make([]byte, 0, 512)
	if n := testing.AllocsPerRun(100, func() {
		if _, err := AppendWKT(dst, data); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzWKT reads any bytes as a geometry: a bounded text, or an error inside of them.
func FuzzWKT(f *testing.F) {
	for _, g := range geometries {
		f.Add(wkb(f, g.words))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := AppendWKT(nil, data)
		if err != nil {
			if len(got) != 0 || err.Offset < 0 || err.Offset > int64(len(data)) || err.Path == "" || err.Msg == "" {
				t.Fatalf("%q, %+v of %d bytes", got, err, len(data))
			}
			return
		}
		if len(got) > 5*len(data)+32 {
			t.Fatalf("%d bytes give %d", len(data), len(got))
		}
		if open, shut := bytes.Count(got, []byte("(")), bytes.Count(got, []byte(")")); open != shut || bytes.Contains(got, []byte("NaN")) {
			t.Fatalf("%s", got)
		}
	})
}

func BenchmarkAppendWKT(b *testing.B) {
	data := wkb(b, "#4326 le #2 #1000 "+strings.Repeat("13.404954 52.520008 ", 1000))
	dst := make([]byte, 0, 5*len(data))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := AppendWKT(dst, data); err != nil {
			b.Fatal(err)
		}
	}
}
