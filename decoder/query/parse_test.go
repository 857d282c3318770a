package query

import (
	"errors"
	"strings"
	"testing"
)

const someUUID = "3e11fa47-71ca-11e1-9e33-c80aa9429562"

// A filter and its canonical form.
func TestParse(t *testing.T) {
	for _, c := range [][2]string{
		{"", ""},
		{" \t\n ", ""},
		{"type:update", "type:update"},
		{"TYPE:Update,WRITE_ROWS_EVENT,15", "type:update,write_rows_event,15"},
		{"type:gap -type:table_map", "type:gap -type:table_map"},
		{"table:shop.orders", "table:shop.orders"},
		{"table:Orders,shop.*,*_log", "table:orders,shop.*,*_log"},
		{"table:`my.db`.`t,1`", "table:`my.db`.`t,1`"},
		{"table:`a*b``c`*", "table:`a*b``c`*"},
		{"schema:shop,`x.y`", "schema:shop,`x.y`"},
		{"time:2026-01-02", "time:2026-01-02T00:00:00..2026-01-02T23:59:59"},
		{"time:2026-01-02T03:04", "time:2026-01-02T03:04:00..2026-01-02T03:04:59"},
		{"time:2026-01-02T03:04:05Z", "time:2026-01-02T03:04:05"},
		{"time:2026-01-02T03:04..03:10", "time:2026-01-02T03:04:00..2026-01-02T03:10:59"},
		{`time:"2026-01-02 03:04:30"..03:10:15`, "time:2026-01-02T03:04:30..2026-01-02T03:10:15"},
		{"time:2026-12-31T23:50..00:10", "time:2026-12-31T23:50:00..2027-01-01T00:10:59"},
		{"time:2024-02-28..2024-02-29", "time:2024-02-28T00:00:00..2024-02-29T23:59:59"},
		{"time:1700000000", "time:2023-11-14T22:13:20"},
		{"time:1700000000..", "time:>=2023-11-14T22:13:20"},
		{"time:..2026-01-02", "time:<=2026-01-02T23:59:59"},
		{"time:>2026-01-02T03:04", "time:>=2026-01-02T03:05:00"},
		{"time:<2026-01-02", "time:<=2026-01-01T23:59:59"},
		{"pos:4711 offset:4..100", "offset:4711 offset:4..100"},
		{"event:0..99,200", "event:<=99,200"},
		{"server:7 server:>=7,<3", "server:7 server:>=7,<=2"},
		{"thread:42", "thread:42"},
		{"size:>1MB", "size:>=1000001"},
		{"size:<=300 size:1k..2KiB", "size:<=300 size:1000..2048"},
		{"size:1.5m,=0.5g,2TiB,7B", "size:1500000,500000000,2199023255552,7"},
		{"trx:17", "trx:17"},
		{"trx:>10000rows", "trx:>=10001rows"},
		{"trx:>5MB,3KiB..1GB", "trx:>=5000001B,3072B..1000000000B"},
		{"trx:>30s,>=2min,<1.5h", "trx:>=31s,>=120s,<=5399s"},
		{"trx:open,RolledBack -trx:none", "trx:open,rolledback -trx:none"},
		{"rows:>100", "rows:>=101"},
		{"xid:77", "xid:77"},
		{"gtid:" + someUUID, "gtid:" + someUUID},
		{"gtid:" + strings.ToUpper(someUUID) + ":1-99:5-200", "gtid:" + someUUID + ":1-200"},
		{"gtid:" + someUUID + ":blue:7," + someUUID + ":3", "gtid:" + someUUID + ":blue:7," + someUUID + ":3"},
		{"gtid:0-1-100,0-1-100..200,0-1-5..0-1-6,1-2-3..", "gtid:0-1-100,0-1-100..200,0-1-5..6,1-2-3.."},
		{"row:id=42", "row:id=42"},
		{"row:ID=42,43 -row:status!=paid,open", "row:id=42,43 -row:status!=paid,open"},
		{"row:id=42,status=paid", "row:id=42,status=paid"},
		{"row:status", "row:status"},
		{"row:status,total", "row:status,total"},
		{"row:@3=5", "row:@3=5"},
		{"row:after.status=paid row:before.@2<=-1.5", `row:after.status=paid row:before.@2<="-1.5"`},
		{"row:note~\"a b\" row:n>=1e3 row:x<>7", `row:note~"a b" row:n>=1e3 row:x!=7`},
		{"row:c=NULL,\"NULL\"", `row:c=NULL,"NULL"`},
		{"row:c=\"\"", `row:c=""`},
		{"row:`my col`=`a,b`", "row:`my col`=\"a,b\""},
		{"row:`after.x`>5", "row:`after.x`>5"},
		{"problem payload -problem", "problem payload -problem"},
		{"problem:corrupt,checksum", "problem:corrupt,checksum"},
		{"hello", "hello"},
		{`"free text"`, `"free text"`},
		{`-"say \"hi\" \\ \n"`, `-"say \"hi\" \\ \\n"`},
		{`foo,"a, b"`, `foo,"a, b"`},
		{`"problem" "null"`, `"problem" "null"`},
		{"12:30", `"12:30"`},
		{"größe", "größe"},
	} {
		f, err := Parse(c[0])
		if err != nil {
			t.Errorf("%s: %v", c[0], err)
			continue
		}
		if got := f.String(); got != c[1] {
			t.Errorf("%s\n is %s\nwant %s", c[0], got, c[1])
		}
		checkCanonical(t, f)
	}
}

