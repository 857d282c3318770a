package gtid

import (
	"errors"
	"strings"
	"testing"
)

const (
	uuidA = "357df524-4139-11ee-9979-b033ee13919e"
	uuidB = "55778904-0299-11f1-b1b8-4ef0c4956feb"
	uuidC = "ffffffff-ffff-ffff-ffff-ffffffffffff"
)

func TestParse(t *testing.T) {
	longTag := "t" + strings.Repeat("9", MaxTagLen-1)
	tests := []struct{ name, text, want string }{
		{"empty", "", ""},
		{"white space", " \t\n\v\f\r", ""},
		{"plus alone", "+", ""},
		{"commas alone", " , ,, ", ""},
		{"one number", uuidA + ":1", uuidA + ":1"},
		{"interval", uuidA + ":1-5", uuidA + ":1-5"},
		{"interval of one", uuidA + ":5-5", uuidA + ":5"},
		{"end below start is empty", uuidA + ":5-4", ""},
		{"end 0 is empty", uuidA + ":5-0", ""},
		{"empty interval beside others", uuidA + ":9-3:1", uuidA + ":1"},
		{"UUID without intervals", uuidA, ""},
		{"UUID and tag without intervals", uuidA + ":mytag", ""},
		{"largest number", uuidA + ":9223372036854775806", uuidA + ":9223372036854775806"},
		{"whole range", uuidA + ":1-9223372036854775806", uuidA + ":1-9223372036854775806"},
		{"intervals sorted", uuidA + ":7:1-3", uuidA + ":1-3:7"},
		{"touching intervals merged", uuidA + ":1-3:4-6:7", uuidA + ":1-7"},
		{"overlapping intervals merged", uuidA + ":2-6:1-3:4", uuidA + ":1-6"},
		{"contained interval merged", uuidA + ":1-9:2-3", uuidA + ":1-9"},
		{"UUIDs sorted by bytes", uuidC + ":1," + uuidB + ":2," + uuidA + ":3", uuidA + ":3," + uuidB + ":2," + uuidC + ":1"},
		{"repeated UUID joined", uuidA + ":1," + uuidB + ":1," + uuidA + ":2", uuidA + ":1-2," + uuidB + ":1"},
		{"upper case UUID", strings.ToUpper(uuidA) + ":1", uuidA + ":1"},
		{"UUID without dashes", strings.ReplaceAll(uuidA, "-", "") + ":1", uuidA + ":1"},
		{"UUID in braces", "{" + uuidA + "}:1", uuidA + ":1"},
		{"tag", uuidA + ":mytag:1-3", uuidA + ":mytag:1-3"},
		{"tag stays in force", uuidA + ":1-5:9:mytag:1-3:7:other:2", uuidA + ":1-5:9:mytag:1-3:7:other:2"},
		{"tag twice", uuidA + ":b:1:a:1:b:2", uuidA + ":a:1:b:1-2"},
		{"tag after tag", uuidA + ":a:b:1", uuidA + ":b:1"},
		{"tag ends with its element", uuidA + ":t:1," + uuidA + ":2", uuidA + ":2:t:1"},
		{"tag lower-cased", uuidA + ":MyTag_1:1", uuidA + ":mytag_1:1"},
		{"tag of one underscore", uuidA + ":_:1", uuidA + ":_:1"},
		{"tag of hexadecimal digits", uuidA + ":abc:1", uuidA + ":abc:1"},
		{"underscore sorts before letters", uuidA + ":a:1:_a:1", uuidA + ":_a:1:a:1"},
		{"longest tag", uuidA + ":" + longTag + ":1", uuidA + ":" + longTag + ":1"},
		{"plus", "+" + uuidA + ":1", uuidA + ":1"},
		{"plus and space", " + " + uuidA + ":1", uuidA + ":1"},
		{"empty elements", "," + uuidA + ":1,,\n," + uuidB + ":2,", uuidA + ":1," + uuidB + ":2"},
		{"line ends", uuidA + ":1-5,\n" + uuidB + ":1\r\n", uuidA + ":1-5," + uuidB + ":1"},
		{"white space everywhere", "\t" + uuidA + " : 1 - 5 : \n9 : Tag : 2 - 3 ,\n " + uuidB + " : 1 \n", uuidA + ":1-5:9:tag:2-3," + uuidB + ":1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Parse(tt.text)
			if err != nil {
				t.Fatalf("Parse(%q): %v", tt.text, err)
			}
			if got := s.String(); got != tt.want {
				t.Errorf("Parse(%q) = %q, want %q", tt.text, got, tt.want)
			}
			checkInvariants(t, s)
		})
	}
}

