//go:build js && wasm

package main

import (
	"binlens/decoder/session"
	"encoding/binary"
	"math"
	"syscall/js"
)

// rangeExports are what a file is indexed with by several workers: mark and merge where the log is open, rangeOpen and
// rangeFeed where a part of it is scanned.
func (m *module) rangeExports() map[string]export {
	return map[string]export{"fed": m.fed, "mark": m.mark, "merge": m.merge, "rangeOpen": m.rangeOpen, "rangeFeed": m.rangeFeed}
}

// copied returns the bytes of a Uint8Array, valid until the next call.
func (m *module) copied(v js.Value) []byte {
	n := v.Length()
	if cap(m.feed) < n {
		m.feed = make([]byte, n)
	}
	m.feed = m.feed[:n]
	js.CopyBytesToGo(m.feed, v)
	return m.feed
}

// fed tells the offset of the byte to be fed next.
func (m *module) fed([]js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	return float64(m.s.Fed()), nil
}

// mark tells what a range is to be scanned with; no bytes when none can be taken over here.
func (m *module) mark([]js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	return m.s.Mark(), nil
}

// merge takes over what rangeFeed gave: the mark, the offset of the first event, and the entries. The progress shows whether
// it did.
func (m *module) merge(args []js.Value) (any, error) {
	if m.s == nil {
		return nil, errClosed
	}
	const usage = "merge takes a mark, an offset in the file and entries"
	from, err := number(args, 1, usage)
	if err != nil || len(args) < 3 {
		return nil, requestError(usage)
	}
	mark := make([]byte, args[0].Length())
	js.CopyBytesToGo(mark, args[0])
	m.s.Merge(mark, from, m.copied(args[2]))
	m.pace(m.s.Progress().Rows)
	return progressOf(m.s, false), nil
}

// rangeOpen begins with a range: a mark, and the offsets in the file of its start and end.
func (m *module) rangeOpen(args []js.Value) (any, error) {
	const usage = "rangeOpen takes a mark and two offsets in the file"
	from, err := number(args, 1, usage)
	if err != nil {
		return nil, err
	}
	to, err := number(args, 2, usage)
	if err != nil {
		return nil, err
	}
	if m.part, err = session.NewRange(m.copied(args[0]), from, to); err != nil {
		return nil, requestError(err.Error())
	}
	return true, nil
}

// rangeFeed takes the next bytes of the range and gives what came of them:
//
//	f64 offset of the first event | f64 where the last ends | f64 1 when the range is done, else 0 | entries
func (m *module) rangeFeed(args []js.Value) (any, error) {
	if m.part == nil || len(args) < 1 {
		return nil, requestError("rangeFeed takes bytes of the range that is open")
	}
	room := m.part.Room(args[0].Length())
	if room == nil {
		return nil, requestError("rangeFeed takes no bytes beyond the end of the file")
	}
	from, packed := m.part.Filled(js.CopyBytesToGo(room, args[0]))
	done := 0.0
	if m.part.Done() {
		done = 1
	}
	answer := m.answer[:0]
	for _, v := range []float64{float64(from), float64(m.part.Pos()), done} {
		answer = binary.LittleEndian.AppendUint64(answer, math.Float64bits(v))
	}
	m.answer = append(answer, packed...)
	return m.answer, nil
}
