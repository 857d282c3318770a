package query

import "strconv"

// Error is a mistake in the text of a filter.
type Error struct {
	Start, End int    // bytes of the text that it is about; equal where something is missing
	Message    string // what is wrong
	Expected   string // what could stand there; may be empty
}

// Error returns place, mistake and what was expected in one line.
func (e *Error) Error() string {
	s := "filter, bytes " + strconv.Itoa(e.Start) + " to " + strconv.Itoa(e.End) + ": " + e.Message
	if e.Expected != "" {
		s += "; expected " + e.Expected
	}
	return s
}

func fail(start, end int, message, expected string) *Error {
	return &Error{Start: start, End: end, Message: message, Expected: expected}
}

// wrong says that a word is not what it should be.
func (w word) wrong(message, expected string) *Error {
	if w.empty() {
		message = "nothing stands here"
	}
	return fail(w.start, w.end, message, expected)
}

// nearest returns the name that is most like the word, "" when none is at most 2 changes away, or a third of its length.
func nearest(w string, names []string) (best string) {
	least := min(3, 1+len(w)/2)
	for _, n := range names {
		if d := distance(w, n); d < least {
			best, least = n, d
		}
	}
	return best
}

// distance is how many letters are to be put in, taken out or changed to make b of a; 99 for long words.
func distance(a, b string) int {
	const longest = 40
	if len(a) > longest || len(b) > longest {
		return 99
	}
	var row [longest + 1]int
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// suggest is what is expected where a name is not known: the nearest one, or all.
func suggest(w string, names []string) string {
	if n := nearest(w, names); n != "" {
		return n
	}
	return list(names)
}

func list(names []string) string {
	s := ""
	for i, n := range names {
		if i > 0 {
			s += ", "
		}
		s += n
	}
	return s
}
