package query

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"strconv"
	"strings"
)

// typeSet is what a word of a type term stands for.
type typeSet struct {
	codes [4]uint64 // event types
	kinds uint8     // a bit for each frame.Kind of what is no event
	ddl   bool      // of statements those that change definitions
	any   bool      // something is in it
}

func (s *typeSet) add(t decoder.Type) {
	s.codes[t>>6] |= 1 << (t & 63)
	s.any = true
}

func (s *typeSet) has(code uint8) bool { return s.codes[code>>6]>>(code&63)&1 != 0 }

// classWords stand for several types each, or for what is no event.
var classWords = []string{"insert", "write", "update", "delete", "rows", "ddl", "query", "gtid", "load", "gap", "padding", "truncated"}

var classTypes = map[string][]decoder.Type{
	"ddl":   {decoder.QueryType, decoder.QueryCompressedType},
	"query": {decoder.QueryType, decoder.QueryCompressedType, decoder.ExecuteLoadQueryType},
	"gtid":  {decoder.GtidType, decoder.AnonymousGtidType, decoder.GtidTaggedType, decoder.MariaGtidType},
	"load": {decoder.LoadType, decoder.CreateFileType, decoder.AppendBlockType, decoder.ExecLoadType, decoder.DeleteFileType,
		decoder.NewLoadType, decoder.BeginLoadQueryType, decoder.ExecuteLoadQueryType},
}

// typesOf resolves a word, which is in lower case: a server's name of a type, a class word, the beginning of names of types,
// or a code.
func typesOf(word string) (s typeSet) {
	if n, err := strconv.ParseUint(word, 10, 8); err == nil {
		s.add(decoder.Type(n))
		return s
	}
	if s.addClass(word); s.any || word == "" {
		return s
	}
	for code := range 256 {
		t := decoder.Type(code)
		name := lowerText(t.String())
		if name == word {
			s = typeSet{}
			s.add(t)
			return s
		}
		if t.Known() && strings.HasPrefix(name, word) {
			s.add(t)
		}
	}
	return s
}

func (s *typeSet) addClass(word string) {
	for code := range 256 {
		t := decoder.Type(code)
		switch op := t.RowOp(); {
		case op == decoder.NoRows:
		case word == "rows", word == "insert" && op == decoder.Insert, word == "write" && op == decoder.Insert,
			word == "update" && op == decoder.Update, word == "delete" && op == decoder.Delete:
			s.add(t)
		}
	}
	for _, t := range classTypes[word] {
		s.add(t)
	}
	s.ddl = word == "ddl"
	for k := frame.Gap; k <= frame.Truncated; k++ {
		if word == k.String() {
			s.kinds, s.any = 1<<k, true
		}
	}
}

func parseType(w word) (Alt, *Error) {
	name := lowerText(w.String())
	if typesOf(name).any {
		return Alt{Name: name}, nil
	}
	names := classWords
	for code := range 256 {
		if t := decoder.Type(code); t.Known() {
			names = append(names, lowerText(t.String()))
		}
	}
	expected := nearest(name, names)
	if expected == "" {
		expected = "a type's name or its beginning, its code, or one of " + list(classWords)
	}
	return Alt{}, w.wrong("there is no such type", expected)
}
