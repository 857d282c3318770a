package frame

import (
	"binlens/decoder"
	"bytes"
	"encoding/binary"
)

// SniffLen is how many bytes of a file's beginning Sniff wants to see, or all of a shorter one.
const SniffLen = 512

// Start tells where the events of a file start and how to read the first.
type Start struct {
	Off     int64                      // 4, or 0 where the magic is missing
	Format  *decoder.FormatDescription // assumed for the first event: version 1, 3 or 4
	NoMagic bool
}

// NotBinlog says that a file is no binary log that can be read here.
type NotBinlog struct {
	LooksLike string // "a gzip file"; empty when it looks like nothing known
	Says      string // what it tells of itself; may be empty
	Advice    string // what to do about it; may be empty
}

// Error says what the file is instead.
func (e *NotBinlog) Error() string {
	s := "this is not a binary log"
	if e.LooksLike != "" {
		s += ": it looks like " + e.LooksLike
	}
	if e.Says != "" {
		s += ", " + e.Says
	}
	if e.Advice != "" {
		s += ". " + e.Advice
	}
	return s
}

var magic = []byte("\xfebin")

// Sniff tells by its first bytes what a file of size bytes is. The error is a *NotBinlog.
func Sniff(head []byte, size int64) (Start, error) {
	if bytes.HasPrefix(head, magic) {
		return Start{Off: 4, Format: firstFormat(head[4:])}, nil
	}
	if s := foreign(head, size); s != nil {
		return Start{}, s
	}
	f := firstFormat(head)
	if len(head) >= decoder.HeaderLen && (f.Start || head[4] == byte(decoder.FormatDescriptionType)) {
		var h decoder.Header
		f.ParseHeader(head, &h)
		if plausibleStart(h, head) {
			return Start{Format: f, NoMagic: true}, nil
		}
	}
	return Start{}, &NotBinlog{}
}

// plausibleStart says that an event at the beginning of a file without magic is a start event.
func plausibleStart(h decoder.Header, head []byte) bool {
	if int(h.Size) > len(head) || int(h.Size) < h.Len+56 {
		return false
	}
	version := binary.LittleEndian.Uint16(head[h.Len:])
	return version == 1 && h.Len == decoder.HeaderLenV1 || version == 3 || version == 4
}

// firstFormat tells the version of a log by its first event: START_EVENT_V3 of less than 75 bytes is version 1, of more
// version 3, as is a ROTATE_EVENT that comes first (relay logs of 4.x replicas); everything else is version 4.
func firstFormat(b []byte) *decoder.FormatDescription {
	if len(b) >= decoder.HeaderLenV1 {
		switch decoder.Type(b[4]) {
		case decoder.StartV3:
			if binary.LittleEndian.Uint32(b[9:]) < 75 {
				return decoder.AssumedV3(1)
			}
			return decoder.AssumedV3(3)
		case decoder.RotateType:
			return decoder.AssumedV3(3)
		}
	}
	return decoder.AssumedFormat(decoder.ChecksumOff)
}

// encryptedMagic is that of a MySQL log that is encrypted as a whole.
const encryptedMagic = "\xfdbin"

var foreignMagics = []struct{ magic, name, advice string }{
	{encryptedMagic, "an encrypted MySQL binary log (8.0.14 or later)", "Its events can be read only with the server's key; decrypt it with the server first, as mysqlbinlog --read-from-remote-server does"},
	{"\xfe\xfe\x0d\x01", "a MariaDB InnoDB-based binary log (.ibb, 12.3 or later)", "It is pages, not a stream of events, and is not read here"},
	{"\x1f\x8b", "a gzip file", "Unpack it first"},
	{"\x28\xb5\x2f\xfd", "a zstd file", "Unpack it first"},
	{"\xfd7zXZ\x00", "an xz file", "Unpack it first"},
	{"BZh", "a bzip2 file", "Unpack it first"},
	{"PK\x03\x04", "a zip archive", "Unpack it first"},
	{"\xd4\xc3\xb2\xa1", "a packet capture (pcap)", ""},
	{"\xa1\xb2\xc3\xd4", "a packet capture (pcap)", ""},
	{"\x4d\x3c\xb2\xa1", "a packet capture (pcap)", ""},
	{"\x0a\x0d\x0d\x0a", "a packet capture (pcapng)", ""},
	{"/*!50530 SET", "the text that mysqlbinlog prints", "Drop the log itself"},
	{"/*!40019 SET", "the text that mysqlbinlog prints", "Drop the log itself"},
	{"\x89PNG", "a PNG image", ""},
	{"\xff\xd8\xff", "a JPEG image", ""},
	{"%PDF", "a PDF document", ""},
	{"\x7fELF", "a program", ""},
	{"SQLite format 3\x00", "an SQLite database", ""},
	{"-- MySQL dump", "a dump of mysqldump", "Drop a binary log"},
	{"-- MariaDB dump", "a dump of mariadb-dump", "Drop a binary log"},
}

// foreign names files that are something else; nil when it cannot.
func foreign(head []byte, size int64) *NotBinlog {
	if size == 0 {
		return &NotBinlog{LooksLike: "an empty file"}
	}
	for _, f := range foreignMagics {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			n := &NotBinlog{LooksLike: f.name, Advice: f.advice}
			if f.magic == encryptedMagic {
				n.Says = encryptedHeader(head)
			}
			return n
		}
	}
	if isText(head) {
		switch {
		case bytes.Contains(head, []byte("/*!50003 SET @OLD_COMPLETION_TYPE")) || bytes.Contains(head, []byte("# at 4\n")):
			return &NotBinlog{LooksLike: "the text that mysqlbinlog prints", Advice: "Drop the log itself"}
		case isIndex(head):
			return &NotBinlog{LooksLike: "an index of binary logs", Advice: "It only lists the logs' names: drop one of those"}
		}
		return &NotBinlog{LooksLike: "a text file"}
	}
	return nil
}

func isText(b []byte) bool {
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' {
			return false
		}
	}
	return true
}

// isIndex says that every whole line is the path of a numbered file.
func isIndex(b []byte) bool {
	lines := bytes.Split(b, []byte("\n"))
	if len(b) == SniffLen {
		lines = lines[:len(lines)-1]
	}
	n := 0
	for _, l := range lines {
		if l = bytes.TrimSpace(l); len(l) == 0 {
			continue
		}
		dot := bytes.LastIndexByte(l, '.')
		if dot < 0 || dot == len(l)-1 || len(bytes.Trim(l[dot+1:], "0123456789")) > 0 {
			return false
		}
		n++
	}
	return n > 0
}
