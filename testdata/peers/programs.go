package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"time"
)

// mariadbBinlog prints a log as MariaDB's own tool does, values and all, to nowhere.
func mariadbBinlog(file string) (count, error) {
	return output("mariadb-binlog", "-vv", "--base64-output=decode-rows", file)
}

// binlensDump prints every event as JSON with the program, on all cores, to nowhere.
func binlensDump(file string) (count, error) { return output("dist/bin/binlens", "dump", file) }

// output runs a program for what it prints.
func output(program string, args ...string) (count, error) {
	cmd := exec.Command(program, args...)
	err := cmd.Run()
	if err != nil {
		return count{}, err
	}
	return count{processor: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}, nil
}

// underNode runs the page's decoder under Node over a log; see site/bench/node.mjs.
func underNode(what string) func(file string) (count, error) {
	return func(file string) (count, error) {
		out, err := exec.Command("node", "site/bench/node.mjs", what, file).Output()
		if err != nil {
			return count{}, err
		}
		var said struct {
			Seconds   float64 `json:"seconds"`
			Processor float64 `json:"processor"`
			Events    int64   `json:"events"`
		}
		if err := json.Unmarshal(out, &said); err != nil {
			return count{}, fmt.Errorf("%q: %w", out, err)
		}
		return count{events: said.Events, took: seconds(said.Seconds), processor: seconds(said.Processor)}, nil
	}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// surveyed does what indexAndSum does, and counts the rows of every row event.
func surveyed(file string) (count, error) {
	s, err := scan(file, nil)
	if err != nil {
		return count{}, err
	}
	for s.Survey(0) {
	}
	return count{events: s.Index().Len()}, nil
}
