package index

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"encoding/binary"
)

// layout has what is needed of a format description to read the plain events of a run (see [frame.Scanner.Run]): what is
// asked for every event, found once.
type layout struct {
	format    *decoder.FormatDescription
	headerLen int
	sumLen    int
	body      [256]bodyKind // by type
	idLen     [256]uint8    // bytes of the table id
}

// bodyKind tells what of a body is read.
type bodyKind uint8

const (
	bodyOther bodyKind = iota
	bodyNone           // nothing
	bodyMap
	bodyRows
)

func (l *layout) set(f *decoder.FormatDescription) {
	if l.format == f {
		return
	}
	l.format, l.headerLen, l.sumLen = f, int(f.CommonHeaderLen), f.ChecksumLen()
	for code := range l.body {
		t := decoder.Type(code)
		l.idLen[code] = uint8(f.TableIDLen(t))
		switch {
		case t == decoder.TableMapType:
			l.body[code] = bodyMap
		case t.RowOp() != decoder.NoRows:
			l.body[code] = bodyRows
		case t == decoder.GtidType || t == decoder.AnonymousGtidType || t == decoder.XidType:
			l.body[code] = bodyNone
		default:
			l.body[code] = bodyOther
		}
	}
}

// read fills e, but for its offset, with what EntryOf says of the plain event at the front of run.
func (l *layout) read(e *Entry, run []byte) {
	size := binary.LittleEndian.Uint32(run[9:])
	typ := run[4]
	e.Size, e.Time, e.Server = size, binary.LittleEndian.Uint32(run), binary.LittleEndian.Uint32(run[5:])
	e.Flags, e.Type, e.Kind = binary.LittleEndian.Uint16(run[17:]), decoder.Type(typ), frame.Event
	e.Says, e.Query, e.Flags2, e.Table, e.Map = 0, 0, 0, 0, 0
	switch l.body[typ] {
	case bodyMap:
		e.readMap(l.bodyOf(run, size), int(l.idLen[typ]))
	case bodyRows:
		e.readRows(l.bodyOf(run, size), int(l.idLen[typ]))
	case bodyOther:
		e.readBody(l.format, l.bodyOf(run, size))
	}
}

func (l *layout) bodyOf(run []byte, size uint32) []byte { return run[l.headerLen : int(size)-l.sumLen] }
