package decoder_test

import (
	"testing"

	"binlens/decoder"
	"binlens/decoder/gtid"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/wire"
)

// What the flags of MariaDB's GTID_EVENT announce.
func TestMariaGtid(t *testing.T) {
	const head = "seq_no domain_id flags2"
	for _, tt := range []struct {
		name  string
		body  []byte
		want  decoder.MariaGtid
		paths string
	}{
		{"10.5", hex("0100000000000000 00000000 0c 000000000000"), decoder.MariaGtid{SeqNo: 1, Flags2: 0x0c}, head + " padding"},
		{"standalone DDL", logtest.MariaGtid(1<<64-1, 1<<32-1, 0x21), decoder.MariaGtid{SeqNo: 1<<64 - 1, DomainID: 1<<32 - 1, Flags2: 0x21}, head + " padding"},
		{"13 bytes alone", hex("0100000000000000 00000000 0c"), decoder.MariaGtid{SeqNo: 1, Flags2: 0x0c}, head},
		{"group commit", logtest.MariaGtid(2, 0, 0x0e, u64(99)), decoder.MariaGtid{SeqNo: 2, Flags2: 0x0e, CommitID: 99}, head + " commit_id"},
		{"group commit and flags_extra of 0", logtest.MariaGtid(2, 0, 0x0e, u64(99), u8(0)), decoder.MariaGtid{SeqNo: 2, Flags2: 0x0e, CommitID: 99, HasExtra: true}, head + " commit_id flags_extra"},
		{"prepared XA", logtest.MariaGtid(3, 0, 0x40, u32(1), u8(2), u8(1), []byte("xyz")), decoder.MariaGtid{SeqNo: 3, Flags2: 0x40, FormatID: 1, Gtrid: []byte("xy"), Bqual: []byte("z")},
			head + " format_id gtrid_length bqual_length gtrid bqual"},
		{"completed XA in a group", logtest.MariaGtid(3, 0, 0x82, u64(7), u32(1), u8(1), u8(0), []byte("x")), decoder.MariaGtid{SeqNo: 3, Flags2: 0x82, CommitID: 7, FormatID: 1, Gtrid: []byte("x"), Bqual: []byte{}},
			head + " commit_id format_id gtrid_length bqual_length gtrid bqual"},
		{"several engines", logtest.MariaGtid(4, 0, 4, u8(1), u8(2)), decoder.MariaGtid{SeqNo: 4, Flags2: 4, HasExtra: true, FlagsExtra: 1, ExtraEngines: 2}, head + " flags_extra extra_engines padding"},
		{"start alter", logtest.MariaGtid(4, 0, 0x21, u8(2)), decoder.MariaGtid{SeqNo: 4, Flags2: 0x21, HasExtra: true, FlagsExtra: 2}, head + " flags_extra padding"},
		{"commit alter", logtest.MariaGtid(4, 0, 0x21, u8(4), u64(18)), decoder.MariaGtid{SeqNo: 4, Flags2: 0x21, HasExtra: true, FlagsExtra: 4, SaSeqNo: 18}, head + " flags_extra sa_seq_no"},
		{"rollback alter", logtest.MariaGtid(4, 0, 0x21, u8(8), u64(18)), decoder.MariaGtid{SeqNo: 4, Flags2: 0x21, HasExtra: true, FlagsExtra: 8, SaSeqNo: 18}, head + " flags_extra sa_seq_no"},
		{"thread id", logtest.MariaGtid(4, 0, 4, u8(0x10), u32(42)), decoder.MariaGtid{SeqNo: 4, Flags2: 4, HasExtra: true, FlagsExtra: 0x10, ThreadID: 42}, head + " flags_extra thread_id padding"},
		{"everything", logtest.MariaGtid(4, 5, 0xfe, u64(9), u32(1), u8(1), u8(1), []byte("gb"), u8(0x15), u8(3), u64(18), u32(42), u8(7)),
			decoder.MariaGtid{SeqNo: 4, DomainID: 5, Flags2: 0xfe, CommitID: 9, FormatID: 1, Gtrid: []byte("g"), Bqual: []byte("b"), HasExtra: true, FlagsExtra: 0x15, ExtraEngines: 3, SaSeqNo: 18, ThreadID: 42},
			head + " commit_id format_id gtrid_length bqual_length gtrid bqual flags_extra extra_engines sa_seq_no thread_id padding"},
	} {
		f := format(t, logtest.MariaDB105, logtest.CRC32)
		e := read[*decoder.MariaGtid](t, f, decoder.MariaGtidType, tt.body)
		tt.want.ServerID = logtest.ServerID
		equal(t, tt.name, *e, tt.want)
		if got := paths(t, f, decoder.MariaGtidType, tt.body); got != tt.paths {
			t.Errorf("%s: names %s, want %s", tt.name, got, tt.paths)
		}
		if e.GTID() != (gtid.MariaGTID{Domain: tt.want.DomainID, Server: logtest.ServerID, Seq: tt.want.SeqNo}) {
			t.Errorf("%s: %v", tt.name, e.GTID())
		}
		if e.HasXID() != (tt.want.Flags2&0xc0 != 0) || e.HasSaSeqNo() != (tt.want.FlagsExtra&0x0c != 0) {
			t.Errorf("%s: xid %t, sa_seq_no %t", tt.name, e.HasXID(), e.HasSaSeqNo())
		}
	}
}

