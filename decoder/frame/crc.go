//go:build !wasm

package frame

import "hash/crc32"

// crcOf is the zlib CRC-32 of p.
func crcOf(p []byte) uint32 { return crc32.ChecksumIEEE(p) }
