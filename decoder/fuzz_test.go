package decoder_test

import (
	"reflect"
	"testing"

	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/value"
	"binlens/decoder/wire"
)

// fuzzFormats are format descriptions to decode any event under.
func fuzzFormats(t testing.TB) (f []*decoder.FormatDescription) {
	for _, s := range logtest.Servers {
		f = append(f, format(t, s, logtest.CRC32))
	}
	wide := logtest.MySQL51
	wide.Header = 27
	return append(f, format(t, wide, logtest.Off), decoder.AssumedFormat(decoder.ChecksumOff))
}

// seedEvents calls add with distinct short events of the sample logs, which have every type, and of the logs in testdata.
func seedEvents(f *testing.F, add func(typ byte, body []byte)) {
	seen := map[string]bool{}
	once := func(typ byte, body []byte) {
		if key := string(typ) + string(body); len(body) <= 2048 && !seen[key] {
			seen[key] = true
			add(typ, body)
		}
	}
	for i, l := range append(logtest.Samples(), logtest.ProjectLogs(f)...) {
		for _, fr := range framesOf(f, l.Bytes) {
			if fr.Kind == frame.Event && !fr.Cipher && (i < len(logtest.Servers)*2 || len(seen) < 500) {
				once(fr.Header.Code, fr.Raw[fr.Header.Len:len(fr.Raw)-fr.Sum.Len])
			}
		}
	}
}

// FuzzDecode decodes any body as an event of any type under the format of any server. Nothing may panic; every byte has one
// name; a Recorder changes nothing; a problem lies in the body; rows tile.
func FuzzDecode(f *testing.F) {
	formats := fuzzFormats(f)
	seedEvents(f, func(typ byte, body []byte) {
		f.Add(typ, uint8(11), body)
		f.Add(typ, uint8(16), body)
	})
	f.Fuzz(func(t *testing.T, code, server uint8, body []byte) {
		format := formats[int(server)%len(formats)]
		h := header(format, format.Canonical(code), body)
		h.Code = code
		table := &decoder.TableMap{TableID: 100, Columns: []decoder.Column{{Type: value.Long}, {Type: value.JSON, Meta: 4}, {Type: value.Varchar, Meta: 20}, {Type: value.JSON, Meta: 4}}}
		ev, bad, _ := inspect(t, &decoder.Context{Format: format, TableMap: table, AnyTableID: true}, h, body)
		if ev == nil {
			t.Fatal("no event")
		}
		if e, ok := ev.(*decoder.Rows); ok && bad == nil {
			e.Map = table
			readAll(t, e)
		}
	})
}

// readAll reads rows to their end or their fault; their parts must tile.
func readAll(t testing.TB, e *decoder.Rows) {
	t.Helper()
	r := e.Reader()
	at := e.Start
	check := func(im *decoder.Image) {
		if im.Cells == nil {
			return
		}
		if im.Off != at || im.NullEnd < im.Off {
			t.Fatalf("an image at %d, not %d", im.Off, at)
		}
		at = im.NullEnd
		for i := range im.Cells {
			if v := &im.Cells[i]; v.Kind != value.KindNone {
				if v.Off != at || v.End < v.Off {
					t.Fatalf("a cell at %d-%d, not from %d", v.Off, v.End, at)
				}
				at = v.End
			}
		}
		if im.End != at {
			t.Fatalf("an image ends at %d, not %d", im.End, at)
		}
	}
	for r.Next() {
		check(&r.Before)
		check(&r.After)
		if r.Pos() != at {
			t.Fatalf("a row ends at %d, not %d", r.Pos(), at)
		}
	}
	switch bad := r.Err(); {
	case bad == nil && !e.Dummy && at != e.End:
		t.Fatalf("the rows end at %d, the last one at %d", e.End, at)
	case bad != nil && (bad.Offset < int64(e.Start)-19-8 || bad.Msg == ""):
		t.Fatalf("%+v of rows at %d", bad, e.Start)
	}
}

