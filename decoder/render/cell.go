package render

import (
	"binlens/decoder"
	"binlens/decoder/charset"
	"binlens/decoder/jsonb"
	"binlens/decoder/value"
	"binlens/decoder/wire"
	"encoding/binary"
	"math"
	"strconv"
	"unicode/utf8"
)

// Plans keeps what one event's rows need that the next one's need as well: for each table map what its columns need to be
// rendered, and the reader of the rows. The zero value is ready. Events that share a Plans are rendered one at a time.
type Plans struct {
	m  map[*decoder.TableMap]*plan
	rd decoder.RowReader
}

// reader returns a reader of the rows; one that the next call takes over, unless there are no plans.
func (p *Plans) reader(r *decoder.Rows) *decoder.RowReader {
	if p == nil {
		return r.Reader()
	}
	r.ReadBy(&p.rd)
	return &p.rd
}

// maxPlans bounds a Plans: more tables than that are planned again.
const maxPlans = 1024

type plan struct {
	columns []columnPlan
	members []value.Member // of the same columns: all that their plain cells need
}

// columnPlan is how the cells of one column are rendered.
type columnPlan struct {
	column *decoder.Column
	member *value.Member
	label  string          // the column's name, or @n
	cs     charset.Charset // Unknown when the table map does not say
	pad    int             // bytes that a BINARY column's value is padded back to; 0 for others
	labels [][]byte        // of ENUM and SET, as UTF-8; nil when unknown
}

// of returns the plan of a table map.
func (p *Plans) of(m *decoder.TableMap, e *Event) *plan {
	if p == nil {
		return newPlan(m, e)
	}
	if pl, ok := p.m[m]; ok {
		return pl
	}
	if p.m == nil || len(p.m) >= maxPlans {
		p.m = make(map[*decoder.TableMap]*plan)
	}
	pl := newPlan(m, e)
	p.m[m] = pl
	return pl
}

func newPlan(m *decoder.TableMap, e *Event) *plan {
	pl := &plan{columns: make([]columnPlan, len(m.Columns)), members: make([]value.Member, len(m.Columns))}
	for i := range m.Columns {
		c, cp, member := &m.Columns[i], &pl.columns[i], &pl.members[i]
		cp.column = c
		cp.label = c.Label(i)
		if !utf8.ValidString(cp.label) {
			cp.label = "0x" + string(appendHex(nil, c.Name))
		}
		cp.member = member
		member.SetKey(append(appendString([]byte{','}, cp.label), ':'))
		member.Meta, member.Unsigned = c.Meta, c.Unsigned
		if c.Collation != 0 && c.Collation <= math.MaxUint16 {
			cp.cs = charset.CharsetOf(e.family(), charset.ID(c.Collation))
		}
		if c.Type == value.String && cp.cs == charset.Binary {
			cp.pad = int(c.Meta)
		}
		cp.labels = decodeLabels(c.Labels, cp.cs)
		for _, l := range cp.labels {
			member.Labels = append(member.Labels, appendString(nil, l))
		}
		member.Bytes = cp.form()
	}
	return pl
}

// form is what plain cells of a text or binary column are.
func (p *columnPlan) form() value.Form {
	switch {
	case p.cs == charset.UTF8MB4, p.cs == charset.Unknown:
		return value.FormUTF8
	case p.cs == charset.Binary && p.pad == 0:
		return value.FormHex
	case p.cs.HasASCII():
		return value.FormASCII
	}
	return value.FormOther
}

// decodeLabels gives the members of an ENUM or SET in UTF-8; nil when any of them is not text.
func decodeLabels(labels [][]byte, cs charset.Charset) [][]byte {
	if labels == nil {
		return nil
	}
	out := make([][]byte, len(labels))
	for i, l := range labels {
		ok := utf8.Valid(l)
		if cs != charset.Unknown && cs != charset.Binary {
			out[i], ok = cs.AppendUTF8(nil, l)
		} else {
			out[i] = l
		}
		if !ok {
			return nil
		}
	}
	return out
}

