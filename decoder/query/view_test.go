package query

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// A view answers as a sorted slice does, also between two rows that are added.
func TestView(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, every := range []int64{1, 2, 7, 500, 70_000, 1_000_000} {
		var v View
		var want []int64
		for at := r.Int64N(every); at < 400_000*min(every, 20); at += 1 + r.Int64N(2*every-1) {
			v.add(at)
			if want = append(want, at); len(want)%997 == 1 {
				checkView(t, &v, want, at)
			}
		}
		if v.Count(1<<40) != int64(len(want)) {
			t.Fatalf("every %d: %d rows, want %d", every, v.Count(0), len(want))
		}
		for k, o := range want {
			if v.Select(int64(k)) != o || v.Rank(o) != int64(k) || v.Rank(o+1) != int64(k+1) || !v.Has(o) {
				t.Fatalf("every %d: row %d is %d, of rank %d; want %d", every, k, v.Select(int64(k)), v.Rank(o), o)
			}
		}
		for range 2000 {
			checkView(t, &v, want, r.Int64N(want[len(want)-1]+200_000)-10)
		}
	}
}

func checkView(t *testing.T, v *View, want []int64, at int64) {
	t.Helper()
	k, found := slices.BinarySearch(want, at)
	if v.Has(at) != found || v.Rank(at) != int64(k) {
		t.Fatalf("row %d: in the view %v, of rank %d; want %v, %d", at, v.Has(at), v.Rank(at), found, k)
	}
	if v.Select(int64(len(want)-1)) != want[len(want)-1] {
		t.Fatalf("the last of %d rows is %d, want %d", len(want), v.Select(int64(len(want)-1)), want[len(want)-1])
	}
}

// A full slab, its edges, and slabs that stay empty.
func TestViewEdges(t *testing.T) {
	var v View
	for i := range int64(slabRows) {
		v.add(i)
	}
	v.add(5 * slabRows)
	for _, c := range [][2]int64{{0, 0}, {511, 511}, {512, 512}, {slabRows - 1, slabRows - 1}, {slabRows, 5 * slabRows}} {
		if v.Select(c[0]) != c[1] || v.Rank(c[1]) != c[0] {
			t.Errorf("row %d is %d, of rank %d; want %d", c[0], v.Select(c[0]), v.Rank(c[1]), c[1])
		}
	}
	if v.Rank(2*slabRows+5) != slabRows || v.Has(slabRows) || v.Has(-1) || v.Has(9*slabRows) {
		t.Error("an empty slab has rows")
	}
	var none *View
	if none.Count(12) != 12 || none.Select(7) != 7 || none.Rank(7) != 7 || !none.Has(7) {
		t.Error("a nil view has not all rows")
	}
	if per := float64(unsafe.Sizeof(viewSlab{})) * 8 / slabRows; per > 1.3 {
		t.Errorf("%.3f bits a row", per)
	}
}
