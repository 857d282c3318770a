package session

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/render"
	"binlens/decoder/render/sql"
	"bytes"
	"strconv"
)

// redo writes what happened as SQL, in the order of the log. A transaction is written as one whatever part of it is selected.
type redo struct {
	sqlWriter
	group  uint32 // the transaction being written
	last   int64  // its last row so far
	begun  bool   // BEGIN is written, and nothing yet that ends it
	xa     bool   // an XA transaction is open in its place
	ending ending
}

func (s *Session) newRedo(notes *Notes) *redo { return &redo{sqlWriter: sqlWriter{s: s, notes: notes}} }

func (w *redo) head(dst []byte) []byte {
	dst = sql.AppendComment(dst, "What happened, as SQL. Written by binlens from a log of "+w.s.Summary().Family+" "+w.s.Summary().ServerVersion+".")
	return sql.AppendHead(sql.AppendComment(dst, triggersRun))
}

// triggersRun stands in every script: no log of MySQL says whether a table has triggers.
const triggersRun = "Triggers run with these statements, although what they did is in the log: drop those of the tables first."

func (w *redo) tail(dst []byte) []byte {
	dst = w.leave(dst)
	dst = sql.AppendTail(dst)
	for i := range w.notes.List() {
		n := &w.notes.list[i]
		dst = sql.AppendComment(dst, map[bool]string{true: "NOT WRITTEN: ", false: "CAUTION: "}[n.Lost]+n.Text())
	}
	return dst
}

// row writes one row of the log.
func (w *redo) row(dst []byte, ordinal int64) ([]byte, error) {
	row := w.s.Index().Row(ordinal)
	if row.Group != w.group && (row.Group != 0 || !w.begun) {
		dst = w.leave(dst)
		w.group = row.Group
		if row.Group != 0 {
			w.ending, _ = w.s.endingOf(ordinal)
		}
	}
	if row.Group != 0 {
		w.last = ordinal
	}
	e, err := w.s.loadWhole(ordinal, false, true)
	if err != nil {
		return dst, err
	}
	return w.event(dst, e), nil
}

// leave ends the transaction that is open, as the log ends it.
func (w *redo) leave(dst []byte) []byte {
	if w.xa {
		w.xa = false
		w.notes.lost("the log ends inside an XA transaction, or its end is not selected", w.last)
		return sql.AppendComment(dst, "here an XA transaction ends that was not prepared")
	}
	if !w.begun {
		return dst
	}
	w.begun = false
	switch w.ending {
	case endOpen:
		w.notes.lost("the log ends inside a transaction: it is rolled back", w.last)
		return sql.AppendComment(append(dst, "ROLLBACK;\n"...), "the log ends inside this transaction")
	case endRolledBack:
		return append(dst, "ROLLBACK;\n"...)
	}
	return append(dst, "COMMIT;\n"...)
}

// begin opens the transaction of a row.
func (w *redo) begin(dst []byte) []byte {
	if w.begun || w.xa {
		return dst
	}
	w.begun = true
	return append(dst, "BEGIN;\n"...)
}

func (w *redo) event(dst []byte, e *render.Event) []byte {
	switch {
	case e.Kind == frame.Padding:
		return dst
	case e.Kind != frame.Event:
		return w.unwritten(dst, e, "bytes that are no event, or only a part of one")
	case e.Cipher:
		return w.unwritten(dst, e, "an encrypted event")
	case e.Bad != nil && e.Header.Type.RowOp() == decoder.NoRows: // what was read of it may be half of the truth
		return w.unwritten(dst, e, e.Bad.Msg)
	}
	w.notes.mistrust(e)
	if e.Header.Type == decoder.PartialRowDataType {
		return w.piece(dst, e)
	}
	if g := gtidOf(e); g != "" {
		dst = sql.AppendComment(append(dst, '\n'), g+", "+utc(e.Header.Timestamp)+", row "+strconv.FormatInt(e.Ordinal, 10)+" at "+strconv.FormatInt(e.Off, 10))
		if m, ok := e.Event.(*decoder.MariaGtid); ok && m.Flags2&decoder.MariaGtidPreparedXA != 0 { // MariaDB logs no XA START
			w.xa = true
			return append(appendXID(append(dst, "XA START "...), m.Gtrid, m.Bqual, m.FormatID), ";\n"...)
		}
		return dst
	}
	switch ev := e.Event.(type) {
	case *decoder.Rows:
		return w.rows(dst, e, ev)
	case *decoder.Query:
		return w.query(dst, e, ev)
	case *decoder.Xid:
		if w.begun {
			w.begun = false
			return append(dst, "COMMIT;\n"...)
		}
	case *decoder.XaPrepare:
		return w.prepare(dst, ev)
	case *decoder.RowsQuery:
		return sql.AppendComment(dst, "statement: "+string(ev.Text))
	case *decoder.AnnotateRows:
		return sql.AppendComment(dst, "statement: "+string(ev.Text))
	default:
		return w.other(dst, e)
	}
	return dst
}

