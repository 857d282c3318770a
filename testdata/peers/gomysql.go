package main

import (
	"github.com/go-mysql-org/go-mysql/replication"
)

// goMySQL parses every event, rows with all their cells, into go-mysql's own structures. It is given what makes it
// fastest: times and decimals stay strings, no checksum is verified.
func goMySQL(file string) (count, error) { return parse(file, false) }

func goMySQLVerify(file string) (count, error) { return parse(file, true) }

func parse(file string, verify bool) (count, error) {
	parser := replication.NewBinlogParser()
	parser.SetParseTime(false)
	parser.SetUseDecimal(false)
	parser.SetVerifyChecksum(verify)
	var seen count
	err := parser.ParseFile(file, 0, func(event *replication.BinlogEvent) error {
		seen.events++
		if rows, ok := event.Event.(*replication.RowsEvent); ok {
			images := int64(len(rows.Rows))
			switch event.Header.EventType {
			case replication.UPDATE_ROWS_EVENTv1, replication.UPDATE_ROWS_EVENTv2, replication.PARTIAL_UPDATE_ROWS_EVENT:
				images /= 2 // before and after
			}
			seen.rows += images
		}
		return nil
	})
	return seen, err
}
