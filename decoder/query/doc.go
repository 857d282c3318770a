// Package query is the filter language: it reads the text of a filter, finds the rows of a log that it leaves, step by
// step, and keeps them as a [View].
//
// A filter is one line of terms, which must all hold; a minus sign before a term takes what it matches out. Commas inside a
// term stand between alternatives, of which one must hold. Names and words are the same in either case. Quotes "…" (with \"
// and \\ inside) keep spaces, commas and all other signs together; backticks `…` (doubled inside) do so too.
//
//	text, "free text"     statements, ROWS_QUERY and ANNOTATE_ROWS texts, LOAD DATA, user variables, names of schemas and
//	                      tables, and cells of text, bytes, ENUM, SET and JSON (keys and strings), in either case
//	type:update           a server's name of a type (WRITE_ROWS_EVENT), a class (insert or write, update, delete, rows, ddl,
//	                      query, gtid, load), the beginning of names (table_map), a code, or what is no event (gap, padding,
//	                      truncated). ddl reads the first word of statements
//	table:shop.orders     table map and row events of a table, in any schema where none is named; * is any text. Statements
//	                      are not parsed: a text finds the name in them
//	schema:shop           the same by schema, and statements with that default database but BEGIN, COMMIT and the like
//	time:A..B             the event's own timestamp, UTC: 2026-01-02, 2026-01-02T03:04[:05][Z], or seconds since 1970. A day
//	                      or minute has all its seconds, also at the end of a range. The second end may leave out the date
//	offset:4711           rows that have these bytes of the file, and those inside a payload that does; also called pos
//	event:0..99           ordinals
//	gtid:UUID:1-99        events of the transactions with these GTIDs: UUID, UUID:1-99, UUID:tag:5; or of MariaDB 0-1-100,
//	                      0-1-100..200
//	server:7              the server that wrote the event first
//	thread:42             events of the transactions that ran in this connection, as the GTID event of MariaDB or the first
//	                      statement says it
//	size:>1MB             bytes of the event: k, M, G, T are powers of 1000, Ki, Mi, Gi, Ti of 1024; a B may follow
//	trx:17                events of transactions, by their number; by what they hold (trx:>10000rows, trx:>5MB in the file,
//	                      trx:>30s, also min and h); by state (open, committed, rolledback, prepared, implicit, which is
//	                      committed without a COMMIT); none for events outside of all
//	rows:>100             row events by the number of their rows
//	xid:77                XID_EVENTs by number
//	row:id=42             row events with such a row, see below
//	problem               rows with a problem that indexing found, or showing them; problem:corrupt, truncated, unsupported,
//	                      checksum by kind
//	payload               events inside transaction payloads
//
// Numbers, sizes and times are ranges: A, A..B with both ends included, A.., ..B, >A, >=A, <A, <=A.
//
// # Rows
//
// row:COLUMN=VALUE compares with = != (or <>) < <= > >= or ~ (contains, in either case). The column is a name in either case, or @3
// by its place. It looks at both images of a row, of which one must fit; before. or after. in front of the column names the
// image. So row:id=42 is the life of one row: its insert, its updates, its delete. More values follow behind commas: = holds
// for any of them, != for none. row:COLUMN alone is an update that changed the column, or whose after image alone has it.
// Where a filter has several terms of rows they must hold for the same row, each in whichever image it looks at. A term with
// a minus sign takes out events in which any row fits.
//
// Integers, DECIMAL, FLOAT, DOUBLE, YEAR, BIT (also b'101'), and ENUM and SET without labels are compared as numbers, and a
// value that is no number is never equal to them. Where the sign of an integer is not known, = finds it by either reading.
// Dates and times are compared as such, a date alone is its midnight. All else is compared as text in UTF-8, byte by byte:
// ENUM and SET by their labels, JSON without spaces and strings without quotes; bytes also as 0xC0FFEE. NULL without quotes
// is NULL: it is equal to itself and not comparable with anything else, so that != leaves it out too.
//
// # How it works
//
// A filter is compiled to parts (compile.go). In the first stage (mark.go) each marks, from the columns of the index alone,
// rows of a chunk that match and rows that must be read to tell. In the second (run.go) those are read which no part has
// ruled out, and decoded only when their bytes cannot decide. A filter about whole transactions looks at their rows once they
// have ended. Events that cannot be read or are too large count as not matching, and are counted ([Progress]).
//
// Layout: lex.go, parse*.go and types.go read the text, filter.go has what comes of it, print.go writes it; compile.go, trx.go,
// rows.go with compare.go and cell.go, and text.go with needle.go are the terms; view.go the rows found; complete.go helps who
// types.
package query
