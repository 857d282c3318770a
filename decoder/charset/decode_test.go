package charset

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

func TestDecode(t *testing.T) {
	tests := []struct {
		c    Charset
		src  string
		want string
		bad  int // offset of what is refused, -1 for nothing
	}{
		{ASCII, "", "", -1},
		{ASCII, "plain \x00\x7f", "plain \x00\x7f", -1},
		{ASCII, "12345678\x80", "", 8},
		{ASCII, "\xff", "", 0},
		{Latin1, "\x91\x92 caf\xe9 \x80", "‘’ café €", -1},
		{Latin1, "\x81\x8d\x8f\x90\x9d", "\u0081\u008d\u008f\u0090\u009d", -1},
		{CP1251, "\xcf\xf0\xe8\xe2\xe5\xf2, 1", "Привет, 1", -1},
		{CP1251, "abc\xcf\x98", "", 4},
		{KOI8R, "\xf0\xd2\xc9\xd7\xc5\xd4", "Привет", -1},
		{Greek, "\xe1\xe2\xff", "", 2},
		{TIS620, "\xca\xc7\xd1\xca\xb4\xd5", "สวัสดี", -1},
		{TIS620, "\xca\xfc", "", 1}, // U+FFFD to the server
		{SWE7, "@[\\]^`{|}~ A_a", "ÉÄÖÅÜéäöåü A_a", -1},
		{SWE7, "ab\x7f", "", 2},
		{SWE7, "ab\x80", "", 2},
		{UTF8MB4, "", "", -1},
		{UTF8MB4, "aé測\U0001f600", "aé測\U0001f600", -1},
		{UTF8MB4, "\xef\xbf\xbd", "\ufffd", -1}, // stored as such: no replacement of ours
		{UTF8MB4, "\xf4\x8f\xbf\xbf", "\U0010ffff", -1},
		{UTF8MB4, "0123456789\x80", "", 10},
		{UTF8MB4, "é\xc0\x80", "", 2},
		{UTF8MB4, "a\xe0\x80\x80", "", 1},
		{UTF8MB4, "a\xed\xa0\xbd\xed\xb8\x80", "", 1},
		{UTF8MB4, "\xf4\x90\x80\x80", "", 0},
		{UTF8MB4, "ab\xe6\xb8", "", 2},
		{UTF8MB4, "ab\xe6\xb8\x41", "", 2},
		{UTF8MB4, "\xff", "", 0},
		{UTF8MB3, "aé測\uffff", "aé測\uffff", -1},
		{UTF8MB3, "測\U0001f600", "", 3},
		{UTF8MB3, "測\xe6", "", 3},
		{UCS2, "\x00A\x6e\x2c", "A測", -1},
		{UCS2, "\x00A\x6e", "", 2},
		{UCS2, "\x00A\xd8\x3d\xde\x00", "", 2},
		{UTF16, "\x00A\x00\xe9", "Aé", -1},
		{UTF16, "\xd8\x3d\xde\x00\x00A", "\U0001f600A", -1},
		{UTF16, "\xdb\xff\xdf\xff", "\U0010ffff", -1},
		{UTF16, "\xff\xfd", "\ufffd", -1},
		{UTF16, "\x00A\xd8\x3d\x00A", "", 2},
		{UTF16, "\x00A\xd8\x3d", "", 2},
		{UTF16, "\x00A\xd8\x3d\xde", "", 2},
		{UTF16, "\xde\x00\xd8\x3d", "", 0},
		{UTF16, "\x00", "", 0},
		{UTF16LE, "A\x00\xe9\x00", "Aé", -1},
		{UTF16LE, "\x3d\xd8\x00\xdeA\x00", "\U0001f600A", -1},
		{UTF16LE, "A\x00\x3d\xd8A\x00", "", 2},
		{UTF16LE, "A\x00\x3d\xd8", "", 2},
		{UTF16LE, "\x00\xde", "", 0},
		{UTF16LE, "A\x00A", "", 2},
		{UTF32, "\x00\x00\x00A\x00\x01\xf6\x00", "A\U0001f600", -1},
		{UTF32, "\x00\x10\xff\xff", "\U0010ffff", -1},
		{UTF32, "\x00\x11\x00\x00", "", 0},
		{UTF32, "\x00\x00\x00A\x00\x00\xd8\x3d", "", 4},
		{UTF32, "\x01\x00\x00A", "", 0},
		{UTF32, "\x00\x00\x00A\x00\x00\x00", "", 4},
		{Binary, "", "", 0},
		{Binary, "abc", "", 0},
		{GBK, "\xb2\xe2", "", 0},
		{Filename, "a", "", 0},
		{Unknown, "a", "", 0},
		{Charset(200), "a", "", 0},
	}
	for _, tt := range tests {
		dst := []byte("before ")
		out, ok := tt.c.AppendUTF8(dst, []byte(tt.src))
		if ok != (tt.bad < 0) || string(out) != "before "+tt.want {
			t.Errorf("%v %q: %q, %v, want %q", tt.c, tt.src, out, ok, tt.want)
		}
		if got := tt.c.FirstBad([]byte(tt.src)); got != tt.bad {
			t.Errorf("%v %q: first bad %d, want %d", tt.c, tt.src, got, tt.bad)
		}
	}
}

