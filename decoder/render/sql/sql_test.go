package sql

import (
	"binlens/decoder"
	"binlens/decoder/charset"
	"binlens/decoder/schema"
	"binlens/decoder/value"
	"binlens/decoder/wire"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"testing"
)

// read makes a cell of the bytes of a column.
func read(t *testing.T, typ value.Type, meta uint16, raw []byte) *value.Value {
	t.Helper()
	c := wire.NewCursor(raw, 0, nil)
	var v value.Value
	if value.Read(&c, typ, meta, &v); !c.OK() || c.Len() > 0 {
		t.Fatalf("%v of % x: %v", typ, raw, c.Fault())
	}
	return &v
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Literals of every type, from the bytes of the format and from what the servers take.
func TestLiterals(t *testing.T) {
	for _, tt := range []struct {
		name string
		col  column
		typ  value.Type
		meta uint16
		raw  string
		want string
		why  bool
	}{
		{"int", column{}, value.Long, 0, "2a000000", "42", false},
		{"unsigned", column{m: &decoder.Column{Unsigned: true, SignKnown: true}}, value.Tiny, 0, "ff", "255", false},
		{"signed", column{m: &decoder.Column{SignKnown: true}}, value.Tiny, 0, "ff", "-1", false},
		{"sign unknown", column{}, value.Tiny, 0, "ff", "-1", true},
		{"sign unknown and of no matter", column{}, value.Tiny, 0, "7f", "127", false},
		{"float", column{}, value.Float, 4, "cdcccc3d", "0.1", false},
		{"largest float", column{}, value.Float, 4, "ffff7f7f", "3.4028234663852886e+38", false},
		{"double", column{}, value.Double, 8, "9a9999999999b93f", "0.1", false},
		{"negative zero", column{}, value.Double, 8, "0000000000000080", "-0e+00", false},
		{"small double", column{}, value.Double, 8, "0100000000000000", "5e-324", false},
		{"decimal", column{}, value.NewDecimal, 5<<8 | 2, "80 01 0a", "1.10", false},
		{"year 0", column{}, value.Year, 0, "00", "0", false},
		{"year", column{}, value.Year, 0, "7c", "2024", false},
		{"zero date", column{}, value.Date, 0, "000000", "'0000-00-00'", false},
		{"bit", column{}, value.Bit, 4, "0a", "b'1010'", false},
		{"enum with labels", column{labels: [][]byte{[]byte("it's")}}, value.Enum, 1, "01", `'it\'s'`, false},
		{"enum without", column{}, value.Enum, 1, "03", "3", false},
		{"invalid enum", column{labels: [][]byte{[]byte("a")}}, value.Enum, 1, "00", "0", false},
		{"set with labels", column{labels: [][]byte{[]byte("a"), []byte("b")}}, value.Set, 1, "03", "'a,b'", false},
		{"set with a bit too many", column{labels: [][]byte{[]byte("a")}}, value.Set, 1, "03", "3", false},
		{"utf8", column{cs: charset.UTF8MB4}, value.Varchar, 40, "03 c3bc 27", `'ü\''`, false},
		{"control characters", column{cs: charset.UTF8MB4}, value.Varchar, 40, "06 00 0a 0d 1a 5c 09", `'\0\n\r\Z\\` + "\t'", false},
		{"no utf8", column{cs: charset.UTF8MB4}, value.Varchar, 40, "02 c3 28", "X'c328'", false},
		{"latin1", column{cs: charset.Latin1}, value.Varchar, 40, "02 80 e9", "'€é'", false},
		{"cp1251", column{cs: charset.CP1251}, value.Varchar, 40, "01 cf", "_cp1251 X'cf'", false},
		{"cp1251 in ASCII", column{cs: charset.CP1251}, value.Varchar, 40, "01 61", "'a'", false},
		{"sjis in ASCII, where a backslash is none", column{cs: charset.SJIS}, value.Varchar, 40, "01 5c", "_sjis X'5c'", false},
		{"ucs2", column{cs: charset.UCS2}, value.Varchar, 40, "02 00 41", "_ucs2 X'0041'", false},
		{"unknown, ASCII", column{}, value.Varchar, 40, "02 61 62", "'ab'", false},
		{"unknown, others", column{}, value.Varchar, 40, "01 e9", "X'e9'", false},
		{"binary", column{cs: charset.Binary}, value.Varchar, 40, "02 61 62", "X'6162'", false},
		{"empty binary", column{cs: charset.Binary}, value.Varchar, 40, "00", "''", false},
		{"padded binary", column{cs: charset.Binary, pad: 4}, value.String, 4, "01 61", "X'61000000'", false},
		{"point", column{}, value.Geometry, 4, "19000000 00000000 01 01000000 000000000000f03f 0000000000000040", "ST_GeomFromWKB(X'0101000000000000000000f03f0000000000000040')", false},
		{"point in MariaDB", column{}, value.Geometry, 4, "19000000 e6100000 01 01000000 000000000000f03f 0000000000000040", "ST_GeomFromWKB(X'0101000000000000000000f03f0000000000000040',4326)", false},
		{"point in MySQL 8", column{axisOrder: true}, value.Geometry, 4, "19000000 e6100000 01 01000000 000000000000f03f 0000000000000040",
			"ST_GeomFromWKB(X'0101000000000000000000f03f0000000000000040',4326,'axis-order=long-lat')", false},
		{"inet4", column{typ: "inet4", cs: charset.Binary, pad: 4}, value.String, 4, "03 c0 00 02", "'192.0.2.0'", false},
		{"json", column{}, value.JSON, 4, "0d000000 00 01000c 00 0b00 0100 05 0100 61", `'{"a": 1}'`, false},
		{"vector", column{}, value.Vector, 4, "04000000 0000803f", "X'0000803f'", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			raw := unhex(t, tt.raw)
			if tt.col.m == nil {
				tt.col.m = &decoder.Column{}
			}
			tt.col.m.Type, tt.col.m.Meta = tt.typ, tt.meta
			got, why := tt.col.appendValue(nil, raw, read(t, tt.typ, tt.meta, raw))
			if string(got) != tt.want || (why != "") != tt.why {
				t.Errorf("%s (%s), want %s", got, why, tt.want)
			}
		})
	}
}

