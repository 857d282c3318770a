package main

import (
	"binlens/decoder/internal/logtest"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Exit codes and what stands on standard error: nothing, or one line of reason.
func TestExitCodes(t *testing.T) {
	sample := logtest.Sample(logtest.MySQL8040, logtest.CRC32)
	good := write(t, "good.000001", sample.Bytes())
	for _, c := range []struct {
		name   string
		args   []string
		code   int
		reason string // part of the line on stderr; empty for none
	}{
		{"a good log", []string{"dump", good}, 0, ""},
		{"with a limit", []string{"dump", "-max-event-size", "5000", good}, 0, ""},
		{"a mistake in the filter", []string{"dump", "--filter", "tabel:x", good}, 2, "filter, bytes 0 to 5: no term is called tabel; expected table:"},
		{"damaged: one event says so", []string{"dump", write(t, "bad", logtest.Flip(sample.Bytes(), sample.Events[3].Off+20, 1))}, 0, ""},
		{"cut off", []string{"dump", write(t, "cut", sample.Bytes()[:sample.Len()-5])}, 0, ""},
		{"magic only", []string{"dump", write(t, "magic", []byte("\xfebin"))}, 0, ""},
		{"no binlog", []string{"dump", write(t, "x.gz", []byte("\x1f\x8b\x08\x00rest"))}, 2, "it looks like a gzip file"},
		{"encrypted", []string{"dump", write(t, "enc", append([]byte("\xfdbin\x01"), make([]byte, 600)...))}, 2, "encrypted MySQL binary log"},
		{"empty", []string{"dump", write(t, "empty", nil)}, 2, "an empty file"},
		{"no such file", []string{"dump", filepath.Join(t.TempDir(), "nothing")}, 1, "nothing"},
		{"a folder", []string{"dump", t.TempDir()}, 1, ""},
		{"help of an unknown command", []string{"help", "frobnicate"}, 2, "usage: binlens dump"},
		{"no command", nil, 2, "usage: binlens dump"},
		{"an unknown command", []string{"frobnicate", good}, 2, "usage: binlens dump"},
		{"no file", []string{"dump"}, 2, "usage: binlens dump"},
		{"no schema of that name", []string{"sql", "-schema", filepath.Join(t.TempDir(), "no.sql"), good}, 1, "no.sql"},
		{"no such row", []string{"text", "-from", "first", good}, 1, "neither the number of a row nor @ and an offset"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if code := run(c.args, &stdout, &stderr); code != c.code {
				t.Errorf("exit code %d, want %d (%s)", code, c.code, stderr.String())
			}
			said := stderr.String()
			if c.code == 0 && said != "" {
				t.Errorf("on standard error: %q", said)
			}
			if c.code != 0 && (strings.Count(said, "\n") != 1 || !strings.HasSuffix(said, "\n") || !strings.Contains(said, c.reason)) {
				t.Errorf("not one line of reason: %q", said)
			}
			if c.code != 0 && stdout.Len() > 0 {
				t.Errorf("on standard output: %q", stdout.String())
			}
			checkLines(t, stdout.Bytes())
		})
	}
	var stdout, stderr bytes.Buffer
	if code := run([]string{"dump", "-no-such-flag", good}, &stdout, &stderr); code != 2 || !strings.Contains(stderr.String(), "no-such-flag") {
		t.Errorf("an unknown flag: exit code %d, %q", code, stderr.String())
	}
}

func TestHelp(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"help", "undo    SQL that takes it back"},
		{"-h", "binlens help COMMAND"},
		{"--help", "binlens help COMMAND"},
		{"help undo", "a file of SQL with the tables' columns"},
		{"csv -h", "-table schema.table"},
	} {
		var stdout, stderr bytes.Buffer
		if code := run(strings.Fields(c.args), &stdout, &stderr); code != 0 || stderr.Len() > 0 || !strings.Contains(stdout.String(), c.says) {
			t.Errorf("binlens %s: exit code %d, %q, on standard error %q", c.args, code, stdout.String(), stderr.String())
		}
	}
}

