package query

import (
	"binlens/decoder"
	"binlens/decoder/charset"
	"binlens/decoder/value"
	"slices"
)

// textMatcher looks for a text: in statements, in the names of tables, and in cells that hold text.
type textMatcher struct {
	needles []needle
	names   versions // tables whose names contain one
	texts   versions // tables that have columns of text
	plans   map[*decoder.TableMap]*textPlan
}

// textPlan is which columns of a table hold text.
type textPlan struct {
	columns []testColumn
	raw     bool // what the bytes of an event do not contain, in either case, none of its cells does
}

func newTextMatcher(alts []Alt, src Source) *textMatcher {
	t := &textMatcher{}
	for _, a := range alts {
		t.needles = append(t.needles, newNeedle(a.Name))
	}
	t.names.test = func(version uint32) bool {
		table := src.Table(version)
		return table != nil && t.any(slices.Concat(table.Schema, []byte("."), table.Table))
	}
	t.texts.test = func(version uint32) bool {
		table := src.Table(version)
		return table != nil && slices.ContainsFunc(table.Columns, func(c decoder.Column) bool { return holdsText(c.Type) })
	}
	return t
}

// holdsText says that cells of a type are searched.
func holdsText(t value.Type) bool {
	switch t {
	case value.String, value.VarString, value.Varchar, value.TinyBlob, value.MediumBlob, value.LongBlob, value.Blob,
		value.BlobCompressed, value.VarcharCompressed, value.JSON, value.Enum, value.Set:
		return true
	}
	return false
}

// any says that text contains one of the needles.
func (t *textMatcher) any(text []byte) bool {
	for i := range t.needles {
		if t.needles[i].in(text) {
			return true
		}
	}
	return false
}

// wordyTypes are the events that are searched besides row events.
var wordyTypes = codes(decoder.QueryType, decoder.QueryCompressedType, decoder.ExecuteLoadQueryType, decoder.RowsQueryType, decoder.AnnotateRowsType,
	decoder.RotateType, decoder.UserVarType, decoder.IncidentType, decoder.BeginLoadQueryType, decoder.AppendBlockType,
	decoder.LoadType, decoder.NewLoadType, decoder.CreateFileType)

func (t *textMatcher) mark(c *chunk, yes, maybe *mask) {
	t.names.mark(c, yes)
	var tables, rows mask
	t.texts.mark(c, &tables)
	c.events(&rows, &rowTypes)
	c.events(maybe, &wordyTypes)
	for w := range maybe {
		maybe[w] |= rows[w] & tables[w]
	}
}

func (t *textMatcher) match(x *examiner) bool {
	if !x.read() {
		return false
	}
	h := &x.e.Header
	switch {
	case h.Type.RowOp() != decoder.NoRows:
		return t.matchRows(x)
	case statementTypes[h.Type] != 0:
		return t.matchStatement(x)
	case h.Type == decoder.PartialRowDataType: // the last has the rows
		return false
	}
	return len(x.e.Raw) >= h.Len+x.e.Sum && t.any(x.e.Raw[h.Len:len(x.e.Raw)-x.e.Sum])
}

// ascii says that all needles are.
func (t *textMatcher) ascii() bool {
	return !slices.ContainsFunc(t.needles, func(n needle) bool { return !n.ascii })
}

func (t *textMatcher) matchStatement(x *examiner) bool {
	if x.e.Header.Type != decoder.QueryCompressedType && t.ascii() && !t.any(x.e.Raw) {
		return false // clients speak no character set in which ASCII is anything else
	}
	q := queryOf(x.decode())
	if q == nil {
		return false
	}
	text := q.Text
	if id, ok := q.ClientCharset(); ok {
		column := textColumn{cs: charset.CharsetOf(familyOf(x.e.Context.Format), charset.ID(id))}
		text = column.appendBytes(nil, text)
	}
	return t.any(text)
}

func (t *textMatcher) matchRows(x *examiner) bool {
	table := x.e.Context.TableMap
	plan := t.planFor(table, familyOf(x.e.Context.Format))
	if plan.raw && !compressedRows[x.e.Header.Type] && !t.any(x.e.Raw) {
		return false
	}
	rows, ok := x.decode().(*decoder.Rows)
	if !ok || rows.Map == nil {
		return false
	}
	raw := rows.Event(x.e.Raw)
	r := &x.reader
	for rows.ReadBy(r); r.Next(); {
		if t.image(plan, raw, rows.Map, &r.Before) || t.image(plan, raw, rows.Map, &r.After) {
			return true
		}
	}
	return false
}

// compressedRows are the row events of MariaDB's log_bin_compress.
var compressedRows = func() (t [256]bool) {
	for code := decoder.WriteRowsCompressedV1; code <= decoder.DeleteRowsCompressedType; code++ {
		t[code] = true
	}
	return t
}()

func (t *textMatcher) planFor(table *decoder.TableMap, family charset.Family) *textPlan {
	if plan, ok := t.plans[table]; ok {
		return plan
	}
	if t.plans == nil || len(t.plans) >= maxPlans {
		t.plans = map[*decoder.TableMap]*textPlan{}
	}
	plan := &textPlan{raw: true}
	t.plans[table] = plan
	for i := range table.Columns {
		c := &table.Columns[i]
		if !holdsText(c.Type) {
			continue
		}
		text := newTextColumn(c, family)
		if c.Type.EnumOrSet() && text.labels == nil {
			continue
		}
		plan.columns = append(plan.columns, testColumn{i, text})
		plan.raw = plan.raw && t.seen(c, &text)
	}
	return plan
}

// seen says that what a cell of a column contains stands in its bytes too.
func (t *textMatcher) seen(c *decoder.Column, text *textColumn) bool {
	switch c.Type {
	case value.BlobCompressed, value.VarcharCompressed:
		return false
	case value.JSON:
		return true
	case value.Enum, value.Set: // of a SET, labels are joined with commas
		return !slices.ContainsFunc(text.labels, t.any) && !slices.ContainsFunc(t.needles, hasComma)
	}
	switch text.cs {
	case charset.UCS2, charset.UTF16, charset.UTF16LE, charset.UTF32, charset.SWE7:
		return false
	}
	return text.plain() || t.ascii()
}

func hasComma(n needle) bool { return slices.Contains(n.text, ',') }

// image says that a cell of an image contains one of the texts.
func (t *textMatcher) image(plan *textPlan, raw []byte, table *decoder.TableMap, im *decoder.Image) bool {
	for i := range plan.columns {
		p := &plan.columns[i]
		v := cellOf(im, p.index)
		if v == nil || v.Kind == value.KindNull {
			continue
		}
		if t.cell(&cell{v: v, column: &table.Columns[p.index], text: &p.text, raw: raw}) {
			return true
		}
	}
	return false
}

func (t *textMatcher) cell(c *cell) bool {
	b := value.Bytes(c.raw, c.v)
	switch c.v.Kind {
	case value.KindBytes:
		if c.text.plain() {
			return t.any(b)
		}
	case value.KindJSON, value.KindJSONDiff:
		if !t.any(b) {
			return false
		}
		text := c.appendDocument(nil)
		return slices.ContainsFunc(t.needles, func(n needle) bool { return n.in(b) && n.inStrings(text) })
	}
	return t.any(c.appendText(nil))
}
