package session_test

import (
	"binlens/decoder"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// FuzzSession opens any bytes behind the magic as a log: every row is listed and shown in every way, all of it is JSON,
// and the rows tile the file.
func FuzzSession(f *testing.F) {
	names, _ := filepath.Glob(filepath.Join(root(f), "testdata", "*", "*.binlog"))
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			f.Fatal(err)
		}
		if len(b) > 4 {
			f.Add(b[4:min(len(b), maxFuzzed)], uint8(len(b)))
		}
	}
	for _, s := range logtest.Samples() {
		f.Add(s.Bytes[4:], uint8(0))
	}
	for _, l := range smallLogs(f) {
		if len(l.Bytes) <= maxFuzzed {
			f.Add(l.Bytes[4:], uint8(7))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, chunk uint8) {
		if len(b) > maxFuzzed {
			return
		}
		log := append([]byte("\xfebin"), b...)
		s, err := session.Open(bytes.NewReader(log), int64(len(log)), session.Options{MaxEvent: int64(chunk) * 100})
		if err != nil {
			t.Fatal(err) // the magic makes it a log
		}
		n := len(log)/(1+int(chunk)) + 1
		for rest := log; len(rest) > 0; rest = rest[min(n, len(rest)):] {
			s.Feed(rest[:min(n, len(rest))])
			s.Step(0)
		}
		s.Finish()
		for i := 0; s.Step(0) || !s.Progress().Done; i++ {
			if i > 1000 {
				t.Fatal("it does not end")
			}
		}
		checkRows(t, s, log)
	})
}

const (
	maxFuzzed = 16 << 10
	maxShown  = 2000 // rows
)

// compressed says that what an event shows may be much larger than the event.
func compressed(t decoder.Type) bool {
	return t >= decoder.QueryCompressedType && t <= decoder.DeleteRowsCompressedType
}

func checkRows(t *testing.T, s *session.Session, log []byte) {
	at, inside, payload := int64(4), int64(0), int64(-1)
	for i := range s.Index().Len() {
		row := s.Index().Row(i)
		end := &at
		if row.Payload >= 0 {
			if end = &inside; row.Payload != payload {
				payload, inside = row.Payload, 0
			}
			if n := s.Index().Inside(payload); i <= payload || i > payload+n {
				t.Fatalf("row %d is inside row %d, which holds %d", i, payload, n)
			}
		}
		if row.Off != *end || row.Size <= 0 {
			t.Fatalf("row %d is %d bytes at %d, the one before ended at %d", i, row.Size, row.Off, *end)
		}
		*end += row.Size
		if i > maxShown && i < s.Index().Len()-10 {
			continue // a small payload may hold a million events
		}
		for name, answer := range map[string]func() ([]byte, error){
			"JSON":   func() ([]byte, error) { return s.AppendJSON(nil, i, true) },
			"detail": func() ([]byte, error) { return s.Detail(i, false) },
			"rows":   func() ([]byte, error) { return s.RowPage(i, 1, 5, true) },
		} {
			b, err := answer()
			if err != nil || !json.Valid(b) || bytes.IndexByte(b, '\n') >= 0 {
				t.Fatalf("row %d, %s: %v, %s", i, name, err, cut(string(b)))
			}
			// A null in a row of many columns takes one bit, a problem of a cell some words, and a byte of what is compressed
			// becomes a thousand: the answer is still bounded.
			if len(b) > 3_000_000 && !compressed(row.Type) || len(b) > 100_000_000 {
				t.Fatalf("row %d, %s: %d bytes of a row of %d", i, name, len(b), row.Size)
			}
		}
	}
	if at != int64(len(log)) {
		t.Fatalf("the rows end at %d, the file has %d bytes", at, len(log))
	}
	shown := min(s.Index().Len(), maxShown)
	b, err := s.Page(0, int(shown))
	if err != nil {
		t.Fatal(err)
	}
	if _, rows := readPage(t, b); int64(len(rows)) != shown {
		t.Fatalf("%d rows on the page of %d", len(rows), s.Index().Len())
	}
	for _, r := range pageTexts(t, b) {
		if len(r) > 400 {
			t.Fatalf("a summary of %d bytes: %s", len(r), cut(r))
		}
	}
}

func pageTexts(t *testing.T, page []byte) (texts []string) {
	_, rows := readPage(t, page)
	for _, r := range rows {
		texts = append(texts, r.text)
	}
	return texts
}
