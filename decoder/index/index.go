package index

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/wire"
	"sort"
)

// slabRows is the number of rows in a slab.
const slabRows = 1 << 16

// slab has the columns of slabRows rows: 24 bytes a row, and no pointers, so that the garbage collector never looks in.
type slab struct {
	base   int64            // offset of the first row
	off    [slabRows]uint32 // low 32 bits of the offset from base
	size   [slabRows]uint32 // bytes
	time   [slabRows]uint32 // seconds UTC
	table  [slabRows]uint32 // table version, from 1; 0 none
	group  [slabRows]uint32 // transaction, from 1; 0 none
	code   [slabRows]uint8  // canonical type
	flags  [slabRows]uint8  // below
	server [slabRows]uint8  // in servers; otherServer stands for those that did not fit
	count  [slabRows]uint8  // rows of a row event plus 1; 0 not counted, manyRows in many
}

// Flags of a row in the index.
const (
	flagKind    = 0x03 // a frame.Kind
	flagProblem = 0x04
	flagFirst   = 0x08 // of its transaction
	flagLast    = 0x10
	flagCipher  = 0x20
	flagInside  = 0x40 // an event inside a transaction payload
)

// Row is what the index knows of one row.
type Row struct {
	Ordinal int64
	Off     int64 // in the file, or inside the payload in decompressed bytes
	Size    int64 // bytes
	Payload int64 // ordinal of the TRANSACTION_PAYLOAD_EVENT that the event is inside of; -1 none
	Time    uint32
	Server  uint32 // server_id, when HasServer
	Type    decoder.Type
	Kind    frame.Kind
	Table   uint32 // table version of a table map or row event, from 1; 0 none
	Group   uint32 // transaction, from 1; 0 outside
	First   bool   // the first row of its transaction
	Last    bool   // the row that ended its transaction
	Problem bool
	Cipher  bool // an encrypted event: of its header only the size is known

	HasServer bool // false where there is none, and in a log of more servers than the index tells apart
}

// Problem is what is wrong with a row as a whole. The reason's offsets count from the row's first byte.
type Problem struct {
	Ordinal int64
	Err     *wire.Error
}

// maxProblems is how many problems are kept with their reasons; more are only counted, and marked in their rows.
const maxProblems = 100_000

// Index has the rows of a log.
type Index struct {
	slabs    []*slab
	high     []*[slabRows]uint16 // for each slab, bits 32 to 47 of its offsets; nil until it covers 4 GiB
	n        int64
	formats  []formatAt
	spaces   []space
	tables   tables
	servers  []uint32
	place    uint8            // of the server that was last looked for
	many     map[int64]uint32 // rows of row events with more than the column holds, by ordinal
	groups   groupList
	problems []Problem
	bad      int64
	first    uint32 // smallest timestamp that is not 0
	last     uint32 // largest
}

type formatAt struct {
	from   int64 // ordinal of the first row it holds for
	format *decoder.FormatDescription
}

// space says which rows are inside a transaction payload: they follow its own row.
type space struct {
	payload int64 // ordinal
	n       int64 // rows inside
}

// Len returns the number of rows.
func (x *Index) Len() int64 { return x.n }

// Row returns row i, which must be below Len.
func (x *Index) Row(i int64) Row {
	s, k := x.slabs[i>>16], i&(slabRows-1)
	f := s.flags[k]
	r := Row{Ordinal: i, Size: int64(s.size[k]), Payload: -1, Time: s.time[k], Type: decoder.Type(s.code[k]),
		Kind: frame.Kind(f & flagKind), Table: s.table[k], Group: s.group[k],
		First: f&flagFirst != 0, Last: f&flagLast != 0, Problem: f&flagProblem != 0,
		Cipher: f&flagCipher != 0}
	if n := s.server[k]; int(n) < len(x.servers) && r.Kind == frame.Event && !r.Cipher {
		r.Server, r.HasServer = x.servers[n], true
	}
	if f&flagInside != 0 {
		r.Off, r.Payload = int64(s.off[k]), x.payloadOf(i)
	} else {
		r.Off = x.offset(i)
	}
	return r
}

// payloadOf returns the row of the payload that row i is inside of.
func (x *Index) payloadOf(i int64) int64 {
	k := sort.Search(len(x.spaces), func(k int) bool { return x.spaces[k].payload >= i }) - 1
	return x.spaces[k].payload
}

