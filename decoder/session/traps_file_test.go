package session_test

import (
	"binlens/decoder/frame"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
)

const twoQueries = "FORMAT_DESCRIPTION_EVENT QUERY_EVENT QUERY_EVENT"

// A file that a server has open: its checksum was made without the flag that says so.
func TestTrapInUse(t *testing.T) {
	l := logtest.Bare(logtest.MySQL8040, logtest.CRC32).Raw([]byte("\xfebin")).Format(logtest.FlagInUse).SQL("d", "BEGIN").SQL("d", "COMMIT")
	checkEvents(t, "124 a file in use", dumpLog(t, l.Bytes()), twoQueries, []want{{0, []any{"flags"}, `["BINLOG_IN_USE"]`}, {0, []any{"checksum", "ok"}, "true"}, {0, []any{"problems"}, "absent"}})
	if s := open(t, l.Bytes(), noOptions).Summary().State; s != "in use or crashed" {
		t.Errorf("124: the log is %q", s)
	}
	for _, at := range []int{4, 22, 40, 23 + 50, l.Events[0].Size - 1} { // the format description's own checksum is looked at
		rows := dump(t, open(t, logtest.Flip(l.Bytes(), at, 1), noOptions))
		if plain(get(rows[0], "checksum", "ok")) != "false" || text(get(rows[0], "problems", 0, "kind")) != "checksum" || number(get(rows[2], "data", "thread_id")) != 0 {
			t.Errorf("125: byte %d turned: %s", at, cut(plain(rows[0])))
		}
	}
}

// The checksum is no part of a text at the end of an event, in logs that have checksums; in others nothing is cut off.
func TestTrapTextBeforeChecksum(t *testing.T) {
	for _, s := range logtest.Servers {
		for _, sum := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
			l := logtest.New(s, sum).SQL("d", "BEGIN").SQL("d", "DROP TABLE t").Event(logtest.TypeStop)
			l.Event(logtest.TypeRotate, l.Rotate(4, "bin.000002"))
			rows := dumpLog(t, l.Bytes())
			if got := plain(get(rows[2], "data", "query")) + plain(get(rows[4], "data", "next_file")); got != `"DROP TABLE t""bin.000002"` {
				t.Errorf("126: %s, checksum %d: %s", s.Name, l.Checksum, got)
			}
			size := map[bool]int64{true: 23, false: 19}[l.Checksum == logtest.CRC32]
			if s.Binlog == 1 {
				size = 13
			}
			if number(rows[3].m["size"]) != size || rows[3].m["problems"] != nil || (rows[3].m["checksum"] != nil) != (l.Checksum == logtest.CRC32) {
				t.Errorf("128: %s, checksum %d: %s", s.Name, l.Checksum, plain(rows[3]))
			}
		}
	}
}

// How many post-header lengths a format description has is told by its size: with or without checksum algorithm, whatever
// the server.
func TestTrapFormats(t *testing.T) {
	list := append([]logtest.Server(nil), logtest.Servers...)
	future := logtest.MySQL96
	future.Name, future.Version, future.Lengths = "a server of the future", "10.1.0", append(bytes.Clone(future.Lengths), 7, 8, 9)
	future.Lengths[14] += 3
	maria := logtest.MariaDB105
	maria.Name, maria.Version = "MariaDB 11.4", "11.4.2-MariaDB-log"
	vendor := logtest.MySQL8040
	vendor.Name, vendor.Version = "a vendor's", "8.0.40-31.1-percona-server-log"
	silent := logtest.MariaDB105
	silent.Name, silent.Version = "MariaDB whose version does not say so", "10.6.5-log"
	for _, s := range append(list, future, maria, vendor, silent) {
		if s.Lengths == nil {
			continue
		}
		for _, sum := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
			l := logtest.New(s, sum).SQL("d", "BEGIN").SQL("d", "COMMIT")
			rows := dumpLog(t, l.Bytes())
			lengths, _ := get(rows[0], "data", "post_header_lengths").(*object)
			algorithm := "absent"
			if s.Aware {
				algorithm = fmt.Sprint(byte(sum))
			}
			checkEvents(t, "129 "+s.Name, rows, twoQueries, []want{{0, []any{"data", "checksum_algorithm"}, algorithm}, {0, []any{"problems"}, "absent"}, {2, []any{"data", "query"}, `"COMMIT"`}})
			if lengths == nil || len(lengths.keys) != len(s.Lengths) {
				t.Errorf("129: %s: %s", s.Name, cut(plain(rows[0])))
			}
			if family := open(t, l.Bytes(), noOptions).Summary().Family; (family == "mariadb") != s.MariaDB {
				t.Errorf("159: %s is of the family %s", s.Name, family)
			}
		}
	}
}

