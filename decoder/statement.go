package decoder

import "bytes"

// Statement is what a statement is for, as its first word tells.
type Statement uint8

// The kinds of statements.
const (
	OtherStatement Statement = iota
	Transactional            // BEGIN, COMMIT, SAVEPOINT and the like
	Definition               // CREATE, ALTER, GRANT and the like
)

var statementWords = [...]struct {
	kind Statement
	word string
}{
	{Transactional, "BEGIN"}, {Transactional, "COMMIT"}, {Transactional, "ROLLBACK"}, {Transactional, "XA"}, {Transactional, "SAVEPOINT"},
	{Transactional, "RELEASE"},
	{Definition, "CREATE"}, {Definition, "ALTER"}, {Definition, "DROP"}, {Definition, "RENAME"}, {Definition, "TRUNCATE"},
	{Definition, "GRANT"}, {Definition, "REVOKE"}, {Definition, "ANALYZE"}, {Definition, "OPTIMIZE"}, {Definition, "REPAIR"}, {Definition, "FLUSH"},
}

// StatementOf returns what the text of a statement is for.
func StatementOf(text []byte) Statement {
	word := firstWord(text)
	for i := range statementWords {
		if bytes.EqualFold(word, []byte(statementWords[i].word)) {
			return statementWords[i].kind
		}
	}
	return OtherStatement
}

// firstWord skips spaces and comments in front of a statement. What a version comment hides (/*!50003 CREATE */, MariaDB's
// /*M!100100 … */) is part of the statement.
func firstWord(text []byte) []byte {
	for {
		text = bytes.TrimLeft(text, " \t\r\n")
		if !bytes.HasPrefix(text, []byte("/*")) {
			break
		}
		if hidden, ok := versioned(text[2:]); ok {
			text = hidden
			continue
		}
		end := bytes.Index(text, []byte("*/"))
		if end < 0 {
			return nil
		}
		text = text[end+2:]
	}
	n := 0
	for n < len(text) && (text[n] >= 'a' && text[n] <= 'z' || text[n] >= 'A' && text[n] <= 'Z') {
		n++
	}
	return text[:n]
}

// versioned returns what stands behind the version of a version comment.
func versioned(comment []byte) ([]byte, bool) {
	comment = bytes.TrimPrefix(comment, []byte("M"))
	text, ok := bytes.CutPrefix(comment, []byte("!"))
	return bytes.TrimLeft(text, "0123456789"), ok
}
