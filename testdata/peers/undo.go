package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// undoing are programs that write what takes a log back.
var undoing = []struct {
	name string
	args []string
}{
	{"mariadb-binlog --flashback", []string{"mariadb-binlog", "--flashback"}},
	{"binlens undo", []string{"dist/bin/binlens", "undo", "-filter", "type:rows"}},
}

// benchUndo measures how long each program takes over a log with one large transaction, and how much memory.
func benchUndo(out io.Writer, file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\nundo of one transaction of %.1f MB\n\n| %-36s | %9s | %14s |\n|%s|%s:|%s:|\n", float64(info.Size())/1e6, "", "seconds", "MB of memory",
		"--------------------------------------", "----------", "---------------")
	for _, p := range undoing {
		cmd := exec.Command(p.args[0], append(p.args[1:], file)...)
		cmd.Stderr = os.Stderr
		begun := time.Now()
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		took := time.Since(begun)
		usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		if !ok {
			return fmt.Errorf("%s: the system does not tell its memory", p.name)
		}
		fmt.Fprintf(out, "| %-36s | %9.3f | %14.0f |\n", p.name, took.Seconds(), float64(usage.Maxrss)*1024/1e6) // kilobytes, as Linux has them
	}
	return nil
}
