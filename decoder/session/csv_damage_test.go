package session_test

import (
	"bytes"
	"strings"
	"testing"

	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
)

// CSV says of rows that may be wrong, and of bytes in which there may have been rows; a GTID that cannot be read is none.
func TestCSVOfDamage(t *testing.T) {
	log := func(gtid []byte) *logtest.Log {
		l := logtest.New(logtest.MySQL8040, logtest.CRC32).Event(logtest.TypeGtid, gtid).SQL("d", "BEGIN")
		l.Event(logtest.TypeTableMap, logtest.Table{ID: 9, Schema: "d", Name: "t", Columns: []logtest.Column{logtest.Col(3)}}.Body())
		for i := range 3 {
			l.Event(logtest.TypeWriteRows, logtest.Rows{ID: 9, Flags: logtest.StmtEnd, V2: true, Width: 1, After: logtest.All(1), Data: logtest.Image(logtest.U32(uint32(7000 + i)))}.Body())
		}
		return l.Event(logtest.TypeXid, logtest.U64(1))
	}
	sound := logtest.Gtid{SID: [16]byte{0xaa, 15: 0xbb}, GNO: 12, Clock: 2, Sequence: 1}.Body()
	const name = "aa000000-0000-0000-0000-0000000000bb:12"
	l := log(sound)
	for _, c := range []struct {
		name  string
		log   []byte
		gtids int
		rows  string
		lost  string
		doubt string
	}{
		{name: "sound", log: l.Bytes(), gtids: 3, rows: "7000 7001 7002"},
		{name: "a wrong checksum", log: logtest.Flip(l.Bytes(), l.Events[5].Off+l.Events[5].Size-5, 0x01), gtids: 3, doubt: "the checksum of a row event does not match"},
		{name: "a hole", log: logtest.Insert(l.Bytes(), l.Events[5].Off, bytes.Repeat([]byte{0xa5}, 40)), gtids: 3, rows: "7000 7001 7002", lost: "there may have been rows in them"},
		{name: "cut off", log: l.Bytes()[:l.Events[6].Off+10], gtids: 2, rows: "7000 7001", lost: "only a part of one"},
		{name: "a GTID event that is cut", log: log(sound[:30]).Bytes(), rows: "7000 7001 7002"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, c.log, session.Options{})
			out, notes := export(t, s, session.FormatCSV, s.All())
			if got := strings.Count(out, name); got != c.gtids {
				t.Errorf("%d rows with the GTID, want %d:\n%s", got, c.gtids, out)
			}
			if c.gtids == 0 && strings.Contains(out, "aa000000") {
				t.Errorf("half a GTID:\n%s", out)
			}
			for _, n := range strings.Fields(c.rows) {
				if strings.Count(out, n) != 1 {
					t.Errorf("%s is not there once:\n%s", n, out)
				}
			}
			if (len(notes.List()) == 0) != (c.lost+c.doubt == "") {
				t.Errorf("notes %+v", notes.List())
			}
			for _, n := range notes.List() {
				if !strings.Contains(n.Reason, c.lost+c.doubt) || n.Lost != (c.lost != "") {
					t.Errorf("%+v", n)
				}
			}
		})
	}
}
