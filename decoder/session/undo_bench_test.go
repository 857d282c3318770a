package session_test

import (
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// oneTransaction is a log of one transaction of at least size bytes, in row events of about 8 KB as servers write them.
func oneTransaction(size int) []byte {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	l.SQL("shop", "BEGIN")
	table := logtest.Table{ID: 9, Schema: "shop", Name: "orders", Columns: []logtest.Column{logtest.Col(3), logtest.Col(15, 0x90, 0x01)},
		Optional: logtest.Cat(logtest.TLV(4, logtest.Names("id", "note")), logtest.TLV(8, logtest.Lenencs(0)), logtest.TLV(1, []byte{0}))}
	l.Event(logtest.TypeTableMap, table.Body())
	note := make([]byte, 92)
	for i := range note {
		note[i] = 'a' + byte(i%26)
	}
	for id := uint32(0); l.Len() < size; {
		rows := logtest.Rows{ID: 9, V2: true, Width: 2, Before: logtest.All(2)}
		for range 80 {
			rows.Data = append(rows.Data, logtest.Image(logtest.U32(id), logtest.Cat(logtest.U16(uint16(len(note))), note))...)
			id++
		}
		l.Event(logtest.TypeDeleteRows, rows.Body())
	}
	l.Event(logtest.TypeXid, logtest.U64(1))
	return l.Bytes()
}

func logFile(b *testing.B, log []byte) (*os.File, int64) {
	f, err := os.Create(filepath.Join(b.TempDir(), "log"))
	if err == nil {
		_, err = f.Write(log)
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { f.Close() })
	return f, int64(len(log))
}

// heapPeak watches the heap until it is stopped.
func heapPeak(stop chan struct{}, peak chan uint64) {
	var m runtime.MemStats
	most := uint64(0)
	for {
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapAlloc)
		select {
		case <-stop:
			peak <- most
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// BenchmarkUndo writes the undo script of one transaction of 200 MB, and tells the memory that it takes beyond
// the index.
func BenchmarkUndo(b *testing.B) {
	file, size := logFile(b, oneTransaction(200<<20))
	s, err := session.Open(file, size, session.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for buf := make([]byte, 1<<20); !s.Progress().Done; s.Step(0) {
		n, err := file.Read(buf)
		if s.Feed(buf[:n]); err != nil {
			s.Finish()
		}
	}
	b.SetBytes(size)
	b.ReportAllocs()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	for b.Loop() {
		stop, peak := make(chan struct{}), make(chan uint64)
		go heapPeak(stop, peak)
		x, err := s.NewExport(session.FormatUndo, s.All(), session.ExportOptions{})
		if err != nil {
			b.Fatal(err)
		}
		n, err := x.WriteTo(io.Discard)
		close(stop)
		if most := <-peak; err != nil || !x.Notes().Complete() || n < size {
			b.Fatal(err, n, x.Notes().List())
		} else {
			b.ReportMetric(float64(int64(most)-int64(m.HeapAlloc))/1e6, "MB-above")
		}
	}
}

// The script of a transaction is written in steps that hold one event each: the buffer never grows far beyond its budget.
func TestUndoIsBounded(t *testing.T) {
	log := oneTransaction(8 << 20)
	s := open(t, log, session.Options{})
	x, err := s.NewExport(session.FormatUndo, s.All(), session.ExportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var buf []byte
	var total int
	for more := true; more; {
		if buf, more, err = x.Step(buf[:0], 64<<10); err != nil {
			t.Fatal(err)
		}
		if total += len(buf); len(buf) > 128<<10 {
			t.Fatalf("%d bytes in one step", len(buf))
		}
	}
	if total < len(log) || !x.Notes().Complete() {
		t.Errorf("%d bytes, %+v", total, x.Notes().List())
	}
}
