package frame

import (
	"binlens/decoder"
	"binlens/decoder/wire"
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"
	"strconv"
)

// Status is what Next says.
type Status uint8

// The answers of Next.
const (
	More Status = iota // bytes are missing: feed some, or call Finish
	Got                // the frame is filled
	Busy               // still looking behind damage: call again
	Done               // the log is at its end
)

// DefaultMaxEvent is the largest event that is held whole, in bytes; larger ones are listed, and their checksum made in
// passing.
const DefaultMaxEvent = 16 << 20

// maxGap is the largest gap listed as one row, in bytes: sizes are 32 bits everywhere else. It is a variable for tests.
var maxGap int64 = 1 << 30

// Scanner cuts a log into frames. It starts at Start.Off and is fed the bytes from there on.
type Scanner struct {
	ra       io.ReaderAt
	size     int64 // of the file
	maxEvent int64

	buf  []byte
	r    int   // buf[r:] is not yet consumed
	off  int64 // file offset of buf[r]
	fed  int64 // file offset up to which bytes were fed
	last bool  // no more bytes will be fed

	format   *decoder.FormatDescription
	assumed  string // why the format is an assumption, to be said with the first event
	delta    uint32 // next_position minus the end of the event in the file, modulo 2^32
	hasDelta bool
	relay    bool // next_position counts in another file

	search  search
	stream  stream
	sums    int64   // bytes that looking twice at events in doubt may still cost
	summed  int64   // bytes of which checksums were made, for the tests of files made to hurt
	pending []Frame // to be returned before anything else is read
	barren  bool    // a search reached the end of the file: there is no event to be found from here on
	cipher  bool    // a START_ENCRYPTION_EVENT was seen: the events after it are encrypted
	probed  bool    // the first event of a log without format description was seen

	payloads bool // payloads are taken as plain events are
}

// minMaxEvent is the smallest limit: every format description is below it.
const minMaxEvent = 1 << 10

// NewScanner scans a file of size bytes. maxEvent of 0 means DefaultMaxEvent; it is at least 1 KiB.
func NewScanner(ra io.ReaderAt, size int64, start Start, maxEvent int64) *Scanner {
	if maxEvent <= 0 {
		maxEvent = DefaultMaxEvent
	}
	maxEvent = max(maxEvent, minMaxEvent)
	s := &Scanner{ra: ra, size: size, maxEvent: maxEvent, off: start.Off, fed: start.Off, format: start.Format, sums: sumFloor}
	if start.NoMagic {
		s.assumed = "the file does not start with the magic bytes fe 62 69 6e"
	}
	return s
}

// Fed returns the file offset of the byte to be fed next.
func (s *Scanner) Fed() int64 { return s.fed }

// Pos returns the file offset up to which the log is cut into frames.
func (s *Scanner) Pos() int64 { return s.off }

// Format returns the format description in force there.
func (s *Scanner) Format() *decoder.FormatDescription { return s.format }

// Feed takes the next bytes of the file; it copies what it has not read by itself.
func (s *Scanner) Feed(p []byte) {
	end := s.off + int64(len(s.buf)-s.r) // of what is held: behind fed after going back, before it after looking ahead
	at := s.fed
	s.fed += int64(len(p))
	if end >= at && end < s.fed {
		p = p[end-at:]
		s.compact(len(p))
		s.buf = append(s.buf, p...)
	}
}

// Room returns space for the next n bytes of the file, to be filled and told with Filled: that saves the copy of Feed. It
// returns nil when what comes next has to go through Feed.
func (s *Scanner) Room(n int) []byte {
	if s.off+int64(len(s.buf)-s.r) != s.fed || s.fed+int64(n) > s.size {
		return nil
	}
	s.compact(n)
	s.buf = slices.Grow(s.buf, n)
	return s.buf[len(s.buf):][:n]
}

// Filled says that the space that Room has returned has the next n bytes of the file.
func (s *Scanner) Filled(n int) {
	s.buf = s.buf[:len(s.buf)+n]
	s.fed += int64(n)
}

// Finish says that no more bytes will be fed.
func (s *Scanner) Finish() { s.last = true }

