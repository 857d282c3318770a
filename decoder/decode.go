package decoder

import (
	"binlens/decoder/wire"
	"strconv"
)

// Event is one decoded event: a pointer to one of the structs of this package that have an isEvent method. Its byte
// slices are parts of the event's bytes, or of what was decompressed from them.
type Event interface{ isEvent() }

// Context is what an event needs from events before it.
type Context struct {
	Format   *FormatDescription
	TableMap *TableMap // of a row event; nil when there is none

	// AnyTableID says that TableMap is the right one although its table id may be another: one that differs from the
	// event's own table map in nothing else.
	AnyTableID bool

	formatSum formatSum // of a format description, set by DecodeWhole
}

// formatSum says whether the checksum of a format description was cut off its body. The body alone tells, unless its table
// contradicts the version of the server that wrote it.
type formatSum uint8

const (
	formatSumUnsaid formatSum = iota
	formatSumNone
	formatSumCut
)

// Decode decodes the body of an event: its bytes after the common header and before the checksum. The error is a
// *wire.Error whose offset counts from the start of the body; with it there is no event. rec, if not nil, receives the
// names of all bytes of the body.
func Decode(ctx *Context, h Header, body []byte, rec *wire.Recorder) (Event, error) {
	ev, bad := Inspect(ctx, h, body, rec)
	if bad != nil {
		return nil, bad
	}
	return ev, nil
}

// Inspect is Decode for looking at damage: with an error it still returns the event, of which the fields before the fault
// are set (those that rec names).
func Inspect(ctx *Context, h Header, body []byte, rec *wire.Recorder) (Event, *wire.Error) {
	c := wire.NewCursor(body, h.Len, rec)
	ev := decodeBody(ctx, h, &c)
	if c.Len() > 0 {
		c.Rest()
		c.Field("trailing")
	}
	if c.OK() {
		return ev, nil
	}
	c.Finish("unread")
	if rec == nil { // again, for the path of the fault, which costs nothing while nothing is wrong
		c = wire.NewCursor(body, h.Len, new(wire.Recorder))
		decodeBody(ctx, h, &c)
	}
	return ev, c.Fault()
}

// DecodeWhole decodes an event from its first byte to its last, and names all of them: header, body and checksum. h was
// parsed from raw; checksum is the length of the checksum, 0 or 4.
func DecodeWhole(ctx *Context, h Header, raw []byte, checksum int, rec *wire.Recorder) (Event, *wire.Error) {
	if len(raw) < h.Len+checksum {
		return &Opaque{}, &wire.Error{Kind: wire.Corrupt, Path: "event_size",
			Msg: "an event of " + itoa(len(raw)) + " bytes has no room for a header of " + itoa(h.Len) + " and a checksum of " + itoa(checksum)}
	}
	head := wire.NewCursor(raw, 0, rec)
	recordHeader(&head, h)
	if h.Type == FormatDescriptionType {
		with := *ctx
		with.formatSum = formatSumNone
		if checksum > 0 {
			with.formatSum = formatSumCut
		}
		ctx = &with
	}
	ev, bad := Inspect(ctx, h, raw[h.Len:len(raw)-checksum], rec)
	if checksum > 0 {
		tail := wire.NewCursor(raw[len(raw)-checksum:], len(raw)-checksum, rec)
		tail.Skip(checksum)
		tail.Field("checksum")
	}
	return ev, bad
}

// ChecksumLenOf returns how many bytes at the end of an event are its checksum. For a format description raw is looked at.
func ChecksumLenOf(f *FormatDescription, h Header, raw []byte) int {
	switch h.Type {
	case FormatDescriptionType:
		if len(raw) < HeaderLen {
			return 0
		}
		return FormatChecksumLen(raw[HeaderLen:])
	case StartV3:
		return 0
	}
	return f.ChecksumLen()
}

