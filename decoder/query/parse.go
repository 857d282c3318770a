package query

// maxText is the longest text of a filter, in bytes: a list of GTIDs may be long.
const maxText = 64 << 10

// Parse reads the text of a filter. The error is an *Error.
func Parse(text string) (*Filter, error) {
	f, bad := parse(text)
	if bad != nil {
		return nil, bad
	}
	return f, nil
}

func parse(text string) (*Filter, *Error) {
	if len(text) > maxText {
		return nil, fail(maxText, len(text), "the filter is too long", "at most 65536 bytes")
	}
	f := &Filter{}
	for at := 0; ; {
		for at < len(text) && isSpace(text[at]) {
			at++
		}
		if at == len(text) {
			return f, nil
		}
		w, bad := nextWord(text, at)
		if bad != nil {
			return nil, bad
		}
		t, bad := parseTerm(w)
		if bad != nil {
			return nil, bad
		}
		f.Terms = append(f.Terms, t)
		at = w.end
	}
}

func parseTerm(w word) (Term, *Error) {
	t := Term{Start: w.start, End: w.end}
	if w.has("-", 0) {
		t.Not = true
		w = w.from(1)
		if w.empty() {
			return t, fail(t.Start, t.End, "a minus sign without a term", "a term right behind it")
		}
	}
	t.Field = fieldAlone(w)
	if t.Field != textField {
		t.Alts = []Alt{{}}
		return t, nil
	}
	if colon := w.fieldEnd(); colon > 0 {
		name := w.to(colon)
		if t.Field = fieldOf(name.String()); t.Field == textField {
			return t, unknownField(name)
		}
		w = w.from(colon + 1)
	}
	var bad *Error
	t.Alts, bad = parseAlts(t.Field, w)
	return t, bad
}

// fieldAlone is for the two terms that stand without a value.
func fieldAlone(w word) Field {
	switch {
	case w.is(fieldNames[problemField]):
		return problemField
	case w.is(fieldNames[payloadField]):
		return payloadField
	}
	return textField
}

// fieldEnd returns where the colon behind a name stands, 0 when the word has none. A name is letters outside quotes.
func (w word) fieldEnd() int {
	for i, l := range w.letters {
		switch c := lower(l.c); {
		case l.quoted:
			return 0
		case c == ':':
			return i
		case c < 'a' || c > 'z':
			return 0
		}
	}
	return 0
}

// fieldOf returns the field of a name, Text when there is none.
func fieldOf(name string) Field {
	name = lowerText(name)
	if name == "pos" {
		return offsetField
	}
	for f, n := range fieldNames {
		if n == name {
			return Field(f)
		}
	}
	return textField
}

func unknownField(name word) *Error {
	known := fieldNames[1:]
	if n := nearest(lowerText(name.String()), known); n != "" {
		return name.wrong("no term is called "+name.String(), n+":, or quotes around text with a colon")
	}
	return name.wrong("no term is called "+name.String(), "one of "+list(known)+", or quotes around text with a colon")
}

func parseAlts(f Field, w word) (alts []Alt, bad *Error) {
	for _, part := range w.split() {
		var a Alt
		switch f {
		case textField:
			a, bad = parseText(part)
		case typeField:
			a, bad = parseType(part)
		case tableField, schemaField:
			a, bad = parseTable(f, part)
		case timeField:
			a, bad = parseTime(part)
		case gtidField:
			a, bad = parseGTID(part)
		case sizeField:
			a, bad = parseRange(part, "a size such as >1MB, 300 or 1k..2k", parseSize)
		case trxField:
			a, bad = parseTrx(part)
		case problemField:
			a, bad = parseWord(part, "kind of problem", problemKinds)
		case payloadField:
			bad = part.wrong("payload takes no value", "payload alone")
		case rowField:
			alts, bad = addRowTest(alts, part)
			if bad != nil {
				return nil, bad
			}
			continue
		default:
			a, bad = parseRange(part, "a number, or a range such as >5 or 1..9", parseNumber)
		}
		if bad != nil {
			return nil, bad
		}
		alts = append(alts, a)
	}
	return alts, nil
}

func parseText(w word) (Alt, *Error) {
	if len(w.letters) == 0 {
		return Alt{}, w.wrong("there is no text to look for", "text")
	}
	return Alt{Name: w.String()}, nil
}

// parseWord takes one of the words given.
func parseWord(w word, what string, words []string) (Alt, *Error) {
	for _, name := range words {
		if w.is(name) {
			return Alt{Name: name}, nil
		}
	}
	return Alt{}, w.wrong("this is no "+what, suggest(lowerText(w.String()), words))
}

// problemKinds are the names of wire.Kind from 1 on.
var problemKinds = []string{"truncated", "corrupt", "unsupported", "checksum"}

// parseTable takes schema.table, or one name alone.
func parseTable(f Field, w word) (a Alt, bad *Error) {
	const expected = "table or schema.table; * stands for any text, `…` around a name with a dot, comma or space"
	rest := w
	if dot := w.find(".", 0); dot >= 0 {
		if f == schemaField {
			return a, w.wrong("a schema's name with a dot", "a name, in `…` when it has a dot, comma or space")
		}
		if a.Schema, bad = parsePattern(w.to(dot), expected); bad != nil {
			return a, bad
		}
		if rest = w.from(dot + 1); rest.find(".", 0) >= 0 {
			return a, w.wrong("more than two names", expected)
		}
	}
	p, bad := parsePattern(rest, expected)
	if f == schemaField {
		a.Schema = p
	} else {
		a.Table = p
	}
	return a, bad
}

func parsePattern(w word, expected string) (p Pattern, bad *Error) {
	if len(w.letters) == 0 {
		return nil, w.wrong("a name is missing", expected)
	}
	for {
		star := w.find("*", 0)
		if star < 0 {
			return append(p, lowerText(w.String())), nil
		}
		p = append(p, lowerText(w.to(star).String()))
		w = w.from(star + 1)
	}
}
