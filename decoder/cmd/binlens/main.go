// Command binlens reads MySQL and MariaDB binary logs at a terminal.
//
//	binlens stats FILE…   what is in a log: events, tables, transactions, GTIDs, problems; with -json, as JSON
//	binlens dump FILE…    every listed row as a JSON object, one a line; with -filter, those that it leaves
//	binlens sql FILE…     what happened, as SQL
//	binlens undo FILE…    SQL that takes it back, the last transaction of the last file first
//	binlens text FILE…    the form of mysqlbinlog -vv --base64-output=decode-rows; with -blocks, with BINLOG statements
//	binlens csv FILE…     the rows of one table (-table schema.table)
//	binlens share FILE…   the events without their values, for a bug report
//
// stats counts the rows that -filter, -from and -to choose, and says so; transactions that have one of them are counted whole. The
// keys of its JSON are those of [session.Stats], and "file", "filter", "from", "to" as they were given, and "unread", the number
// of rows that the filter could not look into. Lists have at most -top entries.
//
// -schema FILE, as often as needed, reads SQL such as mysqldump --no-data gives, for the names of columns that the log does not
// tell. -from and -to (not included) choose rows by their number in the list, or by an offset in the file with @ before it.
//
// It exits with 0 for a log that could be read, whatever is wrong with single events (each says so in its problems), with
// 1 when reading or writing failed, with 2 and one line of reason when the file is no binary log or the command or the
// filter is not understood, and with 3 when something that was asked for could not be written: what and why stands on standard error, and in
// SQL in the output, too.
package main

import (
	"binlens/decoder/charset"
	"binlens/decoder/frame"
	"binlens/decoder/query"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// Exit codes.
const (
	exitOK       = 0
	exitFailed   = 1
	exitNoBinlog = 2
	exitPartly   = 3
)

func main() {
	charset.SetDecoder(decodeText)
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

const usage = `usage: binlens dump|stats|sql|undo|text|csv|share [options] FILE...`

const help = usage + `

  stats   what is in a log: events, tables, transactions, GTIDs, problems
  dump    every row of the list as a JSON object, one a line
  sql     what happened, as SQL
  undo    SQL that takes it back
  text    the form of mysqlbinlog -vv --base64-output=decode-rows
  csv     the rows of one table
  share   the events without their values, for a bug report

binlens help COMMAND lists its options.`

// options are those of all commands.
type options struct {
	maxEvent  int64
	schemas   []string
	from, to  string
	table     string
	blocks    bool
	keepNames bool
	filter    string
	zone      int
	json      bool
	top       int
}

func (o *options) parse(command string, args []string, told io.Writer) (files []string, err error) {
	flags := flag.NewFlagSet("binlens "+command, flag.ContinueOnError)
	flags.SetOutput(told)
	flags.Int64Var(&o.maxEvent, "max-event-size", frame.DefaultMaxEvent, "dump: decode events up to this many `bytes`")
	flags.Func("schema", "a `file` of SQL with the tables' columns; may be given several times", func(name string) error {
		o.schemas = append(o.schemas, name)
		return nil
	})
	flags.StringVar(&o.filter, "filter", "", "only the rows that this `text` leaves, such as 'table:shop.orders row:id=42'")
	flags.StringVar(&o.from, "from", "", "the first `row`: its number, or @ and an offset in the file")
	flags.StringVar(&o.to, "to", "", "the `row` to stop before")
	flags.StringVar(&o.table, "table", "", "csv: `schema.table`; the first one of the selection if not given")
	flags.BoolVar(&o.blocks, "blocks", false, "text: with BINLOG statements")
	flags.BoolVar(&o.keepNames, "keep-names", false, "share: show the names of schemas, tables and columns")
	flags.IntVar(&o.zone, "zone", 0, "text: print times so many `seconds` east of UTC")
	flags.BoolVar(&o.json, "json", false, "stats: one JSON object a log")
	flags.IntVar(&o.top, "top", 5, "stats: how `many` entries lists have at most; in JSON, lists of types, servers and tables have all")
	err = flags.Parse(args)
	return flags.Args(), err
}

func run(args []string, stdout, stderr io.Writer) int {
	command := ""
	if len(args) > 0 {
		command = args[0]
	}
	switch {
	case command == "-h" || command == "-help" || command == "--help" || command == "help" && len(args) == 1:
		fmt.Fprintln(stdout, help)
		return exitOK
	case command == "help":
		command, args = args[1], []string{args[1], "-h"}
	}
	format, isExport := exports[command]
	if !isExport && command != "dump" && command != "stats" {
		fmt.Fprintln(stderr, usage)
		return exitNoBinlog
	}
	var o options
	var options bytes.Buffer
	files, err := o.parse(command, args[1:], &options)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, options.String())
		return exitOK
	}
	fmt.Fprint(stderr, options.String())
	if err != nil || len(files) == 0 {
		fmt.Fprintln(stderr, usage)
		return exitNoBinlog
	}
	worst := exitOK
	for _, name := range inOrder(format, files) {
		switch {
		case isExport:
			err = export(name, format, &o, stdout, stderr)
		case command == "stats":
			err = stats(name, &o, stdout, stderr)
		default:
			err = dump(name, &o, stdout, stderr)
		}
		if code := exitCode(name, err, stderr); code == exitPartly {
			worst = code
		} else if code != exitOK {
			return code
		}
	}
	return worst
}

// exitCode says what went wrong with a file, in one line.
func exitCode(name string, err error, stderr io.Writer) int {
	var mistake *query.Error
	var foreign *frame.NotBinlog
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errIncomplete):
		return exitPartly
	case errors.As(err, &foreign):
		fmt.Fprintf(stderr, "binlens: %s: %v\n", name, err)
		return exitNoBinlog
	case errors.As(err, &mistake):
		fmt.Fprintf(stderr, "binlens: %v\n", err)
		return exitNoBinlog
	}
	fmt.Fprintf(stderr, "binlens: %v\n", err)
	return exitFailed
}
