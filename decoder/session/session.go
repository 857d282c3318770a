package session

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/index"
	"binlens/decoder/query"
	"binlens/decoder/render"
	"binlens/decoder/wire"
	"errors"
	"io"
	"time"
)

// Bounds of max_event_size, in bytes. The smallest lets every format description through, without which nothing is read.
const (
	MinEventLimit = 4 << 10
	MaxEventLimit = 1 << 30
)

// Options change how a log is opened. The zero value is the default.
type Options struct {
	MaxEvent int64 // max_event_size in bytes: larger events are listed but not decoded; 0 is 16 MiB, others are brought between MinEventLimit and MaxEventLimit

	MapNames bool // columns have only the names that their table maps give; DDL and schemas are not looked at
}

// Session is one open log.
type Session struct {
	ra           io.ReaderAt
	size         int64
	maxEvent     int64
	start        frame.Start
	skip         int64 // bytes in front of the first event still to be fed
	scanner      *frame.Scanner
	builder      index.Builder
	index        *index.Index // the builder's; of a fork, that of the session it was made from
	frame        frame.Frame
	done         bool    // the log is indexed to its end
	cancelled    bool    // no more bytes come, although the file has more
	behind       bool    // fed bytes were left by the last step
	inside       *inside // the payload being indexed; nil outside
	insideRows   int64   // listed of all payloads
	reader       reader
	space        spaceReader
	maps         map[uint32]*decoder.TableMap // by table version
	plans        render.Plans
	rec          wire.Recorder              // of the row loaded last
	rowReader    decoder.RowReader          // for counting rows
	insideOf     *decoder.FormatDescription // the format that insideFormat was made of
	insideFormat *decoder.FormatDescription
	rowBad       map[int64]render.Problem // the first problem of rows that were found to have one when they were shown
	survey       survey
	left         left
	ranking      ranking
	timelines    [2]timeline // of all rows, and of those that the filter leaves
	badRows      []int64     // their ordinals, in order
	filter       *query.Run  // nil lists all rows
	filterText   string
	filterHeld   bool // what it has found is all there will be
	names        names
	mapNames     bool
}

