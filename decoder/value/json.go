package value

import "encoding/binary"

// MaxExact is the largest integer that every reader of JSON keeps exact: 2^53-1.
const MaxExact = 1<<53 - 1

// A Member is how the cells of one column become members of a JSON object.
type Member struct {
	key   [2 * wordLen]byte // the first bytes of Key
	after []byte            // and those behind them

	Key      []byte // a comma, the column's name as a JSON string, a colon; see SetKey
	Meta     uint16
	Unsigned bool
	ASCII    bool     // byte kinds are text in which the bytes below 0x80 are ASCII
	Labels   [][]byte // the members of an ENUM as JSON strings; nil where they are not known
}

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
// are, and what needs nothing but its own bytes: NULL, numbers, dates and times as servers write them, text in ASCII. It
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
			if plain = m.ASCII; plain {
				dst, plain = appendQuotedASCII(dst, Bytes(event, v))
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

// appendQuotedASCII appends text as a JSON string; false where a byte of it is not ASCII or needs an escape.
func appendQuotedASCII(dst, text []byte) ([]byte, bool) {
	at := len(dst)
	out := extend(dst, len(text)+2)
	p := out[at:]
	p[0] = '"'
	p[len(p)-1] = '"'
	p = p[1 : len(p)-1]
	if len(text) < wordLen {
		for i, c := range text {
			if c-' ' >= 0x80-' ' || c == '"' || c == '\\' {
				return dst, false
			}
			p[i] = c
		}
		return out, true
	}
	for i := 0; ; i += wordLen {
		i = min(i, len(text)-wordLen) // the last word overlaps the one before
		w := binary.LittleEndian.Uint64(text[i:])
		if Escaped(w) || w&tops != 0 {
			return dst, false
		}
		binary.LittleEndian.PutUint64(p[i:], w)
		if i == len(text)-wordLen {
			return out, true
		}
	}
}

const ones, tops = 0x0101010101010101, 0x8080808080808080

// Escaped says that one of the 8 bytes of w needs an escape in JSON. Each is looked at in its own eighth of the word: a byte
// below 0x20 borrows into the top bit, and so does one that is a quote or a backslash once it is turned into zero.
func Escaped(w uint64) bool {
	quote, slash := w^ones*'"', w^ones*'\\'
	return ((w-ones*' ')&^w|(quote-ones)&^quote|(slash-ones)&^slash)&tops != 0
}
