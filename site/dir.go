package site

import (
	"cmp"
	"io/fs"
	"os"
	"slices"
	"strconv"
)

// Dir is the regular files of one folder as Logs. No name and no symbolic link leads out of it.
type Dir struct{ root *os.Root }

// OpenDir opens a folder of logs.
func OpenDir(name string) (*Dir, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &Dir{root}, nil
}

// List implements Logs.
func (d *Dir) List() ([]Log, error) {
	entries, err := fs.ReadDir(d.root.FS(), ".")
	if err != nil {
		return nil, err
	}
	var list []Log
	for _, e := range entries {
		if info, err := d.root.Stat(e.Name()); err == nil && info.Mode().IsRegular() {
			list = append(list, Log{e.Name(), info.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(list, func(a, b Log) int { return cmp.Compare(a.Name, b.Name) })
	return list, nil
}

// Open implements Logs.
func (d *Dir) Open(name string) (LogFile, error) {
	if info, err := d.root.Stat(name); err != nil || !info.Mode().IsRegular() { // a pipe would wait for its other end
		return nil, fs.ErrNotExist
	}
	file, err := d.root.Open(name)
	if err != nil {
		return nil, fs.ErrNotExist
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		file.Close()
		return nil, fs.ErrNotExist
	}
	return &dirFile{file, Log{name, info.Size(), info.ModTime()}}, nil
}

type dirFile struct {
	*os.File
	log Log
}

func (f *dirFile) Log() Log { return f.log }

// ETag is made of size and time: a log is not read whole to be named.
func (f *dirFile) ETag() string {
	return `"` + strconv.FormatInt(f.log.Size, 36) + "-" + strconv.FormatInt(f.log.Modified.UnixNano(), 36) + `"`
}
