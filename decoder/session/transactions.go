package session

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/index"
	"binlens/decoder/query"
	"binlens/decoder/render"
	"sort"
	"strconv"
)

// TransactionOrder is what the list of transactions is ordered by; all but the first from the largest down.
type TransactionOrder uint8

// The orders.
const (
	ByNumber   TransactionOrder = iota // as they begin in the log
	ByBytes                            // in the file
	ByRows                             // changed, as far as they were counted
	ByDuration                         // seconds from the first event's timestamp to the last's
	ByEvents
)

// ranking is an order of the listed transactions, made for as many rows as there were.
type ranking struct {
	by      TransactionOrder
	rows    int64 // indexed: the last transaction may have grown by others
	counted int64 // rows surveyed, on which ByRows depends
	filter  *query.Run
	list    []uint32
}

// left is the transactions that have rows which the filter leaves, in the order of the log.
type left struct {
	filter  *query.Run
	upTo    int64 // rows of the view that are looked at
	numbers []uint32
}

// Transactions returns n transactions from place from on of an order, as JSON; with a filter, those of which it leaves rows, as far
// as it has looked:
//
//	{"total":3,"from":0,"transactions":[{"number":1,"gtid":"…","state":"committed","first":2,"last":6,"offset":…,"events":5,
//	 "bytes":310,"rows":1,"start":…,"end":…,"server":1,"thread":42,"tables":["shop.orders"],"checks":["…"]}]}
//
// Keys of what is not known are missing: gtid, server, thread; rows while they are not counted. Times are seconds UTC, of
// the first and the last event; tables has at most 20 names, "more" then says how many there are beside them.
func (s *Session) Transactions(by TransactionOrder, from, n int) []byte {
	total := s.Listed()
	dst := appendNumber(nil, `{"total":`, int64(total))
	dst = append(appendNumber(dst, `,"from":`, int64(from)), `,"transactions":[`...)
	for i := max(from, 0); i < min(from+n, total); i++ {
		if dst[len(dst)-1] == '}' {
			dst = append(dst, ',')
		}
		dst = s.appendTransaction(dst, s.ranked(by, i))
	}
	return append(dst, "]}"...)
}

// Transaction returns one transaction as JSON, as in Transactions; ErrNoRow when there is none of the number.
func (s *Session) Transaction(number uint32) ([]byte, error) {
	if number == 0 || number > s.Index().Groups() {
		return nil, ErrNoRow
	}
	return s.appendTransaction(nil, number), nil
}

// Listed returns how many transactions Transactions lists.
func (s *Session) Listed() int {
	if s.filter == nil {
		return int(s.Index().Groups())
	}
	return len(s.numbersLeft())
}

// numbersLeft returns the transactions of which the filter leaves rows.
func (s *Session) numbersLeft() []uint32 {
	l, v, x := &s.left, s.View(), s.Index()
	if l.filter != s.filter {
		*l = left{filter: s.filter}
	}
	for n := v.Count(x.Len()); l.upTo < n; {
		group := x.Row(v.Select(l.upTo)).Group
		if group == 0 {
			l.upTo++
			continue
		}
		if k := len(l.numbers); k == 0 || l.numbers[k-1] != group { // else it has grown since
			l.numbers = append(l.numbers, group)
		}
		l.upTo = v.Rank(x.Transaction(group).Last + 1)
	}
	return l.numbers
}

// Place returns where in an order a transaction stands, from 0; -1 when it is not listed.
func (s *Session) Place(by TransactionOrder, number uint32) int {
	if by == ByNumber && s.filter == nil {
		return int(number) - 1
	}
	for i := range s.Listed() {
		if s.ranked(by, i) == number {
			return i
		}
	}
	return -1
}

