package decoder

import (
	"binlens/decoder/value"
	"binlens/decoder/wire"
	"math/bits"
	"slices"
)

// MariaDB 5.3 to 10.0, and later versions with mysql56_temporal_format=OFF, write TIME, DATETIME and TIMESTAMP with
// fractions of a second under the old type codes (11, 12 and 7), and how many digits a fraction has is not in the log. A
// cell has these bytes:
//
//	digits     0  1  2  3  4  5  6
//	TIME       3  4  4  5  5  5  6
//	DATETIME   8  6  6  7  7  7  8
//	TIMESTAMP  4  5  5  6  6  7  7
//
// So where such rows cannot be read without fractions, the widths are looked for with which they can: every row is read to
// its end, the last one ends where the event does, and no cell holds what no server writes. One choice of widths must be
// the only one. Where a few rows of many columns leave several, one must be the only one with ordinary values: dates within
// a lifetime of the event's own time, TIMESTAMPs from 1990 to a year after it, TIMEs of a few days. Otherwise none is taken.
// All this is found from the bytes of one event alone, so that another event of the same table may not be read.
//
// Within a width the values decide. Of a TIME or DATETIME, too few digits give hours above 838 or a year above 9999, and
// too many the years 100 to 999, before the first that the servers' manuals allow, or a TIME below -671 hours: the fewest
// digits that fit are right. A TIMESTAMP tells only by a fraction that is too large for the fewer digits; until it
// does, 1 digit is preferred to 2, 3 to 4, and 6 to 5, which is rarely used; the others are kept in Fitted.Also.

// Fitted is a column of which the digits of the fraction were found by fit. Its Meta in the Map of the Rows has them.
type Fitted struct {
	Column int
	Also   uint8 // bit n: n digits, of the same width, fit as well
}

// fit is the search for the widths of the old columns of one row event.
type fit struct {
	e       *Rows
	start   wire.Cursor // at the first row; its positions count from the body
	present [][]uint16  // the columns of the images of a row, in their order
	slots   []int16     // by column: its place in digits, -1 for columns that are not old
	left    int         // cells that may still be read
	time    int64       // of the event, seconds UTC
	want    demand
	found   int     // choices of widths that fit
	digits  []uint8 // the first of them: by slot, bit n set when n digits fit; 0 while the column has no value
}

// demand is what is asked of the values of old columns.
type demand uint8

const (
	possible demand = iota // parts that a date or time can have
	allowed                // in the range that the servers' manuals give
	ordinary               // near the time of the event
)

func presentColumns(bitmap []byte, width int) (list []uint16) {
	for i := range width {
		if bitLSB(bitmap, i) {
			list = append(list, uint16(i))
		}
	}
	return list
}

// fitFloor and fitFactor bound the search: cells read for each event, and for each byte of its rows. One pass over rows is
// at most a cell a byte.
const (
	fitFloor  = 100_000
	fitFactor = 2
)

// fitFractions finds the digits of old columns with fractions: it puts them into a map of the event's own, or says why
// they cannot be known. Rows without old columns, and those that make sense without fractions, it leaves alone.
func (e *Rows) fitFractions(time uint32) {
	f := newFit(e)
	if f == nil {
		return
	}
	f.time = int64(time)
	if f.search(ordinary, true); f.found == 1 {
		return
	}
	f.search(possible, true)
	plain := f.found == 1
	if !plain {
		f.search(allowed, false)
	}
	several, tired := f.found > 1, f.left < 0
	if plain || several || tired {
		f.search(ordinary, false)
	}
	switch {
	case f.found == 1 && f.left >= 0:
		f.apply()
	case plain: // strange values, but the format is far more common without fractions
	case several || f.found > 1:
		e.misfit(f, "more than one choice of them fits these rows")
	case tired:
		e.misfit(f, "the choices are too many to be tried")
	default:
		r := e.Reader()
		for r.Next() {
		}
		if bad := r.Err(); bad != nil { // else only the values of some cells make no sense, which they say themselves
			e.misfit(f, "no choice of them fits these rows; without fractions, "+bad.Msg)
		}
	}
}

