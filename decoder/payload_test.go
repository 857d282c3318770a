package decoder_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"binlens/decoder"
	"binlens/decoder/inflate"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/wire"
)

func TestTransactionPayload(t *testing.T) {
	f := logtest.MySQL8040
	checkEvents(t, []eventCase{
		{"as a server writes it", f, 40, "02 01 00 | 03 01 b3 | 01 01 04 | 00 | 28b52ffd", &decoder.TransactionPayload{HasSize: true, Size: 4, HasCompression: true, HasUncompressedSize: true, UncompressedSize: 0xb3, Payload: hex("28b52ffd")},
			"compression_type uncompressed_size payload_size end_mark payload"},
		{"none", f, 40, "01 01 02 | 02 03 fcff00 | 00 | aabb", &decoder.TransactionPayload{HasSize: true, Size: 2, HasCompression: true, Compression: 255, Payload: hex("aabb")}, "payload_size compression_type end_mark payload"},
		{"numbers in long forms", f, 40, "fc0300 fd090000 fe0000000001000000 | 02 09 fe0000000000000000 | 00", &decoder.TransactionPayload{HasCompression: true, HasUncompressedSize: true, UncompressedSize: 1 << 32, Payload: []byte{}},
			"uncompressed_size compression_type end_mark payload"},
		{"no fields", f, 40, "00 aabb", &decoder.TransactionPayload{Payload: hex("aabb")}, "end_mark payload"},
		{"unknown fields", f, 40, "07 02 aabb | fe0000000000010000 00 | 00", &decoder.TransactionPayload{Unknown: []decoder.TypedBytes{{Type: 7, Value: hex("aabb")}, {Type: 1 << 40, Value: []byte{}}}, Payload: []byte{}},
			"unknown[0] unknown[1] end_mark payload"},
		{"bytes behind the payload", f, 40, "01 01 01 | 00 | aa bb", &decoder.TransactionPayload{HasSize: true, Size: 1, Payload: hex("aa")}, "payload_size end_mark payload trailing"},
	})
	checkFaults(t, []faultCase{
		{f, 40, "", wire.Truncated, 0, "end_mark", "1 byte needed, 0 left"},
		{f, 40, "02 01 00", wire.Truncated, 3, "end_mark", "1 byte needed, 0 left"},
		{f, 40, "02 01 00 01", wire.Truncated, 4, "payload_size", "1 byte needed, 0 left"},
		{f, 40, "02 01 00 01 09 00", wire.Corrupt, 5, "payload_size", "9 items of at least 1 byte do not fit into the 1 byte left"},
		{f, 40, "02 02 00ff 00", wire.Corrupt, 3, "compression_type", "1 byte left over"},
		{f, 40, "02 00 00", wire.Truncated, 2, "compression_type", "1 byte needed, 0 left"},
		{f, 40, "03 01 fc 00", wire.Truncated, 2, "uncompressed_size", "3 bytes needed, 1 left"},
		{f, 40, "02 01 00 02 01 00 00", wire.Corrupt, 5, "compression_type", "the field is there for the second time"},
		{f, 40, "ff", wire.Corrupt, 0, "end_mark", "0xff starts no packed integer"},
		{f, 40, "01 01 05 00 aabbccdd", wire.Corrupt, 4, "payload", "5 items of at least 1 byte do not fit into the 4 bytes left"},
	})
}

// What a payload is decompressed to, and what hinders it.
func TestPayloadReader(t *testing.T) {
	plain := []byte(strings.Repeat("plain ", 50))
	for _, tt := range []struct {
		name   string
		p      decoder.TransactionPayload
		want   []byte
		kind   wire.Kind
		offset int64
		reason inflate.Reason
	}{
		{"none", decoder.TransactionPayload{HasCompression: true, Compression: 255, Payload: plain}, plain, 0, 0, 0},
		{"stored", decoder.TransactionPayload{HasCompression: true, Payload: logtest.ZstdStored(plain, 100)}, plain, 0, 0, 0},
		{"one byte 300 times", decoder.TransactionPayload{HasCompression: true, Payload: hex("28b52ffd 60 2c00 | 630900 61")}, bytes.Repeat([]byte("a"), 300), 0, 0, 0},
		{"cut", decoder.TransactionPayload{HasCompression: true, Payload: logtest.ZstdStored(plain, 100)[:150]}, plain[:100], wire.Truncated, 112, inflate.Truncated},
		{"no frame", decoder.TransactionPayload{HasCompression: true, Payload: plain}, nil, wire.Corrupt, 0, inflate.Corrupt},
		{"with a dictionary", decoder.TransactionPayload{HasCompression: true, Payload: hex("28b52ffd 21 07 00 | 010000")}, nil, wire.Unsupported, 0, inflate.Unsupported},
	} {
		r, bad := tt.p.Reader()
		if bad != nil {
			t.Fatal(tt.name, bad)
		}
		got, err := io.ReadAll(r)
		if !bytes.Equal(got, tt.want) {
			t.Errorf("%s: %q", tt.name, got)
		}
		errors.As(err, &bad)
		if tt.kind == 0 {
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
			continue
		}
		var cause *inflate.Error
		if bad == nil || bad.Kind != tt.kind || bad.Offset != tt.offset || bad.Path != "payload" || !errors.As(err, &cause) || cause.Reason != tt.reason {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	for _, p := range []decoder.TransactionPayload{{}, {HasCompression: true, Compression: 1}} {
		if _, bad := p.Reader(); bad == nil || bad.Kind != wire.Unsupported {
			t.Errorf("%+v: %v", p, bad)
		}
	}
}