// FuzzGtid holds DecodeGtid against a second reading of DESIGN's rules, written as one list of lengths.
func FuzzGtid(f *testing.F) {
	for _, c := range validGtids() {
		f.Add(c.typ == decoder.AnonymousGtidType, false, c.body)
	}
	for _, c := range invalidGtids() {
		f.Add(c.typ == decoder.AnonymousGtidType, false, c.body)
	}
	f.Add(false, true, gtidEvent.Body56())
	f57, f56 := format(f, logtest.MySQL8040, logtest.CRC32), format(f, logtest.MySQL56, logtest.CRC32)
	f.Fuzz(func(t *testing.T, anonymous, old bool, body []byte) {
		typ, format := decoder.GtidType, f57
		if anonymous {
			typ = decoder.AnonymousGtidType
		}
		if old {
			format = f56
		}
		e, err := decoder.DecodeGtid(format, typ, 4, body)
		if want := gtidShape(body, anonymous, old); (err == nil) != want || (e == nil) == want {
			t.Fatalf("% x: %+v, %v; want valid %t", body, e, err, want)
		}
		ev, bad, _ := inspect(t, &decoder.Context{Format: format}, header(format, typ, body), body)
		if err == nil && (bad != nil || !reflect.DeepEqual(ev, decoder.Event(e))) {
			t.Fatalf("DecodeGtid %+v, Inspect %+v %v", e, ev, bad)
		}
		if err == nil {
			if again := rebuildGtid(e); len(again) > len(body) || !e.HasLength && string(again) != string(body) {
				t.Fatalf("% x\nis not % x", again, body)
			}
		}
	})
}

// gtidShape tells whether a body is a GTID event.
func gtidShape(b []byte, anonymous, old bool) bool {
	le := func(from, n int) (v uint64) {
		for i := range n {
			v |= uint64(b[from+i]) << (8 * i)
		}
		return v
	}
	if len(b) < 25 {
		return false
	}
	if gno := le(17, 8); anonymous && gno != 0 || !anonymous && (gno == 0 || gno > 1<<63-2) {
		return false
	}
	if old {
		return len(b) == 25
	}
	if len(b) < 42 || b[25] != 2 {
		return false
	}
	at := 42
	end := func(n int) (done, ok bool) { // takes n bytes; done when the event ended before them, ok when they are all there
		if at == len(b) {
			return true, true
		}
		at += n
		return false, at <= len(b)
	}
	if done, ok := end(7); done || !ok {
		return ok
	}
	if b[48]&0x80 != 0 {
		if at += 7; at > len(b) {
			return false
		}
	}
	if at == len(b) {
		return true
	}
	width, ok := map[byte]int{0xfc: 3, 0xfd: 4, 0xfe: 9, 0xfb: -1, 0xff: -1}[b[at]]
	if !ok {
		width = 1
	}
	if width < 0 {
		return false
	}
	if _, ok := end(width); !ok {
		return false
	}
	version := at
	if done, ok := end(4); done || !ok {
		return ok
	}
	if b[version+3]&0x80 != 0 {
		if at += 4; at > len(b) {
			return false
		}
	}
	if done, ok := end(8); done || !ok {
		return ok
	}
	return at == len(b)
}

// rebuildGtid writes an event again, its length in the shortest form.
func rebuildGtid(e *decoder.Gtid) []byte {
	g := logtest.Gtid{Flags: e.Flags, SID: e.SID, GNO: e.GNO, Clock: e.ClockType, LastCommitted: e.LastCommitted, Sequence: e.SequenceNumber}
	if !e.HasClock {
		return g.Body56()
	}
	b := g.Body()
	switch {
	case e.HasOriginalTimestamp:
		b = cat(b, logtest.Times(e.ImmediateTimestamp, e.OriginalTimestamp))
	case e.HasTimestamp:
		b = cat(b, logtest.Times(e.ImmediateTimestamp))
	}
	if e.HasLength {
		b = cat(b, logtest.Lenenc(e.TransactionLength))
	}
	switch {
	case e.HasOriginalVersion:
		b = cat(b, logtest.Versions(e.ImmediateVersion, e.OriginalVersion))
	case e.HasVersion:
		b = cat(b, logtest.Versions(e.ImmediateVersion))
	}
	if e.HasTicket {
		b = cat(b, u64(e.CommitGroupTicket))
	}
	return b
}

