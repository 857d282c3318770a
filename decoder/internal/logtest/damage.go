package logtest

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
)

// All of these return a damaged copy.

// Flip turns the bits of mask over at a place.
func Flip(b []byte, at int, mask byte) []byte {
	n := slices.Clone(b)
	n[at] ^= mask
	return n
}

// Cut takes bytes out.
func Cut(b []byte, from, to int) []byte { return slices.Delete(slices.Clone(b), from, to) }

// Insert puts bytes in.
func Insert(b []byte, at int, what []byte) []byte { return slices.Insert(slices.Clone(b), at, what...) }

// Zero overwrites bytes with zeros.
func Zero(b []byte, from, to int) []byte {
	n := slices.Clone(b)
	clear(n[from:to])
	return n
}

// SwapParts exchanges b[from:mid] and b[mid:to].
func SwapParts(b []byte, from, mid, to int) []byte {
	return Cat(b[:from], b[mid:to], b[from:mid], b[to:])
}

// SetSize lets the event at off claim another size.
func SetSize(b []byte, off int, size uint32) []byte {
	n := slices.Clone(b)
	binary.LittleEndian.PutUint32(n[off+9:], size)
	return n
}

// Resum makes the checksum of an event right again.
func Resum(b []byte, e Placed) []byte {
	n := slices.Clone(b)
	end := e.Off + e.Size - 4
	binary.LittleEndian.PutUint32(n[end:], crc32.ChecksumIEEE(n[e.Off:end]))
	return n
}
