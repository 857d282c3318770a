// Package inflate decompresses what binary logs hold compressed: the zstd frames of TRANSACTION_PAYLOAD_EVENT (MySQL
// 8.0.20+), and MariaDB's compressed events and columns, which are zlib streams with a header of their own.
//
// Sizes written in a file are never believed: output grows as it is made, ends at the caller's limit, and a size that does
// not match what comes out is an error. Input is in memory; output is appended, or, for zstd, read in a stream that keeps
// no more than the frame's window. All functions say on an error why, and where in the input ([Error]).
//
// zstd is read as RFC 8878 has it, in all versions since 0.8: several frames, skippable frames, unknown content sizes, any
// window, checksums. Dictionaries are not read: no server uses them. The decoder is this package's own because a
// general-purpose one adds a quarter of a megabyte to the page.
//
// Layout:
//
//	error.go    Error and its reasons
//	zstd.go     frames: Zstd and ZstdReader
//	block.go    blocks: literals, sequences, matches
//	huffman.go  literals
//	fse.go      tables of the sequences' symbols
//	bits.go     bit streams, read backwards and forwards
//	xxhash.go   the frames' checksum
//	zlib.go     Zlib and Deflate, over compress/flate
//	mariadb.go  MariaDB's headers
package inflate
