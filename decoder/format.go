package decoder

import (
	"binlens/decoder/wire"
	"bytes"
	"strings"
)

// Family is the kind of server that wrote a log.
type Family uint8

// The families: forks of MySQL that keep its format count as MySQL.
const (
	MySQL Family = iota
	MariaDB
)

// String returns the family's name in lower case.
func (f Family) String() string {
	if f == MariaDB {
		return "mariadb"
	}
	return "mysql"
}

// Checksum algorithms.
const (
	ChecksumOff   = 0
	ChecksumCRC32 = 1
	ChecksumUndef = 255
)

// FormatDescription says how the events after it are laid out. It comes from a FORMAT_DESCRIPTION_EVENT (MySQL 5.0 and
// later, every MariaDB), from a START_EVENT_V3 (3.23 to 4.1), or is assumed for a log that lost its own.
//
//	0    u16 binlog_version (4)
//	2    50  server_version, ASCII, NUL padded
//	52   u32 created: seconds UTC when the server started with this log, else 0
//	56   u8  common_header_len (19)
//	57   n   post_header_lengths, entry i for type i+1
//	57+n u8  checksum_algorithm, only from servers that know checksums
//
// START_EVENT_V3 ends after created. A server that knows checksums puts one behind its own format description even when
// the algorithm says OFF.
type FormatDescription struct {
	Start             bool // a START_EVENT_V3
	Assumed           bool // made up for a log without one
	BinlogVersion     uint16
	ServerVersion     []byte // up to the first NUL
	Created           uint32
	CommonHeaderLen   uint8
	PostHeaderLengths []byte
	ChecksumAware     bool // checksum_algorithm is there
	ChecksumAlgorithm uint8
	Family            Family
	VersionNumber     [3]int // the leading numbers of server_version, zeros when it does not parse
	renumbered        bool
}

func (*FormatDescription) isEvent() {}

const serverVersionLen = 50

// formatFixedLen is the length of the body up to the post-header lengths.
const formatFixedLen = 2 + serverVersionLen + 4 + 1

// headerV3 has the post-header lengths of versions 1 and 3, which their logs do not carry. ROTATE has none in version 1.
var headerV3 = []byte{56, 11, 0, 8, 0, 18, 0, 4, 4, 4, 4, 18, 0, 0}

// headerAssumed has those of MySQL 5.6 to 8.0 for a log that lost its format description.
var headerAssumed = []byte{56, 13, 0, 8, 0, 18, 0, 4, 4, 4, 4, 18, 0, 0, 95, 0, 4, 26, 8, 0, 0, 0, 8, 8, 8, 2, 0, 0, 0, 10, 10, 10, 42, 42, 0, 18, 52, 0, 10, 0, 0, 0}

// AssumedFormat is the format description of a log without one: version 4, MySQL's post-header lengths, MariaDB's for
// its own types. Whether events end in a checksum is for the caller to find out.
func AssumedFormat(checksum uint8) *FormatDescription {
	lens := make([]byte, PartialRowDataType)
	copy(lens, headerAssumed)
	for t, n := range map[Type]byte{BinlogCheckpointType: 4, MariaGtidType: 19, GtidListType: 4, QueryCompressedType: 13,
		WriteRowsCompressedV1: 8, UpdateRowsCompressedV1: 8, DeleteRowsCompressedV1: 8,
		WriteRowsCompressedType: 10, UpdateRowsCompressedType: 10, DeleteRowsCompressedType: 10} {
		lens[t-1] = n
	}
	return &FormatDescription{Assumed: true, BinlogVersion: 4, CommonHeaderLen: HeaderLen, PostHeaderLengths: lens,
		ChecksumAware: true, ChecksumAlgorithm: checksum}
}

