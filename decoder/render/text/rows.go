package text

import (
	"binlens/decoder"
	"binlens/decoder/render"
	"binlens/decoder/schema"
	"binlens/decoder/value"
	"strconv"
)

func (w *Writer) tableMap(dst []byte, e *render.Event, m *decoder.TableMap) []byte {
	dst = appendTable(append(dst, "\tTable_map: "...), m)
	dst = strconv.AppendUint(append(dst, " mapped to number "...), m.TableID, 10)
	if w.maria {
		if m.Flags&decoder.TableMapHasTriggers != 0 {
			dst = append(dst, " (has triggers)"...)
		}
		return append(dst, '\n')
	}
	dst = append(dst, "\n# has_generated_invisible_primary_key="...)
	return append(dst, "01"[b2i(m.Flags&decoder.TableMapGeneratedPK != 0)], '\n')
}

func appendTable(dst []byte, m *decoder.TableMap) []byte {
	return schema.AppendName(append(schema.AppendName(dst, m.Schema), '.'), m.Table)
}

// rowsFlags are the flags of a row event that servers since 8.4 print.
var rowsFlags = [...]struct {
	bit  uint16
	name string
}{{decoder.RowsStmtEnd, " STMT_END_F"}, {decoder.RowsNoForeignKeyChecks, " NO_FOREIGN_KEY_CHECKS_F"}, {decoder.RowsRelaxedUniqueChecks, " RELAXED_UNIQUE_CHECKS_F"},
	{decoder.RowsCompleteRows, " COMPLETE_ROWS_F"}, {decoder.RowsUseSQLForeignKey, " USE_SQL_FOREIGN_KEY_F"}}

func (w *Writer) rowsHeader(dst []byte, e *render.Event, r *decoder.Rows) []byte {
	dst = append(append(append(dst, '\t'), w.rowsName(e, r)...), ": table id "...)
	dst = strconv.AppendUint(dst, r.TableID, 10)
	shown := uint16(decoder.RowsStmtEnd)
	if v := e.Format.VersionNumber; !w.maria && (v[0] > 8 || v[0] == 8 && v[1] >= 4) {
		shown = ^uint16(0)
	}
	if r.Flags&shown == 0 {
		return append(dst, '\n')
	}
	dst = append(dst, " flags:"...)
	for _, f := range rowsFlags {
		if r.Flags&shown&f.bit != 0 {
			dst = append(dst, f.name...)
		}
	}
	return append(dst, '\n')
}

func (w *Writer) rowsName(e *render.Event, r *decoder.Rows) string {
	name := map[decoder.RowOp]string{decoder.Insert: "Write_rows", decoder.Update: "Update_rows", decoder.Delete: "Delete_rows"}[r.Op]
	switch {
	case r.Partial:
		return "Update_rows_partial"
	case r.Inflated != nil || e.Header.Type >= decoder.WriteRowsCompressedV1 && e.Header.Type <= decoder.DeleteRowsCompressedType:
		return map[decoder.RowOp]string{decoder.Insert: "Write_compressed_rows", decoder.Update: "Update_compressed_rows", decoder.Delete: "Delete_compressed_rows"}[r.Op]
	case !r.V2 && !w.maria:
		return name + "_v1"
	}
	return name
}

// Rows prints the rows of a row event.
func (w *Writer) Rows(dst []byte, e *render.Event) []byte {
	r, ok := e.Event.(*decoder.Rows)
	if !ok || e.Bad != nil || r.Dummy {
		return dst
	}
	if r.Map == nil {
		dst = strconv.AppendUint(append(dst, "### Row event for unknown table #"...), r.TableID, 10)
		return append(dst, '\n')
	}
	rd := r.Reader()
	p := rowPrinter{raw: r.Event(e.Raw), m: r.Map, maria: w.maria}
	n := 0
	for ; rd.Next(); n++ {
		dst = p.row(p.extra(dst, r), r, rd)
	}
	if bad := rd.Err(); bad != nil {
		dst = comment(dst, "the rows cannot be read any further", bad.Msg)
	}
	w.rows += int64(n)
	return dst
}

// EndRows prints what stands behind the rows of a statement.
func (w *Writer) EndRows(dst []byte) []byte {
	n := w.rows
	if w.rows = 0; !w.maria {
		return dst
	}
	return append(strconv.AppendInt(append(dst, "# Number of rows: "...), n, 10), '\n')
}

// rowPrinter prints the rows of one event.
type rowPrinter struct {
	raw   []byte
	m     *decoder.TableMap
	maria bool
}

// extra prints what stands before each row about its partition.
func (p *rowPrinter) extra(dst []byte, r *decoder.Rows) []byte {
	for i := range r.Extra {
		x := &r.Extra[i]
		if x.Kind != decoder.ExtraPartition {
			continue
		}
		dst = append(dst, "### Extra row info for partitioning: "...)
		name := "partition: "
		if x.HasSource {
			dst = append(strconv.AppendUint(append(dst, "source_partition: "...), uint64(x.SourcePartition), 10), ' ')
			name = "target_partition: "
		}
		dst = append(strconv.AppendUint(append(dst, name...), uint64(x.Partition), 10), '\n')
	}
	return dst
}

func (p *rowPrinter) row(dst []byte, r *decoder.Rows, rd *decoder.RowReader) []byte {
	switch r.Op {
	case decoder.Insert:
		dst = append(appendTable(append(dst, "### INSERT INTO "...), p.m), '\n')
		return p.image(append(dst, "### SET\n"...), rd.After.Cells)
	case decoder.Delete:
		dst = append(appendTable(append(dst, "### DELETE FROM "...), p.m), '\n')
		return p.image(append(dst, "### WHERE\n"...), rd.Before.Cells)
	}
	dst = append(appendTable(append(dst, "### UPDATE "...), p.m), '\n')
	dst = p.image(append(dst, "### WHERE\n"...), rd.Before.Cells)
	return p.image(append(dst, "### SET\n"...), rd.After.Cells)
}

func (p *rowPrinter) image(dst []byte, cells []value.Value) []byte {
	for i := range cells {
		v := &cells[i]
		if v.Kind == value.KindNone {
			continue
		}
		dst = strconv.AppendInt(append(dst, "###   @"...), int64(i+1), 10)
		dst = p.value(append(dst, '='), i, v)
		dst = p.note(append(dst, " /* "...), &p.m.Columns[i], v)
		dst = append(dst, " */\n"...)
	}
	return dst
}
