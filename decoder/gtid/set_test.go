package gtid

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// model is the set by brute force: TSID number and transaction number, both small.
type model map[[2]int]bool

const (
	modelTSIDs = 4
	modelGNOs  = 24
)

var modelTSID = [modelTSIDs]TSID{
	{UUID: UUID{1}}, {UUID: UUID{1}, Tag: "a"}, {UUID: UUID{1}, Tag: "b"}, {UUID: UUID{0, 15: 9}},
}

// checkInvariants fails unless s is in its normal form: sorted, disjoint, not touching, nothing empty, all in range.
func checkInvariants(t *testing.T, s *Set) {
	t.Helper()
	var before *TSID
	for tsid, ivs := range s.All() {
		if before != nil && before.Compare(tsid) >= 0 {
			t.Errorf("TSIDs %v, %v not ascending", *before, tsid)
		}
		before = &tsid
		if len(ivs) == 0 {
			t.Errorf("%v has no intervals", tsid)
		}
		for i, v := range ivs {
			if !v.Valid() || i > 0 && ivs[i-1].End >= v.Start {
				t.Errorf("%v: intervals %v", tsid, ivs)
			}
		}
	}
}

// same fails unless s holds exactly what m holds.
func (m model) same(t *testing.T, s *Set) {
	t.Helper()
	checkInvariants(t, s)
	for k := range modelTSIDs {
		for n := 0; n <= modelGNOs+1; n++ {
			if got, want := s.Contains(modelTSID[k], uint64(n)), m[[2]int{k, n}]; got != want {
				t.Fatalf("Contains(%v, %d) = %v in %v", modelTSID[k], n, got, s)
			}
		}
	}
	if s.Count() != uint64(len(m)) {
		t.Fatalf("Count() = %d, want %d: %v", s.Count(), len(m), s)
	}
	if s.IsEmpty() != (len(m) == 0) {
		t.Fatalf("IsEmpty() = %v with %d members", s.IsEmpty(), len(m))
	}
}

// random fills a set in one of the ways there are, and the model beside it.
func random(t *testing.T, r *rand.Rand) (*Set, model) {
	s, m := &Set{}, model{}
	var b Builder
	useBuilder := r.IntN(2) == 0
	for range r.IntN(16) {
		k := r.IntN(modelTSIDs)
		first := 1 + r.IntN(modelGNOs)
		last := min(first+r.IntN(5), modelGNOs)
		if r.IntN(3) == 0 {
			last = first
		}
		v := Interval{uint64(first), uint64(last) + 1}
		switch {
		case useBuilder:
			if !b.Add(modelTSID[k], v) {
				t.Fatalf("Builder.Add(%v) refused", v)
			}
		case first == last:
			if added, want := s.Add(modelTSID[k], v.Start), !m[[2]int{k, first}]; added != want {
				t.Fatalf("Add(%v, %d) = %v to %v", modelTSID[k], first, added, s)
			}
		default:
			if !s.AddInterval(modelTSID[k], v) {
				t.Fatalf("AddInterval(%v) refused", v)
			}
		}
		for n := first; n <= last; n++ {
			m[[2]int{k, n}] = true
		}
	}
	if useBuilder {
		s = b.Set()
	}
	return s, m
}

// pick returns the model of those members of the whole range for which keep is true.
func pick(keep func([2]int) bool) model {
	m := model{}
	for k := range modelTSIDs {
		for n := 1; n <= modelGNOs; n++ {
			if keep([2]int{k, n}) {
				m[[2]int{k, n}] = true
			}
		}
	}
	return m
}

func TestArithmeticAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		a, ma := random(t, r)
		b, mb := random(t, r)
		ma.same(t, a)
		mb.same(t, b)
		textA, textB := a.String(), b.String()

		pick(func(x [2]int) bool { return ma[x] || mb[x] }).same(t, a.Union(b))
		pick(func(x [2]int) bool { return ma[x] && mb[x] }).same(t, a.Intersect(b))
		pick(func(x [2]int) bool { return ma[x] && !mb[x] }).same(t, a.Subtract(b))

		subset := len(pick(func(x [2]int) bool { return mb[x] && !ma[x] })) == 0
		if got := a.ContainsSet(b); got != subset {
			t.Fatalf("ContainsSet = %v: %v in %v", got, b, a)
		}
		equal := subset && len(ma) == len(mb)
		if got := a.Equal(b); got != equal {
			t.Fatalf("Equal = %v: %v and %v", got, a, b)
		}
		if a.String() != textA || b.String() != textB {
			t.Fatal("arithmetic changed an operand")
		}
		if back := mustParse(t, textA); !back.Equal(a) || back.String() != textA {
			t.Fatalf("%q reads back as %v", textA, back)
		}
	}
}

func TestArithmeticLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	empty := &Set{}
	for range 1000 {
		a, _ := random(t, r)
		b, _ := random(t, r)
		c, _ := random(t, r)
		laws := []struct {
			name string
			x, y *Set
		}{
			{"union commutes", a.Union(b), b.Union(a)},
			{"union associates", a.Union(b).Union(c), a.Union(b.Union(c))},
			{"union with itself", a.Union(a), a},
			{"union with nothing", a.Union(empty), a},
			{"intersection commutes", a.Intersect(b), b.Intersect(a)},
			{"intersection associates", a.Intersect(b).Intersect(c), a.Intersect(b.Intersect(c))},
			{"intersection with itself", a.Intersect(a), a},
			{"intersection with nothing", a.Intersect(empty), empty},
			{"intersection over union", a.Intersect(b.Union(c)), a.Intersect(b).Union(a.Intersect(c))},
			{"difference with itself", a.Subtract(a), empty},
			{"difference with nothing", a.Subtract(empty), a},
			{"difference of nothing", empty.Subtract(a), empty},
			{"difference of a union", a.Subtract(b.Union(c)), a.Subtract(b).Subtract(c)},
			{"parts make the whole", a.Subtract(b).Union(a.Intersect(b)), a},
			{"clone", a.Clone(), a},
		}
		for _, l := range laws {
			if !l.x.Equal(l.y) {
				t.Fatalf("%s: %v and %v", l.name, l.x, l.y)
			}
		}
		if !a.Union(b).ContainsSet(a) || !a.ContainsSet(a.Intersect(b)) || !a.ContainsSet(empty) {
			t.Fatalf("subset law broken: %v, %v", a, b)
		}
	}
}

