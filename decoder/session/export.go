package session

import (
	"binlens/decoder/query"
	"binlens/decoder/render/share"
	"errors"
	"io"
	"time"
)

// Selection tells which rows of the list are meant, by their ordinals.
type Selection interface {
	Next(ordinal int64) (int64, bool) // the first that is not below ordinal
	Prev(ordinal int64) (int64, bool) // the last that is not above ordinal
}

// Rows selects the rows from From up to but not To.
type Rows struct{ From, To int64 }

// Next implements Selection.
func (r Rows) Next(ordinal int64) (int64, bool) {
	ordinal = max(ordinal, r.From)
	return ordinal, ordinal < r.To
}

// Prev implements Selection.
func (r Rows) Prev(ordinal int64) (int64, bool) {
	ordinal = min(ordinal, r.To-1)
	return ordinal, ordinal >= r.From
}

// All selects every row indexed so far.
func (s *Session) All() Selection { return Rows{0, s.Index().Len()} }

// Filtered selects the rows that the filter leaves, as far as they are known; without a filter, every row indexed so far.
func (s *Session) Filtered() Selection {
	if v := s.View(); v != nil {
		return filtered{v, s.Index().Len()}
	}
	return s.All()
}

type filtered struct {
	v   *query.View
	all int64 // rows indexed
}

func (f filtered) Next(ordinal int64) (int64, bool) { return f.row(f.v.Rank(max(ordinal, 0))) }
func (f filtered) Prev(ordinal int64) (int64, bool) { return f.row(f.v.Rank(ordinal+1) - 1) }

// row is row k of the view.
func (f filtered) row(k int64) (int64, bool) {
	if k < 0 || k >= f.v.Count(f.all) {
		return 0, false
	}
	return f.v.Select(k), true
}

// Within selects the rows of a selection that are in a range as well.
func Within(sel Selection, r Rows) Selection { return within{sel, r} }

type within struct {
	sel Selection
	r   Rows
}

func (w within) Next(ordinal int64) (int64, bool) {
	ordinal, ok := w.sel.Next(max(ordinal, w.r.From))
	return ordinal, ok && ordinal < w.r.To
}

func (w within) Prev(ordinal int64) (int64, bool) {
	ordinal, ok := w.sel.Prev(min(ordinal, w.r.To-1))
	return ordinal, ok && ordinal >= w.r.From
}

// Format is what an export writes.
type Format string

// The formats.
const (
	FormatSQL   Format = "sql"   // what happened
	FormatUndo  Format = "undo"  // what takes it back
	FormatText  Format = "text"  // as mysqlbinlog -vv --base64-output=decode-rows prints it
	FormatBlock Format = "block" // as mysqlbinlog prints it, with BINLOG statements
	FormatJSON  Format = "json"  // the event JSON, one line each
	FormatCSV   Format = "csv"   // rows of one table
	FormatShare Format = "share" // the events without their values

	FormatTables Format = "tables" // no rows, but which tables have row events, as one JSON array, by how many they have
)

// ExportOptions say more about an export. The zero value is the default.
type ExportOptions struct {
	Table     string // of CSV: schema.table as the log has it; empty takes the first table of the selection
	KeepNames bool   // of a shareable report: names of schemas, tables and columns are kept
	Zone      int    // of text: seconds east of UTC that times are printed in
}

// ErrFormat says that there is no such format.
var ErrFormat = errors.New("there is no such format")

// writer writes rows of the log one after the other.
type writer interface {
	head(dst []byte) []byte
	row(dst []byte, ordinal int64) ([]byte, error)
	tail(dst []byte) []byte
}

// resumer is a writer that may have more to write behind a row, in parts.
type resumer interface {
	resume(dst []byte) (out []byte, more bool, err error)
}

// Export is an export under way. It appends to buffers of who drives it, in steps, so that the work can be shown, paused and
// dropped; it holds one event of the log at a time.
type Export struct {
	sel      Selection
	w        writer
	survey   writer // goes over the rows first, for the notes that stand at the head; nil where none do
	backward bool
	stage    stage
	at       int64 // next row
	first    int64 // row where it starts
	last     int64
	notes    *Notes
}

type stage uint8

const (
	surveying stage = iota
	heading
	writing
	finished
)

// NewExport begins an export of rows that are indexed. An error is ErrFormat.
func (s *Session) NewExport(f Format, sel Selection, o ExportOptions) (*Export, error) {
	x := &Export{sel: sel, notes: &Notes{}, stage: heading}
	switch f {
	case FormatSQL:
		x.w = s.newRedo(x.notes)
	case FormatUndo:
		x.backward, x.stage = true, surveying
		x.survey = s.newUndo(x.notes, true)
		x.w = s.newUndo(x.notes, false)
	case FormatText, FormatBlock:
		x.w = s.newText(sel, o.Zone, f == FormatBlock)
	case FormatCSV:
		x.w = &csvWriter{s: s, notes: x.notes, table: o.Table}
	case FormatShare:
		x.w = shareLines{s, o.KeepNames}
	case FormatJSON:
		x.w = jsonLines{s}
	case FormatTables:
		x.w = &tableNames{s: s, events: map[uint32]int64{}}
	default:
		return nil, ErrFormat
	}
	first, ok1 := sel.Next(0)
	last, ok2 := sel.Prev(s.Index().Len() - 1)
	if x.first, x.last = first, last; !ok1 || !ok2 {
		x.first, x.last = 0, -1
	}
	x.start()
	return x, nil
}