// other writes what belongs to a statement, and says of what is not written.
func (w *redo) other(dst []byte, e *render.Event) []byte {
	switch ev := e.Event.(type) {
	case *decoder.Intvar:
		return sql.AppendIntvar(dst, ev)
	case *decoder.Rand:
		return sql.AppendRand(dst, ev)
	case *decoder.UserVar:
		out, ok := sql.AppendUserVar(dst, ev, familyOf(e.Format.Family))
		if !ok {
			return w.unwritten(dst, e, "a user variable whose bytes are no value of its type: the statement behind it has another value")
		}
		return out
	case *decoder.Incident:
		return w.unwritten(dst, e, "an incident: the server lost events")
	case *decoder.LoadQuery:
		return w.unwritten(dst, e, "LOAD DATA, whose file is in the log in pieces")
	}
	if e.Header.Type.RowOp() != decoder.NoRows {
		return w.unwritten(dst, e, "a row event that is not read")
	}
	return dst
}

func (w *redo) rows(dst []byte, e *render.Event, r *decoder.Rows) []byte {
	if why := w.readable(e, r); why != "" {
		return w.unwritten(dst, e, why)
	}
	dst = w.begin(dst)
	w.cautions(e, r)
	t := w.table(e, r)
	rd := r.Reader()
	for rd.Next() {
		row := sql.Row{Raw: r.Event(e.Raw), Before: rd.Before.Cells, After: rd.After.Cells}
		w.line = t.AppendRedo(w.line[:0], r.Op, &row)
		dst = w.appendRow(dst, e, r, rd.Index, &row)
	}
	if bad := rd.Err(); bad != nil {
		return w.unwritten(dst, e, "rows that cannot be read: "+bad.Msg)
	}
	return dst
}

func (w *redo) query(dst []byte, e *render.Event, q *decoder.Query) []byte {
	switch verbOf(q.Text) {
	case verbBegin:
		return dst // written with the first statement inside
	case verbCommit:
		if w.begun {
			w.begun = false
			return append(dst, "COMMIT;\n"...)
		}
		return dst
	case verbRollback:
		if w.begun {
			w.begun = false
			return append(dst, "ROLLBACK;\n"...)
		}
		return dst
	case verbXA:
		w.begun = false
		w.xa = startsWith(q.Text, "XA START") || startsWith(q.Text, "XA BEGIN") || w.xa && startsWith(q.Text, "XA END")
	case verbDDL:
		q = w.definition(e, q)
	case verbSavepoint, verbRollbackTo, verbOther:
		if row := w.s.Index().Row(e.Ordinal); row.Group != 0 && !row.First && !row.Last && w.ending != endPrepared {
			dst = w.begin(dst)
		}
	}
	if q.ErrorCode != 0 {
		dst = sql.AppendComment(dst, "this statement ended with error "+strconv.Itoa(int(q.ErrorCode)))
		w.notes.doubt("a statement that ended with an error on its server", e.Ordinal)
	}
	return w.settings.AppendQuery(dst, q, &e.Header, familyOf(e.Format.Family))
}

// definition is a statement that changes tables as it can be run. CREATE TABLE … SELECT is logged with the rows behind it, and
// what says so is for replicas only.
func (w *redo) definition(e *render.Event, q *decoder.Query) *decoder.Query {
	if bytes.Contains(q.Text[:min(len(q.Text), 200)], []byte(" TRIGGER ")) {
		w.notes.doubt("a trigger is made or dropped: triggers run again with the rows, although what they did is in the log", e.Ordinal)
	}
	if text, ok := bytes.CutSuffix(q.Text, []byte(" START TRANSACTION")); ok {
		plain := *q
		plain.Text = text
		return &plain
	}
	return q
}

// prepare ends an XA transaction; its XA START and XA END are statements of the log.
func (w *redo) prepare(dst []byte, p *decoder.XaPrepare) []byte {
	w.begun, w.xa = false, false
	if p.OnePhase != 0 {
		return append(appendXID(append(dst, "XA COMMIT "...), p.Gtrid, p.Bqual, p.FormatID), " ONE PHASE;\n"...)
	}
	return append(appendXID(append(dst, "XA PREPARE "...), p.Gtrid, p.Bqual, p.FormatID), ";\n"...)
}

func appendXID(dst, gtrid, bqual []byte, format uint32) []byte {
	hex := func(b []byte) {
		dst = append(dst, "X'"...)
		for _, c := range b {
			dst = append(dst, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		}
		dst = append(dst, '\'')
	}
	hex(gtrid)
	dst = append(dst, ',')
	hex(bqual)
	return strconv.AppendUint(append(dst, ','), uint64(format), 10)
}
