package session_test

import (
	"binlens/decoder/session"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// open opens a log and indexes all of it.
func open(t testing.TB, log []byte, o session.Options) *session.Session {
	t.Helper()
	s, err := session.Open(bytes.NewReader(log), int64(len(log)), o)
	if err != nil {
		t.Fatal(err)
	}
	s.Feed(log)
	s.Finish()
	for s.Step(0) {
	}
	if !s.Progress().Done {
		t.Fatal("fed to its end and not done")
	}
	return s
}

// object is a JSON object with its keys in their order.
type object struct {
	keys []string
	m    map[string]any
}

// parse reads JSON strictly: one value, no key twice in an object. Numbers are json.Number, objects *object.
func parse(b []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	v, err := parseValue(d)
	if err != nil {
		return nil, fmt.Errorf("%w in %s", err, cut(string(b)))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("more than one value in %s", cut(string(b)))
	}
	return v, nil
}

func parseValue(d *json.Decoder) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := parseValue(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.Token()
		return list, err
	case json.Delim('{'):
		o := &object{m: map[string]any{}}
		for d.More() {
			k, err := d.Token()
			if err != nil {
				return nil, err
			}
			key := k.(string)
			if _, twice := o.m[key]; twice {
				return nil, fmt.Errorf("key %q twice", key)
			}
			o.keys = append(o.keys, key)
			if o.m[key], err = parseValue(d); err != nil {
				return nil, err
			}
		}
		_, err := d.Token()
		return o, err
	}
	return t, nil
}

func cut(s string) string {
	if len(s) > 400 {
		return s[:400] + "…"
	}
	return s
}

// get follows keys and list indexes; nil where there is nothing.
func get(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			o, ok := v.(*object)
			if !ok {
				return nil
			}
			v = o.m[p]
		case int:
			l, ok := v.([]any)
			if !ok || p >= len(l) {
				return nil
			}
			v = l[p]
		}
	}
	return v
}

// number is an exact integer of a parsed value; -1 when it is none.
func number(v any) int64 {
	n, ok := v.(json.Number)
	if !ok {
		return -1
	}
	i, err := n.Int64()
	if err != nil {
		return -1
	}
	return i
}

func text(v any) string { s, _ := v.(string); return s }

// plain writes a parsed value as compact JSON again, keys in their order.
func plain(v any) string {
	switch v := v.(type) {
	case *object:
		parts := make([]string, len(v.keys))
		for i, k := range v.keys {
			parts[i] = quote(k) + ":" + plain(v.m[k])
		}
		return "{" + strings.Join(parts, ",") + "}"
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = plain(x)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case json.Number:
		return v.String()
	case string:
		return quote(v)
	case nil:
		return "null"
	}
	return fmt.Sprint(v)
}

func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// dump returns the event JSON of every row of a log.
func dump(t testing.TB, s *session.Session) []*object {
	t.Helper()
	var rows []*object
	var line []byte
	for i := range s.Index().Len() {
		var err error
		if line, err = s.AppendJSON(line[:0], i, false); err != nil {
			t.Fatalf("row %d: %v", i, err)
		}
		if bytes.ContainsAny(line, "\n\r") {
			t.Fatalf("row %d: more than one line", i)
		}
		v, err := parse(line)
		if err != nil {
			t.Fatalf("row %d: %v", i, err)
		}
		rows = append(rows, v.(*object))
	}
	return rows
}

// kindOf returns what a row of the event JSON is.
func kindOf(row *object) string {
	if k := text(row.m["kind"]); k != "" {
		return k
	}
	return "event"
}

// root is the project's folder.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	t.Fatal("no go.mod above the test")
	return ""
}

func testdata(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root(t), "testdata", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// shared returns a file of the material that stands beside the project; the test is skipped where there is none.
func shared(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root(t), "..", "shared", filepath.FromSlash(name)))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("skipped: no corpus")
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}
