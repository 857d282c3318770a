package decoder_test

import (
	"testing"

	"binlens/decoder"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/wire"
)

// eventCase is an event by its bytes.
type eventCase struct {
	name   string
	server logtest.Server
	typ    decoder.Type
	body   string // hexadecimal
	want   decoder.Event
	paths  string
}

func checkEvents(t *testing.T, cases []eventCase) {
	t.Helper()
	for _, tt := range cases {
		f := format(t, tt.server, logtest.CRC32)
		equal(t, tt.name, read[decoder.Event](t, f, tt.typ, hex(tt.body)), tt.want)
		if got := paths(t, f, tt.typ, hex(tt.body)); got != tt.paths {
			t.Errorf("%s: names %q, want %q", tt.name, got, tt.paths)
		}
	}
}

// faultCase is a body with something wrong, and what: its kind, place, field and reason.
type faultCase struct {
	server logtest.Server
	typ    decoder.Type
	body   string
	kind   wire.Kind
	offset int64
	path   string
	msg    string
}

func checkFaults(t *testing.T, cases []faultCase) {
	t.Helper()
	for _, tt := range cases {
		_, bad := fault(t, format(t, tt.server, logtest.CRC32), tt.typ, hex(tt.body))
		if bad.Kind != tt.kind || bad.Offset != tt.offset || bad.Path != tt.path || bad.Msg != tt.msg {
			t.Errorf("%s %s:\n got %v\nwant %s at byte %d in %s: %s", tt.typ, tt.body, bad, tt.kind, tt.offset, tt.path, tt.msg)
		}
	}
}

const (
	loadHead = "05000000 01000000 02000000 01 04 02000000" // thread 5, 1 s, skip 2 lines, lengths of t and test, 2 fields
	loadTail = "02 04 | 696400 6e616d6500 | 7400 | 7465737400 |"
	loadOld  = loadHead + "2c 22 0a 00 5c 02 08" + loadTail
	loadNew  = loadHead + "022c20 0122 010a 00 015c 06" + loadTail
	loadFile = loadHead + "09000000 | 012c 00 010a 00 00 00" + loadTail
)

func theLoad(options [5]string, opt uint8) *decoder.Load {
	l := &decoder.Load{ThreadID: 5, ExecTime: 1, SkipLines: 2, TableLen: 1, DBLen: 4, NumFields: 2, OptFlags: opt,
		Fields: [][]byte{[]byte("id"), []byte("name")}, Table: []byte("t"), DB: []byte("test"), FileName: []byte("a.txt")}
	for i, o := range options {
		l.Options[i] = []byte(o)
	}
	return l
}

