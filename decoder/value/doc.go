// Package value reads the cells of row images: what a column's type code and metadata say about its bytes, and how the
// server would print them.
//
// A [Value] is where a cell lies in its event, and up to 64 bits of it. It is filled in place by [ReadCells], holds no pointer
// and allocates nothing, so that rows can be split at memory speed; text is made by [AppendText] only for the cells that
// somebody looks at.
//
// Layout:
//
//	type.go      Type: the codes of a table map, and the groups of types its optional metadata counts by
//	meta.go      the metadata bytes of a table map, and the real type behind STRING
//	value.go     Kind, Value and its accessors
//	read.go      LayoutOf, the only switch over column types; ReadCells and Read, which read by layouts; FixedLen
//	digits.go    numbers into digits, 8 at a time
//	number.go    text of floating-point numbers and bit fields
//	decimal.go   size and text of DECIMAL
//	temporal.go  dates and times of all server generations, into Bits
//	clock.go     and from Bits into text
//	text.go      AppendText
//	json.go      AppendMembers: the cells of an image as members of a JSON object, as far as they are plain
//	geometry.go  AppendWKT: geometries as text
//	doubt.go     Doubt: values that no server writes
//	name.go      types as SHOW COLUMNS spells them
//
// It reads neither the text of character columns (they need a character set), nor the inside of JSON, VECTOR and
// compressed columns: for these it only says where the data lies ([Bytes]). It knows no column names, labels or time
// zones; TIMESTAMP is UTC.
//
// The old DECIMAL (type 0, before MySQL 5.0.3) is not read: the width of its values is not in the log.
package value