// AssumedV3 is the format of a relay log of a 4.x replica, which starts with a ROTATE before the START_EVENT_V3.
func AssumedV3(version uint16) *FormatDescription {
	f := &FormatDescription{Assumed: true, Start: true, BinlogVersion: version, CommonHeaderLen: HeaderLen}
	f.setV3()
	return f
}

func (f *FormatDescription) setV3() {
	f.PostHeaderLengths = headerV3
	if f.BinlogVersion == 1 {
		f.CommonHeaderLen = HeaderLenV1
		f.PostHeaderLengths = bytes.Clone(headerV3)
		f.PostHeaderLengths[RotateType-1] = 0
	}
}

// Layout returns the version whose layout the events have: that of a START_EVENT_V3, and 4 under every format description,
// whatever number a damaged one claims.
func (f *FormatDescription) Layout() int {
	if f.Start {
		return int(f.BinlogVersion)
	}
	return 4
}

// ChecksumLen returns how many bytes of checksum end the events under f: 4, or 0. Format descriptions have their own
// rule, [FormatChecksumLen]. An algorithm that is not known here is taken to be one of 4 bytes.
func (f *FormatDescription) ChecksumLen() int {
	if !f.ChecksumAware || f.ChecksumAlgorithm == ChecksumOff || f.ChecksumAlgorithm == ChecksumUndef {
		return 0
	}
	return 4
}

// PostHeaderLen returns the length of the post-header of an event type, 0 for a type that the writer did not know.
// TRANSACTION_PAYLOAD_EVENT has none, although servers list 40 for it.
func (f *FormatDescription) PostHeaderLen(t Type) int {
	if t == 0 || t == TransactionPayloadType {
		return 0
	}
	if f.renumbered {
		t = originalCode(t)
	}
	if int(t) > len(f.PostHeaderLengths) {
		return 0
	}
	return int(f.PostHeaderLengths[t-1])
}

// HasPostHeaderLen says that the writer listed the type.
func (f *FormatDescription) HasPostHeaderLen(t Type) bool {
	return t != 0 && int(t) <= len(f.PostHeaderLengths)
}

// renumberedTypes maps the codes 16 to 22 of some experimental 5.1 trees to what they mean.
var renumberedTypes = [...]Type{TableMapType, PreGAWriteRowsType, PreGAUpdateRowsType, PreGADeleteRowsType, XidType,
	BeginLoadQueryType, ExecuteLoadQueryType}

// Canonical returns what a type code of the file means.
func (f *FormatDescription) Canonical(code uint8) Type {
	if f.renumbered && code >= 16 && code <= 22 {
		return renumberedTypes[code-16]
	}
	return Type(code)
}

func originalCode(t Type) Type {
	for i, r := range renumberedTypes {
		if r == t {
			return Type(16 + i)
		}
	}
	return t
}

// FormatChecksumLen tells how many bytes of checksum end a format description, given its whole body with that checksum:
// 4 when the server knows checksums (whatever the algorithm), else 0. The format description's own entry in the table,
// which the server computed, decides; where that fits neither case, the server's version does.
func FormatChecksumLen(body []byte) int {
	if formatIsAware(body, len(body)-5) {
		return 4
	}
	return 0
}

// formatIsAware tells whether a body has a checksum algorithm; it has own bytes before that if it does, and else all of
// its bytes belong to the table.
func formatIsAware(body []byte, own int) bool {
	if len(body) < formatFixedLen || own < formatFixedLen {
		return false
	}
	if at := formatFixedLen + int(FormatDescriptionType) - 1; len(body) > at {
		switch int(body[at]) {
		case own & 0xff:
			return true
		case len(body) & 0xff:
			return false
		}
	}
	return versionKnowsChecksums(cutNUL(body[2 : 2+serverVersionLen]))
}

func versionKnowsChecksums(version []byte) bool {
	n := parseVersion(version)
	if isMariaDB(version) {
		return versionAtLeast(n, 5, 3, 0)
	}
	return versionAtLeast(n, 5, 6, 1)
}

