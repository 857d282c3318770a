// Package wire reads bytes: the integers, strings and length-encoded values of which binary-log events are made.
//
// Everything above it reads through a [Cursor], which never runs past its bytes, never panics on them, and remembers the
// first thing that went wrong ([Error]) so that a decoder reads like its own byte table and looks at the error once. A
// [Recorder], when one is attached, turns the same reads into named byte ranges ([Span]): what the page draws as a tree
// and paints over the hex.
//
// Layout: cursor.go has the reads, record.go the naming of what was read, error.go what can be wrong.
//
// All integers are little-endian unless a method says BE.
package wire