// compact makes room for n more bytes at the end of buf by moving what is left to its front.
func (s *Scanner) compact(n int) {
	if s.r > 0 && len(s.buf)+n > cap(s.buf) {
		s.buf = s.buf[:copy(s.buf, s.buf[s.r:])]
		s.r = 0
	}
}

// have makes n bytes available at the front, reading back those that were fed while the scanner was behind. False when
// they were not fed yet or the file ends before them.
func (s *Scanner) have(n int) bool {
	for len(s.buf)-s.r < n {
		at := s.off + int64(len(s.buf)-s.r)
		k := s.fed - at
		if k <= 0 {
			return false
		}
		k = min(k, max(int64(n), 1<<20))
		s.compact(int(k))
		old := len(s.buf)
		s.buf = append(s.buf, make([]byte, k)...)
		got, _ := s.ra.ReadAt(s.buf[old:], at)
		s.buf = s.buf[:old+got]
		if int64(got) < k { // the file became shorter: what is missing will not come
			s.fed, s.size, s.last = at+int64(got), at+int64(got), true
		}
	}
	return true
}

// skip consumes n bytes.
func (s *Scanner) skip(n int64) { s.seek(s.off + n) }

// seek goes to another place in the file, in front of or behind the bytes held.
func (s *Scanner) seek(to int64) {
	if d := to - s.off; d >= -int64(s.r) && d <= int64(len(s.buf)-s.r) {
		s.r += int(d)
	} else {
		s.buf, s.r = s.buf[:0], 0
	}
	s.off = to
}

// Next fills fr with the next row.
func (s *Scanner) Next(fr *Frame) Status {
	if len(s.pending) > 0 {
		*fr = s.pending[0]
		s.pending = s.pending[1:]
		return Got
	}
	switch {
	case s.search.on:
		return s.searchOn(fr)
	case s.stream.on:
		return s.streamOn(fr)
	}
	min := s.format.MinHeaderLen()
	if !s.have(min) {
		return s.atEnd(fr)
	}
	if s.cipher {
		return s.encrypted(fr)
	}
	b := s.buf[s.r:]
	var h decoder.Header
	s.format.ParseHeader(b, &h)
	if why := s.implausible(h, b); why != "" {
		return s.startSearch(fr, h, why)
	}
	if int64(h.Size) > s.maxEvent {
		return s.startStream(fr, h)
	}
	if !s.have(int(h.Size)) {
		if !s.last {
			return More
		}
		return s.startSearch(fr, h, "an event of which the file has only a part")
	}
	return s.event(fr, h)
}

// atEnd is for fewer bytes than a header.
func (s *Scanner) atEnd(fr *Frame) Status {
	left := len(s.buf) - s.r
	switch {
	case !s.last:
		return More
	case left == 0:
		return Done
	}
	*fr = Frame{Kind: Truncated, Off: s.off, Size: int64(left), Format: s.format}
	if allZero(s.buf[s.r:]) {
		fr.Kind = Padding
	} else {
		fr.Bad = &wire.Error{Kind: wire.Truncated, Msg: strconv.Itoa(left) + " bytes are left: no event header fits"}
	}
	s.skip(int64(left))
	return Got
}

// implausible says why the bytes at the front are no event, or is empty. The chain of sizes that led here counts for
// much: an unknown type passes if anything confirms it.
func (s *Scanner) implausible(h decoder.Header, b []byte) string {
	least := uint32(h.Len + s.checksumLen(h))
	switch {
	case allZero(b[:s.format.MinHeaderLen()]):
		return "zero bytes"
	case h.Size < least:
		return "an event of " + utoa(h.Size) + " bytes is smaller than its header"
	case int64(h.Size) > s.size-s.off:
		return "an event that claims " + utoa(h.Size) + " bytes where the file has " + strconv.FormatInt(s.size-s.off, 10)
	case h.Code == 0:
		return "an event of type 0, which no server writes"
	case s.believable(h, s.off):
		return ""
	}
	return "an event of the unknown type " + strconv.Itoa(int(h.Code)) + " whose next_position does not fit"
}

