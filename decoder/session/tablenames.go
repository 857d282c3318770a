package session

import (
	"binlens/decoder"
	"binlens/decoder/render"
)

// tableNames writes the tables that have row events, from the one that has the most down:
//
//	[{"table":"shop.orders","events":3}]
//
// with the names that ExportOptions.Table takes. It reads no event but the table maps.
type tableNames struct {
	s      *Session
	events map[uint32]int64 // by table version
}

func (w *tableNames) head(dst []byte) []byte { return dst }

func (w *tableNames) row(dst []byte, ordinal int64) ([]byte, error) {
	if row := w.s.Index().Row(ordinal); row.Table != 0 && row.Type.RowOp() != decoder.NoRows {
		w.events[row.Table]++
	}
	return dst, nil
}

func (w *tableNames) tail(dst []byte) []byte {
	var names []string
	var keys []uint64
	var list []uint32
	at := map[string]int{}
	for version := uint32(1); int(version) <= w.s.Index().TableVersions(); version++ {
		n := w.events[version]
		if n == 0 {
			continue
		}
		m, err := w.s.tableMap(version)
		if err != nil {
			continue // its row events cannot be read either
		}
		name := string(m.Schema) + "." + string(m.Table)
		i, ok := at[name]
		if !ok {
			i, at[name] = len(names), len(names)
			names, keys, list = append(names, name), append(keys, 0), append(list, uint32(len(list)))
		}
		keys[i] += uint64(n)
	}
	sortDown(keys, list)
	dst = append(dst, '[')
	for i, k := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = render.AppendString(append(dst, `{"table":`...), names[k])
		dst = append(appendNumber(dst, `,"events":`, int64(keys[i])), '}')
	}
	return append(dst, ']')
}
