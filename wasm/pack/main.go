// Command pack makes a WebAssembly module of Go's linker smaller as it is sent, compressed: it joins data segments that
// only a few zeros part, and drops files and line numbers from the runtime's tables, as -s -w does from the debugger's.
//
//	go run ./wasm/pack FILE.wasm
//
// The linker leaves out every run of 8 zeros, and pays with a segment's header of about 7 bytes each time. The runtime's
// tables give it tens of thousands of them, and headers do not compress, while zeros do. Joined, the file grows by some
// per cent, and shrinks by a tenth after gzip. Apart from the tables of lines, memory holds the same when the module starts.
package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pack FILE.wasm")
		os.Exit(2)
	}
	if err := packFile(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func packFile(name string) error {
	module, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	version := runtime.Version() // of the Go that runs this, which is the one that made the module
	if !knownTables(version) {
		fmt.Fprintln(os.Stderr, "pack: the line numbers stay in: how", version, "writes its tables is not known here")
	}
	packed, err := pack(module, version)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return os.WriteFile(name, packed, 0o755)
}

// The parts of the binary format that are met here: https://webassembly.github.io/spec/core/binary/modules.html
const (
	preamble    = "\x00asm\x01\x00\x00\x00"
	dataSection = 11
	memory0     = 0    // an active segment of memory 0
	i32Const    = 0x41 // its offset is a constant
	end         = 0x0b
)

// maxGap is how many zeros may stand between two segments that are joined.
const maxGap = 1024

// segment is bytes that memory holds at offset when the module starts.
type segment struct {
	offset uint64
	data   []byte
}

func (s *segment) end() uint64 { return s.offset + uint64(len(s.data)) }

// pack returns the module, made by a version of Go, with its data section rewritten.
func pack(module []byte, version string) ([]byte, error) {
	body, ok := bytes.CutPrefix(module, []byte(preamble))
	if !ok {
		return nil, errors.New("no WebAssembly module of version 1")
	}
	r := &reader{b: body}
	out := []byte(preamble)
	for len(r.b) > 0 && r.err == nil {
		id, content := r.byte(), r.bytes(r.uint())
		if id == dataSection && r.err == nil {
			segments, err := readSegments(content)
			if err != nil {
				return nil, err
			}
			segments = join(segments)
			if knownTables(version) {
				if err := dropLines(segments); err != nil {
					return nil, err
				}
			}
			content = appendSegments(nil, segments)
		}
		out = binary.AppendUvarint(append(out, id), uint64(len(content)))
		out = append(out, content...)
	}
	return out, r.err
}

// readSegments returns the segments in the order of their offsets.
func readSegments(content []byte) ([]segment, error) {
	r := &reader{b: content}
	var all []segment
	for n := r.uint(); n > 0 && r.err == nil; n-- {
		kind, opcode, offset, last := r.byte(), r.byte(), r.int(), r.byte()
		if r.err == nil && (kind != memory0 || opcode != i32Const || last != end) {
			return nil, errors.New("a data segment without a constant offset in memory 0")
		}
		all = append(all, segment{offset, r.bytes(r.uint())})
	}
	if r.err == nil && len(r.b) > 0 {
		return nil, errors.New("bytes behind the last data segment")
	}
	slices.SortFunc(all, func(a, b segment) int { return cmp.Compare(a.offset, b.offset) })
	for i := 1; i < len(all); i++ {
		if all[i-1].end() > all[i].offset {
			return nil, errors.New("data segments that overlap")
		}
	}
	return all, r.err
}

// join joins what is at most maxGap apart.
func join(all []segment) []segment {
	var joined []segment
	for _, s := range all {
		if n := len(joined); n > 0 && s.offset-joined[n-1].end() <= maxGap {
			last := &joined[n-1]
			last.data = append(last.data, make([]byte, s.offset-last.end())...)
			last.data = append(last.data, s.data...)
			continue
		}
		s.data = slices.Clone(s.data)
		joined = append(joined, s)
	}
	return joined
}

func appendSegments(dst []byte, all []segment) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(all)))
	for _, s := range all {
		dst = appendInt(append(dst, memory0, i32Const), s.offset)
		dst = binary.AppendUvarint(append(dst, end), uint64(len(s.data)))
		dst = append(dst, s.data...)
	}
	return dst
}

// appendInt appends a signed LEB128 that is not negative: bit 6 of its last byte would be a sign.
func appendInt(dst []byte, v uint64) []byte {
	for ; v >= 1<<6; v >>= 7 {
		dst = append(dst, byte(v)|0x80)
	}
	return append(dst, byte(v))
}

// reader reads a module; after its first error, which stays, it gives zeros.
type reader struct {
	b   []byte
	err error
}

var (
	errCut      = errors.New("the module is cut off")
	errNegative = errors.New("a data segment with a negative offset")
)

func (r *reader) fail(err error) {
	if r.err == nil {
		r.b, r.err = nil, err
	}
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.fail(errCut)
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) byte() byte {
	if b := r.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

// uint reads an unsigned LEB128.
func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail(errCut)
		return 0
	}
	r.b = r.b[n:]
	return v
}

// int reads a signed LEB128 that must not be negative.
func (r *reader) int() uint64 {
	before := r.b
	v := r.uint()
	if n := len(before) - len(r.b); r.err == nil && before[n-1]&0x40 != 0 {
		r.fail(errNegative)
	}
	return v
}
