package gtid

import "slices"

// Union returns the set of GTIDs that are in s or in o. The result shares nothing with either.
func (s *Set) Union(o *Set) *Set { return combine(s, o, unionIntervals) }

// Subtract returns the set of GTIDs that are in s and not in o. The result shares nothing with either.
func (s *Set) Subtract(o *Set) *Set { return combine(s, o, subtractIntervals) }

// Intersect returns the set of GTIDs that are both in s and in o. The result shares nothing with either.
func (s *Set) Intersect(o *Set) *Set { return combine(s, o, intersectIntervals) }

// combine calls op with the intervals of each TSID of a or b (none where one lacks the TSID) and returns the set of its
// results. op must return a slice of its own, sorted, disjoint and not touching.
func combine(a, b *Set, op func(x, y []Interval) []Interval) *Set {
	out := &Set{}
	x, y := a.groups, b.groups
	for len(x) > 0 || len(y) > 0 {
		var g group
		switch c := compareHeads(x, y); {
		case c < 0:
			g = group{x[0].tsid, op(x[0].ivs, nil)}
			x = x[1:]
		case c > 0:
			g = group{y[0].tsid, op(nil, y[0].ivs)}
			y = y[1:]
		default:
			g = group{x[0].tsid, op(x[0].ivs, y[0].ivs)}
			x, y = x[1:], y[1:]
		}
		if len(g.ivs) > 0 {
			out.groups = append(out.groups, g)
		}
	}
	return out
}

// compareHeads compares the first TSIDs of x and y, of which at most one is empty. What is empty comes last.
func compareHeads(x, y []group) int {
	switch {
	case len(y) == 0:
		return -1
	case len(x) == 0:
		return 1
	}
	return x[0].tsid.Compare(y[0].tsid)
}

func unionIntervals(x, y []Interval) []Interval {
	out := make([]Interval, 0, len(x)+len(y))
	for len(x) > 0 && len(y) > 0 {
		if x[0].Start <= y[0].Start {
			out, x = append(out, x[0]), x[1:]
		} else {
			out, y = append(out, y[0]), y[1:]
		}
	}
	return join(append(append(out, x...), y...))
}

func subtractIntervals(x, y []Interval) []Interval {
	if len(y) == 0 {
		return slices.Clone(x)
	}
	var out []Interval
	for _, v := range x {
		for len(y) > 0 && y[0].End <= v.Start {
			y = y[1:]
		}
		// What is left of v lies behind each cut in turn; the last cut may reach into the next interval of x.
		for len(y) > 0 && y[0].Start < v.End {
			if v.Start < y[0].Start {
				out = append(out, Interval{v.Start, y[0].Start})
			}
			v.Start = y[0].End
			if v.Start >= v.End {
				break
			}
			y = y[1:]
		}
		if v.Start < v.End {
			out = append(out, v)
		}
	}
	return out
}

func intersectIntervals(x, y []Interval) []Interval {
	var out []Interval
	for len(x) > 0 && len(y) > 0 {
		v := Interval{max(x[0].Start, y[0].Start), min(x[0].End, y[0].End)}
		if v.Start < v.End {
			out = append(out, v)
		}
		if x[0].End < y[0].End {
			x = x[1:]
		} else {
			y = y[1:]
		}
	}
	return out
}
