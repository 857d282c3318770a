package query

import (
	"binlens/decoder"
	"binlens/decoder/charset"
	"binlens/decoder/frame"
	"binlens/decoder/index"
	"math"
	"slices"
)

// compile makes the parts of a filter, those that read least first. waits says that transactions are judged as a whole, so
// that no row of one is looked at before its end.
func compile(f *Filter, src Source) (program []part, waits bool) {
	var row rowMatcher
	for i := range f.Terms {
		t := &f.Terms[i]
		waits = waits || t.waits()
		if t.Field == rowField && !t.Not {
			row.terms = append(row.terms, t.Alts)
			continue
		}
		program = append(program, part{matcher: matcherOf(t, src), not: t.Not})
	}
	if len(row.terms) > 0 {
		row.init(src)
		program = append(program, part{matcher: &row})
	}
	return byCost(program), waits
}

// waits says that the term is about what is known at a transaction's end.
func (t *Term) waits() bool {
	return t.Field == threadField || t.Field == trxField && slices.ContainsFunc(t.Alts, func(a Alt) bool {
		return a.Unit != UnitNumber && a.Name != trxStates[noTransaction]
	})
}

// byCost orders parts by what they read.
func byCost(program []part) (sorted []part) {
	for c := range maxCost + 1 {
		for i := range program {
			if cost(program[i].matcher) == c {
				sorted = append(sorted, program[i])
			}
		}
	}
	return sorted
}

const maxCost = 5

// cost orders matchers. Those that read other rows than the one in question come before those that read it: what they read
// takes the place of its bytes.
func cost(m matcher) int {
	switch m.(type) {
	case *groupMatcher:
		return 1
	case *typeMatcher, *serverMatcher:
		return 2
	case *numberMatcher, *schemaMatcher:
		return 3
	case *rowMatcher:
		return 4
	case *textMatcher:
		return maxCost
	}
	return 0
}

func matcherOf(t *Term, src Source) matcher {
	switch t.Field {
	case typeField:
		return newTypeMatcher(t.Alts)
	case tableField, schemaField:
		return newTableMatcher(t, src)
	case serverField:
		return &serverMatcher{alts: t.Alts}
	case gtidField, threadField:
		return &groupMatcher{field: t.Field, alts: t.Alts}
	case trxField:
		return newTrxMatcher(t.Alts)
	case rowsField, xidField:
		return newNumberMatcher(t)
	case rowField:
		m := &rowMatcher{terms: [][]Alt{t.Alts}}
		m.init(src)
		return m
	case textField:
		return newTextMatcher(t.Alts, src)
	case problemField:
		return &problemMatcher{alts: t.Alts}
	}
	return &columnMatcher{field: t.Field, alts: t.Alts}
}

// anyOf says that n is in one of the ranges.
func anyOf(alts []Alt, n uint64) bool {
	for i := range alts {
		if n >= alts[i].Lo && n <= alts[i].Hi {
			return true
		}
	}
	return false
}

// columnMatcher is a term that the index decides.
type columnMatcher struct {
	field Field
	alts  []Alt
}

func (t *columnMatcher) match(*examiner) bool { return false }

func (t *columnMatcher) mark(c *chunk, yes, _ *mask) {
	if t.field == payloadField {
		c.flagged(yes, index.InsideBit)
		return
	}
	for i := range t.alts {
		a := &t.alts[i]
		switch t.field {
		case timeField:
			yes.between(c.columns.Time, max(a.Lo, 1), a.Hi) // 0 is no time
		case sizeField:
			yes.between(c.columns.Size, a.Lo, a.Hi)
		case eventField:
			c.ordinals(yes, ordinal(a.Lo), ordinal(a.Hi))
		case offsetField:
			c.offsets(yes, ordinal(a.Lo), ordinal(a.Hi))
		}
	}
}

// ordinal returns n, or the largest ordinal there could be.
func ordinal(n uint64) int64 { return int64(min(n, math.MaxInt64)) }

// offsets sets the bits of rows that have bytes of the file in a range, and of those inside a payload that does.
func (c *chunk) offsets(m *mask, lo, hi int64) {
	x := c.src.Index()
	first, ok := x.At(lo)
	if r := x.Row(first); !ok && lo >= r.Off+r.Size {
		return // behind the last row
	}
	last, ok := x.At(hi)
	if !ok && hi < x.Row(last).Off {
		return // before the first row
	}
	c.ordinals(m, first, last+x.Inside(last))
}

// problemMatcher is for rows with a problem. The index knows those of rows as a whole; what is wrong inside one is found by
// reading it, so every row that is not known to be bad is read.
type problemMatcher struct{ alts []Alt }

func (t *problemMatcher) mark(c *chunk, yes, maybe *mask) {
	maybe.fill(0, c.n)
	if t.alts[0].Name == "" {
		c.flagged(yes, index.ProblemBit)
	}
}

func (t *problemMatcher) match(x *examiner) bool {
	kinds, err := x.src.Problems(x.ordinal)
	x.err = err
	x.work += 1 << 10
	return slices.ContainsFunc(t.alts, func(a Alt) bool {
		return a.Name == "" && kinds != 0 || a.Name != "" && kinds>>(slices.Index(problemKinds, a.Name)+1)&1 != 0
	})
}

