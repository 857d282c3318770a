package session

import (
	"binlens/decoder"
	"binlens/decoder/query"
	"binlens/decoder/render"
	"encoding/binary"
	"math"
)

// AppendJSON appends the event JSON of a row: one line without its break.
func (s *Session) AppendJSON(dst []byte, ordinal int64, all bool) ([]byte, error) {
	e, err := s.loadJoined(ordinal, true, all)
	if err != nil {
		return dst, err
	}
	return e.AppendJSON(dst), nil
}

// Detail returns what the page shows of a row, as JSON.
func (s *Session) Detail(ordinal int64, all bool) ([]byte, error) {
	e, err := s.loadJoined(ordinal, true, all)
	if err != nil {
		return nil, err
	}
	e.Refs = s.refs(ordinal)
	for _, e := range [2]*render.Event{e, e.Joined} {
		if e != nil && e.TableMap >= 0 {
			e.TableMap = s.nearestMap(ordinal, e.TableMap)
		}
	}
	b := e.AppendDetail(nil)
	s.note(e)
	return b, nil
}

// RowPage returns n rows of a row event from its row from on, as JSON.
func (s *Session) RowPage(ordinal int64, from, n int, all bool) ([]byte, error) {
	e, err := s.loadJoined(ordinal, true, all)
	if err != nil {
		return nil, err
	}
	b := e.AppendRowPage(nil, from, n)
	s.note(e)
	return b, nil
}

// Bytes returns up to n bytes of a row, from its byte from on.
func (s *Session) Bytes(ordinal, from int64, n int) ([]byte, error) {
	if ordinal < 0 || ordinal >= s.Index().Len() {
		return nil, ErrNoRow
	}
	row := s.Index().Row(ordinal)
	if from < 0 || from > row.Size || n < 0 {
		return nil, ErrNoRow
	}
	return s.rowBytes(row, from, int(min(int64(n), row.Size-from)))
}

// maxWalk is how far back the first row of a transaction is looked for, in rows.
const maxWalk = 1 << 20

// refs finds the rows that a row refers to.
func (s *Session) refs(ordinal int64) *render.Refs {
	x := s.Index()
	r := render.Refs{Format: x.FormatRow(ordinal), First: -1}
	group := x.Row(ordinal).Group
	for i := ordinal; group > 0 && i >= max(0, ordinal-maxWalk); i-- {
		if row := x.Row(i); row.First && row.Group == group {
			r.First = i
			break
		}
	}
	return &r
}

// nearestMap returns the last table map before a row event that says the same as the one it is read with: a statement has its
// own, and those that are alike are one version of the table.
func (s *Session) nearestMap(ordinal, version int64) int64 {
	x := s.Index()
	table := x.Row(ordinal).Table
	for i := ordinal - 1; i > version && i >= ordinal-maxWalk; i-- {
		if row := x.Row(i); row.Type == decoder.TableMapType && row.Table == table {
			return i
		}
	}
	return version
}

// At returns the row that a byte of the file belongs to.
func (s *Session) At(off int64) (int64, bool) { return s.Index().At(off) }

// note remembers that a row turned out to have a problem which indexing does not look for.
func (s *Session) note(e *render.Event) {
	if list := e.Problems(); e.RowBad == nil && len(list) > 0 {
		s.noteProblem(e.Ordinal, list[0])
	}
}

// Flags of a row on a page.
const (
	pageProblem = 1 << iota
	pageFirst   // of its transaction
	pageLast
	pageInside
	pagePayload // inside a transaction payload: the offset counts decompressed bytes
)

// maxCounted is the size up to which a row event's rows are counted for the list, in bytes.
const maxCounted = 1 << 20

// Page returns n rows of the list from its row from on, or as many as there are, as columns. With a filter the list has the
// rows of the view.
//
//	u32 n, u32 from (low bits) | f64 offset | f64 ordinal | u32 size | u32 timestamp | i32 rows (-1: none) |
//	u8 type code | u8 kind | u8 class | u8 flags | u32 text offset, n+1 of them | texts, UTF-8
//
// each column n values long, little-endian, and starting at a multiple of 8 bytes.
func (s *Session) Page(from int64, n int) ([]byte, error) { return s.pageOf(s.View(), from, n) }

// PageAll is Page as it is without a filter.
func (s *Session) PageAll(from int64, n int) ([]byte, error) { return s.pageOf(nil, from, n) }

func (s *Session) pageOf(view *query.View, from int64, n int) ([]byte, error) {
	count := view.Count(s.Index().Len())
	from = max(min(from, count), 0)
	n = int(max(min(int64(n), count-from), 0))
	p := newPage(from, n)
	for i := range n {
		e, err := s.load(view.Select(from+int64(i)), false, false)
		if err != nil {
			return nil, err
		}
		s.fill(&p, i, e)
	}
	return p.bytes(), nil
}

func (s *Session) fill(p *page, i int, e *render.Event) {
	row := s.Index().Row(e.Ordinal)
	p.put64(p.offset, i, math.Float64bits(float64(e.Off)))
	p.put64(p.ordinal, i, math.Float64bits(float64(e.Ordinal)))
	p.put32(p.size, i, uint32(e.Size))
	p.put32(p.time, i, e.Header.Timestamp)
	rows := int32(-1)
	if isLastPiece(e) {
		s.join(e, min(maxCounted, s.maxEvent))
	}
	whole := wholeOf(e)
	if _, ok := whole.Event.(*decoder.Rows); ok && whole.Size <= maxCounted {
		n, bad := whole.CountRows(&s.rowReader)
		if whole.TableMap >= 0 {
			rows = int32(n)
		}
		if bad != nil {
			s.noteProblem(e.Ordinal, *bad)
		}
	}
	s.note(e)
	p.put32(p.rows, i, uint32(rows))
	var flags byte
	if _, bad := s.rowBad[e.Ordinal]; bad || row.Problem {
		flags |= pageProblem
	}
	if row.Group > 0 {
		flags |= pageInside
		if row.First {
			flags |= pageFirst
		}
		if row.Last {
			flags |= pageLast
		}
	}
	if row.Payload >= 0 {
		flags |= pagePayload
	}
	p.b[p.code+i] = byte(row.Type)
	p.b[p.kind+i] = byte(e.Kind)
	p.b[p.class+i] = byte(e.Class())
	p.b[p.flags+i] = flags
	p.text = e.AppendSummary(p.text)
	p.put32(p.ends, i+1, uint32(len(p.text)))
}

// page lays out the columns of a page.
type page struct {
	b                                                                 []byte
	offset, ordinal, size, time, rows, code, kind, class, flags, ends int
	text                                                              []byte
}

func newPage(from int64, n int) page {
	var p page
	at := 8
	column := func(width, n int) int {
		start := at
		at = (at + width*n + 7) &^ 7
		return start
	}
	p.offset, p.ordinal = column(8, n), column(8, n)
	p.size, p.time, p.rows = column(4, n), column(4, n), column(4, n)
	p.code, p.kind, p.class, p.flags = column(1, n), column(1, n), column(1, n), column(1, n)
	p.ends = column(4, n+1)
	p.b = make([]byte, at)
	binary.LittleEndian.PutUint32(p.b, uint32(n))
	binary.LittleEndian.PutUint32(p.b[4:], uint32(from))
	return p
}

func (p *page) put64(column, i int, v uint64) { binary.LittleEndian.PutUint64(p.b[column+8*i:], v) }
func (p *page) put32(column, i int, v uint32) { binary.LittleEndian.PutUint32(p.b[column+4*i:], v) }
func (p *page) bytes() []byte                 { return append(p.b, p.text...) }
