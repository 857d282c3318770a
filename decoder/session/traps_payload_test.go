package session_test

import (
	"binlens/decoder/internal/logtest"
	"fmt"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// payloadOf is a transaction of rows as it stands inside a payload.
func payloadOf(l *logtest.Log, rows int) *logtest.Inside {
	p := new(logtest.Inside)
	p.Event(logtest.TypeQuery, l.Query(logtest.Query{Thread: 7, DB: "d", SQL: "BEGIN"}))
	p.Event(logtest.TypeTableMap, logtest.Table{ID: 100, Schema: "d", Name: "t", Columns: []logtest.Column{logtest.Col(3), logtest.Col(15, 20, 0)}}.Body())
	for i := range rows {
		flags := uint16(0)
		if i == rows-1 {
			flags = logtest.StmtEnd
		}
		p.Event(logtest.TypeWriteRows, logtest.Rows{ID: 100, Flags: flags, V2: true, Width: 2, After: []byte{3}, Data: logtest.Image(logtest.U32(uint32(i)), logtest.Text8("a text"))}.Body())
	}
	return p.Event(logtest.TypeXid, logtest.U64(5))
}

// packed is b as one zstd frame of a level.
func packed(t testing.TB, b []byte, level zstd.EncoderLevel) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(b, nil)
}

// However it is packed, each event inside is a row of its own: without a checksum, with the payload's place and its own
// place inside as its address; the rows are read.
func TestTrapPayloads(t *testing.T) {
	for _, sum := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
		l := logtest.New(logtest.MySQL8040, sum)
		p := payloadOf(l, 3)
		b := p.Bytes()
		n := uint64(len(b))
		frames := logtest.Cat(packed(t, b[:70], zstd.SpeedFastest), packed(t, b[70:75], zstd.SpeedDefault), logtest.ZstdStored(b[75:], 9))
		for _, c := range []struct {
			name string
			body []byte
		}{
			{"117 zstd, level 1", logtest.Payload(0, n, packed(t, b, zstd.SpeedFastest))},
			{"117 zstd, level 19", logtest.Payload(0, n, packed(t, b, zstd.SpeedBestCompression))},
			{"119 several frames that part inside of events", logtest.Payload(0, n, frames)},
			{"119 blocks of 5 bytes", logtest.Payload(0, n, logtest.ZstdStored(b, 5))},
			{"120 not compressed: type 255 takes three bytes", logtest.Payload(255, n, b)},
			{"120 as it stands in the file", logtest.Cat(logtest.Hex("02 03 fcff00 03"), logtest.LenencText(string(logtest.Lenenc(n))), logtest.Hex("01"), logtest.LenencText(string(logtest.Lenenc(n))), []byte{0}, b)},
			{"120 fields in another order, an unknown one among them", logtest.Cat(logtest.LenencTLV(3, logtest.Lenenc(n)), logtest.LenencTLV(9, []byte("?")), logtest.LenencTLV(1, logtest.Lenenc(n)), logtest.LenencTLV(2, logtest.Lenenc(255)), []byte{0}, b)},
		} {
			l := logtest.New(logtest.MySQL8040, sum).Event(logtest.TypePayload, c.body).SQL("d", "FLUSH LOGS")
			checkPayload(t, fmt.Sprint(c.name, ", checksum ", sum), l, p, 3)
		}
	}
}

func checkPayload(t *testing.T, name string, l *logtest.Log, p *logtest.Inside, rows int) {
	t.Helper()
	all := dumpLog(t, l.Bytes())
	want := "FORMAT_DESCRIPTION_EVENT TRANSACTION_PAYLOAD_EVENT QUERY_EVENT TABLE_MAP_EVENT" + strings.Repeat(" WRITE_ROWS_EVENT", rows) + " XID_EVENT QUERY_EVENT"
	var types []string
	for i, r := range all {
		types = append(types, text(r.m["type"]))
		if r.m["problems"] != nil {
			t.Errorf("%s: %s", name, cut(plain(r)))
		}
		if i < 2 || i == len(all)-1 {
			continue
		}
		if plain(r.m["payload"]) != fmt.Sprintf(`{"ordinal":1,"offset":%d}`, l.Events[1].Off) || r.m["checksum"] != nil || number(r.m["offset"]) != int64(p.Offs[i-2]) || number(r.m["next_position"]) != 0 {
			t.Errorf("%s: 118, 122: %s", name, cut(plain(r)))
		}
		if k := i - 4; k >= 0 && k < rows {
			if got, _ := cellsOf(r); got != fmt.Sprintf(`%d | "a text"`, k) {
				t.Errorf("%s: row %d: %s", name, k, got)
			}
		}
	}
	if got := strings.Join(types, " "); got != want {
		t.Errorf("%s: %s", name, got)
	}
	if get(all[1], "transaction") == nil || plain(get(all[1], "transaction")) != plain(get(all[len(all)-2], "transaction")) {
		t.Errorf("%s: the transaction of the payload is not that of its events", name)
	}
}

// A transaction of many events and some MiB, in one frame and in many.
func TestTrapLargePayloads(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	const rows = 1500
	p := payloadOf(l, rows)
	b := p.Bytes()
	l.Event(logtest.TypePayload, logtest.Payload(0, uint64(len(b)), packed(t, b, zstd.SpeedDefault))).SQL("d", "FLUSH LOGS")
	checkPayload(t, "121 one frame", l, p, rows)
	var frames []byte
	for at := 0; at < len(b); at += 5000 {
		frames = append(frames, packed(t, b[at:min(at+5000, len(b))], zstd.SpeedFastest)...)
	}
	l = logtest.New(logtest.MySQL8040, logtest.CRC32).Event(logtest.TypePayload, logtest.Payload(0, uint64(len(b)), frames)).SQL("d", "FLUSH LOGS")
	checkPayload(t, "121 many frames", l, p, rows)
}

// What is not expanded is said to be so.
func TestTrapPayloadNotExpanded(t *testing.T) {
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	b := payloadOf(l, 1).Bytes()
	l.Event(logtest.TypePayload, logtest.Payload(1, uint64(len(b)), b)).SQL("d", "FLUSH LOGS")
	rows := dumpLog(t, l.Bytes())
	checkEvents(t, "117 an unknown compression", rows, "FORMAT_DESCRIPTION_EVENT TRANSACTION_PAYLOAD_EVENT QUERY_EVENT", []want{{1, []any{"problems", 0, "kind"}, `"unsupported"`},
		{1, []any{"problems", 0, "reason"}, `"compression type 1 is neither 0 (zstd) nor 255 (none)"`}, {2, []any{"problems"}, "absent"}})
}
