package session_test

import (
	"binlens/decoder/internal/logtest"
	"fmt"
	"strings"
	"testing"
)

var (
	trapUUID  = [16]byte(logtest.Hex("3e11fa47 71ca 11e1 9e33 c80aa9429562"))
	trapUUIDs = "3e11fa47-71ca-11e1-9e33-c80aa9429562"
)

// The event that was reported: each byte of the UUID is an integer of its own, written as twice its value below 0x80.
func TestTrapTaggedGtid(t *testing.T) {
	uuid := "aaaaaaaa 8888 6666 4444 222222222222"
	for _, c := range []struct{ name, uuid, want string }{
		{"109 bytes below 0x80", uuid, "55555555-4444-3333-2222-111111111111"},
		{"109 two bytes from 0x80 on", "fd03 fd03 aaaa 8888 6666 4444 2222 2222 01020102", "ffff5555-4444-3333-2222-111111118080"},
	} {
		l := logtest.New(logtest.MySQL84, logtest.CRC32)
		l.Event(logtest.TypeTagged, logtest.Tagged(0, logtest.TaggedField(0, logtest.Varlen(1)), logtest.TaggedField(1, logtest.Hex(c.uuid)), logtest.TaggedField(2, logtest.Zigzag(111111)),
			logtest.TaggedField(3, logtest.Varlen(10), []byte("secondtest")), logtest.TaggedField(4, logtest.Zigzag(472)), logtest.TaggedField(5, logtest.Zigzag(474)),
			logtest.TaggedField(6, logtest.Varlen(1_700_000_000_123_456)), logtest.TaggedField(8, logtest.Varlen(278)), logtest.TaggedField(9, logtest.Varlen(90100))))
		checkEvents(t, c.name, dumpLog(t, l.SQL("d", "CREATE TABLE t (a INT)").Bytes()), "FORMAT_DESCRIPTION_EVENT GTID_TAGGED_LOG_EVENT QUERY_EVENT", []want{
			{1, []any{"data", "gtid"}, quote(c.want + ":secondtest:111111")}, {1, []any{"data", "uuid"}, quote(c.want)}, {1, []any{"data", "last_committed"}, "472"},
			{1, []any{"data", "sequence_number"}, "474"}, {1, []any{"data", "immediate_commit_timestamp"}, "1700000000123456"}, {1, []any{"data", "original_commit_timestamp"}, "absent"},
			{1, []any{"data", "transaction_length"}, "278"}, {1, []any{"data", "immediate_server_version"}, "90100"}, {1, []any{"problems"}, "absent"}})
	}
}

// Every byte at every place of a UUID: the field has 16 to 32 bytes, and what follows is read.
func TestTrapTaggedUUIDs(t *testing.T) {
	l := logtest.New(logtest.MySQL84, logtest.CRC32)
	var wants []string
	for n := range 256 {
		var uuid [16]byte
		for i := range uuid {
			uuid[i] = byte(n * (i + 1))
		}
		l.Event(logtest.TypeTagged, logtest.Tagged(0, logtest.TaggedField(0, logtest.Varlen(0)), logtest.TaggedField(1, logtest.TaggedUUID(uuid)), logtest.TaggedField(2, logtest.Zigzag(int64(n+1))),
			logtest.TaggedField(3, logtest.Varlen(1), []byte("a")), logtest.TaggedField(4, logtest.Zigzag(0)), logtest.TaggedField(5, logtest.Zigzag(1)), logtest.TaggedField(6, logtest.Varlen(1)),
			logtest.TaggedField(8, logtest.Varlen(uint64(n)<<(n%40))), logtest.TaggedField(9, logtest.Varlen(90100))))
		wants = append(wants, fmt.Sprintf("%x-%x-%x-%x-%x:a:%d", uuid[:4], uuid[4:6], uuid[6:8], uuid[8:10], uuid[10:], n+1))
	}
	for n, r := range dumpLog(t, l.Bytes())[1:] {
		if text(get(r, "data", "gtid")) != wants[n] || r.m["problems"] != nil || number(get(r, "data", "transaction_length")) != int64(n)<<(n%40) {
			t.Errorf("109: %s, want %s", cut(plain(r)), wants[n])
		}
	}
}

