package jsonb

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// documents are in hexadecimal, and the text is the server's.
var documents = []struct{ name, hex, want string }{
	{"no bytes", "", "null"},
	{"null", "04 00", "null"},
	{"true", "04 01", "true"},
	{"false", "04 02", "false"},
	{"empty string", "0c 00", `""`},
	{"empty key", "00 0100 0b00 0b00 0000 05 0000", `{"": 0}`},
	{"inline literal", "00 0200 1600 1200 0100 1300 0100 04 0100 0c 1400 61 62 01 78", `{"a": true, "b": "x"}`},
	{"inline and not", "00 0100 2600 0b00 0100 02 0c00 61 0400 1a00 05 0100 0c 1000 0b 1200 04 0000 01 78 00000000 0000f83f",
		`{"a": [1, "x", 1.5, null]}`},
	{"empty array", "02 0000 0400", "[]"},
	{"empty object", "00 0000 0400", "{}"},
	{"empty large array", "03 00000000 08000000", "[]"},
	{"empty large object", "01 00000000 08000000", "{}"},

	{"int16", "05 feff", "-2"}, {"int16 min", "05 0080", "-32768"},
	{"uint16", "06 feff", "65534"},
	{"int32", "07 feffffff", "-2"}, {"uint32", "08 feffffff", "4294967294"},
	{"int64 min", "09 00000000 00000080", "-9223372036854775808"},
	{"int64", "09 feffffff ffffffff", "-2"},
	{"uint64 max", "0a ffffffff ffffffff", "18446744073709551615"},

	{"12.0", "0b 00000000 00002840", "12.0"}, {"-0.0", "0b 00000000 00000080", "-0.0"}, {"0.0", "0b 00000000 00000000", "0.0"},
	{"1e21", "0b 50efe2d6 e41a4b44", "1e21"}, {"1e15", "0b 00003426 f56b0c43", "1e15"},
	{"0.1", "0b 9a999999 9999b93f", "0.1"}, {"max", "0b ffffffff ffffef7f", "1.7976931348623157e308"}, {"least", "0b 01000000 00000000", "5e-324"},
	{"a fraction beyond 1e15", "0b 03eb2af2 548b1143", "1234567890123456.8"},

	{"decimal", "0f f6 04 03 02 81 63", "1.99"},
	{"decimal, negative", "0f f6 04 03 02 7f f5", "-0.10"},
	{"decimal of an array", "0f f6 06 06 03 80 7b 01 c8", "123.456"},
	{"decimal, zeros kept", "0f f6 07 0b 02 80 00 00 09 00", "9.00"},
	{"decimal, widest", "0f f6 20 41 1e 85f5e0ff 3b9ac9ff 3b9ac9ff 3b9ac9ff 3b9ac9ff 3b9ac9ff 3b9ac9ff 03e7",
		"99999999999999999999999999999999999.999999999999999999999999999999"},
	{"DATE", "0f 0a 08 00 00 00 00 00 7e b3 19", `"2024-05-31"`},
	{"DATE, older", "0f 0a 08 00 00 00 00 00 e4 8b 19", `"2012-03-18"`},
	{"DATE, zeros", "0f 0a 08 00 00 00 00 00 00 00 00", `"0000-00-00"`},
	{"DATETIME", "0f 0c 08 00 00 00 6f ea 7e b3 19", `"2024-05-31 14:41:47.000000"`},
	{"DATETIME with a fraction", "0f 0c 08 20 a1 07 6f ea 7e b3 19", `"2024-05-31 14:41:47.500000"`},
	{"TIMESTAMP", "0f 07 08 00 00 00 ad b7 e4 8b 19", `"2012-03-18 11:30:45.000000"`},
	{"TIME", "0f 0b 08 f1 fb 09 ee 77 05 00 00", `"87:31:46.654321"`},
	{"TIME, negative", "0f 0b 08 e0 5e f8 7c ef ff ff ff", `"-01:02:03.500000"`},
	{"TIME, longest", "0f 0b 08 00 00 00 fb 6e 34 00 00", `"838:59:59.000000"`},
	{"BIT", "0f 10 02 02 01", `"base64:type16:AgE="`},
	{"BLOB", "0f fc 02 00 ff", `"base64:type252:AP8="`},
	{"BLOB, empty", "0f fc 00", `"base64:type252:"`},
	{"VARCHAR, binary", "0f 0f 02 00 ff", `"base64:type15:AP8="`},
	{"VAR_STRING, binary", "0f fd 02 ca fe", `"base64:type253:yv4="`},
	{"BLOB of one line", "0f fc 39 " + strings.Repeat("00", 57), `"base64:type252:` + strings.Repeat("A", 76) + `"`},
	{"BLOB of two lines", "0f fc 3a " + strings.Repeat("00", 58), `"base64:type252:` + strings.Repeat("A", 76) + `\nAA=="`},
	{"BLOB with a long length", "0f fc c801 " + strings.Repeat("00", 200),
		`"base64:type252:` + strings.Repeat("A", 76) + `\n` + strings.Repeat("A", 76) + `\n` + strings.Repeat("A", 76) + `\n` + strings.Repeat("A", 39) + `="`},

	{"escapes", "0c 0b 08 09 0a 0c 0d 22 5c 2f 00 1f 7f", `"\b\t\n\f\r\"\\/\u0000\u001f` + "\x7f\""},
	{"UTF-8", "0c 09 c3bc f09f9880 e282ac", `"ü😀€"`},
	{"escaped key", "00 0100 0e00 0b00 0300 04 0000 61 22 62", `{"a\"b": null}`},
	{"a long length of a short string", "0c 8200 61 62", `"ab"`},

	{"large object, ints inline", "01 02000000 26000000 1e000000 0100 1f000000 0100 07 feffffff 08 ffffffff 61 62 0000 0000 0000",
		`{"a": -2, "b": 4294967295}`},
	{"large object, literal and uint16 inline", "01 02000000 20000000 1e000000 0100 1f000000 0100 04 02000000 06 ffff0000 61 62",
		`{"a": false, "b": 65535}`},
	{"small array, int32 by offset", "02 0100 0b00 07 0700 feffffff", "[-2]"},
	{"bytes beside an inline literal", "02 0100 0700 04 01ff", "[true]"},
	{"gaps", "02 0200 1400 0c 0e00 05 0700 ffffff ff 01 78 ff ff ff ff", `["x", 7]`},
	{"bytes behind the document", "04 01 ff ff", "true"},
	{"values in another order than their bytes", "02 0200 0e00 0c 0c00 0c 0a00 01 79 01 78", `["x", "y"]`},
	{"nested", "00 0100 4b00 0b00 0b00 00 1600 696e666f726d6174696f6e 0300 3500 1900 0600 1f00 0600 2500 0700 04 0000 04 0000 04 0000" +
		"4e756d626572 537461747573 707572706f7365 000000000000000000", `{"information": {"Number": null, "Status": null, "purpose": null}}`},
}

