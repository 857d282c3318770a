package session

import (
	"bytes"
	"testing"

	"binlens/decoder/index"
	"binlens/decoder/internal/logtest"

	"github.com/klauspost/compress/zstd"
)

// However well payloads are compressed, what comes of a range is bounded: payloads within the bound are taken over, and the
// session scans the others itself.
func TestRangesOfPayloadsAreBounded(t *testing.T) {
	const each = 100_000
	var event logtest.Inside
	event.Event(logtest.TypeStop)
	many := bytes.Repeat(event.Bytes(), each)
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []struct {
		what   string
		inside []byte
		events int // taken over
	}{
		{"many events", many, maxRangeInside / each * each},
		{"no event, and long", make([]byte, 8<<20), 0},
	} {
		t.Run(f.what, func(t *testing.T) {
			l := logtest.New(logtest.MySQL8040, logtest.CRC32)
			start := int64(len(l.Bytes()))
			p := logtest.Payload(0, uint64(len(f.inside)), w.EncodeAll(f.inside, nil))
			for range 8 {
				l.Event(logtest.TypePayload, p)
			}
			file := l.Bytes()
			s := open(t, file, Options{})
			s.Feed(file[:start])
			s.Step(0)
			r, err := NewRange(s.Mark(), start, int64(len(file)))
			if err != nil {
				t.Fatal(err)
			}
			from, packed := r.Feed(file[start:])
			if n := index.PackedInside(packed); n != int64(f.events) || !r.Done() {
				t.Errorf("%d events inside payloads, want %d; done %v", n, f.events, r.Done())
			}
			if limit := maxRangeInside * 64; len(packed) > limit {
				t.Errorf("%d bytes, over %d", len(packed), limit)
			}
			if f.events > 0 && !s.Merge(s.Mark(), from, packed) {
				t.Error("not taken over")
			}
			s.Feed(file[s.Fed():])
			s.Finish()
			for !s.done {
				s.Step(0)
			}
			same(t, s.Index(), oneByOne(t, file, Options{}).Index())
		})
	}
}
