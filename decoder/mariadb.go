package decoder

import (
	"binlens/decoder/gtid"
	"binlens/decoder/wire"
)

// Flags of a MariaDB GTID_EVENT.
const (
	MariaGtidStandalone    = 0x01 // one statement, no COMMIT ends it
	MariaGtidGroupCommitID = 0x02
	MariaGtidTransactional = 0x04
	MariaGtidAllowParallel = 0x08
	MariaGtidWaited        = 0x10
	MariaGtidDDL           = 0x20
	MariaGtidPreparedXA    = 0x40
	MariaGtidCompletedXA   = 0x80
)

// Extra flags of a MariaDB GTID_EVENT, and flags of the status variable gtid_flags3.
const (
	GtidExtraMultiEngine   = 0x01
	GtidExtraStartAlter    = 0x02
	GtidExtraCommitAlter   = 0x04
	GtidExtraRollbackAlter = 0x08
	GtidExtraThreadID      = 0x10
)

// AnnotateRows is an ANNOTATE_ROWS_EVENT (MariaDB 5.3+): the statement whose rows follow, as text to the end.
type AnnotateRows struct{ Text []byte }

func (*AnnotateRows) isEvent() {}

func (e *AnnotateRows) decode(c *wire.Cursor) {
	e.Text = c.Rest()
	c.Field("query")
}

// BinlogCheckpoint is a BINLOG_CHECKPOINT_EVENT (MariaDB 10.0+): the oldest log that crash recovery needs.
//
//	0 u32 name_len, name
type BinlogCheckpoint struct{ Name []byte }

func (*BinlogCheckpoint) isEvent() {}

func (e *BinlogCheckpoint) decode(c *wire.Cursor) {
	n := c.Count(uint64(c.Uint32()), 1)
	c.Field("name_len")
	e.Name = c.Bytes(n)
	c.Field("name")
}

// MariaGtid is a GTID_EVENT of MariaDB (10.0+), which opens an event group. Its GTID is domain_id, the header's
// server_id, and seq_no.
//
//	0  u64 seq_no
//	8  u32 domain_id
//	12 u8  flags2, and then what the flags announce:
//	   u64 commit_id                                     flags2 & 0x02
//	   u32 format_id, u8 gtrid_length, u8 bqual_length, xid  flags2 & 0xc0
//	   u8 flags_extra                                    where bytes are left
//	   u8 extra_engines                                  flags_extra & 1
//	   u64 sa_seq_no                                     flags_extra & 0x0c
//	   u32 thread_id                                     flags_extra & 0x10
//	   zeros up to a post-header of 19 bytes
type MariaGtid struct {
	ServerID     uint32 // of the header
	SeqNo        uint64
	DomainID     uint32
	Flags2       uint8
	CommitID     uint64
	FormatID     uint32
	Gtrid, Bqual []byte
	HasExtra     bool
	FlagsExtra   uint8
	ExtraEngines uint8
	SaSeqNo      uint64
	ThreadID     uint32
}

func (*MariaGtid) isEvent() {}

// HasXID says that the event carries the identifier of an XA transaction.
func (e *MariaGtid) HasXID() bool { return e.Flags2&(MariaGtidPreparedXA|MariaGtidCompletedXA) != 0 }

// HasSaSeqNo says that the event carries the sequence number of the START ALTER that it completes.
func (e *MariaGtid) HasSaSeqNo() bool {
	return e.FlagsExtra&(GtidExtraCommitAlter|GtidExtraRollbackAlter) != 0
}

// GTID returns the transaction's identifier.
func (e *MariaGtid) GTID() gtid.MariaGTID {
	return gtid.MariaGTID{Domain: e.DomainID, Server: e.ServerID, Seq: e.SeqNo}
}

const mariaGtidLen = 19

