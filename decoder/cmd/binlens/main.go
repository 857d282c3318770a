// Command binlens reads MySQL and MariaDB binary logs at a terminal.
//
//	binlens dump [-filter TEXT] FILE    prints every listed row, or those that a filter leaves, as a JSON object, one a line
//
// It exits with 0 for a log that could be read, whatever is wrong with single events (each says so in its problems), with
// 1 when reading or writing failed, and with 2 and one line of reason when the file is no binary log or the command or the
// filter is not understood.
package main

import (
	"binlens/decoder/charset"
	"binlens/decoder/frame"
	"binlens/decoder/query"
	"binlens/decoder/session"
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// Exit codes.
const (
	exitOK       = 0
	exitFailed   = 1
	exitNoBinlog = 2
)

func main() {
	charset.SetDecoder(decodeText)
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

const usage = `usage: binlens dump [-filter TEXT] [-max-event-size BYTES] FILE`

func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 || args[0] != "dump" {
		fmt.Fprintln(stderr, usage)
		return exitNoBinlog
	}
	flags := flag.NewFlagSet("binlens dump", flag.ContinueOnError)
	flags.SetOutput(stderr)
	maxEvent := flags.Int64("max-event-size", frame.DefaultMaxEvent, "decode events up to this many bytes")
	filter := flags.String("filter", "", "print only the rows that this leaves, such as 'table:shop.orders row:id=42'")
	if err := flags.Parse(args[1:]); err != nil || flags.NArg() != 1 {
		fmt.Fprintln(stderr, usage)
		return exitNoBinlog
	}
	err := dump(flags.Arg(0), *filter, session.Options{MaxEvent: *maxEvent}, stdout)
	var mistake *query.Error
	var foreign *frame.NotBinlog
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &foreign):
		fmt.Fprintf(stderr, "binlens: %s: %v\n", flags.Arg(0), err)
		return exitNoBinlog
	case errors.As(err, &mistake):
		fmt.Fprintf(stderr, "binlens: %v\n", err)
		return exitNoBinlog
	}
	fmt.Fprintf(stderr, "binlens: %v\n", err)
	return exitFailed
}

// chunk is how many bytes are read and indexed between two stretches of output.
const chunk = 1 << 20

// dump prints the rows of a log that a filter leaves while it indexes it.
func dump(name, filter string, o session.Options, stdout io.Writer) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return err
	}
	s, err := session.Open(f, st.Size(), o)
	if err != nil {
		return err
	}
	if err := s.SetFilter(filter); err != nil {
		return err
	}
	out := bufio.NewWriterSize(stdout, chunk)
	buf := make([]byte, chunk)
	file := io.NewSectionReader(f, 0, st.Size()) // a live log may grow: it is read as it was
	var line []byte
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
		view := s.View()
		for ; next < view.Count(s.Index().Len()); next++ {
			if line, err = s.AppendJSON(line[:0], view.Select(next), false); err != nil {
				return err
			}
			if _, err = out.Write(append(line, '\n')); err != nil {
				return err
			}
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
