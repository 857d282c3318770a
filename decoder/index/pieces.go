package index

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/wire"
	"strconv"
)

// pieces follows the PARTIAL_ROW_DATA_EVENTs of a row event: they stand one behind the other, numbered from 1. All of them are
// of the table that the first tells, and the last ends the statement if the row event does.
type pieces struct {
	total, seq uint32 // of the piece before; total is 0 when none is open
	last       int64  // its ordinal
	table      uint32 // table version
	end        bool
}

// holdsRows says that events of a type change rows, or are pieces of events that do.
func holdsRows(t decoder.Type) bool {
	return t.RowOp() != decoder.NoRows || t == decoder.PartialRowDataType
}

// takePiece takes the entry of the next row: a piece, or what comes behind one that is not the last. It returns what is wrong
// with the row, which is bad if that is something already.
func (b *Builder) takePiece(e *Entry, f *decoder.FormatDescription, bad *wire.Error) *wire.Error {
	p := &b.pieces
	if e.Kind != frame.Event || e.Type != decoder.PartialRowDataType || e.Says&SaysCipher != 0 {
		b.endPieces()
		return bad
	}
	total, seq := uint32(e.Map>>32), uint32(e.Map)
	follows := total == p.total && seq == p.seq+1
	if !follows {
		b.endPieces()
	}
	if seq == 1 {
		p.table, p.end = 0, e.Says&SaysEnd != 0
	}
	e.Says &^= SaysEnd
	if fault := pieceFault(total, seq, follows, f); fault != nil {
		*p = pieces{}
		if bad == nil {
			bad = fault
		}
		return bad
	}
	if p.total, p.seq, p.last = total, seq, b.Index.n; seq == total {
		p.total, p.seq = 0, 0
		if p.end {
			e.Says |= SaysEnd
		}
	}
	return bad
}

func pieceFault(total, seq uint32, follows bool, f *decoder.FormatDescription) *wire.Error {
	what := "piece " + utoa(seq) + " of " + utoa(total)
	at := int64(f.MinHeaderLen())
	switch {
	case seq == 0 || seq > total:
		return &wire.Error{Offset: at, Kind: wire.Corrupt, Path: "seq_no", Msg: what + ": pieces of a row event are numbered from 1 to total_fragments"}
	case seq != 1 && !follows:
		return &wire.Error{Offset: at, Kind: wire.Corrupt, Path: "seq_no", Msg: what + " does not stand behind piece " + utoa(seq-1) + ": the row event cannot be put together"}
	}
	return nil
}

// tableOf returns the table version of a piece, which the first tells.
func (p *pieces) tableOf(said uint32) uint32 {
	if said > 0 {
		p.table = said
	}
	return p.table
}

// endPieces says that no more pieces of a row event follow that is not whole.
func (b *Builder) endPieces() {
	p := b.pieces
	b.pieces = pieces{}
	if p.total > 0 {
		b.Blame(p.last, &wire.Error{Offset: int64(b.Index.Format(p.last).MinHeaderLen()), Kind: wire.Truncated, Path: "seq_no",
			Msg: "piece " + utoa(p.seq) + " of " + utoa(p.total) + " is the last there is: the row event cannot be put together"})
	}
}

// Finish says that the log has no more rows.
func (b *Builder) Finish() { b.endPieces() }

func utoa(n uint32) string { return strconv.FormatUint(uint64(n), 10) }
