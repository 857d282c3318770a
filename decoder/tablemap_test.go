package decoder_test

import (
	"strings"
	"testing"

	"binlens/decoder"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/value"
	"binlens/decoder/wire"
)

// types returns the real type, metadata and nullability of columns.
func columnTypes(e *decoder.TableMap) (c []decoder.Column) {
	for _, x := range e.Columns {
		c = append(c, decoder.Column{Wire: x.Wire, Type: x.Type, Meta: x.Meta, Nullable: x.Nullable})
	}
	return c
}

func TestTableMap(t *testing.T) {
	f := format(t, logtest.MySQL55, logtest.Off)
	m := logtest.Table{ID: 0x0605_0403_0201, Flags: 0x8001, Schema: "shop", Name: "orders", Columns: []logtest.Column{
		{Type: 3, NotNull: true}, logtest.Col(15, 0x2c, 1), logtest.Col(254, 0xf7, 1), logtest.Col(254, 0xee, 0x2c), logtest.Col(246, 10, 2), logtest.Col(252, 2),
		logtest.Col(16, 3, 1), {Type: 10, NotNull: true}, logtest.Col(254, 0xf8, 8)}}
	e := read[*decoder.TableMap](t, f, decoder.TableMapType, m.Body())
	if e.TableID != m.ID || e.Flags != 0x8001 || string(e.Schema) != "shop" || string(e.Table) != "orders" || !e.HasMetadata || e.HasNames() {
		t.Errorf("%+v", e)
	}
	equal(t, "columns", columnTypes(e), []decoder.Column{
		{Wire: value.Long, Type: value.Long}, {Wire: value.Varchar, Type: value.Varchar, Meta: 300, Nullable: true}, {Wire: value.String, Type: value.Enum, Meta: 1, Nullable: true},
		{Wire: value.String, Type: value.String, Meta: 300, Nullable: true}, {Wire: value.NewDecimal, Type: value.NewDecimal, Meta: 10<<8 | 2, Nullable: true},
		{Wire: value.Blob, Type: value.Blob, Meta: 2, Nullable: true}, {Wire: value.Bit, Type: value.Bit, Meta: 1<<8 | 3, Nullable: true}, {Wire: value.Date, Type: value.Date},
		{Wire: value.String, Type: value.Set, Meta: 8, Nullable: true}})
	want := "table_id flags schema table column_count column_types[0] column_types[1] column_types[2] column_types[3] column_types[4] column_types[5] column_types[6] column_types[7] column_types[8]" +
		" metadata_length metadata[1] metadata[2] metadata[3] metadata[4] metadata[5] metadata[6] metadata[8] null_bits"
	if got := paths(t, f, decoder.TableMapType, m.Body()); got != want {
		t.Errorf("names\n got %s\nwant %s", got, want)
	}
	if e.Columns[0].Label(0) != "@1" {
		t.Errorf("label %s", e.Columns[0].Label(0))
	}
}

// Logs of pre-release 5.1: a table id of 4 bytes, and the end after the types.
func TestTableMapPreGA(t *testing.T) {
	f := format(t, logtest.MySQL5117, logtest.Off)
	m := logtest.Table{ID: 17, Schema: "d", Name: "t", IDLen: 4, NoMetadata: true, Columns: []logtest.Column{logtest.Col(3), logtest.Col(15, 1, 0)}}
	e := read[*decoder.TableMap](t, f, decoder.TableMapType, m.Body())
	if e.TableID != 17 || e.HasMetadata || len(e.Columns) != 2 || e.Columns[1].Meta != 0 || e.Columns[1].Nullable {
		t.Errorf("%+v", e)
	}
	m.NoMetadata = false
	e = read[*decoder.TableMap](t, f, decoder.TableMapType, m.Body())
	if !e.HasMetadata || e.Columns[1].Meta != 1 || !e.Columns[1].Nullable {
		t.Errorf("with metadata: %+v", e)
	}
	if got := read[*decoder.TableMap](t, format(t, logtest.MySQL51, logtest.Off), decoder.TableMapType, logtest.Table{Schema: "d", Name: "t", NoMetadata: true}.Body()); len(got.Columns) != 0 || got.HasMetadata {
		t.Errorf("no columns: %+v", got)
	}
}

func TestTableMapLarge(t *testing.T) {
	f := format(t, logtest.MySQL8040, logtest.Off)
	for _, n := range []int{250, 251, 300, 4096} {
		m := logtest.Table{ID: 1, Schema: strings.Repeat("d", 64), Name: strings.Repeat("測", 64), Columns: make([]logtest.Column, n)}
		for i := range m.Columns {
			m.Columns[i] = logtest.Column{Type: 252, Meta: []byte{byte(1 + i%4)}, NotNull: i%3 == 0}
		}
		e := read[*decoder.TableMap](t, f, decoder.TableMapType, m.Body())
		if len(e.Columns) != n || string(e.Table) != m.Name {
			t.Fatalf("%d columns of %q", len(e.Columns), e.Table)
		}
		for i, c := range e.Columns {
			if int(c.Meta) != 1+i%4 || c.Nullable != (i%3 != 0) {
				t.Fatalf("column %d of %d: %+v", i, n, c)
			}
		}
	}
	_, bad := fault(t, f, decoder.TableMapType, logtest.Table{Schema: "d", Name: "t", Columns: make([]logtest.Column, 4097)}.Body())
	if bad.Kind != wire.Corrupt || bad.Path != "column_count" {
		t.Errorf("4097 columns: %v", bad)
	}
}

