package session_test

import (
	"testing"

	"binlens/decoder/session"
)

// Fractions under the old type codes, whose digits the log does not tell: found, right, and said to be found.
func TestFractionsFoundByFit(t *testing.T) {
	s := open(t, testdata(t, "mariadb/temporals_hires.binlog"), session.Options{})
	rows := dump(t, s)
	tables := replay(t, rows)
	groups, order := readExpected(t, "temporals_hires")
	for _, key := range order {
		c := groups[key].cells[0]
		want := any(c.value)
		if c.kind == "null" {
			want = nil
		}
		n := 0
		for _, row := range tables[c.table] {
			if plain(row["id"]) == c.id {
				n++
				if row[c.column] != want {
					t.Errorf("%s.%s of id %s: %v, the server has %v", c.table, c.column, c.id, row[c.column], want)
				}
			}
		}
		if n != 1 {
			t.Errorf("%d rows of id %s in %s", n, c.id, c.table)
		}
	}
	if len(order) != 19 {
		t.Errorf("%d cells compared", len(order))
	}
	for i, r := range rows {
		if list := get(r, "problems"); list != nil {
			t.Errorf("row %d: %s", i, plain(list))
		}
		guessed := get(r, "data", "guessed")
		if (guessed != nil) != (text(get(r, "data", "table")) == "fractional" && get(r, "data", "rows") != nil) {
			t.Errorf("row %d: guessed %s", i, plain(guessed))
		}
		if guessed == nil {
			continue
		}
		const types = `{"t1":"time(1)","t3":"time(3)","t6":"time(6)","d1":"datetime(1)","d3":"datetime(3)","d6":"datetime(6)",` +
			`"s1":"timestamp(1) or timestamp(2)","s3":"timestamp(3) or timestamp(4)","s6":"timestamp(6)"}`
		if got := plain(guessed); got != types {
			t.Errorf("guessed %s", got)
		}
		checkFoundColumns(t, s, int64(i))
	}
}

// checkFoundColumns compares the types of the columns that the page shows.
func checkFoundColumns(t *testing.T, s *session.Session, ordinal int64) {
	t.Helper()
	b, err := s.Detail(ordinal, false)
	if err != nil {
		t.Fatal(err)
	}
	v, err := parse(b)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"int", "time(1), fraction found by fit", "time(3), fraction found by fit", "time(6), fraction found by fit", "datetime(1), fraction found by fit",
		"datetime(3), fraction found by fit", "datetime(6), fraction found by fit", "timestamp(1), fraction found by fit; as well timestamp(2)",
		"timestamp(3), fraction found by fit; as well timestamp(4)", "timestamp(6), fraction found by fit"} {
		if got := text(get(v, "rows", "columns", i, "type")); got != want {
			t.Errorf("column %d: %q, want %q", i, got, want)
		}
	}
}
