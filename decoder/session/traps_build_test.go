package session_test

import (
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"encoding/binary"
	"strings"
	"testing"
)

// trapRow is a table and one row of it. The name starts with the number of the trap it stands for.
type trapRow struct {
	name    string
	build   string // in hexadecimal: types / metadata / optional metadata / the values of the row
	want    string // the cells as JSON, with bars between
	nulls   string // null bits in hexadecimal; without any, no value is NULL
	problem string // kind and reason of the only problem, or the beginning of that; none when empty
}

// parts returns the four parts of the build line.
func (r trapRow) parts(t testing.TB) (types, meta, optional, values []byte) {
	t.Helper()
	p := strings.Split(r.build, "/")
	if len(p) != 4 {
		t.Fatalf("%s: the build line has %d parts", r.name, len(p))
	}
	return logtest.Hex(p[0]), logtest.Hex(p[1]), logtest.Hex(p[2]), logtest.Hex(p[3])
}

// rawTable is a table map made of its parts.
func rawTable(id uint64, types, meta, optional []byte) logtest.Table {
	m := logtest.Table{ID: id, Schema: "d", Name: "t", MetaExtra: meta, Optional: optional}
	for _, typ := range types {
		m.Columns = append(m.Columns, logtest.Col(typ))
	}
	return m
}

// oneRow is a log of a table and one row of it, inserted.
func oneRow(server logtest.Server, types, meta, optional, nulls, values []byte) *logtest.Log {
	l := logtest.New(server, logtest.CRC32)
	l.Event(logtest.TypeTableMap, rawTable(100, types, meta, optional).Body())
	if nulls == nil {
		nulls = make([]byte, (len(types)+7)/8)
	}
	return insert(l, 100, len(types), nulls, values)
}

// rowsOf is a log of a table and rows of it, inserted.
func rowsOf(server logtest.Server, m logtest.Table, images ...[]byte) *logtest.Log {
	l := logtest.New(server, logtest.CRC32)
	m.ID, m.Schema, m.Name = 100, "d", "t"
	l.Event(logtest.TypeTableMap, m.Body())
	return insert(l, 100, len(m.Columns), images...)
}

// insert appends a row event that inserts into a table, and ends its statement.
func insert(l *logtest.Log, id uint64, width int, images ...[]byte) *logtest.Log {
	typ, v2 := byte(logtest.TypeWriteRowsV1), l.Server.V2()
	if v2 {
		typ = logtest.TypeWriteRows
	}
	return l.Event(typ, logtest.Rows{ID: id, Flags: logtest.StmtEnd, V2: v2, Width: width, After: logtest.All(width), Data: logtest.Cat(images...)}.Body())
}

// cellsOf returns the cells of the rows of one event, with bars between, and its problems, kind and reason.
func cellsOf(rows *object) (cells, problems string) {
	var c, p []string
	list, _ := get(rows.m["data"], "rows").([]any)
	for _, row := range list {
		for _, image := range row.(*object).keys {
			o, _ := get(row, image).(*object)
			for _, k := range o.keys {
				c = append(c, plain(o.m[k]))
			}
		}
	}
	said, _ := rows.m["problems"].([]any)
	for _, x := range said {
		p = append(p, text(get(x, "kind"))+": "+text(get(x, "reason")))
	}
	return strings.Join(c, " | "), strings.Join(p, "\n")
}

// dumpLog returns the rows of a log, every byte of which is in one of them.
func dumpLog(t testing.TB, log []byte) []*object {
	t.Helper()
	rows := dump(t, open(t, log, session.Options{}))
	at := int64(4)
	for _, r := range rows {
		if r.m["payload"] != nil {
			continue
		}
		if number(r.m["offset"]) != at {
			t.Fatalf("row %s, the one before ended at %d", cut(plain(r)), at)
		}
		at += number(r.m["size"])
	}
	if at != int64(len(log)) {
		t.Fatalf("rows to %d of %d bytes", at, len(log))
	}
	return rows
}

// checkTraps reads the rows that stand in a list.
func checkTraps(t *testing.T, server logtest.Server, list []trapRow) {
	t.Helper()
	for _, r := range list {
		t.Run(r.name, func(t *testing.T) {
			types, meta, optional, values := r.parts(t)
			var nulls []byte
			if r.nulls != "" {
				nulls = logtest.Hex(r.nulls)
			}
			rows := dumpLog(t, oneRow(server, types, meta, optional, nulls, values).Bytes())
			if said := rows[1].m["problems"]; said != nil {
				t.Errorf("the table map: %s", plain(said))
			}
			cells, problems := cellsOf(rows[2])
			if cells != r.want || r.problem == "" && problems != "" || !strings.HasPrefix(problems, r.problem) {
				t.Errorf("got  %s, %s\nwant %s, %s", cells, problems, r.want, r.problem)
			}
		})
	}
}

// checkEvents compares the types of a log's rows, and what the event JSON has where.
func checkEvents(t *testing.T, name string, rows []*object, types string, wants []want) {
	t.Helper()
	var got []string
	for _, r := range rows {
		if k := kindOf(r); k != "event" {
			got = append(got, k)
		} else {
			got = append(got, text(r.m["type"]))
		}
	}
	if s := strings.Join(got, " "); s != types {
		t.Fatalf("%s: rows %s\nwant %s", name, s, types)
	}
	for _, w := range wants {
		got := "absent"
		if v := get(rows[w.row], w.path...); v != nil {
			got = plain(v)
		}
		if got != w.value {
			t.Errorf("%s: row %d, %v: %s, want %s", name, w.row, w.path, got, w.value)
		}
	}
}

// noOptions opens a log as the page does.
var noOptions session.Options

// bigEndian is v in n bytes, the highest first.
func bigEndian(v uint64, n int) []byte { return binary.BigEndian.AppendUint64(nil, v)[8-n:] }
