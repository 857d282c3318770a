package sql

import (
	"binlens/decoder"
	"binlens/decoder/charset"
	"binlens/decoder/value"
)

// Row is one row to be written, and what came of it.
type Row struct {
	Raw           []byte // the bytes that the cells are in
	Before, After []value.Value
	Fail          string // why it cannot be written
	Doubt         string // why the statement may not do what it should
	Relaxed       bool   // it needs an SQL mode that is not strict: it writes the invalid value of an ENUM
}

// AppendRedo appends the statement that does to a row what a row event did, without a line break.
func (t *Table) AppendRedo(dst []byte, op decoder.RowOp, r *Row) []byte {
	switch op {
	case decoder.Insert:
		return t.insert(dst, r, r.After)
	case decoder.Delete:
		return t.remove(dst, r, r.Before)
	}
	return t.update(dst, r, r.Before, r.After)
}

// Reasons why a row cannot be undone.
const (
	missingBefore = "the before image does not have every column (binlog_row_image is not FULL)"
	missingAfter  = "the after image does not have the columns to find the row by (binlog_row_image is not FULL)"
)

// AppendUndo appends the statement that takes back what a row event did.
func (t *Table) AppendUndo(dst []byte, op decoder.RowOp, r *Row) []byte {
	switch op {
	case decoder.Insert:
		if !t.findable(r.After) {
			r.fail(missingAfter)
		}
		return t.remove(dst, r, r.After)
	case decoder.Delete:
		if !t.full(r.Before) {
			r.fail(missingBefore)
		}
		return t.insert(dst, r, r.Before)
	}
	for i := range r.After {
		if r.After[i].Kind != value.KindNone && r.Before[i].Kind == value.KindNone && !t.columns[i].made {
			r.fail(missingBefore)
		}
	}
	where := t.afterImage(r)
	if !t.findable(where) {
		r.fail(missingAfter)
	}
	return t.update(dst, r, where, r.Before)
}

// afterImage is the after image, with the columns of the key that it does not have: they did not change.
func (t *Table) afterImage(r *Row) []value.Value {
	if t.key == nil || has(r.After, t.key) || !has(r.Before, t.key) {
		return r.After
	}
	cells := append([]value.Value(nil), r.After...)
	for _, i := range t.key {
		if cells[i].Kind == value.KindNone {
			cells[i] = r.Before[i]
		}
	}
	return cells
}

// findable says that an image tells its row from others.
func (t *Table) findable(cells []value.Value) bool {
	if t.key != nil {
		return has(cells, t.key)
	}
	return t.full(cells)
}

func (r *Row) fail(why string) {
	if r.Fail == "" {
		r.Fail = why
	}
}

func (r *Row) doubt(why string) {
	if why != "" && r.Doubt == "" {
		r.Doubt = why
	}
}

func (t *Table) insert(dst []byte, r *Row, cells []value.Value) []byte {
	dst = append(append(append(dst, "INSERT INTO "...), t.name...), " ("...)
	start := len(dst)
	for i := range cells {
		if t.written(i, cells) {
			dst = append(comma(dst, start), t.columns[i].name...)
		}
	}
	dst = append(dst, ") VALUES ("...)
	start = len(dst)
	for i := range cells {
		if t.written(i, cells) {
			dst = t.assign(comma(dst, start), r, i, cells)
		}
	}
	return append(dst, ");"...)
}

// written says that an image has a value to be written of column i.
func (t *Table) written(i int, cells []value.Value) bool {
	return cells[i].Kind != value.KindNone && !t.columns[i].made
}

func comma(dst []byte, start int) []byte {
	if len(dst) > start {
		return append(dst, ", "...)
	}
	return dst
}

// assign appends the literal of a cell.
func (t *Table) assign(dst []byte, r *Row, i int, cells []value.Value) []byte {
	c, v := &t.columns[i], &cells[i]
	var why string
	switch {
	case v.Kind == value.KindEnum && v.Bits == 0:
		r.Relaxed = true
	case v.Kind == value.KindJSONDiff && r.Before != nil && r.Before[i].Kind == value.KindJSON:
		if dst, why = appendPatched(dst, r.Raw, &r.Before[i], v); why != "" {
			r.fail(why)
		}
		return dst
	case v.Kind == value.KindJSONDiff:
		if dst, why = c.appendDiffs(dst, value.Bytes(r.Raw, v)); why != "" {
			r.fail(why)
		}
		return dst
	}
	dst, why = c.appendValue(dst, r.Raw, v)
	if v.Kind == value.KindInt {
		r.doubt(why)
	} else if why != "" {
		r.fail(why)
	}
	return dst
}

func (t *Table) remove(dst []byte, r *Row, where []value.Value) []byte {
	dst = append(append(dst, "DELETE FROM "...), t.name...)
	return append(t.where(dst, r, where), ';')
}

