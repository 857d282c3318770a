package jsonb

import (
	"unicode/utf8"

	"binlens/decoder/wire"
)

// Op is what a diff does.
type Op uint8

// The operations. Insert makes a new member, which must not be there yet, or, when the path ends in an element, an element
// before the one that is there; behind the last one at the most.
const (
	Replace Op = 0
	Insert  Op = 1
	Remove  Op = 2
)

// String returns "replace", "insert" or "remove".
func (o Op) String() string {
	switch o {
	case Replace:
		return "replace"
	case Insert:
		return "insert"
	case Remove:
		return "remove"
	}
	return "operation " + itoa(int(o))
}

// Diff is one change of a document.
//
//	u8 op
//	lenenc length and the text of a path
//	lenenc length and a binary document, the new value (not for Remove)
type Diff struct {
	Op    Op
	Path  []byte // see [ParsePath]
	Value []byte // see [AppendText]; nil for Remove

	// Where it stands, in bytes from the first of the cursor it was read from: the whole, and the first byte of Path and
	// of Value.
	Off, PathOff, ValueOff, End uint32
}

// ReadDiffs reads the diffs of one cell to the end of the cursor, which starts behind the 4 bytes of their length, and
// appends them to list. No diffs at all say that the document stays as it is. Paths and values are not looked into. An
// error stays in the cursor, and what was read before it is returned.
func ReadDiffs(c *wire.Cursor, list []Diff) []Diff {
	for i := 0; c.Len() > 0; i++ {
		c.BeginItem("diffs", i)
		var d Diff
		d.read(c)
		c.End()
		if !c.OK() {
			break
		}
		list = append(list, d)
	}
	return list
}

func (d *Diff) read(c *wire.Cursor) {
	d.Off = uint32(c.Pos())
	d.Op = Op(c.Uint8())
	if d.Op > Remove {
		c.FailAt(int(d.Off), wire.Corrupt, d.Op.String()+" is none of replace, insert and remove")
	}
	c.Field("op")
	d.Path = c.LenencBytes()
	d.PathOff = uint32(c.Pos() - len(d.Path))
	c.Field("path")
	d.ValueOff = uint32(c.Pos())
	if d.Op != Remove {
		d.Value = c.LenencBytes()
		d.ValueOff = uint32(c.Pos() - len(d.Value))
		c.Field("value")
	}
	d.End = uint32(c.Pos())
}

// AppendDiffsJSON appends diffs as JSON: [{"op":"replace","path":"$.a","value":1},…]. Errors are Corrupt: a path that is
// not UTF-8, a value that is no document; Offset counts as the diffs' own offsets do.
func AppendDiffsJSON(dst []byte, diffs []Diff) ([]byte, *wire.Error) {
	start := len(dst)
	dst = append(dst, '[')
	for i := range diffs {
		d := &diffs[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		if !utf8.Valid(d.Path) {
			return dst[:start], d.fault(i, "path", d.PathOff, "a path that is not UTF-8")
		}
		dst = append(append(append(dst, `{"op":"`...), d.Op.String()...), `","path":`...)
		dst = appendString(dst, d.Path)
		if d.Op != Remove {
			var err *wire.Error
			dst = append(dst, `,"value":`...)
			if dst, err = AppendJSON(dst, d.Value); err != nil {
				return dst[:start], d.valueFault(i, err)
			}
		}
		dst = append(dst, '}')
	}
	return append(dst, ']'), nil
}

// fault returns an error in diff i.
func (d *Diff) fault(i int, field string, off uint32, msg string) *wire.Error {
	return &wire.Error{Offset: int64(off), Path: wire.Item("diffs", i) + "." + field, Kind: wire.Corrupt, Msg: msg}
}

// valueFault makes an error in the value of diff i one of the diff.
func (d *Diff) valueFault(i int, err *wire.Error) *wire.Error {
	return &wire.Error{Offset: int64(d.ValueOff) + err.Offset, Path: wire.Item("diffs", i) + ".value", Kind: err.Kind,
		Msg: err.Msg + ", at " + err.Path + " of the value"}
}
