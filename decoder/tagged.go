package decoder

import (
	"binlens/decoder/gtid"
	"binlens/decoder/wire"
)

// Fields of a GTID_TAGGED_LOG_EVENT.
const (
	taggedFlags = iota
	taggedUUID
	taggedGNO
	taggedTag
	taggedLastCommitted
	taggedSequenceNumber
	taggedImmediateTimestamp
	taggedOriginalTimestamp
	taggedLength
	taggedImmediateVersion
	taggedOriginalVersion
	taggedTicket
	taggedKnown // one more than the highest field known here
)

var taggedNames = [taggedKnown]string{"gtid_flags", "uuid", "gno", "tag", "last_committed", "sequence_number",
	"immediate_commit_timestamp", "original_commit_timestamp", "transaction_length", "immediate_server_version",
	"original_server_version", "commit_group_ticket"}

// GtidTagged is a GTID_TAGGED_LOG_EVENT (8.3+): a GTID_EVENT for a transaction whose GTID has a tag. It is a message of
// MySQL's serialization library, whose numbers are of variable length ([wire.Cursor.Varlen]).
//
//	version (1), size of the whole message in bytes, last_non_ignorable field + 1 or 0, and then fields in ascending order:
//	the field's number and its value
//
// A field that is absent is not zero: Has says which are there.
type GtidTagged struct {
	Version            uint64
	MessageSize        uint64
	LastNonIgnorable   uint64
	has                uint16
	Flags              uint8
	UUID               gtid.UUID
	GNO                int64
	Tag                []byte
	LastCommitted      int64
	SequenceNumber     int64
	ImmediateTimestamp uint64 // µs
	OriginalTimestamp  uint64 // µs
	TransactionLength  uint64 // bytes
	ImmediateVersion   uint64
	OriginalVersion    uint64
	CommitGroupTicket  uint64
	Unknown            []byte // from the first field on that is not known
}

func (*GtidTagged) isEvent() {}

// TaggedField is the number of a field of a GtidTagged.
type TaggedField uint8

// Name returns the field's name.
func (f TaggedField) Name() string { return taggedNames[f] }

// Has says that the event has the field.
func (e *GtidTagged) Has(f TaggedField) bool { return e.has>>f&1 != 0 }

// Fields returns the numbers of the fields that the event has, in wire order.
func (e *GtidTagged) Fields() (list []TaggedField) {
	for f := TaggedField(0); f < taggedKnown; f++ {
		if e.Has(f) {
			list = append(list, f)
		}
	}
	return list
}

// GTID returns the transaction's identifier.
func (e *GtidTagged) GTID() gtid.GTID {
	return gtid.GTID{TSID: gtid.TSID{UUID: e.UUID, Tag: string(e.Tag)}, GNO: uint64(e.GNO)}
}

func (e *GtidTagged) decode(c *wire.Cursor) {
	at := c.Pos()
	e.Version = c.Varlen()
	if c.OK() && e.Version != 1 {
		c.FailAt(at, wire.Unsupported, "version "+utoa(e.Version)+" of the message is not 1")
	}
	c.Field("version")
	at2 := c.Pos()
	e.MessageSize = c.Varlen()
	if c.OK() && (e.MessageSize > uint64(len(c.Data())-at) || e.MessageSize < uint64(c.Pos()-at)) {
		c.FailAt(at2, wire.Corrupt, "a message of "+utoa(e.MessageSize)+" bytes in a body of "+itoa(len(c.Data())-at))
	}
	c.Field("message_size")
	at2 = c.Pos()
	e.LastNonIgnorable = c.Varlen()
	switch {
	case c.OK() && e.LastNonIgnorable > taggedKnown:
		c.FailAt(at2, wire.Unsupported, "field "+utoa(e.LastNonIgnorable-1)+" may not be ignored and is not known")
	case c.OK() && e.MessageSize < uint64(c.Pos()-at):
		c.FailAt(at2, wire.Corrupt, "the message of "+utoa(e.MessageSize)+" bytes ends before this")
	}
	c.Field("last_non_ignorable")
	if !c.OK() {
		return
	}
	m := c.Sub(int(e.MessageSize) - (c.Pos() - at))
	e.decodeFields(&m)
	c.Join(&m)
}

func (e *GtidTagged) decodeFields(c *wire.Cursor) {
	next := uint64(0)
	for c.Len() > 0 {
		look := *c
		id := look.Varlen()
		if !look.OK() || id >= taggedKnown {
			e.Unknown = c.Rest()
			c.Field("unknown_fields")
			return
		}
		at := c.Pos()
		c.Varlen()
		if id < next {
			c.FailAt(at, wire.Corrupt, "field "+utoa(id)+" stands behind field "+utoa(next-1))
		}
		e.decodeField(c, TaggedField(id))
		c.Field(taggedNames[id])
		if c.OK() {
			e.has |= 1 << id
		}
		next = id + 1
	}
}

func (e *GtidTagged) decodeField(c *wire.Cursor, id TaggedField) {
	at := c.Pos()
	switch id {
	case taggedFlags:
		n := c.Varlen()
		if n > 0xff {
			c.FailAt(at, wire.Corrupt, "flags "+utoa(n)+" are more than a byte")
		}
		e.Flags = uint8(n)
	case taggedUUID:
		for i := range e.UUID {
			b := c.Varlen()
			if b > 0xff {
				c.FailAt(at, wire.Corrupt, "a byte of the uuid is "+utoa(b))
			}
			e.UUID[i] = byte(b)
		}
	case taggedGNO:
		if e.GNO = c.VarlenSigned(); c.OK() && (e.GNO < 1 || uint64(e.GNO) > gtid.MaxGNO) {
			c.FailAt(at, wire.Corrupt, "transaction number "+utoa(uint64(e.GNO))+" is not in 1 to 9223372036854775806")
		}
	case taggedTag:
		n := c.Varlen()
		if n > gtid.MaxTagLen {
			c.FailAt(at, wire.Corrupt, "a tag of "+utoa(n)+" bytes: at most 32")
			return
		}
		e.Tag = c.Bytes(int(n))
	case taggedLastCommitted:
		e.LastCommitted = c.VarlenSigned()
	case taggedSequenceNumber:
		e.SequenceNumber = c.VarlenSigned()
	default:
		*e.number(id) = c.Varlen()
	}
}

// number returns the place of an unsigned field.
func (e *GtidTagged) number(id TaggedField) *uint64 {
	switch id {
	case taggedImmediateTimestamp:
		return &e.ImmediateTimestamp
	case taggedOriginalTimestamp:
		return &e.OriginalTimestamp
	case taggedLength:
		return &e.TransactionLength
	case taggedImmediateVersion:
		return &e.ImmediateVersion
	case taggedOriginalVersion:
		return &e.OriginalVersion
	}
	return &e.CommitGroupTicket
}