// GTID sets in front of a log, plain and tagged.
func TestTrapPreviousGtids(t *testing.T) {
	type sid = logtest.Sid
	for _, c := range []struct {
		name string
		body []byte
		want string
	}{
		{"110 none", logtest.PreviousGtids(false), ""},
		{"110 none, tagged", logtest.PreviousGtids(true), ""},
		{"110 plain", logtest.PreviousGtids(false, sid{UUID: trapUUID, Intervals: []logtest.Interval{{1, 5}, {7, 8}}}), trapUUIDs + ":1-4:7"},
		{"110 tagged", logtest.PreviousGtids(true, sid{UUID: trapUUID, Intervals: []logtest.Interval{{1, 5}}}, sid{UUID: trapUUID, Tag: "aaaa", Intervals: []logtest.Interval{{1, 2}}},
			sid{UUID: trapUUID, Tag: "abc", Intervals: []logtest.Interval{{1, 4}}}), trapUUIDs + ":1-4:aaaa:1:abc:1-3"},
		{"110 as it stands in the file", logtest.Hex("01 010000000000 01" + "3e11fa4771ca11e19e33c80aa9429562" + "06 616263" + "0100000000000000 0100000000000000 0400000000000000"), trapUUIDs + ":abc:1-3"},
		{"110 a tag of 32 bytes", logtest.PreviousGtids(true, sid{UUID: trapUUID, Tag: strings.Repeat("a", 32), Intervals: []logtest.Interval{{1, 1 << 62}}}),
			trapUUIDs + ":" + strings.Repeat("a", 32) + ":1-4611686018427387903"},
	} {
		l := logtest.New(logtest.MySQL84, logtest.CRC32)
		checkEvents(t, c.name, dumpLog(t, l.Event(logtest.TypePreviousGtids, c.body).Bytes()), "FORMAT_DESCRIPTION_EVENT PREVIOUS_GTIDS_EVENT", []want{
			{1, []any{"data", "gtid_set"}, quote(c.want)}, {1, []any{"problems"}, "absent"}})
	}
}

// The length of a transaction takes 1, 3, 4 or 9 bytes; what follows it is read. Timestamps and versions come alone or in
// pairs; a part that is missing has no key.
func TestTrapGtidStages(t *testing.T) {
	g := logtest.Gtid{Flags: 1, SID: trapUUID, GNO: 9, Clock: 2, LastCommitted: 1, Sequence: 2}
	for _, n := range []uint64{0, 1, 249, 250, 251, 255, 256, 65535, 65536, 70000, 1<<24 - 1, 1 << 24, 20_000_000, 1<<32 - 1, 5_000_000_000, 1<<53 - 1} {
		for _, typ := range []byte{logtest.TypeGtid, logtest.TypeAnonymous} {
			body := g
			if typ == logtest.TypeAnonymous {
				body.GNO, body.SID = 0, [16]byte{}
			}
			l := logtest.New(logtest.MySQL8040, logtest.CRC32).Event(typ, body.Body(logtest.Times(1_700_000_000_000_000), logtest.Lenenc(n), logtest.Versions(80040)))
			r := dumpLog(t, l.Bytes())[1]
			if plain(get(r, "data", "transaction_length")) != fmt.Sprint(n) || plain(get(r, "data", "immediate_server_version")) != "80040" || r.m["problems"] != nil {
				t.Errorf("112, 116: a length of %d: %s", n, cut(plain(r)))
			}
		}
	}
	for _, c := range []struct {
		name                                 string
		stages                               [][]byte
		immediate, original, version, before string
	}{
		{"113 MySQL 5.7 has none", nil, "absent", "absent", "absent", "absent"},
		{"113 a timestamp", [][]byte{logtest.Times(1_700_000_000_123_456)}, "1700000000123456", "absent", "absent", "absent"},
		{"113 two timestamps", [][]byte{logtest.Times(1_700_000_000_123_456, 1_600_000_000_000_001), logtest.Lenenc(7)}, "1700000000123456", "1600000000000001", "absent", "absent"},
		{"113 a version", [][]byte{logtest.Times(5), logtest.Lenenc(7), logtest.Versions(80040)}, "5", "absent", "80040", "absent"},
		{"113 two versions", [][]byte{logtest.Times(5), logtest.Lenenc(7), logtest.Versions(80040, 50744)}, "5", "absent", "80040", "50744"},
		{"113 everything, and a ticket", [][]byte{logtest.Times(6, 5), logtest.Lenenc(70000), logtest.Versions(80040, 50744), logtest.U64(3)}, "6", "5", "80040", "50744"},
		{"113 the top bit of the original timestamp is its own", [][]byte{logtest.Times(6, 1<<55|5)}, "6", "\"36028797018963973\"", "absent", "absent"},
	} {
		l := logtest.New(logtest.MySQL8040, logtest.CRC32).Event(logtest.TypeGtid, g.Body(c.stages...))
		checkEvents(t, c.name, dumpLog(t, l.Bytes()), "FORMAT_DESCRIPTION_EVENT GTID_EVENT", []want{{1, []any{"data", "immediate_commit_timestamp"}, c.immediate}, {1, []any{"data", "original_commit_timestamp"}, c.original},
			{1, []any{"data", "immediate_server_version"}, c.version}, {1, []any{"data", "original_server_version"}, c.before}, {1, []any{"data", "sid"}, quote(trapUUIDs)}, {1, []any{"data", "gno"}, "9"}, {1, []any{"problems"}, "absent"}})
	}
}

