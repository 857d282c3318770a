package jsonb

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"testing"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What build makes documents of, besides nil, bool, int16, uint16, int32, uint32, int64, uint64, float64, string and []any
// for arrays.
type (
	object []member
	member struct {
		key   string
		value any
	}
	opaque struct {
		columnType byte
		data       string
	}
	large struct{ container any } // an array or object with words of 4 bytes
)

// build makes a document as a server does: members sorted, keys and then values one behind the other, no gaps.
func build(v any) []byte {
	typ, body := buildValue(v)
	return append([]byte{typ}, body...)
}

func buildValue(v any) (typ byte, body []byte) {
	le := binary.LittleEndian
	switch v := v.(type) {
	case nil:
		return typeLiteral, []byte{0}
	case bool:
		if v {
			return typeLiteral, []byte{1}
		}
		return typeLiteral, []byte{2}
	case int16:
		return typeInt16, le.AppendUint16(nil, uint16(v))
	case uint16:
		return typeUint16, le.AppendUint16(nil, v)
	case int32:
		return typeInt32, le.AppendUint32(nil, uint32(v))
	case uint32:
		return typeUint32, le.AppendUint32(nil, v)
	case int64:
		return typeInt64, le.AppendUint64(nil, uint64(v))
	case uint64:
		return typeUint64, le.AppendUint64(nil, v)
	case float64:
		return typeDouble, le.AppendUint64(nil, math.Float64bits(v))
	case string:
		return typeString, append(varlen(len(v)), v...)
	case opaque:
		return typeOpaque, append(append([]byte{v.columnType}, varlen(len(v.data))...), v.data...)
	case large:
		return buildContainer(v.container, true)
	}
	return buildContainer(v, false)
}

func varlen(n int) []byte {
	var b []byte
	for ; n > 0x7f; n >>= 7 {
		b = append(b, byte(n)|0x80)
	}
	return append(b, byte(n))
}

func buildContainer(v any, big bool) (typ byte, body []byte) {
	word := func(dst []byte, n int) []byte {
		if big {
			return binary.LittleEndian.AppendUint32(dst, uint32(n))
		}
		if n > math.MaxUint16 {
			panic("not small")
		}
		return binary.LittleEndian.AppendUint16(dst, uint16(n))
	}
	width := len(word(nil, 0))
	var members object
	header := 2 * width
	switch v := v.(type) {
	case object:
		members = slices.Clone(v)
		slices.SortFunc(members, func(a, b member) int { return compareKeys([]byte(a.key), []byte(b.key)) })
		header += len(v) * (width + 2)
	case []any:
		typ = typeSmallArray
		for _, e := range v {
			members = append(members, member{value: e})
		}
	default:
		panic(v)
	}
	header += len(members) * (1 + width)
	if big {
		typ++
	}
	var keys, values, data []byte
	for _, m := range members {
		if typ <= typeLargeObject {
			keys = binary.LittleEndian.AppendUint16(word(keys, header+len(data)), uint16(len(m.key)))
			data = append(data, m.key...)
		}
	}
	for _, m := range members {
		t, b := buildValue(m.value)
		values = append(values, t)
		if t >= typeLiteral && t <= typeUint16 || big && t <= typeUint32 && t >= typeLiteral {
			values = append(append(values, b...), make([]byte, width-len(b))...)
			continue
		}
		values = word(values, header+len(data))
		data = append(data, b...)
	}
	body = word(word(nil, len(members)), header+len(data))
	return typ, slices.Concat(body, keys, values, data)
}

func TestBuild(t *testing.T) {
	want := unhex(t, "00 0100 2600 0b00 0100 02 0c00 61 0400 1a00 05 0100 0c 1000 0b 1200 04 0000 01 78 00000000 0000f83f")
	if got := build(object{{"a", []any{int16(1), "x", 1.5, nil}}}); string(got) != string(want) {
		t.Errorf("got  % x\nwant % x", got, want)
	}
}
