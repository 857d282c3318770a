package render

import (
	lt "binlens/decoder/internal/logtest"
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// The events that are seldom met: their data in the event JSON, and their line in the list.
func TestRareEvents(t *testing.T) {
	v8 := func() *lt.Log { return lt.New(lt.MySQL84, lt.CRC32) }
	v3 := func() *lt.Log { return lt.New(lt.MySQL41, lt.Off) }
	maria := func() *lt.Log { return lt.New(lt.MariaDB105, lt.CRC32) }
	sid := [16]byte(lt.Hex("3e11fa4771ca11e19e33c80aa9429562"))
	set := lt.PreviousGtids(false, lt.Sid{UUID: sid, Intervals: []lt.Interval{{1, 6}}})
	load := lt.Load{Thread: 5, Exec: 1, Skip: 2, FileID: 9, Options: [5]string{",", "\"", "\n", "", "\\"}, OptFlags: 6, Empty: 9, Fields: []string{"id", "name"}, Table: "t", DB: "test", File: "/tmp/a.txt", Block: "1,one\n"}
	const sqlEx = `{"field_term":",","enclosed":"\"","line_term":"\n",`
	const fields = `"field_lens":{"hex":"0204"},"fields":["id","name"],"table":"t","db":"test","file_name":"/tmp/a.txt"`
	const head = `"thread_id":5,"exec_time":1,"skip_lines":2,"table_len":1,"db_len":4,"num_fields":2,`
	tagged := lt.Tagged(6, lt.TaggedField(0, lt.Varlen(1)), lt.TaggedField(1, lt.TaggedUUID(sid)), lt.TaggedField(2, lt.Zigzag(7)), lt.TaggedField(3, lt.Varlen(4), []byte("blue")), lt.TaggedField(4, lt.Zigzag(-1)),
		lt.TaggedField(5, lt.Zigzag(4)), lt.TaggedField(11, lt.Varlen(1<<63)), lt.TaggedField(99, lt.Varlen(5)))
	for _, c := range []struct {
		log     *lt.Log
		typ     byte
		body    []byte
		data    string
		summary string
	}{
		{v8(), 17, lt.FileBlock(3, "ab"), `{"file_id":3,"block":{"hex":"6162"}}`, "file 3, 2 bytes"},
		{v8(), 9, lt.FileBlock(3, ""), `{"file_id":3,"block":{"hex":""}}`, "file 3, 0 bytes"},
		{v8(), 11, lt.FileBlock(3, ""), `{"file_id":3}`, "file 3"},
		{v3(), 10, lt.FileBlock(3, ""), `{"file_id":3}`, "file 3"},
		{v8(), 18, v8().LoadQuery(lt.Query{Thread: 12, DB: "shop", SQL: "LOAD DATA INFILE 'a' INTO TABLE t"}, 3, 10, 27, 2),
			`{"thread_id":12,"exec_time":0,"db_len":4,"error_code":0,"status_vars_len":0,"file_id":3,"fn_pos_start":10,"fn_pos_end":27,"dup_handling":2,"db":"shop","query":"LOAD DATA INFILE 'a' INTO TABLE t"}`,
			"LOAD DATA INFILE 'a' INTO TABLE t"},
		{v3(), 6, load.Body(6), `{` + head + `"sql_ex":` + sqlEx + `"line_start":"\u0000","escaped":"\\","opt_flags":["OPT_ENCLOSED","REPLACE"],"empty_flags":["FIELD_TERM_EMPTY","LINE_START_EMPTY"]},` + fields + `}`, "LOAD DATA into test.t from /tmp/a.txt"},
		{v3(), 12, load.Body(12), `{` + head + `"sql_ex":` + sqlEx + `"line_start":"","escaped":"\\","opt_flags":["OPT_ENCLOSED","REPLACE"]},` + fields + `}`, "LOAD DATA into test.t from /tmp/a.txt"},
		{v3(), 8, load.Body(8), `{` + head + `"file_id":9,"sql_ex":` + sqlEx + `"line_start":"","escaped":"\\","opt_flags":["OPT_ENCLOSED","REPLACE"]},` + fields + `,"block":{"hex":"312c6f6e650a"}}`, "LOAD DATA into test.t from /tmp/a.txt"},
		{v3(), 7, lt.Slave(4711, 3306, "host", "bin.1"), `{"master_pos":4711,"master_port":3306,"host":"host","log_name":"bin.1"}`, ""},
		{v8(), 26, lt.Incident(1, "some are lost"), `{"incident":1,"message":"some are lost"}`, "LOST_EVENTS: some are lost"},
		{v8(), 26, lt.Incident(66, ""), `{"incident":66,"message":""}`, "not a known incident: "},
		{v8(), 27, []byte("bin.000001"), `{"log_name":"bin.000001"}`, "bin.000001"},
		{v8(), 41, lt.HeartbeatV2("bin.000001", 1<<60), `{"log_name":"bin.000001","position":"1152921504606846976","end_mark":0}`, "bin.000001 at 1152921504606846976"},
		{v8(), 41, lt.Cat(lt.LenencTLV(9, []byte{1}), lt.LenencTLV(2, lt.Lenenc(4)), lt.LenencTLV(10, nil)), `{"unknown":[{"hex":"01"},{"hex":""}],"position":4}`, "at 4"},
		{v8(), 28, []byte("x"), `{"body":{"hex":"78"}}`, ""},
		{v8(), 36, lt.TransactionContext{UUID: "a-b", Thread: 12, Specified: 1, Snapshot: set, Write: []string{"one", "\xff"}, Read: []string{""}}.Body(),
			`{"server_uuid_len":3,"thread_id":12,"gtid_specified":1,"snapshot_len":48,"write_set_count":2,"read_set_count":1,"server_uuid":"a-b","snapshot":{"sid_count":1,"sids":[{"uuid":"3e11fa47-71ca-11e1-9e33-c80aa9429562","interval_count":1,"intervals":[{"start":1,"end":6}]}]},` +
				`"write_set":[{"hex":"6f6e65"},{"hex":"ff"}],"read_set":[{"hex":""}]}`, "from a-b"},
		{v8(), 37, lt.ViewChange("15:2", 7, "key", "\x01"), `{"view_id":"15:2","seq_number":7,"certification_info_count":1,"certification_info":[{"key":"key","value":{"hex":"01"}}]}`, "view 15:2"},
		{v8(), 38, lt.XaPrepare(0, 7, "x\xff", "y"), `{"one_phase":0,"format_id":7,"gtrid_length":2,"bqual_length":1,"gtrid":{"hex":"78ff"},"bqual":{"hex":"79"}}`, "XA PREPARE X'78ff',X'79',7"},
		{v8(), 38, lt.XaPrepare(1, 1, "x", ""), `{"one_phase":1,"format_id":1,"gtrid_length":1,"bqual_length":0,"gtrid":{"hex":"78"},"bqual":{"hex":""}}`, "XA COMMIT X'78',X'',1 ONE PHASE"},
		{v8(), 40, lt.Payload(0, 12345, []byte{1, 2}), `{"compression_type":0,"uncompressed_size":12345,"payload_size":2,"end_mark":0,"payload":{"hex":"0102"}}`, "ZSTD 2 → 12,345 bytes"},
		{v8(), 40, lt.Cat(lt.LenencTLV(7, []byte{9}), lt.U8(0)), `{"unknown":[{"hex":"09"}],"end_mark":0,"payload":{"hex":""}}`, "* 0 bytes"},
		{v8(), 42, tagged, `{"version":1,"message_size":*,"last_non_ignorable":6,"gtid_flags":["MAY_HAVE_SBR"],"uuid":"3e11fa47-71ca-11e1-9e33-c80aa9429562","gno":7,"tag":"blue","last_committed":-1,"sequence_number":4,` +
			`"commit_group_ticket":"9223372036854775808","unknown_fields":{"hex":"c60a"},"gtid":"3e11fa47-71ca-11e1-9e33-c80aa9429562:blue:7"}`, "3e11fa47-71ca-11e1-9e33-c80aa9429562:blue:7"},
		{v8(), 43, lt.LargeTransaction(4711, 16, 2), `{"version":1,"terminating_event_offset":4711,"terminating_event_type":16,"padding":{"hex":"0000"}}`, ""},
		{maria(), 164, lt.StartEncryption(1, 3, lt.Hex("101112131415161718191a1b")), `{"scheme":1,"key_version":3,"nonce":{"hex":"101112131415161718191a1b"}}`, "the events after this are encrypted, key version 3"},
		{maria(), 165, maria().QueryCompressed(lt.Query{Thread: 12, DB: "d", SQL: "INSERT INTO t VALUES (1)"}), `{"thread_id":12,"exec_time":0,"db_len":1,"error_code":0,"status_vars_len":0,"db":"d","query":"INSERT INTO t VALUES (1)"}`, "INSERT INTO t VALUES (1)"},
		{maria(), 172, lt.PartialRowData(3, 1, []byte{7}, 9), `{"total_fragments":3,"seq_no":1,"flags":1,"original_size":9,"chunk":{"hex":"07"}}`, "piece 1 of 3"},
		{maria(), 172, lt.PartialRowData(3, 2, nil), `{"total_fragments":3,"seq_no":2,"flags":0,"chunk":{"hex":""}}`, "piece 2 of 3"},
	} {
		c.log.Event(c.typ, c.body)
		e := decodeAt(t, c.log, 1, nil)
		var got struct {
			Data     json.RawMessage
			Problems []any
		}
		if err := json.Unmarshal(e.AppendJSON(nil), &got); err != nil {
			t.Fatal(err)
		}
		if !like(string(got.Data), c.data) || got.Problems != nil {
			t.Errorf("type %d: %s %v\nwant %s", c.typ, got.Data, got.Problems, c.data)
		}
		if s := string(e.AppendSummary(nil)); !like(s, c.summary) && c.summary != "" {
			t.Errorf("type %d: the summary is %q, want %q", c.typ, s, c.summary)
		}
		checkDetail(t, e)
	}
}

// like compares with a text in which * stands for what does not matter.
func like(got, want string) bool {
	before, after, star := strings.Cut(want, "*")
	return got == want || star && strings.HasPrefix(got, before) && strings.HasSuffix(got, after)
}

// Summaries are one short line whatever an event says.
func TestRareSummariesAreShort(t *testing.T) {
	long := strings.Repeat("long\n", 10_000)
	l := lt.New(lt.MySQL84, lt.CRC32)
	old := lt.New(lt.MySQL41, lt.Off)
	for _, c := range []struct {
		log  *lt.Log
		typ  byte
		body []byte
	}{
		{old, 12, lt.Load{File: long, Table: "t"}.Body(12)}, {l, 26, lt.Incident(1, long[:255])}, {l, 27, []byte(long)}, {l, 41, lt.HeartbeatV2(long, 4)}, {l, 38, lt.XaPrepare(0, 1, long, long)},
		{l, 36, lt.TransactionContext{UUID: long[:255]}.Body()}, {l, 37, lt.ViewChange(long[:40], 1)}, {l, 18, l.LoadQuery(lt.Query{SQL: long}, 1, 2, 3, 0)},
	} {
		c.log.Event(c.typ, c.body)
		e := decodeAt(t, c.log, len(c.log.Events)-1, nil)
		if s := e.AppendSummary(nil); len(s) > maxSummary+len("…") || bytes.ContainsAny(s, "\n\t") || e.Bad != nil {
			t.Errorf("type %d: %d bytes, %q", c.typ, len(s), s[:50])
		}
	}
}

// Rows of a compressed event, whose cells stand in no byte of the file: a problem is told at the rows.
func TestProblemsOfCompressedRows(t *testing.T) {
	l := lt.New(lt.MariaDB105, lt.CRC32)
	columns := []lt.Column{lt.Col(3), lt.Col(15, 200, 0)}
	l.Event(lt.TypeTableMap, lt.Table{ID: 1, Schema: "d", Name: "t", Columns: columns, Optional: charsets(utf8mb4)}.Body())
	whole := lt.Rows{ID: 1, Width: 2, After: lt.All(2), Data: lt.Cat(lt.Image(lt.U32(1), lt.Text8(strings.Repeat("x", 199)+"\xff")), lt.Image(lt.U32(2), lt.Text8("ok")))}
	l.Event(lt.TypeWriteDeflatedV1, whole.Compressed())
	whole.Data = whole.Data[:len(whole.Data)-1]
	l.Event(lt.TypeWriteDeflatedV1, whole.Compressed())
	m := mapAt(t, l, 1)
	for i, reasons := range [][]string{{"@2: byte 199 of the text is no character of utf8mb4"}, {"@2: byte 199 of the text is no character of utf8mb4", "row 2 ends inside column 2"}} {
		e := decodeAt(t, l, 2+i, m)
		r := resultOf(t, e)
		if len(r.Data.Rows) != 2-i || len(r.Problems) != len(reasons) {
			t.Fatalf("%+v", r)
		}
		for k, p := range r.Problems {
			if !strings.HasPrefix(p.Reason, reasons[k]) || p.Offset != e.Off+29 || p.BodyOffset != 10 {
				t.Errorf("%+v, want %s at the rows", p, reasons[k])
			}
		}
	}
}
