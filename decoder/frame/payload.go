package frame

import (
	"binlens/decoder"
	"binlens/decoder/wire"
	"errors"
	"io"
	"math"
	"strconv"
)

// Payload cuts what a TRANSACTION_PAYLOAD_EVENT holds into frames. Their offsets count decompressed bytes, all of which
// belong to exactly one frame. It keeps no more of the decompressed bytes than one event of up to holdInside.
type Payload struct {
	r      io.Reader
	format *decoder.FormatDescription // without checksums
	claims int64                      // decompressed size that the event says; -1 when it does not
	off    int64
	buf    []byte
	skip   int64       // bytes of the last event still to be passed
	tail   *wire.Error // why all that is left is one row, while it is passed
	size   int64       // of that row, so far
	header decoder.Header
	bad    *wire.Error
	done   bool
}

// holdInside is up to how many bytes of one event inside a payload are held, to tell its table or its statement.
const holdInside = 1 << 20

// NewPayload cuts the payload of p, whose bytes must not change meanwhile. format is that of the events inside.
func NewPayload(p *decoder.TransactionPayload, format *decoder.FormatDescription) *Payload {
	r, bad := p.Reader()
	s := &Payload{r: r, format: format, claims: -1, bad: bad, done: bad != nil}
	if p.HasUncompressedSize {
		s.claims = int64(min(p.UncompressedSize, math.MaxInt64))
	}
	return s
}

// Err returns why the payload could not be read to its end, or what contradicts its size; nil before it is Done.
func (s *Payload) Err() *wire.Error { return s.bad }

// Next fills fr with the next frame: Got, Busy while it passes a long event, or Done.
func (s *Payload) Next(fr *Frame) Status {
	switch {
	case s.skip > 0:
		return s.pass()
	case s.tail != nil:
		return s.passTail(fr)
	case s.done:
		return Done
	}
	s.buf = s.buf[:0]
	n := s.read(decoder.HeaderLen)
	if n == 0 {
		return s.end()
	}
	var h decoder.Header
	if n < decoder.HeaderLen {
		return s.rest(fr, h, strconv.Itoa(n)+" bytes are left in the payload: no event header fits")
	}
	s.format.ParseHeader(s.buf, &h)
	if int(h.Size) < h.Len || h.Size > decoder.MaxPayload {
		return s.rest(fr, h, "an event inside the payload claims "+utoa(h.Size)+" bytes")
	}
	hold := min(int(h.Size), holdInside)
	n += s.read(hold - n)
	if n < hold {
		return s.rest(fr, h, h.Type.String()+" inside the payload claims "+utoa(h.Size)+" bytes, the payload has "+strconv.Itoa(n)+" of them")
	}
	*fr = Frame{Kind: Event, Off: s.off, Size: int64(h.Size), Header: h, Format: s.format, Raw: s.buf}
	if hold < int(h.Size) {
		fr.Raw, fr.Head = nil, s.buf[:HeadLen]
	}
	s.off += int64(h.Size)
	s.skip = int64(h.Size) - int64(hold)
	return Got
}

// read appends n bytes to what buf holds of the event at off, or as many as there are. It returns how many were read.
func (s *Payload) read(n int) int {
	at := len(s.buf)
	if cap(s.buf) < at+n {
		s.buf = append(make([]byte, 0, at+n), s.buf...)
	}
	s.buf = s.buf[:at+n]
	got, err := io.ReadFull(s.r, s.buf[at:])
	s.buf = s.buf[:at+got]
	s.note(err)
	return got
}

func (s *Payload) note(err error) {
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return
	}
	bad, ok := errors.AsType[*wire.Error](err)
	if s.bad = bad; !ok {
		s.bad = &wire.Error{Kind: wire.Corrupt, Path: "payload", Msg: err.Error(), Err: err}
	}
}

// pass skips the rest of a long event, some of it at a time.
func (s *Payload) pass() Status {
	want := min(s.skip, StepBytes)
	got, err := io.CopyN(io.Discard, s.r, want)
	s.note(err)
	if s.skip -= got; got < want {
		s.skip, s.done = 0, true
		if s.bad == nil {
			s.bad = &wire.Error{Kind: wire.Truncated, Path: "payload", Msg: "the payload ends inside its last event"}
		}
	}
	return Busy
}

// rest begins one frame of all that is left, which is no event.
func (s *Payload) rest(fr *Frame, h decoder.Header, why string) Status {
	s.tail, s.size, s.header = &wire.Error{Kind: wire.Truncated, Msg: why}, int64(len(s.buf)), h
	return s.passTail(fr)
}

// Stop says that the events left are not to be listed, for the reason given: what they take is one more frame.
func (s *Payload) Stop(why string) {
	if s.tail == nil && !s.done {
		s.tail, s.size, s.header = &wire.Error{Kind: wire.Unsupported, Msg: why}, 0, decoder.Header{}
	}
}

// passTail reads what is left, some of it at a time.
func (s *Payload) passTail(fr *Frame) Status {
	got, err := io.CopyN(io.Discard, s.r, StepBytes)
	s.note(err)
	s.size += got
	if got == StepBytes {
		return Busy
	}
	bad := s.tail
	s.tail = nil
	*fr = Frame{Kind: Truncated, Off: s.off, Size: s.size, Header: s.header, Format: s.format, Bad: bad}
	if bad.Kind == wire.Unsupported {
		fr.Kind = Gap
	}
	s.off += s.size
	s.end()
	if s.size == 0 {
		return Done
	}
	return Got
}

// end compares what came out with the size that the event says.
func (s *Payload) end() Status {
	s.done = true
	if s.bad == nil && s.claims >= 0 && s.claims != s.off {
		s.bad = &wire.Error{Kind: wire.Corrupt, Path: "uncompressed_size", Msg: "the payload holds " + strconv.FormatInt(s.off, 10) +
			" bytes, not " + strconv.FormatInt(s.claims, 10) + " as the event says"}
	}
	return Done
}
