package inflate

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
)

const testLimit = 16 << 20

// sample makes n bytes that compress like rows: words of a small vocabulary, numbers, runs, and some noise.
func sample(n int, seed uint64) []byte {
	rnd := rand.New(rand.NewPCG(seed, 1))
	words := strings.Fields("order customer paid open shipped 2024-02-29 12.50 Berlin Ada Lovelace NULL note status quantity")
	b := make([]byte, 0, n+64)
	for len(b) < n {
		switch rnd.IntN(12) {
		case 0:
			b = binary.LittleEndian.AppendUint64(b, rnd.Uint64()>>rnd.IntN(64))
		case 1:
			b = append(b, bytes.Repeat([]byte{byte(rnd.IntN(4))}, rnd.IntN(60))...)
		case 2:
			if at := rnd.IntN(len(b) + 1); len(b)-at > 30 {
				b = append(b, b[at:at+30]...)
			}
		default:
			b = append(append(b, words[rnd.IntN(len(words))]...), ' ')
		}
	}
	return b[:n]
}

func noise(n int) []byte {
	rnd := rand.New(rand.NewPCG(7, uint64(n)))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rnd.Uint32())
	}
	return b
}

// pack compresses with the oracle's encoder.
func pack(t testing.TB, data []byte, options ...zstd.EOption) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil, append(options, zstd.WithEncoderConcurrency(1))...)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(data, nil)
}

