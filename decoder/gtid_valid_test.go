package decoder_test

import (
	"testing"

	"binlens/decoder"
	"binlens/decoder/gtid"
	"binlens/decoder/internal/logtest"
)

var (
	gtidSID   = [16]byte(hex("3e11fa47 71ca 11e1 9e33 c80aa9429562"))
	gtidEvent = logtest.Gtid{Flags: 1, SID: gtidSID, GNO: 5, Clock: 2, LastCommitted: 7, Sequence: 8}
	anonymous = logtest.Gtid{Clock: 2, LastCommitted: 7, Sequence: 8}
)

// The values of the stages, and their bytes.
const (
	immediate = 0x7a_bcde_f012_3456 // all of 55 bits but bit 54 is used
	original  = 0xfe_dcba_9876_5432 // its top bit is no flag
)

type gtidCase struct {
	name string
	typ  decoder.Type
	body []byte
	want decoder.Gtid
}

// gtidOf is what the 42-byte part alone means.
func gtidOf(g logtest.Gtid, anonymous bool, more ...func(*decoder.Gtid)) decoder.Gtid {
	e := decoder.Gtid{Anonymous: anonymous, Flags: g.Flags, SID: gtid.UUID(g.SID), GNO: g.GNO, HasClock: true, ClockType: 2, LastCommitted: g.LastCommitted, SequenceNumber: g.Sequence}
	for _, m := range more {
		m(&e)
	}
	return e
}

func wantTime(v uint64) func(*decoder.Gtid) {
	return func(e *decoder.Gtid) { e.HasTimestamp, e.ImmediateTimestamp, e.OriginalTimestamp = true, v, v }
}

func wantTimes(v, o uint64) func(*decoder.Gtid) {
	return func(e *decoder.Gtid) {
		e.HasTimestamp, e.ImmediateTimestamp, e.HasOriginalTimestamp, e.OriginalTimestamp = true, v, true, o
	}
}

func wantLength(v uint64) func(*decoder.Gtid) {
	return func(e *decoder.Gtid) { e.HasLength, e.TransactionLength = true, v }
}

func wantVersion(v uint32) func(*decoder.Gtid) {
	return func(e *decoder.Gtid) { e.HasVersion, e.ImmediateVersion, e.OriginalVersion = true, v, v }
}

func wantVersions(v, o uint32) func(*decoder.Gtid) {
	return func(e *decoder.Gtid) {
		e.HasVersion, e.ImmediateVersion, e.HasOriginalVersion, e.OriginalVersion = true, v, true, o
	}
}

func wantTicket(v uint64) func(*decoder.Gtid) {
	return func(e *decoder.Gtid) { e.HasTicket, e.CommitGroupTicket = true, v }
}

