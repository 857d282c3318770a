package frame

import (
	"binlens/decoder"
	"binlens/decoder/wire"
	"encoding/binary"
	"hash/crc32"
)

// stream is the state of an event too large to hold: its checksum is made as the bytes pass.
type stream struct {
	on    bool
	frame Frame
	left  int64 // bytes of the event not yet passed
	crc   uint32
	tail  [4]byte // the last bytes passed
}

// startStream begins with an event that is larger than the limit.
func (s *Scanner) startStream(fr *Frame, h decoder.Header) Status {
	if !s.positionFits(h, s.off) && (s.format.ChecksumLen() == 0 || s.hasDelta && !s.relay) && !s.headerAt(s.off+int64(h.Size)) {
		return s.startSearch(fr, h, "an event that claims "+utoa(h.Size)+" bytes, which neither its next_position nor what follows it confirms")
	}
	if s.sizeLies(h) {
		return s.startSearch(fr, h, sizeLie(h))
	}
	if !s.have(HeadLen) {
		if !s.last {
			return More
		}
		return s.startSearch(fr, h, "an event of which the file has only a part")
	}
	s.stream = stream{on: true, left: int64(h.Size), frame: Frame{Kind: Event, Off: s.off, Size: int64(h.Size), Header: h, Format: s.format}}
	s.stream.frame.Head = append([]byte(nil), s.buf[s.r:s.r+HeadLen]...)
	s.stream.frame.Sum.Len = s.checksumLen(h)
	return s.streamOn(fr)
}

func (s *Scanner) streamOn(fr *Frame) Status {
	st := &s.stream
	for st.left > 0 {
		if !s.have(1) {
			if !s.last {
				return More
			}
			return s.streamCut(fr)
		}
		p := s.buf[s.r:]
		p = p[:min(int64(len(p)), st.left)]
		st.add(p)
		s.skip(int64(len(p)))
	}
	st.on = false
	*fr = st.frame
	if fr.Cipher {
		return Got
	}
	fr.Sum.Stored, fr.Sum.Computed = binary.LittleEndian.Uint32(st.tail[:]), st.crc
	if !fr.Sum.OK() {
		fr.Bad = fr.Sum.problem(fr.Header)
		if s.off < s.size && !s.headerAt(s.off) { // the size lies: go back
			s.seek(fr.Off)
			return s.startSearch(fr, fr.Header, s.suspicion(fr.Header, fr.Sum))
		}
	}
	if fr.Header.NextPosition != 0 && s.format.Layout() >= 4 && fr.Sum.OK() {
		s.delta, s.hasDelta = fr.Header.NextPosition-uint32(s.off), true
	}
	return Got
}

// streamCut is for a file that ends inside an event that was all there when it began.
func (s *Scanner) streamCut(fr *Frame) Status {
	st := &s.stream
	st.on = false
	*fr = st.frame
	fr.Kind, fr.Sum, fr.Size = Truncated, Sum{}, s.off-st.frame.Off
	fr.Bad = &wire.Error{Kind: wire.Truncated, Offset: fr.Size, Msg: "the file ends inside the event, which claims " + utoa(fr.Header.Size) + " bytes"}
	return Got
}

// add takes bytes of the event: all but the last four go into the checksum.
func (st *stream) add(p []byte) {
	st.left -= int64(len(p))
	summed := p
	if cut := 4 - st.left; cut > 0 { // p reaches into the last four bytes
		k := max(int64(len(p))-cut, 0)
		summed = p[:k]
		copy(st.tail[4-st.left-int64(len(p)-int(k)):], p[k:])
	}
	st.crc = crc32.Update(st.crc, crc32.IEEETable, summed)
}
