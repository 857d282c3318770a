package session

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/render"
	"binlens/decoder/render/csv"
	"binlens/decoder/value"
)

// csvWriter writes the rows of one table.
type csvWriter struct {
	s      *Session
	notes  *Notes
	table  string // schema.table
	header string // of what is written so far
	tables map[*decoder.TableMap]*csv.Table
	group  uint32 // the transaction whose GTID gtid is
	gtid   string
}

func (w *csvWriter) head(dst []byte) []byte { return dst }
func (w *csvWriter) tail(dst []byte) []byte {
	if w.header == "" {
		w.notes.lost("the selection has no rows of the table "+w.table, 0)
	}
	return dst
}

func (w *csvWriter) row(dst []byte, ordinal int64) ([]byte, error) {
	row := w.s.Index().Row(ordinal)
	switch {
	case row.Cipher:
		w.notes.lost("an encrypted event: it may hold rows", ordinal)
		return dst, nil
	case row.Kind == frame.Gap || row.Kind == frame.Truncated:
		w.notes.lost("bytes that are no event, or only a part of one: there may have been rows in them", ordinal)
		return dst, nil
	case row.Type.RowOp() == decoder.NoRows && row.Type != decoder.PartialRowDataType:
		return dst, nil
	}
	w.findGTID(ordinal, row.Group)
	e, err := w.s.loadWhole(ordinal, false, true)
	if err != nil {
		return dst, err
	}
	if e.Header.Type == decoder.PartialRowDataType {
		if why := pieceRows(e); why != "" {
			w.notes.lost(why, ordinal)
		}
		return dst, nil
	}
	r, ok := e.Event.(*decoder.Rows)
	if !ok || r.Map == nil || e.Bad != nil {
		if !ok || !r.Dummy {
			w.notes.lost("a row event that cannot be read", ordinal)
		}
		return dst, nil
	}
	name := string(r.Map.Schema) + "." + string(r.Map.Table)
	if w.table == "" {
		w.table = name
	}
	if name != w.table {
		return dst, nil
	}
	w.notes.mistrust(e)
	return w.rows(dst, e, r), nil
}

// findGTID finds the GTID of a transaction, which its first row has.
func (w *csvWriter) findGTID(ordinal int64, group uint32) {
	if group == w.group {
		return
	}
	w.group, w.gtid = group, ""
	if group == 0 {
		return
	}
	if first := w.s.Index().Row(w.s.firstOf(ordinal)); first.Type != decoder.AnonymousGtidType {
		w.gtid = w.s.gtidOf(first)
	}
}

func (w *csvWriter) rows(dst []byte, e *render.Event, r *decoder.Rows) []byte {
	t := w.tableOf(e, r)
	switch {
	case w.header == "":
		w.header = string(t.Header())
		dst = append(dst, w.header...)
	case w.header != string(t.Header()):
		w.notes.lost("rows of the table with other columns than its first: they need a file of their own, from that row on", e.Ordinal)
		return dst
	}
	stamp := utc(e.Header.Timestamp)
	l := csv.Line{Op: opNames[r.Op], Time: stamp[:len(stamp)-len(" UTC")], GTID: w.gtid, Ordinal: e.Ordinal, Offset: e.Off}
	if e.Inside {
		l.Offset = e.PayloadOff
	}
	rd := r.Reader()
	for rd.Next() {
		l.Row = rd.Index
		for _, image := range [2]struct {
			name  string
			cells []value.Value
		}{{"before", rd.Before.Cells}, {"after", rd.After.Cells}} {
			if image.cells != nil {
				l.Image = image.name
				dst = t.Append(dst, &l, r.Event(e.Raw), image.cells)
			}
		}
	}
	if bad := rd.Err(); bad != nil {
		w.notes.lost("rows that cannot be read: "+bad.Msg, e.Ordinal)
	}
	return dst
}

var opNames = map[decoder.RowOp]string{decoder.Insert: "insert", decoder.Update: "update", decoder.Delete: "delete"}

func (w *csvWriter) tableOf(e *render.Event, r *decoder.Rows) *csv.Table {
	if t, ok := w.tables[r.Map]; ok {
		return t
	}
	if w.tables == nil || len(w.tables) >= maxMaps {
		w.tables = map[*decoder.TableMap]*csv.Table{}
	}
	t := csv.NewTable(r.Map, familyOf(e.Format.Family))
	if len(r.Fitted) == 0 { // else the map is the event's own
		w.tables[r.Map] = t
	}
	return t
}
