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
	"syscall"
	"time"
)

// A contest is one thing to do with a whole log. run returns what it went through, so that two sides which are compared
// can be seen to have done the same work, and how long it took where that is not its own time.
type contest struct {
	name string
	run  func(file string) (count, error)

	best      time.Duration
	processor time.Duration // the least of a run, on all cores together
	seen      count
}

// count is what a run saw.
type count struct {
	events, rows int64
	took         time.Duration // of a program run for it, without its start; 0 when the run was timed as a whole
	processor    time.Duration // of a program run for it
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
	json := &contest{name: "binlens: every event to JSON, one core", run: toJSON}
	dump := &contest{name: "binlens dump >/dev/null, all cores", run: binlensDump}
	index := &contest{name: "binlens: index and CRC", run: indexAndSum}
	count := &contest{name: "binlens: index, CRC, rows counted", run: surveyed}
	wasmJSON := &contest{name: "binlens, wasm: every event to JSON", run: underNode("json")}
	wasmIndex := &contest{name: "binlens, wasm: index and CRC", run: underNode("index")}
	all := []*contest{peer, json, dump, peerSum, index, count, tool, wasmJSON, wasmIndex}
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
	line := strings.Repeat("-", 10)
	fmt.Fprintf(out, "| %-38s | %9s | %9s | %9s |\n|%s|%s:|%s:|%s:|\n", "", "seconds", "MB/s", "processor", strings.Repeat("-", 40), line, line, line)
	for _, c := range all {
		if c.best > 0 {
			fmt.Fprintf(out, "| %-38s | %9.3f | %9.0f | %9.3f |\n", c.name, c.best.Seconds(), megabytes/c.best.Seconds(), c.processor.Seconds())
		}
	}
	if peer.seen.events != want.events || peer.seen.rows != want.rows {
		return fmt.Errorf("go-mysql saw %+v, binlens %+v", peer.seen, want)
	}
	fmt.Fprintln(out)
	verdict(out, "JSON on one core / go-mysql's parse", ratio(peer, json), 5, "×")
	verdict(out, "the same in processor time", processorRatio(peer, json), 0, "×")
	verdict(out, "JSON on all cores / go-mysql's parse", ratio(peer, dump), 5, "×")
	verdict(out, "index and CRC / go-mysql's parse with CRC", ratio(peerSum, index), 0, "×")
	verdict(out, "index and CRC", megabytes/1000/index.best.Seconds(), 1, " GB/s")
	verdict(out, "every event to JSON / mariadb-binlog's text", ratio(tool, json), 0, "×")
	verdict(out, "wasm: every event to JSON / go-mysql's parse", ratio(peer, wasmJSON), 1, "×")
	verdict(out, "the same in processor time", processorRatio(peer, wasmJSON), 0, "×")
	verdict(out, "wasm: index and CRC / go-mysql's with CRC", ratio(peerSum, wasmIndex), 0, "×")
	return nil
}

// take runs a contest once.
func (c *contest) take(file string) error {
	runtime.GC()
	start, startProcessor := time.Now(), processorTime()
	seen, err := c.run(file)
	took, processor := time.Since(start), processorTime()-startProcessor
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil // the peer is not here: its line is left out
	case err != nil:
		return fmt.Errorf("%s: %w", c.name, err)
	case seen.took > 0:
		took = seen.took
	}
	if seen.processor > 0 {
		processor = seen.processor
	}
	c.seen = seen
	if c.best == 0 || took < c.best {
		c.best = took
	}
	if c.processor == 0 || processor < c.processor {
		c.processor = processor
	}
	return nil
}

// processorTime is what this process has used so far, on all cores together.
func processorTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// ratio is how many times as fast ours is as a peer; 0 when one of them did not run.
func ratio(peer, ours *contest) float64 {
	if ours.best == 0 {
		return 0
	}
	return peer.best.Seconds() / ours.best.Seconds()
}

// processorRatio is ratio in processor time: what other work on the machine, and a collector on another core, changes little.
func processorRatio(peer, ours *contest) float64 {
	if ours.processor == 0 {
		return 0
	}
	return peer.processor.Seconds() / ours.processor.Seconds()
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
