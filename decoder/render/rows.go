package render

import (
	"binlens/decoder"
	"binlens/decoder/jsonb"
	"binlens/decoder/value"
	"binlens/decoder/wire"
	"bytes"
	"strconv"
)

// rowWriter renders the rows of one event.
type rowWriter struct {
	e    *Event
	rows *decoder.Rows
	rd   *decoder.RowReader
	raw  []byte // the bytes that the cells are in
	plan *plan  // nil without a table map: then there are no rows either
}

func (e *Event) rowWriter(r *decoder.Rows) *rowWriter {
	w := &rowWriter{e: e, rows: r, rd: e.Plans.reader(r), raw: r.Event(e.Raw)}
	if r.Map != nil {
		w.plan = e.planOf(r)
	}
	return w
}

// planOf returns the plan of the rows' table map. One that is the event's own is made for this once.
func (e *Event) planOf(r *decoder.Rows) *plan {
	if len(r.Fitted) > 0 {
		return newPlan(r.Map, e)
	}
	return e.Plans.of(r.Map, e)
}

// appendFitted appends the types of the columns whose fractions were found by fit, and what would fit as well.
func (e *Event) appendFitted(dst []byte, r *decoder.Rows) []byte {
	pl := e.planOf(r)
	dst = append(dst, '{')
	for _, f := range r.Fitted {
		p := &pl.columns[f.Column]
		dst = append(comma(dst), p.member.Key[1:]...)
		dst = appendString(dst, e.typeName(p.column)+e.alsoFits(p.column, f, " or "))
	}
	return append(dst, '}')
}

// alsoFits lists the types that fit a column as well, each behind a word; empty when there are none.
func (e *Event) alsoFits(c *decoder.Column, f decoder.Fitted, word string) (list string) {
	for n := range uint16(7) {
		if f.Also>>n&1 != 0 {
			other := *c
			other.Meta = n
			list += word + e.typeName(&other)
		}
	}
	return list
}

// appendRows appends all rows of a row event as a JSON list. What cannot be read ends it, and is noted as a problem.
func (e *Event) appendRows(dst []byte, r *decoder.Rows) []byte {
	w := e.rowWriter(r)
	dst = append(dst, '[')
	for w.rd.Next() {
		if w.rd.Index > 0 {
			dst = append(dst, ',')
		}
		dst = w.appendRow(append(dst, '{'))
		dst = append(dst, '}')
	}
	if bad := w.rd.Err(); bad != nil {
		e.problems = append(e.problems, e.rowProblem(r, bad))
	}
	return append(dst, ']')
}

func (w *rowWriter) appendRow(dst []byte) []byte {
	if w.rd.Before.Cells != nil {
		dst = w.appendImage(append(dst, `"before":`...), &w.rd.Before, "before")
		if w.rd.After.Cells != nil {
			dst = append(dst, ',')
		}
	}
	if w.rd.After.Cells != nil {
		dst = w.appendImage(append(dst, `"after":`...), &w.rd.After, "after")
	}
	if w.rows.Partial {
		dst = w.appendDiffs(dst)
	}
	return dst
}

// appendImage appends an image as an object: runs of plain cells, and between them one by one those that are not.
func (w *rowWriter) appendImage(dst []byte, im *decoder.Image, image string) []byte {
	start := len(dst)
	for i := 0; i < len(im.Cells); i++ {
		if dst, i = value.AppendMembers(dst, w.raw, w.plan.members, im.Cells, i); i == len(im.Cells) {
			break
		}
		v, p := &im.Cells[i], &w.plan.columns[i]
		var t *trouble
		if dst, t = w.appendCell(append(dst, p.member.Key...), i, v); t != nil {
			w.problem(t, p, v, image)
		}
	}
	if len(dst) == start {
		dst = append(dst, '{')
	}
	dst[start] = '{' // in place of the first comma
	return append(dst, '}')
}

// appendCell appends the value of column i.
func (w *rowWriter) appendCell(dst []byte, i int, v *value.Value) ([]byte, *trouble) {
	if v.Kind == value.KindJSONDiff {
		return w.appendDiffed(dst, i, v)
	}
	return w.plan.columns[i].appendCell(dst, w.raw, v)
}

