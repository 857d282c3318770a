package index

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"encoding/binary"
)

// packedLen is the length of an entry of a plain event where many of them lie in a row, without its offset, which is where
// the one before ends:
//
//	u64 Table | u64 Map | u32 Size | u32 Time | u32 Server | u16 Flags | u8 Type | u8 Says | u8 Query | u8 Flags2 | u16 inside
//
// Behind the entry of a transaction payload follow those of the events inside it, for which inside is 1.
const packedLen = 36

// Packer makes packed entries: in another place than where a Builder takes them.
type Packer struct {
	layout layout
	entry  Entry
}

// Append appends the entries of the plain events of a run (see [frame.Scanner.Run]).
func (p *Packer) Append(dst, run []byte, f *decoder.FormatDescription) []byte {
	p.layout.set(f)
	e := &p.entry
	for at := 0; at < len(run); at += int(e.Size) {
		p.layout.read(e, run[at:])
		dst = e.appendPacked(dst)
	}
	return dst
}

// AppendInside appends the entry of the next event inside the payload whose entry was appended last.
func (p *Packer) AppendInside(dst []byte, fr *frame.Frame) []byte {
	e := EntryOf(fr)
	dst = e.appendPacked(dst)
	dst[len(dst)-2] = 1
	return dst
}

func isInside(packed []byte) bool { return packed[packedLen-2] != 0 }

// PackedInside returns how many of the entries are of events inside payloads.
func PackedInside(packed []byte) (n int64) {
	for ; len(packed) >= packedLen; packed = packed[packedLen:] {
		if isInside(packed) {
			n++
		}
	}
	return n
}

func (e *Entry) appendPacked(dst []byte) []byte {
	n := len(dst)
	if cap(dst)-n < packedLen {
		dst = append(dst, make([]byte, packedLen)...)
	}
	dst = dst[:n+packedLen]
	b := dst[n:]
	_ = b[packedLen-1]
	binary.LittleEndian.PutUint64(b, e.Table)
	binary.LittleEndian.PutUint64(b[8:], e.Map)
	binary.LittleEndian.PutUint32(b[16:], e.Size)
	binary.LittleEndian.PutUint32(b[20:], e.Time)
	binary.LittleEndian.PutUint32(b[24:], e.Server)
	binary.LittleEndian.PutUint16(b[28:], e.Flags)
	b[30], b[31], b[32], b[33], b[34], b[35] = uint8(e.Type), uint8(e.Says), uint8(e.Query), e.Flags2, 0, 0
	return dst
}

// unpack fills e, but for its offset, with the packed entry at the front of b.
func (e *Entry) unpack(b []byte) {
	_ = b[packedLen-1]
	e.Table, e.Map = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	e.Size, e.Time, e.Server = binary.LittleEndian.Uint32(b[16:]), binary.LittleEndian.Uint32(b[20:]), binary.LittleEndian.Uint32(b[24:])
	e.Flags, e.Type, e.Kind = binary.LittleEndian.Uint16(b[28:]), decoder.Type(b[30]), frame.Event
	e.Says, e.Query, e.Flags2 = Says(b[31]), QueryKind(b[32]), b[33]
}

// PackedFrom returns the packed entries from that of the event at off on, where the first of them stands at from; false when
// none of them stands there.
func PackedFrom(packed []byte, from, off int64) ([]byte, bool) {
	for len(packed) >= packedLen && (from < off || isInside(packed)) {
		if !isInside(packed) {
			from += int64(binary.LittleEndian.Uint32(packed[16:]))
		}
		packed = packed[packedLen:]
	}
	return packed, from == off && len(packed) >= packedLen
}

// AddPacked takes packed entries, of which the first stands at off, and returns where the last event ends.
func (b *Builder) AddPacked(packed []byte, off int64, f *decoder.FormatDescription) int64 {
	e := &b.entry
	payload := int64(0)
	inside := int64(0) // decompressed bytes of the payload up to the next event
	for ; len(packed) >= packedLen; packed = packed[packedLen:] {
		e.unpack(packed)
		if isInside(packed) {
			e.Off = inside
			b.addInside(payload, e, nil)
			inside += int64(e.Size)
			continue
		}
		e.Off = off
		b.AddEntry(e, f, nil)
		off += int64(e.Size)
		payload, inside = b.Index.n-1, 0
	}
	return off
}
