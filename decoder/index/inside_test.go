package index_test

import (
	"fmt"
	"testing"

	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/index"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/wire"
)

// withPayloads is an index of four payloads among other events; the second is empty, the last has many rows inside.
func withPayloads(t *testing.T) *index.Builder {
	t.Helper()
	f := decoder.AssumedFormat(decoder.ChecksumOff)
	var b index.Builder
	at := int64(4)
	outside := func(typ decoder.Type, size int64) int64 {
		b.Add(&frame.Frame{Kind: frame.Event, Off: at, Size: size, Header: decoder.Header{Type: typ, Size: uint32(size), Len: 19}, Format: f})
		at += size
		return b.Index.Len() - 1
	}
	inside := func(payload int64, n int) {
		off := int64(0)
		for i := range n {
			fr := frame.Frame{Kind: frame.Event, Off: off, Size: int64(20 + i%7), Header: decoder.Header{Type: decoder.XidType, Timestamp: 5, Size: uint32(20 + i%7), Len: 19}, Format: f.Inside()}
			if i == 2 {
				fr.Kind, fr.Bad = frame.Truncated, &wire.Error{Kind: wire.Truncated, Msg: "cut"}
			}
			b.AddInside(payload, &fr)
			off += fr.Size
		}
	}
	outside(decoder.StopType, 19)
	inside(outside(decoder.TransactionPayloadType, 100), 3)
	outside(decoder.TransactionPayloadType, 50)
	outside(decoder.StopType, 3<<30)
	inside(outside(decoder.TransactionPayloadType, 60), 1)
	inside(outside(decoder.TransactionPayloadType, 70), 70_000)
	outside(decoder.StopType, 19)
	return &b
}

func TestInside(t *testing.T) {
	b := withPayloads(t)
	x := &b.Index
	// stop 0, payload 1 (2 3 4), payload 5, stop 6, payload 7 (8), payload 9 (10 …), stop
	last := x.Len() - 1
	if last != 70_010 {
		t.Fatalf("%d rows", x.Len())
	}
	for ordinal, want := range map[int64]int64{0: 0, 1: 3, 2: 0, 4: 0, 5: 0, 6: 0, 7: 1, 8: 0, 9: 70_000, 10: 0, last - 1: 0, last: 0} {
		if got := x.Inside(ordinal); got != want {
			t.Errorf("%d rows inside row %d, want %d", got, ordinal, want)
		}
	}
	for _, c := range []struct{ ordinal, payload, off, size int64 }{
		{0, -1, 4, 19}, {1, -1, 23, 100}, {2, 1, 0, 20}, {3, 1, 20, 21}, {4, 1, 41, 22}, {5, -1, 123, 50}, {6, -1, 173, 3 << 30}, {7, -1, 173 + 3<<30, 60}, {8, 7, 0, 20},
		{9, -1, 233 + 3<<30, 70}, {10, 9, 0, 20}, {17, 9, 161, 20}, {last - 1, 9, 10_000*161 - 26, 26}, {last, -1, 303 + 3<<30, 19},
	} {
		r := x.Row(c.ordinal)
		if size := c.size; c.size != 3<<30 && r.Size != size || r.Payload != c.payload || r.Off != c.off || r.Ordinal != c.ordinal {
			t.Errorf("%+v, want %+v", r, c)
		}
		if c.payload >= 0 && (r.Group != x.Row(c.payload).Group || r.First || r.Last) {
			t.Errorf("%+v is of another transaction than its payload", r)
		}
	}
	for at, want := range map[int64]int64{4: 0, 23: 1, 24: 1, 122: 1, 123: 5, 172: 5, 173: 6, 233 + 3<<30: 9, 302 + 3<<30: 9, 303 + 3<<30: last} {
		if got, ok := x.At(at); got != want || !ok {
			t.Errorf("byte %d is of row %d, %t, want %d", at, got, ok, want)
		}
	}
	if r := x.Row(4); r.Kind != frame.Truncated || !r.Problem || x.ProblemOf(4) == nil {
		t.Errorf("%+v", r)
	}
}

// A problem found late stands among the others in the order of the rows, and is counted once.
func TestBlame(t *testing.T) {
	b := withPayloads(t)
	x := &b.Index
	late := &wire.Error{Kind: wire.Corrupt, Msg: "late"}
	b.Blame(1, late)
	b.Blame(1, &wire.Error{Kind: wire.Corrupt, Msg: "again"})
	b.Blame(7, late)
	var got []string
	for _, p := range x.Problems() {
		got = append(got, fmt.Sprint(p.Ordinal, p.Err.Msg))
	}
	if want := "[1late 4cut 7late 12cut]"; fmt.Sprint(got) != want || x.BadRows() != 4 || x.ProblemOf(1) != late || !x.Row(7).Problem {
		t.Errorf("%v, %d bad rows, want %s", got, x.BadRows(), want)
	}
}

// Table maps inside a payload are versions as those outside are, and row events inside find them.
func TestTablesInside(t *testing.T) {
	f := decoder.AssumedFormat(decoder.ChecksumOff)
	var b index.Builder
	b.Add(&frame.Frame{Kind: frame.Event, Off: 4, Size: 100, Header: decoder.Header{Type: decoder.TransactionPayloadType, Size: 100, Len: 19}, Format: f})
	var in logtest.Inside
	table := logtest.Table{ID: 9, Schema: "d", Name: "t", Columns: []logtest.Column{logtest.Col(3)}}
	in.Event(logtest.TypeTableMap, table.Body())
	in.Event(logtest.TypeWriteRows, logtest.Rows{ID: 9, V2: true, Width: 1, After: []byte{1}, Data: logtest.Image(logtest.U32(1))}.Body())
	table.Name = "u"
	in.Event(logtest.TypeTableMap, table.Body())
	in.Event(logtest.TypeWriteRows, logtest.Rows{ID: 9, V2: true, Width: 1, After: []byte{1}, Data: logtest.Image(logtest.U32(1))}.Body())
	for i, off := range in.Offs {
		end := len(in.Bytes())
		if i+1 < len(in.Offs) {
			end = in.Offs[i+1]
		}
		raw := in.Bytes()[off:end]
		fr := frame.Frame{Kind: frame.Event, Off: int64(off), Size: int64(len(raw)), Raw: raw, Format: f}
		f.ParseHeader(raw, &fr.Header)
		b.AddInside(0, &fr)
	}
	x := &b.Index
	var got []uint32
	for i := range x.Len() {
		got = append(got, x.Row(i).Table)
	}
	if fmt.Sprint(got) != "[0 1 1 2 2]" {
		t.Error(got)
	}
	if v := x.TableVersion(2); v.Ordinal != 3 || v.Off != int64(in.Offs[2]) {
		t.Errorf("%+v", v)
	}
}
