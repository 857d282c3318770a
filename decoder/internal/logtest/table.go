package logtest

// Column is a column of a table map.
type Column struct {
	Type    byte
	Meta    []byte // its metadata, none for most types
	NotNull bool
}

// Col is a nullable column.
func Col(typ byte, meta ...byte) Column { return Column{Type: typ, Meta: meta} }

// Table is a TABLE_MAP_EVENT.
type Table struct {
	ID           uint64
	Flags        uint16
	Schema, Name string
	Columns      []Column
	Optional     []byte // optional metadata, raw; see TLV
	IDLen        int    // bytes of the id; 0 stands for 6
	NoMetadata   bool   // end after the types
	MetaExtra    []byte // bytes of metadata that no type accounts for
}

// Body builds it.
func (t Table) Body() []byte {
	var types, meta []byte
	var null []bool
	for _, c := range t.Columns {
		types, meta, null = append(types, c.Type), append(meta, c.Meta...), append(null, !c.NotNull)
	}
	b := Cat(UN(t.ID, idLen(t.IDLen)), U16(t.Flags), Text8(t.Schema), U8(0), Text8(t.Name), U8(0), Lenenc(uint64(len(types))), types)
	if t.NoMetadata {
		return b
	}
	meta = append(meta, t.MetaExtra...)
	return Cat(b, Lenenc(uint64(len(meta))), meta, BitsLSB(null...), t.Optional)
}

func idLen(n int) int {
	if n == 0 {
		return 6
	}
	return n
}

// TLV is a field of the optional metadata.
func TLV(code byte, value ...[]byte) []byte {
	v := Cat(value...)
	return Cat(U8(code), Lenenc(uint64(len(v))), v)
}

// Lenencs are several length-encoded integers.
func Lenencs(v ...uint64) []byte {
	var b []byte
	for _, x := range v {
		b = append(b, Lenenc(x)...)
	}
	return b
}

// Names are several texts behind their lengths.
func Names(s ...string) []byte {
	var b []byte
	for _, x := range s {
		b = append(b, LenencText(x)...)
	}
	return b
}

// Labels are the members of one ENUM or SET column.
func Labels(s ...string) []byte { return Cat(Lenenc(uint64(len(s))), Names(s...)) }

// Flags of a row event.
const StmtEnd = 1

// Rows is a row event. Before and After are present bitmaps; nil leaves them out.
type Rows struct {
	ID            uint64
	Flags         uint16
	V2            bool
	Extra         []byte // version 2: what follows extra_length
	Width         int
	Before, After []byte
	Data          []byte // the rows
	IDLen         int    // bytes of the id; 0 stands for 6
}

// Body builds it.
func (r Rows) Body() []byte {
	b := Cat(UN(r.ID, idLen(r.IDLen)), U16(r.Flags))
	if r.V2 {
		b = Cat(b, U16(uint16(2+len(r.Extra))), r.Extra)
	}
	return Cat(b, Lenenc(uint64(r.Width)), r.Before, r.After, r.Data)
}

// All is the bitmap in which n columns are present.
func All(n int) []byte {
	b := make([]bool, n)
	for i := range b {
		b[i] = true
	}
	return BitsLSB(b...)
}

// Image is one image of a row, of the cells that are present; a nil cell is NULL.
func Image(cells ...[]byte) []byte {
	var null []bool
	for _, c := range cells {
		null = append(null, c == nil)
	}
	return Cat(BitsLSB(null...), Cat(cells...))
}
