package session_test

import (
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// smallLogs are logs with everything in them, and damaged ones.
func smallLogs(t testing.TB) []logtest.File {
	mysql := logtest.Sample(logtest.MySQL8040, logtest.CRC32)
	at := mysql.Events[len(mysql.Events)/2]
	return []logtest.File{
		{Name: "sample", Bytes: testdata(t, "sample/sample.binlog")},
		{Name: "MySQL 8.0.40", Bytes: mysql.Bytes()},
		{Name: "MariaDB 10.5 OFF", Bytes: logtest.Sample(logtest.MariaDB105, logtest.Off).Bytes()},
		{Name: "MySQL 3.23", Bytes: logtest.Sample(logtest.MySQL323, logtest.Off).Bytes()},
		{Name: "a flipped bit", Bytes: logtest.Flip(mysql.Bytes(), at.Off+at.Size-5, 0x10)},
		{Name: "a wrong size", Bytes: logtest.SetSize(mysql.Bytes(), at.Off, uint32(at.Size)+7)},
		{Name: "bytes put in", Bytes: logtest.Insert(mysql.Bytes(), at.Off, []byte("these are no event"))},
		{Name: "bytes cut out", Bytes: logtest.Cut(mysql.Bytes(), at.Off+10, at.Off+at.Size+10)},
		{Name: "zeros at the end", Bytes: append(bytes.Clone(mysql.Bytes()), make([]byte, 5000)...)},
		{Name: "cut off", Bytes: mysql.Bytes()[:mysql.Len()-11]},
		{Name: "magic only", Bytes: []byte("\xfebin")},
	}
}

func lines(t testing.TB, s *session.Session) string {
	t.Helper()
	var b []byte
	for i := range s.Index().Len() {
		var err error
		if b, err = s.AppendJSON(b, i, false); err != nil {
			t.Fatal(err)
		}
		b = append(b, '\n')
	}
	return string(b)
}

// However the bytes arrive, the rows are the same.
func TestFeedInAnyChunks(t *testing.T) {
	for _, f := range smallLogs(t) {
		want := lines(t, open(t, f.Bytes, session.Options{}))
		for _, n := range []int{1, 2, 3, 7, 19, 100, 511, 4096} {
			if n < 7 && len(f.Bytes) > 50_000 {
				continue
			}
			t.Run(fmt.Sprintf("%s by %d", f.Name, n), func(t *testing.T) {
				s, err := session.Open(bytes.NewReader(f.Bytes), int64(len(f.Bytes)), session.Options{})
				if err != nil {
					t.Fatal(err)
				}
				last := s.Progress()
				for rest := f.Bytes; len(rest) > 0; {
					k := min(n, len(rest))
					chunk := bytes.Clone(rest[:k])
					s.Feed(chunk)
					clear(chunk) // Feed has copied it
					rest = rest[k:]
					for s.Step(0) {
					}
					p := s.Progress()
					if p.Rows < last.Rows || p.Bytes < last.Bytes || p.Bytes > p.Size || p.Done {
						t.Fatalf("from %+v to %+v", last, p)
					}
					last = p
				}
				s.Finish()
				for s.Step(0) {
				}
				if p := s.Progress(); !p.Done || p.Bytes != int64(len(f.Bytes)) || p.Size != p.Bytes {
					t.Fatalf("at the end %+v", p)
				}
				if got := lines(t, s); got != want {
					t.Errorf("other rows than when fed at once:\n%s", firstLineDifference(got, want))
				}
			})
		}
	}
}

func firstLineDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if entry(g, i) != entry(w, i) {
			return cut(entry(g, i)) + "\nwant\n" + cut(entry(w, i))
		}
	}
	return ""
}

