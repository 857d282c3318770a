package session_test

import (
	"binlens/decoder/internal/logtest"
	"fmt"
	"strings"
	"testing"
)

// Status variables that are not known, or cut, cost themselves and not the query: its place comes from the lengths.
func TestTrapStatusVariables(t *testing.T) {
	for _, c := range []struct {
		name   string
		server logtest.Server
		status string
		wants  []want
	}{
		{"150 the variables of MariaDB", logtest.MariaDB105, "80 010203 81 0900000000000000 83 01 2d00 2e00", []want{{1, []any{"data", "status_vars", "hrnow"}, "197121"}, {1, []any{"data", "status_vars", "xid"}, "9"},
			{1, []any{"data", "status_vars", "character_set_collations"}, `{"count":1,"collations":[{"from":45,"to":46}]}`}, {1, []any{"problems"}, "absent"}}},
		{"150 an unknown one", logtest.MariaDB105, "00 00000000 fa 0102", []want{{1, []any{"data", "status_vars", "unread"}, `{"hex":"fa0102"}`}, {1, []any{"problems", 0, "kind"}, `"unsupported"`}}},
		{"150 one of MariaDB that is cut", logtest.MariaDB105, "83 02 2d00 2e00", []want{{1, []any{"data", "status_vars", "unread"}, `{"hex":"83022d002e00"}`}, {1, []any{"problems", 0, "kind"}, `"truncated"`}}},
		{"151 databases", logtest.MySQL8040, "0c 02 6100 6200 10 01", []want{{1, []any{"data", "status_vars", "updated_db_names", "names"}, `["a","b"]`}, {1, []any{"data", "status_vars", "explicit_defaults_ts"}, "1"}, {1, []any{"problems"}, "absent"}}},
		{"151 more databases than are named", logtest.MySQL8040, "0c fe 10 01", []want{{1, []any{"data", "status_vars", "updated_db_names", "count"}, "254"}, {1, []any{"data", "status_vars", "explicit_defaults_ts"}, "1"}, {1, []any{"problems"}, "absent"}}},
		{"151 sixteen of them", logtest.MySQL8040, "0c 10" + strings.Repeat(" 6100", 16) + "10 01", []want{{1, []any{"data", "status_vars", "updated_db_names", "count"}, "16"}, {1, []any{"data", "status_vars", "explicit_defaults_ts"}, "1"}}},
	} {
		l := logtest.New(c.server, logtest.CRC32)
		l.Event(logtest.TypeQuery, l.Query(logtest.Query{Thread: 7, DB: "d", Status: logtest.Hex(c.status), SQL: "BEGIN"})).SQL("d", "COMMIT")
		checkEvents(t, c.name, dumpLog(t, l.Bytes()), twoQueries, append([]want{{1, []any{"data", "db"}, `"d"`}, {1, []any{"data", "query"}, `"BEGIN"`}, {2, []any{"data", "query"}, `"COMMIT"`}}, c.wants...))
	}
	for code := range 256 { // every code, with bytes that may be anything
		l := logtest.New(logtest.MySQL8040, logtest.CRC32)
		l.Event(logtest.TypeQuery, l.Query(logtest.Query{DB: "d", Status: logtest.Cat(logtest.Hex("00 00000000"), logtest.Var(byte(code), bytesOf(1, 3))), SQL: "BEGIN"}))
		r := dumpLog(t, l.Bytes())[1]
		if plain(get(r, "data", "query")) != `"BEGIN"` || plain(get(r, "data", "db")) != `"d"` {
			t.Errorf("150: status variable %d: %s", code, cut(plain(r)))
		}
	}
}

// The text of a ROWS_QUERY goes to its end: its length of one byte is that length modulo 256.
func TestTrapRowsQuery(t *testing.T) {
	for _, n := range []int{0, 1, 254, 255, 256, 300, 70000} {
		sql := strings.Repeat("x", n)
		l := logtest.New(logtest.MySQL8040, logtest.CRC32).EventFlags(logtest.TypeRowsQuery, logtest.FlagIgnorable, logtest.RowsQuery(sql))
		checkEvents(t, fmt.Sprintf("152 a statement of %d bytes", n), dumpLog(t, l.Bytes()), "FORMAT_DESCRIPTION_EVENT ROWS_QUERY_LOG_EVENT", []want{{1, []any{"data", "query"}, quote(sql)}, {1, []any{"data", "length"}, fmt.Sprint(n % 256)}, {1, []any{"problems"}, "absent"}})
	}
}

// The schema of a query: none, the longest, and one without the zero byte behind it.
func TestTrapQuerySchema(t *testing.T) {
	for _, db := range []string{"", "d", strings.Repeat("庫", 64), strings.Repeat("x", 255)} {
		for _, sql := range []string{"", "BEGIN", "SELECT 'a\x00b'"} {
			for _, server := range []logtest.Server{logtest.MySQL323, logtest.MySQL41, logtest.MySQL51, logtest.MySQL8040, logtest.MariaDB105} {
				l := logtest.New(server, logtest.CRC32).Event(logtest.TypeQuery, logtest.New(server, logtest.Off).Query(logtest.Query{Thread: 1 << 31, Exec: 3, Error: 1317, DB: db, SQL: sql}))
				r := dumpLog(t, l.Bytes())[1]
				d := get(r, "data")
				if text(get(d, "db")) != db || text(get(d, "query")) != sql || number(get(d, "thread_id")) != 1<<31 || number(get(d, "error_code")) != 1317 || r.m["problems"] != nil {
					t.Errorf("153: %s: %s", server.Name, cut(plain(r)))
				}
			}
		}
	}
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	body := l.Query(logtest.Query{DB: "db", SQL: "BEGIN"})
	body[15] = 'x' // the zero
	checkEvents(t, "153 no zero byte", dumpLog(t, l.Event(logtest.TypeQuery, body).SQL("d", "COMMIT").Bytes()), twoQueries, []want{{1, []any{"problems", 0, "kind"}, `"corrupt"`}, {1, []any{"problems", 0, "path"}, `"db"`}, {2, []any{"problems"}, "absent"}})
}

// The statement of MariaDB in front of its rows is text to the end of the event.
func TestTrapAnnotate(t *testing.T) {
	for _, sql := range []string{"", "INSERT INTO t VALUES ('測')", strings.Repeat("x", 70000)} {
		l := logtest.New(logtest.MariaDB105, logtest.CRC32).Event(logtest.TypeMariaGtid, logtest.MariaGtid(1, 0, 4)).Event(logtest.TypeAnnotate, []byte(sql))
		l.Event(logtest.TypeTableMap, rawTable(100, []byte{1}, nil, nil).Body())
		insert(l, 100, 1, logtest.Hex("00 05"))
		checkEvents(t, fmt.Sprintf("154 a statement of %d bytes", len(sql)), dumpLog(t, l.Bytes()), "FORMAT_DESCRIPTION_EVENT MARIADB_GTID_EVENT ANNOTATE_ROWS_EVENT TABLE_MAP_EVENT WRITE_ROWS_EVENT_V1", []want{{2, []any{"data", "query"}, quote(sql)}, {2, []any{"transaction"}, "1"},
			{4, []any{"data", "rows"}, `[{"after":{"@1":5}}]`}})
	}
}
