package logtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// RealLogs returns the logs that stand in the project's testdata folders, and the test suites' logs beside the project,
// if they are there; these are no part of it. What is none of these is skipped, and said.
func RealLogs(t testing.TB) (files []File) {
	t.Helper()
	root, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		up := filepath.Dir(root)
		if up == root {
			t.Fatal("no go.mod above the test")
		}
		root = up
	}
	if err != nil {
		t.Fatal(err)
	}
	files = logsUnder(t, filepath.Join(root, "testdata"))
	shared := filepath.Join(root, "..", "shared")
	found := logsUnder(t, filepath.Join(shared, "cases"))
	found = append(found, logsUnder(t, filepath.Join(shared, "corpus"))...)
	if len(found) == 0 {
		t.Log("skipped: no corpus")
	}
	return append(files, found...)
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
