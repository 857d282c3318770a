package session_test

import (
	"binlens/decoder/internal/logtest"
	"binlens/decoder/query"
	"binlens/decoder/session"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

// someFilters have every kind of term.
var someFilters = []string{"type:rows", "type:ddl", "-type:query", "table:*a*", "schema:test,shop", "time:1600000000..", "offset:500..3000", "event:3..", "server:1",
	"thread:1..20", "size:>100", "trx:committed,rolledback", "trx:>1rows", "trx:open,none", "trx:>200B", "rows:>1", "xid:>5", "row:@1=1,2", "row:id=1 row:@2!=x", "row:@2",
	"problem", "problem:checksum,corrupt", "payload", "a", "insert -type:query", "-row:@1>0 type:rows", "gtid:0-1-1..5"}

// The rows that a filter leaves are the same whether the log is indexed before or while it runs, a little at a time, with
// pages and details asked for in between.
func TestFilterWhileIndexing(t *testing.T) {
	logs := logtest.ProjectLogs(t)
	logs = append(logs, logtest.File{Name: "filter", Bytes: filterLog().Bytes()})
	for _, l := range logs {
		if len(l.Bytes) < 100 {
			continue
		}
		whole := open(t, l.Bytes, session.Options{})
		for i, filter := range someFilters {
			want := filtered(t, whole, filter)
			s, err := session.Open(bytes.NewReader(l.Bytes), int64(len(l.Bytes)), session.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.SetFilter(filter); err != nil {
				t.Fatal(err)
			}
			feedBits(t, s, l.Bytes, 100+37*i, want)
			if got := ordinals(s); !slices.Equal(got, want) {
				t.Errorf("%s, %s: %v while indexing, %v after it", l.Name, filter, got, want)
			}
		}
	}
}

// feedBits indexes and filters a log in pieces; the list is at any time a beginning of what it is at last.
func feedBits(t *testing.T, s *session.Session, log []byte, piece int, want []int64) {
	t.Helper()
	for at := 0; at < len(log); at += max(piece, len(log)/20) {
		s.Feed(log[at:min(at+max(piece, len(log)/20), len(log))])
		s.Step(time.Nanosecond)
		if got := ordinals(s); len(got) > len(want) || !slices.Equal(got, want[:len(got)]) {
			t.Fatalf("%v is no beginning of %v", got, want)
		}
		if _, err := s.Page(0, 2); err != nil {
			t.Fatal(err)
		}
		if n := s.Index().Len(); n > 0 {
			if _, err := s.Detail(n-1, false); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.Finish()
	for i := 0; s.Step(time.Nanosecond); i++ {
		if i > 10_000 {
			t.Fatal("it does not end")
		}
	}
	if p := s.Progress(); p.Examined != p.Rows || p.Matched != int64(len(want)) {
		t.Fatalf("%d of %d rows looked at, %d found of %d", p.Examined, p.Rows, p.Matched, len(want))
	}
}

// Types counted by filters are those of the event JSON, over all logs there are.
func TestFilterTypes(t *testing.T) {
	for _, l := range logtest.RealLogs(t) {
		s, err := session.Open(bytes.NewReader(l.Bytes), int64(len(l.Bytes)), session.Options{})
		if err != nil {
			continue // encrypted
		}
		s.Feed(l.Bytes)
		s.Finish()
		s.Step(0)
		if s.Index().Len() > 20_000 {
			continue
		}
		types := map[string][]int64{}
		inside := []int64(nil)
		for i, r := range dump(t, s) {
			name := text(r.m["type"])
			if k := kindOf(r); k != "event" {
				name = k
			}
			if name != "ENCRYPTED_EVENT" {
				types[name] = append(types[name], int64(i))
			}
			if r.m["payload"] != nil {
				inside = append(inside, int64(i))
			}
		}
		for name, want := range types {
			if got := filtered(t, s, "type:"+strings.TrimPrefix(name, "UNKNOWN_EVENT_")); !slices.Equal(got, want) {
				t.Errorf("%s: type:%s leaves %d rows, want %d", l.Name, name, len(got), len(want))
			}
		}
		for _, filter := range someFilters { // whatever the log, each looks at all rows, and its opposite has the others
			n := len(filtered(t, s, filter))
			if strings.ContainsAny(filter, " -") {
				continue
			}
			if rest := len(filtered(t, s, "-"+filter)); int64(n+rest) != s.Index().Len() {
				t.Errorf("%s: %s leaves %d rows and takes %d, of %d", l.Name, filter, n, rest, s.Index().Len())
			}
		}
		if got := filtered(t, s, "payload"); !slices.Equal(got, inside) {
			t.Errorf("%s: %d rows inside payloads, want %d", l.Name, len(got), len(inside))
		}
	}
}

// A text is found in the events whose JSON shows it in a string cell, a statement or a table's name; a value in those whose
// JSON has it in the column. The sample is a log of a MariaDB server with every kind of column that it has.
func TestFilterSample(t *testing.T) {
	s := open(t, testdata(t, "sample/sample.binlog"), session.Options{})
	rows := dump(t, s)
	for _, needle := range []string{"shipped", "garden", "an", "ü", "example", "order_", "INSERT INTO", "kitchen"} {
		want := matching(rows, func(r *object) bool { return showsText(r, strings.ToLower(needle)) })
		if got := filtered(t, s, `"`+needle+`"`); !slices.Equal(got, want) || len(want) == 0 {
			t.Errorf("%q: %v\nwant %v", needle, got, want)
		}
	}
	for _, c := range [][2]string{{"status", "paid"}, {"id", "3"}, {"customer_id", "2"}, {"price", "4.50"}, {"name", "Ada Lovelace"}, {"member_since", "2024"}} {
		want := matching(rows, func(r *object) bool { return hasCell(r, c[0], c[1]) })
		if got := filtered(t, s, "row:"+c[0]+`="`+c[1]+`"`); !slices.Equal(got, want) {
			t.Errorf("%v: %v\nwant %v", c, got, want)
		}
	}
}

func matching(rows []*object, f func(*object) bool) (list []int64) {
	for i, r := range rows {
		if f(r) {
			list = append(list, int64(i))
		}
	}
	return list
}

// showsText says that a row shows a text, which is in lower case, where a filter looks for it.
func showsText(r *object, needle string) bool {
	has := func(v any) bool { return strings.Contains(strings.ToLower(text(v)), needle) }
	d := r.m["data"]
	if has(get(d, "query")) || has(get(d, "text")) || get(d, "table") != nil && strings.Contains(strings.ToLower(text(get(d, "schema"))+"."+text(get(d, "table"))), needle) {
		return true
	}
	list, _ := get(d, "rows").([]any)
	for _, row := range list {
		for _, image := range []string{"before", "after"} {
			o, _ := get(row, image).(*object)
			if o != nil && slices.ContainsFunc(o.keys, func(k string) bool { return textCells[k] && cellShows(o.m[k], needle) }) {
				return true
			}
		}
	}
	return false
}

// textCells are the columns of the sample that hold text.
var textCells = map[string]bool{"name": true, "email": true, "interests": true, "settings": true, "note": true, "title": true, "status": true}

func cellShows(v any, needle string) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(strings.ToLower(v), needle)
	case []any:
		return slices.ContainsFunc(v, func(x any) bool { return cellShows(x, needle) })
	case *object:
		return slices.ContainsFunc(v.keys, func(k string) bool { return cellShows(k, needle) || cellShows(v.m[k], needle) })
	}
	return false
}

func hasCell(r *object, column, want string) bool {
	list, _ := get(r.m["data"], "rows").([]any)
	for _, row := range list {
		for _, image := range []string{"before", "after"} {
			if v := get(row, image, column); v != nil && strings.Trim(plain(v), `"`) == want {
				return true
			}
		}
	}
	return false
}

// The life of one row: its insert, each update with what it changed, its delete, through updates and a payload.
func TestRowHistory(t *testing.T) {
	s := open(t, filterLog().Bytes(), session.Options{})
	if got := filtered(t, s, "table:shop.orders row:id=1"); !slices.Equal(got, []int64{4, 9, 19}) {
		t.Fatalf("row 1 lives in %v", got)
	}
	b, err := s.Page(0, 10)
	if err != nil {
		t.Fatal(err)
	}
	var types []byte
	_, page := readPage(t, b)
	for _, r := range page {
		types = append(types, r.code)
	}
	if !bytes.Equal(types, []byte{logtest.TypeWriteRows, logtest.TypeUpdateRows, logtest.TypeDeleteRows}) {
		t.Errorf("the events are %v", types)
	}
	for filter, want := range map[string][]int64{"row:id=1 row:status": {9}, "row:id=1 row:total": nil, "row:id=2 row:total": {24}} {
		if got := filtered(t, s, filter); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", filter, got, want)
		}
	}
}

// A page goes over the rows that the filter leaves; without one over all rows again.
func TestPageOfFilter(t *testing.T) {
	s := open(t, filterLog().Bytes(), session.Options{})
	filtered(t, s, "type:query")
	for _, c := range []struct {
		from int64
		n    int
		want []float64
	}{{0, 3, []float64{2, 7, 12}}, {4, 10, []float64{17, 22}}, {6, 5, nil}, {99, 5, nil}} {
		b, err := s.Page(c.from, c.n)
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		from, rows := readPage(t, b)
		for _, r := range rows {
			got = append(got, r.ordinal)
		}
		if !slices.Equal(got, c.want) || from != uint32(min(c.from, 6)) {
			t.Errorf("rows %d: %v from %d, want %v", c.from, got, from, c.want)
		}
	}
	for ordinal, want := range map[int64]string{-1: "0 false", 0: "0 false", 2: "0 true", 3: "1 false", 22: "5 true", 24: "6 false", 99: "6 false"} {
		k, exact := s.Rank(ordinal)
		if got := fmt.Sprint(k, exact); got != want {
			t.Errorf("rank of %d: %s, want %s", ordinal, got, want)
		}
	}
	if err := s.SetFilter(" "); err != nil || s.Progress().Filtered || len(ordinals(s)) != 25 {
		t.Errorf("not all rows without a filter: %v", err)
	}
	for ordinal, want := range map[int64]string{-1: "-1 false", 7: "7 true", 24: "24 true", 25: "25 false", 99: "25 false"} {
		k, exact := s.Rank(ordinal)
		if got := fmt.Sprint(max(k, -1), exact); got != want {
			t.Errorf("rank of %d without a filter: %s, want %s", ordinal, got, want)
		}
	}
}

// A mistake leaves the filter that was.
func TestFilterMistake(t *testing.T) {
	s := open(t, filterLog().Bytes(), session.Options{})
	want := filtered(t, s, "type:xid")
	var bad *query.Error
	if err := s.SetFilter("type:xid row:"); !errors.As(err, &bad) || bad.Start != 13 {
		t.Errorf("the mistake is %v", err)
	}
	if got := ordinals(s); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// What cannot be looked into does not match, and is counted.
func TestFilterUnread(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	l.SQL("shop", "INSERT INTO t VALUES ('"+strings.Repeat("x", 5000)+"needle')").SQL("shop", "needle")
	l.Event(logtest.TypeWriteRows, logtest.Rows{ID: 9, Flags: logtest.StmtEnd, V2: true, Width: 1, After: logtest.All(1), Data: logtest.Image(logtest.U8(1))}.Body())
	s := open(t, l.Bytes(), session.Options{MaxEvent: session.MinEventLimit})
	if got := filtered(t, s, "needle"); !slices.Equal(got, []int64{2}) || s.Progress().Unread != 1 {
		t.Errorf("%v, %d rows not looked into", got, s.Progress().Unread)
	}
	if got := filtered(t, s, "rows:1"); got != nil || s.Progress().Unread != 1 {
		t.Errorf("%v, %d rows not looked into", got, s.Progress().Unread)
	}
}

// Problems: those that indexing finds, by their kinds, and those that showing a row finds.
func TestFilterProblems(t *testing.T) {
	log := filterLog()
	b := logtest.Flip(log.Bytes(), log.Events[5].Off+20, 1)
	b = append(slices.Clip(b), 1, 2, 3)
	s := open(t, b, session.Options{})
	for filter, want := range map[string][]int64{"problem": {5, 25}, "problem:checksum": {5}, "problem:truncated": {25}, "problem:corrupt": nil,
		"problem:corrupt,checksum": {5}, "-problem event:24..": {24}, "type:truncated": {25}} {
		if got := filtered(t, s, filter); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", filter, got, want)
		}
	}
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	l.Event(logtest.TypeGtid, logtest.Gtid{GNO: 1, Clock: 3}.Body()) // no such clock
	s = open(t, l.Bytes(), session.Options{})
	if got := filtered(t, s, "problem"); got != nil {
		t.Errorf("%v before it was shown", got)
	}
	if _, err := s.Detail(1, false); err != nil {
		t.Fatal(err)
	}
	for _, filter := range []string{"problem", "problem:corrupt"} {
		if got := filtered(t, s, filter); !slices.Equal(got, []int64{1}) {
			t.Errorf("%s: %v after it was shown", filter, got)
		}
	}
}

// gone is a file that cannot be read any more.
type gone struct{ *bytes.Reader }

func (g *gone) ReadAt(p []byte, off int64) (int, error) {
	if g.Reader == nil {
		return 0, io.ErrClosedPipe
	}
	return g.Reader.ReadAt(p, off)
}

func TestFilterFailure(t *testing.T) {
	log := filterLog().Bytes()
	file := &gone{bytes.NewReader(log)}
	s, err := session.Open(file, int64(len(log)), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Feed(log)
	s.Finish()
	for s.Step(0) {
	}
	file.Reader = nil
	if err := s.SetFilter("xid:77"); err != nil {
		t.Fatal(err)
	}
	if s.Step(0) || !errors.Is(s.FilterErr(), io.ErrClosedPipe) {
		t.Errorf("the filter ended with %v", s.FilterErr())
	}
	if err := s.SetFilter("type:xid"); err != nil || s.Step(0) || s.FilterErr() != nil || len(ordinals(s)) != 2 {
		t.Error("a filter over the index alone needs the file")
	}
}

func TestComplete(t *testing.T) {
	s := open(t, filterLog().Bytes(), session.Options{})
	for _, c := range []struct{ text, want string }{
		{"t", "0-1 type: table: time: thread: trx:"},
		{"-tab", "1-4 table:"},
		{"pro", "0-3 problem"},
		{"type:upd", "5-8 update update_rows_event_v1 update_rows_event update_rows_compressed_event_v1 update_rows_compressed_event"},
		{"type:update,gap,pad", "16-19 padding"},
		{"table:o", "6-7 shop.orders"},
		{"table:shop.", "6-11 shop.log shop.orders"},
		{"-schema:s", "8-9 shop"},
		{"table:log row:", ""},
		{"table:orders row:no", "17-19 note"},
		{"row:after.st", "10-12 status"},
		{"row:id=1,sta", "9-12 status"},
		{"row:id=", ""},
		{"trx:co", "4-6 committed"},
		{"problem:ch", "8-10 checksum"},
		{`"ty`, ""},
		{"nonsense:x", ""},
	} {
		var got []string
		for _, x := range s.Complete(c.text+" rest", len(c.text)) {
			if len(got) == 0 {
				got = append(got, fmt.Sprintf("%d-%d", x.Start, x.End))
			}
			got = append(got, x.Text)
		}
		if g, w := slices.Sorted(slices.Values(got)), strings.Fields(c.want); !slices.Equal(g, slices.Sorted(slices.Values(w))) {
			t.Errorf("%s: %v, want %s", c.text, got, c.want)
		}
	}
	if n := len(s.Complete("", 0)); n != 16 {
		t.Errorf("%d terms", n)
	}
}
