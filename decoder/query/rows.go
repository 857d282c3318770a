package query

import (
	"binlens/decoder"
	"binlens/decoder/charset"
	"binlens/decoder/value"
	"bytes"
)

// rowMatcher is for row events in which one row passes a test of each term.
type rowMatcher struct {
	terms    [][]Alt
	versions versions
	values   [][]comparison // of all tests in their order
	src      Source
	plans    map[*decoder.TableMap]*rowPlan
}

// maxPlans bounds the plans that are kept for tables.
const maxPlans = 64

// rowPlan is where the columns of the tests are in one table; of a test whose column the table does not have the index is -1.
type rowPlan struct {
	columns []testColumn
	fits    bool // the table has a column for each term
}

type testColumn struct {
	index int
	text  textColumn
}

func (m *rowMatcher) init(src Source) {
	m.src = src
	m.versions.test = m.fits
	for _, alts := range m.terms {
		for _, a := range alts {
			var list []comparison
			for _, v := range a.RowTest.Values {
				list = append(list, newComparison(v))
			}
			m.values = append(m.values, list)
		}
	}
}

// fits says that a table has columns for all terms. One whose map does not name them may have: what DDL or a schema says of it
// differs from event to event.
func (m *rowMatcher) fits(version uint32) bool {
	table := m.src.Table(version)
	if table == nil {
		return false
	}
	for _, alts := range m.terms {
		if !anyColumn(alts, table) {
			return false
		}
	}
	return true
}

func anyColumn(alts []Alt, table *decoder.TableMap) bool {
	for _, a := range alts {
		if a.RowTest.Place == 0 && !table.Optional.Has(decoder.MetaColumnName) || a.RowTest.column(table) >= 0 {
			return true
		}
	}
	return false
}

// column returns the index of the test's column in a table, -1 when it has none.
func (t *RowTest) column(table *decoder.TableMap) int {
	if t.Place > 0 {
		if t.Place <= len(table.Columns) {
			return t.Place - 1
		}
		return -1
	}
	for i := range table.Columns {
		if name := table.Columns[i].Name; len(name) == len(t.Column) && lowerText(string(name)) == t.Column {
			return i
		}
	}
	return -1
}

func (m *rowMatcher) mark(c *chunk, _, maybe *mask) {
	var tables mask
	m.versions.mark(c, &tables)
	c.events(maybe, &rowTypes)
	for w := range maybe {
		maybe[w] &= tables[w]
	}
}

func (m *rowMatcher) match(x *examiner) bool {
	if !x.read() {
		return false
	}
	plan := m.planFor(x.e.Context.TableMap, familyOf(x.e.Context.Format))
	if !plan.fits {
		return false
	}
	rows, ok := x.decode().(*decoder.Rows)
	if !ok || rows.Map == nil {
		return false
	}
	raw := rows.Event(x.e.Raw)
	for rows.ReadBy(&x.reader); x.reader.Next(); {
		if m.row(plan, raw, rows.Map, &x.reader) {
			return true
		}
	}
	return false
}

// planFor finds the columns of the tests.
func (m *rowMatcher) planFor(table *decoder.TableMap, family charset.Family) *rowPlan {
	if plan, ok := m.plans[table]; ok {
		return plan
	}
	if m.plans == nil || len(m.plans) >= maxPlans {
		m.plans = map[*decoder.TableMap]*rowPlan{}
	}
	plan := &rowPlan{fits: table != nil}
	m.plans[table] = plan
	if table == nil {
		return plan
	}
	for _, alts := range m.terms {
		fits := false
		for _, a := range alts {
			c := testColumn{index: a.RowTest.column(table)}
			if c.index >= 0 {
				fits = true
				c.text = newTextColumn(&table.Columns[c.index], family)
			}
			plan.columns = append(plan.columns, c)
		}
		plan.fits = plan.fits && fits
	}
	return plan
}

// row says that a row passes a test of each term.
func (m *rowMatcher) row(plan *rowPlan, raw []byte, table *decoder.TableMap, r *decoder.RowReader) bool {
	k := 0
	for _, alts := range m.terms {
		passed := false
		for i := range alts {
			if c := &plan.columns[k+i]; !passed && c.index >= 0 {
				t := test{alts[i].RowTest, m.values[k+i], c, &table.Columns[c.index], raw, r}
				passed = t.passes()
			}
		}
		if !passed {
			return false
		}
		k += len(alts)
	}
	return true
}

// test is a RowTest for one row.
type test struct {
	*RowTest
	values []comparison
	at     *testColumn
	column *decoder.Column // as this event is read: its digits may be the event's own
	raw    []byte
	r      *decoder.RowReader
}

func (t *test) passes() bool {
	before, after := cellOf(&t.r.Before, t.at.index), cellOf(&t.r.After, t.at.index)
	switch {
	case t.Op == Changed:
		return t.changed(before, after)
	case t.Image != After && before != nil && t.holds(before, nil):
		return true
	}
	return t.Image != Before && after != nil && t.holds(after, before)
}

// cellOf returns the cell of a column, nil when the image does not have it.
func cellOf(im *decoder.Image, i int) *value.Value {
	if i >= len(im.Cells) || im.Cells[i].Kind == value.KindNone {
		return nil
	}
	return &im.Cells[i]
}

// changed says that an update changed the cell. One that only the after image has is there because it was changed.
func (t *test) changed(before, after *value.Value) bool {
	switch {
	case t.r.Before.Cells == nil || after == nil:
		return false
	case before == nil || before.Kind != after.Kind:
		return true
	}
	return !bytes.Equal(t.raw[before.Off:before.End], t.raw[after.Off:after.End])
}

// holds compares a cell with the values. before is the cell of the before image where v is of the after image.
func (t *test) holds(v, before *value.Value) bool {
	if v.Kind == value.KindNull {
		for i := range t.values {
			if t.values[i].null {
				return t.Op == Eq
			}
		}
		return false // NULL is not different from a value either: nobody knows
	}
	for i := range t.values {
		if t.one(&t.values[i], v, before) {
			return t.Op != Ne
		}
	}
	return t.Op == Ne
}

// one compares a cell that is not NULL with one value; for Ne it says whether they are equal.
func (t *test) one(want *comparison, v, before *value.Value) bool {
	if want.null {
		return false
	}
	cell := cell{v: v, before: before, column: t.column, text: &t.at.text, raw: t.raw}
	if t.Op == Contains {
		return cell.contains(want)
	}
	order, ok := cell.compare(want)
	if !ok {
		return false
	}
	switch t.Op {
	case Less:
		return order < 0
	case LessEq:
		return order <= 0
	case Greater:
		return order > 0
	case GreaterEq:
		return order >= 0
	}
	return order == 0 || cell.unsignedEqual(want)
}
