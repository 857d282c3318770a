//go:build js && wasm

package main

import (
	"binlens/decoder/session"
	"encoding/binary"
	"math"
	"syscall/js"
	"time"

	"github.com/norunners/vert"
)

// The exports behind what is written out of the log, and the names that are taken in.
func (m *module) exportExports() map[string]export {
	return map[string]export{"exportOpen": m.exportOpen, "exportStep": m.exportStep, "exportNotes": m.exportNotes, "schema": m.schema}
}

// exportOpen begins an export, in the place of the one before.
func (m *module) exportOpen(args []js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	var req exportRequest
	if len(args) < 1 || vert.ValueOf(args[0]).AssignTo(&req) != nil || req.Format == nil {
		return nil, requestError("exportOpen takes a request")
	}
	rows := session.Rows{To: m.s.Index().Len()}
	sel := m.s.Filtered()
	if req.From != nil && req.To != nil { // whatever the filter leaves
		rows.From, _ = whole(*req.From)
		to, _ := whole(*req.To)
		rows.To = min(rows.To, to)
		sel = m.s.All()
	}
	var o session.ExportOptions
	if req.Table != nil {
		o.Table = *req.Table
	}
	if req.KeepNames != nil {
		o.KeepNames = *req.KeepNames
	}
	x, err := m.s.NewExport(session.Format(*req.Format), session.Within(sel, rows), o)
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