func TestLoadData(t *testing.T) {
	v1, v3, v4, v8 := logtest.MySQL323, logtest.MySQL41, logtest.MySQL50, logtest.MySQL8040
	old := theLoad([5]string{",", "\"", "\n", "\x00", "\\"}, 2)
	old.HasEmpty, old.EmptyFlags = true, 8
	create := theLoad([5]string{",", "", "\n", "", ""}, 0)
	create.HasFileID, create.FileID, create.Block = true, 9, []byte("1,one\n")
	none := &decoder.Load{FileName: []byte{}, Table: []byte{}, DB: []byte{}}
	for i := range none.Options {
		none.Options[i] = []byte{}
	}
	const head = "thread_id exec_time skip_lines table_len db_len num_fields "
	const names = " field_lens fields[0] fields[1] table db file_name"
	const options = "+sql_ex sql_ex.field_term sql_ex.enclosed sql_ex.line_term sql_ex.line_start sql_ex.escaped sql_ex.opt_flags"
	vars := &decoder.LoadQuery{FileID: 3, FnPosStart: 10, FnPosEnd: 29, DupHandling: 2, Query: decoder.Query{ThreadID: 12, ExecTime: 1, DBLen: 4, ErrorCode: 0, StatusVarsLen: 5, HasStatusVars: true,
		Status: []decoder.StatusVar{{Code: decoder.StatusFlags2, Nums: []uint64{0x4000}}}, DB: []byte("shop"), Text: []byte("LOAD")}}
	checkEvents(t, []eventCase{
		{"BEGIN_LOAD_QUERY", v4, 17, "03000000 6162", &decoder.FileBlock{FileID: 3, HasBlock: true, Block: []byte("ab")}, "file_id block"},
		{"BEGIN_LOAD_QUERY of an empty file", v8, 17, "ffffffff", &decoder.FileBlock{FileID: 1<<32 - 1, HasBlock: true, Block: []byte{}}, "file_id block"},
		{"APPEND_BLOCK", v8, 9, "03000000 00", &decoder.FileBlock{FileID: 3, HasBlock: true, Block: []byte{0}}, "file_id block"},
		{"APPEND_BLOCK v3", v3, 9, "03000000 00", &decoder.FileBlock{FileID: 3, HasBlock: true, Block: []byte{0}}, "file_id block"},
		{"EXEC_LOAD", v3, 10, "03000000", &decoder.FileBlock{FileID: 3}, "file_id"},
		{"DELETE_FILE", v8, 11, "03000000", &decoder.FileBlock{FileID: 3}, "file_id"},
		{"DELETE_FILE with bytes of the future", v8, 11, "03000000 01", &decoder.FileBlock{FileID: 3}, "file_id trailing"},
		{"EXECUTE_LOAD_QUERY", v8, 18, "0c000000 01000000 04 0000 0500 | 03000000 0a000000 1d000000 02 | 00 00400000 | 73686f7000 | 4c4f4144", vars,
			"thread_id exec_time db_len error_code status_vars_len file_id fn_pos_start fn_pos_end dup_handling +status_vars status_vars.flags2 db query"},
		{"LOAD", v1, 6, loadOld + "612e747874", old, head + options + " sql_ex.empty_flags" + names},
		{"LOAD whose name ends in a zero", v3, 6, loadOld + "612e74787400", old, head + options + " sql_ex.empty_flags" + names},
		{"NEW_LOAD", v3, 12, loadNew + "612e747874", theLoad([5]string{", ", "\"", "\n", "", "\\"}, 6), head + options + names},
		{"NEW_LOAD of nothing", v3, 12, "00000000 00000000 00000000 00 00 00000000 | 00 00 00 00 00 00 | 00 00", none, head + options + " table db file_name"},
		{"CREATE_FILE", v3, 8, loadFile + "612e74787400 312c6f6e650a", create, head + "file_id " + options + names + " block"},
		{"SLAVE", v3, 7, "6712000000000000 ea0c | 686f737400 | 6c6f6700", &decoder.Slave{Position: 4711, Port: 3306, Host: []byte("host"), Log: []byte("log")}, "master_pos master_port host log_name"},
		{"SLAVE without the last zero", v3, 7, "6712000000000000 ea0c | 00 | 6c6f67", &decoder.Slave{Position: 4711, Port: 3306, Host: []byte{}, Log: []byte("log")}, "master_pos master_port host log_name"},
	})
}

