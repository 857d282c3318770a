// Package schema reads SQL text for what it says of tables: the statements of a log, the output of SHOW CREATE TABLE, a
// mysqldump --no-data of several databases.
//
// It is a scanner, not a parser of SQL: it follows CREATE, ALTER, RENAME and DROP of tables and databases, CREATE and DROP
// INDEX, and USE, and keeps what rows need to be shown and written again: the order of the columns, their names, types,
// signs, members, character sets, keys, and which are generated or invisible. Everything else is passed over. What it does
// not know inside of those statements it skips with a [Warning] that has the place.
//
// A [Catalog] keeps every version of a table by the position from which it holds, so that a row of any place in a log finds
// the columns that its table had there. [Table.Fits] compares a version with the table map of the rows.
//
// Layout: lex.go (tokens), parse.go (statements), create.go (columns and keys), alter.go, catalog.go (versions), types.go
// (names of types), fit.go (against a table map).
package schema
