package session_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// toolColumn is a column as the tool sees it: it knows a table map's types and metadata, but neither names nor signs, and
// prints text as its bytes.
type toolColumn struct {
	typ      int64
	meta     []byte
	nullable bool
	labels   []any // of ENUM and SET, where the map has them
	name     string
	size     string // what stands behind the name
	bytes    []byte // of the cell, with the length before it
	prefix   int    // bytes of that length
	diff     []any  // of a partial update
	isDiff   bool
}

var toolTypes = map[int64]string{1: "TINYINT", 2: "SHORTINT", 9: "MEDIUMINT", 3: "INT", 8: "LONGINT", 4: "FLOAT", 5: "DOUBLE", 246: "DECIMAL", 16: "BIT", 7: "TIMESTAMP", 17: "TIMESTAMP",
	12: "DATETIME", 18: "DATETIME", 11: "TIME", 19: "TIME", 10: "DATE", 13: "YEAR", 15: "VARSTRING", 245: "JSON"}

// columnOf reads column i out of a table map.
func columnOf(table any, i int) (c toolColumn) {
	c.typ = number(get(table, "column_types", i))
	c.meta, _ = hex.DecodeString(text(get(table, "metadata", i)))
	nulls, _ := hex.DecodeString(text(get(table, "null_bits", "hex")))
	c.nullable = nulls[i/8]>>(i%8)&1 != 0
	c.name = toolTypes[c.typ]
	m := func(i int) int {
		if i < len(c.meta) {
			return int(c.meta[i])
		}
		return 0
	}
	switch c.typ {
	case 246:
		c.size = fmt.Sprintf("(%d,%d)", m(0), m(1))
	case 16:
		c.size = fmt.Sprintf("(%d)", m(1)*8+m(0))
	case 17, 18, 19:
		c.size = fmt.Sprintf("(%d)", m(0))
	case 15:
		n := m(0) | m(1)<<8
		c.size, c.prefix = fmt.Sprintf("(%d)", n), 1+bool2int(n > 255)
	case 252:
		c.name, c.prefix = [...]string{"", "TINYBLOB/TINYTEXT", "BLOB/TEXT", "MEDIUMBLOB/MEDIUMTEXT", "LONGBLOB/LONGTEXT"}[m(0)], m(0)
	case 254:
		switch m(0) {
		case 0xf7:
			c.name, c.size, c.labels = "ENUM", map[int]string{1: "(1 byte)", 2: "(2 bytes)"}[m(1)], labelsOf(table, "enum_str_value", i, 0xf7)
		case 0xf8:
			c.name, c.size, c.labels = "SET", fmt.Sprintf("(%d bytes)", m(1)), labelsOf(table, "set_str_value", i, 0xf8)
		default:
			n := (m(0)<<4&0x300 ^ 0x300) + m(1)
			c.name, c.size, c.prefix = "STRING", fmt.Sprintf("(%d)", n), 1+bool2int(n > 255)
		}
	}
	return c
}

func bool2int(b bool) int {
	if b {
		return 1
	}
	return 0
}

// labelsOf are the members of an ENUM or SET column: the fields list one column of the kind after the other.
func labelsOf(table any, field string, column int, kind byte) []any {
	k := 0
	for i := range column {
		if b, _ := hex.DecodeString(text(get(table, "metadata", i))); number(get(table, "column_types", i)) == 254 && len(b) > 0 && b[0] == kind {
			k++
		}
	}
	labels, _ := get(table, "optional_metadata", field, "values", k, "labels").([]any)
	return labels
}

// note is what the tool says of the type with -vv.
func (c *toolColumn) note(v any) string {
	meta := 0
	for i, b := range c.meta {
		if meta |= int(b) << (8 * i); c.typ == 254 || c.typ == 246 { // these stand in the other order
			meta = int(c.meta[0])<<8 | int(c.meta[len(c.meta)-1])
		}
	}
	return fmt.Sprintf("%s%s meta=%d nullable=%d is_null=%d", c.name, c.size, meta, bool2int(c.nullable), bool2int(v == nil && !c.documentNull()))
}

// documentNull says that the value is the JSON document null, not NULL: it has bytes.
func (c *toolColumn) documentNull() bool { return c.typ == 245 && len(c.bytes) > 0 }

