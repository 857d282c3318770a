// Command peers measures binlens against go-mysql on the same log, in the same run, on the same machine, and prints the
// ratios: absolute speeds vary with the machine, ratios hardly do. The runs are interleaved, and the best of each is
// taken, so that a noisy moment hits neither side alone.
//
//	./build.sh bench [-n 5]
//
// It is a module of its own: the project itself does not depend on its peers.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// A contest is one thing to do with a whole log. run returns what it went through, so that two sides which are compared
// can be seen to have done the same work, and how long it took where that is not its own time.
type contest struct {
	name string
	run  func(file string) (count, error)

	best time.Duration
	seen count
}

// count is what a run saw.
type count struct {
	events, rows int64
	took         time.Duration // of a program run for it, without its start; 0 when the run was timed as a whole
}

func main() {
	file := flag.String("file", "dist/bench/rows.binlog", "the `log` to read")
	undo := flag.String("undo", "dist/bench/undo.binlog", "the `log` of one large transaction to take back")
	rounds := flag.Int("n", 3, "rounds; the best of each counts")
	flag.Parse()
	err := bench(os.Stdout, *file, *rounds)
	if err == nil {
		err = benchUndo(os.Stdout, *undo)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func bench(out io.Writer, file string, rounds int) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	want, err := toJSONCounted(file) // also brings the file into memory
	if err != nil {
		return err
	}
	peer := &contest{name: "go-mysql: parse", run: goMySQL}
	peerSum := &contest{name: "go-mysql: parse, verify CRC", run: goMySQLVerify}
	tool := &contest{name: "mariadb-binlog -vv: text", run: mariadbBinlog}
	json := &contest{name: "binlens: every event to JSON", run: toJSON}
	index := &contest{name: "binlens: index and CRC", run: indexAndSum}
	count := &contest{name: "binlens: index, CRC, rows counted", run: surveyed}
	wasmJSON := &contest{name: "binlens, wasm: every event to JSON", run: underNode("json")}
	wasmIndex := &contest{name: "binlens, wasm: index and CRC", run: underNode("index")}
	all := []*contest{peer, json, peerSum, index, count, tool, wasmJSON, wasmIndex}
	for range rounds {
		for _, c := range all {
			if err := c.take(file); err != nil {
				return err
			}
		}
	}
	megabytes := float64(info.Size()) / 1e6
	fmt.Fprintf(out, "%.1f MB, %d events, %d rows; best of %d; %s/%s, %d cores\n\n", megabytes, want.events, want.rows, rounds,
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	fmt.Fprintf(out, "| %-36s | %9s | %9s |\n|%s|%s:|%s:|\n", "", "seconds", "MB/s", strings.Repeat("-", 38), strings.Repeat("-", 10), strings.Repeat("-", 10))
	for _, c := range all {
		if c.best > 0 {
			fmt.Fprintf(out, "| %-36s | %9.3f | %9.0f |\n", c.name, c.best.Seconds(), megabytes/c.best.Seconds())
		}
	}
	if peer.seen.events != want.events || peer.seen.rows != want.rows {
		return fmt.Errorf("go-mysql saw %+v, binlens %+v", peer.seen, want)
	}
	fmt.Fprintln(out)
	verdict(out, "every event to JSON / go-mysql's parse", ratio(peer, json), 5, "×")
	verdict(out, "index and CRC / go-mysql's parse with CRC", ratio(peerSum, index), 0, "×")
	verdict(out, "index and CRC", megabytes/1000/index.best.Seconds(), 1, " GB/s")
	verdict(out, "every event to JSON / mariadb-binlog's text", ratio(tool, json), 0, "×")
	verdict(out, "wasm: every event to JSON / go-mysql's parse", ratio(peer, wasmJSON), 1, "×")
	verdict(out, "wasm: index and CRC / go-mysql's with CRC", ratio(peerSum, wasmIndex), 0, "×")
	return nil
}

// take runs a contest once.
func (c *contest) take(file string) error {
	runtime.GC()
	start := time.Now()
	seen, err := c.run(file)
	took := time.Since(start)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil // the peer is not here: its line is left out
	case err != nil:
		return fmt.Errorf("%s: %w", c.name, err)
	case seen.took > 0:
		took = seen.took
	}
	c.seen = seen
	if c.best == 0 || took < c.best {
		c.best = took
	}
	return nil
}

// ratio is how many times as fast ours is as a peer; 0 when one of them did not run.
func ratio(peer, ours *contest) float64 {
	if ours.best == 0 {
		return 0
	}
	return peer.best.Seconds() / ours.best.Seconds()
}

// verdict prints a figure beside its bar; a bar of 0 is none.
func verdict(out io.Writer, name string, got, bar float64, unit string) {
	if got == 0 {
		return
	}
	word := ""
	switch {
	case bar > 0 && got >= bar:
		word = fmt.Sprintf("  (bar %.0f%s: met)", bar, unit)
	case bar > 0:
		word = fmt.Sprintf("  (bar %.0f%s: MISSED)", bar, unit)
	}
	fmt.Fprintf(out, "    %-44s %7.2f%s%s\n", name, got, unit, word)
}
