package decoder

import "binlens/decoder/wire"

// FileBlock is an event that carries a part of the file of a LOAD DATA statement, or refers to one:
// BEGIN_LOAD_QUERY_EVENT (5.0+, the first block), APPEND_BLOCK_EVENT (4.0+, another), DELETE_FILE_EVENT (the statement
// failed), EXEC_LOAD_EVENT (4.0, 4.1: the file is whole).
//
//	0 u32 file_id: with the header's server_id it names the file
//	4     block, to the end (the first two types)
type FileBlock struct {
	FileID   uint32
	HasBlock bool
	Block    []byte
}

func (*FileBlock) isEvent() {}

func (e *FileBlock) decode(c *wire.Cursor, f *FormatDescription, t Type) {
	e.FileID = c.Uint32()
	c.Field("file_id")
	skipPostHeader(c, f.PostHeaderLen(t))
	if t == BeginLoadQueryType || t == AppendBlockType {
		e.HasBlock = true
		e.Block = c.Rest()
		c.Field("block")
	}
}

// What LOAD DATA does with rows that are there already.
const (
	DupError   = 0
	DupIgnore  = 1
	DupReplace = 2
)

// LoadQuery is an EXECUTE_LOAD_QUERY_EVENT (5.0+): a LOAD DATA statement over the blocks before it.
//
//	0  13 of a QUERY_EVENT
//	13 u32 file_id
//	17 u32 fn_pos_start: the bytes of the query from here
//	21 u32 fn_pos_end     to here are INFILE 'name' [REPLACE|IGNORE] INTO
//	25 u8  dup_handling
//	…      as a QUERY_EVENT
type LoadQuery struct {
	Query       Query
	FileID      uint32
	FnPosStart  uint32
	FnPosEnd    uint32
	DupHandling uint8
}

func (*LoadQuery) isEvent() {}

func (e *LoadQuery) decode(c *wire.Cursor, f *FormatDescription) {
	e.Query.decodePostHeader(c, f)
	e.FileID = c.Uint32()
	c.Field("file_id")
	e.FnPosStart = c.Uint32()
	c.Field("fn_pos_start")
	e.FnPosEnd = c.Uint32()
	c.Field("fn_pos_end")
	e.DupHandling = c.Uint8()
	c.Field("dup_handling")
	skipPostHeader(c, f.PostHeaderLen(ExecuteLoadQueryType))
	e.Query.decodeStatus(c, f)
	e.Query.decodeText(c)
}

// Flags of the field and line options of an old LOAD DATA event.
const (
	LoadDumpfile    = 1
	LoadOptEnclosed = 2
	LoadReplace     = 4
	LoadIgnore      = 8
)

// Load is a LOAD_EVENT (3.23), a NEW_LOAD_EVENT or a CREATE_FILE_EVENT (4.0, 4.1): a LOAD DATA statement taken apart.
//
//	0  u32 thread_id
//	4  u32 exec_time, seconds
//	8  u32 skip_lines
//	12 u8  table_len
//	13 u8  db_len
//	14 u32 num_fields
//	18 u32 file_id (CREATE_FILE only)
//	   sql_ex: the five strings that end and enclose fields and lines: one byte each (LOAD), or length and bytes
//	   u8 opt_flags, u8 empty_flags (LOAD only: which of the five bytes stand for an empty string)
//	   u8 length of each field's name, then the names, NUL-terminated
//	   table NUL, db NUL, file name, to the end or (CREATE_FILE) NUL and the first block of the file
type Load struct {
	ThreadID   uint32
	ExecTime   uint32
	SkipLines  uint32
	TableLen   uint8
	DBLen      uint8
	NumFields  uint32
	HasFileID  bool
	FileID     uint32
	Options    [5][]byte // in wire order, see LoadOptionNames
	OptFlags   uint8
	HasEmpty   bool
	EmptyFlags uint8
	Fields     [][]byte
	Table      []byte
	DB         []byte
	FileName   []byte
	Block      []byte
}

// LoadOptionNames names the five strings of Load.Options.
var LoadOptionNames = [5]string{"field_term", "enclosed", "line_term", "line_start", "escaped"}

func (*Load) isEvent() {}

func (e *Load) decode(c *wire.Cursor, f *FormatDescription, t Type) {
	e.ThreadID = c.Uint32()
	c.Field("thread_id")
	e.ExecTime = c.Uint32()
	c.Field("exec_time")
	e.SkipLines = c.Uint32()
	c.Field("skip_lines")
	e.TableLen = c.Uint8()
	c.Field("table_len")
	e.DBLen = c.Uint8()
	c.Field("db_len")
	e.NumFields = c.Uint32()
	c.Field("num_fields")
	if t == CreateFileType {
		e.HasFileID = true
		e.FileID = c.Uint32()
		c.Field("file_id")
	}
	e.decodeOptions(c, t)
	e.decodeNames(c)
	if t == CreateFileType {
		e.FileName = c.UntilNUL()
		c.Field("file_name")
		e.Block = c.Rest()
		c.Field("block")
		return
	}
	e.FileName = cutNUL(c.Rest())
	c.Field("file_name")
}

func (e *Load) decodeOptions(c *wire.Cursor, t Type) {
	c.Begin("sql_ex")
	for i, name := range LoadOptionNames {
		if t == LoadType {
			e.Options[i] = c.Bytes(1)
		} else {
			e.Options[i] = c.LenBytes()
		}
		c.Field(name)
	}
	e.OptFlags = c.Uint8()
	c.Field("opt_flags")
	if t == LoadType {
		e.HasEmpty = true
		e.EmptyFlags = c.Uint8()
		c.Field("empty_flags")
	}
	c.End()
}

func (e *Load) decodeNames(c *wire.Cursor) {
	n := c.Count(uint64(e.NumFields), 2)
	lens := c.Bytes(n)
	if n > 0 || !c.OK() {
		c.Field("field_lens")
		e.Fields = make([][]byte, 0, n)
	}
	for i, l := range lens {
		e.Fields = append(e.Fields, nulName(c, int(l)))
		c.FieldItem("fields", i)
	}
	e.Table = nulName(c, int(e.TableLen))
	c.Field("table")
	e.DB = nulName(c, int(e.DBLen))
	c.Field("db")
}

// nulName reads n bytes and a zero byte.
func nulName(c *wire.Cursor, n int) []byte {
	b := c.Bytes(n)
	if z := c.Uint8(); z != 0 {
		c.FailAt(c.Pos()-1, wire.Corrupt, "a name that does not end in a zero byte")
	}
	return b
}

// Slave is a SLAVE_EVENT (4.0 alphas).
//
//	0 u64 master_pos
//	8 u16 master_port
//	  host NUL, log name NUL
type Slave struct {
	Position uint64
	Port     uint16
	Host     []byte
	Log      []byte
}

func (*Slave) isEvent() {}

func (e *Slave) decode(c *wire.Cursor) {
	e.Position = c.Uint64()
	c.Field("master_pos")
	e.Port = c.Uint16()
	c.Field("master_port")
	e.Host = c.UntilNUL()
	c.Field("host")
	e.Log = cutNUL(c.Rest())
	c.Field("log_name")
}
