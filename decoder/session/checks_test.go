package session_test

import (
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"fmt"
	"slices"
	"strings"
	"testing"
)

var (
	sourceA = [16]byte{0xaa}
	sourceB = [16]byte{0xbb}
)

const (
	nameA = "aa000000-0000-0000-0000-000000000000"
	nameB = "bb000000-0000-0000-0000-000000000000"
)

// checksOf returns the checks that fail in a log: the number of the transaction and the reason.
func checksOf(t *testing.T, log []byte) (list []string) {
	t.Helper()
	s := surveyed(t, log)
	all := pages(t, "checks", s.Checks)
	for _, c := range all {
		list = append(list, fmt.Sprintf("%s: %s", plain(get(c, "transaction")), text(get(c, "text"))))
		if row := s.Index().Row(number(get(c, "ordinal"))); !row.First || fmt.Sprint(row.Group) != plain(get(c, "transaction")) {
			t.Errorf("%s is of row %+v", plain(c), row)
		}
	}
	return list
}

// trx is a transaction of a log for the checks.
type trx struct {
	source   [16]byte
	tag      string
	gno      uint64
	last     uint64 // last_committed
	sequence uint64
	length   int // added to transaction_length
	payload  bool
}

// appendTo appends the transaction; its transaction_length takes one byte.
func (x trx) appendTo(l *logtest.Log) {
	probe := logtest.Bare(l.Server, l.Checksum)
	x.events(probe, 0)
	x.events(l, byte(probe.Len()+x.length))
}

func (x trx) events(l *logtest.Log, length byte) {
	if x.tag == "" {
		g := logtest.Gtid{SID: x.source, GNO: x.gno, Clock: 2, LastCommitted: x.last, Sequence: x.sequence}
		l.Event(logtest.TypeGtid, g.Body(logtest.Times(1_700_000_000_000_000), []byte{length}))
	} else {
		l.Event(logtest.TypeTagged, logtest.Tagged(0, logtest.TaggedField(0, logtest.Varlen(0)), logtest.TaggedField(1, logtest.TaggedUUID(x.source)),
			logtest.TaggedField(2, logtest.Zigzag(int64(x.gno))), logtest.TaggedField(3, logtest.Varlen(uint64(len(x.tag))), []byte(x.tag)),
			logtest.TaggedField(4, logtest.Zigzag(int64(x.last))), logtest.TaggedField(5, logtest.Zigzag(int64(x.sequence))),
			logtest.TaggedField(6, logtest.Varlen(1_700_000_000_000_000)), logtest.TaggedField(8, logtest.UN(uint64(length)<<2|1, 2)), // in its two-byte form
			logtest.TaggedField(9, logtest.Varlen(90600))))
	}
	if x.payload {
		var p logtest.Inside
		p.Event(logtest.TypeQuery, l.Query(logtest.Query{SQL: "BEGIN"})).Event(logtest.TypeXid, logtest.U64(1))
		l.Event(logtest.TypePayload, logtest.Payload(255, uint64(len(p.Bytes())), p.Bytes()))
		return
	}
	l.SQL("", "BEGIN").Event(logtest.TypeXid, logtest.U64(1))
}

