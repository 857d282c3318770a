//go:build js && wasm

package main

import (
	"reflect"
	"syscall/js"
	"testing"
)

// TestDTOs refuses what vert cannot carry: named scalars, arrays, maps with other keys, 64-bit integers, bytes, and
// fields without a name for JavaScript.
func TestDTOs(t *testing.T) {
	for _, dto := range []any{progressAnswer{}, surveyAnswer{}, summaryAnswer{}, failAnswer{}, filterAnswer{}, rankAnswer{}, completion{}, map[string]string{}} {
		for _, bad := range unfit(reflect.TypeOf(dto), reflect.TypeOf(dto).String()) {
			t.Error(bad)
		}
	}
	type named string
	for _, dto := range []any{
		struct{ A int }{}, struct {
			A int64 `js:"a"`
		}{}, struct {
			A [2]int `js:"a"`
		}{}, struct {
			A []byte `js:"a"`
		}{}, struct {
			A named `js:"a"`
		}{}, map[int]string{},
	} {
		if len(unfit(reflect.TypeOf(dto), "x")) == 0 {
			t.Errorf("%T passes", dto)
		}
	}
}

func unfit(t reflect.Type, path string) (bad []string) {
	basic := map[reflect.Kind]bool{reflect.String: true, reflect.Bool: true, reflect.Int: true, reflect.Uint32: true, reflect.Float64: true}
	switch {
	case basic[t.Kind()]:
		if t.PkgPath() != "" {
			return []string{path + " is of the named type " + t.String()}
		}
		return nil
	case t.Kind() == reflect.Pointer, t.Kind() == reflect.Slice:
		return unfit(t.Elem(), path)
	case t.Kind() == reflect.Map:
		if t.Key().Kind() != reflect.String {
			return []string{path + " has keys of " + t.Key().String()}
		}
		return unfit(t.Elem(), path)
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Tag.Get("js") == "" {
				bad = append(bad, path+"."+f.Name+" has no name")
			}
			bad = append(bad, unfit(f.Type, path+"."+f.Name)...)
		}
		return bad
	}
	return []string{path + " is a " + t.String()}
}

// TestObject reads the fields of a request: those that are there, those that are not, and those of another type.
func TestObject(t *testing.T) {
	o := js.Global().Get("Object").New()
	for name, v := range map[string]any{"size": float64(1<<40 + 1), "half": 0.5, "below": -1, "text": "sql", "on": true, "null": nil, "bytes": "5"} {
		o.Set(name, v)
	}
	req := object{o}
	for _, c := range []struct {
		name      string
		n         int64
		given, ok bool
	}{
		{"size", 1<<40 + 1, true, true}, {"missing", 0, false, true}, {"null", 0, false, true}, {"half", 0, true, false},
		{"below", 0, true, false}, {"bytes", 0, true, false},
	} {
		if n, given, ok := req.whole(c.name); n != c.n || given != c.given || ok != c.ok {
			t.Errorf("whole(%s) = %d, %v, %v", c.name, n, given, ok)
		}
	}
	if s, ok := req.text("text"); s != "sql" || !ok {
		t.Errorf("text = %q, %v", s, ok)
	}
	if s, ok := req.text("size"); s != "" || ok {
		t.Errorf("a number as a text = %q, %v", s, ok)
	}
	if s, ok := req.text("missing"); s != "" || !ok {
		t.Errorf("a missing text = %q, %v", s, ok)
	}
	if on, ok := req.flag("on"); !on || !ok {
		t.Errorf("flag = %v, %v", on, ok)
	}
	if on, ok := req.flag("text"); on || ok {
		t.Errorf("a text as a flag = %v, %v", on, ok)
	}
	for _, v := range []js.Value{js.Undefined(), js.Null(), js.ValueOf(5)} {
		if _, _, ok := (object{v}).whole("size"); ok {
			t.Errorf("%s is an object", v.Type())
		}
	}
}
