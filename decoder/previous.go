package decoder

import (
	"binlens/decoder/gtid"
	"binlens/decoder/wire"
)

// PreviousGtids is a PREVIOUS_GTIDS_EVENT (5.6+): the GTIDs of all earlier logs, as a set.
//
//	0 u64 number of sids; tagged form (8.3+): byte 0 = 1, bytes 1 to 6 the number, byte 7 = 1
//	  for each: 16 uuid; tagged form: varlen length and tag; u64 number of intervals; for each: u64 start, u64 end (exclusive)
type PreviousGtids struct {
	Tagged bool
	Sids   []GtidSid
}

func (*PreviousGtids) isEvent() {}

// GtidSid is one source of a GTID set with its intervals.
type GtidSid struct {
	UUID      gtid.UUID
	Tag       []byte // empty when untagged
	Intervals []gtid.Interval
}

func (e *PreviousGtids) decode(c *wire.Cursor) { e.Sids, e.Tagged = decodeGtidSet(c) }

// decodeGtidSet reads a GTID set in the binary form that PREVIOUS_GTIDS_EVENT and group replication use.
func decodeGtidSet(c *wire.Cursor) (sids []GtidSid, tagged bool) {
	head := c.Uint64()
	count := head
	switch head >> 56 {
	case 0:
	case 1:
		tagged, count = true, head>>8&(1<<48-1)
	default:
		c.FailAt(c.Pos()-8, wire.Corrupt, "GTID set format "+utoa(head>>56)+" is neither 0 (plain) nor 1 (tagged)")
	}
	least := 24
	if tagged {
		least++
	}
	n := c.Count(count, least)
	c.Field("sid_count")
	for i := 0; i < n && c.OK(); i++ {
		c.BeginItem("sids", i)
		var s GtidSid
		s.decode(c, tagged)
		c.End()
		sids = append(sids, s) // even one that is cut: what was read of it can be shown
	}
	return sids, tagged
}

func (s *GtidSid) decode(c *wire.Cursor, tagged bool) {
	copy(s.UUID[:], c.Bytes(len(s.UUID)))
	c.Field("uuid")
	if tagged {
		at := c.Pos()
		n := c.Varlen()
		if n > gtid.MaxTagLen {
			c.FailAt(at, wire.Corrupt, "a tag of "+utoa(n)+" bytes: at most 32")
		} else {
			s.Tag = c.Bytes(int(n))
		}
		c.Field("tag")
	}
	n := c.Count(c.Uint64(), 16)
	c.Field("interval_count")
	if n > 0 {
		s.Intervals = make([]gtid.Interval, 0, n)
	}
	for j := 0; j < n && c.OK(); j++ {
		c.BeginItem("intervals", j)
		at := c.Pos()
		v := gtid.Interval{Start: c.Uint64()}
		c.Field("start")
		v.End = c.Uint64()
		if c.OK() && !v.Valid() {
			c.FailAt(at, wire.Corrupt, "the interval "+utoa(v.Start)+" to "+utoa(v.End)+" (exclusive) holds no transaction number")
		}
		c.Field("end")
		c.End()
		s.Intervals = append(s.Intervals, v)
	}
}

// Set returns the GTIDs as a set.
func (e *PreviousGtids) Set() *gtid.Set {
	var b gtid.Builder
	for _, s := range e.Sids {
		for _, v := range s.Intervals {
			b.Add(gtid.TSID{UUID: s.UUID, Tag: string(s.Tag)}, v)
		}
	}
	return b.Set()
}
