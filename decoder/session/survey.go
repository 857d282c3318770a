package session

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/index"
	"binlens/decoder/render"
	"time"
)

// survey reads the whole log a second time, behind the index: it counts the rows of row events, per table and in all, and
// checks what transactions say of themselves. It is what the views of transactions and tables are made of.
type survey struct {
	counts
	at     int64 // ordinal of the row that comes next
	checks checks
	rows   decoder.Rows // of the event looked at last
}

// counts is what rows are counted in.
type counts struct {
	types     [256]Count
	encrypted Count // events of which only the size is known
	servers   map[uint32]*Count
	tables    []TableCount
	byVersion []uint32          // place in tables plus 1, by table version; 0 not met
	byName    map[string]uint32 // place in tables, by schema, NUL and name
}

// Count is how many events there are of a kind, and how many bytes they take; those inside payloads in decompressed bytes.
type Count struct {
	Events, Bytes int64
}

// TableCount is what happened to a table.
type TableCount struct {
	Schema, Name string
	Versions     int      // different table maps
	Events       int64    // row events
	Bytes        int64    // of the row events
	Rows         [3]int64 // inserted, updated, deleted
	Unknown      int64    // row events whose rows were not counted: too large, damaged
	First, Last  uint32   // times of its row events, seconds UTC
	FirstEvent   int64    // ordinal of the first row event, -1 none
}

// SurveyProgress says how far the survey is.
type SurveyProgress struct {
	Rows, Total int64
	Checks      int64 // found so far
	Done        bool
}

// SurveyProgress returns how far the survey is.
func (s *Session) SurveyProgress() SurveyProgress {
	p := s.Progress()
	return SurveyProgress{Rows: s.survey.at, Total: p.Rows, Checks: s.survey.checks.found, Done: p.Done && s.survey.at >= p.Rows}
}

// Survey goes on for about the budget, or to the end of what is indexed when that is 0. more says that there is work left.
func (s *Session) Survey(budget time.Duration) (more bool) {
	var until time.Time
	if budget > 0 {
		until = time.Now().Add(budget)
	}
	end := s.surveyEnd()
	for s.survey.at < end {
		for range 64 {
			if s.survey.at < end {
				s.look(s.survey.at)
				s.survey.at++
			}
		}
		if budget > 0 && time.Now().After(until) {
			return s.survey.at < end
		}
	}
	return false
}

// surveyEnd is behind the last row whose transaction is known to its end.
func (s *Session) surveyEnd() int64 {
	x := s.Index()
	if s.Progress().Done || x.Groups() == 0 {
		return x.Len()
	}
	return x.Transaction(x.Groups()).First
}

// look takes one row into the counts.
func (s *Session) look(i int64) {
	row := s.Index().Row(i)
	if row.Kind != frame.Event || row.Cipher {
		s.survey.add(s, row, changes{})
		return
	}
	var ch changes
	if row.Type.RowOp() != decoder.NoRows || row.Type == decoder.PartialRowDataType {
		var ok bool
		if ch, ok = s.countPlain(row); !ok {
			ch = s.countRows(row)
		}
		if ch.known {
			s.Index().SetRows(row.Ordinal, ch.n)
		}
	}
	s.survey.add(s, row, ch)
	s.check(row)
}

// changes is what a row event does to its table. A piece of one does nothing but for the last, which does all.
type changes struct {
	op    decoder.RowOp
	n     uint32 // rows
	known bool
}

// add counts a row of the list.
func (c *counts) add(s *Session, row index.Row, ch changes) {
	switch {
	case row.Kind != frame.Event:
		return
	case row.Cipher:
		c.encrypted.add(row.Size)
		return
	}
	c.types[row.Type].add(row.Size)
	if row.HasServer {
		if c.servers == nil {
			c.servers = map[uint32]*Count{}
		}
		of := c.servers[row.Server]
		if of == nil {
			of = new(Count)
			c.servers[row.Server] = of
		}
		of.add(row.Size)
	}
	if row.Table == 0 {
		return
	}
	if t := c.countOf(s, row.Table); row.Type != decoder.TableMapType {
		t.add(row, ch)
	}
}

