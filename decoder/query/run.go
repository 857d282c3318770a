package query

import (
	"binlens/decoder"
	"math/bits"
)

// Run finds the rows that a filter leaves, step by step. It is dropped to cancel it.
type Run struct {
	View     View // the rows found so far: all there are before row Examined
	program  []part
	x        examiner
	chunk    chunk
	left     mask  // rows of the chunk that may match and were not looked at
	certain  mask  // those that do, without being read
	examined int64 // rows
	waits    bool  // transactions are judged as a whole
	err      error
}

// part is a term, or all row terms that must hold for the same row.
type part struct {
	matcher
	not bool
	yes mask // of the chunk: rows for which the part holds as far as the index can tell
}

// matcher is a term that was compiled.
type matcher interface {
	// mark is the first stage: it sets the bits of rows of the chunk that match, and of those that must be read to tell.
	mark(c *chunk, yes, maybe *mask)
	// match is the second: it says whether a row of which mark set the bit in maybe does match.
	match(x *examiner) bool
}

// NewRun starts a run. Nothing is read yet.
func NewRun(f *Filter, src Source) *Run {
	r := &Run{x: examiner{src: src}}
	r.program, r.waits = compile(f, src)
	return r
}

// Progress says how far a run is.
type Progress struct {
	Examined int64 // rows, from the first on
	Matched  int64
	Unread   int64 // rows that would have to be read and cannot be: too large, encrypted, damaged. They count as not matching
}

// Progress returns how far the run is.
func (r *Run) Progress() Progress {
	return Progress{Examined: r.examined, Matched: r.View.n, Unread: r.x.unread}
}

// Err returns why the run ended: the file could not be read.
func (r *Run) Err() error { return r.err }

// Step looks at the rows that are indexed, until all have been looked at or late says that time is up; it is asked now and
// then. more says that there is work left now; when the index grows there is more.
func (r *Run) Step(late func() bool) (more bool) {
	r.x.clock = late
	for r.err == nil {
		if !r.secondStage() {
			return r.err == nil
		}
		if !r.next() {
			return false
		}
		if r.x.late() {
			return true
		}
	}
	return false
}

// next goes on to the next rows and does their first stage. It is false when no more can be looked at now.
func (r *Run) next() bool {
	src := r.x.src
	end := src.Index().Len()
	if r.waits {
		end = settled(src, end)
	}
	if r.examined >= end {
		return false
	}
	c := &r.chunk
	*c = chunk{src: src, from: r.examined, columns: src.Index().Columns(r.examined, min(end, r.examined+chunkRows))}
	c.n = len(c.columns.Size)
	r.firstStage()
	r.err = c.err
	return r.err == nil
}

// settled returns the end of the rows whose transactions are known whole.
func settled(src Source, end int64) int64 {
	g := src.Index().Groups()
	if g == 0 || src.Done() {
		return end
	}
	if t := src.Transaction(g); t.Growing {
		return t.First
	}
	return end
}

func (r *Run) firstStage() {
	c := &r.chunk
	r.left, r.certain = mask{}, mask{}
	r.left.fill(0, c.n)
	r.certain.fill(0, c.n)
	for i := range r.program {
		p := &r.program[i]
		var maybe mask
		p.yes = mask{}
		p.mark(c, &p.yes, &maybe)
		some := uint64(0)
		for w := range p.yes {
			possible := p.yes[w] | maybe[w]
			if p.not {
				p.yes[w], possible = ^possible, ^p.yes[w]
			}
			r.left[w] &= possible
			r.certain[w] &= p.yes[w]
			some |= r.left[w]
		}
		if some == 0 {
			break
		}
	}
}

// secondStage looks at the rows that the first left. It is false when time is up before all have been looked at.
func (r *Run) secondStage() bool {
	c := &r.chunk
	for w := range words(c.n) {
		for r.left[w] != 0 {
			i := w*64 + bits.TrailingZeros64(r.left[w])
			ordinal := c.from + int64(i)
			ok := r.certain.has(i) || r.holds(i, ordinal)
			if r.x.again || r.x.err != nil {
				r.x.again, r.err = false, r.x.err
				r.examined = ordinal
				return false
			}
			if ok {
				r.View.add(ordinal)
			}
			if r.left[w] &= r.left[w] - 1; r.x.tired() && r.x.late() {
				r.examined = ordinal + 1
				return false
			}
		}
	}
	r.examined = c.from + int64(c.n)
	return true
}

// holds reads row i of the chunk, as far as need be.
func (r *Run) holds(i int, ordinal int64) bool {
	r.x.at(ordinal)
	for k := range r.program {
		p := &r.program[k]
		if !p.yes.has(i) && p.match(&r.x) == p.not {
			return false
		}
	}
	return true
}

// examiner reads rows for the second stage.
type examiner struct {
	src     Source
	clock   func() bool
	work    int  // since the clock was looked at; see tired
	again   bool // time was up within a row: it is to be looked at once more
	err     error
	unread  int64
	ordinal int64
	state   readState
	e       Event         // the row's
	event   decoder.Event // decoded; nil before that
	other   Event         // another row's
	rows    decoder.Rows  // what the event is, if it is a row event
	reader  decoder.RowReader
}

// readState says how far the row has been read.
type readState uint8

const (
	readNothing readState = iota
	readBytes
	readEvent
	readFailed
)

func (x *examiner) at(ordinal int64) {
	x.ordinal, x.state, x.event = ordinal, readNothing, nil
	x.work += 1 << 8
}

// tired says that it is time to look at the clock, which takes as long as reading some rows.
func (x *examiner) tired() bool { return x.work > 1<<14 }

// late says that time is up.
func (x *examiner) late() bool {
	x.work = 0
	return x.clock()
}

// read reads the bytes of the row; false when they cannot be looked into.
func (x *examiner) read() bool {
	if x.state == readNothing {
		x.state = readBytes
		if x.err = x.src.Read(x.ordinal, &x.e); x.err != nil || x.e.Unread {
			x.state = readFailed
			x.unread++
		}
		x.work += len(x.e.Raw)
	}
	return x.state != readFailed
}

// decode decodes the row; nil when it cannot be.
func (x *examiner) decode() decoder.Event {
	if x.read() && x.state == readBytes {
		x.state = readEvent
		if x.event = x.e.Decode(&x.rows); x.event == nil {
			x.state = readFailed
			x.unread++
		}
	}
	return x.event
}

// decodeOther decodes another row; nil when it cannot be.
func (x *examiner) decodeOther(ordinal int64) decoder.Event {
	x.other = Event{}
	if x.err = x.src.Read(ordinal, &x.other); x.err != nil || x.other.Unread {
		return nil
	}
	x.work += len(x.other.Raw)
	return x.other.Decode(new(decoder.Rows))
}
