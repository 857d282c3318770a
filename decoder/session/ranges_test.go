package session

import (
	"bytes"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/index"
	"binlens/decoder/internal/logtest"
)

// oneByOne indexes a log event by event, without any run.
func oneByOne(t *testing.T, file []byte, o Options) *Session {
	t.Helper()
	s := open(t, file, o)
	if s == nil {
		return nil
	}
	s.Feed(file)
	s.Finish()
	for {
		if s.inside != nil {
			s.stepInside()
			continue
		}
		switch s.scanner.Next(&s.frame) {
		case frame.Got:
			s.builder.Add(&s.frame)
			s.enter(&s.frame)
		case frame.Done:
			s.done = true
			return s
		case frame.More:
			t.Fatal("more bytes are wanted than there are")
		}
	}
}

// open opens a log; nil when it is none.
func open(t *testing.T, file []byte, o Options) *Session {
	t.Helper()
	s, err := Open(bytes.NewReader(file), int64(len(file)), o)
	if err != nil {
		return nil
	}
	return s
}

// piece is what one Feed of a Range gave.
type piece struct {
	mark, packed []byte
	from, to     int64
}

// parts says how a file is cut and read.
type parts struct {
	cuts  []int64 // where ranges start, but the first
	chunk int     // bytes fed at once
}

// scanRange does what a worker of its own does with a range.
func scanRange(t *testing.T, file, mark []byte, from, to int64, chunk int) (found []piece) {
	t.Helper()
	r, err := NewRange(mark, from, to)
	if err != nil {
		t.Fatal(err)
	}
	for at := int(from); at < len(file) && !r.Done(); at += chunk {
		start, packed := r.Feed(file[at:min(at+chunk, len(file))])
		if len(packed) > 0 {
			found = append(found, piece{mark: mark, packed: slices.Clone(packed), from: start, to: r.Pos()})
		}
	}
	return found
}

// inRanges indexes a log as the page does with all cores: each range with the mark that held when the one before it began.
// merged is how many bytes were taken over.
func inRanges(t *testing.T, file []byte, o Options, p parts) (s *Session, merged int64) {
	t.Helper()
	s = open(t, file, o)
	if s == nil {
		return nil, 0
	}
	forward := func(to int64) {
		for s.scanner.Pos() < to && s.Fed() < int64(len(file)) {
			at := s.Fed()
			s.Feed(file[at:min(at+int64(p.chunk), int64(len(file)))])
			s.Step(0)
		}
	}
	cuts := append(slices.Clone(p.cuts), int64(len(file)))
	forward(cuts[0])
	mark := s.Mark()
	for i, from := range cuts[:len(cuts)-1] {
		var found []piece
		if mark != nil {
			found = scanRange(t, file, mark, from, cuts[i+1], p.chunk)
		}
		mark = s.Mark()
		for _, f := range found {
			for before := s.scanner.Pos(); before < f.to; before = s.scanner.Pos() {
				if s.Merge(f.mark, f.from, f.packed) {
					merged += s.scanner.Pos() - before
				} else if s.Fed() == int64(len(file)) {
					break
				} else {
					forward(before + 1)
				}
			}
		}
		forward(cuts[i+1])
	}
	s.Finish()
	s.Step(0)
	if !s.done {
		t.Fatalf("not done at %d of %d", s.scanner.Pos(), len(file))
	}
	return s, merged
}

