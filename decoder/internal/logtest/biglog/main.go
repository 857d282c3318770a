// Command biglog writes a large log of small transactions, for benchmarks: it is made, never committed.
package main

import (
	"flag"
	"fmt"
	"os"

	"binlens/decoder/internal/logtest"
)

func main() {
	out := flag.String("out", "", "the file to write")
	size := flag.Int64("size", 1<<30, "bytes, at least")
	flag.Parse()
	events, err := write(*out, *size)
	if err != nil {
		fmt.Fprintln(os.Stderr, "biglog:", err)
		os.Exit(1)
	}
	fmt.Println(events, "events")
}

func write(path string, size int64) (int64, error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	events, err := logtest.WriteTransactions(f, size)
	if e := f.Close(); err == nil {
		err = e
	}
	return events, err
}
