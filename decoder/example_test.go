package decoder_test

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/value"
	"binlens/decoder/wire"
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"
)

// The events of a log come from a frame.Scanner; what a row event needs is the table map before it.
func Example() {
	b, err := os.ReadFile("../testdata/mariadb/basic.binlog")
	if err != nil {
		log.Fatal(err)
	}
	start, err := frame.Sniff(b, int64(len(b)))
	if err != nil {
		log.Fatal(err) // *frame.NotBinlog says what it looks like instead
	}
	scanner := frame.NewScanner(bytes.NewReader(b), int64(len(b)), start, frame.DefaultMaxEvent)
	scanner.Feed(b[start.Off:])
	scanner.Finish()
	var table *decoder.TableMap // of the statement; one on several tables has as many, told apart by their TableID
	var fr frame.Frame
	for scanner.Next(&fr) == frame.Got {
		if fr.Kind != frame.Event {
			continue // damaged bytes, zeros, or an event that is cut off
		}
		ctx := decoder.Context{Format: fr.Format, TableMap: table}
		body := fr.Raw[fr.Header.Len : len(fr.Raw)-fr.Sum.Len]
		ev, err := decoder.Decode(&ctx, fr.Header, body, nil)
		if err != nil {
			log.Fatal(err)
		}
		switch ev := ev.(type) {
		case *decoder.TableMap:
			table = ev.Clone() // the event's bytes are the scanner's
		case *decoder.Rows:
			printRows(fr.Raw, ev)
		case *decoder.Query:
			fmt.Printf("%s\n", ev.Text)
		}
	}
	// Output:
	// CREATE DATABASE basic CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci
	// CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(100), n DECIMAL(10,4))
	// basic.t id=1 v=one n=3.1400
	// basic.t id=2 v=zwei n=-0.5000
	// basic.t id=3 v=NULL n=NULL
	// basic.t id=1 v=one n=3.1400 id=1 v=one and on and on an n=3.1400
	// basic.t id=3 v=NULL n=NULL
	// basic.t id=4 v=four four four four  n=4.0000
	// INSERT INTO t VALUES (5, REPEAT('five ', 20), 5)
}

func printRows(raw []byte, e *decoder.Rows) {
	for r := e.Reader(); r.Next(); {
		fmt.Printf("%s.%s", e.Map.Schema, e.Map.Table)
		for _, image := range [][]value.Value{r.Before.Cells, r.After.Cells} {
			for i := range image {
				if image[i].Kind != value.KindNone { // else the image does not have the column
					fmt.Printf(" %s=%.20s", e.Map.Columns[i].Label(i), cellText(e.Event(raw), &e.Map.Columns[i], &image[i]))
				}
			}
		}
		fmt.Println()
	}
}

// cellText is a cell for people: text in the character set that the server stored it in.
func cellText(raw []byte, c *decoder.Column, v *value.Value) []byte {
	if v.Kind == value.KindBytes {
		return value.Bytes(raw, v)
	}
	return value.AppendText(nil, raw, c.Meta, c.Unsigned, v)
}

// Decode is a function of the format description and the bytes alone. With a Recorder, every byte of the body has a name.
func ExampleDecode() {
	body := []byte{42, 0, 0, 0, 0, 0, 0, 0}
	ctx := decoder.Context{Format: &decoder.FormatDescription{BinlogVersion: 4, CommonHeaderLen: decoder.HeaderLen}}
	h := decoder.Header{Type: decoder.XidType, Len: decoder.HeaderLen}
	var rec wire.Recorder
	ev, err := decoder.Decode(&ctx, h, body, &rec)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ev.(*decoder.Xid).Xid)
	for _, s := range rec.Spans {
		fmt.Println(s.Path, s.Start, s.End)
	}
	_, err = decoder.Decode(&ctx, h, body[:5], nil)
	var bad *wire.Error
	if errors.As(err, &bad) {
		fmt.Println(bad.Kind, bad.Path, bad.Offset, bad.Msg)
	}
	// Output:
	// 42
	// xid 19 27
	// truncated xid 0 8 bytes needed, 5 left
}
