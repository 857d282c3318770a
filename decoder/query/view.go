package query

import (
	"math/bits"
	"sort"
)

// A slab of a View covers slabRows rows; a block of it has a count, so that a rank looks at no more than blockWords words.
const (
	slabRows   = 1 << 16
	slabWords  = slabRows / 64
	blockWords = 8
)

// View is the rows that a filter leaves: a set of ordinals that grows at its end. It takes 1.04 bits for each row of the log
// up to the last that is in it, and nothing for stretches of 65,536 rows of which none is. A nil *View has all rows.
type View struct {
	slabs  []*viewSlab
	before []int64 // rows in all slabs in front of each
	n      int64
}

type viewSlab struct {
	words  [slabWords]uint64
	before [slabWords / blockWords]uint16 // rows of the slab in the blocks in front of each, up to block last
	last   int                            // the last block that has rows
}

// add puts in an ordinal above all that are in.
func (v *View) add(ordinal int64) {
	k := int(ordinal / slabRows)
	for len(v.slabs) <= k {
		v.slabs, v.before = append(v.slabs, nil), append(v.before, v.n)
	}
	s := v.slabs[k]
	if s == nil {
		s = new(viewSlab)
		v.slabs[k] = s
	}
	i := int(ordinal % slabRows)
	for block := i / 64 / blockWords; s.last < block; {
		s.last++
		s.before[s.last] = uint16(v.n - v.before[k]) // below slabRows, since this block is empty
	}
	s.words[i/64] |= 1 << (i % 64)
	v.n++
}

// Count returns how many rows are in the view; all is the number of rows of the log.
func (v *View) Count(all int64) int64 {
	if v == nil {
		return all
	}
	return v.n
}

// Has says that a row is in the view.
func (v *View) Has(ordinal int64) bool {
	if v == nil {
		return true
	}
	k := ordinal / slabRows
	if ordinal < 0 || k >= int64(len(v.slabs)) || v.slabs[k] == nil {
		return false
	}
	i := ordinal % slabRows
	return v.slabs[k].words[i/64]>>(i%64)&1 != 0
}

// Words returns which rows of 65,536 from slab × 65,536 on are in the view, a bit each in words of 64, nil when none is. They
// are not to be changed.
func (v *View) Words(slab int64) []uint64 {
	if slab >= int64(len(v.slabs)) || v.slabs[slab] == nil {
		return nil
	}
	return v.slabs[slab].words[:]
}

// Rank returns how many rows of the view are before an ordinal: its place in the view when it is in it.
func (v *View) Rank(ordinal int64) int64 {
	switch {
	case v == nil:
		return ordinal
	case ordinal < 0:
		return 0
	case ordinal >= int64(len(v.slabs))*slabRows:
		return v.n
	}
	k, i := ordinal/slabRows, int(ordinal%slabRows)
	n, s := v.before[k], v.slabs[k]
	if s == nil {
		return n
	}
	word := i / 64
	block := word / blockWords
	if block > s.last {
		return v.upTo(k + 1)
	}
	n += int64(s.before[block])
	for _, w := range s.words[block*blockWords : word] {
		n += int64(bits.OnesCount64(w))
	}
	return n + int64(bits.OnesCount64(s.words[word]&(1<<(i%64)-1)))
}

// upTo returns how many rows are in the first k slabs.
func (v *View) upTo(k int64) int64 {
	if k < int64(len(v.before)) {
		return v.before[k]
	}
	return v.n
}

// Select returns the ordinal at place k of the view, from 0; k must be below Count.
func (v *View) Select(k int64) int64 {
	if v == nil {
		return k
	}
	slab := sort.Search(len(v.before), func(i int) bool { return v.before[i] > k }) - 1
	s, left := v.slabs[slab], int(k-v.before[slab])
	block := sort.Search(s.last+1, func(i int) bool { return int(s.before[i]) > left }) - 1
	left -= int(s.before[block])
	word := block * blockWords
	for n := bits.OnesCount64(s.words[word]); left >= n; n = bits.OnesCount64(s.words[word]) {
		left -= n
		word++
	}
	w := s.words[word]
	for range left {
		w &= w - 1
	}
	return int64(slab)*slabRows + int64(word*64+bits.TrailingZeros64(w))
}
