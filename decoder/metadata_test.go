package decoder_test

import (
	"strings"
	"testing"

	"binlens/decoder"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/wire"
)

var tlv = logtest.TLV

// metadataTable has one column of each group that optional metadata counts by:
//
//	0 BIGINT, 1 YEAR, 2 VARCHAR, 3 ENUM, 4 SET, 5 GEOMETRY, 6 VECTOR, 7 TEXT, 8 DECIMAL, 9 BIT
func metadataTable(optional []byte) logtest.Table {
	return logtest.Table{ID: 1, Schema: "d", Name: "t", Optional: optional, Columns: []logtest.Column{logtest.Col(8), logtest.Col(13), logtest.Col(15, 10, 0), logtest.Col(254, 0xf7, 1),
		logtest.Col(254, 0xf8, 1), logtest.Col(255, 4), logtest.Col(242, 4), logtest.Col(252, 2), logtest.Col(246, 10, 2), logtest.Col(16, 1, 0)}}
}

func allMetadata() []byte {
	return cat(tlv(1, logtest.BitsMSB(true, true, false)), tlv(2, logtest.Lenencs(255, 1, 63)), tlv(3, logtest.Lenencs(45, 63, 300)),
		tlv(4, logtest.Names("n", "y", "v", "e", "s", "g", "w", "t", "d", "b")), tlv(5, logtest.Labels("x", "y")), tlv(6, logtest.Labels("small", "", "große")),
		tlv(7, logtest.Lenencs(1)), tlv(8, logtest.Lenencs(0, 2)), tlv(9, logtest.Lenencs(2, 5, 0, 0)), tlv(10, logtest.Lenencs(33, 1, 8)), tlv(11, logtest.Lenencs(8, 33)),
		tlv(12, logtest.BitsMSB(true, true, true, true, true, true, true, true, true, false)), tlv(13, logtest.Lenencs(3)), tlv(99, []byte("later")))
}