// believable says that an event is of a type that a server documents, or that something else speaks for it.
func (s *Scanner) believable(h decoder.Header, off int64) bool {
	if s.startsAnew(h) {
		return false
	}
	return h.Type.Known() || h.Code != 0 && (h.Flags&decoder.FlagIgnorable != 0 || s.positionFits(h, off))
}

// startsAnew says that an event claims to begin a log of version 1 or 3 where a format description was read: no server
// writes that, and it would do away with all checks.
func (s *Scanner) startsAnew(h decoder.Header) bool {
	return h.Type == decoder.StartV3 && s.format.Layout() >= 4 && !s.format.Assumed
}

func (s *Scanner) checksumLen(h decoder.Header) int {
	if h.Type == decoder.FormatDescriptionType || h.Type == decoder.StartV3 {
		return 0
	}
	return s.format.ChecksumLen()
}

// positionFits says that next_position is where the event ends, or off by as much as that of the events before.
func (s *Scanner) positionFits(h decoder.Header, off int64) bool {
	if s.format.Layout() < 4 || h.NextPosition == 0 {
		return false
	}
	d := h.NextPosition - uint32(off+int64(h.Size))
	return d == 0 || s.hasDelta && d == s.delta
}

// event is for an event that is held whole.
func (s *Scanner) event(fr *Frame, h decoder.Header) Status {
	raw := s.buf[s.r : s.r+int(h.Size) : s.r+int(h.Size)]
	if s.format.Assumed && !s.format.Start && h.Type != decoder.FormatDescriptionType && s.format.ChecksumLen() == 0 {
		s.probeChecksum(h, raw)
	}
	sum := s.sumOf(h, raw)
	if !sum.OK() || sum.Len == 0 && !startOfItsSize(h, raw) { // nothing in it proves its size: what follows must
		if !s.have(len(raw)+s.format.MinHeaderLen()) && !s.last {
			return More
		}
		raw = s.buf[s.r : s.r+int(h.Size) : s.r+int(h.Size)] // which may have moved
		end := s.off + int64(h.Size)
		if end < s.size && (!s.headerAt(end) || sum.Len > 0 && !s.agrees(h, end)) {
			return s.startSearch(fr, h, s.suspicion(h, sum))
		}
		if s.sizeLies(h) {
			s.sums -= int64(h.Size) // of which a checksum was made in vain
			return s.startSearch(fr, h, sizeLie(h))
		}
		if sum.Len > 0 {
			return s.searchInside(fr, h, end)
		}
	}
	s.emit(fr, h, raw, sum)
	s.skip(int64(h.Size))
	return Got
}

// encrypted is for an event of an encrypted MariaDB log. Its size stands in the clear where it always does; the bytes it
// displaced stand at the beginning, encrypted like the rest.
func (s *Scanner) encrypted(fr *Frame) Status {
	size := binary.LittleEndian.Uint32(s.buf[s.r+9:])
	left := s.size - s.off
	if int64(size) < int64(s.format.MinHeaderLen()) || int64(size) > left {
		*fr = Frame{Kind: Truncated, Off: s.off, Size: left, Format: s.format, Bad: &wire.Error{Kind: wire.Truncated, Offset: 9,
			Path: "event_size", Msg: "an encrypted event claims " + utoa(size) + " bytes, the file has " + strconv.FormatInt(left, 10) + " of them"}}
		s.seek(s.size)
		return Got
	}
	h := decoder.Header{Size: size, Len: s.format.MinHeaderLen()}
	st := &s.stream
	*st = stream{on: true, left: int64(size), frame: Frame{Kind: Event, Cipher: true, Off: s.off, Size: int64(size), Header: h, Format: s.format}}
	return s.streamOn(fr)
}

func (s *Scanner) suspicion(h decoder.Header, sum Sum) string {
	what := "there is no checksum"
	if sum.Len > 0 {
		what = "the checksum does not match"
	} else if h.NextPosition != 0 && s.format.Layout() >= 4 && !s.positionFits(h, s.off) {
		what = "next_position does not fit"
	}
	return what + ", and no event follows after the " + utoa(h.Size) + " bytes that the header claims"
}

