package index_test

import (
	"bytes"
	"fmt"
	"testing"

	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/index"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/wire"
)

// Rows as they were listed, and the row of every byte.
func TestRowsAndPlaces(t *testing.T) {
	l := log(t, logtest.MySQL8040, "previous gtid 'BEGIN' map rows xid rotate")
	b := logtest.Insert(l.Bytes(), l.Events[3].Off, bytes.Repeat([]byte{0xa5}, 50))
	b = append(append(b, make([]byte, 30)...), 1, 2, 3)
	x := build(t, b[:len(b)-3])
	at := int64(4)
	for i := range x.Len() {
		r := x.Row(i)
		if r.Ordinal != i || r.Off != at || r.Size <= 0 {
			t.Fatalf("row %d: %+v, want the offset %d", i, r, at)
		}
		for _, off := range []int64{r.Off, r.Off + 1, r.Off + r.Size - 1} {
			if got, ok := x.At(off); !ok || got != i {
				t.Errorf("At(%d) = %d, %t; want %d", off, got, ok, i)
			}
		}
		at += r.Size
	}
	for _, off := range []int64{-1, 0, 3, at, at + 1, 1 << 40} {
		if i, ok := x.At(off); ok {
			t.Errorf("At(%d) = %d: no row has that byte", off, i)
		}
	}
	if i, ok := new(index.Index).At(4); ok {
		t.Errorf("a row %d in an empty index", i)
	}
	kinds := ""
	for i := range x.Len() {
		kinds += x.Row(i).Kind.String() + " "
	}
	if kinds != "event event event gap event event event event event padding " {
		t.Error(kinds)
	}
	if r := x.Row(3); !r.Problem || r.Type != 0 || r.Time != 0 || r.Group != 0 || x.ProblemOf(3) == nil || x.ProblemOf(2) != nil || x.ProblemOf(4) != nil {
		t.Errorf("the gap: %+v %v", r, x.ProblemOf(3))
	}
	if len(x.Problems()) != 1 || x.BadRows() != 1 || x.Problems()[0].Ordinal != 3 {
		t.Errorf("problems: %+v", x.Problems())
	}
	if r := x.Row(2); r.Type != decoder.GtidType || r.Time != logtest.Start+2 || r.Problem {
		t.Errorf("%+v", r)
	}
	if first, last := x.Times(); first != logtest.Start || last != logtest.Start+7 {
		t.Errorf("times %d to %d", first-logtest.Start, last-logtest.Start)
	}
}

// Artificial events and times of zero say nothing about when the log was written.
func TestTimes(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	if first, last := new(index.Index).Times(); first != 0 || last != 0 {
		t.Errorf("an empty index: %d to %d", first, last)
	}
	l.EventFlags(logtest.TypeRotate, logtest.FlagArtificial, l.Rotate(4, "x"))
	if first, last := build(t, l.Bytes()).Times(); first != logtest.Start || last != logtest.Start {
		t.Errorf("%d to %d", first, last)
	}
}

// Equal table maps are one version, whatever their id; row events find it by the id.
func TestTableVersions(t *testing.T) {
	x := build(t, log(t, logtest.MySQL8040, "'BEGIN' map:a map:b rows xid 'BEGIN' map:a rows xid fde 'BEGIN' rows map:b rows xid").Bytes())
	var got []string
	for i := range x.Len() {
		if r := x.Row(i); r.Type == decoder.TableMapType || r.Type == decoder.WriteRowsType {
			got = append(got, fmt.Sprint(r.Type.RowOp(), r.Table))
		}
	}
	// The maps share one id: rows use the one before them. A start of the server forgets the ids, not the versions.
	if want := "[0 1 0 2 1 2 0 1 1 1 1 0 0 2 1 2]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	if x.TableVersions() != 2 || x.TableVersion(1).Ordinal != 2 || x.TableVersion(2).Ordinal != 3 || x.TableVersion(2).Off != x.Row(3).Off || int64(x.TableVersion(2).Size) != x.Row(3).Size {
		t.Errorf("%d versions, %+v, %+v", x.TableVersions(), x.TableVersion(1), x.TableVersion(2))
	}
}

// A map that names other columns, or the same with another flag, is another version; the id is no part of it.
func TestTableVersionsDiffer(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	base := logtest.Table{ID: 1, Schema: "d", Name: "t", Columns: []logtest.Column{logtest.Col(3)}}
	for _, change := range []func(*logtest.Table){func(*logtest.Table) {}, func(m *logtest.Table) { m.ID = 1 << 40 }, func(m *logtest.Table) { m.Schema = "e" }, func(m *logtest.Table) { m.Columns = []logtest.Column{logtest.Col(8)} },
		func(m *logtest.Table) { m.Optional = logtest.TLV(1, []byte{0x80}) }, func(m *logtest.Table) { m.ID = 77 }} {
		m := base
		change(&m)
		l.Event(logtest.TypeTableMap, m.Body())
	}
	x := build(t, l.Bytes())
	var got []uint32
	for i := int64(1); i < x.Len(); i++ {
		got = append(got, x.Row(i).Table)
	}
	if fmt.Sprint(got) != "[1 1 2 3 4 1]" {
		t.Error(got)
	}
}

