package inflate

// maxBlock is the most bytes that a block gives, and that it takes.
const maxBlock = 128 << 10

// block decodes the compressed blocks of one frame: it holds what a block leaves for the next.
type block struct {
	literalTree huffman
	tables      [3]table // of literal lengths, offsets, match lengths
	repeats     [3]uint32
	literals    []byte // of the block being read
	shares      counts
}

// table is a table of states; log is its bits.
type table struct {
	states [maxTable]state
	log    uint8
	filled bool
}

func (z *block) reset() {
	z.literalTree.maxBits = 0
	for i := range z.tables {
		z.tables[i].filled = false
	}
	z.repeats = [3]uint32{1, 4, 8}
}

// part is what is left of a block; take cuts bytes off its front.
type part []byte

func (p *part) take(n int) (b []byte, ok bool) {
	if n < 0 || n > len(*p) {
		return nil, false
	}
	b, *p = (*p)[:n:n], (*p)[n:]
	return b, true
}

// little reads n bytes, 0 to 4, as a number.
func (p *part) little(n int) (v int, ok bool) {
	b, ok := p.take(n)
	for i := range b {
		v |= int(b[i]) << (8 * i)
	}
	return v, ok
}

// decode appends what a compressed block gives. Matches may reach back to out[start:]. why is "" or what is wrong.
func (z *block) decode(out, data []byte, start, window int) (_ []byte, why string) {
	p := part(data)
	if why = z.readLiterals(&p); why != "" {
		return out, why
	}
	n, ok := readCount(&p)
	if !ok {
		return out, "the number of sequences is cut"
	}
	if n == 0 {
		if len(p) > 0 {
			return out, "bytes behind a block without sequences"
		}
		return append(out, z.literals...), ""
	}
	if why = z.readTables(&p); why != "" {
		return out, why
	}
	return z.sequences(out, p, n, start, window)
}

// readLiterals reads the literals section.
func (z *block) readLiterals(p *part) (why string) {
	if len(*p) == 0 {
		return "a compressed block without bytes"
	}
	head := (*p)[0]
	kind, format := head&3, head>>2&3
	z.literals = z.literals[:0]
	if kind < 2 { // raw, or one byte repeated
		bytes, shift := 1, 3
		switch format {
		case 1:
			bytes, shift = 2, 4
		case 3:
			bytes, shift = 3, 4
		}
		v, ok := p.little(bytes)
		size := v >> shift
		if !ok || size > maxBlock {
			return "literals of more bytes than a block has"
		}
		if kind == 0 {
			b, ok := p.take(size)
			if !ok {
				return "the literals are cut"
			}
			z.literals = append(z.literals, b...)
			return ""
		}
		b, ok := p.take(1)
		if !ok {
			return "the literals are cut"
		}
		for range size {
			z.literals = append(z.literals, b[0])
		}
		return ""
	}
	return z.readCoded(p, kind == 2, format)
}

// readCoded reads literals that are Huffman-coded, in one stream or in four.
func (z *block) readCoded(p *part, withTree bool, format byte) (why string) {
	bytes, width := 3, 10
	switch format {
	case 2:
		bytes, width = 4, 14
	case 3:
		bytes, width = 5, 18
	}
	head, ok := p.take(bytes)
	if !ok {
		return "the literals are cut"
	}
	var v uint64
	for i, b := range head {
		v |= uint64(b) << (8 * i)
	}
	mask := uint64(1)<<width - 1
	size, coded := int(v>>4&mask), int(v>>4>>width&mask)
	in, ok := p.take(coded)
	if !ok || size > maxBlock {
		return "the literals are cut"
	}
	streams := part(in)
	if withTree {
		n := z.literalTree.read(in)
		if n == 0 {
			return "a Huffman table that cannot be"
		}
		streams.take(n)
	}
	if z.literalTree.maxBits == 0 {
		return "the Huffman table of a block before, of which none had one"
	}
	if cap(z.literals) < size {
		z.literals = make([]byte, 0, max(size, 16<<10))
	}
	if format == 0 {
		z.literals, ok = z.literalTree.decode(z.literals, streams, size)
	} else {
		ok = z.fourStreams(streams, size)
	}
	if !ok {
		return "Huffman-coded literals that do not end with their bits"
	}
	return ""
}

func (z *block) fourStreams(p part, size int) bool {
	var lengths [4]int
	for i := range 3 {
		lengths[i], _ = p.little(2)
	}
	lengths[3] = len(p) - lengths[0] - lengths[1] - lengths[2]
	each := (size + 3) / 4
	for i, n := range lengths {
		b, ok := p.take(n)
		if i == 3 {
			each = size - 3*each
		}
		if !ok || each < 0 {
			return false
		}
		if z.literals, ok = z.literalTree.decode(z.literals, b, each); !ok {
			return false
		}
	}
	return true
}