func TestSupported(t *testing.T) {
	no := map[Charset]bool{
		Unknown: true, Binary: true, Filename: true, Big5: true, CP932: true, EUCJPMS: true, EUCKR: true,
		GB18030: true, GB2312: true, GBK: true, SJIS: true, UJIS: true, numCharsets: true, Charset(255): true,
	}
	for c := range Charset(255) {
		if want := !no[c] && c < numCharsets; c.Supported() != want {
			t.Errorf("%v: %v", c, c.Supported())
		}
	}
}

// TestBytesAgainstServer decodes every byte of every single-byte set and compares with what a MariaDB server made of it.
func TestBytesAgainstServer(t *testing.T) {
	seen := map[Charset]bool{}
	for _, line := range dataLines(t, "testdata/mariadb-10.11-bytes.tsv") {
		name, codes, _ := strings.Cut(line, "\t")
		c := ByName(name)
		words := strings.Fields(codes)
		if c == Unknown || len(words) != 256 {
			t.Fatalf("line of %q with %d characters", name, len(words))
		}
		seen[c] = true
		for b, w := range words {
			want := ""
			if w != "-" && w != "fffd" {
				r, err := strconv.ParseUint(w, 16, 16)
				if err != nil {
					t.Fatal(err)
				}
				want = string(rune(r))
			}
			got, ok := c.AppendUTF8(nil, []byte{byte(b)})
			if string(got) != want || ok != (want != "") {
				t.Errorf("%v %#x: %q, %v, want %q", c, b, got, ok, want)
			}
		}
	}
	for c := Unknown + 1; c < numCharsets; c++ {
		if c.Supported() && c.MaxLen() == 1 && !seen[c] {
			t.Errorf("%v is not in the server's list", c)
		}
	}
}

// TestBytesAgainstText compares with golang.org/x/text. Where the two differ, the servers keep an older edition of the
// standard, leave a byte out, or fill one in; each such byte is listed with the server's character, 0 for none.
func TestBytesAgainstText(t *testing.T) {
	type bytes = map[byte]rune
	// c1 is the control characters 0x80 to 0x9f, where golang.org/x/text has letters or nothing, and what else differs.
	c1 := func(differs bytes) bytes {
		for b := rune(0x80); b < 0xa0; b++ {
			differs[byte(b)] = b
		}
		return differs
	}
	tests := []struct {
		c       Charset
		text    encoding.Encoding
		differs bytes
	}{
		{Latin1, charmap.Windows1252, bytes{0x81: 0x81, 0x8d: 0x8d, 0x8f: 0x8f, 0x90: 0x90, 0x9d: 0x9d}},
		{Latin2, charmap.ISO8859_2, c1(bytes{})},
		{Latin5, charmap.ISO8859_9, nil},
		{Latin7, charmap.ISO8859_13, c1(bytes{})},
		{KOI8R, charmap.KOI8R, nil},
		{KOI8U, charmap.KOI8U, bytes{0x95: '•', 0xae: '╝', 0xbe: '╬'}},
		{CP850, charmap.CodePage850, nil},
		{CP852, charmap.CodePage852, nil},
		{CP866, charmap.CodePage866, bytes{0xfc: 'ⁿ', 0xfd: '²'}},
		{CP1250, charmap.Windows1250, nil},
		{CP1251, charmap.Windows1251, nil},
		{CP1256, charmap.Windows1256, bytes{0x8a: 0, 0x8f: 0, 0x98: 0, 0x9a: 0, 0x9f: 0, 0xaa: 0, 0xc0: 0, 0xff: 0}},
		{CP1257, charmap.Windows1257, nil},
		{Greek, charmap.ISO8859_7, c1(bytes{0xa1: 'ʽ', 0xa2: 'ʼ', 0xa4: 0, 0xa5: 0, 0xaa: 0})},
		{Hebrew, charmap.ISO8859_8, c1(bytes{0xaf: '‾'})},
		{MacRoman, charmap.Macintosh, nil},
		{TIS620, charmap.Windows874, c1(bytes{0xa0: 0})},
	}
	for _, tt := range tests {
		for n := range 256 {
			b := []byte{byte(n)}
			want, err := tt.text.NewDecoder().Bytes(b)
			if err != nil {
				t.Fatal(err)
			}
			wantText := string(want)
			if wantText == "\ufffd" {
				wantText = ""
			}
			if r, differs := tt.differs[b[0]]; differs {
				if wantText == string(r) {
					t.Errorf("%v %#x does not differ from golang.org/x/text", tt.c, n)
				}
				if wantText = string(r); r == 0 {
					wantText = ""
				}
			}
			got, ok := tt.c.AppendUTF8(nil, b)
			if string(got) != wantText || ok != (wantText != "") {
				t.Errorf("%v %#x: %q %U, want %q %U", tt.c, n, got, []rune(string(got)), wantText, []rune(wantText))
			}
		}
	}
}

