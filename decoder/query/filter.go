package query

import (
	"binlens/decoder/gtid"
	"strings"
)

// Filter is a filter that was parsed: all its terms must hold.
type Filter struct{ Terms []Term }

// Term is one of them: any of its alternatives must hold, or with Not none.
type Term struct {
	Field      Field
	Not        bool
	Start, End int // bytes of the text
	Alts       []Alt
}

// Field is what a term is about.
type Field uint8

// The fields.
const (
	textField Field = iota
	typeField
	tableField
	schemaField
	timeField
	offsetField
	eventField
	gtidField
	serverField
	threadField
	sizeField
	trxField
	rowsField
	rowField
	problemField
	payloadField
	xidField
	numFields
)

// fieldNames are how terms are called; textField has no name.
var fieldNames = [numFields]string{typeField: "type", tableField: "table", schemaField: "schema", timeField: "time", offsetField: "offset", eventField: "event",
	gtidField: "gtid", serverField: "server", threadField: "thread", sizeField: "size", trxField: "trx", rowsField: "rows", rowField: "row", problemField: "problem",
	payloadField: "payload", xidField: "xid"}

// Alt is one alternative of a term. Which of its parts have a meaning depends on the term's field.
type Alt struct {
	Unit    Unit   // of a trx term: what Lo and Hi count
	Lo, Hi  uint64 // a range, both ends included: seconds UTC, bytes, ordinals, ids
	Name    string // text, word of a type, state of a transaction, kind of a problem
	Schema  Pattern
	Table   Pattern
	Set     *gtid.Set   // GTIDs of MySQL
	Source  *gtid.UUID  // any GTID of this source
	Maria   *MariaGTIDs // GTIDs of MariaDB
	RowTest *RowTest
}

// Unit is what a range of a trx term counts.
type Unit uint8

// The units. UnitState is for no range: Name has the state then.
const (
	UnitNumber Unit = iota // the transaction's own number
	UnitRows
	UnitBytes
	UnitSeconds
	UnitState
)

// unitNames are how units stand behind a number.
var unitNames = [...]string{UnitRows: "rows", UnitBytes: "B", UnitSeconds: "s", UnitState: ""}

// MariaGTIDs are GTIDs of one domain and server, sequence numbers Lo to Hi, both included.
type MariaGTIDs struct {
	Domain, Server uint32
	Lo, Hi         uint64
}

// Pattern is a name in which a star outside quotes stands for any text. Letters are compared without regard to the case of
// ASCII. An empty Pattern is for any name.
type Pattern []string // the pieces between the stars, in lower case

// match says that a name fits.
func (p Pattern) match(name string) bool {
	if len(p) == 0 {
		return true
	}
	name = lowerText(name)
	last := len(p) - 1
	if last == 0 {
		return name == p[0]
	}
	if len(name) < len(p[0])+len(p[last]) || name[:len(p[0])] != p[0] || name[len(name)-len(p[last]):] != p[last] {
		return false
	}
	name = name[len(p[0]) : len(name)-len(p[last])]
	for _, piece := range p[1:last] {
		i := strings.Index(name, piece)
		if i < 0 {
			return false
		}
		name = name[i+len(piece):]
	}
	return true
}

// RowTest is what a row must have: one of the values, in a column of one of its images.
type RowTest struct {
	Column string // its name, in lower case; empty where it is told by its place
	Place  int    // from 1
	Image  Image
	Op     Op
	Values []Literal
}

// Image says which image of a row is looked at.
type Image uint8

// The images.
const (
	Either Image = iota
	Before
	After
)

var imageNames = [...]string{"", "before.", "after."}

// Op compares a cell with values.
type Op uint8

// The comparisons. All but Ne hold when they hold for one of the values, Ne when the cell is none of them.
const (
	Changed Op = iota // the cell is not the same in both images; has no values
	Eq
	Ne
	Less
	LessEq
	Greater
	GreaterEq
	Contains
)

var opNames = [...]string{"", "=", "!=", "<", "<=", ">", ">=", "~"}

// Literal is a value as it was written.
type Literal struct {
	Text string
	Null bool
}
