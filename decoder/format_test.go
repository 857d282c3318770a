package decoder_test

import (
	"strings"
	"testing"

	"binlens/decoder"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/wire"
)

// What each server's start event says, and what follows from it.
func TestFormatOfServers(t *testing.T) {
	for _, tt := range []struct {
		server  logtest.Server
		types   int // in the table
		own     int // the format description's entry
		aware   bool
		family  decoder.Family
		number  [3]int
		query   int // post-header lengths
		rows    int // of type 24
		rowsV2  int // of type 31
		gtid    int
		payload int
		list    int // of MariaDB's GTID_LIST_EVENT
	}{
		{logtest.MySQL323, 14, 0, false, decoder.MySQL, [3]int{3, 23, 58}, 11, 0, 0, 0, 0, 0},
		{logtest.MySQL41, 14, 0, false, decoder.MySQL, [3]int{4, 1, 22}, 11, 0, 0, 0, 0, 0},
		{logtest.MySQL50, 18, 75, false, decoder.MySQL, [3]int{5, 0, 96}, 13, 0, 0, 0, 0, 0},
		{logtest.MySQL5117, 22, 79, false, decoder.MySQL, [3]int{5, 1, 17}, 13, 0, 0, 0, 0, 0},
		{logtest.MySQL51, 26, 83, false, decoder.MySQL, [3]int{5, 1, 73}, 13, 8, 0, 0, 0, 0},
		{logtest.MySQL55, 27, 84, false, decoder.MySQL, [3]int{5, 5, 62}, 13, 8, 0, 0, 0, 0},
		{logtest.MySQL56, 35, 92, true, decoder.MySQL, [3]int{5, 6, 51}, 13, 8, 10, 25, 0, 0},
		{logtest.MySQL576, 37, 94, true, decoder.MySQL, [3]int{5, 7, 6}, 13, 8, 10, 42, 0, 0},
		{logtest.MySQL5722, 38, 95, true, decoder.MySQL, [3]int{5, 7, 22}, 13, 8, 10, 42, 0, 0},
		{logtest.MySQL8017, 39, 96, true, decoder.MySQL, [3]int{8, 0, 17}, 13, 8, 10, 42, 0, 0},
		{logtest.MySQL8026, 40, 97, true, decoder.MySQL, [3]int{8, 0, 26}, 13, 8, 10, 42, 0, 0},
		{logtest.MySQL8040, 41, 98, true, decoder.MySQL, [3]int{8, 0, 40}, 13, 8, 10, 42, 0, 0},
		{logtest.MySQL84, 42, 99, true, decoder.MySQL, [3]int{8, 4, 3}, 13, 0, 10, 42, 0, 0},
		{logtest.MySQL96, 42, 99, true, decoder.MySQL, [3]int{9, 6, 0}, 13, 0, 10, 42, 0, 0},
		{logtest.MariaDB53, 160, 217, true, decoder.MariaDB, [3]int{5, 3, 12}, 13, 8, 0, 0, 0, 0},
		{logtest.MariaDB100, 163, 220, true, decoder.MariaDB, [3]int{10, 0, 38}, 13, 8, 10, 0, 0, 4},
		{logtest.MariaDB105, 171, 228, true, decoder.MariaDB, [3]int{10, 5, 29}, 13, 8, 10, 0, 0, 4},
	} {
		for _, c := range []logtest.Checksum{logtest.Off, logtest.CRC32} {
			f := format(t, tt.server, c)
			if string(f.ServerVersion) != tt.server.Version || f.BinlogVersion != tt.server.Binlog || f.Created != logtest.Start {
				t.Errorf("%s: version %q, binlog %d, created %d", tt.server.Name, f.ServerVersion, f.BinlogVersion, f.Created)
			}
			if len(f.PostHeaderLengths) != tt.types || tt.own != 0 && int(f.PostHeaderLengths[14]) != tt.own {
				t.Errorf("%s: post-header lengths %v", tt.server.Name, f.PostHeaderLengths)
			}
			if f.ChecksumAware != tt.aware || f.Family != tt.family || f.VersionNumber != tt.number {
				t.Errorf("%s: aware %t, %s, %v", tt.server.Name, f.ChecksumAware, f.Family, f.VersionNumber)
			}
			sum := 0
			if tt.aware && c == logtest.CRC32 {
				sum = 4
			}
			if f.ChecksumLen() != sum {
				t.Errorf("%s: checksum of %d bytes", tt.server.Name, f.ChecksumLen())
			}
			equal(t, tt.server.Name+" post-headers", []int{f.PostHeaderLen(decoder.QueryType), f.PostHeaderLen(decoder.UpdateRowsV1Type),
				f.PostHeaderLen(decoder.UpdateRowsType), f.PostHeaderLen(decoder.GtidType), f.PostHeaderLen(decoder.TransactionPayloadType),
				f.PostHeaderLen(decoder.GtidListType)}, []int{tt.query, tt.rows, tt.rowsV2, tt.gtid, tt.payload, tt.list})
		}
	}
}

