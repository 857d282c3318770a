package session

import (
	"bytes"
	"io"
	"testing"

	"binlens/decoder/internal/logtest"
)

// sparse is a file of zeros with some bytes at its beginning and some at its end.
type sparse struct {
	head, tail []byte
	size       int64
}

func (f sparse) ReadAt(p []byte, off int64) (n int, err error) {
	if off >= f.size {
		return 0, io.EOF
	}
	n = int(min(int64(len(p)), f.size-off))
	clear(p[:n])
	if off < int64(len(f.head)) {
		copy(p[:n], f.head[off:])
	}
	if at := f.size - int64(len(f.tail)); off+int64(n) > at {
		copy(p[max(at-off, 0):n], f.tail[max(off-at, 0):])
	}
	return n, nil
}

// Behind 4 GiB of zeros, where next_position has wrapped, ranges are found and taken over as anywhere.
func TestRangeBehind4GiB(t *testing.T) {
	const start = 5 << 30
	head := logtest.New(logtest.MySQL8040, logtest.CRC32).SQL("shop", "BEGIN").Event(logtest.TypeXid, logtest.U64(7)).Bytes()
	tail := logtest.Bare(logtest.MySQL8040, logtest.CRC32)
	tail.Shift = start
	for range 2000 {
		tail.SQL("shop", "BEGIN").Event(logtest.TypeXid, logtest.U64(7))
	}
	f := sparse{head, tail.Bytes(), start + int64(tail.Len())}
	whole, ranges := openFar(t, f), openFar(t, f)
	whole.Feed(f.tail)
	whole.Finish()
	whole.Step(0)

	ranges.Feed(f.tail[:100])
	ranges.Step(0)
	mark := ranges.Mark()
	if mark == nil {
		t.Fatal("there is no mark behind the gap")
	}
	r, err := NewRange(mark, start+1000, f.size)
	if err != nil {
		t.Fatal(err)
	}
	from, packed := r.Feed(f.tail[1000:])
	ranges.Feed(f.tail[100 : from-start+20])
	ranges.Step(0)
	if !ranges.Merge(mark, from, packed) || ranges.scanner.Pos() != f.size {
		t.Fatalf("not taken over: at %d, the range starts at %d", ranges.scanner.Pos(), from)
	}
	ranges.Finish()
	ranges.Step(0)
	same(t, ranges.Index(), whole.Index())
	if n := whole.Index().Len(); n < 4000 || whole.Index().Row(n-1).Off < start {
		t.Fatalf("%d rows", n)
	}
}

// openFar opens the file and indexes its head. What lies between that and the tail is passed over, since to search it takes
// long.
func openFar(t *testing.T, f sparse) *Session {
	t.Helper()
	s, err := Open(f, f.size, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Feed(f.head)
	s.Step(0)
	s.scanner.Jump(f.size - int64(len(f.tail)))
	return s
}

// The loops over plain events allocate nothing but slabs.
func TestRangeAllocs(t *testing.T) {
	var log bytes.Buffer
	if _, err := logtest.WriteTransactions(&log, 4<<20); err != nil {
		t.Fatal(err)
	}
	file := log.Bytes()
	s := open(t, file, Options{})
	s.Feed(file[:1<<20])
	s.Step(0)
	mark := s.Mark()
	r, err := NewRange(mark, 0, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	r.Feed(file[:1<<20])
	at := 1 << 20
	if n := testing.AllocsPerRun(20, func() {
		s.Feed(file[at : at+1<<16])
		s.Step(0)
		at += 1 << 16
	}); n > 1 { // the frame that the scanner has not whole yet costs nothing; the scanner's buffer may grow
		t.Errorf("%.1f allocations to index 64 KiB", n)
	}
	r, _ = NewRange(mark, 0, int64(len(file)))
	r.Feed(file[:1<<20])
	at = 1 << 20
	if n := testing.AllocsPerRun(20, func() {
		r.Feed(file[at : at+1<<16])
		at += 1 << 16
	}); n > 1 {
		t.Errorf("%.1f allocations to scan 64 KiB of a range", n)
	}
}