// What a table map may hold beyond its types' needs, and what it must.
func TestTableMapMetadata(t *testing.T) {
	f := format(t, logtest.MySQL8017, logtest.Off)
	// A column of a multi-valued index: the element's metadata, of which 8.0.18 wrote a byte more.
	for _, extra := range [][]byte{nil, {0}} {
		m := logtest.Table{ID: 1, Schema: "d", Name: "t", Columns: []logtest.Column{logtest.Col(3), logtest.Col(20, 8), {Type: 2, NotNull: true}}, MetaExtra: extra}
		e := read[*decoder.TableMap](t, f, decoder.TableMapType, m.Body())
		equal(t, "typed array", columnTypes(e), []decoder.Column{{Wire: 3, Type: 3, Nullable: true}, {Wire: 20, Type: 20, Meta: 8, Nullable: true}, {Wire: 2, Type: 2}})
		if got := strings.Contains(paths(t, f, decoder.TableMapType, m.Body()), "metadata_extra"); got != (extra != nil) {
			t.Errorf("metadata_extra named: %t", got)
		}
	}
	// VAR_STRING has 2 bytes of metadata or none; the block's length tells.
	for _, meta := range [][]byte{{10, 0}, nil} {
		m := logtest.Table{ID: 1, Schema: "d", Name: "t", Columns: []logtest.Column{{Type: 253, Meta: meta}, logtest.Col(254, 0xfe, 10)}}
		e := read[*decoder.TableMap](t, f, decoder.TableMapType, m.Body())
		if e.Columns[1].Type != value.String || e.Columns[1].Meta != 10 || int(e.Columns[0].Meta) != 5*len(meta) {
			t.Errorf("VAR_STRING with % x: %+v", meta, columnTypes(e))
		}
	}
}

func TestTableMapFaults(t *testing.T) {
	f := format(t, logtest.MySQL8040, logtest.Off)
	for _, tt := range []struct {
		name   string
		body   string
		kind   wire.Kind
		offset int64
		path   string
	}{
		{"no table id", "0102030405", wire.Truncated, 0, "table_id"},
		{"no flags", "010203040506 01", wire.Truncated, 6, "flags"},
		{"no schema", "010000000000 0100", wire.Truncated, 8, "schema"},
		{"short schema", "010000000000 0100 03 6161", wire.Truncated, 9, "schema"},
		{"schema without its zero byte", "010000000000 0100 01 61 62", wire.Corrupt, 10, "schema"},
		{"no table", "010000000000 0100 01 61 00", wire.Truncated, 11, "table"},
		{"table without its zero byte", "010000000000 0100 01 61 00 01 62 01", wire.Corrupt, 13, "table"},
		{"no column count", "010000000000 0100 01 61 00 01 62 00", wire.Truncated, 14, "column_count"},
		{"a NULL column count", "010000000000 0100 01 61 00 01 62 00 fb", wire.Corrupt, 14, "column_count"},
		{"a short column count", "010000000000 0100 01 61 00 01 62 00 fc 01", wire.Truncated, 14, "column_count"},
		{"more columns than bytes", "010000000000 0100 01 61 00 01 62 00 03 01 01", wire.Corrupt, 15, "column_count"},
		{"a huge column count", "010000000000 0100 01 61 00 01 62 00 fe ffffffffffffffff 01", wire.Corrupt, 23, "column_count"},
		{"more metadata than bytes", "010000000000 0100 01 61 00 01 62 00 01 03 05 01", wire.Corrupt, 17, "metadata_length"},
		{"metadata too short for the second column", "010000000000 0100 01 61 00 01 62 00 03 05 0f 0f 03 08 0a00 07", wire.Truncated, 22, "metadata[2]"}, // DOUBLE 08, VARCHAR 0a00, VARCHAR nothing
		{"metadata too short", "010000000000 0100 01 61 00 01 62 00 02 05 0f 02 08 0a 00", wire.Truncated, 19, "metadata[1]"},
		{"a type that nobody knows", "010000000000 0100 01 61 00 01 62 00 02 03 64 00 00", wire.Unsupported, 18, "metadata[1]"},
		{"no null bits", "010000000000 0100 01 61 00 01 62 00 01 03 00", wire.Truncated, 17, "null_bits"},
		{"short null bits", "010000000000 0100 01 61 00 01 62 00 09 03 03 03 03 03 03 03 03 03 00 ff", wire.Truncated, 25, "null_bits"},
	} {
		_, bad := fault(t, f, decoder.TableMapType, hex(tt.body))
		if bad.Kind != tt.kind || bad.Offset != tt.offset || bad.Path != tt.path {
			t.Errorf("%s: %v; want %s at %d in %s", tt.name, bad, tt.kind, tt.offset, tt.path)
		}
	}
}

func TestTableMapClone(t *testing.T) {
	body := metadataTable(allMetadata()).Body()
	f := format(t, logtest.MySQL96, logtest.Off)
	e := read[*decoder.TableMap](t, f, decoder.TableMapType, body)
	c := e.Clone()
	equal(t, "clone", c, e)
	clear(body)
	again := read[*decoder.TableMap](t, f, decoder.TableMapType, metadataTable(allMetadata()).Body())
	equal(t, "clone", c.Columns, again.Columns)
	if string(c.Schema) != "d" || string(c.Optional[0].Bits) != string(again.Optional[0].Bits) || string(c.Optional[3].Texts[0]) != "n" {
		t.Errorf("the clone changed with the bytes: %+v", c)
	}
}
