package gtid

import (
	"slices"
	"sort"
)

// Add puts t with number gno into s and reports whether it was not there before. A number outside 1 … MaxGNO is not
// added and gives false. Adding what follows the last number of the TSID added last, as the transactions of a log do,
// takes constant time; anything else a binary search and the moving of what lies behind.
func (s *Set) Add(t TSID, gno uint64) (added bool) {
	if gno < 1 || gno > MaxGNO {
		return false
	}
	ivs := s.intervalsFor(t)
	if n := len(*ivs); n > 0 && (*ivs)[n-1].End == gno {
		(*ivs)[n-1].End++
		return true
	}
	v := Interval{gno, gno + 1}
	if covers(*ivs, v) {
		return false
	}
	*ivs = insert(*ivs, v)
	return true
}

// AddInterval puts t with every number of v into s. It reports whether v is valid (Interval.Valid); otherwise nothing is
// added. Its cost is that of Add. For many intervals in no order, as an untrusted file may have them, use a Builder.
func (s *Set) AddInterval(t TSID, v Interval) (valid bool) {
	if !v.Valid() {
		return false
	}
	ivs := s.intervalsFor(t)
	*ivs = insert(*ivs, v)
	return true
}

// intervalsFor returns the intervals of t's group, which is made when there is none: the caller adds to it.
func (s *Set) intervalsFor(t TSID) *[]Interval {
	i, found := s.find(t)
	if !found {
		s.groups = append(s.groups, group{})
		copy(s.groups[i+1:], s.groups[i:])
		s.groups[i] = group{tsid: t}
	}
	s.last = i
	return &s.groups[i].ivs
}

// insert adds v to the sorted, disjoint, not touching ivs and keeps them so.
func insert(ivs []Interval, v Interval) []Interval {
	n := len(ivs)
	if n == 0 || ivs[n-1].End < v.Start {
		return append(ivs, v)
	}
	// ivs[from:to] are those that v overlaps or touches.
	from := sort.Search(n, func(i int) bool { return ivs[i].End >= v.Start })
	to := from + sort.Search(n-from, func(i int) bool { return ivs[from+i].Start > v.End })
	if from == to {
		ivs = append(ivs, v)
		copy(ivs[from+1:], ivs[from:])
		ivs[from] = v
		return ivs
	}
	ivs[from] = Interval{min(ivs[from].Start, v.Start), max(ivs[to-1].End, v.End)}
	return append(ivs[:from+1], ivs[to:]...)
}

// Builder collects intervals in any order, with any overlap, and makes a Set of them in O(n log n) time. The zero
// Builder is ready for use.
type Builder struct {
	runs []run
	ivs  []Interval
}

// run is a TSID and its intervals, Builder.ivs[from:to].
type run struct {
	tsid     TSID
	from, to int
}

// Add adds t with every number of v. It reports whether v is valid (Interval.Valid); otherwise nothing is added.
func (b *Builder) Add(t TSID, v Interval) (valid bool) {
	if !v.Valid() {
		return false
	}
	b.ivs = append(b.ivs, v)
	if n := len(b.runs); n > 0 && b.runs[n-1].tsid == t {
		b.runs[n-1].to++
	} else {
		b.runs = append(b.runs, run{t, len(b.ivs) - 1, len(b.ivs)})
	}
	return true
}

// Set returns the set of all that was added. It shares nothing with the Builder, which may be added to further.
func (b *Builder) Set() *Set {
	runs := slices.Clone(b.runs)
	sort.Stable(byTSID(runs))
	s := &Set{}
	for len(runs) > 0 {
		t := runs[0].tsid
		var ivs []Interval
		for len(runs) > 0 && runs[0].tsid == t {
			ivs = append(ivs, b.ivs[runs[0].from:runs[0].to]...)
			runs = runs[1:]
		}
		s.groups = append(s.groups, group{t, normalize(ivs)})
	}
	return s
}

// byTSID and byStart are orders; package sort takes a tenth of the code that one more generic sort would.
type (
	byTSID  []run
	byStart []Interval
)

func (l byTSID) Len() int           { return len(l) }
func (l byTSID) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l byTSID) Less(i, j int) bool { return l[i].tsid.Compare(l[j].tsid) < 0 }

func (l byStart) Len() int           { return len(l) }
func (l byStart) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l byStart) Less(i, j int) bool { return l[i].Start < l[j].Start }

// normalize sorts ivs and joins those that overlap or touch, in place.
func normalize(ivs []Interval) []Interval {
	if !sort.IsSorted(byStart(ivs)) {
		sort.Sort(byStart(ivs))
	}
	return join(ivs)
}

// join joins those of ivs that overlap or touch, in place. They must be sorted by their start.
func join(ivs []Interval) []Interval {
	out := ivs[:0]
	for _, v := range ivs {
		if n := len(out); n > 0 && v.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, v.End)
		} else {
			out = append(out, v)
		}
	}
	return out
}
