package frame_test

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/value"
	"binlens/decoder/wire"
)

// What DESIGN promises of every log, over every log there is: rows cover the file, fed in any pieces; names and cells cover
// each event; a Recorder changes nothing; reading rows ends exactly at their end.
func TestInvariants(t *testing.T) {
	for _, l := range append(logtest.Samples(), logtest.RealLogs(t)...) {
		t.Run(l.Name, func(t *testing.T) {
			if _, err := frame.Sniff(l.Bytes[:min(len(l.Bytes), frame.SniffLen)], int64(len(l.Bytes))); err != nil {
				t.Fatal(err)
			}
			frames := scan(t, l.Bytes, options{})
			for _, chunk := range []int{1, 7, 4096} {
				if len(l.Bytes) > 64<<10 && chunk < 4096 {
					continue // seconds for each, and nothing new
				}
				same(t, fmt.Sprintf("in chunks of %d", chunk), scan(t, l.Bytes, options{chunk: chunk}), frames)
			}
			checkEvents(t, frames)
		})
	}
}

// checkEvents decodes all events of a log, row events by the table maps before them.
func checkEvents(t *testing.T, frames []frame.Frame) {
	t.Helper()
	tables := map[uint64]*decoder.TableMap{}
	before := decoder.AssumedFormat(decoder.ChecksumOff) // in force for a format description
	for _, fr := range frames {
		if fr.Kind != frame.Event || fr.Cipher || fr.Raw == nil {
			continue
		}
		ctx := &decoder.Context{Format: fr.Format}
		if fr.Header.Type == decoder.FormatDescriptionType || fr.Header.Type == decoder.StartV3 {
			ctx.Format = before
		}
		before = fr.Format
		if fr.Header.Type.RowOp() != decoder.NoRows {
			if n := fr.Format.TableIDLen(fr.Header.Type); len(fr.Raw) >= fr.Header.Len+n {
				c := wire.NewCursor(fr.Raw[fr.Header.Len:], 0, nil)
				ctx.TableMap = tables[c.UintN(n)]
			}
		}
		ev := checkEvent(t, ctx, &fr)
		if m, ok := ev.(*decoder.TableMap); ok {
			tables[m.TableID] = m.Clone()
		}
	}
}

func checkEvent(t *testing.T, ctx *decoder.Context, fr *frame.Frame) decoder.Event {
	t.Helper()
	rec := new(wire.Recorder)
	ev, bad := decoder.DecodeWhole(ctx, fr.Header, fr.Raw, fr.Sum.Len, rec)
	plain, plainBad := decoder.DecodeWhole(ctx, fr.Header, fr.Raw, fr.Sum.Len, nil)
	if !reflect.DeepEqual(ev, plain) || !reflect.DeepEqual(bad, plainBad) {
		t.Errorf("%s at %d: with a Recorder %+v %v, without %+v %v", fr.Header.Type, fr.Off, ev, bad, plain, plainBad)
	}
	var rows *wire.Span
	at := uint32(0)
	for i := range rec.Spans {
		s := &rec.Spans[i]
		if s.Group {
			continue
		}
		if s.Start != at || s.End < at {
			t.Fatalf("%s at %d: %s is %d-%d, but %d comes next", fr.Header.Type, fr.Off, s.Path, s.Start, s.End, at)
		}
		at = s.End
		if s.Path == "rows" {
			rows = s
		}
	}
	if at != uint32(fr.Size) && len(fr.Raw) >= fr.Header.Len+fr.Sum.Len {
		t.Fatalf("%s at %d: names end at %d of %d", fr.Header.Type, fr.Off, at, fr.Size)
	}
	switch e := ev.(type) {
	case *decoder.Rows:
		if bad == nil && rows != nil {
			checkRows(t, fr, e, *rows)
		}
	case *decoder.TransactionPayload:
		if bad == nil {
			checkPayload(t, fr, e)
		}
	}
	return ev
}

// checkPayload cuts a payload into frames, twice: they cover the decompressed bytes, and each is decoded as an event of the
// log is.
func checkPayload(t *testing.T, fr *frame.Frame, e *decoder.TransactionPayload) {
	t.Helper()
	frames, bad := insideOf(t, e, fr.Format)
	again, badAgain := insideOf(t, e, fr.Format)
	same(t, "a payload cut again", again, frames)
	if !reflect.DeepEqual(bad, badAgain) {
		t.Errorf("the payload at %d: %v, again %v", fr.Off, bad, badAgain)
	}
	checkEvents(t, frames)
}

