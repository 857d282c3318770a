package index

import "binlens/decoder"

// State says how a transaction ends in the log.
type State uint8

// The states.
const (
	Open       State = iota // it does not: the log ends inside, or another begins, or the server was started anew
	Committed               // XID, COMMIT, XA COMMIT, or all of it in a payload
	RolledBack              // ROLLBACK, XA ROLLBACK: it was logged since it changed tables without transactions
	Prepared                // XA PREPARE: an XA COMMIT or XA ROLLBACK elsewhere decides
	Implicit                // a single statement, DDL or rows without BEGIN: nothing ends it but itself
)

var stateNames = [...]string{"open", "committed", "rolled back", "prepared", "implicit"}

// String returns the state in words.
func (s State) String() string { return stateNames[s] }

// groupSlab has the facts of 16384 transactions, without pointers.
const groupSlabLen = 1 << 14

type groupSlab struct {
	first [groupSlabLen]uint32 // ordinal of the first row, low bits
	state [groupSlabLen]State
}

// groupList has where transactions begin and how they end: 5 bytes each.
type groupList struct {
	slabs []*groupSlab
	n     uint32
	high  []uint32 // numbers of the transactions from which the ordinals are 2^32, 2 × 2^32, … more
}

// open adds a transaction.
func (l *groupList) open(first int64) {
	if l.n%groupSlabLen == 0 {
		l.slabs = append(l.slabs, new(groupSlab))
	}
	for int64(len(l.high)) < first>>32 {
		l.high = append(l.high, l.n)
	}
	l.slabs[l.n/groupSlabLen].first[l.n%groupSlabLen] = uint32(first)
	l.n++
}

// close says how the last transaction ended.
func (l *groupList) close(how State) {
	if l.n > 0 {
		l.slabs[(l.n-1)/groupSlabLen].state[(l.n-1)%groupSlabLen] = how
	}
}

func (l *groupList) first(k uint32) int64 {
	high := int64(0)
	for _, from := range l.high {
		if k >= from {
			high++
		}
	}
	return high<<32 | int64(l.slabs[k/groupSlabLen].first[k%groupSlabLen])
}

// Transaction is what the index knows of one.
type Transaction struct {
	Number      uint32 // from 1, in the order they begin
	First, Last int64  // ordinals of its first and last row so far; rows inside payloads count
	State       State
}

// Groups returns the number of transactions.
func (x *Index) Groups() uint32 { return x.groups.n }

// Transaction returns transaction number n, from 1 to Groups.
func (x *Index) Transaction(n uint32) Transaction {
	t := Transaction{Number: n, First: x.groups.first(n - 1), State: x.groups.slabs[(n-1)/groupSlabLen].state[(n-1)%groupSlabLen]}
	end := x.n
	if n < x.groups.n {
		end = x.groups.first(n)
	}
	for t.Last = end - 1; t.Last > t.First && x.slabs[t.Last>>16].group[t.Last&(slabRows-1)] != n; {
		t.Last--
	}
	return t
}

// Span returns the bytes of the file from the first of a transaction to behind the last.
func (x *Index) Span(t Transaction) (from, to int64) {
	last := t.Last
	if x.slabs[last>>16].flags[last&(slabRows-1)]&flagInside != 0 {
		last = x.payloadOf(last)
	}
	return x.offset(t.First), x.offset(last) + int64(x.slabs[last>>16].size[last&(slabRows-1)])
}

// Changed returns how many rows a transaction changes; all is false when some of its row events were not counted.
func (x *Index) Changed(t Transaction) (n uint64, all bool) {
	all = true
	for i := t.First; i <= t.Last; i++ {
		if !holdsRows(decoder.Type(x.slabs[i>>16].code[i&(slabRows-1)])) {
			continue
		}
		rows, known := x.Rows(i)
		n += uint64(rows)
		all = all && known
	}
	return n, all
}
