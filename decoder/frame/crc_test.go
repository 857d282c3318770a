package frame

import (
	"hash/crc32"
	"math/rand/v2"
	"testing"
)

func TestCRC(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 4096)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	if got := crcOf([]byte("123456789")); got != 0xcbf43926 { // the check value of CRC-32
		t.Errorf("%#x", got)
	}
	for n := range 300 {
		for at := range 9 {
			if got, want := crcOf(b[at:at+n]), crc32.ChecksumIEEE(b[at:at+n]); got != want {
				t.Fatalf("%d bytes at %d: %#x, want %#x", n, at, got, want)
			}
		}
	}
	if got, want := crcOf(b), crc32.ChecksumIEEE(b); got != want {
		t.Errorf("%#x, want %#x", got, want)
	}
}
