package frame_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"binlens/decoder/frame"
	"binlens/decoder/internal/logtest"
)

// lossless scans a damaged copy of a log and fails when an event is lost that the damage did not touch. touched names the
// events it did, by number.
func lossless(t *testing.T, what string, l *logtest.Log, damaged []byte, touched ...int) []frame.Frame {
	t.Helper()
	var others []logtest.Placed
	for i, e := range l.Events {
		if !slices.Contains(touched, i) {
			others = append(others, e)
		}
	}
	frames := scan(t, damaged, options{})
	if lost := missing(frames, l.Bytes(), others); len(lost) > 0 {
		t.Errorf("%s %s, event %v damaged: %d events are lost, the first at %d: %s", l.Server.Name, what, touched, len(lost), lost[0].Off, show(frames))
	}
	return frames
}

// bad counts the rows that something is wrong with.
func bad(frames []frame.Frame) (n int) {
	for _, fr := range frames {
		if fr.Bad != nil || fr.Kind != frame.Event {
			n++
		}
	}
	return n
}

// Every byte of a log turned over in several ways: no other event is lost.
func TestEveryFlip(t *testing.T) {
	for _, s := range servers {
		l := statements(s.Server, s.sum, 7)
		for i, e := range l.Events {
			for at := e.Off; at < e.Off+e.Size; at++ {
				for _, mask := range []byte{0x01, 0x80, 0xff, 0x10} {
					frames := lossless(t, fmt.Sprintf("byte %d ^ %#x", at-e.Off, mask), l, logtest.Flip(l.Bytes(), at, mask), i)
					if s.sum == logtest.CRC32 && i > 0 && bad(frames) == 0 {
						t.Errorf("%s: byte %d of event %d turned over by %#x, and nothing is wrong", s.Name, at-e.Off, i, mask)
					}
				}
			}
		}
	}
}

// A wrong checksum in the middle: that event is listed with its problem, and those around it are sound.
func TestBadChecksum(t *testing.T) {
	l := statements(logtest.MySQL8040, logtest.CRC32, 4)
	e := l.Events[2]
	frames := lossless(t, "checksum", l, logtest.Flip(l.Bytes(), e.Off+e.Size-1, 0xff), 2)
	if got := show(frames); got != "format_description query query! query query" {
		t.Error(got)
	}
	fr := frames[2]
	if fr.Bad.Path != "checksum" || fr.Bad.Offset != fr.Size-4 || fr.Bad.Kind.String() != "checksum" || !strings.Contains(fr.Bad.Msg, "0x") || fr.Sum.OK() {
		t.Errorf("%+v", fr.Bad)
	}
	// The last one.
	frames = scan(t, logtest.Flip(l.Bytes(), l.Len()-1, 1), options{})
	if got := show(frames); got != "format_description query query query query!" {
		t.Error(got)
	}
	// All of them.
	b := slices.Clone(l.Bytes())
	for _, e := range l.Events[1:] {
		b[e.Off+e.Size-1] ^= 0x55
	}
	if got := show(scan(t, b, options{})); got != "format_description query! query! query! query!" {
		t.Error(got)
	}
}

// An event that claims another size: too small, too large, the next event's too, all of the file, none.
func TestLyingSize(t *testing.T) {
	for _, s := range servers {
		l := statements(s.Server, s.sum, 7)
		for i, e := range l.Events[:6] {
			next := l.Events[i+1]
			sizes := []int{0, 1, 12, 18, 19, 23, e.Size - 1, e.Size + 1, e.Size + 7, e.Size + 30, e.Size + next.Size, l.Len() - e.Off, l.Len() - e.Off + 1, 1 << 20, 1 << 24, 1<<24 + 1, 1 << 31, 1<<32 - 1}
			for _, size := range sizes {
				if s.Binlog < 4 && (size == e.Size+next.Size || size == l.Len()-e.Off) {
					continue // nothing in such a log contradicts it
				}
				frames := lossless(t, fmt.Sprintf("claims %d of %d bytes", size, e.Size), l, logtest.SetSize(l.Bytes(), e.Off, uint32(size)), i)
				if bad(frames) == 0 {
					t.Errorf("%s: event %d claims %d of %d bytes, and nothing is wrong", s.Name, i, size, e.Size)
				}
			}
		}
	}
}

