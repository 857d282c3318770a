package session_test

import (
	"binlens/decoder/internal/logtest"
	"fmt"
	"strings"
	"testing"
)

// Types that no server documents are kept as they are, and the log goes on behind them: between a map and its rows too.
func TestTrapUnknownEvents(t *testing.T) {
	for _, c := range []struct {
		name  string
		typ   byte
		flags uint16
	}{
		{"144 Aurora, ignorable", 100, logtest.FlagIgnorable}, {"144 Aurora, not ignorable", 101, 0}, {"146 PolarDB", 202, 0}, {"146 another vendor's", 99, 0},
		{"146 the first behind MySQL's", 44, 0}, {"146 the last in front of MariaDB's", 159, logtest.FlagIgnorable}, {"146 the first behind those", 173, 0}, {"146 the last", 255, 0},
	} {
		for _, sum := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
			for _, body := range []string{"", "aurora", strings.Repeat("x", 5000)} {
				l := logtest.New(logtest.MySQL8040, sum)
				l.Event(logtest.TypeTableMap, rawTable(100, []byte{1}, nil, nil).Body())
				l.EventFlags(c.typ, c.flags, []byte(body))
				insert(l, 100, 1, logtest.Hex("00 05"))
				rows := dumpLog(t, l.Bytes())
				want := "absent"
				if body != "" {
					want = fmt.Sprintf(`{"hex":"%x"}`, body)
				}
				got := "absent"
				if v := get(rows[2], "data", "body"); v != nil {
					got = plain(v)
				}
				if number(rows[2].m["code"]) != int64(c.typ) || !strings.HasPrefix(text(rows[2].m["type"]), "UNKNOWN_EVENT_") || got != want || plain(get(rows[3], "data", "rows")) != `[{"after":{"@1":5}}]` {
					t.Errorf("%s, %d bytes: %s", c.name, len(body), cut(plain(rows[2])))
				}
			}
		}
	}
}

// Heartbeats of both kinds, with fields in any order and unknown ones among them.
func TestTrapHeartbeats(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	l.EventFlags(logtest.TypeHeartbeatV2, logtest.FlagArtificial, logtest.HeartbeatV2("bin.000001", 1<<40))
	l.EventFlags(logtest.TypeHeartbeatV2, logtest.FlagArtificial, logtest.Cat(logtest.LenencTLV(2, logtest.Lenenc(7)), logtest.LenencTLV(9, []byte("?")), logtest.LenencTLV(1, []byte("b")), []byte{0}))
	l.SQL("d", "BEGIN")
	checkEvents(t, "145 heartbeats", dumpLog(t, l.Bytes()), "FORMAT_DESCRIPTION_EVENT HEARTBEAT_LOG_EVENT_V2 HEARTBEAT_LOG_EVENT_V2 QUERY_EVENT", []want{{1, []any{"data", "log_name"}, `"bin.000001"`}, {1, []any{"data", "position"}, "1099511627776"},
		{2, []any{"data", "log_name"}, `"b"`}, {2, []any{"data", "position"}, "7"}, {1, []any{"problems"}, "absent"}, {2, []any{"problems"}, "absent"}})
}

// An XA transaction that ends as prepared, and one that is committed in one phase.
func TestTrapXA(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	for phase := range byte(2) {
		l.SQL("d", "XA START X'6162',X'',1").SQL("d", "INSERT INTO t VALUES (1)").SQL("d", "XA END X'6162',X'',1")
		l.Event(logtest.TypeXaPrepare, logtest.XaPrepare(phase, 1, "ab", ""))
	}
	const group = " QUERY_EVENT QUERY_EVENT QUERY_EVENT XA_PREPARE_LOG_EVENT"
	checkEvents(t, "147 XA", dumpLog(t, l.Bytes()), "FORMAT_DESCRIPTION_EVENT"+group+group, []want{{4, []any{"data", "one_phase"}, "0"}, {4, []any{"data", "gtrid"}, `{"hex":"6162"}`}, {4, []any{"transaction"}, "1"},
		{8, []any{"data", "one_phase"}, "1"}, {8, []any{"data", "format_id"}, "1"}, {8, []any{"transaction"}, "2"}, {5, []any{"transaction"}, "2"}})
}

