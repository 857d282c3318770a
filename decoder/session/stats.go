package session

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/index"
	"binlens/decoder/wire"
	"slices"
	"sort"
)

// Stats are the figures of a log, or of some rows of its list. Events, bytes, tables, minutes and problems are those of the rows
// counted. Transactions are those that have a row counted, and they are counted whole, as are their GTIDs and failed checks; of
// a row event all rows of its table are, whichever of them a filter was about.
//
// As JSON its keys stay what they are; more may come.
type Stats struct {
	Size          int64  `json:"size"`   // of the file, bytes
	Family        string `json:"family"` // "mysql" or "mariadb"
	ServerVersion string `json:"server_version"`
	BinlogVersion int    `json:"binlog_version"`
	Checksum      string `json:"checksum"` // "CRC32" or "NONE"
	State         string `json:"state"`    // how the log ends: see [Summary]

	Listed  int64  `json:"listed"`  // rows of the list
	Counted int64  `json:"counted"` // of which these are counted
	First   uint32 `json:"first"`   // smallest and largest time of an event counted, seconds UTC; 0 none
	Last    uint32 `json:"last"`
	Events  int64  `json:"events"` // counted outside of payloads, and their bytes
	Bytes   int64  `json:"bytes"`

	Types    []TypeStats   `json:"types"`    // from the most bytes down
	Inside   SizeStats     `json:"inside"`   // rows inside transaction payloads, whose events are among Types; bytes are decompressed ones
	NoEvents []TypeStats   `json:"noevents"` // rows of the file that are no events: "gap", "padding", "truncated"
	Servers  []ServerStats `json:"servers"`
	Tables   []TableStats  `json:"tables"` // from the most bytes down
	Busy     BusyStats     `json:"busy"`

	Transactions TransactionStats `json:"transactions"`
	GTIDs        GTIDStats        `json:"gtids"`
	Problems     ProblemStats     `json:"problems"`
	Checks       CheckStats       `json:"checks"`
}

// SizeStats is a number of events, and their bytes.
type SizeStats struct {
	Events int64 `json:"events"`
	Bytes  int64 `json:"bytes"`
}

// TypeStats are the events of a type.
type TypeStats struct {
	Type string `json:"type"` // as in the event JSON; ENCRYPTED_EVENT where only the size is known
	SizeStats
}

// ServerStats are the events of a server_id.
type ServerStats struct {
	ServerID uint32 `json:"server_id"`
	SizeStats
}

// TableStats is what happened to a table.
type TableStats struct {
	Schema string `json:"schema"`
	Table  string `json:"table"`
	SizeStats
	Inserted  int64  `json:"inserted"` // rows
	Updated   int64  `json:"updated"`
	Deleted   int64  `json:"deleted"`
	Uncounted int64  `json:"uncounted"` // row events whose rows could not be counted: too large, damaged
	First     uint32 `json:"first"`     // times of its row events, seconds UTC
	Last      uint32 `json:"last"`
}

// BusyStats are the stretches of time with the most bytes, from the most down.
type BusyStats struct {
	Seconds int64       `json:"seconds"` // of each: a whole number of minutes
	List    []BusyTimes `json:"list"`
}

// BusyTimes is such a stretch.
type BusyTimes struct {
	From uint32 `json:"from"` // seconds UTC
	SizeStats
}

// TransactionStats are the transactions that have a row counted.
type TransactionStats struct {
	Total   int64              `json:"total"`
	States  map[string]int64   `json:"states"` // by how they end
	Largest []TransactionFacts `json:"largest"`
	Most    []TransactionFacts `json:"most_rows"`
	Longest []TransactionFacts `json:"longest"`
}

// ProblemStats are the rows with a problem.
type ProblemStats struct {
	Rows  int64            `json:"rows"`
	Kinds map[string]int64 `json:"kinds"` // of those whose reason is kept
	List  []ProblemFacts   `json:"list"`  // the first of them
}

// ProblemFacts is the first problem of a row.
type ProblemFacts struct {
	Ordinal int64  `json:"ordinal"`
	Offset  int64  `json:"offset"` // in the file; inside a payload, in decompressed bytes
	Type    string `json:"type"`
	Kind    string `json:"kind"`
	Path    string `json:"path,omitempty"`
	Reason  string `json:"reason"`
}

