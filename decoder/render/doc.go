// Package render turns decoded events into what people and programs read: the event JSON, the fields tree of the page,
// pages of rows, one-line summaries.
//
// Both the JSON and the tree come from one description of each event (describe.go, meaning.go), so they name the same
// fields; the ranges in the tree are those that the decoder recorded. JSON is appended by hand: encoding/json would cost
// a fifth of the size of the page's decoder and most of its speed.
//
// Layout: json.go (writing), event.go (the event JSON), describe.go, describe_table.go and describe_more.go (fields of each event),
// meaning.go (names of flags and codes), cell.go (values of rows that are not plain; those that are, most of a log, are written
// by value.AppendMembers), rows.go (pages of rows), tree.go (the page's detail),
// summary.go.
package render
