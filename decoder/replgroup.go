package decoder

import (
	"binlens/decoder/gtid"
	"binlens/decoder/wire"
	"bytes"
)

// TransactionContext is a TRANSACTION_CONTEXT_EVENT (group replication): what certification needs of a transaction.
//
//	0  u8  server_uuid_len
//	1  u32 thread_id
//	5  u8  gtid_specified
//	6  u32 encoded_snapshot_version_length
//	10 u32 write_set_count
//	14 u32 read_set_count
//	   server_uuid as text, the snapshot as a GTID set, then the items of both sets: u16 length and bytes
type TransactionContext struct {
	ServerUUID    []byte
	ThreadID      uint32
	GtidSpecified uint8
	SnapshotLen   uint32
	Snapshot      []GtidSid
	SnapshotTag   bool // the snapshot is in the tagged form
	WriteCount    uint32
	ReadCount     uint32
	WriteSet      [][]byte
	ReadSet       [][]byte
}

func (*TransactionContext) isEvent() {}

func (e *TransactionContext) decode(c *wire.Cursor, f *FormatDescription) {
	n := int(c.Uint8())
	c.Field("server_uuid_len")
	e.ThreadID = c.Uint32()
	c.Field("thread_id")
	e.GtidSpecified = c.Uint8()
	c.Field("gtid_specified")
	e.SnapshotLen = c.Uint32()
	c.Field("snapshot_len")
	e.WriteCount = c.Uint32()
	c.Field("write_set_count")
	e.ReadCount = c.Uint32()
	c.Field("read_set_count")
	skipPostHeader(c, f.PostHeaderLen(TransactionContextType))
	e.ServerUUID = c.Bytes(n)
	c.Field("server_uuid")
	if e.SnapshotLen > 0 {
		c.Begin("snapshot")
		s := c.Sub(c.Count(uint64(e.SnapshotLen), 1))
		e.Snapshot, e.SnapshotTag = decodeGtidSet(&s)
		s.Surplus()
		c.Join(&s)
		c.End()
	}
	e.WriteSet = decodeItems(c, "write_set", e.WriteCount)
	e.ReadSet = decodeItems(c, "read_set", e.ReadCount)
}

func decodeItems(c *wire.Cursor, name string, count uint32) (items [][]byte) {
	n := c.Count(uint64(count), 2)
	for i := 0; i < n && c.OK(); i++ {
		items = append(items, c.Bytes(int(c.Uint16())))
		c.FieldItem(name, i)
	}
	if !c.OK() {
		c.Field(name)
	}
	return items
}

// ViewChange is a VIEW_CHANGE_EVENT (group replication): the members of the group changed.
//
//	0  40  view_id, NUL padded
//	40 u64 seq_number
//	48 u32 certification_info_count
//	   for each: u16 length and key, u32 length and value
type ViewChange struct {
	ViewID []byte
	Seq    uint64
	Count  uint32
	Info   []CertificationInfo
}

// CertificationInfo is one entry of a ViewChange.
type CertificationInfo struct{ Key, Value []byte }

func (*ViewChange) isEvent() {}

const viewIDLen = 40

func (e *ViewChange) decode(c *wire.Cursor, f *FormatDescription) {
	e.ViewID = cutNUL(c.Bytes(viewIDLen))
	c.Field("view_id")
	e.Seq = c.Uint64()
	c.Field("seq_number")
	e.Count = c.Uint32()
	c.Field("certification_info_count")
	skipPostHeader(c, f.PostHeaderLen(ViewChangeType))
	n := c.Count(uint64(e.Count), 6)
	for i := 0; i < n && c.OK(); i++ {
		var x CertificationInfo
		c.BeginItem("certification_info", i)
		x.Key = c.Bytes(int(c.Uint16()))
		c.Field("key")
		x.Value = c.Bytes(c.Count(uint64(c.Uint32()), 1))
		c.Field("value")
		c.End()
		e.Info = append(e.Info, x)
	}
	if !c.OK() {
		c.Field("certification_info")
	}
}

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
	if c.OK() && e.LastNonIgnorable > taggedKnown {
		c.FailAt(at2, wire.Unsupported, "field "+utoa(e.LastNonIgnorable-1)+" may not be ignored and is not known")
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
		e.Flags = uint8(c.Varlen())
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

// Payload compression types.
const (
	PayloadZstd = 0
	PayloadNone = 255
)

// Fields of a TRANSACTION_PAYLOAD_EVENT.
const (
	payloadEnd              = 0
	payloadSize             = 1
	payloadCompression      = 2
	payloadUncompressedSize = 3
)

// TransactionPayload is a TRANSACTION_PAYLOAD_EVENT (8.0.20+): a whole transaction, compressed. The events inside have
// the common header, no checksum, and next_position 0.
//
//	fields of lenenc type, lenenc length and lenenc value, up to type 0: 1 payload size, 2 compression type (0 zstd,
//	255 none), 3 uncompressed size; in any order
//	payload
type TransactionPayload struct {
	Size                uint64 // bytes that the field says
	HasCompression      bool
	Compression         uint64
	HasUncompressedSize bool
	UncompressedSize    uint64 // bytes that the field says
	Unknown             []TypedBytes
	Payload             []byte
}

func (*TransactionPayload) isEvent() {}

func (e *TransactionPayload) decode(c *wire.Cursor) {
	hasSize := false
	for c.OK() {
		typ := c.Lenenc()
		if typ == payloadEnd {
			c.Field("end_mark")
			break
		}
		v := c.Sub(c.Count(c.Lenenc(), 1))
		switch typ {
		case payloadSize:
			e.Size, hasSize = v.Lenenc(), true
			c.FieldFrom(&v, "payload_size")
		case payloadCompression:
			e.Compression, e.HasCompression = v.Lenenc(), true
			c.FieldFrom(&v, "compression_type")
		case payloadUncompressedSize:
			e.UncompressedSize, e.HasUncompressedSize = v.Lenenc(), true
			c.FieldFrom(&v, "uncompressed_size")
		default:
			e.Unknown = append(e.Unknown, TypedBytes{typ, v.Rest()})
			c.FieldFrom(&v, wire.Item("unknown", len(e.Unknown)-1))
		}
	}
	n := c.Len()
	if hasSize {
		n = c.Count(e.Size, 1)
	}
	e.Payload = c.Bytes(n)
	c.Field("payload")
}

// Clone returns a copy of the payload's bytes: they outlive the event's.
func (e *TransactionPayload) Clone() []byte { return bytes.Clone(e.Payload) }
