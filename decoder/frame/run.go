package frame

import (
	"binlens/decoder"
	"encoding/binary"
)

// plainTypes are the types of events that change nothing for those after them, whatever they say.
var plainTypes = func() (t [256]bool) {
	for code := range t {
		t[code] = decoder.Type(code).Known()
	}
	for _, not := range []decoder.Type{decoder.StartV3, decoder.FormatDescriptionType, decoder.RotateType,
		decoder.StartEncryptionType, decoder.TransactionPayloadType} {
		t[not] = false
	}
	return t
}()

// plainFlags are the flags that a plain event may have.
const plainFlags = knownFlags &^ (decoder.FlagArtificial | decoder.FlagRelayLog)

// Run consumes the next events as long as nothing about them is out of the ordinary, at most n of them, and returns their
// bytes, valid until the next call; the offset of the first is Pos before it. Of each the type is known, next_position is
// right, and the checksum too, or in a log without checksums the header of the event behind it. Next would return the same
// events, without a problem, and be in the same state behind them. It returns nothing when the next row is not like that, or
// was not fed whole: then it is for Next.
func (s *Scanner) Run(n int) []byte {
	if !s.plain() {
		return nil
	}
	b := s.buf[s.r:]
	at, _ := s.runLen(b, n, true)
	if at == 0 {
		return nil
	}
	s.r += at
	s.off += int64(at)
	s.summed += int64(at)
	return b[:at:at]
}

// plain says that the scanner is in the state that a run of plain events starts and ends with.
func (s *Scanner) plain() bool {
	return !s.search.on && !s.stream.on && !s.cipher && s.hasDelta && s.assumed == "" && len(s.pending) == 0 && plainFormat(s.format)
}

// plainFormat says that plain events can be told under f by the bytes at their fixed places.
func plainFormat(f *decoder.FormatDescription) bool {
	return !f.Assumed && f.Layout() == 4 && f.CommonHeaderLen >= decoder.HeaderLen && f.Canonical(renumbered) == decoder.XidType
}

// renumbered is a code that means another type in a renumbered tree.
const renumbered = uint8(decoder.XidType)

// isPayload says that a code is that of a payload, which a scanner of ranges takes as it takes a plain event.
func (s *Scanner) isPayload(code uint8) bool {
	return s.payloads && decoder.Type(code) == decoder.TransactionPayloadType
}

// runLen returns how many bytes at the front of b are plain events, at most n of them, and how many there are. With alone, a
// payload is a run of its own.
func (s *Scanner) runLen(b []byte, n int, alone bool) (at, events int) {
	position := uint32(s.off) + s.delta
	sum := s.format.ChecksumLen()
	least := uint32(int(s.format.CommonHeaderLen) + sum)
	for ; events < n && len(b)-at >= decoder.HeaderLen; events++ {
		e := b[at:]
		size, next := binary.LittleEndian.Uint32(e[9:]), binary.LittleEndian.Uint32(e[13:])
		position += size
		if size < least || int64(size) > int64(len(e)) || int64(size) > s.maxEvent || next != position || next == 0 ||
			binary.LittleEndian.Uint16(e[17:])&^plainFlags != 0 {
			break
		}
		if !plainTypes[e[4]] {
			if !s.isPayload(e[4]) || alone && events > 0 {
				break
			}
			if alone {
				n = 1
			}
		}
		if sum == 0 {
			if !s.plainHeader(e[size:], s.off+int64(at)+int64(size), position) {
				break
			}
		} else if body := e[:size-4]; crcOf(body) != binary.LittleEndian.Uint32(e[size-4:]) {
			break
		}
		at += int(size)
	}
	return at, events
}

// plainHeader says that b starts with the header of a plain event, or that the file ends there: it proves the size of the
// event before it where there are no checksums. position is what the next_position of that event says.
func (s *Scanner) plainHeader(b []byte, off int64, position uint32) bool {
	if off == s.size {
		return true
	}
	if len(b) < decoder.HeaderLen {
		return false
	}
	size, next := binary.LittleEndian.Uint32(b[9:]), binary.LittleEndian.Uint32(b[13:])
	return (plainTypes[b[4]] || s.isPayload(b[4])) && size >= decoder.HeaderLen && size <= DefaultMaxEvent && int64(size) <= s.size-off &&
		next == position+size && next != 0 && binary.LittleEndian.Uint16(b[17:])&^plainFlags == 0
}

// Mark is the state on which a run of plain events depends, and which it does not change. Scanners with the same mark cut
// the same bytes at the same place of the same file into the same plain events.
type Mark struct {
	Format         *decoder.FormatDescription
	Delta          uint32 // next_position minus the offset of the event's end in the file, modulo 2^32
	Size, MaxEvent int64  // of the file, and of an event that is held whole
}

// Mark returns the state; false when no run can begin here.
func (s *Scanner) Mark() (Mark, bool) {
	return Mark{Format: s.format, Delta: s.delta, Size: s.size, MaxEvent: s.maxEvent}, s.plain()
}

// Jump goes on behind plain events that another scanner with the same mark found from here on. What is to be fed next may
// have moved, see Fed.
func (s *Scanner) Jump(to int64) {
	s.seek(to)
	s.fed = max(s.fed, to)
}

// NewRangeScanner starts at a place of a file that need not be the start of an event: Find looks for the next. It makes
// runs only, and must not be asked for Next. A transaction payload is a run of its own; who takes it over looks into it.
func NewRangeScanner(m Mark, from int64) *Scanner {
	return &Scanner{size: m.Size, maxEvent: m.MaxEvent, format: m.Format, delta: m.Delta, hasDelta: true, off: from, fed: from, payloads: true}
}

// findChain is how many plain events in a row prove where the first of them starts.
const findChain = 3

// Find moves to the first place from where on some plain events follow each other. false: there is none in what was fed.
// The answer is a guess, though a wrong one needs a log inside an event of a log; who takes over its events makes sure that
// the place is one where an event starts.
func (s *Scanner) Find() bool {
	for ; len(s.buf)-s.r >= decoder.HeaderLen; s.skip(1) {
		b := s.buf[s.r:]
		if binary.LittleEndian.Uint32(b[13:]) != uint32(s.off)+s.delta+binary.LittleEndian.Uint32(b[9:]) {
			continue
		}
		if _, n := s.runLen(b, findChain, false); n == findChain {
			return true
		}
	}
	return false
}

// Stuck says that the event at the front was fed whole, and more bytes will not make it plain.
func (s *Scanner) Stuck() bool {
	b := s.buf[s.r:]
	if len(b) < decoder.HeaderLen {
		return false
	}
	size := int64(binary.LittleEndian.Uint32(b[9:]))
	return size > s.maxEvent || size > s.size-s.off || int64(len(b)) >= size+decoder.HeaderLen
}
