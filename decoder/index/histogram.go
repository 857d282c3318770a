package index

import "slices"

// Axis is what a histogram counts along.
type Axis uint8

// The axes.
const (
	ByTime   Axis = iota // timestamps, seconds UTC
	ByOffset             // of the file, bytes
)

// Histogram counts rows and their bytes in bins of one width, by class. It is filled by Add in as many steps as wanted.
// Events inside a payload count as rows at its offset, and their bytes, which the file does not have, do not.
type Histogram struct {
	Axis    Axis
	From    int64 // start of the first bin
	Width   int64 // of a bin, at least 1
	Bins    int
	Classes int         // number of classes
	Class   *[256]uint8 // class of each event type, below Classes
	Damage  uint8       // class of rows that are no events

	Rows  []uint32 // by bin and class: bin × Classes + class
	Bytes []uint64 // the same
	Out   int64    // rows outside of the bins, and those without a time when bins are times

	// When bins are times: how many rows have a time before that of the row before, and by how many seconds at most.
	Back, BackBy int64
	last         int64
}

// NewHistogram returns an empty one for [from, to) in at most bins bins, whose width is a whole number.
func NewHistogram(axis Axis, from, to int64, bins, classes int, class *[256]uint8, damage uint8) *Histogram {
	span := max(to-from, 1)
	bins = max(bins, 1)
	width := (span + int64(bins) - 1) / int64(bins)
	bins = int((span + width - 1) / width)
	return &Histogram{Axis: axis, From: from, Width: width, Bins: bins, Classes: classes, Class: class, Damage: damage,
		Rows: make([]uint32, bins*classes), Bytes: make([]uint64, bins*classes)}
}

// Add counts rows from, inclusive, to to, exclusive. words gives the 1024 words of 64 bits that say which rows of a slab of
// 65,536 count, nil for none; words itself may be nil: then all do.
func (h *Histogram) Add(x *Index, from, to int64, words func(slab int64) []uint64) {
	for from < min(to, x.n) {
		slab := from >> 16
		end := min(to, x.n, (slab+1)<<16)
		if words == nil {
			h.add(x, slab, from, end, nil)
		} else if w := words(slab); w != nil {
			h.add(x, slab, from, end, w)
		}
		from = end
	}
}

func (h *Histogram) add(x *Index, slab, from, to int64, words []uint64) {
	s := x.slabs[slab]
	first := slab << 16
	lo, hi, bin := int64(1), int64(0), 0 // the bin of the row before, which is nearly always that of the next
	for i := from; i < to; i++ {
		k := i - first
		if words != nil && words[k>>6]>>(k&63)&1 == 0 {
			continue
		}
		at := int64(s.time[k])
		switch {
		case h.Axis == ByOffset:
			at = x.offset(i)
		case at == 0:
			h.Out++
			continue
		case at < h.last:
			h.Back++
			h.BackBy = max(h.BackBy, h.last-at)
			h.last = at
		default:
			h.last = at
		}
		if at < lo || at >= hi {
			if bin = h.bin(at); bin < 0 {
				h.Out++
				lo, hi = 1, 0
				continue
			}
			lo = h.From + int64(bin)*h.Width
			hi = lo + h.Width
		}
		class := h.Damage
		flags := s.flags[k]
		if flags&flagKind == 0 {
			class = h.Class[s.code[k]]
		}
		cell := bin*h.Classes + int(class)
		h.Rows[cell]++
		if flags&flagInside == 0 {
			h.Bytes[cell] += uint64(s.size[k])
		}
	}
}

// Define counts rows from, inclusive, to to, exclusive, that Add has counted already and that are Definitions of the index as
// rows of another class than their type's.
func (h *Histogram) Define(x *Index, from, to int64, words func(slab int64) []uint64, class uint8) {
	all := x.definitions
	first, _ := slices.BinarySearch(all, from)
	for _, ordinal := range all[first:] {
		if ordinal >= to {
			return
		}
		s, k := x.slabs[ordinal>>16], ordinal&(slabRows-1)
		if words != nil {
			if w := words(ordinal >> 16); w == nil || w[k>>6]>>(k&63)&1 == 0 {
				continue
			}
		}
		at := int64(s.time[k])
		if h.Axis == ByOffset {
			at = x.offset(ordinal)
		} else if at == 0 {
			continue
		}
		bin := h.bin(at)
		if bin < 0 {
			continue
		}
		was, is := bin*h.Classes+int(h.Class[s.code[k]]), bin*h.Classes+int(class)
		h.Rows[was]--
		h.Rows[is]++
		if s.flags[k]&flagInside == 0 {
			h.Bytes[was] -= uint64(s.size[k])
			h.Bytes[is] += uint64(s.size[k])
		}
	}
}

// bin returns the bin of a place on the axis, -1 when it is in none.
func (h *Histogram) bin(at int64) int {
	if at < h.From || at >= h.From+int64(h.Bins)*h.Width {
		return -1
	}
	return int((at - h.From) / h.Width)
}
