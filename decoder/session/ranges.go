package session

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/index"
	"bytes"
	"encoding/binary"
	"errors"
)

// A file may be indexed by several at once: ranges of it are scanned elsewhere, by a Range each, which looks for the first
// place where an event starts and goes on as long as nothing is out of the ordinary. The Session takes over what they found
// where its own scanner arrives at one of their events, in the same state: then it would have found the same. Everything
// else it scans itself. So the index is the same, byte for byte, however the file was cut and whatever was taken over.

// Range scans a part of a file. It is fed the bytes from the start of the part on.
type Range struct {
	scanner *frame.Scanner
	format  *decoder.FormatDescription
	inside  *decoder.FormatDescription // of events inside payloads
	packer  index.Packer
	packed  []byte
	to      int64
	events  int   // of all payloads
	bytes   int64 // decompressed, of all payloads
	found   bool  // the scanner stands at an event
	done    bool
}

// NewRange scans the events that start in the part [from, to) of the file, as far as they are plain. mark is that of the
// session that will take them over.
func NewRange(mark []byte, from, to int64) (*Range, error) {
	m, err := parseMark(mark)
	if err != nil {
		return nil, err
	}
	return &Range{scanner: frame.NewRangeScanner(m, from), format: m.Format, inside: m.Format.Inside(), to: to}, nil
}

// Feed takes the next bytes of the file and returns the packed entries of the events that are whole with them, valid until
// the next call, and the offset of the first of them. Those of the next call go on where these end.
func (r *Range) Feed(p []byte) (from int64, packed []byte) {
	r.scanner.Feed(p)
	return r.step()
}

// Room returns space for the next n bytes, or nil: then they are to be fed. Filled does the rest of Feed.
func (r *Range) Room(n int) []byte { return r.scanner.Room(n) }

// Filled does what Feed does with the n bytes that are in the space of Room.
func (r *Range) Filled(n int) (from int64, packed []byte) {
	r.scanner.Filled(n)
	return r.step()
}

func (r *Range) step() (from int64, packed []byte) {
	r.packed = r.packed[:0]
	if !r.found {
		r.found = r.scanner.Find()
	}
	from = r.scanner.Pos()
	if !r.found {
		r.done = from >= r.to
		return from, nil
	}
	for r.scanner.Pos() < r.to {
		at, packed := r.scanner.Pos(), len(r.packed)
		run := r.scanner.Run(stepRun)
		if run == nil {
			r.done = r.scanner.Stuck()
			return from, r.packed
		}
		r.packed = r.packer.Append(r.packed, run, r.format)
		if decoder.Type(run[4]) == decoder.TransactionPayloadType && !r.enter(run) {
			r.packed = r.packed[:packed]
			r.scanner.Jump(at)
			break
		}
	}
	r.done = true
	return from, r.packed
}

// Bounds of what a range looks into inside payloads, all of them together: however well a payload is compressed, what comes
// of a range takes bounded memory and time. What is beyond is for the session, which does it bit by bit.
const (
	maxRangeInside = 1 << 19 // events; packed they are about 20 MB
	maxRangeBytes  = 512 << 20
)

// enter packs what is inside a payload; false when anything about it is out of the ordinary.
func (r *Range) enter(raw []byte) bool {
	var h decoder.Header
	r.format.ParseHeader(raw, &h)
	ev, bad := decoder.Inspect(&decoder.Context{Format: r.format}, h, raw[h.Len:len(raw)-r.format.ChecksumLen()], nil)
	p, ok := ev.(*decoder.TransactionPayload)
	if bad != nil || !ok {
		return false
	}
	var fr frame.Frame
	frames := frame.NewPayload(p, r.inside)
	for r.events < maxRangeInside && r.bytes < maxRangeBytes {
		switch frames.Next(&fr) {
		case frame.Got:
			if fr.Kind != frame.Event || fr.Bad != nil {
				return false
			}
			r.packed = r.packer.AppendInside(r.packed, &fr)
			r.events++
			r.bytes += int64(len(fr.Raw))
		case frame.Busy:
			r.bytes += frame.StepBytes
		case frame.Done:
			return frames.Err() == nil
		}
	}
	return false
}

// Pos returns the offset up to which the range is scanned.
func (r *Range) Pos() int64 { return r.scanner.Pos() }

// Done says that nothing more comes of the range: it is at its end, or at something out of the ordinary.
func (r *Range) Done() bool { return r.done }

// Merge takes over packed entries of a Range, as far as they go on from where indexing stands: mark is what the Range was
// made with, from the offset of the first entry. It returns false, and has done nothing, when the event there is not among
// them, or the state is another.
func (s *Session) Merge(mark []byte, from int64, packed []byte) bool {
	pos := s.scanner.Pos()
	if pos < from || s.inside != nil || len(mark) == 0 || !bytes.Equal(mark, s.Mark()) {
		return false
	}
	packed, ok := index.PackedFrom(packed, from, pos)
	inside := index.PackedInside(packed)
	if inside > 0 && s.insideRows+inside >= s.maxInside() {
		return false
	}
	if ok {
		s.insideRows += inside
		s.scanner.Jump(s.builder.AddPacked(packed, pos, s.scanner.Format()))
		s.countIndexed()
	}
	return ok
}

// Fed returns the offset of the byte to be fed next.
func (s *Session) Fed() int64 {
	if s.skip > 0 {
		return s.start.Off - s.skip
	}
	return s.scanner.Fed()
}

// markHead is the length of a mark up to the post-header lengths:
//
//	u64 size of the file | u64 max_event_size | u32 delta | u8 common_header_len | u8 length of checksums
const markHead = 8 + 8 + 4 + 1 + 1

// Mark returns the state that what is found in a Range depends on; nil when no Range can be taken over here.
func (s *Session) Mark() []byte {
	m, ok := s.scanner.Mark()
	if !ok {
		return nil
	}
	b := make([]byte, markHead, markHead+len(m.Format.PostHeaderLengths))
	binary.LittleEndian.PutUint64(b, uint64(m.Size))
	binary.LittleEndian.PutUint64(b[8:], uint64(m.MaxEvent))
	binary.LittleEndian.PutUint32(b[16:], m.Delta)
	b[20], b[21] = m.Format.CommonHeaderLen, uint8(m.Format.ChecksumLen())
	return append(b, m.Format.PostHeaderLengths...)
}

var errMark = errors.New("this is not the mark of a session")

// parseMark makes the format that is as good as the session's for plain events.
func parseMark(b []byte) (frame.Mark, error) {
	if len(b) < markHead {
		return frame.Mark{}, errMark
	}
	f := &decoder.FormatDescription{BinlogVersion: 4, CommonHeaderLen: b[20], PostHeaderLengths: bytes.Clone(b[markHead:])}
	if b[21] > 0 {
		f.ChecksumAware, f.ChecksumAlgorithm = true, decoder.ChecksumCRC32
	}
	return frame.Mark{Format: f, Delta: binary.LittleEndian.Uint32(b[16:]), Size: int64(binary.LittleEndian.Uint64(b)),
		MaxEvent: int64(binary.LittleEndian.Uint64(b[8:]))}, nil
}