// A step ends after about its budget with work left, and what is indexed by then can be shown.
func TestStepBudget(t *testing.T) {
	log := logtest.New(logtest.MySQL8040, logtest.CRC32)
	for i := range 20_000 {
		log.Event(logtest.TypeXid, logtest.U64(uint64(i)))
	}
	s, err := session.Open(bytes.NewReader(log.Bytes()), int64(log.Len()), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Feed(log.Bytes())
	s.Finish()
	steps := 1
	for ; s.Step(time.Nanosecond); steps++ {
		p := s.Progress()
		if p.Done || p.Rows == 0 {
			t.Fatalf("after step %d: %+v", steps, p)
		}
		if _, err := s.AppendJSON(nil, p.Rows-1, false); err != nil {
			t.Fatal(err)
		}
		if _, err := s.AppendJSON(nil, p.Rows, false); err != session.ErrNoRow {
			t.Fatalf("a row that is not indexed yet: %v", err)
		}
	}
	if p := s.Progress(); !p.Done || p.Rows != 20_001 || steps < 20 {
		t.Errorf("%d steps, %+v", steps, p)
	}
}

// Cancelled half-way, everything indexed until then still answers.
func TestCancel(t *testing.T) {
	log := testdata(t, "sample/sample.binlog")
	whole := open(t, log, session.Options{})
	s, err := session.Open(bytes.NewReader(log), int64(len(log)), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Feed(log[:len(log)/2])
	s.Step(0)
	if p := s.Progress(); p.Done || s.Summary().State != "" {
		t.Fatalf("before the end: %+v, state %q", p, s.Summary().State)
	}
	s.Finish()
	s.Step(0)
	p := s.Progress()
	if !p.Done || p.Rows == 0 || p.Rows >= whole.Index().Len() || p.Bytes > int64(len(log)/2) {
		t.Fatalf("%+v", p)
	}
	if got := s.Summary().State; got != "partly indexed" {
		t.Errorf("state %q", got)
	}
	for i := range p.Rows {
		for name, answer := range map[string]func(*session.Session) ([]byte, error){
			"JSON":   func(s *session.Session) ([]byte, error) { return s.AppendJSON(nil, i, false) },
			"detail": func(s *session.Session) ([]byte, error) { return s.Detail(i, false) },
			"rows":   func(s *session.Session) ([]byte, error) { return s.RowPage(i, 0, 100, false) },
			"bytes":  func(s *session.Session) ([]byte, error) { return s.Bytes(i, 0, 1<<20) },
		} {
			got, err := answer(s)
			got = bytes.Clone(got)
			want, err2 := answer(whole)
			if err != nil || err2 != nil || !bytes.Equal(got, want) {
				t.Fatalf("row %d: the %s is %s, %v; want %s, %v", i, name, cut(string(got)), err, cut(string(want)), err2)
			}
		}
	}
	for name, err := range map[string]error{
		"JSON":   second(s.AppendJSON(nil, p.Rows, false)),
		"detail": second(s.Detail(p.Rows, false)),
		"rows":   second(s.RowPage(p.Rows, 0, 1, false)),
		"bytes":  second(s.Bytes(p.Rows, 0, 1)),
		"-1":     second(s.Detail(-1, false)),
	} {
		if err != session.ErrNoRow {
			t.Errorf("%s of a row that is not there: %v", name, err)
		}
	}
}

func second(_ []byte, err error) error { return err }

func TestSummary(t *testing.T) {
	maria := "10.11.19-MariaDB-0+deb12u1-log"
	for _, c := range []struct {
		name string
		log  []byte
		want session.Summary
	}{
		{"basic", testdata(t, "mariadb/basic.binlog"), session.Summary{Family: "mariadb", ServerVersion: maria, BinlogVersion: 4, Checksum: "CRC32",
			State: "closed cleanly", First: 1767686340, Last: 1767686340}},
		{"no checksums", testdata(t, "mariadb/nochecksum.binlog"), session.Summary{Family: "mariadb", ServerVersion: maria, BinlogVersion: 4,
			Checksum: "NONE", State: "closed cleanly", First: 1767686340, Last: 1767686340}},
		{"in use", testdata(t, "mariadb/in_use.binlog"), session.Summary{Family: "mariadb", ServerVersion: maria, BinlogVersion: 4, Checksum: "CRC32",
			State: "in use or crashed", First: 1767686340, Last: 1767686340}},
		{"truncated", testdata(t, "mariadb/truncated_body.binlog"), session.Summary{Family: "mariadb", ServerVersion: maria, BinlogVersion: 4,
			Checksum: "CRC32", State: "ends inside an event", First: 1767686340, Last: 1767686340}},
		{"no end", logtest.New(logtest.MySQL8040, logtest.CRC32).Event(logtest.TypeXid, logtest.U64(1)).Bytes(), session.Summary{Family: "mysql",
			ServerVersion: "8.0.40", BinlogVersion: 4, Checksum: "CRC32", State: "no end event", First: logtest.Start, Last: logtest.Start + 1}},
		{"version 1", logtest.New(logtest.MySQL323, logtest.Off).Event(logtest.TypeStop).Bytes(), session.Summary{Family: "mysql",
			ServerVersion: "3.23.58-log", BinlogVersion: 1, Checksum: "NONE", State: "closed cleanly", First: logtest.Start, Last: logtest.Start + 1}},
		{"magic only", []byte("\xfebin"), session.Summary{Family: "mysql", BinlogVersion: 4, Checksum: "NONE"}},
	} {
		if got := open(t, c.log, session.Options{}).Summary(); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// Bytes beyond the size that the file had when it was opened, as a live log gets them, are not looked at.
func TestFeedMoreThanTheFileHad(t *testing.T) {
	log := logtest.Sample(logtest.MySQL8040, logtest.CRC32).Bytes()
	want := lines(t, open(t, log, session.Options{}))
	grown := append(bytes.Clone(log), logtest.New(logtest.MySQL8040, logtest.CRC32).Event(logtest.TypeXid, logtest.U64(1)).Bytes()[4:]...)
	for _, at := range []int{0, 100, len(log) - 3, len(log)} {
		s, err := session.Open(bytes.NewReader(grown), int64(len(log)), session.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s.Feed(grown[:at])
		s.Feed(grown[at:])
		s.Finish()
		s.Step(0)
		if got := lines(t, s); got != want || !s.Progress().Done {
			t.Errorf("fed %d and the rest: %s", at, firstLineDifference(got, want))
		}
	}
}
