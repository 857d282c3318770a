package decoder_test

import (
	"strings"
	"testing"

	"binlens/decoder"
	"binlens/decoder/gtid"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/wire"
)

const (
	viewID = "763a31 00 0000000000000000 0000000000000000 0000000000000000 0000000000000000 00000000" // v:1, padded to 40
	oneSid = "0100000000000000 3e11fa4771ca11e19e33c80aa9429562 0100000000000000 0100000000000000 0600000000000000"
)

func TestGroupReplication(t *testing.T) {
	f := logtest.MySQL8040
	sid := decoder.GtidSid{UUID: gtid.UUID(hex("3e11fa4771ca11e19e33c80aa9429562")), Intervals: []gtid.Interval{{Start: 1, End: 6}}}
	tagged := sid
	tagged.Tag = []byte("ab")
	const head = "server_uuid_len thread_id gtid_specified snapshot_len write_set_count read_set_count server_uuid"
	const set = " +snapshot snapshot.sid_count +snapshot.sids[0] snapshot.sids[0].uuid"
	const intervals = " snapshot.sids[0].interval_count +snapshot.sids[0].intervals[0] snapshot.sids[0].intervals[0].start snapshot.sids[0].intervals[0].end"
	checkEvents(t, []eventCase{
		{"TRANSACTION_CONTEXT", f, 36, "03 0c000000 01 30000000 02000000 01000000 | 612d62 |" + oneSid + "| 0100 78 0000 | 0200 ff00",
			&decoder.TransactionContext{ServerUUID: []byte("a-b"), ThreadID: 12, GtidSpecified: 1, SnapshotLen: 48, Snapshot: []decoder.GtidSid{sid}, WriteCount: 2, ReadCount: 1,
				WriteSet: [][]byte{[]byte("x"), {}}, ReadSet: [][]byte{hex("ff00")}}, head + set + intervals + " write_set[0] write_set[1] read_set[0]"},
		{"TRANSACTION_CONTEXT of nothing", f, 36, "00 00000000 00 00000000 00000000 00000000", &decoder.TransactionContext{ServerUUID: []byte{}}, head},
		{"TRANSACTION_CONTEXT, tagged, with bytes more than the set", f, 36, "00 00000000 00 35000000 00000000 00000000 | 0101000000000001 3e11fa4771ca11e19e33c80aa9429562 04 6162 0100000000000000 0100000000000000 0600000000000000 aabb",
			&decoder.TransactionContext{ServerUUID: []byte{}, SnapshotLen: 53, SnapshotTag: true, Snapshot: []decoder.GtidSid{tagged}}, head + set + " snapshot.sids[0].tag" + intervals + " snapshot.surplus"},
		{"VIEW_CHANGE", f, 37, viewID + "0700000000000000 02000000 | 0200 6162 03000000 010203 | 0000 00000000",
			&decoder.ViewChange{ViewID: []byte("v:1"), Seq: 7, Count: 2, Info: []decoder.CertificationInfo{{Key: []byte("ab"), Value: hex("010203")}, {Key: []byte{}, Value: []byte{}}}},
			"view_id seq_number certification_info_count +certification_info[0] certification_info[0].key certification_info[0].value +certification_info[1] certification_info[1].key certification_info[1].value"},
		{"VIEW_CHANGE without padding", f, 37, strings.Repeat("61", 40) + "ffffffffffffffff 00000000", &decoder.ViewChange{ViewID: []byte(strings.Repeat("a", 40)), Seq: 1<<64 - 1}, "view_id seq_number certification_info_count"},
	})
}

func TestGroupReplicationFaults(t *testing.T) {
	f := logtest.MySQL8040
	checkFaults(t, []faultCase{
		{f, 36, "", wire.Truncated, 0, "server_uuid_len", "1 byte needed, 0 left"},
		{f, 36, "03 0c000000 01 0000", wire.Truncated, 6, "snapshot_len", "4 bytes needed, 2 left"},
		{f, 36, "03 0c000000 01 00000000 00000000 00000000 6162", wire.Truncated, 18, "server_uuid", "3 bytes needed, 2 left"},
		{f, 36, "00 0c000000 01 09000000 00000000 00000000 0100000000000000", wire.Corrupt, 18, "snapshot.sid_count", "9 items of at least 1 byte do not fit into the 8 bytes left"},
		{f, 36, "00 0c000000 01 08000000 00000000 00000000 0100000000000000", wire.Corrupt, 26, "snapshot.sid_count", "1 items of at least 24 bytes do not fit into the 0 bytes left"},
		{f, 36, "00 0c000000 01 08000000 00000000 00000000 0100000000000002", wire.Corrupt, 18, "snapshot.sid_count", "GTID set format 2 is neither 0 (plain) nor 1 (tagged)"},
		{f, 36, "00 0c000000 01 00000000 02000000 00000000 0100 78", wire.Corrupt, 18, "write_set", "2 items of at least 2 bytes do not fit into the 3 bytes left"},
		{f, 36, "00 0c000000 01 00000000 02000000 00000000 0100 78 05", wire.Truncated, 21, "write_set[1]", "2 bytes needed, 1 left"},
		{f, 36, "00 0c000000 01 00000000 02000000 01000000 0100 78 0000 0200 ff", wire.Truncated, 25, "read_set[0]", "2 bytes needed, 1 left"},
		{f, 36, "00 0c000000 01 00000000 00000000 ffffffff", wire.Corrupt, 18, "read_set", "4294967295 items of at least 2 bytes do not fit into the 0 bytes left"},
		{f, 37, strings.Repeat("61", 39), wire.Truncated, 0, "view_id", "40 bytes needed, 39 left"},
		{f, 37, viewID + "07", wire.Truncated, 40, "seq_number", "8 bytes needed, 1 left"},
		{f, 37, viewID + "0700000000000000 01000000 0000", wire.Corrupt, 52, "certification_info", "1 items of at least 6 bytes do not fit into the 2 bytes left"},
		{f, 37, viewID + "0700000000000000 01000000 0500 616263 00000000", wire.Truncated, 59, "certification_info[0].value", "4 bytes needed, 2 left"},
		{f, 37, viewID + "0700000000000000 01000000 0200 6162 09000000 01", wire.Corrupt, 60, "certification_info[0].value", "9 items of at least 1 byte do not fit into the 1 byte left"},
	})
}
