//go:build js && wasm

// Command edge is the site as a Cloudflare Worker: the handler of package site, which serve.go also serves, compiled to
// WebAssembly. It exists for GOOS=js only.
//
// The assets layer answers requests for the files themselves, with the headers of public/_headers, which site/headers
// prints from site.Headers. A request that names no file starts this program, and its answer is the handler's own; with
// the layer told to ask this program first, all of them are. So nothing at the edge has a second opinion on what a
// response looks like; site/scripts/edge.test.mjs holds both ways against serve.go.
//
// A log that is dropped never comes here: the page reads it in the browser. Logs that the site itself offers lie in the R2
// bucket of the binding LOGS, where there is one, and are served below /logs/.
package main

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare"
	"github.com/syumai/workers/cloudflare/fetch"

	"binlens/site"
)

func main() {
	var logs site.Logs
	if binding := cloudflare.GetBinding("LOGS"); !binding.IsUndefined() {
		logs = bucket{binding}
	}
	files := site.Handler(assets{fetch.NewClient(fetch.WithBinding(cloudflare.GetBinding("ASSETS")))}, logs)
	workers.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, parts := range r.Header { // the library takes values apart at commas: dates, lists of tags and of ranges
			r.Header[name] = []string{strings.Join(parts, ",")}
		}
		if r.Method == http.MethodHead {
			w = bodyless{w}
		}
		files.ServeHTTP(w, r)
	}))
}

// bodyless is the answer to a HEAD. The runtime fails an answer with a Content-Length of which no bytes come, so the
// length is left out.
type bodyless struct{ http.ResponseWriter }

func (b bodyless) WriteHeader(status int) {
	b.Header().Del("Content-Length")
	b.ResponseWriter.WriteHeader(status)
}

// assets is the assets layer as an fs.FS. It holds no files of its own: each Open is one request to the binding.
type assets struct{ binding *fetch.Client }

// maxAsset bounds what one request may bring into memory, in bytes; the wasm of the page is a tenth of it.
const maxAsset = 32 << 20

func (a assets) Open(name string) (fs.File, error) {
	data, err := a.read(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &file{Reader: bytes.NewReader(data), name: path.Base(name)}, nil
}

func (a assets) read(name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, fs.ErrInvalid
	}
	name = strings.TrimSuffix(name, "index.html")                                 // the layer sends that on to its folder
	address := url.URL{Scheme: "https", Host: "assets.invalid", Path: "/" + name} // the binding reads the path only
	request, err := fetch.NewRequest(context.Background(), http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, err
	}
	response, err := a.binding.Do(request, &fetch.RequestInit{Redirect: fetch.RedirectModeManual})
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fs.ErrNotExist
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, maxAsset+1))
	if err == nil && len(data) > maxAsset {
		err = fs.ErrInvalid
	}
	return data, err
}

// file is one asset in memory; it is its own fs.FileInfo. The layer keeps no times.
type file struct {
	*bytes.Reader
	name string
}

func (f *file) Stat() (fs.FileInfo, error) { return f, nil }
func (f *file) Close() error               { return nil }
func (f *file) Name() string               { return f.name }
func (f *file) Mode() fs.FileMode          { return 0o444 }
func (f *file) ModTime() time.Time         { return time.Time{} }
func (f *file) IsDir() bool                { return false }
func (f *file) Sys() any                   { return nil }
