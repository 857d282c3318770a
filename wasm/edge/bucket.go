//go:build js && wasm

package main

import (
	"errors"
	"io"
	"io/fs"
	"syscall/js"
	"time"

	"binlens/site"
)

// bucket is an R2 bucket as the site's logs: each object whose key is a name. The binding is called here and not through
// package r2, which reads objects whole.
type bucket struct{ binding js.Value }

// await waits for a promise.
func await(promise js.Value) (js.Value, error) {
	type outcome struct {
		value js.Value
		err   error
	}
	settled := make(chan outcome, 1)
	done := js.FuncOf(func(_ js.Value, args []js.Value) any {
		settled <- outcome{value: args[0]}
		return nil
	})
	defer done.Release()
	failed := js.FuncOf(func(_ js.Value, args []js.Value) any {
		settled <- outcome{err: errors.New(args[0].Call("toString").String())}
		return nil
	})
	defer failed.Release()
	promise.Call("then", done, failed)
	o := <-settled
	return o.value, o.err
}

// List implements site.Logs. R2 gives keys in their order, a part of them at a time.
func (b bucket) List() ([]site.Log, error) {
	var list []site.Log
	for cursor := js.Undefined(); ; {
		page, err := await(b.binding.Call("list", map[string]any{"cursor": cursor}))
		if err != nil {
			return nil, err
		}
		objects := page.Get("objects")
		for i := range objects.Length() {
			list = append(list, logOf(objects.Index(i)))
		}
		if !page.Get("truncated").Bool() {
			return list, nil
		}
		cursor = page.Get("cursor")
	}
}

func logOf(object js.Value) site.Log {
	return site.Log{Name: object.Get("key").String(), Size: int64(object.Get("size").Float()),
		Modified: time.UnixMilli(int64(object.Get("uploaded").Call("getTime").Float()))}
}

// Open implements site.Logs.
func (b bucket) Open(name string) (site.LogFile, error) {
	head, err := await(b.binding.Call("head", name))
	if err != nil {
		return nil, err
	}
	if head.IsNull() {
		return nil, fs.ErrNotExist
	}
	return &object{bucket: b, log: logOf(head), etag: head.Get("httpEtag").String(), match: head.Get("etag").String()}, nil
}

// object is an open log: one stream from where it was sought to, begun with the first Read.
type object struct {
	bucket      bucket
	log         site.Log
	etag, match string
	at          int64
	reader      js.Value // of the stream at at; undefined before it is begun
	rest        []byte   // of its last chunk
}

func (o *object) Log() site.Log { return o.log }
func (o *object) ETag() string  { return o.etag }

// Seek implements io.Seeker.
func (o *object) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += o.at
	case io.SeekEnd:
		offset += o.log.Size
	}
	if offset < 0 {
		return 0, fs.ErrInvalid
	}
	if offset != o.at {
		o.Close()
		o.at = offset
	}
	return offset, nil
}

// Read implements io.Reader. It fails when the object was changed since it was opened.
func (o *object) Read(p []byte) (int, error) {
	if len(o.rest) == 0 {
		if err := o.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, o.rest)
	o.rest = o.rest[n:]
	o.at += int64(n)
	return n, nil
}

// next brings the next chunk of the stream.
func (o *object) next() error {
	if o.at >= o.log.Size {
		return io.EOF
	}
	if o.reader.IsUndefined() {
		got, err := await(o.bucket.binding.Call("get", o.log.Name, map[string]any{
			"range": map[string]any{"offset": float64(o.at)}, "onlyIf": map[string]any{"etagMatches": o.match}}))
		if err != nil {
			return err
		}
		if got.IsNull() || got.Get("body").IsUndefined() {
			return io.ErrUnexpectedEOF
		}
		o.reader = got.Get("body").Call("getReader")
	}
	chunk, err := await(o.reader.Call("read"))
	if err != nil {
		return err
	}
	if chunk.Get("done").Bool() {
		return io.ErrUnexpectedEOF
	}
	o.rest = make([]byte, chunk.Get("value").Length())
	js.CopyBytesToGo(o.rest, chunk.Get("value"))
	return nil
}

// Close implements io.Closer: the rest of the stream is not wanted.
func (o *object) Close() error {
	if !o.reader.IsUndefined() {
		o.reader.Call("cancel")
		o.reader, o.rest = js.Undefined(), nil
	}
	return nil
}
