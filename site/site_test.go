package site

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

var files = fstest.MapFS{
	"index.html":        {Data: []byte("<!doctype html><title>binlens</title>")},
	"main.js":           {Data: []byte("export {};")},
	"worker.mjs":        {Data: []byte("export {};")},
	"main.css":          {Data: []byte(":root{}")},
	"binlens.wasm":      {Data: []byte("\x00asm\x01\x00\x00\x00")},
	"icon.svg":          {Data: []byte("<svg xmlns='http://www.w3.org/2000/svg'/>")},
	"icon.png":          {Data: []byte("\x89PNG\r\n\x1a\n")},
	"icon.ico":          {Data: []byte("\x00\x00\x01\x00")},
	"x.webmanifest":     {Data: []byte("{}")},
	"LICENSE.txt":       {Data: []byte("MIT")},
	"sample.binlog":     {Data: []byte("\xfebin0123456789")},
	"deep/er/file.html": {Data: []byte("deep")},
	"open/index.html":   {Data: []byte("open")},
	"embed/index.html":  {Data: []byte("embed")},
	"element.d.ts":      {Data: []byte("export {};")},
	".secret":           {Data: []byte("no")},
	"deep/.git/config":  {Data: []byte("no")},
	"unknown.exe":       {Data: []byte("<script>")},
}

