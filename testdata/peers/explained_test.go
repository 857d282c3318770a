package main

import (
	"encoding/json"
	"path"
	"strings"
)

// An explanation is why go-mysql says something else of an event than we do.
type explanation struct {
	log, typ, what string // patterns as of path.Match; empty is any
	ours, theirs   string // what the texts contain; empty is anything
	also           func(d difference) bool
	reason         string
}

// explanations are by go-mysql v1.13.0. Ours is what the format says in each; where both refuse an event, only the words
// differ.
var explanations = []explanation{
	// Values.
	{what: "TIME2", also: noFraction, reason: "it prints a TIME of whole seconds without its fraction; servers print all digits of the column"},
	{log: "temporals_old.binlog", what: "TIME", ours: `"-`, reason: "it reads the old TIME without its sign"},
	{what: "JSON", also: textDecimal, reason: "it makes a decimal in a document a string; servers print it as a number"},
	{log: "my9.0.1_json-opaque.binlog", what: "JSON", ours: `"2012-03-18"`, theirs: `"2012-03-18 00:00:00.000000"`, reason: "it prints a DATE in a document with a time of day; servers print the date"},
	{typ: "WriteRowsEventV2", what: "JSON", ours: "base64:type15:", reason: "it prints the bytes of an opaque value as text, losing those that are none; servers print base64:type<n>:<bytes>"},
	{typ: "PartialUpdateRowsEvent", what: "JSON", theirs: "null", reason: "it takes an empty list of changes for null; the document stays as it was"},
	{typ: "PartialUpdateRowsEvent", what: "JSON", ours: "{", theirs: "diff ", reason: "it gives the first change of a partial update alone; ours is the document after all of them, or all changes where it is not known"},

	// Statements.
	{log: "statement*.binlog", typ: "QueryEvent", what: "query", reason: "it gives the bytes of a statement; ours is its text in the client's character set, latin1 here"},

	// Events of old servers.
	{log: "my5.1.63_mdev-4645-*", reason: "headers of 23 to 31 bytes, as the format description says; it knows 19 only and reads on at the wrong place"},
	{log: "my5.1.15_bug32407.001", typ: "TableMapEvent", what: "error", theirs: "EOF", reason: "a pre-release table map, which ends after its types; it needs the metadata"},
	{typ: "*RowsEventV0", what: "error", reason: "rows of before 5.1.18, which it reads as those of later versions"},
	{log: "my5.2.2_ver_5_1-wl2325_r.001", typ: "TableMapEvent", reason: "code 19 is another event in the 5.1 trees with codes of their own; it reads it as a table map"},

	// Types and events that it does not know.
	{log: "extras.binlog", typ: "WriteRowsEventV1", what: "error", theirs: "unsupport type 14", reason: "it does not know MariaDB's compressed columns"},
	{log: "temporals_hires.binlog", reason: "MariaDB's old fractional TIME, DATETIME and TIMESTAMP, whose digits the log does not tell; ours are found by fit"},
	{log: "rare84.binlog", typ: "Gtid_tagged_log_event", what: "error", theirs: "panic", reason: "it fails where fields of a tagged GTID event are left out or are new; both may be"},
	{log: "payload80.binlog", typ: "TransactionPayloadEvent", what: "error", theirs: "compression type 65532", reason: "it reads a packed integer of several bytes, fc ff 00, as 65532; it is 255, no compression"},

	// Damage that both see, or that it does not look at.
	{what: "error", ours: "checksum", theirs: "checksum mismatch", reason: "both find the checksum wrong"},
	{log: "ma10.2.28_binlog_before_20574.bin", ours: "is encrypted", theirs: "checksum mismatch", reason: "encrypted events; it does not know START_ENCRYPTION_EVENT, and takes them for damaged ones"},
	{typ: "QueryEvent", what: "error", ours: "truncated status_vars", theirs: "panic", reason: "status variables longer than the event; it panics"},
	{log: "damaged_parts84.binlog", reason: "parts of events damaged on purpose: it panics, refuses the whole event or does not look at lengths"},
	{log: "my8.0.46_psbad_*", typ: "WriteRowsEventV2", reason: "4097 columns, more than a table can have, on purpose; it reads on"},

	// This module has no converter for these character sets: the terminal program and the page have.
	{typ: "WriteRowsEventV?", what: "problem", ours: "is not read yet: shown in hexadecimal", reason: "East Asian text stays bytes in this module on both sides"},
}

func explain(d difference) *explanation {
	for i := range explanations {
		e := &explanations[i]
		if matches(e.log, d.log) && matches(e.typ, d.typ) && matches(e.what, d.what) && strings.Contains(d.ours, e.ours) && strings.Contains(d.theirs, e.theirs) &&
			(e.also == nil || e.also(d)) {
			return e
		}
	}
	return nil
}

func matches(pattern, s string) bool {
	ok, err := path.Match(pattern, s)
	return pattern == "" || err == nil && ok
}

// noFraction says that their value is ours but for a fraction of zeros.
func noFraction(d difference) bool {
	whole, fraction, _ := strings.Cut(strings.Trim(d.ours, `"`), ".")
	return strings.Trim(fraction, "0") == "" && d.theirs == `string "`+whole+`"`
}

// textDecimal says that the documents are the same but for numbers that are texts in theirs.
func textDecimal(d difference) bool {
	var a, b any
	da, db := json.NewDecoder(strings.NewReader(d.ours)), json.NewDecoder(strings.NewReader(d.theirs))
	da.UseNumber()
	return da.Decode(&a) == nil && db.Decode(&b) == nil && sameJSON(textNumbers(a), textNumbers(b))
}

// textNumbers makes the numbers in a document texts.
func textNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		return v.String()
	case map[string]any:
		for k := range v {
			v[k] = textNumbers(v[k])
		}
	case []any:
		for i := range v {
			v[i] = textNumbers(v[i])
		}
	}
	return v
}
