package decoder_test

import (
	"testing"

	"binlens/decoder"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/wire"
)

var (
	cat   = logtest.Cat
	u8    = logtest.U8
	u32   = logtest.U32
	u64   = logtest.U64
	text8 = logtest.Text8
	nul   = logtest.TextNUL
	hex   = logtest.Hex
)

// The SQL of a statement under each version of the format.
func TestQuery(t *testing.T) {
	for _, s := range logtest.Servers {
		f := format(t, s, logtest.CRC32)
		l := logtest.Bare(s, logtest.CRC32)
		for _, q := range []logtest.Query{
			{Thread: 7, Exec: 0xfffffff0, Error: 1317, DB: "shop", SQL: "INSERT INTO t VALUES ('a\x00b')"},
			{Thread: 1, SQL: "BEGIN"},
			{DB: "d", SQL: ""},
		} {
			if s.Binlog == 4 {
				q.Status = logtest.Var(0, u32(0x4000))
			}
			body := l.Query(q)
			e := read[*decoder.Query](t, f, decoder.QueryType, body)
			if e.ThreadID != q.Thread || e.ExecTime != q.Exec || e.ErrorCode != q.Error || string(e.DB) != q.DB || string(e.Text) != q.SQL ||
				int(e.DBLen) != len(q.DB) || int(e.StatusVarsLen) != len(q.Status) || e.HasStatusVars != (s.Binlog == 4) || len(e.Status) != len(q.Status)/5 {
				t.Errorf("%s: %+v, want %+v", s.Name, e, q)
			}
			if text := decoder.QueryText(f, decoder.QueryType, body); len(body) >= 13 && string(text) != q.SQL {
				t.Errorf("%s: QueryText %q, want %q", s.Name, text, q.SQL)
			}
		}
	}
}

func TestQueryFaults(t *testing.T) {
	f := format(t, logtest.MySQL8040, logtest.CRC32)
	for _, tt := range []struct {
		body   []byte
		kind   wire.Kind
		offset int64
		path   string
	}{
		{nil, wire.Truncated, 0, "thread_id"},
		{make([]byte, 7), wire.Truncated, 4, "exec_time"},
		{make([]byte, 8), wire.Truncated, 8, "db_len"},
		{make([]byte, 10), wire.Truncated, 9, "error_code"},
		{make([]byte, 12), wire.Truncated, 11, "status_vars_len"},
		{hex("00000000 00000000 00 0000 0300 0000"), wire.Truncated, 13, "status_vars"},
		{hex("00000000 00000000 05 0000 0000 61"), wire.Truncated, 13, "db"},
		{hex("00000000 00000000 01 0000 0000 61"), wire.Truncated, 14, "db"},
		{hex("00000000 00000000 01 0000 0000 61 62 63"), wire.Corrupt, 14, "db"},
	} {
		_, bad := fault(t, f, decoder.QueryType, tt.body)
		if bad.Kind != tt.kind || bad.Offset != tt.offset || bad.Path != tt.path {
			t.Errorf("% x: %v; want %s at %d in %s", tt.body, bad, tt.kind, tt.offset, tt.path)
		}
		if text := decoder.QueryText(f, decoder.QueryType, tt.body); len(tt.body) < 15 && text != nil {
			t.Errorf("% x: QueryText %q of a damaged body", tt.body, text)
		}
	}
	longer := logtest.MySQL8040
	longer.Lengths = append([]byte(nil), longer.Lengths...)
	longer.Lengths[1] = 15
	f = format(t, longer, logtest.Off)
	e := read[*decoder.Query](t, f, decoder.QueryType, hex("00000000 00000000 01 0000 0000 ffff 61 00 62"))
	if string(e.DB) != "a" || string(e.Text) != "b" {
		t.Errorf("a post-header of 15 bytes: %+v", e)
	}
}