func isMariaDB(version []byte) bool {
	return bytes.Contains(version, []byte("MariaDB")) || bytes.Contains(version, []byte("-maria-"))
}

func versionAtLeast(v [3]int, major, minor, patch int) bool {
	if v[0] != major {
		return v[0] > major
	}
	if v[1] != minor {
		return v[1] > minor
	}
	return v[2] >= patch
}

// parseVersion reads up to three numbers of at most 255, the first two followed by a dot; anything else is 0.0.0.
func parseVersion(b []byte) (v [3]int) {
	for i := range v {
		n, digits := 0, 0
		for digits < len(b) && b[digits] >= '0' && b[digits] <= '9' {
			n = n*10 + int(b[digits]-'0')
			if digits++; n > 255 {
				return [3]int{}
			}
		}
		if digits == 0 || i < 2 && (digits == len(b) || b[digits] != '.') {
			return [3]int{}
		}
		v[i] = n
		if i < 2 {
			b = b[digits+1:]
		}
	}
	return v
}

func cutNUL(b []byte) []byte {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return b[:i:i]
	}
	return b
}

func (f *FormatDescription) decodeStart(c *wire.Cursor) {
	f.BinlogVersion = c.Uint16()
	c.Field("binlog_version")
	f.ServerVersion = cutNUL(c.Bytes(serverVersionLen))
	c.Field("server_version")
	f.Created = c.Uint32()
	c.Field("created")
	f.CommonHeaderLen = HeaderLen
	f.VersionNumber = parseVersion(f.ServerVersion)
}

// decode reads a FORMAT_DESCRIPTION_EVENT whose checksum was cut off by the rule of FormatChecksumLen; aware says that
// there was one.
func (f *FormatDescription) decode(c *wire.Cursor, aware bool) {
	f.decodeStart(c)
	f.CommonHeaderLen = c.Uint8()
	c.Field("common_header_len")
	if c.OK() && f.CommonHeaderLen < HeaderLen {
		c.FailAt(c.Pos()-1, wire.Corrupt, "a common header of less than 19 bytes")
		c.Field("common_header_len")
		return
	}
	n := c.Len()
	if aware {
		n--
	}
	if n < 0 {
		n = 0
	}
	f.renumbered = n == 22 && renumberedVersion(string(f.ServerVersion))
	c.Begin("post_header_lengths")
	f.PostHeaderLengths = c.Bytes(n)
	if c.Recording() {
		c.Rewind(n)
		for i := range n {
			c.Skip(1)
			c.Field(f.Canonical(uint8(i + 1)).String())
		}
	}
	c.End()
	if aware {
		f.ChecksumAware = true
		f.ChecksumAlgorithm = c.Uint8()
		c.Field("checksum_algorithm")
	}
	if isMariaDB(f.ServerVersion) || n > int(MariaGtidType) {
		f.Family = MariaDB
	}
}

// renumberedVersion tells the experimental 5.1 trees whose type codes from 16 on stand in another order.
func renumberedVersion(v string) bool {
	if i := strings.Index(v, "-a_drop"); i >= 0 && len(v) > i+8 {
		n := parseVersion([]byte(v[:i]))
		switch tail := v[i+len("-a_drop"):]; {
		case strings.HasPrefix(tail, "5p"):
			return n[0] == 5 && n[1] == 1 && n[2] >= 1 && n[2] <= 5
		case strings.HasPrefix(tail, "6p"):
			return n == [3]int{5, 1, 4} || n[0] == 5 && n[1] == 2 && n[2] <= 2
		}
	}
	return false
}

// Clone returns a copy that stays valid when the event's bytes change.
func (f *FormatDescription) Clone() *FormatDescription {
	n := *f
	n.ServerVersion = bytes.Clone(f.ServerVersion)
	n.PostHeaderLengths = bytes.Clone(f.PostHeaderLengths)
	return &n
}
