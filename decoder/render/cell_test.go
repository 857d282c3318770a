package render

import (
	"binlens/decoder/internal/logtest"
	"strings"
	"testing"
)

func hexBytes(s string) []byte { return append([]byte{}, logtest.Hex(s)...) }

// collations of the character sets used below
const (
	latin1    = 8
	gbk       = 28
	utf8mb3   = 33
	utf8mb4   = 255
	bytesOnly = 63
	ucs2      = 35
	koi8r     = 7
)

func charsets(ids ...uint64) []byte { return logtest.TLV(3, logtest.Lenencs(ids...)) }

// One column, one value, and the JSON of it. Columns of integers are signed unless the table map says otherwise.
func TestCells(t *testing.T) {
	unsigned := logtest.TLV(1, logtest.Hex("80"))
	signed := logtest.TLV(1, logtest.Hex("00"))
	char, text, blob := logtest.Col(254, 0xfe, 40), logtest.Col(252, 2), logtest.Col(252, 2)
	enum, set := logtest.Col(254, 0xf7, 1), logtest.Col(254, 0xf8, 1)
	labels := func(code byte, collation uint64, l ...string) []byte {
		return logtest.Cat(logtest.TLV(code, logtest.Labels(l...)), logtest.TLV(11, logtest.Lenencs(collation)))
	}
	for _, c := range []struct {
		name     string
		column   logtest.Column
		optional []byte
		value    string // hexadecimal; "NULL"
		want     string
		problem  string // kind and a part of the reason; empty for none
	}{
		{"NULL", logtest.Col(3), signed, "NULL", "null", ""},
		{"sign unknown is signed", logtest.Col(1), nil, "ff", "-1", ""},
		{"TINYINT", logtest.Col(1), signed, "80", "-128", ""},
		{"TINYINT UNSIGNED", logtest.Col(1), unsigned, "80", "128", ""},
		{"MEDIUMINT", logtest.Col(9), signed, "feffff", "-2", ""},
		{"MEDIUMINT UNSIGNED", logtest.Col(9), unsigned, "feffff", "16777214", ""},
		{"BIGINT 2^53-1", logtest.Col(8), signed, "ffffffffffff1f00", "9007199254740991", ""},
		{"BIGINT 2^53", logtest.Col(8), signed, "0000000000002000", `"9007199254740992"`, ""},
		{"BIGINT -(2^53-1)", logtest.Col(8), signed, "010000000000e0ff", "-9007199254740991", ""},
		{"BIGINT -2^53", logtest.Col(8), signed, "000000000000e0ff", `"-9007199254740992"`, ""},
		{"BIGINT smallest", logtest.Col(8), signed, "0000000000000080", `"-9223372036854775808"`, ""},
		{"BIGINT UNSIGNED largest", logtest.Col(8), unsigned, "ffffffffffffffff", `"18446744073709551615"`, ""},
		{"YEAR", logtest.Col(13), nil, "7c", `"2024"`, ""},
		{"YEAR 0", logtest.Col(13), nil, "00", `"0000"`, ""},
		{"FLOAT", logtest.Col(4, 4), nil, "c3f54840", "3.14", ""},
		{"DOUBLE", logtest.Col(5, 8), nil, "00000000000004c0", "-2.5", ""},
		{"FLOAT NaN", logtest.Col(4, 4), nil, "0000c07f", `"NaN"`, "corrupt: c: no finite number"},
		{"DOUBLE infinite", logtest.Col(5, 8), nil, "000000000000f0ff", `"-Infinity"`, "corrupt: c: no finite number"},
		{"DECIMAL", logtest.Col(246, 14, 4), nil, "810dfb38d204d2", `"1234567890.1234"`, ""},
		{"DECIMAL negative", logtest.Col(246, 5, 2), nil, "7ffffe", `"-0.01"`, ""},
		{"DATE", logtest.Col(10), nil, "5dd00f", `"2024-02-29"`, ""},
		{"DATE zero", logtest.Col(10), nil, "000000", `"0000-00-00"`, ""},
		{"DATE of month 15", logtest.Col(10), nil, "ed d1 0f", `"2024-15-13"`, "corrupt: c: the month is above 12"},
		{"TIME(6)", logtest.Col(19, 6), nil, "7f3747f3f5ec", `"-12:34:56.789012"`, ""},
		{"DATETIME(3)", logtest.Col(18, 3), nil, "99b2bb7efa04ce", `"2024-02-29 23:59:58.123"`, ""},
		{"TIMESTAMP", logtest.Col(17, 0), nil, "65e11a7e", `"2024-02-29 23:59:58"`, ""}, // 1709251198
		{"BIT(10)", logtest.Col(16, 2, 1), nil, "0201", `"b'1000000001'"`, ""},
		{"BIT(3) with too many", logtest.Col(16, 3, 0), nil, "ff", `"b'11111111'"`, "corrupt: c: bits beyond the column's width"},
		{"CHAR, character set unknown", char, nil, "03616263", `"abc"`, ""},
		{"CHAR of no UTF-8, character set unknown", char, nil, "03ff6263", `{"hex":"ff6263"}`, ""},
		{"CHAR, latin1 is cp1252", char, charsets(latin1), "039180e4", `"‘€ä"`, ""},
		{"CHAR, koi8r", char, charsets(koi8r), "06cdc9d221e5ff", `"мир!ЕЪ"`, ""},
		{"CHAR, ucs2", char, charsets(ucs2), "0400416e2c", `"A測"`, ""},
		{"CHAR, ucs2 with half a character", char, charsets(ucs2), "03004161", `{"hex":"004161"}`, "corrupt: c: byte 2 of the text is no character of ucs2"},
		{"CHAR, utf8mb4", char, charsets(utf8mb4), "04f09f9880", `"😀"`, ""},
		{"CHAR, utf8mb4 cut off", char, charsets(utf8mb4), "0561f09f9861", `{"hex":"61f09f9861"}`, "corrupt: c: byte 1 of the text is no character of utf8mb4"},
		{"CHAR, utf8mb3 with four bytes", char, charsets(utf8mb3), "04f09f9880", `{"hex":"f09f9880"}`, "corrupt: c: byte 0 of the text is no character of utf8"},
		{"TEXT, gbk", text, charsets(gbk), "0400b2e2cad4", `{"hex":"b2e2cad4"}`, "unsupported: c: text in gbk is not read yet"},
		{"TEXT, a collation no server has", text, charsets(65000), "0100ff", `{"hex":"ff"}`, ""},
		{"TEXT, control characters", text, charsets(utf8mb4), "0500000a0d0122", `"\u0000\n\r\u0001\""`, ""},
		{"BLOB", blob, charsets(bytesOnly), "03000061ff", `{"hex":"0061ff"}`, ""},
		{"BLOB empty", blob, charsets(bytesOnly), "0000", `{"hex":""}`, ""},
		{"BINARY padded back", logtest.Col(254, 0xfe, 5), charsets(bytesOnly), "0161", `{"hex":"6100000000"}`, ""},
		{"BINARY all zeros", logtest.Col(254, 0xfe, 3), charsets(bytesOnly), "00", `{"hex":"000000"}`, ""},
		{"BINARY full", logtest.Col(254, 0xfe, 2), charsets(bytesOnly), "026162", `{"hex":"6162"}`, ""},
		{"VARBINARY is not padded", logtest.Col(15, 5, 0), charsets(bytesOnly), "0161", `{"hex":"61"}`, ""},
		{"CHAR is not padded", logtest.Col(254, 0xfe, 5), charsets(utf8mb4), "0161", `"a"`, ""},
		{"ENUM without labels", enum, nil, "02", "2", ""},
		{"ENUM 0 without labels", enum, nil, "00", `""`, ""},
		{"ENUM", enum, labels(6, utf8mb4, "red", "grün"), "02", `"grün"`, ""},
		{"ENUM 0", enum, labels(6, utf8mb4, "red", "grün"), "00", `""`, ""},
		{"ENUM, latin1", enum, labels(6, latin1, "red", "gr\xfcn"), "02", `"grün"`, ""},
		{"ENUM of gbk: labels are not read", enum, labels(6, gbk, "\xb2\xe2"), "01", "1", ""},
		{"ENUM beyond the labels", enum, labels(6, utf8mb4, "red", "green"), "03", "3", "corrupt: c: the table map has no such member"},
		{"SET without labels", set, nil, "05", "5", ""},
		{"SET empty without labels", set, nil, "00", `""`, ""},
		{"SET", set, labels(5, utf8mb4, "a", "b", "c"), "05", `"a,c"`, ""},
		{"SET empty", set, labels(5, utf8mb4, "a", "b", "c"), "00", `""`, ""},
		{"SET, latin1", set, labels(5, latin1, "\xe4", "b"), "03", `"ä,b"`, ""},
		{"SET beyond the labels", set, labels(5, utf8mb4, "a", "b"), "05", "5", "corrupt: c: the table map has no such member"},
		{"SET of 64", logtest.Col(254, 0xf8, 8), labels(5, utf8mb4, sixtyFour()...), "0100000000000080", `"m0,m63"`, ""},
		{"SET of 64 without labels", logtest.Col(254, 0xf8, 8), nil, "0000000000000080", `"9223372036854775808"`, ""},
		{"VECTOR", logtest.Col(242, 4), nil, "08000000 6666863f 66668ec1", "[1.05,-17.8]", ""},
		{"VECTOR empty", logtest.Col(242, 4), nil, "00000000", "[]", ""},
		{"VECTOR of 5 bytes", logtest.Col(242, 4), nil, "05000000 0000803f00", `{"hex":"0000803f00"}`, "corrupt: c: a vector of 5 bytes"},
		{"VECTOR with a NaN", logtest.Col(242, 4), nil, "08000000 0000803f0000c07f", `{"hex":"0000803f0000c07f"}`, "corrupt: c: a vector with a value that is no finite number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			optional := logtest.Cat(c.optional, logtest.TLV(4, logtest.Names("c")))
			var value []byte
			if c.value != "NULL" {
				value = hexBytes(c.value)
			}
			e := insert(t, logtest.MySQL8040, optional, []logtest.Column{c.column}, value)
			r := resultOf(t, e)
			if len(r.Data.Rows) != 1 || string(r.Data.Rows[0].After) != `{"c":`+c.want+`}` {
				t.Errorf("rows %s, want %s", r.Data.Rows, c.want)
			}
			switch {
			case c.problem == "" && len(r.Problems) > 0, c.problem != "" && len(r.Problems) != 1:
				t.Errorf("problems %+v, want %q", r.Problems, c.problem)
			case c.problem != "":
				p := r.Problems[0]
				if got := p.Kind + ": " + p.Reason; !strings.HasPrefix(got, c.problem) || p.Path != "rows[0].after.c" {
					t.Errorf("problem %q at %s, want %q", got, p.Path, c.problem)
				}
				if p.Offset-p.BodyOffset != e.Off+19 || p.BodyOffset <= 0 || p.Offset >= e.Off+e.Size-4 {
					t.Errorf("problem at %d in the file, %d in the body of the event of %d bytes at %d", p.Offset, p.BodyOffset, e.Size, e.Off)
				}
			}
		})
	}
}