func TestGtidList(t *testing.T) {
	f := format(t, logtest.MariaDB105, logtest.CRC32)
	for _, tt := range []struct {
		name  string
		body  []byte
		want  decoder.GtidList
		paths string
	}{
		{"empty", hex("00000000 0000"), decoder.GtidList{}, "count padding"},
		{"one", logtest.GtidList(0, logtest.Position{Domain: 0, Server: 1, Seq: 17}), decoder.GtidList{Gtids: []gtid.MariaGTID{{Domain: 0, Server: 1, Seq: 17}}},
			"count +gtids[0] gtids[0].domain_id gtids[0].server_id gtids[0].seq_no"},
		{"two, until reached", logtest.GtidList(1<<28, logtest.Position{Domain: 1, Server: 2, Seq: 1<<64 - 1}, logtest.Position{Domain: 1<<32 - 1, Server: 3, Seq: 1}),
			decoder.GtidList{Flags: decoder.GtidListUntilReached, Gtids: []gtid.MariaGTID{{Domain: 1, Server: 2, Seq: 1<<64 - 1}, {Domain: 1<<32 - 1, Server: 3, Seq: 1}}}, ""},
		{"ignore", hex("00000020"), decoder.GtidList{Flags: decoder.GtidListIgnoreGtids}, "count"},
	} {
		equal(t, tt.name, *read[*decoder.GtidList](t, f, decoder.GtidListType, tt.body), tt.want)
		if got := paths(t, f, decoder.GtidListType, tt.body); tt.paths != "" && got != tt.paths {
			t.Errorf("%s: names %s", tt.name, got)
		}
	}
}

func TestMariaFaults(t *testing.T) {
	for _, tt := range []struct {
		typ    decoder.Type
		body   string
		kind   wire.Kind
		offset int64
		path   string
	}{
		{decoder.MariaGtidType, "01020304050607", wire.Truncated, 0, "seq_no"},
		{decoder.MariaGtidType, "0102030405060708 000000", wire.Truncated, 8, "domain_id"},
		{decoder.MariaGtidType, "0102030405060708 00000000", wire.Truncated, 12, "flags2"},
		{decoder.MariaGtidType, "0102030405060708 00000000 02 01020304050607", wire.Truncated, 13, "commit_id"},
		{decoder.MariaGtidType, "0102030405060708 00000000 40 010203", wire.Truncated, 13, "format_id"},
		{decoder.MariaGtidType, "0102030405060708 00000000 40 01020304", wire.Truncated, 17, "gtrid_length"},
		{decoder.MariaGtidType, "0102030405060708 00000000 40 01020304 02", wire.Truncated, 18, "bqual_length"},
		{decoder.MariaGtidType, "0102030405060708 00000000 40 01020304 02 00 61", wire.Truncated, 19, "gtrid"},
		{decoder.MariaGtidType, "0102030405060708 00000000 40 01020304 01 02 61 62", wire.Truncated, 20, "bqual"},
		{decoder.MariaGtidType, "0102030405060708 00000000 00 01", wire.Truncated, 14, "extra_engines"},
		{decoder.MariaGtidType, "0102030405060708 00000000 00 04 01", wire.Truncated, 14, "sa_seq_no"},
		{decoder.MariaGtidType, "0102030405060708 00000000 00 10 01", wire.Truncated, 14, "thread_id"},
		{decoder.GtidListType, "010000", wire.Truncated, 0, "count"},
		{decoder.GtidListType, "02000000 00000000 00000000 0000000000000000", wire.Corrupt, 4, "count"},
		{decoder.GtidListType, "ffffff0f", wire.Corrupt, 4, "count"},
	} {
		_, bad := fault(t, format(t, logtest.MariaDB105, logtest.Off), tt.typ, hex(tt.body))
		if bad.Kind != tt.kind || bad.Offset != tt.offset || bad.Path != tt.path {
			t.Errorf("%s %s: %v; want %s at %d in %s", tt.typ, tt.body, bad, tt.kind, tt.offset, tt.path)
		}
	}
}