// What a statement needs besides its text stands in events of its own, in front of it.
func TestTrapStatementValues(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	l.Event(logtest.TypeIntvar, logtest.Intvar(2, 1<<63)).Event(logtest.TypeRand, logtest.U64(1), logtest.U64(1<<30))
	l.Event(logtest.TypeUserVar, logtest.UserVar{Name: "v", Type: 0, Charset: 8, Value: logtest.Hex("9192")}.Body())
	l.Event(logtest.TypeUserVar, logtest.UserVar{Name: "u", Type: 2, Charset: 63, Value: logtest.Hex("ffffffffffffffff"), Tail: logtest.U8(1)}.Body())
	l.Event(logtest.TypeUserVar, logtest.UserVar{Name: "s", Type: 2, Charset: 63, Value: logtest.Hex("ffffffffffffffff"), Tail: logtest.U8(0)}.Body())
	l.Event(logtest.TypeUserVar, logtest.UserVar{Name: "d", Type: 4, Charset: 63, Value: logtest.Hex("0502 7ffffe")}.Body())
	l.Event(logtest.TypeUserVar, logtest.UserVar{Name: "n", Null: true}.Body()).SQL("d", "INSERT INTO t VALUES (NULL, RAND(), @v)")
	checkEvents(t, "148 values of a statement", dumpLog(t, l.Bytes()), "FORMAT_DESCRIPTION_EVENT INTVAR_EVENT RAND_EVENT"+strings.Repeat(" USER_VAR_EVENT", 5)+" QUERY_EVENT", []want{
		{1, []any{"data", "value"}, `"9223372036854775808"`}, {2, []any{"data", "seed2"}, "1073741824"}, {3, []any{"data", "value"}, `"‘’"`}, {4, []any{"data", "value"}, `"18446744073709551615"`},
		{5, []any{"data", "value"}, "-1"}, {6, []any{"data", "value"}, `"-0.01"`}, {7, []any{"data", "is_null"}, "true"}, {1, []any{"transaction"}, "1"}, {8, []any{"transaction"}, "1"}})
}

// The blocks of a file that is loaded, and the statement that loads it, have one file_id.
func TestTrapLoadData(t *testing.T) {
	const sql = "LOAD DATA INFILE 'a.txt' INTO TABLE t"
	l := logtest.New(logtest.MySQL8040, logtest.CRC32).SQL("d", "BEGIN")
	l.Event(logtest.TypeBeginLoad, logtest.Hex("01000000 312c6f6e650a")).Event(logtest.TypeAppendBlock, logtest.FileBlock(1, "2,\x00\xff\n"))
	l.Event(logtest.TypeExecuteLoad, l.LoadQuery(logtest.Query{Thread: 7, DB: "d", SQL: sql}, 1, 10, 23, 2)).Event(logtest.TypeXid, logtest.U64(5))
	l.Event(logtest.TypeBeginLoad, logtest.FileBlock(2, "")).Event(logtest.TypeDeleteFile, logtest.FileBlock(2, ""))
	checkEvents(t, "149 LOAD DATA", dumpLog(t, l.Bytes()), "FORMAT_DESCRIPTION_EVENT QUERY_EVENT BEGIN_LOAD_QUERY_EVENT APPEND_BLOCK_EVENT EXECUTE_LOAD_QUERY_EVENT XID_EVENT BEGIN_LOAD_QUERY_EVENT DELETE_FILE_EVENT", []want{
		{2, []any{"data"}, `{"file_id":1,"block":{"hex":"312c6f6e650a"}}`}, {3, []any{"data"}, `{"file_id":1,"block":{"hex":"322c00ff0a"}}`}, {4, []any{"data", "file_id"}, "1"},
		{4, []any{"data", "fn_pos_start"}, "10"}, {4, []any{"data", "fn_pos_end"}, "23"}, {4, []any{"data", "dup_handling"}, "2"}, {4, []any{"data", "query"}, quote(sql)}, {4, []any{"data", "db"}, `"d"`}, {7, []any{"data", "file_id"}, "2"}})
	old := logtest.New(logtest.MySQL41, logtest.Off).Event(logtest.TypeAppendBlock, logtest.FileBlock(9, "x")).Event(logtest.TypeExecLoad, logtest.FileBlock(9, ""))
	checkEvents(t, "149 before 5.0", dumpLog(t, old.Bytes()), "START_EVENT_V3 APPEND_BLOCK_EVENT EXEC_LOAD_EVENT", []want{{1, []any{"data"}, `{"file_id":9,"block":{"hex":"78"}}`}, {2, []any{"data"}, `{"file_id":9}`}})
}