func (x *Export) start() {
	if x.at = x.first; x.backward {
		x.at = x.last
	}
}

// stepEvents is how many rows one step goes through at the most.
const stepEvents = 8

// StepFor is Step again and again until dst has budget bytes or a time has passed. An event of the log is never divided.
func (x *Export) StepFor(dst []byte, budget int, d time.Duration) (out []byte, more bool, err error) {
	for until := time.Now().Add(d); ; {
		if dst, more, err = x.Step(dst, budget); err != nil || !more || len(dst) >= budget || time.Now().After(until) {
			return dst, more, err
		}
	}
}

// Step appends to dst what comes next, until dst has budget bytes or a share of the rows is done. more says that there is
// work left.
func (x *Export) Step(dst []byte, budget int) (out []byte, more bool, err error) {
	switch x.stage {
	case finished:
		return dst, false, nil
	case heading:
		if u, ok := x.w.(*undo); ok {
			dst = u.reportHead(dst, x.notes, x.first, x.last)
		}
		dst = x.w.head(dst)
		x.stage = writing
	}
	w := x.w
	if x.stage == surveying {
		w = x.survey
	}
	start := len(dst)
	for range stepEvents {
		if dst, more, err = resume(w, dst); err != nil || len(dst) >= budget {
			return dst, err == nil, err
		} else if more {
			continue
		}
		ordinal, ok := x.next()
		if !ok {
			return x.turn(dst), x.stage != finished, nil
		}
		if dst, err = w.row(dst, ordinal); err != nil {
			return dst, false, err
		}
		if x.stage == surveying {
			dst = dst[:start]
		}
		if len(dst) >= budget {
			break
		}
	}
	return dst, true, nil
}

func resume(w writer, dst []byte) (out []byte, more bool, err error) {
	if r, ok := w.(resumer); ok {
		return r.resume(dst)
	}
	return dst, false, nil
}

// next returns the row that comes next.
func (x *Export) next() (ordinal int64, ok bool) {
	if x.backward {
		if x.at < x.first {
			return 0, false
		}
		ordinal, ok = x.sel.Prev(x.at)
		x.at = ordinal - 1
		return ordinal, ok
	}
	if x.at > x.last {
		return 0, false
	}
	ordinal, ok = x.sel.Next(x.at)
	x.at = ordinal + 1
	return ordinal, ok
}

// turn ends a stage.
func (x *Export) turn(dst []byte) []byte {
	if x.stage == surveying {
		x.survey.tail(nil)
		x.stage = heading
		x.start()
		return dst
	}
	x.stage = finished
	return x.w.tail(dst)
}

// Progress says how many rows of the log are passed, of how many.
func (x *Export) Progress() (done, total int64) {
	total = x.last - x.first + 1
	if done = x.at - x.first; x.backward {
		done = x.last - x.at
	}
	if x.survey != nil {
		if x.stage > surveying {
			done += total
		}
		total *= 2
	}
	return done, total
}

// Notes returns what the export does not say, as far as it is.
func (x *Export) Notes() *Notes { return x.notes }

// exportBlock is how many bytes are written at once.
const exportBlock = 256 << 10

// WriteTo does all of an export.
func (x *Export) WriteTo(w io.Writer) (n int64, err error) {
	var buf []byte
	for more := true; more; {
		if buf, more, err = x.Step(buf[:0], exportBlock); err != nil {
			return n, err
		}
		k, err := w.Write(buf)
		if n += int64(k); err != nil {
			return n, err
		}
	}
	return n, nil
}

// jsonLines writes the event JSON.
type jsonLines struct{ s *Session }

func (jsonLines) head(dst []byte) []byte { return dst }
func (jsonLines) tail(dst []byte) []byte { return dst }
func (j jsonLines) row(dst []byte, ordinal int64) ([]byte, error) {
	dst, err := j.s.AppendJSON(dst, ordinal, false)
	return append(dst, '\n'), err
}

// shareLines writes events without their values.
type shareLines struct {
	s         *Session
	keepNames bool
}

func (shareLines) head(dst []byte) []byte { return dst }
func (shareLines) tail(dst []byte) []byte { return dst }
func (w shareLines) row(dst []byte, ordinal int64) ([]byte, error) {
	e, err := w.s.load(ordinal, true, false)
	if err != nil {
		return dst, err
	}
	return share.Append(dst, e, w.keepNames), nil
}
