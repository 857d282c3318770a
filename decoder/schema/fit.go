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

// fits says that a column of a table map may be this one.
func (c *Column) fits(m *decoder.Column) bool {
	name := typeOf(m.Type)
	switch {
	case c.Hidden != "" || name == "":
		return true
	case strings.HasSuffix(c.Type, "blob"), strings.HasSuffix(c.Type, "text"), c.Type == "xmltype":
		return name == "blob"
	case !contains(wireNames, c.Type):
		return true // a type that is not known here
	}
	have := lookUp(alsoAs, c.Type)
	switch {
	case have == "json" && name == "blob", have == "vector" && name == "varchar", have == "double" && name == "float": // MariaDB, REAL_AS_FLOAT
		return true
	}
	return have == name && c.fitsMeta(m)
}

// wireNames are the types that a table map has names of its own for. alsoAs are those that stand in one as others do.
const (
	wireNames = "tinyint smallint mediumint int bigint float double decimal bit year date time datetime timestamp char binary varchar " +
		"varbinary json enum set geometry vector inet4 inet6 uuid"
	alsoAs = "binary=char inet4=char inet6=char uuid=char varbinary=varchar"
)

// typeOf names the type of a column of a table map as SQL does, one name for all that are alike there; empty for others.
func typeOf(t value.Type) string {
	switch t {
	case value.Tiny:
		return "tinyint"
	case value.Short:
		return "smallint"
	case value.Int24:
		return "mediumint"
	case value.Long:
		return "int"
	case value.LongLong:
		return "bigint"
	case value.Float:
		return "float"
	case value.Double:
		return "double"
	case value.NewDecimal, value.Decimal:
		return "decimal"
	case value.Bit:
		return "bit"
	case value.Year:
		return "year"
	case value.Date, value.NewDate:
		return "date"
	case value.Time, value.Time2:
		return "time"
	case value.Datetime, value.Datetime2:
		return "datetime"
	case value.Timestamp, value.Timestamp2:
		return "timestamp"
	case value.String:
		return "char"
	case value.Varchar, value.VarString, value.VarcharCompressed:
		return "varchar"
	case value.Blob, value.BlobCompressed:
		return "blob"
	case value.JSON:
		return "json"
	case value.Enum:
		return "enum"
	case value.Set:
		return "set"
	case value.Geometry:
		return "geometry"
	case value.Vector:
		return "vector"
	}
	return ""
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
