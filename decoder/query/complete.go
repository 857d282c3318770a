package query

import (
	"binlens/decoder"
	"strings"
)

// Completion is what may stand at a place of a filter's text.
type Completion struct {
	Start, End int    // bytes of the text that it takes the place of
	Text       string // what to put there
	Note       string // what it means; may be empty
}

// Limits of Complete.
const (
	maxCompletions = 50
	maxVersions    = 4096 // of table maps that are looked at
)

// fieldNotes say what a term is for.
var fieldNotes = [numFields]string{
	typeField: "type or class: update, ddl, gtid, XID_EVENT", tableField: "shop.orders, shop.*, orders", schemaField: "shop",
	timeField: "2026-01-02T03:04..03:10, UTC", offsetField: "place in the file: 4711, 1000..2000", eventField: "row of the list: 0..99",
	gtidField: "uuid:1-99 or 0-1-100", serverField: "server id", threadField: "connection", sizeField: ">1MB",
	trxField: "number, >1000rows, >5MB, >30s, open", rowsField: ">100 rows in the event", rowField: "id=42, status~paid, status (changed)",
	problemField: "with a problem", payloadField: "inside compressed transactions", xidField: "number of an XID_EVENT"}

// Complete lists what may stand at the cursor, a byte offset in the text, at most 50 of them.
func Complete(text string, cursor int, src Source) []Completion {
	text = text[:max(min(cursor, len(text)), 0)]
	w := lastWord(text)
	w.end = len(text)
	if w.has("-", 0) {
		w = w.from(1)
	}
	c := completer{end: len(text), src: src}
	colon := w.fieldEnd()
	if colon == 0 {
		if !w.quoted() {
			c.fields(w)
		}
		return c.list
	}
	value := w.from(colon + 1)
	parts := value.split()
	c.values(fieldOf(w.to(colon).String()), parts[len(parts)-1], text)
	return c.list
}

// lastWord returns the word that text ends in, be it empty or with a quote that is not closed.
func lastWord(text string) (w word) {
	for at := 0; ; at = w.end {
		for at < len(text) && isSpace(text[at]) {
			at++
		}
		next, bad := nextWord(text, at)
		if w = next; bad != nil || w.end == len(text) {
			return w
		}
	}
}

type completer struct {
	list       []Completion
	start, end int
	prefix     string // in lower case
	src        Source
	seen       map[string]bool
}

// begin takes what is there of the value.
func (c *completer) begin(w word) {
	c.start, c.prefix = w.start, lowerText(w.String())
}

// offer adds a text when it begins with what is there, or one of its parts behind a point does.
func (c *completer) offer(name, text, note string) {
	name = lowerText(name)
	if len(c.list) == maxCompletions || c.seen[text] || !strings.HasPrefix(name, c.prefix) && !strings.Contains(name, "."+c.prefix) {
		return
	}
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	c.seen[text] = true
	c.list = append(c.list, Completion{c.start, c.end, text, note})
}

func (c *completer) fields(w word) {
	c.begin(w)
	for f := typeField; f < numFields; f++ {
		name := fieldNames[f]
		if f == problemField || f == payloadField {
			c.offer(name, name, fieldNotes[f])
			continue
		}
		c.offer(name, name+":", fieldNotes[f])
	}
}

func (c *completer) values(f Field, w word, text string) {
	c.begin(w)
	switch f {
	case typeField:
		c.words(classWords)
		for code := range 256 {
			if t := decoder.Type(code); t.Known() {
				c.offer(t.String(), lowerText(t.String()), "")
			}
		}
	case trxField:
		c.words(trxStates)
	case problemField:
		c.words(problemKinds)
	case tableField, schemaField:
		c.tables(func(t *decoder.TableMap) {
			schema := string(appendName(nil, string(t.Schema)))
			if f == schemaField {
				c.offer(string(t.Schema), schema, "")
				return
			}
			c.offer(string(t.Schema)+"."+string(t.Table), schema+"."+string(appendName(nil, string(t.Table))), "")
		})
	case rowField:
		c.columns(w, text)
	}
}

func (c *completer) words(words []string) {
	for _, w := range words {
		c.offer(w, w, "")
	}
}

// tables calls f for the tables seen in the log.
func (c *completer) tables(f func(*decoder.TableMap)) {
	for v := range min(c.src.Index().TableVersions(), maxVersions) {
		if t := c.src.Table(uint32(v + 1)); t != nil {
			f(t)
		}
	}
}

// columns offers the columns of the tables that the filter names, or of all.
func (c *completer) columns(w word, text string) {
	if at, _, _ := w.findOp(); at >= 0 {
		return
	}
	for image := Before; image <= After; image++ {
		if name := imageNames[image]; w.has(name, 0) {
			c.begin(w.from(len(name)))
		}
	}
	named := tableTerms(text[:w.start])
	c.tables(func(t *decoder.TableMap) {
		for i := range named {
			if !anyTable(named[i].Alts, t) {
				return
			}
		}
		for i := range t.Columns {
			if name := string(t.Columns[i].Name); name != "" {
				c.offer(name, string(appendName(nil, name)), string(t.Table))
			}
		}
	})
}

// tableTerms returns the terms about tables in front of the last word of a text.
func tableTerms(text string) (terms []Term) {
	for at := 0; at < len(text); {
		if isSpace(text[at]) {
			at++
			continue
		}
		w, bad := nextWord(text, at)
		if bad != nil {
			return terms
		}
		if t, bad := parseTerm(w); bad == nil && !t.Not && (t.Field == tableField || t.Field == schemaField) {
			terms = append(terms, t)
		}
		at = w.end
	}
	return terms
}

// anyTable says that a table is one of those wanted.
func anyTable(alts []Alt, t *decoder.TableMap) bool {
	for _, a := range alts {
		if a.Schema.match(string(t.Schema)) && a.Table.match(string(t.Table)) {
			return true
		}
	}
	return false
}
