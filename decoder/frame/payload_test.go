package frame_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/wire"
)

// payloadOf decodes the body of a TRANSACTION_PAYLOAD_EVENT.
func payloadOf(t testing.TB, body []byte) (*decoder.TransactionPayload, *decoder.FormatDescription) {
	t.Helper()
	f := decoder.AssumedFormat(decoder.ChecksumCRC32)
	ev, bad := decoder.Inspect(&decoder.Context{Format: f}, decoder.Header{Type: decoder.TransactionPayloadType, Code: 40, Len: 19}, body, nil)
	p, ok := ev.(*decoder.TransactionPayload)
	if bad != nil || !ok {
		t.Fatalf("%T %v", ev, bad)
	}
	return p, f
}

// transaction is BEGIN, a table map, rows and XID, as they stand inside a payload: 42, 40, 37 and 27 bytes.
func transaction() *logtest.Inside {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	var p logtest.Inside
	p.Event(logtest.TypeQuery, l.Query(logtest.Query{DB: "shop", SQL: "BEGIN"}))
	p.Event(logtest.TypeTableMap, logtest.Table{ID: 9, Schema: "shop", Name: "t", Columns: []logtest.Column{logtest.Col(3)}}.Body())
	p.Event(logtest.TypeWriteRows, logtest.Rows{ID: 9, V2: true, Flags: 1, Width: 1, After: logtest.All(1), Data: logtest.Image(logtest.U32(5))}.Body())
	return p.Event(logtest.TypeXid, logtest.U64(1))
}

func TestPayloads(t *testing.T) {
	whole := transaction().Bytes()
	n := uint64(len(whole))
	const sound = "query table_map write_rows xid"
	stored := logtest.ZstdStored(whole, 1000)
	none := func(b []byte) []byte { return logtest.Payload(255, uint64(len(b)), b) }
	flipped := logtest.Flip(stored, 9, 0x06) // the block's type: reserved
	small := logtest.SetSize(whole, 42, 18)
	for _, tt := range []struct {
		name  string
		body  []byte
		want  string // as show gives it
		kind  wire.Kind
		path  string
		begin string // of the reason; empty when nothing is wrong
		at    int64  // of the fault, from the payload's first byte
	}{
		{"none", none(whole), sound, 0, "", "", 0},
		{"zstd in one block", logtest.Payload(0, n, stored), sound, 0, "", "", 0},
		{"zstd in blocks of 7 bytes", logtest.Payload(0, n, logtest.ZstdStored(whole, 7)), sound, 0, "", "", 0},
		{"zstd in frames that part inside an event", logtest.Payload(0, n, logtest.Cat(logtest.ZstdStored(whole[:50], 1000), logtest.ZstdStored(whole[50:], 1000))), sound, 0, "", "", 0},
		{"zstd with a frame to be skipped", logtest.Payload(0, n, logtest.Cat(logtest.Hex("502a4d18 03000000 aabbcc"), stored)), sound, 0, "", "", 0},
		{"nothing", none(nil), "", 0, "", "", 0},
		{"no uncompressed size", logtest.Cat(logtest.LenencTLV(2, logtest.U8(0)), logtest.U8(0), stored), sound, 0, "", "", 0},
		{"a size one too small", logtest.Payload(255, n-1, whole), sound, wire.Corrupt, "uncompressed_size", fmt.Sprintf("the payload holds %d bytes, not %d as the event says", n, n-1), 0},
		{"a size one too large", logtest.Payload(0, n+1, stored), sound, wire.Corrupt, "uncompressed_size", fmt.Sprintf("the payload holds %d bytes, not %d as the event says", n, n+1), 0},
		{"a size of 2^64-1", logtest.Payload(0, 1<<64-1, stored), sound, wire.Corrupt, "uncompressed_size", "the payload holds", 0},
		{"compression type 7", logtest.Payload(7, n, whole), "", wire.Unsupported, "compression_type", "compression type 7 is neither 0 (zstd) nor 255 (none)", 0},
		{"no compression type", logtest.Cat(logtest.U8(0), whole), "", wire.Unsupported, "payload", "no field says how the payload is compressed", 0},
		{"zstd that is none", logtest.Payload(0, n, whole), "", wire.Corrupt, "payload", "the payload cannot be decompressed: ", 0},
		{"zstd cut in its block", logtest.Payload(0, n, stored[:len(stored)-9]), "", wire.Truncated, "payload", "the payload cannot be decompressed: ", 9},
		{"zstd cut in its second block", logtest.Payload(0, n, logtest.ZstdStored(whole, 100)[:9+3+100+1]), "query table_map <truncated>!", wire.Truncated, "payload", "the payload cannot be decompressed: ", 112},
		{"zstd with a reserved block", logtest.Payload(0, n, flipped), "", wire.Corrupt, "payload", "the payload cannot be decompressed: ", 9},
		{"bytes left", none(logtest.Cat(whole, make([]byte, 18))), sound + " <truncated>!", 0, "", "", 0},
		{"an event of 18 bytes", none(small), "query <truncated>!", 0, "", "", 0},
		{"an event cut", none(whole[:100]), "query table_map <truncated>!", 0, "", "", 0},
		{"an event of 4 GiB", none(logtest.SetSize(whole, 42, 1<<32-1)), "query <truncated>!", 0, "", "", 0},
	} {
		p, f := payloadOf(t, tt.body)
		frames, bad := insideOf(t, p, f)
		if got := show(frames); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		switch {
		case tt.begin == "" && bad != nil:
			t.Errorf("%s: %v", tt.name, bad)
		case tt.begin != "" && (bad == nil || bad.Kind != tt.kind || bad.Path != tt.path || !strings.HasPrefix(bad.Msg, tt.begin) || bad.Offset != tt.at):
			t.Errorf("%s: %v; want %s at %d in %s: %s…", tt.name, bad, tt.kind, tt.at, tt.path, tt.begin)
		}
		var b []byte
		for _, fr := range frames {
			b = append(b, fr.Raw...)
			if fr.Sum.Len != 0 || fr.Format.ChecksumLen() != 0 {
				t.Errorf("%s: an event with a checksum", tt.name)
			}
		}
		if tt.want == sound && !bytes.Equal(b, whole) {
			t.Errorf("%s: other bytes than were put in", tt.name)
		}
	}
}

