package decoder_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"binlens/decoder"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/wire"
)

type badGtid struct {
	name   string
	typ    decoder.Type
	body   []byte
	kind   wire.Kind
	offset int64 // in the body
	field  string
	reason string
}

// invalidGtids are bodies that are no GTID events under a post-header of 42 bytes. The places are those of the layout:
//
//	0 flags, 1 sid, 17 gno, 25 logical_timestamp_type, 26 last_committed, 34 sequence_number, 42 immediate_commit_timestamp,
//	49 original_commit_timestamp where there is one; then, here always without it, 49 transaction_length of one byte,
//	50 immediate_server_version, 54 original_server_version where there is one, or commit_group_ticket
func invalidGtids() (cases []badGtid) {
	add := func(name string, typ decoder.Type, body []byte, kind wire.Kind, offset int64, field, reason string) {
		cases = append(cases, badGtid{name, typ, body, kind, offset, field, reason})
	}
	const gtid, anon = decoder.GtidType, decoder.AnonymousGtidType
	time, length := logtest.Times(immediate), hex("c8")

	// A field that is cut: every length at which it can be.
	for _, cut := range []struct {
		whole  []byte // the body with the field and no more
		from   int    // bytes of it that are there, at least
		offset int64
		field  string
		size   int
	}{
		{gtidEvent.Body(), 0, 0, "flags", 1},
		{gtidEvent.Body(), 1, 1, "sid", 16},
		{gtidEvent.Body(), 17, 17, "gno", 8},
		{gtidEvent.Body(), 25, 25, "logical_timestamp_type", 1},
		{gtidEvent.Body(), 26, 26, "last_committed", 8},
		{gtidEvent.Body(), 34, 34, "sequence_number", 8},
		{gtidEvent.Body(time), 43, 42, "immediate_commit_timestamp", 7},
		{gtidEvent.Body(logtest.Times(immediate, original)), 49, 49, "original_commit_timestamp", 7},
		{gtidEvent.Body(time, hex("fc 2601")), 50, 49, "transaction_length", 3},
		{gtidEvent.Body(time, hex("fd 260101")), 50, 49, "transaction_length", 4},
		{gtidEvent.Body(time, hex("fe 2601010101010101")), 50, 49, "transaction_length", 9},
		{gtidEvent.Body(logtest.Times(immediate, original), hex("fc 2601")), 57, 56, "transaction_length", 3},
		{gtidEvent.Body(time, length, u32(80040)), 51, 50, "immediate_server_version", 4},
		{gtidEvent.Body(time, length, logtest.Versions(80040, 5)), 54, 54, "original_server_version", 4},
		{gtidEvent.Body(time, length, u32(80040), u64(9)), 55, 54, "commit_group_ticket", 8},
		{gtidEvent.Body(time, length, logtest.Versions(80040, 5), u64(9)), 59, 58, "commit_group_ticket", 8},
	} {
		for n := cut.from; n < int(cut.offset)+cut.size; n++ {
			unit := " bytes"
			if cut.size == 1 {
				unit = " byte"
			}
			add("cut to "+strconv.Itoa(n), gtid, cut.whole[:n], wire.Truncated, cut.offset, cut.field, strconv.Itoa(cut.size)+unit+" needed, "+strconv.Itoa(n-int(cut.offset))+" left")
		}
	}
	for _, n := range []int{0, 16, 24, 41} { // an anonymous event is cut as any other
		at := map[int]int64{0: 0, 16: 1, 24: 17, 41: 34}[n]
		field := map[int]string{0: "flags", 16: "sid", 24: "gno", 41: "sequence_number"}[n]
		reason := map[int]string{0: "1 byte needed, 0 left", 16: "16 bytes needed, 15 left", 24: "8 bytes needed, 7 left", 41: "8 bytes needed, 7 left"}[n]
		add("anonymous cut to "+strconv.Itoa(n), anon, anonymous.Body()[:n], wire.Truncated, at, field, reason)
	}

	// The number of the transaction.
	for gno, text := range map[uint64]string{0: "0", 1<<63 - 1: "9223372036854775807", 1 << 63: "9223372036854775808", 1<<64 - 1: "18446744073709551615"} {
		g := gtidEvent
		g.GNO = gno
		add("gno "+text, gtid, g.Body(), wire.Corrupt, 17, "gno", "transaction number "+text+" is not in 1 to 9223372036854775806")
	}
	for gno, text := range map[uint64]string{1: "1", 1<<63 - 2: "9223372036854775806", 1<<64 - 1: "18446744073709551615"} {
		g := anonymous
		g.GNO = gno
		add("anonymous gno "+text, anon, g.Body(time), wire.Corrupt, 17, "gno", "an anonymous transaction has number 0, not "+text)
	}
	// The type of the clock.
	for _, c := range []byte{0, 1, 3, 128, 255} {
		g := gtidEvent
		g.Clock = c
		add("clock type", gtid, g.Body(), wire.Corrupt, 25, "logical_timestamp_type", "logical clock type "+strconv.Itoa(int(c))+" is not 2")
	}
	// First bytes that start no packed integer.
	for _, first := range []string{"fb", "ff"} {
		add("length "+first, gtid, gtidEvent.Body(time, hex(first)), wire.Corrupt, 49, "transaction_length", "0x"+first+" starts no packed integer")
		add("length "+first+" and more", gtid, gtidEvent.Body(time, hex(first), u64(1), u64(2)), wire.Corrupt, 49, "transaction_length", "0x"+first+" starts no packed integer")
		add("length "+first+" after both times", anon, anonymous.Body(logtest.Times(immediate, original), hex(first)), wire.Corrupt, 56, "transaction_length", "0x"+first+" starts no packed integer")
	}
	// Bytes after the ticket.
	add("a byte after the ticket", gtid, gtidEvent.Body(time, length, u32(1), u64(1), u8(0)), wire.Corrupt, 62, "surplus", "1 byte left over")
	add("4 bytes after the ticket", anon, anonymous.Body(time, length, u32(1), u64(1), u32(0)), wire.Corrupt, 62, "surplus", "4 bytes left over")
	add("bytes after a full event", gtid, gtidEvent.Body(logtest.Times(1, 2), hex("fe 0100000000000000"), logtest.Versions(1, 2), u64(1), u64(0)), wire.Corrupt, 81, "surplus", "8 bytes left over")
	// The first fault counts.
	g := gtidEvent
	g.GNO, g.Clock = 0, 9
	add("two faults", gtid, g.Body(hex("01")), wire.Corrupt, 17, "gno", "transaction number 0 is not in 1 to 9223372036854775806")
	return cases
}

