package session_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
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
}

// String says what was done, so that it can be done again: which bytes stand in which order, and how many others behind them.
func (m mutation) String() string {
	s := m.what
	for _, p := range m.parts {
		s += fmt.Sprintf(" %d-%d", p.from, p.to)
		if len(p.other) > 0 {
			s += fmt.Sprintf("+%d", len(p.other))
		}
	}
	return s
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
		list = append(list, mutation{"flip", []part{{0, from, flipped}, {to, len(log), nil}}})
		from, to = span()
		list = append(list, mutation{"overwrite", []part{{0, from, noise(to - from)}, {to, len(log), nil}}})
		from, to = span()
		list = append(list, mutation{"cut", []part{{0, from, nil}, {to, len(log), nil}}})
		from, to = span()
		list = append(list, mutation{"insert", []part{{0, from, noise(to - from)}, {from, len(log), nil}}})
		from, to = span()
		list = append(list, mutation{"repeat", []part{{0, to, nil}, {from, len(log), nil}}})
		from, to = span()
		if mid := (from + to) / 2; mid > from {
			list = append(list, mutation{"swap", []part{{0, from, nil}, {mid, to, nil}, {from, mid, nil}, {to, len(log), nil}}})
		}
		from, _ = span()
		list = append(list, mutation{"end", []part{{0, from, nil}}})
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

// hasMap says that in the damaged log too the last table map before a row event is the one it had, and that no format
// description stands between them, not even in the bytes put in.
func hasMap(s *session.Session, list []placed, i int) bool {
	w, at := list[i].whole, list[i].at
	if w.tableMap == nil {
		return false
	}
	for i--; i >= 0; i-- {
		switch e := list[i]; {
		case e.typ == decoder.FormatDescriptionType:
			return false
		case e.typ == decoder.TableMapType && e.tableID == w.tableID:
			return e.data == w.tableMap.data && !startsBetween(s, e.at, at)
		}
	}
	return false
}

// startsBetween says that a format description is listed between two places.
func startsBetween(s *session.Session, from, to int) bool {
	i, _ := s.Index().At(int64(from))
	for ; i < s.Index().Len(); i++ {
		row := s.Index().Row(i)
		if row.Payload < 0 && row.Off >= int64(to) {
			break
		}
		if row.Payload < 0 && row.Type == decoder.FormatDescriptionType {
			return true
		}
	}
	return false
}

// tally is how many whole events were looked for behind damage, and found.
type tally struct{ events, found int }

// perKind is how many places of a small log each kind of damage is done to. Run it with more after a change of the scanner.
var perKind = flag.Int("mutations", 3, "mutations of each kind for each small log")

// TestMutations damages every log in every way. Nothing may panic, whatever is listed must tile the file and be JSON, and
// what is whole must be read as it was: with checksums all of it, without them what stands amid other whole events.
func TestMutations(t *testing.T) {
	var sum, plain tally
	for _, l := range logtest.RealLogs(t) {
		if len(l.Bytes) < 64 {
			continue
		}
		n := *perKind
		switch {
		case testing.Short() || len(l.Bytes) > 100<<10:
			n = (n + 9) / 10
		case len(l.Bytes) > 20<<10:
			n = (n + 3) / 4
		}
		t.Run(l.Name, func(t *testing.T) {
			h := fnv.New64a()
			h.Write([]byte(l.Name))
			r := rand.New(rand.NewPCG(h.Sum64(), 7))
			events, formats := wholes(t, open(t, l.Bytes, session.Options{MapNames: true}))
			for _, m := range mutations(r, l.Bytes, n) {
				checkMutation(t, l.Bytes, m, events, formats, &sum, &plain)
			}
		})
	}
	t.Logf("with checksums %+v, without %+v", sum, plain)
	if plain.found < plain.events-plain.events/1000 { // where a size and a position survive by chance, nothing tells
		t.Errorf("without checksums %d of %d whole events amid others are not read as they were", plain.events-plain.found, plain.events)
	}
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
	s, err := session.Open(ra, int64(len(b)), session.Options{MapNames: true})
	if err != nil {
		var not *frame.NotBinlog
		if !errors.As(err, &not) {
			t.Fatalf("%s: %v", m, err)
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
			t.Fatalf("%s: it does not end", m)
		}
	}
	runtime.ReadMemStats(&after)
	if ra.n > 3*int64(len(b)) {
		t.Errorf("%s: %d bytes read of a log of %d", m, ra.n, len(b))
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 16<<20+16*uint64(len(b)) {
		t.Errorf("%s: %d bytes allocated for a log of %d", m, got, len(b))
	}
	checkDamaged(t, m, s, int64(len(b)))
	if len(formats) == 0 {
		return // what is assumed instead is said with whatever event is the first
	}
	for i, f := range formats {
		if at := m.places(f.from, f.to); len(at) == 0 || i == 0 && at[0] != f.from {
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
		if bad := checkWhole(t, s, e, e.typ.RowOp() == decoder.NoRows || hasMap(s, list, i)); bad == "" {
			c.found++
		} else if e.summed {
			t.Errorf("%s: %s of %d bytes, before at %d, stands at %d: %s", m, e.typ, e.to-e.from, e.from, e.at, bad)
		}
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
				t.Fatalf("%s: row %d is %d bytes at %d, the one before ended at %d", m, i, row.Size, row.Off, at)
			}
			at += row.Size
		}
		var err error
		if line, err = s.AppendJSON(line[:0], i, true); err != nil || !json.Valid(line) {
			t.Fatalf("%s: row %d: %v, %s", m, i, err, cut(string(line)))
		}
		if row.Problem {
			if line, err = s.Detail(i, true); err != nil || !json.Valid(line) {
				t.Fatalf("%s: detail of row %d: %v, %s", m, i, err, cut(string(line)))
			}
		}
	}
	if at != size {
		t.Fatalf("%s: the rows end at %d, the file has %d bytes", m, at, size)
	}
}

// checkWhole says what is wrong with the row of an event that is whole, empty when nothing is. Unless its table map is the
// one it had, what its rows say is not looked at.
func checkWhole(t *testing.T, s *session.Session, w placed, same bool) string {
	t.Helper()
	i, ok := s.At(int64(w.at))
	row := s.Index().Row(i)
	if !ok || row.Off != int64(w.at) || row.Size != int64(w.to-w.from) || row.Kind != frame.Event {
		return fmt.Sprintf("not listed, but a row of %d bytes at %d: %s", row.Size, row.Off, row.Kind)
	}
	if !same {
		return ""
	}
	line, err := s.AppendJSON(nil, i, true)
	if err != nil {
		t.Fatal(err)
	}
	if k := max(bytes.Index(line, dataKey), 0); string(line[k:]) != w.data {
		return fmt.Sprintf("it has become\n%s\nand was\n%s", cut(string(line[k:])), cut(w.data))
	}
	return ""
}