// value is a value of the event JSON as the tool prints it.
func (c *toolColumn) value(v any, n int) string {
	s := fmt.Sprint(v)
	switch {
	case c.isDiff:
		return diffText(c.diff, n)
	case c.documentNull() && v == nil:
		return "'null'"
	case v == nil:
		return "NULL"
	}
	switch c.name {
	case "TINYINT", "SHORTINT", "MEDIUMINT", "INT", "LONGINT":
		return signedAndUnsigned(s, map[string]int{"TINYINT": 8, "SHORTINT": 16, "MEDIUMINT": 24, "INT": 32, "LONGINT": 64}[c.name])
	case "FLOAT": // %-20g of the value widened
		f, err := strconv.ParseFloat(s, 32)
		return fmt.Sprintf("%-20s", printG(f, 6)) + when(err != nil, "?")
	case "DOUBLE":
		f, err := strconv.ParseFloat(s, 64)
		return printG(f, 20) + when(err != nil, "?")
	case "DATE":
		return "'" + strings.ReplaceAll(s, "-", ":") + "'"
	case "TIME", "DATETIME":
		return "'" + s + "'"
	case "TIMESTAMP":
		return epoch(s)
	case "YEAR":
		if s == "0000" {
			return "1900"
		}
	case "ENUM":
		for i, l := range c.labels {
			if v == l {
				return fmt.Sprint(i + 1)
			}
		}
		if s == "" {
			return "0"
		}
	case "SET":
		return c.setBits(s)
	case "STRING", "VARSTRING", "TINYBLOB/TINYTEXT", "BLOB/TEXT", "MEDIUMBLOB/MEDIUMTEXT", "LONGBLOB/LONGTEXT":
		return toolQuote(c.bytes[c.prefix:])
	}
	return s
}

// setBits are the bits of a SET, those of all its bytes.
func (c *toolColumn) setBits(s string) string {
	var mask uint64
	if n, err := strconv.ParseUint(s, 10, 64); err == nil && c.labels == nil {
		mask = n
	}
	for _, member := range strings.Split(s, ",") {
		for i, l := range c.labels {
			if member == l {
				mask |= 1 << i
			}
		}
	}
	return fmt.Sprintf("b'%0*b'", 8*int(c.meta[1]), mask)
}

// contradiction says how the value contradicts the bytes that the tool prints; empty when it does not. Text of other character
// sets than ASCII and UTF-8 is read by the tests of package charset.
func (c *toolColumn) contradiction(v any) string {
	if c.prefix == 0 || v == nil {
		return ""
	}
	data := c.bytes[c.prefix:]
	switch v := v.(type) {
	case *object: // a BINARY is filled up with zeros, which its bytes lack
		b, err := hex.DecodeString(text(v.m["hex"]))
		if err != nil || len(b) < len(data) || string(b[:len(data)]) != string(data) || strings.Trim(string(b[len(data):]), "\x00") != "" {
			return fmt.Sprintf("% x", data)
		}
	case string:
		ascii := strings.IndexFunc(string(data), func(r rune) bool { return r >= 0x80 || r == 0 }) < 0
		if ascii && v != string(data) {
			return fmt.Sprintf("%q", data)
		}
	}
	return ""
}

func signedAndUnsigned(s string, width int) string {
	u, err := strconv.ParseUint(s, 10, 64)
	if n, err2 := strconv.ParseInt(s, 10, 64); err2 == nil {
		u, err = uint64(n), nil
	}
	if err != nil {
		return s + "?"
	}
	n := int64(u<<(64-width)) >> (64 - width)
	if n >= 0 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d (%d)", n, u<<(64-width)>>(64-width))
}

// toolQuote quotes bytes as MySQL's tool does.
func toolQuote(b []byte) string {
	var out strings.Builder
	out.WriteByte('\'')
	for _, c := range b {
		switch c {
		case '\b', '\f', '\n', '\r', '\t', '\\', '\'':
			out.WriteString(map[byte]string{'\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\\': `\\`, '\'': `\'`}[c])
		default:
			if c < 0x20 {
				fmt.Fprintf(&out, `\x%02x`, c)
			} else {
				out.WriteByte(c)
			}
		}
	}
	return out.String() + "'"
}

// sameDocument compares a JSON document with the tool's text of it: other spaces, and a string without its quotes.
func sameDocument(v any, said string) bool {
	body := unquote(said, true)
	if s, ok := v.(string); ok {
		return body == s
	}
	doc, err := parse([]byte(body))
	return err == nil && plain(doc) == plain(v)
}

// diffText is a partial update as the tool writes it, of one change at the most.
func diffText(diff []any, n int) string {
	if len(diff) == 0 {
		return fmt.Sprint("@", n)
	}
	op, path := text(get(diff[0], "op")), text(get(diff[0], "path"))
	name := map[string]string{"replace": "JSON_REPLACE", "remove": "JSON_REMOVE", "insert": "JSON_INSERT"}[op]
	if op == "insert" && strings.HasSuffix(path, "]") {
		name = "JSON_ARRAY_INSERT"
	}
	out := fmt.Sprintf("%s(@%d, %s", name, n, toolQuote([]byte(path)))
	if v := get(diff[0], "value"); op != "remove" {
		switch v := v.(type) {
		case string:
			out += ", " + toolQuote([]byte(v))
		case json.Number, bool, nil:
			out += ", " + plain(v)
		default:
			out += ", CAST(" + toolQuote([]byte(strings.NewReplacer(",", ", ", ":", ": ").Replace(plain(v)))) + " AS JSON)"
		}
	}
	return out + ")" + when(len(diff) > 1, " and more")
}
