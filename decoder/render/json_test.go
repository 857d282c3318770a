package render

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

// Strings come back as they were, whatever is in them; the escapes are those of JSON.
func TestAppendString(t *testing.T) {
	var all strings.Builder
	for r := rune(0); r <= 0x300; r++ {
		all.WriteRune(r)
	}
	for _, s := range []string{"", "a", `"`, `\`, `a"b\c/d`, "\n\r\t", "\x00\x01\x1f\x7f", "\u2028\u2029", "ünïcödé 測試 😀", "</script>", "\ufffd", "\U0010ffff",
		all.String(), strings.Repeat(`"`, 1000)} {
		b := appendString([]byte("x"), s)
		var back string
		if err := json.Unmarshal(b[1:], &back); b[0] != 'x' || err != nil || back != s {
			t.Errorf("%q became %s, %v", s, b, err)
		}
		for i, c := range b[1:] {
			if c < ' ' {
				t.Errorf("%q: byte %d of %s is a control character", s, i, b)
			}
		}
		if c := appendString(nil, []byte(s)); string(c) != string(b[1:]) {
			t.Errorf("%q: %s as bytes, %s as string", s, c, b[1:])
		}
	}
	for _, c := range []struct{ in, want string }{
		{"\n", `"\n"`}, {"\r", `"\r"`}, {"\t", `"\t"`}, {"\b", `"\u0008"`}, {"\f", `"\u000c"`}, {"\x00", `"\u0000"`}, {"\x1b", `"\u001b"`}, {"/", `"/"`}, {"\x7f", "\"\x7f\""},
	} {
		if got := string(appendString(nil, c.in)); got != c.want {
			t.Errorf("%q is %s, want %s", c.in, got, c.want)
		}
	}
}

// Bytes that are not UTF-8 are an object, in whole: never a string with replacements.
func TestAppendText(t *testing.T) {
	for _, c := range []struct {
		in   []byte
		want string
	}{
		{nil, `""`}, {[]byte("a"), `"a"`}, {[]byte("é"), `"é"`}, {[]byte{0}, `"\u0000"`},
		{[]byte{0xff}, `{"hex":"ff"}`}, {[]byte{'a', 0x80}, `{"hex":"6180"}`}, {[]byte{0xc3}, `{"hex":"c3"}`}, // cut off
		{[]byte{0xc0, 0x80}, `{"hex":"c080"}`}, {[]byte{0xed, 0xa0, 0x80}, `{"hex":"eda080"}`}, // overlong, a surrogate
		{[]byte{0xf4, 0x90, 0x80, 0x80}, `{"hex":"f4908080"}`}, // beyond the last character
	} {
		if got := string(appendText(nil, c.in)); got != c.want {
			t.Errorf("%x is %s, want %s", c.in, got, c.want)
		}
	}
	for n := range 1 << 16 {
		b := []byte{byte(n >> 8), byte(n)}
		var v any
		if err := json.Unmarshal(appendText(nil, b), &v); err != nil {
			t.Fatalf("%x: %v", b, err)
		}
		if s, isText := v.(string); isText != utf8.Valid(b) || isText && s != string(b) {
			t.Fatalf("%x is %v", b, v)
		}
	}
}

// Numbers beyond 2^53-1 are strings: readers of JSON would round them.
func TestAppendUint(t *testing.T) {
	for _, c := range []struct {
		n    uint64
		want string
	}{
		{0, "0"}, {1, "1"}, {math.MaxUint32, "4294967295"}, {1<<53 - 1, "9007199254740991"}, {1 << 53, `"9007199254740992"`},
		{1<<53 + 1, `"9007199254740993"`}, {math.MaxInt64, `"9223372036854775807"`}, {math.MaxUint64, `"18446744073709551615"`},
	} {
		if got := string(appendUint(nil, c.n)); got != c.want {
			t.Errorf("%d is %s, want %s", c.n, got, c.want)
		}
	}
}

func TestKeysAndCommas(t *testing.T) {
	b := append(appendKey([]byte("{"), `a"b`), '1')
	b = append(appendKey(b, "c"), '[')
	b = append(comma(b), '2')
	b = append(comma(b), '3')
	b = appendString(appendKey(append(b, ']'), "d"), "{")
	b = append(appendKey(b, "e"), "{}"...)
	if got, want := string(append(b, '}')), `{"a\"b":1,"c":[2,3],"d":"{","e":{}}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := string(appendHex32(nil, 0x00c0ffee)); got != "00c0ffee" {
		t.Errorf("0x00c0ffee is %s", got)
	}
	if got := string(appendHexObject(nil, []byte{0, 0xab})); got != `{"hex":"00ab"}` {
		t.Error(got)
	}
}