func TestDocuments(t *testing.T) {
	for _, tt := range documents {
		checkDocument(t, tt.name, unhex(t, tt.hex), tt.want)
	}
}

// checkDocument compares all ways a document is printed with its text.
func checkDocument(t *testing.T, name string, doc []byte, want string) {
	t.Helper()
	short := func(b []byte) []byte { return b[:min(len(b), 200)] }
	got, err := AppendText([]byte("x"), doc)
	if err != nil || string(got) != "x"+want {
		t.Errorf("%s: %s, %v; want %s", name, short(got), err, short([]byte(want)))
		return
	}
	compact, err := AppendJSON(nil, doc)
	var squeezed bytes.Buffer
	if bad := json.Compact(&squeezed, []byte(want)); bad != nil || err != nil || squeezed.String() != string(compact) {
		t.Errorf("%s: compact %s, %v, %v; want %s", name, short(compact), err, bad, short(squeezed.Bytes()))
	}
	tree, err := Parse(doc)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for range 2 { // as it was parsed, and all taken apart
		if got, err := tree.AppendText(nil); err != nil || string(got) != want {
			t.Errorf("%s: tree %s, %v; want %s", name, short(got), err, short([]byte(want)))
		}
		if got, err := tree.AppendJSON(nil); err != nil || string(got) != string(compact) {
			t.Errorf("%s: tree, compact %s, %v; want %s", name, short(got), err, short(compact))
		}
		tree.openAll(&tree.root)
	}
}

