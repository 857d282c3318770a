package value

import (
	"encoding/binary"
	"unicode/utf8"
)

// MaxExact is the largest integer that every reader of JSON keeps exact: 2^53-1.
const MaxExact = 1<<53 - 1

// A Member is how the cells of one column become members of a JSON object.
type Member struct {
	key   [2 * wordLen]byte // the first bytes of Key
	after []byte            // and those behind them

	Key      []byte // a comma, the column's name as a JSON string, a colon; see SetKey
	Meta     uint16
	Unsigned bool
	Bytes    Form     // of byte kinds
	Labels   [][]byte // the members of an ENUM as JSON strings; nil where they are not known
}

// Form is what the bytes of text and binary columns are written as.
type Form uint8

// The forms.
const (
	FormOther Form = iota // by whoever knows their character set: none is plain
	FormASCII             // text in which the bytes below 0x80 are ASCII, whatever stands before them: plain when it has no others
	FormUTF8              // UTF-8, up to 4 bytes a character: plain when it is that
	FormHex               // {"hex":"…"}
)

// SetKey sets the key: a comma, the column's name as a JSON string, a colon.
func (m *Member) SetKey(key []byte) {
	m.Key = key
	m.after = key[copy(m.key[:], key):]
}

// appendKey appends the key. Most keys are so short that two words have them.
func (m *Member) appendKey(dst []byte) []byte {
	at := len(dst)
	dst = extend(dst, len(m.key))
	*(*[2 * wordLen]byte)(dst[at:]) = m.key
	if len(m.after) > 0 {
		return append(dst, m.after...)
	}
	return dst[:at+len(m.Key)]
}

// AppendMembers appends the cells from number i on that are in the image, each with its key in front, up to the first that
// is not plain, and returns the number of that cell: all were plain when it is len(cells). Plain is what most cells of a log
// are, and what needs nothing but its own bytes: NULL, numbers, dates and times as servers write them, most text. It
// allocates nothing.
func AppendMembers(dst, event []byte, members []Member, cells []Value, i int) ([]byte, int) {
	members = members[:len(cells)]
	for ; i < len(cells); i++ {
		v, m := &cells[i], &members[i]
		if v.Kind == KindNone {
			continue
		}
		start := len(dst)
		dst = m.appendKey(dst)
		plain := true
		switch v.Kind {
		case KindNull:
			dst = append(dst, "null"...)
		case KindInt:
			dst, plain = m.appendInt(dst, v)
		case KindFloat32:
			if plain = v.IsFinite(); plain {
				dst = appendFloat(dst, v.Float(), 32)
			}
		case KindFloat64:
			if plain = v.IsFinite(); plain {
				dst = appendFloat(dst, v.Float(), 64)
			}
		case KindDecimal:
			dst, plain = AppendDecimal(append(dst, '"'), event, m.Meta, v)
			dst = append(dst, '"')
		case KindDate:
			plain = soundDate(v.Bits)
			dst = appendQuotedDate(dst, v.Bits)
		case KindDatetime:
			plain = soundDatetime(v.Bits)
			dst = appendQuotedDatetime(dst, v.Bits, m.Meta)
		case KindTimestamp:
			plain = soundTimestamp(v.Bits)
			dst = appendQuotedTimestamp(dst, v.Bits, m.Meta)
		case KindEnum:
			if plain = v.Bits-1 < uint64(len(m.Labels)); plain {
				dst = append(dst, m.Labels[v.Bits-1]...)
			}
		case KindBytes:
			switch b := Bytes(event, v); m.Bytes {
			case FormHex:
				dst = appendHexObject(dst, b)
			case FormOther:
				plain = false
			default:
				dst, plain = appendQuoted(dst, b, m.Bytes == FormUTF8)
			}
		default:
			plain = false
		}
		if !plain {
			return dst[:start], i
		}
	}
	return dst, i
}

// appendInt appends an integer that every reader of JSON keeps exact; false where it is none.
func (m *Member) appendInt(dst []byte, v *Value) ([]byte, bool) {
	n := v.Bits
	if !m.Unsigned {
		if s := v.Int64(); s < 0 {
			dst, n = append(dst, '-'), uint64(-s)
		}
	}
	if n > MaxExact {
		return dst, false
	}
	return AppendUint(dst, n), true
}

func appendQuotedDate(dst []byte, v uint64) []byte {
	var t clock
	t.setDate(v)
	return append(t.appendDate(append(dst, '"')), '"')
}

func appendQuotedDatetime(dst []byte, v uint64, fsp uint16) []byte {
	var t clock
	t.setDatetime(v)
	return append(t.appendDatetime(append(dst, '"'), fsp), '"')
}

func appendQuotedTimestamp(dst []byte, v uint64, fsp uint16) []byte {
	var t clock
	t.setTimestamp(v)
	return append(t.appendDatetime(append(dst, '"'), fsp), '"')
}

// appendQuoted appends text as a JSON string; false where a byte of it needs an escape, or is not ASCII and the text not UTF-8.
func appendQuoted(dst, text []byte, isUTF8 bool) ([]byte, bool) {
	at := len(dst)
	out := extend(dst, len(text)+2)
	p := out[at:]
	p[0] = '"'
	p[len(p)-1] = '"'
	p = p[1 : len(p)-1]
	var seen uint64 // the top bits of all bytes
	if len(text) < wordLen {
		for i, c := range text {
			if c < ' ' || c == '"' || c == '\\' {
				return dst, false
			}
			seen |= uint64(c)
			p[i] = c
		}
	} else {
		for i := 0; i < len(text); i += wordLen {
			i = min(i, len(text)-wordLen) // the last word overlaps the one before
			w := binary.LittleEndian.Uint64(text[i:])
			if Escaped(w) {
				return dst, false
			}
			seen |= w
			binary.LittleEndian.PutUint64(p[i:], w)
		}
	}
	if seen&tops != 0 && !(isUTF8 && utf8.Valid(text)) {
		return dst, false
	}
	return out, true
}

// appendHexObject appends {"hex":"…"}, the form of bytes that are no text.
func appendHexObject(dst, b []byte) []byte {
	dst = append(dst, `{"hex":"`...)
	at := len(dst)
	dst = extend(dst, 2*len(b))
	p := dst[at:]
	const digits = "0123456789abcdef"
	for i, c := range b {
		binary.LittleEndian.PutUint16(p[2*i:], uint16(digits[c>>4])|uint16(digits[c&15])<<8)
	}
	return append(dst, `"}`...)
}

const ones, tops = 0x0101010101010101, 0x8080808080808080

// Escaped says that one of the 8 bytes of w needs an escape in JSON. Each is looked at in its own eighth of the word: a byte
// below 0x20 borrows into the top bit, and so does one that is a quote or a backslash once it is turned into zero.
func Escaped(w uint64) bool {
	quote, slash := w^ones*'"', w^ones*'\\'
	return ((w-ones*' ')&^w|(quote-ones)&^quote|(slash-ones)&^slash)&tops != 0
}
