//go:build js && wasm

package main

import (
	"binlens/decoder/charset"
	"testing"
)

func TestTextDecoder(t *testing.T) {
	d := textDecoders{}
	for _, c := range []struct {
		cs    charset.Charset
		bytes string
		want  string
	}{
		{charset.GBK, "\xb2\xe2\xca\xd4", "测试"},
		{charset.GB18030, "\x81\x30\x81\x30", "\u0080"},
		{charset.Big5, "\xb4\xfa", "測"},
		{charset.CP932, "\x83\x65", "テ"},
		{charset.UJIS, "\xa5\xc6", "テ"},
		{charset.EUCKR, "\xc5\xd7", "테"},
	} {
		if got, ok := d.decode(c.cs, []byte(c.bytes)); !ok || string(got) != c.want {
			t.Errorf("%s % x: %q %v, want %q", c.cs, c.bytes, got, ok, c.want)
		}
		if got, ok := d.decode(c.cs, []byte("a"+c.bytes[:1])); ok {
			t.Errorf("%s, a character cut short: %q", c.cs, got)
		}
	}
}

// Places in a text are bytes in Go and UTF-16 units in JavaScript.
func TestUnits(t *testing.T) {
	const text = "aü€😀z"
	for _, c := range [][2]int{{0, 0}, {1, 1}, {3, 2}, {6, 3}, {10, 5}, {11, 6}} {
		if got := units(text, c[0]); got != c[1] {
			t.Errorf("%d bytes are %d units, want %d", c[0], got, c[1])
		}
		if got := bytesOf(text, c[1]); got != c[0] {
			t.Errorf("%d units are %d bytes, want %d", c[1], got, c[0])
		}
	}
}
