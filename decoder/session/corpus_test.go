package session_test

import (
	"binlens/decoder/frame"
	"binlens/decoder/session"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// corpusLog is a log of the test suites' collection.
type corpusLog struct {
	name    string
	kind    string // mysql-binlog, mariadb-binlog, relay, encrypted
	notable string // what the collection's manifest says of it
	bytes   []byte
}

// corpus returns the logs of the collection beside the project.
func corpus(t *testing.T) (logs []corpusLog) {
	t.Helper()
	for i, line := range strings.Split(string(shared(t, "corpus/manifest.tsv")), "\n") {
		f := strings.Split(line, "\t")
		if i == 0 || len(f) < 7 {
			continue
		}
		switch f[3] {
		case "mysql-binlog", "mariadb-binlog", "relay", "encrypted":
			logs = append(logs, corpusLog{f[0], f[3], f[6], shared(t, "corpus/files/"+f[0])})
		}
	}
	names, err := filepath.Glob(filepath.Join(root(t), "..", "shared", "corpus", "mysql80", "*.binlog.00000?"))
	if err != nil || len(names) < 8 {
		t.Fatalf("%d logs of MySQL 8.0, %v", len(names), err)
	}
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		kind := "mysql-binlog"
		if strings.Contains(n, "encrypted") {
			kind = "encrypted"
		}
		logs = append(logs, corpusLog{"mysql80/" + filepath.Base(n), kind, "", b})
	}
	return logs
}

// Every log of the collection is read to its end: one JSON object a row, every byte of the file in exactly one row, and
// problems only where the manifest or the table below says so.
func TestCorpus(t *testing.T) {
	read := 0
	for _, l := range corpus(t) {
		t.Run(l.name, func(t *testing.T) {
			if l.kind == "encrypted" && l.bytes[0] == 0xfd {
				_, err := session.Open(bytes.NewReader(l.bytes), int64(len(l.bytes)), session.Options{})
				var not *frame.NotBinlog
				if !errors.As(err, &not) || !strings.Contains(not.LooksLike, "encrypted MySQL") {
					t.Fatalf("opened, or refused as something else: %v", err)
				}
				return
			}
			read++
			rows := dump(t, open(t, l.bytes, session.Options{}))
			checkTiling(t, rows, 4, int64(len(l.bytes)))
			checkProblems(t, l, rows)
		})
	}
	if read < 175 {
		t.Errorf("only %d logs read", read)
	}
}

// checkTiling: the rows follow each other without gap or overlap from the first byte after the magic to the last. Those
// inside a payload follow its row, and each other from the first decompressed byte to the last.
func checkTiling(t *testing.T, rows []*object, start, size int64) {
	t.Helper()
	at, inside, payload := start, int64(0), (*object)(nil)
	for i, r := range rows {
		if number(r.m["ordinal"]) != int64(i) {
			t.Fatalf("row %d has ordinal %v", i, r.m["ordinal"])
		}
		if p := r.m["payload"]; p != nil {
			if payload == nil || number(get(p, "ordinal")) != number(payload.m["ordinal"]) || number(get(p, "offset")) != number(payload.m["offset"]) {
				t.Fatalf("row %d is inside the payload %s", i, plain(p))
			}
			if got := number(r.m["offset"]); got != inside {
				t.Fatalf("row %d starts at %d of its payload, the one before ended at %d", i, got, inside)
			}
			n := number(r.m["size"])
			if n <= 0 || r.m["checksum"] != nil || kindOf(r) == "event" && plain(r.m["transaction"]) != plain(payload.m["transaction"]) {
				t.Fatalf("row %d has %v bytes: %s", i, r.m["size"], cut(plain(r)))
			}
			inside += n
			continue
		}
		checkInside(t, payload, inside)
		if payload, inside = nil, 0; text(r.m["type"]) == "TRANSACTION_PAYLOAD_EVENT" {
			payload = r
		}
		if got := number(r.m["offset"]); got != at {
			t.Fatalf("row %d starts at %d, the one before ended at %d", i, got, at)
		}
		n := number(r.m["size"])
		if n <= 0 {
			t.Fatalf("row %d has %v bytes", i, r.m["size"])
		}
		at += n
	}
	checkInside(t, payload, inside)
	if at != size {
		t.Fatalf("the rows end at %d, the file has %d bytes", at, size)
	}
}

// checkInside: a payload without a problem holds as many bytes as it says.
func checkInside(t *testing.T, payload *object, inside int64) {
	t.Helper()
	if payload == nil || payload.m["problems"] != nil || payload.m["data"] == nil {
		return
	}
	if n := get(payload.m["data"], "uncompressed_size"); n != nil && number(n) != inside {
		t.Fatalf("the events inside the payload at %d have %d bytes, it says %d", number(payload.m["offset"]), inside, number(n))
	}
}