func (t *Tree) openAll(n *node) {
	if t.open(n) {
		for i := range n.parts.values {
			t.openAll(&n.parts.values[i])
		}
	}
}

func TestBuiltDocuments(t *testing.T) {
	strs := make([]any, 30001)
	for i := range strs {
		strs[i] = string(rune('a' + i%26))
	}
	small := make([]any, 900)
	for i := range small {
		small[i] = int16(i + 1)
	}
	long := strings.Repeat("x", 70000)
	for _, tt := range []struct {
		name string
		doc  any
	}{
		{"30001 strings", large{strs}},
		{"900 numbers", small},
		{"a long string", large{object{{"k", int32(-70000)}, {"l", int32(70000)}, {"m", uint32(3000000000)}, {"big", long}}}},
		{"large in large", large{object{{"a", large{[]any{"x", int64(1), nil}}}, {"b", object{{"c", 2.5}}}}}},
		{"small in large", large{[]any{[]any{int32(5)}, object{{"", true}}, uint16(7), int32(8)}}},
		{"100 deep", deep(100)},
	} {
		want, ok := goText(tt.doc)
		if !ok {
			t.Fatal(tt.name)
		}
		checkDocument(t, tt.name, build(tt.doc), want)
	}
}

// deep returns n arrays, one inside of the other.
func deep(n int) any {
	v := []any{}
	for range n - 1 {
		v = []any{v}
	}
	return v
}

// goText is the text of what build is given, made in another way.
func goText(v any) (string, bool) {
	switch v := v.(type) {
	case large:
		return goText(v.container)
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i], _ = goText(v[i])
		}
		return "[" + strings.Join(parts, ", ") + "]", true
	case object: // the tests give its members in order
		parts := make([]string, len(v))
		for i := range v {
			key, _ := json.Marshal(v[i].key)
			value, _ := goText(v[i].value)
			parts[i] = string(key) + ": " + value
		}
		return "{" + strings.Join(parts, ", ") + "}", true
	}
	b, err := json.Marshal(v)
	return string(b), err == nil
}

