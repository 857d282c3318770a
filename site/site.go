// Package site is the one http.Handler behind which the page is served: by serve.go on a user's own machine and by
// wasm/edge at a Cloudflare data centre. It holds the security headers that go on every response, the MIME types, and
// nothing else: the files come from the fs.FS it is given, none is embedded, so a fresh clone builds and vets.
//
// Where it is given logs too, it serves them below /logs/: the listing as JSON, and each by ranges. It never takes any.
//
// It answers GET and HEAD of a file by its exact path, that of a folder as its index.html, byte ranges, and conditional requests by a
// strong ETag made of the file's contents. It lists no folder, serves no dot-file, follows no "..", and sniffs no type.
package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"
)

// Policy is the Content-Security-Policy of every response but those of openPage and framePage. The page narrows it further, to connect-src 'none', once it
// has loaded what it needs; blob: is for the worker, which inherits the page's policy only when it starts from a blob.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self'; " +
	"img-src 'self' data:; manifest-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Two pages do more than the others, and are not sealed while they do: openPage reads logs from any origin, and framePage,
// the iframe form, can also stand in a page of any.
const (
	openPage  = "open/index.html"
	framePage = "embed/index.html"

	openPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' http: https:; style-src 'self'; " +
		"img-src 'self' data:; worker-src 'self' blob:; base-uri 'none'; form-action 'none'"
	notFramed = "; frame-ancestors 'none'"
)

// Header is one response header.
type Header struct{ Name, Value string }

// Headers returns the headers of every response, whatever its status, in the order in which they are written down, but
// for those that HeadersOf has otherwise. The edge's _headers file is generated from both.
func Headers() []Header {
	return []Header{
		{"Content-Security-Policy", Policy},
		{"Cross-Origin-Opener-Policy", "same-origin"},
		{"Cross-Origin-Resource-Policy", "same-origin"},
		{"Permissions-Policy", "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"},
		{"Referrer-Policy", "no-referrer"},
		{"X-Content-Type-Options", "nosniff"},
		{"X-DNS-Prefetch-Control", "off"},
		{"Cache-Control", "no-cache"},
	}
}

// HeadersOf returns what the answer with a file has beside Headers, or in their place. The parts of <binlog-view> may be
// loaded by pages of any origin: they hold nothing that is anybody's.
func HeadersOf(name string) []Header {
	switch name {
	case openPage:
		return []Header{{"Content-Security-Policy", openPolicy + notFramed}}
	case framePage:
		return []Header{
			{"Content-Security-Policy", openPolicy},
			{"Cross-Origin-Resource-Policy", "cross-origin"},
		}
	case "element.js", "worker.js", "parquet.js", "binlens.wasm":
		return []Header{
			{"Access-Control-Allow-Origin", "*"},
			{"Cross-Origin-Resource-Policy", "cross-origin"},
		}
	}
	return nil
}

// Type returns the Content-Type of a file by its name; what is not known is application/octet-stream, which no browser
// runs or renders.
func Type(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".json", ".webmanifest":
		return "application/json"
	case ".wasm":
		return "application/wasm"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".ico":
		return "image/x-icon"
	case ".txt", ".ts":
		return "text/plain; charset=utf-8"
	}
	return "application/octet-stream"
}

// Handler serves the files of fsys and, unless it is nil, logs.
func Handler(fsys fs.FS, logs Logs) http.Handler {
	return &handler{fsys: fsys, logs: logs}
}

type handler struct {
	fsys fs.FS
	logs Logs
	tags sync.Map // file name -> tag
}

// tag is the ETag of a file as it was when it had this size and this time.
type tag struct {
	size    int64
	modTime time.Time
	etag    string
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for _, header := range Headers() {
		w.Header().Set(header.Name, header.Value)
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		fail(w, http.StatusMethodNotAllowed)
		return
	}
	if h.logs != nil && strings.HasPrefix(r.URL.Path, logsPath) {
		h.serveLogs(w, r)
		return
	}
	name, ok := fileName(r.URL.Path)
	if !ok {
		fail(w, http.StatusNotFound)
		return
	}
	h.serveFile(w, r, name)
}

// serveFile answers with a file. There is one address for one page, that of its folder with a slash behind it: any other
// is sent there.
func (h *handler) serveFile(w http.ResponseWriter, r *http.Request, name string) {
	file, info, err := h.open(name)
	if err != nil && h.isFile(name+"/index.html") {
		redirect(w, r.URL.Path+"/")
		return
	}
	if err != nil {
		fail(w, status(err))
		return
	}
	defer file.Close()
	if folder, ok := strings.CutSuffix(r.URL.Path, "/index.html"); ok {
		redirect(w, folder+"/")
		return
	}
	content, etag, err := h.content(name, file, info)
	if err != nil {
		fail(w, status(err))
		return
	}
	for _, header := range HeadersOf(name) {
		w.Header().Set(header.Name, header.Value)
	}
	w.Header().Set("Content-Type", Type(name))
	w.Header().Set("ETag", etag)
	http.ServeContent(w, r, name, info.ModTime(), content)
}

// fileName turns a request's path into a name for fs.FS; false where no file can be meant.
func fileName(urlPath string) (string, bool) {
	if strings.HasSuffix(urlPath, "/") {
		urlPath += "index.html"
	}
	name, ok := strings.CutPrefix(urlPath, "/")
	if !ok || !fs.ValidPath(name) || strings.ContainsAny(name, "\\\x00") {
		return "", false
	}
	for element := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(element, ".") {
			return "", false
		}
	}
	return name, true
}

// open opens a file. A folder is fs.ErrNotExist.
func (h *handler) open(name string) (fs.File, fs.FileInfo, error) {
	file, err := h.fsys.Open(name)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

func (h *handler) isFile(name string) bool {
	file, _, err := h.open(name)
	if err == nil {
		file.Close()
	}
	return err == nil
}

// content returns the file's bytes, seekable, and its ETag.
func (h *handler) content(name string, file fs.File, info fs.FileInfo) (io.ReadSeeker, string, error) {
	content, seeks := file.(io.ReadSeeker)
	if !seeks {
		all, err := io.ReadAll(file)
		if err != nil {
			return nil, "", err
		}
		content = bytes.NewReader(all)
	}
	modTime := info.ModTime()
	if known, ok := h.tags.Load(name); ok && !modTime.IsZero() {
		if t := known.(tag); t.size == info.Size() && t.modTime.Equal(modTime) {
			return content, t.etag, nil
		}
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, content); err != nil {
		return nil, "", err
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return nil, "", err
	}
	etag := `"` + hex.EncodeToString(hash.Sum(nil)[:16]) + `"`
	h.tags.Store(name, tag{info.Size(), modTime, etag})
	return content, etag, nil
}

func status(err error) int {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrInvalid) {
		return http.StatusNotFound
	}
	return http.StatusInternalServerError
}

// redirect sends on to a path of this site; relative, so that it holds behind any proxy.
func redirect(w http.ResponseWriter, path string) {
	w.Header().Set("Location", (&url.URL{Path: path}).EscapedPath())
	w.WriteHeader(http.StatusTemporaryRedirect)
}

// fail answers with the status's own words: nothing of the request and nothing of the machine is repeated.
func fail(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	io.WriteString(w, http.StatusText(status)+"\n")
}