// ranked returns the transaction at a place of an order.
func (s *Session) ranked(by TransactionOrder, i int) uint32 {
	if by == ByNumber && s.filter == nil {
		return uint32(i) + 1
	}
	if by == ByNumber {
		return s.numbersLeft()[i]
	}
	r := &s.ranking
	if rows := s.Index().Len(); r.by != by || r.rows != rows || by == ByRows && r.counted != s.survey.at || r.filter != s.filter || len(r.list) != s.Listed() {
		*r = ranking{by: by, rows: rows, counted: s.survey.at, filter: s.filter, list: s.rank(by)}
	}
	return r.list[i]
}

// rank orders the listed transactions. Equal ones stay in the order of the log.
func (s *Session) rank(by TransactionOrder) []uint32 {
	x := s.Index()
	n := s.Listed()
	keys, list := make([]uint64, n), make([]uint32, n)
	for k := range n {
		list[k] = s.ranked(ByNumber, k)
		t := x.Transaction(list[k])
		switch by {
		case ByBytes:
			from, to := x.Span(t)
			keys[k] = uint64(to - from)
		case ByRows:
			keys[k], _ = x.Changed(t)
		case ByDuration:
			first, last := x.Row(t.First).Time, x.Row(t.Last).Time
			keys[k] = uint64(max(int64(last)-int64(first), 0))
		case ByEvents:
			keys[k] = uint64(t.Last - t.First + 1)
		}
	}
	sortDown(keys, list)
	return list
}

// sortDown sorts list by keys from the largest down, in passes of one byte each: stable, and fast for millions. keys[i]
// belongs to list[i] before; afterwards keys are in order too.
func sortDown(keys []uint64, list []uint32) {
	all := uint64(0)
	for _, k := range keys {
		all |= k
	}
	keys2, list2 := make([]uint64, len(keys)), make([]uint32, len(list))
	for shift := 0; all>>shift != 0 && shift < 64; shift += 8 {
		var at [256]int
		for _, k := range keys {
			at[255-k>>shift&255]++
		}
		sum := 0
		for i, n := range at {
			at[i], sum = sum, sum+n
		}
		for i, k := range keys {
			b := 255 - k>>shift&255
			keys2[at[b]], list2[at[b]] = k, list[i]
			at[b]++
		}
		copy(keys, keys2)
		copy(list, list2)
	}
}

// maxTables is how many tables of a transaction are named.
const maxTables = 20

func (s *Session) appendTransaction(dst []byte, number uint32) []byte {
	x := s.Index()
	t := x.Transaction(number)
	first, last := x.Row(t.First), x.Row(t.Last)
	from, to := x.Span(t)
	dst = appendNumber(dst, `{"number":`, int64(number))
	if g := s.gtidOf(first); g != "" {
		dst = render.AppendString(append(dst, `,"gtid":`...), g)
	}
	dst = render.AppendString(append(dst, `,"state":`...), t.State.String())
	dst = appendNumber(dst, `,"first":`, t.First)
	dst = appendNumber(dst, `,"last":`, t.Last)
	dst = appendNumber(dst, `,"offset":`, from)
	dst = appendNumber(dst, `,"events":`, t.Last-t.First+1)
	dst = appendNumber(dst, `,"bytes":`, to-from)
	if n, all := x.Changed(t); all && s.survey.at > t.Last {
		dst = appendNumber(dst, `,"rows":`, int64(n))
	}
	dst = appendNumber(dst, `,"start":`, int64(first.Time))
	dst = appendNumber(dst, `,"end":`, int64(last.Time))
	if first.HasServer {
		dst = appendNumber(dst, `,"server":`, int64(first.Server))
	}
	if thread, ok := s.threadOf(t); ok {
		dst = appendNumber(dst, `,"thread":`, int64(thread))
	}
	dst = s.appendTables(dst, t)
	return append(s.appendChecks(dst, number), '}')
}

