package session

import (
	"binlens/decoder"
	"binlens/decoder/render"
	"binlens/decoder/wire"
	"strconv"
)

// Note is one reason why an export does not say all, with how often it holds.
type Note struct {
	Lost   bool // something is left out; otherwise it may not be what it seems
	Reason string
	Count  int64
	First  int64 // row of the log where it holds first, in the order of the export
}

// Notes are the notes of an export.
type Notes struct{ list []Note }

// maxNotes is how many reasons are told apart.
const maxNotes = 200

func (n *Notes) add(lost bool, reason string, ordinal int64) {
	if len(n.list) >= maxNotes {
		reason = "other reasons"
	}
	for i := range n.list {
		if n.list[i].Reason == reason && n.list[i].Lost == lost {
			n.list[i].Count++
			return
		}
	}
	n.list = append(n.list, Note{Lost: lost, Reason: reason, Count: 1, First: ordinal})
}

func (n *Notes) lost(reason string, ordinal int64)  { n.add(true, reason, ordinal) }
func (n *Notes) doubt(reason string, ordinal int64) { n.add(false, reason, ordinal) }

// mistrust notes that an event is damaged although it can be read.
func (n *Notes) mistrust(e *render.Event) {
	if e.RowBad == nil || e.RowBad.Kind != wire.Checksum {
		return
	}
	if e.Header.Type.RowOp() != decoder.NoRows {
		n.doubt("the checksum of a row event does not match: its values may be wrong", e.Ordinal)
		return
	}
	n.doubt("the checksum of an event does not match: what it says may be wrong", e.Ordinal)
}

// List returns the notes in the order in which they came up.
func (n *Notes) List() []Note { return n.list }

// Complete says that nothing was left out.
func (n *Notes) Complete() bool {
	for i := range n.list {
		if n.list[i].Lost {
			return false
		}
	}
	return true
}

// Text is the note as a sentence.
func (n *Note) Text() string {
	return n.Reason + " (" + strconv.FormatInt(n.Count, 10) + " times, first in row " + strconv.FormatInt(n.First, 10) + ")"
}
