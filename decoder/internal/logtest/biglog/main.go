// Command biglog writes a large log of small transactions, for benchmarks and the browser's test: it is made, never committed.
// One that is there is kept. What the log holds is printed as JSON.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"binlens/decoder/internal/logtest"
)

func main() {
	out := flag.String("out", "", "the file to write")
	size := flag.Int64("size", 1<<30, "bytes, at least")
	flag.Parse()
	facts, err := write(*out, *size)
	if err != nil {
		fmt.Fprintln(os.Stderr, "biglog:", err)
		os.Exit(1)
	}
	json.NewEncoder(os.Stdout).Encode(facts)
}

func write(path string, size int64) (*logtest.BigFacts, error) {
	begin := &head{left: 1 << 20}
	facts, err := logtest.WriteTransactions(begin, size)
	if err != nil || isThere(path, facts.Bytes, begin.Bytes()) {
		return facts, err
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	facts, err = logtest.WriteTransactions(f, size)
	if e := f.Close(); err == nil {
		err = e
	}
	return facts, err
}

// isThere says that a file has this size and these first bytes.
func isThere(path string, size int64, begin []byte) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() != size {
		return false
	}
	got := make([]byte, len(begin))
	_, err = io.ReadFull(f, got)
	return err == nil && bytes.Equal(got, begin)
}

// head keeps the first bytes of what is written to it.
type head struct {
	bytes.Buffer
	left int
}

func (h *head) Write(p []byte) (int, error) {
	n := min(len(p), h.left)
	h.left -= n
	h.Buffer.Write(p[:n])
	return len(p), nil
}
