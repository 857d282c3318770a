package session

import (
	"binlens/decoder"
	"binlens/decoder/frame"
)

// ending is how a transaction ends.
type ending uint8

const (
	endOpen       ending = iota // not in this log
	endCommitted                // by COMMIT or XID, or as a statement that commits itself
	endRolledBack               // by ROLLBACK: what it did to tables without transactions stays
	endPrepared                 // by XA PREPARE
	endTakenBack                // by XA PREPARE, and later in the log by XA ROLLBACK: nothing of it is left
)

// endingOf finds how the transaction of a row ends: it goes on to the last of its rows.
func (s *Session) endingOf(ordinal int64) (e ending, last int64) {
	x := s.Index()
	group := x.Row(ordinal).Group
	if group == 0 {
		return endCommitted, ordinal
	}
	last = ordinal
	for i := ordinal; i < x.Len(); i++ {
		row := x.Row(i)
		if row.Group != group && row.Group != 0 {
			break
		}
		if row.Group == 0 {
			continue
		}
		if last = i; row.Last && row.Payload < 0 {
			return s.endedBy(i), i
		}
	}
	// Rows inside a payload follow the row that ends their transaction.
	if row := x.Row(ordinal); row.Payload >= 0 {
		return endCommitted, last
	}
	return endOpen, last
}

// endedBy tells the ending by the row that makes it.
func (s *Session) endedBy(ordinal int64) ending {
	row := s.Index().Row(ordinal)
	switch {
	case row.Kind != frame.Event:
		return endOpen
	case row.Type == decoder.XaPrepareType:
		if e, err := s.load(ordinal, false, true); err == nil {
			if p, ok := e.Event.(*decoder.XaPrepare); ok && p.OnePhase != 0 {
				return endCommitted
			}
		}
		return endPrepared
	case row.Type == decoder.QueryType || row.Type == decoder.QueryCompressedType:
		if e, err := s.load(ordinal, false, true); err == nil {
			if q, ok := e.Event.(*decoder.Query); ok && verbOf(q.Text) == verbRollback {
				return endRolledBack
			}
		}
	}
	return endCommitted
}

// firstOf returns the first row of a transaction, looking back from one of its rows.
func (s *Session) firstOf(ordinal int64) int64 {
	x := s.Index()
	group := x.Row(ordinal).Group
	first := ordinal
	for i := ordinal; i >= 0; i-- {
		row := x.Row(i)
		if row.Group != group && row.Group != 0 {
			break
		}
		if row.Group == group {
			first = i
		}
		if row.First && row.Group == group {
			break
		}
	}
	return first
}

// verb is what a statement does to transactions, or to tables.
type verb uint8

const (
	verbOther verb = iota
	verbBegin
	verbCommit
	verbRollback
	verbSavepoint
	verbRollbackTo
	verbXA
	verbDDL
	verbQuiet // changes nothing that could be undone
)

// verbs are the beginnings of statements. The first that fits counts.
var verbs = [...]struct {
	words string
	verb  verb
}{
	{"BEGIN", verbBegin}, {"START TRANSACTION", verbBegin}, {"COMMIT", verbCommit}, {"ROLLBACK TO", verbRollbackTo},
	{"ROLLBACK", verbRollback}, {"SAVEPOINT", verbSavepoint}, {"RELEASE", verbSavepoint}, {"XA", verbXA},
	{"CREATE", verbDDL}, {"ALTER", verbDDL}, {"DROP", verbDDL}, {"RENAME", verbDDL}, {"TRUNCATE", verbDDL},
	{"FLUSH", verbQuiet}, {"ANALYZE", verbQuiet}, {"OPTIMIZE", verbQuiet}, {"REPAIR", verbQuiet}, {"CHECK", verbQuiet},
}

// verbOf reads the beginning of a statement. Comments before it are passed over.
func verbOf(text []byte) verb {
	for {
		for len(text) > 0 && text[0] <= ' ' {
			text = text[1:]
		}
		if len(text) < 4 || text[0] != '/' || text[1] != '*' || text[2] == '!' {
			break
		}
		end := 2
		for end+1 < len(text) && (text[end] != '*' || text[end+1] != '/') {
			end++
		}
		text = text[min(end+2, len(text)):]
	}
	for _, v := range verbs {
		if startsWith(text, v.words) {
			return v.verb
		}
	}
	return verbOther
}

// startsWith compares words, in capitals, without regard to case.
func startsWith(text []byte, words string) bool {
	if len(text) < len(words) {
		return false
	}
	for i := range len(words) {
		c := text[i]
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		if c != words[i] {
			return false
		}
	}
	return len(text) == len(words) || text[len(words)] <= ' ' || text[len(words)] == ';' || text[len(words)] == '/'
}