// gtidOf returns the GTID of a transaction's first event as text, empty when it is no GTID event or cannot be read.
func (s *Session) gtidOf(row index.Row) string {
	switch row.Type {
	case decoder.GtidType, decoder.GtidTaggedType, decoder.MariaGtidType, decoder.AnonymousGtidType:
	default:
		return ""
	}
	e, err := s.load(row.Ordinal, false, false)
	if err != nil || e.Bad != nil {
		return ""
	}
	return string(e.AppendSummary(nil))
}

// threadLook is how far into a transaction its connection is looked for: BEGIN comes behind the GTID event, or inside the
// payload behind it.
const threadLook = 8

// threadOf returns the connection that ran a transaction, from its first statement or MariaDB's GTID event.
func (s *Session) threadOf(t index.Transaction) (uint32, bool) {
	for i := t.First; i <= min(t.Last, t.First+threadLook); i++ {
		row := s.Index().Row(i)
		if row.Kind != frame.Event {
			continue
		}
		switch row.Type {
		case decoder.QueryType, decoder.QueryCompressedType, decoder.ExecuteLoadQueryType, decoder.LoadType, decoder.NewLoadType,
			decoder.CreateFileType, decoder.MariaGtidType:
		default:
			continue
		}
		e, err := s.load(i, false, false)
		if err != nil || e.Bad != nil {
			continue
		}
		if thread, ok := decoder.ThreadOf(e.Event); ok {
			return thread, true
		}
	}
	return 0, false
}

// appendTables names the tables whose rows a transaction changes, in the order it does.
func (s *Session) appendTables(dst []byte, t index.Transaction) []byte {
	x := s.Index()
	var names []string
	met := map[uint32]bool{}
	more := 0
	for i := t.First; i <= t.Last; i++ {
		row := x.Row(i)
		if row.Table == 0 || row.Type == decoder.TableMapType || met[row.Table] {
			continue
		}
		met[row.Table] = true
		if len(names) == maxTables {
			more++
			continue
		}
		m, err := s.tableMap(row.Table)
		if err != nil {
			continue
		}
		schema, name := render.TableName(m.Schema, m.Table)
		if full := schema + "." + name; !contains(names, full) {
			names = append(names, full)
		}
	}
	dst = append(dst, `,"tables":[`...)
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = render.AppendString(dst, name)
	}
	if dst = append(dst, ']'); more > 0 {
		dst = appendNumber(dst, `,"more":`, int64(more))
	}
	return dst
}

func contains(list []string, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}

// appendChecks appends what does not hold of a transaction; nothing when all does, as far as it was looked at.
func (s *Session) appendChecks(dst []byte, number uint32) []byte {
	list := s.survey.checks.list
	i := sort.Search(len(list), func(i int) bool { return list[i].Transaction >= number })
	if i == len(list) || list[i].Transaction != number {
		return dst
	}
	dst = append(dst, `,"checks":`...)
	sep := byte('[')
	for ; i < len(list) && list[i].Transaction == number; i++ {
		dst = render.AppendString(append(dst, sep), list[i].Text)
		sep = ','
	}
	return append(dst, ']')
}

// Checks returns n of the checks that failed from number from on, as JSON: {"total":2,"from":0,"checks":[{"ordinal":7,
// "transaction":1,"text":"…"}]}.
func (s *Session) Checks(from, n int) []byte {
	c := &s.survey.checks
	dst := appendNumber(nil, `{"total":`, c.found)
	dst = append(appendNumber(dst, `,"from":`, int64(from)), `,"checks":[`...)
	for i := max(from, 0); i < min(from+n, len(c.list)); i++ {
		if dst[len(dst)-1] == '}' {
			dst = append(dst, ',')
		}
		dst = appendNumber(dst, `{"ordinal":`, c.list[i].Ordinal)
		dst = strconv.AppendUint(append(dst, `,"transaction":`...), uint64(c.list[i].Transaction), 10)
		dst = append(render.AppendString(append(dst, `,"text":`...), c.list[i].Text), '}')
	}
	return append(dst, "]}"...)
}
