package render

import (
	"binlens/decoder/charset"
	lt "binlens/decoder/internal/logtest"
	"encoding/json"
	"strings"
	"testing"
)

// Documents, geometries and compressed columns: one value, and the JSON of it.
func TestCellsOfManyParts(t *testing.T) {
	doc, geometry, packed, packedText := lt.Col(245, 4), lt.Col(255, 4), lt.Col(141, 100, 0), lt.Col(140, 2)
	value := func(hexDigits string) []byte { return lt.Document(hexBytes(hexDigits)) }
	const point = "00000000 01 01000000 000000000000f03f 0000000000000040"
	hello := lt.Cat(lt.Hex("81 05"), lt.Zlib([]byte("hello")))
	for _, c := range []struct {
		name     string
		server   lt.Server
		column   lt.Column
		optional []byte
		value    []byte
		want     string
		problem  string
		at       int // of the problem, in the cell; -1 for its first byte
	}{
		{"JSON null", lt.MySQL8040, doc, nil, value("04 00"), "null", "", 0},
		{"JSON of no bytes", lt.MySQL8040, doc, nil, value(""), "null", "", 0},
		{"JSON int64", lt.MySQL8040, doc, nil, value("09 0000000000000080"), "-9223372036854775808", "", 0},
		{"JSON uint64", lt.MySQL8040, doc, nil, value("0a ffffffffffffffff"), "18446744073709551615", "", 0},
		{"JSON double", lt.MySQL8040, doc, nil, value("0b 000000000000f83f"), "1.5", "", 0},
		{"JSON string", lt.MySQL8040, doc, nil, value("0c 03 22 0a c3"), `{"hex":"0c03220ac3"}`, "corrupt: c: a string that is not UTF-8", 4},
		{"JSON string with what JSON escapes", lt.MySQL8040, doc, nil, value("0c 03 22 0a 5c"), `"\"\n\\"`, "", 0},
		{"JSON object", lt.MySQL8040, doc, nil, value("00 01000c00 0b000100 050500 61"), `{"a":5}`, "", 0},
		{"JSON of an unknown type", lt.MySQL8040, doc, nil, value("20 00"), `{"hex":"2000"}`, "corrupt: c: value type 32 is none of binary JSON", 0},
		{"JSON cut", lt.MySQL8040, doc, nil, value("09 00"), `{"hex":"0900"}`, "corrupt: c: a value of 8 bytes, 1 left", 1},
		{"POINT", lt.MySQL8040, geometry, nil, value(point), `"POINT(1 2)"`, "", 0},
		{"POINT of 4326", lt.MySQL8040, geometry, nil, value("e6100000" + point[8:]), `"SRID=4326;POINT(1 2)"`, "", 0},
		{"empty geometry", lt.MySQL8040, geometry, nil, value(""), `""`, "", 0},
		{"POINT cut", lt.MySQL8040, geometry, nil, value(point[:len(point)-2]), `{"hex":"000000000101000000000000000000f03f00000000000000"}`, "truncated: c: ", 17},
		{"compressed, not", lt.MariaDB105, packed, charsets(utf8mb4), lt.Text8("\x00abc"), `"abc"`, "", 0},
		{"compressed, empty", lt.MariaDB105, packed, charsets(utf8mb4), lt.Text8(""), `""`, "", 0},
		{"compressed", lt.MariaDB105, packed, charsets(utf8mb4), lt.Text8(string(hello)), `"hello"`, "", 0},
		{"compressed TEXT", lt.MariaDB105, packedText, charsets(utf8mb4), lt.Cat(lt.U16(uint16(len(hello))), hello), `"hello"`, "", 0},
		{"compressed BLOB", lt.MariaDB105, packedText, charsets(bytesOnly), lt.Cat(lt.U16(uint16(len(hello))), hello), `{"hex":"68656c6c6f"}`, "", 0},
		{"compressed, no UTF-8", lt.MariaDB105, packed, charsets(utf8mb4), lt.Text8("\x00ab\xff"), `{"hex":"6162ff"}`, "corrupt: c: byte 2 of the text is no character of utf8mb4", -1},
		{"compressed, cut", lt.MariaDB105, packed, charsets(utf8mb4), lt.Text8(string(hello[:4])), `{"hex":"8105789c"}`, "truncated: c: it cannot be decompressed: ", 4},
		{"compressed in an unknown way", lt.MariaDB105, packed, charsets(utf8mb4), lt.Text8("\x41abc"), `{"hex":"41616263"}`, "unsupported: c: it cannot be decompressed: compression method 4", 0},
	} {
		optional := lt.Cat(c.optional, lt.TLV(4, lt.Names("c")))
		e := insert(t, c.server, optional, []lt.Column{c.column}, c.value)
		r := resultOf(t, e)
		if len(r.Data.Rows) != 1 || string(r.Data.Rows[0].After) != `{"c":`+c.want+`}` {
			t.Errorf("%s: %s, want %s", c.name, r.Data.Rows, c.want)
		}
		if len(r.Problems) != map[bool]int{false: 1}[c.problem == ""] {
			t.Errorf("%s: problems %+v, want %q", c.name, r.Problems, c.problem)
			continue
		}
		for _, p := range r.Problems {
			data := len(e.Raw) - 4 - len(c.value) + map[byte]int{245: 4, 255: 4, 141: 1, 140: 2}[c.column.Type] // where the cell's data begins
			if got := p.Kind + ": " + p.Reason; !strings.HasPrefix(got, c.problem) || p.Path != "rows[0].after.c" || c.at >= 0 && p.Offset != e.Off+int64(data+c.at) || p.Offset < e.Off+int64(data) {
				t.Errorf("%s: %q at %d of the cell, want %q at %d", c.name, got, p.Offset-e.Off-int64(data), c.problem, c.at)
			}
		}
	}
}