// packStream compresses without knowing the size, flushing now and then.
func packStream(t testing.TB, data []byte, options ...zstd.EOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, append(options, zstd.WithEncoderConcurrency(1))...)
	if err != nil {
		t.Fatal(err)
	}
	for part := range slices.Chunk(data, 300001) {
		if _, err = w.Write(part); err == nil {
			err = w.Flush()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// check reads frames in every way and compares.
func check(t *testing.T, name string, src, want []byte) {
	t.Helper()
	got, err := Zstd([]byte("x"), src, len(want))
	if err != nil || !bytes.Equal(got, append([]byte("x"), want...)) {
		t.Errorf("%s: %d bytes, %v; want %d", name, len(got)-1, err, len(want))
		return
	}
	if len(want) < 100000 {
		if err := iotest.TestReader(NewZstdReader(src, len(want)), want); err != nil {
			t.Errorf("%s, in a stream: %v", name, err)
		}
	}
	streamed, bad := io.ReadAll(NewZstdReader(src, len(want)))
	if bad != nil || !bytes.Equal(streamed, want) {
		t.Errorf("%s, in a stream: %d bytes, %v; want %d", name, len(streamed), bad, len(want))
	}
	if len(want) == 0 {
		return
	}
	if got, err := Zstd([]byte("x"), src, len(want)-1); err == nil || err.Reason != TooLarge || string(got) != "x" {
		t.Errorf("%s, a byte less allowed: %d bytes, %v", name, len(got), err)
	}
	if _, bad := io.ReadAll(NewZstdReader(src, len(want)-1)); bad == nil || bad.(*Error).Reason != TooLarge {
		t.Errorf("%s, in a stream, a byte less allowed: %v", name, bad)
	}
}

func TestZstd(t *testing.T) {
	inputs := map[string][]byte{
		"nothing": nil, "a byte": []byte("a"), "text": []byte("to be or not to be, that is the question; to be or not to be"),
		"rows 300 B": sample(300, 1), "rows 5 kB": sample(5000, 2), "rows 128 KiB": sample(128<<10, 3), "rows 700 kB": sample(700000, 4),
		"noise": noise(200000), "zeros": make([]byte, 1<<20), "one run": bytes.Repeat([]byte("ab"), 100000),
		"noise and rows": slices.Concat(noise(70000), sample(90000, 5), make([]byte, 40000), noise(50)),
	}
	for name, data := range inputs {
		for level := zstd.SpeedFastest; level <= zstd.SpeedBestCompression; level++ {
			check(t, name+", "+level.String(), pack(t, data, zstd.WithEncoderLevel(level), zstd.WithZeroFrames(true)), data)
		}
		check(t, name+", no checksum", pack(t, data, zstd.WithEncoderCRC(false), zstd.WithZeroFrames(true)), data)
		check(t, name+", single segment", pack(t, data, zstd.WithSingleSegment(true), zstd.WithZeroFrames(true)), data)
		check(t, name+", no entropy coding", pack(t, data, zstd.WithNoEntropyCompression(true), zstd.WithZeroFrames(true)), data)
		check(t, name+", all literals coded", pack(t, data, zstd.WithAllLitEntropyCompression(true), zstd.WithZeroFrames(true)), data)
		if len(data) > 0 {
			check(t, name+", size unknown", packStream(t, data, zstd.WithEncoderLevel(zstd.SpeedDefault)), data)
			check(t, name+", small window", packStream(t, data, zstd.WithWindowSize(zstd.MinWindowSize)), data)
		}
	}
}

// Frames written out byte by byte: every form of header and block that takes no entropy coding, and every fault.
func TestZstdByHand(t *testing.T) {
	le := binary.LittleEndian
	magic := le.AppendUint32(nil, zstdMagic)
	block := func(last bool, kind, size int, data string) []byte {
		head := uint32(size<<3 | kind<<1)
		if last {
			head |= 1
		}
		return append(le.AppendUint32(nil, head)[:3], data...)
	}
	raw := slices.Concat(magic, []byte{0x20, 5}, block(true, 0, 5, "hello"))
	skip := append(le.AppendUint32(le.AppendUint32(nil, skipMagic+9), 3), "???"...)
	for _, tt := range []struct {
		name string
		src  []byte
		want string
	}{
		{"raw", raw, "hello"},
		{"two frames", slices.Concat(raw, raw), "hellohello"},
		{"skippable frames", slices.Concat(skip, raw, skip, raw, skip), "hellohello"},
		{"only a skippable frame", skip, ""},
		{"run", slices.Concat(magic, []byte{0x20, 9}, block(true, 1, 9, "z")), "zzzzzzzzz"},
		{"run of none", slices.Concat(magic, []byte{0x20, 0}, block(true, 1, 0, "z")), ""},
		{"blocks", slices.Concat(magic, []byte{0, 0}, block(false, 0, 2, "ab"), block(false, 0, 0, ""), block(true, 1, 3, "c")), "abccc"},
		{"size in 2 bytes", slices.Concat(magic, []byte{0x60, 1, 0}, block(true, 1, 257, "q")), strings.Repeat("q", 257)},
		{"size in 4 bytes", slices.Concat(magic, []byte{0xa0, 4, 0, 0, 0}, block(true, 0, 4, "four")), "four"},
		{"size in 8 bytes", slices.Concat(magic, []byte{0xc0, 0, 4, 0, 0, 0, 0, 0, 0, 0}, block(true, 0, 4, "four")), "four"},
		{"dictionary number 0", slices.Concat(magic, []byte{0x23, 0, 0, 0, 0, 4}, block(true, 0, 4, "four")), "four"},
		{"literals only", slices.Concat(magic, []byte{0x20, 4}, block(true, 2, 6, "\x20four\x00")), "four"},
		{"repeated literal only", slices.Concat(magic, []byte{0x20, 4}, block(true, 2, 3, "\x21x\x00")), "xxxx"},
	} {
		check(t, tt.name, tt.src, []byte(tt.want))
	}
	for _, tt := range []struct {
		name string
		src  []byte
		want string
	}{
		{"nothing", nil, "truncated at byte 0: a frame's magic number of 4 bytes, 0 left"},
		{"magic cut", magic[:3], "truncated at byte 0: a frame's magic number of 4 bytes, 3 left"},
		{"no header", magic, "truncated at byte 0: a frame header of 1 bytes, 0 left"},
		{"header cut", append(bytes.Clone(magic), 0xe0, 1), "truncated at byte 0: a frame header of 8 bytes, 1 left"},
		{"other magic", []byte("hello"), "corrupt at byte 0: no zstd frame starts here"},
		{"garbage behind", slices.Concat(raw, []byte("hello")), "corrupt at byte 14: no zstd frame starts here"},
		{"second frame cut", slices.Concat(raw, magic[:2]), "truncated at byte 14: a frame's magic number of 4 bytes, 2 left"},
		{"skippable frame cut", skip[:10], "truncated at byte 0: a skippable frame of 3 bytes, 2 left"},
		{"dictionary", slices.Concat(magic, []byte{0x21, 7, 4}, block(true, 0, 4, "four")), "unsupported at byte 0: a zstd frame that needs a dictionary"},
		{"reserved bit", slices.Concat(magic, []byte{0x28, 4}, block(true, 0, 4, "four")), "unsupported at byte 0: a zstd frame with a bit of the future set"},
		{"size lies: more", slices.Concat(magic, []byte{0x20, 6}, block(true, 0, 5, "hello")), "corrupt at byte 14: a frame of 5 bytes, whose header says 6"},
		{"size lies: less", slices.Concat(magic, []byte{0x20, 4}, block(true, 0, 5, "hello")), "corrupt at byte 14: a frame of 5 bytes, whose header says 4"},
		{"size lies: all there is", slices.Concat(magic, []byte{0xe0}, bytes.Repeat([]byte{0xff}, 8), block(true, 0, 5, "hello")), "too large at byte 0: more than 16777216 bytes come out, which is the limit"},
		{"no block", raw[:6], "truncated at byte 6: a block header of 3 bytes, 0 left"},
		{"block cut", raw[:len(raw)-1], "truncated at byte 6: a block of 5 bytes, 4 left"},
		{"reserved block", slices.Concat(magic, []byte{0x20, 5}, block(true, 3, 5, "hello")), "corrupt at byte 6: a block of the reserved type"},
		{"large block", slices.Concat(magic, []byte{0, 0}, block(true, 1, maxBlock+1, "z")), "corrupt at byte 6: a block of 131073 bytes; 128 KiB are possible"},
		{"no checksum", slices.Concat(magic, []byte{0x24, 5}, block(true, 0, 5, "hello"), []byte("123")), "truncated at byte 14: a checksum of 4 bytes, 3 left"},
		{"wrong checksum", slices.Concat(magic, []byte{0x24, 5}, block(true, 0, 5, "hello"), []byte("1234")), "checksum at byte 14: the frame's output does not match its checksum"},
		{"empty compressed block", slices.Concat(magic, []byte{0x20, 0}, block(true, 2, 0, "")), "corrupt at byte 6: a compressed block without bytes"},
		{"bytes behind the literals", slices.Concat(magic, []byte{0x20, 4}, block(true, 2, 7, "\x20four\x00!")), "corrupt at byte 6: bytes behind a block without sequences"},
		{"tree of a block before", slices.Concat(magic, []byte{0x20, 4}, block(true, 2, 5, "\x43\x40\x00!\x00")), "corrupt at byte 6: the Huffman table of a block before, of which none had one"},
		{"table of a block before", slices.Concat(magic, []byte{0x20, 4}, block(true, 2, 8, "\x20four\x01\xfc!")), "corrupt at byte 6: the table of a block before, of which none had one"},
	} {
		if got, err := Zstd([]byte("x"), tt.src, testLimit); err == nil || err.Error() != tt.want || string(got) != "x" {
			t.Errorf("%s: %q, %v\nwant %s", tt.name, got, err, tt.want)
		}
		if _, err := io.ReadAll(NewZstdReader(tt.src, testLimit)); err == nil || err.Error() != tt.want {
			t.Errorf("%s, in a stream: %v\nwant %s", tt.name, err, tt.want)
		}
	}
}

// Frames of different kinds, one behind the other, as a server that flushes makes them.
func TestZstdFrames(t *testing.T) {
	a, b := sample(400000, 8), sample(70, 9)
	src := slices.Concat(pack(t, a), packStream(t, b), pack(t, nil, zstd.WithZeroFrames(true)), packStream(t, a))
	check(t, "four frames", src, slices.Concat(a, b, a))
}

// Every cut of a frame is an error, and so is nearly every changed byte: where it is not, the output has a checksum.
func TestZstdDamage(t *testing.T) {
	want := sample(3000, 10)
	src := pack(t, want, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	for n := range src {
		if got, err := Zstd(nil, src[:n], testLimit); err == nil || err.Reason != Truncated || len(got) != 0 {
			t.Fatalf("cut to %d of %d bytes: %v", n, len(src), err)
		}
	}
	silent := 0
	for i := range src {
		for _, flip := range []byte{1, 0x80, 0xff} {
			bad := bytes.Clone(src)
			bad[i] ^= flip
			if got, err := Zstd(nil, bad, testLimit); err == nil {
				silent++
				if !bytes.Equal(got, want) {
					t.Errorf("byte %d of %d changed: other output without an error", i, len(src))
				}
			} else if err.Offset < 0 || err.Offset > len(bad) {
				t.Errorf("%v of %d bytes", err, len(bad))
			}
		}
	}
	if silent > 3 {
		t.Errorf("%d changes were not noticed", silent)
	}
}

// 16 GiB in some hundred kilobytes: the limit stops it, and the stream keeps little.
func TestZstdBomb(t *testing.T) {
	src := binary.LittleEndian.AppendUint32(nil, zstdMagic)
	src = append(src, 0, 0)                                                  // a window of 1 KiB
	src = append(src, bytes.Repeat([]byte{0x02, 0x00, 0x10, 'z'}, 1<<17)...) // runs of 128 KiB
	if _, err := Zstd(nil, src, testLimit); err == nil || err.Reason != TooLarge || err.Offset > 4100 {
		t.Errorf("%v", err)
	}
	r := NewZstdReader(src, 1<<40)
	n, err := io.CopyN(io.Discard, struct{ io.Reader }{r}, 1<<26)
	if n != 1<<26 || err != nil || cap(r.out) > 1<<20 {
		t.Errorf("%d bytes, %v; %d kept", n, err, cap(r.out))
	}
}

func TestTables(t *testing.T) {
	if len(literalCodes) != 36 || len(matchCodes) != 53 || len(offsetCodes) != 32 {
		t.Errorf("%d, %d and %d codes", len(literalCodes), len(matchCodes), len(offsetCodes))
	}
	for _, k := range kinds {
		sum := 0
		for _, share := range k.shares {
			sum += max(int(share), -int(share))
		}
		if sum != 1<<k.log {
			t.Errorf("shares add up to %d of %d", sum, 1<<k.log)
		}
	}
	if c := literalCodes[35]; c.base != 65536 || c.extra != 16 {
		t.Errorf("%+v", c)
	}
	if c := matchCodes[52]; c.base != 65539 || c.extra != 16 {
		t.Errorf("%+v", c)
	}
}

func TestXXHash(t *testing.T) {
	for _, tt := range []struct {
		data string
		want uint64
	}{
		{"", 0xef46db3751d8e999}, {"a", 0xd24ec4f1a98c6e5b}, {"as", 0x1c330fb2d66be179}, {"asd", 0x631c37ce72a97393}, {"asdf", 0x415872f599cea71e},
		{"Call me Ishmael. Some years ago--never mind how long precisely-", 0x02a2e85470d6fd96},
	} {
		for cut := range len(tt.data) + 1 {
			var h xxhash
			h.reset()
			h.write([]byte(tt.data[:cut]))
			h.write([]byte(tt.data[cut:]))
			if got := h.sum(); got != tt.want {
				t.Errorf("%q cut at %d: %#x, want %#x", tt.data, cut, got, tt.want)
			}
		}
	}
}

func FuzzZstd(f *testing.F) {
	for _, data := range [][]byte{nil, []byte("hello"), sample(300, 1), sample(3000, 2), make([]byte, 5000), noise(100)} {
		f.Add(pack(f, data, zstd.WithZeroFrames(true)))
		f.Add(pack(f, data, zstd.WithEncoderCRC(false), zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithZeroFrames(true)))
		f.Add(pack(f, data, zstd.WithAllLitEntropyCompression(true), zstd.WithZeroFrames(true)))
	}
	const limit = 1 << 20
	oracle, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(limit), zstd.WithDecoderMaxWindow(1<<29))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		got, err := Zstd(nil, src, limit)
		streamed, streamErr := io.ReadAll(NewZstdReader(src, limit))
		if (err == nil) != (streamErr == nil) || err != nil && err.Error() != streamErr.Error() || err == nil && !bytes.Equal(got, streamed) {
			t.Fatalf("%d bytes, %v; in a stream %d bytes, %v", len(got), err, len(streamed), streamErr)
		}
		if err != nil {
			if err.Offset < 0 || err.Offset > len(src) || err.Msg == "" {
				t.Fatalf("%+v of %d bytes", err, len(src))
			}
			return
		}
		want, bad := oracle.DecodeAll(src, nil)
		if bad == nil && !bytes.Equal(got, want) {
			t.Fatalf("%d bytes; the other decoder has %d", len(got), len(want))
		}
	})
}

func BenchmarkZstd(b *testing.B) {
	data := sample(4<<20, 20)
	src := packStream(b, data)
	b.Run("ours", func(b *testing.B) {
		dst := make([]byte, 0, len(data)+maxBlock)
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Zstd(dst, src, len(data)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("stream", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			if n, err := io.Copy(io.Discard, NewZstdReader(src, len(data))); err != nil || n != int64(len(data)) {
				b.Fatal(n, err)
			}
		}
	})
	b.Run("oracle", func(b *testing.B) {
		d, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
		dst := make([]byte, 0, len(data))
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			if _, err := d.DecodeAll(src, dst); err != nil {
				b.Fatal(err)
			}
		}
	})
}
