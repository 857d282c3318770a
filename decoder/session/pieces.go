package session

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/index"
	"binlens/decoder/render"
	"binlens/decoder/wire"
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
	if large := s.join(e, limit); large != nil {
		e.JoinBad, e.JoinLarge = large, !all
	}
	return e, nil
}

// join puts together the row event whose last piece e is; the index gives a table only to pieces that follow each other, and of
// which the first begins a row event. It returns an error when the pieces take more than limit bytes.
func (s *Session) join(e *render.Event, limit int64) (large *wire.Error) {
	p, row := e.Event.(*decoder.PartialRowData), s.Index().Row(e.Ordinal)
	first := e.Ordinal - int64(p.Total) + 1
	if row.Table == 0 || first < 0 {
		e.JoinBad = &wire.Error{Kind: wire.Corrupt, Path: "chunk", Msg: "the pieces make no row event, or none whose table is known"}
		return nil
	}
	from := s.Index().Row(first).Off
	size := row.Off + row.Size - from
	if size > limit {
		return &wire.Error{Kind: wire.Unsupported, Path: "chunk", Msg: "the pieces of the row event have " + strconv.FormatInt(size, 10) +
			" bytes, more than " + strconv.FormatInt(limit, 10) + ": not put together unless asked for, and never beyond 1 GiB"}
	}
	raw := make([]byte, size)
	if err := readFull(s.ra, raw, from); err != nil {
		e.JoinBad = &wire.Error{Kind: wire.Truncated, Path: "chunk", Msg: "the pieces cannot be read: " + err.Error()}
		return nil
	}
	j := &render.Event{Ordinal: e.Ordinal, Off: e.Off, Kind: frame.Event, Format: e.Format, Group: e.Group, TableMap: -1, Plans: e.Plans}
	told := s.unite(j, first, from, raw)
	if e.Format.ParseHeader(j.Raw, &j.Header); !isSizeOf(j, uint64(j.Header.Size)) {
		e.JoinBad = wrongSize("chunk", "the row event in the pieces", uint64(j.Header.Size), j.Size)
		return nil
	}
	if j.RowBad == nil && told.HasSize && !isSizeOf(j, told.OriginalSize) {
		j.RowBad = wrongSize("original_size", "the first piece", told.OriginalSize, j.Size)
	}
	s.decodeJoined(j, row)
	e.Joined = j
	return nil
}

// unite moves the chunks of the pieces in raw together, and returns what the first says beside its chunk.
func (s *Session) unite(j *render.Event, first, from int64, raw []byte) (told decoder.PartialRowData) {
	n := 0
	for i := first; i <= j.Ordinal; i++ {
		row := s.Index().Row(i)
		end := int(row.Off+row.Size-from) - j.Format.ChecksumLen()
		p, _ := decoder.ReadPiece(raw[int(row.Off-from)+j.Format.MinHeaderLen() : end])
		if i == first {
			told = p
		}
		j.Pieces = append(j.Pieces, render.Piece{At: int64(n), Off: from + int64(end-len(p.Chunk))})
		n += copy(raw[n:], p.Chunk)
		if bad := s.Index().ProblemOf(i); bad != nil { // of the checksum
			j.RowBad = &wire.Error{Kind: bad.Kind, Path: "chunk", Msg: "the checksum of one of its pieces does not match"}
		}
	}
	j.Raw, j.Size = raw[:n], int64(n)
	return told
}

// isSizeOf says that a size told of a row event is that of its pieces, with or without a checksum of its own.
func isSizeOf(j *render.Event, n uint64) bool {
	return n == uint64(j.Size) || n == uint64(j.Size)+uint64(j.Format.ChecksumLen())
}

func wrongSize(path, who string, said uint64, n int64) *wire.Error {
	return &wire.Error{Kind: wire.Corrupt, Path: path, Msg: who + " says that it has " + strconv.FormatUint(said, 10) + " bytes, the pieces have " + strconv.FormatInt(n, 10)}
}

// decodeJoined decodes a row event that was put together. Its last bytes are a checksum when its size counts one and they are the
// right one.
func (s *Session) decodeJoined(j *render.Event, row index.Row) {
	if j.Format.ChecksumLen() > 0 && int64(j.Header.Size) == j.Size {
		if sum := frame.SumOf(j.Format, j.Header, j.Raw); sum.OK() {
			j.Sum = sum
		}
	}
	ctx := &decoder.Context{Format: j.Format}
	bad := s.addTable(ctx, row.Ordinal, row, j)
	var rec wire.Recorder
	j.Event, j.Bad = decoder.DecodeWhole(ctx, j.Header, j.Raw, j.Sum.Len, &rec)
	if j.Spans = rec.Spans; j.Bad == nil {
		j.Bad = bad
	}
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
	return ok && e.Bad == nil && !e.Inside && p.Total > 0 && p.Seq == p.Total && (e.RowBad == nil || e.RowBad.Kind == wire.Checksum)
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