func TestLoadDataFaults(t *testing.T) {
	v3, v8 := logtest.MySQL41, logtest.MySQL8040
	checkFaults(t, []faultCase{
		{v8, 17, "030000", wire.Truncated, 0, "file_id", "4 bytes needed, 3 left"},
		{v8, 11, "", wire.Truncated, 0, "file_id", "4 bytes needed, 0 left"},
		{v8, 18, "0c000000 01000000 04 0000", wire.Truncated, 11, "status_vars_len", "2 bytes needed, 0 left"},
		{v8, 18, "0c000000 01000000 04 0000 0000 | 0300", wire.Truncated, 13, "file_id", "4 bytes needed, 2 left"},
		{v8, 18, "0c000000 01000000 04 0000 0000 | 03000000 0a000000 1d00", wire.Truncated, 21, "fn_pos_end", "4 bytes needed, 2 left"},
		{v8, 18, "0c000000 01000000 04 0000 0000 | 03000000 0a000000 1d000000", wire.Truncated, 25, "dup_handling", "1 byte needed, 0 left"},
		{v8, 18, "0c000000 01000000 04 0000 0900 | 03000000 0a000000 1d000000 02 | 00", wire.Truncated, 26, "status_vars", "9 bytes needed, 1 left"},
		{v8, 18, "0c000000 01000000 04 0000 0000 | 03000000 0a000000 1d000000 02 | 73686f7020", wire.Corrupt, 30, "db", "db does not end in a zero byte"},
		{v3, 12, "05000000 01000000 0200", wire.Truncated, 8, "skip_lines", "4 bytes needed, 2 left"},
		{v3, 8, loadHead + "0900", wire.Truncated, 18, "file_id", "4 bytes needed, 2 left"},
		{v3, 12, loadHead + "02 2c", wire.Truncated, 19, "sql_ex.field_term", "2 bytes needed, 1 left"},
		{v3, 6, loadHead + "2c 22 0a 00", wire.Truncated, 22, "sql_ex.escaped", "1 byte needed, 0 left"},
		{v3, 6, loadHead + "2c 22 0a 00 5c 02", wire.Truncated, 24, "sql_ex.empty_flags", "1 byte needed, 0 left"},
		{v3, 6, "05000000 01000000 02000000 01 04 ffffffff | 2c 22 0a 00 5c 02 08 | 02 04", wire.Corrupt, 25, "field_lens", "4294967295 items of at least 2 bytes do not fit into the 2 bytes left"},
		{v3, 6, loadHead + "2c 22 0a 00 5c 02 08 | 02 04 | 696401", wire.Corrupt, 29, "fields[0]", "a name that does not end in a zero byte"},
		{v3, 6, loadHead + "2c 22 0a 00 5c 02 08 | 02 04 | 696400 6e61", wire.Truncated, 30, "fields[1]", "4 bytes needed, 2 left"},
		{v3, 12, loadNew[:len(loadNew)-len("7400 | 7465737400 |")] + "7420", wire.Corrupt, 40, "table", "a name that does not end in a zero byte"},
		{v3, 8, loadFile + "612e747874", wire.Truncated, 47, "file_name", "no zero byte ends the text"},
		{v3, 7, "67120000", wire.Truncated, 0, "master_pos", "8 bytes needed, 4 left"},
		{v3, 7, "6712000000000000 ea", wire.Truncated, 8, "master_port", "2 bytes needed, 1 left"},
		{v3, 7, "6712000000000000 ea0c 686f7374", wire.Truncated, 10, "host", "no zero byte ends the text"},
	})
}

// A server of the future whose post-headers have fields more: they are passed, and named.
func TestLongerPostHeaders(t *testing.T) {
	future := logtest.MySQL84
	future.Lengths = cat(future.Lengths)
	for _, typ := range []int{2, 9, 11, 17, 18, 26, 36, 37} {
		future.Lengths[typ-1] += 2
	}
	checkEvents(t, []eventCase{
		{"QUERY", future, 2, "01000000 02000000 00 0000 0000 aabb | 00 | 58", &decoder.Query{ThreadID: 1, ExecTime: 2, HasStatusVars: true, DB: []byte{}, Text: []byte("X")},
			"thread_id exec_time db_len error_code status_vars_len post_header_extra db query"},
		{"BEGIN_LOAD_QUERY", future, 17, "03000000 aabb 58", &decoder.FileBlock{FileID: 3, HasBlock: true, Block: []byte("X")}, "file_id post_header_extra block"},
		{"DELETE_FILE", future, 11, "03000000 aabb", &decoder.FileBlock{FileID: 3}, "file_id post_header_extra"},
		{"EXECUTE_LOAD_QUERY", future, 18, "01000000 02000000 00 0000 0000 03000000 00000000 00000000 00 aabb | 00 | 58",
			&decoder.LoadQuery{FileID: 3, Query: decoder.Query{ThreadID: 1, ExecTime: 2, HasStatusVars: true, DB: []byte{}, Text: []byte("X")}},
			"thread_id exec_time db_len error_code status_vars_len file_id fn_pos_start fn_pos_end dup_handling post_header_extra db query"},
		{"INCIDENT", future, 26, "0100 aabb 01 58", &decoder.Incident{Number: 1, Message: []byte("X")}, "incident post_header_extra message"},
		{"TRANSACTION_CONTEXT", future, 36, "01 07000000 01 00000000 00000000 00000000 aabb 58", &decoder.TransactionContext{ServerUUID: []byte("X"), ThreadID: 7, GtidSpecified: 1},
			"server_uuid_len thread_id gtid_specified snapshot_len write_set_count read_set_count post_header_extra server_uuid"},
		{"VIEW_CHANGE", future, 37, viewID + "0700000000000000 00000000 aabb", &decoder.ViewChange{ViewID: []byte("v:1"), Seq: 7}, "view_id seq_number certification_info_count post_header_extra"},
	})
	checkFaults(t, []faultCase{{future, 26, "0100 aa", wire.Truncated, 2, "post_header_extra", "2 bytes needed, 1 left"}})
}
