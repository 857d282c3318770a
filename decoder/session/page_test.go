package session_test

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"testing"
)

// pageRow is a row of a page as the page's script reads it.
type pageRow struct {
	offset, ordinal         float64
	size, time              uint32
	rows                    int32
	code, kind, class, flag byte
	text                    string
}

const (
	rowHasProblem = 1 << iota
	rowFirst
	rowLast
	rowInside
	rowInPayload
)

// readPage reads the layout that the contract with the page describes: u32 n, u32 from, then columns which each start at
// a multiple of 8.
func readPage(t testing.TB, b []byte) (from uint32, rows []pageRow) {
	t.Helper()
	n := int(binary.LittleEndian.Uint32(b))
	from = binary.LittleEndian.Uint32(b[4:])
	rows = make([]pageRow, n)
	at := 8
	column := func(width int, set func(r *pageRow, cell []byte)) {
		for i := range rows {
			set(&rows[i], b[at+width*i:][:width])
		}
		at = (at + width*n + 7) / 8 * 8
	}
	u32 := binary.LittleEndian.Uint32
	f64 := func(c []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(c)) }
	column(8, func(r *pageRow, c []byte) { r.offset = f64(c) })
	column(8, func(r *pageRow, c []byte) { r.ordinal = f64(c) })
	column(4, func(r *pageRow, c []byte) { r.size = u32(c) })
	column(4, func(r *pageRow, c []byte) { r.time = u32(c) })
	column(4, func(r *pageRow, c []byte) { r.rows = int32(u32(c)) })
	column(1, func(r *pageRow, c []byte) { r.code = c[0] })
	column(1, func(r *pageRow, c []byte) { r.kind = c[0] })
	column(1, func(r *pageRow, c []byte) { r.class = c[0] })
	column(1, func(r *pageRow, c []byte) { r.flag = c[0] })
	texts := b[(at+4*(n+1)+7)/8*8:]
	for i := range rows {
		start, end := u32(b[at+4*i:]), u32(b[at+4*i+4:])
		if start > end || int(end) > len(texts) {
			t.Fatalf("text of row %d is %d to %d of %d", i, start, end, len(texts))
		}
		rows[i].text = string(texts[start:end])
	}
	if end := u32(b[at+4*n:]); int(end) != len(texts) {
		t.Fatalf("%d bytes of text, the last ends at %d", len(texts), end)
	}
	return from, rows
}

var rowKinds = []string{"event", "gap", "padding", "truncated"}

// A page says of each row what its detail says.
func TestPage(t *testing.T) {
	for _, f := range append(smallLogs(t), logtest.Samples()...) {
		t.Run(f.Name, func(t *testing.T) {
			s := open(t, f.Bytes, session.Options{})
			events := dump(t, s)
			b, err := s.Page(0, len(events)+10)
			if err != nil {
				t.Fatal(err)
			}
			from, rows := readPage(t, b)
			if from != 0 || len(rows) != len(events) {
				t.Fatalf("%d rows from %d, want %d", len(rows), from, len(events))
			}
			for i, r := range rows {
				e := events[i]
				raw, err := s.Detail(int64(i), false)
				if err != nil {
					t.Fatal(err)
				}
				d, err := parse(raw)
				if err != nil {
					t.Fatal(err)
				}
				count := int64(-1)
				if get(d, "rows") != nil && get(d, "table_map") != nil {
					count = number(get(d, "rows", "total"))
				}
				got := fmt.Sprintf("%d %.0f %.0f %d %d %d %d %s %d %q", i, r.offset, r.ordinal, r.size, r.time, r.rows, r.code, rowKinds[r.kind], r.class, r.text)
				want := fmt.Sprintf("%d %d %d %d %d %d %d %s %d %q", i, number(e.m["offset"]), number(e.m["ordinal"]), number(e.m["size"]), number(get(d, "timestamp")),
					count, number(get(d, "code")), kindOf(e), number(get(d, "class")), text(get(d, "summary")))
				if got != want {
					t.Errorf("the page has %s\nwant %s", got, want)
				}
				row := s.Index().Row(int64(i))
				inside, first, last := row.Group > 0, row.Group > 0 && row.First, row.Group > 0 && row.Last
				if (r.flag&rowInside != 0) != inside || (r.flag&rowFirst != 0) != first || (r.flag&rowLast != 0) != last {
					t.Errorf("row %d has flags %b, in the index it is %+v", i, r.flag, row)
				}
				if (r.flag&rowInPayload != 0) != (row.Payload >= 0) || (e.m["payload"] != nil) != (row.Payload >= 0) || plain(get(d, "payload")) != plain(e.m["payload"]) {
					t.Errorf("row %d has flags %b, in the index it is %+v, in the event JSON %s", i, r.flag, row, plain(e.m["payload"]))
				}
				if problem := get(d, "problems", 0) != nil; (r.flag&rowHasProblem != 0) != problem {
					t.Errorf("row %d has flags %b, its problems are %s", i, r.flag, plain(get(d, "problems")))
				}
			}
		})
	}
}

