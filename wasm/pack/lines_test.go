package main

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// A table of two functions, written by hand from runtime/symtab.go and runtime/runtime2.go of Go 1.26. The pc table at 7 is
// the line table of f and a pc table that the collector needs of g; that at 4 tells g's unsafe points, too. Behind g stand its
// two pc tables and six funcdata, of which the last is about arguments.
const (
	names = "\x00f\x00g\x00\x00\x00\x00"                                  // 8 bytes
	units = "\x00\x00\x00\x00"                                            // cutab
	files = "f.go\x00g.go\x00\x00\x00"                                    // 12 bytes
	pcs   = "\x00" + "\x02\x05\x00" + "\x04\x06\x00" + "\x02\x81\x01\x00" // at 1, 4 and 7
	bare  = "\x00" + "\x02\x05\x00" + "\x00\x00\x00" + "\x02\x81\x01\x00"
)

func u32s(list ...uint32) (b []byte) {
	for _, v := range list {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

var (
	dataOfG = []uint32{4, 7, 1, 2, 3, 4, 5, 9}
	bareOfG = []uint32{0, 7, 1, 2, 3, 4, 5, noData}
)

// funcTable has pc tables, the functions' pcfile, pcln, cu and start_line, files, and what stands behind g as given.
func funcTable(pcs, files string, f, g [4]uint32, data []uint32) []byte {
	at := uint64(headerLen)
	b := []byte("\xf1\xff\xff\xff\x00\x00\x01\x08")
	for _, v := range []uint64{2, 2, 0, at, at + 8, at + 12, at + 24, at + 24 + uint64(len(pcs))} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	b = append(b, names+units+files+pcs...)
	b = append(b, u32s(0, 16, 100, 16+44)...) // functab
	b = append(b, u32s(0, 1, 0, 0, 1, f[0], f[1], 0, f[2], f[3], 0)...)
	b = append(b, u32s(100, 3, 0, 0, 1, g[0], g[1], 2, g[2], g[3], 6<<24)...)
	return append(b, u32s(data...)...)
}

func TestDropLines(t *testing.T) {
	in := funcTable(pcs, files, [4]uint32{4, 7, 0, 10}, [4]uint32{4, 4, 0, 20}, dataOfG)
	want := funcTable(bare, string(make([]byte, len(files))), [4]uint32{}, [4]uint32{}, bareOfG)
	segments := []segment{{0, []byte("other")}, {100, append([]byte("before"), in...)}}
	if err := dropLines(segments); err != nil {
		t.Fatal(err)
	}
	if got := segments[1].data[len("before"):]; !bytes.Equal(got, want) {
		t.Errorf("got  %x\nwant %x", got, want)
	}
}

// TestDropLinesRefuses cuts a table off everywhere: a module that is not as expected must not be shipped half changed.
func TestDropLinesRefuses(t *testing.T) {
	in := funcTable(pcs, files, [4]uint32{4, 7, 0, 10}, [4]uint32{4, 4, 0, 20}, dataOfG)
	for n := len(tableMagic); n < len(in); n++ {
		if err := dropLines([]segment{{0, bytes.Clone(in[:n])}}); err == nil {
			t.Errorf("cut to %d bytes: no error", n)
		}
	}
	wild := funcTable(pcs, files, [4]uint32{400, 7, 0, 10}, [4]uint32{4, 4, 0, 20}, dataOfG)
	if err := dropLines([]segment{{0, wild}}); err == nil {
		t.Error("a pc table outside pctab: no error")
	}
	if err := dropLines([]segment{{0, []byte("no table")}}); err != nil {
		t.Errorf("nothing to drop: %v", err)
	}
}

// Lines are only dropped from what a Go writes whose tables are known; of others the module stays as it is.
func TestKnownTables(t *testing.T) {
	table := funcTable(pcs, files, [4]uint32{4, 7, 0, 10}, [4]uint32{4, 4, 0, 20}, dataOfG)
	content := appendSegments(nil, []segment{{100, table}})
	module := binary.AppendUvarint([]byte(preamble+"\x0b"), uint64(len(content)))
	module = append(module, content...)
	for version, dropped := range map[string]bool{"go1.26": true, "go1.26.8": true, "go1.26rc1": true, "go1.27": false, "go1.260": false, "go1.2": false, "devel go1.27-abcdef": false} {
		packed, err := pack(bytes.Clone(module), version)
		if err != nil {
			t.Fatal(err)
		}
		if got := !bytes.Equal(packed, module); got != dropped {
			t.Errorf("%s: changed %t, want %t", version, got, dropped)
		}
	}
}
