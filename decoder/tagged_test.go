package decoder_test

import (
	"fmt"
	"strings"
	"testing"

	"binlens/decoder"
	"binlens/decoder/gtid"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/wire"
)

// A body as a 9.6 server wrote it: field by field.
const (
	taggedHead  = "02 78 00" // version 1, 60 bytes, all fields may be ignored
	taggedUUID  = "02 aa ee 25 02 08 04 65 02 22 c5 03 c5 02 e1 02 9c c1 03 11 03 55 02 de ad 03"
	taggedClock = "08 00 | 0a 04 | 0c 7f 1c f3 b8 14 24 4a 06"
	taggedBody  = taggedHead + "00 00" + taggedUUID + "04 0c | 06 0a 6d79746167 |" + taggedClock + "| 10 a1 04 | 12 43 0f 0b"
)

func TestGtidTagged(t *testing.T) {
	f := format(t, logtest.MySQL84, logtest.CRC32)
	uuid := gtid.UUID(hex("55778904029911f1b1b84ef0c4956feb"))
	e := read[*decoder.GtidTagged](t, f, decoder.GtidTaggedType, hex(taggedBody))
	if got := e.GTID().String(); got != "55778904-0299-11f1-b1b8-4ef0c4956feb:mytag:3" {
		t.Error(got)
	}
	got := fmt.Sprint(e.Version, e.MessageSize, e.LastNonIgnorable, e.Flags, e.UUID == uuid, e.GNO, string(e.Tag), e.LastCommitted, e.SequenceNumber, e.ImmediateTimestamp, e.TransactionLength, e.ImmediateVersion, len(e.Unknown))
	if got != "1 60 0 0 true 3mytag0 1 1770368687207196 296 90600 0" {
		t.Error(got)
	}
	var names []string
	for _, f := range e.Fields() {
		names = append(names, f.Name())
	}
	const fields = "gtid_flags uuid gno tag last_committed sequence_number immediate_commit_timestamp transaction_length immediate_server_version"
	if got := strings.Join(names, " "); got != fields {
		t.Errorf("fields %s", got)
	}
	if got := paths(t, f, decoder.GtidTaggedType, hex(taggedBody)); got != "version message_size last_non_ignorable "+fields {
		t.Errorf("names %s", got)
	}
}

// Every field, absent fields, integers in all their forms, and what comes after the known.
func TestGtidTaggedFields(t *testing.T) {
	f := format(t, logtest.MySQL96, logtest.CRC32)
	sid := [16]byte(hex("55778904029911f1b1b84ef0c4956feb"))
	field, varlen := logtest.TaggedField, logtest.Varlen
	head := [][]byte{field(0, u8(2)), field(1, logtest.TaggedUUID(sid))}
	all := append(head, field(2, logtest.Zigzag(1<<62)), field(3, u8(2*32), []byte(strings.Repeat("t", 32))), field(4, logtest.Zigzag(-1)), field(5, logtest.Zigzag(-1<<63)),
		field(6, varlen(1)), field(7, varlen(1<<63)), field(8, varlen(1<<64-1)), field(9, hex("03 00 00")), field(10, hex("ff 0700000000000000")), field(11, varlen(1<<56)))
	const last = "gtid_flags uuid gno tag last_committed sequence_number immediate_commit_timestamp original_commit_timestamp transaction_length immediate_server_version original_server_version commit_group_ticket"
	for _, tt := range []struct {
		name  string
		body  []byte
		want  string
		paths string // after version, message_size and last_non_ignorable
	}{
		{"all", logtest.Tagged(12, all...), "1 4611686018427387904 " + strings.Repeat("t", 32) + " -1 -9223372036854775808 1 9223372036854775808 18446744073709551615 0 7 72057594037927936 0", last},
		{"none", logtest.Tagged(0), "0 0  0 0 0 0 0 0 0 0 0", ""},
		{"no tag", logtest.Tagged(6, field(2, logtest.Zigzag(7))), "0 7  0 0 0 0 0 0 0 0 0", "gno"},
		{"an empty tag", logtest.Tagged(0, field(3, u8(0)), field(11, u8(2))), "0 0  0 0 0 0 0 0 0 1 0", "tag commit_group_ticket"},
		{"a field of the future", logtest.Tagged(0, field(2, logtest.Zigzag(7)), field(12, u8(2)), field(13, u8(2))), "0 7  0 0 0 0 0 0 0 0 4", "gno unknown_fields"},
		{"a field number of two bytes", logtest.Tagged(0, field(2, logtest.Zigzag(7)), hex("0101 02")), "0 7  0 0 0 0 0 0 0 0 3", "gno unknown_fields"},
		{"bytes behind the message", cat(logtest.Tagged(0, field(2, logtest.Zigzag(7))), u8(0)), "0 7  0 0 0 0 0 0 0 0 0", "gno trailing"},
	} {
		e := read[*decoder.GtidTagged](t, f, decoder.GtidTaggedType, tt.body)
		got := fmt.Sprint(e.Flags, e.GNO, " ", string(e.Tag), " ", e.LastCommitted, e.SequenceNumber, e.ImmediateTimestamp, e.OriginalTimestamp, e.TransactionLength, e.ImmediateVersion, e.OriginalVersion, e.CommitGroupTicket, len(e.Unknown))
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		if got := paths(t, f, decoder.GtidTaggedType, tt.body); strings.TrimPrefix(got, "version message_size last_non_ignorable") != strings.TrimSuffix(" "+tt.paths, " ") {
			t.Errorf("%s: names %s", tt.name, got)
		}
		if e.Has(3) != strings.Contains(tt.paths, "tag ") && tt.name != "all" {
			t.Errorf("%s: has a tag: %t", tt.name, e.Has(3))
		}
	}
}

