package frame

import (
	"binlens/decoder"
	"binlens/decoder/wire"
)

// How many events behind a format description are looked at before its checksum algorithm is given up, and how long each
// may be, in bytes.
const (
	trialEvents = 3
	trialLen    = 64 << 10
)

// fallBack returns f, or f with the checksum algorithm of the format description before it, when the events from at on
// show that this one is still in use: a replica that wrote its source's format description into a relay log, and made the
// checksums as it does itself. Then why says so.
func (s *Scanner) fallBack(f *decoder.FormatDescription, at int64) (*decoder.FormatDescription, *wire.Error) {
	old := s.format
	if old.Assumed || old.Layout() < 4 || f.Layout() < 4 || old.ChecksumLen() == f.ChecksumLen() || !s.contradicted(old, f, at) {
		return f, nil
	}
	why := "it announces events with checksums, but those behind it have none, as the format description before it says: they are read so"
	if f.ChecksumLen() == 0 {
		why = "it announces events without checksums, but those behind it end in right ones, as the format description before it says: they are read so"
	}
	f = f.Clone()
	f.ChecksumAware, f.ChecksumAlgorithm = old.ChecksumAware, old.ChecksumAlgorithm
	return f, &wire.Error{Kind: wire.Corrupt, Path: "checksum_algorithm", Msg: why}
}

// contradicted says that every event looked at has a wrong checksum under f and is right under old. A right checksum proves
// itself; where there shall be none, two events and what follows them must make sense.
func (s *Scanner) contradicted(old, f *decoder.FormatDescription, at int64) bool {
	seen := 0
	for ; seen < trialEvents && at < s.size; seen++ {
		raw, h := s.ahead(f, at)
		if raw == nil || h.Type == decoder.FormatDescriptionType || h.Type == decoder.StartV3 {
			break
		}
		at += int64(h.Size)
		if old.ChecksumLen() > 0 {
			if sum := SumOf(old, h, raw); sum.Len == 0 || !sum.OK() {
				return false
			}
			continue
		}
		if sum := SumOf(f, h, raw); sum.Len == 0 || sum.OK() || !s.headerAt(at) {
			return false
		}
	}
	return seen >= 2 || seen == 1 && old.ChecksumLen() > 0
}

// ahead reads the event at a place that was not fed yet; nil when none of at most trialLen bytes can stand there.
func (s *Scanner) ahead(f *decoder.FormatDescription, at int64) ([]byte, decoder.Header) {
	h, ok := s.peek(at)
	if !ok || int(h.Size) < f.MinHeaderLen() || h.Size > trialLen || int64(h.Size) > s.size-at || s.sums < int64(h.Size) {
		return nil, h
	}
	s.sums -= int64(h.Size)
	raw := make([]byte, h.Size)
	if n, _ := s.ra.ReadAt(raw, at); n < len(raw) {
		return nil, h
	}
	return raw, h
}