// appendDiffed appends what a partial update makes of the document of column i: the whole document after it, where the
// one before is known.
func (w *rowWriter) appendDiffed(dst []byte, i int, v *value.Value) ([]byte, *trouble) {
	before := w.documentBefore(i)
	if before == nil {
		return w.plan.columns[i].appendCell(dst, w.raw, v)
	}
	b := value.Bytes(w.raw, v)
	out, err := applyDiff(dst, before, b)
	return orHex(out, dst, b, err)
}

// documentBefore returns the binary document of column i in the before image, nil when it has none.
func (w *rowWriter) documentBefore(i int) []byte {
	if w.rd.Before.Cells == nil || w.rd.Before.Cells[i].Kind != value.KindJSON {
		return nil
	}
	return value.Bytes(w.raw, &w.rd.Before.Cells[i])
}

// appendDiffs appends, beside the images, what the partial updates of documents given whole were.
func (w *rowWriter) appendDiffs(dst []byte) []byte {
	first := true
	for i := range w.rd.After.Cells {
		text := w.diffOf(i, &w.rd.After.Cells[i])
		if text == nil {
			continue
		}
		key := w.plan.members[i].Key
		if first {
			dst, key = append(dst, `,"diff":{`...), key[1:]
		}
		first = false
		dst = append(append(dst, key...), text...)
	}
	if !first {
		dst = append(dst, '}')
	}
	return dst
}

// diffOf returns, as JSON, the partial update of a document of column i that is given whole; nil when v is none, or when
// it cannot be read, which is said with the cell.
func (w *rowWriter) diffOf(i int, v *value.Value) []byte {
	if v.Kind != value.KindJSONDiff || w.documentBefore(i) == nil {
		return nil
	}
	diffs, err := readDiffs(value.Bytes(w.raw, v))
	if err != nil {
		return nil
	}
	text, err := jsonb.AppendDiffsJSON(nil, diffs)
	if err != nil {
		return nil
	}
	return text
}

// rowProblem makes a Problem of why the rows cannot be read. Bytes that were decompressed have no place in the file: the
// rows have.
func (e *Event) rowProblem(r *decoder.Rows, err *wire.Error) Problem {
	p := e.problem(err)
	if r.Inflated != nil {
		p.Offset, p.BodyOffset = e.at(int64(r.Start)), int64(r.Start)-e.headerLen()
	}
	return p
}

// problem notes what is wrong with a cell. A cell that was decompressed has no place in the file: the rows have.
func (w *rowWriter) problem(t *trouble, p *columnPlan, v *value.Value, image string) {
	at := int64(v.Off)
	switch {
	case w.rows.Inflated != nil:
		at = int64(w.rows.Start)
	case v.Kind >= value.KindBytes:
		at = int64(v.Bits) + int64(t.at)
	}
	w.e.addProblem(t.kind, cellPath(w.rd.Index, image, p.label), at, p.label+": "+t.why)
}

func cellPath(row int, image, label string) string {
	return "rows[" + strconv.Itoa(row) + "]." + image + "." + label
}

// AppendRowPage appends rows from to from+n of a row event as the page wants them: cells with their ranges. The total is
// how many rows the event has, as far as they can be read.
func (e *Event) AppendRowPage(dst []byte, from, n int) []byte {
	if e.Joined != nil {
		return e.Joined.AppendRowPage(dst, from, n)
	}
	dst = strconv.AppendInt(append(dst, `{"from":`...), int64(from), 10)
	r, ok := e.Event.(*decoder.Rows)
	if !ok || e.Bad != nil {
		return append(dst, `,"total":0,"rows":[]}`...)
	}
	dst = append(dst, `,"rows":[`...)
	w := e.rowWriter(r)
	total := 0
	start := r.Start
	for w.rd.Next() {
		if w.rd.Index >= from && w.rd.Index < from+n {
			dst = w.appendShownRow(comma(dst), start)
		}
		start = w.rd.Pos()
		total++
	}
	dst = strconv.AppendInt(append(dst, `],"total":`...), int64(total), 10)
	if bad := w.rd.Err(); bad != nil {
		p := e.rowProblem(r, bad)
		dst = p.AppendJSON(append(dst, `,"problem":`...))
	}
	return append(dst, '}')
}

