package jsonb

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// The documents of another project's test suite, Erlang terms {value, bytes with a length in front, length's bytes}, where
// they lie beside this project.
func TestCorpusTerms(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "corpus", "files", "msmp_jsonb.terms"))
	if err != nil {
		t.Skip("skipped: no corpus")
	}
	p := terms{t: t, s: string(text)}
	n := 0
	for p.next("{") {
		want := p.term()
		p.next(",")
		doc := []byte(p.term().(string))[4:]
		p.next(",")
		p.term()
		if !p.next("}") || !p.next(".") {
			t.Fatalf("term %d ends with %.40q", n, p.s)
		}
		n++
		got, bad := AppendText(nil, doc)
		if bad != nil {
			t.Errorf("term %d: %v", n, bad)
			continue
		}
		d := json.NewDecoder(strings.NewReader(string(got)))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil || !reflect.DeepEqual(v, want) {
			t.Errorf("term %d: %.200s, %v\nwant %.200v", n, got, err, want)
		}
		checkDocument(t, "term "+strconv.Itoa(n), doc, string(got))
	}
	if n < 20 || p.s != "" {
		t.Errorf("%d terms, then %.40q", n, p.s)
	}
}

// terms reads Erlang terms: numbers, atoms, binaries, lists and maps.
type terms struct {
	t *testing.T
	s string
}

func (p *terms) skip() {
	for {
		p.s = strings.TrimLeft(p.s, " \t\n")
		if !strings.HasPrefix(p.s, "%") {
			return
		}
		_, p.s, _ = strings.Cut(p.s, "\n")
	}
}

func (p *terms) next(token string) (ok bool) {
	p.skip()
	p.s, ok = strings.CutPrefix(p.s, token)
	return ok
}

func (p *terms) term() any {
	switch {
	case p.next("<<"):
		var b strings.Builder
		for !p.next(">>") {
			switch {
			case p.next(`"`):
				text, rest, _ := strings.Cut(p.s, `"`)
				p.s = rest
				b.WriteString(text)
			case p.next(","):
			default:
				n, err := strconv.ParseUint(string(p.term().(json.Number)), 10, 8)
				if err != nil {
					p.t.Fatal(err)
				}
				b.WriteByte(byte(n))
			}
		}
		return b.String()
	case p.next("["):
		list := []any{}
		for !p.next("]") {
			list = append(list, p.term())
			p.next(",")
		}
		return list
	case p.next("#{"):
		m := map[string]any{}
		for !p.next("}") {
			key := p.term().(string)
			p.next("=>")
			m[key] = p.term()
			p.next(",")
		}
		return m
	}
	end := strings.IndexFunc(p.s, func(r rune) bool { return !strings.ContainsRune("-._0123456789abcdefghijklmnopqrstuvwxyz", r) })
	if end <= 0 {
		p.t.Fatalf("no term at %.40q", p.s)
	}
	word := p.s[:end]
	p.s = p.s[end:]
	switch word {
	case "null":
		return nil
	case "true", "false":
		return word == "true"
	}
	return json.Number(strings.ReplaceAll(word, "_", ""))
}
