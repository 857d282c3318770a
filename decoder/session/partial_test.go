package session_test

import (
	"binlens/decoder/session"
	"strings"
	"testing"
)

// What a partial update makes of a document is what the server has next: the before image of the next update of the row, in a
// log of MySQL 8.0 whose before images are whole.
func TestPartialUpdatesMakeTheNextBeforeImage(t *testing.T) {
	for _, name := range []string{"a-row-full", "b-row-minimal-metadata-gtid", "c-compressed-gtid"} {
		t.Run(name, func(t *testing.T) {
			last := map[string]map[string]any{} // by id: the row as it is now
			updates, documents := 0, 0
			for _, e := range dump(t, open(t, shared(t, "corpus/mysql80/"+name+".binlog.000001"), session.Options{})) {
				if d := e.m["data"]; !isRows(text(e.m["type"])) || text(get(d, "schema")) != "pj" {
					continue
				}
				rows, _ := get(e.m["data"], "rows").([]any)
				for _, r := range rows {
					before, _ := get(r, "before").(*object)
					after, _ := get(r, "after").(*object)
					if before != nil {
						now := last[plain(before.m[before.keys[0]])]
						for k, v := range before.m {
							if now == nil || plain(now[k]) != plain(v) {
								t.Errorf("%s is %s before the update, after the one before it was %s", k, plain(v), plain(now[k]))
							}
						}
						updates++
					}
					if after == nil {
						continue
					}
					if before == nil {
						last[plain(after.m[after.keys[0]])] = clone(after)
						continue
					}
					now := last[plain(before.m[before.keys[0]])]
					for k, v := range after.m {
						if o, ok := v.(*object); ok && len(o.keys) == 1 && o.keys[0] == "diff" {
							delete(now, k) // the document is not in the before image
							continue
						}
						now[k] = v
					}
					if diffs, ok := get(r, "diff").(*object); ok {
						documents += len(diffs.keys)
					}
				}
			}
			if updates < 6 || documents < 6 {
				t.Errorf("%d rows with a before image, %d documents made", updates, documents)
			}
			t.Logf("%d rows with a before image, %d documents made", updates, documents)
		})
	}
}

// The changes of a document are told beside the images, in the words of the functions that make them.
func TestDiffsAreTold(t *testing.T) {
	s := open(t, shared(t, "corpus/mysql80/a-row-full.binlog.000001"), session.Options{})
	var got []string
	for _, e := range dump(t, s) {
		rows, _ := get(e.m["data"], "rows").([]any)
		for _, r := range rows {
			if d := get(r, "diff"); d != nil && text(e.m["type"]) == "PARTIAL_UPDATE_ROWS_EVENT" {
				got = append(got, plain(d))
			}
		}
	}
	all := strings.Join(got, "\n")
	for _, want := range []string{`"a":[{"op":"replace","path":"$.a","value":2}]`, `"a":[{"op":"remove","path":"$.b[1]"}]`,
		`{"a":[{"op":"replace","path":"$.a","value":10}],"b":[{"op":"replace","path":"$.x.y","value":[1,2]}]}`, `"a":[]`} {
		if !strings.Contains(all, want) {
			t.Errorf("no diff %s in\n%s", want, all)
		}
	}
}

// The page shows a partial update beside the document that it makes.
func TestRowPageShowsPartialUpdate(t *testing.T) {
	s := open(t, shared(t, "cases/partial_json_3diffs.binlog"), session.Options{})
	b, err := s.RowPage(2, 0, 10, false)
	if err != nil {
		t.Fatal(err)
	}
	v, err := parse(b)
	if err != nil {
		t.Fatal(err)
	}
	rows, _ := get(v, "rows").([]any)
	if len(rows) != 1 {
		t.Fatalf("%d rows", len(rows))
	}
	before, _ := get(rows[0], "before").([]any)
	after, _ := get(rows[0], "after").([]any)
	if got := plain(get(before[1], "diff")); got != "null" {
		t.Errorf("before: diff %s", got)
	}
	if got, want := text(get(after[1], "value")), `{"a":9,"c":"z"}`; got != want {
		t.Errorf("value %s, want %s", got, want)
	}
	want := `[{"op":"replace","path":"$.a","value":9},{"op":"remove","path":"$.b"},{"op":"insert","path":"$.c","value":"z"}]`
	if got := plain(get(after[1], "diff")); got != want {
		t.Errorf("diff %s, want %s", got, want)
	}
}
