package gtid

import (
	"iter"
	"math"
	"slices"
	"sort"
)

// Interval is a range of transaction numbers, half open: Start, Start+1, … End-1. Binary logs store it so too.
type Interval struct{ Start, End uint64 }

// Valid reports whether 1 <= Start < End <= MaxGNO+1.
func (v Interval) Valid() bool { return 1 <= v.Start && v.Start < v.End && v.End <= MaxGNO+1 }

// Len returns how many numbers the interval holds, 0 when End <= Start.
func (v Interval) Len() uint64 {
	if v.End <= v.Start {
		return 0
	}
	return v.End - v.Start
}

// Set is a set of MySQL GTIDs. The zero Set is empty and ready for use. A copy of a Set shares its intervals with the
// original: use Clone where either will be added to.
type Set struct {
	// groups is sorted by TSID, and no group is empty.
	groups []group
	// last is the index of the group added to last: a log's transactions mostly come from one source.
	last int
}

// group holds the intervals of one TSID: sorted, disjoint, and no two of them touch.
type group struct {
	tsid TSID
	ivs  []Interval
}

// Clone returns a Set that shares nothing with s.
func (s *Set) Clone() *Set {
	out := &Set{groups: slices.Clone(s.groups), last: s.last}
	for i := range out.groups {
		out.groups[i].ivs = slices.Clone(out.groups[i].ivs)
	}
	return out
}

// IsEmpty reports whether s has no GTID.
func (s *Set) IsEmpty() bool { return len(s.groups) == 0 }

// Count returns the number of GTIDs in s; math.MaxUint64 when there are more than that.
func (s *Set) Count() uint64 {
	var n uint64
	for i := range s.groups {
		for _, v := range s.groups[i].ivs {
			if v.Len() > math.MaxUint64-n {
				return math.MaxUint64
			}
			n += v.Len()
		}
	}
	return n
}

// All yields each TSID with its intervals, TSIDs in the order of TSID.Compare, intervals ascending, disjoint and not
// touching. The slice belongs to s and must not be changed.
func (s *Set) All() iter.Seq2[TSID, []Interval] {
	return func(yield func(TSID, []Interval) bool) {
		for i := range s.groups {
			if !yield(s.groups[i].tsid, s.groups[i].ivs) {
				return
			}
		}
	}
}

// Intervals returns the intervals of one TSID, as All does; nil when s has none of it.
func (s *Set) Intervals(t TSID) []Interval {
	if i, found := s.find(t); found {
		return s.groups[i].ivs
	}
	return nil
}

// Contains reports whether t with number gno is in s. It takes logarithmic time and allocates nothing.
func (s *Set) Contains(t TSID, gno uint64) bool {
	i, found := s.find(t)
	return found && covers(s.groups[i].ivs, Interval{gno, gno + 1})
}

// ContainsSet reports whether every GTID of o is in s: o is a subset of s, or equal.
func (s *Set) ContainsSet(o *Set) bool {
	for i := range o.groups {
		j, found := s.find(o.groups[i].tsid)
		if !found {
			return false
		}
		for _, v := range o.groups[i].ivs {
			if !covers(s.groups[j].ivs, v) {
				return false
			}
		}
	}
	return true
}

// Equal reports whether s and o hold the same GTIDs.
func (s *Set) Equal(o *Set) bool {
	return slices.EqualFunc(s.groups, o.groups, func(a, b group) bool {
		return a.tsid == b.tsid && slices.Equal(a.ivs, b.ivs)
	})
}

// find returns the index of t's group, or where it belongs. It looks at the group used last first.
func (s *Set) find(t TSID) (int, bool) {
	if s.last < len(s.groups) && s.groups[s.last].tsid == t {
		return s.last, true
	}
	i := sort.Search(len(s.groups), func(i int) bool { return s.groups[i].tsid.Compare(t) >= 0 })
	return i, i < len(s.groups) && s.groups[i].tsid == t
}

// covers reports whether one interval of the sorted ivs holds all of v. As intervals of a Set never touch, v is in the
// set only then.
func covers(ivs []Interval, v Interval) bool {
	i := sort.Search(len(ivs), func(i int) bool { return ivs[i].End > v.Start })
	return i < len(ivs) && ivs[i].Start <= v.Start && v.End <= ivs[i].End
}
