package gtid

import "bytes"

// UUID is a server's UUID: 16 bytes in the order of the text, as binary logs store it.
type UUID [16]byte

// uuidTextLen is the length of the 8-4-4-4-12 form.
const uuidTextLen = 36

const lowerHex = "0123456789abcdef"

// uuidDashAfter has the bit of each byte set that a dash follows in the text form.
const uuidDashAfter = 1<<3 | 1<<5 | 1<<7 | 1<<9

// Compare orders UUIDs by their bytes. It returns -1, 0 or 1.
func (u UUID) Compare(o UUID) int { return bytes.Compare(u[:], o[:]) }

// IsZero reports whether all bytes are 0, as in an ANONYMOUS_GTID_EVENT.
func (u UUID) IsZero() bool { return u == UUID{} }

// AppendText appends the 36 characters of the 8-4-4-4-12 form in lower case.
func (u UUID) AppendText(dst []byte) []byte {
	for i, b := range u {
		dst = append(dst, lowerHex[b>>4], lowerHex[b&15])
		if uuidDashAfter>>i&1 != 0 {
			dst = append(dst, '-')
		}
	}
	return dst
}

// String returns the 8-4-4-4-12 form in lower case.
func (u UUID) String() string {
	var text [uuidTextLen]byte
	return string(u.AppendText(text[:0]))
}

// ParseUUID reads a UUID in one of the three forms that the server takes: 8-4-4-4-12, the same in braces, or 32 digits
// without dashes. Digits may be of either case; nothing may stand before or after. The error is a *ParseError.
func ParseUUID(text string) (UUID, error) {
	p := parser{text: text}
	u, ok := p.uuid()
	if ok && p.pos < len(text) {
		ok = p.fail(p.pos, "text after the UUID")
	}
	if !ok {
		return UUID{}, p.err
	}
	return u, nil
}
