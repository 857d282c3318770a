package render

import (
	"binlens/decoder"
	"binlens/decoder/value"
	"strconv"
)

// appendRows appends all rows of a row event as a JSON list. What cannot be read ends it, and is noted as a problem.
func (e *Event) appendRows(dst []byte, r *decoder.Rows) []byte {
	dst = append(dst, '[')
	rd := r.Reader()
	var pl *plan
	if r.Map != nil {
		pl = e.Plans.of(r.Map, e)
	}
	for rd.Next() {
		if rd.Index > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '{')
		if rd.Before.Cells != nil {
			dst = e.appendImage(append(dst, `"before":`...), pl, &rd.Before, rd.Index, "before")
		}
		if rd.After.Cells != nil {
			if rd.Before.Cells != nil {
				dst = append(dst, ',')
			}
			dst = e.appendImage(append(dst, `"after":`...), pl, &rd.After, rd.Index, "after")
		}
		dst = append(dst, '}')
	}
	if bad := rd.Err(); bad != nil {
		e.problems = append(e.problems, e.problem(bad))
	}
	return append(dst, ']')
}

func (e *Event) appendImage(dst []byte, pl *plan, im *decoder.Image, row int, image string) []byte {
	dst = append(dst, '{')
	first := true
	for i := range im.Cells {
		v := &im.Cells[i]
		if v.Kind == value.KindNone {
			continue
		}
		p := &pl.columns[i]
		if !first {
			dst = append(dst, ',')
		}
		first = false
		var t *trouble
		if dst, t = p.appendCell(append(dst, p.key...), e.Raw, v); t != nil {
			e.cellProblem(t, p, v, row, image)
		}
	}
	return append(dst, '}')
}

// cellProblem notes what is wrong with a cell.
func (e *Event) cellProblem(t *trouble, p *columnPlan, v *value.Value, row int, image string) {
	at := int64(v.Off)
	if v.Kind >= value.KindBytes {
		at = int64(v.Bits) + int64(t.at)
	}
	e.addProblem(t.kind, cellPath(row, image, p.label), at, p.label+": "+t.why)
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
	rd := r.Reader()
	var pl *plan
	if r.Map != nil {
		pl = e.Plans.of(r.Map, e)
	}
	total := 0
	start := r.Start
	for rd.Next() {
		if rd.Index >= from && rd.Index < from+n {
			dst = e.appendRow(comma(dst), pl, rd, start)
		}
		start = rd.Pos()
		total++
	}
	dst = strconv.AppendInt(append(dst, `],"total":`...), int64(total), 10)
	if bad := rd.Err(); bad != nil {
		p := e.problem(bad)
		dst = p.appendJSON(append(dst, `,"problem":`...))
	}
	return append(dst, '}')
}

func (e *Event) appendRow(dst []byte, pl *plan, rd *decoder.RowReader, start uint32) []byte {
	dst = strconv.AppendInt(append(dst, `{"index":`...), int64(rd.Index), 10)
	dst = appendRange(dst, start, rd.Pos())
	if rd.Before.Cells != nil {
		dst = e.appendCells(append(dst, `,"before":[`...), pl, rd.Before.Cells, rd.Index, "before")
	}
	if rd.After.Cells != nil {
		dst = e.appendCells(append(dst, `,"after":[`...), pl, rd.After.Cells, rd.Index, "after")
	}
	return append(dst, '}')
}

func appendRange(dst []byte, start, end uint32) []byte {
	dst = strconv.AppendUint(append(dst, `,"start":`...), uint64(start), 10)
	return strconv.AppendUint(append(dst, `,"end":`...), uint64(end), 10)
}

func (e *Event) appendCells(dst []byte, pl *plan, cells []value.Value, row int, image string) []byte {
	for i := range cells {
		dst = comma(dst)
		v := &cells[i]
		if v.Kind == value.KindNone {
			dst = append(dst, "null"...)
			continue
		}
		p := &pl.columns[i]
		dst = appendString(append(dst, `{"path":`...), cellPath(row, image, p.label))
		dst = appendRange(dst, v.Off, v.End)
		var kind string
		var t *trouble
		dst, kind, t = p.appendShown(append(dst, `,"value":`...), e.Raw, v)
		dst = append(append(append(dst, `,"kind":"`...), kind...), '"')
		if t != nil {
			dst = appendString(append(dst, `,"problem":`...), t.why)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// appendShown appends a cell as the text that the page shows, quoted, and says how to set it.
func (p *columnPlan) appendShown(dst, raw []byte, v *value.Value) (out []byte, kind string, t *trouble) {
	at := len(dst)
	dst, t = p.appendCell(dst, raw, v)
	kind = shownKind(v.Kind)
	const hexHead, hexTail = `{"hex":"`, `"}`
	switch body := dst[at:]; {
	case v.Kind == value.KindNull:
		return append(dst[:at], `"NULL"`...), kind, t
	case body[0] == '"':
		return dst, kind, t
	case body[0] == '{' && len(body) > len(hexHead) && string(body[:len(hexHead)]) == hexHead:
		hex := body[len(hexHead) : len(body)-len(hexTail)]
		n := copy(body[1:], hex)
		body[0] = '"'
		return append(dst[:at+1+n], '"'), "hex", t
	default:
		text := append([]byte(nil), body...)
		return appendString(dst[:at], text), kind, t
	}
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
	case value.KindJSON, value.KindVector, value.KindArray:
		return "json"
	}
	return "text"
}
