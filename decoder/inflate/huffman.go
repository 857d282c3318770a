package inflate

import "math/bits"

// huffman is a table for literals: indexed by the next maxBits bits of a stream.
type huffman struct {
	table   [1 << maxHuffmanBits]uint16 // symbol<<8 | bits of its code
	maxBits uint8                       // 0: there is no table
}

const maxHuffmanBits = 11

// read reads the description of a table, and returns its bytes, 0 for none that can be.
func (h *huffman) read(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	var weights [256]uint8
	head := int(b[0])
	n, count := 1+head, 0
	if head < 128 { // entropy coded
		if n > len(b) {
			return 0
		}
		count = readWeights(b[1:n], &weights)
	} else { // 4 bits each
		count = head - 127
		n = 1 + (count+1)/2
		if n > len(b) {
			return 0
		}
		for i := range count {
			weights[i] = b[1+i/2] >> (4 * (1 - i&1)) & 15
		}
	}
	if count == 0 || !h.build(weights[:], count) {
		return 0
	}
	return n
}

// readWeights reads weights that are coded with a table of their own by two states in turn, and returns their number, 0
// for what cannot be.
func readWeights(b []byte, weights *[256]uint8) int {
	var c counts
	n := c.read(b, 6, maxHuffmanBits+2)
	if n == 0 {
		return 0
	}
	var codes [maxHuffmanBits + 2]code
	for i := range codes {
		codes[i].base = uint32(i)
	}
	var table [maxTable]state
	if !c.build(&table, codes[:]) {
		return 0
	}
	r, ok := newBackBits(b[n:])
	if !ok {
		return 0
	}
	one, two := r.read(uint8(c.log)), r.read(uint8(c.log))
	if r.left() < 0 {
		return 0
	}
	count := 0
	for count < len(weights)-2 {
		r.fill()
		s := &table[one&(maxTable-1)]
		weights[count] = uint8(s.base)
		count++
		one = uint32(s.next) + r.read(s.bits)
		if r.left() < 0 { // the other state has the last one
			weights[count] = uint8(table[two&(maxTable-1)].base)
			return count + 1
		}
		one, two = two, one
	}
	return 0
}

// build makes the table of the weights, the last of which is not among them: it completes the sum to a power of two.
func (h *huffman) build(weights []uint8, count int) bool {
	h.maxBits = 0
	sum := 0
	for _, w := range weights[:count] {
		if w > maxHuffmanBits {
			return false
		}
		sum += 1 << w >> 1
	}
	if sum == 0 {
		return false
	}
	maxBits := bits.Len(uint(sum))
	rest := 1<<maxBits - sum
	if maxBits > maxHuffmanBits || rest&(rest-1) != 0 || count >= len(weights) {
		return false
	}
	weights[count] = uint8(bits.Len(uint(rest)))
	count++
	at := 0
	for w := uint8(1); int(w) <= maxBits; w++ {
		for s, sw := range weights[:count] {
			if sw != w {
				continue
			}
			entry := uint16(s)<<8 | uint16(maxBits+1-int(w))
			for range 1 << (w - 1) {
				h.table[at] = entry
				at++
			}
		}
	}
	h.maxBits = uint8(maxBits)
	return at == 1<<maxBits
}

// decode appends the n literals of one stream, which must have no bits more nor less.
func (h *huffman) decode(dst, stream []byte, n int) ([]byte, bool) {
	r, ok := newBackBits(stream)
	if !ok {
		return dst, false
	}
	shift := uint(64 - h.maxBits)
	for ; n >= 5; n -= 5 {
		r.fill()
		var e [5]byte
		for i := range e {
			t := h.table[r.word<<(r.used&63)>>(shift&63)&(1<<maxHuffmanBits-1)]
			r.used += uint(t & 0xff)
			e[i] = byte(t >> 8)
		}
		dst = append(dst, e[0], e[1], e[2], e[3], e[4])
		if r.used > 64 {
			return dst, false
		}
	}
	for ; n > 0; n-- {
		r.fill()
		t := h.table[r.word<<(r.used&63)>>(shift&63)&(1<<maxHuffmanBits-1)]
		r.used += uint(t & 0xff)
		dst = append(dst, byte(t>>8))
	}
	return dst, r.left() == 0
}
