package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-mysql-org/go-mysql/replication"

	"binlens/decoder/frame"
	"binlens/decoder/session"
)

// ours is one row of the event JSON.
type ours struct {
	Kind      string
	Offset    int64
	Size      uint32
	Code      uint8
	Timestamp uint32
	ServerID  uint32 `json:"server_id"`
	Next      uint32 `json:"next_position"`
	Payload   json.RawMessage
	Data      struct {
		Schema, Table json.RawMessage
		Query         json.RawMessage
		Rows          []struct{ Before, After fields }
	}
	Problems []struct{ Kind, Path, Reason string }
}

// fields are the members of a JSON object in their order.
type fields []field

type field struct {
	name  string
	value json.RawMessage
}

func (f *fields) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if _, err := d.Token(); err != nil {
		return err
	}
	*f = fields{}
	for d.More() {
		k, err := d.Token()
		if err != nil {
			return err
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return err
		}
		*f = append(*f, field{k.(string), v})
	}
	return nil
}

// A difference between what both say of an event.
type difference struct {
	log          string
	at           int64  // of the event, or the payload it is in
	typ          string // of the event
	what         string // what differs: an event's field, a column's type, "error"
	ours, theirs string
}

func (d difference) String() string {
	return fmt.Sprintf("%s, %s at %d: %s\n   ours %.300s\n  theirs %.300s", d.log, d.typ, d.at, d.what, d.ours, d.theirs)
}

// TestDifferential reads every log of testdata and, where it is, of the collection beside the project with both, and
// compares events, tables, statements and every value of every row. What differs must be in the table of explained_test.go.
func TestDifferential(t *testing.T) {
	logs := logsIn(t, filepath.Join("..", "..", "testdata"))
	collection := logsIn(t, filepath.Join("..", "..", "..", "shared", "corpus"))
	if len(collection) == 0 {
		t.Log("skipped: no corpus")
	}
	used := map[*explanation]int{}
	seen := count{}
	for _, name := range append(logs, collection...) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			for _, d := range compare(t, name, &seen) {
				if e := explain(d); e != nil {
					used[e]++
					continue
				}
				t.Error(d)
			}
		})
	}
	for i := range explanations {
		e := &explanations[i]
		if used[e] == 0 && len(collection) > 0 {
			t.Errorf("no difference needs the explanation %q", e.reason)
		}
		t.Logf("%5d × %s", used[e], e.reason)
	}
	t.Logf("%d events and %d rows of %d logs compared", seen.events, seen.rows, len(logs)+len(collection))
}

// logsIn returns the files below a folder that start as a log does.
func logsIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err == nil && bytes.HasPrefix(b, replication.BinLogFileHeader) {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// compare walks a log event by event, as go-mysql does.
func compare(t *testing.T, name string, seen *count) (list []difference) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	rows, inside, family := read(t, b)
	if h := b[4:]; len(h) < replication.EventHeaderSize || replication.EventType(h[4]) != replication.FORMAT_DESCRIPTION_EVENT {
		return nil // of version 1 or 3, or without its first event: not for go-mysql
	}
	p := replication.NewBinlogParser()
	p.SetParseTime(false)
	p.SetUseDecimal(false)
	p.SetVerifyChecksum(true)
	p.SetTimestampStringLocation(time.UTC)
	p.SetFlavor(family)
	c := &comparison{log: filepath.Base(name), family: family, seen: seen}
	for at := int64(4); at < int64(len(b)); {
		if int64(len(b))-at < replication.EventHeaderSize {
			break
		}
		size := int64(binary.LittleEndian.Uint32(b[at+9:]))
		if size < replication.EventHeaderSize || size > int64(len(b))-at {
			break // go-mysql's reading ends here
		}
		mine, ok := rows[at]
		c.at, c.typ = at, replication.EventType(b[at+4]).String()
		theirs, err := parseOne(p, b[at:at+size])
		at += size
		if !ok || mine.Kind != "" {
			c.differ("event", "not listed", fmt.Sprint(err))
			continue
		}
		c.event(mine, theirs, err, inside[mine.Offset])
	}
	return c.list
}