// Text in the multi-byte character sets of East Asia is read where the platform reads it.
func TestCellsOfEastAsia(t *testing.T) {
	charset.SetDecoder(func(c charset.Charset, b []byte) ([]byte, bool) {
		return []byte("測試"), c == charset.GBK && string(b) == "\xb2\xe2\xca\xd4"
	})
	defer charset.SetDecoder(nil)
	text := lt.Col(252, 2)
	for _, c := range []struct{ value, want, problem string }{
		{"0400b2e2cad4", `"測試"`, ""},
		{"0300616263", `"abc"`, ""},
		{"0100b2", `{"hex":"b2"}`, "corrupt: @1: byte 0 of the text is no character of gbk"},
	} {
		r := resultOf(t, insert(t, lt.MySQL8040, charsets(gbk), []lt.Column{text}, hexBytes(c.value)))
		if got := string(r.Data.Rows[0].After); got != `{"@1":`+c.want+`}` {
			t.Errorf("%s: %s, want %s", c.value, got, c.want)
		}
		if len(r.Problems) != 0 && c.problem == "" || c.problem != "" && (len(r.Problems) != 1 || !strings.HasPrefix(r.Problems[0].Kind+": "+r.Problems[0].Reason, c.problem)) {
			t.Errorf("%s: %+v, want %q", c.value, r.Problems, c.problem)
		}
	}
	// A statement that is cut for its summary inside a character.
	l := lt.New(lt.MySQL8040, lt.CRC32)
	charset.SetDecoder(func(_ charset.Charset, b []byte) ([]byte, bool) {
		return []byte(strings.Repeat("測", len(b)/2)), len(b)%2 == 0
	})
	l.Event(lt.TypeQuery, l.Query(lt.Query{SQL: "\xb2" + strings.Repeat("\xb2\xe2", 1000), Status: lt.Var(4, lt.U16(gbk), lt.U16(gbk), lt.U16(gbk))}))
	if got := string(decodeAt(t, l, 1, nil).AppendSummary(nil)); !strings.HasPrefix(got, "測測測") {
		t.Errorf("%q", got)
	}
}

