package render

import (
	"binlens/decoder"
	"binlens/decoder/jsonb"
	"binlens/decoder/value"
	"bytes"
	"strconv"
)

// rowWriter renders the rows of one event.
type rowWriter struct {
	e    *Event
	rows *decoder.Rows
	rd   *decoder.RowReader
	raw  []byte // the bytes that ranges refer to
	plan *plan  // nil without a table map: then there are no rows either
}

func (e *Event) rowWriter(r *decoder.Rows) *rowWriter {
	w := &rowWriter{e: e, rows: r, rd: r.Reader(), raw: r.Event(e.Raw)}
	if r.Map != nil {
		w.plan = e.Plans.of(r.Map, e)
	}
	return w
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
		e.problems = append(e.problems, e.problem(bad))
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

func (w *rowWriter) appendImage(dst []byte, im *decoder.Image, image string) []byte {
	dst = append(dst, '{')
	first := true
	for i := range im.Cells {
		v := &im.Cells[i]
		if v.Kind == value.KindNone {
			continue
		}
		p := &w.plan.columns[i]
		if !first {
			dst = append(dst, ',')
		}
		first = false
		var t *trouble
		if dst, t = w.appendCell(append(dst, p.key...), i, v); t != nil {
			w.problem(t, p, v, image)
		}
	}
	return append(dst, '}')
}

// appendCell appends the value of column i: of a partial update the whole document after it, where the one before is
// known.
func (w *rowWriter) appendCell(dst []byte, i int, v *value.Value) ([]byte, *trouble) {
	if v.Kind == value.KindJSONDiff {
		if before := w.documentBefore(i); before != nil {
			b := value.Bytes(w.raw, v)
			out, err := applyDiff(dst, before, b)
			return orHex(out, dst, b, err)
		}
	}
	return w.plan.columns[i].appendCell(dst, w.raw, v)
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
		v := &w.rd.After.Cells[i]
		if v.Kind != value.KindJSONDiff || w.documentBefore(i) == nil {
			continue
		}
		diffs, err := readDiffs(value.Bytes(w.raw, v))
		if err != nil {
			continue // said with the cell
		}
		text, err := jsonb.AppendDiffsJSON(nil, diffs)
		if err != nil {
			continue
		}
		if first {
			dst = append(dst, `,"diff":{`...)
		} else {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(dst, w.plan.columns[i].key...), text...)
	}
	if !first {
		dst = append(dst, '}')
	}
	return dst
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
		p := e.problem(bad)
		dst = p.appendJSON(append(dst, `,"problem":`...))
	}
	return append(dst, '}')
}

func (w *rowWriter) appendShownRow(dst []byte, start uint32) []byte {
	dst = strconv.AppendInt(append(dst, `{"index":`...), int64(w.rd.Index), 10)
	dst = appendRange(dst, start, w.rd.Pos())
	if w.rd.Before.Cells != nil {
		dst = w.appendCells(append(dst, `,"before":[`...), w.rd.Before.Cells, "before")
	}
	if w.rd.After.Cells != nil {
		dst = w.appendCells(append(dst, `,"after":[`...), w.rd.After.Cells, "after")
	}
	return append(dst, '}')
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
		dst = appendRange(dst, v.Off, v.End)
		text, t := w.appendCell(nil, i, v)
		shown, kind := shownCell(text, v.Kind, t)
		dst = appendString(append(dst, `,"value":`...), shown)
		dst = append(append(append(dst, `,"kind":"`...), kind...), '"')
		if t != nil {
			dst = appendString(append(dst, `,"problem":`...), t.why)
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
