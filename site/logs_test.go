package site

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// logFolder is a folder of logs, with what must not get out of it.
func logFolder(t *testing.T) (*Dir, []byte) {
	t.Helper()
	parent := t.TempDir()
	dir := filepath.Join(parent, "logs")
	content := bytes.Repeat([]byte("\xfebin0123456789"), 100)
	for name, data := range map[string][]byte{"logs/bin.000002": content, "logs/bin.000001": content[:40], "logs/a b%é.log": content[:14], "logs/.hidden": content,
		"logs/folder/inner": content, "secret": []byte("secret"), "logs/empty": nil} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(parent, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(parent, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"out": "../secret", "up": "..", "in": "bin.000001", "dangling": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip("no symbolic links here: " + err.Error())
		}
	}
	when := time.Date(2026, 1, 6, 8, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(dir, "bin.000002"), when, when); err != nil {
		t.Fatal(err)
	}
	logs, err := OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return logs, content
}

// ask sends a GET with one header, "Name: value", or none.
func ask(h http.Handler, path, header string) *http.Response {
	request := httptest.NewRequest("GET", path, nil)
	if name, value, ok := strings.Cut(header, ": "); ok {
		request.Header.Set(name, value)
	}
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, request)
	return recorder.Result()
}

func TestLogsAreListed(t *testing.T) {
	logs, _ := logFolder(t)
	response := ask(Handler(files, logs), "/logs/", "")
	var list []Log
	if err := json.NewDecoder(response.Body).Decode(&list); err != nil || response.StatusCode != 200 || response.Header.Get("Content-Type") != "application/json" {
		t.Fatal(err, response.StatusCode, response.Header)
	}
	var got []string
	for _, l := range list {
		got = append(got, l.Name)
	}
	if want := "a b%é.log bin.000001 bin.000002 empty in"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
	if l := list[2]; l.Size != 1400 || l.Modified.Format(time.RFC3339) != "2026-01-06T08:00:00Z" {
		t.Errorf("%+v", l)
	}
}

func TestLogsByRanges(t *testing.T) {
	logs, content := logFolder(t)
	for _, test := range []struct {
		path, header string
		status       int
		body, ranges string
	}{
		{"/logs/bin.000002", "", 200, string(content), ""},
		{"/logs/bin.000002", "Range: bytes=4-7", 206, "0123", "bytes 4-7/1400"},
		{"/logs/bin.000002", "Range: bytes=1396-", 206, "6789", "bytes 1396-1399/1400"},
		{"/logs/bin.000002", "Range: bytes=-2", 206, "89", "bytes 1398-1399/1400"},
		{"/logs/bin.000002", "Range: bytes=1400-", 416, "", "bytes */1400"},
		{"/logs/in", "", 200, string(content[:40]), ""},
		{"/logs/a%20b%25%C3%A9.log", "Range: bytes=0-3", 206, "\xfebin", "bytes 0-3/14"},
		{"/logs/empty", "", 200, "", ""},
	} {
		response := ask(Handler(files, logs), test.path, test.header)
		body, _ := io.ReadAll(response.Body)
		if response.StatusCode != test.status || test.status < 400 && string(body) != test.body || response.Header.Get("Content-Range") != test.ranges {
			t.Errorf("%s %s: %d %q %s", test.path, test.header, response.StatusCode, body[:min(len(body), 20)], response.Header.Get("Content-Range"))
		}
		if test.status < 300 && (response.Header.Get("Accept-Ranges") != "bytes" || response.Header.Get("Content-Type") != "application/octet-stream") {
			t.Errorf("%s: %v", test.path, response.Header)
		}
	}
	etag := ask(Handler(files, logs), "/logs/bin.000002", "").Header.Get("ETag")
	for header, status := range map[string]int{"If-None-Match: " + etag: 304, `If-None-Match: "x"`: 200} {
		if got := ask(Handler(files, logs), "/logs/bin.000002", header).StatusCode; got != status {
			t.Errorf("%s: %d, want %d", header, got, status)
		}
	}
	for ifRange, status := range map[string]int{etag: 206, `"x"`: 200} {
		r := httptest.NewRequest("GET", "/logs/bin.000002", nil)
		r.Header.Set("Range", "bytes=0-3")
		r.Header.Set("If-Range", ifRange)
		w := httptest.NewRecorder()
		Handler(files, logs).ServeHTTP(w, r)
		if w.Code != status {
			t.Errorf("If-Range %s: %d, want %d", ifRange, w.Code, status)
		}
	}
}

// Nothing gets out but regular files of the folder itself, and nothing gets in.
func TestLogsKeepTheRest(t *testing.T) {
	logs, _ := logFolder(t)
	server := httptest.NewServer(Handler(files, logs))
	defer server.Close()
	for _, path := range []string{"/logs/nothing", "/logs/.hidden", "/logs/folder", "/logs/folder/", "/logs/folder/inner", "/logs/out", "/logs/up", "/logs/up/secret", "/logs/dangling", "/logs/..%2fsecret",
		"/logs/%2e%2e/secret", "/logs/..%5csecret", "/logs/bin.000001%00", "/logs/bin.000001/", "/logs//bin.000001", "/logs/%ff", "/logs/" + strings.Repeat("a", 300), "/logs/bin.000001%0a", "/logs"} {
		response, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != 404 || string(body) != "Not Found\n" {
			t.Errorf("%s: %d %q", path, response.StatusCode, body)
		}
	}
	for _, method := range []string{"PUT", "POST", "DELETE", "PATCH", "OPTIONS"} {
		w := httptest.NewRecorder()
		Handler(files, logs).ServeHTTP(w, httptest.NewRequest(method, "/logs/bin.000001", strings.NewReader("x")))
		if w.Code != 405 || w.Header().Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: %d", method, w.Code)
		}
	}
	for _, path := range []string{"/logs/", "/logs/bin.000001"} {
		if got := ask(Handler(files, nil), path, "").StatusCode; got != 404 {
			t.Errorf("%s without logs: %d", path, got)
		}
	}
}