// Each field of the optional metadata: what it makes of the columns, and its names.
func TestOptionalMetadata(t *testing.T) {
	type field = decoder.MetadataField
	texts := func(s ...string) (b [][]byte) {
		for _, x := range s {
			b = append(b, []byte(x))
		}
		return b
	}
	at := func(c []decoder.Column, pick func(decoder.Column) any) (v []any) {
		for _, x := range c {
			v = append(v, pick(x))
		}
		return v
	}
	collation := func(c decoder.Column) any { return int(c.Collation) }
	for _, tt := range []struct {
		name  string
		raw   []byte
		field field
		pick  func(decoder.Column) any
		want  []any
		paths string
	}{
		{"signedness", tlv(1, hex("a0")), field{Code: 1, Length: 1, Bits: hex("a0")},
			func(c decoder.Column) any { return []bool{c.SignKnown, c.Unsigned} },
			[]any{[]bool{true, true}, []bool{true, false}, []bool{false, false}, []bool{false, false}, []bool{false, false}, []bool{false, false}, []bool{false, false}, []bool{false, false}, []bool{true, true}, []bool{false, false}},
			"optional_metadata.signedness"},
		{"default_charset", tlv(2, logtest.Lenencs(255, 1, 63)), field{Code: 2, Length: 5, Nums: []uint64{255, 1, 63}}, collation, []any{0, 0, 255, 0, 0, 0, 63, 255, 0, 0},
			"+.default_charset .default_charset.length .default_charset.default +.default_charset.exceptions[0] .default_charset.exceptions[0].index .default_charset.exceptions[0].collation"},
		{"column_charset", tlv(3, logtest.Lenencs(45, 63, 300)), field{Code: 3, Length: 5, Nums: []uint64{45, 63, 300}}, collation, []any{0, 0, 45, 0, 0, 0, 63, 300, 0, 0},
			"+.column_charset .column_charset.length .column_charset.values[0] .column_charset.values[1] .column_charset.values[2]"},
		{"column_name", tlv(4, logtest.Names("n", "y", "v", "e", "s", "g", "w", "t", "d", "")), field{Code: 4, Length: 19, Texts: texts("n", "y", "v", "e", "s", "g", "w", "t", "d", "")},
			func(c decoder.Column) any { return string(c.Name) }, []any{"n", "y", "v", "e", "s", "g", "w", "t", "d", ""}, ""},
		{"set_str_value", tlv(5, logtest.Labels("x", "y")), field{Code: 5, Length: 5, Lists: [][][]byte{texts("x", "y")}}, func(c decoder.Column) any { return len(c.Labels) }, []any{0, 0, 0, 0, 2, 0, 0, 0, 0, 0},
			"+.set_str_value .set_str_value.length +.set_str_value.values[0] .set_str_value.values[0].count .set_str_value.values[0].labels[0] .set_str_value.values[0].labels[1]"},
		{"enum_str_value", tlv(6, logtest.Labels("small", "", "große")), field{Code: 6, Length: 15, Lists: [][][]byte{texts("small", "", "große")}}, func(c decoder.Column) any { return len(c.Labels) }, []any{0, 0, 0, 3, 0, 0, 0, 0, 0, 0}, ""},
		{"geometry_type", tlv(7, logtest.Lenencs(1)), field{Code: 7, Length: 1, Nums: []uint64{1}}, func(c decoder.Column) any { return int(c.Geometry) }, []any{0, 0, 0, 0, 0, 1, 0, 0, 0, 0}, ""},
		{"simple_primary_key", tlv(8, logtest.Lenencs(2, 0)), field{Code: 8, Length: 2, Nums: []uint64{2, 0}}, func(c decoder.Column) any { return c.Key }, []any{true, false, true, false, false, false, false, false, false, false}, ""},
		{"primary_key_with_prefix", tlv(9, logtest.Lenencs(2, 5, 0, 0)), field{Code: 9, Length: 4, Nums: []uint64{2, 5, 0, 0}},
			func(c decoder.Column) any { return []any{c.Key, int(c.KeyPrefix)} },
			[]any{[]any{true, 0}, []any{false, 0}, []any{true, 5}, []any{false, 0}, []any{false, 0}, []any{false, 0}, []any{false, 0}, []any{false, 0}, []any{false, 0}, []any{false, 0}},
			"+.primary_key_with_prefix .primary_key_with_prefix.length +.primary_key_with_prefix.columns[0] .primary_key_with_prefix.columns[0].column .primary_key_with_prefix.columns[0].prefix" +
				" +.primary_key_with_prefix.columns[1] .primary_key_with_prefix.columns[1].column .primary_key_with_prefix.columns[1].prefix"},
		{"enum_and_set_default_charset", tlv(10, logtest.Lenencs(33, 1, 8)), field{Code: 10, Length: 3, Nums: []uint64{33, 1, 8}}, collation, []any{0, 0, 0, 33, 8, 0, 0, 0, 0, 0}, ""},
		{"enum_and_set_column_charset", tlv(11, logtest.Lenencs(8, 33)), field{Code: 11, Length: 2, Nums: []uint64{8, 33}}, collation, []any{0, 0, 0, 8, 33, 0, 0, 0, 0, 0}, ""},
		{"column_visibility", tlv(12, hex("ff80")), field{Code: 12, Length: 2, Bits: hex("ff80")}, func(c decoder.Column) any { return c.Invisible }, []any{false, false, false, false, false, false, false, false, false, true}, ".column_visibility"},
		{"vector_dimensionality", tlv(13, logtest.Lenencs(3)), field{Code: 13, Length: 1, Nums: []uint64{3}}, func(c decoder.Column) any { return int(c.Dimension) }, []any{0, 0, 0, 0, 0, 0, 3, 0, 0, 0}, ""},
		{"unknown_14", tlv(14, []byte("xyz")), field{Code: 14, Length: 3, Bits: []byte("xyz")}, collation, []any{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, ".unknown_14"},
		{"unknown_0", tlv(0), field{Code: 0, Bits: []byte{}}, collation, []any{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, ".unknown_0"},
	} {
		f := format(t, logtest.MySQL96, logtest.Off)
		body := metadataTable(tt.raw).Body()
		e := read[*decoder.TableMap](t, f, decoder.TableMapType, body)
		if e.OptionalErr != nil {
			t.Errorf("%s: %v", tt.name, e.OptionalErr)
		}
		equal(t, tt.name+" field", e.Optional, decoder.OptionalMetadata{tt.field})
		equal(t, tt.name, at(e.Columns, tt.pick), tt.want)
		if !e.Optional.Has(tt.field.Code) || e.Optional.Has(77) || tt.field.Code.Name() != tt.name {
			t.Errorf("%s: name %s", tt.name, tt.field.Code.Name())
		}
		got := paths(t, f, decoder.TableMapType, body)
		_, got, _ = strings.Cut(got, "+optional_metadata ")
		want := strings.ReplaceAll(strings.ReplaceAll(" "+tt.paths, " .", " optional_metadata."), " +.", " +optional_metadata.")
		if tt.paths != "" && " "+got != want {
			t.Errorf("%s: names\n got %s\nwant%s", tt.name, got, want)
		}
	}
	e := read[*decoder.TableMap](t, format(t, logtest.MySQL96, logtest.Off), decoder.TableMapType, metadataTable(allMetadata()).Body())
	if e.OptionalErr != nil || len(e.Optional) != 14 || !e.HasNames() || e.Columns[2].Label(2) != "v" {
		t.Errorf("all together: %v, %+v", e.OptionalErr, e.Optional)
	}
}

// Malformed optional metadata is ignored as a whole; the map itself stands.
func TestMalformedOptionalMetadata(t *testing.T) {
	good := tlv(1, hex("a0"))
	for _, tt := range []struct {
		name string
		raw  []byte
	}{
		{"a type alone", hex("04")},
		{"a length of NULL", hex("04 fb")},
		{"a length cut", hex("04 fc 01")},
		{"a length beyond the end", hex("04 05 01 61")},
		{"a length of 2^64-1", hex("04 fe ffffffffffffffff")},
		{"signedness too short", tlv(1)},
		{"no default character set", tlv(2)},
		{"an exception without collation", tlv(2, logtest.Lenencs(255, 1))},
		{"an exception for a column too many", tlv(2, logtest.Lenencs(255, 3, 63))},
		{"fewer character sets than columns", tlv(3, logtest.Lenencs(45, 63))},
		{"more character sets than columns", tlv(3, logtest.Lenencs(45, 63, 33, 33))},
		{"fewer names than columns", tlv(4, logtest.Names("a"))},
		{"more names than columns", tlv(4, logtest.Names("n", "y", "v", "e", "s", "g", "w", "t", "d", "b", "z"))},
		{"a name cut", tlv(4, hex("05 61"))},
		{"more labels than bytes", tlv(6, hex("ff"))},
		{"a count of labels that does not fit", tlv(6, hex("05 01 61"))},
		{"a label cut", tlv(6, hex("02 01 61 09 62"))},
		{"no labels for the ENUM", tlv(6)},
		{"labels for two SETs", tlv(5, logtest.Labels("x"), logtest.Labels("y"))},
		{"no geometry type", tlv(7)},
		{"a key of a column too many", tlv(8, logtest.Lenencs(10))},
		{"a prefix of a column too many", tlv(9, logtest.Lenencs(10, 0))},
		{"a column without its prefix", tlv(9, logtest.Lenencs(0))},
		{"no default character set of ENUM and SET", tlv(10)},
		{"three character sets of ENUM and SET", tlv(11, logtest.Lenencs(8, 8, 8))},
		{"visibility too short", tlv(12, hex("ff"))},
		{"two dimensions", tlv(13, logtest.Lenencs(3, 4))},
		{"a number cut", tlv(13, hex("fc 01"))},
	} {
		f := format(t, logtest.MySQL96, logtest.Off)
		m := metadataTable(cat(good, tt.raw))
		body := m.Body()
		e := read[*decoder.TableMap](t, f, decoder.TableMapType, body)
		if e.OptionalErr == nil || e.OptionalErr.Path != "optional_metadata" || e.OptionalErr.Msg == "" || e.OptionalErr.Kind != wire.Corrupt && e.OptionalErr.Kind != wire.Truncated {
			t.Errorf("%s: %v", tt.name, e.OptionalErr)
		} else if start := int64(len(body) - len(m.Optional)); e.OptionalErr.Offset < start || e.OptionalErr.Offset > int64(len(body)) {
			t.Errorf("%s: %v outside the optional metadata, which starts at %d", tt.name, e.OptionalErr, start)
		}
		if len(e.Optional) != 0 {
			t.Errorf("%s: fields are left: %+v", tt.name, e.Optional)
		}
		m.Optional = nil
		equal(t, tt.name+": columns", e.Columns, read[*decoder.TableMap](t, f, decoder.TableMapType, m.Body()).Columns)
	}
}

// YEAR takes a bit of signedness, unless the bits fit only without it (MariaDB's own reader has it so).
func TestSignedness(t *testing.T) {
	long, year := logtest.Col(3), logtest.Col(13)
	nine := []logtest.Column{long, year, long, long, long, long, long, long, long}
	for _, tt := range []struct {
		name     string
		columns  []logtest.Column
		bits     string
		unsigned string // u, s, or ? a column
	}{
		{"YEAR between", []logtest.Column{long, year, long}, "40", "sus"},
		{"nine bits with YEAR", nine, "0000", "sssssssss"},
		{"nine bits, the last", nine, "0080", "ssssssssu"},
		{"eight bits without YEAR", nine, "41", "s?usssssu"},
		{"a byte too many", []logtest.Column{long}, "8000", "u"},
		{"no numeric column", []logtest.Column{logtest.Col(10)}, "", "?"},
		{"other types take none", []logtest.Column{logtest.Col(15, 1, 0), long, logtest.Col(16, 1, 0), logtest.Col(254, 0xf7, 1), long}, "40", "?s??u"},
		{"FLOAT, DOUBLE and DECIMAL do", []logtest.Column{logtest.Col(4, 4), logtest.Col(5, 8), logtest.Col(246, 5, 2), logtest.Col(0), long}, "f8", "uuuuu"},
	} {
		for _, s := range []logtest.Server{logtest.MySQL96, logtest.MariaDB105} {
			e := read[*decoder.TableMap](t, format(t, s, logtest.Off), decoder.TableMapType, logtest.Table{Schema: "d", Name: "t", Columns: tt.columns, Optional: tlv(1, hex(tt.bits))}.Body())
			got := ""
			for _, c := range e.Columns {
				switch {
				case !c.SignKnown:
					got += "?"
				case c.Unsigned:
					got += "u"
				default:
					got += "s"
				}
			}
			if got != tt.unsigned || e.OptionalErr != nil {
				t.Errorf("%s, %s: %s, %v; want %s", s.Name, tt.name, got, e.OptionalErr, tt.unsigned)
			}
		}
	}
}

// GEOMETRY counts among the character columns in MariaDB, not in MySQL; a multi-valued index over text does in MySQL.
func TestCharacterColumns(t *testing.T) {
	columns := []logtest.Column{logtest.Col(255, 4), logtest.Col(15, 10, 0), logtest.Col(20, 15, 10, 0, 0)}
	for _, tt := range []struct {
		server logtest.Server
		raw    []byte
		want   [3]uint32
	}{
		{logtest.MySQL96, tlv(3, logtest.Lenencs(33, 45)), [3]uint32{0, 33, 45}},
		{logtest.MariaDB105, tlv(3, logtest.Lenencs(63, 33, 45)), [3]uint32{63, 33, 45}},
	} {
		e := read[*decoder.TableMap](t, format(t, tt.server, logtest.Off), decoder.TableMapType, logtest.Table{Schema: "d", Name: "t", Columns: columns, Optional: tt.raw}.Body())
		if got := [3]uint32{e.Columns[0].Collation, e.Columns[1].Collation, e.Columns[2].Collation}; got != tt.want || e.OptionalErr != nil {
			t.Errorf("%s: %v, %v; want %v", tt.server.Name, got, e.OptionalErr, tt.want)
		}
	}
}
