package decoder

import "binlens/decoder/wire"

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