func TestGtidTaggedFaults(t *testing.T) {
	f := logtest.MySQL84
	size := func(n int) string { return fmt.Sprintf("02 %02x 00", 2*n) }
	checkFaults(t, []faultCase{
		{f, 42, "", wire.Truncated, 0, "version", "1 byte needed, 0 left"},
		{f, 42, "04 06 00", wire.Unsupported, 0, "version", "version 2 of the message is not 1"},
		{f, 42, "02", wire.Truncated, 1, "message_size", "1 byte needed, 0 left"},
		{f, 42, "02 08 00", wire.Corrupt, 1, "message_size", "a message of 4 bytes in a body of 3"},
		{f, 42, "02 02 00", wire.Corrupt, 1, "message_size", "a message of 1 bytes in a body of 3"},
		{f, 42, "02 04 00", wire.Corrupt, 2, "last_non_ignorable", "the message of 2 bytes ends before this"},
		{f, 42, "02 06 1a", wire.Unsupported, 2, "last_non_ignorable", "field 12 may not be ignored and is not known"},
		{f, 42, "02 06 01", wire.Truncated, 2, "last_non_ignorable", "2 bytes needed, 1 left"},
		{f, 42, size(4) + "00", wire.Truncated, 4, "gtid_flags", "1 byte needed, 0 left"},
		{f, 42, size(6) + "00 0104", wire.Corrupt, 4, "gtid_flags", "flags 256 are more than a byte"},
		{f, 42, size(7) + "02 aa ee 25", wire.Truncated, 6, "uuid", "2 bytes needed, 1 left"},
		{f, 42, size(6) + "02 0104", wire.Corrupt, 4, "uuid", "a byte of the uuid is 256"},
		{f, 42, size(5) + "04 00", wire.Corrupt, 4, "gno", "transaction number 0 is not in 1 to 9223372036854775806"},
		{f, 42, size(5) + "04 02", wire.Corrupt, 4, "gno", "transaction number 18446744073709551615 is not in 1 to 9223372036854775806"},
		{f, 42, size(13) + "04 ff feffffffffffffff", wire.Corrupt, 4, "gno", "transaction number 9223372036854775807 is not in 1 to 9223372036854775806"},
		{f, 42, size(5) + "06 42", wire.Corrupt, 4, "tag", "a tag of 33 bytes: at most 32"},
		{f, 42, size(7) + "06 0a 6d79", wire.Truncated, 5, "tag", "5 bytes needed, 2 left"},
		{f, 42, size(7) + "08 00 04 04", wire.Corrupt, 5, "gno", "field 2 stands behind field 4"},
		{f, 42, size(7) + "10 00 10 00", wire.Corrupt, 5, "transaction_length", "field 8 stands behind field 8"},
		{f, 42, size(6) + "0c 7f00", wire.Truncated, 4, "immediate_commit_timestamp", "8 bytes needed, 2 left"},
		// The message ends inside a field whose bytes stand behind it.
		{f, 42, size(5) + "08 01 02", wire.Truncated, 4, "last_committed", "2 bytes needed, 1 left"},
	})
}
