package logtest

// Query is a QUERY_EVENT.
type Query struct {
	Thread, Exec uint32
	Error        uint16
	Status       []byte // status variables, raw
	DB, SQL      string
}

// Query builds the body as the log's server writes it: before version 4 it has no status variables.
func (l *Log) Query(q Query) []byte {
	b := Cat(U32(q.Thread), U32(q.Exec), U8(uint8(len(q.DB))), U16(q.Error))
	if l.Server.Binlog >= 4 {
		b = Cat(b, U16(uint16(len(q.Status))), q.Status)
	}
	return Cat(b, TextNUL(q.DB), []byte(q.SQL))
}

// SQL appends a QUERY_EVENT.
func (l *Log) SQL(db, sql string) *Log { return l.Event(TypeQuery, l.Query(Query{DB: db, SQL: sql})) }

// Var is a status variable: its code and its bytes.
func Var(code byte, data ...[]byte) []byte { return Cat(U8(code), Cat(data...)) }

// Rotate is the body of a ROTATE_EVENT; version 1 has no position.
func (l *Log) Rotate(position uint64, file string) []byte {
	if l.Server.Binlog == 1 {
		return []byte(file)
	}
	return Cat(U64(position), []byte(file))
}

// Intvar is the body of an INTVAR_EVENT.
func Intvar(kind byte, v uint64) []byte { return Cat(U8(kind), U64(v)) }

// UserVar is a USER_VAR_EVENT.
type UserVar struct {
	Name    string
	Null    bool
	Type    byte
	Charset uint32
	Value   []byte
	Tail    []byte // what follows the value: flags, and MariaDB's data type
}

// Body builds it.
func (v UserVar) Body() []byte {
	b := Cat(U32(uint32(len(v.Name))), []byte(v.Name))
	if v.Null {
		return append(b, 1)
	}
	return Cat(b, U8(0), U8(v.Type), U32(v.Charset), U32(uint32(len(v.Value))), v.Value, v.Tail)
}

// RowsQuery is the body of a ROWS_QUERY_LOG_EVENT.
func RowsQuery(sql string) []byte { return Cat(U8(uint8(len(sql))), []byte(sql)) }
