//go:build js && wasm

// Command wasm is the decoder as the page's worker runs it: one object, globalThis.binlens, of plain functions over one
// [session.Session].
//
// Requests and small answers are plain objects; vert makes the answers, and [object] reads the requests. Pages, trees and bytes are Uint8Array. A function
// that fails returns {error: {kind, message, offset, path}}; a panic is such a failure too, of kind "internal", after
// which the worker starts a new module. The file stays on the JavaScript side: Go reads it through one persistent buffer.
package main

import (
	"binlens/decoder"
	"binlens/decoder/charset"
	"binlens/decoder/frame"
	"binlens/decoder/query"
	"binlens/decoder/session"
	"binlens/decoder/wire"
	"errors"
	"io"
	"strconv"
	"syscall/js"
	"time"

	"github.com/norunners/vert"
)

func main() {
	var m module
	charset.SetDecoder(textDecoders{}.decode)
	object := js.Global().Get("Object").New()
	for _, exports := range []map[string]export{m.exports(), m.viewExports(), m.rangeExports()} {
		for name, f := range exports {
			object.Set(name, guarded(name, f))
		}
	}
	js.Global().Set("binlens", object)
	if ready := js.Global().Get("binlensReady"); ready.Type() == js.TypeFunction {
		ready.Invoke()
	}
	select {}
}

// module is the state behind the exports: the log that is open.
type module struct {
	s    *session.Session
	feed []byte // what was fed last, reused
	text []byte // of the event JSON given last, reused: it is copied to JavaScript

	part   *session.Range // the range that is scanned, in a worker that has no log open
	answer []byte         // of rangeFeed, reused
}

type export func(args []js.Value) (any, error)

func (m *module) exports() map[string]export {
	return map[string]export{
		"open": m.open, "feed": m.feedBytes, "step": m.step, "finish": m.finish, "summary": m.summary,
		"typeNames": m.typeNames, "page": m.page, "tree": m.tree, "rows": m.rows, "json": m.json, "bytes": m.bytes,
		"at": m.at, "filter": m.filter, "rank": m.rank, "complete": m.complete, "close": m.close, "progress": m.progress, "problems": m.problems,
	}
}

// guarded makes a function of JavaScript that never throws: errors and panics are returned.
func guarded(name string, f export) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) (result any) {
		defer func() {
			if r := recover(); r != nil {
				result = fail(failure{Kind: "internal", Message: name + ": " + reasonOf(r), Offset: -1})
			}
		}()
		v, err := f(args)
		if err != nil {
			return fail(failureOf(err))
		}
		switch v := v.(type) {
		case js.Value:
			return v
		case []byte:
			return toBytes(v)
		}
		return vert.ValueOf(v).JSValue()
	})
}

// reasonOf says why a function panicked.
func reasonOf(recovered any) string {
	switch r := recovered.(type) {
	case error:
		return r.Error()
	case string:
		return r
	}
	return "the decoder met what it does not expect"
}

func fail(f failure) js.Value { return vert.ValueOf(failAnswer{f}).JSValue() }

// requestError is a call that makes no sense.
type requestError string

func (e requestError) Error() string { return string(e) }

func failureOf(err error) failure {
	f := failure{Kind: "internal", Message: err.Error(), Offset: -1}
	if bad, ok := errors.AsType[*wire.Error](err); ok {
		f.Kind, f.Message, f.Offset, f.Path = bad.Kind.String(), bad.Msg, float64(bad.Offset), bad.Path
		return f
	}
	_, foreign := errors.AsType[*frame.NotBinlog](err)
	_, request := errors.AsType[requestError](err)
	switch {
	case foreign:
		f.Kind = "not_binlog"
	case request, errors.Is(err, session.ErrNoRow):
		f.Kind = "request"
	case errors.Is(err, io.ErrUnexpectedEOF):
		f.Kind, f.Message = "truncated", "the file is shorter than it was"
	}
	return f
}

var uint8Array = js.Global().Get("Uint8Array")

