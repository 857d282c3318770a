// Package text prints a log in the form of the servers' own tools: mysqlbinlog -vv --base64-output=decode-rows, and the form
// with BINLOG statements, in the flavour of MySQL 8.0 and of MariaDB 10.11, by the server that wrote the log.
//
// It prints what the tools print, their odd forms included (dates with colons, YEAR 0000 as 1900, both signs of a negative
// integer), with these differences:
//
//   - Times are in UTC, or in the zone that the Writer is told.
//   - Text in quotes is escaped as MySQL's tool does; MariaDB's leaves quotes and backslashes as they are, which cannot be read
//     back.
//   - Geometries are printed as their bytes; MySQL's tool stops at them. Compressed columns are printed as what they hold.
//   - SET columns and dates with zeros in them are printed as they are stored, where MariaDB's tool prints other values.
//   - The file of a LOAD DATA is named by its number alone: nothing is written beside the text. What sets values for it is printed
//     before it, where it is used; MySQL's tool keeps it for the next statement.
//   - The headers of the row events of one statement stand in their order, each behind its place; MariaDB's tool prints their
//     places first, and the headers together.
//   - Events that cannot be read, and bytes that are no events, are comments, and the text goes on behind them.
//   - Of a row event that MariaDB 12.3 cut into pieces the rows, and the whole event in a BINLOG statement, follow the last piece.
//   - Comments that depend on the tool's version and on its options are those of the versions above.
//
// Row events of one statement share one BINLOG statement, and their rows are printed behind its last event: [Writer.Event]
// prints the lines of headers, [Writer.Block] and [Writer.Rows] what follows for each event of the statement.
//
// Layout: writer.go (headers, begin and end), events.go, query.go (settings), rows.go, value.go, block.go.
package text
