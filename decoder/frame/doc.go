// Package frame cuts a binary log into its listed rows: events, and the stretches of bytes that are none.
//
// [Sniff] tells what a file is by its first bytes. A [Scanner] then goes through it from front to back. It is fed the
// bytes as they are read and needs random access only for what is out of the ordinary: looking ahead for the next event
// behind damage, and going back when a length turns out to lie.
//
// Every byte after the magic belongs to exactly one row. Where no event can be read the scanner looks for the next one: a
// header that makes sense and is confirmed by the header behind it, or by the event's checksum. What it skipped becomes
// one row, with the reason.
//
// Nearly all events are plain: [Scanner.Run] takes many of them at once, and a scanner may do that from any place of a file on
// that a chain of headers proves to be the start of an event.
//
// Layout: sniff.go names files; scan.go walks events, run.go plain ones; stream.go passes those too large to hold; search.go finds the next
// event behind damage; payload.go walks the events inside a transaction payload; checksum.go and
// crc*.go.
package frame
