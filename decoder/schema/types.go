package schema

import (
	"strconv"
	"strings"
)

// synonyms are the names of types that mean another one. Names that are not here mean themselves.
const synonyms = "bool=tinyint boolean=tinyint int1=tinyint int2=smallint int3=mediumint middleint=mediumint integer=int int4=int " +
	"int8=bigint serial=bigint float4=float float8=double real=double numeric=decimal dec=decimal fixed=decimal number=decimal " +
	"character=char nchar=char nvarchar=varchar varchar2=varchar varcharacter=varchar raw=varbinary clob=longtext long=mediumtext " +
	"geomcollection=geometry geometrycollection=geometry point=geometry linestring=geometry polygon=geometry multipoint=geometry " +
	"multilinestring=geometry multipolygon=geometry"

const (
	textTypes   = "char varchar tinytext text mediumtext longtext enum set json"
	binaryTypes = "binary varbinary tinyblob blob mediumblob longblob inet4 inet6 uuid vector geometry"
	bytesOf     = "char=binary varchar=varbinary tinytext=tinyblob text=blob mediumtext=mediumblob longtext=longblob"
)

// lookUp finds what a name means in a list of name=meaning; the name itself where the list does not have it.
func lookUp(list, name string) string {
	for more := true; more; {
		var entry string
		entry, list, more = strings.Cut(list, " ")
		if k, v, _ := strings.Cut(entry, "="); k == name {
			return v
		}
	}
	return name
}

// lower is s with the letters of ASCII in lower case: names that differ in others are different here.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// charsetOf is the character set that a collation belongs to: its name starts with it. Without a collation it is that given.
func charsetOf(charset, collation string) string {
	switch {
	case collation == "":
		return charset
	case strings.HasPrefix(collation, "uca1400"):
		return charset // one collation for several sets
	case collation == "binary":
		return collation
	}
	name, _, _ := strings.Cut(collation, "_")
	return name
}

// columnType reads a type with its arguments.
func (p *parser) columnType(c *Column, t *Table) bool {
	national := p.accept("NATIONAL")
	if p.tok.kind != word {
		p.warn("a type is expected, not " + p.shown())
		return false
	}
	name := lower(p.up)
	if p.advance(); p.accept(".") && p.tok.kind == word { // mariadb_schema.date
		name = lower(p.up)
		p.advance()
	}
	national = national || name == "nchar" || name == "nvarchar"
	if name == "serial" {
		c.Unsigned, c.NotNull = true, true
		t.keep(Key{Name: c.Name, Unique: true, Columns: []string{c.Name}})
	}
	varying := p.acceptAny("VARYING VARCHAR VARCHARACTER") // LONG VARCHAR, CHAR VARYING
	c.Type = lookUp(synonyms, name)
	switch {
	case varying && c.Type == "char":
		c.Type = "varchar"
	case name == "long" && p.accept("VARBINARY"):
		c.Type = "mediumblob"
	case name == "double":
		p.accept("PRECISION")
	}
	if national {
		c.Charset = "utf8mb3"
	}
	p.arguments(c)
	c.byArguments(name)
	return true
}

// arguments reads what stands in parentheses behind a type.
func (p *parser) arguments(c *Column) {
	if !p.accept("(") {
		return
	}
	for p.tok.kind != end && p.up != ")" {
		switch p.tok.kind {
		case text, double:
			c.Labels = append(c.Labels, trimRight(p.unquote(p.tok)))
		case number:
			n, _ := strconv.Atoi(string(p.src[p.tok.at:p.tok.to]))
			c.Args = append(c.Args, n)
		}
		p.advance()
	}
	p.accept(")")
}

// trimRight: members lose the spaces at their end.
func trimRight(s string) string { return strings.TrimRight(s, " ") }

// byArguments finds the types that depend on what stands in parentheses: FLOAT(30) is DOUBLE, TEXT(n) is the smallest that
// holds n characters.
func (c *Column) byArguments(name string) {
	if c.Type == "float" && len(c.Args) == 1 && c.Args[0] > 24 {
		c.Type = "double"
	}
	if (name == "text" || name == "blob") && len(c.Args) == 1 {
		switch n := c.Args[0]; {
		case n < 1<<8:
			c.Type = "tiny" + name
		case n < 1<<16:
		case n < 1<<24:
			c.Type = "medium" + name
		default:
			c.Type = "long" + name
		}
	}
	if c.Type == "json" && name == "json" {
		c.Args = nil
	}
}
