package schema

// alter reads what stands behind ALTER.
func (p *parser) alter() {
	p.acceptAny("ONLINE OFFLINE")
	p.accept("IGNORE")
	switch {
	case p.accept("TABLE"):
		p.accept("IF EXISTS")
		p.alterTable()
	case p.acceptAny("DATABASE SCHEMA"):
		if n, ok := p.name(); ok {
			p.databaseOptions(n, false)
		}
	}
}

func (p *parser) alterTable() {
	n, ok := p.tableName()
	if !ok {
		return
	}
	old := p.catalog.Lookup(n.schema, n.table, p.at)
	if old == nil {
		p.skipStatement() // of a table that nothing is known of
		return
	}
	a := &alteration{parser: p, t: old.clone(), to: n}
	if p.accept("WAIT") {
		p.skipNumber()
	}
	p.accept("NOWAIT")
	for p.tok.kind != end {
		if !a.clause() {
			p.catalog.set(n, nil, p.at) // what it has become is not known
			return
		}
		if p.tok.kind != end && p.up != "," {
			p.warn(p.shown() + " is skipped")
			p.skipClause()
		}
		if !p.accept(",") {
			break
		}
	}
	if a.to != n {
		p.catalog.set(n, nil, p.at)
	}
	p.catalog.set(a.to, a.t, p.at)
}

// alteration is one ALTER TABLE.
type alteration struct {
	*parser
	t  *Table
	to key
}

// clause applies one clause; false when it does not fit the table.
func (a *alteration) clause() bool {
	switch {
	case a.accept("ADD"):
		return a.add()
	case a.accept("DROP"):
		return a.dropWhat()
	case a.accept("CHANGE"):
		return a.replace(true)
	case a.accept("MODIFY"):
		return a.replace(false)
	case a.accept("RENAME"):
		return a.renameWhat()
	case a.accept("ALTER"):
		return a.alterColumn()
	case a.accept("CONVERT TO"):
		return a.convert()
	case a.accept("ORDER BY"):
		for a.tok.kind != end {
			a.advance()
		}
		return true
	case a.accept("PARTITION BY"):
		a.skipStatement()
		return true
	case a.tok.kind == word || a.tok.kind == end:
		a.options()
		return true
	}
	a.warn(a.shown() + " is skipped")
	a.skipClause()
	return true
}

// options reads table options and the clauses that change no column: ENGINE, ALGORITHM, FORCE, partitions.
func (a *alteration) options() {
	before := a.t.Charset
	a.tableOptions(a.t)
	if a.t.Charset == "" {
		a.t.Charset = before
	}
}

func (a *alteration) add() bool {
	if a.keyOrCheck(a.t) {
		return true
	}
	switch {
	case a.acceptAny("PARTITION"):
		a.skipStatement()
		return true
	case a.accept("SYSTEM VERSIONING"):
		a.t.Versioned = !a.t.hasRowStart()
		return true
	case a.accept("PERIOD"):
		a.skipClause()
		return true
	}
	a.accept("COLUMN")
	kept := a.accept("IF NOT EXISTS")
	if a.accept("(") {
		n := len(a.t.Columns)
		ok := a.definitions(a.t)
		for i := min(n, len(a.t.Columns)); i < len(a.t.Columns); i++ {
			a.t.Columns[i].settle(a.t)
		}
		return ok
	}
	c, ok := a.column(a.t)
	if !ok {
		return false
	}
	if a.t.Column(c.Name) >= 0 {
		_, ok = a.place(len(a.t.Columns))
		return kept && ok
	}
	return a.insert(c, len(a.t.Columns))
}

// place reads FIRST or AFTER.
func (a *alteration) place(otherwise int) (int, bool) {
	switch {
	case a.accept("FIRST"):
		return 0, true
	case a.accept("AFTER"):
		n, ok := a.name()
		i := a.t.Column(n)
		if !ok || i < 0 {
			a.warn("there is no column " + n)
			return 0, false
		}
		return i + 1, true
	}
	return otherwise, true
}

func (a *alteration) insert(c Column, otherwise int) bool {
	i, ok := a.place(otherwise)
	if !ok || len(a.t.Columns) >= maxColumns {
		return false
	}
	c.settle(a.t)
	a.t.Columns = append(a.t.Columns, Column{})
	copy(a.t.Columns[i+1:], a.t.Columns[i:])
	a.t.Columns[i] = c
	return true
}

func (a *alteration) dropWhat() bool {
	switch {
	case a.accept("PRIMARY KEY"):
		a.t.dropKey(primary)
		return true
	case a.accept("FOREIGN KEY"), a.accept("CHECK"), a.accept("PARTITION"), a.accept("PERIOD"):
		a.skipClause()
		return true
	case a.accept("SYSTEM VERSIONING"):
		a.t.Versioned = false
		return true
	case a.acceptAny("INDEX KEY CONSTRAINT"):
		a.accept("IF EXISTS")
		n, ok := a.name()
		a.t.dropKey(n)
		return ok
	}
	a.accept("COLUMN")
	maybe := a.accept("IF EXISTS")
	n, ok := a.name()
	a.acceptAny("RESTRICT CASCADE")
	i := a.t.Column(n)
	if !ok || i < 0 {
		if !maybe {
			a.warn("there is no column " + n)
		}
		return ok && maybe
	}
	a.t.Columns = append(a.t.Columns[:i], a.t.Columns[i+1:]...)
	a.t.dropColumnKeys(n)
	return true
}

