package session_test

import (
	"bytes"
	"testing"

	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
)

// BenchmarkIndex indexes a log of small transactions, checksums included, fed as the page feeds it.
func BenchmarkIndex(b *testing.B) {
	var log bytes.Buffer
	if _, err := logtest.WriteTransactions(&log, 32<<20); err != nil {
		b.Fatal(err)
	}
	file := log.Bytes()
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		s, err := session.Open(bytes.NewReader(file), int64(len(file)), session.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for rest := file; len(rest) > 0; {
			n := min(len(rest), 1<<20)
			s.Feed(rest[:n])
			rest = rest[n:]
			s.Step(0)
		}
		s.Finish()
		s.Step(0)
		if s.Index().BadRows() > 0 || !s.Progress().Done {
			b.Fatal("not indexed")
		}
	}
}