// An anonymous event has the same body, in which the UUID and the number stand for nothing.
func TestTrapAnonymousGtid(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32).Event(logtest.TypeAnonymous, logtest.Gtid{Clock: 2, LastCommitted: 3, Sequence: 4}.Body(logtest.Times(5)))
	l.SQL("d", "CREATE TABLE t (a INT)")
	checkEvents(t, "116 an anonymous event", dumpLog(t, l.Bytes()), "FORMAT_DESCRIPTION_EVENT ANONYMOUS_GTID_EVENT QUERY_EVENT", []want{{1, []any{"data", "sequence_number"}, "4"}, {1, []any{"data", "gno"}, "0"},
		{1, []any{"transaction"}, "1"}, {2, []any{"transaction"}, "1"}, {1, []any{"problems"}, "absent"}})
}

// MariaDB's GTID and GTID list, with all that their flags announce, and with less than that.
func TestTrapMariaGtids(t *testing.T) {
	for _, c := range []struct {
		name string
		body []byte
		path string
		want string
	}{
		{"114 standalone", logtest.MariaGtid(18, 1, 1), "flags2", `["STANDALONE"]`},
		{"114 a commit id", logtest.MariaGtid(18, 1, 2|4, logtest.U64(99)), "commit_id", `99`},
		{"114 an XID", logtest.MariaGtid(18, 1, 0x40, logtest.U32(1), logtest.U8(2), logtest.U8(1), []byte("xyz")), "gtrid", `{"hex":"7879"}`},
		{"114 a completed XID behind a commit id", logtest.MariaGtid(18, 1, 0x82, logtest.U64(99), logtest.U32(1), logtest.U8(2), logtest.U8(1), []byte("xyz")), "bqual", `{"hex":"7a"}`},
		{"114 a sequence number of 64 bits", logtest.MariaGtid(1<<63, 1, 1), "seq_no", `"9223372036854775808"`},
		{"115 engines and a thread", logtest.MariaGtid(21, 1, 4, logtest.U8(1|0x10), logtest.U8(2), logtest.U32(42)), "thread_id", `42`},
		{"115 the start of an ALTER", logtest.MariaGtid(21, 1, 1, logtest.U8(4), logtest.U64(18)), "sa_seq_no", `18`},
	} {
		l := logtest.New(logtest.MariaDB105, logtest.CRC32).Event(logtest.TypeMariaGtid, c.body).SQL("d", "CREATE TABLE t (a INT)")
		checkEvents(t, c.name, dumpLog(t, l.Bytes()), "FORMAT_DESCRIPTION_EVENT MARIADB_GTID_EVENT QUERY_EVENT", []want{{1, []any{"data", c.path}, c.want}, {1, []any{"data", "domain_id"}, "1"}, {1, []any{"problems"}, "absent"}})
	}
	for _, c := range []struct {
		name, body, path string
	}{
		{"115 engines announced behind the end", "1500000000000000 01000000 04 01", "extra_engines"},
		{"115 a sequence number cut", "1500000000000000 01000000 04 04 0102", "sa_seq_no"},
		{"115 a thread cut", "1500000000000000 01000000 04 11 02 2a0000", "thread_id"},
		{"115 an XID longer than the event", "1500000000000000 01000000 40 01000000 40 40 78", "gtrid"},
	} {
		l := logtest.New(logtest.MariaDB105, logtest.CRC32).Event(logtest.TypeMariaGtid, logtest.Hex(c.body)).SQL("d", "COMMIT")
		checkEvents(t, c.name, dumpLog(t, l.Bytes()), "FORMAT_DESCRIPTION_EVENT MARIADB_GTID_EVENT QUERY_EVENT", []want{{1, []any{"problems", 0, "kind"}, `"truncated"`}, {1, []any{"problems", 0, "path"}, quote(c.path)}, {2, []any{"problems"}, "absent"}})
	}
	l := logtest.New(logtest.MariaDB105, logtest.CRC32).Event(logtest.TypeGtidList, logtest.GtidList(1<<28, logtest.Position{Domain: 0, Server: 1, Seq: 17}, logtest.Position{Domain: 1, Server: 2, Seq: 1 << 40}))
	l.Event(logtest.TypeGtidList, logtest.Hex("ffffff0f 00000000"))
	checkEvents(t, "114 a list", dumpLog(t, l.Bytes()), "FORMAT_DESCRIPTION_EVENT GTID_LIST_EVENT GTID_LIST_EVENT", []want{{1, []any{"data", "count"}, "2"}, {1, []any{"data", "flags"}, `["UNTIL_REACHED"]`},
		{1, []any{"data", "gtids"}, `[{"domain_id":0,"server_id":1,"seq_no":17},{"domain_id":1,"server_id":2,"seq_no":1099511627776}]`}, {1, []any{"problems"}, "absent"}, {2, []any{"problems", 0, "path"}, `"count"`}})
}

