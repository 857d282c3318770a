package gtid

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestParseMariaGTID(t *testing.T) {
	for _, tt := range []struct {
		text string
		want MariaGTID
	}{
		{"0-1-1", MariaGTID{0, 1, 1}},
		{"0-0-0", MariaGTID{}},
		{" 7 - 8 -\t9\n", MariaGTID{7, 8, 9}},
		{"007-08-09", MariaGTID{7, 8, 9}},
		{"4294967295-4294967295-18446744073709551615", MariaGTID{1<<32 - 1, 1<<32 - 1, 1<<64 - 1}},
	} {
		g, err := ParseMariaGTID(tt.text)
		if err != nil || g != tt.want {
			t.Errorf("ParseMariaGTID(%q) = %v, %v, want %v", tt.text, g, err, tt.want)
		}
		if back, err := ParseMariaGTID(g.String()); err != nil || back != g {
			t.Errorf("%v reads back as %v, %v", g, back, err)
		}
	}
	for _, tt := range []struct {
		text   string
		offset int
		reason string
	}{
		{"", 0, "expected a domain id"},
		{"x-1-1", 0, "expected a domain id"},
		{"-1-1", 0, "expected a domain id"},
		{"1", 1, `expected "-" after the domain id`},
		{"1:2:3", 1, `expected "-" after the domain id`},
		{"1-", 2, "expected a server id"},
		{"1--2", 2, "expected a server id"},
		{"1-2", 3, `expected "-" after the server id`},
		{"1-2-", 4, "expected a sequence number"},
		{"1-2-3-4", 5, "text after the GTID"},
		{"1-2-3,4-5-6", 5, "text after the GTID"},
		{"4294967296-1-1", 0, "a domain id has 32 bits"},
		{"1-4294967296-1", 2, "a server id has 32 bits"},
		{"1-1-18446744073709551616", 4, "a sequence number has 64 bits"},
	} {
		g, err := ParseMariaGTID(tt.text)
		if g != (MariaGTID{}) {
			t.Errorf("ParseMariaGTID(%q) = %v beside an error", tt.text, g)
		}
		checkParseError(t, err, tt.offset, tt.reason)
	}
}

func TestParseState(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"white space", " \n", ""},
		{"one", "0-1-100", "0-1-100"},
		{"domains sorted", "2-1-5,0-1-9,10-1-1", "0-1-9,2-1-5,10-1-1"},
		{"last of the domain stays last", "0-3-7,0-1-9", "0-3-7,0-1-9"},
		{"servers sorted before the last", "0-9-1,0-3-7,0-1-9", "0-3-7,0-9-1,0-1-9"},
		{"last across domains", "0-2-1,5-1-1,0-1-2", "0-2-1,0-1-2,5-1-1"},
		{"white space and lines", " 0-1-1 ,\n 1-1-1\n", "0-1-1,1-1-1"},
	} {
		s := mustState(t, tt.text)
		if got := s.String(); got != tt.want {
			t.Errorf("%s: ParseState(%q) = %q, want %q", tt.name, tt.text, got, tt.want)
		}
		if s.IsEmpty() != (tt.want == "") {
			t.Errorf("%s: IsEmpty() = %v", tt.name, s.IsEmpty())
		}
	}
	for _, tt := range []struct {
		text   string
		offset int
		reason string
	}{
		{",", 0, "expected a domain id"},
		{"0-1-1,", 6, "expected a domain id"},
		{"0-1-1,,0-2-1", 6, "expected a domain id"},
		{"0-1-1 0-2-1", 6, `expected "," or the end`},
		{"0-1-1;0-2-1", 5, `expected "," or the end`},
		{"0-1-1, 0-1-2", 7, "a second position for the same domain and server"},
		{uuidA + ":1", 3, `expected "-" after the domain id`}, // a MySQL GTID, and it begins with three digits
	} {
		s, err := ParseState(tt.text)
		if s != nil {
			t.Errorf("ParseState(%q) = %v beside an error", tt.text, s)
		}
		checkParseError(t, err, tt.offset, tt.reason)
	}
}