// update appends an UPDATE that sets what differs between two images, and all dates and times, which the server would
// otherwise set by itself where they are to be as they were.
func (t *Table) update(dst []byte, r *Row, where, set []value.Value) []byte {
	dst = append(append(append(dst, "UPDATE "...), t.name...), " SET "...)
	start := len(dst)
	for _, all := range [2]bool{false, true} {
		for i := range set {
			if t.written(i, set) && (all || t.changes(i, r.Raw, where, set)) {
				dst = append(append(comma(dst, start), t.columns[i].name...), '=')
				dst = t.assign(dst, r, i, set)
			}
		}
		if len(dst) > start {
			break
		}
	}
	if len(dst) == start {
		r.fail("no column is left to be set")
	}
	return append(t.where(dst, r, where), ';')
}

func (t *Table) changes(i int, raw []byte, where, set []value.Value) bool {
	a, b := &where[i], &set[i]
	switch t.columns[i].m.Type {
	case value.Timestamp, value.Timestamp2, value.Datetime, value.Datetime2:
		return true
	}
	return a.Kind != b.Kind || string(raw[a.Off:a.End]) != string(raw[b.Off:b.End])
}

// incompleteWhere is of a row of a table without a key, some of whose columns are not known.
const incompleteWhere = "a table without a known key and an image without every column: another row may be found"

// where appends the condition that finds the row of an image.
func (t *Table) where(dst []byte, r *Row, cells []value.Value) []byte {
	dst = append(dst, " WHERE "...)
	start := len(dst)
	and := func() {
		if len(dst) > start {
			dst = append(dst, " AND "...)
		}
	}
	if t.key != nil && has(cells, t.key) {
		for _, i := range t.key {
			and()
			dst = t.equals(dst, r, i, cells)
		}
		return dst
	}
	if !t.full(cells) {
		r.doubt(incompleteWhere)
	}
	for i := range cells {
		if t.written(i, cells) {
			and()
			dst = t.identical(dst, r, i, cells)
		}
	}
	if len(dst) == start {
		dst = append(dst, "TRUE"...)
	}
	return append(dst, " LIMIT 1"...)
}

// equals appends the condition that a column of a key has a value: as the key compares.
func (t *Table) equals(dst []byte, r *Row, i int, cells []value.Value) []byte {
	c, v := &t.columns[i], &cells[i]
	dst = append(append(dst, c.name...), '=')
	if v.Kind == value.KindFloat32 || v.Kind == value.KindFloat64 {
		return appendCompared(dst, v)
	}
	return t.assign(dst, r, i, cells)
}

// identical appends the condition that a column has exactly a value, or is NULL as it is.
func (t *Table) identical(dst []byte, r *Row, i int, cells []value.Value) []byte {
	c, v := &t.columns[i], &cells[i]
	switch v.Kind {
	case value.KindFloat32, value.KindFloat64:
		return appendCompared(append(append(dst, c.name...), " <=> "...), v)
	case value.KindBytes, value.KindCompressed:
		if c.typ == "inet4" || c.typ == "inet6" || c.typ == "uuid" {
			break
		}
		return t.sameBytes(dst, r, i, cells)
	case value.KindGeometry:
		dst = append(append(append(dst, "CAST("...), c.name...), " AS BINARY) <=> "...)
		return appendHex(dst, value.Bytes(r.Raw, v))
	case value.KindEnum:
		if v.Bits == 0 {
			return append(append(dst, c.name...), " <=> 0"...)
		}
	case value.KindJSON:
		dst, why := appendCast(append(append(dst, c.name...), " <=> "...), value.Bytes(r.Raw, v))
		if why != "" {
			r.fail(why)
		}
		return dst
	case value.KindJSONDiff:
		dst = append(append(dst, c.name...), " <=> CAST("...)
		return append(t.assign(dst, r, i, cells), " AS JSON)"...)
	}
	return t.assign(append(append(dst, c.name...), " <=> "...), r, i, cells)
}

// sameBytes compares the bytes of a text: its collation may take others for equal.
func (t *Table) sameBytes(dst []byte, r *Row, i int, cells []value.Value) []byte {
	c, v := &t.columns[i], &cells[i]
	if c.cs == charset.Binary {
		return t.assign(append(append(dst, c.name...), " <=> "...), r, i, cells)
	}
	b := value.Bytes(r.Raw, v)
	if v.Kind == value.KindCompressed {
		plain, err := decoder.InflateColumn(b)
		if err != nil {
			r.fail(err.Msg)
		}
		b = plain
	}
	dst = append(append(append(dst, "CAST("...), c.name...), " AS BINARY) <=> "...)
	if printable(b) {
		return appendQuoted(dst, b)
	}
	return appendHex(dst, b)
}
