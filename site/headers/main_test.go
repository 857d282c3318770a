package main

import (
	"strings"
	"testing"

	"binlens/site"
)

func TestWrite(t *testing.T) {
	var out strings.Builder
	write(&out, []string{"dist/site/sample.binlog", "dist/site/main.js", "other/main.js"})
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	want := []string{"/*"}
	for _, header := range site.Headers() {
		want = append(want, "  "+header.Name+": "+header.Value)
	}
	want = append(want,
		"/main.js", "  Content-Type: text/javascript; charset=utf-8",
		"/sample.binlog", "  Content-Type: application/octet-stream")
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	for _, line := range lines {
		if len(line) > 2000 { // the layer's own limit for one line, in characters
			t.Errorf("a line has %d characters: %.60s…", len(line), line)
		}
	}
}
