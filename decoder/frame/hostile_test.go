package frame_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"binlens/decoder/frame"
	"binlens/decoder/internal/logtest"
)

// counted counts what is read of a file beside what is fed.
type counted struct {
	r     *bytes.Reader
	calls int
	bytes int64
}

func (c *counted) ReadAt(p []byte, off int64) (int, error) {
	c.calls++
	n, err := c.r.ReadAt(p, off)
	c.bytes += int64(n)
	return n, err
}

// claim is a header that makes sense, of an event of the size; next_position is as given.
func claim(typ byte, size, position uint32) []byte {
	return logtest.Cat(logtest.U32(logtest.Start), logtest.U8(typ), logtest.U32(7), logtest.U32(size), logtest.U32(position), logtest.U16(0))
}

// Files made to make the scanner look at the same bytes again and again: the work stays in proportion to their size.
func TestFilesMadeToHurt(t *testing.T) {
	const size = 4 << 20
	rng := rand.New(rand.NewPCG(1, 2))
	fill := func(c logtest.Checksum, f func(at int, rest uint32) []byte) []byte {
		b := bytes.Clone(logtest.New(logtest.MySQL8040, c).Bytes())
		for len(b) < size {
			b = append(b, f(len(b), uint32(size-len(b)))...)
		}
		return b[:size]
	}
	pad := bytes.Repeat([]byte{'x'}, 21)
	for _, tt := range []struct {
		name string
		log  []byte
	}{
		{"zeros", fill(logtest.CRC32, func(int, uint32) []byte { return make([]byte, 4096) })},
		{"ones", fill(logtest.CRC32, func(int, uint32) []byte { return bytes.Repeat([]byte{1}, 4096) })},
		{"noise", fill(logtest.CRC32, func(int, uint32) []byte {
			b := make([]byte, 4096)
			for i := range b {
				b[i] = byte(rng.Uint32())
			}
			return b
		})},
		{"events that claim all the rest", fill(logtest.CRC32, func(at int, rest uint32) []byte { return append(claim(2, rest, uint32(size)), pad...) })},
		{"events that claim half of the rest", fill(logtest.CRC32, func(at int, rest uint32) []byte { return append(claim(2, max(rest/2, 40), 0), pad...) })},
		{"events whose positions contradict their sizes", fill(logtest.CRC32, func(at int, rest uint32) []byte { return append(claim(2, rest, uint32(at+40)), pad...) })},
		{"the same, to a sound header", fill(logtest.CRC32, func(at int, rest uint32) []byte { return append(claim(2, rest/40*40, uint32(at+40)), pad...) })},
		{"the same without checksums", fill(logtest.Off, func(at int, rest uint32) []byte { return append(claim(2, rest/40*40, uint32(at+40)), pad...) })},
		{"claims of no position", fill(logtest.Off, func(at int, rest uint32) []byte { return append(claim(2, rest/3, 0), pad...) })},
		{"format descriptions", fill(logtest.CRC32, func(at int, rest uint32) []byte { return append(claim(15, rest, uint32(size)), pad...) })},
		{"headers on headers", fill(logtest.CRC32, func(at int, rest uint32) []byte { return bytes.Repeat([]byte{2, 0, 0, 0}, 1024) })},
		{"tiny claims", fill(logtest.Off, func(at int, rest uint32) []byte { return claim(2, 19, 0) })},
		{"claims beyond the end", fill(logtest.CRC32, func(at int, rest uint32) []byte { return append(claim(2, rest+1, uint32(at+40)), pad...) })},
	} {
		file := &counted{r: bytes.NewReader(tt.log)}
		start, err := frame.Sniff(tt.log[:frame.SniffLen], size)
		if err != nil {
			t.Fatal(err)
		}
		s := frame.NewScanner(file, size, start, 0)
		frames := runQuiet(t, s, tt.log[4:], 64<<10)
		work := s.Summed()
		if most := int64(frame.SumFloor + (frame.SumFactor+4)*size); work > most {
			t.Errorf("%s: checksums of %d bytes, at most %d", tt.name, work, most)
		}
		if most := frame.SumFloor/frame.PeekCost + frame.SumFactor*size/frame.PeekCost + 200; file.calls > most {
			t.Errorf("%s: %d reads, at most %d", tt.name, file.calls, most)
		}
		if most := int64(frame.SumFloor + 64*size); file.bytes > most {
			t.Errorf("%s: %d bytes read again, at most %d", tt.name, file.bytes, most)
		}
		t.Logf("%-50s %7d rows, %10d bytes summed, %6d reads of %10d bytes", tt.name, frames, work, file.calls, file.bytes)
	}
}

// runQuiet is run for many rows: it only counts them, and checks that they cover the file.
func runQuiet(t *testing.T, s *frame.Scanner, rest []byte, chunk int) (rows int) {
	t.Helper()
	var fr frame.Frame
	at, end := int64(4), int64(4+len(rest))
	for {
		switch s.Next(&fr) {
		case frame.Got:
			if rows++; fr.Off != at || fr.Size <= 0 {
				t.Fatalf("a row of %d bytes at %d, not %d", fr.Size, fr.Off, at)
			}
			at += fr.Size
		case frame.Done:
			if at != end {
				t.Fatalf("the rows end at %d of %d", at, end)
			}
			return rows
		case frame.More:
			n := min(chunk, len(rest))
			if s.Feed(rest[:n]); n == 0 {
				s.Finish()
			}
			rest = rest[n:]
		}
	}
}

// A gap too large for one row is listed as several.
func TestLargeGap(t *testing.T) {
	defer frame.SetMaxGap(1000)()
	l := statements(logtest.MySQL8040, logtest.CRC32, 4)
	at := l.Events[3].Off
	for _, garbage := range [][]byte{bytes.Repeat([]byte{0xa5}, 2500), make([]byte, 2500), make([]byte, 1000), bytes.Repeat([]byte{0xa5}, 1001)} {
		b := logtest.Insert(l.Bytes(), at, garbage)
		frames := scan(t, b, options{})
		if lost := missing(frames, l.Bytes(), l.Events); len(lost) > 0 {
			t.Errorf("%d bytes: %s", len(garbage), show(frames))
		}
		for _, fr := range frames {
			if fr.Kind != frame.Event && fr.Size > 1000 {
				t.Errorf("a %s of %d bytes", fr.Kind, fr.Size)
			}
		}
		same(t, "in chunks", scan(t, b, options{chunk: 7}), frames)
	}
}

// Every event of a log of more than 16 MiB whose checksums are all wrong is listed all the same.
func TestAllChecksumsWrong(t *testing.T) {
	l := statements(logtest.MySQL8040, logtest.CRC32, 2)
	for range 1200 {
		l.SQL("d", string(bytes.Repeat([]byte("large "), 10_000)))
	}
	b := bytes.Clone(l.Bytes())
	for _, e := range l.Events[1:] {
		binary.LittleEndian.PutUint32(b[e.Off+e.Size-4:], 0xdeadbeef)
	}
	start, _ := frame.Sniff(b[:frame.SniffLen], int64(len(b)))
	s := frame.NewScanner(bytes.NewReader(b), int64(len(b)), start, 0)
	if rows := runQuiet(t, s, b[4:], 1<<20); rows != len(l.Events) {
		t.Errorf("%d rows of %d events", rows, len(l.Events))
	}
	if work := s.Summed(); work > int64(3*len(b)) {
		t.Errorf("checksums of %d bytes for a log of %d", work, len(b))
	}
}
