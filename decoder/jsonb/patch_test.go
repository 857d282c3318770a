package jsonb

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestApply(t *testing.T) {
	base := object{{"a", int16(1)}, {"b", []any{int16(1), int16(2), int16(3)}}, {"c", "text"}}
	for _, tt := range []struct {
		name    string
		doc     any
		changes [][]byte
		want    string
	}{
		{"none", base, nil, `{"a": 1, "b": [1, 2, 3], "c": "text"}`},
		{"three", object{{"a", int16(1)}, {"b", true}}, [][]byte{change(Replace, "$.a", int16(9)), change(Remove, "$.b"), change(Insert, "$.c", "z")}, `{"a": 9, "c": "z"}`},
		{"replace", base, [][]byte{change(Replace, "$.c", object{{"x", nil}})}, `{"a": 1, "b": [1, 2, 3], "c": {"x": null}}`},
		{"replace an element", base, [][]byte{change(Replace, "$.b[1]", 2.5)}, `{"a": 1, "b": [1, 2.5, 3], "c": "text"}`},
		{"replace the last", base, [][]byte{change(Replace, "$.b[last]", false)}, `{"a": 1, "b": [1, 2, false], "c": "text"}`},
		{"replace all", base, [][]byte{change(Replace, "$", []any{})}, `[]`},
		{"insert members by length, then bytes", base, [][]byte{change(Insert, "$.aa", nil), change(Insert, `$.""`, nil), change(Insert, "$.B", nil), change(Insert, "$.d", nil)},
			`{"": null, "B": null, "a": 1, "b": [1, 2, 3], "c": "text", "d": null, "aa": null}`},
		{"insert first", base, [][]byte{change(Insert, "$.b[0]", "x")}, `{"a": 1, "b": ["x", 1, 2, 3], "c": "text"}`},
		{"insert behind the last", base, [][]byte{change(Insert, "$.b[3]", "x"), change(Insert, "$.b[99]", "y")}, `{"a": 1, "b": [1, 2, 3, "x", "y"], "c": "text"}`},
		{"insert before the last", base, [][]byte{change(Insert, "$.b[last]", "x"), change(Insert, "$.b[last-99]", "y")}, `{"a": 1, "b": ["y", 1, 2, "x", 3], "c": "text"}`},
		{"remove", base, [][]byte{change(Remove, "$.b[1]"), change(Remove, "$.a")}, `{"b": [1, 3], "c": "text"}`},
		{"remove all", base, [][]byte{change(Remove, "$.b[last]"), change(Remove, "$.b[0]"), change(Remove, "$.b[0]"), change(Remove, "$.a"), change(Remove, "$.c")}, `{"b": []}`},
		{"into what was inserted", base, [][]byte{change(Insert, "$.d", []any{object{}}), change(Insert, "$.d[0].e", int16(5)), change(Replace, "$.d[0].e", int16(6))},
			`{"a": 1, "b": [1, 2, 3], "c": "text", "d": [{"e": 6}]}`},
		{"remove and insert again", base, [][]byte{change(Remove, "$.a"), change(Insert, "$.a", int16(2))}, `{"a": 2, "b": [1, 2, 3], "c": "text"}`},
		{"an array at the top", []any{int16(1), []any{int16(2)}}, [][]byte{change(Insert, "$[1][0]", nil), change(Remove, "$[0]")}, `[[null, 2]]`},
		{"a scalar at the top", "x", [][]byte{change(Replace, "$", int16(1))}, `1`},
		{"large", large{object{{"a", large{[]any{int32(70000), "x"}}}}}, [][]byte{change(Replace, "$.a[1]", large{object{{"b", int32(7)}}}), change(Insert, "$.a[1].c", 1.0)},
			`{"a": [70000, {"b": 7, "c": 1.0}]}`},
		{"odd names", object{}, [][]byte{change(Insert, `$."odd \"key\""`, nil), change(Insert, `$."ü"`, int16(1))}, `{"ü": 1, "odd \"key\"": null}`},
		{"to 100 deep", deep(99), [][]byte{change(Insert, "$"+strings.Repeat("[0]", 98)+"[0]", []any{})}, strings.Repeat("[", 100) + strings.Repeat("]", 100)},
	} {
		doc := build(tt.doc)
		tree, err := Parse(doc)
		if err != nil {
			t.Fatal(tt.name, err)
		}
		before := bytes.Clone(doc)
		if err := tree.Apply(readDiffs(t, slices.Concat(tt.changes...))); err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got, err := tree.AppendText([]byte("x")); err != nil || string(got) != "x"+tt.want {
			t.Errorf("%s: %s, %v\nwant %s", tt.name, got, err, tt.want)
		}
		got, err := tree.AppendJSON(nil)
		if want := strings.NewReplacer(", ", ",", ": ", ":").Replace(tt.want); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v\nwant %s", tt.name, got, err, want)
		}
		if !bytes.Equal(doc, before) {
			t.Errorf("%s: the document's bytes have changed", tt.name)
		}
	}
}

