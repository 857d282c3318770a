package session

import (
	"binlens/decoder/render"
	"binlens/decoder/wire"
	"sort"
	"strconv"
)

// maxNoted bounds the problems that are kept of rows which were found to have one when they were shown.
const maxNoted = 1 << 16

// noteProblem remembers the first problem found of a row that was taken for sound while it was indexed.
func (s *Session) noteProblem(ordinal int64, p render.Problem) {
	if _, known := s.rowBad[ordinal]; known || len(s.rowBad) >= maxNoted {
		return
	}
	s.rowBad[ordinal] = p
	i := sort.Search(len(s.badRows), func(i int) bool { return s.badRows[i] > ordinal })
	s.badRows = append(s.badRows, 0)
	copy(s.badRows[i+1:], s.badRows[i:])
	s.badRows[i] = ordinal
}

// Problems returns, as JSON, how many problems of each kind are known, and n of those of one kind from its number from on,
// in the order of their rows:
//
//	{"bad":5,"kinds":{"truncated":1,"corrupt":3,"unsupported":0,"checksum":1},"from":0,
//	 "problems":[{"ordinal":7,"code":30,"payload":-1,"problem":{…as in the event JSON…}}]}
//
// bad counts the rows with a problem; the index keeps the reasons of 100,000 of them, so kinds may add up to less. payload
// is the row of the transaction payload whose decompressed bytes the offset counts; -1 for those of the file.
func (s *Session) Problems(kind wire.Kind, from, n int) []byte {
	var total [wire.Checksum + 1]int
	var list []byte
	walk := problemWalk{s: s, later: s.badRows}
	for ordinal, k, ok := walk.next(); ok; ordinal, k, ok = walk.next() {
		if k == kind && total[k] >= from && total[k] < from+n {
			list = s.appendProblem(list, ordinal)
		}
		total[k]++
	}
	dst := appendNumber(nil, `{"bad":`, s.problems())
	lead := `,"kinds":{"`
	for k := wire.Truncated; k <= wire.Checksum; k++ {
		dst = appendNumber(dst, lead+k.String()+`":`, int64(total[k]))
		lead = `,"`
	}
	dst = append(appendNumber(dst, `},"from":`, int64(from)), `,"problems":[`...)
	return append(append(dst, list...), "]}"...)
}

func appendNumber(dst []byte, lead string, n int64) []byte {
	return strconv.AppendInt(append(dst, lead...), n, 10)
}

// problemOf returns the first problem of a row.
func (s *Session) problemOf(ordinal int64) render.Problem {
	if p, ok := s.rowBad[ordinal]; ok {
		return p
	}
	row := s.Index().Row(ordinal)
	e := render.Event{Off: row.Off, Size: row.Size, Kind: row.Kind, RowBad: s.Index().ProblemOf(ordinal)}
	e.Header.Len = s.formatOf(row).HeaderLenFor(byte(row.Type))
	return e.Problems()[0]
}

func (s *Session) appendProblem(dst []byte, ordinal int64) []byte {
	row := s.Index().Row(ordinal)
	lead := `{"ordinal":`
	if len(dst) > 0 {
		lead = `,{"ordinal":`
	}
	dst = appendNumber(dst, lead, ordinal)
	dst = appendNumber(dst, `,"code":`, int64(row.Type))
	dst = append(appendNumber(dst, `,"payload":`, row.Payload), `,"problem":`...)
	p := s.problemOf(ordinal)
	return append(p.AppendJSON(dst), '}')
}

// problemWalk goes through the problems of the index and those that were found later, in the order of their rows.
type problemWalk struct {
	s     *Session
	i     int     // into the index's
	later []int64 // ordinals
}

func (w *problemWalk) next() (ordinal int64, kind wire.Kind, ok bool) {
	indexed := w.s.Index().Problems()
	switch {
	case len(w.later) > 0 && (w.i == len(indexed) || w.later[0] < indexed[w.i].Ordinal):
		ordinal, w.later = w.later[0], w.later[1:]
		return ordinal, w.s.rowBad[ordinal].Kind, true
	case w.i < len(indexed):
		p := indexed[w.i]
		w.i++
		return p.Ordinal, p.Err.Kind, true
	}
	return 0, 0, false
}