// Open looks at the first bytes of a log of size bytes. The error is a *frame.NotBinlog when it is none.
func Open(ra io.ReaderAt, size int64, o Options) (*Session, error) {
	head := make([]byte, min(size, frame.SniffLen))
	if n, err := ra.ReadAt(head, 0); n < len(head) {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	start, err := frame.Sniff(head, size)
	if err != nil {
		return nil, err
	}
	if o.MaxEvent <= 0 {
		o.MaxEvent = frame.DefaultMaxEvent
	}
	s := &Session{ra: ra, size: size, maxEvent: min(max(o.MaxEvent, MinEventLimit), MaxEventLimit), start: start, skip: start.Off, mapNames: o.MapNames}
	s.scanner, s.index = frame.NewScanner(ra, size, start, s.maxEvent), &s.builder.Index
	s.init()
	return s, nil
}

// init makes ready what shows rows.
func (s *Session) init() {
	s.maps, s.rowBad = map[uint32]*decoder.TableMap{}, map[int64]render.Problem{}
	s.reader = reader{ra: s.ra, size: s.size}
}

// Feed takes the next bytes of the file, from its first byte on; it copies them. What a live log got since it was opened is
// left alone: bytes beyond its size.
func (s *Session) Feed(p []byte) {
	k := min(int64(len(p)), s.skip)
	s.skip -= k
	p = p[k:]
	s.scanner.Feed(p[:min(int64(len(p)), max(s.size-s.scanner.Fed(), 0))])
}

// Room returns space for the next n bytes of the file, as Feed would take them, or nil: then they are to be fed. Filled says
// that they are there.
func (s *Session) Room(n int) []byte {
	if s.skip > 0 {
		return nil
	}
	return s.scanner.Room(n)
}

// Filled says that the space that Room has returned has the next n bytes.
func (s *Session) Filled(n int) { s.scanner.Filled(n) }

// Finish says that no more bytes will be fed. When the file has more, indexing was cancelled: what is indexed stays.
func (s *Session) Finish() {
	if s.scanner.Fed() >= s.size {
		s.scanner.Finish()
		return
	}
	s.cancelled = true
}

// GoOn takes back that indexing was cancelled: more bytes will be fed. The end of what was indexed is no end of the log any
// more, so what depends on that begins anew: the filter and the survey.
func (s *Session) GoOn() {
	if !s.cancelled {
		return
	}
	s.cancelled, s.survey, s.ranking = false, survey{}, ranking{}
	if s.filter != nil {
		_ = s.SetFilter(s.filterText) // it was parsed before
	}
}

// How many turns are made between two looks at the clock, and how many plain events one of them may take.
const (
	stepTurns = 4
	stepRun   = 128
)

// Step indexes what was fed and then filters what is indexed, for about the budget or, when that is 0, until bytes are
// missing and all rows are looked at. With a filter, indexing takes half of the budget at most. more says that there is work
// left.
func (s *Session) Step(budget time.Duration) (more bool) {
	var half, until time.Time
	if budget > 0 {
		now := time.Now()
		half, until = now.Add(budget), now.Add(budget)
		if s.filter != nil {
			half = now.Add(budget / 2)
		}
	}
	s.behind = s.stepIndex(half)
	s.countIndexed()
	return s.stepFilter(until) || s.behind
}

// Behind says that the last step has left fed bytes that can be indexed.
func (s *Session) Behind() bool { return s.behind }

// stepIndex indexes until the time given, or until bytes are missing. more says that there is work left.
func (s *Session) stepIndex(until time.Time) (more bool) {
	for {
		for range stepTurns {
			if s.inside != nil {
				s.stepInside()
				continue
			}
			if s.stepPlain() {
				continue
			}
			switch s.scanner.Next(&s.frame) {
			case frame.Got:
				s.builder.Add(&s.frame)
				s.enter(&s.frame)
			case frame.More:
				return false
			case frame.Done:
				s.builder.Finish()
				s.done = true
				return false
			}
		}
		if !until.IsZero() && time.Now().After(until) {
			return true
		}
	}
}

// stepPlain indexes plain events; false when the next row is none.
func (s *Session) stepPlain() bool {
	off := s.scanner.Pos()
	run := s.scanner.Run(stepRun)
	s.builder.AddRun(run, off, s.scanner.Format())
	return len(run) > 0
}

// Index returns the rows indexed so far.
func (s *Session) Index() *index.Index { return s.index }

// Progress says how far indexing and filtering are.
type Progress struct {
	Rows     int64
	Bytes    int64 // indexed
	Size     int64 // of the file
	Problems int64 // rows with a problem
	Done     bool  // the log is indexed
	Filtered bool  // there is a filter; what follows is about it
	Matched  int64 // rows it leaves
	Examined int64 // rows it has looked at
	Unread   int64 // rows it would have to read and cannot: too large, encrypted, damaged. It leaves them out
	Touched  int64 // transactions that have rows which it leaves
}

// Progress returns how far indexing and filtering are.
func (s *Session) Progress() Progress {
	p := Progress{Rows: s.Index().Len(), Bytes: s.scanner.Pos(), Size: s.size, Problems: s.problems(), Done: s.done || s.cancelled}
	if s.filter != nil {
		f := s.filter.Progress()
		p.Filtered, p.Matched, p.Examined, p.Unread, p.Touched = true, f.Matched, f.Examined, f.Unread, int64(s.Listed())
	}
	return p
}

// problems counts rows with a problem: those found while indexing, and those found when they were shown.
func (s *Session) problems() int64 { return s.Index().BadRows() + int64(len(s.rowBad)) }

// Summary says what the log is.
type Summary struct {
	Family        string // "mysql" or "mariadb"
	ServerVersion string
	BinlogVersion int
	Checksum      string // "CRC32", "NONE"
	State         string // how the log ends; empty while that is not known
	First, Last   uint32 // times of its events, seconds UTC; 0 unknown
}

// Summary returns what is known of the log.
func (s *Session) Summary() Summary {
	x := s.Index()
	f := s.start.Format
	if last := x.LastFormat(); last != nil {
		f = last
	}
	sum := Summary{Family: f.Family.String(), ServerVersion: string(f.ServerVersion), BinlogVersion: int(f.BinlogVersion), Checksum: "NONE"}
	if f.ChecksumLen() > 0 {
		sum.Checksum = "CRC32"
	}
	sum.First, sum.Last = x.Times()
	sum.State = s.state()
	return sum
}

// state says how the log ends.
func (s *Session) state() string {
	x := s.Index()
	switch {
	case s.cancelled:
		return "partly indexed"
	case !s.done || x.Len() == 0:
		return ""
	}
	last := s.outside(x.Row(x.Len() - 1))
	switch {
	case last.Kind == frame.Truncated:
		return "ends inside an event"
	case last.Type == decoder.StopType, last.Type == decoder.RotateType:
		return "closed cleanly"
	case s.inUse():
		return "in use or crashed"
	}
	return "no end event"
}

// inUse says that the first format description has the flag of a file that is being written.
func (s *Session) inUse() bool {
	raw, err := s.reader.at(s.start.Off, decoder.HeaderLen)
	return err == nil && raw[4] == byte(decoder.FormatDescriptionType) && raw[17]&decoder.FlagInUse != 0
}
