package decoder_test

import (
	"bytes"
	"strings"
	"testing"

	"binlens/decoder"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/value"
	"binlens/decoder/wire"
)

// hello is "hello hello hello" as MariaDB 10.2 compresses a query: a length of one byte, and zlib's stream.
var hello = cat(hex("81 11"), logtest.Zlib([]byte("hello hello hello")))

func TestQueryCompressed(t *testing.T) {
	f := format(t, logtest.MariaDB105, logtest.CRC32)
	const head = "01000000 02000000 01 0000 0500 | 00 00400000 | 6400"
	e := read[*decoder.Query](t, f, decoder.QueryCompressedType, cat(hex(head), hello))
	if string(e.Text) != "hello hello hello" || !bytes.Equal(e.Compressed, hello) || string(e.DB) != "d" || len(e.Status) != 1 || e.ThreadID != 1 {
		t.Errorf("%+v", e)
	}
	if got := paths(t, f, decoder.QueryCompressedType, cat(hex(head), hello)); got != "thread_id exec_time db_len error_code status_vars_len +status_vars status_vars.flags2 db query" {
		t.Error(got)
	}
	empty := read[*decoder.Query](t, f, decoder.QueryCompressedType, cat(hex("01000000 02000000 01 0000 0000 | 6400"), hex("81 00"), logtest.Zlib(nil)))
	if len(empty.Text) != 0 || empty.Compressed == nil {
		t.Errorf("%+v", empty)
	}
	for _, tt := range []struct {
		blob   []byte
		kind   wire.Kind
		offset int64 // in the blob
		msg    string
	}{
		{nil, wire.Truncated, 0, "the header of the compressed part is not there"},
		{hex("01 11"), wire.Corrupt, 0, "no compressed part starts here"},
		{hex("91 11"), wire.Unsupported, 0, "compression algorithm 1; 0, zlib, is the only one known"},
		{hex("85 11"), wire.Corrupt, 0, "a length in 5 bytes; 1 to 4 are possible"},
		{hex("82 11"), wire.Truncated, 1, "the length of what is compressed is not there"},
		{cat(hex("81 10"), hello[2:]), wire.Corrupt, 1, "more bytes than the length says, 16"},
		{cat(hex("81 12"), hello[2:]), wire.Corrupt, 1, "17 bytes, where the length says 18"},
		{hex("84 7fffffff 78"), wire.Unsupported, 1, ""},
		{hello[:len(hello)-3], wire.Truncated, 0, ""},
		{logtest.Flip(hello, 2, 0xff), wire.Corrupt, 2, ""},
	} {
		_, bad := fault(t, f, decoder.QueryCompressedType, cat(hex(head), tt.blob))
		at := bad.Offset - int64(len(hex(head)))
		if bad.Kind != tt.kind || bad.Path != "query" || at != tt.offset && tt.msg != "" || at < 0 || at > int64(len(tt.blob)) || !strings.HasPrefix(bad.Msg, "it cannot be decompressed: "+tt.msg) {
			t.Errorf("% x: %v", tt.blob, bad)
		}
	}
}