// A partial update: the document that it makes, what it changes, and the change alone where the document is not known.
func TestPartialUpdates(t *testing.T) {
	columns := []lt.Column{lt.Col(3), lt.Col(245, 4)}
	object := lt.Hex("00 02001400 1200 0100 1300 0100 05 0100 05 0200 61 62") // {"a":1,"b":2}
	int9 := lt.Hex("05 0900")
	before := lt.Image(lt.U32(1), lt.Document(object))
	for _, c := range []struct {
		name                  string
		present, presentAfter []byte
		data                  []byte
		before, after, diff   string
		problem               string
		kind                  string
	}{
		{"a change", lt.All(2), lt.All(2), lt.Cat(before, lt.U8(1), lt.U8(1), lt.Image(lt.U32(1), lt.Document(lt.Diff(0, "$.a", int9)))),
			`{"@1":1,"@2":{"a":1,"b":2}}`, `{"@1":1,"@2":{"a":9,"b":2}}`, `{"@2":[{"op":"replace","path":"$.a","value":9}]}`, "", ""},
		{"no change", lt.All(2), lt.All(2), lt.Cat(before, lt.U8(1), lt.U8(1), lt.Image(lt.U32(1), lt.Document(nil))), `{"@1":1,"@2":{"a":1,"b":2}}`, `{"@1":1,"@2":{"a":1,"b":2}}`, `{"@2":[]}`, "", ""},
		{"whole", lt.All(2), lt.All(2), lt.Cat(before, lt.U8(1), lt.U8(0), lt.Image(lt.U32(1), lt.Document(int9))), `{"@1":1,"@2":{"a":1,"b":2}}`, `{"@1":1,"@2":9}`, "", "", ""},
		{"of a document that is not known", lt.U8(1), lt.U8(2), lt.Cat(lt.Image(lt.U32(1)), lt.U8(1), lt.U8(1), lt.Image(lt.Document(lt.Cat(lt.Diff(0, "$.a", int9), lt.Diff(2, "$.b", nil))))),
			`{"@1":1}`, `{"@2":{"diff":[{"op":"replace","path":"$.a","value":9},{"op":"remove","path":"$.b"}]}}`, "", "", ""},
		{"of nothing that is there", lt.All(2), lt.All(2), lt.Cat(before, lt.U8(1), lt.U8(1), lt.Image(lt.U32(1), lt.Document(lt.Diff(2, "$.z", nil)))),
			`{"@1":1,"@2":{"a":1,"b":2}}`, `{"@1":1,"@2":{"hex":"0203242e7a"}}`, `{"@2":[{"op":"remove","path":"$.z"}]}`, "@2: ", "corrupt"},
		{"of a damaged document", lt.All(2), lt.All(2), lt.Cat(lt.Image(lt.U32(1), lt.Document(lt.Hex("09 00"))), lt.U8(1), lt.U8(1), lt.Image(lt.U32(1), lt.Document(lt.Diff(0, "$.a", int9)))),
			`{"@1":1,"@2":{"hex":"0900"}}`, `{"@1":1,"@2":{"hex":"0003242e6103050900"}}`, `{"@2":[{"op":"replace","path":"$.a","value":9}]}`, "@2: a value of 8 bytes, 1 left", "corrupt"},
	} {
		e := rowsOf(t, lt.MySQL8040, lt.Table{Schema: "d", Name: "t", Columns: columns}, lt.TypePartialUpdate, lt.Rows{Flags: lt.StmtEnd, Width: 2, Before: c.present, After: c.presentAfter, Data: c.data})
		var got struct {
			Data struct {
				Rows []struct{ Before, After, Diff json.RawMessage }
			}
			Problems []struct{ Kind, Path, Reason string }
		}
		if err := json.Unmarshal(e.AppendJSON(nil), &got); err != nil || len(got.Data.Rows) != 1 {
			t.Fatalf("%s: %v %+v", c.name, err, got)
		}
		r := got.Data.Rows[0]
		if string(r.Before) != c.before || string(r.After) != c.after || string(r.Diff) != c.diff {
			t.Errorf("%s: %s -> %s, diff %s", c.name, r.Before, r.After, r.Diff)
		}
		if c.problem == "" && got.Problems != nil || c.problem != "" && len(got.Problems) == 0 {
			t.Errorf("%s: %+v", c.name, got.Problems)
		}
		for _, p := range got.Problems {
			if p.Kind != c.kind || !strings.HasPrefix(p.Reason, c.problem) {
				t.Errorf("%s: %+v", c.name, p)
			}
		}
	}
}
