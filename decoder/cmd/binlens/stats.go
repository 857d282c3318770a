package main

import (
	"binlens/decoder/session"
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"
)

// stated is a log's figures with what was asked of it: the object that -json prints.
type stated struct {
	File   string `json:"file"`
	Filter string `json:"filter,omitempty"`
	From   string `json:"from,omitempty"`
	To     string `json:"to,omitempty"`
	Unread int64  `json:"unread,omitempty"` // rows that the filter would have to read and cannot: they are not counted
	*session.Stats
}

// stats prints the figures of a log.
func stats(name string, o *options, stdout, stderr io.Writer) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	s, rows, err := o.open(file, stderr)
	if err != nil {
		return err
	}
	if o.filter == "" && o.from == "" && o.to == "" {
		rows = nil
	}
	s.Survey(0)
	figures, err := s.Stats(rows, max(o.top, 0))
	if err != nil {
		return err
	}
	r := &stated{name, o.filter, o.from, o.to, s.Progress().Unread, figures}
	if o.json {
		return json.NewEncoder(stdout).Encode(r)
	}
	p := printer{w: bufio.NewWriter(stdout), top: max(o.top, 0)}
	p.report(r)
	return p.w.Flush()
}

// printer writes figures for a terminal.
type printer struct {
	w   *bufio.Writer
	top int
}

func (p *printer) line(format string, args ...any) { fmt.Fprintf(p.w, format+"\n", args...) }

func (p *printer) report(r *stated) {
	p.head(r)
	p.events(r)
	p.servers(r)
	p.tables(r.Tables)
	p.busy(&r.Busy)
	p.transactions(&r.Transactions)
	p.gtids(&r.GTIDs)
	p.faults(r)
	p.line("")
}

func (p *printer) head(r *stated) {
	family := map[string]string{"mysql": "MySQL ", "mariadb": "MariaDB "}[r.Family]
	p.line("%s", clean(r.File))
	p.line("  %s bytes, %s%s, binlog version %d, checksums %s, %s", number(r.Size), family, clean(r.ServerVersion), r.BinlogVersion, r.Checksum, r.State)
	if r.First != 0 {
		p.line("  %s to %s UTC (%s)", clock(r.First), clock(r.Last), duration(int64(r.Last)-int64(r.First)))
	}
	var parts []string
	if r.Filter != "" {
		parts = append(parts, "filter "+clean(r.Filter))
	}
	if r.From != "" {
		parts = append(parts, "from "+clean(r.From))
	}
	if r.To != "" {
		parts = append(parts, "to "+clean(r.To))
	}
	if len(parts) == 0 {
		p.line("  all %s rows of the list", number(r.Listed))
		return
	}
	p.line("  only %s of %s rows of the list: %s", number(r.Counted), number(r.Listed), strings.Join(parts, ", "))
	p.line("  of a row event all rows count, and transactions with any of these events count whole")
	if r.Unread > 0 {
		p.line("  %s more rows would have to be read for the filter and cannot be: they are not counted", number(r.Unread))
	}
}

func (p *printer) events(r *stated) {
	t := grid{head: []string{"Events", "<events", "<bytes", "<"}}
	for _, e := range r.Types {
		t.add(e.Type, number(e.Events), number(e.Bytes), share(e.Bytes, r.Bytes+r.Inside.Bytes))
	}
	for _, e := range r.NoEvents {
		t.add(map[string]string{"gap": "damaged bytes", "padding": "zero bytes", "truncated": "a truncated event"}[e.Type], number(e.Events), number(e.Bytes), "")
	}
	t.add("in the file", number(r.Events), number(r.Bytes), "")
	if r.Inside.Events > 0 {
		t.add("inside compressed transactions", number(r.Inside.Events), number(r.Inside.Bytes), "decompressed")
	}
	p.grid(&t)
}

func (p *printer) servers(r *stated) {
	t := grid{head: []string{"Servers", "<events", "<bytes"}}
	for i, s := range r.Servers {
		if i < p.top || p.top >= len(r.Servers)-1 {
			t.add("server_id "+strconv.FormatUint(uint64(s.ServerID), 10), number(s.Events), number(s.Bytes))
		}
	}
	t.more(len(r.Servers))
	p.grid(&t)
}

func (p *printer) tables(list []session.TableStats) {
	t := grid{head: []string{"Tables", "<events", "<bytes", "<inserted", "<updated", "<deleted", "first", "last"}}
	for i := range list {
		if v := &list[i]; i < 4*p.top {
			t.add(v.Schema+"."+v.Table, number(v.Events), number(v.Bytes), number(v.Inserted), number(v.Updated), number(v.Deleted), clock(v.First), clock(v.Last))
			if v.Uncounted > 0 {
				t.add("  of which rows could not be counted", number(v.Uncounted))
			}
		}
	}
	t.more(len(list))
	p.grid(&t)
}