// probeChecksum finds out whether the events of a log without a format description end in a checksum.
func (s *Scanner) probeChecksum(h decoder.Header, raw []byte) {
	said := "no checksums"
	if n := len(raw) - 4; n >= h.Len && crc32.ChecksumIEEE(raw[:n]) == binary.LittleEndian.Uint32(raw[n:]) {
		s.format, said = decoder.AssumedFormat(decoder.ChecksumCRC32), "CRC32 checksums"
	}
	if !s.probed && s.assumed == "" {
		s.assumed = noFormat + ": version 4 and " + said + " are assumed"
	}
	s.probed = true
}

const noFormat = "there is no format description event"

// emit fills fr with an event and takes over what it says for those after it.
func (s *Scanner) emit(fr *Frame, h decoder.Header, raw []byte, sum Sum) {
	*fr = Frame{Kind: Event, Off: s.off, Size: int64(h.Size), Header: h, Raw: raw, Sum: sum, Format: s.format}
	if !sum.OK() {
		fr.Bad = sum.problem(h)
	}
	if s.assumed != "" {
		if fr.Bad == nil {
			fr.Bad = &wire.Error{Kind: wire.Corrupt, Msg: s.assumed}
		}
		s.assumed = ""
	}
	if h.Type == decoder.FormatDescriptionType || h.Type == decoder.StartV3 {
		s.setFormat(fr, h, raw, sum.Len)
	}
	s.cipher = s.cipher || h.Type == decoder.StartEncryptionType && s.startsEncryption(h, raw, sum)
	if h.Flags&decoder.FlagRelayLog != 0 || h.Type == decoder.RotateType && h.Flags&decoder.FlagArtificial != 0 {
		s.relay = true
	}
	if s.format.Layout() >= 4 && h.NextPosition != 0 && sum.OK() {
		s.delta, s.hasDelta = h.NextPosition-uint32(s.off+int64(h.Size)), true
	}
}

// maxHeaderLen is the longest common header that is believed; the longest seen has 27 bytes.
const maxHeaderLen = 64

// startEncryptionLen is the length of a START_ENCRYPTION_EVENT's body: scheme, key version and nonce.
const startEncryptionLen = 1 + 4 + 12

// startsEncryption says that a START_ENCRYPTION_EVENT is to be believed: what it says makes everything after it unreadable.
func (s *Scanner) startsEncryption(h decoder.Header, raw []byte, sum Sum) bool {
	return s.format.Family == decoder.MariaDB && sum.OK() && len(raw) == h.Len+startEncryptionLen+sum.Len && raw[h.Len] == 1
}

// setFormat puts a format description in force, unless it cannot be read, or one is in force and nothing proves this one.
func (s *Scanner) setFormat(fr *Frame, h decoder.Header, raw []byte, sumLen int) {
	if !s.format.Assumed && (sumLen == 0 || fr.Bad != nil) && !startOfItsSize(h, raw) {
		return
	}
	ev, bad := decoder.DecodeWhole(&decoder.Context{Format: s.format}, h, raw, sumLen, nil)
	f, ok := ev.(*decoder.FormatDescription)
	if bad != nil || !ok {
		return
	}
	f = f.Clone()
	if f.CommonHeaderLen > maxHeaderLen || fr.Bad != nil && f.Layout() == 4 {
		f.CommonHeaderLen = decoder.HeaderLen
	}
	if f.Start && f.BinlogVersion != 1 && f.BinlogVersion != 3 {
		f.BinlogVersion = s.format.BinlogVersion
	}
	if f.Start != s.format.Start && !f.Start {
		s.hasDelta = false
	}
	f, why := s.fallBack(f, s.off+int64(h.Size))
	if fr.Bad == nil {
		fr.Bad = why
	}
	s.format, fr.Format = f, f
}

func (s Sum) problem(h decoder.Header) *wire.Error {
	return &wire.Error{Offset: int64(h.Size) - 4, Path: "checksum", Kind: wire.Checksum,
		Msg: "the checksum of the bytes is 0x" + hex32(s.Computed) + ", not 0x" + hex32(s.Stored) + " as stored"}
}

func allZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

func utoa(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

func hex32(n uint32) string {
	s := strconv.FormatUint(uint64(n), 16)
	return "00000000"[len(s):] + s
}