func toBytes(b []byte) js.Value {
	v := uint8Array.New(len(b))
	js.CopyBytesToJS(v, b)
	return v
}

// blob reads the file through JavaScript: read fills the front of buffer and returns how many bytes.
type blob struct {
	read, buffer js.Value
	max          int
}

var errRead = errors.New("the browser could not read the file: it may have changed, moved or been removed")

// ReadAt implements io.ReaderAt.
func (b *blob) ReadAt(p []byte, off int64) (int, error) {
	done := 0
	for done < len(p) {
		want := min(len(p)-done, b.max)
		k := b.read.Invoke(float64(off+int64(done)), want).Int()
		if k < 0 {
			return done, errRead
		}
		if k == 0 {
			return done, io.EOF
		}
		js.CopyBytesToGo(p[done:done+min(k, want)], b.buffer)
		done += min(k, want)
	}
	return done, nil
}

func (m *module) open(args []js.Value) (any, error) {
	if len(args) < 2 {
		return nil, requestError("open takes a request and the reader of the file")
	}
	size, given, ok := object{args[0]}.whole("size")
	if !given || !ok {
		return nil, requestError("open: size is no number of bytes")
	}
	var o session.Options
	if o.MaxEvent, _, ok = (object{args[0]}).whole("maxEventSize"); !ok {
		return nil, requestError("open: maxEventSize is no number of bytes")
	}
	b := &blob{read: args[1].Get("read"), buffer: args[1].Get("buffer")}
	b.max = b.buffer.Length()
	s, err := session.Open(b, size, o)
	if err != nil {
		return nil, err
	}
	m.s = s
	return summaryOf(s), nil
}

var errClosed = requestError("no log is open")

func (m *module) feedBytes(args []js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	if len(args) < 1 {
		return nil, requestError("feed takes bytes")
	}
	if room := m.s.Room(args[0].Length()); room != nil {
		m.s.Filled(js.CopyBytesToGo(room, args[0]))
	} else {
		m.s.Feed(m.copied(args[0]))
	}
	return progressOf(m.s, true), nil
}

func (m *module) step(args []js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	budget, err := number(args, 0, "step takes a budget in milliseconds")
	if err != nil {
		return nil, err
	}
	more := m.s.Step(max(time.Duration(budget)*time.Millisecond, time.Millisecond))
	if err := m.s.FilterErr(); err != nil {
		return nil, err
	}
	return progressOf(m.s, more), nil
}

func (m *module) finish([]js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	m.s.Finish()
	return progressOf(m.s, true), nil
}

func (m *module) summary([]js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	return summaryOf(m.s), nil
}

func (m *module) progress([]js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	return progressOf(m.s, false), nil
}

// problems gives those of one kind: its name, the number of the first and how many.
func (m *module) problems(args []js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	const usage = "problems takes a kind, a number and a number of problems"
	if len(args) == 0 || args[0].Type() != js.TypeString {
		return nil, requestError(usage)
	}
	from, err := number(args, 1, usage)
	if err != nil {
		return nil, err
	}
	n, err := number(args, 2, usage)
	if err != nil {
		return nil, err
	}
	kind := wire.Truncated
	for kind < wire.Checksum && kind.String() != args[0].String() {
		kind++
	}
	return m.s.Problems(kind, int(from), int(min(n, maxPage))), nil
}

func (m *module) typeNames([]js.Value) (any, error) {
	names := make(map[string]string)
	for code := range 256 {
		names[strconv.Itoa(code)] = decoder.Type(code).String()
	}
	return names, nil
}

func (m *module) page(args []js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	const usage = "page takes a row and a number of rows"
	from, err := number(args, 0, usage)
	if err != nil {
		return nil, err
	}
	n, err := number(args, 1, usage)
	if err != nil {
		return nil, err
	}
	if asked(args, 2) { // whatever the filter leaves
		return m.s.PageAll(from, int(min(n, maxPage)))
	}
	return m.s.Page(from, int(min(n, maxPage)))
}

