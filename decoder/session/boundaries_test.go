package session_test

import (
	"binlens/decoder/index"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// textTransactions are the transactions of a log as a grammar over the letters, after the rules of the servers' replicas: the
// first that fits wins, so that a transaction is unfinished only when nothing ends it.
var textTransactions = regexp.MustCompile(strings.Join([]string{
	`G[vmVo]*B[qvmwWVIo]*[CXRPpcrZ]`, // MySQL with GTIDs
	`G[vVo]*[qCXRPpcrZI]`,            //   a statement alone, a payload, an incident
	`TB?[qvmwWVIo]*[CXRPpcr]`,        // MariaDB
	`S[vmwo]*[qWCXRPpcr]`,            //   a statement alone
	`(?:v[vo]*)?B[qvmwWVIo]*[CXRPpcrZ]`,
	`(?:v[vo]*)?[qCXRPpcrZ]`,
	`m[mwo]*W`,                   // rows without BEGIN
	`G[vmVo]*(?:B[qvmwWVIo]*)?`,  // what nothing ends
	`TB?[qvmwWVIo]*`, `S[vmwo]*`, //
	`(?:v[vo]*)?B[qvmwWVIo]*`,      //
	`v[vo]*`, `m[mwo]*`, `w[mwo]*`, //
}, "|"))

var textStates = map[byte]index.State{
	letterCommit: index.Committed, letterXid: index.Committed, letterOnePhase: index.Committed, letterXACommit: index.Committed, letterPayload: index.Committed,
	letterRollback: index.RolledBack, letterXARoll: index.RolledBack, letterPrepare: index.Prepared,
	letterQuery: index.Implicit, letterRowsEnd: index.Implicit, letterIncident: index.Implicit,
}

// textTransaction is what the text says of one.
type textTransaction struct {
	first, last int64 // where its first and its last event stand
	end         int64 // where the event behind it stands; -1 when none is printed
	state       index.State
	letters     string
}

// transactionsOf reads the transactions off the events of a text.
func transactionsOf(events []textEvent) (list []textTransaction) {
	letters := make([]byte, len(events))
	for i, e := range events {
		letters[i] = e.letter
	}
	for _, m := range textTransactions.FindAllIndex(letters, -1) {
		from, to := m[0], m[1]
		t := textTransaction{end: -1, state: textStates[letters[to-1]]}
		if !complete(letters[from:to]) {
			t.state = index.Open
			for letters[to-1] == letterOutside {
				to--
			}
		}
		if inside := events[to-1].inside; inside != nil {
			t.state = textStates[inside[len(inside)-1]]
		}
		t.first, t.last, t.letters = events[from].at, events[to-1].at, string(letters[from:to])
		if to < len(events) {
			t.end = events[to].at
		}
		list = append(list, t)
	}
	return list
}

// complete says that a match of the grammar is one of a transaction that ends.
func complete(letters []byte) bool {
	switch letters[len(letters)-1] {
	case letterCommit, letterXid, letterRollback, letterPrepare, letterOnePhase, letterXACommit, letterXARoll, letterPayload:
		return true
	case letterQuery:
		return !bytes.ContainsAny(letters, "BT")
	case letterRowsEnd:
		return letters[0] == letterMap || letters[0] == letterAlone
	case letterIncident:
		return letters[0] == letterGtid && !bytes.ContainsAny(letters, "B")
	}
	return false
}

// toolTexts returns the texts of the servers' tools, each with its log, below the folder that the project stands in.
func toolTexts(t *testing.T) (texts [][2]string) {
	t.Helper()
	shared(t, "corpus/README.md")
	corpus := filepath.Join(root(t), "..", "shared", "corpus")
	names, err := filepath.Glob(filepath.Join(corpus, "expected", "*.mariadb-binlog-10.11.txt*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		log, _, _ := strings.Cut(filepath.Base(n), ".mariadb-binlog-10.11.txt")
		texts = append(texts, [2]string{filepath.Join(corpus, "files", log), n})
	}
	for _, l := range mysqlbinlogTexts {
		if !strings.Contains(l.text, "base64") {
			texts = append(texts, [2]string{filepath.Join(corpus, l.log), filepath.Join(corpus, l.text)})
		}
	}
	own, err := filepath.Glob(filepath.Join(root(t), "testdata", "mariadb", "*.mariadb-binlog.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range own {
		texts = append(texts, [2]string{strings.TrimSuffix(n, ".mariadb-binlog.txt") + ".binlog", n})
	}
	return texts
}

func readMaybeGzip(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err == nil && strings.HasSuffix(name, ".gz") {
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(b)); err == nil {
			b, err = io.ReadAll(z)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// toolDiffers are the texts that do not tell the transactions of their log, or not all of them: how they differ, and why.
var toolDiffers = map[string]struct {
	why   string
	lines []string
}{
	"ma10.6.26_mdev-39404-binlog.000001.mariadb-binlog-10.11.txt": {"the tool stops at the GTID, whose checksum is wrong",
		[]string{"1: 256-256 open; the text has none"}},
	"my3.23.32_master-bin.001.mariadb-binlog-10.11.txt": {"the tool was stopped, it does not read version 1", nil},
	"my5.0.46_corrupt-relay-bin.000624.mariadb-binlog-10.11.txt": {"the tool does not know the damaged query to be one",
		[]string{"241: 91117-91204 open; the text has 91117-91176 open"}},
	"my5.1.15_bug32407.001.mariadb-binlog-10.11.txt": {"of the row events of 5.1 before its release the tool does not print that they end their statement",
		[]string{"2: 203-242 implicit; the text has 203-315 open", "3: 276-315 implicit; the text has none"}},
	"my5.2.2_ver_5_1-wl2325_r.001.mariadb-binlog-10.11.txt": {"a test tree in which the codes from 16 on are TABLE_MAP, the three row events, XID, BEGIN_LOAD_QUERY and EXECUTE_LOAD_QUERY; the tool takes them for others",
		[]string{"4: 428-466 implicit; the text has 428-428 committed", "5: 511-549 implicit; the text has 466-511 committed",
			"6: 612-650 implicit; the text has 612-612 committed"}},
	"my5.2.2_ver_5_1-wl2325_s.001.mariadb-binlog-10.11.txt": {"the same",
		[]string{"1: 102-411 committed; the text has 102-131969 open", "2: 438-480 implicit; the text has none", "3: 577-612 implicit; the text has none",
			"4: 725-753 implicit; the text has none", "5: 874-149656 implicit; the text has none"}},
	"my5.7.23_mysqlcdc_mysql-bin.000001.mariadb-binlog-10.11.txt": {"the tool stops at a JSON column", nil},
	"my8.0.22_json.binlog.000001.mariadb-binlog-10.11.txt":        {"the tool stops at a JSON column", nil},
	"my9.0.0_rpl_vector_binlog.000001.mariadb-binlog-10.11.txt":   {"the tool stops at a VECTOR column", nil},
	"my9.0.1_json-opaque.binlog.mariadb-binlog-10.11.txt":         {"the tool stops at a JSON column", nil},
	"my9.0.1_vector.binlog.mariadb-binlog-10.11.txt":              {"the tool stops at a VECTOR column", nil},
	"my9.6.0_binlog_transaction_with_GTID_TAG.000001.mariadb-binlog-10.11.txt": {"the tool does not know a tagged GTID to be one",
		[]string{"1: 245-510 committed; the text has 328-510 committed"}},
	"temporals_hires.mariadb-binlog.txt": {"the tool stops at a column of MariaDB 5.3", nil},
}

// boundary writes a transaction as the table above does.
func (t textTransaction) String() string { return fmt.Sprintf("%d-%d %v", t.first, t.last, t.state) }

// indexed returns the transactions of a log as the index has them.
func indexed(s *session.Session) (list []textTransaction) {
	x := s.Index()
	for n := uint32(1); n <= x.Groups(); n++ {
		tr := x.Transaction(n)
		last := x.Row(tr.Last)
		if last.Payload >= 0 {
			last = x.Row(last.Payload)
		}
		_, end := x.Span(tr)
		list = append(list, textTransaction{first: x.Row(tr.First).Off, last: last.Off, end: end, state: tr.State})
	}
	return list
}

// upTo returns the transactions that end in front of the place at which a tool stopped.
func upTo(list []textTransaction, stop int64) []textTransaction {
	return slices.DeleteFunc(list, func(t textTransaction) bool { return t.end < 0 || t.end > stop || t.state == index.Open })
}

// compareBoundaries returns the differences.
func compareBoundaries(ours, said []textTransaction) (lines []string) {
	for i := range max(len(ours), len(said)) {
		switch {
		case i >= len(said):
			lines = append(lines, fmt.Sprintf("%d: %v; the text has none", i+1, ours[i]))
		case i >= len(ours):
			lines = append(lines, fmt.Sprintf("%d: none; the text has %v", i+1, said[i]))
		case ours[i].String() != said[i].String() || said[i].end >= 0 && ours[i].end != said[i].end:
			lines = append(lines, fmt.Sprintf("%d: %v; the text has %v", i+1, ours[i], said[i]))
		}
	}
	return lines
}

// Transactions begin and end where the text of the servers' own tools shows it, and in the same way. What is compared is
// counted, so that the test cannot compare nothing.
func TestTransactionsAsTheToolsShowThem(t *testing.T) {
	logs, compared, met := 0, 0, 0
	states := map[index.State]int{}
	for _, text := range toolTexts(t) {
		name := strings.TrimSuffix(filepath.Base(text[1]), ".gz")
		t.Run(name, func(t *testing.T) {
			log, said := readMaybeGzip(t, text[0]), readMaybeGzip(t, text[1])
			events := readBoundaries(said, int64(len(log)))
			ours, theirs := indexed(open(t, log, session.Options{})), transactionsOf(events)
			differs, known := toolDiffers[name]
			if known {
				met++
			}
			if !bytes.Contains(said, []byte("# End of log file")) {
				stop := int64(0)
				if len(events) > 0 {
					stop = events[len(events)-1].at
				}
				if !known {
					t.Errorf("the tool stopped at %d", stop)
				}
				ours, theirs = upTo(ours, stop), upTo(theirs, stop)
			}
			lines := compareBoundaries(ours, theirs)
			if !slices.Equal(lines, differs.lines) {
				t.Errorf("differences:\n%s\nexpected:\n%s", strings.Join(lines, "\n"), strings.Join(differs.lines, "\n"))
			}
			checkTail(t, said, theirs)
			logs++
			compared += len(ours) - len(lines)
			for _, tr := range theirs {
				states[tr.state]++
			}
		})
	}
	t.Logf("%d logs, %d transactions equal; the texts have %v", logs, compared, states)
	if logs < 212 || compared < 2166 {
		t.Errorf("only %d logs and %d transactions compared", logs, compared)
	}
	for state, n := range map[index.State]int{index.Open: 11, index.Committed: 1130, index.RolledBack: 10, index.Prepared: 15, index.Implicit: 1007} {
		if states[state] < n {
			t.Errorf("only %d transactions are %v, %d expected", states[state], state, n)
		}
	}
	if met != len(toolDiffers) {
		t.Errorf("%d texts of the table of differences met, it has %d", met, len(toolDiffers))
	}
}

// checkTail: where MySQL's tool adds a ROLLBACK only to an unfinished transaction, it does so when the last one is.
func checkTail(t *testing.T, said []byte, list []textTransaction) {
	if !bytes.Contains(said, []byte("'AUTOMATIC' /* added by mysqlbinlog */")) {
		return // others add it always
	}
	open := len(list) > 0 && list[len(list)-1].state == index.Open
	if added := bytes.Contains(said, []byte("ROLLBACK /* added by mysqlbinlog */")); added != open {
		t.Errorf("the tool adds a ROLLBACK: %t, the last transaction is open: %t", added, open)
	}
}

// Events inside a payload say how its transaction ends where that is not by a commit.
func TestStatesOfPayloads(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	query := func(sql string) func(*logtest.Inside) {
		return func(p *logtest.Inside) { p.Event(logtest.TypeQuery, l.Query(logtest.Query{SQL: sql})) }
	}
	event := func(typ byte, body []byte) func(*logtest.Inside) {
		return func(p *logtest.Inside) { p.Event(typ, body) }
	}
	ends := []struct {
		end  func(*logtest.Inside)
		want index.State
	}{
		{event(logtest.TypeXid, logtest.U64(1)), index.Committed},
		{query("COMMIT"), index.Committed},
		{query("ROLLBACK"), index.RolledBack},
		{query("ROLLBACK TO `a`"), index.Committed},
		{query("XA ROLLBACK X'31',X'',1"), index.RolledBack},
		{event(logtest.TypeXaPrepare, logtest.XaPrepare(0, 1, "1", "")), index.Prepared},
		{event(logtest.TypeXaPrepare, logtest.XaPrepare(1, 1, "1", "")), index.Committed},
	}
	for i, e := range ends {
		var p logtest.Inside
		query("BEGIN")(&p)
		e.end(&p)
		l.Event(logtest.TypeGtid, logtest.Gtid{GNO: uint64(i + 1), Clock: 2}.Body())
		l.Event(logtest.TypePayload, logtest.Payload(255, uint64(len(p.Bytes())), p.Bytes()))
	}
	x := open(t, l.Bytes(), session.Options{}).Index()
	if int(x.Groups()) != len(ends) {
		t.Fatalf("%d transactions", x.Groups())
	}
	for i, e := range ends {
		first := int64(1 + 4*i) // GTID, payload, BEGIN, end
		if got, want := x.Transaction(uint32(i+1)), (index.Transaction{Number: uint32(i + 1), First: first, Last: first + 3, State: e.want}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}
