package decoder

import (
	"binlens/decoder/value"
	"binlens/decoder/wire"
	"bytes"
	"slices"
)

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

// An Image is one image of a row. Ranges are bytes from the first byte of the event.
type Image struct {
	Off, End uint32        // the whole image
	NullOff  uint32        // Off to NullOff are value_options and partial bits; only in a PARTIAL_UPDATE_ROWS_EVENT
	NullEnd  uint32        // the null bits are NullOff to NullEnd
	Cells    []value.Value // one for each column of the table; KindNone for those not in the image
}

// RowReader reads the rows of a row event one after the other. It allocates when it is made and when it is given to an event
// of another table, or with more columns, than those before.
type RowReader struct {
	Before, After Image // of the row read last; Cells is nil for an image the event does not have
	Index         int   // of the row read last, from 0
	c             wire.Cursor
	columns       []Column
	before, after []value.Layout // of the columns present
	layouts       layouts
	partial       bool     // after images start with value_options
	jsonColumns   []uint16 // of the table; only when partial
	diffs         []byte   // partial bits of the image being read; nil when there are none
	err           *wire.Error
	cells         []value.Value // the memory of Before and After
}

// Reader returns a reader of the rows. Without a table map there is nothing to read them by, which is its error at once.
func (e *Rows) Reader() *RowReader {
	r := new(RowReader)
	e.ReadBy(r)
	return r
}

// ReadBy makes r, whatever it has read, the reader of these rows; it is Reader without new memory.
func (e *Rows) ReadBy(r *RowReader) {
	*r = RowReader{Index: -1, layouts: r.layouts, cells: r.cells}
	body := e.body
	base := int(e.End) - len(body)
	r.c = wire.NewCursor(body, base, nil)
	r.c.Skip(int(e.Start) - base)
	switch {
	case e.Dummy, e.Start == e.End:
	case e.Map == nil:
		r.c.Fail(wire.Unsupported, "no TABLE_MAP_EVENT before it has table id "+utoa(e.TableID))
	case e.Width > uint64(len(e.Map.Columns)):
		r.c.Fail(wire.Corrupt, "rows of "+utoa(e.Width)+" columns, a table map of "+itoa(len(e.Map.Columns)))
	case e.unfit != nil:
		r.c.FailWith(e.unfit)
	default:
		r.columns = e.Map.Columns
		n := len(r.columns)
		if len(r.cells) < 2*n {
			r.cells = make([]value.Value, 2*n)
		}
		clear(r.cells[:2*n])
		if e.Before != nil {
			r.before = r.layouts.of(e.Map, e.Before, int(e.Width))
			r.Before.Cells = r.cells[:n:n]
		}
		if e.After != nil {
			r.after = r.layouts.of(e.Map, e.After, int(e.Width))
			r.After.Cells = r.cells[n : 2*n : 2*n]
		}
		if r.partial = e.Partial; r.partial {
			r.jsonColumns = jsonColumns(r.columns)
		}
	}
	r.err = r.c.Fault()
}

// imageLayout is how the images of a table lie in which the same columns are present.
type imageLayout struct {
	table  *TableMap
	bitmap []byte // of the columns present
	width  int
	cells  []value.Layout
}

// layouts are those met last: the events of a log take turns between a few tables.
type layouts struct {
	list []imageLayout
	next int // place of the one that is given up next
}

const maxLayouts = 32

func (l *layouts) of(m *TableMap, bitmap []byte, width int) []value.Layout {
	for i := range l.list {
		if k := &l.list[i]; k.table == m && k.width == width && bytes.Equal(k.bitmap, bitmap) {
			return k.cells
		}
	}
	if len(l.list) < maxLayouts {
		l.list = append(l.list, imageLayout{})
		l.next = len(l.list) - 1
	}
	k := &l.list[l.next]
	l.next = (l.next + 1) % maxLayouts
	k.set(m, bitmap, width)
	return k.cells
}

func (l *imageLayout) set(m *TableMap, bitmap []byte, width int) {
	l.table, l.width, l.bitmap = m, width, append(l.bitmap[:0], bitmap...)
	l.cells = slices.Grow(l.cells[:0], width)
	for i := range width {
		if bitLSB(bitmap, i) {
			cell := value.LayoutOf(m.Columns[i].Type, m.Columns[i].Meta)
			cell.Column = uint16(i)
			l.cells = append(l.cells, cell)
		}
	}
}

