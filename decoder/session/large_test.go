package session_test

import (
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// largeLog has two events of about 70,000 bytes among small ones, the second with a wrong checksum: a query, and rows.
func largeLog() *logtest.Log {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	l.SQL("shop", "BEGIN")
	l.SQL("shop", "INSERT INTO t VALUES ('"+strings.Repeat("long ", 14_000)+"')")
	l.Event(logtest.TypeTableMap, logtest.Table{ID: 100, Schema: "shop", Name: "t", Columns: []logtest.Column{logtest.Col(252, 4)}}.Body())
	value := bytes.Repeat([]byte("x"), 70_000)
	l.Event(logtest.TypeWriteRows, logtest.Rows{ID: 100, Flags: logtest.StmtEnd, V2: true, Width: 1, After: logtest.All(1),
		Data: logtest.Image(logtest.Cat(logtest.U32(70_000), value))}.Body())
	return l.Event(logtest.TypeXid, logtest.U64(7))
}

// An event larger than max_event_size is listed with header, size and checksum verdict, and decoded only on request.
func TestLargeEvents(t *testing.T) {
	l := largeLog()
	rows := l.Events[4]
	log := logtest.Flip(l.Bytes(), rows.Off+rows.Size-1, 0x01)
	for _, feed := range []int{1 << 20, 1000} {
		t.Run(fmt.Sprint("fed by ", feed), func(t *testing.T) {
			s, err := session.Open(bytes.NewReader(log), int64(len(log)), session.Options{MaxEvent: 10_000})
			if err != nil {
				t.Fatal(err)
			}
			for rest := log; len(rest) > 0; rest = rest[min(feed, len(rest)):] {
				s.Feed(rest[:min(feed, len(rest))])
				s.Step(0)
			}
			s.Finish()
			s.Step(0)
			checkLarge(t, s, log)
		})
	}
}

func checkLarge(t *testing.T, s *session.Session, log []byte) {
	t.Helper()
	events := dump(t, s)
	checkTiling(t, events, 4, int64(len(log)))
	plainRows := dump(t, open(t, log, session.Options{}))
	if len(events) != 6 || len(plainRows) != 6 {
		t.Fatalf("%d events, want 6", len(events))
	}
	for i, e := range events {
		large := i == 2 || i == 4
		if !large {
			if plain(e) != plain(plainRows[i]) {
				t.Errorf("event %d is %s, want %s", i, plain(e), plain(plainRows[i]))
			}
			continue
		}
		if e.m["data"] != nil {
			t.Errorf("event %d was decoded", i)
		}
		for _, key := range []string{"ordinal", "offset", "type", "code", "timestamp", "server_id", "size", "next_position", "flags", "transaction"} {
			if plain(e.m[key]) != plain(plainRows[i].m[key]) {
				t.Errorf("event %d: %s is %s, want %s", i, key, plain(e.m[key]), plain(plainRows[i].m[key]))
			}
		}
		if got, want := get(e, "checksum", "ok"), i == 2; got != want {
			t.Errorf("event %d: checksum ok %v, want %v", i, got, want)
		}
		if plain(get(e, "checksum", "stored")) != plain(get(plainRows[i], "checksum", "stored")) {
			t.Errorf("event %d: checksum %s", i, plain(get(e, "checksum")))
		}
		said := plain(e.m["problems"])
		if !strings.Contains(said, `"kind":"unsupported"`) || !strings.Contains(said, "larger than max_event_size (10000)") {
			t.Errorf("event %d: problems %s", i, said)
		}
		if strings.Contains(said, `"kind":"checksum"`) != (i == 4) {
			t.Errorf("event %d: problems %s", i, said)
		}
		onRequest, err := s.AppendJSON(nil, int64(i), true)
		if err != nil {
			t.Fatal(err)
		}
		if string(onRequest) != plain(plainRows[i]) {
			t.Errorf("event %d on request: %s\nwant %s", i, cut(string(onRequest)), cut(plain(plainRows[i])))
		}
	}
	page, err := s.RowPage(4, 0, 10, false)
	if v, err2 := parse(page); err != nil || err2 != nil || number(get(v, "total")) != 0 {
		t.Errorf("rows of a large event: %s, %v", cut(string(page)), err)
	}
	page, err = s.RowPage(4, 0, 10, true)
	if v, err2 := parse(page); err != nil || err2 != nil || len(text(get(v, "rows", 0, "after", 0, "value"))) != 70_000 {
		t.Errorf("rows of a large event on request: %s, %v, %v", cut(string(page)), err, err2)
	}
	if b, err := s.Bytes(4, 69_000, 1<<20); err != nil || !bytes.Equal(b, log[number(events[4].m["offset"])+69_000:number(events[5].m["offset"])]) {
		t.Errorf("bytes of a large event: %d, %v", len(b), err)
	}
	b, err := s.Page(0, 6)
	if err != nil {
		t.Fatal(err)
	}
	if _, list := readPage(t, b); !strings.HasPrefix(list[2].text, "larger than max_event_size: 70,") || list[2].flag&rowHasProblem == 0 || list[4].rows != -1 {
		t.Errorf("on the page: %+v, %+v", list[2], list[4])
	}
}

// However small max_event_size is asked for, start events and the like are read, and the log ends.
func TestTinyMaxEvent(t *testing.T) {
	for _, f := range smallLogs(t) {
		want := dump(t, open(t, f.Bytes, session.Options{}))
		for _, limit := range []int64{1, 19, 30, 100, 150, 255, 4096} {
			got := dump(t, open(t, f.Bytes, session.Options{MaxEvent: limit}))
			if len(got) != len(want) {
				t.Errorf("%s with at most %d bytes an event: %d rows, want %d", f.Name, limit, len(got), len(want))
				continue
			}
			for i := range got {
				if plain(got[i].m["offset"]) != plain(want[i].m["offset"]) || plain(got[i].m["size"]) != plain(want[i].m["size"]) ||
					plain(got[i].m["type"]) != plain(want[i].m["type"]) || plain(get(got[i], "checksum")) != plain(get(want[i], "checksum")) {
					t.Errorf("%s with at most %d bytes an event: row %d is %s, want %s", f.Name, limit, i, cut(plain(got[i])), cut(plain(want[i])))
					break
				}
			}
		}
	}
}
