// Command binlens serves the built page (./build.sh serve builds it first) to the browser on this machine. It is a
// plain file server with security headers: logs that are dropped are read in the browser and never reach it. With -logs it
// also offers those of a folder to the page.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"binlens/site"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run serves until ctx is done. It returns the exit status: 0 after a shutdown that was asked for, 1 when it cannot
// serve, 2 for wrong arguments.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("binlens", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "127.0.0.1:8080", "`address` to serve on; port 0 takes a free one")
	dir := flags.String("dir", filepath.Join("dist", "site"), "`folder` of the built page")
	logDir := flags.String("logs", "", "`folder` of logs to offer to the page, below /logs/; none unless it is given")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "binlens: unexpected argument %q: it serves a page, which opens the logs\n", flags.Arg(0))
		return 2
	}
	if _, err := os.Stat(filepath.Join(*dir, "index.html")); err != nil {
		fmt.Fprintf(stderr, "binlens: no built page in %s: run ./build.sh serve\n", *dir)
		return 1
	}
	var logs site.Logs
	if *logDir != "" {
		dir, err := site.OpenDir(*logDir)
		if err != nil {
			fmt.Fprintf(stderr, "binlens: -logs: %s\n", err)
			return 1
		}
		logs = dir
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		fmt.Fprintf(stderr, "binlens: cannot serve on %s: %s\n", *addr, reason(err))
		return 1
	}
	bound := listener.Addr().(*net.TCPAddr)
	fmt.Fprintf(stdout, "binlens: http://%s/  (stop with Ctrl-C)\n", shown(bound))
	if !bound.IP.IsLoopback() {
		said := "they get the page, never your logs"
		if logs != nil {
			said = "they get the page, and every log in " + *logDir
		}
		fmt.Fprintln(stdout, "binlens: other machines can reach this address; "+said)
	}
	return serve(ctx, listener, site.Handler(os.DirFS(*dir), logs), stderr)
}

// serve answers on listener until ctx is done, then lets running answers end, for two seconds at most.
func serve(ctx context.Context, listener net.Listener, handler http.Handler, stderr io.Writer) int {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		fmt.Fprintf(stderr, "binlens: %s\n", reason(err))
		return 1
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if server.Shutdown(grace) != nil {
		server.Close()
	}
	return 0
}

// shown is the address a browser on this machine can open: a wildcard address is none.
func shown(addr *net.TCPAddr) string {
	if addr.IP.IsUnspecified() {
		return net.JoinHostPort("localhost", fmt.Sprint(addr.Port))
	}
	return addr.String()
}

// reason puts the failures that people meet in words.
func reason(err error) string {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return "the port is taken; choose another with -addr 127.0.0.1:PORT"
	case errors.Is(err, syscall.EACCES):
		return "this port needs more rights; choose one above 1023 with -addr 127.0.0.1:PORT"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return "this machine does not have that address"
	}
	return err.Error()
}
