package gtid

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"strconv"
)

// MariaGTID is a MariaDB global transaction identifier, written domain-server-sequence.
type MariaGTID struct {
	// Domain is the replication domain, any 32-bit number.
	Domain uint32
	// Server is the id of the server that wrote the transaction first, any 32-bit number.
	Server uint32
	// Seq is the sequence number, any 64-bit number. It grows within a domain, but not without gaps.
	Seq uint64
}

// Compare orders by domain, then server, then sequence number. It returns -1, 0 or 1.
func (g MariaGTID) Compare(o MariaGTID) int {
	return cmp.Or(g.compareSource(o), cmp.Compare(g.Seq, o.Seq))
}

func (g MariaGTID) compareSource(o MariaGTID) int {
	return cmp.Or(cmp.Compare(g.Domain, o.Domain), cmp.Compare(g.Server, o.Server))
}

// AppendText appends "domain-server-sequence" in decimal.
func (g MariaGTID) AppendText(dst []byte) []byte {
	dst = strconv.AppendUint(dst, uint64(g.Domain), 10)
	dst = append(dst, '-')
	dst = strconv.AppendUint(dst, uint64(g.Server), 10)
	dst = append(dst, '-')
	return strconv.AppendUint(dst, g.Seq, 10)
}

// String returns "domain-server-sequence" in decimal.
func (g MariaGTID) String() string {
	var text [10 + 1 + 10 + 1 + 20]byte
	return string(g.AppendText(text[:0]))
}

// State is a position in MariaDB's GTIDs: for each domain and server the highest sequence number reached, and for each
// domain the server that wrote last. A GTID_LIST_EVENT holds one (rpl_binlog_state in the server's sql/rpl_gtid.h), as do
// gtid_binlog_state and, with one server a domain, gtid_slave_pos. The zero State is empty and ready for use. A copy
// of a State shares its positions with the original.
type State struct {
	// domains is sorted by id, and none is empty.
	domains []domain
}

// domain holds the positions of one domain, sorted by server, and the index of the server that wrote last.
type domain struct {
	id   uint32
	list []MariaGTID
	last int
}

// StateOf returns the state that list stands for, as a GTID_LIST_EVENT has it: of two entries for one domain and server
// the higher number counts, and the last entry of a domain names the server that wrote last. It takes O(n log n) time
// and shares nothing with list.
func StateOf(list []MariaGTID) *State {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(list[i].compareSource(list[j]), cmp.Compare(i, j)) })
	s := &State{}
	lastAt := -1 // where in list the last entry of the newest domain stands
	for _, i := range order {
		g := list[i]
		n := len(s.domains)
		if n == 0 || s.domains[n-1].id != g.Domain {
			s.domains = append(s.domains, domain{id: g.Domain})
			n, lastAt = n+1, -1
		}
		d := &s.domains[n-1]
		if m := len(d.list); m > 0 && d.list[m-1].Server == g.Server {
			d.list[m-1].Seq = max(d.list[m-1].Seq, g.Seq)
		} else {
			d.list = append(d.list, g)
		}
		if i > lastAt {
			d.last, lastAt = len(d.list)-1, i
		}
	}
	return s
}

// Add records that g was logged after all that s holds: the position of its domain and server becomes at least g.Seq,
// and its server the one that wrote last in the domain.
func (s *State) Add(g MariaGTID) {
	i, found := s.findDomain(g.Domain)
	if !found {
		s.domains = slices.Insert(s.domains, i, domain{id: g.Domain})
	}
	d := &s.domains[i]
	j, found := d.find(g.Server)
	if !found {
		d.list = slices.Insert(d.list, j, g)
	}
	d.list[j].Seq = max(d.list[j].Seq, g.Seq)
	d.last = j
}

// Union returns the state that has, for each domain and server, the higher of both positions. Of the two servers that
// wrote last in a domain it keeps the one that has come further, of equals the higher id. It shares nothing with either.
func (s *State) Union(o *State) *State {
	out := StateOf(slices.AppendSeq(slices.Collect(s.All()), o.All()))
	for i := range out.domains {
		d := &out.domains[i]
		x, inS := s.Last(d.id)
		y, inO := o.Last(d.id)
		if !inS || !inO {
			continue // the last entry of the only list that has the domain
		}
		a, _ := d.find(x.Server)
		b, _ := d.find(y.Server)
		d.last = a
		if cmp.Or(cmp.Compare(d.list[b].Seq, d.list[a].Seq), cmp.Compare(b, a)) > 0 {
			d.last = b
		}
	}
	return out
}

// Contains reports whether s has come to g in the list of its domain and server. Allocates nothing.
func (s *State) Contains(g MariaGTID) bool {
	i, found := s.findDomain(g.Domain)
	if !found {
		return false
	}
	j, found := s.domains[i].find(g.Server)
	return found && s.domains[i].list[j].Seq >= g.Seq
}

// Reached reports whether the last position of g's domain, whichever server wrote it, is at or behind g: what a replica
// asks of gtid_slave_pos. Allocates nothing.
func (s *State) Reached(g MariaGTID) bool {
	last, found := s.Last(g.Domain)
	return found && last.Seq >= g.Seq
}

// Last returns the position of the server that wrote last in a domain; ok is false when s has nothing of the domain.
func (s *State) Last(domainID uint32) (g MariaGTID, ok bool) {
	i, found := s.findDomain(domainID)
	if !found {
		return MariaGTID{}, false
	}
	return s.domains[i].list[s.domains[i].last], true
}

// IsEmpty reports whether s has no position.
func (s *State) IsEmpty() bool { return len(s.domains) == 0 }

// Len returns the number of positions: one for each domain and server.
func (s *State) Len() int {
	n := 0
	for i := range s.domains {
		n += len(s.domains[i].list)
	}
	return n
}

// Equal reports whether s and o hold the same positions with the same servers last.
func (s *State) Equal(o *State) bool {
	return slices.EqualFunc(s.domains, o.domains, func(a, b domain) bool {
		return a.id == b.id && a.last == b.last && slices.Equal(a.list, b.list)
	})
}

// All yields every position: domains ascending, in each the servers ascending but the one that wrote last behind the
// others, as the server writes a GTID_LIST_EVENT.
func (s *State) All() iter.Seq[MariaGTID] {
	return func(yield func(MariaGTID) bool) {
		for i := range s.domains {
			d := &s.domains[i]
			for j, g := range d.list {
				if j != d.last && !yield(g) {
					return
				}
			}
			if !yield(d.list[d.last]) {
				return
			}
		}
	}
}

// AppendText appends the positions in the order of All, separated by ",". The empty state is no text at all.
func (s *State) AppendText(dst []byte) []byte {
	first := true
	for g := range s.All() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = g.AppendText(dst)
	}
	return dst
}

// String returns the text of AppendText.
func (s *State) String() string { return string(s.AppendText(nil)) }

func (s *State) findDomain(id uint32) (int, bool) {
	i := sort.Search(len(s.domains), func(i int) bool { return s.domains[i].id >= id })
	return i, i < len(s.domains) && s.domains[i].id == id
}

func (d *domain) find(server uint32) (int, bool) {
	i := sort.Search(len(d.list), func(i int) bool { return d.list[i].Server >= server })
	return i, i < len(d.list) && d.list[i].Server == server
}
