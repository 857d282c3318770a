package decoder

import "binlens/decoder/wire"

// Flags of a row event.
const (
	RowsStmtEnd               = 0x0001 // the last row event of the statement
	RowsNoForeignKeyChecks    = 0x0002
	RowsRelaxedUniqueChecks   = 0x0004
	RowsCompleteRows          = 0x0008
	RowsUseSQLForeignKey      = 0x0010 // MySQL 9.6+
	RowsNoCheckConstraintChks = 0x0080 // MariaDB
)

// Kinds of extra row information.
const (
	ExtraNDB       = 0
	ExtraPartition = 1 // MySQL 8.0.16+, partitioned tables
)

// Rows is a WRITE_ROWS_EVENT, UPDATE_ROWS_EVENT or DELETE_ROWS_EVENT of version 1 (MySQL 5.1.18 to 5.5, MariaDB) or
// version 2 (MySQL 5.6+).
//
//	0 u48 table_id (u32 where the post-header length is 6)
//	6 u16 flags
//	  u16 extra_length, itself included, and the extra row information (version 2 only)
//	  lenenc width: the number of columns
//	  present bitmap of the image, one bit a column, least significant first; two of them for UPDATE
//	  rows to the end
//
// A PARTIAL_UPDATE_ROWS_EVENT (39, MySQL 8.0.3+) is an UPDATE of version 2 whose after images start with
//
//	lenenc value_options: 1 = PARTIAL_JSON, and then
//	partial bits, one for each JSON column of the table, least significant first: its value is a list of diffs
//
// In MariaDB's compressed row events (166 to 171) all that follows the bitmaps is compressed.
//
// A row is the before image (UPDATE, DELETE) and the after image (INSERT, UPDATE); an image is the null bits of the
// columns present in it and the values of those that are not NULL. Rows reads them.
type Rows struct {
	Op          RowOp
	TableID     uint64
	Flags       uint16
	V2          bool
	ExtraLength uint16
	Extra       []ExtraInfo
	Width       uint64
	Before      []byte // present bitmap of the before image; nil for INSERT
	After       []byte // present bitmap of the after image; nil for DELETE
	Map         *TableMap
	Dummy       bool        // only ends the statement: all its tables were filtered out
	Partial     bool        // a PARTIAL_UPDATE_ROWS_EVENT
	Start, End  uint32      // where the rows are: bytes from the first of the event, or of Inflated
	Inflated    []byte      // of a compressed row event: the event as it would stand uncompressed, without its checksum
	Fitted      []Fitted    // columns whose digits the log does not tell but the bytes do, see hires.go; Map is the event's own then
	body        []byte      // from the start of the body, at least to End
	unfit       *wire.Error // why the rows cannot be read: digits that the log does not tell, see hires.go
}

func (*Rows) isEvent() {}

// ExtraInfo is one record of the extra row information.
type ExtraInfo struct {
	Kind            uint8
	Format          uint8  // NDB
	Data            []byte // NDB, and the bytes of unknown kinds
	Partition       uint16
	SourcePartition uint16 // UPDATE only
	HasSource       bool
}

func (e *Rows) decode(c *wire.Cursor, ctx *Context, t Type) {
	f := ctx.Format
	e.Op = t.RowOp()
	e.TableID = c.UintN(f.TableIDLen(t))
	c.Field("table_id")
	e.Flags = c.Uint16()
	c.Field("flags")
	if e.V2 = t.rowsV2(); e.V2 {
		e.decodeExtra(c)
	}
	at := c.Pos()
	e.Width = c.Lenenc()
	if e.Width > maxColumns {
		c.FailAt(at, wire.Corrupt, utoa(e.Width)+" columns: a table has at most 4096")
	}
	c.Field("width")
	if !c.OK() {
		return
	}
	n := (int(e.Width) + 7) / 8
	if e.Op != Insert {
		e.Before = c.Bytes(n)
		c.Field("columns_before")
	}
	if e.Op != Delete {
		e.After = c.Bytes(n)
		c.Field("columns_after")
	}
	e.Dummy = e.TableID == dummyTableID && e.Flags&RowsStmtEnd != 0 && c.Len() == 0
	e.Start = uint32(c.EventPos())
	if c.OK() {
		e.Map = ctx.TableMap
		if e.Map != nil && e.Map.TableID != e.TableID && !ctx.AnyTableID {
			e.Map = nil
		}
	}
	e.Partial = t == PartialUpdateRowsType
	e.body = c.Data()
	blob := c.Rest()
	e.End = uint32(c.EventPos())
	if t.compressed() {
		e.inflate(c, blob)
	}
	if len(blob) > 0 || !c.OK() {
		c.Field("rows")
	}
}

// Read makes e the row event that h and body are of, whatever it was before; its slices are parts of body. It returns false when
// the body has a fault, which [Inspect] tells.
func (e *Rows) Read(ctx *Context, h Header, body []byte) bool {
	*e = Rows{}
	c := wire.NewCursor(body, h.Len, nil)
	e.decodeWith(&c, ctx, h)
	return c.OK()
}

func (e *Rows) decodeWith(c *wire.Cursor, ctx *Context, h Header) {
	e.decode(c, ctx, h.Type)
	if ctx.Format.Family == MariaDB && c.OK() {
		e.fitFractions(h.Timestamp)
	}
}

// inflate puts together the event as it would stand uncompressed, so that its rows have places in it. The header is left
// zero.
func (e *Rows) inflate(c *wire.Cursor, blob []byte) {
	plain := make([]byte, e.Start, int(e.Start)+2*len(blob))
	header := c.EventPos() - c.Pos()
	copy(plain[header:], e.body[:int(e.Start)-header])
	if e.Inflated = inflateMariaDB(c, blob, plain); e.Inflated != nil {
		e.body, e.End = e.Inflated[header:], uint32(len(e.Inflated))
	}
}

// Event returns the bytes that the ranges of the rows refer to: raw, the event's own, unless they were decompressed.
func (e *Rows) Event(raw []byte) []byte {
	if e.Inflated != nil {
		return e.Inflated
	}
	return raw
}

func (e *Rows) decodeExtra(c *wire.Cursor) {
	at := c.Pos()
	e.ExtraLength = c.Uint16()
	if c.OK() && e.ExtraLength < 2 {
		c.FailAt(at, wire.Corrupt, "the extra information's length counts itself: at least 2")
	}
	c.Field("extra_length")
	if !c.OK() || e.ExtraLength == 2 {
		return
	}
	c.Begin("extra")
	x := c.Sub(int(e.ExtraLength) - 2)
	for i := 0; x.Len() > 0; i++ {
		e.Extra = append(e.Extra, ExtraInfo{})
		x.BeginItem("info", i)
		e.Extra[i].decode(&x, e.Op)
		x.End()
	}
	if !x.OK() {
		x.Field("info")
	}
	c.Join(&x)
	c.End()
}

func (i *ExtraInfo) decode(c *wire.Cursor, op RowOp) {
	i.Kind = c.Uint8()
	c.Field("kind")
	switch i.Kind {
	case ExtraNDB:
		n := int(c.Uint8())
		c.Field("length")
		i.Format = c.Uint8()
		c.Field("format")
		i.Data = c.Bytes(n - 2)
		c.Field("data")
	case ExtraPartition:
		i.Partition = c.Uint16()
		c.Field("partition_id")
		if op == Update {
			i.HasSource = true
			i.SourcePartition = c.Uint16()
			c.Field("source_partition_id")
		}
	default: // a record without a length: nothing after it can be found
		i.Data = c.Rest()
		c.Field("data")
	}
}
