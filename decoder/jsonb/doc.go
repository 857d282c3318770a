// Package jsonb reads MySQL's binary JSON: documents as JSON columns store them (MySQL 5.7+), and the partial updates of
// PARTIAL_UPDATE_ROWS_EVENT (MySQL 8.0+). MariaDB has neither: its JSON is text.
//
// [AppendText] and [AppendJSON] make text of a document in one pass over its bytes, without a tree in between.
// [ReadDiffs] reads a diff vector, and a [Tree] applies it to the document of the before image.
//
// A document is a type byte and a value. All integers are little-endian.
//
//	0  1  object, small or large       4  literal: u8 0 null, 1 true, 2 false     9 10  int64, uint64
//	2  3  array, small or large        5  6  int16, uint16                           11  double
//	                                   7  8  int32, uint32                           12  string: length, utf8mb4
//	                                                                                 15  opaque: u8 column type, length, bytes
//
// The length of strings and opaque values takes 7 bits a byte, the low ones first; a top bit says that more follow. A
// container has words of 2 bytes when small, of 4 when large:
//
//	word   count       members or elements
//	word   size        bytes of the container from here on, these two words included
//	count × (word key_offset, u16 key_length)     objects only
//	count × (u8 type, word value_offset)
//	keys and values
//
// Offsets count from the first word. Literals, int16 and uint16 stand in their entry in place of the offset; in large
// containers int32 and uint32 as well. Keys are sorted by length, then by bytes. Updates in place leave gaps behind.
//
// The bytes may be anything: every offset, size and count is checked before it is used. Values of a server's document
// never share bytes, so the bytes of all that is read are counted, and more than the document has is an error: time is
// proportional to the document, and its text takes at most [MaxExpansion] bytes for each of its bytes, however its
// offsets are tangled. All faults are of kind Corrupt: the length of a document is that of its cell, so none of it can be
// still to come.
//
// Layout:
//
//	reader.go  the binary format: items, containers, the count of bytes
//	text.go    documents as text
//	opaque.go  decimals, dates and times, and other column types inside of documents
//	path.go    JSON paths
//	diff.go    diff vectors
//	tree.go    documents that change
//	patch.go   and how diffs change them
package jsonb
