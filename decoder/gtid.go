package decoder

import (
	"binlens/decoder/gtid"
	"binlens/decoder/wire"
	"strconv"
)

// Lengths of a GTID_EVENT's post-header.
const (
	gtidLen56 = 25 // MySQL 5.6: no logical clock
	gtidLen57 = 42
)

// logicalClock is the only type code of the logical clock.
const logicalClock = 2

// Bits that announce a second value.
const (
	hasOriginalTimestamp = 1 << 55
	hasOriginalVersion   = 1 << 31
)

// Gtid is a GTID_EVENT (5.6+) or an ANONYMOUS_GTID_EVENT (5.7+), which opens a transaction.
//
//	0  u8  flags: bit 0 = may contain statement-format changes; others kept
//	1  16  sid
//	17 i64 gno: 1 to 2^63-2, exactly 0 when anonymous
//	25 u8  logical_timestamp_type, 2 (5.7+, as all that follows)
//	26 u64 last_committed
//	34 u64 sequence_number
//
// and then stages, each of which may be the end:
//
//  1. u56 immediate_commit_timestamp, µs; bit 55: u56 original_commit_timestamp follows (8.0.1+)
//  2. lenenc transaction_length, bytes from this event's first (8.0.2+)
//  3. u32 immediate_server_version; bit 31: u32 original_server_version follows (8.0.14+)
//  4. u64 commit_group_ticket
//
// A stage that is absent has its Has field false: absent is not zero. Without an original value it equals the immediate
// one. The values prove nothing and are used for nothing while reading.
type Gtid struct {
	Anonymous      bool
	Flags          uint8
	SID            gtid.UUID
	GNO            uint64
	HasClock       bool // false in the 25-byte layout of 5.6
	ClockType      uint8
	LastCommitted  uint64
	SequenceNumber uint64

	HasTimestamp         bool
	ImmediateTimestamp   uint64 // µs since the epoch, 55 bits
	HasOriginalTimestamp bool   // stands in the event
	OriginalTimestamp    uint64 // µs since the epoch, 56 bits
	HasLength            bool
	TransactionLength    uint64 // bytes
	HasVersion           bool
	ImmediateVersion     uint32 // 80014 is 8.0.14
	HasOriginalVersion   bool
	OriginalVersion      uint32
	HasTicket            bool
	CommitGroupTicket    uint64
}

func (*Gtid) isEvent() {}

// InvalidGtidEvent says why the body of a GTID event is not one. No part of the event is returned with it.
type InvalidGtidEvent struct {
	FileOffset int64 // of the event's first byte
	BodyOffset int64 // of the fault, from 0 at the start of the body
	Field      string
	Kind       wire.Kind // Truncated or Corrupt
	Reason     string
}

// Error returns place and reason in one line.
func (e *InvalidGtidEvent) Error() string {
	return "InvalidGtidEvent at file offset " + strconv.FormatInt(e.FileOffset, 10) + ", body offset " +
		strconv.FormatInt(e.BodyOffset, 10) + ", " + e.Field + ": " + e.Reason
}

// UnsupportedGtidEvent says that an event is not a GTID event that DecodeGtid reads.
type UnsupportedGtidEvent struct {
	FileOffset int64
	Code       uint8
}

// Error names the type.
func (e *UnsupportedGtidEvent) Error() string {
	return "UnsupportedGtidEvent at file offset " + strconv.FormatInt(e.FileOffset, 10) + ": " + Type(e.Code).String() +
		" (" + strconv.Itoa(int(e.Code)) + ") is not GTID_EVENT (33) or ANONYMOUS_GTID_EVENT (34)"
}

// DecodeGtid reads the body, without its checksum, of the GTID event that starts at fileOffset. The error is an
// [*InvalidGtidEvent] or an [*UnsupportedGtidEvent], and then there is no result.
func DecodeGtid(f *FormatDescription, t Type, fileOffset int64, body []byte) (*Gtid, error) {
	if t != GtidType && t != AnonymousGtidType {
		return nil, &UnsupportedGtidEvent{FileOffset: fileOffset, Code: uint8(t)}
	}
	var e Gtid
	c := wire.NewCursor(body, f.HeaderLenFor(uint8(t)), nil)
	e.decode(&c, f, t)
	if bad := c.Fault(); bad != nil {
		return nil, &InvalidGtidEvent{FileOffset: fileOffset, BodyOffset: bad.Offset, Field: bad.Path, Kind: bad.Kind, Reason: bad.Msg}
	}
	return &e, nil
}

