package inflate

import (
	"encoding/binary"
	"math/bits"
)

// xxhash is XXH64 with seed 0, the checksum of zstd frames.
type xxhash struct {
	v     [4]uint64
	rest  [32]byte
	n     int // bytes in rest
	total uint64
}

const (
	xxPrime1 = 0x9e3779b185ebca87
	xxPrime2 = 0xc2b2ae3d27d4eb4f
	xxPrime3 = 0x165667b19e3779f9
	xxPrime4 = 0x85ebca77c2b2ae63
	xxPrime5 = 0x27d4eb2f165667c5
)

func (h *xxhash) reset() {
	var p1, p2 uint64 = xxPrime1, xxPrime2
	*h = xxhash{v: [4]uint64{p1 + p2, p2, 0, -p1}}
}

func xxRound(acc, input uint64) uint64 {
	return bits.RotateLeft64(acc+input*xxPrime2, 31) * xxPrime1
}

func (h *xxhash) write(b []byte) {
	h.total += uint64(len(b))
	if h.n > 0 {
		n := copy(h.rest[h.n:], b)
		h.n += n
		b = b[n:]
		if h.n < len(h.rest) {
			return
		}
		h.stripes(h.rest[:])
	}
	whole := len(b) &^ 31
	h.stripes(b[:whole])
	h.n = copy(h.rest[:], b[whole:])
}

func (h *xxhash) stripes(b []byte) {
	le := binary.LittleEndian
	v := h.v
	for ; len(b) >= 32; b = b[32:] {
		v[0] = xxRound(v[0], le.Uint64(b))
		v[1] = xxRound(v[1], le.Uint64(b[8:]))
		v[2] = xxRound(v[2], le.Uint64(b[16:]))
		v[3] = xxRound(v[3], le.Uint64(b[24:]))
	}
	h.v = v
}

func (h *xxhash) sum() uint64 {
	le := binary.LittleEndian
	var s uint64 = xxPrime5
	if h.total >= 32 {
		s = bits.RotateLeft64(h.v[0], 1) + bits.RotateLeft64(h.v[1], 7) + bits.RotateLeft64(h.v[2], 12) + bits.RotateLeft64(h.v[3], 18)
		for _, v := range h.v {
			s = (s^xxRound(0, v))*xxPrime1 + xxPrime4
		}
	}
	s += h.total
	b := h.rest[:h.n]
	for ; len(b) >= 8; b = b[8:] {
		s = bits.RotateLeft64(s^xxRound(0, le.Uint64(b)), 27)*xxPrime1 + xxPrime4
	}
	if len(b) >= 4 {
		s = bits.RotateLeft64(s^uint64(le.Uint32(b))*xxPrime1, 23)*xxPrime2 + xxPrime3
		b = b[4:]
	}
	for _, c := range b {
		s = bits.RotateLeft64(s^uint64(c)*xxPrime5, 11) * xxPrime1
	}
	s = (s ^ s>>33) * xxPrime2
	s = (s ^ s>>29) * xxPrime3
	return s ^ s>>32
}
