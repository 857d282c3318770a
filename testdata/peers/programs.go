package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"time"
)

// mariadbBinlog prints a log as MariaDB's own tool does, values and all, to nowhere.
func mariadbBinlog(file string) (count, error) {
	return count{}, exec.Command("mariadb-binlog", "-vv", "--base64-output=decode-rows", file).Run()
}

// underNode runs the page's decoder under Node over a log; see site/bench/node.mjs.
func underNode(what string) func(file string) (count, error) {
	return func(file string) (count, error) {
		out, err := exec.Command("node", "site/bench/node.mjs", what, file).Output()
		if err != nil {
			return count{}, err
		}
		var said struct {
			Seconds float64 `json:"seconds"`
			Events  int64   `json:"events"`
		}
		if err := json.Unmarshal(out, &said); err != nil {
			return count{}, fmt.Errorf("%q: %w", out, err)
		}
		return count{events: said.Events, took: time.Duration(said.Seconds * float64(time.Second))}, nil
	}
}

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