// Pages overlap rightly whatever is asked for.
func TestPageBounds(t *testing.T) {
	s := open(t, logtest.Sample(logtest.MySQL8040, logtest.CRC32).Bytes(), session.Options{})
	all, err := s.Page(0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	_, want := readPage(t, all)
	n := len(want)
	for _, c := range []struct{ from, n, first, rows int }{
		{0, 0, 0, 0}, {0, 1, 0, 1}, {3, 5, 3, 5}, {n - 2, 5, n - 2, 2}, {n, 5, n, 0}, {n + 7, 5, n, 0}, {-3, 5, 0, 5}, {2, -1, 2, 0}, {1, math.MaxInt32, 1, n - 1},
	} {
		b, err := s.Page(int64(c.from), c.n)
		if err != nil {
			t.Fatal(err)
		}
		from, rows := readPage(t, b)
		if int(from) != c.first || len(rows) != c.rows {
			t.Errorf("Page(%d, %d) has %d rows from %d, want %d from %d", c.from, c.n, len(rows), from, c.rows, c.first)
			continue
		}
		for i, r := range rows {
			if r != want[c.first+i] {
				t.Errorf("Page(%d, %d): row %d is %+v, want %+v", c.from, c.n, i, r, want[c.first+i])
			}
		}
	}
}

// Bytes gives every byte of every row, and At finds the row of every byte.
func TestBytesAndAt(t *testing.T) {
	for _, f := range smallLogs(t)[1:] {
		t.Run(f.Name, func(t *testing.T) {
			s := open(t, f.Bytes, session.Options{})
			at := int64(4)
			var inside []byte // of the payload before
			for i := range s.Index().Len() {
				row := s.Index().Row(i)
				space := f.Bytes
				if row.Payload >= 0 {
					space = inside
				} else if row.Type == decoder.TransactionPayloadType && row.Kind == frame.Event {
					inside = decompressed(t, s, i)
				}
				for _, r := range [][2]int64{{0, row.Size}, {0, row.Size + 100}, {row.Size / 2, 3}, {row.Size, 5}, {row.Size - 1, 1}, {0, 0}} {
					got, err := s.Bytes(i, r[0], int(r[1]))
					want := space[row.Off+r[0]:][:min(r[1], row.Size-r[0])]
					if err != nil || !bytes.Equal(got, want) {
						t.Errorf("Bytes(%d, %d, %d) is %x, %v; want %x", i, r[0], r[1], got, err, want)
					}
				}
				for _, r := range [][2]int64{{-1, 1}, {row.Size + 1, 1}, {0, -1}} {
					if _, err := s.Bytes(i, r[0], int(r[1])); err != session.ErrNoRow {
						t.Errorf("Bytes(%d, %d, %d): %v", i, r[0], r[1], err)
					}
				}
				for ; row.Payload < 0 && at < row.Off+row.Size; at++ {
					if got, ok := s.At(at); !ok || got != i {
						t.Fatalf("At(%d) is %d, %v; want %d", at, got, ok, i)
					}
				}
			}
			for _, off := range []int64{-1, 0, 3, int64(len(f.Bytes)), math.MaxInt64} {
				if got, ok := s.At(off); ok {
					t.Errorf("At(%d) is row %d", off, got)
				}
			}
		})
	}
}

// A page of a log of 100,000 events costs the same at its end as at its beginning, and leaves nothing behind.
func TestPageOfLargeLogStaysFlat(t *testing.T) {
	log := logtest.New(logtest.MySQL8040, logtest.CRC32)
	columns := []logtest.Column{logtest.Col(3), logtest.Col(15, 40, 0)}
	for i := range 20_000 {
		log.SQL("shop", "BEGIN")
		log.Event(logtest.TypeTableMap, logtest.Table{ID: 100, Schema: "shop", Name: "orders", Columns: columns}.Body())
		log.Event(logtest.TypeWriteRows, logtest.Rows{ID: 100, V2: true, Width: 2, After: logtest.All(2), Data: logtest.Image(logtest.U32(uint32(i)), logtest.Text8("an order"))}.Body())
		log.Event(logtest.TypeWriteRows, logtest.Rows{ID: 100, Flags: logtest.StmtEnd, V2: true, Width: 2, After: logtest.All(2), Data: logtest.Image(logtest.U32(uint32(i)), nil)}.Body())
		log.Event(logtest.TypeXid, logtest.U64(uint64(i)))
	}
	s := open(t, log.Bytes(), session.Options{})
	if n := s.Index().Len(); n != 100_001 {
		t.Fatalf("%d rows", n)
	}
	page := func(from int64) func() {
		return func() {
			if b, err := s.Page(from, 100); err != nil || len(b) < 100 {
				t.Fatal(err)
			}
		}
	}
	first, last := testing.AllocsPerRun(20, page(1)), testing.AllocsPerRun(20, page(99_901))
	if last > first*1.1 {
		t.Errorf("%.0f allocations for a page at the end, %.0f at the beginning", last, first)
	}
	before := heap()
	for from := int64(0); from < 100_000; from += 1000 {
		page(from)()
	}
	if grown := int64(heap()) - int64(before); grown > 1<<20 {
		t.Errorf("%d bytes are held after 100 pages", grown)
	}
	runtime.KeepAlive(s)
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