// CheckStats are the checks of transactions that failed.
type CheckStats struct {
	Total int64        `json:"total"`
	List  []CheckFacts `json:"list"` // the first of them
}

// CheckFacts is one of them.
type CheckFacts struct {
	Ordinal     int64  `json:"ordinal"`
	Transaction uint32 `json:"transaction"`
	Text        string `json:"text"`
}

// statsRun counts.
type statsRun struct {
	s        *Session
	counts   counts
	sel      Selection
	inside   Count
	kinds    [frame.Truncated + 1]Count
	file     Count // events outside of payloads
	selected int64
	times    [2]uint32
	busy     busy
	bad      int64    // rows that indexing found a problem of
	groups   []uint32 // transactions with a row counted, in order
}

// Stats counts the rows of a selection, all when it is nil. The log must be indexed and surveyed to its end. Lists of
// transactions, stretches of time, problems and checks have at most top entries. Problems are those of events and of the way in
// which their rows are split into cells; values are not looked at, which takes a filter.
func (s *Session) Stats(sel Selection, top int) (*Stats, error) {
	all := sel == nil
	if all {
		sel = s.All()
	}
	r := &statsRun{s: s, sel: sel}
	r.busy.init(s.Index().Times())
	for ordinal, ok := sel.Next(0); ok; ordinal, ok = sel.Next(ordinal + 1) {
		if err := r.add(ordinal); err != nil {
			return nil, err
		}
	}
	if all {
		r.times[0], r.times[1] = s.Index().Times()
	}
	return r.stats(top), nil
}

// add counts a row.
func (r *statsRun) add(ordinal int64) error {
	s := r.s
	row := s.Index().Row(ordinal)
	r.selected++
	if row.Problem {
		r.bad++
	}
	if row.Payload >= 0 {
		r.inside.add(row.Size)
	} else if row.Kind != frame.Event {
		r.kinds[row.Kind].add(row.Size)
	}
	if row.Kind != frame.Event {
		return nil
	}
	if n := len(r.groups); row.Group > 0 && (n == 0 || r.groups[n-1] != row.Group) {
		r.groups = append(r.groups, row.Group)
	}
	ch := changes{op: row.Type.RowOp()}
	if ch.n, ch.known = s.Index().Rows(ordinal); row.Type == decoder.PartialRowDataType {
		ch = s.countRows(row)
	}
	r.counts.add(s, row, ch)
	if row.Payload < 0 {
		r.file.add(row.Size)
		r.busy.add(row)
	}
	if row.Time != 0 {
		if r.times[0] == 0 || row.Time < r.times[0] {
			r.times[0] = row.Time
		}
		r.times[1] = max(r.times[1], row.Time)
	}
	return r.examine(row)
}

// examine finds the problems of events that the survey has not read.
func (r *statsRun) examine(row index.Row) error {
	if row.Cipher || row.Problem || row.Type.RowOp() != decoder.NoRows || row.Type == decoder.PartialRowDataType {
		return nil
	}
	e, err := r.s.load(row.Ordinal, false, false)
	if err == nil && !e.Large {
		r.s.note(e)
	}
	if row.Payload >= 0 { // what is wrong with the payload is said at its own row
		return nil
	}
	return err
}

func (r *statsRun) stats(top int) *Stats {
	s := r.s
	sum := s.Summary()
	slices.Sort(r.groups)
	r.groups = slices.Compact(r.groups)
	return &Stats{Size: s.size, Family: sum.Family, ServerVersion: sum.ServerVersion, BinlogVersion: sum.BinlogVersion, Checksum: sum.Checksum, State: sum.State,
		Listed: s.Index().Len(), Counted: r.selected, First: r.times[0], Last: r.times[1],
		Events: r.file.Events, Bytes: r.file.Bytes,
		Types: r.types(), Inside: SizeStats(r.inside), NoEvents: r.noEvents(), Servers: r.servers(), Tables: r.tables(), Busy: r.busy.stats(top),
		Transactions: r.transactions(top), GTIDs: r.gtids(), Problems: r.problems(top), Checks: r.checks(top)}
}

func (r *statsRun) types() []TypeStats {
	list := []TypeStats{}
	for code, c := range r.counts.types {
		if c.Events > 0 {
			list = append(list, TypeStats{decoder.Type(code).String(), SizeStats(c)})
		}
	}
	if c := r.counts.encrypted; c.Events > 0 {
		list = append(list, TypeStats{"ENCRYPTED_EVENT", SizeStats(c)})
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Bytes > list[j].Bytes })
	return list
}

