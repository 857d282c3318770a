package session_test

import (
	"binlens/decoder"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// surveyed opens a log, indexes and surveys all of it.
func surveyed(t testing.TB, log []byte) *session.Session {
	t.Helper()
	s := open(t, log, session.Options{})
	if s.Survey(0) {
		t.Fatal("work left without a budget")
	}
	if p := s.SurveyProgress(); !p.Done || p.Rows != p.Total || p.Total != s.Index().Len() {
		t.Fatalf("surveyed to its end: %+v", p)
	}
	return s
}

// eachLog runs a test on every log there is that can be opened, and returns how many.
func eachLog(t *testing.T, test func(t *testing.T, log []byte)) (n int) {
	t.Helper()
	for _, f := range append(logtest.RealLogs(t), smallLogs(t)...) {
		if _, err := session.Open(bytes.NewReader(f.Bytes), int64(len(f.Bytes)), session.Options{}); err != nil {
			continue
		}
		n++
		t.Run(f.Name, func(t *testing.T) { test(t, f.Bytes) })
	}
	return n
}

// everything is all that the survey of a log tells.
func everything(s *session.Session) string {
	var b strings.Builder
	for by := session.ByNumber; by <= session.ByEvents; by++ {
		fmt.Fprintf(&b, "%s\n", s.Transactions(by, 0, 1<<30))
	}
	for by := session.TablesByName; by <= session.TablesByLast; by++ {
		fmt.Fprintf(&b, "%s\n", s.Tables(by, 0, 1<<30))
	}
	fmt.Fprintf(&b, "%s\n%s\n%+v", s.Totals(), s.Checks(0, 1<<30), s.SurveyProgress())
	return b.String()
}

func mustParse(t testing.TB, b []byte) any {
	t.Helper()
	v, err := parse(b)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

var rowType = regexp.MustCompile(`(WRITE|UPDATE|DELETE)_ROWS|PARTIAL_ROW_DATA`)

// rowData is what a row event has beside its header, put together of its pieces behind the last.
func rowData(r *object) any {
	if j := get(r, "joined", "data"); j != nil {
		return j
	}
	return r.m["data"]
}

func rowsData(r *object) []any {
	list, _ := get(rowData(r), "rows").([]any)
	return list
}

func changesRows(r *object) bool { return rowType.MatchString(text(r.m["type"])) }

// readable says that the rows of a row event's JSON are all that it has: cells that are not, as text in another character
// set, take no row away.
func readable(r *object) bool {
	list, _ := r.m["problems"].([]any)
	for _, p := range list {
		kind, path := text(get(p, "kind")), text(get(p, "path"))
		if kind != "checksum" && !strings.HasPrefix(path, "rows[") {
			return false
		}
	}
	return get(rowData(r), "rows") != nil // before 5.1 was released they were others, which are not read
}

// What the survey of a log finds is what a naive count over its event JSON does.
func TestSurvey(t *testing.T) {
	var n struct{ logs, events, rows, tables, transactions int }
	n.logs = eachLog(t, func(t *testing.T, log []byte) {
		s := surveyed(t, log)
		rows := dump(t, s)
		events, sum := checkRowCounts(t, s, rows)
		n.events, n.rows = n.events+events, n.rows+sum
		n.tables += checkTables(t, s, countNaively(s, rows))
		n.transactions += checkTransactions(t, s, rows)
		checkTransactionOrders(t, s)
		checkTableOrders(t, s)
	})
	t.Logf("%+v", n)
	if n.logs < 40 || n.events < 400 || n.tables < 40 || n.transactions < 400 {
		t.Error("too little compared")
	}
}

// checkRowCounts: the rows counted for an event are those of its JSON, and those that its details count.
func checkRowCounts(t *testing.T, s *session.Session, rows []*object) (events, sum int) {
	for i, r := range rows {
		n, known := s.Index().Rows(int64(i))
		list := rowsData(r)
		if !changesRows(r) || kindOf(r) != "event" {
			if known || n != 0 {
				t.Errorf("row %d, %v: %d rows counted", i, r.m["type"], n)
			}
			continue
		}
		detail, err := s.Detail(int64(i), false)
		if err != nil {
			t.Fatal(err)
		}
		total := get(mustParse(t, detail), "rows", "total")
		switch {
		case known && (int(n) != len(list) || total != nil && number(total) != int64(n)):
			t.Errorf("row %d: %d rows counted, its JSON has %d, its details %v", i, n, len(list), total)
		case !known && readable(r):
			t.Errorf("row %d is not counted: %s", i, cut(plain(r)))
		}
		if known {
			events, sum = events+1, sum+int(n)
		}
	}
	return events, sum
}

// naiveCount is what is counted over the whole of the event JSON of a log.
type naiveCount struct {
	types, servers map[string][2]int64 // events, bytes
	tables         map[string]*tableCount
}

type tableCount struct {
	versions                map[string]bool
	events, bytes, unknown  int64
	rows                    [3]int64
	first, last, firstEvent int64
}

func countNaively(s *session.Session, rows []*object) *naiveCount {
	n := &naiveCount{map[string][2]int64{}, map[string][2]int64{}, map[string]*tableCount{}}
	names := tableNames(rows)
	add := func(m map[string][2]int64, key string, size int64) {
		m[key] = [2]int64{m[key][0] + 1, m[key][1] + size}
	}
	for i, r := range rows {
		if kindOf(r) != "event" {
			continue
		}
		size := number(r.m["size"])
		add(n.types, text(r.m["type"]), size)
		if id := r.m["server_id"]; id != nil {
			add(n.servers, plain(id), size)
		}
		if names[i] == "" {
			continue
		}
		v := n.tables[names[i]]
		if v == nil {
			v = &tableCount{versions: map[string]bool{}, firstEvent: -1}
			n.tables[names[i]] = v
		}
		if changesRows(r) {
			v.add(s, int64(i), r, size)
		} else {
			v.versions[versionOf(r.m["data"].(*object))] = true
		}
	}
	return n
}

// tableNames are the tables of table maps and row events, schema and name with a NUL between, by the table ids.
func tableNames(rows []*object) []string {
	names, byID := make([]string, len(rows)), map[string]string{}
	for i, r := range rows {
		id := get(rowOfPiece(rows, i), "table_id")
		switch {
		case kindOf(r) != "event" || id == nil:
		case changesRows(r):
			names[i] = byID[plain(id)]
		case get(r.m["data"], "table") != nil:
			names[i] = text(get(r.m["data"], "schema")) + "\x00" + text(get(r.m["data"], "table"))
			byID[plain(id)] = names[i]
		}
	}
	return names
}

// rowOfPiece is the data of row i; of a piece of a row event, that of the event which the pieces make.
func rowOfPiece(rows []*object, i int) any {
	for text(rows[i].m["type"]) == "PARTIAL_ROW_DATA_EVENT" && rows[i].m["joined"] == nil && i+1 < len(rows) {
		i++
	}
	return rowData(rows[i])
}

// versionOf is a table map without its table id.
func versionOf(d *object) string {
	c := &object{m: d.m}
	for _, k := range d.keys {
		if k != "table_id" {
			c.keys = append(c.keys, k)
		}
	}
	return plain(c)
}

func (v *tableCount) add(s *session.Session, ordinal int64, r *object, size int64) {
	v.events++
	v.bytes += size
	if v.firstEvent < 0 {
		v.firstEvent = ordinal
	}
	if at := number(r.m["timestamp"]); at > 0 {
		if v.first == 0 || at < v.first {
			v.first = at
		}
		v.last = max(v.last, at)
	}
	if _, known := s.Index().Rows(ordinal); !known { // which of them are is what the test above is about
		v.unknown++
		return
	}
	for _, row := range rowsData(r) {
		before, after := get(row, "before") != nil, get(row, "after") != nil
		switch {
		case before && after:
			v.rows[1]++
		case after:
			v.rows[0]++
		default:
			v.rows[2]++
		}
	}
}

// checkTables: tables, types and servers add up to what the events are.
func checkTables(t *testing.T, s *session.Session, n *naiveCount) int {
	list := get(mustParse(t, s.Tables(session.TablesByName, 0, 1<<30)), "tables").([]any)
	if len(list) != len(n.tables) {
		t.Errorf("%d tables, the events have %d", len(list), len(n.tables))
	}
	for _, got := range list {
		v := n.tables[text(get(got, "schema"))+"\x00"+text(get(got, "table"))]
		if v == nil {
			t.Errorf("no event has the table %s", plain(got))
			continue
		}
		want := fmt.Sprintf(`"versions":%d,"events":%d,"bytes":%d,"inserted":%d,"updated":%d,"deleted":%d,"uncounted":%d,"first":%d,"last":%d,"event":%d}`,
			len(v.versions), v.events, v.bytes, v.rows[0], v.rows[1], v.rows[2], v.unknown, v.first, v.last, v.firstEvent)
		if !strings.HasSuffix(plain(got), want) {
			t.Errorf("%s\nwant %s", plain(got), want)
		}
	}
	totals := mustParse(t, s.Totals())
	compareTotals(t, get(totals, "types").([]any), n.types, func(v any) string { return text(get(v, "type")) })
	compareTotals(t, get(totals, "servers").([]any), n.servers, func(v any) string { return plain(get(v, "server_id")) })
	return len(list)
}

func compareTotals(t *testing.T, list []any, want map[string][2]int64, key func(any) string) {
	t.Helper()
	last := int64(1 << 62)
	for _, v := range list {
		w, ok := want[key(v)]
		if got := [2]int64{number(get(v, "events")), number(get(v, "bytes"))}; got != w || !ok || got[1] > last && key(v) != "ENCRYPTED_EVENT" {
			t.Errorf("%s, want %v, in order", plain(v), w)
		} else {
			last = got[1]
		}
	}
	if len(list) != len(want) {
		t.Errorf("%d entries, want %d", len(list), len(want))
	}
}

var tableKeys = map[session.TableOrder]func(any) int64{
	session.TablesByName:   func(any) int64 { return 0 },
	session.TablesByBytes:  func(v any) int64 { return number(get(v, "bytes")) },
	session.TablesByEvents: func(v any) int64 { return number(get(v, "events")) },
	session.TablesByLast:   func(v any) int64 { return number(get(v, "last")) },
	session.TablesByRows: func(v any) int64 {
		return number(get(v, "inserted")) + number(get(v, "updated")) + number(get(v, "deleted"))
	},
}

// checkTableOrders: each order has all tables, from the largest down, equal ones by name; pages are parts of it.
func checkTableOrders(t *testing.T, s *session.Session) {
	name := func(v any) string { return text(get(v, "schema")) + "\x00" + text(get(v, "table")) }
	for by, of := range tableKeys {
		list := get(mustParse(t, s.Tables(by, 0, 1<<30)), "tables").([]any)
		if !slices.IsSortedFunc(list, func(a, b any) int { return cmp.Or(cmp.Compare(of(b), of(a)), strings.Compare(name(a), name(b))) }) {
			t.Errorf("order %d: %s", by, cut(plain(list)))
		}
		if paged := pages(t, "tables", func(from, n int) []byte { return s.Tables(by, from, n) }); plain(paged) != plain(list) {
			t.Errorf("order %d: pages differ", by)
		}
	}
}

// pages puts a list together from pages of it.
func pages(t *testing.T, key string, page func(from, n int) []byte) (all []any) {
	t.Helper()
	for from := 0; ; from += 7 {
		p := mustParse(t, page(from, 7))
		some := get(p, key).([]any)
		if number(get(p, "from")) != int64(from) {
			t.Fatal(plain(p))
		}
		if all = append(all, some...); len(some) == 0 {
			if number(get(p, "total")) != int64(len(all)) {
				t.Errorf("%d in all, total says %s", len(all), plain(get(p, "total")))
			}
			return all
		}
	}
}

// A survey in the smallest steps, and one that goes on while the log is indexed, find what one of the whole log does. What is
// shown meanwhile is never more than what is there.
func TestSurveyInSteps(t *testing.T) {
	logs := eachLog(t, func(t *testing.T, log []byte) {
		want := everything(surveyed(t, log))
		s := open(t, log, session.Options{})
		for s.Survey(time.Nanosecond) {
		}
		if got := everything(s); got != want {
			t.Errorf("in steps:\n%s", firstLineDifference(got, want))
		}
		for _, chunk := range []int{max(len(log)/50, 97), max(len(log)/3, 1)} {
			s, err := session.Open(bytes.NewReader(log), int64(len(log)), session.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for rest := log; len(rest) > 0; {
				k := min(chunk, len(rest))
				s.Feed(rest[:k])
				rest = rest[k:]
				for s.Step(time.Nanosecond) {
					s.Survey(time.Nanosecond)
				}
				for s.Survey(time.Nanosecond) {
				}
				if p := s.SurveyProgress(); p.Done || p.Rows > p.Total || p.Total != s.Index().Len() {
					t.Fatalf("%+v", p)
				}
				everything(s) // in all orders, which must not be kept for later
			}
			s.Finish()
			for s.Step(0) {
			}
			s.Survey(0)
			if got := everything(s); got != want {
				t.Errorf("while %d bytes come at a time:\n%s", chunk, firstLineDifference(got, want))
			}
		}
	})
	t.Logf("%d logs", logs)
}

// A survey of a log whose indexing was cancelled ends with what is indexed.
func TestSurveyOfPart(t *testing.T) {
	log := testdata(t, "sample/sample.binlog")
	s, err := session.Open(bytes.NewReader(log), int64(len(log)), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Feed(log[:len(log)/2])
	for s.Step(0) {
	}
	s.Survey(0)
	if p := s.SurveyProgress(); p.Done || p.Rows == 0 || p.Rows >= p.Total {
		t.Errorf("before the last transaction is known to its end: %+v", p)
	}
	s.Finish()
	s.Survey(0)
	if p := s.SurveyProgress(); !p.Done || p.Rows != p.Total || p.Total != s.Index().Len() {
		t.Errorf("%+v", p)
	}
}

// An event that is not decoded since it is too large is counted as such.
func TestSurveyOfLargeEvents(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32).SQL("d", "BEGIN")
	l.Event(logtest.TypeTableMap, logtest.Table{ID: 9, Schema: "d", Name: "t", Columns: []logtest.Column{logtest.Col(3)}}.Body())
	for _, n := range []int{3, 5000} {
		data := bytes.Repeat(logtest.Image(logtest.U32(1)), n)
		l.Event(logtest.TypeDeleteRows, logtest.Rows{ID: 9, V2: true, Width: 1, Before: []byte{1}, Data: data, Flags: logtest.StmtEnd}.Body())
	}
	l.Event(logtest.TypeXid, logtest.U64(1))
	s := open(t, l.Bytes(), session.Options{MaxEvent: session.MinEventLimit})
	s.Survey(0)
	if _, known := s.Index().Rows(4); known || decoder.Type(logtest.TypeDeleteRows) != s.Index().Row(4).Type {
		t.Error("the large event is counted")
	}
	table := get(mustParse(t, s.Tables(session.TablesByName, 0, 9)), "tables", 0)
	if plain(get(table, "events")) != "2" || plain(get(table, "deleted")) != "3" || plain(get(table, "uncounted")) != "1" {
		t.Error(plain(table))
	}
	if tr := get(mustParse(t, s.Transactions(session.ByNumber, 0, 9)), "transactions", 0); get(tr, "rows") != nil {
		t.Errorf("the rows of a transaction of which not all are known: %s", plain(tr))
	}
}
