package session

import (
	"binlens/decoder/index"
	"sort"
)

// busy counts events by minutes, or where there are more of them than bins, by as many minutes as it takes.
type busy struct {
	from  int64 // start of the first bin, seconds UTC
	width int64 // of a bin, seconds
	bins  []Count
}

// init makes bins for times of events between two, both included; none when there are no times.
func (b *busy) init(first, last uint32) {
	if first == 0 {
		return
	}
	b.from = int64(first) / 60 * 60
	minutes := (int64(last)-b.from)/60 + 1
	b.width = (minutes + maxBins - 1) / maxBins * 60
	b.bins = make([]Count, (int64(last)-b.from)/b.width+1)
}

func (b *busy) add(row index.Row) {
	if i := int64(row.Time) - b.from; len(b.bins) > 0 && i >= 0 && i/b.width < int64(len(b.bins)) {
		b.bins[i/b.width].add(row.Size)
	}
}

func (b *busy) stats(top int) BusyStats {
	r := BusyStats{Seconds: b.width, List: []BusyTimes{}}
	for i, c := range b.bins {
		if c.Events > 0 {
			r.List = append(r.List, BusyTimes{uint32(b.from + int64(i)*b.width), SizeStats(c)})
		}
	}
	sort.SliceStable(r.List, func(i, j int) bool { return r.List[i].Bytes > r.List[j].Bytes })
	r.List = r.List[:min(len(r.List), top)]
	return r
}
