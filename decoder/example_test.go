package decoder_test

import (
	"fmt"

	"binlens/decoder"
	"binlens/decoder/wire"
)

// One event, decoded alone: its fields, and the name of every byte.
func ExampleDecode() {
	body := []byte{4, 0, 0, 0, 0, 0, 0, 0, 'b', 'i', 'n', '.', '2'}
	format := decoder.AssumedFormat(0)
	header := decoder.Header{Type: decoder.RotateType, Len: decoder.HeaderLen}
	var names wire.Recorder
	event, err := decoder.Decode(&decoder.Context{Format: format}, header, body, &names)
	if err != nil {
		fmt.Println(err)
		return
	}
	rotate := event.(*decoder.Rotate)
	fmt.Println(string(rotate.NextFile), rotate.Position)
	for _, span := range names.Spans {
		fmt.Println(span.Start, span.End, span.Path)
	}
	// Output:
	// bin.2 4
	// 19 27 position
	// 27 32 next_file
}
