package schema

import "sort"

// Table is one version of a table.
type Table struct {
	Schema, Name string
	Columns      []Column
	Keys         []Key
	Charset      string // of the table, lower case; empty where neither it nor its database says
	Collation    string // likewise
	At           int64  // position of the statement that made this version
	Versioned    bool   // WITH SYSTEM VERSIONING and no columns named for it: the server adds two
}

// Column is a column of a table.
type Column struct {
	Name      string
	Type      string   // its name in lower case, one for all that mean the same: int, varchar, double
	Args      []int    // length, or precision and scale, or digits of a fraction
	Labels    []string // of ENUM and SET
	Charset   string   // of a column of text; "binary" of bytes; empty for others, and where nothing says
	Collation string
	Unsigned  bool
	NotNull   bool
	Invisible bool
	Virtual   bool   // a generated column that is not stored
	Stored    bool   // a generated column that is
	Hidden    string // the key over an expression that the server adds this column for; also Virtual
	RowTime   bool   // row start or row end of a versioned table; also Stored
	Packed    bool   // COMPRESSED
}

// Generated says that the server makes the column's value.
func (c *Column) Generated() bool { return c.Virtual || c.Stored }

// Key is the primary key or a unique key; others are kept for their names only.
type Key struct {
	Name    string // "PRIMARY" for the primary key
	Unique  bool
	Columns []string // empty where it has an expression
}

// Column returns the place of a column, -1 where the table has none of that name. Case does not matter.
func (t *Table) Column(name string) int {
	for i := range t.Columns {
		if equal(t.Columns[i].Name, name) {
			return i
		}
	}
	return -1
}

// RowKey returns the places of the columns that tell a row from all others: of the primary key, or else of the first unique
// key whose columns cannot be NULL. nil where there is none.
func (t *Table) RowKey() []int {
	var found []int
	for i := range t.Keys {
		k := &t.Keys[i]
		if !k.Unique || found != nil && k.Name != primary {
			continue
		}
		if places := t.places(k); places != nil {
			found = places
		}
	}
	return found
}

const primary = "PRIMARY"

// HasPrimary says that the table has a primary key.
func (t *Table) HasPrimary() bool {
	for i := range t.Keys {
		if t.Keys[i].Name == primary {
			return true
		}
	}
	return false
}

func (t *Table) places(k *Key) (places []int) {
	for _, name := range k.Columns {
		i := t.Column(name)
		if i < 0 || !t.Columns[i].NotNull && k.Name != primary {
			return nil
		}
		places = append(places, i)
	}
	return places
}

func (t *Table) clone() *Table {
	n := *t
	n.Columns = append([]Column(nil), t.Columns...)
	n.Keys = append([]Key(nil), t.Keys...)
	for i := range n.Keys {
		n.Keys[i].Columns = append([]string(nil), n.Keys[i].Columns...)
	}
	return &n
}

// charset is the character set that the table's text has.
func (t *Table) charset() string { return charsetOf(t.Charset, t.Collation) }

type key struct{ schema, table string }

// fold is for servers that do not tell case apart in names.
func (k key) fold() key { return key{lower(k.schema), lower(k.table)} }

type version struct {
	at    int64
	table *Table // nil: there is none, or nothing is known of it
}

type database struct {
	at      int64
	charset string
}

// Catalog keeps the versions of tables. The zero value is empty and ready.
type Catalog struct {
	ServerCharset string // what CREATE DATABASE takes where it does not say; may change between statements
	tables        map[key][]version
	folded        map[key]key
	databases     map[string][]database
	kept          int // columns of all versions
}

// maxKept is how many columns all versions may have together; of tables that change when there are more nothing is known
// from then on.
const maxKept = 1 << 22

// Apply applies one statement of a log at a position, which is not below those before. db is the database in use; noBackslash
// is the SQL mode NO_BACKSLASH_ESCAPES.
func (c *Catalog) Apply(db string, sql []byte, at int64, noBackslash bool) []Warning {
	p := parser{lexer: lexer{src: sql, raw: noBackslash, delim: []byte(";")}, db: db, at: at, catalog: c}
	p.advance()
	p.statement()
	return p.warnings
}

// Load applies a script, as mysqldump and SHOW CREATE TABLE give them, at a position.
func (c *Catalog) Load(db string, sql []byte, at int64) []Warning {
	p := parser{lexer: lexer{src: sql, delim: []byte(";")}, db: db, at: at, catalog: c}
	p.script()
	return p.warnings
}

// IsDDL says that a statement may be one that Apply looks at, by its beginning.
func IsDDL(sql []byte) bool {
	l := lexer{src: sql}
	l.skip()
	b := l.src[l.pos:]
	if len(b) < 4 {
		return false
	}
	switch string([]byte{b[0] &^ 0x20, b[1] &^ 0x20, b[2] &^ 0x20, b[3] &^ 0x20}) {
	case "CREA", "ALTE", "DROP", "RENA":
		return true
	}
	return false
}

// Lookup returns the version of a table at a position; nil where none is known.
func (c *Catalog) Lookup(schema, table string, at int64) *Table {
	k := key{schema, table}
	list, ok := c.tables[k]
	if !ok {
		list = c.tables[c.folded[k.fold()]]
	}
	i := sort.Search(len(list), func(i int) bool { return list[i].at > at })
	if i == 0 {
		return nil
	}
	return list[i-1].table
}

// Tables returns the number of tables that are or were known.
func (c *Catalog) Tables() int { return len(c.tables) }

func (c *Catalog) set(k key, t *Table, at int64) {
	if c.tables == nil {
		c.tables, c.folded = map[key][]version{}, map[key]key{}
	}
	if t == nil && c.tables[k] == nil {
		if other, ok := c.folded[k.fold()]; ok {
			k = other
		} else {
			return
		}
	}
	if t != nil {
		t.Schema, t.Name, t.At = k.schema, k.table, at
		if c.kept += len(t.Columns); c.kept > maxKept {
			t = nil
		}
	}
	list := c.tables[k]
	if n := len(list); n > 0 && list[n-1].at == at {
		if old := list[n-1].table; old != nil {
			c.kept -= len(old.Columns)
		}
		list = list[:n-1]
	}
	c.tables[k] = append(list, version{at, t})
	c.folded[k.fold()] = k
}

func (c *Catalog) rename(from, to key, at int64) {
	t := c.Lookup(from.schema, from.table, at)
	c.set(from, nil, at)
	if t != nil {
		t = t.clone()
	}
	c.set(to, t, at)
}

func (c *Catalog) dropDatabase(name string, at int64) {
	for k := range c.tables {
		if k.schema == name {
			c.set(k, nil, at)
		}
	}
	c.setDatabase(name, "", at)
}

func (c *Catalog) setDatabase(name, charset string, at int64) {
	if c.databases == nil {
		c.databases = map[string][]database{}
	}
	c.databases[name] = append(c.databases[name], database{at, charset})
}

// database returns the character set of a database, empty where none is known.
func (c *Catalog) database(name string, at int64) string {
	list := c.databases[name]
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].at <= at {
			return list[i].charset
		}
	}
	return ""
}
