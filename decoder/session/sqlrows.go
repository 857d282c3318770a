package session

import (
	"binlens/decoder"
	"binlens/decoder/render"
	"binlens/decoder/render/sql"
	"binlens/decoder/value"
	"strconv"
)

// sqlWriter is what redo and undo have in common.
type sqlWriter struct {
	s        *Session
	notes    *Notes
	settings sql.Settings
	tables   map[*decoder.TableMap]*sql.Table
	ends     []uint32 // of the rows of an event
	line     []byte
}

// table returns what the rows of a table are written with.
func (w *sqlWriter) table(e *render.Event, r *decoder.Rows) *sql.Table {
	if t, ok := w.tables[r.Map]; ok {
		return t
	}
	if w.tables == nil || len(w.tables) >= maxMaps {
		w.tables = map[*decoder.TableMap]*sql.Table{}
	}
	t := sql.NewTable(r.Map, e.Known, e.Format)
	if len(r.Fitted) == 0 { // else the map is the event's own
		w.tables[r.Map] = t
	}
	return t
}

// readable says that a row event can be written; it notes why not.
func (w *sqlWriter) readable(e *render.Event, r *decoder.Rows) string {
	switch {
	case r.Dummy:
		return "a row event without rows: its tables were filtered out when it was logged"
	case e.Bad != nil:
		return "a row event that cannot be read: " + e.Bad.Msg
	case r.Map == nil:
		return "a row event without its table map"
	}
	return w.table(e, r).Why
}

// cautions notes what may make the statements of a row event do other things than the event did.
func (w *sqlWriter) cautions(e *render.Event, r *decoder.Rows) {
	if r.Map.Flags&decoder.TableMapHasTriggers != 0 {
		w.notes.doubt("a table has triggers: they run again, although what they did is in the log", e.Ordinal)
	}
}

// appendRow appends the statement of a row, with what has to be set before it, or the reason as a comment.
func (w *sqlWriter) appendRow(dst []byte, e *render.Event, r *decoder.Rows, index int, row *sql.Row) []byte {
	if row.Doubt != "" {
		w.notes.doubt(row.Doubt, e.Ordinal)
	}
	if row.Fail != "" {
		w.notes.lost(row.Fail, e.Ordinal)
		return sql.AppendComment(dst, "not written, row "+strconv.Itoa(index)+" of "+strconv.FormatInt(e.Ordinal, 10)+": "+row.Fail+": "+string(w.line))
	}
	dst = w.settings.ForRow(dst, r, row.Relaxed)
	return append(append(dst, w.line...), '\n')
}

// piece is for a piece of a row event that has no rows by itself.
func (w *sqlWriter) piece(dst []byte, e *render.Event) []byte {
	if why := pieceRows(e); why != "" {
		return w.unwritten(dst, e, why)
	}
	return dst
}

// unwritten appends a comment for an event that is left out, and notes it.
func (w *sqlWriter) unwritten(dst []byte, e *render.Event, why string) []byte {
	w.notes.lost(why, e.Ordinal)
	return sql.AppendComment(dst, "not written, row "+strconv.FormatInt(e.Ordinal, 10)+" ("+e.TypeTitle()+"): "+why)
}

// gtidOf is the GTID of an event, empty for others.
func gtidOf(e *render.Event) string {
	switch ev := e.Event.(type) {
	case *decoder.Gtid:
		if ev.Anonymous {
			return "anonymous transaction"
		}
		return "GTID " + ev.GTID().String()
	case *decoder.GtidTagged:
		return "GTID " + ev.GTID().String()
	case *decoder.MariaGtid:
		return "GTID " + ev.GTID().String()
	}
	return ""
}

// utc writes a time of the log, in seconds since 1970.
func utc(t uint32) string {
	return string(value.AppendText(nil, nil, 0, false, &value.Value{Kind: value.KindTimestamp, Bits: uint64(t) << 24})) + " UTC"
}
