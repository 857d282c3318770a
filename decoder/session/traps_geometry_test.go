package session_test

import (
	"binlens/decoder/internal/logtest"
	"encoding/binary"
	"encoding/hex"
	"math"
	"testing"
)

// shape is WKB in one byte order: the order's byte, the type, and counts (int), coordinates (float64) and parts ([]byte).
func shape(order binary.AppendByteOrder, typ uint32, parts ...any) []byte {
	b := []byte{1}
	if order == binary.BigEndian {
		b[0] = 0
	}
	b = order.AppendUint32(b, typ)
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			b = order.AppendUint32(b, uint32(p))
		case float64:
			b = order.AppendUint64(b, math.Float64bits(p))
		case []byte:
			b = append(b, p...)
		}
	}
	return b
}

// A geometry is its SRID and WKB behind a length of 4 bytes.
func TestTrapGeometries(t *testing.T) {
	checkTraps(t, logtest.MySQL8040, []trapRow{
		{name: "76 SRID in front of POINT(1 2)", build: "ff 01 / 04 / / 19000000 e6100000 01 01000000 000000000000f03f 0000000000000040 07", want: `"SRID=4326;POINT(1 2)" | 7`},
		{name: "76 SRID 0 is not told", build: "ff / 04 / / 19000000 00000000 01 01000000 000000000000f03f 0000000000000040", want: `"POINT(1 2)"`},
		{name: "76 the order of bytes", build: "ff / 04 / / 19000000 00000000 00 00000001 3ff0000000000000 4000000000000000", want: `"POINT(1 2)"`},
		{name: "77 GEOMETRYCOLLECTION EMPTY", build: "ff / 04 / / 0d000000 00000000 01 07000000 00000000", want: `"GEOMETRYCOLLECTION EMPTY"`},
		{name: "77 of no bytes", build: "ff / 04 / / 00000000", want: `""`},
		{name: "77 NULL", build: "ff 01 / 04 / / 07", nulls: "01", want: `null | 7`},
		{name: "78 the subtype does not change the bytes, nor the axes", build: "ff ff / 0404 / 07 02 0100 / 19000000 e6100000 01 01000000 0000000000002440 0000000000004940" +
			"19000000 e6100000 01 01000000 0000000000004940 0000000000002440", want: `"SRID=4326;POINT(10 50)" | "SRID=4326;POINT(50 10)"`},
		{name: "79 VECTOR", build: "f2 01 / 04 / 0d 01 03 / 0c000000 6666863f 66668ec1 00000042 07", want: `[1.05,-17.8,32] | 7`},
		{name: "79 VECTOR of unknown dimension, of none, and NULL", build: "f2 f2 f2 / 040404 / / 04000000 cdcccc3d 00000000", nulls: "04", want: `[0.1] | [] | null`},
		{name: "79 VECTOR of 7 bytes", build: "f2 / 04 / / 07000000 6666863f 66668e", want: `{"hex":"6666863f66668e"}`, problem: "corrupt: @1: a vector of 7 bytes"},
	})
	checkTraps(t, logtest.MariaDB105, []trapRow{
		{name: "80 VECTOR of MariaDB is a VARBINARY", build: "0f / 0c00 / 02 01 3f / 0c 6666863f 66668ec1 00000042", want: `{"hex":"6666863f66668ec100000042"}`},
	})
}

// Each kind of geometry, in both byte orders and mixed, as the only value and as one among others.
func TestTrapGeometryKinds(t *testing.T) {
	le, be := binary.AppendByteOrder(binary.LittleEndian), binary.AppendByteOrder(binary.BigEndian)
	for _, orders := range [][2]binary.AppendByteOrder{{le, le}, {be, be}, {le, be}, {be, le}} {
		out, in := orders[0], orders[1]
		point, line := shape(in, 1, 1.5, -2.0), shape(in, 2, 2, 0.0, 0.0, 1.0, 1.0)
		polygon := shape(in, 3, 2, 4, 0.0, 0.0, 9.0, 0.0, 9.0, 9.0, 0.0, 0.0, 4, 1.0, 1.0, 2.0, 1.0, 2.0, 2.0, 1.0, 1.0)
		for _, c := range []struct {
			wkb  []byte
			want string
		}{
			{shape(out, 1, 1e300, -0.5), "POINT(1e300 -0.5)"},
			{shape(out, 2, 3, 0.0, 0.0, 1.0, 1.0, 2.0, 4.0), "LINESTRING(0 0,1 1,2 4)"},
			{polygon, "POLYGON((0 0,9 0,9 9,0 0),(1 1,2 1,2 2,1 1))"},
			{shape(out, 4, 2, point, point), "MULTIPOINT((1.5 -2),(1.5 -2))"},
			{shape(out, 5, 2, line, line), "MULTILINESTRING((0 0,1 1),(0 0,1 1))"},
			{shape(out, 6, 1, polygon), "MULTIPOLYGON(((0 0,9 0,9 9,0 0),(1 1,2 1,2 2,1 1)))"},
			{shape(out, 7, 3, point, shape(in, 7, 0), line), "GEOMETRYCOLLECTION(POINT(1.5 -2),GEOMETRYCOLLECTION EMPTY,LINESTRING(0 0,1 1))"},
			{shape(out, 7, 1, shape(in, 7, 1, point)), "GEOMETRYCOLLECTION(GEOMETRYCOLLECTION(POINT(1.5 -2)))"},
		} {
			for srid, prefix := range map[uint32]string{0: "", 3857: "SRID=3857;"} {
				cell := logtest.Document(logtest.Cat(logtest.U32(srid), c.wkb))
				types, meta := []byte{255, 1}, []byte{4}
				checkCells(t, "76, 77, 78", types, meta, logtest.Cat(cell, logtest.U8(7)), []string{quote(prefix + c.want), "7"})
			}
		}
	}
}

// A geometry that ends too soon, or has more bytes than it needs, is shown as bytes; the cells behind it are read.
func TestTrapGeometryDamaged(t *testing.T) {
	whole := logtest.Cat(logtest.U32(0), shape(binary.LittleEndian, 2, 2, 0.0, 0.0, 1.0, 1.0))
	for n := 1; n <= len(whole)+1; n++ {
		if n == len(whole) {
			continue
		}
		b := append(whole[:len(whole):len(whole)], 0)[:n]
		l := rowsOf(logtest.MySQL8040, logtest.Table{Columns: []logtest.Column{logtest.Col(255, 4), logtest.Col(1)}}, logtest.Image(logtest.Document(b), logtest.U8(7)))
		got, problems := cellsOf(dumpLog(t, l.Bytes())[2])
		if got != `{"hex":"`+hex.EncodeToString(b)+`"} | 7` || problems == "" {
			t.Errorf("76, 77: %d bytes of a geometry: %s %s", n, got, problems)
		}
	}
}
