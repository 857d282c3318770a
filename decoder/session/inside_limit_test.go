package session_test

import (
	"strings"
	"testing"

	"binlens/decoder/frame"
	"binlens/decoder/index"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"binlens/decoder/wire"

	"github.com/klauspost/compress/zstd"
)

// A log whose payloads hold more events than are listed: what is left of a payload is one row with its size and the reason,
// the sizes inside still add up, and what follows the payloads is read.
func TestEventsInsideAreBounded(t *testing.T) {
	defer session.SetInsideFloor(50)()
	var p logtest.Inside
	for range 500 {
		p.Event(logtest.TypeXid, logtest.U64(7))
	}
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	for range 2 {
		l.Event(logtest.TypePayload, logtest.Payload(0, uint64(len(p.Bytes())), w.EncodeAll(p.Bytes(), nil)))
	}
	l.SQL("d", "CREATE TABLE t (a INT)")
	s := open(t, l.Bytes(), session.Options{})
	x := s.Index()
	var inside [2][]index.Row
	payload := -1
	for i := range x.Len() {
		switch r := x.Row(i); {
		case r.Payload >= 0:
			inside[payload] = append(inside[payload], r)
		case x.Inside(i) > 0:
			payload++
		}
	}
	for k, want := range []int{50 + len(l.Bytes())/32 + 1, 2} { // events, and the row of the rest
		rows := inside[k]
		if len(rows) != want {
			t.Fatalf("payload %d: %d rows, want %d", k, len(rows), want)
		}
		sum := int64(0)
		for _, r := range rows {
			if r.Off != sum {
				t.Errorf("payload %d: a row at %d, want %d", k, r.Off, sum)
			}
			sum += r.Size
		}
		if sum != int64(len(p.Bytes())) {
			t.Errorf("payload %d: rows of %d bytes in all, want %d", k, sum, len(p.Bytes()))
		}
		last := rows[len(rows)-1]
		if bad := x.ProblemOf(last.Ordinal); last.Kind != frame.Gap || bad == nil || bad.Kind != wire.Unsupported || !strings.Contains(bad.Msg, "more events than are listed") {
			t.Errorf("payload %d: the rest is %+v, %v", k, last, bad)
		}
		if _, err := s.Detail(last.Ordinal, false); err != nil {
			t.Error(err)
		}
	}
	if r := x.Row(x.Len() - 1); r.Type.String() != "QUERY_EVENT" || x.ProblemOf(r.Ordinal) != nil {
		t.Errorf("behind the payloads: %+v", r)
	}
}
