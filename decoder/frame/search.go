package frame

import (
	"binlens/decoder"
	"binlens/decoder/wire"
	"encoding/binary"
	"hash/crc32"
	"strconv"
)

// search is the state of looking for the next event behind bytes that are none.
type search struct {
	on     bool
	from   int64          // first byte that is no event
	at     int64          // next place to try
	full   int64          // behind the last byte before at that is not zero
	sure   int64          // where the event in doubt ends, if only one with a right checksum may stand in it; else 0
	header decoder.Header // what stands at from
	why    string
}

// What costs more than a look at the bytes at hand is done only while this many times the bytes searched, and a floor, were
// not spent on it in the whole file: confirming a candidate by its checksum, and reading what was not fed yet, for which
// peekCost is counted. So a file made to hurt cannot make the search slow.
const (
	sumFactor = 4
	sumFloor  = 64 << 20
	peekCost  = 4 << 10
)

// StepBytes is how far one call of Next searches, or passes what it does not hold.
const StepBytes = 1 << 20

func (s *Scanner) startSearch(fr *Frame, h decoder.Header, why string) Status {
	if s.format.Assumed && !s.format.Start && !s.probed {
		why += "; " + noFormat
	}
	s.search = search{on: true, from: s.off, at: s.off, header: h, why: why}
	if s.barren && s.whole(fr) {
		s.search.on = false
		return Got
	}
	return s.searchOn(fr)
}

// searchInside looks for events in one whose checksum does not match although its end, sure, is the start of another or the
// end of the log: where bytes were lost or moved, it may be the end of another event.
func (s *Scanner) searchInside(fr *Frame, h decoder.Header, sure int64) Status {
	s.search = search{on: true, from: s.off, at: s.off, sure: sure, header: h,
		why: "the checksum does not match, and an event whose checksum does stands among the " + utoa(h.Size) + " bytes that the header claims"}
	return s.searchOn(fr)
}

// searchOn looks on for an event. The place where the search started is itself no candidate.
func (s *Scanner) searchOn(fr *Frame) Status {
	q := &s.search
	for limit := q.at + StepBytes; q.at < limit; {
		s.seek(q.at)
		if q.at-q.from >= maxGap {
			return s.found(fr, false)
		}
		if !s.have(s.format.MinHeaderLen()) {
			if !s.last {
				return More
			}
			return s.nothing(fr)
		}
		if q.at == q.sure {
			return s.found(fr, true)
		}
		most := min(limit-q.at, maxGap-(q.at-q.from))
		if q.sure > 0 {
			most = min(most, q.sure-q.at)
		}
		n := s.dull(int(most))
		if n == 0 {
			if at := q.at; at > q.from && s.candidate(at) {
				st := s.found(fr, true)
				s.learn(at)
				return st
			}
			if n = 1; s.buf[s.r] != 0 {
				q.full = q.at + 1
			}
		}
		q.at += int64(n)
		s.sums += sumFactor * int64(n)
	}
	return Busy
}

// dull returns for how many places from the front on, at most n, the size that a header there would have is impossible.
// Most of what is searched is passed here.
func (s *Scanner) dull(n int) int {
	b := s.buf[s.r:]
	least, left := uint32(s.format.MinHeaderLen()), s.size-s.off
	n = min(n, len(b)-int(least)+1)
	full := -1
	i := 0
	for ; i < n; i++ {
		if size := binary.LittleEndian.Uint32(b[i+9 : i+13]); size >= least && int64(size) <= left-int64(i) {
			break
		}
		if b[i] != 0 {
			full = i
		}
	}
	if full >= 0 {
		s.search.full = s.off + int64(full) + 1
	}
	return i
}

// found ends the search at an event, or at the largest gap.
func (s *Scanner) found(fr *Frame, event bool) Status {
	q := &s.search
	q.on = false
	at := q.at
	if event && q.full > q.from && q.from+int64(q.header.Size) <= at && s.whole(fr) {
		// The event found does not stand inside the one in doubt, which is listed with its problem.
		fr.Raw = append([]byte(nil), fr.Raw...)
		if s.off < at {
			s.pending = append(s.pending, s.gap(s.off, at, "no event follows the one before"))
			s.seek(at)
		}
		return Got
	}
	*fr = s.gap(q.from, q.at, q.why)
	return Got
}

