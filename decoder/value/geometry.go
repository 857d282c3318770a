package value

import (
	"math"
	"strconv"

	"binlens/decoder/wire"
)

// The types of geometries in WKB.
const (
	wkbPoint = iota + 1
	wkbLineString
	wkbPolygon
	wkbMultiPoint
	wkbMultiLineString
	wkbMultiPolygon
	wkbCollection
)

var wkbNames = [...]string{
	wkbPoint: "POINT", wkbLineString: "LINESTRING", wkbPolygon: "POLYGON", wkbMultiPoint: "MULTIPOINT",
	wkbMultiLineString: "MULTILINESTRING", wkbMultiPolygon: "MULTIPOLYGON", wkbCollection: "GEOMETRYCOLLECTION",
}

// Bytes of the parts of WKB.
const (
	wkbHeaderLen = 1 + 4 // byte order, type
	wkbPointLen  = 2 * 8
	wkbCountLen  = 4
	maxWKBDepth  = 100 // collections inside of each other that are read here; servers have no such limit
)

// AppendWKT appends a geometry as text, in the form that MySQL's ST_AsText gives, and before it the number of its spatial
// reference system when that is not 0:
//
//	POINT(1 2)
//	SRID=4326;LINESTRING(0 0,1.5 2)
//	POLYGON((0 0,10 0,10 10,0 0),(1 1,2 1,2 2,1 1))
//	MULTIPOINT((1 1),(2 2))
//	GEOMETRYCOLLECTION(POINT(1 2),GEOMETRYCOLLECTION EMPTY)
//
// Coordinates keep the order they are stored in and have the shortest digits that read back. data is what [Bytes] gives of
// a KindGeometry:
//
//	u32 srid
//	WKB of one geometry:
//	u8  byte_order   0 big-endian, 1 little-endian, for what follows
//	u32 type         1 to 7
//	    POINT              f64 x, f64 y; both NaN for an empty one
//	    LINESTRING         u32 count and that many x, y
//	    POLYGON            u32 count and that many rings, each like a LINESTRING
//	    MULTI…, COLLECTION u32 count and the WKB of that many geometries
//
// A value of no bytes, which old tables may have, gives no text. The text has at most 5 bytes for each byte of data and 32
// more. On an error dst is returned as it was; Offset counts from the first byte of data.
func AppendWKT(dst, data []byte) ([]byte, *wire.Error) {
	if len(data) == 0 {
		return dst, nil
	}
	start := len(dst)
	w := wktWriter{c: wire.NewCursor(data, 0, nil)}
	if srid := w.c.Uint32(); srid != 0 {
		dst = strconv.AppendUint(append(dst, "SRID="...), uint64(srid), 10)
		dst = append(dst, ';')
	}
	w.c.Field("srid")
	dst = w.geometry(dst, 0, 0)
	w.c.ExpectEnd()
	if w.c.Field("wkb"); !w.c.OK() {
		return dst[:start], w.c.Fault()
	}
	return dst, nil
}

// wktWriter makes text of what it reads. Every count is checked against the bytes that are left before it is used, and
// every byte is read once, so the work is proportional to the bytes.
type wktWriter struct {
	c   wire.Cursor
	big bool // the geometry being read is big-endian
}

func (w *wktWriter) uint32() uint32 {
	if w.big {
		return uint32(w.c.UintBE(4))
	}
	return w.c.Uint32()
}

func (w *wktWriter) float64() float64 {
	if w.big {
		return math.Float64frombits(w.c.UintBE(8))
	}
	return math.Float64frombits(w.c.Uint64())
}

// count reads the number of parts, each of at least that many bytes.
func (w *wktWriter) count(minBytesEach int) int { return w.c.Count(uint64(w.uint32()), minBytesEach) }

// geometry appends the next geometry. Inside of a MULTI… it must be a part of it, whose name is left out.
func (w *wktWriter) geometry(dst []byte, depth int, multi uint32) []byte {
	at := w.c.Pos()
	order := w.c.Uint8()
	w.big = order == 0
	typ := w.uint32()
	switch {
	case !w.c.OK():
		return dst
	case order > 1:
		w.c.FailAt(at, wire.Corrupt, "byte order "+strconv.Itoa(int(order))+"; 0 and 1 are possible")
		return dst
	case typ == 0 || typ > wkbCollection:
		w.c.FailAt(at+1, wire.Unsupported, "geometry type "+strconv.FormatUint(uint64(typ), 10)+"; the servers have 1 to 7")
		return dst
	case multi != 0 && typ != multi-wkbMultiPoint+wkbPoint:
		w.c.FailAt(at+1, wire.Corrupt, "a "+wkbNames[typ]+" inside of a "+wkbNames[multi])
		return dst
	case depth > maxWKBDepth:
		w.c.FailAt(at, wire.Unsupported, "more than "+strconv.Itoa(maxWKBDepth)+" geometries inside of each other")
		return dst
	}
	if multi == 0 {
		dst = append(dst, wkbNames[typ]...)
	}
	switch typ {
	case wkbPoint:
		return w.point(dst, multi != 0)
	case wkbLineString:
		return w.line(dst, multi != 0)
	case wkbPolygon:
		return w.list(dst, w.count(wkbCountLen), multi != 0, func(dst []byte) []byte { return w.line(dst, true) })
	case wkbCollection:
		multi = 0
	default:
		multi = typ
	}
	return w.list(dst, w.count(wkbHeaderLen+wkbCountLen), false, func(dst []byte) []byte { return w.geometry(dst, depth+1, multi) })
}

// list appends n parts in parentheses, or EMPTY; nested says that no name stands before it.
func (w *wktWriter) list(dst []byte, n int, nested bool, part func([]byte) []byte) []byte {
	if n == 0 {
		return appendEmpty(dst, nested)
	}
	for i := 0; i < n && w.c.OK(); i++ {
		dst = part(append(dst, "(,"[min(i, 1)]))
	}
	return append(dst, ')')
}

func (w *wktWriter) line(dst []byte, nested bool) []byte {
	return w.list(dst, w.count(wkbPointLen), nested, func(dst []byte) []byte {
		x, y := w.xy()
		return w.coordinates(dst, x, y)
	})
}

func (w *wktWriter) point(dst []byte, nested bool) []byte {
	x, y := w.xy()
	if math.IsNaN(x) && math.IsNaN(y) {
		return appendEmpty(dst, nested)
	}
	return append(w.coordinates(append(dst, '('), x, y), ')')
}

func (w *wktWriter) xy() (x, y float64) { return w.float64(), w.float64() }

func (w *wktWriter) coordinates(dst []byte, x, y float64) []byte {
	if x-x != 0 || y-y != 0 {
		w.c.FailAt(w.c.Pos()-wkbPointLen, wire.Corrupt, "a coordinate that is no finite number")
		return dst
	}
	dst = append(appendFloat(dst, x, 64), ' ')
	return appendFloat(dst, y, 64)
}

func appendEmpty(dst []byte, nested bool) []byte {
	if !nested {
		dst = append(dst, ' ')
	}
	return append(dst, "EMPTY"...)
}
