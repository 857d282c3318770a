package wire

import "strconv"

// Span names a range of an event's bytes. Spans come in pre-order: a group stands before its parts, which have a Depth
// one larger and lie inside it.
type Span struct {
	Path       string // "flags", "columns[3].name"
	Start, End uint32 // bytes from the first byte of the event, End exclusive
	Depth      uint8  // 0 for the event's own fields
	Group      bool   // the parts that follow make up this range; a leaf has none
}

// Recorder collects the spans of one event. The zero value is ready; Reset makes it ready again.
type Recorder struct {
	Spans []Span
	open  []int // indexes into Spans of the groups not yet ended
}

// Reset forgets everything and keeps the memory.
func (r *Recorder) Reset() { r.Spans, r.open = r.Spans[:0], r.open[:0] }

func (r *Recorder) path(name string) string {
	if len(r.open) == 0 {
		return name
	}
	return r.Spans[r.open[len(r.open)-1]].Path + "." + name
}

func (r *Recorder) leaf(name string, start, end int) {
	r.Spans = append(r.Spans, Span{Path: r.path(name), Start: uint32(start), End: uint32(end), Depth: uint8(len(r.open))})
}

func (r *Recorder) begin(name string, start int) {
	r.Spans = append(r.Spans, Span{Path: r.path(name), Start: uint32(start), End: uint32(start), Depth: uint8(len(r.open)), Group: true})
	r.open = append(r.open, len(r.Spans)-1)
}

func (r *Recorder) end(end int) {
	if n := len(r.open); n > 0 {
		r.Spans[r.open[n-1]].End = uint32(end)
		r.open = r.open[:n-1]
	}
}

// Field names the bytes read since the last Field, Begin or End. Without a Recorder it costs one comparison.
//
// When a read has failed, the first Field after it gives the error its path.
func (c *Cursor) Field(name string) {
	if c.rec != nil || c.err != nil {
		c.field(name)
	}
}

func (c *Cursor) field(name string) {
	if c.err != nil {
		if c.err.Path == "" {
			c.err.Path = name
			if c.rec != nil {
				c.err.Path = c.rec.path(name)
			}
		}
		return
	}
	c.rec.leaf(name, c.base+c.mark, c.base+c.pos)
	c.mark = c.pos
}

// Begin opens a group: the fields up to the matching End are its parts.
func (c *Cursor) Begin(name string) {
	if c.rec != nil && c.err == nil {
		c.mark = c.pos
		c.rec.begin(name, c.base+c.pos)
	}
}

// BeginItem opens the group of item i of a list: its path is name[i].
func (c *Cursor) BeginItem(name string, i int) {
	if c.rec != nil && c.err == nil {
		c.Begin(Item(name, i))
	}
}

// FieldItem is Field for item i of a list: its path is name[i].
func (c *Cursor) FieldItem(name string, i int) {
	if c.rec != nil || c.err != nil {
		c.field(Item(name, i))
	}
}

// End closes the group opened last. After a failed read it does nothing, so that the groups that were open stay open and
// name the place of the fault.
func (c *Cursor) End() {
	if c.rec != nil && c.err == nil {
		c.mark = c.pos
		c.rec.end(c.base + c.pos)
	}
}

// Quiet makes the cursor forget its Recorder: for looking ahead with a copy.
func (c *Cursor) Quiet() { c.rec = nil }

// Item returns name[i], the path of item i of a list.
func Item(name string, i int) string { return name + "[" + strconv.Itoa(i) + "]" }

// Finish closes the groups a failed read left open at the place of the fault, and names the bytes from there to the end
// of the event as rest, so that even then every byte has a name. end is the offset in the event of the first byte that is
// not the body's.
func (c *Cursor) Finish(rest string) {
	if c.rec == nil {
		return
	}
	for len(c.rec.open) > 0 {
		c.rec.end(c.base + c.mark)
	}
	if c.mark < len(c.b) {
		c.rec.leaf(rest, c.base+c.mark, c.base+len(c.b))
		c.mark = len(c.b)
	}
}

// FieldFrom takes over a cursor made by Sub and read, and names all bytes since the last Field, those of s included.
func (c *Cursor) FieldFrom(s *Cursor, name string) {
	if c.err == nil && s.err != nil {
		c.err = s.err
	}
	c.Field(name)
}

// Surplus names what is left of the cursor as surplus, if anything is.
func (c *Cursor) Surplus() {
	if c.Len() > 0 {
		c.Rest()
		c.Field("surplus")
	}
}
