package decoder

import (
	"binlens/decoder/value"
	"binlens/decoder/wire"
	"encoding/binary"
	"strconv"
)

// Rotate is a ROTATE_EVENT (all servers): the log goes on in another file.
//
//	0 u64 position in the next file (absent in version 1: 4)
//	8     next_file, to the end
type Rotate struct {
	Position    uint64
	HasPosition bool
	NextFile    []byte
}

func (*Rotate) isEvent() {}

func (e *Rotate) decode(c *wire.Cursor, f *FormatDescription) {
	e.Position = 4
	if f.PostHeaderLen(RotateType) >= 8 || f.Layout() >= 3 {
		e.HasPosition = true
		e.Position = c.Uint64()
		c.Field("position")
	}
	skipPostHeader(c, f.PostHeaderLen(RotateType))
	e.NextFile = c.Rest()
	c.Field("next_file")
}

// Stop is a STOP_EVENT (all servers): the server shut down cleanly. It has no body.
type Stop struct{}

func (*Stop) isEvent() {}

// Xid is an XID_EVENT (5.0+): a two-phase transaction was committed.
//
//	0 u64 xid
type Xid struct{ Xid uint64 }

func (*Xid) isEvent() {}

func (e *Xid) decode(c *wire.Cursor) {
	e.Xid = c.Uint64()
	c.Field("xid")
}

// Kinds of Intvar.
const (
	IntvarLastInsertID = 1
	IntvarInsertID     = 2
)

// Intvar is an INTVAR_EVENT (statement format): a value for the next QUERY_EVENT.
//
//	0 u8  kind: 1 LAST_INSERT_ID, 2 INSERT_ID
//	1 u64 value
type Intvar struct {
	Kind  uint8
	Value uint64
}

func (*Intvar) isEvent() {}

func (e *Intvar) decode(c *wire.Cursor) {
	e.Kind = c.Uint8()
	c.Field("kind")
	e.Value = c.Uint64()
	c.Field("value")
}

// Rand is a RAND_EVENT (statement format): the seeds of RAND() for the next QUERY_EVENT.
//
//	0 u64 seed1
//	8 u64 seed2
type Rand struct{ Seed1, Seed2 uint64 }

func (*Rand) isEvent() {}

func (e *Rand) decode(c *wire.Cursor) {
	e.Seed1 = c.Uint64()
	c.Field("seed1")
	e.Seed2 = c.Uint64()
	c.Field("seed2")
}

// Types of a user variable.
const (
	UserVarString  = 0
	UserVarReal    = 1 // 8 bytes, float64
	UserVarInt     = 2 // 8 bytes
	UserVarRow     = 3 // never written
	UserVarDecimal = 4 // u8 precision, u8 scale, packed decimal
)

// UserVar is a USER_VAR_EVENT (4.1+, statement format): the value of a user variable for the next QUERY_EVENT.
//
//	0 u32 name_len, name, u8 is_null; unless null:
//	  u8 type, u32 charset (collation id), u32 value_len, value
//	  and, where bytes are left: 0 signed, 1 unsigned, 2 with u8 length and the name of a data type (MariaDB)
type UserVar struct {
	Name     []byte
	IsNull   bool
	Type     uint8
	Charset  uint32
	Value    []byte
	HasFlags bool // a sign byte follows the value
	Unsigned bool
	DataType []byte // MariaDB's name of the type, such as uuid; nil when not there
}

func (*UserVar) isEvent() {}

func (e *UserVar) decode(c *wire.Cursor) {
	n := c.Uint32()
	c.Field("name_len")
	e.Name = c.Bytes(c.Count(uint64(n), 1))
	c.Field("name")
	e.IsNull = c.Uint8() != 0
	c.Field("is_null")
	if e.IsNull || !c.OK() {
		return
	}
	e.Type = c.Uint8()
	c.Field("type")
	e.Charset = c.Uint32()
	c.Field("charset")
	n = c.Uint32()
	c.Field("value_len")
	e.Value = c.Bytes(c.Count(uint64(n), 1))
	c.Field("value")
	for c.Len() > 0 {
		look := *c
		switch code := look.Uint8(); code {
		case 0, 1:
			e.HasFlags, e.Unsigned = true, code == 1
			c.Skip(1)
			c.Field("flags")
		case 2:
			c.Skip(1)
			e.DataType = c.LenBytes()
			c.Field("data_type")
		default: // ends the list
			return
		}
	}
}

// AppendNumber appends the value of an integer or DECIMAL variable. ok is false, and nothing is appended, for other types and
// where the bytes are no value of the type.
func (e *UserVar) AppendNumber(dst []byte) (out []byte, ok bool) {
	switch {
	case e.Type == UserVarInt && len(e.Value) == 8:
		n := binary.LittleEndian.Uint64(e.Value)
		if e.Unsigned {
			return strconv.AppendUint(dst, n, 10), true
		}
		return strconv.AppendInt(dst, int64(n), 10), true
	case e.Type == UserVarDecimal && len(e.Value) > 2: // precision, scale, digits
		b := e.Value[2:]
		meta := uint16(e.Value[0])<<8 | uint16(e.Value[1])
		c := wire.NewCursor(b, 0, nil)
		var v value.Value
		if value.Read(&c, value.NewDecimal, meta, &v); c.OK() && c.Len() == 0 {
			if out, sound := value.AppendDecimal(dst, b, meta, &v); sound {
				return out, true
			}
		}
	}
	return dst, false
}

// RowsQuery is a ROWS_QUERY_LOG_EVENT (5.6+): the statement whose rows follow.
//
//	0 u8 length, modulo 256: of no use
//	1    query, to the end
type RowsQuery struct {
	Length uint8
	Text   []byte
}

func (*RowsQuery) isEvent() {}

func (e *RowsQuery) decode(c *wire.Cursor) {
	e.Length = c.Uint8()
	c.Field("length")
	e.Text = c.Rest()
	c.Field("query")
}

// Opaque is an event whose body is not decoded.
type Opaque struct {
	PostHeader []byte
	Body       []byte
	Known      bool // a server documents the type
}

func (*Opaque) isEvent() {}

func (e *Opaque) decode(c *wire.Cursor, f *FormatDescription, t Type) {
	e.Known = t.Known()
	if n := f.PostHeaderLen(t); n > 0 && n <= c.Len() {
		e.PostHeader = c.Bytes(n)
		c.Field("post_header")
	}
	if c.Len() > 0 {
		e.Body = c.Rest()
		c.Field("body")
	}
}
