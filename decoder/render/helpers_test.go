package render

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/wire"
	"encoding/json"
	"testing"
)

// decodeAt decodes the event at a place of a log under its first event's format, as a session does.
func decodeAt(t testing.TB, l *logtest.Log, at int, m *decoder.TableMap) *Event {
	t.Helper()
	start, err := frame.Sniff(l.Bytes(), int64(l.Len()))
	if err != nil {
		t.Fatal(err)
	}
	format := start.Format
	first := l.Events[0]
	if at > 0 {
		var h decoder.Header
		raw := l.Bytes()[first.Off : first.Off+first.Size]
		format.ParseHeader(raw, &h)
		ev, bad := decoder.DecodeWhole(&decoder.Context{Format: format}, h, raw, decoder.ChecksumLenOf(format, h, raw), nil)
		f, ok := ev.(*decoder.FormatDescription)
		if bad != nil || !ok {
			t.Fatalf("the log's format description: %v", bad)
		}
		format = f
	}
	p := l.Events[at]
	e := &Event{Ordinal: int64(at), Off: int64(p.Off), Size: int64(p.Size), Kind: frame.Event, Format: format, TableMap: -1,
		Raw: l.Bytes()[p.Off : p.Off+p.Size]}
	format.ParseHeader(e.Raw, &e.Header)
	e.Sum = frame.SumOf(format, e.Header, e.Raw)
	var rec wire.Recorder
	e.Event, e.Bad = decoder.DecodeWhole(&decoder.Context{Format: format, TableMap: m}, e.Header, e.Raw, e.Sum.Len, &rec)
	e.Spans = rec.Spans
	return e
}

// rowsOf builds a table map and a row event for it, and decodes both.
func rowsOf(t testing.TB, server logtest.Server, table logtest.Table, typ byte, rows logtest.Rows) *Event {
	t.Helper()
	l := logtest.New(server, logtest.CRC32)
	table.ID, rows.ID, rows.V2 = 100, 100, server.V2()
	l.Event(logtest.TypeTableMap, table.Body())
	l.Event(typ, rows.Body())
	e := decodeAt(t, l, 2, mapAt(t, l, 1))
	e.TableMap = 1
	return e
}

// mapAt decodes the table map at a place of a log.
func mapAt(t testing.TB, l *logtest.Log, at int) *decoder.TableMap {
	t.Helper()
	m, ok := decodeAt(t, l, at, nil).Event.(*decoder.TableMap)
	if !ok {
		t.Fatal("no table map")
	}
	return m
}

// insert is rowsOf for one row inserted into a table of the given columns.
func insert(t testing.TB, server logtest.Server, optional []byte, columns []logtest.Column, cells ...[]byte) *Event {
	t.Helper()
	typ := byte(logtest.TypeWriteRowsV1)
	if server.V2() {
		typ = logtest.TypeWriteRows
	}
	n := len(columns)
	return rowsOf(t, server, logtest.Table{Schema: "d", Name: "t", Columns: columns, Optional: optional}, typ,
		logtest.Rows{Flags: logtest.StmtEnd, Width: n, After: logtest.All(n), Data: logtest.Image(cells...)})
}

// result is the part of the event JSON that these tests look at.
type result struct {
	Type string
	Data struct {
		Names string
		Rows  []struct{ Before, After json.RawMessage }
	}
	Problems []struct {
		Kind, Path, Reason string
		Offset             int64
		BodyOffset         int64 `json:"body_offset"`
	}
}

func resultOf(t testing.TB, e *Event) (r result) {
	t.Helper()
	b := e.AppendJSON(nil)
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	return r
}
