package session

import (
	"binlens/decoder"
	"binlens/decoder/gtid"
	"binlens/decoder/index"
	"strconv"
)

// Check is something that a transaction says of itself and that does not hold, or not in this log.
type Check struct {
	Ordinal     int64  // of the GTID event
	Transaction uint32 // its number
	Text        string
}

// Bounds of what the checks keep: reasons, and GTIDs as intervals.
const (
	maxChecks    = 100_000
	maxIntervals = 1 << 20
)

// checks follows the GTIDs of a log.
type checks struct {
	list      []Check
	found     int64
	seen      gtid.Set            // GTIDs of PREVIOUS_GTIDS and of the log so far
	top       map[gtid.TSID]int64 // the largest number of each source
	intervals int                 // added one by one, a bound for those in seen
	lost      bool                // seen is given up: it became too large
	sequence  int64               // sequence_number of the last transaction; 0 none
	domains   map[domainServer]uint64
}

// domainServer is a source of MariaDB's GTIDs.
type domainServer struct{ domain, server uint32 }

func (c *checks) say(row index.Row, text string) {
	if c.found++; len(c.list) < maxChecks {
		c.list = append(c.list, Check{row.Ordinal, row.Group, text})
	}
}

// check looks at events that speak of transactions, or begin a new sequence of them.
func (s *Session) check(row index.Row) {
	switch row.Type {
	case decoder.FormatDescriptionType, decoder.RotateType:
		s.survey.checks.sequence = 0
		return
	case decoder.PreviousGtidsType, decoder.GtidType, decoder.AnonymousGtidType, decoder.GtidTaggedType, decoder.MariaGtidType:
	default:
		return
	}
	raw, h, sum, ok := s.rawOf(row)
	if !ok || row.Size > s.maxEvent {
		return
	}
	event, bad := decoder.DecodeWhole(&decoder.Context{Format: s.formatOf(row)}, h, raw, sum, nil)
	if bad != nil {
		return // the event's own problem says so
	}
	c := &s.survey.checks
	switch ev := event.(type) {
	case *decoder.PreviousGtids:
		c.previous(ev)
	case *decoder.Gtid:
		if !ev.Anonymous {
			c.executed(row, ev.GTID())
		}
		if ev.HasClock {
			c.clock(row, ev.LastCommitted, ev.SequenceNumber)
		}
		if ev.HasLength {
			s.checkLength(row, ev.TransactionLength)
		}
	case *decoder.GtidTagged:
		c.executed(row, ev.GTID())
		c.clock(row, uint64(ev.LastCommitted), uint64(ev.SequenceNumber))
		if ev.TransactionLength > 0 {
			s.checkLength(row, ev.TransactionLength)
		}
	case *decoder.MariaGtid:
		c.maria(row, ev)
	}
}

// previous takes the set at the start of a log. In a relay log there are more than one; each counts.
func (c *checks) previous(ev *decoder.PreviousGtids) {
	for _, sid := range ev.Sids {
		t := gtid.TSID{UUID: sid.UUID, Tag: string(sid.Tag)}
		for _, v := range sid.Intervals {
			if c.intervals++; c.intervals > maxIntervals {
				c.lost = true
				return
			}
			if c.seen.AddInterval(t, v) {
				c.raise(t, int64(v.End)-1)
			}
		}
	}
}

func (c *checks) raise(t gtid.TSID, gno int64) {
	if c.top == nil {
		c.top = map[gtid.TSID]int64{}
	}
	c.top[t] = max(c.top[t], gno)
}

// executed finds GTIDs that come twice, and those in front of one that are nowhere before it.
func (c *checks) executed(row index.Row, g gtid.GTID) {
	if c.lost {
		return
	}
	top, known := c.top[g.TSID]
	gno := int64(g.GNO)
	if !c.seen.Add(g.TSID, g.GNO) {
		c.say(row, g.String()+" was executed before: it stands in this log already, or in PREVIOUS_GTIDS")
		return
	}
	if known && gno > top+1 {
		missing := strconv.FormatInt(top+1, 10)
		if gno > top+2 {
			missing += "-" + strconv.FormatInt(gno-1, 10)
		}
		c.say(row, g.String()+" comes before "+missing+" of the same source: a gap, or transactions out of order")
	}
	if gno != top+1 {
		if c.intervals++; c.intervals > maxIntervals {
			c.lost = true
		}
	}
	c.raise(g.TSID, gno)
}

// clock checks the logical clock of replicas that apply in parallel.
func (c *checks) clock(row index.Row, last, sequence uint64) {
	if sequence == 0 {
		return // it has none: a log that was written anew
	}
	if last >= sequence {
		c.say(row, "last_committed "+strconv.FormatUint(last, 10)+" is not below sequence_number "+strconv.FormatUint(sequence, 10))
	}
	if want := c.sequence + 1; c.sequence > 0 && sequence != uint64(want) {
		c.say(row, "sequence_number "+strconv.FormatUint(sequence, 10)+" follows "+strconv.FormatInt(c.sequence, 10))
	}
	c.sequence = int64(sequence)
}

// checkLength compares transaction_length with what the transaction takes in the file.
func (s *Session) checkLength(row index.Row, said uint64) {
	if row.Group == 0 {
		return
	}
	t := s.Index().Transaction(row.Group)
	from, to := s.Index().Span(t)
	if t.State == index.Open || uint64(to-from) == said {
		return
	}
	s.survey.checks.say(row, "transaction_length says "+strconv.FormatUint(said, 10)+" bytes, the transaction takes "+strconv.FormatInt(to-from, 10))
}

// maria checks that the numbers of a domain rise, as they do in gtid_strict_mode.
func (c *checks) maria(row index.Row, ev *decoder.MariaGtid) {
	key := domainServer{ev.DomainID, ev.ServerID}
	if last, known := c.domains[key]; known && ev.SeqNo <= last {
		c.say(row, ev.GTID().String()+" does not come behind "+strconv.FormatUint(last, 10)+" of the same domain and server")
	}
	if c.domains == nil {
		c.domains = map[domainServer]uint64{}
	}
	if len(c.domains) < maxIntervals {
		c.domains[key] = max(c.domains[key], ev.SeqNo)
	}
}
