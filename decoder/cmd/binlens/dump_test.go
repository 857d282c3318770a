package main

import (
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"bytes"
	"errors"
	"io"
	"testing"
)

// opened indexes a log.
func opened(t *testing.T, log []byte, ra io.ReaderAt) *session.Session {
	t.Helper()
	s, err := session.Open(ra, int64(len(log)), session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Feed(log)
	s.Finish()
	for s.Step(0) {
	}
	return s
}

// Whatever the workers and the rows they are given at once, the lines are those of one session that goes through the log.
func TestLinesInOrder(t *testing.T) {
	var many bytes.Buffer
	if _, err := logtest.WriteTransactions(&many, 1<<20); err != nil {
		t.Fatal(err)
	}
	logs := map[string][]byte{"transactions": many.Bytes()}
	for _, f := range logtest.Samples() {
		logs[f.Name] = f.Bytes
	}
	for name, log := range logs {
		s := opened(t, log, bytes.NewReader(log))
		n := s.Index().Len()
		var want []byte
		for i := range n {
			var err error
			if want, err = s.AppendJSON(want, i, false); err != nil {
				t.Fatal(err)
			}
			want = append(want, '\n')
		}
		for _, workers := range []int{1, 2, 7} {
			var got bytes.Buffer
			l := newLines(s, workers)
			for _, r := range [][2]int64{{0, n / 3}, {n / 3, n / 3}, {n / 3, n}} {
				if err := l.write(&got, r[0], r[1]); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			l.close()
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%s, %d workers: the lines differ", name, workers)
			}
		}
	}
}

// brokenFrom cannot read behind a place.
type brokenFrom struct {
	io.ReaderAt
	off int64
}

var errBroken = errors.New("the disk is broken")

func (b brokenFrom) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > b.off {
		return 0, errBroken
	}
	return b.ReaderAt.ReadAt(p, off)
}

// The rows in front of one that cannot be read are written, those behind it are not.
func TestLinesEndAtFault(t *testing.T) {
	var many bytes.Buffer
	if _, err := logtest.WriteTransactions(&many, 1<<20); err != nil {
		t.Fatal(err)
	}
	log := many.Bytes()
	l := newLines(opened(t, log, brokenFrom{bytes.NewReader(log), 700 << 10}), 3)
	defer l.close()
	var got bytes.Buffer
	if err := l.write(&got, 0, l.s.Index().Len()); !errors.Is(err, errBroken) {
		t.Errorf("the error is %v", err)
	}
	checkLines(t, got.Bytes())
	if n := int64(bytes.Count(got.Bytes(), []byte("\n"))); n == 0 || n >= l.s.Index().Len() {
		t.Errorf("%d of %d lines", n, l.s.Index().Len())
	}
}