// FuzzTableMapRows reads any rows by any table map.
func FuzzTableMapRows(f *testing.F) {
	columns, first, second := logtest.SampleColumns()
	n := len(columns)
	for _, v2 := range []bool{true, false} {
		m := logtest.Table{ID: 100, Schema: "d", Name: "t", Columns: columns, Optional: tlv(1, make([]byte, 2))}.Body()
		f.Add(uint8(0), v2, m, logtest.Rows{ID: 100, V2: v2, Width: n, After: logtest.All(n), Data: cat(first, second)}.Body())
		f.Add(uint8(1), v2, m, logtest.Rows{ID: 100, V2: v2, Width: n, Before: logtest.All(n), After: make([]byte, len(logtest.All(n))), Data: cat(first, second)}.Body())
		f.Add(uint8(2), v2, metadataTable(allMetadata()).Body(), logtest.Rows{ID: 1, V2: v2, Width: 1, Before: hex("01"), Data: logtest.Image(u64(5))}.Body())
		f.Add(uint8(1), v2, metadataTable(nil).Body(), logtest.Rows{ID: 1, V2: v2, Width: 10, Before: hex("0001"), After: hex("0401"), Data: logtest.Image(hex("80000000 00"))}.Body())
	}
	formats := []*decoder.FormatDescription{format(f, logtest.MySQL8040, logtest.CRC32), format(f, logtest.MariaDB105, logtest.CRC32)}
	f.Fuzz(func(t *testing.T, op uint8, v2 bool, table, rows []byte) {
		format := formats[int(op/3)%2]
		ev, bad, _ := inspect(t, &decoder.Context{Format: format}, header(format, decoder.TableMapType, table), table)
		m := ev.(*decoder.TableMap)
		if bad != nil {
			return
		}
		equal(t, "clone", m.Clone().Columns, m.Columns)
		typ := decoder.WriteRowsV1Type + decoder.Type(op%3)
		if v2 {
			typ += 7
		}
		m.TableID = 100
		ev, bad, _ = inspect(t, &decoder.Context{Format: format, TableMap: m}, header(format, typ, rows), rows)
		if bad != nil {
			return
		}
		e := ev.(*decoder.Rows)
		e.Map = m
		readAll(t, e)
	})
}

// FuzzFormat reads any bytes as a format description, in whole with its checksum.
func FuzzFormat(f *testing.F) {
	for _, s := range logtest.Servers {
		e := logtest.New(s, logtest.CRC32).Last()
		f.Add(e.Type == logtest.TypeStart, append(e.Body, 1, 2, 3, 4))
	}
	f.Fuzz(func(t *testing.T, start bool, body []byte) {
		assumed := decoder.AssumedFormat(decoder.ChecksumOff)
		typ := decoder.FormatDescriptionType
		if start {
			typ = decoder.StartV3
		}
		raw := append(make([]byte, 19), body...)
		h := header(assumed, typ, body)
		n := decoder.ChecksumLenOf(assumed, h, raw)
		rec := new(wire.Recorder)
		ev, bad := decoder.DecodeWhole(&decoder.Context{Format: assumed}, h, raw, n, rec)
		if len(raw) >= h.Len+n {
			checkTiling(t, rec.Spans, 0, len(raw))
		}
		if bad == nil {
			d := ev.(*decoder.FormatDescription)
			for i := range 256 {
				d.PostHeaderLen(decoder.Type(i))
				d.Canonical(uint8(i))
				d.HeaderLenFor(uint8(i))
			}
			if !start && d.ChecksumAware != (n == 4) {
				t.Errorf("the event has a checksum of %d bytes, its body says %t", n, d.ChecksumAware)
			}
		}
	})
}

// Every type that has a decoder of its own is among the seeds.
func TestSeedsHaveEveryType(t *testing.T) {
	have := map[byte]bool{}
	for _, l := range logtest.Samples() {
		for _, fr := range framesOf(t, l.Bytes) {
			have[fr.Header.Code] = true
		}
	}
	for code := range 256 {
		switch typ := decoder.Type(code); {
		case typ == decoder.PreGAUpdateRowsType, typ == decoder.PreGADeleteRowsType: // as PRE_GA_WRITE_ROWS_EVENT, which has none
		case typ.Known() && !have[byte(code)]:
			t.Errorf("no sample has a %s", typ)
		}
	}
}
