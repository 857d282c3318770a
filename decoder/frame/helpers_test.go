package frame_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"binlens/decoder/frame"
	"binlens/decoder/internal/logtest"
)

// options of a scan.
type options struct {
	chunk    int   // bytes fed at a time; 0 all at once
	maxEvent int64 // 0 the default
}

// scan cuts a log into frames, whose bytes stay valid. It fails unless the frames cover the log from its first event to its
// end.
func scan(t testing.TB, log []byte, o options) []frame.Frame {
	t.Helper()
	frames, start := scanAny(t, log, o)
	at := start
	for _, fr := range frames {
		if fr.Off != at || fr.Size <= 0 {
			t.Fatalf("a %s of %d bytes at %d; the one before ends at %d", fr.Kind, fr.Size, fr.Off, at)
		}
		at += fr.Size
		if raw := log[fr.Off:at]; fr.Kind == frame.Event && !fr.Cipher && (fr.Raw != nil && !bytes.Equal(fr.Raw, raw) || fr.Raw == nil && !bytes.HasPrefix(raw, fr.Head)) {
			t.Fatalf("the bytes of the event at %d are not those of the file", fr.Off)
		}
		if fr.Kind == frame.Event && !fr.Cipher && (int64(fr.Header.Size) != fr.Size || fr.Format == nil) {
			t.Fatalf("event at %d: %+v", fr.Off, fr)
		}
		if (fr.Kind == frame.Gap || fr.Kind == frame.Truncated) && (fr.Bad == nil || fr.Bad.Msg == "") {
			t.Fatalf("the %s at %d has no reason", fr.Kind, fr.Off)
		}
	}
	if at != int64(len(log)) {
		t.Fatalf("the rows end at %d of %d", at, len(log))
	}
	return frames
}

func scanAny(t testing.TB, log []byte, o options) (frames []frame.Frame, first int64) {
	t.Helper()
	start, err := frame.Sniff(log[:min(len(log), frame.SniffLen)], int64(len(log)))
	if err != nil {
		t.Fatal(err)
	}
	return run(t, frame.NewScanner(bytes.NewReader(log), int64(len(log)), start, o.maxEvent), log[start.Off:], o.chunk), start.Off
}

// run feeds a scanner and collects its frames.
func run(t testing.TB, s *frame.Scanner, rest []byte, chunk int) (frames []frame.Frame) {
	t.Helper()
	if chunk == 0 {
		chunk = len(rest) + 1
	}
	var fr frame.Frame
	finished := false
	for idle := 0; ; {
		switch s.Next(&fr) {
		case frame.Got:
			fr.Raw = bytes.Clone(fr.Raw)
			frames = append(frames, fr)
			idle = 0
		case frame.Busy:
			if idle++; idle > 1<<16 {
				t.Fatal("busy without end")
			}
		case frame.Done:
			if !finished {
				t.Fatal("done before the end")
			}
			return frames
		case frame.More:
			if finished {
				t.Fatal("more bytes are wanted after the end")
			}
			n := min(chunk, len(rest))
			if s.Feed(rest[:n]); n == 0 {
				s.Finish()
				finished = true
			}
			rest = rest[n:]
		}
	}
}

// show tells frames in short: the type of an event or the kind of a row, ! where something is wrong with it.
func show(frames []frame.Frame) string {
	var b []string
	for _, fr := range frames {
		name := "<" + fr.Kind.String() + ">"
		if fr.Kind == frame.Event {
			name = strings.ToLower(strings.TrimSuffix(fr.Header.Type.String(), "_EVENT"))
		}
		if fr.Bad != nil {
			name += "!"
		}
		b = append(b, name)
	}
	return strings.Join(b, " ")
}

// same fails unless two scans gave the same frames.
func same(t testing.TB, what string, a, b []frame.Frame) {
	t.Helper()
	key := func(fr frame.Frame) string {
		return fmt.Sprintf("%s @%d +%d %+v sum %+v bad %v cipher %t", fr.Kind, fr.Off, fr.Size, fr.Header, fr.Sum, fr.Bad, fr.Cipher)
	}
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || key(a[i]) != key(b[i]) || !bytes.Equal(a[i].Raw, b[i].Raw) {
			t.Fatalf("%s: frame %d of %d and %d differs:\n%s\n%s", what, i, len(a), len(b), show(a), show(b))
		}
	}
}

// missing lists the events of a log, by their bytes, that a scan of a damaged copy does not list; damaged events are left
// out by the caller.
func missing(frames []frame.Frame, log []byte, events []logtest.Placed) (lost []logtest.Placed) {
	have := map[string]bool{}
	for _, fr := range frames {
		if fr.Kind == frame.Event {
			have[string(fr.Raw)] = true
		}
	}
	for _, e := range events {
		if !have[string(log[e.Off:e.Off+e.Size])] {
			lost = append(lost, e)
		}
	}
	return lost
}

// statements is a log of n QUERY events, no two alike.
func statements(s logtest.Server, c logtest.Checksum, n int) *logtest.Log {
	l := logtest.New(s, c)
	for i := range n {
		l.SQL("shop", fmt.Sprintf("INSERT INTO orders VALUES (%d, 'number %d')", i, i))
	}
	return l
}

// servers are those of each layout of events: version, header, checksum.
var servers = []struct {
	logtest.Server
	sum logtest.Checksum
}{
	{logtest.MySQL323, logtest.Off}, {logtest.MySQL41, logtest.Off}, {logtest.MySQL50, logtest.Off}, {logtest.MySQL55, logtest.Off},
	{logtest.MySQL8040, logtest.CRC32}, {logtest.MySQL8040, logtest.Off}, {logtest.MySQL84, logtest.CRC32}, {logtest.MariaDB105, logtest.CRC32}, {wide, logtest.CRC32},
}

// wide has a common header of 27 bytes.
var wide = func() logtest.Server {
	s := logtest.MySQL8040
	s.Name, s.Header = "a header of 27 bytes", 27
	return s
}()
