package decoder_test

import (
	"strings"
	"testing"

	"binlens/decoder"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/wire"
)

func TestMiscellaneous(t *testing.T) {
	v8, maria := logtest.MySQL84, logtest.MariaDB105
	long := strings.Repeat("78", 300)
	checkEvents(t, []eventCase{
		{"INCIDENT", v8, 26, "0100 04 6c6f7374", &decoder.Incident{Number: 1, Message: []byte("lost")}, "incident message"},
		{"INCIDENT of MariaDB", maria, 26, "0100 00", &decoder.Incident{Number: 1, Message: []byte{}}, "incident message"},
		{"INCIDENT of no known kind, with bytes behind", v8, 26, "4200 01 78 79", &decoder.Incident{Number: 0x42, Message: []byte("x")}, "incident message trailing"},
		{"HEARTBEAT", v8, 27, "622e30", &decoder.Heartbeat{LogName: []byte("b.0")}, "log_name"},
		{"HEARTBEAT of nothing", v8, 27, "", &decoder.Heartbeat{LogName: []byte{}}, "log_name"},
		{"HEARTBEAT_V2", v8, 41, "01 03 622e30 | 02 09 fe0000000001000000 | 00", &decoder.HeartbeatV2{HasLogName: true, LogName: []byte("b.0"), HasPosition: true, Position: 1 << 32, HasEnd: true}, "log_name position end_mark"},
		{"HEARTBEAT_V2, other order and forms", v8, 41, "fc0200 fc0100 04 | 01 00", &decoder.HeartbeatV2{HasLogName: true, LogName: []byte{}, HasPosition: true, Position: 4}, "position log_name"},
		{"HEARTBEAT_V2, unknown fields", v8, 41, "09 02 abcd | 02 01 04 | fd0a0b0c 00 | 00 ff", &decoder.HeartbeatV2{HasPosition: true, Position: 4, HasEnd: true,
			Unknown: []decoder.TypedBytes{{Type: 9, Value: hex("abcd")}, {Type: 0x0c0b0a, Value: []byte{}}}}, "unknown[0] position unknown[1] end_mark trailing"},
		{"HEARTBEAT_V2, a long name", v8, 41, "01 fc2c01" + long, &decoder.HeartbeatV2{HasLogName: true, LogName: hex(long)}, "log_name"},
		{"HEARTBEAT_V2 of nothing", v8, 41, "", &decoder.HeartbeatV2{}, ""},
		{"XA_PREPARE", v8, 38, "00 01000000 01000000 00000000 78", &decoder.XaPrepare{FormatID: 1, Gtrid: []byte("x"), Bqual: []byte{}}, "one_phase format_id gtrid_length bqual_length gtrid bqual"},
		{"XA COMMIT ONE PHASE", maria, 38, "01 ffffffff 02000000 01000000 00ff 79", &decoder.XaPrepare{OnePhase: 1, FormatID: 1<<32 - 1, Gtrid: hex("00ff"), Bqual: []byte("y")},
			"one_phase format_id gtrid_length bqual_length gtrid bqual"},
		{"START_ENCRYPTION", maria, 164, "01 03000000 101112131415161718191a1b", &decoder.StartEncryption{Scheme: 1, KeyVersion: 3, Nonce: hex("101112131415161718191a1b")}, "scheme key_version nonce"},
		{"LARGE_TRANSACTION_HEADER", v8, 43, "01 6712000001000000 10 000000", &decoder.LargeTransaction{Version: 1, EndOffset: 1<<32 + 4711, EndType: 16, PaddingLen: 3}, "version terminating_event_offset terminating_event_type padding"},
		{"LARGE_TRANSACTION_HEADER without padding", v8, 43, "01 0000000000000000 10", &decoder.LargeTransaction{Version: 1, EndType: 16}, "version terminating_event_offset terminating_event_type"},
		{"PARTIAL_ROW_DATA, the first piece", maria, 172, "03000000 01000000 01 0000000001000000 6162", &decoder.PartialRowData{Total: 3, Seq: 1, Flags: 1, HasSize: true, OriginalSize: 1 << 32, Chunk: []byte("ab")},
			"total_fragments seq_no flags original_size chunk"},
		{"PARTIAL_ROW_DATA, another", maria, 172, "03000000 02000000 00", &decoder.PartialRowData{Total: 3, Seq: 2, Chunk: []byte{}}, "total_fragments seq_no flags chunk"},
		{"IGNORABLE", v8, 28, "6162", &decoder.Opaque{Body: []byte("ab"), Known: true}, "body"},
		{"PRE_GA rows", logtest.MySQL5117, 20, "07000000 0100 02 ff f9", &decoder.PreGARows{Op: decoder.Insert, TableID: 7, Flags: 1, Width: 2, Columns: hex("ff"), Rows: hex("f9")}, "table_id flags width columns rows_data"},
	})
}

