package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// Modules are written by hand from the specification's grammar of the binary format.

const head = "\x00asm\x01\x00\x00\x00"

func section(id byte, content string) string {
	if len(content) > 127 {
		panic("a length that takes two bytes")
	}
	return string([]byte{id, byte(len(content))}) + content
}

const custom = "\x04name\x01\x02"

func TestPack(t *testing.T) {
	far := "\x00\x41\xc0\x00\x0b\x02ab" // at 64, which takes two bytes: bit 6 of one would be a sign
	for _, test := range []struct{ name, in, want string }{
		{"no data section", section(0, custom), section(0, custom)},
		{"no segment", section(11, "\x00"), section(11, "\x00")},
		{"one segment", section(11, "\x01"+far), section(11, "\x01"+far)},
		{"joined over a gap of 8",
			section(11, "\x02\x00\x41\x10\x0b\x01x\x00\x41\x19\x0b\x02yz"),
			section(11, "\x01\x00\x41\x10\x0b\x0bx\x00\x00\x00\x00\x00\x00\x00\x00yz")},
		{"joined where they touch, given in any order",
			section(11, "\x02\x00\x41\x11\x0b\x01y\x00\x41\x10\x0b\x01x"),
			section(11, "\x01\x00\x41\x10\x0b\x02xy")},
		{"apart over a gap of 1025", // 1026 is 0x402: 0x82 0x08
			section(11, "\x02\x00\x41\x00\x0b\x01x\x00\x41\x82\x08\x0b\x01y"),
			section(11, "\x02\x00\x41\x00\x0b\x01x\x00\x41\x82\x08\x0b\x01y")},
		{"sections around are kept", section(0, custom) + section(11, "\x00") + section(0, custom),
			section(0, custom) + section(11, "\x00") + section(0, custom)},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := pack([]byte(head+test.in), "go1.26.8")
			if err != nil || string(got) != head+test.want {
				t.Errorf("got %x, %v\nwant %x", got, err, head+test.want)
			}
		})
	}
}

func TestPackRefuses(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"another format", "MZ", "no WebAssembly module"},
		{"a section cut off", head + "\x0b\x05\x00", "cut off"},
		{"a segment cut off", head + section(11, "\x01\x00\x41\x10\x0b\x09x"), "cut off"},
		{"a segment missing", head + section(11, "\x02\x00\x41\x10\x0b\x01x"), "cut off"},
		{"a passive segment", head + section(11, "\x01\x01\x41\x10\x0b\x01x"), "constant offset"},
		{"an offset from a global", head + section(11, "\x01\x00\x23\x10\x0b\x01x"), "constant offset"},
		{"a negative offset", head + section(11, "\x01\x00\x41\x40\x0b\x01x"), "negative"},
		{"overlap", head + section(11, "\x02\x00\x41\x10\x0b\x02xy\x00\x41\x11\x0b\x01z"), "overlap"},
		{"bytes behind", head + section(11, "\x01\x00\x41\x10\x0b\x01xy"), "behind"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := pack([]byte(test.in), "go1.26.8"); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// TestPackKeepsMemory packs many segments with all kinds of gaps and compares what memory holds.
func TestPackKeepsMemory(t *testing.T) {
	var all []segment
	at := uint64(100)
	for i := range uint64(300) {
		all = append(all, segment{at, []byte(fmt.Sprint("segment ", i))})
		at = all[i].end() + i*i%2111
	}
	content := appendSegments(nil, all)
	module := append([]byte(head+"\x0b"), byte(len(content)|0x80), byte(len(content)>>7))
	packed, err := pack(append(module, content...), "go1.26.8")
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{b: packed[len(head)+1:]}
	joined, err := readSegments(r.bytes(r.uint()))
	if err != nil {
		t.Fatal(err)
	}
	if len(joined) < 2 || len(joined) >= len(all) {
		t.Errorf("%d segments became %d", len(all), len(joined))
	}
	if !bytes.Equal(memory(joined, at), memory(all, at)) {
		t.Error("memory differs")
	}
}

func memory(all []segment, size uint64) []byte {
	m := make([]byte, size)
	for _, s := range all {
		copy(m[s.offset:], s.data)
	}
	return m
}
