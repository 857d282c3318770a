package session_test

import (
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var formats = []session.Format{session.FormatSQL, session.FormatUndo, session.FormatText, session.FormatBlock, session.FormatCSV, session.FormatShare, session.FormatJSON}

// FuzzExport writes any bytes behind the magic in every format: it ends, JSON is JSON, CSV is CSV, and of a script every line that
// is neither a comment nor inside of a statement of the log begins as a statement of a row does.
func FuzzExport(f *testing.F) {
	names, _ := filepath.Glob(filepath.Join(root(f), "testdata", "*", "*.binlog"))
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			f.Fatal(err)
		}
		for i := range formats {
			if len(b) > 4 {
				f.Add(b[4:min(len(b), maxFuzzed)], uint8(i))
			}
		}
	}
	for i, s := range logtest.Samples() {
		f.Add(s.Bytes[4:], uint8(i))
	}
	f.Fuzz(func(t *testing.T, b []byte, format uint8) {
		if len(b) > maxFuzzed {
			return
		}
		log := append([]byte("\xfebin"), b...)
		s, err := session.Open(bytes.NewReader(log), int64(len(log)), session.Options{})
		if err != nil {
			t.Fatal(err) // the magic makes it a log
		}
		s.Feed(log)
		s.Finish()
		for s.Step(0) {
		}
		if s.Index().Len() > maxShown {
			return
		}
		s.AddSchema(b)
		x, err := s.NewExport(formats[int(format)%len(formats)], s.All(), session.ExportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if _, err := x.WriteTo(&out); err != nil {
			t.Fatal(err)
		}
		checkExport(t, formats[int(format)%len(formats)], out.String(), x.Notes())
	})
}

func checkExport(t *testing.T, f session.Format, out string, notes *session.Notes) {
	switch f {
	case session.FormatShare, session.FormatJSON:
		for line := range strings.Lines(out) {
			if !json.Valid([]byte(line)) {
				t.Errorf("no JSON: %s", cut(line))
			}
		}
	case session.FormatCSV:
		if _, err := csv.NewReader(strings.NewReader(out)).ReadAll(); err != nil {
			t.Errorf("no CSV: %v", err)
		}
	case session.FormatUndo: // which has no text of the log but in comments
		if !notes.Complete() != strings.Contains(out, "\nSIGNAL SQLSTATE") {
			t.Errorf("complete: %t, but %s", notes.Complete(), cut(out))
		}
	}
}