// readCount reads the number of sequences.
func readCount(p *part) (n int, ok bool) {
	n, ok = p.little(1)
	switch {
	case n == 255:
		n, ok = p.little(2)
		n += 0x7f00
	case n >= 128:
		var low int
		low, ok = p.little(1)
		n = (n-128)<<8 | low
	}
	return n, ok
}

// The three kinds of tables, in the order they are described in.
var kinds = [3]struct {
	codes  []code
	shares []int16
	log    int
	maxLog int
}{
	{literalCodes, literalShares, 6, 9},
	{offsetCodes, offsetShares, 5, 8},
	{matchCodes, matchShares, 6, 9},
}

// readTables reads how the symbols of the sequences are coded.
func (z *block) readTables(p *part) (why string) {
	modes, ok := p.little(1)
	if !ok || modes&3 != 0 {
		return "the modes of the sequences are cut, or have bits that must be 0"
	}
	for i := range kinds {
		k, t := &kinds[i], &z.tables[i]
		switch modes >> (6 - 2*i) & 3 {
		case 0: // the one that all know
			z.shares.length = copy(z.shares.n[:], k.shares)
			z.shares.log = k.log
			z.shares.build(&t.states, k.codes)
			t.log = uint8(k.log)
		case 1: // one symbol
			s, ok := p.little(1)
			if !ok || s >= len(k.codes) {
				return "a symbol that sequences do not have"
			}
			t.states[0] = state{base: k.codes[s].base, extra: k.codes[s].extra}
			t.log = 0
		case 2: // described here
			n := z.shares.read(*p, k.maxLog, len(k.codes))
			if _, ok := p.take(n); n == 0 || !ok || !z.shares.build(&t.states, k.codes) {
				return "a table of sequences that cannot be"
			}
			t.log = uint8(z.shares.log)
		case 3: // as in the block before
			if !t.filled {
				return "the table of a block before, of which none had one"
			}
		}
		t.filled = true
	}
	return ""
}

// sequences appends n times some literals and a match, and then the rest of the literals.
func (z *block) sequences(out, stream []byte, n, start, window int) (_ []byte, why string) {
	r, ok := newBackBits(stream)
	if !ok {
		return out, "the bits of the sequences do not end"
	}
	lengths, offsets, matches := &z.tables[0], &z.tables[1], &z.tables[2]
	a, b, c := r.read(lengths.log), r.read(offsets.log), r.read(matches.log)
	literals := part(z.literals)
	room := len(out) + maxBlock
	for i := range n {
		r.fill()
		of, ma, li := &offsets.states[b&(maxTable-1)], &matches.states[c&(maxTable-1)], &lengths.states[a&(maxTable-1)]
		offset := of.base + r.read(of.extra)
		match := int(ma.base + r.read(ma.extra))
		r.fill()
		literal := int(li.base + r.read(li.extra))
		if i < n-1 {
			a = uint32(li.next) + r.read(li.bits)
			c = uint32(ma.next) + r.read(ma.bits)
			b = uint32(of.next) + r.read(of.bits)
		}
		offset = z.repeat(offset, literal)
		text, ok := literals.take(literal)
		switch {
		case !ok:
			return out, "more literals than the block has"
		case len(out)+literal+match > room:
			return out, "a block of more bytes than 128 KiB"
		}
		out = append(out, text...)
		if offset == 0 || uint64(offset) > uint64(min(len(out)-start, window)) {
			return out, "a match before the start of what it can reach"
		}
		out = appendMatch(out, int(offset), match)
	}
	if r.left() != 0 {
		return out, "the sequences do not end with their bits"
	}
	if len(out)+len(literals) > room {
		return out, "a block of more bytes than 128 KiB"
	}
	return append(out, literals...), ""
}

// repeat turns the value of an offset into the offset: 1 to 3 name one of the last, one further when there are no
// literals before the match, where the third is the first less 1.
func (z *block) repeat(value uint32, literal int) uint32 {
	if value > 3 {
		value -= 3
		z.repeats[2], z.repeats[1], z.repeats[0] = z.repeats[1], z.repeats[0], value
		return value
	}
	which := value - 1
	if literal == 0 {
		which++
	}
	switch which {
	case 0:
		return z.repeats[0]
	case 1:
		z.repeats[0], z.repeats[1] = z.repeats[1], z.repeats[0]
	case 2:
		z.repeats[0], z.repeats[1], z.repeats[2] = z.repeats[2], z.repeats[0], z.repeats[1]
	default:
		z.repeats[0], z.repeats[1], z.repeats[2] = z.repeats[0]-1, z.repeats[0], z.repeats[1]
	}
	return z.repeats[0]
}

// appendMatch appends n bytes that stand offset bytes back, which may be among them.
func appendMatch(out []byte, offset, n int) []byte {
	for n > 0 {
		from := len(out) - offset
		chunk := min(n, offset)
		out = append(out, out[from:from+chunk]...)
		n -= chunk
	}
	return out
}
