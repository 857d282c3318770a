package query_test

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/index"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/query"
	"binlens/decoder/session"
	"bytes"
	"fmt"
	"testing"
)

// columns is a log of which there is only the index.
type columns struct{ b index.Builder }

func (c *columns) Index() *index.Index                  { return &c.b.Index }
func (c *columns) Done() bool                           { return true }
func (c *columns) Table(uint32) *decoder.TableMap       { return nil }
func (c *columns) Read(int64, *query.Event) error       { panic("read") }
func (c *columns) Server(int64) (uint32, error)         { panic("read") }
func (c *columns) Transaction(uint32) query.Transaction { panic("read") }
func (c *columns) Marked(int64) bool                    { return false }
func (c *columns) Problems(int64) (uint8, error)        { panic("read") }

func manyRows(n int64) *columns {
	c := &columns{}
	format := &decoder.FormatDescription{BinlogVersion: 4}
	types := []decoder.Type{decoder.GtidType, decoder.QueryType, decoder.UpdateRowsType, decoder.WriteRowsType, decoder.XidType}
	for i := range n {
		c.b.Add(&frame.Frame{Off: 4 + 100*i, Size: 100, Format: format,
			Header: decoder.Header{Type: types[i%5], Timestamp: uint32(1_700_000_000 + i/1000), Size: 100}})
	}
	return c
}

// The first stage over 10 million rows; ns/event is the time of one.
func BenchmarkFirstStage(b *testing.B) {
	const n = 10_000_000
	src := manyRows(n)
	for _, filter := range []string{"type:update", "time:2023-11-14T23:00..23:30", "type:update,xid size:<1k -time:1700000000..1700003600", "table:shop.orders", "trx:1000..2000"} {
		f, err := query.Parse(filter)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(filter, func(b *testing.B) {
			for b.Loop() {
				query.NewRun(f, src).Step(func() bool { return false })
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/event")
		})
	}
}

// shopLog is some 64 MB of transactions of a shop.
func shopLog() []byte {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	cols := []logtest.Column{logtest.Col(8), logtest.Col(15, 80, 0), logtest.Col(246, 10, 2), logtest.Col(252, 2)}
	table := logtest.Table{ID: 100, Flags: 1, Schema: "shop", Name: "orders", Columns: cols,
		Optional: logtest.Cat(logtest.TLV(1, []byte{0}), logtest.TLV(2, logtest.Lenencs(45)), logtest.TLV(4, logtest.Names("id", "status", "total", "note")))}.Body()
	begin := l.Query(logtest.Query{Thread: 5, DB: "shop", SQL: "BEGIN"})
	for i := uint64(0); l.Len() < 64<<20; i++ {
		l.Event(logtest.TypeQuery, begin)
		l.Event(logtest.TypeTableMap, table)
		var rows []byte
		for k := range uint64(4) {
			note := fmt.Sprintf("order %d, left at the door of the neighbours", 4*i+k)
			rows = logtest.Cat(rows, logtest.Image(logtest.U64(4*i+k), logtest.Text8("shipped"), logtest.Hex("8000000a00"), logtest.Cat(logtest.U16(uint16(len(note))), []byte(note))))
		}
		l.Event(logtest.TypeWriteRows, logtest.Rows{ID: 100, Flags: logtest.StmtEnd, V2: true, Width: 4, After: logtest.All(4), Data: rows}.Body())
		l.Event(logtest.TypeXid, logtest.U64(i))
	}
	return l.Bytes()
}

// Column predicates and a text over a whole log, in bytes of the log.
func BenchmarkFilterLog(b *testing.B) {
	log := shopLog()
	s, err := session.Open(bytes.NewReader(log), int64(len(log)), session.Options{})
	if err != nil {
		b.Fatal(err)
	}
	s.Feed(log)
	s.Finish()
	s.Step(0)
	for _, filter := range []string{"row:id=1234567", "row:status~PAID", "row:total>1000", "neighbourhood", "trx:>5rows", "server:8"} {
		b.Run(filter, func(b *testing.B) {
			b.SetBytes(int64(len(log)))
			for b.Loop() {
				if err := s.SetFilter(filter); err != nil {
					b.Fatal(err)
				}
				s.Step(0)
			}
		})
	}
}
