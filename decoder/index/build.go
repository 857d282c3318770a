package index

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/wire"
	"sort"
)

// Builder adds frames to an Index.
type Builder struct {
	Index  Index
	groups groups
	layout layout
	entry  Entry // of a run, reused
	pieces pieces
}

// Add takes the next frame.
func (b *Builder) Add(fr *frame.Frame) {
	e := EntryOf(fr)
	b.AddEntry(&e, fr.Format, fr.Bad)
}

// AddEntry takes the entry of the next frame, the format in force for it and what is wrong with it.
func (b *Builder) AddEntry(e *Entry, f *decoder.FormatDescription, bad *wire.Error) {
	x := &b.Index
	if n := len(x.formats); n == 0 || x.formats[n-1].format != f {
		x.formats = append(x.formats, formatAt{from: x.n, format: f})
	}
	ordinal := x.n
	if e.Type == decoder.PartialRowDataType || b.pieces.total > 0 {
		bad = b.takePiece(e, f, bad)
	}
	s, k := x.append(e.Off)
	s.size[k], s.time[k], s.code[k] = e.Size, e.Time, uint8(e.Type)
	flags := uint8(e.Kind)
	if bad != nil {
		flags |= flagProblem
		x.addProblem(bad)
	}
	switch {
	case e.Says&SaysCipher != 0:
		flags |= flagCipher
		s.server[k] = x.server(e.Server)
	case e.Kind == frame.Event:
		s.server[k] = x.server(e.Server)
		flags |= b.addEvent(e, s, k, ordinal)
	}
	s.flags[k] = flags
}

// addEvent finds the place of an event that can be read among tables and transactions.
func (b *Builder) addEvent(e *Entry, s *slab, k, ordinal int64) (flags uint8) {
	x := &b.Index
	x.noteTime(e)
	if e.Says&SaysRestart != 0 {
		x.tables.forget()
		b.groups.reset()
	}
	if e.Says&SaysTable != 0 {
		s.table[k] = x.tables.of(e, ordinal)
	}
	if e.Type == decoder.PartialRowDataType {
		s.table[k] = b.pieces.tableOf(s.table[k])
	}
	m := b.groups.add(e)
	if e.Query == definition || e.Type == decoder.QueryCompressedType && m.last { // a compressed text is not looked at
		x.definitions = append(x.definitions, ordinal)
	}
	s.group[k] = m.group
	if m.first {
		flags = flagFirst
		x.groups.open(ordinal)
	}
	if m.last {
		flags |= flagLast
		x.groups.close(m.state)
	}
	return flags
}

// AddRun takes the plain events of a run (see [frame.Scanner.Run]), of which the first stands at off.
func (b *Builder) AddRun(run []byte, off int64, f *decoder.FormatDescription) {
	b.layout.set(f)
	e := &b.entry
	for at := 0; at < len(run); at += int(e.Size) {
		e.Off = off + int64(at)
		b.layout.read(e, run[at:])
		b.AddEntry(e, f, nil)
	}
}

// AddInside takes the next frame inside the transaction payload at row payload, which was added last but for others inside
// it. The frame's offset counts decompressed bytes.
func (b *Builder) AddInside(payload int64, fr *frame.Frame) {
	e := EntryOf(fr)
	b.addInside(payload, &e, fr.Bad)
}

func (b *Builder) addInside(payload int64, e *Entry, bad *wire.Error) {
	x := &b.Index
	ordinal := x.n
	s, k := x.appendInside(payload, e.Off)
	b.fill(e, s, k, bad)
	if e.Kind == frame.Event {
		s.table[k] = x.tables.of(e, ordinal)
		if e.Query == definition {
			x.definitions = append(x.definitions, ordinal)
		}
	}
	s.group[k] = x.slabs[payload>>16].group[payload&(slabRows-1)]
	if e.Kind == frame.Event {
		x.noteInside(e)
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
		x.problems = append(x.problems, Problem{})
		copy(x.problems[i+1:], x.problems[i:])
		x.problems[i] = Problem{Ordinal: ordinal, Err: err}
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
		x.addProblem(bad)
	}
}

// addProblem says what is wrong with the last row.
func (x *Index) addProblem(bad *wire.Error) {
	if x.bad++; len(x.problems) < maxProblems {
		x.problems = append(x.problems, Problem{Ordinal: x.n - 1, Err: bad})
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