// validGtids are bodies of GTID events under a post-header of 42 bytes, and what they mean.
func validGtids() []gtidCase {
	type stage struct {
		raw  []byte
		want func(*decoder.Gtid)
	}
	var (
		time     = stage{logtest.Times(immediate), wantTime(immediate)}
		times    = stage{logtest.Times(immediate, original), wantTimes(immediate, original)}
		zeroTime = stage{logtest.Times(0), wantTime(0)}
		zeros    = stage{logtest.Times(0, 0), wantTimes(0, 0)}
		length   = stage{hex("c8"), wantLength(200)}
		zeroLen  = stage{hex("00"), wantLength(0)}
		version  = stage{u32(80040), wantVersion(80040)}
		versions = stage{logtest.Versions(80040, 50744), wantVersions(80040, 50744)}
		zeroVer  = stage{u32(0), wantVersion(0)}
		zeroVers = stage{logtest.Versions(0, 0), wantVersions(0, 0)}
		ticket   = stage{u64(9), wantTicket(9)}
		zeroTick = stage{u64(0), wantTicket(0)}
	)
	var cases []gtidCase
	add := func(name string, g logtest.Gtid, stages ...stage) {
		var raw [][]byte
		var want []func(*decoder.Gtid)
		for _, s := range stages {
			raw, want = append(raw, s.raw), append(want, s.want)
		}
		cases = append(cases, gtidCase{"GTID " + name, decoder.GtidType, g.Body(raw...), gtidOf(g, false, want...)})
	}
	both := func(name string, stages ...stage) {
		add(name, gtidEvent, stages...)
		c := cases[len(cases)-1]
		c.name, c.typ, c.body = "ANONYMOUS "+name, decoder.AnonymousGtidType, append(anonymous.Body(), c.body[42:]...)
		c.want.Anonymous, c.want.Flags, c.want.SID, c.want.GNO = true, 0, gtid.UUID{}, 0
		cases = append(cases, c)
	}
	bytesOf := func(raw []byte, want func(*decoder.Gtid)) stage { return stage{raw, want} }
	packed := func(s string, v uint64) stage { return stage{hex(s), wantLength(v)} }

	// Every combination of stages.
	both("no stage")
	both("immediate time", time)
	both("both times", times)
	both("immediate time, length", time, length)
	both("both times, length", times, length)
	both("immediate time, length, immediate version", time, length, version)
	both("both times, length, immediate version", times, length, version)
	both("immediate time, length, both versions", time, length, versions)
	both("both times, length, both versions", times, length, versions)
	both("immediate time, length, immediate version, ticket", time, length, version, ticket)
	both("both times, length, immediate version, ticket", times, length, version, ticket)
	both("immediate time, length, both versions, ticket", time, length, versions, ticket)
	both("both times, length, both versions, ticket", times, length, versions, ticket)
	// Absent is not zero.
	both("zero time", zeroTime)
	both("zero times", zeros)
	both("zero length", zeroTime, zeroLen)
	both("zero version", zeroTime, zeroLen, zeroVer)
	both("zero versions", zeros, zeroLen, zeroVers)
	both("zero ticket", zeros, zeroLen, zeroVers, zeroTick)
	// The numbers of transactions, any source, any flags.
	for _, gno := range []uint64{1, 2, 1 << 32, 1<<63 - 3, 1<<63 - 2} {
		g := gtidEvent
		g.GNO = gno
		add("gno", g, time)
	}
	for _, sid := range []string{"00000000000000000000000000000000", "ffffffffffffffffffffffffffffffff", "0123456789abcdef0123456789abcdef"} {
		g := gtidEvent
		g.SID = [16]byte(hex(sid))
		add("sid", g)
		g.GNO = 0
		cases = append(cases, gtidCase{"ANONYMOUS sid", decoder.AnonymousGtidType, g.Body(), gtidOf(g, true)})
	}
	for _, flags := range []byte{0, 2, 0x80, 0xff} {
		g := gtidEvent
		g.Flags = flags
		add("flags", g)
	}
	// 64-bit edges of the clock; nothing is compared.
	for _, c := range [][2]uint64{{0, 0}, {1, 0}, {1<<63 - 1, 1 << 63}, {1<<64 - 1, 1<<64 - 1}, {1<<64 - 1, 0}} {
		g := gtidEvent
		g.LastCommitted, g.Sequence = c[0], c[1]
		add("clock", g, time)
	}
	// Edges of the times: bit 54 belongs to the value, bit 55 announces, the original's top bit is part of it.
	add("time of 55 bits", gtidEvent, bytesOf(hex("ffffffffffff7f"), wantTime(1<<55-1)))
	add("times of 55 and 56 bits", gtidEvent, bytesOf(hex("ffffffffffffff ffffffffffffff"), wantTimes(1<<55-1, 1<<56-1)))
	add("original time with its top bit alone", gtidEvent, bytesOf(hex("01000000000080 00000000000080"), wantTimes(1, 1<<55)))
	add("original time of zero", gtidEvent, bytesOf(hex("05000000000080 00000000000000"), wantTimes(5, 0)))
	// Every width of the packed length, shortest and not.
	for _, p := range []stage{packed("01", 1), packed("fa", 250), packed("fc fb00", 251), packed("fc ffff", 65535), packed("fd 000001", 65536), packed("fd ffffff", 1<<24-1),
		packed("fe 0000000100000000", 1<<24), packed("fe ffffffffffffff7f", 1<<63-1), packed("fe ffffffffffffffff", 1<<64-1),
		packed("fc 0000", 0), packed("fc fa00", 250), packed("fd 000000", 0), packed("fd ffff00", 65535), packed("fe 0000000000000000", 0), packed("fe 0500000000000000", 5)} {
		add("length", gtidEvent, time, p)
		add("length and more", gtidEvent, times, p, version, ticket)
	}
	// Edges of the versions: bit 31 of the first announces, bit 31 of the second is part of it.
	add("version of 31 bits", gtidEvent, time, length, bytesOf(hex("ffffff7f"), wantVersion(1<<31-1)))
	add("versions of 31 and 32 bits", gtidEvent, time, length, bytesOf(hex("ffffffff ffffffff"), wantVersions(1<<31-1, 1<<32-1)))
	add("original version of zero", gtidEvent, time, length, bytesOf(hex("05000080 00000000"), wantVersions(5, 0)))
	add("ticket of 64 bits", gtidEvent, time, length, version, bytesOf(hex("ffffffffffffffff"), wantTicket(1<<64-1)))
	return cases
}