func TestHandler(t *testing.T) {
	tests := []struct {
		name, method, path string
		header             string // one request header, "Name: value"
		status             int
		contentType, body  string
	}{
		{name: "root", path: "/", status: 200, contentType: "text/html; charset=utf-8", body: "<!doctype html><title>binlens</title>"},
		{name: "query is ignored", path: "/?src=x", status: 200, contentType: "text/html; charset=utf-8", body: "<!doctype html><title>binlens</title>"},
		{name: "script", path: "/main.js", status: 200, contentType: "text/javascript; charset=utf-8", body: "export {};"},
		{name: "module", path: "/worker.mjs", status: 200, contentType: "text/javascript; charset=utf-8", body: "export {};"},
		{name: "style", path: "/main.css", status: 200, contentType: "text/css; charset=utf-8", body: ":root{}"},
		{name: "wasm", path: "/binlens.wasm", status: 200, contentType: "application/wasm", body: "\x00asm\x01\x00\x00\x00"},
		{name: "svg", path: "/icon.svg", status: 200, contentType: "image/svg+xml", body: "<svg xmlns='http://www.w3.org/2000/svg'/>"},
		{name: "png", path: "/icon.png", status: 200, contentType: "image/png", body: "\x89PNG\r\n\x1a\n"},
		{name: "ico", path: "/icon.ico", status: 200, contentType: "image/x-icon", body: "\x00\x00\x01\x00"},
		{name: "manifest", path: "/x.webmanifest", status: 200, contentType: "application/json", body: "{}"},
		{name: "text", path: "/LICENSE.txt", status: 200, contentType: "text/plain; charset=utf-8", body: "MIT"},
		{name: "binlog", path: "/sample.binlog", status: 200, contentType: "application/octet-stream", body: "\xfebin0123456789"},
		{name: "unknown type", path: "/unknown.exe", status: 200, contentType: "application/octet-stream", body: "<script>"},
		{name: "file in a folder", path: "/deep/er/file.html", status: 200, contentType: "text/html; charset=utf-8", body: "deep"},
		{name: "head", method: "HEAD", path: "/main.js", status: 200, contentType: "text/javascript; charset=utf-8"},
		{name: "range", path: "/sample.binlog", header: "Range: bytes=4-7", status: 206, contentType: "application/octet-stream", body: "0123"},
		{name: "last bytes", path: "/sample.binlog", header: "Range: bytes=-3", status: 206, contentType: "application/octet-stream", body: "789"},
		{name: "range past the end", path: "/sample.binlog", header: "Range: bytes=99-", status: 416, contentType: "text/plain; charset=utf-8", body: "invalid range: failed to overlap\n"},
		{name: "other etag", path: "/main.js", header: `If-None-Match: "0"`, status: 200, contentType: "text/javascript; charset=utf-8", body: "export {};"},
		{name: "long name of the root", path: "/index.html", status: 307},
		{name: "page of a folder", path: "/open/", status: 200, contentType: "text/html; charset=utf-8", body: "open"},
		{name: "page that may be framed", path: "/embed/?x=1", status: 200, contentType: "text/html; charset=utf-8", body: "embed"},
		{name: "folder of a page", path: "/open", status: 307},
		{name: "long name of a page", path: "/open/index.html", status: 307},
		{name: "long name of a page elsewhere", path: "//evil.example/index.html", status: 404, contentType: "text/plain; charset=utf-8", body: "Not Found\n"},
		{name: "types", path: "/element.d.ts", status: 200, contentType: "text/plain; charset=utf-8", body: "export {};"},
		{name: "missing", path: "/nothing", status: 404, contentType: "text/plain; charset=utf-8", body: "Not Found\n"},
		{name: "missing, head", method: "HEAD", path: "/nothing", status: 404, contentType: "text/plain; charset=utf-8"},
		{name: "folder", path: "/deep/er", status: 404, contentType: "text/plain; charset=utf-8", body: "Not Found\n"},
		{name: "folder with slash", path: "/deep/er/", status: 404, contentType: "text/plain; charset=utf-8", body: "Not Found\n"},
		{name: "dot-file", path: "/.secret", status: 404, contentType: "text/plain; charset=utf-8", body: "Not Found\n"},
		{name: "dot-folder", path: "/deep/.git/config", status: 404, contentType: "text/plain; charset=utf-8", body: "Not Found\n"},
		{name: "up", path: "/deep/../main.js", status: 404, contentType: "text/plain; charset=utf-8", body: "Not Found\n"},
		{name: "up, escaped", path: "/%2e%2e/site_test.go", status: 404, contentType: "text/plain; charset=utf-8", body: "Not Found\n"},
		{name: "backslash", path: "/deep%5c..%5cmain.js", status: 404, contentType: "text/plain; charset=utf-8", body: "Not Found\n"},
		{name: "zero byte", path: "/main.js%00.html", status: 404, contentType: "text/plain; charset=utf-8", body: "Not Found\n"},
		{name: "two slashes", path: "//main.js", status: 404, contentType: "text/plain; charset=utf-8", body: "Not Found\n"},
		{name: "post", method: "POST", path: "/", status: 405, contentType: "text/plain; charset=utf-8", body: "Method Not Allowed\n"},
		{name: "options", method: "OPTIONS", path: "/main.js", status: 405, contentType: "text/plain; charset=utf-8", body: "Method Not Allowed\n"},
		{name: "put", method: "PUT", path: "/new", status: 405, contentType: "text/plain; charset=utf-8", body: "Method Not Allowed\n"},
	}
	server := httptest.NewServer(Handler(files, nil))
	defer server.Close()
	client := server.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			request, err := http.NewRequest(test.method, server.URL+test.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			if name, value, ok := strings.Cut(test.header, ": "); ok {
				request.Header.Set(name, value)
			}
			response, err := client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			if err != nil {
				t.Fatal(err)
			}
			if response.StatusCode != test.status {
				t.Errorf("status = %d, want %d", response.StatusCode, test.status)
			}
			if got := response.Header.Get("Content-Type"); got != test.contentType {
				t.Errorf("Content-Type = %q, want %q", got, test.contentType)
			}
			if string(body) != test.body {
				t.Errorf("body = %q, want %q", body, test.body)
			}
			for _, header := range expected(test.path, test.status) {
				if header.Name == "Cache-Control" && test.status == 416 {
					continue // http.ServeContent takes it off an error, which nothing caches anyway
				}
				if got := response.Header.Get(header.Name); got != header.Value {
					t.Errorf("%s = %q, want %q", header.Name, got, header.Value)
				}
			}
			if test.status == 405 && response.Header.Get("Allow") != "GET, HEAD" {
				t.Errorf("Allow = %q", response.Header.Get("Allow"))
			}
			if to := strings.TrimSuffix(test.path, "index.html"); test.status == 307 && response.Header.Get("Location") != strings.TrimSuffix(to, "/")+"/" {
				t.Errorf("Location = %q", response.Header.Get("Location"))
			}
			if test.method == "HEAD" && test.status == 200 && response.ContentLength != int64(len("export {};")) {
				t.Errorf("Content-Length = %d", response.ContentLength)
			}
		})
	}
}

// expected is the headers of an answer: those of a file where it has some of its own.
func expected(path string, status int) []Header {
	path, _, _ = strings.Cut(path, "?")
	name := strings.TrimPrefix(path, "/")
	if strings.HasSuffix(path, "/") {
		name += "index.html"
	}
	headers := Headers()
	if status != 200 && status != 206 {
		return headers
	}
	for _, own := range HeadersOf(name) {
		i := slices.IndexFunc(headers, func(h Header) bool { return h.Name == own.Name })
		if i < 0 {
			headers = append(headers, own)
		} else {
			headers[i] = own
		}
	}
	return headers
}

// What the pages of another origin may load, and which page may stand in theirs.
func TestHeadersOf(t *testing.T) {
	for name, want := range map[string]string{
		"index.html": "", "main.js": "", "sample.binlog": "", "exhibits/index.html": "",
		"element.js": "*", "worker.js": "*", "parquet.js": "*", "binlens.wasm": "*",
	} {
		got := ""
		for _, h := range HeadersOf(name) {
			if h.Name == "Access-Control-Allow-Origin" {
				got = h.Value
			}
		}
		if got != want {
			t.Errorf("%s: Access-Control-Allow-Origin = %q, want %q", name, got, want)
		}
	}
	for name, framed := range map[string]bool{"open/index.html": false, "embed/index.html": true} {
		policy := HeadersOf(name)[0].Value
		if strings.Contains(policy, "frame-ancestors 'none'") == framed || !strings.Contains(policy, "connect-src 'self' http: https:") {
			t.Errorf("%s: %s", name, policy)
		}
	}
}