func TestArithmeticAtTheEdges(t *testing.T) {
	whole := mustParse(t, uuidA+":1-9223372036854775806")
	for _, tt := range []struct {
		name string
		got  *Set
		want string
	}{
		{"cut the first", whole.Subtract(mustParse(t, uuidA+":1")), uuidA + ":2-9223372036854775806"},
		{"cut the last", whole.Subtract(mustParse(t, uuidA+":9223372036854775806")), uuidA + ":1-9223372036854775805"},
		{"cut the middle", whole.Subtract(mustParse(t, uuidA+":5-6")), uuidA + ":1-4:7-9223372036854775806"},
		{"cut over a gap", mustParse(t, uuidA+":1-4:8-9").Subtract(mustParse(t, uuidA+":3-8")), uuidA + ":1-2:9"},
		{"one cut, three intervals", mustParse(t, uuidA+":1-2:4-5:7-8").Subtract(mustParse(t, uuidA+":2-7")), uuidA + ":1:8"},
		{"another tag is another source", whole.Subtract(mustParse(t, uuidA+":tag:1-5")), uuidA + ":1-9223372036854775806"},
		{"union closes the gap", mustParse(t, uuidA+":1-2:4").Union(mustParse(t, uuidA+":3")), uuidA + ":1-4"},
	} {
		if got := tt.got.String(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	if got := whole.Count(); got != MaxGNO {
		t.Errorf("Count() = %d, want %d", got, MaxGNO)
	}
	three := whole.Union(mustParse(t, uuidB+":1-9223372036854775806")).Union(mustParse(t, uuidC+":1-9223372036854775806"))
	if got := three.Count(); got != math.MaxUint64 {
		t.Errorf("Count() = %d, want it to stop at %d", got, uint64(math.MaxUint64))
	}
}

func TestAddRange(t *testing.T) {
	tsid := TSID{UUID: UUID{1}}
	for _, tt := range []struct {
		gno  uint64
		want bool
	}{{0, false}, {1, true}, {MaxGNO, true}, {MaxGNO + 1, false}, {math.MaxUint64, false}} {
		s := &Set{}
		if got := s.Add(tsid, tt.gno); got != tt.want || s.IsEmpty() == tt.want || s.Contains(tsid, tt.gno) != tt.want {
			t.Errorf("Add(%d) = %v, set %v", tt.gno, got, s)
		}
	}
	for _, tt := range []struct {
		v    Interval
		want bool
	}{
		{Interval{1, 2}, true}, {Interval{1, MaxGNO + 1}, true}, {Interval{MaxGNO, MaxGNO + 1}, true},
		{Interval{0, 2}, false}, {Interval{2, 2}, false}, {Interval{3, 2}, false}, {Interval{1, MaxGNO + 2}, false},
	} {
		s, b := &Set{}, &Builder{}
		if got := s.AddInterval(tsid, tt.v); got != tt.want || s.IsEmpty() == tt.want {
			t.Errorf("AddInterval(%v) = %v, set %v", tt.v, got, s)
		}
		if got := b.Add(tsid, tt.v); got != tt.want || !b.Set().Equal(s) {
			t.Errorf("Builder.Add(%v) = %v, set %v", tt.v, got, b.Set())
		}
	}
	if n := (Interval{5, 2}).Len(); n != 0 {
		t.Errorf("Len of an inverted interval = %d", n)
	}
}

func TestIntervals(t *testing.T) {
	s := mustParse(t, uuidA+":1-5:9:tag:2")
	tsid := mustGTID(t, uuidA+":1").TSID
	if got, want := s.Intervals(tsid), []Interval{{1, 6}, {9, 10}}; !slices.Equal(got, want) {
		t.Errorf("Intervals = %v, want %v", got, want)
	}
	if got := s.Intervals(TSID{Tag: "none"}); got != nil {
		t.Errorf("Intervals of an absent TSID = %v", got)
	}
	var first []TSID
	for tsid := range s.All() {
		first = append(first, tsid)
		break
	}
	if len(first) != 1 || first[0] != tsid {
		t.Errorf("All began with %v", first)
	}
}

func TestAppendLines(t *testing.T) {
	s := mustParse(t, uuidB+":4,"+uuidA+":1-2:t:3")
	want := "gtids: " + uuidA + ":1-2:t:3,\n" + uuidB + ":4"
	if got := string(s.AppendLines([]byte("gtids: "))); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCloneIsIndependent(t *testing.T) {
	a := mustParse(t, uuidA+":1-2:9")
	c := a.Clone()
	tsid := mustGTID(t, uuidA+":1").TSID
	c.Add(tsid, 3)
	c.Add(tsid, 5)
	if got, want := a.String(), uuidA+":1-2:9"; got != want {
		t.Errorf("the original became %s", got)
	}
	if got, want := c.String(), uuidA+":1-3:5:9"; got != want {
		t.Errorf("the clone is %s, want %s", got, want)
	}
}

func TestBuilderStaysUsable(t *testing.T) {
	var b Builder
	tsid := TSID{UUID: UUID{1}}
	b.Add(tsid, Interval{9, 10})
	first := b.Set()
	b.Add(tsid, Interval{1, 9})
	if got := first.Count(); got != 1 {
		t.Errorf("the first set grew to %d", got)
	}
	if got := b.Set().Count(); got != 9 {
		t.Errorf("the second set has %d, want 9", got)
	}
}

func TestAllocations(t *testing.T) {
	s := mustParse(t, uuidA+":1-5:9:tag:2-3,"+uuidB+":7")
	a := mustGTID(t, uuidA+":tag:3")
	b := mustGTID(t, uuidB+":8")
	text := make([]byte, 0, 256)
	gno := uint64(100)
	s.Add(a.TSID, gno)
	for _, tt := range []struct {
		name string
		f    func()
	}{
		{"Contains", func() {
			if !s.Contains(a.TSID, a.GNO) || s.Contains(b.TSID, b.GNO) {
				panic("wrong answer")
			}
		}},
		{"ContainsSet", func() {
			if !s.ContainsSet(s) {
				panic("wrong answer")
			}
		}},
		{"Add at the tail", func() { gno++; s.Add(a.TSID, gno) }},
		{"AppendText", func() { text = s.AppendText(text[:0]) }},
	} {
		if n := testing.AllocsPerRun(1000, tt.f); n != 0 {
			t.Errorf("%s allocates %v times", tt.name, n)
		}
	}
}

func BenchmarkAddAscending(b *testing.B) {
	s := &Set{}
	sources := [2]TSID{{UUID: UUID{1}}, {UUID: UUID{2}, Tag: "tag"}}
	b.ReportAllocs()
	for i := range b.N {
		s.Add(sources[i>>10&1], uint64(i)+1)
	}
}

func BenchmarkContains(b *testing.B) {
	var bu Builder
	tsid := TSID{UUID: UUID{1}}
	for i := range uint64(1 << 16) {
		bu.Add(tsid, Interval{4*i + 1, 4*i + 3})
	}
	s := bu.Set()
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		s.Contains(tsid, uint64(i)&(1<<18-1))
	}
}