func TestChecks(t *testing.T) {
	previous := logtest.PreviousGtids(true, logtest.Sid{UUID: sourceA, Intervals: []logtest.Interval{{1, 6}}}, logtest.Sid{UUID: sourceA, Tag: "blue", Intervals: []logtest.Interval{{1, 3}}})
	for _, tt := range []struct {
		name string
		list []trx
		want []string // without the length, which the sizes give
	}{
		{"clean", []trx{{source: sourceA, gno: 6, sequence: 1}, {source: sourceA, gno: 7, last: 1, sequence: 2}, {source: sourceB, gno: 40, last: 1, sequence: 3}, {source: sourceB, gno: 41, last: 3, sequence: 4}}, nil},
		{"clean payloads", []trx{{source: sourceA, gno: 6, sequence: 1, payload: true}, {source: sourceA, gno: 7, last: 1, sequence: 2, payload: true}}, nil},
		{"clean tags", []trx{{source: sourceA, tag: "blue", gno: 3, sequence: 1}, {source: sourceA, gno: 6, sequence: 2}, {source: sourceA, tag: "green", gno: 1, sequence: 3}}, nil},
		{"a wrong length", []trx{{source: sourceA, gno: 6, sequence: 1, length: 1}, {source: sourceA, gno: 7, sequence: 2, length: -1}},
			[]string{"1: transaction_length says +1", "2: transaction_length says -1"}},
		{"a wrong length of a payload", []trx{{source: sourceA, gno: 6, sequence: 1, length: -4, payload: true}}, []string{"1: transaction_length says -4"}},
		{"a wrong length, tagged", []trx{{source: sourceA, tag: "blue", gno: 3, sequence: 1, length: 2}}, []string{"1: transaction_length says +2"}},
		{"twice", []trx{{source: sourceB, gno: 1, sequence: 1}, {source: sourceB, gno: 1, sequence: 2}},
			[]string{"2: " + nameB + ":1 was executed before: it stands in this log already, or in PREVIOUS_GTIDS"}},
		{"in PREVIOUS_GTIDS", []trx{{source: sourceA, gno: 5, sequence: 1}, {source: sourceA, tag: "blue", gno: 2, sequence: 2}},
			[]string{"1: " + nameA + ":5 was executed before: it stands in this log already, or in PREVIOUS_GTIDS",
				"2: " + nameA + ":blue:2 was executed before: it stands in this log already, or in PREVIOUS_GTIDS"}},
		{"gaps", []trx{{source: sourceA, gno: 7, sequence: 1}, {source: sourceA, gno: 10, sequence: 2}, {source: sourceA, tag: "blue", gno: 4, sequence: 3}},
			[]string{"1: " + nameA + ":7 comes before 6 of the same source: a gap, or transactions out of order",
				"2: " + nameA + ":10 comes before 8-9 of the same source: a gap, or transactions out of order",
				"3: " + nameA + ":blue:4 comes before 3 of the same source: a gap, or transactions out of order"}},
		{"out of order", []trx{{source: sourceA, gno: 7, sequence: 1}, {source: sourceA, gno: 6, sequence: 2}, {source: sourceA, gno: 8, sequence: 3}},
			[]string{"1: " + nameA + ":7 comes before 6 of the same source: a gap, or transactions out of order"}},
		{"a jump of the sequence", []trx{{source: sourceA, gno: 6, sequence: 5}, {source: sourceA, gno: 7, sequence: 7}, {source: sourceA, gno: 8, sequence: 7}},
			[]string{"2: sequence_number 7 follows 5", "3: sequence_number 7 follows 7"}},
		{"last_committed", []trx{{source: sourceA, gno: 6, last: 1, sequence: 1}, {source: sourceA, gno: 7, last: 9, sequence: 2}},
			[]string{"1: last_committed 1 is not below sequence_number 1", "2: last_committed 9 is not below sequence_number 2"}},
		{"no clock", []trx{{source: sourceA, gno: 6, sequence: 3}, {source: sourceA, gno: 7}, {source: sourceA, gno: 8, last: 3, sequence: 4}}, nil},
	} {
		for _, sum := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
			t.Run(fmt.Sprint(tt.name, sum), func(t *testing.T) {
				l := logtest.New(logtest.MySQL96, sum)
				l.EventFlags(logtest.TypePreviousGtids, logtest.FlagIgnorable, previous)
				var want []string
				for i, x := range tt.list {
					at := l.Len()
					x.appendTo(l)
					for _, w := range tt.want {
						if strings.HasPrefix(w, fmt.Sprintf("%d: ", i+1)) && strings.Contains(w, "transaction_length") {
							w = fmt.Sprintf("%d: transaction_length says %d bytes, the transaction takes %d", i+1, l.Len()-at+x.length, l.Len()-at)
						}
						if strings.HasPrefix(w, fmt.Sprintf("%d: ", i+1)) {
							want = append(want, w)
						}
					}
				}
				if got := checksOf(t, l.Bytes()); !slices.Equal(got, want) {
					t.Errorf("%q\nwant %q", got, want)
				}
			})
		}
	}
}

