package decoder

import "binlens/decoder/wire"

// StatusCode is the code of a status variable of a QUERY_EVENT.
type StatusCode uint8

// The status variables. MySQL and MariaDB share 0 to 12; 13 to 20 are MySQL's, 128 and on MariaDB's.
const (
	StatusFlags2             StatusCode = 0
	StatusSQLMode            StatusCode = 1
	StatusCatalog            StatusCode = 2 // 5.0.0 to 5.0.3
	StatusAutoIncrement      StatusCode = 3
	StatusCharset            StatusCode = 4
	StatusTimeZone           StatusCode = 5
	StatusCatalogNZ          StatusCode = 6
	StatusLcTimeNames        StatusCode = 7
	StatusCharsetDatabase    StatusCode = 8
	StatusTableMapForUpdate  StatusCode = 9
	StatusMasterDataWritten  StatusCode = 10
	StatusInvoker            StatusCode = 11
	StatusUpdatedDBNames     StatusCode = 12
	StatusMicroseconds       StatusCode = 13
	StatusCommitTS           StatusCode = 14
	StatusCommitTS2          StatusCode = 15
	StatusExplicitDefaultsTS StatusCode = 16
	StatusDDLXid             StatusCode = 17
	StatusDefaultCollation   StatusCode = 18
	StatusRequirePrimaryKey  StatusCode = 19
	StatusTableEncryption    StatusCode = 20
	StatusHrnow              StatusCode = 128
	StatusMariaXid           StatusCode = 129
	StatusGtidFlags3         StatusCode = 130
	StatusCollations         StatusCode = 131
	StatusDummy              StatusCode = 255
)

var statusNames = map[StatusCode]string{
	StatusFlags2: "flags2", StatusSQLMode: "sql_mode", StatusCatalog: "catalog", StatusAutoIncrement: "auto_increment",
	StatusCharset: "charset", StatusTimeZone: "time_zone", StatusCatalogNZ: "catalog_nz", StatusLcTimeNames: "lc_time_names",
	StatusCharsetDatabase: "charset_database", StatusTableMapForUpdate: "table_map_for_update",
	StatusMasterDataWritten: "master_data_written", StatusInvoker: "invoker", StatusUpdatedDBNames: "updated_db_names",
	StatusMicroseconds: "microseconds", StatusCommitTS: "commit_ts", StatusCommitTS2: "commit_ts2",
	StatusExplicitDefaultsTS: "explicit_defaults_ts", StatusDDLXid: "ddl_logged_with_xid",
	StatusDefaultCollation: "default_collation_for_utf8mb4", StatusRequirePrimaryKey: "sql_require_primary_key",
	StatusTableEncryption: "default_table_encryption", StatusHrnow: "hrnow", StatusMariaXid: "xid",
	StatusGtidFlags3: "gtid_flags3", StatusCollations: "character_set_collations", StatusDummy: "dummy",
}

// Name returns the variable's name in lower case, empty for a code that is not known.
func (s StatusCode) Name() string { return statusNames[s] }

// OverMaxDBs is the count in updated_db_names that stands for more names than are logged (16).
const OverMaxDBs = 254

// StatusVar is one status variable. Numbers are in Nums and texts in Texts, in wire order:
//
//	flags2, sql_mode, lc_time_names, charset_database, table_map_for_update, master_data_written, microseconds (µs),
//	explicit_defaults_ts, ddl_logged_with_xid, default_collation_for_utf8mb4, sql_require_primary_key,
//	default_table_encryption, hrnow (µs), xid     one number
//	auto_increment           increment, offset
//	charset                  client, collation_connection, collation_server (collation ids)
//	catalog, catalog_nz, time_zone                one text
//	invoker                  user, host
//	updated_db_names         count; then so many texts, none when count is OverMaxDBs
//	gtid_flags3              flags, and sa_seq_no when flags has 4 or 8
//	character_set_collations count, then pairs of charset default and chosen collation id
type StatusVar struct {
	Code  StatusCode
	Nums  []uint64
	Texts [][]byte
}

