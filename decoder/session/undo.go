package session

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/render"
	"binlens/decoder/render/sql"
	"strconv"
)

// undo writes what takes the changes back: the last transaction first, in it the last event first, in that the last row
// first. It is run twice: the first time to find out what cannot be taken back, which the script says at its head.
type undo struct {
	sqlWriter
	survey bool
	group  uint32
	begun  bool
	ending ending
	seen   map[string]ending // XA transactions that were committed or rolled back later in the log
}

func (s *Session) newUndo(notes *Notes, survey bool) *undo {
	if !survey { // the notes are those of the survey
		return &undo{sqlWriter: sqlWriter{s: s, notes: &Notes{}}}
	}
	return &undo{sqlWriter: sqlWriter{s: s, notes: notes}, survey: true}
}

const (
	incompleteHead  = "THIS SCRIPT IS NOT COMPLETE: it does not take everything back."
	incompleteGuard = "This undo script is not complete: read its head, and take this line out to run it all the same"
)

func (w *undo) head(dst []byte) []byte { return dst }

// reportHead is the head of the script, with what the survey found.
func (w *undo) reportHead(dst []byte, found *Notes, first, last int64) []byte {
	dst = sql.AppendComment(dst, "Undo, written by binlens from a log of "+w.s.Summary().Family+" "+w.s.Summary().ServerVersion+
		", "+rowsOf(first, last)+".")
	switch {
	case !found.Complete():
		dst = sql.AppendComment(dst, incompleteHead)
	case len(found.list) > 0:
		dst = sql.AppendComment(dst, "Everything that the log shows is taken back, but with these cautions:")
	default:
		dst = sql.AppendComment(dst, "Everything that the log shows is taken back.")
	}
	for i := range found.list {
		n := &found.list[i]
		dst = sql.AppendComment(dst, map[bool]string{true: "NOT UNDONE: ", false: "CAUTION: "}[n.Lost]+n.Text())
	}
	dst = sql.AppendComment(dst, triggersRun)
	if !found.Complete() {
		dst = sql.AppendGuard(dst, incompleteGuard)
	}
	return sql.AppendHead(dst)
}

func rowsOf(first, last int64) string {
	if last < first {
		return "no rows: nothing was chosen"
	}
	return "rows " + strconv.FormatInt(first, 10) + " to " + strconv.FormatInt(last, 10)
}

func (w *undo) tail(dst []byte) []byte {
	return sql.AppendTail(w.leave(dst))
}

func (w *undo) leave(dst []byte) []byte {
	if !w.begun {
		return dst
	}
	w.begun = false
	return append(dst, "COMMIT;\n"...)
}

func (w *undo) row(dst []byte, ordinal int64) ([]byte, error) {
	row := w.s.Index().Row(ordinal)
	if row.Group != w.group && row.Group != 0 {
		dst = w.leave(dst)
		w.group = row.Group
		w.ending, _ = w.s.endingOf(ordinal)
	}
	e, err := w.s.loadWhole(ordinal, false, true)
	if err != nil {
		return dst, err
	}
	return w.event(dst, e), nil
}

func (w *undo) event(dst []byte, e *render.Event) []byte {
	switch {
	case e.Kind == frame.Padding:
		return dst
	case e.Kind == frame.Truncated:
		return w.unwritten(dst, e, "the log is cut off inside an event")
	case e.Kind != frame.Event:
		return w.unwritten(dst, e, "bytes that are no event")
	case e.Cipher:
		return w.unwritten(dst, e, "an encrypted event")
	case e.Header.Type == decoder.PartialRowDataType:
		return w.piece(dst, e)
	}
	switch ev := e.Event.(type) {
	case *decoder.Rows:
		return w.rows(dst, e, ev)
	case *decoder.Query:
		return w.query(dst, e, ev)
	case *decoder.XaPrepare:
		if end, ok := w.seen[xidText(ev)]; ok && ev.OnePhase == 0 {
			w.ending = end
		}
	case *decoder.Incident:
		return w.unwritten(dst, e, "an incident: the server lost events")
	case *decoder.LoadQuery:
		return w.unwritten(dst, e, "LOAD DATA, logged as a statement")
	default:
		if e.Header.Type.RowOp() != decoder.NoRows {
			return w.unwritten(dst, e, "a row event that is not read")
		}
		if e.Header.Type == decoder.LoadType || e.Header.Type == decoder.NewLoadType || e.Header.Type == decoder.ExecLoadType {
			return w.unwritten(dst, e, "LOAD DATA, logged as a statement")
		}
	}
	return dst
}