// A relay log whose source changes its checksum algorithm, and its version.
func TestTrapChangingFormats(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	l.EventFlags(logtest.TypeRotate, logtest.FlagArtificial, l.Rotate(4, "source.000001"))
	for i, sum := range []logtest.Checksum{logtest.Off, logtest.CRC32, logtest.Off} {
		l.Checksum, l.Shift = sum, uint64(1000*i)
		l.Format(logtest.FlagRelayLog).SQL("d", "BEGIN").Event(logtest.TypeXid, logtest.U64(uint64(i)))
	}
	for i, r := range dumpLog(t, l.Bytes()) {
		if r.m["problems"] != nil || i > 2 && i%3 == 1 && number(get(r, "data", "xid")) != int64(i/3-1) {
			t.Errorf("130: %s", plain(r))
		}
	}
}

// The name in a rotate may be of any length, and of any bytes.
func TestTrapRotateNames(t *testing.T) {
	for _, n := range []int{0, 1, 255, 256, 511, 512, 513, 70000} {
		name := strings.Repeat("b", n)
		l := logtest.New(logtest.MySQL8040, logtest.CRC32)
		l.EventFlags(logtest.TypeRotate, logtest.FlagArtificial, l.Rotate(4, name)).SQL("d", "BEGIN")
		rows := dumpLog(t, l.Bytes())
		if got := text(get(rows[1], "data", "next_file")); got != name || rows[1].m["problems"] != nil || plain(get(rows[2], "data", "query")) != `"BEGIN"` {
			t.Errorf("131: a name of %d bytes: %s", n, cut(plain(rows[1])))
		}
	}
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	l.Event(logtest.TypeRotate, l.Rotate(4, "bin\xff\x00"))
	if got := plain(get(dumpLog(t, l.Bytes())[1], "data", "next_file")); got != `{"hex":"62696eff00"}` {
		t.Errorf("131: a name that is no text: %s", got)
	}
}

// Cut anywhere, a log has the events that are whole; the last is said to be cut, with what it claims and what there is.
func TestTrapTruncated(t *testing.T) {
	for _, sum := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
		l := logtest.New(logtest.MySQL8040, sum).SQL("d", "BEGIN").SQL("d", "INSERT INTO t VALUES (1)")
		last := l.Last()
		for n := last.Off + 1; n < l.Len(); n++ {
			rows := dumpLog(t, l.Bytes()[:n])
			if len(rows) != 3 || kindOf(rows[2]) != "truncated" || plain(get(rows[1], "data", "query")) != `"BEGIN"` || rows[1].m["problems"] != nil {
				t.Fatalf("133, 139: cut to %d bytes: %s", n, plain(rows[len(rows)-1]))
			}
			want := fmt.Sprintf("QUERY_EVENT at %d claims %d bytes, the file has %d of them", last.Off, last.Size, n-last.Off)
			if got := text(get(rows[2], "problems", 0, "reason")); n-last.Off >= 19 && got != want {
				t.Errorf("133, 139: %s, want %s", got, want)
			}
		}
	}
}

// A range of a log, as it is fetched: what was fed is read, the rest is not missed.
func TestTrapHeadOfFile(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32).SQL("d", "BEGIN").SQL("d", "COMMIT").SQL("d", "BEGIN")
	s, err := session.Open(bytes.NewReader(l.Bytes()), int64(l.Len()), noOptions)
	if err != nil {
		t.Fatal(err)
	}
	s.Feed(l.Bytes()[:l.Last().Off-5])
	s.Finish()
	for s.Step(0) {
	}
	rows := dump(t, s)
	if got := s.Summary().State; got != "partly indexed" || len(rows) != 2 || plain(get(rows[1], "data", "query")) != `"BEGIN"` || rows[1].m["problems"] != nil {
		t.Errorf("139: %s, %d rows", got, len(rows))
	}
}

// One event with a wrong checksum is flagged and decoded, and those behind it are read; wherever the wrong bit is.
func TestTrapBadChecksum(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32).SQL("d", "BEGIN").SQL("d", "INSERT INTO t VALUES (1)").SQL("d", "COMMIT")
	e := l.Events[2]
	for at := e.Off; at < e.Off+e.Size; at++ {
		if at >= e.Off+9 && at < e.Off+13 {
			continue // its size
		}
		rows := dumpLog(t, logtest.Flip(l.Bytes(), at, 0x10))
		if len(rows) != 4 || plain(get(rows[2], "checksum", "ok")) != "false" || rows[3].m["problems"] != nil || plain(get(rows[3], "data", "query")) != `"COMMIT"` {
			t.Errorf("134: byte %d of the event: %s", at-e.Off, cut(plain(rows[2])))
		}
	}
}