// decodeStatusVars reads variables to the end of c, or to the first that cannot be read: that and what follows it stays
// raw, and the error says so. It leaves c without an error.
func decodeStatusVars(c *wire.Cursor, family Family) (vars []StatusVar, bad *wire.Error) {
	for c.Len() > 0 {
		look := *c
		v := StatusVar{Code: StatusCode(look.Uint8())}
		name := v.Code.Name()
		if name == "" {
			look.FailAt(look.Pos()-1, wire.Unsupported, "status variable "+itoa(int(v.Code))+" is not known: what follows it stays raw")
			bad = look.Fault()
			bad.Path = "status_vars"
			break
		}
		probe := look
		probe.Quiet()
		v.readParts(&probe, name)
		if !probe.OK() {
			bad = probe.Fault()
			bad.Path = "status_vars." + name
			break
		}
		v = StatusVar{Code: v.Code}
		v.readNamed(c, name)
		vars = append(vars, v)
	}
	if c.Len() > 0 {
		c.Rest()
		c.Field("unread")
	}
	return vars, bad
}

func (v *StatusVar) num(c *wire.Cursor, name string, n int) uint64 {
	x := c.UintN(n)
	c.Field(name)
	v.Nums = append(v.Nums, x)
	return x
}

func (v *StatusVar) text(c *wire.Cursor, name string) {
	v.Texts = append(v.Texts, c.LenBytes())
	c.Field(name)
}

// readNamed reads the code and what follows it. The code's byte belongs to the variable's only or first part.
func (v *StatusVar) readNamed(c *wire.Cursor, name string) {
	group := v.Code.hasParts()
	if group {
		c.Begin(name)
	}
	c.Skip(1)
	v.readParts(c, name)
	if group {
		c.End()
	}
}

// hasParts says that the variable is more than one number or text.
func (s StatusCode) hasParts() bool {
	switch s {
	case StatusAutoIncrement, StatusCharset, StatusInvoker, StatusUpdatedDBNames, StatusCommitTS2, StatusGtidFlags3, StatusCollations:
		return true
	}
	return false
}

func (v *StatusVar) readParts(c *wire.Cursor, name string) {
	switch v.Code {
	case StatusFlags2, StatusMasterDataWritten:
		v.num(c, name, 4)
	case StatusSQLMode, StatusTableMapForUpdate, StatusDDLXid, StatusMariaXid, StatusCommitTS:
		v.num(c, name, 8)
	case StatusLcTimeNames, StatusCharsetDatabase, StatusDefaultCollation:
		v.num(c, name, 2)
	case StatusMicroseconds, StatusHrnow:
		v.num(c, name, 3)
	case StatusExplicitDefaultsTS, StatusRequirePrimaryKey, StatusTableEncryption:
		v.num(c, name, 1)
	case StatusCatalog:
		v.Texts = append(v.Texts, c.LenBytes())
		c.Skip(1)
		c.Field(name)
	case StatusCatalogNZ, StatusTimeZone:
		v.text(c, name)
	case StatusCommitTS2:
		v.num(c, "first", 8)
		v.num(c, "second", 8)
	case StatusAutoIncrement:
		v.num(c, "increment", 2)
		v.num(c, "offset", 2)
	case StatusCharset:
		v.num(c, "client", 2)
		v.num(c, "collation_connection", 2)
		v.num(c, "collation_server", 2)
	case StatusInvoker:
		v.text(c, "user")
		v.text(c, "host")
	default:
		v.readLists(c, name)
	}
}

func (v *StatusVar) readLists(c *wire.Cursor, name string) {
	switch v.Code {
	case StatusUpdatedDBNames:
		n := v.num(c, "count", 1)
		for i := 0; n != OverMaxDBs && i < int(n) && c.OK(); i++ {
			v.Texts = append(v.Texts, c.UntilNUL())
			c.FieldItem("names", i)
		}
	case StatusGtidFlags3:
		if flags := v.num(c, "flags", 1); flags&(GtidExtraCommitAlter|GtidExtraRollbackAlter) != 0 {
			v.num(c, "sa_seq_no", 8)
		}
	case StatusCollations:
		n := v.num(c, "count", 1)
		for i := 0; i < int(n) && c.OK(); i++ {
			c.BeginItem("collations", i)
			v.num(c, "from", 2)
			v.num(c, "to", 2)
			c.End()
		}
	case StatusDummy:
		c.Rest()
		c.Field(name)
	}
}

// Var returns the status variable with the code, or nil.
func (e *Query) Var(code StatusCode) *StatusVar {
	for i := range e.Status {
		if e.Status[i].Code == code {
			return &e.Status[i]
		}
	}
	return nil
}

// ClientCharset returns the collation id of the query text, and false when the event does not say.
func (e *Query) ClientCharset() (uint16, bool) {
	if v := e.Var(StatusCharset); v != nil {
		return uint16(v.Nums[0]), true
	}
	return 0, false
}
