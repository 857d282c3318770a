package query

import (
	"slices"
	"strconv"
)

const rowExpected = "COLUMN=VALUE, with = != < <= > >= or ~ (contains), COLUMN alone (changed), @3=VALUE by place; before. or after. in front"

// addRowTest takes one part of a row term: a test, or one more value of the test before it.
func addRowTest(alts []Alt, w word) ([]Alt, *Error) {
	at, op, n := w.findOp()
	if at < 0 && len(alts) > 0 && alts[len(alts)-1].RowTest.Op != Changed {
		test := alts[len(alts)-1].RowTest
		bad := test.addValue(w)
		return alts, bad
	}
	test := &RowTest{Op: op}
	column := w
	if at >= 0 {
		column = w.to(at)
		if bad := test.addValue(w.from(at + 1).skip(n - 1)); bad != nil {
			return nil, bad
		}
	}
	if bad := test.setColumn(column); bad != nil {
		return nil, bad
	}
	return append(alts, Alt{RowTest: test}), nil
}

// skip leaves out the first n letters, which are not in quotes.
func (w word) skip(n int) word {
	w.letters, w.start = w.letters[n:], w.start+n
	return w
}

// findOp returns where the first comparison is, -1 when there is none, and its length.
func (w word) findOp() (at int, op Op, n int) {
	for i := range w.letters {
		if op, n = compareOp(w, i); n > 0 {
			return i, op, n
		}
	}
	return -1, Changed, 0
}

func (t *RowTest) setColumn(w word) *Error {
	for image := Before; image <= After; image++ {
		if name := imageNames[image]; w.has(name, 0) {
			t.Image, w = image, w.from(len(name))
			if t.Op == Changed {
				return w.wrong("an image alone has no changed columns", "a comparison, or the column without before. and after.")
			}
		}
	}
	if len(w.letters) == 0 {
		return w.wrong("there is no column", rowExpected)
	}
	if !w.has("@", 0) {
		t.Column = lowerText(w.String())
		return nil
	}
	n, err := strconv.ParseUint(w.String()[1:], 10, 16)
	if err != nil || n == 0 {
		return w.wrong("this is no place of a column", "@1 for the first column")
	}
	t.Place = int(n)
	return nil
}

func (t *RowTest) addValue(w word) *Error {
	if w.empty() {
		return fail(w.start, w.end, "there is no value", `a value, "" for the empty text, or NULL`)
	}
	v := Literal{Text: w.String(), Null: w.is("null")}
	if v.Null {
		v.Text = ""
		if t.Op != Eq && t.Op != Ne {
			return w.wrong("NULL is neither above nor below a value and contains none", `= or !=, or "NULL" for the text`)
		}
	}
	if !slices.Contains(t.Values, v) {
		t.Values = append(t.Values, v)
	}
	return nil
}
