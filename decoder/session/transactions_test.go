package session_test

import (
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// transactionKeys are the keys that transactions are ordered by, from their JSON.
var transactionKeys = map[session.TransactionOrder]func(*session.Session, any) int64{
	session.ByNumber: func(*session.Session, any) int64 { return 0 },
	session.ByBytes:  func(_ *session.Session, v any) int64 { return number(get(v, "bytes")) },
	session.ByEvents: func(_ *session.Session, v any) int64 { return number(get(v, "events")) },
	session.ByDuration: func(_ *session.Session, v any) int64 {
		return max(number(get(v, "end"))-number(get(v, "start")), 0)
	},
	session.ByRows: func(s *session.Session, v any) int64 { // as far as they were counted
		n := int64(0)
		for i := number(get(v, "first")); i <= number(get(v, "last")); i++ {
			rows, _ := s.Index().Rows(i)
			n += int64(rows)
		}
		return n
	},
}

// checkTransactionOrders: each order has every transaction once, from the largest key down, equal ones in the order of the
// log; each stands at its place.
func checkTransactionOrders(t *testing.T, s *session.Session) {
	total := int(s.Index().Groups())
	for by, key := range transactionKeys {
		list := get(mustParse(t, s.Transactions(by, 0, 1<<30)), "transactions").([]any)
		met := map[int64]bool{}
		for i, v := range list {
			n := number(get(v, "number"))
			if met[n] || n < 1 || n > int64(total) {
				t.Fatalf("order %d: transaction %d twice, or there is none", by, n)
			}
			met[n] = true
			if got := s.Place(by, uint32(n)); got != i {
				t.Fatalf("order %d: transaction %d is at place %d, not %d", by, n, got, i)
			}
			if i == 0 {
				continue
			}
			before := list[i-1]
			if a, b := key(s, before), key(s, v); a < b || a == b && number(get(before, "number")) >= n {
				t.Errorf("order %d: %d with %d stands before %d with %d", by, number(get(before, "number")), a, n, b)
			}
		}
		if len(list) != total {
			t.Errorf("order %d: %d of %d transactions", by, len(list), total)
		}
		if paged := pages(t, "transactions", func(from, n int) []byte { return s.Transactions(by, from, n) }); plain(paged) != plain(list) {
			t.Errorf("order %d: pages differ", by)
		}
	}
}

// checkTransactions: what is said of a transaction is what its events are.
func checkTransactions(t *testing.T, s *session.Session, rows []*object) int {
	list := get(mustParse(t, s.Transactions(session.ByNumber, 0, 1<<30)), "transactions").([]any)
	spans := map[int64][2]int{}
	for i, r := range rows {
		n := number(r.m["transaction"])
		if p := r.m["payload"]; p != nil { // what is damaged inside is of it as well
			n = number(rows[number(get(p, "ordinal"))].m["transaction"])
		}
		if n > 0 {
			if _, ok := spans[n]; !ok {
				spans[n] = [2]int{i, i}
			}
			spans[n] = [2]int{spans[n][0], i}
		}
	}
	if len(spans) != len(list) {
		t.Errorf("%d transactions, the events are of %d", len(list), len(spans))
	}
	names := tableNames(rows)
	for i, v := range list {
		n := int64(i + 1)
		got := &object{m: v.(*object).m, keys: slices.DeleteFunc(slices.Clone(v.(*object).keys), func(k string) bool { return k == "checks" })}
		if want := naiveTransaction(s, n, spans[n], rows, names); plain(got) != want {
			t.Errorf("%s\nwant %s", plain(got), want)
		}
		one, err := s.Transaction(uint32(n))
		if err != nil || string(one) != plain(v) {
			t.Errorf("alone %s, %v\nin the list %s", one, err, plain(v))
		}
	}
	for _, n := range []uint32{0, uint32(len(list) + 1)} {
		if b, err := s.Transaction(n); err != session.ErrNoRow {
			t.Errorf("transaction %d: %s, %v", n, b, err)
		}
	}
	return len(list)
}

func naiveTransaction(s *session.Session, n int64, span [2]int, rows []*object, names []string) string {
	first, last := rows[span[0]], rows[span[1]]
	end := last
	if p := last.m["payload"]; p != nil {
		end = rows[number(get(p, "ordinal"))]
	}
	var b strings.Builder
	fmt.Fprintf(&b, `{"number":%d`, n)
	if g := naiveGtid(first); g != "" {
		fmt.Fprintf(&b, `,"gtid":%q`, g)
	}
	fmt.Fprintf(&b, `,"state":%q,"first":%d,"last":%d,"offset":%d,"events":%d,"bytes":%d`, s.Index().Transaction(uint32(n)).State, span[0], span[1],
		number(first.m["offset"]), span[1]-span[0]+1, number(end.m["offset"])+number(end.m["size"])-number(first.m["offset"]))
	sum, all, thread := 0, true, ""
	var tables []string
	for i := span[0]; i <= span[1]; i++ {
		r := rows[i]
		if id := get(r.m["data"], "thread_id"); id != nil && thread == "" && i <= span[0]+8 && text(r.m["type"]) != "TRANSACTION_CONTEXT_EVENT" && !contradicts(r) {
			thread = plain(id)
		}
		if !changesRows(r) || kindOf(r) != "event" {
			continue
		}
		_, known := s.Index().Rows(int64(i))
		all = all && known
		list, _ := get(r.m["data"], "rows").([]any)
		sum += len(list)
		if name := strings.Replace(names[i], "\x00", ".", 1); name != "" && !slices.Contains(tables, name) {
			tables = append(tables, name)
		}
	}
	if all {
		fmt.Fprintf(&b, `,"rows":%d`, sum)
	}
	fmt.Fprintf(&b, `,"start":%d,"end":%d`, number(first.m["timestamp"]), s.Index().Row(int64(span[1])).Time)
	if id := first.m["server_id"]; id != nil {
		fmt.Fprintf(&b, `,"server":%s`, plain(id))
	}
	if thread != "" {
		fmt.Fprintf(&b, `,"thread":%s`, thread)
	}
	b.WriteString(`,"tables":[`)
	for i, name := range tables[:min(len(tables), 20)] {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quote(name))
	}
	b.WriteByte(']')
	if len(tables) > 20 {
		fmt.Fprintf(&b, `,"more":%d`, len(tables)-20)
	}
	return b.String() + "}"
}

