package session_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"testing"

	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
)

// A part of a damaged log: bytes from to to of the log as it was, or bytes that were not there.
type part struct {
	from, to int
	other    []byte
}

// A mutation is a log put together from parts.
type mutation struct {
	what  string
	parts []part
	order bool // the parts that are left stand in the order they had, each once
}

func (m mutation) apply(log []byte) (b []byte) {
	for _, p := range m.parts {
		b = append(append(b, log[p.from:p.to]...), p.other...)
	}
	return b
}

// places returns where bytes from to to of the log stand whole in the damaged one.
func (m mutation) places(from, to int) (at []int) {
	start := 0
	for _, p := range m.parts {
		if p.from <= from && to <= p.to {
			at = append(at, start+from-p.from)
		}
		start += p.to - p.from + len(p.other)
	}
	return at
}

// mutations returns n of each kind at places from r.
func mutations(r *rand.Rand, log []byte, n int) (list []mutation) {
	span := func() (from, to int) { // not the magic bytes
		limit := []int{8, 64, 1024, len(log) / 4}[r.IntN(4)]
		from = 4 + r.IntN(len(log)-4)
		return from, min(from+1+r.IntN(max(limit, 1)), len(log))
	}
	noise := func(n int) []byte {
		b := make([]byte, n)
		switch r.IntN(3) {
		case 0: // zeros
		case 1:
			copy(b, log[r.IntN(len(log)):])
		default:
			for i := range b {
				b[i] = byte(r.Uint32())
			}
		}
		return b
	}
	for range n {
		from, to := span()
		flipped := bytes.Clone(log[from:to])
		for i := range flipped {
			flipped[i] ^= byte(1 + r.IntN(255))
		}
		list = append(list, mutation{"flip", []part{{0, from, flipped}, {to, len(log), nil}}, true})
		from, to = span()
		list = append(list, mutation{"overwrite", []part{{0, from, noise(to - from)}, {to, len(log), nil}}, true})
		from, to = span()
		list = append(list, mutation{"cut", []part{{0, from, nil}, {to, len(log), nil}}, true})
		from, to = span()
		list = append(list, mutation{"insert", []part{{0, from, noise(to - from)}, {from, len(log), nil}}, true})
		from, to = span()
		list = append(list, mutation{"repeat", []part{{0, to, nil}, {from, len(log), nil}}, false})
		from, to = span()
		if mid := (from + to) / 2; mid > from {
			list = append(list, mutation{"swap", []part{{0, from, nil}, {mid, to, nil}, {from, mid, nil}, {to, len(log), nil}}, false})
		}
		from, _ = span()
		list = append(list, mutation{"end", []part{{0, from, nil}}, true})
	}
	return list
}

// counted counts what is read.
type counted struct {
	io.ReaderAt
	n int64
}

func (c *counted) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, off)
	c.n += int64(n)
	return n, err
}

// A whole event of a log before it was damaged.
type whole struct {
	from, to int
	typ      decoder.Type
	data     string // its JSON from the key data on; nothing is wrong with it
	tableID  string // of a table map and a row event
	tableMap *whole // of a row event; nil when it has none, or a damaged one
	summed   bool
}

const plainToo = true

var (
	dataKey    = []byte(`,"data":`)
	tableIDKey = regexp.MustCompile(`^[^\n]*?,"data":{"table_id":(\d+)`)
)