func TestApplyFaults(t *testing.T) {
	base := object{{"a", int16(1)}, {"b", []any{int16(1)}}}
	const nothing, none = ": the document has nothing at this path", ": the document has no array or object that this path could change"
	for _, tt := range []struct {
		name   string
		doc    any
		change []byte
		want   string
	}{
		{"replace a member that is not there", base, change(Replace, "$.c", nil), "corrupt at byte 2 in diffs[0].path" + nothing},
		{"remove a member that is not there", base, change(Remove, "$.c"), "corrupt at byte 2 in diffs[0].path" + nothing},
		{"replace behind the last", base, change(Replace, "$.b[1]", nil), "corrupt at byte 2 in diffs[0].path" + nothing},
		{"replace before the first", base, change(Replace, "$.b[last-1]", nil), "corrupt at byte 2 in diffs[0].path" + nothing},
		{"remove behind the last", base, change(Remove, "$.b[1]"), "corrupt at byte 2 in diffs[0].path" + nothing},
		{"insert where there is a member", base, change(Insert, "$.a", nil), "corrupt at byte 2 in diffs[0].path: the document has this member already"},
		{"insert into a number", base, change(Insert, "$.a.b", nil), "corrupt at byte 2 in diffs[0].path" + none},
		{"insert an element into an object", base, change(Insert, "$[0]", nil), "corrupt at byte 2 in diffs[0].path" + none},
		{"insert a member into an array", base, change(Insert, "$.b.c", nil), "corrupt at byte 2 in diffs[0].path" + none},
		{"insert into what is not there", base, change(Insert, "$.c.d", nil), "corrupt at byte 2 in diffs[0].path" + nothing},
		{"go through a number", base, change(Replace, "$.a[0].b", nil), "corrupt at byte 2 in diffs[0].path" + none},
		{"insert all", base, change(Insert, "$", nil), "corrupt at byte 2 in diffs[0].path: the whole document can only be replaced"},
		{"remove all", base, change(Remove, "$"), "corrupt at byte 2 in diffs[0].path: the whole document can only be replaced"},
		{"no path", base, change(Remove, "$.b[*]"), "corrupt at byte 6 in diffs[0].path: the number of an element belongs here"},
		{"no value", base, change(Replace, "$.a", "\xff"), "corrupt at byte 8 in diffs[0].value: a string that is not UTF-8, at $ of the value"},
	} {
		tree, err := Parse(build(tt.doc))
		if err != nil {
			t.Fatal(err)
		}
		if err := tree.Apply(readDiffs(t, tt.change)); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v\nwant %s", tt.name, err, tt.want)
		}
		want, _ := AppendText(nil, build(tt.doc))
		if got, err := tree.AppendText(nil); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: the document is then %s, %v", tt.name, got, err)
		}
	}
}

// The second of two changes fails: the first is made, and the error is that of the second.
func TestApplyStops(t *testing.T) {
	tree, _ := Parse(build(object{{"a", int16(1)}}))
	err := tree.Apply(readDiffs(t, slices.Concat(change(Remove, "$.a"), change(Remove, "$.a"), change(Insert, "$.b", nil))))
	if err == nil || err.Path != "diffs[1].path" || err.Offset != 7 {
		t.Errorf("%v", err)
	}
	if got, _ := tree.AppendText(nil); string(got) != "{}" {
		t.Errorf("%s", got)
	}
}

func TestApplyUnsorted(t *testing.T) {
	doc := build(object{{"a", int16(1)}, {"b", int16(2)}})
	i := bytes.LastIndex(doc, []byte("ab"))
	doc[i], doc[i+1] = 'b', 'a'
	checkDocument(t, "unsorted", doc, `{"b": 1, "a": 2}`)
	tree, _ := Parse(doc)
	if err := tree.Apply(readDiffs(t, change(Remove, "$.a"))); err == nil || err.Msg != unsorted {
		t.Errorf("%v", err)
	}
}

func TestApplyTooDeep(t *testing.T) {
	for _, change := range [][]byte{
		change(Insert, "$"+strings.Repeat("[0]", 50), deep(51)),                                                                     // in the value's own bytes
		slices.Concat(change(Insert, "$"+strings.Repeat("[0]", 100), deep(2)), change(Insert, "$"+strings.Repeat("[0]", 101), nil)), // where it was taken apart
	} {
		tree, _ := Parse(build(deep(100)))
		if err := tree.Apply(readDiffs(t, change)); err != nil {
			t.Fatal(err)
		}
		if got, err := tree.AppendText([]byte("x")); err == nil || string(got) != "x" || !strings.Contains(err.Msg, "more than 100") {
			t.Errorf("%q, %v", got, err)
		}
	}
}

// Insertions at the front of a large array move all of it each time; that has an end.
func TestApplyMovesTooMuch(t *testing.T) {
	elements := make([]any, 1<<16)
	tree, err := Parse(build(large{elements}))
	if err != nil {
		t.Fatal(err)
	}
	vector := bytes.Repeat(change(Insert, "$[0]", nil), maxMoved/len(elements)+1)
	if err := tree.Apply(readDiffs(t, vector)); err == nil || err.Kind.String() != "unsupported" || err.Msg != tooManyMoved {
		t.Errorf("%v", err)
	}
}