// The whole event, checksum included, tells whether it has one: the table's own entry first, then the version.
func TestFormatChecksumLen(t *testing.T) {
	table := func(n, own int) []byte {
		b := make([]byte, n)
		if n > 14 {
			b[14] = byte(own)
		}
		return b
	}
	for _, tt := range []struct {
		version string
		n, own  int // types, and the entry for type 15
		tail    int // bytes of algorithm and checksum that are there
		want    int
	}{
		{"5.0.96-log", 18, 75, 0, 0},
		{"5.5.62", 27, 84, 0, 0},
		{"5.6.0-m4", 27, 84, 0, 0},
		{"5.6.1-m5", 27, 84, 5, 4},
		{"8.0.40", 41, 98, 5, 4},
		{"9.6.0", 42, 99, 5, 4},
		{"10.5.29-MariaDB", 171, 228, 5, 4},
		{"5.1.63-google", 27, 84, 5, 4},          // older by its number, but its own entry knows better
		{"8.0.11-TiDB-v7.1", 27, 84, 0, 0},       // newer by its number
		{"some proxy", 38, 95, 5, 4},             // no number at all
		{"some proxy", 38, 95, 0, 0},             //
		{"8.0.40", 41, 0, 5, 4},                  // no entry that fits: the version decides
		{"5.5.62", 27, 0, 0, 0},                  //
		{"5.3.0-MariaDB", 27, 0, 5, 4},           // MariaDB has them since 5.3
		{"5.2.9-MariaDB", 27, 0, 0, 0},           //
		{"5.5.40-maria-log", 27, 0, 5, 4},        //
		{"5.6.1", 14, 0, 5, 4},                   // a table that does not reach type 15
		{"5.6", 14, 0, 5, 0},                     // two numbers are no version: 0.0.0
		{"8.0.256", 14, 0, 5, 0},                 // nor is one above 255
		{"26.7.0", 42, 99, 5, 4},                 // calendar numbers
		{"10.0.38-MariaDB", 200, 57 + 200, 5, 4}, // an entry wraps at 256
	} {
		s := logtest.Server{Version: tt.version, Binlog: 4, Lengths: table(tt.n, tt.own)}
		body := append(s.FormatBody(logtest.Off, 0), make([]byte, tt.tail)...)
		if tt.n == 41 && tt.tail == 5 {
			body[len(body)-5] = 1
		}
		if got := decoder.FormatChecksumLen(body); got != tt.want {
			t.Errorf("%q, %d types, entry %d, %d bytes after it: checksum of %d bytes, want %d", tt.version, tt.n, tt.own, tt.tail, got, tt.want)
			continue
		}
		f := read[*decoder.FormatDescription](t, decoder.AssumedFormat(0), decoder.FormatDescriptionType, body[:len(body)-tt.want])
		if f.ChecksumAware != (tt.want == 4) {
			t.Errorf("%q: the event's length says %d, its body %t", tt.version, tt.want, f.ChecksumAware)
		}
		if tt.want == 4 && len(f.PostHeaderLengths) != tt.n {
			t.Errorf("%q: %d types, want %d", tt.version, len(f.PostHeaderLengths), tt.n)
		}
	}
	for n := range 58 {
		if got := decoder.FormatChecksumLen(make([]byte, n)); got != 0 {
			t.Errorf("a body of %d bytes has a checksum of %d", n, got)
		}
	}
}