// The digits of every float read back, as the server reads them: as a double, then rounded.
func TestFloatsReadBack(t *testing.T) {
	for i := uint32(0); i < 1<<16; i++ {
		bits := i * 65521
		f := math.Float32frombits(bits)
		if f != f || math.IsInf(float64(f), 0) {
			continue
		}
		text := string(appendFloat(nil, &value.Value{Kind: value.KindFloat32, Bits: uint64(bits)}))
		if back := parseFloat(t, text); float32(back) != f || math.Abs(back) > math.MaxFloat32 {
			t.Fatalf("%x is %s, which is %v", bits, text, back)
		}
		if at := strings.IndexByte(text, '.'); at >= 0 && !strings.Contains(text, "e") && len(text)-at > 31 {
			t.Fatalf("%s has more than 30 digits behind the point", text)
		}
	}
}

func parseFloat(t *testing.T, text string) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestComments(t *testing.T) {
	if got := string(AppendComment(nil, "a\nDROP TABLE x;\r\x00")); got != "-- a\n-- DROP TABLE x;  \n" {
		t.Errorf("%q", got)
	}
}

func TestStatementsEnd(t *testing.T) {
	for _, tt := range [][2]string{
		{"SELECT 1", "SELECT 1;\n"},
		{"SELECT 1;\x00", "SELECT 1;\n"},
		{"SELECT 1 -- end", "SELECT 1 -- end\n;\n"},
		{"BEGIN a; END", "DELIMITER $$\nBEGIN a; END\n$$\nDELIMITER ;\n"},
		{"BEGIN '$$'; END", "DELIMITER $$$\nBEGIN '$$'; END\n$$$\nDELIMITER ;\n"},
	} {
		if got := string(appendStatement(nil, []byte(tt[0]))); got != tt[1] {
			t.Errorf("%q: %q", tt[0], got)
		}
	}
}

// Which columns tell rows apart: what full metadata says comes before what SQL says.
func TestKeys(t *testing.T) {
	full := decoder.OptionalMetadata{{Code: decoder.MetaColumnName}}
	withKey := schema.Table{Columns: []schema.Column{{Name: "a", NotNull: true}, {Name: "b", NotNull: true}},
		Keys: []schema.Key{{Name: "PRIMARY", Unique: true, Columns: []string{"b"}}}}
	unique := withKey
	unique.Keys = []schema.Key{{Name: "u", Unique: true, Columns: []string{"a"}}}
	for _, tt := range []struct {
		name     string
		optional decoder.OptionalMetadata
		keyed    int // column that is in the primary key of the map; -1 none
		known    *schema.Table
		want     string
	}{
		{"metadata alone", full, 0, nil, "DELETE FROM `s`.`t` WHERE `a`=1;"},
		{"no key", full, -1, nil, "DELETE FROM `s`.`t` WHERE `a` <=> 1 AND `b` <=> 2 LIMIT 1;"},
		{"SQL alone", nil, -1, &withKey, "DELETE FROM `s`.`t` WHERE `b`=2;"},
		{"SQL that contradicts metadata", full, -1, &withKey, "DELETE FROM `s`.`t` WHERE `a` <=> 1 AND `b` <=> 2 LIMIT 1;"},
		{"another primary key", full, 0, &withKey, "DELETE FROM `s`.`t` WHERE `a`=1;"},
		{"a unique key", full, -1, &unique, "DELETE FROM `s`.`t` WHERE `a`=1;"},
	} {
		m := &decoder.TableMap{Schema: []byte("s"), Table: []byte("t"), Optional: tt.optional, Columns: make([]decoder.Column, 2)}
		for i, name := range []string{"a", "b"} {
			m.Columns[i] = decoder.Column{Type: value.Tiny, Name: []byte(name), Key: tt.keyed == i, SignKnown: true}
		}
		raw := []byte{1, 2}
		cells := []value.Value{{Kind: value.KindInt, Off: 0, End: 1, Bits: 1}, {Kind: value.KindInt, Off: 1, End: 2, Bits: 2}}
		row := Row{Raw: raw, Before: cells}
		if got := string(NewTable(m, tt.known, &decoder.FormatDescription{}).AppendRedo(nil, decoder.Delete, &row)); got != tt.want || row.Fail != "" {
			t.Errorf("%s: %s (%s), want %s", tt.name, got, row.Fail, tt.want)
		}
	}
}
