package jsonb

import (
	"strings"
	"testing"
)

func TestPaths(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"$", "$"}, {" $ ", "$"}, {"$.a", "$.a"}, {"$.a.b", "$.a.b"}, {"$[0]", "$[0]"}, {"$.a[1].b[4294967295]", "$.a[1].b[4294967295]"},
		{`$."odd key"`, `$."odd key"`}, {`$."a"`, `$.a`}, {`$.""`, `$.""`}, {`$."a\"b\\c\/d\n"`, `$."a\"b\\c/d\n"`},
		{`$."\u00fc\ud83d\ude00"`, `$."ü😀"`}, {`$.ü`, `$."ü"`}, {`$.\u0061`, `$.a`}, {`$."a.b[0]*"`, `$."a.b[0]*"`}, {`$."\b\t\f\r"`, `$."\b\t\f\r"`},
		{" $ . a [ 1 ] . b ", "$.a[1].b"}, {"$[last]", "$[last]"}, {"$[last-2]", "$[last-2]"}, {"$[ last - 2 ]", "$[last-2]"}, {"$[last-0]", "$[last]"},
		{"$.$a_1", "$.$a_1"}, {`$."1a"`, `$."1a"`}, {"$.last", "$.last"},
	} {
		path, err := ParsePath([]byte(tt.text))
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if got := string(path.AppendText([]byte("x"))); got != "x"+tt.want {
			t.Errorf("%s = %s, want %s", tt.text, got, tt.want)
		}
		again, err := ParsePath([]byte(tt.want))
		if err != nil || string(again.AppendText(nil)) != tt.want {
			t.Errorf("%s read again: %s, %v", tt.want, again.AppendText(nil), err)
		}
	}
}

func TestPathFaults(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", "corrupt at byte 0: a path starts with $"}, {"a", "corrupt at byte 0: a path starts with $"},
		{"$a", "corrupt at byte 1: a path goes on with . or ["}, {"$**.a", "corrupt at byte 1: a path goes on with . or ["},
		{"$.", "corrupt at byte 2: a point without a member"}, {"$..a", "corrupt at byte 2: a point without a member"}, {"$.*", "corrupt at byte 2: a point without a member"},
		{`$."a`, "corrupt at byte 4: a quoted member without its closing quote"}, {`$."a\`, "corrupt at byte 5: an escape that JSON does not have"},
		{`$."\x"`, "corrupt at byte 4: an escape that JSON does not have"}, {`$."\u00g0"`, "corrupt at byte 7: 4 hexadecimal digits belong here"},
		{`$."\u00`, "corrupt at byte 7: 4 hexadecimal digits belong here"},
		{`$."\ud800"`, "corrupt at byte 9: half of a surrogate pair"}, {`$."\udc00"`, "corrupt at byte 9: half of a surrogate pair"},
		{`$."\ud800\u0061"`, "corrupt at byte 15: half of a surrogate pair"}, {"$.\xff", "corrupt at byte 2: a member that is not UTF-8"},
		{"$.\xed\xa0\x80", "corrupt at byte 2: a member that is not UTF-8"}, {"$." + strings.Repeat("a", 65536), "corrupt at byte 2: a member of 65536 bytes; 65535 are possible"},
		{"$[", "corrupt at byte 2: the number of an element belongs here"}, {"$[]", "corrupt at byte 2: the number of an element belongs here"},
		{"$[*]", "corrupt at byte 2: the number of an element belongs here"}, {"$[-1]", "corrupt at byte 2: the number of an element belongs here"},
		{"$[1", "corrupt at byte 3: ] belongs here"}, {"$[1 to 2]", "corrupt at byte 4: ] belongs here"}, {"$[last-]", "corrupt at byte 7: the number of an element belongs here"},
		{"$[lastly]", "corrupt at byte 6: ] belongs here"}, {"$[las]", "corrupt at byte 2: the number of an element belongs here"},
		{"$[4294967296]", "corrupt at byte 12: no array has so many elements"}, {"$[99999999999999999999]", "corrupt at byte 12: no array has so many elements"},
	} {
		if path, err := ParsePath([]byte(tt.text)); err == nil || path != nil || err.Error() != tt.want {
			t.Errorf("%.20s: %v, %v; want %s", tt.text, path, err, tt.want)
		}
	}
}
