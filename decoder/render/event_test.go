package render

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/wire"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// An event that cannot be read to its end has the fields before the fault, and the bytes behind them as unread.
func TestPartlyDecoded(t *testing.T) {
	sid := logtest.Hex("3e11fa4771ca11e19e33c80aa9429562")
	full := logtest.Gtid{Flags: 1, SID: [16]byte(sid), GNO: 9, Clock: 2, LastCommitted: 5, Sequence: 6}.Body(logtest.Times(1_700_000_000_000_000))
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	query := l.Query(logtest.Query{Thread: 7, DB: "shop", SQL: "BEGIN"})
	table := logtest.Table{ID: 1, Schema: "d", Name: "t", Columns: []logtest.Column{logtest.Col(3), logtest.Col(15, 9, 0)}}.Body()
	for _, c := range []struct {
		name   string
		typ    byte
		body   []byte
		data   string
		kind   string
		at     int64 // body offset
		path   string
		reason string // beginning
	}{
		{"XID of 3 bytes", logtest.TypeXid, logtest.Hex("010203"), `{"unread":{"hex":"010203"}}`, "truncated", 0, "xid", "8 bytes needed, 3 left"},
		{"XID of none", logtest.TypeXid, nil, `{}`, "truncated", 0, "xid", "8 bytes needed, 0 left"},
		{"INTVAR cut", logtest.TypeIntvar, logtest.Hex("02 0102"), `{"kind":2,"unread":{"hex":"0102"}}`, "truncated", 1, "value", "8 bytes needed, 2 left"},
		{"QUERY cut in its status variables", logtest.TypeQuery, logtest.Cat(query[:11], logtest.U16(40), query[13:]),
			`{"thread_id":7,"exec_time":0,"db_len":4,"error_code":0,"status_vars_len":40,"unread":{"hex":"73686f7000424547494e"}}`, "truncated", 13, "status_vars", "40 bytes needed, 10 left"},
		{"QUERY whose db has no end", logtest.TypeQuery, logtest.Cat(query[:8], logtest.U8(3), query[9:]),
			`{"thread_id":7,"exec_time":0,"db_len":3,"error_code":0,"status_vars_len":0,"unread":{"hex":"73686f7000424547494e"}}`, "corrupt", 16, "db", "db does not end in a zero byte"},
		{"GTID with 3 of 7 bytes of time", logtest.TypeGtid, full[:45],
			`{"flags":["MAY_HAVE_SBR"],"sid":"3e11fa47-71ca-11e1-9e33-c80aa9429562","gno":9,"logical_timestamp_type":2,"last_committed":5,"sequence_number":6,"unread":{"hex":"00401e"}}`,
			"truncated", 42, "immediate_commit_timestamp", "InvalidGtidEvent: 7 bytes needed, 3 left"},
		{"GTID cut in its SID", logtest.TypeGtid, full[:10], `{"flags":["MAY_HAVE_SBR"],"unread":{"hex":"3e11fa4771ca11e19e"}}`, "truncated", 1, "sid", "InvalidGtidEvent: 16 bytes needed, 9 left"},
		{"GTID of nothing", logtest.TypeGtid, nil, `{}`, "truncated", 0, "flags", "InvalidGtidEvent: 1 byte needed, 0 left"},
		{"table map cut in a name", logtest.TypeTableMap, table[:9], `{"table_id":1,"flags":[],"unread":{"hex":"01"}}`, "truncated", 9, "schema", "1 byte needed, 0 left"},
		{"table map of more columns than bytes", logtest.TypeTableMap, logtest.Cat(table[:14], logtest.U8(200), table[15:]),
			`{"table_id":1,"flags":[],"schema":"d","table":"t","unread":{"hex":"c8030f02090003"}}`, "corrupt", 15, "column_count", "200 items of at least 1 byte do not fit"},
		{"rows of 4097 columns", logtest.TypeWriteRows, logtest.Rows{ID: 1, V2: true, Width: 4097, After: logtest.Hex("ff")}.Body(),
			`{"table_id":1,"flags":[],"extra_length":2,"unread":{"hex":"fc0110ff"}}`, "corrupt", 10, "width", "4097 columns: a table has at most 4096"},
		{"rows whose bitmap is cut", logtest.TypeUpdateRows, logtest.Rows{ID: 1, V2: true, Width: 9, Before: logtest.Hex("ffff"), After: logtest.Hex("ff")}.Body(),
			`{"table_id":1,"flags":[],"extra_length":2,"width":9,"columns_before":{"hex":"ffff"},"unread":{"hex":"ff"}}`, "truncated", 13, "columns_after", "2 bytes needed, 1 left"},
		{"the second source of a GTID set", logtest.TypePreviousGtids, logtest.PreviousGtids(false, logtest.Sid{UUID: [16]byte(sid), Intervals: []logtest.Interval{{1, 6}}},
			logtest.Sid{UUID: [16]byte(sid), Intervals: []logtest.Interval{{9, 8}}}), "", "corrupt", 72, "sids[1].intervals[0].end", "the interval 9 to 8 (exclusive) holds no transaction number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := logtest.New(logtest.MySQL8040, logtest.CRC32)
			log.Event(c.typ, c.body)
			e := decodeAt(t, log, 1, nil)
			b := e.AppendJSON(nil)
			var v struct {
				Data     json.RawMessage
				Problems []struct {
					Kind, Path, Reason string
					Offset             int64
					BodyOffset         int64 `json:"body_offset"`
				}
			}
			if err := json.Unmarshal(b, &v); err != nil {
				t.Fatalf("%v in %s", err, b)
			}
			if c.data != "" && string(v.Data) != c.data {
				t.Errorf("data %s\nwant %s", v.Data, c.data)
			}
			if len(v.Problems) != 1 {
				t.Fatalf("problems %+v", v.Problems)
			}
			p := v.Problems[0]
			if p.Kind != c.kind || p.BodyOffset != c.at || p.Offset != e.Off+19+c.at || p.Path != c.path || !strings.HasPrefix(p.Reason, c.reason) {
				t.Errorf("problem %+v, want %s at %d in %s: %s", p, c.kind, c.at, c.path, c.reason)
			}
			if got := string(e.AppendSummary(nil)); !strings.HasPrefix(got, "cannot be read: ") {
				t.Errorf("summary %q", got)
			}
			checkDetail(t, e)
		})
	}
}