// maxPage is how many rows of the list, or of an event, are given at once.
const maxPage = 4096

func (m *module) tree(args []js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	ordinal, err := number(args, 0, "tree takes a row")
	if err != nil {
		return nil, err
	}
	return m.s.Detail(ordinal, asked(args, 1))
}

func (m *module) rows(args []js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	const usage = "rows takes a row of the log, a row of the event and a number of rows"
	var v [3]int64
	for i := range v {
		var err error
		if v[i], err = number(args, i, usage); err != nil {
			return nil, err
		}
	}
	return m.s.RowPage(v[0], int(v[1]), int(min(v[2], maxPage)), asked(args, 3))
}

func (m *module) json(args []js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	ordinal, err := number(args, 0, "json takes a row")
	if err != nil {
		return nil, err
	}
	text, err := m.s.AppendJSON(m.text[:0], ordinal, asked(args, 1))
	if m.text = text; cap(text) > maxBytes {
		m.text = nil // one large event must not hold its memory to the end
	}
	return text, err
}

// maxBytes is how many bytes are given at once.
const maxBytes = 1 << 20

func (m *module) bytes(args []js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	const usage = "bytes takes a row, an offset in it and a number of bytes"
	var v [3]int64
	for i := range v {
		var err error
		if v[i], err = number(args, i, usage); err != nil {
			return nil, err
		}
	}
	return m.s.Bytes(v[0], v[1], int(min(v[2], maxBytes)))
}

// at tells the row that a byte of the file belongs to; -1 when none does.
func (m *module) at(args []js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	off, err := number(args, 0, "at takes an offset in the file")
	if err != nil {
		return nil, err
	}
	if i, ok := m.s.At(off); ok {
		return float64(i), nil
	}
	return float64(-1), nil
}

// filter sets the filter of the list; an empty text takes it away. A mistake in the text is an answer, not a failure.
func (m *module) filter(args []js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	text, err := textOf(args, "filter takes a text")
	if err != nil {
		return nil, err
	}
	if bad, ok := errors.AsType[*query.Error](m.s.SetFilter(text)); ok {
		return filterAnswer{Start: units(text, bad.Start), End: units(text, bad.End), Message: bad.Message, Expected: bad.Expected}, nil
	}
	return filterAnswer{OK: true}, nil
}

// rank tells the place of an ordinal in the list.
func (m *module) rank(args []js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	ordinal, err := number(args, 0, "rank takes an ordinal")
	if err != nil {
		return nil, err
	}
	k, exact := m.s.Rank(ordinal)
	return rankAnswer{Row: float64(k), Exact: exact}, nil
}

// complete lists what may stand at a place of a filter's text.
func (m *module) complete(args []js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	const usage = "complete takes a text and a place in it"
	text, err := textOf(args, usage)
	if err != nil {
		return nil, err
	}
	cursor, err := number(args, 1, usage)
	if err != nil {
		return nil, err
	}
	list := []completion{}
	for _, c := range m.s.Complete(text, bytesOf(text, int(cursor))) {
		list = append(list, completion{units(text, c.Start), units(text, c.End), c.Text, c.Note})
	}
	return list, nil
}

func (m *module) close([]js.Value) (any, error) {
	m.s, m.feed = nil, nil
	return true, nil
}

// number returns argument i, a whole number.
func number(args []js.Value, i int, usage string) (int64, error) {
	if i < len(args) && args[i].Type() == js.TypeNumber {
		if n, ok := whole(args[i].Float()); ok {
			return n, nil
		}
	}
	return 0, requestError(usage)
}

// textOf returns argument 0, a text.
func textOf(args []js.Value, usage string) (string, error) {
	if len(args) > 0 && args[0].Type() == js.TypeString {
		return args[0].String(), nil
	}
	return "", requestError(usage)
}

// asked says that argument i is true: an event larger than max_event_size is to be decoded all the same.
func asked(args []js.Value, i int) bool {
	return i < len(args) && args[i].Type() == js.TypeBoolean && args[i].Bool()
}
