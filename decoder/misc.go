package decoder

import "binlens/decoder/wire"

// Numbers of an Incident.
const (
	IncidentNone       = 0
	IncidentLostEvents = 1
)

// Incident is an INCIDENT_EVENT (5.1+): something happened on the server that the log does not show, and replicas stop.
//
//	0 u16 incident: 1 LOST_EVENTS
//	2 u8  length, message
type Incident struct {
	Number  uint16
	Message []byte
}

func (*Incident) isEvent() {}

func (e *Incident) decode(c *wire.Cursor, f *FormatDescription) {
	e.Number = c.Uint16()
	c.Field("incident")
	skipPostHeader(c, f.PostHeaderLen(IncidentType))
	e.Message = c.LenBytes()
	c.Field("message")
}

// Heartbeat is a HEARTBEAT_LOG_EVENT, sent over the network where there is nothing else to send: the log's name, to the
// end. The header's next_position is the position.
type Heartbeat struct{ LogName []byte }

func (*Heartbeat) isEvent() {}

func (e *Heartbeat) decode(c *wire.Cursor) {
	e.LogName = c.Rest()
	c.Field("log_name")
}

// Fields of a HEARTBEAT_LOG_EVENT_V2.
const (
	HeartbeatEnd      = 0
	HeartbeatLogName  = 1
	HeartbeatPosition = 2
)

// HeartbeatV2 is a HEARTBEAT_LOG_EVENT_V2 (8.0.27+, network only): fields of lenenc type, lenenc length and value, up to
// type 0.
type HeartbeatV2 struct {
	HasLogName  bool
	LogName     []byte
	HasPosition bool
	Position    uint64
	Unknown     []TypedBytes
	HasEnd      bool
}

// TypedBytes is a field that is not known: its type and its value.
type TypedBytes struct {
	Type  uint64
	Value []byte
}

func (*HeartbeatV2) isEvent() {}

// once notes that a field is there, which it may be once.
func once(v *wire.Cursor, has *bool) {
	if *has {
		v.FailAt(0, wire.Corrupt, "the field is there for the second time")
	}
	*has = true
}

func (e *HeartbeatV2) decode(c *wire.Cursor) {
	for c.Len() > 0 {
		typ := c.Lenenc()
		if typ == HeartbeatEnd {
			e.HasEnd = c.OK()
			c.Field("end_mark")
			return
		}
		v := c.Sub(c.Count(c.Lenenc(), 1))
		switch typ {
		case HeartbeatLogName:
			once(&v, &e.HasLogName)
			e.LogName = v.Rest()
			c.FieldFrom(&v, "log_name")
		case HeartbeatPosition:
			once(&v, &e.HasPosition)
			e.Position = v.Lenenc()
			v.ExpectEnd()
			c.FieldFrom(&v, "position")
		default:
			e.Unknown = append(e.Unknown, TypedBytes{typ, v.Rest()})
			c.FieldFrom(&v, wire.Item("unknown", len(e.Unknown)-1))
		}
	}
}

// XaPrepare is an XA_PREPARE_LOG_EVENT (MySQL 5.7.7+, MariaDB 10.5+): it ends an XA transaction, as prepared or, in one
// phase, as committed.
//
//	0 u8  one_phase
//	1 u32 format_id
//	5 u32 gtrid_length
//	9 u32 bqual_length
//	  gtrid, bqual
type XaPrepare struct {
	OnePhase     uint8
	FormatID     uint32
	Gtrid, Bqual []byte
}

func (*XaPrepare) isEvent() {}

func (e *XaPrepare) decode(c *wire.Cursor) {
	e.OnePhase = c.Uint8()
	c.Field("one_phase")
	e.FormatID = c.Uint32()
	c.Field("format_id")
	g := c.Count(uint64(c.Uint32()), 1)
	c.Field("gtrid_length")
	b := c.Count(uint64(c.Uint32())+uint64(g), 1) - g
	c.Field("bqual_length")
	e.Gtrid = c.Bytes(g)
	c.Field("gtrid")
	e.Bqual = c.Bytes(b)
	c.Field("bqual")
}

// StartEncryption is a START_ENCRYPTION_EVENT (MariaDB 10.1+): every event after it is encrypted.
//
//	0 u8  scheme: 1
//	1 u32 key_version
//	5 12  nonce
type StartEncryption struct {
	Scheme     uint8
	KeyVersion uint32
	Nonce      []byte
}

func (*StartEncryption) isEvent() {}

const nonceLen = 12

func (e *StartEncryption) decode(c *wire.Cursor) {
	e.Scheme = c.Uint8()
	c.Field("scheme")
	e.KeyVersion = c.Uint32()
	c.Field("key_version")
	e.Nonce = c.Bytes(nonceLen)
	c.Field("nonce")
}

// LargeTransaction is a LARGE_TRANSACTION_HEADER_EVENT (no released server): it stands in front of a transaction that
// was written to a file of its own.
//
//	0 u8  version: 1
//	1 u64 terminating_event_offset
//	9 u8  terminating_event_type
//	  padding
type LargeTransaction struct {
	Version    uint8
	EndOffset  uint64
	EndType    uint8
	PaddingLen int
}

func (*LargeTransaction) isEvent() {}

func (e *LargeTransaction) decode(c *wire.Cursor) {
	e.Version = c.Uint8()
	c.Field("version")
	e.EndOffset = c.Uint64()
	c.Field("terminating_event_offset")
	e.EndType = c.Uint8()
	c.Field("terminating_event_type")
	if e.PaddingLen = c.Len(); e.PaddingLen > 0 {
		c.Rest()
		c.Field("padding")
	}
}

// PartialRowData is a PARTIAL_ROW_DATA_EVENT (MariaDB 12.3+): a piece of a row event that is too large for a packet. The
// pieces follow each other; put together they are the row event, header included.
//
//	0 u32 total_fragments
//	4 u32 seq_no, from 1
//	8 u8  flags: 1 = u64 original_size follows (first piece only)
//	  chunk, to the end
type PartialRowData struct {
	Total        uint32
	Seq          uint32
	Flags        uint8
	HasSize      bool
	OriginalSize uint64
	Chunk        []byte
}

func (*PartialRowData) isEvent() {}

// ReadPiece reads the body of a PARTIAL_ROW_DATA_EVENT, or the beginning of it: then Chunk is a beginning, too. ok is false when
// it ends before the chunk.
func ReadPiece(body []byte) (p PartialRowData, ok bool) {
	c := wire.NewCursor(body, 0, nil)
	p.decode(&c)
	return p, c.OK()
}

func (e *PartialRowData) decode(c *wire.Cursor) {
	e.Total = c.Uint32()
	c.Field("total_fragments")
	e.Seq = c.Uint32()
	c.Field("seq_no")
	e.Flags = c.Uint8()
	c.Field("flags")
	if e.Flags&1 != 0 {
		e.HasSize = true
		e.OriginalSize = c.Uint64()
		c.Field("original_size")
	}
	e.Chunk = c.Rest()
	c.Field("chunk")
}
