package schema

import "strconv"

// createTable reads what stands behind CREATE TABLE.
func (p *parser) createTable(replace bool) {
	kept := p.accept("IF NOT EXISTS")
	n, ok := p.tableName()
	if !ok || kept && !replace && p.catalog.Lookup(n.schema, n.table, p.at) != nil {
		return
	}
	p.catalog.set(n, p.newTable(n), p.at)
}

// newTable returns nil where the columns are not all known.
func (p *parser) newTable(n key) *Table {
	if p.accept("LIKE") {
		return p.like()
	}
	t := &Table{Charset: p.catalog.database(n.schema, p.at)}
	if !p.accept("(") {
		p.warn("the columns of " + n.table + " are not in its statement")
		return nil
	}
	if p.accept("LIKE") {
		return p.like()
	}
	if !p.definitions(t) {
		return nil
	}
	p.tableOptions(t)
	if p.up == "SELECT" || p.up == "AS" || p.up == "WITH" || p.up == "(" || p.up == "TABLE" || p.up == "VALUES" {
		p.warn("more columns of " + n.table + " come from a query")
		return nil
	}
	t.hiddenLast()
	t.settle()
	return t
}

// hiddenLast puts the columns that the server adds behind those of the statement.
func (t *Table) hiddenLast() {
	var named, hidden []Column
	for _, c := range t.Columns {
		if c.Hidden != "" {
			hidden = append(hidden, c)
		} else {
			named = append(named, c)
		}
	}
	t.Columns = append(named, hidden...)
}

func (p *parser) like() *Table {
	n, ok := p.tableName()
	if !ok {
		return nil
	}
	if t := p.catalog.Lookup(n.schema, n.table, p.at); t != nil {
		return t.clone()
	}
	return nil
}

const (
	maxColumns = 4096 // of a table, the servers' limit
	maxKeys    = 128
)

// settle gives the columns of text that name no character set that of the table. In an ALTER it is called for each new
// column: what a table's default becomes later does not change those that are there.
func (t *Table) settle() {
	for i := range t.Columns {
		t.Columns[i].settle(t)
	}
}

func (c *Column) settle(t *Table) {
	switch {
	case c.Charset != "":
	case contains(binaryTypes, c.Type):
		c.Charset = "binary"
	case c.Type == "json":
		c.Charset = "utf8mb4" // MariaDB's is LONGTEXT
	case c.Collation != "":
		c.Charset = charsetOf("", c.Collation)
	case contains(textTypes, c.Type):
		c.Charset, c.Collation = t.charset(), t.Collation
	}
	if c.Charset == "binary" { // CHAR CHARACTER SET binary is BINARY, TEXT is BLOB
		c.Type = lookUp(bytesOf, c.Type)
	}
}

// definitions reads columns and keys up to the parenthesis that closes them.
func (p *parser) definitions(t *Table) bool {
	for {
		if !p.definition(t) {
			return false
		}
		if p.tok.kind != end && p.up != "," && p.up != ")" {
			p.warn(p.shown() + " is skipped")
			p.skipClause()
		}
		if p.accept(")") {
			return true
		}
		if !p.accept(",") {
			p.warn("the columns do not end")
			return false
		}
	}
}

func (p *parser) definition(t *Table) bool {
	if p.keyOrCheck(t) {
		return true
	}
	if p.accept("PERIOD FOR") {
		p.skipClause()
		return true
	}
	c, ok := p.column(t)
	if !ok {
		return false
	}
	switch {
	case t.Column(c.Name) >= 0:
		p.warn("column " + c.Name + " is there twice")
		return false
	case len(t.Columns) == maxColumns:
		p.warn("a table has at most 4096 columns")
		return false
	}
	t.Columns = append(t.Columns, c)
	return true
}

// keyOrCheck reads a key, a foreign key or a check, if one stands here.
func (p *parser) keyOrCheck(t *Table) bool {
	name := ""
	constraint := p.accept("CONSTRAINT")
	if constraint && p.up != "PRIMARY" && p.up != "UNIQUE" && p.up != "FOREIGN" && p.up != "CHECK" {
		p.accept("IF NOT EXISTS")
		name, _ = p.name()
	}
	switch {
	case p.accept("PRIMARY KEY"):
		p.key(t, Key{Name: primary, Unique: true})
	case p.accept("UNIQUE"):
		p.acceptAny("KEY INDEX")
		p.key(t, Key{Name: name, Unique: true})
	case p.acceptAny("FULLTEXT SPATIAL"):
		p.acceptAny("KEY INDEX")
		p.key(t, Key{})
	case p.accept("VECTOR KEY"), p.accept("VECTOR INDEX"), p.acceptAny("KEY INDEX"):
		p.key(t, Key{})
	case p.accept("FOREIGN KEY"), p.up == "CHECK":
		p.skipClause()
	default:
		return constraint
	}
	return true
}

