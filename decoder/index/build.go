package index

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"encoding/binary"
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
	s.size[k] = uint32(fr.Size)
	s.flags[k] = uint8(fr.Kind)
	if fr.Kind == frame.Event || fr.Kind == frame.Truncated {
		s.code[k] = uint8(fr.Header.Type)
		s.time[k] = fr.Header.Timestamp
	}
	if fr.Bad != nil {
		s.flags[k] |= flagProblem
		if x.bad++; len(x.problems) < maxProblems {
			x.problems = append(x.problems, Problem{Ordinal: ordinal, Err: fr.Bad})
		}
	}
	if fr.Cipher {
		s.flags[k] |= flagCipher
		s.group[k] = 0
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
	h, t := &fr.Header, &b.Index.tables
	var text []byte
	var flags2 uint8
	var end bool
	raw := fr.Raw
	if raw == nil { // too large to hold: its head tells enough
		raw = fr.Head
	} else {
		raw = raw[:max(len(raw)-fr.Sum.Len, 0)]
	}
	if len(raw) >= h.Len {
		body := raw[h.Len:]
		switch {
		case h.Type == decoder.QueryType || h.Type == decoder.QueryCompressedType:
			text = decoder.QueryText(fr.Format, h.Type, body)
		case h.Type == decoder.TableMapType && fr.Raw != nil:
			s.table[k] = t.version(fr.Format, body, TableVersion{Ordinal: ordinal, Off: fr.Off, Size: h.Size})
		case h.Type == decoder.MariaGtidType && len(body) > 12:
			flags2 = body[12]
		case h.Type == decoder.FormatDescriptionType && len(body) > 56:
			if binary.LittleEndian.Uint32(body[52:]) != 0 { // created: the server started with this log
				t.forget()
				b.groups.reset()
			}
		case h.Type.RowOp() != decoder.NoRows:
			s.table[k], end = t.lookup(fr.Format, h.Type, body)
		}
	}
	return b.groups.add(h.Type, text, flags2, end)
}