// The logical clock starts anew with a log of the source, as it does many times in a relay log. A transaction that the log
// ends inside has no length yet.
func TestChecksStartAnew(t *testing.T) {
	l := logtest.New(logtest.MySQL96, logtest.CRC32)
	trx{source: sourceA, gno: 1, sequence: 41}.appendTo(l)
	l.Event(logtest.TypeRotate, l.Rotate(4, "bin.000002"))
	trx{source: sourceA, gno: 2, sequence: 1}.appendTo(l)
	l.Format(0)
	trx{source: sourceA, gno: 3, sequence: 1}.appendTo(l)
	trx{source: sourceA, gno: 4, sequence: 2}.appendTo(l)
	cut := l.Bytes()[:l.Last().Off]
	if got := checksOf(t, l.Bytes()); len(got) > 0 {
		t.Error(got)
	}
	if got := checksOf(t, cut); len(got) > 0 {
		t.Error(got)
	}
}

// MariaDB's numbers rise per domain and server.
func TestChecksOfMariaDB(t *testing.T) {
	l := logtest.New(logtest.MariaDB105, logtest.CRC32)
	for _, g := range []struct {
		domain uint32
		seq    uint64
	}{{0, 10}, {0, 11}, {1, 5}, {0, 15}, {0, 12}, {1, 5}, {1, 6}, {0, 16}} {
		l.Event(logtest.TypeMariaGtid, logtest.MariaGtid(g.seq, g.domain, 1)).SQL("d", "DO 1")
	}
	want := []string{"5: 0-7-12 does not come behind 15 of the same domain and server", "6: 1-7-5 does not come behind 5 of the same domain and server"}
	if got := checksOf(t, l.Bytes()); !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// corpusChecks are the real logs of which a check fails, and why that is so.
var corpusChecks = map[string]struct {
	why  string
	want []string
}{
	"my8.0.30_duplicate_xid_xa_rollback.000001": {"made for a test of recovery: what stood between transactions 3 and 5 was taken out",
		[]string{"4: c01f3377-8dd2-11ec-bc47-0010e0dc7238:5 comes before 4 of the same source: a gap, or transactions out of order", "4: sequence_number 5 follows 3"}},
	"my8.0.30_orphan_commit.000001":   {"made for a test of recovery: the beginning of the transaction was taken out", []string{"2: transaction_length says 357 bytes, the transaction takes 162"}},
	"my8.0.30_orphan_rollback.000001": {"made for a test of recovery: the beginning of the transaction was taken out", []string{"2: transaction_length says 339 bytes, the transaction takes 157"}},
	"my8.0.30_orphan_xid.000001":      {"made for a test of recovery: the beginning of the transaction was taken out", []string{"2: transaction_length says 273 bytes, the transaction takes 110"}},
}

// No check fails on a real log, but where events were taken out of it.
func TestChecksOfCorpus(t *testing.T) {
	read, met := 0, 0
	for _, l := range corpus(t) {
		if l.kind == "encrypted" && l.bytes[0] == 0xfd {
			continue
		}
		read++
		got, expected := checksOf(t, l.bytes), corpusChecks[l.name]
		if expected.why != "" {
			met++
		}
		if !slices.Equal(got, expected.want) {
			t.Errorf("%s: %q\nwant %q", l.name, got, expected.want)
		}
	}
	if read < 175 || met != len(corpusChecks) {
		t.Errorf("%d logs read, %d of the table", read, met)
	}
}

// Checks stand beside their transaction, too.
func TestTransactionShowsChecks(t *testing.T) {
	l := logtest.New(logtest.MySQL96, logtest.CRC32)
	trx{source: sourceA, gno: 1, sequence: 1}.appendTo(l)
	trx{source: sourceA, gno: 1, last: 5, sequence: 5}.appendTo(l)
	trx{source: sourceA, gno: 2, sequence: 6}.appendTo(l)
	list := get(mustParse(t, surveyed(t, l.Bytes()).Transactions(session.ByNumber, 0, 9)), "transactions").([]any)
	for i, n := range []int{0, 3, 0} {
		if checks, _ := get(list[i], "checks").([]any); len(checks) != n {
			t.Errorf("transaction %d: %s, want %d checks", i+1, plain(list[i]), n)
		}
	}
}
