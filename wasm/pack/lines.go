package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
)

// knownTables says that a version of Go writes its table of functions as it is described below: the magic number alone does
// not tell, since it has outlived changes before. It is checked with Go 1.26.
func knownTables(version string) bool {
	return version == "go1.26" || strings.HasPrefix(version, "go1.26.") || strings.HasPrefix(version, "go1.26rc")
}

// The runtime's table of functions, pclntab, as Go 1.26 writes it for wasm: runtime/symtab.go (pcHeader) and
// runtime/runtime2.go (_func). Offsets of a part count from the header, those of a pc table from the start of pctab.
//
//	header: u32 magic, 0, 0, u8 1, u8 8 | u64 nfunc, nfiles, unused, funcnametab, cutab, filetab, pctab, functab
//	functab: nfunc × (u32 entry, u32 offset of the _func from functab)
//	_func: u32 entry, name, args, deferreturn, pcsp, pcfile, pcln, npcdata, cu, start_line |
//	       u8 func_id, flag, 0, nfuncdata | npcdata × u32 pc table | nfuncdata × u32
const (
	tableMagic = "\xf1\xff\xff\xff\x00\x00\x01\x08"
	headerLen  = 8 + 8*8
	funcLen    = 44
)

var errTable = errors.New("the runtime's table of functions is not as Go 1.26 writes it")

// dropLines clears, in place, what tells the runtime the file and the line of an instruction; of the functions their names
// stay. It is what a stack trace prints and nothing else reads, and without it a trace says "?:0", for which the runtime
// has a path of its own: an offset of 0 is no table. There is nothing to clear in a module without such a table.
func dropLines(segments []segment) error {
	for _, s := range segments {
		if at := bytes.Index(s.data, []byte(tableMagic)); at >= 0 {
			return clearLines(s.data[at:])
		}
	}
	return nil
}

func clearLines(table []byte) error {
	if len(table) < headerLen {
		return errTable
	}
	var part [8]uint64
	for i := range part {
		part[i] = binary.LittleEndian.Uint64(table[8+8*i:])
	}
	n, cutab, filetab, pctab, functab := part[0], part[4], part[5], part[6], part[7]
	if !(headerLen <= cutab && cutab <= filetab && filetab <= pctab && pctab <= functab && functab <= uint64(len(table))) {
		return errTable
	}
	funcs, err := functions(table[functab:], n)
	if err != nil {
		return err
	}
	settled := map[uint32]bool{0: true} // pc tables to leave alone: equal ones are stored once, and some are needed
	for _, f := range funcs {
		settled[f.word(4)] = true // pcsp
		for i := range f.word(7) {
			settled[f.word(funcLen/4+int(i))] = true
		}
	}
	for _, f := range funcs {
		for _, field := range [...]int{5, 6} { // pcfile, pcln
			if off := f.word(field); !settled[off] {
				settled[off] = true
				if err := clearPCTable(table[pctab:functab], off); err != nil {
					return err
				}
			}
			f.clear(field)
		}
		f.clear(8) // cu
		f.clear(9) // start_line
	}
	clear(table[cutab:pctab]) // which file a number of pcfile is
	return nil
}

// function is a _func.
type function []byte

func (f function) word(i int) uint32 { return binary.LittleEndian.Uint32(f[4*i:]) }
func (f function) clear(i int)       { clear(f[4*i : 4*i+4]) }

func functions(functab []byte, n uint64) ([]function, error) {
	if n > uint64(len(functab)/8) {
		return nil, errTable
	}
	all := make([]function, n)
	for i := range all {
		off := uint64(binary.LittleEndian.Uint32(functab[8*i+4:]))
		if off+funcLen > uint64(len(functab)) {
			return nil, errTable
		}
		all[i] = functab[off:]
		if uint64(funcLen)+4*uint64(all[i].word(7)) > uint64(len(all[i])) {
			return nil, errTable
		}
	}
	return all, nil
}

// clearPCTable clears the table at off of pctab: pairs of a difference of values and one of instructions, each a varint,
// up to a difference of values of 0 that is not the first.
func clearPCTable(pctab []byte, off uint32) error {
	if uint64(off) >= uint64(len(pctab)) {
		return errTable
	}
	r := &reader{b: pctab[off:]}
	for first := true; r.err == nil; first = false {
		if r.uint() == 0 && !first {
			break
		}
		r.uint()
	}
	if r.err != nil {
		return errTable
	}
	clear(pctab[off : len(pctab)-len(r.b)])
	return nil
}