// read returns the events of a log by their offset, those inside of payloads by that of the payload, and the family of its
// server. Names and labels are those of the table maps alone: go-mysql does not read DDL.
func read(t *testing.T, b []byte) (rows map[int64]*ours, inside map[int64][]*ours, family string) {
	t.Helper()
	s, err := session.Open(bytes.NewReader(b), int64(len(b)), session.Options{MapNames: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Feed(b)
	s.Finish()
	for s.Step(0) {
	}
	rows, inside = map[int64]*ours{}, map[int64][]*ours{}
	payload := int64(-1)
	for i := range s.Index().Len() {
		line, err := s.AppendJSON(nil, i, true)
		if err != nil {
			t.Fatal(err)
		}
		o := new(ours)
		if err := json.Unmarshal(line, o); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if s.Index().Row(i).Kind != frame.Event {
			o.Kind = s.Index().Row(i).Kind.String()
		}
		if o.Payload != nil {
			inside[payload] = append(inside[payload], o)
			continue
		}
		payload = o.Offset
		rows[o.Offset] = o
	}
	return rows, inside, s.Summary().Family
}

// parseOne is go-mysql's parse of one event; it may panic on what it does not expect.
func parseOne(p *replication.BinlogParser, raw []byte) (e *replication.BinlogEvent, err error) {
	defer func() {
		if r := recover(); r != nil {
			e, err = nil, fmt.Errorf("panic: %v", r)
		}
	}()
	return p.Parse(bytes.Clone(raw))
}

// A comparison collects what differs in a log.
type comparison struct {
	log    string
	family string
	at     int64
	typ    string
	seen   *count
	list   []difference
}

func (c *comparison) differ(what, ours, theirs string) {
	c.list = append(c.list, difference{c.log, c.at, c.typ, what, ours, theirs})
}

func (c *comparison) same(what string, ours, theirs any) {
	if o, h := fmt.Sprint(ours), fmt.Sprint(theirs); o != h {
		c.differ(what, o, h)
	}
}

func (c *comparison) event(o *ours, h *replication.BinlogEvent, err error, inside []*ours) {
	c.seen.events++
	var problems []string
	for _, p := range o.Problems {
		problems = append(problems, p.Kind+" "+p.Path+": "+p.Reason)
	}
	if err != nil {
		c.differ("error", strings.Join(problems, "; "), err.Error())
		return
	}
	if len(problems) > 0 {
		c.differ("problem", strings.Join(problems, "; "), "read")
	}
	c.same("type", o.Code, byte(h.Header.EventType))
	c.same("size", o.Size, h.Header.EventSize)
	c.same("timestamp", o.Timestamp, h.Header.Timestamp)
	c.same("server_id", o.ServerID, h.Header.ServerID)
	c.same("next_position", o.Next, h.Header.LogPos)
	switch e := h.Event.(type) {
	case *replication.QueryEvent:
		c.text("query", o.Data.Query, e.Query)
	case *replication.RowsQueryEvent:
		c.text("query", o.Data.Query, e.Query)
	case *replication.MariadbAnnotateRowsEvent:
		c.text("query", o.Data.Query, e.Query)
	case *replication.TableMapEvent:
		c.text("schema", o.Data.Schema, e.Schema)
		c.text("table", o.Data.Table, e.Table)
	case *replication.RowsEvent:
		c.rows(o, e)
	case *replication.TransactionPayloadEvent:
		c.same("events inside", len(inside), len(e.Events))
		for i := range min(len(inside), len(e.Events)) {
			c.typ = e.Events[i].Header.EventType.String()
			c.event(inside[i], e.Events[i], nil, nil)
		}
	}
}

// text compares a text: ours is JSON, theirs the bytes in the log.
func (c *comparison) text(what string, o json.RawMessage, theirs []byte) {
	if got, err := bytesOf(o); err != nil || !bytes.Equal(got, theirs) {
		c.differ(what, string(o), fmt.Sprintf("%q", theirs))
	}
}
