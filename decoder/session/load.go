package session

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/index"
	"binlens/decoder/render"
	"binlens/decoder/wire"
	"errors"
	"io"
	"strconv"
)

// Bounds of how many bytes are read at once: rows are asked for in pages, which lie close together, or all in their order.
const (
	minBlock = 64 << 10
	maxBlock = 1 << 20
)

// reader reads ranges of the file through one block, which grows while it is read in order.
type reader struct {
	ra   io.ReaderAt
	size int64
	off  int64
	buf  []byte
	next int64 // length of the next block
}

// at returns n bytes at off, valid until the next call.
func (r *reader) at(off int64, n int) ([]byte, error) {
	if off >= r.off && off+int64(n) <= r.off+int64(len(r.buf)) {
		return r.buf[off-r.off:][:n:n], nil
	}
	if off < 0 || off+int64(n) > r.size {
		return nil, io.ErrUnexpectedEOF
	}
	r.next = max(minBlock, min(2*r.next, maxBlock))
	if off < r.off || off > r.off+int64(len(r.buf)) {
		r.next = minBlock
	}
	want := max(int64(n), min(r.next, r.size-off))
	if int64(cap(r.buf)) < want {
		r.buf = make([]byte, want)
	}
	r.buf = r.buf[:want]
	from := off
	if off < r.off { // whoever goes backwards wants what stands before it next
		from = max(off+int64(n)-want, 0)
	}
	got, err := r.ra.ReadAt(r.buf, from)
	r.off, r.buf = from, r.buf[:got]
	if got < int(off-from)+n {
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return r.buf[off-r.off:][:n:n], nil
}

// ErrNoRow says that a row is not in the index, or not yet.
var ErrNoRow = errors.New("there is no such row")

// load reads and decodes a row. The event's bytes and spans are valid until the next load. With all, an event larger than
// max_event_size is decoded too.
func (s *Session) load(ordinal int64, record, all bool) (*render.Event, error) {
	x := s.Index()
	if ordinal < 0 || ordinal >= x.Len() {
		return nil, ErrNoRow
	}
	row := x.Row(ordinal)
	e := &render.Event{Ordinal: ordinal, Off: row.Off, Size: row.Size, Kind: row.Kind, Group: row.Group, TableMap: -1,
		RowBad: x.ProblemOf(ordinal), Plans: &s.plans, Format: x.FormatBefore(ordinal)}
	if row.Payload >= 0 {
		e.Inside, e.Payload, e.PayloadOff = true, row.Payload, x.Row(row.Payload).Off
	}
	if row.Kind == frame.Gap || row.Kind == frame.Padding {
		return e, nil
	}
	if row.Cipher {
		return s.loadCipher(e)
	}
	ctx, bad := s.context(ordinal, row, e)
	limit := s.maxEvent
	if all {
		limit = MaxEventLimit
	}
	e.Large = row.Kind == frame.Event && row.Size > limit
	n := row.Size
	if e.Large || row.Kind == frame.Truncated {
		n = min(n, frame.HeadLen)
	}
	raw, err := s.rowBytes(row, 0, int(n))
	if err != nil {
		return nil, err
	}
	e.Raw = raw
	if len(raw) >= ctx.Format.MinHeaderLen() {
		ctx.Format.ParseHeader(raw, &e.Header)
	}
	if row.Kind != frame.Event {
		return e, nil
	}
	e.Wrapped = record && s.wrapped(e)
	if e.Large {
		s.describeLarge(e)
		return e, nil
	}
	e.Sum = frame.SumOf(ctx.Format, e.Header, raw)
	var rec *wire.Recorder
	if record {
		s.rec.Reset()
		rec = &s.rec
	}
	e.Event, e.Bad = decoder.DecodeWhole(ctx, e.Header, raw, e.Sum.Len, rec)
	if e.Bad != nil && rec == nil { // the fields before the fault are those that were recorded
		rec = new(wire.Recorder)
		e.Event, e.Bad = decoder.DecodeWhole(ctx, e.Header, raw, e.Sum.Len, rec)
	}
	if rec != nil {
		e.Spans = rec.Spans
	}
	if f, ok := e.Event.(*decoder.FormatDescription); ok && e.Bad == nil {
		e.Format = f
	}
	if e.Bad == nil {
		e.Bad = bad
	}
	return e, nil
}

// loadCipher is for an encrypted event: only its size stands in the clear.
func (s *Session) loadCipher(e *render.Event) (*render.Event, error) {
	raw, err := s.reader.at(e.Off, int(min(e.Size, frame.HeadLen)))
	if err != nil {
		return nil, err
	}
	e.Raw, e.Cipher = raw, true
	e.Header.Size, e.Header.Len = uint32(e.Size), e.Format.MinHeaderLen()
	e.Bad = &wire.Error{Kind: wire.Unsupported, Msg: "the event is encrypted: a START_ENCRYPTION_EVENT stands before it, and the key is needed to read it"}
	e.Spans = decoder.RecordCipher(int(e.Size))
	return e, nil
}

// wrapped says that next_position is so far below that of the row before that it passed 4 GiB between them, in the log that
// these events are a part of. Where it is the end of the event in this file nothing is asked, nor behind a change of logs.
func (s *Session) wrapped(e *render.Event) bool {
	h := &e.Header
	if e.Ordinal == 0 || e.Inside || h.NextPosition == uint32(e.Off+e.Size) || e.Format.BinlogVersion < 4 {
		return false
	}
	last := s.outside(s.Index().Row(e.Ordinal - 1))
	if last.Kind != frame.Event || last.Type == decoder.RotateType || last.Type == decoder.FormatDescriptionType {
		return false
	}
	raw := make([]byte, decoder.HeaderLen)
	if readFull(s.ra, raw, last.Off) != nil {
		return false
	}
	var before decoder.Header
	e.Format.ParseHeader(raw, &before)
	if h.NextPosition == 0 { // not set, but where it ends at 4 GiB exactly
		return before.NextPosition > 1<<31 && before.NextPosition+h.Size == 0
	}
	return before.NextPosition > h.NextPosition && before.NextPosition-h.NextPosition > 1<<31
}

// describeLarge says that an event is not decoded, and what is known of it all the same.
func (s *Session) describeLarge(e *render.Event) {
	e.Sum.Len = e.Format.ChecksumLen()
	if e.Sum.Len > 0 {
		if tail := make([]byte, 4); readFull(s.ra, tail, e.Off+e.Size-4) == nil {
			e.Sum.Stored = uint32(tail[0]) | uint32(tail[1])<<8 | uint32(tail[2])<<16 | uint32(tail[3])<<24
		}
		if e.Sum.Computed = e.Sum.Stored; e.RowBad != nil && e.RowBad.Kind == wire.Checksum {
			e.Sum.Computed = ^e.Sum.Stored // it was found not to match while indexing
		}
	}
	e.Bad = &wire.Error{Kind: wire.Unsupported, Msg: "an event of " + strconv.FormatInt(e.Size, 10) +
		" bytes is larger than max_event_size (" + strconv.FormatInt(s.maxEvent, 10) + "): not decoded unless asked for"}
}

func readFull(ra io.ReaderAt, p []byte, off int64) error {
	if n, err := ra.ReadAt(p, off); n < len(p) {
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	return nil
}

// context returns what the row is decoded with. A row event's table map is read before its own bytes.
func (s *Session) context(ordinal int64, row index.Row, e *render.Event) (*decoder.Context, *wire.Error) {
	ctx := &decoder.Context{Format: e.Format}
	if row.Type != decoder.FormatDescriptionType && row.Type != decoder.StartV3 {
		ctx.Format = s.formatOf(row)
		e.Format = ctx.Format
	}
	if row.Table == 0 || row.Type.RowOp() == decoder.NoRows {
		return ctx, nil
	}
	return ctx, s.addTable(ctx, ordinal, row, e)
}

// addTable adds the table map of a row event, with the names that hold for it.
func (s *Session) addTable(ctx *decoder.Context, ordinal int64, row index.Row, e *render.Event) *wire.Error {
	e.TableMap = s.Index().TableVersion(row.Table).Ordinal
	m, err := s.tableMap(row.Table)
	if err != nil {
		return &wire.Error{Kind: wire.Corrupt, Path: "table_id", Msg: "its table map cannot be read: " + err.Error()}
	}
	n := s.named(row.Table, m, ordinal)
	e.Names, e.Known, e.NamesBad = n.source, n.table, n.bad
	ctx.TableMap, ctx.AnyTableID = n.m, true
	return nil
}

// maxMaps bounds the decoded table maps that are kept.
const maxMaps = 4096

// tableMap returns a table version, decoded.
func (s *Session) tableMap(version uint32) (*decoder.TableMap, error) {
	if m, ok := s.maps[version]; ok {
		return m, nil
	}
	v := s.Index().TableVersion(version)
	row := s.Index().Row(v.Ordinal)
	f := s.formatOf(row)
	raw, err := s.copyRow(row, int(v.Size))
	if err != nil {
		return nil, err
	}
	var h decoder.Header
	f.ParseHeader(raw, &h)
	ev, bad := decoder.DecodeWhole(&decoder.Context{Format: f}, h, raw, f.ChecksumLen(), nil)
	m, ok := ev.(*decoder.TableMap)
	if bad != nil {
		return nil, bad
	}
	if !ok {
		return nil, io.ErrUnexpectedEOF
	}
	if len(s.maps) >= maxMaps {
		clear(s.maps)
		clear(s.names.maps)
	}
	s.maps[version] = m
	return m, nil
}
