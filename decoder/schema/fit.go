package schema

import (
	"binlens/decoder"
	"binlens/decoder/value"
	"strconv"
	"strings"
)

// Fits compares the table with a table map of its rows: the number of columns, and the type of each as far as the map tells
// it. It returns the table with a column for each of the map's, those that the server adds included, or why it does not fit.
func (t *Table) Fits(m *decoder.TableMap) (*Table, string) {
	t = t.with(m)
	if len(t.Columns) != len(m.Columns) {
		return nil, strconv.Itoa(len(t.Columns)) + " columns, the table map has " + strconv.Itoa(len(m.Columns))
	}
	for i := range t.Columns {
		c, mc := &t.Columns[i], &m.Columns[i]
		if !c.fits(mc) {
			have := value.AppendTypeName(nil, mc.Type, mc.Meta, value.Traits{})
			return nil, "column " + strconv.Itoa(i+1) + " `" + c.Name + "` is " + c.Type + ", the table map has " + string(have)
		}
	}
	return t, ""
}

// with returns the table with the columns that a table map of it has: a generated primary key, row start and row end of a
// versioned table, which no statement names; and without those behind keys over expressions where the map leaves them out,
// as servers since 8.0.18 do.
func (t *Table) with(m *decoder.TableMap) *Table {
	missing := len(m.Columns) - len(t.Columns)
	pk := m.Flags&decoder.TableMapGeneratedPK != 0 && t.Column("my_row_id") < 0
	if missing == 0 && !pk {
		return t
	}
	n := t.clone()
	if pk {
		n.Columns = append([]Column{{Name: "my_row_id", Type: "bigint", Unsigned: true, NotNull: true, Invisible: true}}, n.Columns...)
		n.keep(Key{Name: primary, Unique: true, Columns: []string{"my_row_id"}})
		missing--
	}
	if n.Versioned && missing >= 2 {
		for _, name := range [2]string{"row_start", "row_end"} {
			n.Columns = append(n.Columns, Column{Name: name, Type: "timestamp", Args: []int{6}, NotNull: true, Invisible: true, Stored: true, RowTime: true})
		}
	}
	if missing < 0 {
		kept := n.Columns[:0]
		for _, c := range n.Columns {
			if c.Hidden == "" {
				kept = append(kept, c)
			}
		}
		n.Columns = kept
	}
	return n
}

// wireTypes are the types of a table map that a type of SQL may have there.
var wireTypes = map[string][]value.Type{
	"tinyint": {value.Tiny}, "smallint": {value.Short}, "mediumint": {value.Int24}, "int": {value.Long}, "bigint": {value.LongLong},
	"float": {value.Float}, "double": {value.Double, value.Float}, "decimal": {value.NewDecimal, value.Decimal}, "bit": {value.Bit}, "year": {value.Year},
	"date": {value.Date, value.NewDate}, "time": {value.Time, value.Time2}, "datetime": {value.Datetime, value.Datetime2},
	"timestamp": {value.Timestamp, value.Timestamp2}, "char": {value.String}, "binary": {value.String}, "inet4": {value.String},
	"inet6": {value.String}, "uuid": {value.String}, "varchar": {value.Varchar, value.VarString, value.VarcharCompressed},
	"varbinary": {value.Varchar, value.VarString, value.VarcharCompressed}, "json": {value.JSON, value.Blob}, "enum": {value.Enum},
	"set": {value.Set}, "geometry": {value.Geometry}, "vector": {value.Vector, value.Varchar}, "xmltype": {value.Blob},
}

func (c *Column) fits(m *decoder.Column) bool {
	types, ok := wireTypes[c.Type]
	if strings.HasSuffix(c.Type, "blob") || strings.HasSuffix(c.Type, "text") {
		return m.Type == value.Blob || m.Type == value.BlobCompressed
	}
	if !ok {
		return true // a type that is not known, and hidden columns
	}
	for _, t := range types {
		if t == m.Type {
			return c.fitsMeta(m)
		}
	}
	return false
}

// fitsMeta compares what the metadata says beyond the type: precision and scale, digits of a fraction.
func (c *Column) fitsMeta(m *decoder.Column) bool {
	arg := func(i, otherwise int) uint16 {
		if i < len(c.Args) {
			return uint16(c.Args[i])
		}
		return uint16(otherwise)
	}
	switch m.Type {
	case value.NewDecimal:
		p := arg(0, 10)
		if p == 0 {
			p = 10
		}
		return m.Meta == p<<8|arg(1, 0)
	case value.Time2, value.Datetime2, value.Timestamp2:
		return m.Meta == arg(0, 0)
	}
	return true
}
