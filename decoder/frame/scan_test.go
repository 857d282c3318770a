package frame_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/internal/logtest"
)

// Logs with nothing wrong: every event as it was written.
func TestSoundLogs(t *testing.T) {
	for _, s := range append([]logtest.Server{wide}, logtest.Servers...) {
		for _, c := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
			l := logtest.Sample(s, c)
			frames := scan(t, l.Bytes(), options{})
			if len(frames) != len(l.Events) {
				t.Errorf("%s: %d frames of %d events: %s", s.Name, len(frames), len(l.Events), show(frames))
				continue
			}
			for i, fr := range frames {
				e := l.Events[i]
				if fr.Kind != frame.Event || fr.Bad != nil || fr.Off != int64(e.Off) || fr.Size != int64(e.Size) || fr.Header.Code != e.Type {
					t.Errorf("%s: %+v is not %+v", s.Name, fr, e)
				}
				want := 0
				if i == 0 && s.Aware || l.Checksum == logtest.CRC32 {
					want = 4
				}
				if fr.Sum.Len != want || !fr.Sum.OK() {
					t.Errorf("%s: %s has the checksum %+v, want %d bytes", s.Name, fr.Header.Type, fr.Sum, want)
				}
			}
			if f := frames[len(frames)-1].Format; string(f.ServerVersion) != s.Version {
				t.Errorf("%s: the format in force is that of %s", s.Name, f.ServerVersion)
			}
		}
	}
}

func TestFeedingInChunks(t *testing.T) {
	whole := statements(logtest.MySQL8040, logtest.CRC32, 60).SQL("d", strings.Repeat("large ", 300)).Event(logtest.TypeStop).Bytes()
	logs := []logtest.File{{Name: "whole", Bytes: whole}, {Name: "flipped", Bytes: logtest.Flip(whole, 900, 0xff)}, {Name: "cut in the middle", Bytes: logtest.Cut(whole, 1000, 1100)},
		{Name: "garbage", Bytes: logtest.Insert(whole, 1000, bytes.Repeat([]byte{0xa5}, 3000))}, {Name: "zeros", Bytes: logtest.Zero(whole, 1000, 2000)},
		{Name: "padded", Bytes: append(bytes.Clone(whole), make([]byte, 5000)...)}, {Name: "truncated", Bytes: whole[:len(whole)-25]}, {Name: "without magic", Bytes: whole[4:]}}
	for _, l := range append(logs, logtest.Samples()...) {
		for _, limit := range []int64{0, 1024} {
			want := scan(t, l.Bytes, options{maxEvent: limit})
			for _, chunk := range []int{1, 7, 64, 4096} {
				same(t, fmt.Sprintf("%s in chunks of %d, limit %d", l.Name, chunk, limit), scan(t, l.Bytes, options{chunk, limit}), want)
			}
		}
	}
}

func TestEnds(t *testing.T) {
	for _, s := range servers {
		l := statements(s.Server, s.sum, 3)
		whole, last := l.Bytes(), l.Last()
		sound := show(scan(t, whole, options{}))
		for n := last.Off; n < len(whole); n++ { // cut inside the last event
			frames := scan(t, whole[:n], options{})
			got := show(frames)
			want := strings.TrimSuffix(sound, " query")
			if n > last.Off {
				want += " <truncated>!"
			}
			if got != want {
				t.Errorf("%s cut to %d of %d bytes: %s", s.Name, n, len(whole), got)
			}
			if fr := frames[len(frames)-1]; n >= last.Off+19 && (fr.Header.Type != decoder.QueryType || int(fr.Header.Size) != last.Size || !strings.Contains(fr.Bad.Msg, "claims")) {
				t.Errorf("%s cut to %d bytes: %+v %v", s.Name, n, fr, fr.Bad)
			}
		}
		for _, n := range []int{1, 12, 13, 18, 19, 20, 4096, 70000} { // zeros behind the last event
			if got := show(scan(t, append(bytes.Clone(whole), make([]byte, n)...), options{})); got != sound+" <padding>" {
				t.Errorf("%s and %d zeros: %s", s.Name, n, got)
			}
		}
		for _, n := range []int{1, 12, 18} { // a piece too short for a header
			if got := show(scan(t, append(bytes.Clone(whole), bytes.Repeat([]byte{7}, n)...), options{})); got != sound+" <truncated>!" {
				t.Errorf("%s and %d bytes: %s", s.Name, n, got)
			}
		}
	}
	// A half event before zeros: the zeros belong to it.
	l := statements(logtest.MySQL8040, logtest.CRC32, 3)
	torn := append(bytes.Clone(l.Bytes()[:l.Last().Off+30]), make([]byte, 500)...)
	if got := show(scan(t, torn, options{})); !strings.HasPrefix(got, "format_description query query ") || strings.Contains(got, "query query query ") {
		t.Errorf("a torn event and zeros: %s", got)
	}
	// Nothing but the magic.
	if frames := scan(t, []byte("\xfebin"), options{}); len(frames) != 0 {
		t.Errorf("magic alone: %s", show(frames))
	}
}

