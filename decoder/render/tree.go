package render

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"strconv"
)

// AppendDetail appends what the page shows of one row: its header's facts, the tree of its fields with their ranges, its
// columns, its problems. Rows come by AppendRowPage.
func (e *Event) AppendDetail(dst []byte) []byte {
	h := &e.Header
	dst = strconv.AppendInt(append(dst, `{"ordinal":`...), e.Ordinal, 10)
	dst = appendString(appendKey(dst, "kind"), e.Kind.String())
	dst = appendString(appendKey(dst, "type"), e.TypeTitle())
	dst = strconv.AppendUint(appendKey(dst, "code"), uint64(h.Code), 10)
	dst = strconv.AppendUint(appendKey(dst, "class"), uint64(e.Class()), 10)
	dst = strconv.AppendInt(appendKey(dst, "offset"), e.Off, 10)
	dst = strconv.AppendInt(appendKey(dst, "size"), e.Size, 10)
	dst = strconv.AppendUint(appendKey(dst, "timestamp"), uint64(h.Timestamp), 10)
	dst = strconv.AppendUint(appendKey(dst, "server_id"), uint64(h.ServerID), 10)
	dst = strconv.AppendUint(appendKey(dst, "next_position"), uint64(h.NextPosition), 10)
	if e.Group > 0 {
		dst = strconv.AppendUint(appendKey(dst, "transaction"), uint64(e.Group), 10)
	}
	if e.Large || e.JoinLarge {
		dst = append(appendKey(dst, "large"), "true"...)
	}
	if e.Inside {
		dst = strconv.AppendInt(append(appendKey(dst, "payload"), `{"ordinal":`...), e.Payload, 10)
		dst = append(strconv.AppendInt(append(dst, `,"offset":`...), e.PayloadOff, 10), '}')
	}
	summary := e.AppendSummary(nil)
	dst = appendString(appendKey(dst, "title"), summary)
	dst = appendString(appendKey(dst, "summary"), summary)
	if e.Sum.Len > 0 {
		dst = appendHex32(append(appendKey(dst, "checksum"), `{"stored":"0x`...), e.Sum.Stored)
		dst = append(strconv.AppendBool(append(dst, `","ok":`...), e.Sum.OK()), '}')
	}
	dst = e.appendNodes(append(appendKey(dst, "nodes"), '['))
	dst = append(dst, ']')
	rows := e
	if e.Joined != nil {
		rows = e.Joined
	}
	if r, ok := rows.Event.(*decoder.Rows); ok && rows.Bad == nil {
		dst = rows.appendRowsHead(dst, r)
	}
	if rows.TableMap >= 0 {
		dst = strconv.AppendInt(appendKey(dst, "table_map"), rows.TableMap, 10)
	}
	if r := e.Refs; r != nil {
		dst = strconv.AppendInt(appendKey(dst, "format_description"), r.Format, 10)
		dst = strconv.AppendInt(appendKey(dst, "transaction_first"), r.First, 10)
	}
	dst = append(appendKey(dst, "problems"), '[')
	for _, p := range e.Problems() {
		dst = p.AppendJSON(comma(dst))
	}
	return append(dst, "]}"...)
}

// TypeTitle names what the row is: the event's type, or damaged, zero or truncated bytes.
func (e *Event) TypeTitle() string {
	switch e.Kind {
	case frame.Gap:
		return "damaged bytes"
	case frame.Padding:
		return "zero bytes"
	case frame.Truncated:
		if e.Header.Type != 0 {
			return "truncated " + e.Header.Type.String()
		}
		return "truncated bytes"
	}
	if e.Cipher {
		return "ENCRYPTED_EVENT"
	}
	return e.Header.Type.String()
}

// appendNodes appends the recorded spans with the texts of their values.
func (e *Event) appendNodes(dst []byte) []byte {
	w := writer{tree: true, shown: map[string]text{}, only: e.only()}
	e.describeHeader(&w)
	if e.Event != nil && !e.Large {
		describe(&w, e)
	}
	for _, s := range e.Spans {
		t, ok := w.shown[s.Path]
		if !ok && !s.Group { // nothing is known of it but its bytes
			t.value = showHex(e.Raw[min(int(s.Start), len(e.Raw)):min(int(s.End), len(e.Raw))])
		}
		dst = appendString(append(comma(dst), `{"path":`...), s.Path)
		dst = appendString(appendKey(dst, "name"), lastName(s.Path))
		dst = strconv.AppendUint(appendKey(dst, "depth"), uint64(s.Depth), 10)
		dst = appendRange(dst, s.Start, s.End)
		dst = appendString(appendKey(dst, "value"), t.value)
		if t.note != "" {
			dst = appendText(appendKey(dst, "note"), []byte(t.note))
		}
		if s.Group || s.Path == "rows" {
			dst = append(dst, `,"group":true`...)
		}
		dst = append(dst, '}')
	}
	return dst
}

// lastName returns the last part of a path: name, or [i] of a list's item.
func lastName(path string) string {
	for i := len(path) - 1; i > 0; i-- {
		if path[i] == '.' {
			return path[i+1:]
		}
	}
	return path
}

