package index

// Bits of Columns.Flags.
const (
	KindBits   = flagKind // a frame.Kind
	ProblemBit = flagProblem
	CipherBit  = flagCipher
	InsideBit  = flagInside // an event inside a transaction payload
)

// Columns are rows that stand together, column by column. They are part of the index: only to be read, and only until it
// grows.
type Columns struct {
	Size, Time, Table, Group []uint32 // as in Row
	Code, Flags              []uint8
}

// Columns returns the rows from a row on, up to and without another, or fewer: as many as are in one slab.
func (x *Index) Columns(from, to int64) Columns {
	s, i := x.slabs[from>>16], from&(slabRows-1)
	j := min(slabRows, i+min(to, x.n)-from)
	return Columns{Size: s.size[i:j], Time: s.time[i:j], Table: s.table[i:j], Group: s.group[i:j], Code: s.code[i:j], Flags: s.flags[i:j]}
}
