package logtest

import (
	"encoding/binary"
	"hash/crc32"
)

// Type codes of events.
const (
	TypeStart = 1 + iota
	TypeQuery
	TypeStop
	TypeRotate
	TypeIntvar
	TypeLoad
	TypeSlave
	TypeCreateFile
	TypeAppendBlock
	TypeExecLoad
	TypeDeleteFile
	TypeNewLoad
)

// More type codes.
const (
	TypeRand            = 13
	TypeUserVar         = 14
	TypeFormat          = 15
	TypeXid             = 16
	TypeBeginLoad       = 17
	TypeExecuteLoad     = 18
	TypeTableMap        = 19
	TypePreGAWrite      = 20
	TypeWriteRowsV1     = 23
	TypeUpdateRowsV1    = 24
	TypeDeleteRowsV1    = 25
	TypeIncident        = 26
	TypeHeartbeat       = 27
	TypeIgnorable       = 28
	TypeRowsQuery       = 29
	TypeWriteRows       = 30
	TypeUpdateRows      = 31
	TypeDeleteRows      = 32
	TypeGtid            = 33
	TypeAnonymous       = 34
	TypePreviousGtids   = 35
	TypeContext         = 36
	TypeViewChange      = 37
	TypeXaPrepare       = 38
	TypePartialUpdate   = 39
	TypePayload         = 40
	TypeHeartbeatV2     = 41
	TypeTagged          = 42
	TypeLarge           = 43
	TypeAnnotate        = 160
	TypeCheckpoint      = 161
	TypeMariaGtid       = 162
	TypeGtidList        = 163
	TypeStartEncryption = 164
	TypeQueryCompressed = 165
	TypeWriteDeflatedV1 = 166
	TypeUpdateDeflated1 = 167
	TypeDeleteDeflated1 = 168
	TypeWriteDeflated   = 169
	TypePartialRowData  = 172
)

// Flags of the header.
const (
	FlagInUse      = 0x0001
	FlagArtificial = 0x0020
	FlagRelayLog   = 0x0040
	FlagIgnorable  = 0x0080
)

// Checksum is the algorithm of a log.
type Checksum byte

// The algorithms.
const (
	Off   Checksum = 0
	CRC32 Checksum = 1
)

// Start is when the first event of a log happened, in seconds UTC; each event comes a second later.
const Start = 1_700_000_000

// ServerID is the server_id of every event.
const ServerID = 7

// Placed is an event of a log.
type Placed struct {
	Off, Size int // of the whole event
	Type      byte
	Body      []byte
}

// Log is a log that grows.
type Log struct {
	Server   Server
	Checksum Checksum
	Events   []Placed
	Shift    uint64 // added to every next_position, for parts of larger logs and of relay logs
	b        []byte
	time     uint32
}

// New starts a log: the magic and the server's start event.
func New(s Server, c Checksum) *Log {
	l := Bare(s, c)
	l.b = append(l.b, "\xfebin"...)
	l.Format(0)
	return l
}

// Bare starts a log without magic and start event.
func Bare(s Server, c Checksum) *Log {
	if !s.Aware {
		c = Off
	}
	return &Log{Server: s, Checksum: c, time: Start}
}

// Bytes returns the log so far; it is not to be changed.
func (l *Log) Bytes() []byte { return l.b }

// Len returns its length.
func (l *Log) Len() int { return len(l.b) }

// Last returns the event added last.
func (l *Log) Last() Placed { return l.Events[len(l.Events)-1] }

// Raw appends bytes that are no event.
func (l *Log) Raw(b []byte) *Log { l.b = append(l.b, b...); return l }

// Format appends the start event that the server writes: a format description, or a START_EVENT_V3 before 5.0.
func (l *Log) Format(flags uint16) *Log {
	if l.Server.Lengths == nil {
		return l.event(TypeStart, flags, l.Server.StartBody(), 0, l.headerLen(TypeStart))
	}
	trailer := 0
	if l.Server.Aware {
		trailer = 4
	}
	return l.event(TypeFormat, flags, l.Server.FormatBody(l.Checksum, Start), trailer, 19)
}

// StartBody is the body of a START_EVENT_V3.
func (s Server) StartBody() []byte { return Cat(U16(s.Binlog), s.version(), U32(Start)) }

// FormatBody is the body of a format description without its checksum.
func (s Server) FormatBody(c Checksum, created uint32) []byte {
	header := s.Header
	if header == 0 {
		header = 19
	}
	b := Cat(U16(s.Binlog), s.version(), U32(created), U8(uint8(header)), s.Lengths)
	if s.Aware {
		b = append(b, byte(c))
	}
	return b
}

func (s Server) version() []byte {
	b := make([]byte, 50)
	copy(b, s.Version)
	return b
}

// Event appends an event.
func (l *Log) Event(typ byte, body ...[]byte) *Log { return l.EventFlags(typ, 0, body...) }

// EventFlags appends an event with flags in its header.
func (l *Log) EventFlags(typ byte, flags uint16, body ...[]byte) *Log {
	trailer := 0
	if l.Checksum == CRC32 {
		trailer = 4
	}
	return l.event(typ, flags, Cat(body...), trailer, l.headerLen(typ))
}

func (l *Log) headerLen(typ byte) int {
	switch {
	case l.Server.Binlog == 1:
		return 13
	case l.Server.Header == 0 || typ == TypeRotate || typ == TypeFormat || typ == TypeStart:
		return 19
	}
	return l.Server.Header
}

// event appends header, body and trailer bytes of checksum, which leaves the in-use flag out.
func (l *Log) event(typ byte, flags uint16, body []byte, trailer, header int) *Log {
	at, size := len(l.b), header+len(body)+trailer
	position := uint32(uint64(at+size) + l.Shift)
	if l.Server.Binlog == 3 {
		position = uint32(uint64(at) + l.Shift)
	}
	if flags&FlagArtificial != 0 {
		position = 0
	}
	h := Cat(U32(l.time), U8(typ), U32(ServerID), U32(uint32(size)), U32(position), U16(flags&^FlagInUse))
	h = append(h, make([]byte, 8)...)[:header]
	l.b = append(append(l.b, h...), body...)
	if trailer > 0 {
		l.b = binary.LittleEndian.AppendUint32(l.b, crc32.ChecksumIEEE(l.b[at:]))
	}
	if flags&FlagInUse != 0 {
		l.b[at+17] |= FlagInUse
	}
	l.Events = append(l.Events, Placed{Off: at, Size: size, Type: typ, Body: body})
	l.time++
	return l
}
