package main

import (
	"binlens/decoder/internal/logtest"
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// report runs the command over arguments and returns what it prints.
func report(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(append([]string{"stats"}, args...), &stdout, &stderr); code != 0 || stderr.Len() > 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	return stdout.String()
}

// The report of a log of which everything is known beforehand: testdata/mariadb/basic.sql, with the sizes and times that the
// server's tool has for its events.
func TestStatsReport(t *testing.T) {
	got := report(t, "-top", "2", testdata+"mariadb/basic.binlog")
	for _, want := range []string{
		testdata + "mariadb/basic.binlog\n  2,085 bytes, MariaDB 10.11.19-MariaDB-0+deb12u1-log, binlog version 4, checksums CRC32, closed cleanly\n" +
			"  2026-01-06 07:59:00 to 2026-01-06 07:59:00 UTC (0 s)\n  all 28 rows of the list\n\nEvents                    events  bytes\n",
		"\nTABLE_MAP_EVENT                4    276  13.3 %\n",
		"\nin the file                   28  2,081\n\nServers      events  bytes\nserver_id 1      28  2,081\n\n",
		"\nTables   events  bytes  inserted  updated  deleted  first                last\n" +
			"basic.t       4    401         4        1        1  2026-01-06 07:59:00  2026-01-06 07:59:00\n\n",
		"\nTransactions: 5 (3 committed, 2 implicit)\n\n  largest    bytes  rows  time  begins               state      GTID   tables\n" +
			"  4 at 1033    822     3   0 s  2026-01-06 07:59:00  committed  0-1-4  basic.t\n",
		"\nGTIDs: 5 transactions with one, 0 anonymous, 0 without\n  seen             0-1-1 to 0-1-5, 5 of 5\n\n",
		"\nRows with a problem: 0\nFailed checks of transactions: 0\n\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no\n%s\nin\n%s", want, got)
		}
	}
}

// A part of a log says that it is one, each of several files has a report of its own, and -json is an object a line.
func TestStatsOfPartsAndFiles(t *testing.T) {
	basic, gtid := testdata+"mariadb/basic.binlog", testdata+"mariadb/gtid.binlog"
	got := report(t, "-filter", "type:delete", "-from", "3", "-to", "@1855", basic, gtid)
	if n := strings.Count(got, "\n  of a row event all rows count, and transactions with any of these events count whole\n"); n != 2 ||
		!strings.Contains(got, "\n  only 1 of 28 rows of the list: filter type:delete, from 3, to @1855\n") || !strings.Contains(got, "\n  only 0 of 45 rows of the list: ") ||
		!strings.Contains(got, "\nTransactions: 1 (1 committed)\n") {
		t.Error(got)
	}
	lines := strings.Split(strings.TrimSuffix(report(t, "-json", "-filter", "table:*.t", basic, gtid), "\n"), "\n")
	if len(lines) != 2 {
		t.Fatalf("%q", lines)
	}
	for i, want := range []struct {
		file    string
		counted int64
		rows    int64
	}{{basic, 8, 6}, {gtid, 10, 5}} {
		var r stated
		if err := json.Unmarshal([]byte(lines[i]), &r); err != nil || r.File != want.file || r.Filter != "table:*.t" || r.Counted != want.counted || len(r.Tables) != 1 {
			t.Fatalf("%v %s", err, lines[i])
		}
		if v := r.Tables[0]; v.Inserted+v.Updated+v.Deleted != want.rows {
			t.Errorf("%+v", v)
		}
	}
	var stdout, stderr bytes.Buffer
	if code := run([]string{"stats", "-filter", "tabel:x", basic}, &stdout, &stderr); code != exitNoBinlog || stdout.Len() > 0 {
		t.Errorf("exit code %d, %s", code, stdout.String())
	}
}

// Names may have any bytes: none of them reaches the terminal as a command to it, and columns stay in line.
func TestStatsShowsOddNames(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	for i, name := range []string{"\x1b[2Jx\r\n", "größe", "\xff"} {
		id := uint64(100 + i)
		l.Event(logtest.TypeTableMap, logtest.Table{ID: id, Schema: "s", Name: name, Columns: []logtest.Column{logtest.Col(3)}}.Body())
		l.Event(logtest.TypeWriteRows, logtest.Rows{ID: id, Flags: logtest.StmtEnd, V2: true, Width: 1, After: logtest.All(1), Data: logtest.Hex("00 01000000")}.Body())
	}
	got := report(t, write(t, "odd", l.Bytes()))
	if strings.ContainsAny(got, "\x1b\r\ufffd") || !strings.Contains(got, `s.\u001b[2Jx\u000d\u000a       1     40         1 `) || !strings.Contains(got, "\ns.größe                        1     40         1 ") {
		t.Errorf("%q", got)
	}
}

func TestWords(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1000: "-1,000", 1234567: "1,234,567", -123: "-123"} {
		if got := number(n); got != want {
			t.Errorf("%d is %s", n, got)
		}
	}
	for n, want := range map[int64]string{0: "0 s", 59: "59 s", 60: "1 min", 3661: "1 h 1 min 1 s", 86400: "1 d", 172805: "2 d 5 s"} {
		if got := duration(n); got != want {
			t.Errorf("%d is %s", n, got)
		}
	}
}
