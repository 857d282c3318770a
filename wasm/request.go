//go:build js && wasm

package main

import "syscall/js"

// object is a request, whose fields are read one by one. vert could assign all of them to a struct; with that comes what else
// assigns by reflection, and fmt for its errors: 50 kB of the page's program.
type object struct{ js.Value }

// field returns a field of a type; ok is false when it is of another one. A field that is missing, undefined or null is not
// given, which is ok.
func (o object) field(name string, typ js.Type) (v js.Value, given, ok bool) {
	if o.Type() != js.TypeObject {
		return v, false, false
	}
	v = o.Get(name)
	if v.IsUndefined() || v.IsNull() {
		return v, false, true
	}
	return v, true, v.Type() == typ
}

// whole returns a field that is a whole number from 0 to 2^53; 0 when it is not given.
func (o object) whole(name string) (n int64, given, ok bool) {
	v, given, ok := o.field(name, js.TypeNumber)
	if !given || !ok {
		return 0, given, ok
	}
	n, ok = whole(v.Float())
	return n, true, ok
}

// text returns a field that is a string; "" when it is not given.
func (o object) text(name string) (s string, ok bool) {
	v, given, ok := o.field(name, js.TypeString)
	if !given || !ok {
		return "", ok
	}
	return v.String(), true
}

// flag returns a field that is true or false; false when it is not given.
func (o object) flag(name string) (on, ok bool) {
	v, given, ok := o.field(name, js.TypeBoolean)
	return given && ok && v.Bool(), ok
}