// insideOf cuts a payload into frames, whose bytes stay valid. It fails unless they follow each other.
func insideOf(t testing.TB, e *decoder.TransactionPayload, f *decoder.FormatDescription) (frames []frame.Frame, bad *wire.Error) {
	t.Helper()
	p := frame.NewPayload(e, f.Inside())
	at := int64(0)
	var fr frame.Frame
	for idle := 0; ; {
		switch p.Next(&fr) {
		case frame.Got:
			if fr.Off != at || fr.Size <= 0 {
				t.Fatalf("%d bytes at %d of the payload; the one before ends at %d", fr.Size, fr.Off, at)
			}
			if fr.Kind != frame.Event && (fr.Kind != frame.Truncated || fr.Bad == nil || fr.Bad.Msg == "") {
				t.Fatalf("a %s at %d of the payload: %v", fr.Kind, fr.Off, fr.Bad)
			}
			at += fr.Size
			fr.Raw, fr.Head = bytes.Clone(fr.Raw), bytes.Clone(fr.Head)
			frames = append(frames, fr)
			idle = 0
		case frame.Busy:
			if idle++; idle > 1<<12 {
				t.Fatal("busy without end")
			}
		case frame.Done:
			if p.Next(&fr) != frame.Done {
				t.Fatal("done, and then not")
			}
			bad = p.Err()
			if bad == nil && e.HasUncompressedSize && int64(e.UncompressedSize) != at {
				t.Fatalf("a payload of %d bytes that says %d, and no problem", at, e.UncompressedSize)
			}
			return frames, bad
		default:
			t.Fatal("a payload has all its bytes")
		}
	}
}

// checkRows reads the rows of an event: null bits and cells cover them, from the first byte of the rows to the last. Rows
// that are compressed cover what they are decompressed to, in which the event's own fields stand in front of them.
func checkRows(t *testing.T, fr *frame.Frame, e *decoder.Rows, rows wire.Span) {
	t.Helper()
	if plain := e.Event(fr.Raw); e.Inflated != nil {
		header := fr.Header.Len
		if int(e.End) != len(plain) || !bytes.Equal(plain[header:rows.Start], fr.Raw[header:rows.Start]) {
			t.Fatalf("%s at %d: decompressed to %d bytes, rows %d-%d", fr.Header.Type, fr.Off, len(plain), e.Start, e.End)
		}
		rows.End = e.End
	}
	if e.Start != rows.Start || e.End != rows.End {
		t.Fatalf("%s at %d: rows %d-%d, named %d-%d", fr.Header.Type, fr.Off, e.Start, e.End, rows.Start, rows.End)
	}
	r := e.Reader()
	at := rows.Start
	image := func(im *decoder.Image) {
		if im.Cells == nil {
			return
		}
		if im.Off != at || im.NullOff < at || im.NullEnd < im.NullOff || im.NullOff > at && !(e.Partial && im == &r.After) {
			t.Fatalf("%s at %d, row %d: an image at %d with null bits %d-%d, not at %d", fr.Header.Type, fr.Off, r.Index, im.Off, im.NullOff, im.NullEnd, at)
		}
		at = im.NullEnd
		for i := range im.Cells {
			v := &im.Cells[i]
			if v.Kind == value.KindNone {
				continue
			}
			if v.Off != at || v.End < at {
				t.Fatalf("%s at %d, row %d: cell %d is %d-%d, but %d comes next", fr.Header.Type, fr.Off, r.Index, i, v.Off, v.End, at)
			}
			at = v.End
		}
		if im.End != at {
			t.Fatalf("%s at %d, row %d: an image ends at %d, not %d", fr.Header.Type, fr.Off, r.Index, at, im.End)
		}
	}
	for r.Next() {
		image(&r.Before)
		image(&r.After)
	}
	switch bad := r.Err(); {
	case bad == nil && (at != rows.End || r.Pos() != rows.End):
		t.Errorf("%s at %d: the rows end at %d, the last one at %d", fr.Header.Type, fr.Off, rows.End, at)
	case bad != nil && bad.Kind != wire.Unsupported && fr.Bad == nil:
		t.Logf("%s at %d: %v", fr.Header.Type, fr.Off, bad)
	}
}

// FuzzScan scans any file, damaged logs above all: the rows cover it whatever stands in it and however it is fed, and every
// event in it can be decoded.
func FuzzScan(f *testing.F) {
	for _, l := range logtest.Samples() {
		f.Add(l.Bytes, uint16(0))
	}
	l := statements(logtest.MySQL8040, logtest.CRC32, 6)
	for _, b := range [][]byte{logtest.Flip(l.Bytes(), 200, 0xff), logtest.Cut(l.Bytes(), 200, 260), logtest.Insert(l.Bytes(), 204, make([]byte, 33)), logtest.SetSize(l.Bytes(), l.Events[2].Off, 1<<20),
		append(append([]byte(nil), l.Bytes()...), make([]byte, 100)...), l.Bytes()[:l.Len()-7], statements(logtest.MySQL55, logtest.Off, 3).Bytes(), statements(logtest.MySQL323, logtest.Off, 3).Bytes()} {
		f.Add(b, uint16(13))
	}
	for _, l := range logtest.ProjectLogs(f) {
		if len(l.Bytes) <= 8192 {
			f.Add(l.Bytes, uint16(100))
		}
	}
	f.Fuzz(func(t *testing.T, log []byte, chunk uint16) {
		if len(log) > 1<<16 {
			return
		}
		log = append([]byte("\xfebin"), log[min(4, len(log)):]...)
		frames := scan(t, log, options{})
		same(t, "in chunks", scan(t, log, options{chunk: 1 + int(chunk)}), frames)
		checkEvents(t, frames)
	})
}