// The event behind a standalone GTID is all of its transaction; others end with COMMIT or an XID.
func TestTrapMariaGroups(t *testing.T) {
	l := logtest.New(logtest.MariaDB105, logtest.CRC32)
	l.Event(logtest.TypeMariaGtid, logtest.MariaGtid(1, 0, 1)).SQL("d", "CREATE TABLE t (a INT)").SQL("d", "FLUSH LOGS")
	l.Event(logtest.TypeMariaGtid, logtest.MariaGtid(2, 0, 4)).SQL("d", "INSERT INTO t VALUES (1)").SQL("d", "INSERT INTO t VALUES (2)").Event(logtest.TypeXid, logtest.U64(5))
	l.Event(logtest.TypeMariaGtid, logtest.MariaGtid(3, 0, 0)).SQL("d", "INSERT INTO m VALUES (1)").SQL("d", "COMMIT")
	var got []string
	for _, r := range dumpLog(t, l.Bytes())[1:] {
		got = append(got, plain(r.m["transaction"]))
	}
	if s := strings.Join(got, " "); s != "1 1 2 3 3 3 3 4 4 4" {
		t.Errorf("114: transactions %s", s)
	}
	for path, body := range map[string]string{"gtrid_length": "1500000000000000 01000000 40 01000000 41 00", "bqual_length": "1500000000000000 01000000 40 01000000 40 ff"} {
		l := logtest.New(logtest.MariaDB105, logtest.CRC32).Event(logtest.TypeMariaGtid, logtest.Hex(body), make([]byte, 400)).SQL("d", "COMMIT")
		checkEvents(t, "115 "+path, dumpLog(t, l.Bytes()), "FORMAT_DESCRIPTION_EVENT MARIADB_GTID_EVENT QUERY_EVENT", []want{{1, []any{"problems", 0, "kind"}, `"corrupt"`}, {1, []any{"problems", 0, "path"}, quote(path)}})
	}
}