func decodeBody(ctx *Context, h Header, c *wire.Cursor) Event {
	f := ctx.Format
	switch h.Type {
	case StartV3:
		e := &FormatDescription{Start: true}
		e.decodeStart(c)
		e.setV3()
		return e
	case FormatDescriptionType:
		e := &FormatDescription{}
		aware := ctx.formatSum == formatSumCut
		if ctx.formatSum == formatSumUnsaid {
			aware = formatIsAware(c.Data(), len(c.Data())-1)
		}
		e.decode(c, aware)
		return e
	case QueryType, QueryCompressedType:
		e := &Query{}
		e.decode(c, f, h.Type)
		return e
	case TableMapType:
		e := &TableMap{}
		e.decode(c, f)
		return e
	case WriteRowsV1Type, UpdateRowsV1Type, DeleteRowsV1Type, WriteRowsType, UpdateRowsType, DeleteRowsType, PartialUpdateRowsType,
		WriteRowsCompressedV1, UpdateRowsCompressedV1, DeleteRowsCompressedV1,
		WriteRowsCompressedType, UpdateRowsCompressedType, DeleteRowsCompressedType:
		e := &Rows{}
		e.decodeWith(c, ctx, h)
		return e
	case GtidType, AnonymousGtidType:
		e := &Gtid{}
		e.decode(c, f, h.Type)
		return e
	case StopType:
		return &Stop{}
	case RotateType:
		e := &Rotate{}
		e.decode(c, f)
		return e
	}
	if e := decodeOther(h, f, c); e != nil {
		return e
	}
	e := &Opaque{}
	e.decode(c, f, h.Type)
	return e
}

// decodeOther decodes the types that are neither rows nor what stands around them everywhere; nil for others.
func decodeOther(h Header, f *FormatDescription, c *wire.Cursor) Event {
	switch h.Type {
	case BeginLoadQueryType, AppendBlockType, DeleteFileType, ExecLoadType:
		e := &FileBlock{}
		e.decode(c, f, h.Type)
		return e
	case ExecuteLoadQueryType:
		e := &LoadQuery{}
		e.decode(c, f)
		return e
	case LoadType, NewLoadType, CreateFileType:
		e := &Load{}
		e.decode(c, f, h.Type)
		return e
	case PreGAWriteRowsType, PreGAUpdateRowsType, PreGADeleteRowsType:
		e := &PreGARows{}
		e.decode(c, f, h.Type)
		return e
	case TransactionContextType:
		e := &TransactionContext{}
		e.decode(c, f)
		return e
	case ViewChangeType:
		e := &ViewChange{}
		e.decode(c, f)
		return e
	case IncidentType:
		e := &Incident{}
		e.decode(c, f)
		return e
	case MariaGtidType:
		e := &MariaGtid{}
		e.decode(c, h)
		return e
	}
	if e := newPlain(h.Type); e != nil {
		e.decode(c)
		return e
	}
	return nil
}

// plainEvent is an event whose layout depends on nothing else.
type plainEvent interface {
	Event
	decode(c *wire.Cursor)
}

func newPlain(t Type) plainEvent {
	switch t {
	case XidType:
		return &Xid{}
	case IntvarType:
		return &Intvar{}
	case RandType:
		return &Rand{}
	case UserVarType:
		return &UserVar{}
	case RowsQueryType:
		return &RowsQuery{}
	case PreviousGtidsType:
		return &PreviousGtids{}
	case AnnotateRowsType:
		return &AnnotateRows{}
	case BinlogCheckpointType:
		return &BinlogCheckpoint{}
	case GtidListType:
		return &GtidList{}
	case SlaveType:
		return &Slave{}
	case HeartbeatType:
		return &Heartbeat{}
	case HeartbeatV2Type:
		return &HeartbeatV2{}
	case XaPrepareType:
		return &XaPrepare{}
	case TransactionPayloadType:
		return &TransactionPayload{}
	case GtidTaggedType:
		return &GtidTagged{}
	case LargeTransactionType:
		return &LargeTransaction{}
	case StartEncryptionType:
		return &StartEncryption{}
	case PartialRowDataType:
		return &PartialRowData{}
	}
	return nil
}

func itoa(n int) string    { return strconv.Itoa(n) }
func utoa(n uint64) string { return strconv.FormatUint(n, 10) }
