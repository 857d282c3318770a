package session_test

import (
	"bytes"
	"fmt"
	"os"

	"binlens/decoder/session"
)

// openFiltered opens a log that is all there and indexes it, filtered by text.
func openFiltered(log []byte, filter string) (*session.Session, error) {
	s, err := session.Open(bytes.NewReader(log), int64(len(log)), session.Options{})
	if err != nil {
		return nil, err // no binary log; the error says what it looks like instead
	}
	if err := s.SetFilter(filter); err != nil {
		return nil, err // a *query.Error, with the place in the text
	}
	s.Feed(log)
	s.Finish()
	s.Step(0)
	return s, nil
}

// The events that a filter leaves, as JSON: who deleted order items, and how many.
func Example() {
	log, err := os.ReadFile("../../testdata/sample/sample.binlog")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := openFiltered(log, "type:delete table:shop.order_items")
	if err != nil {
		fmt.Println(err)
		return
	}
	view := s.View()
	for k := range view.Count(s.Index().Len()) {
		event, err := s.AppendJSON(nil, view.Select(k), false)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s…\n", event[:86])
	}
	// Output:
	// {"ordinal":631,"offset":140870,"type":"DELETE_ROWS_EVENT_V1","code":25,"timestamp":176…
}

// SQL that takes back what a filter leaves; what it cannot take back is in the notes.
func ExampleSession_NewExport() {
	log, err := os.ReadFile("../../testdata/sample/sample.binlog")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := openFiltered(log, "type:delete table:shop.customers")
	if err != nil {
		fmt.Println(err)
		return
	}
	undo, err := s.NewExport(session.FormatUndo, s.Filtered(), session.ExportOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var out bytes.Buffer
	if _, err := undo.WriteTo(&out); err != nil {
		fmt.Println(err)
		return
	}
	for line := range bytes.Lines(out.Bytes()) {
		if bytes.HasPrefix(line, []byte("INSERT")) {
			fmt.Printf("%s…\n", line[:66])
		}
	}
	fmt.Println("complete:", undo.Notes().Complete())
	// Output:
	// INSERT INTO `shop`.`customers` (`id`, `name`, `email`, `birthday`,…
	// complete: true
}
