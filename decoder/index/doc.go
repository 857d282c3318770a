// Package index keeps what a page needs to know of every row of a log, in few bytes a row and without pointers.
//
// A [Builder] takes frames in their order and fills an [Index]: offset, size, timestamp, type, table version and
// transaction of every row. Rows live in slabs of 65,536, so that growth never copies. What changes rarely is kept beside
// them, by the ordinal from which it holds: format descriptions, table maps (each distinct one once).
//
// The index is usable while it grows: what it says of a row does not change once the row is there, except that a later
// row may end or continue a transaction.
//
// Layout: index.go has the columns and their readers; entry.go reads what a frame says by itself; build.go
// puts that in its place; tables.go tells table versions; group.go is
// the state machine that finds transactions.
package index
