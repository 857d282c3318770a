package query

import "strings"

// letter is a byte of a term without its quotes.
type letter struct {
	c      byte
	quoted bool // it was in quotes, so it stands for itself
	at     int  // in the text; of the first in quotes, where the quote is
}

// word is a part of the text without its quotes.
type word struct {
	letters    []letter
	start, end int // in the text, quotes included
}

// nextWord takes the word at the position given, up to the next space outside quotes.
func nextWord(text string, at int) (word, *Error) {
	w := word{start: at}
	for at < len(text) && !isSpace(text[at]) {
		var bad *Error
		switch c := text[at]; c {
		case '"', '`':
			at, bad = w.quote(text, at)
		default:
			w.letters = append(w.letters, letter{c: c, at: at})
			at++
		}
		if bad != nil {
			return w, bad
		}
	}
	w.end = at
	return w, nil
}

// quote takes what stands in quotes. In "…" a backslash stands before a quote or a backslash, in `…` a backtick is doubled.
func (w *word) quote(text string, open int) (at int, bad *Error) {
	mark := text[open]
	from := open
	for at = open + 1; at < len(text); at++ {
		c := text[at]
		switch {
		case c == mark && mark == '`' && strings.HasPrefix(text[at:], "``"):
			at++
		case c == mark:
			return at + 1, nil
		case c == '\\' && mark == '"' && at+1 < len(text) && (text[at+1] == '"' || text[at+1] == '\\'):
			at++
			c = text[at]
		}
		w.letters = append(w.letters, letter{c, true, from})
		from = at + 1
	}
	return at, fail(open, len(text), "the quote is not closed", "a closing "+string(mark))
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// String returns the word without its quotes.
func (w word) String() string {
	b := make([]byte, len(w.letters))
	for i, l := range w.letters {
		b[i] = l.c
	}
	return string(b)
}

// quoted says that part of the word is in quotes, be it only an empty pair.
func (w word) quoted() bool {
	for _, l := range w.letters {
		if l.quoted {
			return true
		}
	}
	return w.end-w.start > len(w.letters)
}

// empty says that there is nothing, not even quotes.
func (w word) empty() bool { return w.start == w.end }

// find returns the first letter that is s outside quotes, from letter i on; -1 when there is none.
func (w word) find(s string, i int) int {
	for ; i+len(s) <= len(w.letters); i++ {
		if w.has(s, i) {
			return i
		}
	}
	return -1
}

// has says that s stands at letter i outside quotes, in either case.
func (w word) has(s string, i int) bool {
	if i+len(s) > len(w.letters) {
		return false
	}
	for k := range len(s) {
		if l := w.letters[i+k]; l.quoted || lower(l.c) != s[k] {
			return false
		}
	}
	return true
}

// is says that the whole word is s, which is in lower case, without quotes.
func (w word) is(s string) bool { return !w.quoted() && len(w.letters) == len(s) && w.has(s, 0) }

// from returns the word from letter i on; the letter before is not in quotes.
func (w word) from(i int) word {
	if i > 0 {
		w.start = w.letters[i-1].at + 1
	}
	w.letters = w.letters[i:]
	return w
}

// to returns the word up to letter i, which is not in quotes.
func (w word) to(i int) word {
	w.end = w.letters[i].at
	w.letters = w.letters[:i]
	return w
}

// split cuts the word at the commas outside quotes.
func (w word) split() (parts []word) {
	for {
		i := w.find(",", 0)
		if i < 0 {
			return append(parts, w)
		}
		parts = append(parts, w.to(i))
		w = w.from(i + 1)
	}
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// lowerText returns s with ASCII letters in lower case.
func lowerText(s string) string {
	b := []byte(s)
	for i, c := range b {
		b[i] = lower(c)
	}
	return string(b)
}
