package inflate

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"hash/adler32"
	"io"
	"slices"
)

// Zlib appends what a zlib stream (RFC 1950) gives; src is the stream and nothing else. More than limit bytes are an error,
// TooLarge. On an error dst is returned as it was.
func Zlib(dst, src []byte, limit int) ([]byte, *Error) {
	const headerLen, checksumLen = 2, 4
	if len(src) < headerLen {
		return dst, fault(Truncated, 0, "the 2 bytes of a zlib header are not there")
	}
	head := binary.BigEndian.Uint16(src)
	switch {
	case head%31 != 0 || head>>8&15 != 8 || head>>12 > 7:
		return dst, fault(Corrupt, 0, "no zlib stream starts here")
	case head&0x20 != 0:
		return dst, fault(Unsupported, 0, "a zlib stream that needs a dictionary")
	}
	out, end, err := inflate(dst, src, headerLen, limit)
	switch {
	case err != nil:
		return dst, err
	case len(src)-end < checksumLen:
		return dst, fault(Truncated, end, "the 4 bytes of the checksum are not there")
	case len(src)-end > checksumLen:
		return dst, fault(Corrupt, end+checksumLen, "bytes behind the zlib stream")
	case binary.BigEndian.Uint32(src[end:]) != adler32.Checksum(out[len(dst):]):
		return dst, fault(Checksum, end, "the stream's output does not match its checksum")
	}
	return out, nil
}

// Deflate is Zlib for a stream without zlib's header and checksum (RFC 1951).
func Deflate(dst, src []byte, limit int) ([]byte, *Error) {
	out, end, err := inflate(dst, src, 0, limit)
	switch {
	case err != nil:
		return dst, err
	case end < len(src):
		return dst, fault(Corrupt, end, "bytes behind the compressed stream")
	}
	return out, nil
}

// inflate appends what the stream at byte start of src gives, and returns where it ends.
func inflate(dst, src []byte, start, limit int) (out []byte, end int, _ *Error) {
	in := bytes.NewReader(src[start:])
	r := flate.NewReader(in)
	out = slices.Grow(dst, min(4*in.Len(), max(limit, 0))+1)
	for {
		if len(out) == cap(out) {
			out = slices.Grow(out, len(out)-len(dst))
		}
		n, err := r.Read(out[len(out):cap(out)])
		out = out[:len(out)+n]
		at := len(src) - in.Len()
		switch {
		case len(out)-len(dst) > limit:
			return dst, 0, tooLarge(at, limit)
		case err == io.EOF:
			return out, at, nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return dst, 0, fault(Truncated, at, "the compressed stream does not end")
		case err != nil:
			return dst, 0, fault(Corrupt, at, "the compressed stream contradicts itself")
		}
	}
}
