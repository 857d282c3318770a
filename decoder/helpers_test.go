package decoder_test

import (
	"reflect"
	"strings"
	"testing"

	"binlens/decoder"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/wire"
)

// format returns the format description of a server, read from the event it writes.
func format(t testing.TB, s logtest.Server, c logtest.Checksum) *decoder.FormatDescription {
	t.Helper()
	typ, body := decoder.FormatDescriptionType, []byte(nil)
	if s.Lengths == nil {
		typ, body = decoder.StartV3, s.StartBody()
	} else {
		body = s.FormatBody(c, logtest.Start)
	}
	f := decoder.AssumedFormat(decoder.ChecksumOff)
	ev, bad := decoder.Inspect(&decoder.Context{Format: f}, header(f, typ, body), body, nil)
	if bad != nil {
		t.Fatalf("%s: %v", s.Name, bad)
	}
	return ev.(*decoder.FormatDescription)
}

// header is that of an event with such a body.
func header(f *decoder.FormatDescription, typ decoder.Type, body []byte) decoder.Header {
	n := f.HeaderLenFor(uint8(typ))
	return decoder.Header{Code: uint8(typ), Type: typ, ServerID: logtest.ServerID, Size: uint32(n + len(body)), Len: n}
}

// inspect decodes a body with and without a Recorder, which must not differ, and checks that every byte has one name.
func inspect(t testing.TB, ctx *decoder.Context, h decoder.Header, body []byte) (decoder.Event, *wire.Error, []wire.Span) {
	t.Helper()
	rec := new(wire.Recorder)
	ev, bad := decoder.Inspect(ctx, h, body, rec)
	plain, plainBad := decoder.Inspect(ctx, h, body, nil)
	if !reflect.DeepEqual(ev, plain) {
		t.Errorf("%s: with a Recorder %+v, without %+v", h.Type, ev, plain)
	}
	if !reflect.DeepEqual(bad, plainBad) {
		t.Errorf("%s: with a Recorder %+v, without %+v", h.Type, bad, plainBad)
	}
	strict, err := decoder.Decode(ctx, h, body, nil)
	if (err == nil) != (bad == nil) || err != nil && strict != nil || err == nil && !reflect.DeepEqual(strict, ev) {
		t.Errorf("%s: Decode gives %v, %v; Inspect %v, %v", h.Type, strict, err, ev, bad)
	}
	checkTiling(t, rec.Spans, h.Len, h.Len+len(body))
	if bad != nil && (bad.Offset < 0 || bad.Offset > int64(len(body)) || bad.Msg == "" || bad.Kind == 0) {
		t.Errorf("%s: a body of %d bytes has the problem %+v", h.Type, len(body), bad)
	}
	return ev, bad, rec.Spans
}

// checkTiling fails unless the leaves cover start to end without gap or overlap, and groups cover exactly their parts.
func checkTiling(t testing.TB, spans []wire.Span, start, end int) {
	t.Helper()
	at := uint32(start)
	var open []wire.Span
	closeTo := func(depth int) {
		for len(open) > depth {
			if g := open[len(open)-1]; g.End != at {
				t.Errorf("group %s ends at %d, its parts at %d", g.Path, g.End, at)
			}
			open = open[:len(open)-1]
		}
	}
	for _, s := range spans {
		if int(s.Depth) > len(open) {
			t.Errorf("%s has depth %d below %d groups", s.Path, s.Depth, len(open))
			return
		}
		closeTo(int(s.Depth))
		if s.Start != at || s.End < s.Start {
			t.Errorf("%s is %d-%d, but %d comes next", s.Path, s.Start, s.End, at)
			return
		}
		if len(open) > 0 && !strings.HasPrefix(s.Path, open[len(open)-1].Path+".") {
			t.Errorf("%s stands in the group %s", s.Path, open[len(open)-1].Path)
		}
		if s.Group {
			open = append(open, s)
		} else {
			at = s.End
		}
	}
	closeTo(0)
	if at != uint32(end) {
		t.Errorf("names end at %d, the bytes at %d", at, end)
	}
}

// read decodes a body that has nothing wrong with it.
func read[E decoder.Event](t testing.TB, f *decoder.FormatDescription, typ decoder.Type, body []byte) E {
	t.Helper()
	ev, bad, _ := inspect(t, &decoder.Context{Format: f}, header(f, typ, body), body)
	if bad != nil {
		t.Fatalf("%s: %v", typ, bad)
	}
	e, ok := ev.(E)
	if !ok {
		t.Fatalf("%s is a %T", typ, ev)
	}
	return e
}

// fault decodes a body that has something wrong with it.
func fault(t testing.TB, f *decoder.FormatDescription, typ decoder.Type, body []byte) (decoder.Event, *wire.Error) {
	t.Helper()
	ev, bad, _ := inspect(t, &decoder.Context{Format: f}, header(f, typ, body), body)
	if bad == nil {
		t.Fatalf("%s % x: no problem", typ, body)
	}
	return ev, bad
}

// paths lists the names recorded for a body, groups marked with a plus.
func paths(t testing.TB, f *decoder.FormatDescription, typ decoder.Type, body []byte) string {
	t.Helper()
	_, _, spans := inspect(t, &decoder.Context{Format: f}, header(f, typ, body), body)
	var p []string
	for _, s := range spans {
		if s.Group {
			p = append(p, "+"+s.Path)
		} else {
			p = append(p, s.Path)
		}
	}
	return strings.Join(p, " ")
}

// equal fails with both values unless they are equal.
func equal(t testing.TB, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}