// checkDetail: the nodes are those of the spans in their order; leaves tile the event.
func checkDetail(t *testing.T, e *Event) {
	t.Helper()
	b := e.AppendDetail(nil)
	var d struct {
		Ordinal int64
		Nodes   []struct {
			Path, Name, Value string
			Depth, Start, End int
			Group             bool
		}
	}
	if err := json.Unmarshal(b, &d); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	if len(d.Nodes) != len(e.Spans) {
		t.Fatalf("%d nodes of %d spans", len(d.Nodes), len(e.Spans))
	}
	at := 0
	for i, n := range d.Nodes {
		s := e.Spans[i]
		if n.Path != s.Path || n.Start != int(s.Start) || n.End != int(s.End) || n.Depth != int(s.Depth) || n.Name != lastName(s.Path) {
			t.Errorf("node %+v of span %+v", n, s)
		}
		if s.Group {
			if !n.Group || n.Value != "" {
				t.Errorf("group %+v", n)
			}
			continue
		}
		if n.Start != at {
			t.Errorf("%s starts at %d, the field before ended at %d", n.Path, n.Start, at)
		}
		at = n.End
	}
	if at != len(e.Raw) {
		t.Errorf("the fields end at %d of %d", at, len(e.Raw))
	}
}

func TestDetailOfEverySample(t *testing.T) {
	for _, s := range logtest.Servers {
		l := logtest.Sample(s, logtest.Off)
		for i := range l.Events {
			checkDetail(t, decodeAt(t, l, i, nil))
		}
	}
}

func TestLastName(t *testing.T) {
	for path, want := range map[string]string{"": "", "a": "a", "a.b": "b", "a[3]": "a[3]", "a[3].b": "b", "a.b[10].c.d[2]": "d[2]"} {
		if got := lastName(path); got != want {
			t.Errorf("%q is %q, want %q", path, got, want)
		}
	}
}