// Headers zeroed or overwritten.
func TestLostHeader(t *testing.T) {
	for _, s := range servers {
		l := statements(s.Server, s.sum, 7)
		for i := 1; i < 6; i++ {
			e := l.Events[i]
			n := 19
			if s.Binlog == 1 {
				n = 13
			}
			frames := lossless(t, "zeroed header", l, logtest.Zero(l.Bytes(), e.Off, e.Off+n), i)
			if got := show(frames); !strings.Contains(got, "<gap>!") || bad(frames) != 1 {
				t.Errorf("%s: %s", s.Name, got)
			}
			lossless(t, "zeroed event", l, logtest.Zero(l.Bytes(), e.Off, e.Off+e.Size), i)
			lossless(t, "two events zeroed", l, logtest.Zero(l.Bytes(), e.Off, l.Events[i+1].Off+30), i, i+1)
			lossless(t, "zeroed end", l, logtest.Zero(l.Bytes(), e.Off+30, e.Off+e.Size), i)
			noise := slices.Clone(l.Bytes())
			for k := range n {
				noise[e.Off+k] = byte(k*37 + 11)
			}
			lossless(t, "overwritten header", l, noise, i)
		}
	}
}

// Bytes put in between events and into them.
func TestInsertedBytes(t *testing.T) {
	for _, s := range servers {
		l := statements(s.Server, s.sum, 7)
		for i := 1; i < 7; i++ {
			e := l.Events[i]
			for _, garbage := range [][]byte{{0}, {1}, {0xff}, make([]byte, 40), bytes.Repeat([]byte{0xee}, 3), bytes.Repeat([]byte{0xa5}, 1000), []byte(strings.Repeat("not an event ", 50)), bytes.Repeat([]byte{0}, 70000)} {
				frames := lossless(t, fmt.Sprintf("%d bytes % x… inserted before", len(garbage), garbage[0]), l, logtest.Insert(l.Bytes(), e.Off, garbage))
				if s.sum == logtest.CRC32 && !allZero(garbage) && bad(frames) == 0 {
					t.Errorf("%s: garbage, and nothing is wrong", s.Name)
				}
				lossless(t, fmt.Sprintf("%d bytes % x… inserted into", len(garbage), garbage[0]), l, logtest.Insert(l.Bytes(), e.Off+25, garbage), i)
			}
		}
	}
}

func allZero(b []byte) bool { return len(bytes.Trim(b, "\x00")) == 0 }

// Bytes missing inside of events and over their borders.
func TestCutBytes(t *testing.T) {
	for _, s := range servers {
		l := statements(s.Server, s.sum, 8)
		for i := 1; i < 6; i++ {
			e, next := l.Events[i], l.Events[i+1]
			for _, n := range []int{1, 2, 5, 13, 19, 30} {
				if s.sum == logtest.CRC32 || n > 4 { // else the end of the event before passes for the missing start of the time
					lossless(t, fmt.Sprintf("%d bytes cut at the start", n), l, logtest.Cut(l.Bytes(), e.Off, e.Off+n), i)
				}
				lossless(t, fmt.Sprintf("%d bytes cut inside", n), l, logtest.Cut(l.Bytes(), e.Off+20, e.Off+20+n), i)
				lossless(t, fmt.Sprintf("%d bytes cut over the border", n), l, logtest.Cut(l.Bytes(), next.Off-1, next.Off-1+n), i, i+1)
			}
			lossless(t, "the whole event cut", l, logtest.Cut(l.Bytes(), e.Off, next.Off), i)
			lossless(t, "two halves cut", l, logtest.Cut(l.Bytes(), e.Off+25, next.Off+25), i, i+1)
		}
	}
}

