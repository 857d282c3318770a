// Package sql writes the rows and statements of a log as SQL: what happened (redo), and what takes it back (undo).
//
// One statement a row. A [Table] is what rows of one table version are written with; it says why rows cannot be written, and
// whether a value may be another than it says ([Doubt]). Literals are exact: bytes in hexadecimal, text as UTF-8 where its
// bytes are known to come out the same and in hexadecimal with its character set elsewhere, floating-point numbers with the
// digits that read back, temporals as stored. A row is found by its key where one is known. Without one every column is
// compared byte by byte, NULL-safe, and LIMIT 1 takes one of rows that are all alike.
//
// The statements count on the settings of [AppendHead]: UTC, UTF-8, a strict SQL mode that takes zero dates and zero in
// AUTO_INCREMENT columns.
//
// Not written: generated columns, which the server makes again; multi-valued indexes; tables with system versioning, whose
// log has the history among the rows. The types inside of MySQL's JSON documents that JSON text has no form for (DECIMAL,
// dates) become numbers and strings.
//
// Layout: literal.go, number.go and json.go (values), table.go, row.go (statements of rows), statement.go (statements of the
// log with the settings they ran under), head.go.
package sql