func sixtyFour() (labels []string) {
	for i := range 64 {
		labels = append(labels, "m"+string(appendUint(nil, uint64(i))))
	}
	return labels
}

// The offset of a problem is that of the byte at fault.
func TestCellProblemOffset(t *testing.T) {
	columns := []logtest.Column{logtest.Col(3), logtest.Col(15, 10, 0)}
	e := insert(t, logtest.MySQL8040, charsets(utf8mb4), columns, logtest.U32(1), logtest.Text8("ab\xffc"))
	r := resultOf(t, e)
	if len(r.Problems) != 1 {
		t.Fatalf("problems %+v", r.Problems)
	}
	if p := r.Problems[0]; e.Raw[p.Offset-e.Off] != 0xff || e.Raw[19+p.BodyOffset] != 0xff || p.Path != "rows[0].after.@2" {
		t.Errorf("%+v does not point at the byte ff of %x", p, e.Raw)
	}
}

// Collation ids above 2^16, which no server has, and names that are no UTF-8 do no harm.
func TestOddTableMaps(t *testing.T) {
	optional := logtest.Cat(charsets(1<<20), logtest.TLV(4, logtest.Names("\xff\x00")))
	e := insert(t, logtest.MySQL8040, optional, []logtest.Column{logtest.Col(15, 10, 0)}, logtest.Text8("a"))
	if got := string(resultOf(t, e).Data.Rows[0].After); got != `{"0xff00":"a"}` {
		t.Error(got)
	}
	e = insert(t, logtest.MySQL8040, logtest.TLV(4, logtest.Names("a\"b\n")), []logtest.Column{logtest.Col(1)}, hexBytes("07"))
	if got := string(resultOf(t, e).Data.Rows[0].After); got != `{"a\"b\n":7}` {
		t.Error(got)
	}
	if r := resultOf(t, e); r.Data.Names != "metadata" {
		t.Errorf("names from %q", r.Data.Names)
	}
}

// More tables than a Plans holds: it forgets and goes on, and what it gives is the same.
func TestPlansAreBounded(t *testing.T) {
	var plans Plans
	for i := range maxPlans + 10 {
		e := insert(t, logtest.MySQL8040, nil, []logtest.Column{logtest.Col(1)}, []byte{byte(i)})
		with := *e
		with.Plans = &plans
		if a, b := string(e.AppendJSON(nil)), string(with.AppendJSON(nil)); a != b {
			t.Fatalf("%s, with plans %s", a, b)
		}
		if len(plans.m) > maxPlans {
			t.Fatalf("%d plans", len(plans.m))
		}
	}
}
