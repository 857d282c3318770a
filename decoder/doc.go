// Package decoder knows the events of MySQL and MariaDB binary logs: their headers, their bodies, and what each byte of
// them is for.
//
// [Decode] is a pure function of a [Context] (the format description in force, and for row events their table map) and an
// event's bytes, so any event can be decoded at any time and in any order. A row event's rows are read lazily, by
// [Rows.Reader]: a cell that nobody asks for is never formatted.
//
// One file holds one event or one family of small ones: format.go (START_EVENT_V3, FORMAT_DESCRIPTION_EVENT and what
// follows from them), query.go and status.go, small.go (ROTATE, XID, INTVAR, RAND, USER_VAR, ROWS_QUERY …), tablemap.go
// and metadata.go, rows.go, hires.go (old MariaDB temporals, whose width the log does not tell), prega.go, gtid.go, tagged.go,
// previous.go, payload.go, mariadb.go, loaddata.go (LOAD DATA of all ages), replgroup.go (group replication), misc.go; types.go
// has the codes. Names of fields are the wire's own, as the servers' sources and manuals spell them; they are tree labels,
// JSON keys and error paths.
//
// The package formats nothing for people and keeps nothing between calls.
package decoder
