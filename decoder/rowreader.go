package decoder

import (
	"binlens/decoder/value"
	"binlens/decoder/wire"
	"bytes"
	"slices"
)

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