// describeHeader writes the fields of the common header and the checksum; for the tree only.
func (e *Event) describeHeader(w *writer) {
	h := &e.Header
	if e.Cipher {
		w.show("event_size", strconv.FormatUint(uint64(h.Size), 10), sizeNote(uint64(h.Size)))
		return
	}
	w.show("timestamp", strconv.FormatUint(uint64(h.Timestamp), 10), seconds(uint64(h.Timestamp)))
	w.show("type_code", strconv.Itoa(int(h.Code)), h.Type.String())
	w.show("server_id", strconv.FormatUint(uint64(h.ServerID), 10), "")
	w.show("event_size", strconv.FormatUint(uint64(h.Size), 10), sizeNote(uint64(h.Size)))
	w.show("next_position", strconv.FormatUint(uint64(h.NextPosition), 10), e.positionNote())
	if _, ok := e.lookup("header_flags"); ok {
		w.show("header_flags", "0x"+strconv.FormatUint(uint64(h.Flags), 16), joinWords(flagNames(uint64(h.Flags), headerFlags)))
	}
	if e.Sum.Len > 0 {
		note := "does not match: the bytes make 0x" + string(appendHex32(nil, e.Sum.Computed))
		if e.Sum.OK() {
			if note = "matches"; e.Sum.InUse {
				note = "matches once the in-use flag is cleared: the server still had this file open, or crashed"
			}
		}
		w.show("checksum", "0x"+string(appendHex32(nil, e.Sum.Stored)), note)
	}
	if r, ok := e.Event.(*decoder.Rows); ok {
		w.show("rows", "", bytesNote(uint64(r.End-r.Start)))
	}
}

// positionNote says how next_position relates to the end of the event.
func (e *Event) positionNote() string {
	end := e.Off + e.Size
	switch n := e.Header.NextPosition; {
	case int64(n) == end:
		return "the end of this event"
	case n == uint32(end):
		return "the end of this event, wrapped at 4 GiB"
	case e.Wrapped:
		return "wrapped at 4 GiB: " + thousands(uint64(n)+1<<32) + " in the file it was written to; this event ends at " + thousands(uint64(end)) + " in this file"
	case n == 0:
		return "not set"
	}
	return "this event ends at " + thousands(uint64(end)) + " in this file"
}

// appendRowsHead appends how many rows the event has, and its columns.
func (e *Event) appendRowsHead(dst []byte, r *decoder.Rows) []byte {
	n, bad := e.CountRows(new(decoder.RowReader))
	if bad != nil {
		e.problems = append(e.problems, *bad)
	}
	dst = strconv.AppendInt(append(appendKey(dst, "rows"), `{"total":`...), int64(n), 10)
	dst = append(dst, `,"columns":[`...)
	names := "none"
	if r.Map != nil {
		names = e.namesSource(r.Map)
		pl, fitted := e.planOf(r), r.Fitted
		for i := range pl.columns {
			note := ""
			if len(fitted) > 0 && fitted[0].Column == i {
				note = ", fraction found by fit"
				if also := e.alsoFits(pl.columns[i].column, fitted[0], ", "); also != "" {
					note += "; as well" + also[1:]
				}
				fitted = fitted[1:]
			}
			dst = e.appendColumn(comma(dst), &pl.columns[i], note)
		}
	}
	dst = append(append(append(dst, `],"names":"`...), names...), '"')
	if names == "ddl" && e.Known != nil {
		dst = strconv.AppendInt(append(dst, `,"names_at":`...), e.Known.At, 10)
	}
	dst = strconv.AppendBool(append(dst, `,"hasBefore":`...), r.Before != nil)
	return append(strconv.AppendBool(append(dst, `,"hasAfter":`...), r.After != nil), '}')
}

func (e *Event) appendColumn(dst []byte, p *columnPlan, note string) []byte {
	c := p.column
	name := e.typeName(c) + note
	if c.Type.Numeric() && !c.SignKnown && signMatters(c) {
		name += ", sign unknown"
	}
	dst = appendString(append(dst, `{"name":`...), p.label)
	dst = appendString(append(dst, `,"type":`...), name)
	if c.Key {
		dst = append(dst, `,"key":true`...)
	}
	if c.Nullable {
		dst = append(dst, `,"nullable":true`...)
	}
	if c.Type.Numeric() {
		dst = append(dst, `,"numeric":true`...)
	}
	return append(dst, '}')
}

// CountRows returns how many rows a row event has that can be read, or the one that a piece is the last of, and why the next
// cannot. rd reads them.
func (e *Event) CountRows(rd *decoder.RowReader) (n int, bad *Problem) {
	if e.Joined != nil {
		return e.Joined.CountRows(rd)
	}
	r, ok := e.Event.(*decoder.Rows)
	if !ok {
		return 0, nil
	}
	for r.ReadBy(rd); rd.Next(); {
		n++
	}
	if err := rd.Err(); err != nil {
		p := e.rowProblem(r, err)
		return n, &p
	}
	return n, nil
}
