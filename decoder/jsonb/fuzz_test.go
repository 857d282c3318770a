package jsonb

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"binlens/decoder/wire"
)

// FuzzDocument reads any bytes as a document. What is read must be JSON of a bounded length, the same from the tree, and
// what is not must say why.
func FuzzDocument(f *testing.F) {
	for _, d := range documents {
		f.Add(unhex(f, d.hex))
	}
	for _, v := range []any{deep(100), deep(101), large{object{{"a", large{[]any{"x", int64(1), nil}}}, {"b", object{{"c", 2.5}}}}},
		[]any{opaque{246, "\x03\x02\x81\x63"}, opaque{252, strings.Repeat("\x00", 58)}, opaque{11, "\xff\xff\xff\xff\xff\xff\xff\xff"}, opaque{12, "\xff\xff\xff\xff\xff\xff\xff\x7f"}}} {
		f.Add(build(v))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		text, err := AppendText(nil, doc)
		compact, compactErr := AppendJSON(nil, doc)
		tree, treeErr := Parse(doc)
		_, unquotedErr := AppendUnquoted(nil, doc)
		if err != nil {
			if compactErr == nil || treeErr == nil || unquotedErr == nil || *compactErr != *err || *treeErr != *err || *unquotedErr != *err {
				t.Fatalf("%v, compact %v, tree %v, unquoted %v", err, compactErr, treeErr, unquotedErr)
			}
			if err.Offset < 0 || err.Offset > int64(len(doc)) || !strings.HasPrefix(err.Path, "$") || err.Msg == "" || err.Kind != wire.Corrupt {
				t.Fatalf("%+v of %d bytes", err, len(doc))
			}
			if _, bad := ParsePath([]byte(err.Path)); bad != nil {
				t.Fatalf("path %s: %v", err.Path, bad)
			}
			return
		}
		if compactErr != nil || treeErr != nil || unquotedErr != nil {
			t.Fatalf("compact %v, tree %v, unquoted %v", compactErr, treeErr, unquotedErr)
		}
		if !json.Valid(text) || len(text) > MaxExpansion*(len(doc)+1) {
			t.Fatalf("%d bytes: %s", len(text), text)
		}
		var squeezed bytes.Buffer
		if err := json.Compact(&squeezed, text); err != nil || !bytes.Equal(squeezed.Bytes(), compact) {
			t.Fatalf("compact %s\nof %s", compact, text)
		}
		tree.openAll(&tree.root)
		if got, err := tree.AppendText(nil); err != nil || !bytes.Equal(got, text) {
			t.Fatalf("tree %s, %v\ntext %s", got, err, text)
		}
	})
}

// FuzzApply makes any changes to any document.
func FuzzApply(f *testing.F) {
	base := build(object{{"a", int16(1)}, {"b", []any{int16(1), object{{"c", nil}}}}})
	for _, vector := range [][]byte{
		change(Replace, "$.a", 1.5), change(Remove, "$.b[last]"), change(Insert, "$.b[0]", object{{"x", "y"}}), change(Insert, `$."odd key"`, nil),
		change(Replace, "$.b[1].c", deep(99)), change(Replace, "$", []any{}), append(change(Insert, "$.d", object{}), change(Insert, "$.d.e", true)...),
	} {
		f.Add(base, vector)
	}
	f.Add(build(deep(100)), change(Insert, "$"+strings.Repeat("[0]", 100), deep(2)))
	f.Fuzz(func(t *testing.T, doc, vector []byte) {
		c := wire.NewCursor(vector, 0, nil)
		diffs := ReadDiffs(&c, nil)
		for _, d := range diffs {
			if p, err := ParsePath(d.Path); err == nil {
				text := p.AppendText(nil)
				again, err := ParsePath(text)
				if err != nil || !bytes.Equal(again.AppendText(nil), text) {
					t.Fatalf("%s, read again: %s, %v", text, again.AppendText(nil), err)
				}
			}
		}
		if text, err := AppendDiffsJSON(nil, diffs); err == nil && !json.Valid(text) {
			t.Fatalf("%s", text)
		}
		tree, err := Parse(doc)
		if err != nil {
			return
		}
		if err := tree.Apply(diffs); err != nil && (err.Offset < 0 || err.Offset > int64(len(vector)) || err.Path == "" || err.Msg == "") {
			t.Fatalf("%+v of %d bytes", err, len(vector))
		}
		text, err := tree.AppendText(nil)
		if err != nil {
			return
		}
		if !json.Valid(text) || len(text) > MaxExpansion*(len(doc)+len(vector)+2) {
			t.Fatalf("%d bytes: %s", len(text), text)
		}
		tree.openAll(&tree.root)
		if again, err := tree.AppendText(nil); err != nil || !bytes.Equal(again, text) {
			t.Fatalf("taken apart: %s, %v\nbefore: %s", again, err, text)
		}
	})
}
