package main

import (
	"binlens/decoder/query"
	"binlens/decoder/session"
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
)

// chunk is how many bytes are read and indexed between two stretches of output, for each of the cores.
const chunk = 1 << 20

// maxChunks bounds that for many cores.
const maxChunks = 16

// dump prints the rows of a log that a filter leaves while it indexes it.
func dump(name string, o *options, stdout, stderr io.Writer) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return err
	}
	s, err := session.Open(f, st.Size(), session.Options{MaxEvent: o.maxEvent})
	if err != nil {
		return err
	}
	if err := addSchemas(s, o.schemas, stderr); err != nil {
		return err
	}
	if err := s.SetFilter(o.filter); err != nil {
		return err
	}
	out := bufio.NewWriterSize(stdout, chunk)
	cores := runtime.GOMAXPROCS(0)
	lines := newLines(s, cores)
	defer lines.close()
	buf := make([]byte, chunk*min(cores, maxChunks))
	file := io.NewSectionReader(f, 0, st.Size()) // a live log may grow: it is read as it was
	for next := int64(0); !s.Progress().Done; {
		n, err := io.ReadFull(file, buf)
		s.Feed(buf[:n])
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			s.Finish()
		} else if err != nil {
			return err
		}
		s.Step(0)
		if err := s.FilterErr(); err != nil {
			return err
		}
		from := next
		next = s.View().Count(s.Index().Len())
		if err := lines.write(out, from, next); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if p := s.Progress(); p.Bytes < p.Size {
		return fmt.Errorf("%s became shorter while it was read", name)
	}
	return nil
}

// Bounds of a piece of work, and of all that is under way at once: rows, and their bytes in the log. A single row may be larger.
const (
	pieceRows  = 1024
	pieceBytes = 64 << 10
	maxBytes   = 16 << 20
)

// lines makes the lines of rows on all cores: it cuts the rows into pieces, which workers render, each with a fork of the
// session, and writes what they made in the order of the rows. The session must do nothing meanwhile.
type lines struct {
	s       *session.Session
	work    chan *piece
	pending []*piece // given to the workers and not yet written, in order
	bytes   int64    // of them, in the log
	spare   []*piece // written, for their memory
	max     int      // pieces under way
}

// piece is rows of the list, from up to but not to.
type piece struct {
	view     *query.View
	from, to int64
	bytes    int64
	text     []byte
	err      error
	done     chan struct{}
}

func newLines(s *session.Session, workers int) *lines {
	l := &lines{s: s, work: make(chan *piece, 2*workers), max: 2 * workers}
	for range workers {
		go render(session.Fork(s), l.work)
	}
	return l
}

// close ends the workers.
func (l *lines) close() { close(l.work) }

func render(s *session.Session, work <-chan *piece) {
	for p := range work {
		p.text, p.err = p.text[:0], nil
		for k := p.from; k < p.to && p.err == nil; k++ {
			if p.text, p.err = s.AppendJSON(p.text, p.view.Select(k), false); p.err == nil {
				p.text = append(p.text, '\n')
			}
		}
		p.done <- struct{}{}
	}
}

// write writes rows of the list.
func (l *lines) write(out io.Writer, from, to int64) error {
	for from < to {
		p := l.piece(from, to)
		from = p.to
		for len(l.pending) > 0 && (len(l.pending) == l.max || l.bytes+p.bytes > maxBytes) {
			if err := l.writeFirst(out); err != nil {
				return err
			}
		}
		l.pending = append(l.pending, p)
		l.bytes += p.bytes
		l.work <- p
	}
	for len(l.pending) > 0 {
		if err := l.writeFirst(out); err != nil {
			return err
		}
	}
	return nil
}

// piece cuts off the first rows.
func (l *lines) piece(from, to int64) *piece {
	p := &piece{done: make(chan struct{}, 1)}
	if n := len(l.spare); n > 0 {
		p, l.spare = l.spare[n-1], l.spare[:n-1]
	}
	p.view, p.from, p.to, p.bytes = l.s.View(), from, from, 0
	for p.to < to && p.to < from+pieceRows && p.bytes < pieceBytes {
		p.bytes += l.s.Index().Row(p.view.Select(p.to)).Size
		p.to++
	}
	return p
}

// writeFirst waits for the first piece under way, and writes it; of one that failed, the rows before the fault.
func (l *lines) writeFirst(out io.Writer) error {
	p := l.pending[0]
	<-p.done
	l.pending = l.pending[1:]
	l.bytes -= p.bytes
	if _, err := out.Write(p.text); err != nil {
		return err
	}
	if p.err != nil {
		return p.err
	}
	if cap(p.text) <= 64*pieceBytes { // one large row must not hold its memory to the end
		l.spare = append(l.spare, p)
	}
	return nil
}
