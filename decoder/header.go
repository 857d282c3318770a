package decoder

import (
	"binlens/decoder/wire"
	"encoding/binary"
)

// Lengths of the common header, in bytes.
const (
	HeaderLen   = 19 // versions 3 and 4
	HeaderLenV1 = 13 // version 1 (MySQL 3.23): no next_position, no flags
)

// Flags of the common header.
const (
	FlagInUse           = 0x0001 // format description only: the file was not closed; cleared before the checksum is made
	FlagForcedRotate    = 0x0002
	FlagThreadSpecific  = 0x0004
	FlagSuppressUse     = 0x0008
	FlagUpdateTableMap  = 0x0010
	FlagArtificial      = 0x0020
	FlagRelayLog        = 0x0040
	FlagIgnorable       = 0x0080
	FlagNoFilter        = 0x0100
	FlagMtsIsolate      = 0x0200
	FlagAcceptOwn       = 0x4000 // MariaDB
	FlagSkipReplication = 0x8000 // MariaDB
)

// Header is the common header every event starts with.
//
//	0  u32 timestamp, seconds UTC
//	4  u8  type code
//	5  u32 server_id of the server that wrote the event first
//	9  u32 event_size, header and checksum included
//	13 u32 next_position: where the event ends in the file it was written to, modulo 2^32; version 3: where it starts
//	17 u16 flags
//	19 …   bytes that custom builds add (common_header_len of the format description)
type Header struct {
	Timestamp    uint32
	Code         uint8 // as it stands in the file
	Type         Type  // Code, or what it means in a renumbered 5.1 tree
	ServerID     uint32
	Size         uint32
	NextPosition uint32
	Flags        uint16
	Len          int // bytes of the header itself
}

// HeaderLenFor returns how many bytes the header of an event with this code takes under f: format descriptions, ROTATE
// and START_EVENT_V3 never have the surplus bytes of a longer common header.
func (f *FormatDescription) HeaderLenFor(code uint8) int {
	if f.Layout() == 1 {
		return HeaderLenV1
	}
	switch Type(code) {
	case FormatDescriptionType, RotateType, StartV3:
		return HeaderLen
	}
	return int(f.CommonHeaderLen)
}

// ParseHeader reads the header at the start of b, which holds at least MinHeaderLen bytes, into h. Surplus bytes of a
// longer header may lie beyond b. It checks nothing: whether the values make sense is the scanner's question.
func (f *FormatDescription) ParseHeader(b []byte, h *Header) {
	_ = b[HeaderLenV1-1]
	h.Timestamp = binary.LittleEndian.Uint32(b[0:4])
	h.Code = b[4]
	h.Type = f.Canonical(h.Code)
	h.ServerID = binary.LittleEndian.Uint32(b[5:9])
	h.Size = binary.LittleEndian.Uint32(b[9:13])
	h.NextPosition, h.Flags = 0, 0
	h.Len = f.HeaderLenFor(h.Code)
	if f.Layout() != 1 {
		_ = b[HeaderLen-1]
		h.NextPosition = binary.LittleEndian.Uint32(b[13:17])
		h.Flags = binary.LittleEndian.Uint16(b[17:19])
	}
}

// MinHeaderLen is the number of bytes that ParseHeader needs.
func (f *FormatDescription) MinHeaderLen() int {
	if f.Layout() == 1 {
		return HeaderLenV1
	}
	return HeaderLen
}

// recordHeader names the header's fields.
func recordHeader(c *wire.Cursor, h Header) {
	c.Skip(4)
	c.Field("timestamp")
	c.Skip(1)
	c.Field("type_code")
	c.Skip(4)
	c.Field("server_id")
	c.Skip(4)
	c.Field("event_size")
	if h.Len >= HeaderLen {
		c.Skip(4)
		c.Field("next_position")
		c.Skip(2)
		c.Field("header_flags") // not "flags", which many bodies have
	}
	if h.Len > HeaderLen {
		c.Skip(h.Len - HeaderLen)
		c.Field("extra_headers")
	}
}

// RecordCipher names the bytes of an encrypted event of MariaDB: its size stands where it always does, the rest is
// ciphertext.
func RecordCipher(size int) []wire.Span {
	return []wire.Span{{Path: "ciphertext[0]", End: 9}, {Path: "event_size", Start: 9, End: 13},
		{Path: "ciphertext[1]", Start: 13, End: uint32(size)}}
}