// appendCell appends a cell as JSON. The trouble, if not nil, is why the value is not one that a server writes, or not read here.
func (p *columnPlan) appendCell(dst, raw []byte, v *value.Value) ([]byte, *trouble) {
	c := p.column
	switch v.Kind {
	case value.KindNull:
		return append(dst, "null"...), nil
	case value.KindInt:
		if c.Unsigned {
			return appendUint(dst, v.Bits), nil
		}
		n := v.Int64()
		if n > maxExact || n < -maxExact {
			return append(strconv.AppendInt(append(dst, '"'), n, 10), '"'), nil
		}
		if n < 0 {
			return value.AppendUint(append(dst, '-'), uint64(-n)), nil
		}
		return value.AppendUint(dst, uint64(n)), nil
	case value.KindFloat32, value.KindFloat64:
		if v.IsFinite() {
			return value.AppendText(dst, raw, c.Meta, c.Unsigned, v), nil
		}
	case value.KindDecimal:
		out, sound := value.AppendDecimal(append(dst, '"'), raw, c.Meta, v)
		if dst = append(out, '"'); sound {
			return dst, nil
		}
		return dst, doubt(raw, c.Meta, v)
	case value.KindEnum:
		switch {
		case v.Bits == 0:
			return append(dst, `""`...), nil
		case v.Bits <= uint64(len(p.member.Labels)):
			return append(dst, p.member.Labels[v.Bits-1]...), nil
		}
		return appendUint(dst, v.Bits), p.labelTrouble()
	case value.KindSet:
		if p.labels != nil && v.Bits>>min(len(p.labels), 63)>>max(0, len(p.labels)-63) == 0 || v.Bits == 0 {
			return p.appendSet(dst, v.Bits), nil
		}
		return appendUint(dst, v.Bits), p.labelTrouble()
	case value.KindBytes:
		return p.appendBytes(dst, value.Bytes(raw, v))
	case value.KindVector:
		return appendVector(dst, value.Bytes(raw, v))
	case value.KindJSON, value.KindArray:
		b := value.Bytes(raw, v)
		out, err := jsonb.AppendJSON(dst, b)
		return orHex(out, dst, b, err)
	case value.KindGeometry:
		b := value.Bytes(raw, v)
		out, err := value.AppendWKT(append(dst, '"'), b)
		return orHex(append(out, '"'), dst, b, err)
	case value.KindCompressed:
		b := value.Bytes(raw, v)
		plain, err := decoder.InflateColumn(b)
		if err != nil {
			return orHex(nil, dst, b, err)
		}
		dst, t := p.appendBytes(dst, plain)
		if t != nil {
			t.at = 0 // the byte at fault is none of the file's
		}
		return dst, t
	case value.KindJSONDiff:
		out, err := appendDiff(dst, value.Bytes(raw, v))
		return orHex(out, dst, value.Bytes(raw, v), err)
	}
	dst = append(value.AppendText(append(dst, '"'), raw, c.Meta, c.Unsigned, v), '"')
	if value.Sound(raw, c.Meta, v) {
		return dst, nil
	}
	return dst, doubt(raw, c.Meta, v)
}

// doubt is why no server has written a value; nil when there is nothing to say.
func doubt(raw []byte, meta uint16, v *value.Value) *trouble {
	if why := value.Doubt(raw, meta, v); why != "" {
		return &trouble{kind: wire.Corrupt, why: why}
	}
	return nil
}

// orHex is out, or after an error the bytes in hexadecimal behind what dst was.
func orHex(out, dst, b []byte, err *wire.Error) ([]byte, *trouble) {
	if err == nil {
		return out, nil
	}
	why := err.Msg
	if err.Path != "" {
		why += ", at " + err.Path
	}
	return appendHexObject(dst, b), &trouble{kind: err.Kind, why: why + ": shown in hexadecimal", at: int(err.Offset)}
}

// appendDiff appends what a partial update changes in a document, where the document itself is not known.
func appendDiff(dst, b []byte) ([]byte, *wire.Error) {
	diffs, err := readDiffs(b)
	if err != nil {
		return dst, err
	}
	out, err := jsonb.AppendDiffsJSON(append(dst, `{"diff":`...), diffs)
	if err != nil {
		return dst, err
	}
	return append(out, '}'), nil
}

func readDiffs(b []byte) ([]jsonb.Diff, *wire.Error) {
	c := wire.NewCursor(b, 0, nil)
	diffs := jsonb.ReadDiffs(&c, nil)
	return diffs, c.Fault()
}

// applyDiff appends the document that a partial update makes of the one before.
func applyDiff(dst, before, b []byte) ([]byte, *wire.Error) {
	diffs, err := readDiffs(b)
	if err != nil {
		return dst, err
	}
	tree, err := jsonb.Parse(before)
	if err == nil {
		if err = tree.Apply(diffs); err != nil {
			return dst, err
		}
		var out []byte
		if out, err = tree.AppendJSON(dst); err == nil {
			return out, nil
		}
	}
	at := *err // whose place is in the document before, not in the diffs
	at.Offset = 0
	return dst, &at
}