func TestValidGtids(t *testing.T) {
	cases := validGtids()
	if len(cases) < 44 {
		t.Errorf("only %d cases", len(cases))
	}
	for _, s := range []logtest.Server{logtest.MySQL5722, logtest.MySQL8040, logtest.MySQL96} {
		for _, sum := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
			f := format(t, s, sum)
			for _, tt := range cases {
				equal(t, tt.name, *read[*decoder.Gtid](t, f, tt.typ, tt.body), tt.want)
				e, err := decoder.DecodeGtid(f, tt.typ, 1234, tt.body)
				if err != nil || *e != tt.want {
					t.Errorf("%s: DecodeGtid gives %+v, %v", tt.name, e, err)
				}
			}
		}
	}
	t.Logf("%d bodies", len(cases))
}

// The names of the fields, in full and in part.
func TestGtidNames(t *testing.T) {
	f := format(t, logtest.MySQL8040, logtest.CRC32)
	const fixed = "flags sid gno logical_timestamp_type last_committed sequence_number"
	for _, tt := range []struct {
		stages [][]byte
		want   string
	}{
		{nil, ""}, {[][]byte{logtest.Times(1)}, " immediate_commit_timestamp"}, {[][]byte{logtest.Times(1, 2)}, " immediate_commit_timestamp original_commit_timestamp"},
		{[][]byte{logtest.Times(1, 2), hex("fc0100"), logtest.Versions(3, 4), u64(5)},
			" immediate_commit_timestamp original_commit_timestamp transaction_length immediate_server_version original_server_version commit_group_ticket"},
	} {
		if got := paths(t, f, decoder.GtidType, gtidEvent.Body(tt.stages...)); got != fixed+tt.want {
			t.Errorf("names %s", got)
		}
	}
	if got := paths(t, format(t, logtest.MySQL56, logtest.CRC32), decoder.GtidType, gtidEvent.Body56()); got != "flags sid gno" {
		t.Errorf("names of 5.6: %s", got)
	}
}

// The 25 bytes of MySQL 5.6.
func TestGtid56(t *testing.T) {
	for _, sum := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
		f := format(t, logtest.MySQL56, sum)
		for _, gno := range []uint64{1, 1<<63 - 2} {
			g := gtidEvent
			g.GNO = gno
			want := decoder.Gtid{Flags: 1, SID: gtidSID, GNO: gno}
			equal(t, "5.6", *read[*decoder.Gtid](t, f, decoder.GtidType, g.Body56()), want)
			if e, err := decoder.DecodeGtid(f, decoder.GtidType, 4, g.Body56()); err != nil || *e != want {
				t.Errorf("%+v, %v", e, err)
			}
		}
		e := read[*decoder.Gtid](t, f, decoder.AnonymousGtidType, logtest.Gtid{}.Body56())
		equal(t, "5.6 anonymous", *e, decoder.Gtid{Anonymous: true})
	}
}

func TestGtidText(t *testing.T) {
	e := read[*decoder.Gtid](t, format(t, logtest.MySQL8040, logtest.Off), decoder.GtidType, gtidEvent.Body())
	if got := e.GTID().String(); got != "3e11fa47-71ca-11e1-9e33-c80aa9429562:5" {
		t.Error(got)
	}
	// The example of an 8.0.40 log.
	e = read[*decoder.Gtid](t, format(t, logtest.MySQL8040, logtest.CRC32), decoder.AnonymousGtidType,
		hex("00 00000000000000000000000000000000 0000000000000000 02 0000000000000000 0100000000000000 fd2ee0ce0d3306 fc2601 a8380100"))
	equal(t, "8.0.40", *e, decoder.Gtid{Anonymous: true, HasClock: true, ClockType: 2, SequenceNumber: 1, HasTimestamp: true, ImmediateTimestamp: 0x06330dcee02efd,
		OriginalTimestamp: 0x06330dcee02efd, HasLength: true, TransactionLength: 294, HasVersion: true, ImmediateVersion: 80040, OriginalVersion: 80040})
}
