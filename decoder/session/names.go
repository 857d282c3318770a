package session

import (
	"binlens/decoder"
	"binlens/decoder/charset"
	"binlens/decoder/schema"
	"binlens/decoder/value"
	"slices"
	"strconv"
)

// names finds the names of columns where table maps have none: in the DDL that stands in the log before the rows, and in
// a schema given by whoever asks.
type names struct {
	applied int // of the index's definitions, those that log knows
	log     schema.Catalog
	file    schema.Catalog
	files   int // how many texts file was made of
	maps    map[mapUse]*namedMap
}

// mapUse is a table map together with what SQL says of its table: one map may be that of several versions.
type mapUse struct {
	version   uint32
	log, file *schema.Table
}

// namedMap is a table map with the names that are known.
type namedMap struct {
	m      *decoder.TableMap
	table  *schema.Table // what SQL says of the table; nil when nothing does, or it does not fit
	source string
	bad    string // why what SQL says was not used
}

// AddSchema takes SQL text, such as mysqldump --no-data and SHOW CREATE TABLE give, for the names of columns that the log
// does not tell. A table that it has again replaces the one before. A filter begins anew, as it would by SetFilter.
func (s *Session) AddSchema(text []byte) []schema.Warning {
	n := &s.names
	n.files++
	clear(n.maps)
	warnings := n.file.Load("", text, 0)
	s.refilter()
	return warnings
}

// SchemaTables returns how many tables the schemas given have.
func (s *Session) SchemaTables() int { return s.names.file.Tables() }

// named gives the columns of a table map the names that hold at a row.
func (s *Session) named(version uint32, m *decoder.TableMap, ordinal int64) *namedMap {
	n := &s.names
	use := mapUse{version: version}
	if !s.mapNames && (len(s.Index().Definitions()) > 0 || n.files > 0) {
		s.applyDDL(ordinal)
		sch, table := string(m.Schema), string(m.Table)
		use.log = n.log.Lookup(sch, table, ordinal)
		if use.file = n.file.Lookup(sch, table, 0); use.file == nil {
			use.file = n.file.Lookup("", table, 0)
		}
	}
	if nm, ok := n.maps[use]; ok {
		return nm
	}
	if n.maps == nil {
		n.maps = map[mapUse]*namedMap{}
	}
	nm := s.nameColumns(m, use)
	n.maps[use] = nm
	return nm
}

func (s *Session) nameColumns(m *decoder.TableMap, use mapUse) *namedMap {
	nm := &namedMap{m: m, source: "none"}
	if m.HasNames() {
		nm.source = "metadata"
	}
	sources := [...]struct {
		table *schema.Table
		name  string
	}{{use.log, "ddl"}, {use.file, "file"}}
	for _, c := range sources {
		if c.table == nil {
			continue
		}
		t, why := c.table.Fits(m)
		switch {
		case why != "":
			where := "the schema given"
			if c.table == use.log {
				where = "the DDL in row " + strconv.FormatInt(c.table.At, 10)
			}
			if nm.bad == "" {
				nm.bad = where + " does not fit the table, and its names are not used: " + why
			}
		case !m.HasNames() || sameNames(m, t):
			nm.table, nm.bad = t, ""
			if !m.HasNames() {
				nm.source = c.name
			}
			nm.m = s.fillMap(m, t)
			return nm
		}
	}
	if m.HasNames() {
		nm.bad = "" // they are not needed
	}
	return nm
}

func sameNames(m *decoder.TableMap, t *schema.Table) bool {
	for i := range m.Columns {
		if t.Column(string(m.Columns[i].Name)) != i {
			return false
		}
	}
	return true
}

// fillMap returns the map with what the table says beyond it.
func (s *Session) fillMap(m *decoder.TableMap, t *schema.Table) *decoder.TableMap {
	n := *m
	n.Columns = slices.Clone(m.Columns)
	for i := range n.Columns {
		c, tc := &n.Columns[i], &t.Columns[i]
		if c.Name == nil {
			c.Name = []byte(tc.Name)
		}
		if c.Type.Numeric() && c.Type != value.Year && !c.SignKnown {
			c.Unsigned, c.SignKnown = tc.Unsigned, true
		}
		if !m.Optional.Has(decoder.MetaVisibility) {
			c.Invisible = tc.Invisible
		}
		if c.Type.EnumOrSet() {
			fillLabels(c, tc)
		} else if c.Collation == 0 && tc.Charset != "" && c.Type != value.Geometry {
			c.Collation = s.collationOf(tc)
		}
	}
	if !m.HasNames() { // else it is full metadata, which has the key as well, if there is one
		fillKey(n.Columns, t)
	}
	return &n
}

// utf8Collation is utf8mb4_general_ci: the text of a statement is in UTF-8 here.
const utf8Collation = 45

func fillLabels(c *decoder.Column, tc *schema.Column) {
	if c.Labels != nil {
		return
	}
	c.Collation = utf8Collation
	for _, l := range tc.Labels {
		c.Labels = append(c.Labels, []byte(l))
	}
}

func fillKey(columns []decoder.Column, t *schema.Table) {
	for _, k := range t.Keys {
		for _, name := range k.Columns {
			if i := t.Column(name); k.Name == "PRIMARY" && i >= 0 {
				columns[i].Key = true
			}
		}
	}
}

// collationOf returns the number of the first collation that has the column's character set, 0 when the set is not known.
func (s *Session) collationOf(c *schema.Column) uint32 {
	cs := charset.ByName(c.Charset)
	if cs == charset.Unknown {
		return 0
	}
	f := familyOf(s.start.Format.Family)
	for id := charset.ID(1); id < 256; id++ {
		if charset.CharsetOf(f, id) == cs {
			return uint32(id)
		}
	}
	return 0
}

func familyOf(f decoder.Family) charset.Family {
	if f == decoder.MariaDB {
		return charset.MariaDB
	}
	return charset.MySQL
}

// noBackslashEscapes is the bit of the SQL mode.
const noBackslashEscapes = 1 << 20

// applyDDL makes the DDL that stands before a row known.
func (s *Session) applyDDL(ordinal int64) {
	n, ddl := &s.names, s.Index().Definitions()
	for n.applied < len(ddl) && ddl[n.applied] < ordinal {
		row := s.Index().Row(ddl[n.applied])
		n.applied++
		raw, err := s.copyRow(row, int(row.Size))
		if err != nil {
			continue // the row itself says so
		}
		f := s.formatOf(row)
		var h decoder.Header
		f.ParseHeader(raw, &h)
		sum := f.ChecksumLen()
		ev, bad := decoder.DecodeWhole(&decoder.Context{Format: f}, h, raw, sum, nil)
		if q, ok := ev.(*decoder.Query); ok && bad == nil && q.ErrorCode == 0 && schema.IsDDL(q.Text) {
			s.applyQuery(q, row.Ordinal, familyOf(f.Family))
		}
	}
}

func (s *Session) applyQuery(q *decoder.Query, ordinal int64, f charset.Family) {
	text := q.Text
	noBackslash := false
	if v := q.Var(decoder.StatusSQLMode); v != nil {
		noBackslash = v.Nums[0]&noBackslashEscapes != 0
	}
	if v := q.Var(decoder.StatusCharset); v != nil {
		if t, ok := charset.CharsetOf(f, charset.ID(v.Nums[0])).AppendUTF8(nil, text); ok {
			text = t
		}
		s.names.log.ServerCharset = charset.CharsetOf(f, charset.ID(v.Nums[2])).Name()
	}
	s.names.log.Apply(string(q.DB), text, ordinal, noBackslash)
}
