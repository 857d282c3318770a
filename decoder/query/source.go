package query

import (
	"binlens/decoder"
	"binlens/decoder/index"
)

// Source is the log that a Run looks at. Its index may grow between two steps.
type Source interface {
	Index() *index.Index

	// Done says that the index has all there will be.
	Done() bool

	// Table returns a version of a table map, nil when it cannot be read. Names that it does not have itself are those known of
	// it in the log so far; a row event may be read with others.
	Table(version uint32) *decoder.TableMap

	// Read reads a row of the log that is an event. The error is one of reading the file.
	Read(ordinal int64, e *Event) error

	// Server returns the server id of an event.
	Server(ordinal int64) (uint32, error)

	// Transaction returns what is known of a transaction, numbered from 1 as in the index.
	Transaction(group uint32) Transaction

	// Problems returns the kinds of problems that a row has: bit k is wire.Kind k.
	Problems(ordinal int64) (uint8, error)
}

// Event is an event as it was read.
type Event struct {
	Context decoder.Context // with the table map of a row event, and the names that hold for it
	Header  decoder.Header
	Raw     []byte // from its first byte to its last, valid until the next Read
	Sum     int    // bytes of checksum at its end
	Unread  bool   // it is not looked into: too large, encrypted, or without its table map. All else is not set then
}

// Decode decodes the event, a row event into rows; nil for one that cannot be read to its end.
func (e *Event) Decode(rows *decoder.Rows) decoder.Event {
	if n := len(e.Raw) - e.Sum; e.Header.Type.RowOp() != decoder.NoRows && n >= e.Header.Len {
		if !rows.Read(&e.Context, e.Header, e.Raw[e.Header.Len:n]) {
			return nil
		}
		return rows
	}
	ev, bad := decoder.DecodeWhole(&e.Context, e.Header, e.Raw, e.Sum, nil)
	if bad != nil {
		return nil
	}
	return ev
}

// Transaction is what is known of a transaction.
type Transaction struct {
	First, Last int64 // ordinals; rows inside a payload belong to it
	State       index.State
	Growing     bool // more rows of it may come: Last and State are not the last word
}