func TestMiscellaneousFaults(t *testing.T) {
	v8, maria := logtest.MySQL84, logtest.MariaDB105
	checkFaults(t, []faultCase{
		{v8, 26, "01", wire.Truncated, 0, "incident", "2 bytes needed, 1 left"},
		{v8, 26, "0100", wire.Truncated, 2, "message", "1 byte needed, 0 left"},
		{v8, 26, "0100 05 6c6f7374", wire.Truncated, 3, "message", "5 bytes needed, 4 left"},
		{v8, 41, "01", wire.Truncated, 1, "log_name", "1 byte needed, 0 left"},
		{v8, 41, "01 04 622e30", wire.Corrupt, 2, "log_name", "4 items of at least 1 byte do not fit into the 3 bytes left"},
		{v8, 41, "fb", wire.Corrupt, 0, "end_mark", "0xfb starts no packed integer"},
		{v8, 41, "02 02 0405", wire.Corrupt, 3, "position", "1 byte left over"},
		{v8, 41, "02 03 fc0405 02 01 04", wire.Corrupt, 7, "position", "the field is there for the second time"},
		{v8, 41, "01 01 61 01 01 62", wire.Corrupt, 5, "log_name", "the field is there for the second time"},
		{v8, 41, "02 01 fd", wire.Truncated, 2, "position", "4 bytes needed, 1 left"},
		{v8, 41, "09 05 01", wire.Corrupt, 2, "unknown[0]", "5 items of at least 1 byte do not fit into the 1 byte left"},
		{v8, 38, "", wire.Truncated, 0, "one_phase", "1 byte needed, 0 left"},
		{v8, 38, "00 0100", wire.Truncated, 1, "format_id", "4 bytes needed, 2 left"},
		{v8, 38, "00 01000000 05000000 0000", wire.Corrupt, 9, "gtrid_length", "5 items of at least 1 byte do not fit into the 2 bytes left"},
		{v8, 38, "00 01000000 01000000 01000000 78", wire.Corrupt, 13, "bqual_length", "2 items of at least 1 byte do not fit into the 1 byte left"},
		{v8, 38, "00 01000000 01000000 ffffffff 78", wire.Corrupt, 13, "bqual_length", "4294967296 items of at least 1 byte do not fit into the 1 byte left"},
		{maria, 164, "01 0300", wire.Truncated, 1, "key_version", "4 bytes needed, 2 left"},
		{maria, 164, "01 03000000 101112131415161718191a", wire.Truncated, 5, "nonce", "12 bytes needed, 11 left"},
		{v8, 43, "01 67120000", wire.Truncated, 1, "terminating_event_offset", "8 bytes needed, 4 left"},
		{v8, 43, "01 6712000000000000", wire.Truncated, 9, "terminating_event_type", "1 byte needed, 0 left"},
		{maria, 172, "030000", wire.Truncated, 0, "total_fragments", "4 bytes needed, 3 left"},
		{maria, 172, "03000000 01000000", wire.Truncated, 8, "flags", "1 byte needed, 0 left"},
		{maria, 172, "03000000 01000000 01 00000000", wire.Truncated, 9, "original_size", "8 bytes needed, 4 left"},
	})
}