func (r *statsRun) noEvents() []TypeStats {
	list := []TypeStats{}
	for kind, c := range r.kinds {
		if c.Events > 0 {
			list = append(list, TypeStats{frame.Kind(kind).String(), SizeStats(c)})
		}
	}
	return list
}

func (r *statsRun) servers() []ServerStats {
	list := []ServerStats{}
	for _, id := range r.s.Index().Servers() {
		if c := r.counts.servers[id]; c != nil {
			list = append(list, ServerStats{id, SizeStats(*c)})
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Bytes > list[j].Bytes })
	return list
}

func (r *statsRun) tables() []TableStats {
	list := []TableStats{}
	for i := range r.counts.tables {
		t := &r.counts.tables[i]
		list = append(list, TableStats{t.Schema, t.Name, SizeStats{t.Events, t.Bytes}, t.Rows[0], t.Rows[1], t.Rows[2], t.Unknown, t.First, t.Last})
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Bytes > list[j].Bytes })
	return list
}

func (r *statsRun) transactions(top int) TransactionStats {
	x := r.s.Index()
	t := TransactionStats{Total: int64(len(r.groups)), States: map[string]int64{}}
	bytes, rows, seconds := ranks{top: top}, ranks{top: top}, ranks{top: top}
	for _, number := range r.groups {
		trx := x.Transaction(number)
		t.States[trx.State.String()]++
		from, to := x.Span(trx)
		bytes.add(number, uint64(to-from))
		n, _ := x.Changed(trx)
		rows.add(number, n)
		seconds.add(number, uint64(max(int64(x.Row(trx.Last).Time)-int64(x.Row(trx.First).Time), 0)))
	}
	t.Largest, t.Most, t.Longest = bytes.facts(r.s), rows.facts(r.s), seconds.facts(r.s)
	return t
}

// ranks keeps the transactions with the largest keys above 0; of equal ones, the first.
type ranks struct {
	top  int
	list []rank
}

type rank struct {
	number uint32
	key    uint64
}

func (r *ranks) add(number uint32, key uint64) {
	i := sort.Search(len(r.list), func(i int) bool { return r.list[i].key < key })
	if i >= r.top || key == 0 {
		return
	}
	r.list = slices.Insert(r.list[:min(len(r.list), r.top-1)], i, rank{number, key})
}

func (r *ranks) facts(s *Session) []TransactionFacts {
	list := []TransactionFacts{}
	for _, k := range r.list {
		list = append(list, s.factsOf(k.number))
	}
	return list
}

func (r *statsRun) problems(top int) ProblemStats {
	p := ProblemStats{Rows: r.bad, Kinds: map[string]int64{}, List: []ProblemFacts{}}
	walk := problemWalk{s: r.s, later: r.s.badRows}
	for ordinal, kind, ok := walk.next(); ok; ordinal, kind, ok = walk.next() {
		if at, ok := r.sel.Next(ordinal); !ok || at != ordinal {
			continue
		}
		if !r.s.Index().Row(ordinal).Problem {
			p.Rows++
		}
		p.Kinds[kind.String()]++
		if len(p.List) < top {
			p.List = append(p.List, r.problem(ordinal, kind))
		}
	}
	return p
}

func (r *statsRun) problem(ordinal int64, kind wire.Kind) ProblemFacts {
	row, bad := r.s.Index().Row(ordinal), r.s.problemOf(ordinal)
	f := ProblemFacts{Ordinal: ordinal, Offset: bad.Offset, Type: row.Kind.String(), Kind: kind.String(), Path: bad.Path, Reason: bad.Reason}
	if row.Kind == frame.Event {
		f.Type = row.Type.String()
	}
	return f
}

func (r *statsRun) checks(top int) CheckStats {
	c := CheckStats{List: []CheckFacts{}}
	found := &r.s.survey.checks
	for _, k := range found.list {
		if _, ok := slices.BinarySearch(r.groups, k.Transaction); !ok {
			continue
		}
		if c.Total++; len(c.List) < top {
			c.List = append(c.List, CheckFacts(k))
		}
	}
	if c.Total == int64(len(found.list)) {
		c.Total = found.found
	}
	return c
}
