package index_test

import (
	"fmt"
	"strings"
	"testing"

	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/index"
	"binlens/decoder/internal/logtest"
)

// transactions prints what the index knows of them: first to last row, and state.
func transactions(x *index.Index) string {
	var out []string
	for n := uint32(1); n <= x.Groups(); n++ {
		t := x.Transaction(n)
		out = append(out, fmt.Sprintf("%d-%d %s", t.First, t.Last, t.State))
	}
	return strings.Join(out, ", ")
}

func TestStates(t *testing.T) {
	my, maria := logtest.MySQL8040, logtest.MariaDB105
	for _, tt := range []struct {
		name   string
		server logtest.Server
		log    string
		want   string
	}{
		{"XID and COMMIT", my, "previous gtid 'BEGIN' map rows xid gtid 'BEGIN' map rows 'COMMIT'", "2-6 committed, 7-11 committed"},
		{"ROLLBACK", my, "gtid 'BEGIN' map rows 'ROLLBACK' rotate", "1-5 rolled back"},
		{"DDL, then what stands outside", my, "gtid 'CREATE TABLE t (a INT)' rotate stop", "1-2 implicit"},
		{"XA", my, "gtid 'XA START 1' map rows 'XA END 1' xaprepare gtid 'XA COMMIT 1' gtid 'XA ROLLBACK 2'", "1-6 prepared, 7-8 committed, 9-10 rolled back"},
		{"XA rolled back before it is prepared", my, "gtid 'XA START 1' map rows 'XA END 1' 'XA ROLLBACK 1'", "1-6 rolled back"},
		{"the log ends inside", my, "gtid 'BEGIN' map rows", "1-4 open"},
		{"another begins inside", my, "gtid 'BEGIN' map gtid 'BEGIN' xid", "1-3 open, 4-6 committed"},
		{"BEGIN inside BEGIN", logtest.MySQL55, "'BEGIN' map rows 'BEGIN' map rows xid", "1-3 open, 4-7 committed"},
		{"a restart inside", my, "gtid 'BEGIN' map fde 'BEGIN' xid", "1-3 open, 5-6 committed"},
		{"an incident", my, "gtid incident", "1-2 implicit"},
		{"rows without BEGIN", logtest.MySQL51, "map rows- rows 'DO 1'", "1-3 implicit, 4-4 implicit"},
		{"MariaDB", maria, "mgtid:0 map rows xid mgtid:1 'DROP TABLE t' mgtid:0 map rows 'ROLLBACK' mgtid:0 'BEGIN' map", "1-4 committed, 5-6 implicit, 7-10 rolled back, 11-13 open"},
		{"nothing", my, "previous rotate", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := transactions(build(t, log(t, tt.server, tt.log).Bytes())); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// XA COMMIT … ONE PHASE is logged as an XA_PREPARE_LOG_EVENT that says so.
func TestOnePhase(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	for _, onePhase := range []byte{0, 1} {
		l.SQL("d", "XA START '1'").SQL("d", "XA END '1'").Event(logtest.TypeXaPrepare, logtest.XaPrepare(onePhase, 1, "1", ""))
	}
	if got, want := transactions(build(t, l.Bytes())), "1-3 prepared, 4-6 committed"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Servers are told apart up to 255 of them; the rows of more say nothing.
func TestServers(t *testing.T) {
	var b index.Builder
	f := decoder.AssumedFormat(decoder.ChecksumOff)
	for i := range 300 {
		for range 2 {
			b.AddEntry(&index.Entry{Off: int64(4 + i*19), Size: 19, Type: decoder.StopType, Kind: frame.Event, Server: uint32(1_000_000 - i)}, f, nil)
		}
	}
	b.AddEntry(&index.Entry{Off: 9000, Size: 100, Kind: frame.Gap}, f, nil)
	x := &b.Index
	for i := range int64(600) {
		r := x.Row(i)
		if known := i/2 < 255; r.HasServer != known || known && r.Server != uint32(1_000_000-i/2) {
			t.Fatalf("row %d: server %d, %t", i, r.Server, r.HasServer)
		}
	}
	if x.Row(600).HasServer || len(x.Servers()) != 255 {
		t.Errorf("a gap of a server, or %d servers", len(x.Servers()))
	}
}

func TestRowCounts(t *testing.T) {
	x := build(t, log(t, logtest.MySQL8040, "'BEGIN' map rows rows rows rows rows xid").Bytes())
	counts := []uint32{0, 1, 253, 254, 1 << 31}
	for i, n := range counts {
		if _, known := x.Rows(int64(3 + i)); known {
			t.Errorf("row %d is counted", 3+i)
		}
		x.SetRows(int64(3+i), n)
	}
	for i, n := range counts {
		if got, known := x.Rows(int64(3 + i)); got != n || !known {
			t.Errorf("row %d: %d rows, want %d", 3+i, got, n)
		}
	}
}

// The histogram against a plain count.
func TestHistogram(t *testing.T) {
	x := build(t, log(t, logtest.MySQL8040, "gtid 'BEGIN' map rows rows xid gtid 'BEGIN' map rows xid stop").Bytes())
	class := new([256]uint8)
	class[decoder.WriteRowsType] = 1
	for _, axis := range []index.Axis{index.ByTime, index.ByOffset} {
		from, to := int64(logtest.Start+1), int64(logtest.Start+9)
		if axis == index.ByOffset {
			from, to = 4, x.Row(9).Off
		}
		for _, words := range []func(int64) []uint64{nil, func(int64) []uint64 { w := make([]uint64, 1024); w[0] = 0b1010_1010_1010; return w }, func(int64) []uint64 { return nil }} {
			for _, bins := range []int{1, 3, 8, 1000} {
				h := index.NewHistogram(axis, from, to, bins, 3, class, 2)
				for i := range x.Len() {
					h.Add(x, i, i+1, words)
				}
				rows, bytes, out := make([]uint32, len(h.Rows)), make([]uint64, len(h.Rows)), int64(0)
				for i := range x.Len() {
					r := x.Row(i)
					if words != nil && (words(0) == nil || words(0)[0]>>i&1 == 0) {
						continue
					}
					at := int64(r.Time)
					if axis == index.ByOffset {
						at = r.Off
					}
					if at < from || at >= from+int64(h.Bins)*h.Width {
						out++
						continue
					}
					cell := int((at-from)/h.Width)*3 + int(class[r.Type])
					rows[cell]++
					bytes[cell] += uint64(r.Size)
				}
				if fmt.Sprint(h.Rows, h.Bytes, h.Out) != fmt.Sprint(rows, bytes, out) || h.Bins > bins || from+int64(h.Bins)*h.Width < to {
					t.Errorf("axis %d in %d bins:\n got %v %v %d\nwant %v %v %d", axis, bins, h.Rows, h.Bytes, h.Out, rows, bytes, out)
				}
			}
		}
	}
}

func BenchmarkHistogram(b *testing.B) {
	var bd index.Builder
	f := decoder.AssumedFormat(decoder.ChecksumOff)
	const n = 10_000_000
	for i := range n {
		bd.AddEntry(&index.Entry{Off: int64(4 + i*100), Size: 100, Time: uint32(1_700_000_000 + i/1000), Type: decoder.Type(2 + i%30), Kind: frame.Event, Server: 1}, f, nil)
	}
	class := new([256]uint8)
	for axis, name := range []string{"time", "offset"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				h := index.NewHistogram(index.Axis(axis), 0, 1<<40, 1000, 9, class, 8)
				if axis == 0 {
					h = index.NewHistogram(index.ByTime, 1_700_000_000, 1_700_010_000, 1000, 9, class, 8)
				}
				h.Add(&bd.Index, 0, n, nil)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		})
	}
}
