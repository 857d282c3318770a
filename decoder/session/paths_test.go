package session_test

import (
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"fmt"
	"strings"
	"testing"
)

// derived names the keys of data that stand in no byte of the event, by event type; * stands for all rows events.
var derived = map[string][]string{
	"rows":                  {"schema", "table", "names", "guessed", "rows"},
	"TABLE_MAP_EVENT":       {"signedness"},
	"GTID_TAGGED_LOG_EVENT": {"gtid"},
	"PREVIOUS_GTIDS_EVENT":  {"gtid_set"},
	"GTID_LIST_EVENT":       {"flags"}, // in the upper bits of count
}

func isDerived(typ, key string) bool {
	if isRows(typ) {
		typ = "rows"
	}
	for _, k := range derived[typ] {
		if k == key {
			return true
		}
	}
	return false
}

// The paths recorded equal the paths rendered: of every event of every log there is, the fields that have bytes are the
// fields that have a value in the event JSON, in the same order; no path stands for two fields.
func TestPathsRecordedAreThePathsRendered(t *testing.T) {
	files := logtest.RealLogs(t)
	files = append(files, logtest.Samples()...)
	events := 0
	for _, f := range files {
		t.Run(f.Name, func(t *testing.T) {
			s := open(t, f.Bytes, session.Options{})
			for i, row := range dump(t, s) {
				if kindOf(row) != "event" || row.m["encrypted"] != nil {
					continue
				}
				events++
				recorded, detail := recordedPaths(t, s, int64(i))
				rendered := renderedPaths(text(row.m["type"]), row.m["data"], recorded)
				if at := firstDifference(rendered, recorded); at >= 0 {
					t.Fatalf("row %d, %v: rendered %q, recorded %q (entry %d of %d and %d)\n%s", i, row.m["type"],
						entry(rendered, at), entry(recorded, at), at, len(rendered), len(recorded), cut(plain(detail)))
				}
			}
		})
	}
	if events < 1000 {
		t.Errorf("only %d events", events)
	}
}

// firstDifference returns the first index at which the lists differ; -1 when they are equal.
func firstDifference(a, b []string) int {
	for i := range max(len(a), len(b)) {
		if entry(a, i) != entry(b, i) {
			return i
		}
	}
	return -1
}

func entry(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "nothing"
}

var headerPaths = map[string]bool{"timestamp": true, "type_code": true, "server_id": true, "event_size": true, "next_position": true,
	"header_flags": true, "extra_headers": true}

// recordedPaths returns the paths of the leaves of an event's body in their order, rows left out.
func recordedPaths(t *testing.T, s *session.Session, ordinal int64) (paths []string, detail any) {
	t.Helper()
	b, err := s.Detail(ordinal, false)
	if err != nil {
		t.Fatal(err)
	}
	if detail, err = parse(b); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, n := range get(detail, "nodes").([]any) {
		p := text(get(n, "path"))
		if seen[p] {
			t.Fatalf("row %d: path %s twice", ordinal, p)
		}
		seen[p] = true
		if get(n, "group") == nil && !headerPaths[p] && p != "checksum" {
			paths = append(paths, p)
		}
	}
	return paths, detail
}

// renderedPaths returns the paths of what has a value in data. A list or object is one value where it was recorded as
// one: names of flags, bytes in hexadecimal.
func renderedPaths(typ string, data any, recorded []string) (paths []string) {
	leaf := map[string]bool{}
	for _, p := range recorded {
		leaf[p] = true
	}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		o, isObject := v.(*object)
		l, isList := v.([]any)
		switch {
		case leaf[path]:
			paths = append(paths, path)
		case isObject:
			for _, k := range o.keys {
				walk(path+"."+k, o.m[k])
			}
		case isList:
			for i, x := range l {
				if x != nil { // a column whose type has no metadata
					walk(fmt.Sprintf("%s[%d]", path, i), x)
				}
			}
		default:
			paths = append(paths, path)
		}
	}
	if o, ok := data.(*object); ok {
		for _, k := range o.keys {
			if !isDerived(typ, k) || leaf[k] && k != "rows" {
				walk(k, o.m[k])
			}
		}
	}
	return paths
}

