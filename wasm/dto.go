//go:build js && wasm

package main

import (
	"binlens/decoder/session"
	"math"
)

// The structs that travel through vert. Its limits shape them: only string, bool, int, uint32, float64, slices, and maps
// with string keys; no named types; 64-bit numbers as float64, which are exact up to 2^53. TestDTOs refuses anything else.

type progressAnswer struct {
	Events   float64 `js:"events"`
	Bytes    float64 `js:"bytes"`
	Size     float64 `js:"size"`
	Problems float64 `js:"problems"`
	More     bool    `js:"more"`     // step has work left: indexing what was fed, or filtering
	Done     bool    `js:"done"`     // the log is indexed
	Filtered bool    `js:"filtered"` // there is a filter, which the following is about
	Matched  float64 `js:"matched"`  // rows of the list
	Examined float64 `js:"examined"` // rows looked at, from the first on
	Unread   float64 `js:"unread"`   // rows that could not be looked into, and are left out
	Touched  float64 `js:"touched"`  // transactions that have rows of the list
}

// filterAnswer says whether a filter is understood, or what is wrong with it and where: places in UTF-16 units.
type filterAnswer struct {
	OK       bool   `js:"ok"`
	Start    int    `js:"start"`
	End      int    `js:"end"`
	Message  string `js:"message"`
	Expected string `js:"expected"` // may be empty
}

type rankAnswer struct {
	Row   float64 `js:"row"`   // of the list: as many are before the ordinal
	Exact bool    `js:"exact"` // the ordinal is in the list
}

type completion struct {
	Start int    `js:"start"` // UTF-16 units of the text that it takes the place of
	End   int    `js:"end"`
	Text  string `js:"text"`
	Note  string `js:"note"`
}

type surveyAnswer struct {
	Rows         float64 `js:"rows"`
	Total        float64 `js:"total"`
	Checks       float64 `js:"checks"`
	Transactions float64 `js:"transactions"`
	Tables       float64 `js:"tables"`
	Problems     float64 `js:"problems"`
	More         bool    `js:"more"`
	Done         bool    `js:"done"`
}

type summaryAnswer struct {
	Family        string  `js:"family"`
	ServerVersion string  `js:"serverVersion"`
	BinlogVersion int     `js:"binlogVersion"`
	Checksum      string  `js:"checksum"`
	State         string  `js:"state"`
	FirstTime     float64 `js:"firstTime"`
	LastTime      float64 `js:"lastTime"`
	Size          float64 `js:"size"`
	Events        float64 `js:"events"`
	Problems      float64 `js:"problems"`
}

type failAnswer struct {
	Error failure `js:"error"`
}

type failure struct {
	Kind    string  `js:"kind"`
	Message string  `js:"message"`
	Offset  float64 `js:"offset"` // in the file, bytes; -1 when no place is to blame
	Path    string  `js:"path"`
}

func progressOf(s *session.Session, more bool) progressAnswer {
	p := s.Progress()
	return progressAnswer{Events: float64(p.Rows), Bytes: float64(p.Bytes), Size: float64(p.Size),
		Problems: float64(p.Problems), More: more, Done: p.Done,
		Filtered: p.Filtered, Matched: float64(p.Matched), Examined: float64(p.Examined), Unread: float64(p.Unread), Touched: float64(p.Touched)}
}

func summaryOf(s *session.Session) summaryAnswer {
	sum, p := s.Summary(), s.Progress()
	return summaryAnswer{Family: sum.Family, ServerVersion: sum.ServerVersion, BinlogVersion: sum.BinlogVersion,
		Checksum: sum.Checksum, State: sum.State, FirstTime: float64(sum.First), LastTime: float64(sum.Last),
		Size: float64(p.Size), Events: float64(p.Rows), Problems: float64(p.Problems)}
}

// whole returns f as an integer that JavaScript holds exactly, and false for anything else.
func whole(f float64) (int64, bool) {
	if f != math.Trunc(f) || f < 0 || f > 1<<53 {
		return 0, false
	}
	return int64(f), true
}