// key reads name, type, columns and options of a key.
func (p *parser) key(t *Table, k Key) {
	p.accept("IF NOT EXISTS")
	p.indexType()
	if p.up != "(" {
		if n, ok := p.name(); ok && k.Name != primary {
			k.Name = n
		}
	}
	p.indexType()
	p.parts(t, k)
	p.skipClause()
}

func (p *parser) indexType() {
	if p.acceptAny("USING TYPE") {
		p.advance()
	}
}

// parts reads the columns of a key and adds it to the table. For an expression the server adds a column, and it is no key to
// tell rows by.
func (p *parser) parts(t *Table, k Key) {
	if !p.accept("(") {
		p.warn("the columns of a key are expected, not " + p.shown())
		return
	}
	expressions := 0
	for p.tok.kind != end {
		if p.up == "(" {
			p.group()
			expressions++
		} else if n, ok := p.name(); ok {
			k.Columns = append(k.Columns, n)
		} else {
			p.advance()
		}
		p.skipClause() // prefix length, ASC, DESC
		if !p.accept(",") {
			p.accept(")")
			break
		}
	}
	if k.Name == "" && len(k.Columns) > 0 {
		k.Name = k.Columns[0]
	}
	if expressions > 0 {
		k.Columns = nil
		t.addHidden(k.Name, expressions)
	}
	t.addKey(k)
}

// addHidden adds the columns behind a key over expressions.
func (t *Table) addHidden(keyName string, n int) {
	if keyName == "" {
		keyName = "functional_index"
	}
	for i := 0; i < n && len(t.Columns) < maxColumns; i++ {
		t.Columns = append(t.Columns, Column{Name: "!hidden!" + keyName + "!" + strconv.Itoa(i) + "!0", Virtual: true, Invisible: true, Hidden: keyName})
	}
}

func (t *Table) addKey(k Key) {
	if k.Name == primary {
		for _, n := range k.Columns {
			if i := t.Column(n); i >= 0 {
				t.Columns[i].NotNull = true
			}
		}
	}
	t.keep(k)
}

func (t *Table) keep(k Key) {
	if len(t.Keys) < maxKeys {
		t.Keys = append(t.Keys, k)
	}
}

// column reads a name, a type and what is said of the column.
func (p *parser) column(t *Table) (c Column, ok bool) {
	if c.Name, ok = p.name(); !ok {
		return c, false
	}
	if !p.columnType(&c, t) {
		return c, false
	}
	for p.tok.kind != end && p.up != "," && p.up != ")" && p.up != "FIRST" && p.up != "AFTER" {
		p.attribute(&c, t)
	}
	return c, true
}

// attribute reads one thing that is said of a column.
func (p *parser) attribute(c *Column, t *Table) {
	switch {
	case p.accept("UNSIGNED"), p.accept("ZEROFILL"):
		c.Unsigned = true
	case p.accept("CHARACTER SET"), p.accept("CHARSET"), p.accept("CHAR SET"):
		c.Charset, _ = p.option()
	case p.accept("COLLATE"):
		c.Collation, _ = p.option()
		if c.Charset == "" {
			c.Charset = charsetOf("", c.Collation)
		}
	case p.accept("ASCII"):
		c.Charset = "latin1"
	case p.accept("UNICODE"):
		c.Charset = "ucs2"
	case p.accept("BYTE"):
		c.Charset = "binary"
	case p.accept("NOT NULL"):
		c.NotNull = true
	case p.acceptAny("NULL SIGNED BINARY AUTO_INCREMENT VISIBLE ENABLE ENFORCED"), p.accept("NOT ENFORCED"):
	case p.accept("DEFAULT"):
		p.expression()
	case p.accept("ON UPDATE"):
		p.expression()
	case p.accept("PRIMARY"):
		p.accept("KEY")
		p.columnKey(c, t, primary)
	case p.accept("UNIQUE"):
		p.accept("KEY")
		p.columnKey(c, t, c.Name)
	case p.accept("KEY"):
		p.columnKey(c, t, primary)
	case p.accept("GENERATED ALWAYS AS"), p.accept("AS"):
		p.generated(c)
	case p.accept("INVISIBLE"):
		c.Invisible = true
	default:
		p.rareAttribute(c)
	}
}

