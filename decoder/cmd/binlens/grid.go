package main

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// grid is text in columns. A heading that starts with < is that of a column of numbers, which stand at its right.
type grid struct {
	head []string
	rows [][]string
}

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

// more says how many of all rows are not there.
func (g *grid) more(all int) {
	if n := all - len(g.rows); n > 0 {
		g.add("and " + number(int64(n)) + " more")
	}
}

// grid prints a grid that has rows, with an empty line before it.
func (p *printer) grid(g *grid) {
	if len(g.rows) == 0 {
		return
	}
	right, width := make([]bool, len(g.head)), make([]int, len(g.head))
	for i, h := range g.head {
		g.head[i], right[i] = strings.CutPrefix(h, "<")
	}
	lines := append([][]string{g.head}, g.rows...)
	for _, cells := range lines {
		for i, c := range cells {
			cells[i] = clean(c)
			width[i] = max(width[i], utf8.RuneCountInString(cells[i]))
		}
	}
	p.line("")
	for _, cells := range lines {
		var b strings.Builder
		for i, c := range cells {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(c))
			if i > 0 {
				b.WriteString("  ")
			}
			if right[i] {
				b.WriteString(pad + c)
			} else {
				b.WriteString(c + pad)
			}
		}
		p.line("%s", strings.TrimRight(b.String(), " "))
	}
}

// clean is text that a terminal shows and does not act on: names in a log may have any bytes.
func clean(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) && r != utf8.RuneError {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