// A log without its format description, or without its magic, is read under assumptions that are told.
func TestTrapNoFormat(t *testing.T) {
	for _, sum := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
		l := logtest.Bare(logtest.MySQL8040, sum).Raw([]byte("\xfebin")).SQL("d", "BEGIN").SQL("d", "COMMIT")
		said := map[logtest.Checksum]string{logtest.CRC32: "CRC32 checksums", logtest.Off: "no checksums"}[sum]
		checkEvents(t, "136 no format description", dumpLog(t, l.Bytes()), "QUERY_EVENT QUERY_EVENT", []want{
			{0, []any{"problems", 0, "reason"}, `"there is no format description event: version 4 and ` + said + ` are assumed"`}, {0, []any{"data", "query"}, `"BEGIN"`}, {1, []any{"data", "query"}, `"COMMIT"`}, {1, []any{"problems"}, "absent"}})
	}
	l := logtest.Bare(logtest.MySQL8040, logtest.CRC32).Format(0).SQL("d", "BEGIN").SQL("d", "COMMIT")
	checkEvents(t, "136 no magic", dump(t, open(t, l.Bytes(), noOptions)), twoQueries, []want{{0, []any{"offset"}, "0"},
		{0, []any{"problems", 0, "reason"}, `"the file does not start with the magic bytes fe 62 69 6e"`}, {2, []any{"problems"}, "absent"}})
	for _, head := range []string{"\xfebix", "GIF89a", "\x00\x00\x00\x00"} {
		b := append([]byte(head), l.Bytes()...)
		_, err := session.Open(bytes.NewReader(b), int64(len(b)), noOptions)
		if not := new(frame.NotBinlog); !errors.As(err, &not) {
			t.Errorf("136: %q: %v", head, err)
		}
	}
}

// The checksum is that of zlib, not that of iSCSI.
func TestTrapPolynomial(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32).SQL("d", "BEGIN").SQL("d", "COMMIT")
	wrong := bytes.Clone(l.Bytes())
	for _, e := range l.Events[1:] {
		sum := crc32.Checksum(wrong[e.Off:e.Off+e.Size-4], crc32.MakeTable(crc32.Castagnoli))
		binary.LittleEndian.PutUint32(wrong[e.Off+e.Size-4:], sum)
	}
	for _, c := range []struct {
		log []byte
		ok  string
	}{{wrong, "false"}, {l.Bytes(), "true"}} {
		checkEvents(t, "137 checksums, "+c.ok, dumpLog(t, c.log), twoQueries, []want{{0, []any{"checksum", "ok"}, "true"}, {1, []any{"checksum", "ok"}, c.ok}, {2, []any{"checksum", "ok"}, c.ok}})
	}
	if sum := crc32.ChecksumIEEE([]byte("123456789")); sum != 0xcbf43926 {
		t.Errorf("137: the writer's own checksum of the test text is %#x", sum)
	}
}

// Encrypted logs are named as such, and nothing in them is called corrupt.
func TestTrapEncrypted(t *testing.T) {
	b := append([]byte("\xfdbin\x01"), make([]byte, 1000)...)
	_, err := session.Open(bytes.NewReader(b), int64(len(b)), noOptions)
	if not := new(frame.NotBinlog); !errors.As(err, &not) || !strings.Contains(not.LooksLike, "an encrypted MySQL binary log (8.0.14 or later)") {
		t.Errorf("138: %v", err)
	}
	l := logtest.New(logtest.MariaDB105, logtest.CRC32)
	l.Event(logtest.TypeStartEncryption, logtest.StartEncryption(1, 7, []byte("twelve bytes")))
	l.Raw(logtest.Cat(bytesOf(0xa5, 9), logtest.U32(60), bytesOf(0x5a, 47), bytesOf(0x77, 9), logtest.U32(40), bytesOf(0x88, 27)))
	rows := dumpLog(t, l.Bytes())
	checkEvents(t, "138 events of MariaDB", rows, "FORMAT_DESCRIPTION_EVENT START_ENCRYPTION_EVENT ENCRYPTED_EVENT ENCRYPTED_EVENT", []want{{1, []any{"data", "scheme"}, "1"}, {1, []any{"data", "key_version"}, "7"},
		{1, []any{"data", "nonce"}, `{"hex":"7477656c7665206279746573"}`}, {2, []any{"encrypted"}, "true"}, {2, []any{"size"}, "60"}, {3, []any{"size"}, "40"}, {3, []any{"problems", 0, "kind"}, `"unsupported"`}})
}

// A log of MariaDB in pages of InnoDB is no stream of events.
func TestTrapInnoDBLog(t *testing.T) {
	b := append([]byte("\xfe\xfe\x0d\x01"), make([]byte, 1000)...)
	_, err := session.Open(bytes.NewReader(b), int64(len(b)), noOptions)
	if not := new(frame.NotBinlog); !errors.As(err, &not) || !strings.Contains(not.LooksLike, ".ibb") {
		t.Errorf("158: %v", err)
	}
}