// contradicts says that the event cannot be read whole.
func contradicts(r *object) bool {
	list, _ := r.m["problems"].([]any)
	return slices.ContainsFunc(list, func(p any) bool {
		return text(get(p, "kind")) != "checksum" && !strings.HasPrefix(text(get(p, "path")), "status_vars.")
	})
}

// naiveGtid is the GTID that an event gives to a transaction.
func naiveGtid(r *object) string {
	d := r.m["data"]
	switch typ := text(r.m["type"]); typ {
	case "GTID_EVENT":
		return text(get(d, "sid")) + ":" + strings.Trim(plain(get(d, "gno")), `"`)
	case "ANONYMOUS_GTID_EVENT":
		return "ANONYMOUS"
	case "GTID_TAGGED_LOG_EVENT":
		return text(get(d, "gtid"))
	case "MARIADB_GTID_EVENT":
		return fmt.Sprintf("%s-%s-%s", plain(get(d, "domain_id")), plain(r.m["server_id"]), strings.Trim(plain(get(d, "seq_no")), `"`))
	}
	return ""
}

// An order asked for while the last transaction goes on is made anew when it has grown.
func TestOrderOfGrowingTransaction(t *testing.T) {
	log := logOfTwo()
	s, err := session.Open(bytes.NewReader(log.Bytes()), int64(log.Len()), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	order := func() string {
		for s.Step(0) {
		}
		list := get(mustParse(t, s.Transactions(session.ByBytes, 0, 9)), "transactions").([]any)
		var numbers []string
		for _, v := range list {
			numbers = append(numbers, plain(get(v, "number")))
		}
		return strings.Join(numbers, " ")
	}
	cutAt := log.Events[len(log.Events)-2].Off + 1
	s.Feed(log.Bytes()[:cutAt])
	if got := order(); got != "1 2" {
		t.Errorf("while the second has begun: %s", got)
	}
	s.Feed(log.Bytes()[cutAt:])
	s.Finish()
	if got := order(); got != "2 1" {
		t.Errorf("when it is the larger one: %s", got)
	}
}

// logOfTwo is a log of two transactions, of which the second is the larger one by its last statement.
func logOfTwo() *logtest.Log {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	for _, n := range []int{100, 1000} {
		l.SQL("d", "BEGIN").SQL("d", "INSERT INTO t VALUES ('"+strings.Repeat("x", n)+"')").Event(logtest.TypeXid, logtest.U64(1))
	}
	return l
}

// With a filter the transactions are those of which it leaves a row, in every order, also when they were asked for while the log
// was indexed.
func TestTransactionsOfAFilter(t *testing.T) {
	listed := func(s *session.Session, by session.TransactionOrder) (numbers []int64) {
		for _, v := range get(mustParse(t, s.Transactions(by, 0, 1<<30)), "transactions").([]any) {
			numbers = append(numbers, number(get(v, "number")))
		}
		return numbers
	}
	some := false
	for _, f := range logtest.ProjectLogs(t) {
		whole, err := session.Open(bytes.NewReader(f.Bytes), int64(len(f.Bytes)), session.Options{})
		if err != nil {
			continue
		}
		whole.Feed(f.Bytes)
		whole.Finish()
		for whole.Step(0) {
		}
		for _, filter := range []string{"type:rows", "type:update", "trx:2", "-type:rows"} {
			growing, _ := session.Open(bytes.NewReader(f.Bytes), int64(len(f.Bytes)), session.Options{})
			for _, s := range []*session.Session{whole, growing} {
				if err := s.SetFilter(filter); err != nil {
					t.Fatal(err)
				}
			}
			for rest := f.Bytes; len(rest) > 0; {
				n := min(len(rest), 997)
				growing.Feed(rest[:n])
				rest = rest[n:]
				growing.Step(0)
				growing.Transactions(session.ByBytes, 0, 5)
			}
			growing.Finish()
			for whole.Step(0) || growing.Step(0) {
			}
			var want []int64
			for ordinal := range whole.Index().Len() {
				group := int64(whole.Index().Row(ordinal).Group)
				if group > 0 && whole.View().Has(ordinal) && !slices.Contains(want, group) {
					want = append(want, group)
				}
			}
			some = some || len(want) > 0 && len(want) < int(whole.Index().Groups())
			for _, s := range []*session.Session{whole, growing} {
				if got := listed(s, session.ByNumber); !slices.Equal(got, want) || s.Progress().Touched != int64(len(want)) {
					t.Errorf("%s, %s: transactions %v (%d), want %v", f.Name, filter, got, s.Progress().Touched, want)
				}
				down := listed(s, session.ByBytes)
				for i, n := range down {
					if s.Place(session.ByBytes, uint32(n)) != i {
						t.Errorf("%s, %s: transaction %d is not at place %d by bytes", f.Name, filter, n, i)
					}
				}
				slices.Sort(down)
				if !slices.Equal(down, want) {
					t.Errorf("%s, %s: by bytes other transactions: %v, want %v", f.Name, filter, down, want)
				}
			}
		}
	}
	if !some {
		t.Error("no filter left a part of the transactions")
	}
}