func TestParseErrors(t *testing.T) {
	const n = len(uuidA)
	tests := []struct {
		name, text string
		offset     int
		reason     string
	}{
		{"no UUID", "x", 0, "expected a UUID"},
		{"number alone", ":1", 0, "expected a UUID"},
		{"second plus", "++" + uuidA + ":1", 1, "expected a UUID"},
		{"plus in the middle", uuidA + ":1,+" + uuidB + ":1", n + 3, "expected a UUID"},
		{"ANONYMOUS", "ANONYMOUS", 0, "ANONYMOUS is no GTID and cannot be in a set"},
		{"ANONYMOUS as second element", uuidA + ":1, ANONYMOUS", n + 4, "ANONYMOUS is no GTID and cannot be in a set"},
		{"short UUID", uuidA[:n-1] + ":1", n - 1, "expected a hexadecimal digit of the UUID"},
		{"UUID cut", uuidA[:10], 10, "expected a hexadecimal digit of the UUID"},
		{"long UUID", uuidA + "0:1", n, `expected ":", "," or the end`},
		{"bad digit in UUID", "g" + uuidA[1:], 0, "expected a UUID"},
		{"bad second digit in UUID", uuidA[:1] + "g" + uuidA[2:], 1, "expected a hexadecimal digit of the UUID"},
		{"dash missing", uuidA[:13] + uuidA[14:] + ":1", 13, `expected "-" in the UUID`},
		{"dash too many", strings.ReplaceAll(uuidA, "-", "")[:30] + "-9e:1", 30, "expected a hexadecimal digit of the UUID"},
		{"space in UUID", uuidA[:8] + " " + uuidA[8:], 8, "expected a hexadecimal digit of the UUID"},
		{"brace not closed", "{" + uuidA + ":1", n + 1, `expected "}" after the UUID`},
		{"brace without dashes", "{" + strings.ReplaceAll(uuidA, "-", "") + "}", 9, `expected "-" in the UUID`},
		{"brace not opened", uuidA + "}:1", n, `expected ":", "," or the end`},
		{"colon at the end", uuidA + ":", n + 1, "expected a transaction number or a tag"},
		{"colon twice", uuidA + "::1", n + 1, "expected a transaction number or a tag"},
		{"colon before comma", uuidA + ":," + uuidB + ":1", n + 1, "expected a transaction number or a tag"},
		{"number 0", uuidA + ":0", n + 1, "transaction numbers begin at 1"},
		{"start 0", uuidA + ":0-5", n + 1, "transaction numbers begin at 1"},
		{"negative", uuidA + ":-1", n + 1, "expected a transaction number or a tag"},
		{"end missing", uuidA + ":1-", n + 3, "expected a transaction number"},
		{"end is a tag", uuidA + ":1-t", n + 3, "expected a transaction number"},
		{"second dash", uuidA + ":1-2-3", n + 4, `expected ":", "," or the end`},
		{"too large", uuidA + ":9223372036854775807", n + 1, "a transaction number is at most 9223372036854775806"},
		{"end too large", uuidA + ":1-9223372036854775807", n + 3, "a transaction number is at most 9223372036854775806"},
		{"beyond 64 bits", uuidA + ":1-18446744073709551617", n + 3, "a transaction number is at most 9223372036854775806"},
		{"leading zero", uuidA + ":010", n + 1, "a number with a leading zero, which the server would read as octal"},
		{"leading zero of the end", uuidA + ":1-02", n + 3, "a number with a leading zero, which the server would read as octal"},
		{"hexadecimal number", uuidA + ":1x", n + 2, `expected ":", "," or the end`},
		{"tag begins with a digit", uuidA + ":1tag:1", n + 2, `expected ":", "," or the end`},
		{"tag too long", uuidA + ":" + strings.Repeat("a", MaxTagLen+1) + ":1", n + 1, "a tag has at most 32 characters"},
		{"tag with a dash", uuidA + ":my-tag:1", n + 3, `expected ":", "," or the end`},
		{"tag with a space", uuidA + ":my tag:1", n + 4, `expected ":", "," or the end`},
		{"tag not ASCII", uuidA + ":é:1", n + 1, "expected a transaction number or a tag"},
		{"kelvin sign is no k", uuidA + ":\u212a:1", n + 1, "expected a transaction number or a tag"},
		{"semicolon", uuidA + ":1;" + uuidB + ":1", n + 2, `expected ":", "," or the end`},
		{"NUL at the end", uuidA + ":1\x00", n + 2, `expected ":", "," or the end`},
		{"NUL after a colon", uuidA + ":\x00", n + 1, "expected a transaction number or a tag"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Parse(tt.text)
			if s != nil {
				t.Errorf("Parse(%q) = %v beside an error", tt.text, s)
			}
			checkParseError(t, err, tt.offset, tt.reason)
		})
	}
}