func TestChecksumAlgorithms(t *testing.T) {
	for alg, want := range map[byte]int{0: 0, 1: 4, 255: 0, 2: 4} {
		f := format(t, logtest.MySQL8040, logtest.Checksum(alg))
		if f.ChecksumAlgorithm != alg || f.ChecksumLen() != want {
			t.Errorf("algorithm %d is read as %d, a checksum of %d bytes; want %d", alg, f.ChecksumAlgorithm, f.ChecksumLen(), want)
		}
	}
}

func TestFormatFaults(t *testing.T) {
	whole := logtest.MySQL8040.FormatBody(logtest.CRC32, 0)
	for _, tt := range []struct {
		n      int
		offset int64
		path   string
	}{{0, 0, "binlog_version"}, {1, 0, "binlog_version"}, {2, 2, "server_version"}, {51, 2, "server_version"}, {52, 52, "created"}, {55, 52, "created"},
		{56, 56, "common_header_len"}} {
		_, bad := fault(t, decoder.AssumedFormat(0), decoder.FormatDescriptionType, whole[:tt.n])
		if bad.Offset != tt.offset || bad.Path != tt.path || bad.Kind != wire.Truncated {
			t.Errorf("%d bytes: %v; want truncated at %d in %s", tt.n, bad, tt.offset, tt.path)
		}
	}
	small := logtest.MySQL8040
	small.Header = 18
	_, bad := fault(t, decoder.AssumedFormat(0), decoder.FormatDescriptionType, small.FormatBody(logtest.CRC32, 0))
	if bad.Offset != 56 || bad.Kind != wire.Corrupt || bad.Path != "common_header_len" {
		t.Errorf("common_header_len 18: %v", bad)
	}
	_, bad = fault(t, decoder.AssumedFormat(0), decoder.StartV3, logtest.MySQL41.StartBody()[:55])
	if bad.Offset != 52 || bad.Path != "created" {
		t.Errorf("a short START_EVENT_V3: %v", bad)
	}
}

// The first event of a 5.7 log, with the name of every byte.
func TestFormatNames(t *testing.T) {
	body := logtest.MySQL5722.FormatBody(logtest.CRC32, 0)
	got := paths(t, decoder.AssumedFormat(0), decoder.FormatDescriptionType, body)
	for _, want := range []string{"binlog_version server_version created common_header_len +post_header_lengths post_header_lengths.START_EVENT_V3 post_header_lengths.QUERY_EVENT",
		"post_header_lengths.FORMAT_DESCRIPTION_EVENT post_header_lengths.XID_EVENT", "post_header_lengths.XA_PREPARE_LOG_EVENT checksum_algorithm"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nis not in %s", want, got)
		}
	}
	f := format(t, logtest.MySQL5722, logtest.CRC32)
	equal(t, "post-header lengths of 5.7", f.PostHeaderLengths, []byte{56, 13, 0, 8, 0, 18, 0, 4, 4, 4, 4, 18, 0, 0, 95, 0, 4, 26, 8, 0, 0, 0, 8, 8, 8, 2, 0, 0, 0, 10, 10, 10, 42, 42, 0, 18, 52, 0})
	if n := len(body); 19+n+4 != 119 {
		t.Errorf("the event has %d bytes, not 119", 19+n+4)
	}
}

