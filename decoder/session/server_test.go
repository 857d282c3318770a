package session_test

import (
	"binlens/decoder/session"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/netip"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// expectedCell is a cell as the server itself selects it after the log was written; see testdata/README.md.
type expectedCell struct {
	table, id, column, typ, kind, value, stored string
}

// serverLogs are the logs whose final rows the server was asked for. skip gives reasons not to compare a cell: what the
// log does not hold, or not in a form that can be compared. skipped is how many cells that may be.
var serverLogs = []struct {
	log, expected string
	positional    bool // columns have no names in this log
	signless      bool // nor signs, nor character sets
	skip          func(c expectedCell) string
	compared      int // cells that must be compared at least
}{
	{log: "types", expected: "types", skip: nothing, compared: 1281},
	{log: "types_minimal", expected: "types", positional: true, skip: nothing, compared: 1281},
	{log: "types_nolog", expected: "types", positional: true, signless: true, skip: unknownCharsets, compared: 1170},
	{log: "basic", expected: "basic", skip: func(c expectedCell) string {
		return when(c.id == "5", "written in statement format")
	}, compared: 6},
	{log: "images", expected: "images", skip: func(c expectedCell) string {
		return when(c.table == "keyed" && c.id == "1" && (c.column == "e" || c.column == "g"), "a default that the MINIMAL image of the INSERT leaves out")
	}, compared: 30},
	{log: "extras", expected: "extras", skip: func(c expectedCell) string {
		return when(c.table == "history", "the log has the old versions of a versioned table's rows too")
	}, compared: 58},
	{log: "temporals_old", expected: "temporals_old", skip: nothing, compared: 24},
	{log: "temporals_hires", expected: "temporals_hires", skip: nothing, compared: 19},
	{log: "compressed", expected: "compressed", skip: func(c expectedCell) string {
		return when(c.id == "101", "written in statement format")
	}, compared: 93},
}

func nothing(expectedCell) string { return "" }

func when(is bool, reason string) string {
	if is {
		return reason
	}
	return ""
}

func unknownCharsets(c expectedCell) string {
	latin1 := strings.HasPrefix(c.column, "lat") || strings.HasPrefix(c.column, "l2")
	return when(c.table == "charsets" || latin1, "the log does not tell the character set")
}

func TestValuesAreTheServersOwn(t *testing.T) {
	for _, l := range serverLogs {
		t.Run(l.log, func(t *testing.T) {
			tables := replay(t, dump(t, open(t, testdata(t, "mariadb/"+l.log+".binlog"), session.Options{MapNames: true})))
			compared, skipped := 0, map[string]int{}
			groups, order := readExpected(t, l.expected)
			for _, key := range order {
				g := groups[key]
				c := g.cells[0]
				if why := l.skip(c); why != "" {
					skipped[why]++
					continue
				}
				column := c.column
				if l.positional {
					column = fmt.Sprintf("@%d", g.position+2)
				}
				var got, want []string
				for _, row := range tables[c.table] {
					id := "@1"
					if !l.positional {
						id = "id"
					}
					if v, ok := row[column]; ok && (plain(row[id]) == c.id || row[id] == nil && c.id == "NULL") {
						got = append(got, ourForm(v, c, l.signless, l.positional))
					}
				}
				for _, c := range g.cells {
					want = append(want, serverForm(c, l.positional))
				}
				sort.Strings(got)
				sort.Strings(want)
				if g, w := strings.Join(got, " | "), strings.Join(want, " | "); g != w {
					t.Errorf("%s.%s (%s) of id %s: %s, the server has %s", c.table, c.column, c.typ, c.id, cut(g), cut(w))
				}
				compared++
			}
			if compared < l.compared {
				t.Errorf("only %d cells compared", compared)
			}
			t.Logf("%d cells compared, not compared: %v", compared, skipped)
		})
	}
}

type group struct {
	cells    []expectedCell
	position int // of the column in its table, id not counted
}

// readExpected reads NAME.expected.tsv: the cells of one table, id and column together, since ids may occur twice.
func readExpected(t *testing.T, name string) (groups map[string]*group, order []string) {
	groups = map[string]*group{}
	columns := map[string][]string{}
	for _, line := range strings.Split(strings.TrimSuffix(string(testdata(t, "mariadb/"+name+".expected.tsv")), "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 7 {
			t.Fatalf("%d fields in %q", len(f), line)
		}
		c := expectedCell{f[0], f[1], f[2], f[3], f[4], unescape(f[5]), f[6]}
		key := c.table + "\t" + c.column + "\t" + c.id
		if groups[key] == nil {
			at := -1
			for i, n := range columns[c.table] {
				if n == c.column {
					at = i
				}
			}
			if at < 0 {
				at = len(columns[c.table])
				columns[c.table] = append(columns[c.table], c.column)
			}
			groups[key] = &group{position: at}
			order = append(order, key)
		}
		groups[key].cells = append(groups[key].cells, c)
	}
	return groups, order
}

func unescape(s string) string {
	return strings.NewReplacer(`\t`, "\t", `\n`, "\n", `\\`, `\`, `\0`, "\x00").Replace(s)
}

// replay applies the row events to tables: what remains are the rows with the cells that the log tells.
func replay(t *testing.T, rows []*object) map[string][]map[string]any {
	t.Helper()
	tables := map[string][]map[string]any{}
	for _, e := range rows {
		if !isRows(text(e.m["type"])) {
			continue
		}
		table := text(get(e.m["data"], "table"))
		list, _ := get(e.m["data"], "rows").([]any)
		for _, r := range list {
			before, _ := get(r, "before").(*object)
			after, _ := get(r, "after").(*object)
			if before == nil {
				tables[table] = append(tables[table], clone(after))
				continue
			}
			at := find(tables[table], before)
			if at < 0 {
				t.Errorf("%s: no row %s", table, cut(plain(before)))
				continue
			}
			if after == nil {
				tables[table] = append(tables[table][:at], tables[table][at+1:]...)
				continue
			}
			for k, v := range after.m {
				tables[table][at][k] = v
			}
		}
	}
	return tables
}

func clone(o *object) map[string]any {
	m := make(map[string]any, len(o.m))
	for k, v := range o.m {
		m[k] = v
	}
	return m
}

func find(rows []map[string]any, image *object) int {
	for i, r := range rows {
		same := true
		for k, v := range image.m {
			if have, ok := r[k]; ok && plain(have) != plain(v) {
				same = false
			}
		}
		if same {
			return i
		}
	}
	return -1
}

// serverForm brings a cell of the server into a form that can be compared.
func serverForm(c expectedCell, positional bool) string {
	switch {
	case c.kind == "null":
		return "NULL"
	case strings.HasPrefix(c.typ, "float"), strings.HasPrefix(c.typ, "double"):
		f, err := strconv.ParseFloat(c.value, 64)
		return fmt.Sprint(f, err)
	case c.kind == "bit":
		return "b'" + c.value + "'"
	case positional && c.stored != "" && c.stored != "0": // no labels in the log
		n, err := strconv.ParseInt(c.stored, 10, 64)
		if err != nil || n >= 0 {
			return c.stored
		}
		return strconv.FormatUint(uint64(n), 10) // a SET is 64 bits; the server adds 0 to it as to a signed number
	case strings.HasSuffix(c.typ, "zerofill"): // which is how the server prints it, not the value
		return strings.TrimLeft(c.value[:len(c.value)-1], "0") + c.value[len(c.value)-1:]
	case c.typ == "inet4", c.typ == "inet6":
		a, err := netip.ParseAddr(c.value)
		if c.typ == "inet6" {
			b := a.As16()
			return hex.EncodeToString(b[:]) + when(err != nil, "?")
		}
		b := a.As4()
		return hex.EncodeToString(b[:])
	case c.typ == "uuid":
		return strings.ReplaceAll(c.value, "-", "")
	case geometryTypes[c.typ]:
		return wktOf(c.value)
	}
	return c.value
}

// ourForm brings a cell of the event JSON into the same form. Without signs an integer is compared modulo its width;
// without a character set a BINARY value is text without its trailing zeros, where it happens to be UTF-8.
func ourForm(v any, c expectedCell, signless, positional bool) string {
	switch x := v.(type) {
	case nil:
		return "NULL"
	case json.Number, string:
		s := fmt.Sprint(x)
		switch {
		case strings.HasPrefix(c.typ, "float"):
			f, err := strconv.ParseFloat(s, 32) // the value of the column; the server widens it
			return fmt.Sprint(f, err)
		case strings.HasPrefix(c.typ, "double"):
			f, err := strconv.ParseFloat(s, 64)
			return fmt.Sprint(f, err)
		case signless && strings.Contains(c.typ, "unsigned"):
			return unsigned(s, c.typ)
		case geometryTypes[c.typ]:
			return numbersInGo(s)
		case c.kind == "hex":
			return paddedHex([]byte(s), c)
		}
		return s
	case *object:
		h := strings.ToUpper(text(x.m["hex"]))
		switch {
		case len(x.keys) != 1 || x.keys[0] != "hex":
			return plain(v)
		case c.typ == "inet4", c.typ == "inet6", c.typ == "uuid":
			return strings.ToLower(h)
		case signless && c.kind == "hex":
			b, err := hex.DecodeString(h)
			return paddedHex(b, c) + when(err != nil, "?")
		}
		return h
	}
	return plain(v)
}

// unsigned reads an integer that was read as signed for want of a sign as what it is.
func unsigned(s, typ string) string {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return s // a decimal
	}
	width := map[string]int{"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "bigint": 64}[typ[:max(strings.IndexByte(typ, '('), 0)]]
	return strconv.FormatUint(uint64(n)&(1<<width-1), 10)
}

// paddedHex is binary data in hexadecimal, filled up to the length of a BINARY(n).
func paddedHex(b []byte, c expectedCell) string {
	var n int
	if _, err := fmt.Sscanf(c.typ, "binary(%d)", &n); err == nil && len(b) < n {
		b = append(bytes.Clone(b), make([]byte, n-len(b))...)
	}
	return strings.ToUpper(hex.EncodeToString(b))
}
