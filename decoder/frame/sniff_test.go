package frame_test

import (
	"errors"
	"strings"
	"testing"

	"binlens/decoder/frame"
	"binlens/decoder/internal/logtest"
)

// Files that are no logs are told by what they are.
func TestSniffForeign(t *testing.T) {
	for _, tt := range []struct{ head, want string }{
		{"", "an empty file"},
		{"\xfdbin\x01\x02", "an encrypted MySQL binary log"},
		{"\xfe\xfe\x0d\x01\x0e", "a MariaDB InnoDB-based binary log"},
		{"\x1f\x8b\x08\x00", "a gzip file"},
		{"\x28\xb5\x2f\xfd\x24", "a zstd file"},
		{"\xfd7zXZ\x00\x00", "an xz file"},
		{"BZh91AY", "a bzip2 file"},
		{"PK\x03\x04\x14\x00", "a zip archive"},
		{"\xd4\xc3\xb2\xa1\x02\x00", "a packet capture (pcap)"},
		{"\xa1\xb2\xc3\xd4\x00\x02", "a packet capture (pcap)"},
		{"\x4d\x3c\xb2\xa1\x02\x00", "a packet capture (pcap)"},
		{"\x0a\x0d\x0d\x0a\x1c\x00", "a packet capture (pcapng)"},
		{"/*!50530 SET @@SESSION.PSEUDO_SLAVE_MODE=1*/;\n", "the text that mysqlbinlog prints"},
		{"/*!40019 SET @@session.max_insert_delayed_threads=0*/;\n", "the text that mysqlbinlog prints"},
		{"# The proper term\n/*!50003 SET @OLD_COMPLETION_TYPE=@@COMPLETION_TYPE */;\n", "the text that mysqlbinlog prints"},
		{"DELIMITER /*!*/;\n# at 4\n#250101", "the text that mysqlbinlog prints"},
		{"\x89PNG\r\n\x1a\n", "a PNG image"},
		{"\xff\xd8\xff\xe0", "a JPEG image"},
		{"%PDF-1.7\n", "a PDF document"},
		{"\x7fELF\x02", "a program"},
		{"SQLite format 3\x00", "an SQLite database"},
		{"-- MySQL dump 10.13\n", "a dump of mysqldump"},
		{"-- MariaDB dump 10.19\n", "a dump of mariadb-dump"},
		{"./binlog.000001\n./binlog.000002\n", "an index of binary logs"},
		{"C:\\data\\bin.000001\r\n\r\n", "an index of binary logs"},
		{"binlog.000001", "an index of binary logs"},
		{"hello, world\n", "a text file"},
		{"notes.txt\nmore.md\n", "a text file"},
		{"CREATE TABLE t (a INT);", "a text file"},
		{"\x00\x01\x02\x03", ""},
		{"\xfebix\x00", ""},
		{strings.Repeat("\x00", 600), ""},
	} {
		_, err := frame.Sniff([]byte(tt.head[:min(len(tt.head), frame.SniffLen)]), int64(len(tt.head)))
		var not *frame.NotBinlog
		if !errors.As(err, &not) || !strings.HasPrefix(not.LooksLike, tt.want) || tt.want == "" && not.LooksLike != "" {
			t.Errorf("%.20q: %v; want %q", tt.head, err, tt.want)
			continue
		}
		if s := not.Error(); !strings.HasPrefix(s, "this is not a binary log") || !strings.Contains(s, not.LooksLike) || !strings.Contains(s, not.Advice) {
			t.Errorf("%.20q: %s", tt.head, s)
		}
	}
	// Of a long index only a part of a line may be seen.
	long := strings.Repeat("/var/lib/mysql/binlog.000001\n", 100)
	if _, err := frame.Sniff([]byte(long[:frame.SniffLen]), int64(len(long))); !strings.Contains(err.Error(), "an index of binary logs") {
		t.Error(err)
	}
}

// Logs are told by their first event, with or without the magic.
func TestSniffLogs(t *testing.T) {
	for _, s := range logtest.Servers {
		for _, magic := range []bool{true, false} {
			l := logtest.New(s, logtest.CRC32).SQL("d", "BEGIN")
			b := l.Bytes()
			if !magic {
				b = b[4:]
			}
			start, err := frame.Sniff(b, int64(len(b)))
			if err != nil {
				t.Errorf("%s, magic %t: %v", s.Name, magic, err)
				continue
			}
			off := int64(4)
			if !magic {
				off = 0
			}
			if start.Off != off || start.NoMagic == magic || !start.Format.Assumed || start.Format.Layout() != int(s.Binlog) {
				t.Errorf("%s, magic %t: %+v", s.Name, magic, start)
			}
			frames := scan(t, b, options{})
			if len(frames) != 2 || magic != (frames[0].Bad == nil) || !magic && !strings.Contains(frames[0].Bad.Msg, "fe 62 69 6e") || string(frames[1].Format.ServerVersion) != s.Version {
				t.Errorf("%s, magic %t: %s %v", s.Name, magic, show(frames), frames[0].Bad)
			}
		}
	}
	for _, tt := range []struct {
		name string
		head []byte
		want int
	}{
		{"magic alone", []byte("\xfebin"), 4},
		{"START_EVENT_V3 of 69 bytes", logtest.Cat([]byte("\xfebin"), claim(1, 69, 0)), 1},
		{"START_EVENT_V3 of 74 bytes", logtest.Cat([]byte("\xfebin"), claim(1, 74, 0)), 1},
		{"START_EVENT_V3 of 75 bytes", logtest.Cat([]byte("\xfebin"), claim(1, 75, 0)), 3},
		{"ROTATE", logtest.Cat([]byte("\xfebin"), claim(4, 40, 0)), 3},
		{"QUERY", logtest.Cat([]byte("\xfebin"), claim(2, 40, 0)), 4},
	} {
		start, err := frame.Sniff(tt.head, int64(len(tt.head)))
		if err != nil || start.Format.Layout() != tt.want {
			t.Errorf("%s: %v, %v", tt.name, start.Format, err)
		}
	}
	// Without magic more than a type code must speak for it.
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	for _, damaged := range [][]byte{logtest.SetSize(l.Bytes(), 4, 1<<20)[4:], logtest.SetSize(l.Bytes(), 4, 30)[4:], logtest.Flip(l.Bytes(), 4+19, 0xff)[4:], l.Bytes()[4:20]} {
		if _, err := frame.Sniff(damaged, int64(len(damaged))); err == nil {
			t.Errorf("% x… passes for a log", damaged[:16])
		}
	}
}
