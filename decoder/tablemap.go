package decoder

import (
	"binlens/decoder/value"
	"binlens/decoder/wire"
	"bytes"
	"slices"
)

// Flags of a TABLE_MAP_EVENT.
const (
	TableMapBitLenExact     = 0x0001
	TableMapReferredFKDB    = 0x0002
	TableMapGeneratedPK     = 0x0004 // MySQL 8.0.30+: the first column is the hidden my_row_id
	TableMapHasTriggers     = 0x4000 // MariaDB
	maxColumns              = 4096   // the servers' limit; a map may not claim more
	dummyTableID            = 0x00ffffff
	tableMapMetadataMissing = "the event ends before its metadata, as pre-release 5.1 servers wrote it"
)

// TableMap is a TABLE_MAP_EVENT (5.1+): the name and column types behind a table id, for the row events that follow.
//
//	0 u48 table_id (u32 where the post-header length is 6)
//	6 u16 flags
//	  u8 length, schema, NUL
//	  u8 length, table, NUL
//	  lenenc column_count, a type byte for each column
//	  lenenc metadata_length, metadata of the columns whose type has any
//	  null_bits, one bit a column, least significant first: 1 = may be NULL
//	  optional metadata to the end (MySQL 8.0.1+, MariaDB 10.5+), see metadata.go
type TableMap struct {
	TableID     uint64
	Flags       uint16
	Schema      []byte // UTF-8
	Table       []byte // UTF-8
	Columns     []Column
	HasMetadata bool // false in logs of pre-release 5.1 servers, which end after the types
	Optional    OptionalMetadata
	OptionalErr *wire.Error // the optional metadata is malformed: none of it is used
}

// Column is what a table map says of one column.
type Column struct {
	Wire      value.Type // as it stands in the event: STRING for CHAR, BINARY, ENUM and SET
	Type      value.Type // what it is
	Meta      uint16     // as value.Read takes it for Type
	Nullable  bool
	Unsigned  bool
	SignKnown bool     // the map says whether the column is signed
	Invisible bool     // MySQL 8.0.23+
	Key       bool     // part of the primary key
	KeyPrefix uint64   // characters of the column in the key, 0 all
	Name      []byte   // nil when the map does not say
	Collation uint32   // 0 when the map does not say
	Labels    [][]byte // of ENUM and SET; nil when the map does not say
	Geometry  uint64   // geometry type, see GeometryTypes
	Dimension uint64   // of VECTOR, 0 when the map does not say
}

func (*TableMap) isEvent() {}

func (e *TableMap) decode(c *wire.Cursor, f *FormatDescription) {
	e.TableID = c.UintN(f.TableIDLen(TableMapType))
	c.Field("table_id")
	e.Flags = c.Uint16()
	c.Field("flags")
	skipPostHeader(c, f.PostHeaderLen(TableMapType))
	e.Schema = nulBytes(c)
	c.Field("schema")
	e.Table = nulBytes(c)
	c.Field("table")
	e.decodeTypes(c)
	if c.OK() && c.Len() == 0 {
		return
	}
	e.HasMetadata = true
	e.decodeColumnMetadata(c)
	e.decodeNullBits(c)
	if c.Len() > 0 {
		e.decodeOptional(c, f.Family)
	}
}

// TableIDLen returns the length of the table id in a table map or row event: 4 bytes where the post-header has 6, in
// pre-release 5.1 logs, and 6 everywhere else.
func (f *FormatDescription) TableIDLen(t Type) int {
	if f.PostHeaderLen(t) == 6 {
		return 4
	}
	return 6
}

// nulBytes reads a length of one byte, so many bytes, and a zero byte.
func nulBytes(c *wire.Cursor) []byte {
	b := c.LenBytes()
	if z := c.Uint8(); z != 0 {
		c.FailAt(c.Pos()-1, wire.Corrupt, "a name that does not end in a zero byte")
	}
	return b
}

func (e *TableMap) decodeTypes(c *wire.Cursor) {
	claimed := c.Lenenc()
	n := c.Count(claimed, 1)
	if n > maxColumns {
		c.Fail(wire.Corrupt, itoa(n)+" columns: a table has at most 4096")
	}
	c.Field("column_count")
	if !c.OK() {
		return
	}
	e.Columns = make([]Column, n)
	for i := range e.Columns {
		t := value.Type(c.Uint8())
		e.Columns[i].Wire, e.Columns[i].Type = t, t
		c.FieldItem("column_types", i)
	}
}

// decodeColumnMetadata reads the metadata of the columns. Where the metadata ends is for its length to say: servers have
// written more than their types need.
func (e *TableMap) decodeColumnMetadata(c *wire.Cursor) {
	n := c.Count(c.Lenenc(), 1)
	c.Field("metadata_length")
	m := c.Sub(n)
	short := varStringsHaveNoMetadata(e.Columns, m)
	for i := range e.Columns {
		col := &e.Columns[i]
		if col.Wire == value.VarString && short {
			continue
		}
		before := m.Pos()
		meta := value.ReadMeta(&m, col.Wire)
		if m.Pos() != before || !m.OK() {
			m.FieldItem("metadata", i)
		}
		col.Type, col.Meta = value.Resolve(col.Wire, meta)
	}
	if m.Len() > 0 {
		m.Rest()
		m.Field("metadata_extra")
	}
	c.Join(&m)
}

// varStringsHaveNoMetadata decides a matter on which servers differ, by the length of the whole metadata.
func varStringsHaveNoMetadata(columns []Column, m wire.Cursor) bool {
	m.Quiet()
	any := false
	for i := range columns {
		any = any || columns[i].Wire == value.VarString
		value.ReadMeta(&m, columns[i].Wire)
	}
	return any && (!m.OK() || m.Len() > 0)
}

func (e *TableMap) decodeNullBits(c *wire.Cursor) {
	bits := c.Bytes((len(e.Columns) + 7) / 8)
	c.Field("null_bits")
	if !c.OK() {
		return
	}
	for i := range e.Columns {
		e.Columns[i].Nullable = bitLSB(bits, i)
	}
}

func bitLSB(b []byte, i int) bool { return b[i>>3]>>(i&7)&1 != 0 }
func bitMSB(b []byte, i int) bool { return i>>3 < len(b) && b[i>>3]<<(i&7)&0x80 != 0 }

// HasNames says that the map names every column.
func (e *TableMap) HasNames() bool {
	return len(e.Columns) > 0 && e.Columns[0].Name != nil
}

// Clone returns a copy that stays valid when the event's bytes change.
func (e *TableMap) Clone() *TableMap {
	n := *e
	n.Schema, n.Table = bytes.Clone(e.Schema), bytes.Clone(e.Table)
	n.Columns = slices.Clone(e.Columns)
	for i := range n.Columns {
		col := &n.Columns[i]
		col.Name = bytes.Clone(col.Name)
		if col.Labels != nil {
			labels := make([][]byte, len(col.Labels))
			for j, l := range col.Labels {
				labels[j] = bytes.Clone(l)
			}
			col.Labels = labels
		}
	}
	n.Optional = e.Optional.clone()
	return &n
}
