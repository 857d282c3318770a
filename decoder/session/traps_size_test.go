package session_test

import (
	"binlens/decoder/internal/logtest"
	"bytes"
	"testing"
)

// An event above 16 MiB is one event in a file: listed, its checksum made in passing, decoded when asked for.
func TestTrapLargeEvent(t *testing.T) {
	const n = 17 << 20
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	l.Event(logtest.TypeTableMap, rawTable(100, []byte{252, 3}, []byte{4}, nil).Body())
	insert(l, 100, 2, logtest.Hex("00"), logtest.U32(n), bytes.Repeat([]byte("x"), n), logtest.U32(7))
	l.Event(logtest.TypeXid, logtest.U64(5))
	rows := dumpLog(t, l.Bytes())
	checkEvents(t, "160 17 MiB", rows, "FORMAT_DESCRIPTION_EVENT TABLE_MAP_EVENT WRITE_ROWS_EVENT XID_EVENT", []want{{2, []any{"data"}, "absent"}, {2, []any{"checksum", "ok"}, "true"}, {2, []any{"problems", 0, "kind"}, `"unsupported"`}, {3, []any{"data", "xid"}, "5"}})
	b, err := open(t, l.Bytes(), noOptions).AppendJSON(nil, 2, true)
	if err != nil {
		t.Fatal(err)
	}
	v, err := parse(b)
	if err != nil {
		t.Fatal(err)
	}
	if after := get(v, "data", "rows", 0, "after"); len(text(get(after, "@1"))) != n || number(get(after, "@2")) != 7 {
		t.Errorf("160: %s", cut(plain(get(v, "problems"))))
	}
}

// Indexing looks at no row: rows that cannot be read are found when they are shown, and not before.
func TestTrapRowsAreReadWhenShown(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	for range 1000 {
		l.Event(logtest.TypeTableMap, rawTable(100, []byte{3}, nil, nil).Body())
		insert(l, 100, 1, logtest.Hex("00 01"))
	}
	s := open(t, l.Bytes(), noOptions)
	if p := s.Progress(); p.Rows != 2001 || p.Problems != 0 {
		t.Errorf("161, 162: %+v", p)
	}
	if _, err := s.Page(0, 10); err != nil {
		t.Fatal(err)
	}
	if p := s.Progress(); p.Problems != 4 {
		t.Errorf("161, 162: a page of ten rows has %d with a problem, want 4", p.Problems)
	}
}
