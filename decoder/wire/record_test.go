package wire

import (
	"strconv"
	"strings"
	"testing"
)

// show prints spans as one line each: indentation, path, range, and a plus for groups.
func show(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(strings.Repeat(" ", int(s.Depth)))
		if s.Group {
			b.WriteString("+")
		}
		b.WriteString(s.Path + " " + strconv.Itoa(int(s.Start)) + "-" + strconv.Itoa(int(s.End)) + "\n")
	}
	return b.String()
}

// body reads: a, list of two items of b and c, and a part cut out by Sub.
func body(c *Cursor) {
	c.Uint16()
	c.Field("a")
	c.Begin("list")
	for i := range 2 {
		c.BeginItem("items", i)
		c.Uint8()
		c.Field("b")
		c.Uint16()
		c.Field("c")
		c.End()
	}
	c.End()
	c.Uint8()
	c.Field("length")
	s := c.Sub(4)
	s.Uint8()
	s.FieldItem("values", 0)
	s.Begin("inner")
	s.Uint16()
	s.Field("d")
	s.End()
	s.Uint8()
	s.FieldItem("values", 1)
	c.Join(&s)
	c.Uint8()
	c.Field("e")
}

func TestSpans(t *testing.T) {
	tests := []struct {
		n    int // bytes there
		want string
		bad  string
	}{
		{14, "a 19-21|+list 21-27| +list.items[0] 21-24|  list.items[0].b 21-22|  list.items[0].c 22-24| +list.items[1] 24-27|" +
			"  list.items[1].b 24-25|  list.items[1].c 25-27|length 27-28|values[0] 28-29|+inner 29-31| inner.d 29-31|values[1] 31-32|e 32-33|", ""},
		{1, "rest 19-20|", "truncated at byte 0 in a: 2 bytes needed, 1 left"},
		{7, "a 19-21|+list 21-25| +list.items[0] 21-24|  list.items[0].b 21-22|  list.items[0].c 22-24| +list.items[1] 24-25|" +
			"  list.items[1].b 24-25|rest 25-26|", "truncated at byte 6 in list.items[1].c: 2 bytes needed, 1 left"},
		{11, "a 19-21|+list 21-27| +list.items[0] 21-24|  list.items[0].b 21-22|  list.items[0].c 22-24| +list.items[1] 24-27|" +
			"  list.items[1].b 24-25|  list.items[1].c 25-27|length 27-28|rest 28-30|", "truncated at byte 9 in values[0]: 4 bytes needed, 2 left"},
	}
	for _, tt := range tests {
		rec := new(Recorder)
		c := NewCursor(make([]byte, tt.n), 19, rec)
		body(&c)
		c.Finish("rest")
		if got := strings.ReplaceAll(show(rec.Spans), "\n", "|"); got != tt.want {
			t.Errorf("%d bytes:\n got %s\nwant %s", tt.n, got, tt.want)
		}
		if bad := c.Fault(); bad == nil && tt.bad != "" || bad != nil && bad.Error() != tt.bad {
			t.Errorf("%d bytes: %v; want %s", tt.n, bad, tt.bad)
		}
	}
}

// A fault inside a part cut out by Sub: what was read of it keeps its names, the rest of it is named too.
func TestFaultInSub(t *testing.T) {
	rec := new(Recorder)
	c := NewCursor(make([]byte, 10), 19, rec)
	c.Uint8()
	c.Field("a")
	c.Begin("part")
	s := c.Sub(5)
	s.Uint16()
	s.Field("b")
	s.Uint32()
	s.Field("c")
	c.Join(&s)
	c.End()
	c.Uint8()
	c.Field("d")
	c.Finish("unread")
	want := "a 19-20|+part 20-22| part.b 20-22|unread 22-29|"
	if got := strings.ReplaceAll(show(rec.Spans), "\n", "|"); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if got := c.Err().Error(); got != "truncated at byte 3 in part.c: 4 bytes needed, 3 left" {
		t.Error(got)
	}
}

func TestPositions(t *testing.T) {
	c := NewCursor(make([]byte, 10), 19, nil)
	c.Skip(3)
	s := c.Sub(5)
	s.Skip(1)
	in := s.Sub(3)
	in.Uint8()
	if c.EventPos() != 27 || s.EventPos() != 26 || in.EventPos() != 24 || in.Pos() != 1 || len(in.Data()) != 3 {
		t.Errorf("positions %d %d %d %d", c.EventPos(), s.EventPos(), in.EventPos(), in.Pos())
	}
	in.Uint32()
	s.Join(&in)
	c.Join(&s)
	if bad := c.Fault(); bad == nil || bad.Offset != 5 {
		t.Errorf("%v; want an offset from the body's first byte, 5", bad)
	}
}

// Without a Recorder an error gets the name of the field, not its path.
func TestNameWithoutRecorder(t *testing.T) {
	c := NewCursor(nil, 0, nil)
	c.Begin("group")
	c.Uint8()
	c.FieldItem("x", 4)
	c.Field("later")
	if c.Fault().Path != "x[4]" {
		t.Errorf("path %q", c.Fault().Path)
	}
}

func TestRecorderReset(t *testing.T) {
	rec := new(Recorder)
	for range 2 {
		c := NewCursor([]byte{1, 2}, 0, rec)
		c.Begin("open")
		c.Uint8()
		c.Field("a")
		rec.Reset()
		if len(rec.Spans) != 0 {
			t.Fatal("spans are left")
		}
		c.Uint8()
		c.Field("b")
		if got := show(rec.Spans); got != "b 1-2\n" {
			t.Errorf("after Reset: %q", got)
		}
		rec.Reset()
	}
}

func TestQuiet(t *testing.T) {
	rec := new(Recorder)
	c := NewCursor([]byte{1, 2}, 0, rec)
	look := c
	look.Quiet()
	look.Uint8()
	look.Field("looked")
	if c.Uint8(); c.Recording() && !look.Recording() {
		c.Field("read")
	}
	if got := show(rec.Spans); got != "read 0-1\n" {
		t.Errorf("%q", got)
	}
}