// Parts in another order: blocks of a file system that came back wrong.
func TestSwappedParts(t *testing.T) {
	for _, s := range servers {
		l := statements(s.Server, s.sum, 12)
		e := l.Events
		frames := lossless(t, "events swapped", l, logtest.SwapParts(l.Bytes(), e[2].Off, e[3].Off, e[4].Off))
		if got := len(frames); got != len(e) {
			t.Errorf("%s, events swapped: %s", s.Name, show(frames))
		}
		lossless(t, "parts swapped", l, logtest.SwapParts(l.Bytes(), e[2].Off+20, e[5].Off+20, e[8].Off+20), 2, 5, 8)
	}
}

// Two places of damage, near and far from each other.
func TestDamageTwice(t *testing.T) {
	for _, s := range servers {
		if s.Binlog < 4 {
			continue
		}
		l := statements(s.Server, s.sum, 12)
		for i := 1; i < 11; i++ {
			for j := i + 1; j < 11; j++ {
				b := logtest.Zero(l.Bytes(), l.Events[i].Off, l.Events[i].Off+19)
				lossless(t, "two headers lost", l, logtest.SetSize(b, l.Events[j].Off, 1<<20), i, j)
			}
		}
	}
}

// Logs damaged at random in several places: rows cover them, and do not depend on how they are fed.
func TestRandomDamage(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	var logs []*logtest.Log
	for _, s := range servers {
		logs = append(logs, statements(s.Server, s.sum, 4))
		l := logtest.New(s.Server, s.sum)
		for range 4 { // few bytes that are not zero: where headers are easily seen
			logs = append(logs, l.SQL("", "").Event(logtest.TypeXid, logtest.U64(1)).Event(logtest.TypeIntvar, logtest.Intvar(1, 1)))
		}
	}
	for range 4_000 {
		l := logs[rng.IntN(len(logs))]
		b := l.Bytes()
		for range 1 + rng.IntN(4) {
			at := 4 + rng.IntN(len(b)-4)
			end := min(at+1+rng.IntN(1+rng.IntN(30)), len(b))
			switch e := l.Events[rng.IntN(len(l.Events))]; rng.IntN(6) {
			case 0:
				b = logtest.Flip(b, at, byte(1+rng.IntN(255)))
			case 1:
				b = logtest.Cut(b, at, end)
			case 2:
				b = logtest.Insert(b, at, bytes.Repeat([]byte{byte(rng.IntN(256))}, end-at))
			case 3:
				b = logtest.Zero(b, at, end)
			case 4:
				b = logtest.Insert(b, at, b[min(e.Off, len(b)-1):min(e.Off+e.Size, len(b))])
			case 5:
				if e.Off+13 < len(b) {
					b = logtest.SetSize(b, e.Off, uint32(rng.IntN(2*len(b))))
				}
			}
			if len(b) < 40 {
				break
			}
		}
		if _, err := frame.Sniff(b[:min(len(b), frame.SniffLen)], int64(len(b))); err != nil {
			t.Fatal(err)
		}
		same(t, "in chunks", scan(t, b, options{chunk: 1 + rng.IntN(40)}), scan(t, b, options{}))
	}
}

// Events of every type behind damage are found, not only those that a log is full of.
func TestEveryTypeIsFoundAgain(t *testing.T) {
	for _, s := range logtest.Servers {
		for _, c := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
			l := logtest.Sample(s, c)
			for i := 1; i < len(l.Events); i++ {
				e := l.Events[i]
				lossless(t, "garbage before it", l, logtest.Insert(l.Bytes(), e.Off, bytes.Repeat([]byte{0xe7}, 100)))
				if i+1 < len(l.Events) {
					lossless(t, "header zeroed", l, logtest.Zero(l.Bytes(), e.Off, e.Off+13), i)
				}
			}
		}
	}
}
