package session_test

import (
	"bytes"
	"testing"

	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
)

// Indexing that was cancelled anywhere goes on to the same log: its rows, its transactions, its survey and what a filter leaves,
// also one that judged the last transaction by its end when there was no more of it.
func TestGoOn(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	for i := range uint64(3) {
		l.SQL("shop", "BEGIN").SQL("shop", "INSERT INTO t VALUES (1)").SQL("shop", "INSERT INTO t VALUES (2)")
		l.Event(logtest.TypeXid, logtest.U64(i))
	}
	for _, log := range [][]byte{l.Bytes(), testdata(t, "sample/sample.binlog")} {
		const filter = "trx:committed"
		whole := open(t, log, session.Options{})
		setFilter(t, whole, filter)
		whole.Step(0)
		for whole.Survey(0) {
		}
		for cut := 0; cut < len(log); cut += max(1, len(log)/200) {
			s, err := session.Open(bytes.NewReader(log), int64(len(log)), session.Options{})
			if err != nil {
				t.Fatal(err)
			}
			setFilter(t, s, filter)
			s.Feed(log[:cut])
			s.Step(0)
			s.Finish()
			s.Step(0)
			for s.Survey(0) {
			}
			s.GoOn()
			if s.Progress().Done {
				t.Fatalf("cancelled at %d: done before it goes on", cut)
			}
			s.Feed(log[cut:])
			s.Finish()
			s.Step(0)
			for s.Survey(0) {
			}
			if got, want := s.Progress(), whole.Progress(); got != want {
				t.Fatalf("cancelled at %d: %+v, want %+v", cut, got, want)
			}
			for name, all := range map[string]func(*session.Session) []byte{
				"transactions": func(s *session.Session) []byte { return s.Transactions(session.ByNumber, 0, 1000) },
				"tables":       func(s *session.Session) []byte { return s.Tables(session.TablesByName, 0, 1000) },
				"totals":       (*session.Session).Totals,
				"checks":       func(s *session.Session) []byte { return s.Checks(0, 1000) },
			} {
				if got, want := all(s), all(whole); !bytes.Equal(got, want) {
					t.Fatalf("cancelled at %d: %s are %s, want %s", cut, name, got, want)
				}
			}
		}
	}
}

// What a filter has found when it is stopped stays, and it finds no more; the next one does.
func TestHoldFilter(t *testing.T) {
	log := testdata(t, "sample/sample.binlog")
	s, err := session.Open(bytes.NewReader(log), int64(len(log)), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	setFilter(t, s, "type:rows")
	s.Feed(log[:len(log)/2])
	s.Step(0)
	before := s.Progress()
	s.HoldFilter()
	s.Feed(log[len(log)/2:])
	s.Finish()
	if s.Step(0) || s.StepFilter(1) {
		t.Error("there is work left")
	}
	if p := s.Progress(); p.Matched != before.Matched || p.Examined != before.Examined || p.Matched == 0 || p.Rows == before.Rows {
		t.Errorf("%+v, stopped at %+v", p, before)
	}
	setFilter(t, s, "type:rows")
	s.Step(0)
	if p := s.Progress(); p.Examined != p.Rows || p.Matched <= before.Matched {
		t.Errorf("again: %+v", p)
	}
}

func setFilter(t *testing.T, s *session.Session, text string) {
	t.Helper()
	if err := s.SetFilter(text); err != nil {
		t.Fatal(err)
	}
}
