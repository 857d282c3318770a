package main

import (
	"strings"
	"testing"
	"testing/fstest"

	"binlens/site"
)

func TestWrite(t *testing.T) {
	var out strings.Builder
	files := fstest.MapFS{"sample.binlog": {}, "main.js": {}, "index.html": {}, "embed/index.html": {}, "worker.js": {}}
	if err := write(&out, files); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	want := []string{"/*"}
	for _, header := range site.Headers() {
		want = append(want, "  "+header.Name+": "+header.Value)
	}
	want = append(want, "/embed/", "  Content-Type: text/html; charset=utf-8")
	for _, header := range site.HeadersOf("embed/index.html") {
		want = append(want, "  ! "+header.Name, "  "+header.Name+": "+header.Value)
	}
	want = append(want,
		"/", "  Content-Type: text/html; charset=utf-8",
		"/main.js", "  Content-Type: text/javascript; charset=utf-8",
		"/sample.binlog", "  Content-Type: application/octet-stream",
		"/worker.js", "  Content-Type: text/javascript; charset=utf-8",
		"  ! Access-Control-Allow-Origin", "  Access-Control-Allow-Origin: *",
		"  ! Cross-Origin-Resource-Policy", "  Cross-Origin-Resource-Policy: cross-origin")
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	for _, line := range lines {
		if len(line) > 2000 { // the layer's own limit for one line, in characters
			t.Errorf("a line has %d characters: %.60s…", len(line), line)
		}
	}
}
