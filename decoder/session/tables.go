package session

import (
	"binlens/decoder"
	"binlens/decoder/render"
	"cmp"
	"sort"
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
	list := make([]*TableCount, len(s.survey.tables))
	for i := range list {
		list[i] = &s.survey.tables[i]
	}
	sort.Sort(tableList{by, list})
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

// tableList sorts tables; equal ones by their names.
type tableList struct {
	by   TableOrder
	list []*TableCount
}

func (l tableList) Len() int      { return len(l.list) }
func (l tableList) Swap(i, j int) { l.list[i], l.list[j] = l.list[j], l.list[i] }
func (l tableList) Less(i, j int) bool {
	a, b := l.list[i], l.list[j]
	return cmp.Or(l.by.compare(a, b), cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Name, b.Name)) < 0
}

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
// from the most bytes down, encrypted events at the end and without a code. Events of servers beyond the first 255 of a log are not in servers.
func (s *Session) Totals() []byte {
	dst := append([]byte(nil), `{"types":[`...)
	var codes []uint32
	var bytes []uint64
	for code, c := range s.survey.types {
		if c.Events > 0 {
			codes, bytes = append(codes, uint32(code)), append(bytes, uint64(c.Bytes))
		}
	}
	sortDown(bytes, codes)
	for i, code := range codes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendNumber(dst, `{"code":`, int64(code))
		dst = render.AppendString(append(dst, `,"type":`...), decoder.Type(code).String())
		dst = s.survey.types[code].appendJSON(dst)
	}
	if e := &s.survey.encrypted; e.Events > 0 {
		if len(codes) > 0 {
			dst = append(dst, ',')
		}
		dst = e.appendJSON(append(dst, `{"type":"ENCRYPTED_EVENT"`...))
	}
	dst = append(dst, `],"servers":[`...)
	var ids []uint32
	bytes = bytes[:0]
	for _, id := range s.Index().Servers() {
		if c := s.survey.servers[id]; c != nil {
			ids, bytes = append(ids, id), append(bytes, uint64(c.Bytes))
		}
	}
	sortDown(bytes, ids)
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