func TestStateReading(t *testing.T) {
	s := mustState(t, "0-9-50,0-1-100,7-2-5")
	for _, tt := range []struct {
		gtid              string
		contains, reached bool
	}{
		{"0-1-100", true, true},
		{"0-1-99", true, true},
		{"0-1-101", false, false},
		{"0-9-50", true, true},
		{"0-9-51", false, true}, // server 9 wrote up to 50 only, but the domain is at 100
		{"0-5-1", false, true},
		{"7-2-5", true, true},
		{"7-2-6", false, false},
		{"1-1-1", false, false},
	} {
		g, err := ParseMariaGTID(tt.gtid)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Contains(g); got != tt.contains {
			t.Errorf("Contains(%s) = %v", tt.gtid, got)
		}
		if got := s.Reached(g); got != tt.reached {
			t.Errorf("Reached(%s) = %v", tt.gtid, got)
		}
	}
	if g, ok := s.Last(0); !ok || g != (MariaGTID{0, 1, 100}) {
		t.Errorf("Last(0) = %v, %v", g, ok)
	}
	if g, ok := s.Last(1); ok {
		t.Errorf("Last(1) = %v of a domain that is not there", g)
	}
	if s.Len() != 3 {
		t.Errorf("Len() = %d", s.Len())
	}
	for g := range s.All() {
		if g != (MariaGTID{0, 9, 50}) {
			t.Errorf("All begins with %v", g)
		}
		break
	}
	g := MariaGTID{0, 9, 50}
	if n := testing.AllocsPerRun(1000, func() {
		if !s.Contains(g) || !s.Reached(g) {
			panic("wrong answer")
		}
	}); n != 0 {
		t.Errorf("Contains and Reached allocate %v times", n)
	}
}

func TestStateUnion(t *testing.T) {
	for _, tt := range []struct{ name, a, b, want string }{
		{"nothing", "", "", ""},
		{"one side", "0-1-5", "", "0-1-5"},
		{"keeps the last of the only side", "0-2-9,0-1-5", "", "0-2-9,0-1-5"},
		{"maximum", "0-1-5,1-1-9", "0-1-7,1-1-3", "0-1-7,1-1-9"},
		{"both lists", "0-1-5", "0-2-7", "0-1-5,0-2-7"},
		{"further one is last", "0-1-9", "0-2-7", "0-2-7,0-1-9"},
		{"higher server of equals is last", "0-2-7", "0-1-7", "0-1-7,0-2-7"},
		{"a raised position counts", "0-2-1,0-1-5", "0-1-9,0-2-7", "0-2-7,0-1-9"},
	} {
		a, b := mustState(t, tt.a), mustState(t, tt.b)
		for _, u := range []*State{a.Union(b), b.Union(a), a.Union(b).Union(a)} {
			if got := u.String(); got != tt.want {
				t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
			}
		}
		if a.String() != tt.a || b.String() != tt.b {
			t.Errorf("%s: an operand changed: %v, %v", tt.name, a, b)
		}
	}
}

// TestStateAgainstModel builds states by Add and by StateOf from the same random log and compares both with a map.
func TestStateAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		var log []MariaGTID
		s := &State{}
		position := map[[2]uint32]uint64{}
		last := map[uint32]uint32{}
		for range r.IntN(12) {
			g := MariaGTID{r.Uint32N(3), r.Uint32N(3), r.Uint64N(20)}
			log = append(log, g)
			s.Add(g)
			key := [2]uint32{g.Domain, g.Server}
			position[key] = max(position[key], g.Seq)
			last[g.Domain] = g.Server
		}
		if of := StateOf(log); !of.Equal(s) {
			t.Fatalf("StateOf(%v) = %v, Add made %v", log, of, s)
		}
		if s.Len() != len(position) {
			t.Fatalf("Len() = %d, want %d", s.Len(), len(position))
		}
		for key, seq := range position {
			g := MariaGTID{key[0], key[1], seq}
			if !s.Contains(g) || s.Contains(MariaGTID{g.Domain, g.Server, seq + 1}) {
				t.Fatalf("position of %v wrong in %v", key, s)
			}
		}
		for d, server := range last {
			if g, ok := s.Last(d); !ok || g.Server != server || g.Seq != position[[2]uint32{d, server}] {
				t.Fatalf("Last(%d) = %v, %v in %v", d, g, ok, s)
			}
		}
		if back := mustState(t, s.String()); !back.Equal(s) {
			t.Fatalf("%v reads back as %v", s, back)
		}
		if !s.Union(s).Equal(s) || !s.Union(&State{}).Equal(s) {
			t.Fatalf("union changes %v", s)
		}
		if all := slices.Collect(s.All()); !StateOf(all).Equal(s) {
			t.Fatalf("All() of %v gives %v", s, all)
		}
	}
}

func TestMariaCompare(t *testing.T) {
	ordered := []MariaGTID{{0, 0, 9}, {0, 1, 1}, {0, 1, 2}, {1, 0, 0}, {1 << 31, 0, 0}}
	if !slices.IsSortedFunc(ordered, MariaGTID.Compare) || ordered[0].Compare(ordered[0]) != 0 || ordered[1].Compare(ordered[0]) != 1 {
		t.Error("Compare does not order by domain, server, sequence")
	}
}

func mustState(t testing.TB, text string) *State {
	t.Helper()
	s, err := ParseState(text)
	if err != nil {
		t.Fatalf("ParseState(%q): %v", text, err)
	}
	return s
}
