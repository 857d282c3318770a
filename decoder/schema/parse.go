package schema

import "strings"

// Warning is a clause that was skipped.
type Warning struct {
	Offset int // in the text, in bytes
	Reason string
}

// parser reads statements and applies them to a catalog.
type parser struct {
	lexer
	tok      token
	up       string // of a word, in capitals; of punctuation, itself
	db       string
	at       int64
	catalog  *Catalog
	warnings []Warning
}

func (p *parser) advance() {
	p.tok = p.next()
	p.up = ""
	if p.tok.kind == word || p.tok.kind == punct {
		p.up = upper(p.src[p.tok.at:p.tok.to])
	}
}

func upper(b []byte) string {
	u := make([]byte, len(b))
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		u[i] = c
	}
	return string(u)
}

// accept takes the words of a phrase, all of them or none.
func (p *parser) accept(phrase string) bool {
	first, rest, more := strings.Cut(phrase, " ")
	if p.up != first {
		return false
	}
	before := *p
	for p.advance(); more; p.advance() {
		if first, rest, more = strings.Cut(rest, " "); p.up != first {
			*p = before
			return false
		}
	}
	return true
}

// acceptAny takes one of the words.
func (p *parser) acceptAny(words string) bool {
	if p.up == "" || !contains(words, p.up) {
		return false
	}
	p.advance()
	return true
}

// contains says that word is one of words.
func contains(words, word string) bool {
	for more := true; more; {
		var w string
		if w, words, more = strings.Cut(words, " "); w == word {
			return true
		}
	}
	return false
}

func (p *parser) warn(reason string) {
	if len(p.warnings) < maxWarnings {
		p.warnings = append(p.warnings, Warning{p.tok.at, reason})
	}
}

const maxWarnings = 1000

// shown is the token as it stands in the text, cut short.
func (p *parser) shown() string {
	if p.tok.kind == end {
		return "the end of the statement"
	}
	return "`" + string(p.src[p.tok.at:min(p.tok.to, p.tok.at+40)]) + "`"
}

// name takes a name.
func (p *parser) name() (string, bool) {
	switch p.tok.kind {
	case word, quoted, double, number:
		n := p.unquote(p.tok)
		p.advance()
		return n, true
	}
	p.warn("a name is expected, not " + p.shown())
	return "", false
}

// tableName takes a name with or without that of its database.
func (p *parser) tableName() (n key, ok bool) {
	if n.table, ok = p.name(); !ok {
		return n, false
	}
	n.schema = p.db
	if p.accept(".") {
		n.schema = n.table
		n.table, ok = p.name()
	}
	return n, ok
}

// group passes over what stands in parentheses, if a parenthesis stands here.
func (p *parser) group() {
	if p.up != "(" {
		return
	}
	for depth := 0; p.tok.kind != end; {
		switch p.up {
		case "(":
			depth++
		case ")":
			depth--
		}
		if p.advance(); depth == 0 {
			return
		}
	}
}

// skipClause passes over everything up to a comma or parenthesis that ends a clause.
func (p *parser) skipClause() {
	for p.tok.kind != end && p.up != "," && p.up != ")" {
		if p.up == "(" {
			p.group()
		} else {
			p.advance()
		}
	}
}

func (p *parser) skipStatement() {
	for p.tok.kind != end {
		p.advance()
	}
}

// script reads all statements. DELIMITER is a line of the client's own.
func (p *parser) script() {
	for {
		p.statEnd = false
		before := p.pos
		p.advance()
		switch {
		case p.tok.kind == end && p.pos >= len(p.src) && p.tok.at >= len(p.src):
			return
		case p.up == "DELIMITER":
			p.delimiter()
			continue
		case p.up == "USE":
			p.advance()
			if n, ok := p.name(); ok {
				p.db = n
			}
		case p.up == "SET":
			p.setMode()
		default:
			p.statement()
		}
		p.skipStatement()
		if p.pos == before {
			return
		}
	}
}

// setMode finds out whether a script turns the meaning of backslashes off.
func (p *parser) setMode() {
	for p.tok.kind != end {
		if !p.accept("SQL_MODE") {
			p.advance()
			continue
		}
		p.accept(":")
		if p.accept("=") && p.tok.kind == text {
			p.raw = strings.Contains(upper([]byte(p.unquote(p.tok))), "NO_BACKSLASH_ESCAPES")
		}
	}
}

