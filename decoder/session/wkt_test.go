package session_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// geometryTypes are the types of columns that hold geometries.
var geometryTypes = map[string]bool{"geometry": true, "point": true, "linestring": true, "polygon": true, "multipoint": true, "multilinestring": true, "multipolygon": true, "geometrycollection": true}

// wktOf spells a geometry out of the server's own hexadecimal form: SRID, then WKB. It is another reading of the same format
// than the decoder's: WKB nested by type, numbers as Go prints them.
func wktOf(stored string) string {
	b, err := hex.DecodeString(stored)
	if err != nil || len(b) < 9 {
		return fmt.Sprintf("%q %v", stored, err)
	}
	r := &wkb{b: b[4:]}
	text := r.geometry(true)
	if r.at != len(r.b) {
		return fmt.Sprintf("%s and %d bytes", text, len(r.b)-r.at)
	}
	if srid := binary.LittleEndian.Uint32(b); srid != 0 {
		return fmt.Sprintf("SRID=%d;%s", srid, text)
	}
	return text
}

type wkb struct {
	b  []byte
	at int
}

func (r *wkb) next(n int) []byte { r.at += n; return r.b[r.at-n : r.at] }

func (r *wkb) count() int { return int(binary.LittleEndian.Uint32(r.next(4))) }

func (r *wkb) point() string {
	x, y := math.Float64frombits(binary.LittleEndian.Uint64(r.next(8))), math.Float64frombits(binary.LittleEndian.Uint64(r.next(8)))
	return fmt.Sprint(x) + " " + fmt.Sprint(y)
}

func (r *wkb) list(item func() string) string {
	var parts []string
	for range r.count() {
		parts = append(parts, item())
	}
	return "(" + strings.Join(parts, ",") + ")"
}

// geometry reads one; the members of a collection of one kind are written without its name.
func (r *wkb) geometry(named bool) string {
	r.next(1) // byte order: little-endian
	kind := r.count()
	name := [...]string{"", "POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON", "GEOMETRYCOLLECTION"}[kind]
	if !named {
		name = ""
	}
	switch kind {
	case 1:
		return name + "(" + r.point() + ")"
	case 2:
		return name + r.list(r.point)
	case 3:
		return name + r.list(func() string { return r.list(r.point) })
	}
	return name + r.list(func() string { return r.geometry(kind == 7) })
}

var numberText = regexp.MustCompile(`-?\d+(\.\d+)?(e[-+]?\d+)?`)

// numbersInGo writes the numbers of a text as Go prints them.
func numbersInGo(s string) string {
	return numberText.ReplaceAllStringFunc(s, func(n string) string {
		f, err := strconv.ParseFloat(n, 64)
		return fmt.Sprint(f) + when(err != nil, "?")
	})
}

func TestWktOf(t *testing.T) {
	for stored, want := range map[string]string{
		"000000000101000000000000000000F03F0000000000000040": "POINT(1 2)",
		"E61000000101000000000000000000E0BF9C7500883CE4377E": "SRID=4326;POINT(-0.5 1e+300)",
	} {
		if got := wktOf(stored); got != want {
			t.Errorf("%s is %s, want %s", stored, got, want)
		}
	}
}
