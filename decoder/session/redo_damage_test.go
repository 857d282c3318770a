package session_test

import (
	"strings"
	"testing"

	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
)

// What cannot be read, or is damaged though it can, is never written as if it were sound: SQL says so in its place and in the
// notes.
func TestRedoOfDamage(t *testing.T) {
	const insert = "INSERT INTO t VALUES (@a)"
	userVar := func(v logtest.UserVar) []byte { v.Name = "a"; return v.Body() }
	for _, c := range []struct {
		name    string
		typ     byte
		body    []byte
		flip    bool
		written string // that stands in the script
		lost    string // reason of a loss
		doubt   string // reason of a doubt
	}{
		{name: "a sound decimal", typ: logtest.TypeUserVar, body: userVar(logtest.UserVar{Type: 4, Charset: 63, Value: logtest.Hex("0502 807b2d")}), written: "SET @`a`:=123.45;"},
		{name: "a sound integer", typ: logtest.TypeUserVar, body: userVar(logtest.UserVar{Type: 2, Charset: 63, Value: logtest.U64(1<<64 - 1)}), written: "SET @`a`:=-1;"},
		{name: "an unsigned integer", typ: logtest.TypeUserVar, body: userVar(logtest.UserVar{Type: 2, Charset: 63, Value: logtest.U64(1<<64 - 1), Tail: []byte{1}}), written: "SET @`a`:=18446744073709551615;"},
		{name: "a decimal that is cut", typ: logtest.TypeUserVar, body: userVar(logtest.UserVar{Type: 4, Charset: 63, Value: logtest.Hex("0502 80")}), lost: "user variable"},
		{name: "a decimal with bytes behind it", typ: logtest.TypeUserVar, body: userVar(logtest.UserVar{Type: 4, Charset: 63, Value: logtest.Hex("0502 807b2d 00")}), lost: "user variable"},
		{name: "a decimal with digits beyond its width", typ: logtest.TypeUserVar, body: userVar(logtest.UserVar{Type: 4, Charset: 63, Value: logtest.Hex("0502 807bff")}), lost: "user variable"},
		{name: "an integer of 4 bytes", typ: logtest.TypeUserVar, body: userVar(logtest.UserVar{Type: 2, Charset: 63, Value: logtest.U32(7)}), lost: "user variable"},
		{name: "no number", typ: logtest.TypeUserVar, body: userVar(logtest.UserVar{Type: 1, Charset: 63, Value: logtest.Hex("000000000000f87f")}), lost: "user variable"},
		{name: "a cut INTVAR", typ: logtest.TypeIntvar, body: logtest.Intvar(2, 5)[:5], lost: "8 bytes needed, 4 left"},
		{name: "a wrong checksum of a value", typ: logtest.TypeIntvar, body: logtest.Intvar(2, 5), flip: true, written: "SET INSERT_ID=", doubt: "the checksum of an event does not match"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := logtest.New(logtest.MySQL8040, logtest.CRC32).SQL("d", "BEGIN").Event(c.typ, c.body)
			at := l.Last()
			l.SQL("d", insert).Event(logtest.TypeXid, logtest.U64(1))
			b := l.Bytes()
			if c.flip {
				b = logtest.Flip(b, at.Off+20, 0x40)
			}
			s := open(t, b, session.Options{})
			out, notes := export(t, s, session.FormatSQL, s.All())
			if !strings.Contains(out, c.written) || !strings.Contains(out, insert) || !strings.Contains(out, "COMMIT;") {
				t.Error(out)
			}
			if c.written == "" && (strings.Contains(out, "SET @`a`") || strings.Contains(out, "INSERT_ID=") || !strings.Contains(out, "-- not written, row 2")) {
				t.Errorf("what cannot be read is written:\n%s", out)
			}
			if notes.Complete() != (c.lost == "") || (len(notes.List()) == 0) != (c.lost+c.doubt == "") {
				t.Errorf("notes %+v", notes.List())
			}
			for _, n := range notes.List() {
				if want := c.lost + c.doubt; n.Lost != (c.lost != "") || !strings.Contains(n.Reason, want) || n.First != 2 {
					t.Errorf("%+v, want %q", n, want)
				}
			}
		})
	}
}