// Rows that are compressed read as the same rows that are not, at places of the event as it would stand uncompressed.
func TestRowsCompressed(t *testing.T) {
	row := func(a uint32, b string, c byte) []byte { return logtest.Image(u32(a), text8(b), u8(c)) }
	table := logtest.Table{ID: 1, Schema: "d", Name: "t", Columns: three}
	for _, tt := range []struct {
		typ, plain decoder.Type
		rows       logtest.Rows
		want       string
	}{
		{166, 23, logtest.Rows{After: logtest.All(3), Data: cat(row(1, "one", 1), row(2, strings.Repeat("two ", 4), 2))}, "1 one 1 | 2 two two two two  2"},
		{167, 24, logtest.Rows{Before: hex("07"), After: hex("01"), Data: cat(row(1, "one", 1), logtest.Image(u32(9)))}, "1 one 1 -> 9 . ."},
		{168, 25, logtest.Rows{Before: hex("07"), Data: row(1, "one", 1)}, "1 one 1"},
		{169, 30, logtest.Rows{V2: true, Extra: hex("01 0300"), After: logtest.All(3), Data: row(1, "one", 1)}, "1 one 1"},
		{170, 31, logtest.Rows{V2: true, Before: hex("07"), After: hex("07"), Data: cat(row(1, "one", 1), row(2, "", 2))}, "1 one 1 -> 2  2"},
		{171, 32, logtest.Rows{V2: true, Before: hex("02"), Data: logtest.Image(text8("one"))}, ". one ."},
		{166, 23, logtest.Rows{After: logtest.All(3)}, ""},
	} {
		tt.rows.ID, tt.rows.Width = 1, 3
		f := format(t, logtest.MariaDB105, logtest.CRC32)
		m := read[*decoder.TableMap](t, f, decoder.TableMapType, table.Body())
		ctx := &decoder.Context{Format: f, TableMap: m}
		body := tt.rows.Compressed()
		ev, bad, spans := inspect(t, ctx, header(f, tt.typ, body), body)
		if bad != nil {
			t.Fatalf("%s: %v", tt.typ, bad)
		}
		e := ev.(*decoder.Rows)
		event := cat(make([]byte, 19), tt.rows.Body())
		if !bytes.Equal(e.Inflated, event) || !bytes.Equal(e.Event(nil), event) || int(e.End) != len(event) || e.Start != uint32(len(event)-len(tt.rows.Data)) {
			t.Errorf("%s: inflated to % x, rows %d-%d\nwant % x", tt.typ, e.Inflated, e.Start, e.End, event)
		}
		if last := spans[len(spans)-1]; last.Path != "rows" || last.Start != e.Start || int(last.End) != 19+len(body) {
			t.Errorf("%s: the rows are named %+v", tt.typ, last)
		}
		if got, bad := text(t, e, event); got != tt.want || bad != nil {
			t.Errorf("%s: %s, %v; want %s", tt.typ, got, bad, tt.want)
		}
		plain, bad, _ := inspect(t, ctx, header(f, tt.plain, tt.rows.Body()), tt.rows.Body())
		if p := plain.(*decoder.Rows); bad != nil || p.Start != e.Start || p.End != e.End || p.Op != e.Op || p.V2 != e.V2 || p.Inflated != nil {
			t.Errorf("%s: %+v\nuncompressed %+v %v", tt.typ, e, p, bad)
		}
	}
}

func TestRowsCompressedFaults(t *testing.T) {
	f := format(t, logtest.MariaDB105, logtest.CRC32)
	head := logtest.Rows{ID: 1, Width: 3, After: hex("07")}.Body()
	good := logtest.Deflated([]byte("any rows"))
	for _, tt := range []struct {
		body   []byte
		kind   wire.Kind
		offset int // in the blob
	}{
		{nil, wire.Truncated, 0}, {hex("00"), wire.Corrupt, 0}, {good[:len(good)-1], wire.Truncated, -1}, {logtest.Flip(good, 3, 0xff), wire.Corrupt, -1},
		{cat(good, u8(0)), wire.Corrupt, -1},
	} {
		ev, bad := fault(t, f, decoder.WriteRowsCompressedV1, cat(head, tt.body))
		at := int(bad.Offset) - len(head)
		if bad.Kind != tt.kind || bad.Path != "rows" || at < 0 || at > len(tt.body) || tt.offset >= 0 && at != tt.offset {
			t.Errorf("% x: %v", tt.body, bad)
		}
		if e := ev.(*decoder.Rows); e.Inflated != nil || e.Reader().Next() {
			t.Errorf("% x: rows of what cannot be decompressed", tt.body)
		}
	}
}