func (e *Rows) misfit(f *fit, why string) {
	e.unfit = &wire.Error{Offset: int64(f.start.Pos()), Path: "rows", Kind: wire.Unsupported,
		Msg: "the digits of a second of MariaDB's old TIME, DATETIME and TIMESTAMP are not in the log, and " + why}
}

// newFit prepares the search; nil where no image has an old column.
func newFit(e *Rows) *fit {
	if e.Map == nil || e.Start == e.End || e.Width > uint64(len(e.Map.Columns)) {
		return nil
	}
	old := false
	for i := range e.Map.Columns {
		old = old || oldTemporal(e.Map.Columns[i].Type)
	}
	if !old {
		return nil
	}
	f := &fit{e: e, slots: make([]int16, len(e.Map.Columns))}
	for i := range f.slots {
		f.slots[i] = -1
	}
	n := 0
	for _, bitmap := range [][]byte{e.Before, e.After} {
		if bitmap == nil {
			continue
		}
		list := presentColumns(bitmap, int(e.Width))
		f.present = append(f.present, list)
		for _, i := range list {
			if f.slots[i] < 0 && oldTemporal(e.Map.Columns[i].Type) {
				f.slots[i] = int16(n)
				n++
			}
		}
	}
	if n == 0 {
		return nil
	}
	f.digits = make([]uint8, n)
	f.start = wire.NewCursor(e.body, 0, nil)
	f.start.Skip(int(e.Start) - int(e.End) + len(e.body))
	return f
}

func oldTemporal(t value.Type) bool {
	return t == value.Time || t == value.Datetime || t == value.Timestamp
}

// search looks for choices that fit, until there are two; when plain only for the one without any fractions.
func (f *fit) search(want demand, plain bool) {
	digits := make([]uint8, len(f.digits))
	for i := range digits {
		if plain {
			digits[i] = 1 << 0
		}
	}
	f.want, f.found, f.left = want, 0, fitFloor+fitFactor*f.start.Len()
	f.run(place{c: f.start, image: -1}, digits)
}

// place is where in the rows a choice has got to: before the k-th column of an image.
type place struct {
	c     wire.Cursor
	image int // -1 before the first row
	k     int
	nulls []byte
}

// run reads on from p. At the first value of an old column it goes on with each of its widths in turn; at each further one
// the digits that do not fit drop out. It returns when a choice has failed, or all have been tried.
func (f *fit) run(p place, digits []uint8) {
	for f.left >= 0 {
		if p.image < 0 || p.k == len(f.present[p.image]) {
			if p.image = (p.image + 1) % len(f.present); p.image == 0 && p.c.Len() == 0 {
				f.note(digits)
				return
			}
			p.k, p.nulls = 0, p.c.Bytes((len(f.present[p.image])+7)/8)
			if !f.nullsMakeSense(&p) {
				return
			}
			continue
		}
		i, null := f.present[p.image][p.k], bitLSB(p.nulls, p.k)
		p.k++
		if null {
			continue
		}
		slot := f.slots[i]
		if slot >= 0 && digits[slot] == 0 {
			f.branch(&p, i, digits)
			return
		}
		choice := uint8(0)
		if slot >= 0 {
			choice = digits[slot]
		}
		got := f.read(&p.c, i, choice)
		if got == 0 {
			return
		}
		if slot >= 0 {
			digits[slot] = got
		}
	}
}

// nullsMakeSense says that null bits were read, that those beyond the columns are set, as servers leave them, and that no
// column is NULL which cannot be.
func (f *fit) nullsMakeSense(p *place) bool {
	if !p.c.OK() {
		return false
	}
	list := f.present[p.image]
	for k, i := range list {
		if bitLSB(p.nulls, k) && !f.e.Map.Columns[i].Nullable {
			return false
		}
	}
	over := len(list) & 7
	return over == 0 || p.nulls[len(p.nulls)-1]>>over == 0xff>>over
}

// branch reads the first value of old column i in each of its widths, and goes on from there.
func (f *fit) branch(p *place, i uint16, digits []uint8) {
	for _, choice := range widths(f.e.Map.Columns[i].Type) {
		q := *p
		got := f.read(&q.c, i, choice)
		if got == 0 {
			continue
		}
		d := slices.Clone(digits)
		f.left -= len(d) / 8
		d[f.slots[i]] = got
		if f.run(q, d); f.found > 1 || f.left < 0 {
			return
		}
	}
}