// trouble is what is wrong with a cell.
type trouble struct {
	kind wire.Kind
	why  string
	at   int // offset of the fault in the cell's data, for byte kinds
}

// labelTrouble is for a member that has no label: nothing is wrong while the labels are not known.
func (p *columnPlan) labelTrouble() *trouble {
	if p.labels != nil {
		return &trouble{kind: wire.Corrupt, why: "the table map has no such member"}
	}
	return nil
}

func (p *columnPlan) appendSet(dst []byte, mask uint64) []byte {
	joined := make([]byte, 0, 64)
	for i, l := range p.labels {
		if mask>>i&1 != 0 {
			if len(joined) > 0 {
				joined = append(joined, ',')
			}
			joined = append(joined, l...)
		}
	}
	return appendString(dst, joined)
}

// appendBytes appends the data of a text or binary column.
func (p *columnPlan) appendBytes(dst, b []byte) ([]byte, *trouble) {
	switch {
	case p.cs == charset.Binary:
		dst = appendHex(append(dst, `{"hex":"`...), b)
		for i := len(b); i < p.pad; i++ {
			dst = append(dst, "00"...)
		}
		return append(dst, `"}`...), nil
	case p.cs == charset.Unknown:
		return appendText(dst, b), nil
	case p.cs == charset.UTF8MB4:
		if utf8.Valid(b) {
			return appendString(dst, b), nil
		}
	default:
		if text, ok := p.cs.AppendUTF8(nil, b); ok {
			return appendString(dst, text), nil
		}
	}
	t := &trouble{kind: wire.Unsupported, why: "text in " + p.cs.Name() + " is not read yet: shown in hexadecimal"}
	if p.cs.Supported() {
		t.at = p.cs.FirstBad(b)
		t.kind, t.why = wire.Corrupt, "byte "+strconv.Itoa(t.at)+" of the text is no character of "+p.cs.Name()+": shown in hexadecimal"
	}
	return appendHexObject(dst, b), t
}

// appendVector appends float32 after float32 as a list of numbers.
func appendVector(dst, b []byte) ([]byte, *trouble) {
	if len(b)%4 != 0 {
		return appendHexObject(dst, b), &trouble{kind: wire.Corrupt, why: "a vector of " + strconv.Itoa(len(b)) + " bytes, which is no multiple of 4"}
	}
	start := len(dst)
	dst = append(dst, '[')
	for i := 0; i < len(b); i += 4 {
		v := value.Value{Kind: value.KindFloat32, Bits: uint64(binary.LittleEndian.Uint32(b[i:]))}
		if !v.IsFinite() {
			return appendHexObject(dst[:start], b), &trouble{kind: wire.Corrupt, at: i, why: "a vector with a value that is no finite number"}
		}
		dst = value.AppendText(comma(dst), b, 4, false, &v)
	}
	return append(dst, ']'), nil
}

// userVarValue returns the value of a user variable.
func userVarValue(v *decoder.UserVar, e *Event) content {
	switch {
	case v.Type == decoder.UserVarInt && len(v.Value) == 8:
		n := binary.LittleEndian.Uint64(v.Value)
		if v.Unsigned {
			c := content{b: strconv.AppendUint(nil, n, 10), note: "unsigned"}
			if n <= maxExact {
				c.form = formJSON
			}
			return c
		}
		if s := int64(n); s > maxExact || s < -maxExact {
			return content{b: strconv.AppendInt(nil, s, 10)}
		}
		return content{b: strconv.AppendInt(nil, int64(n), 10), form: formJSON}
	case v.Type == decoder.UserVarReal && len(v.Value) == 8:
		f := value.Value{Kind: value.KindFloat64, Bits: binary.LittleEndian.Uint64(v.Value)}
		if f.IsFinite() {
			return content{b: value.AppendText(nil, v.Value, 8, false, &f), form: formJSON}
		}
	case v.Type == decoder.UserVarDecimal:
		if b, ok := v.AppendNumber(nil); ok {
			return content{b: b, note: "decimal"}
		}
	case v.Type == decoder.UserVarString:
		if v.Charset <= math.MaxUint16 {
			cs := charset.CharsetOf(e.family(), charset.ID(v.Charset))
			if cs == charset.Binary {
				return content{b: v.Value, form: formHex}
			}
			return e.decodeText("value", v.Value, cs)
		}
	}
	return content{b: v.Value, form: formHex}
}
