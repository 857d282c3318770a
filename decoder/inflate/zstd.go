package inflate

import (
	"encoding/binary"
	"io"
	"slices"
	"strconv"
)

const (
	zstdMagic = 0xfd2fb528
	skipMagic = 0x184d2a50 // to …5f: a frame of anything, to be skipped
)

// Zstd appends what the zstd frames of src give. More than limit bytes are an error, TooLarge. On an error dst is returned
// as it was.
func Zstd(dst, src []byte, limit int) ([]byte, *Error) {
	z := frames{src: src, limit: limit}
	out := dst
	for z.at == 0 || z.more() {
		var err *Error
		if out, err = z.next(out); err != nil {
			return dst, err
		}
		if z.hint > 0 { // a plausible size of the frame that has begun
			out = slices.Grow(out, z.hint)
			z.hint = 0
		}
	}
	return out, nil
}

// ZstdReader streams what zstd frames give. It keeps the window of the frame, as far as there is output, and a quarter
// more.
type ZstdReader struct {
	z      frames
	out    []byte
	unread int // out[unread:] was not read yet
	err    error
}

// NewZstdReader reads the frames of src. More than limit bytes of output are an error, TooLarge.
func NewZstdReader(src []byte, limit int) *ZstdReader {
	return &ZstdReader{z: frames{src: src, limit: limit}}
}

// Read returns io.EOF behind the last frame; other errors are *Error, and come after all output before the fault.
func (r *ZstdReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for r.unread == len(r.out) {
		if r.err != nil {
			return 0, r.err
		}
		if r.z.at > 0 && !r.z.more() {
			r.err = io.EOF
			continue
		}
		r.slide()
		out, err := r.z.next(r.out)
		if r.out = out; err != nil {
			r.err = err
		}
	}
	n := copy(p, r.out[r.unread:])
	r.unread += n
	return n, nil
}

// slide drops what lies before the window once that is worth the copying. All that is there has been read.
func (r *ZstdReader) slide() {
	keep := 0
	if r.z.open {
		keep = min(len(r.out)-r.z.start, r.z.window)
	}
	if drop := len(r.out) - keep; drop >= max(2*maxBlock, keep/4) {
		r.out = r.out[:copy(r.out, r.out[drop:])]
		r.unread -= drop
		r.z.start = max(r.z.start-drop, 0)
	}
}

// frames reads zstd frames, a block at a time.
type frames struct {
	src   []byte
	at    int // bytes of src that were read
	limit int // of the output of all frames
	total int // bytes of output

	open    bool // inside of a frame
	start   int  // of the frame's output, in what next is given; the reader moves it
	made    int  // bytes of the frame's output
	window  int
	size    uint64 // of the frame's output
	hasSize bool
	hasSum  bool
	hint    int // bytes to make room for, of a frame that has just begun

	block block
	sum   xxhash
}

// more says whether there is something to read.
func (z *frames) more() bool { return z.open || z.at < len(z.src) }

// take reads n bytes; missing ones are what the fault at byte at names.
func (z *frames) take(n, at int, what string) ([]byte, *Error) {
	left := len(z.src) - z.at
	if n > left {
		return nil, fault(Truncated, at, what+" of "+strconv.Itoa(n)+" bytes, "+strconv.Itoa(left)+" left")
	}
	b := z.src[z.at : z.at+n : z.at+n]
	z.at += n
	return b, nil
}