// The format description's checksum was made before the server set the in-use flag.
func TestInUse(t *testing.T) {
	for _, c := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
		l := logtest.Bare(logtest.MySQL8040, c).Raw([]byte("\xfebin")).Format(logtest.FlagInUse).SQL("d", "BEGIN")
		frames := scan(t, l.Bytes(), options{})
		if sum := frames[0].Sum; show(frames) != "format_description query" || !sum.InUse || !sum.OK() || sum.Len != 4 {
			t.Errorf("%s %+v", show(frames), sum)
		}
		frames = scan(t, logtest.Flip(l.Bytes(), 40, 1), options{})
		if sum := frames[0].Sum; show(frames) != "format_description! query" || !sum.InUse || sum.OK() {
			t.Errorf("damaged: %s %+v", show(frames), sum)
		}
	}
}

// Relay logs have several format descriptions; each holds from its place on.
func TestSeveralFormats(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	l.EventFlags(logtest.TypeRotate, logtest.FlagArtificial, l.Rotate(4, "source.000001"))
	l.Server, l.Checksum, l.Shift = logtest.MySQL55, logtest.Off, 1<<31
	l.Format(0).SQL("d", "BEGIN").Event(logtest.TypeXid, logtest.U64(1))
	l.Server, l.Checksum = logtest.MariaDB105, logtest.CRC32
	l.Format(logtest.FlagRelayLog).SQL("d", "BEGIN").Event(logtest.TypeXid, logtest.U64(2))
	frames := scan(t, l.Bytes(), options{})
	if got := show(frames); got != "format_description rotate format_description query xid format_description query xid" {
		t.Error(got)
	}
	var versions []string
	for _, fr := range frames {
		versions = append(versions, string(fr.Format.ServerVersion[:3]))
	}
	if got := strings.Join(versions, " "); got != "8.0 8.0 5.5 5.5 5.5 10. 10. 10." {
		t.Error(got)
	}
}

// Positions beyond 4 GiB wrap; those of a part of a log, or of a relay log, count elsewhere.
func TestPositions(t *testing.T) {
	for _, s := range []logtest.Server{logtest.MySQL55, logtest.MySQL8040} {
		for _, shift := range []uint64{1<<32 - 700, 1 << 32, 1<<32 - 1, 12345} {
			l := logtest.New(s, logtest.CRC32)
			l.Shift = shift
			for i := range 20 {
				l.SQL("d", strings.Repeat("x", i))
			}
			if got := show(scan(t, l.Bytes(), options{})); got != "format_description"+strings.Repeat(" query", 20) {
				t.Errorf("%s, positions off by %d: %s", s.Name, shift, got)
			}
		}
	}
}

// Without a format description, checksums are found out.
func TestNoFormat(t *testing.T) {
	for _, c := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
		l := logtest.Bare(logtest.MySQL8040, c).Raw([]byte("\xfebin")).SQL("d", "BEGIN").SQL("d", "INSERT INTO t VALUES (1)").Event(logtest.TypeXid, logtest.U64(3))
		frames := scan(t, l.Bytes(), options{})
		want := map[logtest.Checksum]string{logtest.CRC32: "CRC32 checksums", logtest.Off: "no checksums"}[c]
		if got := show(frames); got != "query! query xid" || !strings.Contains(frames[0].Bad.Msg, want) || !strings.Contains(frames[0].Bad.Msg, "no format description") {
			t.Errorf("%s: %v", got, frames[0].Bad)
		}
		for _, fr := range frames {
			if !fr.Format.Assumed || fr.Sum.Len != 4*int(c) || !fr.Sum.OK() {
				t.Errorf("%+v", fr)
			}
		}
	}
	// The first type is none: this is what a file that only looks like a log does.
	b := append([]byte("\xfebin"), bytes.Repeat([]byte{48}, 400)...)
	frames := scan(t, b, options{})
	if len(frames) != 1 || frames[0].Kind == frame.Event || !strings.Contains(frames[0].Bad.Msg, "no format description") {
		t.Errorf("%s %v", show(frames), frames[0].Bad)
	}
}

