package sql

import (
	"binlens/decoder/jsonb"
	"binlens/decoder/value"
	"binlens/decoder/wire"
)

// appendDocument appends a binary JSON document as text.
func appendDocument(dst, doc []byte) ([]byte, string) {
	text, err := jsonb.AppendText(nil, doc)
	if err != nil {
		return append(dst, "NULL"...), err.Msg
	}
	return appendQuoted(dst, text), ""
}

// appendCast appends a document as a value of type JSON.
func appendCast(dst, doc []byte) ([]byte, string) {
	dst, why := appendDocument(append(dst, "CAST("...), doc)
	return append(dst, " AS JSON)"...), why
}

func readDiffs(b []byte) ([]jsonb.Diff, string) {
	c := wire.NewCursor(b, 0, nil)
	diffs := jsonb.ReadDiffs(&c, nil)
	if err := c.Fault(); err != nil {
		return nil, err.Msg
	}
	return diffs, ""
}

// appendPatched appends the document that a partial update makes of the one before it.
func appendPatched(dst, raw []byte, before, v *value.Value) ([]byte, string) {
	text, why := patched(value.Bytes(raw, before), value.Bytes(raw, v))
	if why != "" {
		return append(dst, "NULL"...), why
	}
	return appendQuoted(dst, text), ""
}

// patched is the text of a document after a partial update.
func patched(before, b []byte) ([]byte, string) {
	diffs, why := readDiffs(b)
	if why != "" {
		return nil, why
	}
	tree, err := jsonb.Parse(before)
	if err == nil {
		err = tree.Apply(diffs)
	}
	if err != nil {
		return nil, err.Msg
	}
	text, err := tree.AppendText(nil)
	if err != nil {
		return nil, err.Msg
	}
	return text, ""
}

// appendDiffs appends a partial update as the functions that make it, of a column whose document before is not known.
func (c *column) appendDiffs(dst, b []byte) (out []byte, why string) {
	diffs, why := readDiffs(b)
	if why != "" {
		return append(dst, "NULL"...), why
	}
	for i := len(diffs) - 1; i >= 0; i-- {
		dst = append(append(dst, function(&diffs[i])...), '(')
	}
	dst = append(dst, c.name...)
	for i := range diffs {
		d := &diffs[i]
		dst = appendQuoted(append(dst, ','), d.Path)
		if d.Op != jsonb.Remove {
			if dst, why = appendCast(append(dst, ','), d.Value); why != "" {
				return dst, why
			}
		}
		dst = append(dst, ')')
	}
	return dst, ""
}

func function(d *jsonb.Diff) string {
	switch {
	case d.Op == jsonb.Replace:
		return "JSON_REPLACE"
	case d.Op == jsonb.Remove:
		return "JSON_REMOVE"
	case len(d.Path) > 0 && d.Path[len(d.Path)-1] == ']':
		return "JSON_ARRAY_INSERT"
	}
	return "JSON_INSERT"
}