// wholes lists the events that nothing is wrong with, and the format descriptions.
func wholes(t *testing.T, s *session.Session) (events, formats []*whole) {
	t.Helper()
	maps := map[string]*whole{}
	for i := range s.Index().Len() {
		row := s.Index().Row(i)
		if row.Kind != frame.Event || row.Payload >= 0 || row.Cipher {
			continue
		}
		w := &whole{from: int(row.Off), to: int(row.Off + row.Size), typ: row.Type, summed: s.Index().Format(i).ChecksumLen() > 0}
		line, err := s.AppendJSON(nil, i, true)
		if err != nil {
			t.Fatal(err)
		}
		if m := tableIDKey.FindSubmatch(line); m != nil && (row.Type == decoder.TableMapType || row.Type.RowOp() != decoder.NoRows) {
			w.tableID = string(m[1])
		}
		sound := !bytes.Contains(line, []byte(`,"problems":[{"kind":`))
		switch {
		case row.Type == decoder.FormatDescriptionType || row.Type == decoder.StartV3:
			formats = append(formats, w)
			clear(maps)
		case row.Type == decoder.TableMapType && sound:
			maps[w.tableID] = w
		case row.Type == decoder.TableMapType:
			delete(maps, w.tableID)
		case w.tableID != "":
			w.tableMap = maps[w.tableID]
		}
		if at := bytes.Index(line, dataKey); at >= 0 && sound {
			w.data = string(line[at:])
			events = append(events, w)
		}
	}
	return events, formats
}

// A placed event stands whole in a damaged log.
type placed struct {
	*whole
	at int
}

// place lists the events that stand whole in the damaged log, in its order.
func place(m mutation, events, formats []*whole) (list []placed) {
	for _, w := range slices.Concat(events, formats) {
		for _, at := range m.places(w.from, w.to) {
			list = append(list, placed{w, at})
		}
	}
	slices.SortFunc(list, func(a, b placed) int { return a.at - b.at })
	if i := slices.IndexFunc(list, func(p placed) bool { return p.typ == decoder.StartEncryptionType }); i >= 0 {
		list = list[:i+1] // what is behind it is taken for encrypted
	}
	return list
}

// amid says that the event has whole neighbours on both sides, so that it needs no checksum to be found, and that nothing
// but whole events stands between a row event and its table map.
func amid(list []placed, i int) bool {
	if i == 0 || i == len(list)-1 || list[i-1].end() != list[i].at || list[i].end() != list[i+1].at {
		return false
	}
	if list[i].tableMap == nil {
		return true
	}
	for k := i - 1; k >= 0 && list[k].end() == list[k+1].at; k-- {
		if list[k].whole == list[i].tableMap {
			return true
		}
	}
	return false
}

func (p placed) end() int { return p.at + p.to - p.from }

// hasMap says that in the damaged log too the last table map before a row event is the one it had.
func hasMap(list []placed, i int) bool {
	w := list[i].whole
	if w.tableMap == nil {
		return false
	}
	for i--; i >= 0; i-- {
		switch e := list[i]; {
		case e.typ == decoder.FormatDescriptionType:
			return false
		case e.typ == decoder.TableMapType && e.tableID == w.tableID:
			return e.data == w.tableMap.data
		}
	}
	return false
}

// tally is how many whole events were looked for behind damage, and found.
type tally struct{ events, found, missed, other int }

// TestMutations damages every log in every way.
func TestMutations(t *testing.T) {
	logs := logtest.RealLogs(t)
	var sum, plain tally
	for _, l := range logs {
		if len(l.Bytes) < 64 {
			continue
		}
		n := 6
		switch {
		case testing.Short():
			n = 1
		case len(l.Bytes) > 100<<10:
			n = 1
		case len(l.Bytes) > 20<<10:
			n = 2
		}
		t.Run(l.Name, func(t *testing.T) {
			h := fnv.New64a()
			h.Write([]byte(l.Name))
			r := rand.New(rand.NewPCG(h.Sum64(), 7))
			events, formats := wholes(t, open(t, l.Bytes, session.Options{}))
			for _, m := range mutations(r, l.Bytes, n) {
				checkMutation(t, l.Bytes, m, events, formats, &sum, &plain)
			}
		})
	}
	t.Logf("with checksums %+v, without %+v", sum, plain)
}

