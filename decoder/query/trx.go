package query

import (
	"binlens/decoder"
	"binlens/decoder/gtid"
	"binlens/decoder/index"
	"slices"
)

// groupMatcher is for terms about the transaction that a row belongs to. Each transaction is judged once: rows come in
// their order, so it is enough to remember the last.
type groupMatcher struct {
	field   Field
	alts    []Alt
	group   uint32 // judged last
	verdict bool
	count   rowCount
}

func (t *groupMatcher) mark(c *chunk, _, maybe *mask) { maybe.between(c.columns.Group, 1, 1<<32-1) }

func (t *groupMatcher) match(x *examiner) bool {
	group := x.src.Index().Row(x.ordinal).Group
	if group == t.group {
		return t.verdict
	}
	trx := x.src.Transaction(group)
	var verdict bool
	switch t.field {
	case gtidField:
		verdict = t.hasGTID(x.decodeOther(trx.First))
	case threadField:
		id, ok := threadOf(x, group, trx)
		verdict = ok && anyOf(t.alts, uint64(id))
	default:
		verdict = t.measure(x, group, trx)
	}
	if x.again || x.err != nil {
		return false
	}
	t.group, t.verdict = group, verdict
	return verdict
}

func (t *groupMatcher) hasGTID(ev decoder.Event) bool {
	switch ev := ev.(type) {
	case *decoder.Gtid:
		return !ev.Anonymous && t.contains(gtid.GTID{TSID: gtid.TSID{UUID: ev.SID}, GNO: ev.GNO})
	case *decoder.GtidTagged:
		return t.contains(ev.GTID())
	case *decoder.MariaGtid:
		g := ev.GTID()
		return slices.ContainsFunc(t.alts, func(a Alt) bool {
			m := a.Maria
			return m != nil && m.Domain == g.Domain && m.Server == g.Server && g.Seq >= m.Lo && g.Seq <= m.Hi
		})
	}
	return false
}

func (t *groupMatcher) contains(g gtid.GTID) bool {
	return slices.ContainsFunc(t.alts, func(a Alt) bool {
		return a.Source != nil && *a.Source == g.UUID || a.Set != nil && a.Set.Contains(g.TSID, g.GNO)
	})
}

// threadOf returns the connection that a transaction ran in, as its GTID event or its first statement says it.
func threadOf(x *examiner, group uint32, trx Transaction) (id uint32, ok bool) {
	if m, is := x.decodeOther(trx.First).(*decoder.MariaGtid); is && m.FlagsExtra&decoder.GtidExtraThreadID != 0 {
		return m.ThreadID, true
	}
	at := int64(-1)
	eachRow(x.src.Index(), group, trx, func(c *index.Columns, k int, ordinal int64) bool {
		if statementTypes[c.Code[k]]&isClear[c.Flags[k]] != 0 {
			at = ordinal
		}
		return at < 0
	})
	if at < 0 || x.err != nil {
		return 0, false
	}
	q := queryOf(x.decodeOther(at))
	if q == nil {
		return 0, false
	}
	return q.ThreadID, true
}

// eachRow calls f for the rows of a transaction until it returns false.
func eachRow(x *index.Index, group uint32, trx Transaction, f func(c *index.Columns, k int, ordinal int64) bool) {
	for at := trx.First; at <= trx.Last; {
		c := x.Columns(at, trx.Last+1)
		for k, g := range c.Group {
			if g == group && !f(&c, k, at+int64(k)) {
				return
			}
		}
		at += int64(len(c.Group))
	}
}

// measure says whether the size or the state of a transaction is one of those wanted.
func (t *groupMatcher) measure(x *examiner, group uint32, trx Transaction) bool {
	var bytes, seconds uint64
	start := uint32(0)
	eachRow(x.src.Index(), group, trx, func(c *index.Columns, k int, _ int64) bool {
		if c.Flags[k]&index.InsideBit == 0 {
			bytes += uint64(c.Size[k])
		}
		if now := c.Time[k]; start == 0 {
			start = now
		} else if now > start {
			seconds = max(seconds, uint64(now-start))
		}
		return true
	})
	for i := range t.alts {
		a := &t.alts[i]
		var n uint64
		switch a.Unit {
		case UnitNumber:
			n = uint64(group)
		case UnitBytes:
			n = bytes
		case UnitSeconds:
			n = seconds
		case UnitRows:
			if n = t.count.of(x, group, trx); x.again || x.err != nil {
				return false
			}
		case UnitState:
			if trxStates[trx.State] == a.Name || trx.State == index.Implicit && a.Name == trxStates[index.Committed] {
				return true
			}
			continue
		}
		if n >= a.Lo && n <= a.Hi {
			return true
		}
	}
	return false
}

// rowCount counts the rows that the row events of a transaction hold. It goes on where time was up.
type rowCount struct {
	group uint32
	next  int64 // ordinal
	n     uint64
}

func (r *rowCount) of(x *examiner, group uint32, trx Transaction) uint64 {
	if r.group != group {
		*r = rowCount{group: group, next: trx.First}
	}
	rest := trx
	rest.First = r.next
	eachRow(x.src.Index(), group, rest, func(c *index.Columns, k int, ordinal int64) bool {
		r.next = ordinal + 1
		if rowTypes[c.Code[k]]&isClear[c.Flags[k]] == 0 {
			return true
		}
		if n, known := x.src.Index().Rows(ordinal); known {
			r.n += uint64(n)
		} else if e, ok := x.decodeOther(ordinal).(*decoder.Rows); ok {
			r.n += countRows(e, &x.reader)
		}
		x.again = x.err == nil && x.tired() && x.late()
		return x.err == nil && !x.again
	})
	return r.n
}

// trxMatcher is a groupMatcher for the terms of which the index decides some.
type trxMatcher struct {
	groupMatcher
	numbers []Alt // numbers of transactions
	none    bool  // rows outside of all
}

func newTrxMatcher(alts []Alt) matcher {
	t := &trxMatcher{groupMatcher: groupMatcher{field: trxField}}
	for _, a := range alts {
		switch {
		case a.Unit == UnitNumber:
			t.numbers = append(t.numbers, a)
		case a.Unit == UnitState && a.Name == trxStates[noTransaction]:
			t.none = true
		default:
			t.alts = append(t.alts, a)
		}
	}
	return t
}

func (t *trxMatcher) mark(c *chunk, yes, maybe *mask) {
	for _, a := range t.numbers {
		yes.between(c.columns.Group, max(a.Lo, 1), a.Hi)
	}
	if t.none {
		yes.between(c.columns.Group, 0, 0)
	}
	if len(t.alts) > 0 {
		t.groupMatcher.mark(c, yes, maybe)
	}
}
