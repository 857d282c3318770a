// Package gtid holds global transaction identifiers and their sets: what they are, how they are written as text, and the
// arithmetic on them.
//
// MySQL: a [GTID] is a source's [UUID], an optional tag (8.3 and later) and a transaction number; a [Set] holds, for
// each UUID and tag ([TSID]), sorted disjoint intervals of numbers.
//
// MariaDB: a [MariaGTID] is domain-server-sequence; a [State] holds the position reached for each domain and server.
//
// Files: uuid.go, gtid.go (TSID, tag, GTID), set.go (structure and reading), build.go (adding), algebra.go (union,
// subtract, intersect), text.go (printing), parse.go (reading text), maria.go and maria_parse.go.
//
// Not here: the binary forms (PREVIOUS_GTIDS, GTID and GTID_LIST events), which package decoder reads with its cursor,
// and ANONYMOUS, which is the absence of a GTID and no member of any set.
//
// Nothing in this package is safe for use by several goroutines while one of them changes the value; reading never
// changes it.
package gtid

import (
	"cmp"
	"strconv"
	"strings"
)

const (
	// MaxGNO is the largest transaction number of a MySQL GTID, 2^63-2. The smallest is 1. (GNO_END in the server's
	// sql/rpl_gtid.h is 2^63-1 and exclusive.)
	MaxGNO uint64 = 1<<63 - 2
	// MaxTagLen is the largest length of a tag, in bytes (tag_max_length in the server's mysql::gtid).
	MaxTagLen = 32
)

// TSID is the transaction source identifier of a MySQL GTID: a source's UUID and, from MySQL 8.3, a tag.
type TSID struct {
	UUID UUID
	// Tag is empty (untagged) or a tag in its normal form: see ValidTag.
	Tag string
}

// Compare orders TSIDs as the server prints them: by the UUID's bytes, within one UUID untagged first and then by the
// tag's bytes. It returns -1, 0 or 1.
func (t TSID) Compare(o TSID) int {
	if c := t.UUID.Compare(o.UUID); c != 0 {
		return c
	}
	return strings.Compare(t.Tag, o.Tag)
}

// AppendText appends "uuid" or "uuid:tag".
func (t TSID) AppendText(dst []byte) []byte {
	dst = t.UUID.AppendText(dst)
	if t.Tag != "" {
		dst = append(dst, ':')
		dst = append(dst, t.Tag...)
	}
	return dst
}

// String returns "uuid" or "uuid:tag".
func (t TSID) String() string { return string(t.AppendText(make([]byte, 0, uuidTextLen+1+MaxTagLen))) }

// ValidTag reports whether tag is a tag in its normal form: 1 to MaxTagLen bytes, [a-z_] first and then [a-z0-9_]. The
// empty tag is not valid: it stands for "untagged".
func ValidTag[T string | []byte](tag T) bool {
	if len(tag) == 0 || len(tag) > MaxTagLen {
		return false
	}
	for i := range len(tag) {
		c := tag[i]
		if c != '_' && (c < 'a' || c > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// NormalTag returns the tag that text stands for: ASCII white space around it removed and upper case made lower, as the
// server does with input. ok is false, and tag empty, when that is no valid tag.
func NormalTag(text string) (tag string, ok bool) {
	p := parser{text: text}
	p.space()
	if tag, ok = p.tag(""); !ok {
		return "", false
	}
	if p.space(); p.pos < len(text) {
		return "", false
	}
	return tag, true
}

// GTID is a MySQL global transaction identifier.
type GTID struct {
	TSID
	// GNO is the transaction number, 1 to MaxGNO.
	GNO uint64
}

// Compare orders GTIDs by TSID, then by number. It returns -1, 0 or 1.
func (g GTID) Compare(o GTID) int {
	if c := g.TSID.Compare(o.TSID); c != 0 {
		return c
	}
	return cmp.Compare(g.GNO, o.GNO)
}

// AppendText appends "uuid:gno" or "uuid:tag:gno".
func (g GTID) AppendText(dst []byte) []byte {
	dst = g.TSID.AppendText(dst)
	dst = append(dst, ':')
	return strconv.AppendUint(dst, g.GNO, 10)
}

// String returns "uuid:gno" or "uuid:tag:gno".
func (g GTID) String() string {
	return string(g.AppendText(make([]byte, 0, uuidTextLen+1+MaxTagLen+1+20)))
}

// ParseError says where and why a text is not what was to be parsed.
type ParseError struct {
	// Offset is the byte offset in the text at which the mistake begins, 0 to the text's length.
	Offset int
	// Reason says in words what is wrong or what was expected.
	Reason string
}

// Error returns the reason after the offset.
func (e *ParseError) Error() string {
	return "gtid: at byte " + strconv.Itoa(e.Offset) + ": " + e.Reason
}