func (p *printer) busy(b *session.BusyStats) {
	if len(b.List) < 2 {
		return // one stretch is all of the log
	}
	t := grid{head: []string{"Busiest " + map[bool]string{true: "minutes", false: duration(b.Seconds)}[b.Seconds == 60], "<events", "<bytes"}}
	for _, v := range b.List {
		t.add(clock(v.From), number(v.Events), number(v.Bytes))
	}
	p.grid(&t)
}

func (p *printer) transactions(s *session.TransactionStats) {
	p.line("\nTransactions: %s%s", number(s.Total), counts(s.States))
	for _, l := range []struct {
		name string
		list []session.TransactionFacts
	}{{"largest", s.Largest}, {"most rows", s.Most}, {"longest", s.Longest}} {
		t := grid{head: []string{"  " + l.name, "<bytes", "<rows", "<time", "begins", "state", "GTID", "tables"}}
		for i := range l.list {
			f := &l.list[i]
			rows := "?"
			if f.Rows != nil {
				rows = number(int64(*f.Rows))
			}
			tables := strings.Join(f.Tables, ", ")
			if f.MoreTables > 0 {
				tables += ", and " + number(int64(f.MoreTables)) + " more"
			}
			t.add(fmt.Sprintf("  %d at %d", f.Number, f.Offset), number(f.Bytes), rows, duration(max(int64(f.End)-int64(f.Start), 0)), clock(f.Start), f.State, f.GTID, tables)
		}
		p.grid(&t)
	}
}

func (p *printer) gtids(g *session.GTIDStats) {
	p.line("\nGTIDs: %s transactions with one, %s anonymous, %s without", number(g.Named), number(g.Anonymous), number(g.Without))
	for _, s := range g.Previous {
		p.line("  before this log  %s", s)
	}
	for _, s := range g.Set {
		p.line("  seen             %s", s)
	}
	for _, v := range g.Ranges {
		p.line("  seen             %d-%d-%d to %d-%d-%d, %s of %d", v.Domain, v.Server, v.First, v.Domain, v.Server, v.Last, number(v.Count), v.Last-v.First+1)
	}
	if g.TooMany {
		p.line("  and more: there are too many to be told")
	}
}

// faults prints problems and failed checks.
func (p *printer) faults(r *stated) {
	p.line("\nRows with a problem: %s%s", number(r.Problems.Rows), counts(r.Problems.Kinds))
	for _, f := range r.Problems.List {
		path := f.Path
		if path != "" {
			path += ": "
		}
		p.line("  row %d at %d, %s, %s: %s", f.Ordinal, f.Offset, f.Type, f.Kind, clean(path+f.Reason))
	}
	if n := r.Problems.Rows - int64(len(r.Problems.List)); n > 0 {
		p.line("  and %s more: dump -filter problem", number(n))
	}
	p.line("Failed checks of transactions: %s", number(r.Checks.Total))
	for _, f := range r.Checks.List {
		p.line("  row %d, transaction %d: %s", f.Ordinal, f.Transaction, clean(f.Text))
	}
	if n := r.Checks.Total - int64(len(r.Checks.List)); n > 0 {
		p.line("  and %s more", number(n))
	}
}

// counts writes a number of each kind, from the most down.
func counts(m map[string]int64) string {
	var names []string
	for k := range m {
		names = append(names, k)
	}
	sort.Slice(names, func(i, j int) bool {
		a, b := names[i], names[j]
		return m[a] > m[b] || m[a] == m[b] && a < b
	})
	for i, k := range names {
		names[i] = number(m[k]) + " " + k
	}
	if len(names) == 0 {
		return ""
	}
	return " (" + strings.Join(names, ", ") + ")"
}

// number writes n with commas between thousands.
func number(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func share(part, whole int64) string {
	if whole == 0 {
		return ""
	}
	return strconv.FormatFloat(100*float64(part)/float64(whole), 'f', 1, 64) + " %"
}

// clock writes seconds since 1970, empty for none.
func clock(seconds uint32) string {
	if seconds == 0 {
		return ""
	}
	return time.Unix(int64(seconds), 0).UTC().Format(time.DateTime)
}

// duration writes seconds in days, hours, minutes and seconds, the zero ones left out.
func duration(seconds int64) string {
	var parts []string
	for _, u := range []struct {
		length int64
		name   string
	}{{86400, " d"}, {3600, " h"}, {60, " min"}, {1, " s"}} {
		if n := seconds / u.length; n > 0 {
			parts = append(parts, number(n)+u.name)
			seconds %= u.length
		}
	}
	if len(parts) == 0 {
		return "0 s"
	}
	return strings.Join(parts, " ")
}
