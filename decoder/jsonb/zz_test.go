package jsonb

import ("testing"; "bytes")

func BenchmarkZ(b *testing.B) {
	for name, v := range map[string]any{"double": 19.99, "double5": 5.0, "decimal": opaque{246, "\x0a\x02\x80\x00\x04\xd2\x38"}, "datetime": opaque{12, "\x00\x00\x00\x6f\xea\x7e\xb3\x19"}, "text": "a note of some length, with a \"quote\" and an ü in it", "ascii":"a note of some length, with a quote and a u in it"} {
		list := make([]any, 500)
		for i := range list { list[i] = v }
		doc := build(large{list})
		dst := make([]byte, 0, MaxExpansion*len(doc))
		b.Run(name, func(b *testing.B) { for b.Loop() { AppendText(dst, doc) } })
	}
	_ = bytes.Clone
}
