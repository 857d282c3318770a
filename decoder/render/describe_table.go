package render

import (
	"binlens/decoder"
	"binlens/decoder/value"
	"strconv"
	"strings"
)

func describeTableMap(w *writer, m *decoder.TableMap, e *Event) {
	w.uint("table_id", m.TableID, "")
	w.flags("flags", uint64(m.Flags), tableMapFlags)
	w.rest(e, "post_header_extra")
	w.text("schema", m.Schema)
	w.text("table", m.Table)
	w.uint("column_count", uint64(len(m.Columns)), "")
	w.values("column_types", len(m.Columns),
		func(dst []byte, i int) []byte { return strconv.AppendUint(dst, uint64(m.Columns[i].Wire), 10) },
		func(i int) text {
			c := &m.Columns[i]
			return text{strconv.Itoa(int(c.Wire)), e.typeName(c) + columnName(c)}
		})
	if !m.HasMetadata {
		return
	}
	w.uint("metadata_length", uint64(e.spanLen("metadata")), "")
	describeMetadata(w, m, e)
	if len(m.Columns) > 0 {
		w.bytes("null_bits", e.span("null_bits"), nullableNote(m))
	}
	describeOptional(w, m, e)
	if signUnknown(m) {
		w.derived("signedness", func(dst []byte) []byte { return append(dst, `"unknown"`...) })
	}
}

func columnName(c *decoder.Column) string {
	if c.Name == nil {
		return ""
	}
	return " " + string(c.Name)
}

// signUnknown says that the map has numeric columns and does not say which of them are unsigned.
func signUnknown(m *decoder.TableMap) bool {
	for i := range m.Columns {
		if c := &m.Columns[i]; c.Type.Numeric() && c.Type != value.Year && !c.SignKnown {
			return true
		}
	}
	return false
}

// describeMetadata writes the metadata of each column in hexadecimal, null where its type has none; of an event that could
// not be read to its end, up to the last that was read.
func describeMetadata(w *writer, m *decoder.TableMap, e *Event) {
	n := len(m.Columns)
	for w.only != nil && n > 0 && !w.only[itemPath("metadata", n-1)] {
		n--
	}
	if n > 0 && e.spanLen("metadata") > 0 {
		only := w.only
		w.only = nil // which has no paths for the nulls
		w.values("metadata", n, func(dst []byte, i int) []byte {
			b := e.span(itemPath("metadata", i))
			if b == nil {
				return append(dst, "null"...)
			}
			return append(appendHex(append(dst, '"'), b), '"')
		}, func(i int) text {
			return text{showHex(e.span(itemPath("metadata", i))), e.typeName(&m.Columns[i])}
		})
		w.only = only
	}
	if b := e.span("metadata_extra"); b != nil {
		w.bytes("metadata_extra", b, "more than the types need")
	}
}

func nullableNote(m *decoder.TableMap) string {
	var b strings.Builder
	n := 0
	for i := range m.Columns {
		if m.Columns[i].Nullable {
			if n++; n <= 20 {
				b.WriteString(" " + m.Columns[i].Label(i))
			}
		}
	}
	switch {
	case n == 0:
		return "all columns are NOT NULL"
	case n > 20:
		return strconv.Itoa(n) + " columns may be NULL"
	}
	return "may be NULL:" + b.String()
}

func describeOptional(w *writer, m *decoder.TableMap, e *Event) {
	if m.OptionalErr != nil {
		w.bytes("optional_metadata", e.span("optional_metadata"), "malformed: none of it is used")
		return
	}
	if len(m.Optional) == 0 || !w.group("optional_metadata", "") {
		return
	}
	for i := range m.Optional {
		describeMetadataField(w, &m.Optional[i], e)
	}
	w.end()
}

