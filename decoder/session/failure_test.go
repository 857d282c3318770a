package session_test

import (
	"binlens/decoder/frame"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// shrinking is a file that can become shorter, or unreadable, while it is open.
type shrinking struct {
	b   []byte
	err error // of every read, when not nil
}

func (f *shrinking) ReadAt(p []byte, off int64) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return bytes.NewReader(f.b).ReadAt(p, off)
}

// A file that becomes shorter under an open session: what is gone is an error, what is there still answers.
func TestFileShrinks(t *testing.T) {
	log := testdata(t, "sample/sample.binlog")
	whole := open(t, log, session.Options{})
	f := &shrinking{b: log}
	s, err := session.Open(f, int64(len(log)), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Feed(log)
	s.Finish()
	s.Step(0)
	f.b = log[:20_000]
	kept, gone := 0, 0
	for i := range s.Index().Len() {
		row := s.Index().Row(i)
		got, err := s.AppendJSON(nil, i, false)
		want, err2 := whole.AppendJSON(nil, i, false)
		switch {
		case row.Off+row.Size <= int64(len(f.b)):
			kept++
			if err != nil || err2 != nil || !bytes.Equal(got, want) {
				t.Errorf("row %d: %s, %v", i, cut(string(got)), err)
			}
		default:
			gone++
			if !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
				t.Errorf("row %d: %s, %v", i, cut(string(got)), err)
			}
		}
	}
	if kept < 20 || gone < 20 {
		t.Errorf("%d rows kept, %d gone", kept, gone)
	}
	for name, err := range map[string]error{
		"detail": second(s.Detail(s.Index().Len()-1, false)), "rows": second(s.RowPage(s.Index().Len()-1, 0, 1, false)),
		"page": second(s.Page(s.Index().Len()-1, 1)), "bytes": second(s.Bytes(s.Index().Len()-1, 0, 1)),
	} {
		if err == nil {
			t.Errorf("%s of a row that is gone", name)
		}
	}
}

// Every way to show a row passes a reading error on, and works again once the file does.
func TestReadErrors(t *testing.T) {
	log := logtest.Sample(logtest.MySQL8040, logtest.CRC32).Bytes()
	broken := errors.New("the disk is on fire")
	f := &shrinking{b: log}
	s, err := session.Open(f, int64(len(log)), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Feed(log)
	s.Finish()
	s.Step(0)
	for i := range s.Index().Len() {
		for name, answer := range map[string]func() ([]byte, error){
			"JSON":   func() ([]byte, error) { return s.AppendJSON(nil, i, false) },
			"detail": func() ([]byte, error) { return s.Detail(i, false) },
			"rows":   func() ([]byte, error) { return s.RowPage(i, 0, 1, false) },
			"page":   func() ([]byte, error) { return s.Page(i, 1) },
			"bytes":  func() ([]byte, error) { return s.Bytes(i, 0, 10) },
		} {
			fresh, err := session.Open(f, int64(len(log)), session.Options{})
			if err != nil {
				t.Fatal(err)
			}
			fresh.Feed(log)
			fresh.Finish()
			fresh.Step(0)
			s = fresh
			f.err = broken
			if b, err := answer(); !errors.Is(err, broken) {
				t.Errorf("row %d, %s: %s, %v", i, name, cut(string(b)), err)
			}
			f.err = nil
			if _, err := answer(); err != nil {
				t.Errorf("row %d, %s, once the file can be read again: %v", i, name, err)
			}
		}
	}
	f.err = broken
	if _, err := session.Open(f, int64(len(log)), session.Options{}); !errors.Is(err, broken) {
		t.Errorf("opened: %v", err)
	}
	f.err = nil
	if _, err := session.Open(f, int64(len(log))+1<<20, session.Options{}); err != nil {
		t.Errorf("a file that is shorter than said, behind its beginning: %v", err)
	}
	f.b = log[:100]
	if _, err := session.Open(f, int64(len(log)), session.Options{}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a file that is shorter than its beginning: %v", err)
	}
}

// What is no binary log is refused with what it looks like.
func TestNotBinlog(t *testing.T) {
	for _, c := range []struct{ name, file, looks string }{
		{"empty", "", "an empty file"},
		{"text", "SELECT 1;\n", "a text file"},
		{"gzip", "\x1f\x8b\x08\x00", "a gzip file"},
		{"encrypted", "\xfdbin\x01" + strings.Repeat("\x00", 600), "an encrypted MySQL binary log (8.0.14 or later)"},
		{"index", "./bin.000001\n./bin.000002\n", "an index of binary logs"},
		{"noise", "\x00\x01\x02\x03\x04\x05", ""},
	} {
		_, err := session.Open(strings.NewReader(c.file), int64(len(c.file)), session.Options{})
		var not *frame.NotBinlog
		if !errors.As(err, &not) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if not.LooksLike != c.looks || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: it looks like %q, want %q (%v)", c.name, not.LooksLike, c.looks, err)
		}
	}
}
