package session_test

import (
	"binlens/decoder"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// decompressed returns what a payload holds, by another reader of zstd than the decoder's.
func decompressed(t testing.TB, s *session.Session, ordinal int64) []byte {
	t.Helper()
	line, err := s.AppendJSON(nil, ordinal, true)
	if err != nil {
		t.Fatal(err)
	}
	v, err := parse(line)
	if err != nil {
		t.Fatal(err)
	}
	b, err := hex.DecodeString(text(get(v, "data", "payload", "hex")))
	if err != nil {
		t.Fatal(err)
	}
	if number(get(v, "data", "compression_type")) == 255 {
		return b
	}
	r, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	out, err := r.DecodeAll(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// largePayload is a transaction of several MiB: rows in many events, one of them of its own above 1 MiB, compressed as a
// server does it.
func largePayload(t testing.TB) (*logtest.Log, *logtest.Inside) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	var p logtest.Inside
	p.Event(logtest.TypeQuery, l.Query(logtest.Query{DB: "shop", SQL: "BEGIN"}))
	columns := []logtest.Column{logtest.Col(3), logtest.Col(252, 4)}
	for i := range 300 {
		p.Event(logtest.TypeTableMap, logtest.Table{ID: uint64(100 + i%3), Schema: "shop", Name: fmt.Sprint("t", i%3), Columns: columns}.Body())
		n := 10_000 + i
		if i == 150 {
			n = 3 << 20
		}
		value := bytes.Repeat([]byte{byte('a' + i%26)}, n)
		p.Event(logtest.TypeWriteRows, logtest.Rows{ID: uint64(100 + i%3), Flags: logtest.StmtEnd, V2: true, Width: 2, After: logtest.All(2),
			Data: logtest.Image(logtest.U32(uint32(i)), logtest.Cat(logtest.U32(uint32(n)), value))}.Body())
	}
	p.Event(logtest.TypeXid, logtest.U64(5))
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	l.Event(logtest.TypePayload, logtest.Payload(0, uint64(len(p.Bytes())), w.EncodeAll(p.Bytes(), nil)))
	return l.SQL("shop", "CREATE TABLE u (a INT)"), &p
}

// Rows inside a payload are read in any order, between rows outside: each is what it is when they are read one after the
// other.
func TestInsideInAnyOrder(t *testing.T) {
	l, p := largePayload(t)
	s := open(t, l.Bytes(), session.Options{})
	n := s.Index().Len()
	if inside := s.Index().Inside(1); n != int64(3+len(p.Offs)) || inside != int64(len(p.Offs)) {
		t.Fatalf("%d rows, %d inside", n, inside)
	}
	var want []string
	for i := range n {
		line, err := s.AppendJSON(nil, i, false)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, string(line))
		if row := s.Index().Row(i); i > 1 && i < n-1 && (row.Off != int64(p.Offs[i-2]) || row.Payload != 1) {
			t.Fatalf("row %d: %+v, want the offset %d", i, row, p.Offs[i-2])
		}
	}
	if !strings.Contains(want[n-2], `"xid":5`) || !strings.Contains(want[4], `"table":"t0"`) || !strings.Contains(want[302], strings.Repeat(string(rune('a'+149%26)), 9000)) {
		t.Errorf("%s\n%s\n%s", cut(want[n-2]), cut(want[4]), cut(want[302]))
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		i := rng.Int64N(n)
		if line, err := s.AppendJSON(nil, i, false); err != nil || string(line) != want[i] {
			t.Fatalf("row %d: %s, %v\nwant %s", i, cut(string(line)), err, cut(want[i]))
		}
	}
	whole := p.Bytes()
	for _, r := range [][3]int64{{304, 2 << 20, 1 << 20}, {304, 0, 100}, {304, 3 << 20, 100}, {2, 0, 10}, {304, 1<<20 - 5, 10}, {602, 0, 30}} {
		row := s.Index().Row(r[0])
		got, err := s.Bytes(r[0], r[1], int(r[2]))
		from := row.Off + min(r[1], row.Size)
		if want := whole[from:min(from+r[2], row.Off+row.Size)]; err != nil || !bytes.Equal(got, want) {
			t.Errorf("Bytes(%v): %d bytes, %v, want %d", r, len(got), err, len(want))
		}
	}
	page, err := s.Page(n-3, 3)
	if err != nil {
		t.Fatal(err)
	}
	if _, rows := readPage(t, page); rows[0].text != "shop.t2" || rows[0].rows != 1 || rows[0].flag&rowInPayload == 0 || rows[1].text != "commit 5" || rows[2].flag&rowInPayload != 0 {
		t.Errorf("%+v", rows)
	}
	if i, ok := s.At(130); !ok || i != 1 {
		t.Errorf("byte 130 is of row %d", i)
	}
	if sum := s.Summary(); sum.State != "no end event" || s.Progress().Bytes != int64(l.Len()) {
		t.Errorf("%+v %+v", sum, s.Progress())
	}
}

// An event inside that is above max_event_size is listed, and decoded on request.
func TestLargeInside(t *testing.T) {
	l, _ := largePayload(t)
	s := open(t, l.Bytes(), session.Options{MaxEvent: 1 << 20})
	e := dump(t, s)[304]
	if e.m["data"] != nil || !strings.Contains(plain(e.m["problems"]), "larger than max_event_size (1048576)") || e.m["checksum"] != nil || number(e.m["size"]) < 3<<20 {
		t.Errorf("%s", cut(plain(e)))
	}
	line, err := s.AppendJSON(nil, 304, true)
	if v, err2 := parse(line); err != nil || err2 != nil || len(text(get(v, "data", "rows", 0, "after", "@2"))) != 3<<20 {
		t.Errorf("%s, %v, %v", cut(string(line)), err, err2)
	}
	// The payload itself may be too large: then it is listed, and not entered.
	s = open(t, l.Bytes(), session.Options{MaxEvent: 1})
	if n := s.Index().Row(1).Size; n > session.MinEventLimit && s.Index().Len() != 3 {
		t.Errorf("%d rows, a payload of %d bytes", s.Index().Len(), n)
	}
}

// What is wrong inside a payload is told of it, and of the row inside where it ends; the log goes on behind it.
func TestDamagedPayloads(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	var p logtest.Inside
	p.Event(logtest.TypeQuery, l.Query(logtest.Query{DB: "shop", SQL: "BEGIN"})).Event(logtest.TypeXid, logtest.U64(5))
	whole := p.Bytes()
	n := uint64(len(whole))
	stored := logtest.ZstdStored(whole, 50)
	for _, tt := range []struct {
		name   string
		body   []byte
		types  string // of the rows after the payload's
		reason string // of the payload's problem; empty for none
		kind   string
		at     int64 // body offset
		path   string
	}{
		{"sound", logtest.Payload(0, n, stored), "QUERY_EVENT XID_EVENT", "", "", 0, ""},
		{"a lying size", logtest.Payload(0, 7, stored), "QUERY_EVENT XID_EVENT", "the payload holds 69 bytes, not 7 as the event says", "corrupt", 3, "uncompressed_size"},
		{"cut", logtest.Payload(0, n, stored[:80]), "QUERY_EVENT truncated", "the payload cannot be decompressed: ", "truncated", 10 + 62, "payload"},
		{"an unknown compression", logtest.Payload(3, n, stored), "", "compression type 3 is neither 0 (zstd) nor 255 (none)", "unsupported", 0, "compression_type"},
		{"an event cut", logtest.Payload(255, 50, whole[:50]), "QUERY_EVENT truncated", "", "", 0, ""},
		{"fields cut", []byte{2, 1, 0, 1}, "", "1 byte needed, 0 left", "truncated", 4, "payload_size"},
	} {
		l := logtest.New(logtest.MySQL8040, logtest.CRC32).Event(logtest.TypePayload, tt.body).SQL("shop", "FLUSH LOGS")
		rows := dump(t, open(t, l.Bytes(), session.Options{}))
		var types []string
		for _, r := range rows[2:] {
			if k := kindOf(r); k != "event" {
				types = append(types, k)
			} else {
				types = append(types, text(r.m["type"]))
			}
		}
		if got := strings.Join(types, " "); got != strings.TrimPrefix(tt.types+" QUERY_EVENT", " ") {
			t.Errorf("%s: rows %s", tt.name, got)
		}
		if last := rows[len(rows)-1]; last.m["payload"] != nil || plain(get(last, "data", "query")) != `"FLUSH LOGS"` || last.m["problems"] != nil {
			t.Errorf("%s: %s", tt.name, cut(plain(last)))
		}
		list, _ := rows[1].m["problems"].([]any)
		if len(list) != map[bool]int{true: 1}[tt.reason != ""] {
			t.Errorf("%s: problems %s", tt.name, plain(rows[1].m["problems"]))
			continue
		}
		for _, p := range list {
			if text(get(p, "kind")) != tt.kind || !strings.HasPrefix(text(get(p, "reason")), tt.reason) || text(get(p, "path")) != tt.path || number(get(p, "body_offset")) != tt.at ||
				number(get(p, "offset")) != number(rows[1].m["offset"])+19+tt.at {
				t.Errorf("%s: %s", tt.name, plain(p))
			}
		}
		for _, r := range rows[2:] {
			if kindOf(r) == "truncated" && text(get(r, "problems", 0, "kind")) != "truncated" {
				t.Errorf("%s: %s", tt.name, plain(r))
			}
		}
	}
}

// A file that cannot be read any more: rows inside say so, and are right again when it can.
func TestInsideReadErrors(t *testing.T) {
	l, _ := largePayload(t)
	f := &shrinking{b: l.Bytes()}
	s, err := session.Open(f, int64(l.Len()), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Feed(l.Bytes())
	s.Finish()
	for s.Step(0) {
	}
	f.err = errors.New("the disk is on fire")
	if b, err := s.AppendJSON(nil, 5, false); !errors.Is(err, f.err) {
		t.Errorf("%s, %v", cut(string(b)), err)
	}
	f.err, f.b = nil, l.Bytes()[:300]
	if b, err := s.AppendJSON(nil, 5, false); !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%s, %v", cut(string(b)), err)
	}
	f.b = l.Bytes()
	if b, err := s.AppendJSON(nil, 5, false); err != nil || !bytes.Contains(b, []byte(decoder.TableMapType.String())) {
		t.Errorf("%s, %v", cut(string(b)), err)
	}
}