func checkParseError(t *testing.T, err error, offset int, reason string) {
	t.Helper()
	var pe *ParseError
	if !errors.As(err, &pe) {
		t.Fatalf("error %v is no *ParseError", err)
	}
	if pe.Offset != offset || pe.Reason != reason {
		t.Errorf("got %d %q, want %d %q", pe.Offset, pe.Reason, offset, reason)
	}
}

func TestParseErrorText(t *testing.T) {
	err := &ParseError{Offset: 12, Reason: "expected a UUID"}
	if got, want := err.Error(), "gtid: at byte 12: expected a UUID"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestUUID(t *testing.T) {
	want := UUID{0x35, 0x7d, 0xf5, 0x24, 0x41, 0x39, 0x11, 0xee, 0x99, 0x79, 0xb0, 0x33, 0xee, 0x13, 0x91, 0x9e}
	for _, text := range []string{
		uuidA, strings.ToUpper(uuidA), "{" + uuidA + "}", strings.ReplaceAll(uuidA, "-", ""),
	} {
		u, err := ParseUUID(text)
		if err != nil || u != want {
			t.Errorf("ParseUUID(%q) = %v, %v", text, u, err)
		}
	}
	if got := want.String(); got != uuidA {
		t.Errorf("String() = %q, want %q", got, uuidA)
	}
	if want.IsZero() || !(UUID{}).IsZero() {
		t.Error("IsZero is wrong")
	}
	for _, tt := range []struct {
		text   string
		offset int
		reason string
	}{
		{"", 0, "expected a UUID"},
		{" " + uuidA, 0, "expected a UUID"},
		{uuidA + " ", 36, "text after the UUID"},
		{uuidA + "}", 36, "text after the UUID"},
		{"{" + uuidA, 37, `expected "}" after the UUID`},
	} {
		u, err := ParseUUID(tt.text)
		if u != (UUID{}) {
			t.Errorf("ParseUUID(%q) = %v beside an error", tt.text, u)
		}
		checkParseError(t, err, tt.offset, tt.reason)
	}
}

func TestTags(t *testing.T) {
	tests := []struct {
		text, normal string
		valid        bool // as it stands
	}{
		{"", "", false},
		{"a", "a", true},
		{"_", "_", true},
		{"z9_", "z9_", true},
		{"9a", "", false},
		{"A", "a", false},
		{" Tag\t", "tag", false},
		{"a b", "", false},
		{"a-b", "", false},
		{"é", "", false},
		{"\u212a", "", false},
		{strings.Repeat("x", 32), strings.Repeat("x", 32), true},
		{strings.Repeat("x", 33), "", false},
	}
	for _, tt := range tests {
		if got := ValidTag(tt.text); got != tt.valid {
			t.Errorf("ValidTag(%q) = %v", tt.text, got)
		}
		if got := ValidTag([]byte(tt.text)); got != tt.valid {
			t.Errorf("ValidTag([]byte(%q)) = %v", tt.text, got)
		}
		got, ok := NormalTag(tt.text)
		if got != tt.normal || ok != (tt.normal != "") {
			t.Errorf("NormalTag(%q) = %q, %v, want %q", tt.text, got, ok, tt.normal)
		}
	}
}

func TestGTID(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{uuidA + ":1", uuidA + ":1"},
		{uuidA + ":9223372036854775806", uuidA + ":9223372036854775806"},
		{uuidA + ":mytag:3", uuidA + ":mytag:3"},
		{" {" + strings.ToUpper(uuidA) + "} :\tMyTag : 3\n", uuidA + ":mytag:3"},
	} {
		g, err := ParseGTID(tt.text)
		if err != nil || g.String() != tt.want {
			t.Errorf("ParseGTID(%q) = %v, %v, want %s", tt.text, g, err, tt.want)
		}
	}
	const n = len(uuidA)
	for _, tt := range []struct {
		text   string
		offset int
		reason string
	}{
		{"", 0, "expected a UUID"},
		{"ANONYMOUS", 0, "ANONYMOUS is no GTID and cannot be in a set"},
		{uuidA, n, `expected ":"`},
		{uuidA + ":", n + 1, "expected a transaction number or a tag"},
		{uuidA + ":0", n + 1, "transaction numbers begin at 1"},
		{uuidA + ":1-2", n + 2, "text after the GTID"},
		{uuidA + ":1,", n + 2, "text after the GTID"},
		{uuidA + ":tag", n + 4, `expected ":"`},
		{uuidA + ":tag:", n + 5, "expected a transaction number"},
		{uuidA + ":tag:other:1", n + 5, "expected a transaction number"},
		{uuidA + ":9223372036854775807", n + 1, "a transaction number is at most 9223372036854775806"},
	} {
		g, err := ParseGTID(tt.text)
		if g != (GTID{}) {
			t.Errorf("ParseGTID(%q) = %v beside an error", tt.text, g)
		}
		checkParseError(t, err, tt.offset, tt.reason)
	}
}

func TestCompare(t *testing.T) {
	ordered := []string{
		uuidA + ":1", uuidA + ":2", uuidA + ":10", uuidA + ":_b:1", uuidA + ":a:5", uuidA + ":a:6", uuidA + ":a1:1", uuidB + ":1", uuidC + ":t:1",
	}
	for i, x := range ordered {
		for j, y := range ordered {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := mustGTID(t, x).Compare(mustGTID(t, y)); got != want {
				t.Errorf("Compare(%s, %s) = %d, want %d", x, y, got, want)
			}
		}
	}
	if got := mustGTID(t, uuidA+":tag:7").TSID.String(); got != uuidA+":tag" {
		t.Errorf("TSID %q", got)
	}
}

func mustGTID(t testing.TB, text string) GTID {
	t.Helper()
	g, err := ParseGTID(text)
	if err != nil {
		t.Fatalf("ParseGTID(%q): %v", text, err)
	}
	return g
}

func mustParse(t testing.TB, text string) *Set {
	t.Helper()
	s, err := Parse(text)
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return s
}
