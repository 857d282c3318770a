//go:build js && wasm

package main

import (
	"binlens/decoder/charset"
	"syscall/js"
	"unicode/utf16"
)

// textDecoders decodes the multi-byte character sets of East Asia with the browser's TextDecoder, which has their tables.
type textDecoders map[charset.Charset]js.Value

// decode is a charset.Decoder. TextDecoder throws on bytes that are no text, which js.Value.Call makes a panic.
func (d textDecoders) decode(c charset.Charset, src []byte) (text []byte, ok bool) {
	defer func() {
		if recover() != nil {
			text, ok = nil, false
		}
	}()
	dec, known := d[c]
	if !known {
		options := js.Global().Get("Object").New()
		options.Set("fatal", true)
		options.Set("ignoreBOM", true)
		dec = js.Global().Get("TextDecoder").New(c.WHATWG(), options)
		d[c] = dec
	}
	return []byte(dec.Call("decode", toBytes(src)).String()), true
}

// units returns how many UTF-16 units of JavaScript the first n bytes of a text are.
func units(text string, n int) (k int) {
	for i, r := range text {
		if i >= n {
			break
		}
		k += utf16.RuneLen(r)
	}
	return k
}

// bytesOf returns how many bytes the first k UTF-16 units of a text are.
func bytesOf(text string, k int) int {
	for i, r := range text {
		if k <= 0 {
			return i
		}
		k -= utf16.RuneLen(r)
	}
	return len(text)
}