// same compares all that two indexes hold.
func same(t *testing.T, got, want *index.Index) {
	t.Helper()
	if got.Len() != want.Len() {
		t.Fatalf("%d rows, want %d", got.Len(), want.Len())
	}
	var f, g *decoder.FormatDescription
	for i := range want.Len() {
		if got.Row(i) != want.Row(i) {
			t.Fatalf("row %d: %+v\nwant %+v", i, got.Row(i), want.Row(i))
		}
		if got.Format(i) != f || want.Format(i) != g {
			if f, g = got.Format(i), want.Format(i); !reflect.DeepEqual(f, g) {
				t.Fatalf("row %d: the format is %+v, want %+v", i, f, g)
			}
		}
		if got.Inside(i) != want.Inside(i) {
			t.Fatalf("row %d holds %d, want %d", i, got.Inside(i), want.Inside(i))
		}
	}
	if !reflect.DeepEqual(got.Problems(), want.Problems()) || got.BadRows() != want.BadRows() {
		t.Fatalf("problems %v, want %v", got.Problems(), want.Problems())
	}
	first, last := got.Times()
	if f, l := want.Times(); f != first || l != last {
		t.Fatalf("times %d to %d, want %d to %d", first, last, f, l)
	}
	if !slices.Equal(got.Servers(), want.Servers()) || got.TableVersions() != want.TableVersions() || got.Groups() != want.Groups() {
		t.Fatal("servers, tables or transactions differ")
	}
	for v := range want.TableVersions() {
		if got.TableVersion(uint32(v+1)) != want.TableVersion(uint32(v+1)) {
			t.Fatalf("table version %d: %+v, want %+v", v+1, got.TableVersion(uint32(v+1)), want.TableVersion(uint32(v+1)))
		}
	}
	for n := uint32(1); n <= want.Groups(); n++ {
		if got.Transaction(n) != want.Transaction(n) {
			t.Fatalf("transaction %+v, want %+v", got.Transaction(n), want.Transaction(n))
		}
	}
}

// every cuts a file into ranges of n bytes, the first of which starts at from.
func every(from, n int64, file []byte) (cuts []int64) {
	for at := from; at < int64(len(file)); at += n {
		cuts = append(cuts, at)
	}
	return cuts
}

// Every log there is, cut in several ways, is indexed the same as event by event.
func TestRangesOfRealLogs(t *testing.T) {
	var merged, total int64
	for _, f := range logtest.RealLogs(t) {
		if len(f.Bytes) > 8<<20 {
			f.Bytes = f.Bytes[:8<<20]
		}
		want := oneByOne(t, f.Bytes, Options{})
		if want == nil {
			continue
		}
		n := int64(len(f.Bytes))
		for _, p := range []parts{
			{nil, 1 << 20}, {nil, 333}, {every(n/2, n, f.Bytes), 4096}, {every(300, max(n/7, 100), f.Bytes), 1000},
		} {
			t.Run(f.Name, func(t *testing.T) {
				s, k := inRanges(t, f.Bytes, Options{}, p)
				same(t, s.Index(), want.Index())
				merged += k
			})
		}
		total += n
	}
	if merged < total/2 {
		t.Errorf("%d bytes were taken over of logs of %d", merged, total)
	}
}

// A small log and those of payloads, cut at every offset; and their relatives at many.
func TestRangesCutAnywhere(t *testing.T) {
	logs := smallLogs(t)
	for i, file := range logs {
		want := oneByOne(t, file, Options{})
		step := int64(1)
		if i > 0 && i < len(logs)-2 {
			step = 11
		}
		for cut := int64(0); cut < int64(len(file)); cut += step {
			if cut%16 == 0 {
				runtime.GC() // as below
			}
			s, _ := inRanges(t, file, Options{}, parts{[]int64{cut}, 1 << 16})
			same(t, s.Index(), want.Index())
		}
	}
}

// Damage of every kind, anywhere: what is found in ranges never makes it another index.
func TestRangesOfDamagedLogs(t *testing.T) {
	for _, file := range smallLogs(t) {
		for at := 150; at < len(file)-30; at += 37 {
			runtime.GC() // where there is one thread, it is not there by itself for a loop that never rests
			for _, bad := range [][]byte{
				logtest.Flip(file, at, 0x10), logtest.Zero(file, at, at+25), logtest.Cut(file, at, at+11), logtest.Insert(file, at, file[at/2:at/2+40]),
				file[:at], logtest.Cut(file, at, min(at+400, len(file))),
			} {
				want := oneByOne(t, bad, Options{})
				s, _ := inRanges(t, bad, Options{}, parts{every(200, 500, bad), 250})
				same(t, s.Index(), want.Index())
			}
		}
	}
}

// smallLogs are logs of a few transactions: with checksums and without, of a relay, and with a log inside a row.
func smallLogs(t *testing.T) (logs [][]byte) {
	t.Helper()
	for _, sum := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
		for _, shift := range []uint64{0, 1 << 20, 1<<32 - 700} {
			logs = append(logs, smallLog(sum, shift).Bytes())
		}
	}
	nested := smallLog(logtest.CRC32, 0)
	rows := logtest.Rows{ID: 1, Flags: logtest.StmtEnd, V2: true, Width: 1, After: logtest.All(1), Data: logtest.Image(logs[0])}
	nested.Event(logtest.TypeWriteRows, rows.Body()).Event(logtest.TypeXid, logtest.U64(1))
	twice := logtest.Cat(logs[0], logs[3][4:])
	return append(logs, nested.Bytes(), twice, payloadLog(logtest.CRC32, 6), payloadLog(logtest.Off, 6))
}

