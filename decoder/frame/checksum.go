package frame

import (
	"binlens/decoder"
	"encoding/binary"
	"hash/crc32"
)

// flagsOffset is where the flags stand in the header; the in-use flag is in the first of their bytes.
const flagsOffset = 17

// SumOf computes the checksum of an event; f is the format in force before it.
//
// It is the zlib CRC-32 of all bytes before it. The server sets the in-use flag of a format description after it has
// written the checksum, so it counts as not set.
func SumOf(f *decoder.FormatDescription, h decoder.Header, raw []byte) Sum {
	s := Sum{Len: decoder.ChecksumLenOf(f, h, raw)}
	if s.Len == 0 || len(raw) < f.MinHeaderLen()+s.Len {
		s.Len = 0
		return s
	}
	body := raw[:len(raw)-s.Len]
	s.Stored = binary.LittleEndian.Uint32(raw[len(raw)-4:])
	if h.Type == decoder.FormatDescriptionType && h.Flags&decoder.FlagInUse != 0 {
		s.InUse = true
		s.Computed = crc32.ChecksumIEEE(body[:flagsOffset])
		s.Computed = crc32.Update(s.Computed, crc32.IEEETable, []byte{body[flagsOffset] &^ decoder.FlagInUse})
		s.Computed = crc32.Update(s.Computed, crc32.IEEETable, body[flagsOffset+1:])
		return s
	}
	s.Computed = crc32.ChecksumIEEE(body)
	return s
}

// sumOf is SumOf, and counts the work.
func (s *Scanner) sumOf(h decoder.Header, raw []byte) Sum {
	s.summed += int64(len(raw))
	return SumOf(s.format, h, raw)
}

// startV3Len is the length of the body of START_EVENT_V3.
const startV3Len = 56

// startOfItsSize says that a start event is as long as its body tells: a format description has its own length in its
// table, and START_EVENT_V3 has always the same.
func startOfItsSize(h decoder.Header, raw []byte) bool {
	const own = decoder.HeaderLen + 57 + int(decoder.FormatDescriptionType) - 1
	switch h.Type {
	case decoder.StartV3:
		return len(raw) == h.Len+startV3Len
	case decoder.FormatDescriptionType:
		return len(raw) > own && int(raw[own]) == len(raw)-decoder.HeaderLen
	}
	return false
}
