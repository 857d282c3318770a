package decoder

import "binlens/decoder/wire"

// PreGARows is a row event as 5.1.5 to 5.1.17 wrote them (types 20 to 22). Its rows need the table's definition, of which
// the log has too little: they have null bits for the columns that may be NULL only, and the table map of that time does not
// say which these are. So they stay bytes.
//
//	0 u48 table_id (u32 where the post-header length is 6)
//	6 u16 flags
//	  lenenc width: the number of columns
//	  present bitmap, one bit a column, least significant first; one of them, for UPDATE too
//	  rows to the end
type PreGARows struct {
	Op      RowOp
	TableID uint64
	Flags   uint16
	Width   uint64
	Columns []byte // present bitmap
	Rows    []byte
}

func (*PreGARows) isEvent() {}

func (e *PreGARows) decode(c *wire.Cursor, f *FormatDescription, t Type) {
	e.Op = t.RowOp()
	e.TableID = c.UintN(f.TableIDLen(t))
	c.Field("table_id")
	e.Flags = c.Uint16()
	c.Field("flags")
	skipPostHeader(c, f.PostHeaderLen(t))
	at := c.Pos()
	e.Width = c.Lenenc()
	if e.Width > maxColumns {
		c.FailAt(at, wire.Corrupt, utoa(e.Width)+" columns: a table has at most 4096")
	}
	c.Field("width")
	if !c.OK() {
		return
	}
	e.Columns = c.Bytes((int(e.Width) + 7) / 8)
	c.Field("columns")
	if e.Rows = c.Rest(); len(e.Rows) > 0 {
		c.Field("rows_data")
	}
}