func xidText(p *decoder.XaPrepare) string {
	return string(appendXID(nil, p.Gtrid, p.Bqual, p.FormatID))
}

// maxSeen is how many ended XA transactions are remembered.
const maxSeen = 1 << 16

func (w *undo) query(dst []byte, e *render.Event, q *decoder.Query) []byte {
	if e.Bad != nil {
		return w.unwritten(dst, e, "a statement that cannot be read")
	}
	switch verbOf(q.Text) {
	case verbBegin, verbCommit, verbRollback, verbSavepoint, verbQuiet:
		return dst
	case verbXA:
		w.note("XA COMMIT ", endCommitted, q.Text)
		w.note("XA ROLLBACK ", endTakenBack, q.Text)
		return dst
	case verbRollbackTo:
		w.notes.doubt("ROLLBACK TO SAVEPOINT: what it took back on the server may be taken back again", e.Ordinal)
		return dst
	case verbDDL:
		return w.unwritten(dst, e, "a statement that changes tables or other objects: "+cutText(q.Text))
	}
	if q.ErrorCode != 0 {
		return dst
	}
	return w.unwritten(dst, e, "changes logged as a statement")
}

// note remembers how an XA transaction ended, if a statement says so.
func (w *undo) note(words string, end ending, text []byte) {
	if len(w.seen) >= maxSeen || len(text) < len(words) || !startsWith(text, words[:len(words)-1]) {
		return
	}
	if w.seen == nil {
		w.seen = map[string]ending{}
	}
	w.seen[string(text[len(words):])] = end
}

// cutText is the beginning of a statement.
func cutText(b []byte) string {
	n := 0
	for n < len(b) && n < 40 && b[n] >= ' ' && b[n] < 0x7f {
		n++
	}
	if n < len(b) {
		return string(b[:n]) + "…"
	}
	return string(b)
}

// left says why the rows of a transaction are left out as a whole.
func (w *undo) left() string {
	switch w.ending {
	case endOpen:
		return "the log ends inside a transaction, which may have been rolled back"
	case endRolledBack:
		return "a transaction was rolled back: only what it did to tables without transactions is still there"
	case endPrepared:
		return "an XA transaction was prepared, and the selection does not show that it was committed"
	}
	return ""
}

func (w *undo) rows(dst []byte, e *render.Event, r *decoder.Rows) []byte {
	if w.ending == endTakenBack {
		return dst
	}
	why := w.left()
	if why == "" {
		why = w.readable(e, r)
	}
	if why != "" {
		return w.unwritten(dst, e, why)
	}
	w.notes.mistrust(e)
	w.cautions(e, r)
	if r.Op != decoder.Insert && r.Map.Flags&decoder.TableMapReferredFKDB != 0 && r.Flags&decoder.RowsUseSQLForeignKey == 0 {
		w.notes.doubt("a table that foreign keys may refer to: rows that the server changed through them (CASCADE, SET NULL) are not in the log", e.Ordinal)
	}
	rd := r.Reader()
	w.ends = w.ends[:0]
	for rd.Next() {
		w.ends = append(w.ends, rd.Pos())
	}
	if bad := rd.Err(); bad != nil {
		dst = w.unwritten(dst, e, "rows that cannot be read: "+bad.Msg)
	}
	if !w.begun {
		w.begun = true
		dst = append(dst, "BEGIN;\n"...)
	}
	dst = sql.AppendComment(dst, "row "+strconv.FormatInt(e.Ordinal, 10)+" at "+strconv.FormatInt(e.Off, 10)+", "+utc(e.Header.Timestamp))
	return w.backwards(dst, e, r)
}

// backwards writes the rows of an event from the last to the first. ends has the end of each.
func (w *undo) backwards(dst []byte, e *render.Event, r *decoder.Rows) []byte {
	t := w.table(e, r)
	rd := r.Reader()
	for i := len(w.ends) - 1; i >= 0; i-- {
		start := r.Start
		if i > 0 {
			start = w.ends[i-1]
		}
		if rd.Seek(start, i); !rd.Next() {
			return w.unwritten(dst, e, "rows that cannot be read")
		}
		row := sql.Row{Raw: r.Event(e.Raw), Before: rd.Before.Cells, After: rd.After.Cells}
		w.line = t.AppendUndo(w.line[:0], r.Op, &row)
		if n := len(dst); w.survey {
			dst = w.appendRow(dst, e, r, i, &row)[:n]
		} else {
			dst = w.appendRow(dst, e, r, i, &row)
		}
	}
	return dst
}
