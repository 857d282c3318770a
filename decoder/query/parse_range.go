package query

import (
	"binlens/decoder/index"
	"math"
	"strconv"
)

// point reads one end of a range: the values that it stands for, both included. A day stands for its seconds.
type point func(w word) (lo, hi uint64, bad *Error)

// parseRange takes A, A..B, A.., ..B, >A, >=A, <A, <=A or =A.
func parseRange(w word, expected string, read point) (a Alt, bad *Error) {
	if w.empty() {
		return a, w.wrong("", expected)
	}
	if dots := w.find("..", 0); dots >= 0 {
		return parseDots(w, dots, expected, read)
	}
	op, n := compareOp(w, 0)
	lo, hi, bad := read(w.from(n))
	if bad != nil {
		bad.Expected = expected
		return a, bad
	}
	a.Lo, a.Hi = 0, math.MaxUint64
	switch op {
	case Less:
		if lo == 0 {
			return a, w.wrong("nothing is below 0", expected)
		}
		a.Hi = lo - 1
	case LessEq:
		a.Hi = hi
	case Greater:
		if hi == math.MaxUint64 {
			return a, w.wrong("nothing is above this", expected)
		}
		a.Lo = hi + 1
	case GreaterEq:
		a.Lo = lo
	case Changed, Eq: // no operator is as good as =
		a.Lo, a.Hi = lo, hi
	default:
		return a, w.wrong("this comparison is for row: only", expected)
	}
	return a, nil
}

func parseDots(w word, dots int, expected string, read point) (a Alt, bad *Error) {
	first, second := w.to(dots), w.from(dots+1).from(1)
	a.Hi = math.MaxUint64
	if first.empty() && second.empty() {
		return a, w.wrong("a range without ends", expected)
	}
	if !first.empty() {
		if a.Lo, _, bad = read(first); bad != nil {
			bad.Expected = expected
			return a, bad
		}
	}
	if !second.empty() {
		if _, a.Hi, bad = read(second); bad != nil {
			bad.Expected = expected
			return a, bad
		}
	}
	if a.Lo > a.Hi {
		return a, w.wrong("the range ends before it starts", expected)
	}
	return a, nil
}

// compareOp reads a comparison at letter i; n is its length, 0 when there is none.
func compareOp(w word, i int) (op Op, n int) {
	if w.has("<>", i) {
		return Ne, 2
	}
	for _, c := range [...]Op{Ne, LessEq, GreaterEq, Eq, Less, Greater, Contains} { // the longer ones first
		if w.has(opNames[c], i) {
			return c, len(opNames[c])
		}
	}
	return Changed, 0
}

func parseNumber(w word) (lo, hi uint64, bad *Error) {
	n, err := strconv.ParseUint(w.String(), 10, 64)
	if err != nil {
		return 0, 0, w.wrong("this is no number", "")
	}
	return n, n, nil
}

// sizeUnits are what may stand behind a size, with or without a B.
var sizeUnits = [...]struct {
	name  string
	bytes uint64
}{{"ki", 1 << 10}, {"mi", 1 << 20}, {"gi", 1 << 30}, {"ti", 1 << 40}, {"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"t", 1e12}, {"", 1}}

// parseSize takes a number of bytes: 300, 1.5MB, 64KiB, 2g.
func parseSize(w word) (lo, hi uint64, bad *Error) {
	i := w.numberEnd()
	unit := lowerText(w.from0(i).String())
	if n := len(unit); n > 0 && unit[n-1] == 'b' {
		unit = unit[:n-1]
	}
	for _, u := range sizeUnits {
		if u.name == unit {
			return scaled(w, i, u.bytes)
		}
	}
	return 0, 0, w.wrong("this is no size", "")
}

// scaled returns the number in front of letter i times a unit, rounded down.
func scaled(w word, i int, unit uint64) (lo, hi uint64, bad *Error) {
	d, ok := newDecimal(w.String()[:i])
	if whole, isWhole := digits(d.whole); ok && isWhole && len(d.whole) < 19 && whole <= math.MaxUint64/unit-1 {
		part := uint64(0)
		for k := len(d.fraction) - 1; k >= 0; k-- { // from the last digit on, which counts a tenth of the one before
			part = (part + uint64(d.fraction[k]-'0')*unit) / 10
		}
		return whole*unit + part, whole*unit + part, nil
	}
	return 0, 0, w.wrong("this is no number", "")
}

// numberEnd returns the letter behind digits and points.
func (w word) numberEnd() int {
	i := 0
	for i < len(w.letters) && (isDigit(w.letters[i].c) || w.letters[i].c == '.') {
		i++
	}
	return i
}

// from0 is from for a part of which only the text is wanted.
func (w word) from0(i int) word { w.letters = w.letters[i:]; return w }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// trxStates are the states of a transaction; none is for events outside of all.
var trxStates = []string{index.Open: "open", index.Committed: "committed", index.RolledBack: "rolledback", index.Prepared: "prepared", index.Implicit: "implicit", noTransaction: "none"}

// noTransaction stands behind the states: rows outside of all transactions.
const noTransaction = index.Implicit + 1

// trxUnits are what may stand behind a number of a trx term.
var trxUnits = [...]struct {
	name string
	unit Unit
	n    uint64
}{{"", UnitNumber, 1}, {"rows", UnitRows, 1}, {"row", UnitRows, 1}, {"s", UnitSeconds, 1}, {"min", UnitSeconds, 60}, {"h", UnitSeconds, 3600}}

// parseTrx takes the number of a transaction, a range of rows, bytes or seconds, or a state.
func parseTrx(w word) (Alt, *Error) {
	const expected = "a number, >1000rows, >5MB, >30s, or one of none, open, committed, rolledback, prepared"
	if len(w.letters) > 0 && lower(w.letters[0].c) >= 'a' {
		a, bad := parseWord(w, "state of a transaction", trxStates)
		a.Unit = UnitState
		if bad != nil {
			bad.Expected = expected
		}
		return a, bad
	}
	unit, ends := UnitNumber, 0
	a, bad := parseRange(w, expected, func(w word) (lo, hi uint64, bad *Error) {
		u, lo, hi, bad := parseMeasure(w)
		if ends++; ends > 1 && u != unit && bad == nil {
			bad = w.wrong("both ends need the same unit", "")
		}
		unit = u
		return lo, hi, bad
	})
	a.Unit = unit
	return a, bad
}

func parseMeasure(w word) (u Unit, lo, hi uint64, bad *Error) {
	i := w.numberEnd()
	name := lowerText(w.from0(i).String())
	for _, t := range trxUnits {
		if t.name == name {
			lo, hi, bad = scaled(w, i, t.n)
			return t.unit, lo, hi, bad
		}
	}
	if name[len(name)-1] != 'b' {
		return 0, 0, 0, w.wrong("this is neither rows, nor bytes, nor a time", "")
	}
	lo, hi, bad = parseSize(w)
	return UnitBytes, lo, hi, bad
}
