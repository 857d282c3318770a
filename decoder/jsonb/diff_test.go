package jsonb

import (
	"bytes"
	"strings"
	"testing"

	"binlens/decoder/wire"
)

// change makes the bytes of a diff; no value for Remove.
func change(op Op, path string, value ...any) []byte {
	b := append([]byte{byte(op)}, lenenc(len(path))...)
	b = append(b, path...)
	for _, v := range value {
		doc := build(v)
		b = append(append(b, lenenc(len(doc))...), doc...)
	}
	return b
}

func lenenc(n int) []byte {
	if n < 251 {
		return []byte{byte(n)}
	}
	return []byte{0xfd, byte(n), byte(n >> 8), byte(n >> 16)}
}

func readDiffs(t testing.TB, vector []byte) []Diff {
	t.Helper()
	c := wire.NewCursor(vector, 100, nil)
	diffs := ReadDiffs(&c, nil)
	if !c.OK() {
		t.Fatal(c.Err())
	}
	return diffs
}

func TestReadDiffs(t *testing.T) {
	vector := unhex(t, "00 05 242e616765 03 05 1a00  02 03 242e62  01 04 245b305d fc 0200 04 00")
	rec := new(wire.Recorder)
	c := wire.NewCursor(vector, 100, rec)
	diffs := ReadDiffs(&c, make([]Diff, 1))[1:]
	c.Finish("rest")
	if !c.OK() || len(diffs) != 3 {
		t.Fatalf("%d diffs, %v", len(diffs), c.Err())
	}
	want := []Diff{
		{Op: Replace, Path: []byte("$.age"), Value: []byte{5, 26, 0}, Off: 0, PathOff: 2, ValueOff: 8, End: 11},
		{Op: Remove, Path: []byte("$.b"), Off: 11, PathOff: 13, ValueOff: 16, End: 16},
		{Op: Insert, Path: []byte("$[0]"), Value: []byte{4, 0}, Off: 16, PathOff: 18, ValueOff: 25, End: 27},
	}
	for i, d := range diffs {
		w := want[i]
		if d.Op != w.Op || !bytes.Equal(d.Path, w.Path) || !bytes.Equal(d.Value, w.Value) || d.Off != w.Off || d.PathOff != w.PathOff || d.ValueOff != w.ValueOff || d.End != w.End {
			t.Errorf("diff %d: %+v\nwant %+v", i, d, w)
		}
	}
	var names []string
	at := uint32(100)
	for _, s := range rec.Spans {
		if !s.Group {
			names = append(names, s.Path)
			if s.Start != at {
				t.Errorf("%s starts at %d, not %d", s.Path, s.Start, at)
			}
			at = s.End
		}
	}
	if got := strings.Join(names, " "); got != "diffs[0].op diffs[0].path diffs[0].value diffs[1].op diffs[1].path diffs[2].op diffs[2].path diffs[2].value" || at != 127 {
		t.Errorf("fields %s to %d", got, at)
	}
	got, err := AppendDiffsJSON([]byte("x"), diffs)
	if want := `x[{"op":"replace","path":"$.age","value":26},{"op":"remove","path":"$.b"},{"op":"insert","path":"$[0]","value":null}]`; err != nil || string(got) != want {
		t.Errorf("%s, %v\nwant %s", got, err, want)
	}
	if got, err := AppendDiffsJSON(nil, readDiffs(t, nil)); err != nil || string(got) != "[]" {
		t.Errorf("no diffs: %s, %v", got, err)
	}
}

func TestDiffFaults(t *testing.T) {
	for _, tt := range []struct {
		hex, want string
		n         int // diffs before the fault
	}{
		{"03 02 242e", "corrupt at byte 0 in op: operation 3 is none of replace, insert and remove", 0},
		{"00", "truncated at byte 1 in path: 1 byte needed, 0 left", 0},
		{"00 05 242e61", "truncated at byte 2 in path: a length of 5 bytes, 3 left", 0},
		{"00 fe ffffffff ffffffff 24", "truncated at byte 10 in path: a length of 18446744073709551615 bytes, 1 left", 0},
		{"02 01 24 00 03 242e61", "truncated at byte 8 in value: 1 byte needed, 0 left", 1},
		{"00 03 242e61 02 04", "truncated at byte 6 in value: a length of 2 bytes, 1 left", 0},
	} {
		c := wire.NewCursor(unhex(t, tt.hex), 100, nil)
		diffs := ReadDiffs(&c, nil)
		if c.OK() || c.Err().Error() != tt.want || len(diffs) != tt.n {
			t.Errorf("%s: %d diffs, %v\nwant %s", tt.hex, len(diffs), c.Err(), tt.want)
		}
	}
	for _, tt := range []struct {
		vector []byte
		want   string
	}{
		{append(change(Remove, "$.a"), change(Remove, "$.\xff")...), "corrupt at byte 7 in diffs[1].path: a path that is not UTF-8"},
		{change(Replace, "$.a", []any{"\xff"}), "corrupt at byte 15 in diffs[0].value: a string that is not UTF-8, at $[0] of the value"},
	} {
		if got, err := AppendDiffsJSON([]byte("x"), readDiffs(t, tt.vector)); err == nil || err.Error() != tt.want || string(got) != "x" {
			t.Errorf("%q, %v\nwant %s", got, err, tt.want)
		}
	}
}