// Every status variable, by its bytes.
func TestStatusVariables(t *testing.T) {
	type nums = []uint64
	texts := func(s ...string) (b [][]byte) {
		for _, x := range s {
			b = append(b, []byte(x))
		}
		return b
	}
	for _, tt := range []struct {
		name string
		raw  string
		want decoder.StatusVar
		path string
	}{
		{"flags2", "00 00400004", decoder.StatusVar{Code: 0, Nums: nums{0x04004000}}, "status_vars.flags2"},
		{"sql_mode", "01 2000a04500000000", decoder.StatusVar{Code: 1, Nums: nums{0x45a00020}}, "status_vars.sql_mode"},
		{"catalog", "02 03 737464 00", decoder.StatusVar{Code: 2, Texts: texts("std")}, "status_vars.catalog"},
		{"auto_increment", "03 0200 0100", decoder.StatusVar{Code: 3, Nums: nums{2, 1}}, "+status_vars.auto_increment status_vars.auto_increment.increment status_vars.auto_increment.offset"},
		{"charset", "04 2100 2d00 0800", decoder.StatusVar{Code: 4, Nums: nums{33, 45, 8}},
			"+status_vars.charset status_vars.charset.client status_vars.charset.collation_connection status_vars.charset.collation_server"},
		{"time_zone", "05 03 555443", decoder.StatusVar{Code: 5, Texts: texts("UTC")}, "status_vars.time_zone"},
		{"catalog_nz", "06 03 737464", decoder.StatusVar{Code: 6, Texts: texts("std")}, "status_vars.catalog_nz"},
		{"lc_time_names", "07 0300", decoder.StatusVar{Code: 7, Nums: nums{3}}, "status_vars.lc_time_names"},
		{"charset_database", "08 ff00", decoder.StatusVar{Code: 8, Nums: nums{255}}, "status_vars.charset_database"},
		{"table_map_for_update", "09 0300000000000080", decoder.StatusVar{Code: 9, Nums: nums{1<<63 | 3}}, "status_vars.table_map_for_update"},
		{"master_data_written", "0a 63000000", decoder.StatusVar{Code: 10, Nums: nums{99}}, "status_vars.master_data_written"},
		{"invoker", "0b 04 726f6f74 00", decoder.StatusVar{Code: 11, Texts: texts("root", "")}, "+status_vars.invoker status_vars.invoker.user status_vars.invoker.host"},
		{"updated_db_names", "0c 02 6100 6200", decoder.StatusVar{Code: 12, Nums: nums{2}, Texts: texts("a", "b")},
			"+status_vars.updated_db_names status_vars.updated_db_names.count status_vars.updated_db_names.names[0] status_vars.updated_db_names.names[1]"},
		{"updated_db_names, more than 16", "0c fe", decoder.StatusVar{Code: 12, Nums: nums{254}}, "+status_vars.updated_db_names status_vars.updated_db_names.count"},
		{"updated_db_names, none", "0c 00", decoder.StatusVar{Code: 12, Nums: nums{0}}, "+status_vars.updated_db_names status_vars.updated_db_names.count"},
		{"microseconds", "0d 40e201", decoder.StatusVar{Code: 13, Nums: nums{123456}}, "status_vars.microseconds"},
		{"commit_ts", "0e 0100000000000000", decoder.StatusVar{Code: 14, Nums: nums{1}}, "status_vars.commit_ts"},
		{"commit_ts2", "0f 0100000000000000 0200000000000000", decoder.StatusVar{Code: 15, Nums: nums{1, 2}},
			"+status_vars.commit_ts2 status_vars.commit_ts2.first status_vars.commit_ts2.second"},
		{"explicit_defaults_ts", "10 01", decoder.StatusVar{Code: 16, Nums: nums{1}}, "status_vars.explicit_defaults_ts"},
		{"ddl_logged_with_xid", "11 0800000000000000", decoder.StatusVar{Code: 17, Nums: nums{8}}, "status_vars.ddl_logged_with_xid"},
		{"default_collation_for_utf8mb4", "12 ff00", decoder.StatusVar{Code: 18, Nums: nums{255}}, "status_vars.default_collation_for_utf8mb4"},
		{"sql_require_primary_key", "13 01", decoder.StatusVar{Code: 19, Nums: nums{1}}, "status_vars.sql_require_primary_key"},
		{"default_table_encryption", "14 00", decoder.StatusVar{Code: 20, Nums: nums{0}}, "status_vars.default_table_encryption"},
		{"hrnow", "80 40e201", decoder.StatusVar{Code: 128, Nums: nums{123456}}, "status_vars.hrnow"},
		{"xid", "81 0700000000000000", decoder.StatusVar{Code: 129, Nums: nums{7}}, "status_vars.xid"},
		{"gtid_flags3", "82 02", decoder.StatusVar{Code: 130, Nums: nums{2}}, "+status_vars.gtid_flags3 status_vars.gtid_flags3.flags"},
		{"gtid_flags3, commit alter", "82 04 1200000000000000", decoder.StatusVar{Code: 130, Nums: nums{4, 18}},
			"+status_vars.gtid_flags3 status_vars.gtid_flags3.flags status_vars.gtid_flags3.sa_seq_no"},
		{"gtid_flags3, rollback alter", "82 08 1200000000000000", decoder.StatusVar{Code: 130, Nums: nums{8, 18}},
			"+status_vars.gtid_flags3 status_vars.gtid_flags3.flags status_vars.gtid_flags3.sa_seq_no"},
		{"character_set_collations", "83 01 2d00 2e00", decoder.StatusVar{Code: 131, Nums: nums{1, 45, 46}},
			"+status_vars.character_set_collations status_vars.character_set_collations.count +status_vars.character_set_collations.collations[0] " +
				"status_vars.character_set_collations.collations[0].from status_vars.character_set_collations.collations[0].to"},
		{"dummy", "ff 00 01 02", decoder.StatusVar{Code: 255}, "status_vars.dummy"},
	} {
		for _, s := range []logtest.Server{logtest.MySQL8040, logtest.MariaDB105} {
			f, l := format(t, s, logtest.Off), logtest.Bare(s, logtest.Off)
			raw := hex(tt.raw)
			body := l.Query(logtest.Query{DB: "d", SQL: "SELECT 1", Status: raw})
			e := read[*decoder.Query](t, f, decoder.QueryType, body)
			if e.StatusErr != nil || string(e.Text) != "SELECT 1" {
				t.Errorf("%s: %v, text %q", tt.name, e.StatusErr, e.Text)
			}
			equal(t, tt.name, e.Status, []decoder.StatusVar{tt.want})
			want := "thread_id exec_time db_len error_code status_vars_len +status_vars " + tt.path + " db query"
			if got := paths(t, f, decoder.QueryType, body); got != want {
				t.Errorf("%s:\n got %s\nwant %s", tt.name, got, want)
			}
			if v := e.Var(tt.want.Code); v == nil || e.Var(99) != nil || v.Code.Name() == "" {
				t.Errorf("%s: Var", tt.name)
			}
			if tt.want.Code == decoder.StatusDummy {
				continue // takes whatever there is
			}
			// Cut at every byte: the variable stays raw, the statement is not concerned.
			for n := 1; n < len(raw); n++ {
				e := read[*decoder.Query](t, f, decoder.QueryType, l.Query(logtest.Query{DB: "d", SQL: "SELECT 1", Status: cat(logtest.Var(0, u32(1)), raw[:n])}))
				if e.StatusErr == nil || e.StatusErr.Kind != wire.Truncated || e.StatusErr.Offset < 13+5 || len(e.Status) != 1 || string(e.Text) != "SELECT 1" || string(e.DB) != "d" {
					t.Errorf("%s cut to %d bytes: %v, %+v", tt.name, n, e.StatusErr, e)
				}
			}
		}
	}
}