// Relay logs of 4.x replicas start with a ROTATE_EVENT; its START_EVENT_V3 follows.
func TestOldRelayLog(t *testing.T) {
	l := logtest.Bare(logtest.MySQL41, logtest.Off).Raw([]byte("\xfebin"))
	l.Event(logtest.TypeRotate, l.Rotate(4, "source.001")).Format(0).SQL("d", "BEGIN")
	frames := scan(t, l.Bytes(), options{})
	if got := show(frames); got != "rotate start_event_v3 query" || frames[2].Format.BinlogVersion != 3 {
		t.Errorf("%s %+v", got, frames[2].Format)
	}
}

// Events above the limit are listed with their head, and their checksum is made in passing.
func TestLargeEvents(t *testing.T) {
	for _, s := range servers {
		l := logtest.New(s.Server, s.sum)
		l.SQL("d", "BEGIN").SQL("d", strings.Repeat("large ", 1000)).SQL("d", "DO 1")
		large := l.Events[2]
		for _, chunk := range []int{0, 1, 3, 1000} {
			for _, limit := range []int64{1, 1024, 5000} {
				frames := scan(t, l.Bytes(), options{chunk, limit})
				if fr := frames[2]; len(frames) != 4 || fr.Raw != nil || len(fr.Head) != frame.HeadLen || fr.Bad != nil || !fr.Sum.OK() || fr.Sum.Len != 4*int(s.sum) || fr.Size != int64(large.Size) {
					t.Fatalf("%s in chunks of %d, limit %d: %s %+v", s.Name, chunk, limit, show(frames), fr.Sum)
				}
			}
			if s.sum == logtest.CRC32 {
				frames := scan(t, logtest.Flip(l.Bytes(), large.Off+3000, 1), options{chunk, 1024})
				if fr := frames[2]; show(frames) != "format_description query query! query" || fr.Sum.OK() || fr.Bad.Path != "checksum" {
					t.Fatalf("%s, damaged: %s", s.Name, show(frames))
				}
			}
		}
	}
}

// A file that becomes shorter while it is read ends where it ends.
func TestFileBecomesShorter(t *testing.T) {
	l := statements(logtest.MySQL8040, logtest.CRC32, 4).SQL("d", strings.Repeat("large ", 300)).SQL("d", "DO 1")
	b := l.Bytes()
	for _, limit := range []int64{0, 1024} {
		for _, n := range []int{l.Events[5].Off, l.Events[5].Off + 10, l.Events[5].Off + 50} {
			start, _ := frame.Sniff(b, int64(len(b)))
			s := frame.NewScanner(bytes.NewReader(b[:n]), int64(len(b)), start, limit)
			frames := run(t, s, b[4:n], 0)
			at := int64(4)
			for _, fr := range frames {
				if fr.Off != at {
					t.Fatalf("a row at %d, not %d", fr.Off, at)
				}
				at += fr.Size
			}
			if len(frames) < 5 || at > int64(n) {
				t.Errorf("cut to %d: %s up to %d", n, show(frames), at)
			}
		}
	}
}

func TestScanningAllocatesNothing(t *testing.T) {
	l := statements(logtest.MySQL8040, logtest.CRC32, 3000)
	b := l.Bytes()
	start, err := frame.Sniff(b[:frame.SniffLen], int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	s := frame.NewScanner(bytes.NewReader(b), int64(len(b)), start, 0)
	rest := b[4:]
	var fr frame.Frame
	feed := func() {
		n := min(4096, len(rest))
		s.Feed(rest[:n])
		rest = rest[n:]
		for s.Next(&fr) == frame.Got {
		}
	}
	for range 4 { // until the buffer has its size, and the format description is read
		feed()
	}
	if got := testing.AllocsPerRun(40, feed); got != 0 {
		t.Errorf("%v allocations for 4096 bytes of events", got)
	}
}

func TestStatusText(t *testing.T) {
	for k, want := range map[frame.Kind]string{frame.Event: "event", frame.Gap: "gap", frame.Padding: "padding", frame.Truncated: "truncated"} {
		if k.String() != want {
			t.Errorf("%d is %s", k, k)
		}
	}
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	raw := l.Bytes()[4:]
	var h decoder.Header
	decoder.AssumedFormat(0).ParseHeader(raw, &h)
	sum := frame.SumOf(decoder.AssumedFormat(0), h, raw)
	if sum.Stored != binary.LittleEndian.Uint32(raw[len(raw)-4:]) || sum.Computed != sum.Stored {
		t.Errorf("%+v", sum)
	}
}