// A few experimental 5.1 trees number the types from 16 on in another order.
func TestRenumberedTypes(t *testing.T) {
	for _, tt := range []struct {
		version string
		types   int
		want    bool
	}{
		{"5.2.2-a_drop6p13-alpha", 22, true}, {"5.2.2-a_drop6p13-alpha", 26, false}, {"5.1.4-a_drop6p1", 22, true}, {"5.1.5-a_drop5p20", 22, true},
		{"5.1.1-a_drop5p1", 22, true}, {"5.1.6-a_drop5p1", 22, false}, {"5.1.5-a_drop6p1", 22, false}, {"5.2.3-a_drop6p1", 22, false},
		{"5.1.5-beta", 22, false}, {"5.1.5-a_drop", 22, false}, {"5.1.17-beta", 22, false},
	} {
		table := make([]byte, tt.types)
		table[14] = byte(57 + tt.types)
		for i := 15; i < tt.types; i++ {
			table[i] = byte(i + 1)
		}
		f := format(t, logtest.Server{Name: tt.version, Version: tt.version, Binlog: 4, Lengths: table}, logtest.Off)
		got := []decoder.Type{f.Canonical(15), f.Canonical(16), f.Canonical(17), f.Canonical(18), f.Canonical(19), f.Canonical(20), f.Canonical(21), f.Canonical(22), f.Canonical(23)}
		want := []decoder.Type{15, 16, 17, 18, 19, 20, 21, 22, 23}
		if tt.want {
			want = []decoder.Type{15, decoder.TableMapType, decoder.PreGAWriteRowsType, decoder.PreGAUpdateRowsType, decoder.PreGADeleteRowsType,
				decoder.XidType, decoder.BeginLoadQueryType, decoder.ExecuteLoadQueryType, 23}
		}
		equal(t, tt.version, got, want)
		if n := f.PostHeaderLen(decoder.TableMapType); tt.want && n != 16 || !tt.want && n != 19 {
			t.Errorf("%s: post-header of TABLE_MAP_EVENT %d", tt.version, n)
		}
	}
}

func TestHeader(t *testing.T) {
	raw := logtest.Hex("01020304 10 05060708 090a0b0c 0d0e0f10 1112 aabbccdd")
	v4, v1 := format(t, logtest.MySQL8040, logtest.Off), format(t, logtest.MySQL323, logtest.Off)
	wide := logtest.MySQL51
	wide.Header = 27
	v27 := format(t, wide, logtest.Off)
	var h decoder.Header
	v4.ParseHeader(raw, &h)
	equal(t, "v4", h, decoder.Header{Timestamp: 0x04030201, Code: 16, Type: decoder.XidType, ServerID: 0x08070605, Size: 0x0c0b0a09, NextPosition: 0x100f0e0d, Flags: 0x1211, Len: 19})
	v1.ParseHeader(raw, &h)
	equal(t, "v1", h, decoder.Header{Timestamp: 0x04030201, Code: 16, Type: decoder.XidType, ServerID: 0x08070605, Size: 0x0c0b0a09, Len: 13})
	v27.ParseHeader(raw, &h)
	if h.Len != 27 || v27.MinHeaderLen() != 19 || v1.MinHeaderLen() != 13 {
		t.Errorf("lengths %d, %d, %d", h.Len, v27.MinHeaderLen(), v1.MinHeaderLen())
	}
	for typ, want := range map[decoder.Type]int{decoder.FormatDescriptionType: 19, decoder.RotateType: 19, decoder.StartV3: 19, decoder.QueryType: 27} {
		if got := v27.HeaderLenFor(uint8(typ)); got != want {
			t.Errorf("%s: header of %d bytes under a common header of 27, want %d", typ, got, want)
		}
	}
}

func TestDecodeWhole(t *testing.T) {
	wide := logtest.MySQL8040
	wide.Header = 27
	for _, s := range append([]logtest.Server{wide}, logtest.Servers...) {
		for _, c := range []logtest.Checksum{logtest.Off, logtest.CRC32} {
			l := logtest.New(s, c).SQL("shop", "BEGIN")
			f := decoder.AssumedFormat(decoder.ChecksumOff)
			if s.Binlog < 4 {
				f = decoder.AssumedV3(s.Binlog)
			}
			for _, e := range l.Events {
				raw := l.Bytes()[e.Off : e.Off+e.Size]
				var h decoder.Header
				f.ParseHeader(raw, &h)
				n := decoder.ChecksumLenOf(f, h, raw)
				rec := new(wire.Recorder)
				ev, bad := decoder.DecodeWhole(&decoder.Context{Format: f}, h, raw, n, rec)
				if bad != nil {
					t.Fatalf("%s: %v", s.Name, bad)
				}
				checkTiling(t, rec.Spans, 0, e.Size)
				if last := rec.Spans[len(rec.Spans)-1].Path; (n == 4) != (last == "checksum") {
					t.Errorf("%s: checksum of %d bytes, last name %s", s.Name, n, last)
				}
				if d, ok := ev.(*decoder.FormatDescription); ok {
					f = d
				}
			}
		}
	}
	f := format(t, logtest.MySQL8040, logtest.CRC32)
	raw := logtest.Hex("00000000 10 00000000 16000000 00000000 0000 000000")
	var h decoder.Header
	f.ParseHeader(raw, &h)
	if ev, bad := decoder.DecodeWhole(&decoder.Context{Format: f}, h, raw, 4, nil); bad == nil || bad.Path != "event_size" || ev == nil {
		t.Errorf("an event without room for its checksum: %v, %v", ev, bad)
	}
	if n := decoder.ChecksumLenOf(f, decoder.Header{Type: decoder.FormatDescriptionType}, raw[:18]); n != 0 {
		t.Errorf("a format description shorter than a header has a checksum of %d bytes", n)
	}
}