func (w *rowWriter) appendShownRow(dst []byte, start uint32) []byte {
	dst = strconv.AppendInt(append(dst, `{"index":`...), int64(w.rd.Index), 10)
	dst = w.appendRange(dst, start, w.rd.Pos())
	if w.rd.Before.Cells != nil {
		dst = w.appendCells(append(dst, `,"before":[`...), w.rd.Before.Cells, "before")
	}
	if w.rd.After.Cells != nil {
		dst = w.appendCells(append(dst, `,"after":[`...), w.rd.After.Cells, "after")
	}
	return append(dst, '}')
}

// appendRange appends where bytes stand in the event. Of what was decompressed that is where all rows stand; of an event that was
// put together, the piece that it is shown with.
func (w *rowWriter) appendRange(dst []byte, start, end uint32) []byte {
	if len(w.e.Pieces) > 0 {
		start, end = w.e.lastPiece()
	} else if w.rows.Inflated != nil {
		s, _ := w.e.lookup("rows")
		start, end = s.Start, s.End
	}
	return appendRange(dst, start, end)
}

func appendRange(dst []byte, start, end uint32) []byte {
	dst = strconv.AppendUint(append(dst, `,"start":`...), uint64(start), 10)
	return strconv.AppendUint(append(dst, `,"end":`...), uint64(end), 10)
}

func (w *rowWriter) appendCells(dst []byte, cells []value.Value, image string) []byte {
	for i := range cells {
		dst = comma(dst)
		v := &cells[i]
		if v.Kind == value.KindNone {
			dst = append(dst, "null"...)
			continue
		}
		p := &w.plan.columns[i]
		dst = appendString(append(dst, `{"path":`...), cellPath(w.rd.Index, image, p.label))
		dst = w.appendRange(dst, v.Off, v.End)
		text, t := w.appendCell(nil, i, v)
		shown, kind := shownCell(text, v.Kind, t)
		dst = appendString(append(dst, `,"value":`...), shown)
		dst = append(append(append(dst, `,"kind":"`...), kind...), '"')
		if t != nil {
			dst = appendString(append(dst, `,"problem":`...), t.why)
		}
		if diff := w.diffOf(i, v); diff != nil {
			dst = append(append(dst, `,"diff":`...), diff...)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// shownCell takes the JSON of a cell apart for the page: the text that it shows, and how to set it.
func shownCell(text []byte, k value.Kind, t *trouble) (shown []byte, kind string) {
	kind = shownKind(k)
	const hexHead, hexTail = `{"hex":"`, `"}`
	switch {
	case k == value.KindNull:
		return []byte("NULL"), kind
	case kind != "json" && text[0] == '"':
		return unquote(text), kind
	case (kind != "json" || t != nil) && bytes.HasPrefix(text, []byte(hexHead)):
		return text[len(hexHead) : len(text)-len(hexTail)], "hex"
	}
	return text, kind
}

// unquote undoes appendString.
func unquote(s []byte) []byte {
	s = s[1 : len(s)-1]
	if bytes.IndexByte(s, '\\') < 0 {
		return s
	}
	out := s[:0]
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			out = append(out, s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			n, _ := strconv.ParseUint(string(s[i+3:i+5]), 16, 8)
			out = append(out, byte(n))
			i += 4
		default:
			out = append(out, s[i])
		}
	}
	return out
}

func shownKind(k value.Kind) string {
	switch k {
	case value.KindNull:
		return "null"
	case value.KindInt, value.KindFloat32, value.KindFloat64, value.KindDecimal, value.KindYear:
		return "number"
	case value.KindDate, value.KindTime, value.KindTimeDigits, value.KindDatetime, value.KindDatetimeDigits, value.KindTimestamp:
		return "time"
	case value.KindBit:
		return "bit"
	case value.KindJSON, value.KindJSONDiff, value.KindVector, value.KindArray:
		return "json"
	}
	return "text"
}