func (p *parser) columnKey(c *Column, t *Table, name string) {
	if name == primary {
		c.NotNull = true
	}
	t.keep(Key{Name: name, Unique: true, Columns: []string{c.Name}})
}

func (p *parser) generated(c *Column) {
	if p.accept("ROW") { // START or END
		p.advance()
		c.Stored, c.RowTime = true, true
		return
	}
	p.group()
	if p.acceptAny("STORED PERSISTENT") {
		c.Stored = true
		return
	}
	p.accept("VIRTUAL")
	c.Virtual = true
}

func (p *parser) rareAttribute(c *Column) {
	switch {
	case p.accept("COMMENT"):
		p.advance()
	case p.accept("COMPRESSED"):
		c.Packed = true
		if p.accept("=") {
			p.advance()
		}
	case p.accept("REFERENCES"):
		p.references()
	case p.accept("CHECK"):
		p.group()
	case p.accept("CONSTRAINT"):
		if p.up != "CHECK" {
			p.advance()
		}
	case p.accept("WITH SYSTEM VERSIONING"), p.accept("WITHOUT SYSTEM VERSIONING"), p.accept("NOT SECONDARY"):
	case p.acceptAny("COLUMN_FORMAT STORAGE SRID ENGINE_ATTRIBUTE SECONDARY_ENGINE_ATTRIBUTE REF_SYSTEM_ID SERIAL"):
		p.accept("=")
		if !p.accept("DEFAULT VALUE") {
			p.advance()
		}
	default:
		p.warn(p.shown() + " is skipped")
		p.advance()
		p.group()
	}
}

func (p *parser) references() {
	p.tableName()
	p.group()
	for p.acceptAny("MATCH FULL PARTIAL SIMPLE ON DELETE UPDATE RESTRICT CASCADE NO ACTION") ||
		p.accept("SET NULL") || p.accept("SET DEFAULT") {
	}
}

// expression passes over a default: a literal, a function, or an expression in parentheses.
func (p *parser) expression() {
	for p.acceptAny("- + ! ~") {
	}
	if p.accept("NEXT VALUE FOR") || p.accept("PREVIOUS VALUE FOR") {
		p.tableName()
		return
	}
	named := p.tok.kind == word || p.tok.kind == number
	if p.up != "(" {
		p.advance()
	}
	if p.tok.kind == text || p.tok.kind == double { // _utf8mb4'…', DATE '…', and texts that follow each other
		for p.tok.kind == text || p.tok.kind == double {
			p.advance()
		}
		return
	}
	for named && p.accept(".") { // 1.5, and the function of a database
		p.advance()
	}
	p.group()
}

// option takes the value of an option, with or without an equals sign before it.
func (p *parser) option() (string, bool) {
	p.accept("=")
	if p.tok.kind == text {
		n := p.unquote(p.tok)
		p.advance()
		return lower(n), true
	}
	n, ok := p.name()
	return lower(n), ok
}

// tableOptions reads options up to the end of the clause, for the few that matter here.
func (p *parser) tableOptions(t *Table) {
	for p.tok.kind != end && p.up != "," {
		switch {
		case p.accept("CHARACTER SET"), p.accept("CHARSET"), p.accept("CHAR SET"):
			if s, ok := p.option(); ok && s != "default" {
				t.Charset, t.Collation = s, ""
			}
		case p.accept("COLLATE"):
			if s, ok := p.option(); ok && s != "default" {
				t.Collation = s
				t.Charset = charsetOf(t.Charset, s)
			}
		case p.accept("WITH SYSTEM VERSIONING"):
			t.Versioned = !t.hasRowStart()
		case p.accept("PARTITION BY"):
			p.skipPartitions()
		case p.up == "SELECT", p.up == "AS", p.up == "WITH", p.up == "TABLE", p.up == "VALUES":
			return
		case p.up == "(":
			p.group() // UNION=(a,b)
		default:
			p.advance()
		}
	}
}

// skipPartitions passes over PARTITION BY … up to a query, if one follows.
func (p *parser) skipPartitions() {
	for p.tok.kind != end && p.up != "SELECT" && p.up != "AS" {
		if p.up == "(" {
			p.group()
		} else {
			p.advance()
		}
	}
}

// hasRowStart says that the columns of a versioned table are named: the server adds none.
func (t *Table) hasRowStart() bool {
	for i := range t.Columns {
		if t.Columns[i].RowTime {
			return true
		}
	}
	return false
}
