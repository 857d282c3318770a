package session_test

import (
	"binlens/decoder/internal/logtest"
	"testing"
)

// partialLog is an update of a table in which the before and the after image have the columns given by bitmaps.
func partialLog(columns []logtest.Column, before, after byte, rows ...[]byte) *logtest.Log {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	l.Event(logtest.TypeTableMap, logtest.Table{ID: 100, Schema: "d", Name: "t", Columns: columns}.Body())
	return l.Event(logtest.TypePartialUpdate, logtest.Rows{ID: 100, Flags: logtest.StmtEnd, V2: true, Width: len(columns),
		Before: []byte{before}, After: []byte{after}, Data: logtest.Cat(rows...)}.Body())
}

// The partial bits count the JSON columns of the table, in the image or not; each value is all of its diffs, in order.
func TestTrapPartialJSON(t *testing.T) {
	ab := logtest.Hex("00 0200 1400 1200 0100 1300 0100 05 0100 05 0200 61 62") // {"a":1,"b":2}
	nine, z := logtest.Hex("05 0900"), logtest.Hex("0c 01 7a")
	three := logtest.Cat(logtest.Diff(0, "$.a", nine), logtest.Diff(2, "$.b", nil), logtest.Diff(1, "$.c", z))
	id, js, tiny := logtest.Col(3), logtest.Col(245, 4), logtest.Col(1)
	doc := logtest.Document
	one := logtest.U32(1)
	for _, c := range []struct {
		name string
		log  *logtest.Log
		want string
	}{
		{"72 three diffs of one document", partialLog([]logtest.Column{id, js}, 3, 3,
			logtest.Image(one, doc(ab)), logtest.Hex("01 01"), logtest.Image(one, doc(three))),
			`[{"before":{"@1":1,"@2":{"a":1,"b":2}},"after":{"@1":1,"@2":{"a":9,"c":"z"}},"diff":{"@2":[{"op":"replace","path":"$.a","value":9},` +
				`{"op":"remove","path":"$.b"},{"op":"insert","path":"$.c","value":"z"}]}}]`},
		{"72 the bit of the second of two documents, the first of which is not in the image", partialLog([]logtest.Column{id, js, js}, 5, 4,
			logtest.Image(one, doc(ab)), logtest.Hex("01 02"), logtest.Image(doc(three))),
			`[{"before":{"@1":1,"@3":{"a":1,"b":2}},"after":{"@3":{"a":9,"c":"z"}},"diff":{"@3":[{"op":"replace","path":"$.a","value":9},` +
				`{"op":"remove","path":"$.b"},{"op":"insert","path":"$.c","value":"z"}]}}]`},
		{"73 no options, no bits", partialLog([]logtest.Column{id, js}, 3, 3,
			logtest.Image(one, doc(ab)), logtest.Hex("00"), logtest.Image(logtest.U32(2), doc(nine))),
			`[{"before":{"@1":1,"@2":{"a":1,"b":2}},"after":{"@1":2,"@2":9}}]`},
		{"73 with and without in one event", partialLog([]logtest.Column{id, js}, 1, 2,
			logtest.Image(one), logtest.Hex("00"), logtest.Image(doc(nine)), logtest.Image(logtest.U32(2)), logtest.Hex("01 00"), logtest.Image(doc(z)), logtest.Image(logtest.U32(3)), logtest.Hex("01 01"), logtest.Image(doc(logtest.Diff(2, "$.b", nil)))),
			`[{"before":{"@1":1},"after":{"@2":9}},{"before":{"@1":2},"after":{"@2":"z"}},{"before":{"@1":3},"after":{"@2":{"diff":[{"op":"remove","path":"$.b"}]}}}]`},
		{"74 a change and a value behind it", partialLog([]logtest.Column{js, tiny}, 2, 3,
			logtest.Image(logtest.U8(1)), logtest.Hex("01 01"), logtest.Image(doc(logtest.Diff(1, "$[0]", z)), logtest.U8(2))),
			`[{"before":{"@2":1},"after":{"@1":{"diff":[{"op":"insert","path":"$[0]","value":"z"}]},"@2":2}}]`},
		{"74 a document that is NULL", partialLog([]logtest.Column{js, tiny}, 2, 3,
			logtest.Image(logtest.U8(1)), logtest.Hex("01 01"), logtest.Image(nil, logtest.U8(2))),
			`[{"before":{"@2":1},"after":{"@1":null,"@2":2}}]`},
		{"74 no diffs: the document stays", partialLog([]logtest.Column{js}, 1, 1,
			logtest.Image(doc(ab)), logtest.Hex("01 01"), logtest.Image(doc(nil))),
			`[{"before":{"@1":{"a":1,"b":2}},"after":{"@1":{"a":1,"b":2}},"diff":{"@1":[]}}]`},
	} {
		row := dumpLog(t, c.log.Bytes())[2]
		if got := plain(get(row.m["data"], "rows")); got != c.want || row.m["problems"] != nil {
			t.Errorf("%s: %s %s\nwant %s", c.name, got, plain(row.m["problems"]), c.want)
		}
	}
}

// Nine JSON columns have two bytes of partial bits; only the ninth is logged.
func TestTrapNineDocuments(t *testing.T) {
	var columns []logtest.Column
	for range 9 {
		columns = append(columns, logtest.Col(245, 4))
	}
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	l.Event(logtest.TypeTableMap, logtest.Table{ID: 100, Schema: "d", Name: "t", Columns: columns}.Body())
	l.Event(logtest.TypePartialUpdate, logtest.Rows{ID: 100, Flags: logtest.StmtEnd, V2: true, Width: 9, Before: logtest.Hex("0001"), After: logtest.Hex("0001"),
		Data: logtest.Cat(logtest.Image(logtest.Document(logtest.Hex("05 0100"))), logtest.Hex("01 0001"), logtest.Image(logtest.Document(logtest.Diff(0, "$", logtest.Hex("05 0900")))))}.Body())
	row := dumpLog(t, l.Bytes())[2]
	if got := plain(get(row.m["data"], "rows")); got != `[{"before":{"@9":1},"after":{"@9":9},"diff":{"@9":[{"op":"replace","path":"$","value":9}]}}]` || row.m["problems"] != nil {
		t.Errorf("72: %s %s", got, plain(row.m["problems"]))
	}
}
