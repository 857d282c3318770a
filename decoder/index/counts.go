package index

import "slices"

// otherServer stands for a server_id that is not among the first 255 of a log.
const otherServer = 255

// manyRows stands for a number of rows that the column does not hold.
const manyRows = 255

// server returns the place of a server_id in the dictionary, a new one if need be.
func (x *Index) server(id uint32) uint8 {
	if n := int(x.place); n < len(x.servers) && x.servers[n] == id {
		return x.place
	}
	return x.findServer(id)
}

func (x *Index) findServer(id uint32) uint8 {
	i := slices.Index(x.servers, id)
	switch {
	case i >= 0:
	case len(x.servers) == otherServer:
		i = otherServer
	default:
		i = len(x.servers)
		x.servers = append(x.servers, id)
	}
	x.place = uint8(i)
	return x.place
}

// Servers returns the server_ids of a log in the order they first stand in it, the first 255 of them.
func (x *Index) Servers() []uint32 { return x.servers }

// SetRows says how many rows the row event at row i changes.
func (x *Index) SetRows(i int64, n uint32) {
	s, k := x.slabs[i>>16], i&(slabRows-1)
	if n < manyRows-1 {
		s.count[k] = uint8(n + 1)
		return
	}
	if x.many == nil {
		x.many = map[int64]uint32{}
	}
	s.count[k] = manyRows
	x.many[i] = n
}

// Rows returns how many rows the row event at row i changes; false while they were not counted, and for other events.
func (x *Index) Rows(i int64) (uint32, bool) {
	switch n := x.slabs[i>>16].count[i&(slabRows-1)]; n {
	case 0:
		return 0, false
	case manyRows:
		return x.many[i], true
	default:
		return uint32(n - 1), true
	}
}
