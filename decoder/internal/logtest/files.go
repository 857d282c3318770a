package logtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ProjectLogs returns the logs in the project's own testdata folder.
func ProjectLogs(t testing.TB) []File {
	t.Helper()
	return logsUnder(t, filepath.Join(root(t), "testdata"))
}

// RealLogs returns those and the logs of test suites that lie beside the project, which are no part of it. Without them it
// says so.
func RealLogs(t testing.TB) []File {
	t.Helper()
	shared := filepath.Join(root(t), "..", "shared")
	found := append(logsUnder(t, filepath.Join(shared, "cases")), logsUnder(t, filepath.Join(shared, "corpus"))...)
	if len(found) == 0 {
		t.Log("skipped: no corpus")
	}
	return append(ProjectLogs(t), found...)
}

// root returns the folder of go.mod, at or above the test's.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = up
	}
}

// logsUnder returns the files in and below a folder that start as a log does.
func logsUnder(t testing.TB, dir string) (files []File) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && d.IsDir() && d.Name() == "node_modules" {
				return fs.SkipDir
			}
			return nil
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		head := make([]byte, 4)
		if n, _ := f.Read(head); n < 4 || string(head) != "\xfebin" {
			return nil
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(filepath.Dir(dir), path)
		files = append(files, File{strings.ReplaceAll(name, "\\", "/"), b})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