// checkBadGtid decodes a body that is no GTID event in every way there is.
func checkBadGtid(t *testing.T, f *decoder.FormatDescription, tt badGtid) {
	t.Helper()
	ev, bad, _ := inspect(t, &decoder.Context{Format: f}, header(f, tt.typ, tt.body), tt.body)
	if bad == nil || bad.Kind != tt.kind || bad.Offset != tt.offset || bad.Path != tt.field || bad.Msg != tt.reason {
		t.Errorf("%s:\n got %+v\nwant %s at %d in %s: %s", tt.name, bad, tt.kind, tt.offset, tt.field, tt.reason)
	}
	if _, ok := ev.(*decoder.Gtid); !ok {
		t.Errorf("%s: Inspect gives %T", tt.name, ev)
	}
	e, err := decoder.DecodeGtid(f, tt.typ, 4711, tt.body)
	want := decoder.InvalidGtidEvent{FileOffset: 4711, BodyOffset: tt.offset, Field: tt.field, Kind: tt.kind, Reason: tt.reason}
	var invalid *decoder.InvalidGtidEvent
	if e != nil || !errors.As(err, &invalid) || *invalid != want {
		t.Errorf("%s: DecodeGtid gives %+v, %v", tt.name, e, err)
	} else if s := err.Error(); s != "InvalidGtidEvent at file offset 4711, body offset "+strconv.FormatInt(tt.offset, 10)+", "+tt.field+": "+tt.reason {
		t.Errorf("%s: %s", tt.name, s)
	}
}

func TestInvalidGtids(t *testing.T) {
	cases := invalidGtids()
	if len(cases) < 90 {
		t.Errorf("only %d cases", len(cases))
	}
	for _, s := range []logtest.Server{logtest.MySQL5722, logtest.MySQL96} {
		for _, sum := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
			f := format(t, s, sum)
			for _, tt := range cases {
				checkBadGtid(t, f, tt)
			}
		}
	}
	t.Logf("%d bodies", len(cases))
}

