package session

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/index"
	"binlens/decoder/query"
	"time"
)

// SetFilter filters the rows that Page lists; an empty text lists all of them again. The error is a *query.Error, and then
// the filter before stays. The rows are found in the steps that follow.
func (s *Session) SetFilter(text string) error {
	f, err := query.Parse(text)
	if err != nil {
		return err
	}
	s.filter, s.filterText, s.filterHeld = nil, text, false
	if len(f.Terms) > 0 {
		s.filter = query.NewRun(f, source{s})
	}
	return nil
}

// refilter begins the filter anew: columns have other names than those it went by.
func (s *Session) refilter() {
	_ = s.SetFilter(s.filterText) // it was parsed before
}

// HoldFilter stops the filter where it is: what it has found stays listed, and it looks at no more rows.
func (s *Session) HoldFilter() { s.filterHeld = true }

// FilterErr returns why the filter could not go on: the file could not be read. nil while it can.
func (s *Session) FilterErr() error {
	if s.filter == nil {
		return nil
	}
	return s.filter.Err()
}

// View returns the rows that the filter leaves, as far as they are known; nil, which has all rows, without a filter.
func (s *Session) View() *query.View {
	if s.filter == nil {
		return nil
	}
	return &s.filter.View
}

// Rank returns how many rows of the view are before an ordinal, and whether it is in the view.
func (s *Session) Rank(ordinal int64) (k int64, exact bool) {
	v := s.View()
	return min(v.Rank(ordinal), v.Count(s.Index().Len())), v.Has(ordinal) && ordinal >= 0 && ordinal < s.Index().Len()
}

// Complete lists what may stand at a byte of a filter's text.
func (s *Session) Complete(text string, cursor int) []query.Completion {
	return query.Complete(text, cursor, source{s})
}

// StepFilter does the part of Step that is about the filter. more says that there are indexed rows left to look at.
func (s *Session) StepFilter(budget time.Duration) (more bool) {
	return s.stepFilter(time.Now().Add(budget))
}

// stepFilter looks at rows for the filter until the time given, if it is not zero. more says that there is work left.
func (s *Session) stepFilter(until time.Time) (more bool) {
	return s.filter != nil && !s.filterHeld && s.filter.Step(func() bool { return !until.IsZero() && time.Now().After(until) })
}

// source is a Session as the log that a filter looks at.
type source struct{ s *Session }

func (l source) Index() *index.Index { return l.s.Index() }

func (l source) Done() bool { return l.s.done || l.s.cancelled }

func (l source) Table(version uint32) *decoder.TableMap {
	return l.named(version, l.s.Index().Len())
}

// named returns a version of a table map with the names that hold at a row, nil when it cannot be read.
func (l source) named(version uint32, ordinal int64) *decoder.TableMap {
	m, err := l.s.tableMap(version)
	if err != nil {
		return nil
	}
	return l.s.named(version, m, ordinal).m
}

func (l source) Read(ordinal int64, e *query.Event) error {
	s := l.s
	row := s.Index().Row(ordinal)
	*e = query.Event{Unread: true}
	if row.Kind != frame.Event || row.Cipher || row.Size > s.maxEvent {
		return nil
	}
	e.Context.Format = s.Index().FormatBefore(ordinal)
	if row.Type != decoder.FormatDescriptionType && row.Type != decoder.StartV3 {
		e.Context.Format = s.formatOf(row)
	}
	if row.Type.RowOp() != decoder.NoRows {
		if row.Table == 0 {
			return nil
		}
		if e.Context.TableMap, e.Context.AnyTableID = l.named(row.Table, ordinal), true; e.Context.TableMap == nil {
			return nil
		}
	}
	raw, err := s.rowBytes(row, 0, int(row.Size))
	if err != nil && row.Payload >= 0 { // what is wrong with the payload is said at its own row
		return nil
	}
	if err != nil || len(raw) < e.Context.Format.MinHeaderLen() {
		return err
	}
	e.Raw, e.Unread = raw, false
	e.Context.Format.ParseHeader(raw, &e.Header)
	e.Sum = decoder.ChecksumLenOf(e.Context.Format, e.Header, raw)
	if row.Type == decoder.PartialRowDataType {
		return l.readPiece(row, e)
	}
	return nil
}

// readPiece puts the row event in the place of its last piece.
func (l source) readPiece(row index.Row, e *query.Event) error {
	piece, err := l.s.loadWhole(row.Ordinal, false, false)
	if err != nil {
		return err
	}
	if e.Unread = pieceRows(piece) != ""; e.Unread || isPiece(piece) {
		return nil
	}
	r, ok := piece.Event.(*decoder.Rows)
	if e.Unread = !ok || piece.Bad != nil || r.Map == nil; !e.Unread {
		e.Raw, e.Header, e.Sum = piece.Raw, piece.Header, piece.Sum.Len
		e.Context.TableMap, e.Context.AnyTableID = l.named(row.Table, row.Ordinal), true
	}
	return nil
}

func (l source) Server(ordinal int64) (uint32, error) {
	row := l.s.Index().Row(ordinal)
	if row.HasServer {
		return row.Server, nil
	}
	f := l.s.formatOf(row)
	raw, err := l.s.rowBytes(row, 0, int(min(row.Size, int64(f.MinHeaderLen()))))
	if err != nil || len(raw) < f.MinHeaderLen() {
		return 0, err
	}
	var h decoder.Header
	f.ParseHeader(raw, &h)
	return h.ServerID, nil
}

func (l source) Problems(ordinal int64) (kinds uint8, err error) {
	e, err := l.s.loadJoined(ordinal, true, false)
	if err != nil {
		return 0, err
	}
	e.AppendJSON(nil) // rows are looked at while they are rendered
	for _, p := range e.Problems() {
		kinds |= 1 << p.Kind
	}
	return kinds, nil
}

func (l source) Transaction(group uint32) query.Transaction {
	x := l.s.Index()
	t := x.Transaction(group)
	open := t.State == index.Open || l.s.inside != nil
	return query.Transaction{First: t.First, Last: t.Last, State: t.State, Growing: group == x.Groups() && open && !l.Done()}
}
