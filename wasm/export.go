//go:build js && wasm

package main

import (
	"binlens/decoder/session"
	"encoding/binary"
	"math"
	"syscall/js"
	"time"
)

// The exports behind what is written out of the log, and the names that are taken in.
func (m *module) exportExports() map[string]export {
	return map[string]export{"exportOpen": m.exportOpen, "exportStep": m.exportStep, "exportNotes": m.exportNotes, "schema": m.schema}
}

// exportOpen begins an export, in the place of the one before: of the rows from "from" up to but not "to", or of what the
// filter leaves.
func (m *module) exportOpen(args []js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	const usage = "exportOpen takes a request"
	if len(args) < 1 {
		return nil, requestError(usage)
	}
	req := object{args[0]}
	format, ok1 := req.text("format")
	table, ok2 := req.text("table")
	keepNames, ok3 := req.flag("keepNames")
	from, some, ok4 := req.whole("from")
	to, _, ok5 := req.whole("to")
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 {
		return nil, requestError(usage)
	}
	rows, sel := session.Rows{To: m.s.Index().Len()}, m.s.Filtered()
	if some { // whatever the filter leaves
		rows, sel = session.Rows{From: from, To: min(rows.To, to)}, m.s.All()
	}
	x, err := m.s.NewExport(session.Format(format), session.Within(sel, rows), session.ExportOptions{Table: table, KeepNames: keepNames})
	if err != nil {
		return nil, requestError(err.Error())
	}
	m.x = x
	return true, nil
}

var errNoExport = requestError("no export is under way")

// exportStep goes on for a budget in milliseconds, or until there are about so many bytes, and gives
//
//	f64 rows passed | f64 rows in all | f64 1 when there is more, else 0 | what is written
func (m *module) exportStep(args []js.Value) (any, error) {
	if m.x == nil {
		return nil, errNoExport
	}
	const usage = "exportStep takes a budget in milliseconds and a number of bytes"
	budget, err := number(args, 0, usage)
	if err != nil {
		return nil, err
	}
	size, err := number(args, 1, usage)
	if err != nil {
		return nil, err
	}
	var head [24]byte
	out, more, err := m.x.StepFor(append(m.text[:0], head[:]...), int(min(size, maxBytes))+len(head), time.Duration(budget)*time.Millisecond)
	if m.text = out; cap(out) > maxBytes {
		m.text = nil
	}
	if err != nil {
		return nil, err
	}
	done, total := m.x.Progress()
	left := 0.0
	if more {
		left = 1
	}
	for i, v := range []float64{float64(done), float64(total), left} {
		binary.LittleEndian.PutUint64(out[8*i:], math.Float64bits(v))
	}
	return out, nil
}

// exportNotes tells what an export leaves out and why, as far as it came.
func (m *module) exportNotes([]js.Value) (any, error) {
	if m.x == nil {
		return nil, errNoExport
	}
	list := []noteAnswer{}
	for _, n := range m.x.Notes().List() {
		list = append(list, noteAnswer{n.Lost, n.Reason, float64(n.Count), float64(n.First)})
	}
	return list, nil
}

// schema takes SQL that names columns, as UTF-8, and tells what of it was skipped: offsets in bytes.
func (m *module) schema(args []js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	if len(args) < 1 {
		return nil, requestError("schema takes the bytes of a text")
	}
	text := make([]byte, args[0].Length())
	js.CopyBytesToGo(text, args[0])
	a := schemaAnswer{Warnings: []warning{}}
	for _, w := range m.s.AddSchema(text) {
		a.Warnings = append(a.Warnings, warning{float64(w.Offset), w.Reason})
	}
	a.Tables = m.s.SchemaTables()
	return a, nil
}