// Under 5.6's post-header of 25 bytes the event ends after gno.
func TestInvalidGtids56(t *testing.T) {
	f := format(t, logtest.MySQL56, logtest.CRC32)
	whole := gtidEvent.Body56()
	zero := gtidEvent
	zero.GNO = 0
	for _, tt := range []badGtid{
		{"empty", decoder.GtidType, nil, wire.Truncated, 0, "flags", "1 byte needed, 0 left"},
		{"cut in the sid", decoder.GtidType, whole[:10], wire.Truncated, 1, "sid", "16 bytes needed, 9 left"},
		{"cut in the gno", decoder.GtidType, whole[:24], wire.Truncated, 17, "gno", "8 bytes needed, 7 left"},
		{"gno 0", decoder.GtidType, zero.Body56(), wire.Corrupt, 17, "gno", "transaction number 0 is not in 1 to 9223372036854775806"},
		{"a byte more", decoder.GtidType, cat(whole, u8(2)), wire.Corrupt, 25, "surplus", "1 byte left over"},
		{"the layout of 5.7", decoder.GtidType, gtidEvent.Body(), wire.Corrupt, 25, "surplus", "17 bytes left over"},
	} {
		checkBadGtid(t, f, tt)
	}
}

// A post-header of another length is a problem, not a guess.
func TestGtidPostHeader(t *testing.T) {
	for _, n := range []byte{0, 1, 24, 26, 41, 43, 255} {
		s := logtest.MySQL8040
		s.Lengths = append([]byte(nil), s.Lengths...)
		s.Lengths[logtest.TypeGtid-1], s.Lengths[logtest.TypeAnonymous-1] = n, n
		f := format(t, s, logtest.CRC32)
		reason := "the format description gives this type a post-header of " + strconv.Itoa(int(n)) + " bytes, not 42 or 25"
		checkBadGtid(t, f, badGtid{"post-header", decoder.GtidType, gtidEvent.Body(), wire.Corrupt, 0, "post_header", reason})
		checkBadGtid(t, f, badGtid{"post-header", decoder.AnonymousGtidType, anonymous.Body(), wire.Corrupt, 0, "post_header", reason})
	}
	checkBadGtid(t, format(t, logtest.MySQL55, logtest.Off), badGtid{"a server without GTIDs", decoder.GtidType, gtidEvent.Body(), wire.Corrupt, 0, "post_header",
		"the format description gives this type a post-header of 0 bytes, not 42 or 25"})
}

func TestUnsupportedGtidEvent(t *testing.T) {
	f := format(t, logtest.MySQL96, logtest.CRC32)
	for i := range 256 {
		typ := decoder.Type(i)
		if typ == decoder.GtidType || typ == decoder.AnonymousGtidType {
			continue
		}
		e, err := decoder.DecodeGtid(f, typ, 99, gtidEvent.Body())
		var u *decoder.UnsupportedGtidEvent
		if e != nil || !errors.As(err, &u) || u.FileOffset != 99 || u.Code != uint8(i) || !strings.Contains(u.Error(), typ.String()) {
			t.Fatalf("type %d: %v, %v", i, e, err)
		}
	}
}

// Looking at damage, the fields before the fault are there, and those behind it are absent, not zero.
func TestGtidPartial(t *testing.T) {
	f := format(t, logtest.MySQL8040, logtest.CRC32)
	for _, tt := range []struct {
		body []byte
		want decoder.Gtid
	}{
		{gtidEvent.Body()[:30], decoder.Gtid{Flags: 1, SID: gtidSID, GNO: 5, ClockType: 2}},
		{gtidEvent.Body(logtest.Times(immediate)[:5]), gtidOf(gtidEvent, false)},
		{gtidEvent.Body(logtest.Times(immediate, original)[:9]), gtidOf(gtidEvent, false, wantTime(immediate))},
		{gtidEvent.Body(logtest.Times(immediate), hex("fd01")), gtidOf(gtidEvent, false, wantTime(immediate))},
		{gtidEvent.Body(logtest.Times(immediate), hex("05 0102")), gtidOf(gtidEvent, false, wantTime(immediate), wantLength(5))},
		{gtidEvent.Body(logtest.Times(immediate), hex("05"), logtest.Versions(7, 8)[:6]), gtidOf(gtidEvent, false, wantTime(immediate), wantLength(5), wantVersion(7))},
		{gtidEvent.Body(logtest.Times(immediate), hex("05"), u32(7), hex("01")), gtidOf(gtidEvent, false, wantTime(immediate), wantLength(5), wantVersion(7))},
	} {
		ev, _ := fault(t, f, decoder.GtidType, tt.body)
		equal(t, "partial", *ev.(*decoder.Gtid), tt.want)
	}
}
