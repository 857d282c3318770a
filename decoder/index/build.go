package index

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/wire"
	"encoding/binary"
	"slices"
	"sort"
)

// Builder adds frames to an Index.
type Builder struct {
	Index  Index
	groups groups
}

// Add takes the next frame.
func (b *Builder) Add(fr *frame.Frame) {
	x := &b.Index
	if f := x.LastFormat(); f != fr.Format {
		x.formats = append(x.formats, formatAt{from: x.n, format: fr.Format})
	}
	ordinal := x.n
	s, k := x.append(fr.Off)
	b.fill(fr, s, k)
	if fr.Cipher {
		s.flags[k] |= flagCipher
		return
	}
	if fr.Kind != frame.Event {
		return
	}
	x.noteTime(fr.Header)
	m := b.group(fr, s, k, ordinal)
	s.group[k] = m.group
	if m.first {
		s.flags[k] |= flagFirst
	}
	if m.last {
		s.flags[k] |= flagLast
	}
}

// AddInside takes the next frame inside the transaction payload at row payload, which was added last but for others inside
// it. The frame's offset counts decompressed bytes.
func (b *Builder) AddInside(payload int64, fr *frame.Frame) {
	x := &b.Index
	ordinal := x.n
	s, k := x.appendInside(payload, fr.Off)
	b.fill(fr, s, k)
	if fr.Kind == frame.Event {
		s.table[k], _ = b.table(fr, ordinal)
	}
	s.group[k] = x.slabs[payload>>16].group[payload&(slabRows-1)]
}

// Blame says that a row added before turned out to have a problem.
func (b *Builder) Blame(ordinal int64, err *wire.Error) {
	x := &b.Index
	f := &x.slabs[ordinal>>16].flags[ordinal&(slabRows-1)]
	if *f&flagProblem != 0 {
		return
	}
	*f |= flagProblem
	if x.bad++; len(x.problems) < maxProblems {
		i := sort.Search(len(x.problems), func(i int) bool { return x.problems[i].Ordinal > ordinal })
		x.problems = slices.Insert(x.problems, i, Problem{Ordinal: ordinal, Err: err})
	}
}

// fill sets what every frame says.
func (b *Builder) fill(fr *frame.Frame, s *slab, k int64) {
	x := &b.Index
	s.size[k] = uint32(fr.Size)
	s.flags[k] |= uint8(fr.Kind)
	if fr.Kind == frame.Event || fr.Kind == frame.Truncated {
		s.code[k] = uint8(fr.Header.Type)
		s.time[k] = fr.Header.Timestamp
	}
	if fr.Bad != nil {
		s.flags[k] |= flagProblem
		if x.bad++; len(x.problems) < maxProblems {
			x.problems = append(x.problems, Problem{Ordinal: x.n - 1, Err: fr.Bad})
		}
	}
}

func (x *Index) noteTime(h decoder.Header) {
	t := h.Timestamp
	if t == 0 || h.Flags&decoder.FlagArtificial != 0 {
		return
	}
	if x.first == 0 || t < x.first {
		x.first = t
	}
	x.last = max(x.last, t)
}

// group finds the event's table version and place in a transaction.
func (b *Builder) group(fr *frame.Frame, s *slab, k, ordinal int64) membership {
	h := &fr.Header
	var text []byte
	var flags2 uint8
	var end bool
	body := bodyOf(fr)
	switch {
	case h.Type == decoder.QueryType || h.Type == decoder.QueryCompressedType:
		text = decoder.QueryText(fr.Format, h.Type, body)
	case h.Type == decoder.MariaGtidType && len(body) > 12:
		flags2 = body[12]
	case h.Type == decoder.FormatDescriptionType && len(body) > 56:
		if binary.LittleEndian.Uint32(body[52:]) != 0 { // created: the server started with this log
			b.Index.tables.forget()
			b.groups.reset()
		}
	default:
		s.table[k], end = b.table(fr, ordinal)
	}
	return b.groups.add(h.Type, text, flags2, end)
}

// table finds the table version of a table map or row event, and whether the event ends its statement.
func (b *Builder) table(fr *frame.Frame, ordinal int64) (version uint32, end bool) {
	h, t := &fr.Header, &b.Index.tables
	switch {
	case h.Type == decoder.TableMapType && fr.Raw != nil:
		return t.version(fr.Format, bodyOf(fr), TableVersion{Ordinal: ordinal, Off: fr.Off, Size: h.Size}, !fr.Sum.OK()), false
	case h.Type.RowOp() != decoder.NoRows:
		return t.lookup(fr.Format, h.Type, bodyOf(fr))
	}
	return 0, false
}

// bodyOf returns the event's body, or of one too large to hold the beginning, which tells enough.
func bodyOf(fr *frame.Frame) []byte {
	raw := fr.Raw
	if raw == nil {
		raw = fr.Head
	} else {
		raw = raw[:max(len(raw)-fr.Sum.Len, 0)]
	}
	if len(raw) < fr.Header.Len {
		return nil
	}
	return raw[fr.Header.Len:]
}
