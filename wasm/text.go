//go:build js && wasm

package main

import (
	"binlens/decoder/charset"
	"syscall/js"
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