func (e *MariaGtid) decode(c *wire.Cursor, h Header) {
	e.ServerID = h.ServerID
	e.SeqNo = c.Uint64()
	c.Field("seq_no")
	e.DomainID = c.Uint32()
	c.Field("domain_id")
	e.Flags2 = c.Uint8()
	c.Field("flags2")
	if e.Flags2&MariaGtidGroupCommitID != 0 {
		e.CommitID = c.Uint64()
		c.Field("commit_id")
	}
	if e.HasXID() {
		e.decodeXID(c)
	}
	if c.Len() > 0 && !e.onlyPadding(c) {
		e.decodeExtra(c)
	}
	if n := c.Len(); n > 0 {
		c.Rest()
		c.Field("padding")
	}
}

func (e *MariaGtid) decodeXID(c *wire.Cursor) {
	e.FormatID = c.Uint32()
	c.Field("format_id")
	g := xidLength(c, "gtrid_length")
	b := xidLength(c, "bqual_length")
	e.Gtrid = c.Bytes(g)
	c.Field("gtrid")
	e.Bqual = c.Bytes(b)
	c.Field("bqual")
}

// maxXIDPart is how many bytes each part of an XA transaction's id has at most.
const maxXIDPart = 64

func xidLength(c *wire.Cursor, name string) int {
	at, n := c.Pos(), int(c.Uint8())
	if n > maxXIDPart {
		c.FailAt(at, wire.Corrupt, itoa(n)+" bytes: a part of an XA transaction's id has at most 64")
	}
	c.Field(name)
	return n
}

// onlyPadding says that what is left are the zeros that fill up the post-header: servers before 10.6 wrote them where
// later ones have flags_extra, which as zero means the same.
func (e *MariaGtid) onlyPadding(c *wire.Cursor) bool {
	look := *c
	for _, b := range look.Rest() {
		if b != 0 {
			return false
		}
	}
	return c.Pos() < mariaGtidLen
}

func (e *MariaGtid) decodeExtra(c *wire.Cursor) {
	e.HasExtra = true
	e.FlagsExtra = c.Uint8()
	c.Field("flags_extra")
	if e.FlagsExtra&GtidExtraMultiEngine != 0 {
		e.ExtraEngines = c.Uint8()
		c.Field("extra_engines")
	}
	if e.HasSaSeqNo() {
		e.SaSeqNo = c.Uint64()
		c.Field("sa_seq_no")
	}
	if e.FlagsExtra&GtidExtraThreadID != 0 {
		e.ThreadID = c.Uint32()
		c.Field("thread_id")
	}
}

// Flags of a GTID_LIST_EVENT.
const (
	GtidListUntilReached = 1 << 28
	GtidListIgnoreGtids  = 1 << 29
	gtidListCountMask    = 1<<28 - 1
)

// GtidList is a GTID_LIST_EVENT (MariaDB 10.0+): the last GTID of each domain and server before this log.
//
//	0 u32 count in bits 0 to 27, flags in bits 28 to 31
//	  for each: u32 domain_id, u32 server_id, u64 seq_no
type GtidList struct {
	Flags uint32 // in their place in the word
	Gtids []gtid.MariaGTID
}

func (*GtidList) isEvent() {}

func (e *GtidList) decode(c *wire.Cursor) {
	w := c.Uint32()
	e.Flags = w &^ gtidListCountMask
	n := c.Count(uint64(w&gtidListCountMask), 16)
	c.Field("count")
	if n > 0 {
		e.Gtids = make([]gtid.MariaGTID, 0, n)
	}
	for i := 0; i < n && c.OK(); i++ {
		c.BeginItem("gtids", i)
		var g gtid.MariaGTID
		g.Domain = c.Uint32()
		c.Field("domain_id")
		g.Server = c.Uint32()
		c.Field("server_id")
		g.Seq = c.Uint64()
		c.Field("seq_no")
		c.End()
		e.Gtids = append(e.Gtids, g)
	}
	if c.Len() > 0 {
		c.Rest()
		c.Field("padding")
	}
}