func TestUnquoted(t *testing.T) {
	for _, tt := range []struct {
		doc  any
		want string
	}{
		{"a\n\"b\"", "a\n\"b\""}, {"", ""}, {true, "true"}, {int16(1), "1"}, {[]any{"a\n"}, `["a\n"]`},
		{opaque{252, "\x00\xff"}, "base64:type252:AP8="}, {opaque{252, strings.Repeat("\x00", 58)}, "base64:type252:" + strings.Repeat("A", 76) + "\nAA=="},
		{opaque{10, "\x00\x00\x00\x00\x00\x7e\xb3\x19"}, "2024-05-31"}, {opaque{246, "\x03\x02\x81\x63"}, "1.99"},
	} {
		if got, err := AppendUnquoted([]byte("x"), build(tt.doc)); err != nil || string(got) != "x"+tt.want {
			t.Errorf("%v: %q, %v; want %q", tt.doc, got, err, tt.want)
		}
	}
	if got, err := AppendUnquoted([]byte("x"), []byte("\x0c\x01\xff")); string(got) != "x" || err == nil {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := AppendUnquoted([]byte("x"), nil); string(got) != "xnull" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestFaults(t *testing.T) {
	for _, tt := range []struct{ name, hex, want string }{
		{"type 13", "0d 00", "corrupt at byte 0 in $: value type 13 is none of binary JSON"},
		{"type 14", "0e", "corrupt at byte 0 in $: value type 14 is none of binary JSON"},
		{"type 255", "ff", "corrupt at byte 0 in $: value type 255 is none of binary JSON"},
		{"type 13, in an array", "02 0200 0e00 05 0100 0d 0a00 00000000", "corrupt at byte 8 in $[1]: value type 13 is none of binary JSON"},
		{"type 16, in a large array", "03 01000000 0d000000 10 00000000", "corrupt at byte 9 in $[0]: value type 16 is none of binary JSON"},
		{"type 13, in an object", "00 0100 0c00 0b00 0100 0d 0000 61", "corrupt at byte 9 in $.a: value type 13 is none of binary JSON"},
		{"literal 3", "04 03", "corrupt at byte 1 in $: literal 3 is none of null, true and false"},
		{"literal 3, inline", "02 0100 0700 04 0300", "corrupt at byte 6 in $[0]: literal 3 is none of null, true and false"},
		{"literal cut", "04", "corrupt at byte 1 in $: a value of 1 byte, 0 left"},
		{"double cut", "0b 00000000 000028", "corrupt at byte 1 in $: a value of 8 bytes, 7 left"},
		{"infinity", "0b 00000000 0000f07f", "corrupt at byte 1 in $: a double that is no finite number"},
		{"NaN", "0b 00000000 0000f8ff", "corrupt at byte 1 in $: a double that is no finite number"},
		{"string cut", "0c 03 61 62", "corrupt at byte 1 in $: a length of 3 bytes, 2 left"},
		{"string without length", "0c", "corrupt at byte 1 in $: a length that does not end"},
		{"length cut", "0c 80", "corrupt at byte 1 in $: a length that does not end"},
		{"length of 6 bytes", "0c 80 80 80 80 80 00", "corrupt at byte 1 in $: a length that does not end"},
		{"length of 5 bytes", "0c ff ff ff ff 7f 00", "corrupt at byte 1 in $: a length of 34359738367 bytes, 1 left"},
		{"string not UTF-8", "0c 04 61 c3 bc ff", "corrupt at byte 5 in $: a string that is not UTF-8"},
		{"surrogate", "0c 03 ed a0 80", "corrupt at byte 2 in $: a string that is not UTF-8"},
		{"string of 1 byte cut", "0c 01", "corrupt at byte 1 in $: a length of 1 byte, 0 left"},
		{"opaque cut", "0f", "corrupt at byte 1 in $: an opaque value without bytes"},
		{"opaque without length", "0f fc", "corrupt at byte 2 in $: a length that does not end"},
		{"opaque data cut", "0f fc 02 00", "corrupt at byte 2 in $: a length of 2 bytes, 1 left"},
		{"DATE of 7 bytes", "0f 0a 07 00 00 00 00 00 7e b3", "corrupt at byte 3 in $: a DATE of 7 bytes; it has 8"},
		{"decimal of 1 byte", "0f f6 01 04", "corrupt at byte 3 in $: a decimal of 1 byte"},
		{"decimal too short", "0f f6 03 03 02 81", "corrupt at byte 3 in $: a decimal of precision 3 and scale 2 in 1 byte"},
		{"decimal of no precision", "0f f6 02 00 00", "corrupt at byte 3 in $: a decimal of precision 0 and scale 0 in 0 bytes"},
		{"array without size", "02 0000 04", "corrupt at byte 1 in $: an array of 3 bytes; its count and size need 4"},
		{"array larger than the document", "02 0000 0500", "corrupt at byte 3 in $: an array of 5 bytes, 4 left"},
		{"more entries than bytes", "02 0200 0700 05 0000", "corrupt at byte 1 in $: the array has 2 entries, which do not fit into its 7 bytes"},
		{"4 billion entries", "01 ffffffff 08000000", "corrupt at byte 1 in $: the object has 4294967295 entries, which do not fit into its 8 bytes"},
		{"value in the header", "02 0100 0900 0c 0600 01 78", "corrupt at byte 6 in $[0]: a value at byte 6 of a container whose values are in bytes 7 to 9"},
		{"value behind the end", "02 0100 0900 0c 0900 01 78", "corrupt at byte 6 in $[0]: a value at byte 9 of a container whose values are in bytes 7 to 9"},
		{"key in the header", "00 0100 0c00 0a00 0100 04 0000 61", "corrupt at byte 5 in $: a key of 1 byte at byte 10 of an object whose keys are in bytes 11 to 12"},
		{"key behind the end", "00 0100 0c00 0b00 0200 04 0000 61", "corrupt at byte 5 in $: a key of 2 bytes at byte 11 of an object whose keys are in bytes 11 to 12"},
		{"key not UTF-8", "00 0100 0c00 0b00 0100 04 0000 ff", "corrupt at byte 12 in $: a key that is not UTF-8"},
		{"a path", "00 0100 1500 0b00 0300 02 0e00 61 20 62 0100 0700 0d 0000", "corrupt at byte 19 in $.\"a b\"[0]: value type 13 is none of binary JSON"},
		{"values share their bytes", "02 0300 0f00 0c 0d00 0c 0d00 0c 0d00 01 78", "corrupt at byte 14 in $[1]: values share their bytes: all that is read here has more bytes than the document"},
	} {
		doc := unhex(t, tt.hex)
		got, err := AppendText([]byte("x"), doc)
		if err == nil || err.Error() != tt.want || string(got) != "x" {
			t.Errorf("%s: %q, %v\nwant %s", tt.name, got, err, tt.want)
		}
		if _, other := AppendJSON(nil, doc); other == nil || other.Error() != tt.want {
			t.Errorf("%s, compact: %v\nwant %s", tt.name, other, tt.want)
		}
		if tree, other := Parse(doc); tree != nil || other == nil || other.Error() != tt.want {
			t.Errorf("%s, tree: %v\nwant %s", tt.name, other, tt.want)
		}
	}
}

// An entry that holds the container it is in, and containers that all hold the next one twice: without the count of bytes
// the first does not end and the second has 2^100 leaves.
func TestTangledOffsets(t *testing.T) {
	if _, err := AppendText(nil, build(deep(101))); err == nil || err.Msg != "more than 100 arrays and objects inside of each other" {
		t.Errorf("101 deep: %v", err)
	} else if want := "$" + strings.Repeat("[0]", 100); err.Path != want {
		t.Errorf("101 deep: in %s", err.Path)
	}
	twice := []byte{typeSmallArray, 0, 0, 4, 0}
	for range 60 {
		size := len(twice) - 1 + 10
		twice = append([]byte{typeSmallArray, 2, 0, byte(size), byte(size >> 8), typeSmallArray, 10, 0, typeSmallArray, 10, 0}, twice[1:]...)
	}
	got, err := AppendText(nil, twice)
	if err == nil || !strings.HasPrefix(err.Msg, "values share their bytes") || len(got) != 0 {
		t.Errorf("all twice: %q, %v", got, err)
	}
}

// The longest keys do not make the path of an error long.
func TestLongKeyInPath(t *testing.T) {
	doc := build(large{object{{strings.Repeat("ä", 30000), object{{"b", "\xff"}}}}})
	_, err := AppendText(nil, doc)
	if want := `$."` + strings.Repeat("ä", 32) + `…".b`; err == nil || err.Path != want {
		t.Errorf("%v; want the path %s", err, want)
	}
}

func TestExpansion(t *testing.T) {
	for _, v := range []any{strings.Repeat("\x01", 1000), []any{nil, false, int16(-32768)}, []any{opaque{252, ""}, opaque{252, ""}}, ""} {
		doc := build(v)
		text, err := AppendText(nil, doc)
		if err != nil || len(text) > MaxExpansion*(len(doc)+1) {
			t.Errorf("%d bytes give %d, %v", len(doc), len(text), err)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	dst := make([]byte, 0, 1024)
	for _, v := range []any{nil, true, int16(-5), uint64(1 << 63), 1.5, "text\n", opaque{246, "\x03\x02\x81\x63"}, opaque{12, "\x00\x00\x00\x6f\xea\x7e\xb3\x19"},
		opaque{252, "\x00\xff"}, object{{"a", []any{int16(1), "x", large{[]any{int32(7)}}}}}} {
		doc := build(v)
		if n := testing.AllocsPerRun(100, func() {
			if _, err := AppendText(dst, doc); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%v: %v allocations", v, n)
		}
	}
}
