// Command headers prints the _headers file of the edge's assets layer: the headers that package site puts on every
// response, and the MIME types of the files named as arguments. Thus both have one source.
//
//	go run ./site/headers FILE... >public/_headers
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"binlens/site"
)

func main() {
	write(os.Stdout, os.Args[1:])
}

func write(w io.Writer, names []string) {
	fmt.Fprintln(w, "/*")
	for _, header := range site.Headers() {
		fmt.Fprintf(w, "  %s: %s\n", header.Name, header.Value)
	}
	names = slices.Clone(names)
	for i, name := range names {
		names[i] = filepath.Base(name)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		fmt.Fprintf(w, "/%s\n  Content-Type: %s\n", name, site.Type(name))
	}
}
