package frame

import (
	"encoding/binary"
	"hash/crc32"
)

// crcTables are those of slicing by 16: table i is for a byte that i more follow. hash/crc32 has only the first eight of them
// in wasm, and is slower by a quarter on events of 100 bytes.
var crcTables [16][256]uint32

func init() {
	t := &crcTables
	t[0] = *crc32.IEEETable
	for i := range 15 {
		for b, v := range t[i] {
			t[i+1][b] = v>>8 ^ t[0][uint8(v)]
		}
	}
}

// crcOf is the zlib CRC-32 of p.
func crcOf(p []byte) uint32 {
	t, crc := &crcTables, ^uint32(0)
	for len(p) >= 16 {
		a, b := binary.LittleEndian.Uint64(p)^uint64(crc), binary.LittleEndian.Uint64(p[8:])
		crc = t[15][uint8(a)] ^ t[14][uint8(a>>8)] ^ t[13][uint8(a>>16)] ^ t[12][uint8(a>>24)] ^
			t[11][uint8(a>>32)] ^ t[10][uint8(a>>40)] ^ t[9][uint8(a>>48)] ^ t[8][uint8(a>>56)] ^
			t[7][uint8(b)] ^ t[6][uint8(b>>8)] ^ t[5][uint8(b>>16)] ^ t[4][uint8(b>>24)] ^
			t[3][uint8(b>>32)] ^ t[2][uint8(b>>40)] ^ t[1][uint8(b>>48)] ^ t[0][uint8(b>>56)]
		p = p[16:]
	}
	if len(p) >= 8 {
		b := binary.LittleEndian.Uint64(p) ^ uint64(crc)
		crc = t[7][uint8(b)] ^ t[6][uint8(b>>8)] ^ t[5][uint8(b>>16)] ^ t[4][uint8(b>>24)] ^
			t[3][uint8(b>>32)] ^ t[2][uint8(b>>40)] ^ t[1][uint8(b>>48)] ^ t[0][uint8(b>>56)]
		p = p[8:]
	}
	for _, c := range p {
		crc = t[0][uint8(crc)^c] ^ crc>>8
	}
	return ^crc
}