// Inside returns how many rows the payload of row i holds: those that follow it. 0 for other rows.
func (x *Index) Inside(i int64) int64 {
	k := sort.Search(len(x.spaces), func(k int) bool { return x.spaces[k].payload >= i })
	if k < len(x.spaces) && x.spaces[k].payload == i {
		return x.spaces[k].n
	}
	return 0
}

// At returns the row that the byte at off of the file belongs to; false when it is in none. It is never one inside a
// payload.
func (x *Index) At(off int64) (int64, bool) {
	i := int64(sort.Search(int(x.n), func(i int) bool { return x.offset(int64(i)) > off })) - 1
	if i < 0 {
		return 0, false
	}
	r := x.Row(i)
	if r.Payload >= 0 {
		r = x.Row(r.Payload)
	}
	return r.Ordinal, off < r.Off+r.Size
}

// offset returns where row i starts in the file; of a row inside a payload, where that starts.
func (x *Index) offset(i int64) int64 {
	s, k := x.slabs[i>>16], i&(slabRows-1)
	if s.flags[k]&flagInside != 0 {
		return x.offset(x.payloadOf(i))
	}
	off := int64(s.off[k])
	if high := x.high[i>>16]; high != nil {
		off |= int64(high[k]) << 32
	}
	return s.base + off
}

// Format returns the format description in force for row i: its own when it is one.
func (x *Index) Format(i int64) *decoder.FormatDescription {
	k := sort.Search(len(x.formats), func(k int) bool { return x.formats[k].from > i }) - 1
	if k < 0 {
		k = 0
	}
	return x.formats[k].format
}

// FormatRow returns the row of the format description in force for row i; -1 when the log has none there.
func (x *Index) FormatRow(i int64) int64 {
	k := sort.Search(len(x.formats), func(k int) bool { return x.formats[k].from > i }) - 1
	if k < 0 {
		return -1
	}
	from := x.formats[k].from
	if t := x.Row(from).Type; t != decoder.FormatDescriptionType && t != decoder.StartV3 {
		return -1
	}
	return from
}

// FormatBefore returns the format description in force before row i, under which a format description is read.
func (x *Index) FormatBefore(i int64) *decoder.FormatDescription {
	if i == 0 {
		return x.formats[0].format
	}
	return x.Format(i - 1)
}

// LastFormat returns the format description in force now; nil before the first row.
func (x *Index) LastFormat() *decoder.FormatDescription {
	if len(x.formats) == 0 {
		return nil
	}
	return x.formats[len(x.formats)-1].format
}

// Problems returns what is wrong with rows as a whole, in their order; BadRows says how many there are in all.
func (x *Index) Problems() []Problem { return x.problems }

// BadRows returns the number of rows that are damaged or have a wrong checksum.
func (x *Index) BadRows() int64 { return x.bad }

// ProblemOf returns what is wrong with row i as a whole, or nil.
func (x *Index) ProblemOf(i int64) *wire.Error {
	k := sort.Search(len(x.problems), func(k int) bool { return x.problems[k].Ordinal >= i })
	if k < len(x.problems) && x.problems[k].Ordinal == i {
		return x.problems[k].Err
	}
	return nil
}

// Times returns the smallest and largest timestamp of an event, in seconds UTC; 0 when there is none.
func (x *Index) Times() (first, last uint32) { return x.first, x.last }

// appendInside adds a row inside the payload at row payload, and returns its slab and place.
func (x *Index) appendInside(payload, off int64) (*slab, int64) {
	if n := len(x.spaces); n == 0 || x.spaces[n-1].payload != payload {
		x.spaces = append(x.spaces, space{payload: payload})
	}
	x.spaces[len(x.spaces)-1].n++
	s, k := x.append(x.offset(payload))
	s.off[k], s.flags[k] = uint32(off), flagInside
	return s, k
}

// append adds a row and returns its slab and place.
func (x *Index) append(off int64) (*slab, int64) {
	k := x.n & (slabRows - 1)
	if k == 0 {
		x.slabs, x.high = append(x.slabs, &slab{base: off}), append(x.high, nil)
	}
	s := x.slabs[len(x.slabs)-1]
	d := off - s.base
	s.off[k] = uint32(d)
	if d>>32 != 0 {
		x.setHigh(k, d)
	}
	x.n++
	return s, k
}

// setHigh keeps what is left of the offset of row k of the last slab, from its base, above 32 bits.
func (x *Index) setHigh(k, d int64) {
	high := &x.high[len(x.high)-1]
	if *high == nil {
		*high = new([slabRows]uint16)
	}
	(*high)[k] = uint16(d >> 32)
}