// payloadLog is a log of compressed transactions: each of a row, every fourth of statements, one with an event that is cut.
func payloadLog(sum logtest.Checksum, n int) []byte {
	l := logtest.New(logtest.MySQL8040, sum)
	for i := range n {
		var p logtest.Inside
		id := uint64(100 + i%3)
		p.Event(logtest.TypeQuery, l.Query(logtest.Query{DB: "shop", SQL: "BEGIN"}))
		p.Event(logtest.TypeTableMap, logtest.Table{ID: id, Schema: "shop", Name: "orders", Columns: []logtest.Column{logtest.Col(3)}}.Body())
		p.Event(logtest.TypeWriteRows, logtest.Rows{ID: id, Flags: logtest.StmtEnd, V2: true, Width: 1, After: logtest.All(1), Data: logtest.Image(logtest.U32(uint32(i)))}.Body())
		if i%4 == 3 {
			p.Event(logtest.TypeQuery, l.Query(logtest.Query{DB: "shop", SQL: "ROLLBACK"}))
		} else {
			p.Event(logtest.TypeXid, logtest.U64(uint64(i)))
		}
		b := p.Bytes()
		size := uint64(len(b))
		if i == n/2 {
			b = b[:len(b)-3]
		}
		l.Event(logtest.TypeAnonymous, logtest.Gtid{Clock: 2}.Body())
		l.Event(logtest.TypePayload, logtest.Payload(uint64(255*(i%2)), size, map[bool][]byte{true: logtest.ZstdStored(b, 50), false: b}[i%2 == 0]))
	}
	return l.SQL("shop", "CREATE TABLE t (a INT)").Bytes()
}

// Ranges go through payloads, but for those that are not sound.
func TestRangesOfPayloads(t *testing.T) {
	for _, sum := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
		file := payloadLog(sum, 400)
		want := oneByOne(t, file, Options{})
		if n := want.Index().Len(); n < 400*6-3 {
			t.Fatalf("%d rows", n)
		}
		for _, chunk := range []int{3000, 700} {
			s, merged := inRanges(t, file, Options{}, parts{every(1000, 4000, file), chunk})
			same(t, s.Index(), want.Index())
			if merged < int64(len(file))*8/10 {
				t.Errorf("%d bytes of %d were taken over", merged, len(file))
			}
		}
	}
}

// What the session would not list of payloads it does not take over.
func TestRangesKeepToTheLimitInside(t *testing.T) {
	file := payloadLog(logtest.CRC32, 400)
	defer SetInsideFloor(1000 - int64(len(file))/insideShare)()
	want := oneByOne(t, file, Options{})
	if bad := want.Index().BadRows(); bad < 100 {
		t.Fatalf("%d payloads were too many", bad)
	}
	s, merged := inRanges(t, file, Options{}, parts{every(1000, 4000, file), 3000})
	same(t, s.Index(), want.Index())
	if merged < int64(len(file))/4 {
		t.Errorf("%d bytes of %d were taken over", merged, len(file))
	}
}

func smallLog(sum logtest.Checksum, shift uint64) *logtest.Log {
	l := logtest.New(logtest.MySQL8040, sum)
	l.Shift = shift
	for i := range 3 {
		id := uint64(100 + i%2)
		l.Event(logtest.TypeAnonymous, logtest.Gtid{Clock: 2}.Body()).SQL("shop", "BEGIN")
		l.Event(logtest.TypeTableMap, logtest.Table{ID: id, Schema: "shop", Name: "orders", Columns: []logtest.Column{logtest.Col(3)}}.Body())
		l.Event(logtest.TypeWriteRows, logtest.Rows{ID: id, Flags: logtest.StmtEnd, V2: true, Width: 1, After: logtest.All(1), Data: logtest.Image(logtest.U32(7))}.Body())
		l.Event(logtest.TypeXid, logtest.U64(7))
		l.SQL("shop", "CREATE TABLE t (a INT)")
	}
	return l.Event(logtest.TypeRotate, l.Rotate(4, "binlog.000002"))
}