func checkMutation(t *testing.T, log []byte, m mutation, events, formats []*whole, sum, plain *tally) {
	t.Helper()
	b := m.apply(log)
	if len(b) == 0 {
		return
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	ra := &counted{ReaderAt: bytes.NewReader(b)}
	s, err := session.Open(ra, int64(len(b)), session.Options{})
	if err != nil {
		var not *frame.NotBinlog
		if !errors.As(err, &not) {
			t.Fatalf("%s: %v", m.what, err)
		}
		return
	}
	chunk := max(len(b)/3, 1)
	for rest := b; len(rest) > 0; rest = rest[min(chunk, len(rest)):] {
		s.Feed(rest[:min(chunk, len(rest))])
		s.Step(0)
	}
	s.Finish()
	for i := 0; s.Step(0) || !s.Progress().Done; i++ {
		if i > 100 {
			t.Fatalf("%s: it does not end", m.what)
		}
	}
	runtime.ReadMemStats(&after)
	if ra.n > 3*int64(len(b)) {
		t.Errorf("READ %s: %d bytes read of a log of %d", m.what, ra.n, len(b))
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 16<<20+16*uint64(len(b)) {
		t.Errorf("ALLOC %s: %d bytes allocated for a log of %d", m.what, got, len(b))
	}
	checkDamaged(t, m, s, int64(len(b)))
	if len(formats) == 0 {
		return // what is assumed instead is said with whatever event is the first
	}
	for _, f := range formats {
		if at := m.places(f.from, f.to); len(at) == 0 || at[0] != f.from {
			return // it was swallowed
		}
	}
	list := place(m, events, formats)
	for i, e := range list {
		if e.data == "" {
			continue
		}
		c := sum
		if !e.summed {
			if c = plain; !amid(list, i) {
				continue
			}
		}
		c.events++
		checkWhole(t, m, s, e, e.typ.RowOp() == decoder.NoRows || hasMap(list, i), c)
	}
}

// checkDamaged: every byte is in one row, and every row is JSON.
func checkDamaged(t *testing.T, m mutation, s *session.Session, size int64) {
	t.Helper()
	at := int64(4)
	var line []byte
	for i := range s.Index().Len() {
		row := s.Index().Row(i)
		if row.Payload < 0 {
			if row.Off != at || row.Size <= 0 {
				t.Fatalf("%s: row %d is %d bytes at %d, the one before ended at %d", m.what, i, row.Size, row.Off, at)
			}
			at += row.Size
		}
		var err error
		if line, err = s.AppendJSON(line[:0], i, true); err != nil || !json.Valid(line) {
			t.Fatalf("%s: row %d: %v, %s", m.what, i, err, cut(string(line)))
		}
		if row.Problem {
			if line, err = s.Detail(i, true); err != nil || !json.Valid(line) {
				t.Fatalf("%s: detail of row %d: %v, %s", m.what, i, err, cut(string(line)))
			}
		}
	}
	if at != size {
		t.Fatalf("%s: the rows end at %d, the file has %d bytes", m.what, at, size)
	}
}

func checkWhole(t *testing.T, m mutation, s *session.Session, w placed, same bool, c *tally) {
	t.Helper()
	at := w.at
	i, ok := s.At(int64(at))
	row := s.Index().Row(i)
	if !ok || row.Off != int64(at) || row.Size != int64(w.to-w.from) || row.Kind != frame.Event {
		c.missed++
		if w.summed || plainToo {
			t.Errorf("MISSED %t %s %v: %s at %d (of %d, %d bytes) is not listed: %v row %s %d at %d, %d bytes", w.summed, m.what, show(m), w.typ, at, w.from, w.to-w.from, ok, row.Kind, row.Type, row.Off, row.Size)
		}
		return
	}
	line, err := s.AppendJSON(nil, i, true)
	if err != nil {
		t.Fatal(err)
	}
	k := bytes.Index(line, dataKey)
	if same && (k < 0 || string(line[k:]) != w.data) {
		c.other++
		if w.summed || plainToo {
			t.Errorf("OTHER %t %s %v: %s at %d (of %d): %s\n was %s", w.summed, m.what, show(m), w.typ, at, w.from, cut(string(line[max(k, 0):])), cut(w.data))
		}
		return
	}
	c.found++
}

func show(m mutation) (s [][3]int) {
	for _, p := range m.parts {
		s = append(s, [3]int{p.from, p.to, len(p.other)})
	}
	return s
}
