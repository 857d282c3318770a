package decoder

import (
	"binlens/decoder/inflate"
	"binlens/decoder/wire"
)

// Query is a QUERY_EVENT (all servers), the SQL text of a statement: DDL, BEGIN and COMMIT, and every statement of the
// statement format. The fields up to StatusVarsLen are its post-header.
//
//	0  u32 thread_id: the connection
//	4  u32 exec_time, seconds
//	8  u8  db_len
//	9  u16 error_code the statement ended with on its server
//	11 u16 status_vars_len (version 4 only)
//	…      status variables, db, NUL, query to the end
//
// Load is set for an EXECUTE_LOAD_QUERY_EVENT.
type Query struct {
	ThreadID      uint32
	ExecTime      uint32
	DBLen         uint8
	ErrorCode     uint16
	StatusVarsLen uint16 // 0 in versions 1 and 3, which have no status variables
	HasStatusVars bool
	Status        []StatusVar
	StatusErr     *wire.Error // the status variables could not be read to their end; db and query are not concerned
	DB            []byte
	Compressed    []byte // of a QUERY_COMPRESSED_EVENT (MariaDB 10.2+), the compressed text as it stands; nil for others
	Text          []byte // in the character set of status variable CHARSET's client, where there is one
}

func (*Query) isEvent() {}

func (e *Query) decode(c *wire.Cursor, f *FormatDescription, t Type) {
	e.decodePostHeader(c, f)
	skipPostHeader(c, f.PostHeaderLen(t))
	e.decodeStatus(c, f)
	if t == QueryCompressedType {
		e.decodeCompressed(c)
		return
	}
	e.decodeText(c)
}

// decodeCompressed reads what decodeText does, of an event whose text is compressed.
func (e *Query) decodeCompressed(c *wire.Cursor) {
	e.decodeDB(c)
	e.Compressed = c.Rest()
	e.Text = inflateMariaDB(c, e.Compressed, nil)
	c.Field("query")
}

// maxInflated is how large the text or rows of one event may become when they are decompressed, in bytes.
const maxInflated = 1 << 30

// inflateMariaDB appends to dst what MariaDB compressed into blob, the bytes read last.
func inflateMariaDB(c *wire.Cursor, blob, dst []byte) []byte {
	if !c.OK() {
		return nil
	}
	out, err := inflate.MariaDBEvent(dst, blob, maxInflated)
	if err != nil {
		c.FailAt(c.Pos()-len(blob)+err.Offset, inflateKind(err), "it cannot be decompressed: "+err.Msg)
		return nil
	}
	return out
}

func (e *Query) decodePostHeader(c *wire.Cursor, f *FormatDescription) {
	e.ThreadID = c.Uint32()
	c.Field("thread_id")
	e.ExecTime = c.Uint32()
	c.Field("exec_time")
	e.DBLen = c.Uint8()
	c.Field("db_len")
	e.ErrorCode = c.Uint16()
	c.Field("error_code")
	if f.Layout() >= 4 {
		e.HasStatusVars = true
		e.StatusVarsLen = c.Uint16()
		c.Field("status_vars_len")
	}
}

// decodeStatus reads the status variables: the declared length wins, whatever they hold.
func (e *Query) decodeStatus(c *wire.Cursor, f *FormatDescription) {
	if e.StatusVarsLen == 0 || !c.OK() {
		return
	}
	if int(e.StatusVarsLen) > c.Len() {
		c.Skip(int(e.StatusVarsLen))
		c.Field("status_vars")
		return
	}
	c.Begin("status_vars")
	s := c.Sub(int(e.StatusVarsLen))
	e.Status, e.StatusErr = decodeStatusVars(&s, f.Family)
	c.Join(&s)
	c.End()
}

func (e *Query) decodeText(c *wire.Cursor) {
	e.decodeDB(c)
	e.Text = c.Rest()
	c.Field("query")
}

func (e *Query) decodeDB(c *wire.Cursor) {
	e.DB = c.Bytes(int(e.DBLen))
	if b := c.Uint8(); b != 0 {
		c.FailAt(c.Pos()-1, wire.Corrupt, "db does not end in a zero byte")
	}
	c.Field("db")
}

// skipPostHeader names the bytes of a post-header that is longer than what was read of it: fields of the future.
func skipPostHeader(c *wire.Cursor, postHeader int) {
	if n := postHeader - c.Pos(); n > 0 && c.OK() {
		c.Skip(n)
		c.Field("post_header_extra")
	}
}

// QueryText finds the text in the body of a QUERY_EVENT without decoding the rest; nil when the body is damaged. Of a
// QUERY_COMPRESSED_EVENT it is the compressed bytes.
func QueryText(f *FormatDescription, t Type, body []byte) []byte {
	at := f.PostHeaderLen(t)
	if len(body) < 13 || at < 11 {
		return nil
	}
	if f.Layout() >= 4 {
		at += int(body[11]) | int(body[12])<<8
	}
	if at += int(body[8]) + 1; at > len(body) {
		return nil
	}
	return body[at:]
}

// InflateColumn returns the value of a compressed column of MariaDB (types 140 and 141), given the bytes that are stored.
// Offsets of the error count from the first of these.
func InflateColumn(stored []byte) ([]byte, *wire.Error) {
	out, err := inflate.MariaDBColumn(nil, stored, maxInflated)
	if err != nil {
		return nil, &wire.Error{Offset: int64(err.Offset), Kind: inflateKind(err), Msg: "it cannot be decompressed: " + err.Msg, Err: err}
	}
	return out, nil
}

// ThreadOf returns the connection of the source that an event says it was written by; false when it says none.
func ThreadOf(e Event) (uint32, bool) {
	switch e := e.(type) {
	case *Query:
		return e.ThreadID, true
	case *Load:
		return e.ThreadID, true
	case *TransactionContext:
		return e.ThreadID, true
	case *MariaGtid:
		return e.ThreadID, e.FlagsExtra&GtidExtraThreadID != 0
	}
	return 0, false
}