// Each format description holds from its own row on; it is itself read under the one before.
func TestFormats(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32).SQL("d", "BEGIN")
	l.Server, l.Checksum = logtest.MariaDB105, logtest.CRC32
	l.Format(0).SQL("d", "BEGIN")
	x := build(t, l.Bytes())
	version := func(f *decoder.FormatDescription) string { return string(f.ServerVersion) }
	got := []string{version(x.Format(0)), version(x.Format(1)), version(x.Format(2)), version(x.Format(3)), version(x.FormatBefore(1)), version(x.FormatBefore(2)), version(x.FormatBefore(3)), version(x.LastFormat())}
	want := "[8.0.40 8.0.40 10.5.29-MariaDB-log 10.5.29-MariaDB-log 8.0.40 8.0.40 10.5.29-MariaDB-log 10.5.29-MariaDB-log]"
	if fmt.Sprint(got) != want {
		t.Errorf("\n got %v\nwant %v", got, want)
	}
	if new(index.Index).LastFormat() != nil || x.FormatBefore(0) != x.Format(0) {
		t.Error("formats of an empty index, and before the first row")
	}
}

// Rows far beyond 4 GiB, more than one slab of them, and gaps in between that fill whole ranges of 4 GiB.
func TestLargeLogs(t *testing.T) {
	f := decoder.AssumedFormat(decoder.ChecksumCRC32)
	var b index.Builder
	type place struct{ off, size int64 }
	var places []place
	off := int64(4)
	for i := range 200_000 {
		size := int64(19 + i%100)
		if i%1000 == 999 {
			size = 1<<30 - 1 // a row of a gigabyte: 200 of them
		}
		places = append(places, place{off, size})
		b.Add(&frame.Frame{Kind: frame.Event, Off: off, Size: size, Header: decoder.Header{Type: decoder.StopType, Size: uint32(size), Len: 19}, Format: f})
		off += size
	}
	if off < 200<<30-200<<20 {
		t.Fatalf("only %d bytes", off)
	}
	x := &b.Index
	for i, p := range places {
		r := x.Row(int64(i))
		if r.Off != p.off || r.Size != p.size {
			t.Fatalf("row %d: %+v, want %+v", i, r, p)
		}
		if i%37 == 0 || i%1000 == 999 {
			for _, at := range []int64{p.off, p.off + p.size - 1} {
				if got, ok := x.At(at); !ok || got != int64(i) {
					t.Fatalf("At(%d) = %d, %t; want %d", at, got, ok, i)
				}
			}
		}
	}
}

// Problems beyond the number kept are still counted and marked.
func TestManyProblems(t *testing.T) {
	f := decoder.AssumedFormat(decoder.ChecksumOff)
	var b index.Builder
	const n = 100_010
	bad := &wire.Error{Kind: wire.Corrupt, Msg: "bad"}
	for i := range n {
		b.Add(&frame.Frame{Kind: frame.Gap, Off: int64(4 + i), Size: 1, Format: f, Bad: bad})
	}
	x := &b.Index
	if x.BadRows() != n || len(x.Problems()) != 100_000 || !x.Row(n-1).Problem || x.ProblemOf(n-1) != nil || x.ProblemOf(99_999) != bad {
		t.Errorf("%d bad rows, %d kept", x.BadRows(), len(x.Problems()))
	}
}

// Of an event too large to hold its head is enough: statements and row events are known by it.
func TestLargeEvents(t *testing.T) {
	l := log(t, logtest.MySQL8040, "gtid 'BEGIN' map")
	l.Event(logtest.TypeWriteRows, logtest.Rows{ID: 9, Flags: logtest.StmtEnd, V2: true, Width: 1, After: []byte{1}, Data: make([]byte, 5000)}.Body())
	l.SQL("d", "COMMIT").SQL("d", "CREATE TABLE t (a INT) COMMENT '"+string(bytes.Repeat([]byte{'x'}, 5000))+"'").SQL("d", "DO 1")
	b := l.Bytes()
	start, _ := frame.Sniff(b[:frame.SniffLen], int64(len(b)))
	s := frame.NewScanner(bytes.NewReader(b), int64(len(b)), start, 1024)
	s.Feed(b[4:])
	s.Finish()
	var x index.Builder
	var fr frame.Frame
	for s.Next(&fr) == frame.Got {
		x.Add(&fr)
	}
	if got := groups(&x.Index); got != "fde [gtid ·query ·map ·rows query] [query] [query]" {
		t.Error(got)
	}
	if r := x.Index.Row(4); r.Table != 1 {
		t.Errorf("%+v", r)
	}
}

func TestIndexingAllocatesLittle(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	for range 50 {
		l.SQL("d", "BEGIN").Event(logtest.TypeTableMap, logtest.Table{ID: 9, Schema: "d", Name: "t", Columns: []logtest.Column{logtest.Col(3)}}.Body()).
			Event(logtest.TypeWriteRows, logtest.Rows{ID: 9, V2: true, Flags: 1, Width: 1, After: []byte{1}, Data: logtest.Image(logtest.U32(1))}.Body()).Event(logtest.TypeXid, logtest.U64(1))
	}
	b := l.Bytes()
	start, _ := frame.Sniff(b[:frame.SniffLen], int64(len(b)))
	s := frame.NewScanner(bytes.NewReader(b), int64(len(b)), start, 0)
	s.Feed(b[4:])
	var frames []frame.Frame
	var fr frame.Frame
	for s.Next(&fr) == frame.Got {
		fr.Raw = bytes.Clone(fr.Raw)
		frames = append(frames, fr)
	}
	var x index.Builder
	for i := range frames {
		x.Add(&frames[i])
	}
	k := 1
	if got := testing.AllocsPerRun(1000, func() {
		x.Add(&frames[k])
		k = 1 + k%(len(frames)-1)
	}); got != 0 {
		t.Errorf("%v allocations a row inside a slab", got)
	}
}
