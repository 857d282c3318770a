//go:build js && wasm

package main

import (
	"reflect"
	"syscall/js"
	"testing"

	"github.com/norunners/vert"
)

// TestDTOs refuses what vert cannot carry: named scalars, arrays, maps with other keys, 64-bit integers, bytes, and
// fields without a name for JavaScript.
func TestDTOs(t *testing.T) {
	for _, dto := range []any{openRequest{}, exportRequest{}, schemaAnswer{}, noteAnswer{}, progressAnswer{}, surveyAnswer{}, summaryAnswer{}, failAnswer{}, filterAnswer{}, rankAnswer{}, completion{}, map[string]string{}} {
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

// TestOpenRequest sends a request through vert as the worker does.
func TestOpenRequest(t *testing.T) {
	o := js.Global().Get("Object").New()
	o.Set("size", float64(1<<40+1))
	var req openRequest
	if err := vert.ValueOf(o).AssignTo(&req); err != nil {
		t.Fatal(err)
	}
	if req.Size == nil || *req.Size != 1<<40+1 || req.MaxEventSize != nil {
		t.Errorf("got %+v", req)
	}
}