// checkCanonical: the canonical form of a filter is that of the filter it is parsed to.
func checkCanonical(t *testing.T, f *Filter) {
	t.Helper()
	text := f.String()
	again, err := Parse(text)
	if err != nil || again.String() != text || len(again.Terms) != len(f.Terms) {
		t.Fatalf("%s is parsed as %v, %v", text, again, err)
	}
}

// A mistake, where it is, and a part of what is said of it.
func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		text       string
		start, end int
		said       string
	}{
		{`a "bc`, 2, 5, "the quote is not closed; expected a closing \""},
		{"table:`x", 6, 8, "expected a closing `"},
		{"tabel:x", 0, 5, "no term is called tabel; expected table:"},
		{"-sise:3", 1, 5, "expected size:"},
		{"http://x", 0, 4, "quotes around text with a colon"},
		{"a -", 2, 3, "a minus sign without a term"},
		{"type:updat_", 5, 11, "there is no such type; expected update"},
		{"type:", 5, 5, "nothing stands here"},
		{"type:update,,delete", 12, 12, "nothing stands here"},
		{"type:999", 5, 8, "there is no such type"},
		{"table:", 6, 6, "nothing stands here"},
		{"table:a.b.c", 6, 11, "more than two names"},
		{"table:.b", 6, 6, "nothing stands here"},
		{"table:a.", 8, 8, "nothing stands here"},
		{"schema:a.b", 7, 10, "a schema's name with a dot"},
		{"time:", 5, 5, "expected 2026-01-02"},
		{"time:12:00..13:00", 5, 10, "the first time needs a date"},
		{"time:..13:00", 7, 12, "the first time needs a date"},
		{"time:2026-02-30", 5, 15, "there is no such date"},
		{"time:2026-01-02T25:00", 5, 21, "this is no time"},
		{"time:2026-01-02..2026-01-01", 5, 27, "the range ends before it starts"},
		{"time:..", 5, 7, "a range without ends"},
		{"time:2026", 5, 9, "the first time needs a date"},
		{"offset:-5", 7, 9, "this is no number"},
		{"event:5..1", 6, 10, "the range ends before it starts"},
		{"server:x", 7, 8, "this is no number"},
		{"server:99999999999999999999", 7, 27, "this is no number"},
		{"size:>1XB", 6, 9, "this is no size"},
		{"size:MB", 5, 7, "this is no number"},
		{"size:1.2.3k", 5, 11, "this is no number"},
		{"size:<0", 5, 7, "nothing is below 0"},
		{"size:~5", 5, 7, "this comparison is for row: only"},
		{"trx:>5parsecs", 5, 13, "this is neither rows, nor bytes, nor a time"},
		{"trx:1rows..5MB", 11, 14, "both ends need the same unit"},
		{"trx:opne", 4, 8, "this is no state of a transaction"},
		{"gtid:", 5, 5, "nothing stands here"},
		{"gtid:3e11fa47-71ca", 18, 18, `expected "-" in the UUID`},
		{"gtid:" + someUUID + ":0", 42, 43, "transaction numbers begin at 1"},
		{"gtid:" + someUUID + ":tag", 5, 45, "no transaction number is in this"},
		{"gtid:0-1-9..5", 5, 13, "the range does not go up"},
		{"gtid:0-1-9..1-1-10", 5, 18, "the range does not go up"},
		{"row:", 4, 4, "nothing stands here"},
		{"row:=5", 4, 4, "nothing stands here"},
		{"row:id=", 7, 7, "there is no value"},
		{"row:id=1,", 9, 9, "there is no value"},
		{"row:@0=1", 4, 6, "this is no place of a column"},
		{"row:@x=1", 4, 6, "this is no place of a column"},
		{"row:a<NULL", 6, 10, "NULL is neither above nor below"},
		{"row:before.a", 11, 12, "an image alone has no changed columns"},
		{"problem:bad", 8, 11, "this is no kind of problem"},
		{"payload:1", 8, 9, "payload takes no value"},
		{`""`, 0, 2, "there is no text to look for"},
		{"a,", 2, 2, "nothing stands here"},
		{strings.Repeat("x", maxText+1), maxText, maxText + 1, "the filter is too long"},
	} {
		_, err := Parse(c.text)
		var bad *Error
		if !errors.As(err, &bad) {
			t.Errorf("%.60s: no mistake", c.text)
			continue
		}
		if bad.Start != c.start || bad.End != c.end || !strings.Contains(bad.Error(), c.said) {
			t.Errorf("%.60s: %v\nwant %d to %d, %s", c.text, err, c.start, c.end, c.said)
		}
	}
}

// FuzzParse: any text is a filter, which its canonical form stands for, or has a mistake within it.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"type:update table:shop.orders time:2026-01-02T03:04..03:10 gtid:" + someUUID + ":1-99 server:7 thread:42 size:>1MB trx:>10000rows",
		`row:id=42 row:status=paid problem "free text"`, "-row:after.`a b`~\"x,\\\"y\" payload", "a,b,\"c d\" -type:ddl,gap",
		"trx:>30s,open,17..19 xid:>=5 rows:<3 event:..7 pos:4", "gtid:0-1-5..9,0-1-2 problem:corrupt schema:*x*y", "row:@3=NULL,5 row:b",
		"time:1700000000..2024-02-29", "size:1.5KiB..2G", "``` \"", "row:a!=b'101',0xff",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		filter, err := Parse(text)
		if err == nil {
			checkCanonical(t, filter)
			return
		}
		var bad *Error
		if !errors.As(err, &bad) || bad.Start < 0 || bad.Start > bad.End || bad.End > len(text) || bad.Message == "" {
			t.Fatalf("%q: %v", text, err)
		}
	})
}
