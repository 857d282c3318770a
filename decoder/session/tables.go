package session

import (
	"binlens/decoder"
	"binlens/decoder/render"
	"cmp"
	"slices"
)

// TableOrder is what the list of tables is ordered by; all but the first from the largest down.
type TableOrder uint8

// The orders.
const (
	TablesByName TableOrder = iota
	TablesByBytes
	TablesByRows
	TablesByEvents
	TablesByLast // time of the last change
)

// Tables returns n tables from place from on of an order, as far as the survey came, as JSON:
//
//	{"total":2,"from":0,"tables":[{"schema":"shop","table":"orders","versions":1,"events":3,"bytes":410,"inserted":5,
//	 "updated":2,"deleted":0,"uncounted":0,"first":…,"last":…,"event":7}]}
//
// bytes are those of the row events, first and last times in seconds UTC, event the ordinal of the first row event, -1 for a
// table of which there are only table maps. uncounted is the number of row events whose rows could not be counted.
func (s *Session) Tables(by TableOrder, from, n int) []byte {
	list := slices.Clone(s.survey.tables)
	slices.SortStableFunc(list, func(a, b TableCount) int {
		return cmp.Or(by.compare(&a, &b), cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Name, b.Name))
	})
	dst := appendNumber(nil, `{"total":`, int64(len(list)))
	dst = append(appendNumber(dst, `,"from":`, int64(from)), `,"tables":[`...)
	for i := max(from, 0); i < min(from+n, len(list)); i++ {
		if dst[len(dst)-1] == '}' {
			dst = append(dst, ',')
		}
		dst = list[i].appendJSON(dst)
	}
	return append(dst, "]}"...)
}

// TableCount returns the number of tables met so far.
func (s *Session) TableCount() int { return len(s.survey.tables) }

func (o TableOrder) compare(a, b *TableCount) int {
	switch o {
	case TablesByBytes:
		return cmp.Compare(b.Bytes, a.Bytes)
	case TablesByRows:
		return cmp.Compare(b.changed(), a.changed())
	case TablesByEvents:
		return cmp.Compare(b.Events, a.Events)
	case TablesByLast:
		return cmp.Compare(b.Last, a.Last)
	}
	return 0
}

func (t *TableCount) changed() int64 { return t.Rows[0] + t.Rows[1] + t.Rows[2] }

func (t *TableCount) appendJSON(dst []byte) []byte {
	dst = render.AppendString(append(dst, `{"schema":`...), t.Schema)
	dst = render.AppendString(append(dst, `,"table":`...), t.Name)
	dst = appendNumber(dst, `,"versions":`, int64(t.Versions))
	dst = appendNumber(dst, `,"events":`, t.Events)
	dst = appendNumber(dst, `,"bytes":`, t.Bytes)
	dst = appendNumber(dst, `,"inserted":`, t.Rows[0])
	dst = appendNumber(dst, `,"updated":`, t.Rows[1])
	dst = appendNumber(dst, `,"deleted":`, t.Rows[2])
	dst = appendNumber(dst, `,"uncounted":`, t.Unknown)
	dst = appendNumber(dst, `,"first":`, int64(t.First))
	dst = appendNumber(dst, `,"last":`, int64(t.Last))
	return append(appendNumber(dst, `,"event":`, t.FirstEvent), '}')
}

// Totals returns the events and bytes of each event type and each server_id, as far as the survey came, as JSON:
//
//	{"types":[{"code":19,"type":"TABLE_MAP_EVENT","events":3,"bytes":150}],"servers":[{"server_id":1,"events":9,"bytes":700}]}
//
// from the most bytes down. Events of servers beyond the first 255 of a log are not in servers.
func (s *Session) Totals() []byte {
	dst := append([]byte(nil), `{"types":[`...)
	var codes []int
	for code, c := range s.survey.types {
		if c.Events > 0 {
			codes = append(codes, code)
		}
	}
	slices.SortStableFunc(codes, func(a, b int) int { return cmp.Compare(s.survey.types[b].Bytes, s.survey.types[a].Bytes) })
	for i, code := range codes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendNumber(dst, `{"code":`, int64(code))
		dst = render.AppendString(append(dst, `,"type":`...), decoder.Type(code).String())
		dst = s.survey.types[code].appendJSON(dst)
	}
	dst = append(dst, `],"servers":[`...)
	ids := slices.Clone(s.Index().Servers())
	ids = slices.DeleteFunc(ids, func(id uint32) bool { return s.survey.servers[id] == nil })
	slices.SortStableFunc(ids, func(a, b uint32) int { return cmp.Compare(s.survey.servers[b].Bytes, s.survey.servers[a].Bytes) })
	for i, id := range ids {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = s.survey.servers[id].appendJSON(appendNumber(dst, `{"server_id":`, int64(id)))
	}
	return append(dst, "]}"...)
}

func (c *Count) appendJSON(dst []byte) []byte {
	return append(appendNumber(appendNumber(dst, `,"events":`, c.Events), `,"bytes":`, c.Bytes), '}')
}
