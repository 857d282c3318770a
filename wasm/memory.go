//go:build js && wasm

package main

import "runtime/debug"

// What the collector leaves beside an index before it runs again, in bytes, and the bytes of a row of it. Memory of a wasm
// program is never given back, so by the usual rule, as much garbage as there is in use, a large index would cost twice its
// size. It has no pointers: to collect more often costs next to nothing.
const (
	spare    = 32 << 20
	rowBytes = 24
)

// pace sets how often garbage is collected for an index of so many rows.
func (m *module) pace(rows int64) {
	percent := int(min(spare*100/max(rows*rowBytes, 1), 100))
	if percent != m.percent {
		m.percent = percent
		debug.SetGCPercent(max(percent, 5))
	}
}
