package inflate

import (
	"encoding/binary"
	"math/bits"
)

// backBits reads a zstd bit stream: from its last byte to its first, each from its high bits down. What is read beyond the
// stream is zero or any bit; left tells.
type backBits struct {
	b    []byte // at least 8 bytes
	word uint64 // bytes off to off+8 of b
	off  int
	used uint // bits of word that were read, from its high bits
	pad  int  // bits in front of the stream that are not its
}

// newBackBits starts at the highest bit set in the last byte, which marks the end of the stream and is not of it.
func newBackBits(b []byte) (r backBits, ok bool) {
	if len(b) == 0 || b[len(b)-1] == 0 {
		return r, false
	}
	if len(b) < 8 {
		var padded [8]byte
		r.pad = 8 * (8 - len(b))
		copy(padded[8-len(b):], b)
		b = padded[:]
	}
	r.b = b
	r.off = len(b) - 8
	r.word = binary.LittleEndian.Uint64(b[r.off:])
	r.used = uint(bits.LeadingZeros8(b[len(b)-1])) + 1
	return r, true
}

// left returns the bits not read yet, negative when more were read than there are.
func (r *backBits) left() int { return 8*r.off + 64 - int(r.used) - r.pad }

// fill makes the next 57 bits ready, or as many as there are.
func (r *backBits) fill() {
	n := int(r.used >> 3)
	if n > r.off {
		n = r.off
	}
	r.off -= n
	r.used -= uint(n) << 3
	r.word = binary.LittleEndian.Uint64(r.b[r.off:])
}

// read reads n bits, 0 to 57, that fill has made ready.
func (r *backBits) read(n uint8) uint32 {
	v := r.word << (r.used & 63) >> 1 >> (63 - n&63)
	r.used += uint(n)
	return uint32(v)
}

// forwardBits reads bits from the first byte on, low bits first.
type forwardBits struct {
	b   []byte
	pos int // in bits
}

// peek returns the next n bits, 0 to 25; those beyond the end are zero.
func (r *forwardBits) peek(n int) uint32 {
	var word uint32
	for i, at := 0, r.pos>>3; i < 4 && at+i < len(r.b); i++ {
		word |= uint32(r.b[at+i]) << (8 * i)
	}
	return word >> (r.pos & 7) & (1<<n - 1)
}

func (r *forwardBits) read(n int) uint32 {
	v := r.peek(n)
	r.pos += n
	return v
}

// bytes returns how many bytes were touched, and whether they are there.
func (r *forwardBits) bytes() (n int, ok bool) {
	n = (r.pos + 7) >> 3
	return n, n <= len(r.b)
}
