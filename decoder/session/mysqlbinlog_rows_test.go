package session_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// printedRow is a row as the tool prints it, or what it says before the rows of a partition.
type printedRow struct {
	extra      string
	op, table  string
	where, set []printedCell
	inSet      bool
	failed     bool // the tool could not print it to its end, nor the rows after it
}

// printedCell is the value of column n, and what is said of its type with -vv.
type printedCell struct {
	n           int
	value, note string
}

var (
	opLine   = regexp.MustCompile("^### (INSERT INTO|UPDATE|DELETE FROM) (`.*`)$")
	cellLine = regexp.MustCompile(`^###   @(\d+)=(.*)$`)
	cellNote = regexp.MustCompile(`^(.*) /\* (.*) \*/$`)
)

// row takes a line of the rows; false when it is none.
func (s *toolText) row(line string) bool {
	if !strings.HasPrefix(line, "### ") {
		return false
	}
	last := func() *printedRow { return &s.rows[len(s.rows)-1] }
	if extra, ok := strings.CutPrefix(line, "### Extra row info for partitioning: "); ok {
		s.rows = append(s.rows, printedRow{extra: extra})
	} else if m := opLine.FindStringSubmatch(line); m != nil {
		s.rows = append(s.rows, printedRow{op: m[1], table: m[2], inSet: m[1] == "INSERT INTO"})
	} else if line == "### WHERE" {
		last().inSet = false
	} else if line == "### SET" {
		last().inSet = true
	} else if m := cellLine.FindStringSubmatch(line); m != nil {
		n, _ := strconv.Atoi(m[1])
		c := printedCell{n: n, value: m[2]}
		if v := cellNote.FindStringSubmatch(m[2]); v != nil {
			c.value, c.note = v[1], v[2]
		}
		if strings.HasPrefix(c.value, "!! Don't know how to handle column type") {
			last().failed = true
		} else if last().inSet {
			last().set = append(last().set, c)
		} else {
			last().where = append(last().where, c)
		}
	} else {
		return false
	}
	return true
}

// ourRow is a row of the log, or what it says of the partition.
type ourRow struct {
	ordinal int
	extra   string
	op      string
	row     *object // of the event JSON
	cells   *object // of the page of rows
	table   any     // data of the table map
}

// ourRows are the rows of the log in their order.
func (c *comparison) ourRows(t *testing.T) (list []ourRow) {
	maps := map[string]any{}
	for i, r := range c.rows {
		d := r.m["data"]
		typ := text(r.m["type"])
		if typ == "TABLE_MAP_EVENT" {
			maps[plain(get(d, "table_id"))] = d
		}
		if !isRows(typ) {
			continue
		}
		op := map[string]string{"W": "INSERT INTO", "U": "UPDATE", "P": "UPDATE", "D": "DELETE FROM"}[typ[:1]]
		if x := get(d, "extra", "info", 0); plain(get(x, "kind")) == "1" {
			extra := "partition: " + plain(get(x, "partition_id"))
			if s := get(x, "source_partition_id"); s != nil {
				extra = "source_partition: " + plain(s) + " target_" + extra
			}
			list = append(list, ourRow{ordinal: i, extra: extra})
		}
		b, err := c.s.RowPage(int64(i), 0, 1<<20, false)
		if err != nil {
			t.Fatal(err)
		}
		page, err := parse(b)
		if err != nil {
			t.Fatal(err)
		}
		rows, _ := get(d, "rows").([]any)
		for k, row := range rows {
			cells, _ := get(page, "rows", k).(*object)
			list = append(list, ourRow{ordinal: i, op: op, row: row.(*object), cells: cells, table: maps[plain(get(d, "table_id"))]})
		}
	}
	return list
}

// compareRows compares the rows in their order, cell by cell.
func (c *comparison) compareRows(t *testing.T) {
	ours := c.ourRows(t)
	k := 0
	for i := range c.said.rows {
		said := &c.said.rows[i]
		if k == len(ours) {
			t.Errorf("the tool has %d rows more", len(c.said.rows)-i)
			return
		}
		r := &ours[k]
		if k++; said.extra != r.extra || said.op != r.op {
			t.Fatalf("row %d: %s %q, the tool has %s %q", i, r.op, r.extra, said.op, said.extra)
		}
		if r.extra != "" {
			continue
		}
		if got := tick(r.table); got != said.table {
			t.Fatalf("row %d is of %s, the tool has %s", i, got, said.table)
		}
		c.image(t, r, "before", said.where, said.failed)
		c.image(t, r, "after", said.set, said.failed)
		if said.failed {
			c.skipped["GEOMETRY"]++
			for k < len(ours) && ours[k].ordinal == r.ordinal {
				k++
			}
		}
	}
	// Without -v the tool prints no rows at all.
	if k != len(ours) && len(c.said.rows) > 0 {
		t.Errorf("the tool has %d rows less", len(ours)-k)
	}
}

func (c *comparison) image(t *testing.T, r *ourRow, image string, said []printedCell, failed bool) {
	t.Helper()
	im, _ := get(r.row, image).(*object)
	n := 0
	if im != nil {
		n = len(im.keys)
	}
	if len(said) != n && !failed {
		t.Errorf("%s, %s: %d cells, the tool has %d", tick(r.table), image, n, len(said))
	}
	raw := c.raw(t, r.ordinal)
	for _, cell := range said {
		label := fmt.Sprint("@", cell.n)
		if names, ok := get(r.table, "optional_metadata", "column_name", "values").([]any); ok {
			label = text(names[cell.n-1])
		}
		v, ok := im.m[label]
		if !ok {
			t.Errorf("%s, %s: no cell %s", tick(r.table), image, label)
			continue
		}
		col := columnOf(r.table, cell.n-1)
		place := get(r.cells, image, cell.n-1)
		col.bytes = raw[number(get(place, "start")):number(get(place, "end"))]
		if image == "after" {
			if d, ok := get(r.row, "diff", label).([]any); ok {
				col.diff, col.isDiff = d, true
			} else if o, ok := v.(*object); ok && len(o.keys) == 1 && o.keys[0] == "diff" {
				col.diff, col.isDiff = o.m["diff"].([]any), true
			}
		}
		if want := col.value(v, cell.n); want != cell.value && !(col.name == "JSON" && !col.isDiff && sameDocument(v, cell.value)) {
			t.Errorf("%s, %s, %s (%s): %s, the tool has %s", tick(r.table), image, label, col.note(v), cut(want), cut(cell.value))
		}
		if cell.note != "" && cell.note != col.note(v) {
			t.Errorf("%s, %s, %s: the type is %q, the tool has %q", tick(r.table), image, label, col.note(v), cell.note)
		}
		if why := col.contradiction(v); why != "" {
			t.Errorf("%s, %s, %s: %s is %s", tick(r.table), image, label, plain(v), why)
		}
		c.cells++
	}
}
