// Command peers measures binlens against go-mysql on the same log, in the same run, on the same machine, and prints the
// ratios: absolute speeds vary with the machine, ratios hardly do. The runs are interleaved, and the best of each is
// taken, so that a noisy moment hits neither side alone.
//
//	./build.sh bench [-n 5]
//
// It is a module of its own: the project itself does not depend on its peers.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// A contest is one thing to do with a whole log. run returns what it went through, so that two sides which are compared
// can be seen to have done the same work.
type contest struct {
	name string
	run  func(file string) (count, error)

	best time.Duration
	seen count
}

// count is what a run saw.
type count struct{ events, rows int64 }

func main() {
	file := flag.String("file", "dist/bench/rows.binlog", "the `log` to read")
	rounds := flag.Int("n", 3, "rounds; the best of each counts")
	flag.Parse()
	if err := bench(*file, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func bench(file string, rounds int) error {
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
	json := &contest{name: "binlens: every event to JSON", run: toJSON}
	index := &contest{name: "binlens: index and CRC", run: indexAndSum}
	all := []*contest{peer, json, peerSum, index}
	for range rounds {
		for _, c := range all {
			runtime.GC()
			start := time.Now()
			seen, err := c.run(file)
			took := time.Since(start)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			c.seen = seen
			if c.best == 0 || took < c.best {
				c.best = took
			}
		}
	}
	megabytes := float64(info.Size()) / 1e6
	fmt.Printf("%s: %.1f MB, %d events, %d rows; best of %d; %s/%s, %d cores\n\n", file, megabytes, want.events, want.rows, rounds,
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	fmt.Printf("%-32s %9s %9s\n%s\n", "", "seconds", "MB/s", strings.Repeat("-", 52))
	for _, c := range all {
		fmt.Printf("%-32s %9.3f %9.0f\n", c.name, c.best.Seconds(), megabytes/c.best.Seconds())
	}
	if peer.seen != want {
		return fmt.Errorf("go-mysql saw %+v, binlens %+v", peer.seen, want)
	}
	fmt.Println()
	verdict("every event to JSON / go-mysql's parse", peer.best.Seconds()/json.best.Seconds(), 5, "×")
	verdict("index and CRC / go-mysql's parse with CRC", peerSum.best.Seconds()/index.best.Seconds(), 0, "×")
	verdict("index and CRC", megabytes/1000/index.best.Seconds(), 1, " GB/s")
	return nil
}

// verdict prints a figure beside its bar; a bar of 0 is none.
func verdict(name string, got, bar float64, unit string) {
	word := ""
	switch {
	case bar > 0 && got >= bar:
		word = fmt.Sprintf("  (bar %.0f%s: met)", bar, unit)
	case bar > 0:
		word = fmt.Sprintf("  (bar %.0f%s: MISSED)", bar, unit)
	}
	fmt.Printf("%-44s %7.2f%s%s\n", name, got, unit, word)
}
