//go:build !js

package session_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// server is a MariaDB that runs for a test.
type server struct {
	t    *testing.T
	dir  string
	done chan struct{}
}

// startMariaDB starts a server with an empty data directory. The test is skipped where there is none.
func startMariaDB(t *testing.T) *server {
	t.Helper()
	for _, program := range []string{"mariadbd", "mariadb-install-db", "mariadb"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("skipped: no mariadbd")
		}
	}
	dir, err := os.MkdirTemp("", "binlens") // short: the name of the socket is limited
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	user := "--user=" + os.Getenv("USER")
	if os.Geteuid() == 0 {
		user = "--user=root"
	}
	out, err := exec.Command("mariadb-install-db", "--no-defaults", "--datadir="+dir+"/data", user, "--auth-root-authentication-method=normal", "--skip-test-db").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s := &server{t: t, dir: dir, done: make(chan struct{})}
	var log bytes.Buffer
	cmd := exec.Command("mariadbd", "--no-defaults", user, "--datadir="+dir+"/data", "--socket="+dir+"/s", "--pid-file="+dir+"/p", "--skip-networking",
		"--default-time-zone=+00:00", "--character-set-server=utf8mb4", "--innodb-buffer-pool-size=32M", "--innodb-flush-log-at-trx-commit=0", "--log-bin="+dir+"/data/bin",
		"--binlog-format=ROW", "--binlog-row-metadata=FULL", "--server-id=1", "--binlog-checksum=CRC32")
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { _ = cmd.Wait(); close(s.done) }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-s.done
	})
	for range 300 {
		if exec.Command("mariadb-admin", "--no-defaults", "-uroot", "-S", dir+"/s", "ping").Run() == nil {
			return s
		}
		select {
		case <-s.done:
			t.Fatalf("the server did not start: %s", log.String())
		case <-time.After(100 * time.Millisecond):
		}
	}
	t.Fatalf("the server does not answer: %s", log.String())
	return nil
}

// of is the server for a subtest.
func (s *server) of(t *testing.T) *server {
	sub := *s
	sub.t = t
	return &sub
}

// try runs a script and returns what it prints.
func (s *server) try(script string, options ...string) (string, error) {
	cmd := exec.Command("mariadb", append([]string{"--no-defaults", "-uroot", "-S", s.dir + "/s", "--default-character-set=utf8mb4", "-N", "-B"}, options...)...)
	cmd.Stdin = strings.NewReader(script)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%w: %s", err, errs.String())
	}
	return out.String(), nil
}

func (s *server) sql(script string, options ...string) string {
	s.t.Helper()
	out, err := s.try(script, options...)
	if err != nil {
		s.t.Fatalf("%v\nof %s", err, cut(script))
	}
	return out
}

// lines are the lines that a query gives.
func (s *server) lines(query string) []string {
	s.t.Helper()
	return strings.Split(strings.TrimSuffix(s.sql(query), "\n"), "\n")
}

// logged runs a script and returns the log that it made.
func (s *server) logged(script string) []byte {
	s.t.Helper()
	s.sql("FLUSH BINARY LOGS")
	name, _, _ := strings.Cut(s.sql("SHOW MASTER STATUS"), "\t")
	s.sql(script)
	s.sql("FLUSH BINARY LOGS")
	b, err := os.ReadFile(filepath.Join(s.dir, "data", name))
	if err != nil {
		s.t.Fatal(err)
	}
	return b
}

// dump is the DDL of databases.
func (s *server) schema(databases ...string) []byte {
	s.t.Helper()
	args := append([]string{"--no-defaults", "-uroot", "-S", s.dir + "/s", "--no-data", "--skip-comments", "--databases"}, databases...)
	out, err := exec.Command("mariadb-dump", args...).Output()
	if err != nil {
		s.t.Fatal(err)
	}
	return out
}
