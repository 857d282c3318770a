package jsonb

import "testing"

// A document such as applications store: 40 orders, with members of all common types.
func benchDocument() []byte {
	var orders []any
	for i := range 40 {
		orders = append(orders, object{
			{"id", int32(100000 + i)}, {"name", "Ada Lovelace"}, {"note", "a note of some length, with a \"quote\" and an ü in it"}, {"paid", i%2 == 0},
			{"lines", []any{object{{"sku", "AB-1234"}, {"qty", int16(i)}, {"price", 19.99}}, object{{"sku", "CD-5678"}, {"qty", int16(1)}, {"price", 5.0}}}},
			{"total", opaque{246, "\x0a\x02\x80\x00\x04\xd2\x38"}}, {"at", opaque{12, "\x00\x00\x00\x6f\xea\x7e\xb3\x19"}}, {"gone", nil},
		})
	}
	return build(large{object{{"orders", large{orders}}}})
}

func BenchmarkAppendText(b *testing.B) {
	doc := benchDocument()
	dst := make([]byte, 0, MaxExpansion*len(doc))
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := AppendText(dst, doc); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendTextStrings(b *testing.B) {
	strs := make([]any, 30001)
	for i := range strs {
		strs[i] = "a string of thirty-two bytes ..."
	}
	doc := build(large{strs})
	dst := make([]byte, 0, MaxExpansion*len(doc))
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		if _, err := AppendText(dst, doc); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendTextNumbers(b *testing.B) {
	numbers := make([]any, 20000)
	for i := range numbers {
		numbers[i] = int16(i)
	}
	doc := build(numbers)
	dst := make([]byte, 0, MaxExpansion*len(doc))
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		if _, err := AppendText(dst, doc); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkApply(b *testing.B) {
	doc := benchDocument()
	diffs := readDiffs(b, append(change(Replace, "$.orders[20].lines[0].qty", int16(7)), change(Remove, "$.orders[3].note")...))
	dst := make([]byte, 0, MaxExpansion*len(doc))
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		tree, err := Parse(doc)
		if err == nil {
			err = tree.Apply(diffs)
		}
		if err != nil {
			b.Fatal(err)
		}
		if _, err := tree.AppendText(dst); err != nil {
			b.Fatal(err)
		}
	}
}
