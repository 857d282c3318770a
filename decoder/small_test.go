package decoder_test

import (
	"testing"

	"binlens/decoder"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/wire"
)

// The small events, by their bytes.
func TestSmallEvents(t *testing.T) {
	v4, v3, v1 := logtest.MySQL8040, logtest.MySQL41, logtest.MySQL323
	future := logtest.MySQL84 // with two types more
	future.Lengths = cat(future.Lengths, []byte{0, 3})
	future.Lengths[14] += 2
	for _, tt := range []struct {
		name   string
		server logtest.Server
		typ    decoder.Type
		body   []byte
		want   decoder.Event
		paths  string
	}{
		{"ROTATE", v4, decoder.RotateType, cat(u64(4), []byte("bin.000002")), &decoder.Rotate{Position: 4, HasPosition: true, NextFile: []byte("bin.000002")}, "position next_file"},
		{"ROTATE v3", v3, decoder.RotateType, cat(u64(1<<33), []byte("bin.002")), &decoder.Rotate{Position: 1 << 33, HasPosition: true, NextFile: []byte("bin.002")}, "position next_file"},
		{"ROTATE v1", v1, decoder.RotateType, []byte("bin.002"), &decoder.Rotate{Position: 4, NextFile: []byte("bin.002")}, "next_file"},
		{"ROTATE without name", v4, decoder.RotateType, u64(4), &decoder.Rotate{Position: 4, HasPosition: true, NextFile: []byte{}}, "position next_file"},
		{"STOP", v4, decoder.StopType, nil, &decoder.Stop{}, ""},
		{"STOP with bytes of the future", v4, decoder.StopType, []byte("x"), &decoder.Stop{}, "trailing"},
		{"XID", v4, decoder.XidType, u64(1<<63 + 5), &decoder.Xid{Xid: 1<<63 + 5}, "xid"},
		{"XID with bytes of the future", v4, decoder.XidType, cat(u64(5), u8(1)), &decoder.Xid{Xid: 5}, "xid trailing"},
		{"INTVAR", v4, decoder.IntvarType, logtest.Intvar(2, 41), &decoder.Intvar{Kind: 2, Value: 41}, "kind value"},
		{"INTVAR of an invalid kind", v4, decoder.IntvarType, logtest.Intvar(0, 1<<64-1), &decoder.Intvar{Kind: 0, Value: 1<<64 - 1}, "kind value"},
		{"RAND", v4, decoder.RandType, cat(u64(7), u64(1<<64-1)), &decoder.Rand{Seed1: 7, Seed2: 1<<64 - 1}, "seed1 seed2"},
		{"ROWS_QUERY", v4, decoder.RowsQueryType, logtest.RowsQuery("INSERT"), &decoder.RowsQuery{Length: 6, Text: []byte("INSERT")}, "length query"},
		{"ROWS_QUERY longer than its length", v4, decoder.RowsQueryType, []byte("\x01INSERT"), &decoder.RowsQuery{Length: 1, Text: []byte("INSERT")}, "length query"},
		{"ANNOTATE_ROWS", logtest.MariaDB105, decoder.AnnotateRowsType, []byte("INSERT"), &decoder.AnnotateRows{Text: []byte("INSERT")}, "query"},
		{"BINLOG_CHECKPOINT", logtest.MariaDB105, decoder.BinlogCheckpointType, logtest.Checkpoint("b.1"), &decoder.BinlogCheckpoint{Name: []byte("b.1")}, "name_len name"},
		{"unknown, with a post-header", future, 44, []byte{1, 2, 3, 4}, &decoder.Opaque{PostHeader: []byte{1, 2, 3}, Body: []byte{4}}, "post_header body"},
		{"unknown, shorter than its post-header", future, 44, []byte{1}, &decoder.Opaque{Body: []byte{1}}, "body"},
		{"unknown", v4, 100, []byte{1, 2}, &decoder.Opaque{Body: []byte{1, 2}}, "body"},
		{"unknown and empty", v4, 100, nil, &decoder.Opaque{}, ""},
	} {
		f := format(t, tt.server, logtest.CRC32)
		ev := read[decoder.Event](t, f, tt.typ, tt.body)
		equal(t, tt.name, ev, tt.want)
		if got := paths(t, f, tt.typ, tt.body); got != tt.paths {
			t.Errorf("%s: names %q, want %q", tt.name, got, tt.paths)
		}
	}
}