// dropKey drops a key, and the columns that the server added for it.
func (t *Table) dropKey(name string) {
	kept := t.Columns[:0]
	for _, c := range t.Columns {
		if c.Hidden == "" || !equal(c.Hidden, name) {
			kept = append(kept, c)
		}
	}
	t.Columns = kept
	for i := range t.Keys {
		if equal(t.Keys[i].Name, name) {
			t.Keys = append(t.Keys[:i], t.Keys[i+1:]...)
			return
		}
	}
}

// dropColumnKeys takes a column out of the keys: those without columns are dropped. A unique key with a column less is none
// to tell rows by any more: the server makes sure of that, not this.
func (t *Table) dropColumnKeys(column string) {
	kept := t.Keys[:0]
	for _, k := range t.Keys {
		var names []string
		for _, n := range k.Columns {
			if !equal(n, column) {
				names = append(names, n)
			}
		}
		if len(k.Columns) > 0 && len(names) == 0 {
			continue
		}
		k.Columns = names
		kept = append(kept, k)
	}
	t.Keys = kept
}

func equal(a, b string) bool { return lower(a) == lower(b) }

// replace is CHANGE, with a new name, or MODIFY.
func (a *alteration) replace(named bool) bool {
	a.accept("COLUMN")
	maybe := a.accept("IF EXISTS")
	old := ""
	if named {
		var ok bool
		if old, ok = a.name(); !ok {
			return false
		}
	}
	c, ok := a.column(a.t)
	if !ok {
		return false
	}
	if !named {
		old = c.Name
	}
	i := a.t.Column(old)
	if i < 0 {
		a.warn("there is no column " + old)
		_, ok := a.place(0)
		return maybe && ok
	}
	a.t.renameInKeys(old, c.Name)
	if a.up != "FIRST" && a.up != "AFTER" {
		c.settle(a.t)
		a.t.Columns[i] = c
		a.keepNotNull()
		return true
	}
	a.t.Columns = append(a.t.Columns[:i], a.t.Columns[i+1:]...)
	ok = a.insert(c, i)
	a.keepNotNull()
	return ok
}

// keepNotNull: what is in the primary key cannot be NULL, whatever its definition leaves out.
func (a *alteration) keepNotNull() {
	for _, k := range a.t.Keys {
		for _, n := range k.Columns {
			if i := a.t.Column(n); i >= 0 && k.Name == primary {
				a.t.Columns[i].NotNull = true
			}
		}
	}
}

func (t *Table) renameInKeys(from, to string) {
	for i := range t.Keys {
		for j, n := range t.Keys[i].Columns {
			if equal(n, from) {
				t.Keys[i].Columns[j] = to
			}
		}
	}
}

func (a *alteration) renameWhat() bool {
	switch {
	case a.accept("COLUMN"):
		a.accept("IF EXISTS")
		from, ok := a.name()
		i := a.t.Column(from)
		if !ok || !a.accept("TO") || i < 0 {
			a.warn("the column to be renamed is not known")
			return false
		}
		to, ok := a.name()
		if ok {
			a.t.Columns[i].Name = to
			a.t.renameInKeys(from, to)
		}
		return ok
	case a.acceptAny("INDEX KEY"):
		a.accept("IF EXISTS")
		from, ok := a.name()
		if !ok || !a.accept("TO") {
			return false
		}
		to, ok := a.name()
		for i := range a.t.Keys {
			if equal(a.t.Keys[i].Name, from) {
				a.t.Keys[i].Name = to
			}
		}
		return ok
	}
	a.acceptAny("TO AS =")
	n, ok := a.tableName()
	a.to = n
	return ok
}

// alterColumn is ALTER COLUMN, of which only the visibility matters.
func (a *alteration) alterColumn() bool {
	if a.acceptAny("INDEX KEY CHECK CONSTRAINT") {
		a.skipClause()
		return true
	}
	a.accept("COLUMN")
	a.accept("IF EXISTS")
	n, ok := a.name()
	if i := a.t.Column(n); ok && i >= 0 {
		switch {
		case a.accept("SET INVISIBLE"):
			a.t.Columns[i].Invisible = true
		case a.accept("SET VISIBLE"):
			a.t.Columns[i].Invisible = false
		}
	}
	a.skipClause()
	return ok
}

// convert gives every column of text the character set.
func (a *alteration) convert() bool {
	if !a.accept("CHARACTER SET") && !a.acceptAny("CHARSET") {
		a.skipClause()
		return true
	}
	s, ok := a.option()
	a.t.Charset, a.t.Collation = s, ""
	if a.accept("COLLATE") {
		a.t.Collation, _ = a.option()
	}
	if s == "default" {
		a.t.Charset = a.catalog.database(a.to.schema, a.at)
	}
	for i := range a.t.Columns {
		if c := &a.t.Columns[i]; contains(textTypes, c.Type) && c.Type != "json" {
			c.Charset, c.Collation = "", ""
			c.settle(a.t)
		}
	}
	return ok
}
