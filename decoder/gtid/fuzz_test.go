package gtid

import (
	"errors"
	"testing"
)

// FuzzParse: whatever parses prints as a text that parses to an equal set and prints the same; whatever does not gives
// an offset inside the text.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"", "+", ",", uuidA, uuidA + ":1", uuidA + ":1-5:9:mytag:1-3:7:other:2", "{" + uuidB + "}:5-4:3-0",
		uuidA + " : 1 - 5 ,\n" + uuidC + ":9223372036854775806", "357df524413911ee9979b033ee13919e:3:1:2",
		"ANONYMOUS", uuidA + ":010", uuidA + ":_A9:1",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			checkOffset(t, err, text)
			return
		}
		checkInvariants(t, s)
		line := s.String()
		if back := mustParse(t, line); !back.Equal(s) || back.String() != line {
			t.Errorf("%q reads back as %q", line, back)
		}
		if back := mustParse(t, string(s.AppendLines(nil))); !back.Equal(s) {
			t.Errorf("lines of %q read back as %q", line, back)
		}
		if !s.Subtract(s).IsEmpty() || !s.Union(s).Equal(s) || !s.Intersect(s).Equal(s) || !s.ContainsSet(s) {
			t.Errorf("arithmetic of %q with itself is wrong", line)
		}
	})
}

// FuzzParseGTID: what parses as one GTID is a set of one with the same text.
func FuzzParseGTID(f *testing.F) {
	for _, text := range []string{uuidA + ":1", " " + uuidA + " : Tag : 12 ", uuidA + ":1-2", "x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := ParseGTID(text)
		if err != nil {
			checkOffset(t, err, text)
			return
		}
		s := mustParse(t, text)
		if s.Count() != 1 || !s.Contains(g.TSID, g.GNO) || s.String() != g.String() || mustGTID(t, g.String()) != g {
			t.Errorf("%q is %v as a GTID, %v as a set", text, g, s)
		}
	})
}

// FuzzParseState does for MariaDB's states what FuzzParse does for sets.
func FuzzParseState(f *testing.F) {
	for _, text := range []string{"", "0-1-100", "0-9-50,0-1-100,7-2-5", " 1 - 2 - 3 ,\n4-5-6", "0-1-1,0-1-2", "4294967296-1-1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseState(text)
		if err != nil {
			checkOffset(t, err, text)
			return
		}
		line := s.String()
		if back := mustState(t, line); !back.Equal(s) || back.String() != line {
			t.Errorf("%q reads back as %q", line, back)
		}
		if !s.Union(s).Equal(s) {
			t.Errorf("union of %q with itself is %v", line, s.Union(s))
		}
	})
}

func checkOffset(t *testing.T, err error, text string) {
	t.Helper()
	var pe *ParseError
	if !errors.As(err, &pe) || pe.Offset < 0 || pe.Offset > len(text) || pe.Reason == "" {
		t.Errorf("error of %q: %#v", text, err)
	}
}
