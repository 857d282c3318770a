package session_test

import (
	"binlens/decoder/session"
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
)

// logFileName is a log of MariaDB: testdata/mariadb/basic.sql is what made it.
const logFileName = "../../testdata/mariadb/basic.binlog"

// openLog opens a log and indexes all of it.
func openLog(name string) *session.Session {
	f, err := os.Open(name) // stays open: the session reads from it whatever is asked for
	if err != nil {
		log.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		log.Fatal(err)
	}
	s, err := session.Open(f, info.Size(), session.Options{})
	if err != nil {
		log.Fatal(err) // *frame.NotBinlog says what the file looks like instead
	}
	buf := make([]byte, 1<<20)
	for !s.Progress().Done {
		n, err := f.Read(buf)
		s.Feed(buf[:n])
		if err == io.EOF {
			s.Finish()
		} else if err != nil {
			log.Fatal(err)
		}
		s.Step(0)
	}
	return s
}

// Open a log, index it, and list its events.
func Example() {
	s := openLog(logFileName)
	sum := s.Summary()
	fmt.Println(sum.Family, sum.Checksum, sum.State)
	for i := range min(s.Index().Len(), 5) {
		row := s.Index().Row(i)
		fmt.Println(row.Ordinal, row.Off, row.Size, row.Type, "transaction", row.Group)
	}
	// Output:
	// mariadb CRC32 closed cleanly
	// 0 4 252 FORMAT_DESCRIPTION_EVENT transaction 0
	// 1 256 29 GTID_LIST_EVENT transaction 0
	// 2 285 37 BINLOG_CHECKPOINT_EVENT transaction 0
	// 3 322 42 MARIADB_GTID_EVENT transaction 1
	// 4 364 138 QUERY_EVENT transaction 1
}

// A filter leaves the events that are of interest; View says which they are.
func ExampleSession_SetFilter() {
	s := openLog(logFileName)
	if err := s.SetFilter("table:basic.t row:id=3"); err != nil {
		log.Fatal(err) // *query.Error says where the mistake is, and what could stand there
	}
	for s.Step(0) {
	}
	if err := s.FilterErr(); err != nil {
		log.Fatal(err)
	}
	view := s.View()
	for k := range view.Count(s.Index().Len()) {
		row := s.Index().Row(view.Select(k))
		fmt.Println(row.Ordinal, row.Type)
	}
	// Output:
	// 11 WRITE_ROWS_EVENT_V1
	// 19 DELETE_ROWS_EVENT_V1
}

// The event JSON of a row event has its rows.
func ExampleSession_AppendJSON() {
	s := openLog(logFileName)
	line, err := s.AppendJSON(nil, 19, false)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(line))
	// Output:
	// {"ordinal":19,"offset":1501,"type":"DELETE_ROWS_EVENT_V1","code":25,"timestamp":1767686340,"server_id":1,"size":38,"next_position":1539,"flags":[],"checksum":{"stored":"0x905a8078","ok":true},"transaction":4,"data":{"table_id":18,"schema":"basic","table":"t","names":"metadata","flags":["STMT_END"],"width":3,"columns_before":{"hex":"07"},"rows":[{"before":{"id":3,"v":null,"n":null}}]}}
}

// An export writes what is selected in a format: here, what takes the changes of one transaction back.
func ExampleSession_NewExport() {
	s := openLog(logFileName)
	if err := s.SetFilter("gtid:0-1-3"); err != nil {
		log.Fatal(err)
	}
	for s.Step(0) {
	}
	x, err := s.NewExport(session.FormatUndo, s.Filtered(), session.ExportOptions{})
	if err != nil {
		log.Fatal(err)
	}
	var script bytes.Buffer
	if _, err := x.WriteTo(&script); err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(script.String()) { // all but its head and tail
		if strings.HasPrefix(line, "DELETE") {
			fmt.Print(line)
		}
	}
	for _, note := range x.Notes().List() { // what is not undone, or may not be
		fmt.Println(note.Text())
	}
	// Output:
	// DELETE FROM `basic`.`t` WHERE `id`=3;
	// DELETE FROM `basic`.`t` WHERE `id`=2;
	// DELETE FROM `basic`.`t` WHERE `id`=1;
}

// Statistics take a survey of the log first: it counts the rows of every row event.
func ExampleSession_Stats() {
	s := openLog(logFileName)
	s.Survey(0)
	stats, err := s.Stats(nil, 1)
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range stats.Tables {
		fmt.Println(t.Schema+"."+t.Table, t.Inserted, t.Updated, t.Deleted)
	}
	largest := stats.Transactions.Largest[0]
	fmt.Println("largest:", largest.GTID, largest.Bytes, "bytes,", *largest.Rows, "rows")
	// Output:
	// basic.t 4 1 1
	// largest: 0-1-4 822 bytes, 3 rows
}

// Columns that the log does not name have the names of a schema that is given.
func ExampleSession_AddSchema() {
	s := openLog(logFileName)
	for _, w := range s.AddSchema([]byte("CREATE TABLE shop.orders (id INT PRIMARY KEY, total DECIMAL(10,2) FROBNICATE);")) {
		fmt.Println(w.Offset, w.Reason)
	}
	fmt.Println(s.SchemaTables())
	// Output:
	// 66 `FROBNICATE` is skipped
	// 1
}