func TestTypes(t *testing.T) {
	known := 0
	for i := range 256 {
		typ := decoder.Type(i)
		if typ.Known() {
			known++
		}
		if unnamed := strings.HasPrefix(typ.String(), "UNKNOWN_EVENT"); unnamed != !typ.Known() {
			t.Errorf("%d: known %t, name %s", i, typ.Known(), typ)
		}
	}
	if known != 43+13 {
		t.Errorf("%d known types", known)
	}
	for typ, want := range map[decoder.Type]string{0: "UNKNOWN_EVENT", 2: "QUERY_EVENT", 33: "GTID_EVENT", 34: "ANONYMOUS_GTID_EVENT", 23: "WRITE_ROWS_EVENT_V1",
		30: "WRITE_ROWS_EVENT", 16: "XID_EVENT", 162: "MARIADB_GTID_EVENT", 44: "UNKNOWN_EVENT_44"} {
		if typ.String() != want {
			t.Errorf("%d is %s, want %s", typ, typ, want)
		}
	}
	for typ, want := range map[decoder.Type]decoder.RowOp{20: decoder.Insert, 23: decoder.Insert, 30: decoder.Insert, 166: decoder.Insert, 169: decoder.Insert,
		21: decoder.Update, 24: decoder.Update, 31: decoder.Update, 39: decoder.Update, 167: decoder.Update, 170: decoder.Update,
		22: decoder.Delete, 25: decoder.Delete, 32: decoder.Delete, 168: decoder.Delete, 171: decoder.Delete, 19: decoder.NoRows, 2: decoder.NoRows} {
		if typ.RowOp() != want {
			t.Errorf("%s: operation %d, want %d", typ, typ.RowOp(), want)
		}
	}
}

func TestAssumedFormat(t *testing.T) {
	f := decoder.AssumedFormat(decoder.ChecksumCRC32)
	if !f.Assumed || f.ChecksumLen() != 4 || f.BinlogVersion != 4 || f.CommonHeaderLen != 19 {
		t.Errorf("%+v", f)
	}
	for typ, want := range map[decoder.Type]int{2: 13, 19: 8, 23: 8, 30: 10, 33: 42, 34: 42, 40: 0, 162: 19, 163: 4, 172: 0, 200: 0} {
		if f.PostHeaderLen(typ) != want {
			t.Errorf("%s: post-header %d, want %d", typ, f.PostHeaderLen(typ), want)
		}
	}
	if f.HasPostHeaderLen(0) || !f.HasPostHeaderLen(2) || f.HasPostHeaderLen(200) {
		t.Error("HasPostHeaderLen")
	}
}

func TestFormatClone(t *testing.T) {
	body := logtest.MySQL8040.FormatBody(logtest.CRC32, 5)
	f := read[*decoder.FormatDescription](t, decoder.AssumedFormat(0), decoder.FormatDescriptionType, body)
	c := f.Clone()
	equal(t, "clone", c, f)
	clear(body)
	if string(c.ServerVersion) != "8.0.40" || c.PostHeaderLengths[1] != 13 {
		t.Errorf("the clone changed with the bytes: %q %v", c.ServerVersion, c.PostHeaderLengths)
	}
}
