package main

import (
	"binlens/decoder/session"
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// exports are the commands that write a format.
var exports = map[string]session.Format{"sql": session.FormatSQL, "undo": session.FormatUndo, "text": session.FormatText,
	"csv": session.FormatCSV, "share": session.FormatShare}

// errIncomplete says that something could not be written; what it was stands on standard error.
var errIncomplete = errors.New("the output is not complete")

// indexed opens a log and indexes all of it.
func indexed(f *os.File, o session.Options) (*session.Session, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	s, err := session.Open(f, st.Size(), o)
	if err != nil {
		return nil, err
	}
	buf := make([]byte, chunk)
	file := io.NewSectionReader(f, 0, st.Size())
	for !s.Progress().Done {
		n, err := io.ReadFull(file, buf)
		s.Feed(buf[:n])
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			s.Finish()
		} else if err != nil {
			return nil, err
		}
		s.Step(0)
	}
	if p := s.Progress(); p.Bytes < p.Size {
		return nil, fmt.Errorf("%s became shorter while it was read", f.Name())
	}
	return s, nil
}

// place is a row as the command line names it: its ordinal, or with @ before it the offset of one of its bytes in the file.
func place(s *session.Session, text string, otherwise int64) (int64, error) {
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.ParseInt(strings.TrimPrefix(text, "@"), 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is neither the number of a row nor @ and an offset", text)
	}
	if text[0] != '@' {
		return min(n, s.Index().Len()), nil
	}
	if ordinal, ok := s.At(n); ok {
		return ordinal, nil
	}
	return s.Index().Len(), nil
}

// addSchemas reads the files of SQL that name columns. What is skipped in them is said on standard error.
func addSchemas(s *session.Session, files []string, stderr io.Writer) error {
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, w := range s.AddSchema(text) {
			fmt.Fprintf(stderr, "binlens: %s: byte %d: %s\n", name, w.Offset, w.Reason)
		}
	}
	return nil
}

// open indexes a log and finds the rows of it that are asked for.
func (o *options) open(file *os.File, stderr io.Writer) (*session.Session, session.Selection, error) {
	s, err := indexed(file, session.Options{MaxEvent: o.maxEvent})
	if err != nil {
		return nil, nil, err
	}
	if err := addSchemas(s, o.schemas, stderr); err != nil {
		return nil, nil, err
	}
	from, err := place(s, o.from, 0)
	if err != nil {
		return nil, nil, err
	}
	to, err := place(s, o.to, s.Index().Len())
	if err != nil {
		return nil, nil, err
	}
	if err := s.SetFilter(o.filter); err != nil {
		return nil, nil, err
	}
	for s.Step(0) {
	}
	return s, session.Within(s.Filtered(), session.Rows{From: from, To: to}), s.FilterErr()
}

// export writes a log in a format.
func export(name string, f session.Format, o *options, stdout, stderr io.Writer) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	s, rows, err := o.open(file, stderr)
	if err != nil {
		return err
	}
	if f == session.FormatText && o.blocks {
		f = session.FormatBlock
	}
	x, err := s.NewExport(f, rows, session.ExportOptions{Table: o.table, KeepNames: o.keepNames, Zone: o.zone})
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(stdout, chunk)
	if _, err := x.WriteTo(out); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return notes(name, x.Notes(), stderr)
}

// notes says on standard error what an export could not write.
func notes(name string, n *session.Notes, stderr io.Writer) error {
	for _, note := range n.List() {
		kind := "caution"
		if note.Lost {
			kind = "not written"
		}
		fmt.Fprintf(stderr, "binlens: %s: %s: %s\n", name, kind, note.Text())
	}
	if !n.Complete() {
		return errIncomplete
	}
	return nil
}

// inOrder returns the files in the order in which they are written: what undoes them starts with the last.
func inOrder(f session.Format, files []string) []string {
	if f != session.FormatUndo {
		return files
	}
	list := slices.Clone(files)
	slices.Reverse(list)
	return list
}