// checkLines: one JSON object a line, ordinals from 0.
func checkLines(t *testing.T, out []byte) {
	t.Helper()
	if len(out) > 0 && out[len(out)-1] != '\n' {
		t.Error("the last line has no end")
	}
	for i, line := range bytes.Split(bytes.TrimSuffix(out, []byte("\n")), []byte("\n")) {
		if len(out) == 0 {
			return
		}
		var row struct {
			Ordinal *int
			Offset  *int64
			Size    *int64
		}
		if err := json.Unmarshal(line, &row); err != nil || row.Ordinal == nil || *row.Ordinal != i || row.Offset == nil || row.Size == nil {
			t.Fatalf("line %d: %v, %.200s", i, err, line)
		}
	}
}

// A log of several chunks comes out whole and in order.
func TestDumpOfSeveralChunks(t *testing.T) {
	log := logtest.New(logtest.MySQL8040, logtest.CRC32)
	for i := range 40 {
		log.SQL("shop", strings.Repeat("x", 100_000+i))
	}
	if log.Len() < 3*chunk {
		t.Fatal("the log is too small for this test")
	}
	var stdout, stderr bytes.Buffer
	if code := run([]string{"dump", write(t, "long", log.Bytes())}, &stdout, &stderr); code != 0 {
		t.Fatal(stderr.String())
	}
	checkLines(t, stdout.Bytes())
	if n := bytes.Count(stdout.Bytes(), []byte("\n")); n != 41 {
		t.Errorf("%d lines, want 41", n)
	}
}

// Only the rows that a filter leaves are printed, in chunks too.
func TestDumpFiltered(t *testing.T) {
	log := logtest.New(logtest.MySQL8040, logtest.CRC32)
	for i := range 40 {
		log.SQL("shop", strings.Repeat("x", 100_000)+[]string{"apple", "Pear"}[i%2])
	}
	var stdout, stderr bytes.Buffer
	if code := run([]string{"dump", "--filter", "pear -event:2", write(t, "log", log.Bytes())}, &stdout, &stderr); code != 0 {
		t.Fatal(stderr.String())
	}
	for i, line := range bytes.Split(bytes.TrimSuffix(stdout.Bytes(), []byte("\n")), []byte("\n")) {
		var row struct{ Ordinal int }
		if err := json.Unmarshal(line, &row); err != nil || row.Ordinal != 2*i+4 {
			t.Fatalf("line %d is row %d, %v", i, row.Ordinal, err)
		}
	}
	if n := bytes.Count(stdout.Bytes(), []byte("\n")); n != 19 {
		t.Errorf("%d lines, want 19", n)
	}
}

// full is a disk without room.
type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

func TestOutputFails(t *testing.T) {
	log := logtest.New(logtest.MySQL8040, logtest.CRC32)
	for range 30 {
		log.SQL("shop", strings.Repeat("x", 100_000))
	}
	path := write(t, "log", log.Bytes())
	for _, room := range []int{0, 1_500_000} {
		var stderr bytes.Buffer
		if code := run([]string{"dump", path}, &full{room}, &stderr); code != 1 || stderr.String() != "binlens: no space left\n" {
			t.Errorf("with room for %d bytes: exit code %d, %q", room, code, stderr.String())
		}
	}
}

// cutter makes the file shorter at the first output.
type cutter struct {
	path string
	size int64
}

func (c *cutter) Write(p []byte) (int, error) { return len(p), os.Truncate(c.path, c.size) }

// A file that becomes shorter while it is read is no success.
func TestFileShrinks(t *testing.T) {
	log := logtest.New(logtest.MySQL8040, logtest.CRC32)
	for range 40 {
		log.SQL("shop", strings.Repeat("x", 100_000))
	}
	for _, size := range []int64{0, 50_000, 2*chunk + 50_000} {
		path := write(t, "log", log.Bytes())
		var stderr bytes.Buffer
		code := run([]string{"dump", path}, &cutter{path, size}, &stderr)
		if said := stderr.String(); code != 1 || strings.Count(said, "\n") != 1 {
			t.Errorf("cut to %d bytes: exit code %d, %q", size, code, said)
		}
	}
}