// Rows that are no event have ordinal, offset, size and problems, and nothing else.
func TestRowsThatAreNoEvents(t *testing.T) {
	bad := &wire.Error{Kind: wire.Corrupt, Offset: 3, Path: "x", Msg: "why"}
	for _, c := range []struct {
		e    Event
		want string
	}{
		{Event{Ordinal: 7, Off: 1000, Size: 50, Kind: frame.Gap, RowBad: bad},
			`{"ordinal":7,"kind":"gap","offset":1000,"size":50,"problems":[{"kind":"corrupt","offset":1003,"body_offset":3,"path":"x","reason":"why"}]}`},
		{Event{Ordinal: 7, Off: 1000, Size: 50, Kind: frame.Padding}, `{"ordinal":7,"kind":"padding","offset":1000,"size":50}`},
		{Event{Ordinal: 1 << 40, Off: 1 << 52, Size: 1 << 30, Kind: frame.Truncated, Header: decoder.Header{Type: decoder.QueryType}},
			`{"ordinal":1099511627776,"kind":"truncated","offset":4503599627370496,"size":1073741824}`},
	} {
		c.e.TableMap = -1
		if got := string(c.e.AppendJSON(nil)); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
		if c.e.Class() != ClassDamage {
			t.Errorf("%v is of class %d", c.e.Kind, c.e.Class())
		}
		if b := c.e.AppendDetail(nil); !json.Valid(b) || !strings.Contains(string(b), `"nodes":[]`) {
			t.Errorf("detail %s", b)
		}
	}
}

// What an event is about, in one line.
func TestSummaries(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	maria := logtest.New(logtest.MariaDB105, logtest.CRC32)
	long := strings.Repeat("é", 1000)
	for _, c := range []struct {
		log  *logtest.Log
		typ  byte
		body []byte
		want string
	}{
		{l, logtest.TypeQuery, l.Query(logtest.Query{DB: "d", SQL: "BEGIN"}), "BEGIN"},
		{l, logtest.TypeQuery, l.Query(logtest.Query{DB: "d", SQL: "  \n\tINSERT\r\n  INTO t\x00\x1f VALUES\x7f(1)  "}), "INSERT INTO t VALUES (1) "},
		{l, logtest.TypeQuery, l.Query(logtest.Query{DB: "d", SQL: ""}), ""},
		{l, logtest.TypeQuery, l.Query(logtest.Query{DB: "d", SQL: long}), long[:maxSummary] + "…"},
		{l, logtest.TypeQuery, l.Query(logtest.Query{DB: "d", SQL: "x" + long}), "x" + long[:maxSummary] + "…"}, // never half a character
		{l, logtest.TypeQuery, l.Query(logtest.Query{DB: "d", SQL: "SELECT '\xff'"}), "SELECT '\ufffd'"},
		{l, logtest.TypeQuery, l.Query(logtest.Query{DB: "d", SQL: "SELECT '\xe4'", Status: logtest.Var(4, logtest.U16(8), logtest.U16(8), logtest.U16(8))}), "SELECT 'ä'"},
		{l, logtest.TypeRowsQuery, logtest.RowsQuery("DELETE\nFROM t"), "DELETE FROM t"},
		{maria, logtest.TypeAnnotate, []byte("DELETE\nFROM t"), "DELETE FROM t"},
		{l, logtest.TypeXid, logtest.U64(77), "commit 77"},
		{l, logtest.TypeIntvar, logtest.Intvar(2, 41), "INSERT_ID = 41"},
		{l, logtest.TypeRotate, l.Rotate(4, "bin.000002"), "next: bin.000002"},
		{l, logtest.TypeUserVar, logtest.UserVar{Name: "a", Null: true}.Body(), "@a = NULL"},
		{l, logtest.TypeUserVar, logtest.UserVar{Name: "a", Charset: 33, Value: []byte("b\nc")}.Body(), "@a = b c"},
		{l, logtest.TypeUserVar, logtest.UserVar{Name: "a", Charset: 63, Value: []byte{0, 255}}.Body(), "@a = 0x00ff"},
		{l, logtest.TypeUserVar, logtest.UserVar{Name: "a", Type: 2, Charset: 63, Value: logtest.U64(1<<64 - 1)}.Body(), "@a = -1"},
		{l, logtest.TypeUserVar, logtest.UserVar{Name: "a", Type: 2, Charset: 63, Value: logtest.U64(1<<64 - 1), Tail: []byte{1}}.Body(), `@a = 18446744073709551615`},
		{l, logtest.TypeUserVar, logtest.UserVar{Name: "a", Type: 4, Charset: 63, Value: logtest.Hex("0502 807b2d")}.Body(), "@a = 123.45"},
		{l, logtest.TypeTableMap, logtest.Table{ID: 1, Schema: "shop", Name: "ordérs"}.Body(), "shop.ordérs"},
		{l, logtest.TypeGtid, logtest.Gtid{SID: [16]byte(logtest.Hex("3e11fa4771ca11e19e33c80aa9429562")), GNO: 9, Clock: 2}.Body(), "3e11fa47-71ca-11e1-9e33-c80aa9429562:9"},
		{l, logtest.TypeAnonymous, logtest.Gtid{Clock: 2}.Body(), "ANONYMOUS"},
		{maria, logtest.TypeMariaGtid, logtest.MariaGtid(18, 3, 1), "3-7-18"},
		{maria, logtest.TypeGtidList, logtest.GtidList(0, logtest.Position{Domain: 0, Server: 1, Seq: 17}, logtest.Position{Domain: 1, Server: 2, Seq: 3}), "0-1-17, 1-2-3"},
		{maria, logtest.TypeGtidList, logtest.GtidList(0), ""},
		{maria, logtest.TypeCheckpoint, logtest.Checkpoint("bin.000001"), "recovery needs from bin.000001"},
		{l, logtest.TypeStop, nil, ""},
	} {
		c.log.Event(c.typ, c.body)
		e := decodeAt(t, c.log, len(c.log.Events)-1, nil)
		got := string(e.AppendSummary(nil))
		if got != c.want {
			t.Errorf("type %d: %q, want %q", c.typ, got, c.want)
		}
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\n\r\t") || len(got) > maxSummary+len("é…") {
			t.Errorf("type %d: %d bytes, %q", c.typ, len(got), got)
		}
		var d struct{ Title, Summary string }
		if err := json.Unmarshal(e.AppendDetail(nil), &d); err != nil || d.Summary != got {
			t.Errorf("type %d: the detail says %q, %v", c.typ, d.Summary, err)
		}
	}
	first := decodeAt(t, l, 0, nil)
	if got := string(first.AppendSummary(nil)); got != "server 8.0.40, binlog version 4" {
		t.Errorf("format description: %q", got)
	}
}

