// Command headers prints the _headers file of the edge's assets layer: the headers that package site puts on every
// response, and of each file of a folder its MIME type and what else it has. Thus both have one source.
//
//	go run ./site/headers FOLDER >public/_headers
package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"binlens/site"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "headers: name the folder of the built page")
		os.Exit(2)
	}
	if err := write(os.Stdout, os.DirFS(os.Args[1])); err != nil {
		fmt.Fprintln(os.Stderr, "headers:", err)
		os.Exit(1)
	}
}

// write prints one rule for all paths, and one for each file. Where two match, the layer joins the values of a header that
// both have, unless the later one takes that of the earlier away.
func write(w io.Writer, fsys fs.FS) error {
	fmt.Fprintln(w, "/*")
	for _, header := range site.Headers() {
		fmt.Fprintf(w, "  %s: %s\n", header.Name, header.Value)
	}
	return fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		fmt.Fprintf(w, "/%s\n  Content-Type: %s\n", strings.TrimSuffix(name, "index.html"), site.Type(name))
		for _, header := range site.HeadersOf(name) {
			fmt.Fprintf(w, "  ! %s\n  %s: %s\n", header.Name, header.Name, header.Value)
		}
		return nil
	})
}
