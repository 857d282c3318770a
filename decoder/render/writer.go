package render

import (
	"binlens/decoder/wire"
	"strconv"
	"unicode/utf8"
)

// writer takes the description of an event, field by field in wire order, and builds the JSON of its data from it, or the
// texts of its tree.
type writer struct {
	b     []byte
	tree  bool
	shown map[string]text // path -> what the tree shows; only for a tree
	path  []string        // of the open groups
	only  map[string]bool // paths that were recorded, when an event could not be read to its end; nil = all
}

// text is what the tree shows of a field.
type text struct {
	value string
	note  string // what the value means, in words
}

func (w *writer) join(name string) string {
	if len(w.path) == 0 {
		return name
	}
	return w.path[len(w.path)-1] + "." + name
}

// key begins a field; false when it is to be left out.
func (w *writer) key(name string) bool {
	if w.only != nil && !w.only[w.join(name)] {
		return false
	}
	w.b = appendKey(w.b, name)
	return true
}

func (w *writer) show(name, value, note string) {
	if w.tree {
		w.shown[w.join(name)] = text{value, note}
	}
}

// uint is a number; note says what it means.
func (w *writer) uint(name string, v uint64, note string) {
	if w.key(name) {
		w.b = appendUint(w.b, v)
		if w.tree {
			w.show(name, strconv.FormatUint(v, 10), note)
		}
	}
}

// stored returns the number that a field's bytes are, little-endian; n where the field was not recorded.
func (w *writer) stored(e *Event, name string, n int) uint64 {
	b := e.span(w.join(name))
	if b == nil {
		return uint64(n)
	}
	var v uint64
	for i, c := range b[:min(len(b), 8)] {
		v |= uint64(c) << (8 * i)
	}
	return v
}

// length is a length or a count, n of what was read; in an event that could not be read to its end it may say more.
func (w *writer) length(e *Event, name string, n int) { w.uint(name, w.stored(e, name, n), "") }

// text is bytes that should be UTF-8.
func (w *writer) text(name string, v []byte) { w.textNote(name, v, "") }

func (w *writer) textNote(name string, v []byte, note string) {
	if w.key(name) {
		w.b = appendText(w.b, v)
		if w.tree {
			w.show(name, showText(v), note)
		}
	}
}

// string is text made here.
func (w *writer) string(name, v, note string) {
	if w.key(name) {
		w.b = appendString(w.b, v)
		w.show(name, v, note)
	}
}

// bytes is bytes that are no text.
func (w *writer) bytes(name string, v []byte, note string) {
	if w.key(name) {
		w.b = appendHexObject(w.b, v)
		if w.tree {
			w.show(name, showHex(v), note)
		}
	}
}

// rest is bytes that the event has beyond its fields; left out where there are none.
func (w *writer) rest(e *Event, name string) {
	if b := e.span(name); b != nil {
		w.bytes(name, b, "")
	}
}

// content writes a text that may turn out to be bytes.
func (w *writer) content(name string, c content) {
	switch c.form {
	case formText:
		w.textNote(name, c.b, c.note)
	case formHex:
		w.bytes(name, c.b, c.note)
	default:
		if w.key(name) {
			w.b = append(w.b, c.b...)
			if w.tree {
				w.show(name, string(c.b), c.note)
			}
		}
	}
}

// content is a value in one of three forms, with a note.
type content struct {
	b    []byte
	form form
	note string
}

type form uint8

const (
	formText form = iota // UTF-8
	formHex              // bytes
	formJSON             // JSON
)

// bool is true or false.
func (w *writer) bool(name string, v bool, note string) {
	if w.key(name) {
		w.b = strconv.AppendBool(w.b, v)
		w.show(name, strconv.FormatBool(v), note)
	}
}

// flags is a set of named bits: a list of names.
func (w *writer) flags(name string, v uint64, names []bit) {
	if w.key(name) {
		var list []string
		w.b, list = appendFlags(w.b, v, names)
		if w.tree {
			w.show(name, "0x"+strconv.FormatUint(v, 16), joinWords(list))
		}
	}
}

// derived is a value that does not stand in the event's bytes; left out of an event that could not be read to its end.
func (w *writer) derived(name string, json func([]byte) []byte) {
	if !w.tree && w.only == nil {
		w.b = json(appendKey(w.b, name))
	}
}

// group begins a field that has parts; false when it is to be left out. note may sum it up.
func (w *writer) group(name, note string) bool {
	if !w.key(name) {
		return false
	}
	w.b = append(w.b, '{')
	w.show(name, "", note)
	w.path = append(w.path, w.join(name))
	return true
}

func (w *writer) end() {
	w.b = append(w.b, '}')
	w.path = w.path[:len(w.path)-1]
}

// list writes n fields name[0], name[1] …: a JSON list. Each is written by item, with the writer's path set such that
// names given to it are parts of the item. A list without items is left out: it has no bytes.
func (w *writer) list(name string, n int, item func(i int)) {
	if n == 0 {
		return
	}
	w.b = append(appendKey(w.b, name), '[')
	for i := range n {
		path := w.join(wire.Item(name, i))
		if w.only != nil && !w.only[path] {
			break
		}
		w.b = append(comma(w.b), '{')
		w.path = append(w.path, path)
		if w.tree {
			w.shown[path] = text{}
		}
		item(i)
		w.end()
	}
	w.b = append(w.b, ']')
}

// values writes n fields name[0], name[1] …, each one value.
func (w *writer) values(name string, n int, value func(dst []byte, i int) []byte, show func(i int) text) {
	if n == 0 {
		return
	}
	w.b = append(appendKey(w.b, name), '[')
	for i := range n {
		path := w.join(wire.Item(name, i))
		if w.only != nil && !w.only[path] {
			break
		}
		w.b = value(comma(w.b), i)
		if w.tree {
			w.shown[path] = show(i)
		}
	}
	w.b = append(w.b, ']')
}

// sum sets the note of the innermost open group.
func (w *writer) sum(note string) {
	if w.tree && len(w.path) > 0 {
		w.shown[w.path[len(w.path)-1]] = text{note: note}
	}
}

// maxShown is how much of one value the tree shows, in bytes; all of it is in the hex pane and in the JSON.
const maxShown = 64 << 10

func showText(v []byte) string {
	if !utf8.Valid(v) {
		return showHex(v)
	}
	if len(v) > maxShown {
		cut := maxShown
		for !utf8.RuneStart(v[cut]) {
			cut--
		}
		return string(v[:cut]) + "…"
	}
	return string(v)
}

func showHex(v []byte) string {
	if len(v) > maxShown/2 {
		return string(appendHex(nil, v[:maxShown/2])) + "…"
	}
	return string(appendHex(nil, v))
}