// The first variable of a code that nobody knows ends the list; it and what follows stay raw.
func TestStatusUnknown(t *testing.T) {
	f, l := format(t, logtest.MySQL96, logtest.Off), logtest.Bare(logtest.MySQL96, logtest.Off)
	for _, code := range []byte{21, 22, 127, 132, 254} {
		body := l.Query(logtest.Query{DB: "d", SQL: "SELECT 1", Status: cat(logtest.Var(0, u32(1)), logtest.Var(code, hex("01 02 03")), logtest.Var(0, u32(2)))})
		e := read[*decoder.Query](t, f, decoder.QueryType, body)
		if e.StatusErr == nil || e.StatusErr.Kind != wire.Unsupported || e.StatusErr.Offset != 18 || e.StatusErr.Path != "status_vars" || len(e.Status) != 1 ||
			string(e.DB) != "d" || string(e.Text) != "SELECT 1" {
			t.Errorf("code %d: %v, %+v", code, e.StatusErr, e)
		}
		want := "thread_id exec_time db_len error_code status_vars_len +status_vars status_vars.flags2 status_vars.unread db query"
		if got := paths(t, f, decoder.QueryType, body); got != want {
			t.Errorf("code %d: %s", code, got)
		}
	}
}

func TestStatusOfServers(t *testing.T) {
	// MySQL 9.0.1's CREATE DATABASE, as its log has it.
	f := format(t, logtest.MySQL84, logtest.CRC32)
	e := read[*decoder.Query](t, f, decoder.QueryType, cat(hex("0a000000 00000000 03 0000 2e00"), hex("00 00000000  01 2000a04500000000  06 03 737464  04 0800 0800 ff00"),
		hex("0c 01 647462 00  11 0800000000000000  12 ff00  14 00"), nul("dtb"), []byte("CREATE DATABASE dtb")))
	if e.StatusErr != nil || len(e.Status) != 8 || string(e.DB) != "dtb" || string(e.Text) != "CREATE DATABASE dtb" {
		t.Errorf("%v, %+v", e.StatusErr, e)
	}
	if id, ok := e.ClientCharset(); !ok || id != 8 {
		t.Errorf("client character set %d, %t", id, ok)
	}
	// MariaDB 11.5 writes 131 before the character sets.
	f = format(t, logtest.MariaDB105, logtest.CRC32)
	l := logtest.Bare(logtest.MariaDB105, logtest.CRC32)
	e = read[*decoder.Query](t, f, decoder.QueryType, l.Query(logtest.Query{SQL: "x", Status: cat(logtest.Var(131, hex("02 0800 2f00 2100 5300")), logtest.Var(4, hex("2100 2100 0800")))}))
	if id, ok := e.ClientCharset(); !ok || id != 33 || len(e.Status) != 2 {
		t.Errorf("client character set %d, %t, %+v", id, ok, e)
	}
	if _, ok := new(decoder.Query).ClientCharset(); ok {
		t.Error("a client character set without a variable")
	}
}