// next reads the next frame header, skippable frame or block, and appends what it gives. On an error out is returned as
// it was.
func (z *frames) next(out []byte) ([]byte, *Error) {
	if !z.open {
		return out, z.begin(len(out))
	}
	at := z.at
	b, err := z.take(3, at, "a block header")
	if err != nil {
		return out, err
	}
	head := uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16
	size := int(head >> 3)
	if size > maxBlock {
		return out, fault(Corrupt, at, "a block of "+strconv.Itoa(size)+" bytes; 128 KiB are possible")
	}
	before := len(out)
	grown := out
	var why string
	switch head >> 1 & 3 {
	case 0: // as it is
		if b, err = z.take(size, at, "a block"); err == nil {
			grown = append(grown, b...)
		}
	case 1: // one byte repeated
		if b, err = z.take(1, at, "a block"); err == nil {
			grown = appendMatch(append(grown, b...), 1, size-1)[:before+size]
		}
	case 2:
		if b, err = z.take(size, at, "a block"); err == nil {
			grown, why = z.block.decode(grown, b, z.start, z.window)
		}
	default:
		why = "a block of the reserved type"
	}
	switch {
	case err != nil:
		return out, err
	case why != "":
		return out, fault(Corrupt, at, why)
	case len(grown)-before > z.limit-z.total:
		return out, tooLarge(at, z.limit)
	}
	z.made += len(grown) - before
	z.total += len(grown) - before
	if z.hasSum {
		z.sum.write(grown[before:])
	}
	if head&1 != 0 {
		if err := z.finish(); err != nil {
			return out, err
		}
	}
	return grown, nil
}

// begin reads a frame header, or all of a skippable frame. The output of the frame will start at byte start.
func (z *frames) begin(start int) *Error {
	at := z.at
	b, err := z.take(4, at, "a frame's magic number")
	if err != nil {
		return err
	}
	magic := binary.LittleEndian.Uint32(b)
	if magic&^15 == skipMagic {
		b, err = z.take(4, at, "the size of a skippable frame")
		if err == nil {
			_, err = z.take(int(binary.LittleEndian.Uint32(b)), at, "a skippable frame")
		}
		return err
	}
	if magic != zstdMagic {
		return fault(Corrupt, at, "no zstd frame starts here")
	}
	if b, err = z.take(1, at, "a frame header"); err != nil {
		return err
	}
	flags := b[0]
	single := flags&0x20 != 0
	dictLen := [4]int{0, 1, 2, 4}[flags&3]
	sizeLen := [4]int{0, 2, 4, 8}[flags>>6]
	windowLen := 1
	if single {
		windowLen = 0
		if sizeLen == 0 {
			sizeLen = 1
		}
	}
	if b, err = z.take(windowLen+dictLen+sizeLen, at, "a frame header"); err != nil {
		return err
	}
	z.size, z.hasSize = littleEndian(b[windowLen+dictLen:]), sizeLen > 0
	if sizeLen == 2 {
		z.size += 256
	}
	var window uint64
	if single {
		window = z.size
	} else {
		window = 1 << (10 + b[0]>>3)
		window += window >> 3 * uint64(b[0]&7)
	}
	switch {
	case flags&8 != 0:
		return fault(Unsupported, at, "a zstd frame with a bit of the future set")
	case littleEndian(b[windowLen:windowLen+dictLen]) != 0:
		return fault(Unsupported, at, "a zstd frame that needs a dictionary")
	case z.hasSize && z.size > uint64(max(z.limit-z.total, 0)):
		return tooLarge(at, z.limit)
	}
	z.window = int(min(window, 1<<40))
	z.open, z.start, z.made = true, start, 0
	z.hasSum = flags&4 != 0
	z.hint = int(min(z.size, uint64(16*(len(z.src)-z.at))))
	z.sum.reset()
	z.block.reset()
	return nil
}

// finish reads what follows the last block of a frame.
func (z *frames) finish() *Error {
	z.open = false
	at := z.at
	if z.hasSize && uint64(z.made) != z.size {
		return fault(Corrupt, at, "a frame of "+strconv.Itoa(z.made)+" bytes, whose header says "+strconv.FormatUint(z.size, 10))
	}
	if !z.hasSum {
		return nil
	}
	b, err := z.take(4, at, "a checksum")
	if err != nil {
		return err
	}
	if binary.LittleEndian.Uint32(b) != uint32(z.sum.sum()) {
		return fault(Checksum, at, "the frame's output does not match its checksum")
	}
	return nil
}

// littleEndian returns up to 8 bytes as a number.
func littleEndian(b []byte) (v uint64) {
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	return v
}
