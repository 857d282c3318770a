package query

import (
	"binlens/decoder/schema"
	"math"
	"slices"
	"strconv"
	"strings"
)

// String returns the filter's text in its canonical form: the same filter when it is parsed again.
func (f *Filter) String() string {
	var dst []byte
	for i := range f.Terms {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = f.Terms[i].append(dst)
	}
	return string(dst)
}

func (t *Term) append(dst []byte) []byte {
	if t.Not {
		dst = append(dst, '-')
	}
	dst = append(dst, fieldNames[t.Field]...)
	if t.alone() {
		return dst
	}
	if t.Field != textField {
		dst = append(dst, ':')
	}
	for i := range t.Alts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = t.Alts[i].append(dst, t.Field)
	}
	return dst
}

// alone says that the term has no value.
func (t *Term) alone() bool {
	return t.Field == payloadField || t.Field == problemField && t.Alts[0].Name == ""
}

func (a *Alt) append(dst []byte, f Field) []byte {
	switch f {
	case textField:
		return appendText(dst, a.Name)
	case typeField, problemField:
		return append(dst, a.Name...)
	case tableField, schemaField:
		if len(a.Schema) > 0 {
			dst = a.Schema.append(dst)
		}
		if len(a.Schema) > 0 && len(a.Table) > 0 {
			dst = append(dst, '.')
		}
		return a.Table.append(dst)
	case timeField:
		return a.appendRange(dst, appendTime, "")
	case gtidField:
		return a.appendGTID(dst)
	case trxField:
		if a.Unit == UnitState {
			return append(dst, a.Name...)
		}
		return a.appendRange(dst, appendUint, unitNames[a.Unit])
	case rowField:
		return a.RowTest.append(dst)
	}
	return a.appendRange(dst, appendUint, "")
}

func appendUint(dst []byte, n uint64) []byte { return strconv.AppendUint(dst, n, 10) }

func (a *Alt) appendRange(dst []byte, number func([]byte, uint64) []byte, unit string) []byte {
	if a.Lo == a.Hi {
		return append(number(dst, a.Lo), unit...)
	}
	if a.Hi == math.MaxUint64 {
		return append(number(append(dst, ">="...), a.Lo), unit...)
	}
	if a.Lo == 0 {
		return append(number(append(dst, "<="...), a.Hi), unit...)
	}
	dst = append(append(number(dst, a.Lo), unit...), ".."...)
	return append(number(dst, a.Hi), unit...)
}

func (a *Alt) appendGTID(dst []byte) []byte {
	switch {
	case a.Source != nil:
		return a.Source.AppendText(dst)
	case a.Set != nil:
		return a.Set.AppendText(dst)
	}
	m := a.Maria
	dst = append(appendUint(dst, uint64(m.Domain)), '-')
	dst = append(appendUint(dst, uint64(m.Server)), '-')
	if dst = appendUint(dst, m.Lo); m.Hi == m.Lo {
		return dst
	}
	if dst = append(dst, ".."...); m.Hi == math.MaxUint64 {
		return dst
	}
	return appendUint(dst, m.Hi)
}

func (p Pattern) append(dst []byte) []byte {
	for i, piece := range p {
		if i > 0 {
			dst = append(dst, '*')
		}
		if piece != "" {
			dst = appendName(dst, piece)
		}
	}
	return dst
}

func (t *RowTest) append(dst []byte) []byte {
	dst = append(dst, imageNames[t.Image]...)
	if t.Place > 0 {
		dst = appendUint(append(dst, '@'), uint64(t.Place))
	} else {
		dst = appendName(dst, t.Column)
	}
	dst = append(dst, opNames[t.Op]...)
	for i, v := range t.Values {
		if i > 0 {
			dst = append(dst, ',')
		}
		if v.Null {
			dst = append(dst, "NULL"...)
		} else {
			dst = appendText(dst, v.Text)
		}
	}
	return dst
}

// appendName appends a name, in backticks where it is not plain.
func appendName(dst []byte, name string) []byte {
	if isPlain(name) && strings.IndexByte(name, '.') < 0 {
		return append(dst, name...)
	}
	return schema.AppendName(dst, []byte(name))
}

// appendText appends a text, in quotes where it is not plain.
func appendText(dst []byte, s string) []byte {
	if isPlain(s) {
		return append(dst, s...)
	}
	dst = append(dst, '"')
	for i := range len(s) {
		if s[i] == '"' || s[i] == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, s[i])
	}
	return append(dst, '"')
}

// isPlain says that a text cannot be taken for anything else.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := lower(s[i]); (c < 'a' || c > 'z') && !isDigit(c) && c != '_' && c != '.' && c < 0x80 && (c != '-' || i == 0) {
			return false
		}
	}
	return s != "" && lowerText(s) != "null" && !slices.Contains(fieldNames[:], lowerText(s))
}
