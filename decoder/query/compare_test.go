package query

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestDecimal(t *testing.T) {
	order := []string{"-1e20", "-100", "-99.5", "-1.25", "-1.2", "-0.001", "0", "1e-9", "0.1", "0.11", "0.2", "1", "9", "10", "10.5", "11", "123456789012345678901", "1e300"}
	for i, a := range order {
		for j, b := range order {
			x, okX := newDecimal(a)
			y, okY := newDecimal(b)
			want := min(max(i-j, -1), 1)
			if got := x.compare(y); !okX || !okY || got != want {
				t.Errorf("%s and %s: %d, want %d", a, b, got, want)
			}
		}
	}
	for _, same := range [][2]string{{"0", "-0.00"}, {"1", "+01.0"}, {"1500", "1.5e3"}, {"0.00015", "1.5e-4"}, {".5", "0.5"}, {"5.", "5"}} {
		x, _ := newDecimal(same[0])
		y, ok := newDecimal(same[1])
		if !ok || x.compare(y) != 0 {
			t.Errorf("%s is not %s", same[0], same[1])
		}
	}
	for _, bad := range []string{"", "-", ".", "1x", "1.2.3", "1e", "1e999", "0x10", "NaN", " 1"} {
		if _, ok := newDecimal(bad); ok {
			t.Errorf("%q is a number", bad)
		}
	}
}

func TestTimeMicros(t *testing.T) {
	for text, want := range map[string]int64{"00:00:00": 0, "12:34": 45_240_000_000, "-00:00:01.5": -1_500_000, "838:59:59.000001": 3_020_399_000_001} {
		if got, ok := timeMicros(text); !ok || got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
	for _, bad := range []string{"", "12", "1:2:3:4", "1:x", ":", "1:2.x", "-"} {
		if _, ok := timeMicros(bad); ok {
			t.Errorf("%q is a time", bad)
		}
	}
}

func TestNormalDate(t *testing.T) {
	for text, want := range map[string]string{"2026-01-02": "2026-01-02 00:00:00", "2026-01-02T03:04": "2026-01-02 03:04:00", "2026-01-02 03:04:05.100": "2026-01-02 03:04:05.1",
		"2026-01-02 03:04:05.000": "2026-01-02 03:04:05", "2026-01-02T03:04:05Z": "2026-01-02 03:04:05"} {
		if got := string(normalDate([]byte(text))); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// A needle is found where the same in lower case is.
func TestNeedle(t *testing.T) {
	texts := []string{"", "a", "Paid", "xPAIDx", "unpaid bills", "pai", "paipaid", "ppaid", "p\x00aid", "ÄRGER", "grün", "\xc3\xc3\xa4", "aaaaaaaab", "123-456", "zZzQ"}
	needles := []string{"paid", "PAID", "a", "q", "zq", "ärger", "GRÜN", "ä", "aab", "-4", "\x00"}
	for _, text := range texts {
		for _, n := range needles {
			needle := newNeedle(n)
			want := strings.Contains(strings.ToLower(text), strings.ToLower(n))
			if got := needle.in([]byte(text)); got != want && utf8.ValidString(text) {
				t.Errorf("%q in %q: %v, want %v", n, text, got, want)
			}
		}
	}
}

func TestInStrings(t *testing.T) {
	for _, c := range []struct {
		json, text string
		want       bool
	}{
		{`{"status":"Paid","n":12}`, "paid", true}, {`{"status":"Paid","n":12}`, "STATUS", true}, {`{"status":"Paid","n":12}`, "12", false},
		{`{"a":"b"}`, `":"`, false}, {`["say \"hi\""]`, `"hi"`, true}, {`["a\\b"]`, `a\b`, true}, {`["x\ny"]`, "x\ny", true}, {`["a","b"]`, `a","b`, false},
		{`[true,null]`, "true", false},
	} {
		n := newNeedle(c.text)
		if got := n.inStrings([]byte(c.json)); got != c.want {
			t.Errorf("%s in %s: %v", c.text, c.json, got)
		}
	}
}

func TestPattern(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"orders", "Orders", true}, {"orders", "orders2", false}, {"ord*", "orders", true}, {"*ers", "orders", true}, {"*", "", true},
		{"o*d*s", "orders", true}, {"o*s*s", "ors", false}, {"*a*", "banana", true}, {"*x*", "banana", false}, {"ab*ba", "aba", false}, {"`a*b`", "a*b", true}, {"`a*b`", "axb", false},
	} {
		f, err := Parse("table:" + c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Terms[0].Alts[0].Table.match(c.name); got != c.want {
			t.Errorf("%s fits %s: %v", c.name, c.pattern, got)
		}
	}
}
