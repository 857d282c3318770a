package session_test

import (
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"binlens/decoder/wire"
	"fmt"
	"slices"
	"testing"
)

// faulty is a log of ten statements: the checksums of the third and fifth are wrong, the tail is cut off.
func faulty() []byte {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	for i := range 10 {
		l.Event(logtest.TypeQuery, l.Query(logtest.Query{DB: "shop", SQL: fmt.Sprint("CREATE TABLE t", i, " (a INT)")}))
	}
	b := slices.Clone(l.Bytes())
	for _, i := range []int{3, 5} {
		b[l.Events[i].Off+30] ^= 1
	}
	return b[:len(b)-8]
}

func problemsOf(t *testing.T, s *session.Session, kind wire.Kind, from, n int) any {
	t.Helper()
	v, err := parse(s.Problems(kind, from, n))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestProblems(t *testing.T) {
	s := open(t, faulty(), session.Options{})
	for _, c := range []struct {
		kind    wire.Kind
		from, n int
		rows    []string
	}{
		{wire.Checksum, 0, 10, []string{"3", "5"}},
		{wire.Checksum, 1, 10, []string{"5"}},
		{wire.Checksum, 0, 1, []string{"3"}},
		{wire.Checksum, 2, 10, nil},
		{wire.Truncated, 0, 10, []string{"10"}},
		{wire.Corrupt, 0, 10, nil},
	} {
		v := problemsOf(t, s, c.kind, c.from, c.n)
		if got := plain(get(v, "kinds")); got != `{"truncated":1,"corrupt":0,"unsupported":0,"checksum":2}` {
			t.Errorf("kinds %s", got)
		}
		if number(get(v, "bad")) != 3 || number(get(v, "from")) != int64(c.from) {
			t.Errorf("bad %v from %v", get(v, "bad"), get(v, "from"))
		}
		list, _ := get(v, "problems").([]any)
		var rows []string
		for _, p := range list {
			rows = append(rows, plain(get(p, "ordinal")))
			// The event's own JSON is what says what is wrong with it.
			line, err := s.AppendJSON(nil, number(get(p, "ordinal")), false)
			if err != nil {
				t.Fatal(err)
			}
			e, err := parse(line)
			if err != nil {
				t.Fatal(err)
			}
			own, _ := get(e, "problems").([]any)
			if len(own) == 0 || plain(get(p, "problem")) != plain(own[0]) {
				t.Errorf("%s: %s, the event says %s", c.kind, plain(get(p, "problem")), plain(own))
			}
			if number(get(p, "payload")) != -1 {
				t.Errorf("payload %v", get(p, "payload"))
			}
		}
		if !slices.Equal(rows, c.rows) {
			t.Errorf("%s from %d: rows %q, want %q", c.kind, c.from, rows, c.rows)
		}
	}
}

// A fault inside an event whose frame and checksum are right is found when the event is shown.
func TestProblemsFoundLater(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	l.Event(logtest.TypeXid, make([]byte, 8)).Event(logtest.TypeXid, make([]byte, 3)).Event(logtest.TypeXid, make([]byte, 8))
	s := open(t, l.Bytes(), session.Options{})
	if v := problemsOf(t, s, wire.Truncated, 0, 10); number(get(v, "bad")) != 0 {
		t.Errorf("before: %s", plain(v))
	}
	if _, err := s.Page(0, 4); err != nil {
		t.Fatal(err)
	}
	v := problemsOf(t, s, wire.Truncated, 0, 10)
	list, _ := get(v, "problems").([]any)
	if number(get(v, "bad")) != 1 || len(list) != 1 || plain(get(list[0], "ordinal")) != "2" || s.Progress().Problems != 1 {
		t.Errorf("after: %s", plain(v))
	}
}

// A row event refers to the table map of its own statement, not to an equal one before it.
func TestTableMapOfStatement(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	table := logtest.Table{ID: 100, Schema: "shop", Name: "t", Columns: []logtest.Column{logtest.Col(3)}}
	for range 2 {
		l.Event(logtest.TypeQuery, l.Query(logtest.Query{DB: "shop", SQL: "BEGIN"}))
		l.Event(logtest.TypeTableMap, table.Body())
		l.Event(logtest.TypeWriteRows, logtest.Rows{ID: 100, Flags: logtest.StmtEnd, V2: true, Width: 1, After: logtest.All(1), Data: logtest.Image(logtest.U32(1))}.Body())
		l.Event(logtest.TypeXid, make([]byte, 8))
	}
	s := open(t, l.Bytes(), session.Options{})
	for ordinal, want := range map[int64]string{3: "2", 7: "6"} {
		b, err := s.Detail(ordinal, false)
		if err != nil {
			t.Fatal(err)
		}
		v, err := parse(b)
		if err != nil {
			t.Fatal(err)
		}
		if got := plain(get(v, "table_map")); got != want {
			t.Errorf("row %d: table map %s, want %s", ordinal, got, want)
		}
	}
}

// The rows that an event refers to: its format description and the first row of its transaction.
func TestRefs(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	query := func(sql string) { l.Event(logtest.TypeQuery, l.Query(logtest.Query{DB: "shop", SQL: sql})) }
	query("BEGIN")
	query("INSERT INTO t VALUES (1)")
	query("COMMIT")
	query("CREATE TABLE u (a INT)")
	s := open(t, l.Bytes(), session.Options{})
	for ordinal, want := range []string{"-1", "1", "1", "1", "4"} {
		b, err := s.Detail(int64(ordinal), false)
		if err != nil {
			t.Fatal(err)
		}
		v, err := parse(b)
		if err != nil {
			t.Fatal(err)
		}
		if got := plain(get(v, "transaction_first")); got != want || plain(get(v, "format_description")) != "0" {
			t.Errorf("row %d: transaction_first %s, want %s; format_description %s", ordinal, got, want, plain(get(v, "format_description")))
		}
	}
}