// typeMatcher is for types of events and kinds of rows.
type typeMatcher struct {
	yes, maybe [256]uint8 // by type
	kinds      uint8      // a bit for each frame.Kind
}

func newTypeMatcher(alts []Alt) *typeMatcher {
	t := &typeMatcher{}
	for i := range alts {
		s := typesOf(alts[i].Name)
		t.kinds |= s.kinds
		for code := range 256 {
			if s.has(uint8(code)) && s.ddl {
				t.maybe[code] = 1
			} else if s.has(uint8(code)) {
				t.yes[code] = 1
			}
			if s.has(uint8(code)) && decoder.Type(code).RowOp() != decoder.NoRows {
				t.maybe[decoder.PartialRowDataType] = 1
			}
		}
	}
	return t
}

func (t *typeMatcher) mark(c *chunk, yes, maybe *mask) {
	c.events(yes, &t.yes)
	c.events(maybe, &t.maybe)
	if t.kinds == 0 {
		return
	}
	for i, f := range c.columns.Flags {
		if k := frame.Kind(f & index.KindBits); k != frame.Event && t.kinds>>k&1 != 0 {
			yes.set(i)
		}
	}
}

// match says that a statement changes definitions, or that the pieces of a row event make one of a type.
func (t *typeMatcher) match(x *examiner) bool {
	switch ev := x.decode().(type) {
	case *decoder.Query:
		return decoder.StatementOf(ev.Text) == decoder.Definition
	case *decoder.Rows:
		return t.yes[x.e.Header.Type] != 0
	}
	return false
}

// tableMatcher is for table map and row events of tables.
type tableMatcher struct{ versions versions }

func newTableMatcher(t *Term, src Source) matcher {
	m := tableMatcher{versions{test: func(version uint32) bool {
		table := src.Table(version)
		return table != nil && anyTable(t.Alts, table)
	}}}
	if t.Field == schemaField {
		return &schemaMatcher{m, t.Alts}
	}
	return &m
}

func (t *tableMatcher) mark(c *chunk, yes, _ *mask) { t.versions.mark(c, yes) }

func (t *tableMatcher) match(*examiner) bool { return false }

// schemaMatcher is for tables of schemas, and for statements whose default database is one.
type schemaMatcher struct {
	tableMatcher
	alts []Alt
}

var statementTypes = codes(decoder.QueryType, decoder.QueryCompressedType, decoder.ExecuteLoadQueryType)

// codes is a table with 1 for each of the types.
func codes(types ...decoder.Type) (t [256]uint8) {
	for _, code := range types {
		t[code] = 1
	}
	return t
}

func (t *schemaMatcher) mark(c *chunk, yes, maybe *mask) {
	t.versions.mark(c, yes)
	c.events(maybe, &statementTypes)
}

func (t *schemaMatcher) match(x *examiner) bool {
	q := queryOf(x.decode())
	return q != nil && decoder.StatementOf(q.Text) != decoder.Transactional &&
		slices.ContainsFunc(t.alts, func(a Alt) bool { return a.Schema.match(string(q.DB)) })
}

// queryOf returns the statement of an event, nil when it has none.
func queryOf(ev decoder.Event) *decoder.Query {
	switch ev := ev.(type) {
	case *decoder.Query:
		return ev
	case *decoder.LoadQuery:
		return &ev.Query
	}
	return nil
}

// serverMatcher is for the server that wrote an event first.
type serverMatcher struct{ alts []Alt }

var anyType = func() (t [256]uint8) {
	for i := range t {
		t[i] = 1
	}
	return t
}()

func (t *serverMatcher) mark(c *chunk, _, maybe *mask) { c.events(maybe, &anyType) }

func (t *serverMatcher) match(x *examiner) bool {
	var id uint32
	id, x.err = x.src.Server(x.ordinal)
	return anyOf(t.alts, uint64(id))
}

// numberMatcher is for a number that stands in the event: rows and xid.
type numberMatcher struct {
	field Field
	alts  []Alt
	types [256]uint8
}

func newNumberMatcher(t *Term) *numberMatcher {
	if t.Field == rowsField {
		return &numberMatcher{t.Field, t.Alts, rowTypes}
	}
	return &numberMatcher{t.Field, t.Alts, codes(decoder.XidType)}
}

// rowTypes are the events that hold rows, or may be the last piece of one that does.
var rowTypes = func() (t [256]uint8) {
	t[decoder.PartialRowDataType] = 1
	for code := range t {
		if decoder.Type(code).RowOp() != decoder.NoRows {
			t[code] = 1
		}
	}
	return t
}()

func (t *numberMatcher) mark(c *chunk, _, maybe *mask) { c.events(maybe, &t.types) }

func (t *numberMatcher) match(x *examiner) bool {
	switch ev := x.decode().(type) {
	case *decoder.Xid:
		return anyOf(t.alts, ev.Xid)
	case *decoder.Rows:
		return anyOf(t.alts, countRows(ev, &x.reader))
	}
	return false
}

func countRows(e *decoder.Rows, r *decoder.RowReader) (n uint64) {
	for e.ReadBy(r); r.Next(); {
		n++
	}
	return n
}

// familyOf returns the family by which collation ids are read.
func familyOf(f *decoder.FormatDescription) charset.Family {
	if f.Family == decoder.MariaDB {
		return charset.MariaDB
	}
	return charset.MySQL
}
