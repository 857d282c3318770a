package inflate

import "strconv"

// maxRatio is how many bytes a byte of deflate gives at the most: 258 for 2 bits.
const maxRatio = 258 * 8 / 2

// MariaDBEvent appends what the compressed part of a MariaDB event holds (types 165 to 171: the text of a query, the rows
// of a row event):
//
//	u8  header    0x80 | bytes of length, 1 to 4; bits 4 to 6 are the algorithm, 0 for zlib, the only one
//	    length    of the output, big-endian
//	    zlib stream
//
// More than limit bytes, and other than length says, are errors. On an error dst is returned as it was.
func MariaDBEvent(dst, blob []byte, limit int) ([]byte, *Error) {
	if len(blob) == 0 {
		return dst, fault(Truncated, 0, "the header of the compressed part is not there")
	}
	head := blob[0]
	switch {
	case head&0x80 == 0 || head&8 != 0:
		return dst, fault(Corrupt, 0, "no compressed part starts here")
	case head&0x70 != 0:
		return dst, fault(Unsupported, 0, "compression algorithm "+strconv.Itoa(int(head>>4&7))+"; 0, zlib, is the only one known")
	}
	return sized(dst, blob, limit, Zlib)
}

// MariaDBColumn appends the value of a compressed column (types 140 and 141) as it is stored:
//
//	no bytes      the empty value
//	u8  header    0x00: the value follows as it is
//	              0x80 | 8 for a stream without zlib's header | bytes of length, 1 to 4
//	    length    of the value, big-endian
//	    zlib or deflate stream
//
// More than limit bytes, and other than length says, are errors. On an error dst is returned as it was.
func MariaDBColumn(dst, stored []byte, limit int) ([]byte, *Error) {
	if len(stored) == 0 {
		return dst, nil
	}
	head := stored[0]
	switch {
	case head == 0 && len(stored)-1 > limit:
		return dst, tooLarge(0, limit)
	case head == 0:
		return append(dst, stored[1:]...), nil
	case head>>4 != 8:
		return dst, fault(Unsupported, 0, "compression method "+strconv.Itoa(int(head>>4))+"; 0, none, and 8, zlib, are known")
	case head&8 != 0:
		return sized(dst, stored, limit, Deflate)
	}
	return sized(dst, stored, limit, Zlib)
}

// sized reads the length behind the first byte, and the stream behind it.
func sized(dst, b []byte, limit int, stream func(dst, src []byte, limit int) ([]byte, *Error)) ([]byte, *Error) {
	n := int(b[0] & 7)
	if n == 0 || n > 4 {
		return dst, fault(Corrupt, 0, "a length in "+strconv.Itoa(n)+" bytes; 1 to 4 are possible")
	}
	if len(b) < 1+n {
		return dst, fault(Truncated, 1, "the length of what is compressed is not there")
	}
	var size uint64
	for _, c := range b[1 : 1+n] {
		size = size<<8 | uint64(c)
	}
	switch {
	case size > uint64(max(limit, 0)):
		return dst, tooLarge(1, limit)
	case size > uint64(len(b))*maxRatio:
		return dst, fault(Corrupt, 1, "a length of "+strconv.FormatUint(size, 10)+" bytes, more than "+strconv.Itoa(len(b))+" compressed bytes can give")
	}
	out, err := stream(dst, b[1+n:], int(size))
	switch {
	case err != nil && err.Reason == TooLarge:
		return dst, fault(Corrupt, 1, "more bytes than the length says, "+strconv.FormatUint(size, 10))
	case err != nil:
		err.Offset += 1 + n
		return dst, err
	case uint64(len(out)-len(dst)) != size:
		return dst, fault(Corrupt, 1, strconv.Itoa(len(out)-len(dst))+" bytes, where the length says "+strconv.FormatUint(size, 10))
	}
	return out, nil
}
