package session_test

import (
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// shopSID is the source of the log below.
var shopSID = [16]byte(logtest.Hex("3e11fa47 71ca 11e1 9e33 c80aa9429562"))

// order is a row of shop.orders: id INT UNSIGNED, status VARCHAR(20) utf8mb4, total DECIMAL(10,2), note VARCHAR(20) latin1,
// created DATETIME, doc JSON, kind ENUM('small','large') and code BINARY(4).
type order struct {
	id     uint32
	status string // empty for NULL
	total  string // 5 bytes of DECIMAL(10,2), in hexadecimal
	note   string // in latin1
}

func orderMap(id uint64) []byte {
	columns := []logtest.Column{logtest.Col(3), logtest.Col(15, 80, 0), logtest.Col(246, 10, 2), logtest.Col(15, 20, 0), logtest.Col(18, 0),
		logtest.Col(245, 4), logtest.Col(254, 0xf7, 1), logtest.Col(254, 0xfe, 4)}
	optional := logtest.Cat(logtest.TLV(1, []byte{0x80}), logtest.TLV(3, logtest.Lenencs(45, 8, 63)),
		logtest.TLV(4, logtest.Names("id", "status", "total", "note", "created", "doc", "kind", "code")),
		logtest.TLV(6, logtest.Labels("small", "large")), logtest.TLV(8, logtest.Lenencs(0)), logtest.TLV(10, logtest.Lenencs(45)))
	return logtest.Table{ID: id, Flags: 1, Schema: "shop", Name: "orders", Columns: columns, Optional: optional}.Body()
}

func (o order) image() []byte {
	var status []byte
	if o.status != "" {
		status = logtest.Text8(o.status)
	}
	// 2023-11-14 22:13:20; {"n": 7, "Key": "Blue"}; large; c0 ff ee 00
	doc := logtest.Hex("1c000000 00 0200 1b00 12000100 13000300 050700 0c1600 6e 4b6579 04426c7565")
	return logtest.Image(logtest.U32(o.id), status, logtest.Hex(o.total), logtest.Text8(o.note), logtest.Hex("99b19d6354"), doc,
		logtest.U8(2), logtest.Hex("03c0ffee"))
}

// Totals.
const (
	total10   = "8000000a00"
	total2050 = "8000001432"
	total30   = "8000001e00"
)

// filterLog is the log of the tests below, whose ordinals they name. Events come a second apart, the first at
// 2023-11-14 22:13:20, those inside the payload all at that time.
//
//	0 format · 1 GTID 9, 2 BEGIN by 12, 3 map, 4 two inserts, 5 XID 77 · 6 GTID 10, 7 BEGIN by 13, 8 map, 9 update, 10 map of
//	shop.log, 11 insert, 12 ROLLBACK · 13 anonymous, 14 ALTER by 14 · 15 GTID 11, 16 payload with 17 BEGIN by 15, 18 map,
//	19 delete, 20 XID 78 · 21 GTID 12, 22 BEGIN by 16, 23 map, 24 update
func filterLog() *logtest.Log {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	paid, open := order{1, "paid", total10, "Gr\xfcn"}, order{2, "open", total2050, "note two"}
	shipped, void := paid, open
	shipped.status, void.status, void.total = "Shipped", "", total30
	begin := func(gno uint64, thread uint32) {
		l.Event(logtest.TypeGtid, logtest.Gtid{SID: shopSID, GNO: gno, Clock: 2, LastCommitted: 0, Sequence: gno}.Body())
		l.Event(logtest.TypeQuery, l.Query(logtest.Query{Thread: thread, DB: "shop", SQL: "BEGIN"}))
	}
	begin(9, 12)
	l.Event(logtest.TypeTableMap, orderMap(100))
	l.Event(logtest.TypeWriteRows, orderRows(nil, logtest.All(8), paid.image(), open.image()))
	l.Event(logtest.TypeXid, logtest.U64(77))

	begin(10, 13)
	l.Event(logtest.TypeTableMap, orderMap(100))
	l.Event(logtest.TypeUpdateRows, orderRows(logtest.All(8), logtest.All(8), paid.image(), shipped.image()))
	l.Event(logtest.TypeTableMap, logtest.Table{ID: 101, Schema: "shop", Name: "log", Columns: []logtest.Column{logtest.Col(3), logtest.Col(15, 20, 0)}}.Body())
	l.Event(logtest.TypeWriteRows, logtest.Rows{ID: 101, Flags: logtest.StmtEnd, V2: true, Width: 2, After: logtest.All(2),
		Data: logtest.Image(logtest.Hex("ffffffff"), logtest.Text8("order paid"))}.Body())
	l.Event(logtest.TypeQuery, l.Query(logtest.Query{Thread: 13, DB: "shop", SQL: "ROLLBACK"}))

	l.Event(logtest.TypeAnonymous, logtest.Gtid{Clock: 2, Sequence: 3}.Body())
	l.Event(logtest.TypeQuery, l.Query(logtest.Query{Thread: 14, DB: "shop", SQL: "/* x */ alter table orders add note2 text"}))

	l.Event(logtest.TypeGtid, logtest.Gtid{SID: shopSID, GNO: 11, Clock: 2, Sequence: 4}.Body())
	var p logtest.Inside
	p.Event(logtest.TypeQuery, l.Query(logtest.Query{Thread: 15, DB: "shop", SQL: "BEGIN"}))
	p.Event(logtest.TypeTableMap, orderMap(100))
	p.Event(logtest.TypeDeleteRows, orderRows(logtest.All(8), nil, shipped.image()))
	p.Event(logtest.TypeXid, logtest.U64(78))
	l.Event(logtest.TypePayload, logtest.Payload(255, uint64(len(p.Bytes())), p.Bytes()))

	begin(12, 16)
	l.Event(logtest.TypeTableMap, orderMap(100))
	return l.Event(logtest.TypeUpdateRows, orderRows(logtest.All(8), logtest.All(8), open.image(), void.image()))
}

func orderRows(before, after []byte, images ...[]byte) []byte {
	return logtest.Rows{ID: 100, Flags: logtest.StmtEnd, V2: true, Width: 8, Before: before, After: after, Data: logtest.Cat(images...)}.Body()
}

// filtered returns the ordinals that a filter leaves.
func filtered(t testing.TB, s *session.Session, filter string) (list []int64) {
	t.Helper()
	if err := s.SetFilter(filter); err != nil {
		t.Fatalf("%s: %v", filter, err)
	}
	if s.Step(0) {
		t.Fatalf("%s: work left after a step without a budget", filter)
	}
	if p := s.Progress(); p.Examined != p.Rows || !p.Filtered {
		t.Fatalf("%s: %d of %d rows looked at", filter, p.Examined, p.Rows)
	}
	return ordinals(s)
}

// ordinals returns the rows of the list.
func ordinals(s *session.Session) (list []int64) {
	v := s.View()
	for k := range v.Count(s.Index().Len()) {
		list = append(list, v.Select(k))
	}
	return list
}

// parseOrdinals reads 1,4-6.
func parseOrdinals(t testing.TB, text string) (list []int64) {
	t.Helper()
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
		var from, to int64
		if n, _ := fmt.Sscanf(part, "%d-%d", &from, &to); n == 1 {
			to = from
		} else if n != 2 {
			t.Fatal(text)
		}
		for ; from <= to; from++ {
			list = append(list, from)
		}
	}
	return list
}

