package session

import (
	"binlens/decoder"
	"binlens/decoder/gtid"
	"binlens/decoder/index"
	"sort"
	"strings"
)

// GTIDStats are the GTIDs of the transactions counted.
type GTIDStats struct {
	Previous  []string    `json:"previous,omitempty"` // what the log says was executed before it, from PREVIOUS_GTIDS or GTID_LIST: a source each
	Set       []string    `json:"set,omitempty"`      // MySQL: those seen, a source each
	Ranges    []GTIDRange `json:"ranges,omitempty"`   // MariaDB: those seen
	Named     int64       `json:"named"`              // transactions with a GTID
	Anonymous int64       `json:"anonymous"`
	Without   int64       `json:"without"`            // without a GTID event, or with one that cannot be read
	TooMany   bool        `json:"too_many,omitempty"` // Set and Ranges lack some: there are too many gaps, or sources
}

// GTIDRange are the GTIDs of a domain and a server of MariaDB. Not all numbers between the first and the last need be seen.
type GTIDRange struct {
	Domain uint32 `json:"domain"`
	Server uint32 `json:"server"`
	First  uint64 `json:"first"` // the smallest and the largest sequence number
	Last   uint64 `json:"last"`
	Count  int64  `json:"count"`
}

// headRows is how far into a log what it says of GTIDs before it is looked for.
const headRows = 64

func (r *statsRun) gtids() GTIDStats {
	g := gtidRun{ranges: map[domainServer]*GTIDRange{}}
	for _, number := range r.groups {
		g.add(r.s.eventOf(r.s.Index().Transaction(number)))
	}
	g.stats.Previous = r.s.previousGTIDs()
	if !g.set.IsEmpty() {
		g.stats.Set = strings.Split(string(g.set.AppendLines(nil)), ",\n")
	}
	for _, v := range g.ranges {
		g.stats.Ranges = append(g.stats.Ranges, *v)
	}
	sort.Slice(g.stats.Ranges, func(i, j int) bool {
		a, b := g.stats.Ranges[i], g.stats.Ranges[j]
		return a.Domain < b.Domain || a.Domain == b.Domain && a.Server < b.Server
	})
	return g.stats
}

// eventOf returns the event that a transaction begins with when it can tell a GTID.
func (s *Session) eventOf(t index.Transaction) decoder.Event {
	switch s.Index().Row(t.First).Type {
	case decoder.GtidType, decoder.GtidTaggedType, decoder.MariaGtidType, decoder.AnonymousGtidType:
	default:
		return nil
	}
	e, err := s.load(t.First, false, false)
	if err != nil || e.Bad != nil {
		return nil
	}
	return e.Event
}

// gtidRun gathers GTIDs.
type gtidRun struct {
	stats  GTIDStats
	set    gtid.Set
	adds   int // one by one, a bound for the intervals of set
	last   gtid.GTID
	ranges map[domainServer]*GTIDRange
}

func (g *gtidRun) add(ev decoder.Event) {
	switch ev := ev.(type) {
	case *decoder.Gtid:
		if ev.Anonymous {
			g.stats.Anonymous++
			return
		}
		g.mysql(ev.GTID())
	case *decoder.GtidTagged:
		g.mysql(ev.GTID())
	case *decoder.MariaGtid:
		g.maria(ev.GTID())
	default:
		g.stats.Without++
	}
}

func (g *gtidRun) mysql(id gtid.GTID) {
	g.stats.Named++
	if id.TSID != g.last.TSID || id.GNO != g.last.GNO+1 {
		g.adds++
	}
	if g.last = id; g.adds > maxIntervals {
		g.stats.TooMany = true
		return
	}
	g.set.Add(id.TSID, id.GNO)
}

func (g *gtidRun) maria(id gtid.MariaGTID) {
	g.stats.Named++
	key := domainServer{id.Domain, id.Server}
	v := g.ranges[key]
	switch {
	case v != nil:
	case len(g.ranges) >= maxIntervals:
		g.stats.TooMany = true
		return
	default:
		v = &GTIDRange{Domain: id.Domain, Server: id.Server, First: id.Seq}
		g.ranges[key] = v
	}
	v.First, v.Last = min(v.First, id.Seq), max(v.Last, id.Seq)
	v.Count++
}

// previousGTIDs is what the head of the log says was executed before it.
func (s *Session) previousGTIDs() []string {
	for i := range min(s.Index().Len(), headRows) {
		if t := s.Index().Row(i).Type; t != decoder.PreviousGtidsType && t != decoder.GtidListType {
			continue
		}
		e, err := s.load(i, false, false)
		if err != nil || e.Bad != nil {
			return nil
		}
		switch ev := e.Event.(type) {
		case *decoder.PreviousGtids:
			if set := ev.Set(); !set.IsEmpty() {
				return strings.Split(string(set.AppendLines(nil)), ",\n")
			}
		case *decoder.GtidList:
			var list []string
			for _, g := range ev.Gtids {
				list = append(list, g.String())
			}
			return list
		}
		return nil
	}
	return nil
}