// learn takes next_position of the event found at off for right: bytes may be missing before it, or too many.
func (s *Scanner) learn(off int64) {
	if h, ok := s.peek(off); ok && s.format.Layout() >= 4 && h.NextPosition != 0 {
		s.delta, s.hasDelta = h.NextPosition-uint32(off+int64(h.Size)), true
	}
}

// whole fills fr with the event in doubt, with whatever is wrong with it, and moves behind it. False when its header
// cannot be that of an event that the file has.
func (s *Scanner) whole(fr *Frame) bool {
	q := &s.search
	h := q.header
	if !s.believable(h, q.from) || int64(h.Size) > s.maxEvent || int(h.Size) < h.Len+s.checksumLen(h) {
		return false
	}
	at := s.off
	s.seek(q.from)
	if !s.haveAhead(int(h.Size)) {
		s.seek(at)
		return false
	}
	raw := s.buf[s.r : s.r+int(h.Size) : s.r+int(h.Size)]
	s.emit(fr, h, raw, s.sumOf(h, raw))
	s.skip(int64(h.Size))
	return true
}

// nothing ends the search at the end of the file.
func (s *Scanner) nothing(fr *Frame) Status {
	q := &s.search
	q.on, s.barren = false, true
	rest := s.buf[s.r:]
	end := s.off + int64(len(rest))
	if !allZero(rest) {
		q.full = end
	}
	zero := q.full <= q.from
	if !zero && s.whole(fr) {
		return Got
	}
	*fr = s.gap(q.from, end, q.why)
	if has := end - q.from; !zero && q.header.Type.Known() && int64(q.header.Size) > has {
		fr.Kind, fr.Header = Truncated, q.header
		fr.Bad = &wire.Error{Kind: wire.Truncated, Offset: has, Msg: q.header.Type.String() + " at " + strconv.FormatInt(q.from, 10) +
			" claims " + utoa(q.header.Size) + " bytes, the file has " + strconv.FormatInt(has, 10) + " of them"}
	}
	s.seek(end)
	return Got
}

// gap is the row of bytes that are no event; all of them lie in what was searched.
func (s *Scanner) gap(from, to int64, why string) Frame {
	f := Frame{Kind: Gap, Off: from, Size: to - from, Format: s.format}
	if s.search.full <= from {
		f.Kind = Padding
		return f
	}
	f.Bad = &wire.Error{Kind: wire.Corrupt, Msg: why}
	return f
}

// candidate says that an event starts at off, whose header is at the front of the buffer: it makes sense, and its
// next_position, the header behind it or its checksum says so too.
func (s *Scanner) candidate(off int64) bool {
	var h decoder.Header
	s.format.ParseHeader(s.buf[s.r:], &h)
	if !s.sized(h, off) {
		return false
	}
	if s.search.sure > 0 {
		return off+int64(h.Size) <= s.search.sure && s.sumRight(h)
	}
	end := off + int64(h.Size)
	switch border := s.search.from + int64(s.search.header.Size); {
	case off < border && border < off+int64(s.format.MinHeaderLen()) && !s.written(h):
		return s.sumRight(h) // else it is the end of the event in doubt, and the rest of a header behind it
	case off < border && s.search.header.Type == decoder.TransactionPayloadType && h.NextPosition == 0:
		return s.sumRight(h) // else it is an event inside the payload in doubt, which is not compressed: those have no checksums
	case h.Type == decoder.FormatDescriptionType && s.format.Layout() == 4:
		return s.sumRight(h) || h.Size < minMaxEvent && s.haveAhead(int(h.Size)) && startOfItsSize(h, s.buf[s.r:s.r+int(h.Size)])
	case h.Type == decoder.StartV3:
		return int(h.Size) == h.Len+startV3Len
	case s.positionFits(h, off), end == s.size && s.written(h) && s.format.ChecksumLen() == 0, end < s.size && s.follows(h, end):
		return true
	}
	return s.sumRight(h)
}

// knownFlags are the bits of the header's flags that a server writes.
const knownFlags = 0x03ff | decoder.FlagAcceptOwn | decoder.FlagSkipReplication

// sized looks at one header alone: its size and flags are possible. It is called for every byte of damage, and must be
// cheap and refuse most.
func (s *Scanner) sized(h decoder.Header, off int64) bool {
	if h.Code == 0 || s.startsAnew(h) || int(h.Size) < s.format.MinHeaderLen()+s.checksumLen(h) || int64(h.Size) > s.size-off || h.Flags&^knownFlags != 0 {
		return false
	}
	return h.Size <= DefaultMaxEvent || s.positionFits(h, off)
}

