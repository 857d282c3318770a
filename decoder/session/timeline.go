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
	from, to int64
	bins     int
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
// to to, exclusive; when to is not above from, over all there is. With matched, only the rows that the filter leaves count. All
// numbers are little-endian:
//
//	u32 bins, u32 classes | f64 from | f64 width of a bin | f64 rows outside of the bins |
//	u32 rows, bins × classes of them | f64 bytes, as many, from a multiple of 8 bytes on |
//	f64 rows with a time before that of the row before | f64 by how many seconds at most; both 0 over the file
func (s *Session) Timeline(axis index.Axis, from, to int64, bins int, matched bool) []byte {
	x := s.Index()
	var filter *query.Run
	var words func(int64) []uint64
	end := x.Len()
	if matched && s.filter != nil {
		filter, words, end = s.filter, s.filter.View.Words, s.filter.Progress().Examined
	}
	if to <= from {
		from, to = 0, s.size
		if axis == index.ByTime {
			first, last := x.Times()
			from, to = int64(first), int64(last)+1
		}
	}
	l := &s.timeline
	bins = min(max(bins, 1), maxBins)
	if l.h == nil || l.filter != filter || l.axis != axis || l.from != from || l.to != to || l.bins != bins {
		*l = timeline{filter: filter, axis: axis, from: from, to: to, bins: bins, h: index.NewHistogram(axis, from, to, bins, render.Classes, &typeClasses, uint8(render.ClassDamage))}
	}
	l.h.Add(x, l.upTo, end, words)
	l.h.Define(x, l.upTo, end, words, uint8(render.ClassDDL))
	l.upTo = end
	return appendHistogram(l.h)
}

func appendHistogram(h *index.Histogram) []byte {
	le := binary.LittleEndian
	b := make([]byte, 0, 56+12*len(h.Rows))
	b = le.AppendUint32(le.AppendUint32(b, uint32(h.Bins)), uint32(h.Classes))
	for _, v := range []float64{float64(h.From), float64(h.Width), float64(h.Out)} {
		b = le.AppendUint64(b, math.Float64bits(v))
	}
	for _, n := range h.Rows {
		b = le.AppendUint32(b, n)
	}
	for len(b)&7 != 0 {
		b = append(b, 0)
	}
	for _, n := range h.Bytes {
		b = le.AppendUint64(b, math.Float64bits(float64(n)))
	}
	for _, n := range []int64{h.Back, h.BackBy} {
		b = le.AppendUint64(b, math.Float64bits(float64(n)))
	}
	return b
}