// TestRuns decodes texts of every length around the fast path's block, with one character that is not ASCII anywhere.
func TestRuns(t *testing.T) {
	for length := range 40 {
		for at := -1; at < length; at++ {
			src := []byte(strings.Repeat("x", length))
			want := string(src)
			if at >= 0 {
				src[at] = 0xe9
				want = want[:at] + "é" + want[at+1:]
			}
			if got, ok := Latin1.AppendUTF8(nil, src); !ok || string(got) != want {
				t.Errorf("latin1 %q: %q, want %q", src, got, want)
			}
			for _, c := range []Charset{ASCII, UTF8MB3, UTF8MB4} {
				if got := c.FirstBad(src); got != at {
					t.Errorf("%v %q: first bad %d, want %d", c, src, got, at)
				}
			}
		}
	}
}

func TestDecodeAllocations(t *testing.T) {
	dst := make([]byte, 0, 1024)
	for _, tt := range []struct {
		c   Charset
		src string
	}{
		{ASCII, "a plain text of some length"},
		{Latin1, "caf\xe9 au lait \x80 5"},
		{CP1251, "\xcf\xf0\xe8\xe2\xe5\xf2"},
		{SWE7, "sm|rg}sbord"},
		{UTF8MB3, "smörgåsbord"},
		{UTF8MB4, "測試 \U0001f600"},
		{UCS2, "\x00A\x6e\x2c"},
		{UTF16, "\xd8\x3d\xde\x00"},
		{UTF16LE, "\x3d\xd8\x00\xde"},
		{UTF32, "\x00\x01\xf6\x00"},
		{GBK, "\xb2\xe2"},
	} {
		src := []byte(tt.src)
		if n := testing.AllocsPerRun(1000, func() {
			dst, _ = tt.c.AppendUTF8(dst[:0], src)
			tt.c.FirstBad(src)
		}); n != 0 {
			t.Errorf("%v: %v allocations", tt.c, n)
		}
	}
}

// FuzzDecode: in every character set, decoding succeeds exactly where FirstBad finds nothing and then gives UTF-8 behind
// what was there; where it fails, dst is as before and the bytes before the bad one decode.
func FuzzDecode(f *testing.F) {
	for _, src := range []string{"", "plain", "caf\xe9", "測試\U0001f600", "\xd8\x3d\xde\x00", "\x00\x01\xf6\x00", "\xed\xa0\xbd", "12345678\xff"} {
		f.Add(uint8(0), []byte(src))
	}
	f.Fuzz(func(t *testing.T, n uint8, src []byte) {
		const before = "before"
		c := Charset(n % uint8(numCharsets))
		out, ok := c.AppendUTF8([]byte(before), src)
		bad := c.FirstBad(src)
		if ok != (bad < 0) {
			t.Fatalf("%v %q: ok %v, first bad %d", c, src, ok, bad)
		}
		if !strings.HasPrefix(string(out), before) || !utf8.Valid(out) {
			t.Fatalf("%v %q: %q", c, src, out)
		}
		if ok {
			if c.MaxLen() == 1 && utf8.RuneCount(out) != len(before)+len(src) {
				t.Fatalf("%v %q: %q", c, src, out)
			}
			return
		}
		if string(out) != before {
			t.Fatalf("%v %q failed and appended %q", c, src, out)
		}
		if !c.Supported() {
			return
		}
		if bad < 0 || bad >= len(src) {
			t.Fatalf("%v %q: first bad %d", c, src, bad)
		}
		if _, ok := c.AppendUTF8(nil, src[:bad]); !ok {
			t.Fatalf("%v %q: %d bytes before the first bad do not decode", c, src, bad)
		}
	})
}

func BenchmarkAppendUTF8(b *testing.B) {
	for _, bb := range []struct {
		name string
		c    Charset
		src  string
	}{
		{"latin1 ASCII", Latin1, strings.Repeat("plain text ", 10)},
		{"latin1 mixed", Latin1, strings.Repeat("caf\xe9 au lait", 10)},
		{"cp1251 Cyrillic", CP1251, strings.Repeat("\xcf\xf0\xe8\xe2\xe5\xf2 ", 16)},
		{"utf8mb4 ASCII", UTF8MB4, strings.Repeat("plain text ", 10)},
		{"utf8mb3 mixed", UTF8MB3, strings.Repeat("café au lait", 10)},
		{"utf16", UTF16, strings.Repeat("\x00A\x6e\x2c", 32)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			src := []byte(bb.src)
			dst := make([]byte, 0, 3*len(src))
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for range b.N {
				dst, _ = bb.c.AppendUTF8(dst[:0], src)
			}
		})
	}
}