func TestUserVar(t *testing.T) {
	const head = "name_len name is_null"
	const whole = head + " type charset value_len value"
	for _, tt := range []struct {
		name  string
		v     logtest.UserVar
		want  decoder.UserVar
		paths string
	}{
		{"NULL", logtest.UserVar{Name: "a", Null: true}, decoder.UserVar{IsNull: true}, head},
		{"string", logtest.UserVar{Name: "ä", Type: 0, Charset: 33, Value: []byte("text")}, decoder.UserVar{Charset: 33, Value: []byte("text")}, whole},
		{"empty string", logtest.UserVar{Name: "a", Charset: 8}, decoder.UserVar{Charset: 8, Value: []byte{}}, whole},
		{"real", logtest.UserVar{Name: "a", Type: 1, Charset: 63, Value: hex("000000000000f83f")}, decoder.UserVar{Type: 1, Charset: 63, Value: hex("000000000000f83f")}, whole},
		{"int", logtest.UserVar{Name: "a", Type: 2, Charset: 63, Value: u64(5)}, decoder.UserVar{Type: 2, Charset: 63, Value: u64(5)}, whole},
		{"signed int", logtest.UserVar{Name: "a", Type: 2, Charset: 63, Value: u64(5), Tail: u8(0)}, decoder.UserVar{Type: 2, Charset: 63, Value: u64(5), HasFlags: true}, whole + " flags"},
		{"unsigned int", logtest.UserVar{Name: "a", Type: 2, Charset: 63, Value: u64(5), Tail: u8(1)}, decoder.UserVar{Type: 2, Charset: 63, Value: u64(5), HasFlags: true, Unsigned: true}, whole + " flags"},
		{"row", logtest.UserVar{Name: "a", Type: 3, Charset: 63, Value: u8(1)}, decoder.UserVar{Type: 3, Charset: 63, Value: u8(1)}, whole},
		{"decimal", logtest.UserVar{Name: "a", Type: 4, Charset: 63, Value: hex("0502 807b2d")}, decoder.UserVar{Type: 4, Charset: 63, Value: hex("0502 807b2d")}, whole},
		{"MariaDB's data type", logtest.UserVar{Name: "a", Charset: 63, Value: u8(1), Tail: cat(u8(0), u8(2), text8("uuid"))},
			decoder.UserVar{Charset: 63, Value: u8(1), HasFlags: true, DataType: []byte("uuid")}, whole + " flags data_type"},
		{"an unknown chunk ends the list", logtest.UserVar{Name: "a", Charset: 63, Value: u8(1), Tail: hex("01 07 02")},
			decoder.UserVar{Charset: 63, Value: u8(1), HasFlags: true, Unsigned: true}, whole + " flags trailing"},
	} {
		f := format(t, logtest.MySQL8040, logtest.Off)
		tt.want.Name = []byte(tt.v.Name)
		equal(t, tt.name, read[*decoder.UserVar](t, f, decoder.UserVarType, tt.v.Body()), &tt.want)
		if got := paths(t, f, decoder.UserVarType, tt.v.Body()); got != tt.paths {
			t.Errorf("%s: names %q", tt.name, got)
		}
	}
}

// Each field cut: the place, the field and the kind.
func TestSmallFaults(t *testing.T) {
	for _, tt := range []struct {
		typ    decoder.Type
		body   string
		kind   wire.Kind
		offset int64
		path   string
	}{
		{decoder.RotateType, "01020304050607", wire.Truncated, 0, "position"},
		{decoder.XidType, "", wire.Truncated, 0, "xid"},
		{decoder.XidType, "01020304050607", wire.Truncated, 0, "xid"},
		{decoder.IntvarType, "", wire.Truncated, 0, "kind"},
		{decoder.IntvarType, "01 01020304050607", wire.Truncated, 1, "value"},
		{decoder.RandType, "01", wire.Truncated, 0, "seed1"},
		{decoder.RandType, "0102030405060708 01", wire.Truncated, 8, "seed2"},
		{decoder.RowsQueryType, "", wire.Truncated, 0, "length"},
		{decoder.UserVarType, "010000", wire.Truncated, 0, "name_len"},
		{decoder.UserVarType, "02000000 61", wire.Corrupt, 4, "name"},
		{decoder.UserVarType, "01000000 61", wire.Truncated, 5, "is_null"},
		{decoder.UserVarType, "01000000 61 00", wire.Truncated, 6, "type"},
		{decoder.UserVarType, "01000000 61 00 00 210000", wire.Truncated, 7, "charset"},
		{decoder.UserVarType, "01000000 61 00 00 21000000 010000", wire.Truncated, 11, "value_len"},
		{decoder.UserVarType, "01000000 61 00 00 21000000 01000000", wire.Corrupt, 15, "value"},
		{decoder.UserVarType, "01000000 61 00 00 21000000 00000000 02 04 6162", wire.Truncated, 17, "data_type"},
		{decoder.BinlogCheckpointType, "010000", wire.Truncated, 0, "name_len"},
		{decoder.BinlogCheckpointType, "04000000 616263", wire.Corrupt, 4, "name_len"},
	} {
		_, bad := fault(t, format(t, logtest.MariaDB105, logtest.Off), tt.typ, hex(tt.body))
		if bad.Kind != tt.kind || bad.Offset != tt.offset || bad.Path != tt.path {
			t.Errorf("%s %s: %v; want %s at %d in %s", tt.typ, tt.body, bad, tt.kind, tt.offset, tt.path)
		}
	}
}
