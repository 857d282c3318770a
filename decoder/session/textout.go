package session

import (
	"binlens/decoder"
	"binlens/decoder/render"
	"binlens/decoder/render/text"
)

// textWriter writes a log as the servers' tools do. The rows of a statement follow the headers of all its events: when its last
// row event is there the events are read again one by one, so that none of them is kept.
type textWriter struct {
	s     *Session
	sel   Selection
	w     text.Writer
	first int64 // of the events of the statement at hand; -1 none
	last  int64
	at    int64 // event whose block or rows come next
	phase textPhase
}

type textPhase uint8

const (
	textHeaders textPhase = iota
	textBlock
	textRows
)

func (s *Session) newText(sel Selection, zone int, blocks bool) *textWriter {
	return &textWriter{s: s, sel: sel, w: text.Writer{Zone: zone, Blocks: blocks}, first: -1}
}

func (t *textWriter) head(dst []byte) []byte { return t.w.Head(dst, t.s.format()) }

// format is the format description that the log is read with.
func (s *Session) format() *decoder.FormatDescription {
	if f := s.Index().LastFormat(); f != nil {
		return f
	}
	return s.start.Format
}

func (t *textWriter) tail(dst []byte) []byte {
	dst, _ = t.finish(dst)
	return t.w.Tail(dst)
}

func (t *textWriter) row(dst []byte, ordinal int64) ([]byte, error) {
	e, err := t.s.loadJoined(ordinal, true, true)
	if err != nil {
		return dst, err
	}
	whole := wholeOf(e)
	switch {
	case t.belongs(whole):
		if t.first < 0 {
			t.first = ordinal
		}
		t.last = ordinal
	case t.first >= 0 && !isPiece(e): // a statement without the event that ends it
		if dst, err = t.finish(dst); err != nil {
			return dst, err
		}
		if e, err = t.s.loadJoined(ordinal, true, true); err != nil {
			return dst, err
		}
	}
	r, isRows := whole.Event.(*decoder.Rows)
	dst = t.w.Event(dst, e)
	if isRows && r.Flags&decoder.RowsStmtEnd != 0 {
		dst = t.open(dst)
	}
	return dst, nil
}

func (t *textWriter) belongs(e *render.Event) bool { return e.Bad == nil && t.w.InBlock(e) }

// open begins what follows the headers of a statement.
func (t *textWriter) open(dst []byte) []byte {
	t.at, t.phase = t.first, textRows
	if t.w.Blocks {
		t.phase = textBlock
		dst = t.w.BeginBlock(dst)
	}
	return dst
}

// resume goes on with what follows the headers of a statement, by one event; false when there is nothing to go on with.
func (t *textWriter) resume(dst []byte) ([]byte, bool, error) {
	if t.phase == textHeaders {
		return dst, false, nil
	}
	ordinal, ok := t.sel.Next(t.at)
	if !ok || ordinal > t.last {
		if t.at = t.first; t.phase == textBlock {
			t.phase = textRows
			return t.w.EndBlock(dst), true, nil
		}
		t.phase, t.first = textHeaders, -1
		return t.w.EndRows(dst), false, nil
	}
	t.at = ordinal + 1
	e, err := t.s.loadWhole(ordinal, false, true)
	if err != nil {
		return dst, false, err
	}
	switch {
	case !t.belongs(e):
	case t.phase == textBlock:
		dst = t.w.Block(dst, e)
	default:
		dst = t.w.Rows(dst, e)
	}
	return dst, true, nil
}

// finish writes all that is open of a statement.
func (t *textWriter) finish(dst []byte) (out []byte, err error) {
	if t.first < 0 {
		return dst, nil
	}
	if t.phase == textHeaders {
		dst = t.open(dst)
	}
	for more := true; more && err == nil; {
		dst, more, err = t.resume(dst)
	}
	return dst, err
}
