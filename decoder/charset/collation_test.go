package charset

import (
	"bufio"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// serverCollations reads the list that a MariaDB server gave (how, the file says).
func serverCollations(t *testing.T) map[ID]Info {
	t.Helper()
	out := map[ID]Info{}
	for _, line := range dataLines(t, "testdata/mariadb-10.11-collations.tsv") {
		f := strings.Split(line, "\t")
		if len(f) != 3 {
			t.Fatalf("line %q", line)
		}
		id, err := strconv.ParseUint(f[0], 10, 16)
		if err != nil {
			t.Fatal(err)
		}
		out[ID(id)] = Info{f[1], ByName(f[2])}
	}
	return out
}

// dataLines returns the lines of a file that are no comment.
func dataLines(t *testing.T, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []string
	for in := bufio.NewScanner(f); in.Scan(); {
		if !strings.HasPrefix(in.Text(), "#") {
			lines = append(lines, in.Text())
		}
	}
	if len(lines) == 0 {
		t.Fatalf("%s has no lines", path)
	}
	return lines
}

// TestMariaDBCollations looks every 16-bit id up and compares with a server's own list, both ways.
func TestMariaDBCollations(t *testing.T) {
	server := serverCollations(t)
	if len(server) != 1242 {
		t.Fatalf("the server's list has %d collations", len(server))
	}
	for n := range math.MaxUint16 + 1 {
		id := ID(n)
		got, ok := Lookup(MariaDB, id)
		want, there := server[id]
		switch {
		case there && (!ok || got != want):
			t.Errorf("%d is %v, want %v", id, got, want)
		case !there && ok && !notInList(id):
			t.Errorf("%d is %v, which the server does not have", id, got)
		case !there && !ok && notInList(id):
			t.Errorf("%d is unknown", id)
		}
	}
}

// notInList reports whether a MariaDB log may have an id that the list of MariaDB 10.11 does not: internal, from a MySQL
// source, or of a later MariaDB.
func notInList(id ID) bool {
	switch {
	case id == 17, id == 76, id == 579, id == 611:
		return true
	case 248 <= id && id <= 250:
		return true
	case 255 <= id && id <= 323:
		_, ok := Lookup(MySQL, id)
		return ok
	}
	return false
}

// TestMySQLCollations: below 248 MySQL has what MariaDB has but for five names and two ids; from there on its own.
func TestMySQLCollations(t *testing.T) {
	server := serverCollations(t)
	croatian := map[ID]string{
		122: "utf16_croatian_ci", 149: "ucs2_croatian_ci", 181: "utf32_croatian_ci", 213: "utf8mb3_croatian_ci", 245: "utf8mb4_croatian_ci",
	}
	total := 0
	for n := range math.MaxUint16 + 1 {
		id := ID(n)
		got, ok := Lookup(MySQL, id)
		if ok {
			total++
		}
		want, there := server[id]
		if name := croatian[id]; name != "" {
			want.Collation = name
		}
		if id < 248 && id != 17 && id != 76 && (ok != there || got != want) {
			t.Errorf("%d is %v %v, want %v %v", id, got, ok, want, there)
		}
		if id > 323 && ok {
			t.Errorf("%d is %v, which MySQL does not have", id, got)
		}
	}
	if total != 287 {
		t.Errorf("%d collations, want 287", total)
	}
	for _, tt := range []struct {
		id   ID
		name string
		cs   Charset
	}{
		{17, "filename", Filename}, {63, "binary", Binary}, {76, "utf8mb3_tolower_ci", UTF8MB3},
		{248, "gb18030_chinese_ci", GB18030}, {249, "gb18030_bin", GB18030}, {250, "gb18030_unicode_520_ci", GB18030},
		{255, "utf8mb4_0900_ai_ci", UTF8MB4}, {256, "utf8mb4_de_pb_0900_ai_ci", UTF8MB4}, {270, "utf8mb4_es_trad_0900_ai_ci", UTF8MB4},
		{271, "utf8mb4_la_0900_ai_ci", UTF8MB4}, {273, "utf8mb4_eo_0900_ai_ci", UTF8MB4}, {275, "utf8mb4_hr_0900_ai_ci", UTF8MB4},
		{277, "utf8mb4_vi_0900_ai_ci", UTF8MB4}, {278, "utf8mb4_0900_as_cs", UTF8MB4}, {279, "utf8mb4_de_pb_0900_as_cs", UTF8MB4},
		{294, "utf8mb4_la_0900_as_cs", UTF8MB4}, {296, "utf8mb4_eo_0900_as_cs", UTF8MB4}, {298, "utf8mb4_hr_0900_as_cs", UTF8MB4},
		{300, "utf8mb4_vi_0900_as_cs", UTF8MB4}, {303, "utf8mb4_ja_0900_as_cs", UTF8MB4}, {304, "utf8mb4_ja_0900_as_cs_ks", UTF8MB4},
		{305, "utf8mb4_0900_as_ci", UTF8MB4}, {306, "utf8mb4_ru_0900_ai_ci", UTF8MB4}, {307, "utf8mb4_ru_0900_as_cs", UTF8MB4},
		{308, "utf8mb4_zh_0900_as_cs", UTF8MB4}, {309, "utf8mb4_0900_bin", UTF8MB4}, {310, "utf8mb4_nb_0900_ai_ci", UTF8MB4},
		{315, "utf8mb4_sr_latn_0900_as_cs", UTF8MB4}, {317, "utf8mb4_bs_0900_as_cs", UTF8MB4}, {318, "utf8mb4_bg_0900_ai_ci", UTF8MB4},
		{321, "utf8mb4_gl_0900_as_cs", UTF8MB4}, {322, "utf8mb4_mn_cyrl_0900_ai_ci", UTF8MB4}, {323, "utf8mb4_mn_cyrl_0900_as_cs", UTF8MB4},
	} {
		if got, ok := Lookup(MySQL, tt.id); !ok || got != (Info{tt.name, tt.cs}) {
			t.Errorf("%d is %v, want %s", tt.id, got, tt.name)
		}
	}
	for _, id := range []ID{0, 100, 125, 127, 152, 158, 184, 191, 216, 222, 251, 254, 272, 276, 295, 299, 301, 302, 324, 576, 1032, 2304, math.MaxUint16} {
		if got, ok := Lookup(MySQL, id); ok || got != (Info{}) {
			t.Errorf("%d is %v, which is not assigned", id, got)
		}
	}
}

func TestNewerMariaDBCollations(t *testing.T) {
	for id, name := range map[ID]string{579: "utf8mb3_general1400_as_ci", 611: "utf8mb4_general1400_as_ci"} {
		if got, ok := Lookup(MariaDB, id); !ok || got.Collation != name {
			t.Errorf("%d is %v, want %s", id, got, name)
		}
	}
	for _, id := range []ID{0, 575, 580, 607, 612, 643, 704, 705, 739, 767, 768, 1024, 1087, 1126, 2047, 2048 + 21<<3, 2304 + 22<<3 + 7, 2048 + 25<<3, 2048 + 31<<3, 3328} {
		if got, ok := Lookup(MariaDB, id); ok {
			t.Errorf("%d is %v, which is not assigned", id, got)
		}
	}
}

// TestNamesAgree: the character set's name begins every collation's name and is found by it.
func TestNamesAgree(t *testing.T) {
	for _, f := range []Family{MySQL, MariaDB} {
		for n := range math.MaxUint16 + 1 {
			id := ID(n)
			info, ok := Lookup(f, id)
			if c := CharsetOf(f, id); c != info.Charset {
				t.Fatalf("%d: CharsetOf %v, Lookup %v", id, c, info)
			}
			name, ok2 := AppendCollation([]byte("x"), f, id)
			if ok2 != ok || string(name) != "x"+info.Collation {
				t.Fatalf("%d: AppendCollation %q, Lookup %v", id, name, info)
			}
			if got := ByCollationName(strings.ToUpper(info.Collation)); got != info.Charset {
				t.Fatalf("ByCollationName(%q) = %v", info.Collation, got)
			}
		}
	}
}

func TestByName(t *testing.T) {
	for c := Unknown + 1; c < numCharsets; c++ {
		if c.Name() == "" || ByName(c.Name()) != c || ByName(strings.ToUpper(c.Name())) != c {
			t.Errorf("%d: name %q", c, c.Name())
		}
		if c > Unknown+1 && (c-1).Name() > c.Name() && c != CP850 && c != GB2312 && c != GBK && c != UTF16LE {
			t.Errorf("%v after %v", c, c-1)
		}
	}
	for _, tt := range []struct {
		name      string
		byName    Charset
		collation Charset
	}{
		{"utf8", UTF8MB3, Unknown},
		{"UTF8", UTF8MB3, Unknown},
		{"utf8_general_ci", Unknown, UTF8MB3},
		{"latin1", Latin1, Unknown},
		{"latin1_swedish_ci", Unknown, Latin1},
		{"binary", Binary, Binary},
		{"filename", Filename, Filename},
		{"", Unknown, Unknown},
		{"_general_ci", Unknown, Unknown},
		{"uca1400_ai_ci", Unknown, Unknown},
		{"klingon", Unknown, Unknown},
		{"latin\x11", Unknown, Unknown},
	} {
		if got := ByName(tt.name); got != tt.byName {
			t.Errorf("ByName(%q) = %v", tt.name, got)
		}
		if got := ByCollationName(tt.name); got != tt.collation {
			t.Errorf("ByCollationName(%q) = %v", tt.name, got)
		}
	}
	if Unknown.String() != "unknown" || Charset(200).String() != "unknown" || GBK.String() != "gbk" {
		t.Error("String is wrong")
	}
}

func TestMaxLen(t *testing.T) {
	// MAXLEN of information_schema.CHARACTER_SETS where it is not 1; gb18030 is MySQL's, filename from strings/ctype-utf8.c.
	longer := map[Charset]int{
		Big5: 2, CP932: 2, EUCKR: 2, GB2312: 2, GBK: 2, SJIS: 2, UCS2: 2, EUCJPMS: 3, UJIS: 3, UTF8MB3: 3,
		GB18030: 4, UTF16: 4, UTF16LE: 4, UTF32: 4, UTF8MB4: 4, Filename: 5, Unknown: 0, Charset(200): 0,
	}
	for c := range Charset(201) {
		want, found := longer[c]
		if !found && c < numCharsets {
			want = 1
		}
		if got := c.MaxLen(); got != want {
			t.Errorf("%v: %d, want %d", c, got, want)
		}
	}
}

func TestLookupAllocations(t *testing.T) {
	name := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(1000, func() {
		for _, id := range []ID{8, 45, 133, 255, 1032, 2304} {
			if CharsetOf(MariaDB, id) == Unknown {
				panic("unknown collation")
			}
			name, _ = AppendCollation(name[:0], MariaDB, id)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
