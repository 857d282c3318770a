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

// pc tables of a function, by their place behind its _func, and its funcdata (internal/abi/symtab.go).
const (
	unsafePoint = 0 // where a thread that is interrupted may not be preempted: with wasm nothing interrupts
	argLive     = 3 // which arguments a trace may print
	argInfo     = 5 // funcdata: which arguments a function has, for traces
	argLiveInfo = 6 // funcdata, the same

	noData = 1<<32 - 1 // no funcdata
)

// dropLines clears, in place, what tells the runtime the file and the line of an instruction and how to print arguments; of
// the functions their names stay. It is what a stack trace prints and nothing else reads, and without it a trace says "?:0"
// and no arguments, for which the runtime has paths of its own: an offset of 0 is no table. With it goes what only preemption
// by signals reads, which wasm does not have. There is nothing to clear in a module without such a table.
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
		for _, field := range f.tables() {
			if !f.dropped(field) {
				settled[f.word(field)] = true
			}
		}
	}
	for _, f := range funcs {
		for _, field := range f.tables() {
			if !f.dropped(field) {
				continue
			}
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
		f.dropData(argInfo)
		f.dropData(argLiveInfo)
	}
	clear(table[cutab:pctab]) // which file a number of pcfile is
	return nil
}

// function is a _func.
type function []byte

func (f function) word(i int) uint32 { return binary.LittleEndian.Uint32(f[4*i:]) }
func (f function) clear(i int)       { clear(f[4*i : 4*i+4]) }

// tables are the words that are offsets of pc tables.
func (f function) tables() []int {
	all := []int{4, 5, 6} // pcsp, pcfile, pcln
	for i := range int(f.word(7)) {
		all = append(all, funcLen/4+i)
	}
	return all
}

// dropped says that the pc table of a word goes.
func (f function) dropped(word int) bool {
	return word == 5 || word == 6 || word == funcLen/4+unsafePoint || word == funcLen/4+argLive
}

// dropData says that a function has none of a kind of funcdata.
func (f function) dropData(kind int) {
	if kind < int(f[funcLen-1]) {
		binary.LittleEndian.PutUint32(f[funcLen+4*(int(f.word(7))+kind):], noData)
	}
}

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
		if uint64(funcLen)+4*(uint64(all[i].word(7))+uint64(all[i][funcLen-1])) > uint64(len(all[i])) {
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
