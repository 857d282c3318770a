package session

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/render"
	"binlens/decoder/wire"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strconv"
)

// A row event of MariaDB that is too large is logged in pieces, PARTIAL_ROW_DATA_EVENTs. They stay what they are in the list; the
// last of them tells the rows, since with it the event is whole.

// loadJoined is load; with the last piece of a row event comes the row event, put together, or the reason why it cannot be. With
// all, it may be larger than max_event_size.
func (s *Session) loadJoined(ordinal int64, record, all bool) (*render.Event, error) {
	e, err := s.load(ordinal, record, all)
	if err != nil || !isLastPiece(e) {
		return e, err
	}
	limit := s.maxEvent
	if all {
		limit = MaxEventLimit
	}
	if large := s.join(e, limit, record); large != nil {
		e.JoinBad, e.JoinLarge = large, !all
	}
	return e, nil
}

// join puts together the row event whose last piece e is. It returns an error when that is larger than a limit in bytes.
func (s *Session) join(e *render.Event, limit int64, record bool) (large *wire.Error) {
	a, bad := s.assemble(e, limit)
	switch {
	case bad == nil:
		e.Joined = a.decode(e, record)
	case bad.Kind == wire.Unsupported:
		return bad
	default:
		e.JoinBad = bad
	}
	return nil
}

// loadWhole is loadJoined; a row event that could be put together takes the place of its last piece.
func (s *Session) loadWhole(ordinal int64, record, all bool) (*render.Event, error) {
	e, err := s.loadJoined(ordinal, record, all)
	if err != nil {
		return nil, err
	}
	return wholeOf(e), nil
}

func wholeOf(e *render.Event) *render.Event {
	if e.Joined != nil {
		return e.Joined
	}
	return e
}

func isPiece(e *render.Event) bool { return e.Header.Type == decoder.PartialRowDataType }

func isLastPiece(e *render.Event) bool {
	p, ok := e.Event.(*decoder.PartialRowData)
	return ok && e.Bad == nil && !e.Inside && p.Total > 0 && p.Seq == p.Total
}

// pieceRows is what an export does with a piece of a row event by itself: nothing when a piece behind it has the rows; else it
// returns why they are missing.
func pieceRows(e *render.Event) (missing string) {
	switch {
	case e.JoinBad != nil:
		return "a row event in pieces: " + e.JoinBad.Msg
	case e.Bad != nil || e.Event == nil || e.Inside || e.RowBad != nil && e.RowBad.Kind != wire.Checksum:
		return "a piece of a row event that cannot be put together"
	}
	return ""
}

const (
	pieceHead = 4 + 4 + 1 + 8 // bytes of a piece's body that may stand before its chunk
	maxPieces = 1 << 20       // of a row event: 1 GiB in pieces of 1 KiB, the smallest that a server makes
)

// assembly is a row event that is put together.
type assembly struct {
	s      *Session
	reader reader
	format *decoder.FormatDescription
	last   int64                  // ordinal of the last piece
	first  decoder.PartialRowData // what the first says; its chunk is cut off
	pieces []render.Piece
	size   int64
	raw    []byte
}

// assemble puts together the row event whose last piece e is. Pieces are looked for backwards, each when the one behind it was
// found to be right, and only then is there room made for them.
func (s *Session) assemble(e *render.Event, limit int64) (*assembly, *wire.Error) {
	a := &assembly{s: s, reader: reader{ra: s.ra, size: s.size}, format: e.Format, last: e.Ordinal}
	total := e.Event.(*decoder.PartialRowData).Total
	for seq := total; seq > 0; seq-- {
		if !a.find(total, seq) {
			return nil, &wire.Error{Offset: 4, Kind: wire.Corrupt, Path: "seq_no", Msg: "piece " + strconv.FormatUint(uint64(seq), 10) + " of " +
				strconv.FormatUint(uint64(total), 10) + " is not where it belongs: the row event cannot be put together"}
		}
		if a.size > limit || len(a.pieces) > maxPieces {
			return nil, &wire.Error{Kind: wire.Unsupported, Path: "chunk", Msg: "the row event in " + strconv.FormatUint(uint64(total), 10) + " pieces has more than " +
				strconv.FormatInt(limit, 10) + " bytes: not put together unless asked for, and never beyond 1 GiB"}
		}
	}
	slices.Reverse(a.pieces)
	if bad := a.read(); bad != nil {
		return nil, bad
	}
	return a, a.check()
}

// find looks for a piece where it should be; false when it is not there.
func (a *assembly) find(total, seq uint32) bool {
	ordinal := a.last - int64(total-seq)
	if ordinal < 0 {
		return false
	}
	row := a.s.Index().Row(ordinal)
	header := a.format.MinHeaderLen()
	n := row.Size - int64(header+a.format.ChecksumLen())
	if row.Kind != frame.Event || row.Cipher || row.Type != decoder.PartialRowDataType || row.Payload >= 0 || n < 0 {
		return false
	}
	head, err := a.reader.at(row.Off+int64(header), int(min(n, pieceHead)))
	if err != nil {
		return false
	}
	p, ok := decoder.ReadPiece(head)
	if !ok || p.Total != total || p.Seq != seq {
		return false
	}
	before := int64(len(head) - len(p.Chunk))
	a.pieces = append(a.pieces, render.Piece{Off: row.Off + int64(header) + before})
	a.size += n - before
	a.first = p
	return true
}