// written says that the server of this log writes events of the type to files.
func (s *Scanner) written(h decoder.Header) bool {
	switch h.Type {
	case decoder.HeartbeatType, decoder.HeartbeatV2Type:
		return false
	case decoder.SlaveType, decoder.LoadType, decoder.CreateFileType, decoder.ExecLoadType, decoder.NewLoadType, decoder.StartV3:
		return s.format.Layout() < 4
	}
	return h.Type.Known() && s.format.HasPostHeaderLen(h.Type)
}

// follows says that the header at end makes sense, and that it agrees with h before it: the positions differ by its
// size. Where positions are zero, or do not exist (versions 1 and 3), and there are no checksums either, both must be of a
// type that is written, and a third header after them too.
func (s *Scanner) follows(h decoder.Header, end int64) bool {
	next, ok := s.peek(end)
	if !ok || !s.sized(next, end) {
		return false
	}
	if s.format.Layout() >= 4 && h.NextPosition != 0 && next.NextPosition != 0 {
		return next.NextPosition-h.NextPosition == next.Size
	}
	return s.format.ChecksumLen() == 0 && s.written(h) && s.written(next) && s.headerAt(end+int64(next.Size))
}

// agrees says that next_position of the header at end, behind h, fits there, or behind that of h, or that both have none.
func (s *Scanner) agrees(h decoder.Header, end int64) bool {
	next, ok := s.peek(end)
	return ok && (h.NextPosition|next.NextPosition == 0 || next.NextPosition-h.NextPosition == next.Size || s.positionFits(next, end))
}

// headerAt says that a header that makes sense stands at off, or that the file ends there.
func (s *Scanner) headerAt(off int64) bool {
	if off == s.size {
		return true
	}
	h, ok := s.peek(off)
	return ok && s.sized(h, off) && (s.written(h) || s.positionFits(h, off))
}

// sizeLies says that an event in doubt is shorter than it claims: its next_position lies inside of it, and there a header
// makes sense whose own next_position fits.
func (s *Scanner) sizeLies(h decoder.Header) bool {
	if s.format.Layout() < 4 || h.NextPosition == 0 || s.sums < 0 {
		return false
	}
	end := s.off + int64(h.Size)
	at := end - int64(uint32(end)+s.delta-h.NextPosition)
	if at < s.off+int64(h.Len) || at >= end {
		return false
	}
	next, ok := s.peek(at)
	return ok && s.sized(next, at) && s.positionFits(next, at)
}

func sizeLie(h decoder.Header) string {
	return "the event claims " + utoa(h.Size) + " bytes, but the next one stands where its next_position says"
}

// peek reads the header at off, wherever that is.
func (s *Scanner) peek(off int64) (h decoder.Header, ok bool) {
	n := s.format.MinHeaderLen()
	var b [decoder.HeaderLen]byte
	if i := off - s.off + int64(s.r); i >= 0 && i+int64(n) <= int64(len(s.buf)) {
		copy(b[:n], s.buf[i:])
	} else {
		if s.sums -= peekCost; s.sums < 0 {
			return h, false
		}
		if got, _ := s.ra.ReadAt(b[:n], off); got < n {
			return h, false
		}
	}
	s.format.ParseHeader(b[:], &h)
	return h, true
}

// sumRight says that the event at the front has a right checksum, as far as checksums may still be made.
func (s *Scanner) sumRight(h decoder.Header) bool {
	if h.Type != decoder.FormatDescriptionType && s.format.ChecksumLen() == 0 || int64(h.Size) > min(s.sums, s.maxEvent) {
		return false
	}
	if !s.haveAhead(int(h.Size)) {
		return false
	}
	s.sums -= int64(h.Size)
	raw := s.buf[s.r : s.r+int(h.Size)]
	sum := s.sumOf(h, raw)
	return sum.Len > 0 && sum.OK() && crc32.Size == sum.Len
}

// haveAhead is have, also for bytes that were not fed yet.
func (s *Scanner) haveAhead(n int) bool {
	if s.have(n) {
		return true
	}
	if s.off+int64(n) > s.size {
		return false
	}
	held := len(s.buf) - s.r
	rest := make([]byte, n-held)
	if got, _ := s.ra.ReadAt(rest, s.off+int64(held)); got < len(rest) {
		return false
	}
	s.buf, s.r = append(s.buf[s.r:s.r+held:s.r+held], rest...), 0
	return true
}