func TestFilter(t *testing.T) {
	log := filterLog()
	s := open(t, log.Bytes(), session.Options{})
	for _, c := range [][2]string{
		{"type:insert", "4,11"}, {"type:write", "4,11"}, {"type:update,delete", "9,19,24"}, {"type:rows", "4,9,11,19,24"},
		{"type:WRITE_ROWS_EVENT", "4,11"}, {"type:write_rows_event_v1", ""}, {"type:table", "3,8,10,18,23"}, {"type:16", "5,20"},
		{"type:query", "2,7,12,14,17,22"}, {"type:ddl", "14"}, {"type:ddl,xid", "5,14,20"}, {"-type:ddl type:query", "2,7,12,17,22"},
		{"type:gtid", "1,6,13,15,21"}, {"type:gap", ""}, {"-type:rows,query,gtid,table_map", "0,5,16,20"},
		{"table:shop.orders", "3-4,8-9,18-19,23-24"}, {"table:log", "10-11"}, {"table:shop.*", "3-4,8-11,18-19,23-24"}, {"table:LOG,x", "10-11"},
		{"-table:* type:rows", ""}, {"schema:shop", "3-4,8-11,14,18-19,23-24"}, {"schema:sh", ""},
		{"time:2023-11-14T22:13:24", "4"}, {"time:2023-11-14T22:13:30..22:13:32", "10-12"}, {"time:>2023-11-14T22:13:37", "22-24"},
		{"time:1700000001..1700000002", "1-2"}, {"time:<=1700000000", "0,17-20"},
		{"event:3..5,24", "3-5,24"}, {"event:>22", "23-24"}, {"-event:1..", "0"},
		{"server:7", "0-24"}, {"server:8", ""}, {"-server:8 event:<2", "0-1"},
		{"thread:12", "1-5"}, {"thread:15", "15-20"}, {"thread:14,16", "13-14,21-24"}, {"thread:99", ""},
		{"gtid:3e11fa47-71ca-11e1-9e33-c80aa9429562:9-10", "1-12"}, {"gtid:3e11fa47-71ca-11e1-9e33-c80aa9429562:11", "15-20"},
		{"gtid:3e11fa47-71ca-11e1-9e33-c80aa9429562", "1-12,15-24"}, {"gtid:3e11fa47-71ca-11e1-9e33-c80aa9429563", ""}, {"gtid:0-1-9", ""},
		{"gtid:3e11fa47-71ca-11e1-9e33-c80aa9429562:blue:9", ""}, {"-gtid:3e11fa47-71ca-11e1-9e33-c80aa9429562", "0,13-14"},
		{"trx:2", "6-12"}, {"trx:none", "0"}, {"trx:committed", "1-5,13-20"}, {"trx:rolledback", "6-12"}, {"trx:open", "21-24"}, {"trx:prepared", ""},
		{"trx:>1rows", "1-12"}, {"trx:0rows", "13-14"}, {"trx:>=6s", "6-12"}, {"trx:<=4s,none", "0-5,13-24"}, {"trx:5..,1", "1-5,21-24"},
		{"rows:2", "4"}, {"rows:>0", "4,9,11,19,24"}, {"-rows:1 type:rows", "4"}, {"xid:77", "5"}, {"xid:>77", "20"},
		{"payload", "17-20"}, {"-payload type:rows", "4,9,11,24"}, {"problem", ""},
		{"row:id=1", "4,9,19"}, {"row:ID=2", "4,24"}, {"row:id=1,2", "4,9,19,24"}, {"row:id=3", ""}, {"row:id>1", "4,24"}, {"row:id!=1", "4,24"},
		{"row:id=1.0", "4,9,19"}, {"row:id<1.5", "4,9,19"}, {"row:id=x", ""}, {"-row:id=1", "0-3,5-8,10-18,20-24"},
		{"row:status=paid", "4,9"}, {"row:status=Paid", ""}, {"row:status~PAI", "4,9"}, {"row:after.status=paid", "4"}, {"row:before.status=paid", "9"},
		{"row:status=NULL", "24"}, {"row:status!=NULL", "4,9,19,24"}, {"row:after.status!=NULL", "4,9"}, {"row:status!=paid,open", "9,19"},
		{"row:id=1 row:status=open", ""}, {"row:id=2 row:status=open", "4,24"}, {"row:id=1 row:status=paid,Shipped", "4,9,19"},
		{"row:id=1 -row:status=open", "9,19"}, {"row:status", "9,24"}, {"row:total", "24"}, {"row:id", ""}, {"row:status,total row:id=2", "24"},
		{"row:total=10", "4,9,19"}, {"row:total=20.5", "4,24"}, {"row:total>20.49 row:total<30", "4,24"}, {"row:after.total>=30", "24"}, {"row:total>1e1", "4,24"},
		{"row:note=Grün", "4,9,19"}, {"row:note~GRÜN", "4,9,19"}, {`row:note="note two"`, "4,24"}, {"row:created=2023-11-14T22:13:20", "4,9,19,24"},
		{"row:created>2023-11-14", "4,9,19,24"}, {"row:created<=2023-11-14", ""}, {"row:doc~blue", "4,9,19,24"}, {`row:doc="{\"n\":7,\"Key\":\"Blue\"}"`, "4,9,19,24"},
		{"row:kind=large row:id=2", "4,24"}, {"row:kind=small", ""}, {"row:code=0xc0ffee00", "4,9,19,24"}, {"row:code=0xc0ffee", "4,9,19,24"}, {"row:code~0xffee", "4,9,19,24"},
		{"row:@1=2", "4,24"}, {"row:@1=-1", "11"}, {"row:@1=4294967295", "11"}, {"row:@2~paid", "4,9,11"}, {"row:@3=10", "4,9,19"}, {"row:@9=1", ""}, {"row:nothing=1", ""},
		{"row:nothing=1,id=1", "4,9,19"},
		{"paid", "4,9,11"}, {"SHIPPED", "9,19"}, {"grün", "4,9,19"}, {"-paid type:rows", "19,24"}, {`"note two"`, "4,24"}, {"note2", "14"}, {"note", "4,14,24"},
		{"blue", "4,9,19,24"}, {"key type:rows", "4,9,19,24"}, {"LARGE", "4,9,19,24"}, {"small", ""}, {"rollback,begin", "2,7,12,17,22"}, {"shop.log", "10-11"},
		{"orders", "3-4,8-9,14,18-19,23-24"}, {`"order paid"`, "11"},
		{"offset:4", "0"}, {"offset:0..3", ""}, {"pos:>=0", "0-24"},
		{fmt.Sprint("offset:", log.Events[4].Off), "4"}, {fmt.Sprint("offset:", log.Events[4].Off-1, "..", log.Events[5].Off), "3-5"},
		{fmt.Sprint("offset:", log.Events[16].Off+30), "16-20"}, {fmt.Sprint("offset:", log.Len()), ""}, {fmt.Sprint("offset:", log.Len()-1, ".."), "24"},
		{fmt.Sprint("size:", log.Events[5].Size), "5"}, {fmt.Sprint("size:>", log.Events[16].Size, ",<28"), "20"},
		{"table:orders type:update time:..2023-11-14T22:13:30 row:status=paid", "9"},
	} {
		if got := filtered(t, s, c[0]); !slices.Equal(got, parseOrdinals(t, c[1])) {
			t.Errorf("%s: %v, want %s", c[0], got, c[1])
		}
	}
}
