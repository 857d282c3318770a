package decoder_test

import (
	"strings"
	"testing"

	"binlens/decoder"
	"binlens/decoder/gtid"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/wire"
)

func TestPreviousGtids(t *testing.T) {
	a, b := gtidSID, [16]byte(hex("896e7882 18fe 11ef ab88 22222d34d411"))
	type sid = logtest.Sid
	type iv = []logtest.Interval
	for _, tt := range []struct {
		name   string
		tagged bool
		sids   []sid
		want   string
	}{
		{"empty", false, nil, ""},
		{"empty, tagged", true, nil, ""},
		{"one", false, []sid{{UUID: a, Intervals: iv{{1, 2}}}}, "3e11fa47-71ca-11e1-9e33-c80aa9429562:1"},
		{"intervals", false, []sid{{UUID: a, Intervals: iv{{1, 6}, {8, 9}, {1 << 40, 1<<40 + 2}}}}, "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5:8:1099511627776-1099511627777"},
		{"the last number", false, []sid{{UUID: a, Intervals: iv{{1<<63 - 2, 1<<63 - 1}}}}, "3e11fa47-71ca-11e1-9e33-c80aa9429562:9223372036854775806"},
		{"two sources", false, []sid{{UUID: a, Intervals: iv{{1, 6}}}, {UUID: b, Intervals: iv{{3, 4}}}}, "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5,896e7882-18fe-11ef-ab88-22222d34d411:3"},
		{"a source without intervals", false, []sid{{UUID: a}}, ""},
		{"tagged", true, []sid{{UUID: b, Intervals: iv{{1, 5}}}, {UUID: b, Tag: "aaaa", Intervals: iv{{1, 2}}}, {UUID: b, Tag: "abc", Intervals: iv{{1, 4}}}},
			"896e7882-18fe-11ef-ab88-22222d34d411:1-4:aaaa:1:abc:1-3"},
		{"the longest tag", true, []sid{{UUID: b, Tag: strings.Repeat("t", 32), Intervals: iv{{7, 8}}}}, "896e7882-18fe-11ef-ab88-22222d34d411:" + strings.Repeat("t", 32) + ":7"},
	} {
		f := format(t, logtest.MySQL84, logtest.CRC32)
		body := logtest.PreviousGtids(tt.tagged, tt.sids...)
		e := read[*decoder.PreviousGtids](t, f, decoder.PreviousGtidsType, body)
		if e.Tagged != tt.tagged || len(e.Sids) != len(tt.sids) {
			t.Errorf("%s: %+v", tt.name, e)
		}
		for i, s := range e.Sids {
			if s.UUID != gtid.UUID(tt.sids[i].UUID) || string(s.Tag) != tt.sids[i].Tag || len(s.Intervals) != len(tt.sids[i].Intervals) {
				t.Errorf("%s: source %d is %+v", tt.name, i, s)
			}
		}
		if got := strings.ReplaceAll(e.Set().String(), "\n", ""); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	body := logtest.PreviousGtids(true, logtest.Sid{UUID: b, Tag: "x", Intervals: iv{{1, 2}}})
	want := "sid_count +sids[0] sids[0].uuid sids[0].tag sids[0].interval_count +sids[0].intervals[0] sids[0].intervals[0].start sids[0].intervals[0].end trailing"
	if got := paths(t, format(t, logtest.MySQL84, logtest.Off), decoder.PreviousGtidsType, append(body, 1)); got != want {
		t.Errorf("names %s", got)
	}
}

func TestPreviousGtidsFaults(t *testing.T) {
	const uuid = "3e11fa4771ca11e19e33c80aa9429562"
	for _, tt := range []struct {
		name   string
		body   string
		kind   wire.Kind
		offset int64
		path   string
	}{
		{"empty body", "", wire.Truncated, 0, "sid_count"},
		{"format 2", "0100000000000002", wire.Corrupt, 0, "sid_count"},
		{"more sources than bytes", "0200000000000000" + uuid + "0000000000000000", wire.Corrupt, 8, "sid_count"},
		{"2^48-1 tagged sources", "01ffffffffffff01" + uuid + "000000000000000000", wire.Corrupt, 8, "sid_count"},
		{"more intervals than bytes", "0100000000000000" + uuid + "0200000000000000 0100000000000000 0200000000000000", wire.Corrupt, 32, "sids[0].interval_count"},
		{"2^64-1 intervals", "0100000000000000" + uuid + "ffffffffffffffff", wire.Corrupt, 32, "sids[0].interval_count"},
		{"an empty interval", "0100000000000000" + uuid + "0100000000000000 0500000000000000 0500000000000000", wire.Corrupt, 32, "sids[0].intervals[0].end"},
		{"an interval from 0", "0100000000000000" + uuid + "0100000000000000 0000000000000000 0500000000000000", wire.Corrupt, 32, "sids[0].intervals[0].end"},
		{"an interval beyond the last number", "0100000000000000" + uuid + "0100000000000000 0100000000000000 0000000000000080", wire.Corrupt, 32, "sids[0].intervals[0].end"},
		{"a tag of 33 bytes", "0101000000000001" + uuid + "42" + strings.Repeat("61", 40), wire.Corrupt, 24, "sids[0].tag"},
		{"a tag cut", "0101000000000001" + uuid + "40 616161616161616161", wire.Truncated, 25, "sids[0].tag"},
	} {
		_, bad := fault(t, format(t, logtest.MySQL84, logtest.Off), decoder.PreviousGtidsType, hex(tt.body))
		if bad.Kind != tt.kind || bad.Offset != tt.offset || bad.Path != tt.path {
			t.Errorf("%s: %v; want %s at %d in %s", tt.name, bad, tt.kind, tt.offset, tt.path)
		}
	}
}