// read reads the chunks of the pieces, and sets where each begins.
func (a *assembly) read() *wire.Error {
	a.raw = make([]byte, a.size)
	at := int64(0)
	for i := range a.pieces {
		row := a.s.Index().Row(a.last - int64(len(a.pieces)-1-i))
		off := a.pieces[i].Off
		n := row.Off + row.Size - int64(a.format.ChecksumLen()) - off
		a.pieces[i].At = at
		if err := a.copy(a.raw[at:at+n], off); err != nil {
			return &wire.Error{Kind: wire.Truncated, Path: "chunk", Msg: "piece " + strconv.Itoa(i+1) + " cannot be read: " + err.Error()}
		}
		at += n
	}
	return nil
}

// copy reads bytes of the file, small ones through the block.
func (a *assembly) copy(dst []byte, off int64) error {
	if len(dst) > blockLen {
		return readFull(a.s.ra, dst, off)
	}
	b, err := a.reader.at(off, len(dst))
	copy(dst, b)
	return err
}

// check says why what the pieces make is no row event.
func (a *assembly) check() *wire.Error {
	fault := func(msg string) *wire.Error { return &wire.Error{Kind: wire.Corrupt, Path: "chunk", Msg: msg} }
	if len(a.raw) < a.format.MinHeaderLen() {
		return fault("the pieces have " + strconv.Itoa(len(a.raw)) + " bytes, less than an event's header")
	}
	var h decoder.Header
	a.format.ParseHeader(a.raw, &h)
	switch {
	case h.Type.RowOp() == decoder.NoRows:
		return fault("the pieces make a " + h.Type.String() + ", which has no rows")
	case !a.isSize(uint64(h.Size)):
		return fault("the row event in the pieces says that it has " + strconv.FormatUint(uint64(h.Size), 10) + " bytes, the pieces have " + strconv.Itoa(len(a.raw)))
	}
	return nil
}

// isSize says that a size told of the row event is that of its pieces, with or without a checksum of its own.
func (a *assembly) isSize(n uint64) bool {
	return n == uint64(len(a.raw)) || n == uint64(len(a.raw)+a.format.ChecksumLen())
}

// fault is what is wrong with the row event as a whole although it can be put together.
func (a *assembly) fault() *wire.Error {
	for i := a.last - int64(len(a.pieces)) + 1; i <= a.last; i++ {
		if bad := a.s.Index().ProblemOf(i); bad != nil && bad.Kind == wire.Checksum {
			return &wire.Error{Kind: wire.Checksum, Path: "chunk", Msg: "the checksum of one of its pieces does not match"}
		}
	}
	if a.first.HasSize && !a.isSize(a.first.OriginalSize) {
		return &wire.Error{Kind: wire.Corrupt, Path: "original_size", Msg: "the first piece says that the row event has " +
			strconv.FormatUint(a.first.OriginalSize, 10) + " bytes, the pieces have " + strconv.Itoa(len(a.raw))}
	}
	return nil
}

// joinedSum returns how many bytes at the end of a row event in pieces are its own checksum: those that are the right one, if
// its size counts them.
func joinedSum(f *decoder.FormatDescription, h decoder.Header, raw []byte) int {
	n := len(raw) - 4
	if f.ChecksumLen() == 4 && uint64(h.Size) == uint64(len(raw)) && n >= h.Len && binary.LittleEndian.Uint32(raw[n:]) == crc32.ChecksumIEEE(raw[:n]) {
		return 4
	}
	return 0
}

// decode decodes the row event in the place of its last piece.
func (a *assembly) decode(last *render.Event, record bool) *render.Event {
	e := &render.Event{Ordinal: last.Ordinal, Off: last.Off, Size: a.size, Kind: frame.Event, Raw: a.raw, Format: a.format, Group: last.Group,
		TableMap: -1, Plans: last.Plans, Pieces: a.pieces, RowBad: a.fault()}
	e.Format.ParseHeader(a.raw, &e.Header)
	if joinedSum(e.Format, e.Header, a.raw) > 0 {
		e.Sum = frame.SumOf(e.Format, e.Header, a.raw)
	}
	ctx := &decoder.Context{Format: e.Format}
	var bad *wire.Error
	if row := a.s.Index().Row(last.Ordinal); row.Table > 0 {
		bad = a.s.addTable(ctx, last.Ordinal, row, e)
	} else if len(a.pieces) > 1 && a.pieces[1].At < int64(e.Header.Len+8) {
		bad = &wire.Error{Kind: wire.Unsupported, Path: "table_id", Msg: "the first piece is too short to tell the table"}
	}
	var rec *wire.Recorder
	if record {
		rec = new(wire.Recorder)
	}
	e.Event, e.Bad = decoder.DecodeWhole(ctx, e.Header, a.raw, e.Sum.Len, rec)
	if e.Bad != nil && rec == nil { // the fields before the fault are those that were recorded
		rec = new(wire.Recorder)
		e.Event, e.Bad = decoder.DecodeWhole(ctx, e.Header, a.raw, e.Sum.Len, rec)
	}
	if rec != nil {
		e.Spans = rec.Spans
	}
	if e.Bad == nil {
		e.Bad = bad
	}
	return e
}