func (p *parser) delimiter() {
	for p.byteAt(p.pos) == ' ' || p.byteAt(p.pos) == '\t' {
		p.pos++
	}
	at := p.pos
	for p.byteAt(p.pos) > ' ' {
		p.pos++
	}
	if p.pos > at {
		p.delim = p.src[at:p.pos]
	}
}

// statement applies the statement that starts here, as far as it concerns tables.
func (p *parser) statement() {
	switch {
	case p.accept("CREATE"):
		p.create()
	case p.accept("ALTER"):
		p.alter()
	case p.accept("DROP"):
		p.drop()
	case p.accept("RENAME TABLE"), p.accept("RENAME TABLES"):
		p.rename()
	}
}

func (p *parser) create() {
	replace := p.accept("OR REPLACE")
	temporary := p.accept("TEMPORARY")
	unique := p.accept("UNIQUE")
	switch {
	case p.accept("TABLE"):
		if !temporary {
			p.createTable(replace)
		}
	case p.acceptAny("DATABASE SCHEMA"):
		kept := p.accept("IF NOT EXISTS")
		if n, ok := p.name(); ok {
			p.databaseOptions(n, kept)
		}
	case p.acceptAny("INDEX KEY"):
		p.createIndex(unique)
	}
}

// databaseOptions finds a database's character set. Without one it has the server's.
func (p *parser) databaseOptions(name string, kept bool) {
	t := Table{Charset: p.catalog.ServerCharset}
	p.tableOptions(&t)
	if old := p.catalog.database(name, p.at); old == "" || !kept {
		p.catalog.setDatabase(name, t.charset(), p.at)
	}
}

func (p *parser) createIndex(unique bool) {
	p.accept("IF NOT EXISTS")
	n, ok := p.name()
	if !ok {
		return
	}
	p.indexType()
	if !p.accept("ON") {
		p.warn("ON is expected, not " + p.shown())
		return
	}
	p.change(func(t *Table) bool {
		p.parts(t, Key{Name: n, Unique: unique})
		return true
	})
}

// change takes a table's name and gives the table a new version, unless f fails: then it is not known any more.
func (p *parser) change(f func(t *Table) bool) {
	n, ok := p.tableName()
	if !ok {
		return
	}
	old := p.catalog.Lookup(n.schema, n.table, p.at)
	if old == nil {
		p.skipStatement() // of a table that nothing is known of
		return
	}
	t := old.clone()
	if !f(t) {
		t = nil
	}
	p.catalog.set(n, t, p.at)
}

func (p *parser) drop() {
	p.accept("TEMPORARY")
	switch {
	case p.acceptAny("TABLE TABLES"):
		p.accept("IF EXISTS")
		for {
			n, ok := p.tableName()
			if !ok {
				return
			}
			p.catalog.set(n, nil, p.at)
			if !p.accept(",") {
				return
			}
		}
	case p.acceptAny("DATABASE SCHEMA"):
		p.accept("IF EXISTS")
		if n, ok := p.name(); ok {
			p.catalog.dropDatabase(n, p.at)
		}
	case p.accept("INDEX"):
		p.accept("IF EXISTS")
		n, ok := p.name()
		if ok && p.accept("ON") {
			p.change(func(t *Table) bool { t.dropKey(n); return true })
		}
	}
}

// rename applies the renamings one after the other: they may swap two tables.
func (p *parser) rename() {
	p.accept("IF EXISTS")
	for {
		from, ok := p.tableName()
		if !ok {
			return
		}
		for p.acceptAny("WAIT NOWAIT") || p.tok.kind == number {
			p.skipNumber()
		}
		if !p.accept("TO") {
			p.warn("TO is expected, not " + p.shown())
			return
		}
		to, ok := p.tableName()
		if !ok {
			return
		}
		p.catalog.rename(from, to, p.at)
		if !p.accept(",") {
			return
		}
	}
}

func (p *parser) skipNumber() {
	if p.tok.kind == number {
		p.advance()
	}
}
