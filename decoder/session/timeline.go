package session

import (
	"binlens/decoder"
	"binlens/decoder/index"
	"binlens/decoder/query"
	"binlens/decoder/render"
	"encoding/binary"
	"math"
)

// maxBins is how many bins a timeline has at most.
const maxBins = 4096

// timeline is a histogram that is filled while the index grows, or a filter finds rows.
type timeline struct {
	filter   *query.Run
	axis     index.Axis
	all      bool // over all there is, which may grow
	from, to int64
	bins     int   // asked for
	upTo     int64 // rows counted
	h        *index.Histogram
}

var typeClasses = func() (c [256]uint8) {
	for t := range c {
		c[t] = uint8(render.ClassOf(decoder.Type(t)))
	}
	return c
}()

// Timeline counts rows and bytes over time (seconds UTC) or over the file (bytes), in at most bins bins from from, inclusive,
// to to, exclusive; when to is not above from, over all there is: while that grows bins are made wider, in which case there may be
// half as many. With matched, only the rows that the filter leaves count, and all there is are the bins that were given last
// without it. All numbers are little-endian:
//
//	u32 bins, u32 classes | f64 from | f64 width of a bin | f64 rows outside of the bins |
//	u32 rows, bins × classes of them | f64 bytes, as many, from a multiple of 8 bytes on |
//	f64 rows with a time before that of the row before | f64 by how many seconds at most; both 0 over the file
func (s *Session) Timeline(axis index.Axis, from, to int64, bins int, matched bool) []byte {
	want := timeline{axis: axis, all: to <= from, from: from, to: to, bins: min(max(bins, 1), maxBins)}
	l, end := &s.timelines[0], s.Index().Len()
	var words func(int64) []uint64
	if want.all {
		want.from, want.to = s.extent(axis)
	}
	if matched && s.filter != nil {
		whole := l
		l, want.filter = &s.timelines[1], s.filter
		words, end = s.filter.View.Words, s.filter.Progress().Examined
		if want.all && whole.all && whole.axis == axis && whole.bins == want.bins {
			want.from, want.to, want.h = whole.from, whole.to, whole.h
		}
	}
	s.count(l, want, end, words)
	return appendHistogram(l.h, l.to)
}

// count has a timeline count the rows up to end.
func (s *Session) count(l *timeline, want timeline, end int64, words func(int64) []uint64) {
	l.fit(want, s.done || s.cancelled)
	l.h.Add(s.Index(), l.upTo, end, words)
	l.h.Define(s.Index(), l.upTo, end, words, uint8(render.ClassDDL))
	l.upTo = end
}

// countAhead is how many rows a timeline over all there is may be behind the index. They are counted while that grows, so
// that whoever asks for the timeline again does not wait, nor those that wait behind it.
const countAhead = 1 << 14

func (s *Session) countIndexed() {
	l, end := &s.timelines[0], s.Index().Len()
	if l.h == nil || !l.all || end-l.upTo < countAhead {
		return
	}
	want := timeline{axis: l.axis, all: true, bins: l.bins}
	want.from, want.to = s.extent(l.axis)
	s.count(l, want, end, nil)
}

// extent is where all there is begins and ends.
func (s *Session) extent(axis index.Axis) (from, to int64) {
	if axis == index.ByOffset {
		return 0, s.size
	}
	first, last := s.Index().Times()
	return int64(first), int64(last) + 1
}

// fit makes the bins those that are wanted, and keeps what is counted where it can: want.h, if there is one, has the bins. ended
// says that the log grows no more.
func (l *timeline) fit(want timeline, ended bool) {
	keep := l.h != nil && l.filter == want.filter && l.axis == want.axis && l.all == want.all && l.from == want.from && l.bins == want.bins
	fresh, reach := want.h, want.to
	if want.all && !ended { // as many bins as may be: there is room to grow
		n := int64(want.bins)
		reach = want.from + (want.to-want.from+n-1)/n*n
	}
	if fresh == nil {
		fresh = index.NewHistogram(want.axis, want.from, reach, want.bins, render.Classes, &typeClasses, uint8(render.ClassDamage))
	}
	if keep && want.all && l.to <= want.to {
		l.h.Cover(want.to)
		keep = l.h.Width == fresh.Width || want.h == nil && !ended
	} else {
		keep = keep && l.to == want.to
	}
	if !keep {
		*l = want
		l.h = fresh.Empty()
	}
	l.to = want.to
}

// appendHistogram gives the bins up to to.
func appendHistogram(h *index.Histogram, to int64) []byte {
	le := binary.LittleEndian
	bins := min(h.Bins, int((max(to-h.From, 1)+h.Width-1)/h.Width))
	cells := bins * h.Classes
	b := make([]byte, 0, 56+12*cells)
	b = le.AppendUint32(le.AppendUint32(b, uint32(bins)), uint32(h.Classes))
	for _, v := range []float64{float64(h.From), float64(h.Width), float64(h.Out)} {
		b = le.AppendUint64(b, math.Float64bits(v))
	}
	for _, n := range h.Rows[:cells] {
		b = le.AppendUint32(b, n)
	}
	for len(b)&7 != 0 {
		b = append(b, 0)
	}
	for _, n := range h.Bytes[:cells] {
		b = le.AppendUint64(b, math.Float64bits(float64(n)))
	}
	for _, n := range []int64{h.Back, h.BackBy} {
		b = le.AppendUint64(b, math.Float64bits(float64(n)))
	}
	return b
}