// widths are the digits of an old type, bit n for n digits; those that make the same width together.
func widths(t value.Type) []uint8 {
	switch t {
	case value.Time:
		return []uint8{1 << 0, 1<<1 | 1<<2, 1<<3 | 1<<4 | 1<<5, 1 << 6}
	case value.Datetime:
		return []uint8{1<<0 | 1<<6, 1<<1 | 1<<2, 1<<3 | 1<<4 | 1<<5}
	}
	return []uint8{1 << 0, 1<<1 | 1<<2, 1<<3 | 1<<4, 1<<5 | 1<<6}
}

// read reads a cell of column i, an old one with each of the digits in choice, which make the same width. It returns those
// that give a value which servers write, 0 when there is none; for other columns any but 0.
func (f *fit) read(c *wire.Cursor, i uint16, choice uint8) (fits uint8) {
	col := &f.e.Map.Columns[i]
	if f.slots[i] < 0 {
		if f.left--; f.sound(c, col.Type, col.Meta) {
			return 1
		}
		return 0
	}
	start := *c
	for rest := choice; rest != 0; rest &= rest - 1 {
		n := bits.TrailingZeros8(rest)
		*c = start
		if f.left--; f.sound(c, col.Type, uint16(n)) {
			fits |= 1 << n
		}
	}
	return fits
}

// sound reads a cell and says whether it has what is asked of it.
func (f *fit) sound(c *wire.Cursor, t value.Type, meta uint16) bool {
	var v value.Value
	value.Read(c, t, meta, &v)
	switch {
	case !c.OK(), !value.Sound(f.e.body, meta, &v) && value.Doubt(f.e.body, meta, &v) != "":
		return false
	case f.want == possible, !oldTemporal(t), v.Bits == 0: // zero is always fine
		return true
	}
	return f.meets(&v)
}

const (
	yearLen   = 31_556_952  // seconds, on average
	year1990  = 631_152_000 // before there were servers that could have taken the time
	lifetime  = 100         // years
	fewDays   = 100         // hours
	firstYear = 1000        // of a DATETIME, in the servers' manuals
)

// meets says whether the value of an old column is allowed or ordinary, whichever is asked. It is possible.
func (f *fit) meets(v *value.Value) bool {
	year, is := int64(0), f.want == ordinary
	switch v.Kind {
	case value.KindDatetime:
		year = int64(v.Bits >> 46 / 13)
	case value.KindDatetimeDigits:
		year = int64(v.Bits / 1e10)
	case value.KindTimestamp:
		s := int64(v.Bits >> 24)
		return !is || s >= year1990 && s < f.time+yearLen
	case value.KindTime:
		h := int64(v.Bits) >> 36
		return !is || h >= -fewDays && h < fewDays
	case value.KindTimeDigits:
		h := int64(int32(v.Bits<<8)>>8) / 10_000
		return !is || h > -fewDays && h < fewDays
	}
	if !is {
		return year == 0 || year >= firstYear
	}
	now := 1970 + f.time/yearLen
	return year == 9999 || year > now-lifetime && year < now+lifetime
}

// note keeps a choice with which all rows were read; digits only if it is the first.
func (f *fit) note(digits []uint8) {
	if f.found++; f.found == 1 {
		f.digits = digits
	}
}

// apply gives the event a map with the digits that were found.
func (f *fit) apply() {
	m := *f.e.Map
	m.Columns = slices.Clone(m.Columns)
	for i := range m.Columns {
		slot := f.slots[i]
		if slot < 0 || f.digits[slot] == 0 {
			continue
		}
		col := &m.Columns[i]
		n, also := preferred(col.Type, f.digits[slot])
		col.Meta = uint16(n)
		f.e.Fitted = append(f.e.Fitted, Fitted{Column: i, Also: also})
	}
	f.e.Map = &m
}

// preferred returns which of the digits that fit is taken, and of a TIMESTAMP the others.
func preferred(t value.Type, fits uint8) (n int, also uint8) {
	n = bits.TrailingZeros8(fits)
	if t != value.Timestamp {
		return n, 0
	}
	if n == 5 && fits&(1<<6) != 0 {
		n = 6
	}
	return n, fits &^ (1 << n)
}
