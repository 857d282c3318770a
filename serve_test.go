//go:build !js

package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"binlens/site"
)

// page makes a folder with a built page in it.
func page(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("<!doctype html>"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// output is a buffer that a running server and its test may share.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// await polls until the output holds a match, whose first group it returns.
func (o *output) await(t *testing.T, pattern string) string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if m := re.FindStringSubmatch(o.String()); m != nil {
			return m[1]
		}
	}
	t.Fatalf("no %s in %q", pattern, o.String())
	return ""
}

func TestRunServesUntilStopped(t *testing.T) {
	for _, addr := range []string{"127.0.0.1:0", "localhost:0", ":0"} {
		t.Run(addr, func(t *testing.T) {
			ctx, stop := context.WithCancel(context.Background())
			defer stop()
			var out, errs output
			status := make(chan int, 1)
			go func() { status <- run(ctx, []string{"-addr", addr, "-dir", page(t)}, &out, &errs) }()

			url := out.await(t, `(http://\S+/) `)
			response, err := http.Get(url)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(response.Body)
			response.Body.Close()
			if err != nil || response.StatusCode != 200 || string(body) != "<!doctype html>" {
				t.Errorf("GET %s = %d %q (%v)", url, response.StatusCode, body, err)
			}
			if got := response.Header.Get("Content-Security-Policy"); got != site.Policy {
				t.Errorf("Content-Security-Policy = %q", got)
			}
			if warned := strings.Contains(out.String(), "other machines"); warned != (addr == ":0") {
				t.Errorf("warned = %v for %s", warned, addr)
			}

			stop()
			select {
			case got := <-status:
				if got != 0 {
					t.Errorf("exit status %d, want 0; %s", got, errs.String())
				}
			case <-time.After(10 * time.Second):
				t.Fatal("it does not stop")
			}
			if _, err := http.Get(url); err == nil {
				t.Error("it still answers after it has stopped")
			}
		})
	}
}

func TestRunRefuses(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	tests := []struct {
		name   string
		args   []string
		status int
		says   string
	}{
		{"help", []string{"-h"}, 0, "address"},
		{"unknown flag", []string{"-port", "1"}, 2, "not defined"},
		{"a log", []string{"mysql-bin.000001"}, 2, `unexpected argument "mysql-bin.000001"`},
		{"nothing built", []string{"-dir", t.TempDir()}, 1, "run ./build.sh serve"},
		{"port taken", []string{"-addr", taken.Addr().String(), "-dir", page(t)}, 1, "the port is taken; choose another with -addr"},
		{"address of another machine", []string{"-addr", "192.0.2.1:0", "-dir", page(t)}, 1, "does not have that address"},
		{"no address", []string{"-addr", "nonsense", "-dir", page(t)}, 1, "missing port"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
			defer stop()
			var out, errs output
			if got := run(ctx, test.args, &out, &errs); got != test.status {
				t.Errorf("exit status %d, want %d", got, test.status)
			}
			if !strings.Contains(errs.String(), test.says) {
				t.Errorf("it says %q, want %q", errs.String(), test.says)
			}
			if out.String() != "" {
				t.Errorf("it prints %q", out.String())
			}
		})
	}
}
