package frame

import (
	"binlens/decoder"
	"binlens/decoder/wire"
)

// Kind tells what a listed row is.
type Kind uint8

// The kinds of rows.
const (
	Event     Kind = iota
	Gap            // bytes that are no event
	Padding        // zero bytes, as a server preallocates them
	Truncated      // the beginning of an event whose end the file does not have
)

var kindNames = [...]string{"event", "gap", "padding", "truncated"}

// String returns the kind's name as it stands in the event JSON.
func (k Kind) String() string { return kindNames[k] }

// Frame is one row of a log.
type Frame struct {
	Kind   Kind
	Off    int64 // in the file
	Size   int64 // bytes
	Header decoder.Header
	Raw    []byte // the bytes of an event, valid until the next call of the Scanner; nil when it is larger than the scanner's limit
	Head   []byte // where Raw is nil, the first bytes of the event: as many as HeadLen
	Sum    Sum
	Format *decoder.FormatDescription // in force for this event; its own for a format description
	Cipher bool                       // an event of a MariaDB log encrypted from START_ENCRYPTION_EVENT on: of its header only the size is known
	Bad    *wire.Error                // what is wrong with the row as a whole; offsets count from the row's first byte
}

// HeadLen is how many bytes of an event too large to hold are kept.
const HeadLen = 256

// Sum is the checksum of an event.
type Sum struct {
	Len      int    // bytes of it at the end of the event: 0 or 4
	Stored   uint32 // as it stands in the event
	Computed uint32
	InUse    bool // computed with the in-use flag of the format description cleared
}

// OK says that there is no checksum or that it is right.
func (s Sum) OK() bool { return s.Len == 0 || s.Stored == s.Computed }
