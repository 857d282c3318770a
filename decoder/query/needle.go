package query

import (
	"bytes"
	"strings"
)

// needle is a text that is looked for without regard to case.
type needle struct {
	text    []byte // in lower case
	ascii   bool
	rare    int  // the place of the byte that is looked for first
	low, up byte // that byte in both cases
}

// commonLetters are the letters of English text, the most frequent first.
const commonLetters = "etaoinsrhldcumfpgwybvkxjzq"

func newNeedle(text string) needle {
	n := needle{text: bytes.ToLower([]byte(text)), ascii: true}
	best := -1
	for i, c := range n.text {
		n.ascii = n.ascii && c < 0x80
		rank := strings.IndexByte(commonLetters, c)
		if rank < 0 {
			rank = len(commonLetters) / 2 // digits, signs
		}
		if rank > best {
			best, n.rare = rank, i
		}
	}
	if len(n.text) > 0 {
		n.low, n.up = n.text[n.rare], n.text[n.rare]
		if n.low >= 'a' && n.low <= 'z' {
			n.up -= 'a' - 'A'
		}
	}
	return n
}

// in says that text, which is in UTF-8 or in parts no text at all, contains the needle.
func (n *needle) in(text []byte) bool {
	if !n.ascii {
		return bytes.Contains(bytes.ToLower(text), n.text)
	}
	first, last := n.rare, len(text)-len(n.text)+n.rare // where the rare byte may be
	low, up := -1, -1
	for first <= last {
		low = next(text[:last+1], first, low, n.low)
		at := low
		if n.up != n.low {
			up = next(text[:last+1], first, up, n.up)
			at = min(low, up)
		}
		if at > last {
			return false
		}
		if n.at(text[at-n.rare:]) {
			return true
		}
		first = at + 1
	}
	return len(n.text) == 0
}

// next returns where c is in b from a place on, len(b) when it is not. known is the answer for a place before.
func next(b []byte, from, known int, c byte) int {
	if known >= from {
		return known
	}
	if i := bytes.IndexByte(b[from:], c); i >= 0 {
		return from + i
	}
	return len(b)
}

// at says that text, which is long enough, starts with the needle.
func (n *needle) at(text []byte) bool {
	for i, c := range n.text {
		if lower(text[i]) != c {
			return false
		}
	}
	return true
}

// inStrings says that one of the strings of a JSON text contains the needle: values and keys.
func (n *needle) inStrings(json []byte) bool {
	var s []byte
	for i := 0; i < len(json); i++ {
		if json[i] != '"' {
			continue
		}
		s = s[:0]
		for i++; i < len(json) && json[i] != '"'; i++ {
			c := json[i]
			if c == '\\' && i+1 < len(json) {
				i++
				c = unescaped(json[i])
			}
			s = append(s, c)
		}
		if n.in(s) {
			return true
		}
	}
	return false
}

// unescaped returns what a letter behind a backslash stands for. Of \u00XX, which are control characters, nothing is made.
func unescaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}