func (c *Count) add(size int64) {
	c.Events++
	c.Bytes += size
}

// add counts a row event.
func (t *TableCount) add(row index.Row, ch changes) {
	t.Events++
	t.Bytes += row.Size
	if t.FirstEvent < 0 {
		t.FirstEvent = row.Ordinal
	}
	if row.Time != 0 {
		if t.First == 0 || row.Time < t.First {
			t.First = row.Time
		}
		t.Last = max(t.Last, row.Time)
	}
	switch {
	case !ch.known:
		t.Unknown++
	case ch.op != decoder.NoRows:
		t.Rows[ch.op-decoder.Insert] += int64(ch.n)
	}
}

// countPlain counts the rows of a row event about which nothing is out of the ordinary, without making an event of it; false
// for any other.
func (s *Session) countPlain(row index.Row) (ch changes, ok bool) {
	if row.Table == 0 || row.Type.RowOp() == decoder.NoRows || row.Size > s.maxEvent || s.Index().ProblemOf(row.Ordinal) != nil {
		return changes{}, false
	}
	m, err := s.tableMap(row.Table)
	if err != nil {
		return changes{}, false
	}
	n := s.named(row.Table, m, row.Ordinal)
	raw, h, sum, ok := s.rawOf(row)
	if !ok || n.bad != "" {
		return changes{}, false
	}
	v := &s.survey
	if !v.rows.Read(&decoder.Context{Format: s.formatOf(row), TableMap: n.m, AnyTableID: true}, h, raw[h.Len:len(raw)-sum]) {
		return changes{}, false
	}
	k := uint32(0)
	for v.rows.ReadBy(&s.rowReader); s.rowReader.Next(); k++ {
	}
	return changes{v.rows.Op, k, true}, s.rowReader.Err() == nil
}

// rawOf returns the bytes of an event, valid until the next are read, its header and how many bytes at its end are its checksum;
// false when they cannot be read or are too few.
func (s *Session) rawOf(row index.Row) (raw []byte, h decoder.Header, sum int, ok bool) {
	raw, err := s.rowBytes(row, 0, int(row.Size))
	f := s.formatOf(row)
	if err != nil || len(raw) < f.MinHeaderLen() {
		return nil, h, 0, false
	}
	f.ParseHeader(raw, &h)
	sum = decoder.ChecksumLenOf(f, h, raw)
	return raw, h, sum, len(raw) >= h.Len+sum
}

// countRows counts the rows of a row event. One that turns out not to be readable has a problem from then on.
func (s *Session) countRows(row index.Row) changes {
	e, err := s.loadJoined(row.Ordinal, false, false)
	if err != nil {
		return changes{}
	}
	if !e.Large {
		s.note(e)
	}
	if row.Type == decoder.PartialRowDataType {
		if e.Joined == nil {
			return changes{known: pieceRows(e) == ""}
		}
		e = e.Joined
	}
	r, ok := e.Event.(*decoder.Rows)
	if e.Bad != nil || !ok || r.Map == nil && !r.Dummy {
		return changes{}
	}
	k, bad := e.CountRows(&s.rowReader)
	if bad != nil {
		if e.RowBad == nil {
			s.noteProblem(row.Ordinal, *bad)
		}
		return changes{}
	}
	return changes{r.Op, uint32(k), true}
}

// countOf returns the count of the table of a version.
func (c *counts) countOf(s *Session, version uint32) *TableCount {
	for int(version) > len(c.byVersion) {
		c.byVersion = append(c.byVersion, 0)
	}
	if k := c.byVersion[version-1]; k > 0 {
		return &c.tables[k-1]
	}
	schema, name := "", ""
	if m, err := s.tableMap(version); err == nil {
		schema, name = render.TableName(m.Schema, m.Table)
	}
	if c.byName == nil {
		c.byName = map[string]uint32{}
	}
	key := schema + "\x00" + name
	k, ok := c.byName[key]
	if !ok {
		k = uint32(len(c.tables))
		c.tables = append(c.tables, TableCount{Schema: schema, Name: name, FirstEvent: -1})
		c.byName[key] = k
	}
	c.tables[k].Versions++
	c.byVersion[version-1] = k + 1
	return &c.tables[k]
}
