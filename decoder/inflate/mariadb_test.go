package inflate

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"hash/adler32"
	"slices"
	"testing"
)

func packZlib(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func packDeflate(t testing.TB, data []byte) []byte {
	packed := packZlib(t, data)
	return packed[2 : len(packed)-4]
}

type function func(dst, src []byte, limit int) ([]byte, *Error)

func TestZlib(t *testing.T) {
	for _, data := range [][]byte{nil, []byte("a"), sample(5000, 30), sample(300000, 31), noise(70000), make([]byte, 1<<20)} {
		n := len(data)
		length := []byte{byte(n >> 16), byte(n >> 8), byte(n)}
		for _, tt := range []struct {
			name string
			f    function
			src  []byte
		}{
			{"Zlib", Zlib, packZlib(t, data)},
			{"Deflate", Deflate, packDeflate(t, data)},
			{"MariaDBEvent", MariaDBEvent, slices.Concat([]byte{0x83}, length, packZlib(t, data))},
			{"MariaDBEvent, 4 bytes of length", MariaDBEvent, slices.Concat([]byte{0x84, 0}, length, packZlib(t, data))},
			{"MariaDBColumn, zlib", MariaDBColumn, slices.Concat([]byte{0x83}, length, packZlib(t, data))},
			{"MariaDBColumn, deflate", MariaDBColumn, slices.Concat([]byte{0x8b}, length, packDeflate(t, data))},
			{"MariaDBColumn, as it is", MariaDBColumn, append([]byte{0}, data...)},
		} {
			got, err := tt.f([]byte("x"), tt.src, n)
			if err != nil || !bytes.Equal(got, append([]byte("x"), data...)) {
				t.Errorf("%s of %d bytes: %d bytes, %v", tt.name, n, len(got)-1, err)
			}
			if n > 0 {
				if got, err := tt.f([]byte("x"), tt.src, n-1); err == nil || err.Reason != TooLarge || string(got) != "x" {
					t.Errorf("%s of %d bytes, a byte less allowed: %d bytes, %v", tt.name, n, len(got)-1, err)
				}
			}
			if n > 10000 || tt.src[0] == 0 {
				continue
			}
			for cut := 1; cut < len(tt.src); cut++ {
				if got, err := tt.f([]byte("x"), tt.src[:cut], n); err == nil || err.Reason != Truncated && err.Reason != Corrupt || string(got) != "x" || err.Offset > cut {
					t.Errorf("%s of %d bytes cut to %d of %d: %v", tt.name, n, cut, len(tt.src), err)
				}
			}
			if got, err := tt.f([]byte("x"), append(bytes.Clone(tt.src), 0), n); err == nil || err.Reason != Corrupt || err.Offset != len(tt.src) || string(got) != "x" {
				t.Errorf("%s of %d bytes and a byte more: %v", tt.name, n, err)
			}
		}
	}
}

func TestZlibFaults(t *testing.T) {
	packed := packZlib(t, []byte("hello hello hello"))
	wrongSum := bytes.Clone(packed)
	wrongSum[len(wrongSum)-1]++
	event := append([]byte{0x81, 17}, packed...)
	for _, tt := range []struct {
		name string
		f    function
		src  []byte
		want string
	}{
		{"nothing", Zlib, nil, "truncated at byte 0: the 2 bytes of a zlib header are not there"},
		{"gzip", Zlib, []byte{0x1f, 0x8b, 8, 0}, "corrupt at byte 0: no zlib stream starts here"},
		{"window too large", Zlib, []byte{0x88, 0x1c, 3, 0}, "corrupt at byte 0: no zlib stream starts here"},
		{"dictionary", Zlib, []byte{0x78, 0xbb, 3, 0}, "unsupported at byte 0: a zlib stream that needs a dictionary"},
		{"checksum", Zlib, wrongSum, "checksum at byte 16: the stream's output does not match its checksum"},
		{"checksum missing", Zlib, packed[:len(packed)-4], "truncated at byte 16: the 4 bytes of the checksum are not there"},
		{"stream missing", Zlib, packed[:2], "truncated at byte 2: the compressed stream does not end"},
		{"reserved block", Deflate, []byte{7}, "corrupt at byte 1: the compressed stream contradicts itself"},
		{"no event", MariaDBEvent, nil, "truncated at byte 0: the header of the compressed part is not there"},
		{"no compressed event", MariaDBEvent, []byte{0x01, 2}, "corrupt at byte 0: no compressed part starts here"},
		{"another algorithm", MariaDBEvent, append([]byte{0x91, 17}, packed...), "unsupported at byte 0: compression algorithm 1; 0, zlib, is the only one known"},
		{"no length", MariaDBEvent, []byte{0x80, 1}, "corrupt at byte 0: a length in 0 bytes; 1 to 4 are possible"},
		{"a length of 5 bytes", MariaDBEvent, []byte{0x85, 0, 0, 0, 0, 1}, "corrupt at byte 0: a length in 5 bytes; 1 to 4 are possible"},
		{"length cut", MariaDBEvent, []byte{0x82, 1}, "truncated at byte 1: the length of what is compressed is not there"},
		{"length too large", MariaDBEvent, append([]byte{0x81, 18}, packed...), "corrupt at byte 1: 17 bytes, where the length says 18"},
		{"length too small", MariaDBEvent, append([]byte{0x81, 16}, packed...), "corrupt at byte 1: more bytes than the length says, 16"},
		{"length impossible", MariaDBEvent, append([]byte{0x83, 0xff, 0xff, 0xff}, packed...), "corrupt at byte 1: a length of 16777215 bytes, more than 24 compressed bytes can give"},
		{"length beyond the limit", MariaDBEvent, append([]byte{0x84, 0xff, 0xff, 0xff, 0xff}, packed...), "too large at byte 1: more than 16777216 bytes come out, which is the limit"},
		{"event's checksum", MariaDBEvent, append([]byte{0x81, 17}, wrongSum...), "checksum at byte 18: the stream's output does not match its checksum"},
		{"event cut", MariaDBEvent, event[:len(event)-6], "truncated at byte 16: the compressed stream does not end"},
		{"another method", MariaDBColumn, []byte{0x91, 17}, "unsupported at byte 0: compression method 9; 0, none, and 8, zlib, are known"},
		{"column of no length", MariaDBColumn, []byte{0x88, 3, 0}, "corrupt at byte 0: a length in 0 bytes; 1 to 4 are possible"},
	} {
		if got, err := tt.f([]byte("x"), tt.src, testLimit); err == nil || err.Error() != tt.want || string(got) != "x" {
			t.Errorf("%s: %q, %v\nwant %s", tt.name, got, err, tt.want)
		}
	}
	if got, err := MariaDBColumn([]byte("x"), nil, 0); err != nil || string(got) != "x" {
		t.Errorf("the empty column: %q, %v", got, err)
	}
}

// The best that deflate can do is within the bound, and a stream that gives more than is allowed ends early.
func TestZlibBomb(t *testing.T) {
	data := make([]byte, 8<<20)
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	w.Write(data)
	w.Close()
	if len(data) > b.Len()*maxRatio {
		t.Errorf("%d bytes give %d: more than 1 to %d", b.Len(), len(data), maxRatio)
	}
	if _, err := Deflate(nil, b.Bytes(), 100000); err == nil || err.Reason != TooLarge || err.Offset > 2000 {
		t.Errorf("%v", err)
	}
	n := len(data)
	if got, err := MariaDBColumn(nil, append([]byte{0x8c, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}, b.Bytes()...), n); err != nil || len(got) != n {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestReasons(t *testing.T) {
	for r, want := range map[Reason]string{Truncated: "truncated", Corrupt: "corrupt", Unsupported: "unsupported", Checksum: "checksum", TooLarge: "too large", 0: "unknown"} {
		if got := r.String(); got != want {
			t.Errorf("%d is %s, not %s", r, got, want)
		}
	}
}

// FuzzMariaDB reads any bytes as events and columns.
func FuzzMariaDB(f *testing.F) {
	for _, data := range [][]byte{nil, []byte("hello hello hello"), sample(200, 32)} {
		f.Add(append([]byte{0x81, byte(len(data))}, packZlib(f, data)...))
		f.Add(append([]byte{0x89, byte(len(data))}, packDeflate(f, data)...))
		f.Add(append([]byte{0}, data...))
		f.Add(packZlib(f, data))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		const limit = 1 << 20
		for _, fn := range []function{Zlib, Deflate, MariaDBEvent, MariaDBColumn} {
			got, err := fn([]byte("x"), src, limit)
			if err != nil && (string(got) != "x" || err.Offset < 0 || err.Offset > len(src) || err.Msg == "") {
				t.Fatalf("%q, %+v of %d bytes", got, err, len(src))
			}
			if err == nil && len(got) > limit+1 {
				t.Fatalf("%d bytes", len(got))
			}
		}
		got, err := Zlib(nil, src, limit)
		if err == nil {
			if tail := src[len(src)-4:]; adler32.Checksum(got) != uint32(tail[0])<<24|uint32(tail[1])<<16|uint32(tail[2])<<8|uint32(tail[3]) {
				t.Fatal("a wrong checksum")
			}
		}
	})
}