func (e *Gtid) decode(c *wire.Cursor, f *FormatDescription, t Type) {
	e.Anonymous = t == AnonymousGtidType
	postHeader := f.PostHeaderLen(t)
	if postHeader != gtidLen56 && postHeader != gtidLen57 {
		c.Fail(wire.Corrupt, "the format description gives this type a post-header of "+itoa(postHeader)+" bytes, not 42 or 25")
		c.Field("post_header")
		return
	}
	e.Flags = c.Uint8()
	c.Field("flags")
	copy(e.SID[:], c.Bytes(len(e.SID)))
	c.Field("sid")
	e.decodeGNO(c)
	if postHeader == gtidLen57 {
		e.decodeClock(c)
		e.decodeStages(c)
	}
	if c.Len() > 0 {
		c.ExpectEnd()
		c.Field("surplus")
	}
}

func (e *Gtid) decodeGNO(c *wire.Cursor) {
	at := c.Pos()
	e.GNO = c.Uint64()
	switch {
	case !c.OK():
	case e.Anonymous && e.GNO != 0:
		c.FailAt(at, wire.Corrupt, "an anonymous transaction has number 0, not "+utoa(e.GNO))
	case !e.Anonymous && (e.GNO < 1 || e.GNO > gtid.MaxGNO):
		c.FailAt(at, wire.Corrupt, "transaction number "+utoa(e.GNO)+" is not in 1 to 9223372036854775806")
	}
	c.Field("gno")
}

func (e *Gtid) decodeClock(c *wire.Cursor) {
	at := c.Pos()
	e.ClockType = c.Uint8()
	if c.OK() && e.ClockType != logicalClock {
		c.FailAt(at, wire.Corrupt, "logical clock type "+itoa(int(e.ClockType))+" is not 2")
	}
	c.Field("logical_timestamp_type")
	e.LastCommitted = c.Uint64()
	c.Field("last_committed")
	e.SequenceNumber = c.Uint64()
	c.Field("sequence_number")
	e.HasClock = c.OK()
}

func (e *Gtid) decodeStages(c *wire.Cursor) {
	if c.Len() == 0 {
		return
	}
	v := c.UintN(7)
	e.HasTimestamp = c.OK()
	c.Field("immediate_commit_timestamp")
	e.ImmediateTimestamp, e.OriginalTimestamp = v&^hasOriginalTimestamp, v&^hasOriginalTimestamp
	if v&hasOriginalTimestamp != 0 {
		v = c.UintN(7)
		if e.HasOriginalTimestamp = c.OK(); e.HasOriginalTimestamp {
			e.OriginalTimestamp = v
		}
		c.Field("original_commit_timestamp")
	}
	if c.Len() == 0 {
		return
	}
	e.TransactionLength = c.Lenenc()
	e.HasLength = c.OK()
	c.Field("transaction_length")
	if c.Len() > 0 {
		e.decodeVersions(c)
	}
}

func (e *Gtid) decodeVersions(c *wire.Cursor) {
	v := c.Uint32()
	e.HasVersion = c.OK()
	c.Field("immediate_server_version")
	e.ImmediateVersion, e.OriginalVersion = v&^hasOriginalVersion, v&^hasOriginalVersion
	if v&hasOriginalVersion != 0 {
		v = c.Uint32()
		if e.HasOriginalVersion = c.OK(); e.HasOriginalVersion {
			e.OriginalVersion = v
		}
		c.Field("original_server_version")
	}
	if c.Len() > 0 {
		e.CommitGroupTicket = c.Uint64()
		e.HasTicket = c.OK()
		c.Field("commit_group_ticket")
	}
}

// GTID returns the transaction's identifier; meaningless when Anonymous.
func (e *Gtid) GTID() gtid.GTID { return gtid.GTID{TSID: gtid.TSID{UUID: e.SID}, GNO: e.GNO} }