// Logs whose problems the manifest does not announce in words that a test can read.
var exceptions = map[string]struct {
	problems []string // type or kind of the row, kind and beginning of the reason
	why      string
}{
	"my8.0.46_psbad_binlog_rows_event_oversized_width.bin": {
		[]string{"WRITE_ROWS_EVENT corrupt 4097 columns: a table has at most 4096"}, "MALFORMED on purpose, as the manifest says"},
	"my5.7.44_psbad_binlog_table_map_oversized_name.bin": {
		nil, "MALFORMED by a schema name of 200 bytes, which no server creates; the event is well-formed and reads as it is"},
	"ma10.6.26_mdev-39404-binlog.000001": {
		[]string{"MARIADB_GTID_EVENT checksum the checksum of the bytes is 0x04e0a427", "MARIADB_GTID_EVENT corrupt 170 bytes: a part of an XA transaction's id has at most 64"},
		"MALFORMED: an XID of 170 and 187 bytes, more than the 64 and 64 that XA allows"},
	"my5.0.46_corrupt-relay-bin.000624": {
		[]string{"QUERY_EVENT truncated 16949 bytes needed, 139 left"}, "the last event is the corruption the log is kept for: a query whose body is not its own"},
	"unk_binlog_no_fd_event.000001": {
		[]string{"UNKNOWN_EVENT_48 corrupt there is no format description event"}, "has none, as the manifest says"},
	"my5.7.2_binlog_truncated_prev_gtid_event.000001": {
		[]string{"truncated truncated 9 bytes are left: no event header fits"}, "TRUNCATED inside a header"},
	"ma10.2.28_binlog_before_20574.bin": {
		[]string{"ENCRYPTED_EVENT unsupported the event is encrypted"}, "encrypted from START_ENCRYPTION on"},
}

var (
	mismatchesOf = regexp.MustCompile(`CRC32 MISMATCH in (\d+) of \d+ events`)
	mismatchAt   = regexp.MustCompile(`CRC32 MISMATCH in event (\d+) at (\d+)`)
	truncatedAt  = regexp.MustCompile(`TRUNCATED/ODD: event type (\d+) at (\d+) size (\d+) overruns \((\d+) left\)`)
)

func checkProblems(t *testing.T, l corpusLog, rows []*object) {
	t.Helper()
	mismatches, wantMismatches := 0, 0
	if m := mismatchesOf.FindStringSubmatch(l.notable); m != nil {
		wantMismatches, _ = strconv.Atoi(m[1])
	}
	wrongAt := mismatchAt.FindStringSubmatch(l.notable)
	if wrongAt != nil {
		wantMismatches = 1
	}
	cutAt := truncatedAt.FindStringSubmatch(l.notable)
	exception, cuts := exceptions[l.name], 0
	for i, r := range rows {
		if kindOf(r) == "gap" || kindOf(r) == "padding" {
			t.Errorf("row %d is %s", i, kindOf(r))
		}
		list, _ := r.m["problems"].([]any)
		for _, p := range list {
			what := kindOf(r)
			if what == "event" {
				what = text(r.m["type"])
			}
			kind, reason := text(get(p, "kind")), text(get(p, "reason"))
			said := what + " " + kind + " " + reason
			if number(get(p, "offset")) < number(r.m["offset"]) || number(get(p, "offset")) > number(r.m["offset"])+number(r.m["size"]) {
				t.Errorf("row %d: a problem at %v, outside of it", i, get(p, "offset"))
			}
			expected := false
			for _, e := range exception.problems {
				expected = expected || strings.HasPrefix(said, e)
			}
			if kind == "checksum" {
				mismatches++
				expected = wantMismatches > 0 && (wrongAt == nil || fmt.Sprint(number(r.m["code"])) == wrongAt[1] && fmt.Sprint(number(r.m["offset"])) == wrongAt[2])
			}
			if kind == "truncated" && what == "truncated" && cutAt != nil {
				cuts++
				expected = fmt.Sprint(number(r.m["offset"])) == cutAt[2] && strings.Contains(reason, "claims "+cutAt[3]+" bytes, the file has "+cutAt[4])
			}
			if !expected {
				t.Errorf("row %d: %s", i, said)
			}
		}
	}
	if mismatches != wantMismatches {
		t.Errorf("%d wrong checksums, want %d", mismatches, wantMismatches)
	}
	if (cutAt != nil) != (cuts == 1) {
		t.Errorf("%d truncated events, the manifest says %q", cuts, l.notable)
	}
	for _, e := range exception.problems {
		if !hasProblem(rows, e) {
			t.Errorf("no problem %q: %s", e, exception.why)
		}
	}
}

func hasProblem(rows []*object, said string) bool {
	for _, r := range rows {
		list, _ := r.m["problems"].([]any)
		for _, p := range list {
			what := kindOf(r)
			if what == "event" {
				what = text(r.m["type"])
			}
			if strings.HasPrefix(what+" "+text(get(p, "kind"))+" "+text(get(p, "reason")), said) {
				return true
			}
		}
	}
	return false
}

// The project's own logs have problems only where they were cut.
func TestOwnLogsAreClean(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(root(t), "testdata", "*", "*.binlog"))
	if err != nil || len(names) < 15 {
		t.Fatalf("%d logs, %v", len(names), err)
	}
	for _, n := range names {
		if strings.Contains(n, "damaged") {
			continue // on purpose: its golden dump tells
		}
		t.Run(filepath.Base(n), func(t *testing.T) {
			b, err := os.ReadFile(n)
			if err != nil {
				t.Fatal(err)
			}
			rows := dump(t, open(t, b, session.Options{}))
			checkTiling(t, rows, 4, int64(len(b)))
			for i, r := range rows {
				list, _ := r.m["problems"].([]any)
				for _, p := range list {
					if !strings.Contains(n, "truncated_") || kindOf(r) != "truncated" {
						t.Errorf("row %d, %v: %s", i, r.m["type"], plain(p))
					}
				}
				if strings.Contains(n, "truncated_") && (kindOf(r) == "truncated") != (i == len(rows)-1) {
					t.Errorf("row %d of %d is %s", i, len(rows), kindOf(r))
				}
			}
		})
	}
}
