package query

import (
	"binlens/decoder/frame"
	"binlens/decoder/index"
	"math"
	"math/bits"
)

// chunkRows is how many rows go through the first stage at once.
const chunkRows = 4096

// mask has a bit for each row of a chunk.
type mask [chunkRows / 64]uint64

func (m *mask) has(i int) bool { return m[i/64]>>(i%64)&1 != 0 }

func (m *mask) set(i int) { m[i/64] |= 1 << (i % 64) }

// fill sets the bits from one row up to and without another.
func (m *mask) fill(from, to int) {
	for ; from < to && from%64 != 0; from++ {
		m.set(from)
	}
	for ; from+64 <= to; from += 64 {
		m[from/64] = math.MaxUint64
	}
	for ; from < to; from++ {
		m.set(from)
	}
}

// between sets the bits of rows whose value is in a range, both ends included.
func (m *mask) between(column []uint32, lo, hi uint64) {
	if lo > hi || lo > math.MaxUint32 {
		return
	}
	first, width := uint32(lo), uint32(min(hi, math.MaxUint32)-lo)
	for w := range words(len(column)) {
		word := uint64(0)
		for i, v := range column[w*64 : min(w*64+64, len(column))] {
			_, above := bits.Sub32(width, v-first, 0)
			word |= uint64(above^1) << (i & 63)
		}
		m[w] |= word
	}
}

// words returns how many words of a mask n rows take.
func words(n int) int { return (n + 63) / 64 }

// chunk is the rows that go through the first stage.
type chunk struct {
	src     Source
	from    int64
	n       int
	columns index.Columns
	err     error
}

// events sets the bits of events whose type is in the table, which has 1 for those.
func (c *chunk) events(m *mask, types *[256]uint8) {
	for w := range words(c.n) {
		word, end := uint64(0), min(w*64+64, c.n)
		flags := c.columns.Flags[w*64 : end]
		for i, code := range c.columns.Code[w*64 : end] {
			word |= uint64(types[code]&isClear[flags[i]]) << (i & 63)
		}
		m[w] |= word
	}
}

// isClear has 1 for the flags of rows that are events of which more than the size is known.
var isClear = func() (t [256]uint8) {
	for f := range t {
		if frame.Kind(f&index.KindBits) == frame.Event && f&index.CipherBit == 0 {
			t[f] = 1
		}
	}
	return t
}()

// flagged sets the bits of rows that have any of the flags.
func (c *chunk) flagged(m *mask, flags uint8) {
	for i, f := range c.columns.Flags {
		if f&flags != 0 {
			m.set(i)
		}
	}
}

// ordinals sets the bits of rows from one ordinal to another, both included.
func (c *chunk) ordinals(m *mask, first, last int64) {
	first, last = max(first-c.from, 0), min(last-c.from, int64(c.n)-1)
	if first <= last {
		m.fill(int(first), int(last)+1)
	}
}

// versions tells table versions apart, each when it is met first.
type versions struct {
	test  func(version uint32) bool
	known []uint8 // by version: 0 not met, else verdictNo or verdictYes
}

const (
	verdictNo  = 2
	verdictYes = 1 // its lowest bit is that of a mask
)

// mark sets the bits of table map and row events of the versions that pass the test.
func (v *versions) mark(c *chunk, m *mask) {
	if n := c.src.Index().TableVersions() + 1; n > len(v.known) {
		v.known = append(v.known, make([]uint8, n-len(v.known))...)
		v.known[0] = verdictNo // no table
	}
	for w := range words(c.n) {
		word := uint64(0)
		for i, version := range c.columns.Table[w*64 : min(w*64+64, c.n)] {
			verdict := v.known[version]
			if verdict == 0 {
				verdict = v.meet(version)
			}
			word |= uint64(verdict&1) << (i & 63)
		}
		m[w] |= word
	}
}

// meet tests a version.
func (v *versions) meet(version uint32) uint8 {
	v.known[version] = verdictNo
	if v.test(version) {
		v.known[version] = verdictYes
	}
	return v.known[version]
}