// serve runs one request on h without a network.
func serve(h http.Handler, path, ifNoneMatch string) *http.Response {
	request := httptest.NewRequest("GET", path, nil)
	if ifNoneMatch != "" {
		request.Header.Set("If-None-Match", ifNoneMatch)
	}
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, request)
	return recorder.Result()
}

func TestETagFollowsContents(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "main.js")
	write := func(text string, modTime time.Time) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, modTime, modTime); err != nil {
			t.Fatal(err)
		}
	}
	h := Handler(os.DirFS(dir), nil)
	first := time.Date(2026, 1, 6, 8, 0, 0, 0, time.UTC)

	write("one", first)
	etag := serve(h, "/main.js", "").Header.Get("ETag")
	if len(etag) != 34 {
		t.Fatalf("ETag = %q, want 32 hex digits in quotes", etag)
	}
	if got := serve(h, "/main.js", etag).StatusCode; got != 304 {
		t.Errorf("same contents: status %d, want 304", got)
	}
	write("one", first.Add(time.Hour)) // built again, to the same bytes
	if got := serve(h, "/main.js", etag).StatusCode; got != 304 {
		t.Errorf("same contents, later: status %d, want 304", got)
	}
	write("two", first.Add(2*time.Hour))
	response := serve(h, "/main.js", etag)
	if response.StatusCode != 200 || response.Header.Get("ETag") == etag {
		t.Errorf("new contents: status %d, ETag %s, want 200 and not %s", response.StatusCode, response.Header.Get("ETag"), etag)
	}
}

// stream is an fs.FS whose files can only be read from start to end, as those behind the edge's binding.
type stream struct{ fs.FS }

func (s stream) Open(name string) (fs.File, error) {
	file, err := s.FS.Open(name)
	return struct{ fs.File }{file}, err
}

func TestFilesThatDoNotSeek(t *testing.T) {
	h := Handler(stream{files}, nil)
	for _, path := range []string{"/", "/main.js", "/sample.binlog"} {
		want := serve(Handler(files, nil), path, "")
		got := serve(h, path, "")
		if got.StatusCode != 200 || got.Header.Get("ETag") != want.Header.Get("ETag") || got.ContentLength != want.ContentLength {
			t.Errorf("%s: %d %s %d bytes, want %s %d bytes", path, got.StatusCode, got.Header.Get("ETag"), got.ContentLength,
				want.Header.Get("ETag"), want.ContentLength)
		}
	}
}

// broken is an fs.FS that fails with its error.
type broken struct{ error }

func (b broken) Open(string) (fs.File, error) { return nil, b.error }

func TestErrorsSayNothingOfTheMachine(t *testing.T) {
	tests := []struct {
		err    error
		status int
		body   string
	}{
		{&fs.PathError{Op: "open", Path: "/home/someone", Err: fs.ErrNotExist}, 404, "Not Found\n"},
		{&fs.PathError{Op: "open", Path: "/home/someone", Err: fs.ErrPermission}, 404, "Not Found\n"},
		{&fs.PathError{Op: "open", Path: "/home/someone", Err: fs.ErrInvalid}, 404, "Not Found\n"},
		{errors.New("disk on fire at /home/someone"), 500, "Internal Server Error\n"},
	}
	for _, test := range tests {
		response := serve(Handler(broken{test.err}, nil), "/main.js", "")
		body, _ := io.ReadAll(response.Body)
		if response.StatusCode != test.status || string(body) != test.body {
			t.Errorf("%v: %d %q, want %d %q", test.err, response.StatusCode, body, test.status, test.body)
		}
	}
}

// TestPolicy holds the policy to what the page's privacy rests on.
func TestPolicy(t *testing.T) {
	directives := map[string]string{}
	for directive := range strings.SplitSeq(Policy, "; ") {
		name, value, _ := strings.Cut(directive, " ")
		if _, twice := directives[name]; twice {
			t.Errorf("%s is set twice: browsers read the first", name)
		}
		directives[name] = value
	}
	for name, want := range map[string]string{
		"default-src": "'none'", "connect-src": "'self'", "base-uri": "'none'", "form-action": "'none'",
		"script-src": "'self' 'wasm-unsafe-eval'", "style-src": "'self'",
	} {
		if directives[name] != want {
			t.Errorf("%s = %q, want %q", name, directives[name], want)
		}
	}
	for _, bad := range []string{"unsafe-inline", "'unsafe-eval'", "http:", "https:", "*"} {
		if strings.Contains(Policy, bad) {
			t.Errorf("the policy contains %s", bad)
		}
	}
}
