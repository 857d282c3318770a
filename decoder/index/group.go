package index

import (
	"binlens/decoder"
)

// groupState says where in a transaction the log is.
type groupState uint8

const (
	outside groupState = iota
	opened             // behind a GTID event of MySQL: BEGIN or a single statement comes next
	single             // one statement ends it: MariaDB's standalone groups, and values before a statement
	begun              // until COMMIT, ROLLBACK, XID or XA PREPARE
	rows               // rows without BEGIN (5.1, non-transactional): until the end of the statement
)

// groups finds transactions. It is the state machine of the servers' own readers, over all families: MySQL with and
// without GTIDs, MariaDB, XA, statements outside transactions.
type groups struct {
	state groupState
	n     uint32 // transactions so far
	empty bool   // the transaction that is open has its first event only
}

// membership is what an event is to the transactions.
type membership struct {
	group       uint32
	first, last bool
	state       State // how the transaction ended, with its last event
}

// QueryKind tells what a QUERY_EVENT does to a transaction.
type QueryKind uint8

const (
	statement  QueryKind = iota
	begin                // BEGIN, XA START
	commit               // COMMIT
	rollback             // ROLLBACK
	xaCommit             // XA COMMIT: ends an open transaction or stands alone
	xaRollback           // XA ROLLBACK, the same
	definition           // as decoder.Definition; to a transaction as any statement
)

// state is how a transaction ends with the statement.
func (k QueryKind) state() State {
	switch k {
	case commit, xaCommit:
		return Committed
	case rollback, xaRollback:
		return RolledBack
	}
	return Implicit
}

func isQuery(t decoder.Type) bool {
	return t == decoder.QueryType || t == decoder.QueryCompressedType
}

// add takes the next event.
func (g *groups) add(e *Entry) membership {
	m := g.place(e)
	if m.group != 0 {
		g.empty = m.first
	}
	return m
}

func (g *groups) place(e *Entry) membership {
	switch t := e.Type; t {
	case decoder.GtidType, decoder.AnonymousGtidType, decoder.GtidTaggedType:
		return g.open(opened)
	case decoder.MariaGtidType:
		if e.Flags2&decoder.MariaGtidStandalone != 0 {
			return g.open(single)
		}
		return g.open(begun)
	case decoder.QueryType, decoder.QueryCompressedType, decoder.ExecuteLoadQueryType, decoder.LoadType, decoder.NewLoadType, decoder.ExecLoadType:
		return g.query(e.Query)
	case decoder.XidType, decoder.TransactionPayloadType:
		return g.close(Committed)
	case decoder.XaPrepareType:
		if e.Flags2 != 0 { // one_phase: XA COMMIT … ONE PHASE
			return g.close(Committed)
		}
		return g.close(Prepared)
	case decoder.IntvarType, decoder.RandType, decoder.UserVarType, decoder.BeginLoadQueryType, decoder.AppendBlockType,
		decoder.DeleteFileType, decoder.CreateFileType:
		return g.member(single)
	case decoder.TableMapType, decoder.RowsQueryType, decoder.AnnotateRowsType, decoder.PartialRowDataType:
		return g.member(rows)
	case decoder.ViewChangeType, decoder.TransactionContextType, decoder.IncidentType:
		switch {
		case g.state == outside:
			return membership{}
		case g.state == opened && t == decoder.IncidentType: // all there is behind its GTID event
			return g.close(Implicit)
		}
		return membership{group: g.n}
	}
	if e.Type.RowOp() != decoder.NoRows {
		m := g.member(rows)
		if e.Says&SaysEnd != 0 && (g.state == rows || g.state == single) {
			g.state, m.last, m.state = outside, true, Implicit
		}
		return m
	}
	return membership{}
}

func (g *groups) open(s groupState) membership {
	g.n++
	g.state = s
	return membership{group: g.n, first: true}
}

// member is for an event inside a transaction; outside, it opens one of the state given.
func (g *groups) member(s groupState) membership {
	if g.state == outside {
		return g.open(s)
	}
	return membership{group: g.n}
}

// close is for an event that ends a transaction, alone or not.
func (g *groups) close(how State) membership {
	m := g.member(single)
	g.state, m.last, m.state = outside, true, how
	return m
}

func (g *groups) query(k QueryKind) membership {
	switch {
	case k == begin && g.state == begun && !g.empty: // the one before never ended
		return g.open(begun)
	case k == begin:
		m := g.member(begun)
		g.state = begun
		return m
	case (k == statement || k == definition) && g.state == begun:
		return membership{group: g.n}
	}
	return g.close(k.state())
}

// reset is for a start of the server: what was open then was rolled back.
func (g *groups) reset() { g.state = outside }

// kindOf reads the beginning of a statement. Comparison ignores case and leading spaces.
func kindOf(text []byte) QueryKind {
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\n' || text[0] == '\t' || text[0] == '\r') {
		text = text[1:]
	}
	switch {
	case hasWord(text, "BEGIN"), hasWords(text, "XA", "START"), hasWords(text, "XA", "BEGIN"):
		return begin
	case hasWord(text, "COMMIT"):
		return commit
	case hasWord(text, "ROLLBACK") && !hasWords(text, "ROLLBACK", "TO"):
		return rollback
	case hasWords(text, "XA", "COMMIT"):
		return xaCommit
	case hasWords(text, "XA", "ROLLBACK"):
		return xaRollback
	case decoder.StatementOf(text) == decoder.Definition:
		return definition
	}
	return statement
}

// hasWord says that text starts with the word, which is in upper case, and that the word ends there.
func hasWord(text []byte, word string) bool {
	if len(text) < len(word) {
		return false
	}
	for i := range len(word) {
		c := text[i]
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	if len(text) == len(word) {
		return true
	}
	c := text[len(word)]
	return c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c < 0x80
}

func hasWords(text []byte, first, second string) bool {
	if !hasWord(text, first) {
		return false
	}
	rest := text[len(first):]
	for len(rest) > 0 && rest[0] == ' ' {
		rest = rest[1:]
	}
	return hasWord(rest, second)
}