// What ends inside an event says how much of it there is.
func TestPayloadsEndInsideEvents(t *testing.T) {
	whole := transaction().Bytes()
	for cut := 43; cut < 82; cut++ {
		p, f := payloadOf(t, logtest.Payload(255, uint64(cut), whole[:cut]))
		frames, bad := insideOf(t, p, f)
		if len(frames) != 2 || bad != nil {
			t.Fatalf("cut to %d: %s %v", cut, show(frames), bad)
		}
		fr := frames[1]
		want := fmt.Sprintf("TABLE_MAP_EVENT inside the payload claims 40 bytes, the payload has %d of them", cut-42)
		if cut-42 < 19 {
			want = fmt.Sprintf("%d bytes are left in the payload: no event header fits", cut-42)
		}
		if fr.Kind != frame.Truncated || fr.Off != 42 || fr.Size != int64(cut-42) || fr.Bad.Kind != wire.Truncated || fr.Bad.Msg != want {
			t.Errorf("cut to %d: %+v %v, want %s", cut, fr, fr.Bad, want)
		}
	}
}

// Of an event above 1 MiB only the head is held; what follows it is found.
func TestLargeEventsInPayloads(t *testing.T) {
	for _, size := range []int{1<<20 - 19, 1<<20 - 18, 3 << 20} {
		var in logtest.Inside
		in.Event(200, bytes.Repeat([]byte("x"), size)).Event(logtest.TypeXid, logtest.U64(1))
		for _, compression := range []uint64{0, 255} {
			b := in.Bytes()
			if compression == 0 {
				b = logtest.ZstdStored(b, 100<<10)
			}
			p, f := payloadOf(t, logtest.Payload(compression, uint64(len(in.Bytes())), b))
			frames, bad := insideOf(t, p, f)
			if got := show(frames); got != "unknown_event_200 xid" || bad != nil {
				t.Fatalf("%d bytes: %s %v", size, got, bad)
			}
			fr := frames[0]
			held := size+19 <= 1<<20
			if fr.Size != int64(size+19) || held != (fr.Raw != nil) || !held && !bytes.Equal(fr.Head, in.Bytes()[:frame.HeadLen]) {
				t.Errorf("%d bytes: %d of %d held, head of %d", size, len(fr.Raw), fr.Size, len(fr.Head))
			}
		}
	}
	// The end is missing.
	var in logtest.Inside
	in.Event(200, make([]byte, 3<<20))
	p, f := payloadOf(t, logtest.Payload(255, 5<<20, in.Bytes()[:2<<20]))
	fr, c := frame.Frame{}, frame.NewPayload(p, f.Inside())
	if s := c.Next(&fr); s != frame.Got || fr.Kind != frame.Event {
		t.Fatalf("%v %+v", s, fr)
	}
	for s := c.Next(&fr); s != frame.Done; s = c.Next(&fr) {
		if s != frame.Busy {
			t.Fatalf("%v %+v", s, fr)
		}
	}
	if bad := c.Err(); bad == nil || bad.Kind != wire.Truncated || bad.Msg != "the payload ends inside its last event" {
		t.Error(bad)
	}
}

// FuzzPayload cuts any payload, compressed and not: what comes out follows each other, is decoded without a panic, and is
// the same each time.
func FuzzPayload(f *testing.F) {
	whole := transaction().Bytes()
	for _, b := range [][]byte{whole, logtest.ZstdStored(whole, 1000), logtest.ZstdStored(whole, 9), whole[:77], logtest.SetSize(whole, 42, 1<<31), logtest.ZstdStored(whole, 60)[:70]} {
		f.Add(uint64(0), uint64(len(whole)), b)
		f.Add(uint64(255), uint64(len(b)), b)
	}
	for _, l := range logtest.RealLogs(f) {
		if len(l.Bytes) > 1<<20 {
			continue
		}
		for _, fr := range scan(f, l.Bytes, options{}) {
			if fr.Kind == frame.Event && fr.Header.Type == decoder.TransactionPayloadType && fr.Size < 4096 {
				p, _ := payloadOf(f, fr.Raw[19:len(fr.Raw)-fr.Sum.Len])
				f.Add(p.Compression, p.UncompressedSize, bytes.Clone(p.Payload))
			}
		}
	}
	f.Fuzz(func(t *testing.T, compression, size uint64, payload []byte) {
		if len(payload) > 1<<16 {
			return
		}
		p, format := payloadOf(t, logtest.Payload(compression, size, payload))
		if compression == decoder.PayloadZstd && bombs(p) {
			return // megabytes of nothing take long to pass, and find nothing
		}
		fr := frame.Frame{Format: format}
		checkPayload(t, &fr, p)
	})
}

// bombs says that more than 4 MiB come out of a payload.
func bombs(p *decoder.TransactionPayload) bool {
	r, bad := p.Reader()
	if bad != nil {
		return false
	}
	b := make([]byte, 1<<16)
	for total := 0; total < 4<<20; {
		n, err := r.Read(b)
		if err != nil {
			return false
		}
		total += n
	}
	return true
}