func describeMetadataField(w *writer, f *decoder.MetadataField, e *Event) {
	name := f.Code.Name()
	collation := func(i int) string { return e.collation(f.Nums[i]) }
	if f.Bits != nil || f.Length == 0 {
		w.bytes(name, f.Bits, "")
		return
	}
	if !w.group(name, "") {
		return
	}
	w.uint("length", f.Length, "")
	switch f.Code {
	case decoder.MetaDefaultCharset, decoder.MetaEnumSetDefault:
		w.uint("default", f.Nums[0], collation(0))
		w.list("exceptions", (len(f.Nums)-1)/2, func(i int) {
			w.uint("index", f.Nums[2*i+1], "among the columns concerned")
			w.uint("collation", f.Nums[2*i+2], collation(2*i+2))
		})
	case decoder.MetaPrefixPrimaryKey:
		w.list("columns", len(f.Nums)/2, func(i int) {
			w.uint("column", f.Nums[2*i], "")
			w.uint("prefix", f.Nums[2*i+1], "characters, 0 is all")
		})
	case decoder.MetaSetValues, decoder.MetaEnumValues:
		w.list("values", len(f.Lists), func(i int) {
			w.uint("count", uint64(len(f.Lists[i])), "")
			w.texts("labels", f.Lists[i])
		})
	case decoder.MetaColumnName:
		w.texts("values", f.Texts)
	default:
		w.values("values", len(f.Nums), func(dst []byte, i int) []byte { return appendUint(dst, f.Nums[i]) }, func(i int) text {
			t := text{value: strconv.FormatUint(f.Nums[i], 10)}
			switch f.Code {
			case decoder.MetaColumnCharset, decoder.MetaEnumSetCharset:
				t.note = collation(i)
			case decoder.MetaGeometryType:
				if f.Nums[i] < uint64(len(geometryTypes)) {
					t.note = geometryTypes[f.Nums[i]]
				}
			}
			return t
		})
	}
	w.end()
}

func describeRows(w *writer, r *decoder.Rows, e *Event) {
	w.uint("table_id", r.TableID, e.tableName(r))
	if m := r.Map; m != nil {
		w.derived("schema", func(dst []byte) []byte { return appendText(dst, m.Schema) })
		w.derived("table", func(dst []byte) []byte { return appendText(dst, m.Table) })
		w.derived("names", func(dst []byte) []byte { return append(append(append(dst, '"'), e.namesSource(m)...), '"') })
		if len(r.Fitted) > 0 {
			w.derived("guessed", func(dst []byte) []byte { return e.appendFitted(dst, r) })
		}
	}
	w.flags("flags", uint64(r.Flags), rowsFlags)
	if r.V2 {
		w.uint("extra_length", uint64(r.ExtraLength), "itself included")
		if r.ExtraLength > 2 && w.group("extra", "") {
			w.list("info", len(r.Extra), func(i int) { describeExtra(w, &r.Extra[i], r.Op) })
			w.end()
		}
	}
	w.uint("width", r.Width, "columns")
	if r.Before != nil {
		w.bytes("columns_before", r.Before, presentNote(r.Before, r))
	}
	if r.After != nil {
		w.bytes("columns_after", r.After, presentNote(r.After, r))
	}
	if w.only == nil && !w.tree {
		w.b = appendKey(w.b, "rows")
		w.b = e.appendRows(w.b, r)
	}
}

func describeExtra(w *writer, x *decoder.ExtraInfo, op decoder.RowOp) {
	w.uint("kind", uint64(x.Kind), map[uint8]string{decoder.ExtraNDB: "NDB", decoder.ExtraPartition: "PARTITION"}[x.Kind])
	switch x.Kind {
	case decoder.ExtraNDB:
		w.uint("length", uint64(len(x.Data)+2), "itself and the format included")
		w.uint("format", uint64(x.Format), "")
		w.bytes("data", x.Data, "")
	case decoder.ExtraPartition:
		w.uint("partition_id", uint64(x.Partition), "")
		if x.HasSource {
			w.uint("source_partition_id", uint64(x.SourcePartition), "")
		}
	default:
		w.bytes("data", x.Data, "")
	}
}

// presentNote says which columns an image has.
func presentNote(bitmap []byte, r *decoder.Rows) string {
	n := 0
	for i := range int(r.Width) {
		n += int(bitmap[i>>3] >> (i & 7) & 1)
	}
	if n == int(r.Width) {
		return "all columns"
	}
	return strconv.Itoa(n) + " of " + strconv.FormatUint(r.Width, 10) + " columns"
}

func (e *Event) namesSource(m *decoder.TableMap) string {
	switch {
	case e.Names != "":
		return e.Names
	case m.HasNames():
		return "metadata"
	}
	return "none"
}