func TestClasses(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	for _, c := range []struct {
		sql  string
		want Class
	}{
		{"BEGIN", ClassTransaction}, {"commit", ClassTransaction}, {"ROLLBACK TO x", ClassTransaction}, {"XA START x'1'", ClassTransaction}, {"SAVEPOINT a", ClassTransaction},
		{"CREATE TABLE t (a INT)", ClassDDL}, {" /* why */ alter table t", ClassDDL}, {"/* a *//* b */\n\tDROP TABLE t", ClassDDL}, {"TRUNCATE t", ClassDDL},
		{"/*!40000 DROP */ TABLE t", ClassDDL}, {"/* a */ /*M!100100 create */ TABLE t", ClassDDL},
		{"INSERT INTO t VALUES (1)", ClassQuery}, {"creates", ClassQuery}, {"", ClassQuery}, {"/* open", ClassQuery}, {"/*! open", ClassQuery}, {"/*!40000 INSERT */ INTO t", ClassQuery}, {"(SELECT 1)", ClassQuery},
	} {
		l.SQL("d", c.sql)
		if got := decodeAt(t, l, len(l.Events)-1, nil).Class(); got != c.want {
			t.Errorf("%q is of class %d, want %d", c.sql, got, c.want)
		}
	}
	for typ, want := range map[byte]Class{1: ClassControl, 3: ClassControl, 4: ClassControl, 5: ClassQuery, 13: ClassQuery, 14: ClassQuery, 15: ClassControl, 16: ClassTransaction,
		19: ClassTableMap, 20: ClassInsert, 23: ClassInsert, 24: ClassUpdate, 25: ClassDelete, 26: ClassOther, 29: ClassQuery, 30: ClassInsert, 31: ClassUpdate, 32: ClassDelete,
		33: ClassTransaction, 34: ClassTransaction, 35: ClassControl, 38: ClassTransaction, 39: ClassUpdate, 40: ClassTransaction, 42: ClassTransaction, 160: ClassQuery,
		161: ClassControl, 162: ClassTransaction, 163: ClassControl, 164: ClassControl, 165: ClassQuery, 166: ClassInsert, 167: ClassUpdate, 168: ClassDelete, 200: ClassOther} {
		e := Event{Header: decoder.Header{Code: typ, Type: decoder.Type(typ)}}
		if got := e.Class(); got != want {
			t.Errorf("type %d is of class %d, want %d", typ, got, want)
		}
	}
}
