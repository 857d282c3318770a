package session

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/index"
	"binlens/decoder/wire"
	"errors"
	"io"
	"slices"
)

// inside is a transaction payload that is being indexed.
type inside struct {
	payload int64 // ordinal
	frames  *frame.Payload
	spans   []wire.Span // of the payload's event
}

// at returns where a fault of the payload stands in its event: in the payload, or in the field that it contradicts.
func (in *inside) at(bad *wire.Error) int64 {
	for _, s := range in.spans {
		if s.Path == bad.Path {
			return int64(s.Start) + bad.Offset // which is 0 where another field is to blame
		}
	}
	return 0
}

// enter begins with what a TRANSACTION_PAYLOAD_EVENT that was just added holds.
func (s *Session) enter(fr *frame.Frame) {
	if fr.Kind != frame.Event || fr.Header.Type != decoder.TransactionPayloadType || fr.Raw == nil {
		return
	}
	body := slices.Clone(fr.Raw[fr.Header.Len : len(fr.Raw)-fr.Sum.Len])
	var rec wire.Recorder
	ev, bad := decoder.Inspect(&decoder.Context{Format: fr.Format}, fr.Header, body, &rec)
	p, ok := ev.(*decoder.TransactionPayload)
	if bad != nil || !ok {
		return // its own row says what is wrong
	}
	s.inside = &inside{payload: s.Index().Len() - 1, frames: frame.NewPayload(p, s.formatInside(fr.Format)), spans: rec.Spans}
}

// Events inside payloads are listed up to this many, and more in larger files: a file made to hurt packs 50 million of them
// into a few kilobytes. It is a variable for tests.
var insideFloor int64 = 1 << 24

// insideShare is the number of bytes of the file for which one more event is listed.
const insideShare = 32

func (s *Session) maxInside() int64 { return insideFloor + s.size/insideShare }

// stepInside indexes one event of the payload.
func (s *Session) stepInside() {
	in := s.inside
	switch in.frames.Next(&s.frame) {
	case frame.Got:
		s.builder.AddInside(in.payload, &s.frame)
		if s.insideRows++; s.insideRows >= s.maxInside() {
			in.frames.Stop("the payloads of this log hold more events than are listed: these bytes of the payload are more of them")
		}
	case frame.Done:
		if bad := in.frames.Err(); bad != nil {
			b := *bad
			b.Offset = in.at(bad)
			s.builder.Blame(in.payload, &b)
		}
		s.inside = nil
	}
}

// formatInside returns the format of events inside a payload, the same for the same format around it.
func (s *Session) formatInside(f *decoder.FormatDescription) *decoder.FormatDescription {
	if s.insideOf != f {
		s.insideOf, s.insideFormat = f, f.Inside()
	}
	return s.insideFormat
}

// spaceReader reads ranges of decompressed payloads: through a stream that goes on where it stands, or starts anew.
type spaceReader struct {
	payload int64 // ordinal; the stream is that of its payload
	r       io.Reader
	pos     int64 // of the stream, in decompressed bytes
	off     int64 // of buf
	buf     []byte
}

// spaceBlock is how many decompressed bytes are kept at once.
const spaceBlock = 1 << 20

// backBlock is how many are kept going backwards: for each block the payload is decompressed from its start.
const backBlock = 8 << 20

// insideBytes returns n decompressed bytes at off of the payload at row payload, valid until the next call.
func (s *Session) insideBytes(payload, off int64, n int) ([]byte, error) {
	sp := &s.space
	from := off
	if sp.r == nil || sp.payload != payload || off < sp.off {
		if sp.payload == payload && sp.r != nil { // whoever goes backwards wants what stands before it next
			from = max(off+int64(n)-backBlock, 0)
		}
		if err := s.openSpace(payload); err != nil {
			return nil, err
		}
	}
	if end := sp.off + int64(len(sp.buf)); off >= sp.off && off+int64(n) <= end {
		return sp.buf[off-sp.off:][:n:n], nil
	}
	if err := sp.move(from, n+int(off-from)); err != nil {
		sp.r = nil // its place is lost
		return nil, err
	}
	return sp.buf[off-sp.off:][:n:n], nil
}

// openSpace starts reading a payload from its first byte.
func (s *Session) openSpace(payload int64) error {
	row := s.Index().Row(payload)
	raw := make([]byte, row.Size)
	if err := readFull(s.ra, raw, row.Off); err != nil {
		return err
	}
	f := s.Index().Format(payload)
	var h decoder.Header
	f.ParseHeader(raw, &h)
	ev, bad := decoder.DecodeWhole(&decoder.Context{Format: f}, h, raw, f.ChecksumLen(), nil)
	p, ok := ev.(*decoder.TransactionPayload)
	if bad == nil && !ok {
		return ErrNoRow
	}
	if bad != nil {
		return bad
	}
	r, bad := p.Reader()
	if bad != nil {
		return bad
	}
	s.space = spaceReader{payload: payload, r: r, buf: s.space.buf[:0]}
	return nil
}

// move makes buf start at off and hold at least n bytes. off is not before buf.
func (sp *spaceReader) move(off int64, n int) error {
	if have := sp.off + int64(len(sp.buf)); off < have { // keep what is there of it
		sp.buf = sp.buf[:copy(sp.buf, sp.buf[off-sp.off:])]
	} else {
		sp.buf = sp.buf[:0]
		skipped, err := io.CopyN(io.Discard, sp.r, off-sp.pos)
		if sp.pos += skipped; err != nil {
			return insideError(err)
		}
	}
	sp.off = off
	at, want := len(sp.buf), max(n, spaceBlock)
	sp.buf = slices.Grow(sp.buf, want-at)[:want]
	got, err := io.ReadFull(sp.r, sp.buf[at:])
	sp.pos += int64(got)
	if sp.buf = sp.buf[:at+got]; len(sp.buf) < n {
		return insideError(err)
	}
	return nil
}

func insideError(err error) error {
	if bad, ok := errors.AsType[*wire.Error](err); ok {
		return bad
	}
	return io.ErrUnexpectedEOF
}

// rowBytes returns n bytes of a row from its byte from on, wherever it is.
func (s *Session) rowBytes(row index.Row, from int64, n int) ([]byte, error) {
	if row.Payload >= 0 {
		return s.insideBytes(row.Payload, row.Off+from, n)
	}
	return s.reader.at(row.Off+from, n)
}

// copyRow returns the first n bytes of a row, to keep.
func (s *Session) copyRow(row index.Row, n int) ([]byte, error) {
	if row.Payload >= 0 {
		b, err := s.insideBytes(row.Payload, row.Off, n)
		return slices.Clone(b), err
	}
	raw := make([]byte, n)
	return raw, readFull(s.ra, raw, row.Off)
}

// outside returns the row of the file that a row is in: its own, or that of the payload.
func (s *Session) outside(row index.Row) index.Row {
	if row.Payload >= 0 {
		return s.Index().Row(row.Payload)
	}
	return row
}

// formatOf returns the format that a row is read with, unless it is a format description.
func (s *Session) formatOf(row index.Row) *decoder.FormatDescription {
	if row.Payload >= 0 {
		return s.formatInside(s.Index().Format(row.Payload))
	}
	return s.Index().Format(row.Ordinal)
}