// The header's fields and the checksum are the same in every log: only their places differ.
func TestHeaderPaths(t *testing.T) {
	s := open(t, logtest.Sample(logtest.MySQL8040, logtest.CRC32).Bytes(), session.Options{})
	for i := range s.Index().Len() {
		b, err := s.Detail(i, false)
		if err != nil {
			t.Fatal(err)
		}
		d, err := parse(b)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range get(d, "nodes").([]any) {
			if p := text(get(n, "path")); headerPaths[p] || p == "checksum" {
				got = append(got, fmt.Sprintf("%s %d-%d", p, number(get(n, "start")), number(get(n, "end"))))
			}
		}
		row := s.Index().Row(i)
		want := "timestamp 0-4,type_code 4-5,server_id 5-9,event_size 9-13,next_position 13-17,header_flags 17-19"
		if row.Payload < 0 {
			want += fmt.Sprintf(",checksum %d-%d", row.Size-4, row.Size)
		}
		if strings.Join(got, ",") != want {
			t.Fatalf("row %d: %v, want %s", i, got, want)
		}
	}
}

// Cut anywhere, an event shows the fields that are whole, with the values that they have in the whole event, and the rest as
// unread bytes: nothing that was not read has a value.
func TestPathsOfCutEvents(t *testing.T) {
	future := logtest.MySQL84 // its post-headers have fields that are not known
	future.Name, future.Lengths = "a server of the future", logtest.Cat(future.Lengths)
	for _, typ := range []int{2, 9, 11, 17, 18, 26, 36, 37} {
		future.Lengths[typ-1] += 2
	}
	values := 0
	for _, server := range []logtest.Server{logtest.MySQL323, logtest.MySQL41, logtest.MySQL5117, logtest.MySQL56, logtest.MySQL8040, logtest.MySQL96, logtest.MariaDB105, future} {
		for _, e := range logtest.Sample(server, logtest.Off).Events[1:] {
			values += checkCuts(t, server, e.Type, e.Body)
		}
		if server.MariaDB {
			continue
		}
		values += checkCuts(t, server, logtest.TypeHeartbeat, []byte("bin.000001"))
		values += checkCuts(t, server, logtest.TypeHeartbeatV2, logtest.Cat(logtest.LenencTLV(2, logtest.Lenenc(1<<40)), logtest.LenencTLV(9, []byte("?")), logtest.LenencTLV(1, []byte("b.1")), logtest.U8(0)))
	}
	if values < 40_000 {
		t.Errorf("only %d values compared", values)
	}
}

// checkCuts compares an event cut in many places with the whole one, and returns how many values were compared.
func checkCuts(t *testing.T, server logtest.Server, typ byte, body []byte) (compared int) {
	t.Helper()
	log := logtest.New(server, logtest.Off).Event(typ, body)
	step := max(len(body)/40, 1)
	for n := 0; n < len(body); n += step {
		log.Event(typ, body[:n])
	}
	s := open(t, log.Bytes(), session.Options{})
	var whole map[string]string
	for i, row := range dump(t, s) {
		if kindOf(row) != "event" || row.m["payload"] != nil || i == 0 {
			continue
		}
		recorded, detail := recordedPaths(t, s, int64(i))
		rendered := renderedPaths(text(row.m["type"]), row.m["data"], recorded)
		if at := firstDifference(rendered, recorded); at >= 0 {
			t.Fatalf("%s, type %d, row %d: rendered %q, recorded %q\n%s\n%s", server.Name, typ, i, entry(rendered, at), entry(recorded, at), cut(plain(row)), cut(plain(detail)))
		}
		got := nodeValues(detail)
		if whole == nil {
			whole = got
			continue
		}
		for place, v := range got {
			if w, ok := whole[place]; ok && !(typ == logtest.TypeUserVar && strings.HasPrefix(place, "value at ")) { // whose sign stands behind it
				if compared++; v != w {
					t.Fatalf("%s, type %d, row %d: %s is %s, in the whole event %s\n%s", server.Name, typ, i, place, v, w, cut(plain(row)))
				}
			}
		}
	}
	return compared
}

// nodeValues maps path and range of the fields of an event's body to their values.
func nodeValues(detail any) map[string]string {
	m := map[string]string{}
	for _, n := range get(detail, "nodes").([]any) {
		if p := text(get(n, "path")); get(n, "group") == nil && !headerPaths[p] && p != "checksum" {
			m[fmt.Sprintf("%s at %d to %d", p, number(get(n, "start")), number(get(n, "end")))] = text(get(n, "value"))
		}
	}
	return m
}
