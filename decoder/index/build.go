package index

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/wire"
	"slices"
	"sort"
)

// Builder adds frames to an Index.
type Builder struct {
	Index  Index
	groups groups
}

// Add takes the next frame.
func (b *Builder) Add(fr *frame.Frame) {
	e := EntryOf(fr)
	b.AddEntry(&e, fr.Format, fr.Bad)
}

// AddEntry takes the entry of the next frame, the format in force for it and what is wrong with it.
func (b *Builder) AddEntry(e *Entry, f *decoder.FormatDescription, bad *wire.Error) {
	x := &b.Index
	if x.LastFormat() != f {
		x.formats = append(x.formats, formatAt{from: x.n, format: f})
	}
	ordinal := x.n
	s, k := x.append(e.Off)
	b.fill(e, s, k, bad)
	if e.Says&SaysCipher != 0 {
		s.flags[k] |= flagCipher
		return
	}
	if e.Kind != frame.Event {
		return
	}
	x.noteTime(e)
	if e.Says&SaysRestart != 0 {
		x.tables.forget()
		b.groups.reset()
	}
	s.table[k] = x.tables.of(e, ordinal)
	m := b.groups.add(e)
	s.group[k] = m.group
	if m.first {
		s.flags[k] |= flagFirst
		x.groups.open(ordinal)
	}
	if m.last {
		s.flags[k] |= flagLast
		x.groups.close(m.state)
	}
}

// AddInside takes the next frame inside the transaction payload at row payload, which was added last but for others inside
// it. The frame's offset counts decompressed bytes.
func (b *Builder) AddInside(payload int64, fr *frame.Frame) {
	x := &b.Index
	ordinal := x.n
	e := EntryOf(fr)
	s, k := x.appendInside(payload, e.Off)
	b.fill(&e, s, k, fr.Bad)
	if e.Kind == frame.Event {
		s.table[k] = x.tables.of(&e, ordinal)
	}
	s.group[k] = x.slabs[payload>>16].group[payload&(slabRows-1)]
	if e.Kind == frame.Event {
		x.noteInside(&e)
	}
}

// noteInside says how the transaction of a payload ends where that is not by a commit.
func (x *Index) noteInside(e *Entry) {
	switch {
	case isQuery(e.Type) && e.Query.state() == RolledBack:
		x.groups.close(RolledBack)
	case e.Type == decoder.XaPrepareType && e.Flags2 == 0:
		x.groups.close(Prepared)
	}
}

// Blame says that a row added before turned out to have a problem.
func (b *Builder) Blame(ordinal int64, err *wire.Error) {
	x := &b.Index
	f := &x.slabs[ordinal>>16].flags[ordinal&(slabRows-1)]
	if *f&flagProblem != 0 {
		return
	}
	*f |= flagProblem
	if x.bad++; len(x.problems) < maxProblems {
		i := sort.Search(len(x.problems), func(i int) bool { return x.problems[i].Ordinal > ordinal })
		x.problems = slices.Insert(x.problems, i, Problem{Ordinal: ordinal, Err: err})
	}
}

// fill sets what every entry says.
func (b *Builder) fill(e *Entry, s *slab, k int64, bad *wire.Error) {
	x := &b.Index
	s.size[k] = e.Size
	s.flags[k] |= uint8(e.Kind)
	s.code[k] = uint8(e.Type)
	s.time[k] = e.Time
	if e.Kind == frame.Event {
		s.server[k] = x.server(e.Server)
	}
	if bad != nil {
		s.flags[k] |= flagProblem
		if x.bad++; len(x.problems) < maxProblems {
			x.problems = append(x.problems, Problem{Ordinal: x.n - 1, Err: bad})
		}
	}
}

func (x *Index) noteTime(e *Entry) {
	t := e.Time
	if t == 0 || e.Flags&decoder.FlagArtificial != 0 {
		return
	}
	if x.first == 0 || t < x.first {
		x.first = t
	}
	x.last = max(x.last, t)
}
