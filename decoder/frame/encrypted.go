package frame

import (
	"binlens/decoder/wire"
	"strconv"
)

// Fields of the header of an encrypted MySQL log, which the server calls by these numbers.
const (
	keyIDField    = 1
	passwordField = 2
	ivField       = 3

	passwordLen = 32
	ivLen       = 16
)

// encryptedHeader tells what stands in the clear at the beginning of an encrypted MySQL log: which key of the keyring it
// needs. What cannot be read is said, with its offset in the file.
func encryptedHeader(head []byte) string {
	c := wire.NewCursor(head, 0, nil)
	c.Bytes(len(magic))
	said := "header version " + strconv.Itoa(int(c.Uint8()))
	for c.OK() {
		at := c.Pos()
		switch field := c.Uint8(); {
		case !c.OK(), field == 0:
			return said
		case field == keyIDField:
			said += ", key " + strconv.Quote(string(c.Bytes(int(c.Uint8()))))
		case field == passwordField:
			c.Bytes(passwordLen)
			said += ", an encrypted file password"
		case field == ivField:
			said += ", IV " + hexOf(c.Bytes(ivLen))
		default:
			return said + ", an unknown field " + strconv.Itoa(int(field)) + " at " + strconv.Itoa(at)
		}
	}
	return said + ", cut off inside a field"
}

func hexOf(b []byte) string {
	const digits = "0123456789abcdef"
	var s []byte
	for _, c := range b {
		s = append(s, digits[c>>4], digits[c&15])
	}
	return string(s)
}