// A PARTIAL_UPDATE_ROWS_EVENT as a server wrote it, and the forms of what stands in front of its after images.
func TestPartialUpdateRows(t *testing.T) {
	table := logtest.Table{ID: 1, Schema: "d", Name: "t", Columns: []logtest.Column{logtest.Col(3), logtest.Col(245, 4), logtest.Col(15, 100, 0), logtest.Col(245, 4)}}
	diff := func(path string) []byte { return logtest.Document(cat(u8(0), text8(path), hex("03 051a00"))) }
	id := logtest.Image(u32(1))
	for _, tt := range []struct {
		name  string
		after string // present bitmap
		data  []byte
		want  string // kinds of the after image's cells; . for one that is not there
		head  uint32 // bytes in front of the null bits
		kind  wire.Kind
		at    int // of the fault, from the rows
		path  string
	}{
		{"no partial values", "0f", cat(id, u8(0), logtest.Image(u32(1), logtest.Document(nil), text8("x"), logtest.Document(hex("0400")))), "int json bytes json", 1, 0, 0, ""},
		{"the first document", "0f", cat(id, u8(1), u8(1), logtest.Image(u32(1), diff("$.age"), text8("x"), logtest.Document(hex("0400")))), "int diff bytes json", 2, 0, 0, ""},
		{"the second document", "0f", cat(id, u8(1), u8(2), logtest.Image(u32(1), logtest.Document(hex("0400")), text8("x"), diff("$"))), "int json bytes diff", 2, 0, 0, ""},
		{"both, of which one is not there", "08", cat(id, u8(1), u8(3), logtest.Image(diff("$"))), ". . . diff", 2, 0, 0, ""},
		{"a bit for a value that is NULL", "0a", cat(id, u8(1), u8(3), logtest.Image(nil, diff("$"))), ". null . diff", 2, 0, 0, ""},
		{"options in a long form", "01", cat(id, hex("fc0100"), u8(0), logtest.Image(u32(1))), "int . . .", 4, 0, 0, ""},
		{"unknown options", "01", cat(id, u8(2), logtest.Image(u32(1))), "", 0, wire.Unsupported, 5, "rows[0].after.null_bits"},
		{"no options", "01", id, "", 0, wire.Truncated, 5, "rows[0].after.null_bits"},
		{"no partial bits", "01", cat(id, u8(1)), "", 0, wire.Truncated, 6, "rows[0].after.null_bits"},
		{"no null bits", "01", cat(id, u8(1), u8(0)), "", 0, wire.Truncated, 7, "rows[0].after.null_bits"},
		{"a diff that is cut", "02", cat(id, u8(1), u8(1), u8(0), diff("$.age")[:9]), "", 0, wire.Truncated, 12, "rows[0].after.@2"},
	} {
		rows := logtest.Rows{ID: 1, V2: true, Width: 4, Before: hex("01"), After: hex(tt.after), Data: tt.data}
		e, event := rowCase{logtest.MySQL8040, decoder.PartialUpdateRowsType, table, rows}.decode(t)
		r := e.Reader()
		if tt.kind != 0 {
			if r.Next() {
				t.Errorf("%s: a row", tt.name)
			} else if bad := r.Err(); bad == nil || bad.Kind != tt.kind || int(bad.Offset) != int(e.Start)-19+tt.at || bad.Path != tt.path {
				t.Errorf("%s: %v; want %s at %d in %s", tt.name, bad, tt.kind, int(e.Start)-19+tt.at, tt.path)
			}
			continue
		}
		if !e.Partial || !r.Next() {
			t.Fatalf("%s: %v", tt.name, r.Err())
		}
		if r.Before.NullOff != r.Before.Off || r.After.NullOff-r.After.Off != tt.head || r.After.NullEnd != r.After.NullOff+1 || r.After.End != uint32(len(event)) {
			t.Errorf("%s: %+v", tt.name, r.After)
		}
		var got []string
		for i := range r.After.Cells {
			got = append(got, map[value.Kind]string{value.KindNone: ".", value.KindNull: "null", value.KindInt: "int", value.KindBytes: "bytes", value.KindJSON: "json", value.KindJSONDiff: "diff"}[r.After.Cells[i].Kind])
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, s, tt.want)
		}
		if r.Next() || r.Err() != nil {
			t.Errorf("%s: a second row, %v", tt.name, r.Err())
		}
	}
}

func TestInflateColumn(t *testing.T) {
	raw := logtest.Zlib([]byte("hello hello hello"))
	for _, tt := range []struct {
		stored []byte
		want   string
		kind   wire.Kind
		at     int64
	}{
		{nil, "", 0, 0}, {hex("00"), "", 0, 0}, {[]byte("\x00abc"), "abc", 0, 0}, {cat(hex("81 11"), raw), "hello hello hello", 0, 0},
		{cat(hex("89 11"), raw[2:len(raw)-4]), "hello hello hello", 0, 0}, // without zlib's header and checksum
		{cat(hex("83 000011"), raw), "hello hello hello", 0, 0},
		{hex("71 11"), "", wire.Unsupported, 0}, {hex("80"), "", wire.Corrupt, 0}, {hex("82 00"), "", wire.Truncated, 1},
		{cat(hex("81 12"), raw), "", wire.Corrupt, 1},
	} {
		got, bad := decoder.InflateColumn(tt.stored)
		if string(got) != tt.want || (bad != nil) != (tt.kind != 0) || bad != nil && (bad.Kind != tt.kind || bad.Offset != tt.at) {
			t.Errorf("% x: %q, %v", tt.stored, got, bad)
		}
	}
}
