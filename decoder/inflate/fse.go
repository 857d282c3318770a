package inflate

import "math/bits"

// A finite state entropy table: what each state stands for and how the next state is found.

// maxTable is the states of the largest table.
const maxTable = 1 << 9

// state is an entry of a table for sequences: the value that it stands for is base and extra bits read; the next state is
// next and bits read.
type state struct {
	base  uint32
	next  uint16
	bits  uint8
	extra uint8
}

// counts are the shares of the symbols in a table of 1<<log states: -1 for a share below one state.
type counts struct {
	n      [256]int16
	length int // symbols
	log    int
}

// read reads the description of a table with at most that many symbols, and returns its bytes, 0 for none that can be.
func (c *counts) read(b []byte, maxLog, maxSymbols int) int {
	r := forwardBits{b: b}
	c.log = int(r.read(4)) + 5
	c.length = 0
	if c.log > maxLog {
		return 0
	}
	remaining := 1 << c.log
	for remaining > 0 {
		if c.length >= maxSymbols {
			return 0
		}
		// A value of 0 to remaining+1: the low ones are a bit shorter.
		width := bits.Len32(uint32(remaining + 1))
		v := int(r.peek(width))
		low := 1<<width - 2 - remaining
		if short := v & (1<<(width-1) - 1); short < low {
			v = short
			r.pos += width - 1
		} else {
			if v >= 1<<(width-1) {
				v -= low
			}
			r.pos += width
		}
		share := v - 1
		remaining -= max(share, -share)
		c.n[c.length] = int16(share)
		c.length++
		if share == 0 { // and how many more zeros, in steps of 3
			for again := 3; again == 3; {
				again = int(r.read(2))
				if c.length+again > maxSymbols {
					return 0
				}
				for range again {
					c.n[c.length] = 0
					c.length++
				}
			}
		}
	}
	n, ok := r.bytes()
	if remaining != 0 || !ok {
		return 0
	}
	return n
}

// spread says which symbol each state of the table stands for.
func (c *counts) spread(symbols *[maxTable]uint8) {
	size := 1 << c.log
	high := size - 1
	for s := range c.length {
		if c.n[s] == -1 {
			symbols[high] = uint8(s)
			high--
		}
	}
	step, mask, at := size>>1+size>>3+3, size-1, 0
	for s := range c.length {
		for range max(c.n[s], 0) {
			symbols[at] = uint8(s)
			for at = (at + step) & mask; at > high; at = (at + step) & mask {
			}
		}
	}
}

// build makes the table; extra gives each symbol its base and extra bits.
func (c *counts) build(table *[maxTable]state, codes []code) (ok bool) {
	if c.length > len(codes) {
		return false
	}
	var symbols [maxTable]uint8
	c.spread(&symbols)
	next := c.n
	for i := range next {
		if next[i] == -1 {
			next[i] = 1
		}
	}
	size := 1 << c.log
	for i := range size {
		s := symbols[i]
		n := int(next[s])
		next[s]++
		width := c.log - (bits.Len16(uint16(n)) - 1)
		table[i] = state{base: codes[s].base, extra: codes[s].extra, bits: uint8(width), next: uint16(n<<width - size)}
	}
	return true
}

// code is what the symbol of a sequence stands for: base and extra bits read.
type code struct {
	base  uint32
	extra uint8
}

// codesOf makes the codes of symbols whose extra bits are these, and whose values follow each other.
func codesOf(first uint32, extra ...uint8) []code {
	list := make([]code, len(extra))
	for i, e := range extra {
		list[i] = code{first, e}
		first += 1 << e
	}
	return list
}

var (
	literalCodes = codesOf(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
	matchCodes   = codesOf(3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
	offsetCodes = codesOf(1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31)
)

// The tables of blocks that bring none of their own.
var (
	literalShares = []int16{4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1}
	matchShares   = []int16{1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1}
	offsetShares = []int16{1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1}
)
