package sql

import (
	"binlens/decoder"
	"binlens/decoder/charset"
	"binlens/decoder/schema"
	"binlens/decoder/value"
	"math"
	"unicode/utf8"
)

// Table is what the rows of a table are written with.
type Table struct {
	name    []byte // quoted, with its schema
	columns []column
	key     []int  // of the columns that tell rows apart; nil where none is known
	Why     string // why its rows cannot be written; empty when they can
}

type column struct {
	m         *decoder.Column
	name      []byte // quoted
	typ       string // as SQL says; empty where none is known
	cs        charset.Charset
	pad       int      // bytes of a BINARY
	labels    [][]byte // of ENUM and SET, in UTF-8; nil where they are not known
	made      bool     // the server makes its value
	axisOrder bool     // geometries take the order of their axes as an option
}

// NewTable makes a Table of a table map, whose columns have names, and what SQL says of the table, which may be nil.
func NewTable(m *decoder.TableMap, known *schema.Table, f *decoder.FormatDescription) *Table {
	t := &Table{columns: make([]column, len(m.Columns))}
	t.name = schema.AppendName(append(schema.AppendName(nil, m.Schema), '.'), m.Table)
	family := charset.MySQL
	if f.Family == decoder.MariaDB {
		family = charset.MariaDB
	}
	for i := range m.Columns {
		c, mc := &t.columns[i], &m.Columns[i]
		c.m = mc
		c.name = schema.AppendName(nil, []byte(mc.Label(i)))
		c.made = mc.Type == value.TypedArray
		c.axisOrder = f.Family == decoder.MySQL && f.VersionNumber[0] >= 8
		if mc.Collation != 0 && mc.Collation <= math.MaxUint16 {
			c.cs = charset.CharsetOf(family, charset.ID(mc.Collation))
		}
		if mc.Type == value.String && c.cs == charset.Binary {
			c.pad = int(mc.Meta)
		}
		c.labels = labelsOf(mc.Labels, c.cs)
		if mc.Key {
			t.key = append(t.key, i)
		}
		if known != nil {
			c.know(&known.Columns[i], t)
		}
	}
	if known != nil {
		t.knowKey(m, known)
	}
	if !m.HasNames() {
		t.Why = "the names of the columns are not known: a schema would tell them"
	}
	return t
}

// knowKey takes over the key that SQL says a table has. Full metadata is never older than the rows: where it has a primary key
// that is the one, and where it has none SQL that says otherwise is of another time.
func (t *Table) knowKey(m *decoder.TableMap, known *schema.Table) {
	if m.Optional.Has(decoder.MetaColumnName) && (t.key != nil || known.HasPrimary()) {
		return
	}
	t.key = known.RowKey()
}

// know takes over what SQL says of a column.
func (c *column) know(k *schema.Column, t *Table) {
	c.typ = k.Type
	c.made = c.made || k.Generated()
	if k.RowTime {
		t.Why = "a table with system versioning is not written: its log has the history among the rows"
	}
}

// labelsOf gives the members of an ENUM or SET in UTF-8; nil when any of them is no text.
func labelsOf(labels [][]byte, cs charset.Charset) [][]byte {
	out := make([][]byte, len(labels))
	for i, l := range labels {
		ok := utf8.Valid(l)
		if out[i] = l; cs != charset.Unknown && cs != charset.Binary {
			out[i], ok = cs.AppendUTF8(nil, l)
		}
		if !ok {
			return nil
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// has says that an image has a value of each of the columns.
func has(cells []value.Value, columns []int) bool {
	for _, i := range columns {
		if i >= len(cells) || cells[i].Kind == value.KindNone {
			return false
		}
	}
	return true
}

// full says that an image has a value of every column that the server does not make.
func (t *Table) full(cells []value.Value) bool {
	for i := range t.columns {
		if !t.columns[i].made && (i >= len(cells) || cells[i].Kind == value.KindNone) {
			return false
		}
	}
	return true
}