// Next reads the next row; false at the end of the rows, and when a row cannot be read, which Err then tells.
func (r *RowReader) Next() bool {
	if r.err != nil || r.c.Len() == 0 {
		return false
	}
	at := r.c.Pos()
	if r.Before.Cells != nil {
		r.image(&r.Before, r.before, "before")
	}
	if r.After.Cells != nil && r.err == nil {
		r.image(&r.After, r.after, "after")
	}
	if r.err == nil && r.c.Pos() == at {
		r.c.Fail(wire.Corrupt, "rows without columns take no bytes, but bytes are left")
		r.err = r.c.Fault()
	}
	if r.err == nil {
		r.Index++
	}
	return r.err == nil
}

// image reads one image: ceil(present/8) null bits, then the values of the present columns that are not NULL.
func (r *RowReader) image(im *Image, present []value.Layout, name string) {
	c := &r.c
	im.Off = uint32(c.EventPos())
	if r.diffs = nil; r.partial && im == &r.After {
		r.valueOptions()
	}
	im.NullOff = uint32(c.EventPos())
	nulls := c.Bytes((len(present) + 7) / 8)
	im.NullEnd = uint32(c.EventPos())
	if !c.OK() {
		r.fail(name, -1)
		return
	}
	if k := value.ReadCells(c, present, nulls, im.Cells); k < len(present) {
		r.fail(name, int(present[k].Column))
		return
	}
	if r.diffs != nil {
		r.markDiffs(im)
	}
	im.End = uint32(c.EventPos())
}

// Seek makes row index the next to be read. pos is where it starts: the Start of the rows, or Pos behind the row before it.
// After an error it does nothing.
func (r *RowReader) Seek(pos uint32, index int) {
	if r.err != nil {
		return
	}
	if d := int(pos) - int(r.Pos()); d > 0 {
		r.c.Skip(d)
	} else {
		r.c.Rewind(-d)
	}
	r.Index = index - 1
}

func jsonColumns(columns []Column) (list []uint16) {
	for i := range columns {
		if columns[i].Type == value.JSON {
			list = append(list, uint16(i))
		}
	}
	return list
}

// partialJSON is the only value option.
const partialJSON = 1

// valueOptions reads what stands in front of an after image of a PARTIAL_UPDATE_ROWS_EVENT.
func (r *RowReader) valueOptions() {
	at := r.c.Pos()
	switch options := r.c.Lenenc(); {
	case options == partialJSON:
		r.diffs = r.c.Bytes((len(r.jsonColumns) + 7) / 8)
	case options != 0:
		r.c.FailAt(at, wire.Unsupported, "value options "+utoa(options)+" are not known")
	}
}

// markDiffs tells the values that are lists of diffs.
func (r *RowReader) markDiffs(im *Image) {
	for k, i := range r.jsonColumns {
		if v := &im.Cells[i]; v.Kind == value.KindJSON && bitLSB(r.diffs, k) {
			v.Kind = value.KindJSONDiff
		}
	}
}

func (r *RowReader) fail(image string, column int) {
	r.err = r.c.Fault()
	path := wire.Item("rows", r.Index+1) + "." + image
	if column < 0 {
		r.err.Path = path + ".null_bits"
		return
	}
	col := &r.columns[column]
	r.err.Path = path + "." + col.Label(column)
	what := " cannot be read at column "
	if r.err.Kind == wire.Truncated {
		what = " ends inside column "
	}
	msg := []byte("row " + itoa(r.Index+2) + what + itoa(column+1) + " ")
	if col.Name != nil {
		msg = append(msg, "`"+string(col.Name)+"` "...)
	}
	msg = value.AppendTypeName(msg, col.Type, col.Meta, value.Traits{Unsigned: col.Unsigned, Dims: int(col.Dimension), Geometry: int(col.Geometry)})
	r.err.Msg = string(msg) + ": " + r.err.Msg
}

// Label returns the column's name, or @n with n from 1 where the map does not name it.
func (c *Column) Label(i int) string {
	if c.Name == nil {
		return "@" + itoa(i+1)
	}
	return string(c.Name)
}

// Err returns why the rows could not be read to their end, or nil. Offsets count from the start of the body.
func (r *RowReader) Err() *wire.Error { return r.err }

// Pos returns the offset in the event of the first byte not read.
func (r *RowReader) Pos() uint32 { return uint32(r.c.EventPos()) }
