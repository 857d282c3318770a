package session_test

import (
	"binlens/decoder/frame"
	"binlens/decoder/session"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// What the rows of a case must read as, written down from the collection's list of right results, not from this
// project's output. One entry a row event: its rows as JSON. Two results there are given in a shorter form than the
// event JSON has: "0.0000007565" in a DECIMAL(36,18) has all 18 digits here, "513" in a BIT is its bits.
var rowCases = []struct {
	name string
	rows []string
}{
	{"int_unsigned", []string{`[{"after":{"@1":4294967295}}]`}},
	{"int_signed", []string{`[{"after":{"@1":-1}}]`}},
	{"bigint_unsigned", []string{`[{"after":{"@1":"18446744073709551615"}}]`}},
	{"tiny_unsigned_129", []string{`[{"after":{"@1":129}}]`}},
	{"year_signbit", []string{`[{"after":{"@1":-1,"@2":"2041","@3":-1}}]`}},
	{"year_zero", []string{`[{"after":{"@1":"0000"}}]`}},
	{"year_1901_2155", []string{`[{"after":{"@1":"1901","@2":"2155"}}]`}},
	{"decimals", []string{`[{"after":{"@1":"1234567890.1234","@2":"-1234567890.1234","@3":"1","@4":"0.000000001","@5":"0.0000000001",` +
		`"@6":"-0.12","@7":"0.3333","@8":"0.000000756500000000","@9":"-0.000000000000000000000000000001","@10":"0.00","@11":"-0.01","@12":"0"}}]`}},
	{"time2", []string{`[{"after":{"@1":"-16:08:04","@2":"-16:08:04.250","@3":"-16:08:04.250000","@4":"-16:08:04.010123","@5":"-00:00:00.01",` +
		`"@6":"-00:00:00.99","@7":"-00:00:01.00","@8":"-00:00:01.10","@9":"-838:59:59.000000","@10":"838:59:59.000000","@11":"00:00:00.9",` +
		`"@12":"00:00:00","@13":"-00:00:00.0001","@14":"-00:00:00.000001"}}]`}},
	{"datetime2", []string{`[{"after":{"@1":"0000-00-00 00:00:00","@2":"0000-00-00 00:00:00.000000","@3":"2023-00-15 10:00:00",` +
		`"@4":"2023-05-00 10:00:00","@5":"2023-05-15 10:00:00.9","@6":"2023-05-15 10:00:00.123","@7":"2023-05-15 10:00:00.12345",` +
		`"@8":"9999-12-31 23:59:59.999999","@9":"0001-01-01 00:00:00"}}]`}},
	{"timestamp2", []string{`[{"after":{"@1":"0000-00-00 00:00:00","@2":"0000-00-00 00:00:00.000000","@3":"1970-01-01 00:00:01",` +
		`"@4":"2038-01-19 03:14:07","@5":"2023-09-12 06:06:56.9"}}]`}},
	{"timestamp2_2106", []string{`[{"after":{"@1":"2106-02-07 06:28:15"}}]`}},
	{"bits", []string{`[{"after":{"@1":"b'1'","@2":"b'1000000001'","@3":"b'` + strings.Repeat("1", 64) + `'"}}]`}},
	{"enum_258_and_0", []string{`[{"after":{"@1":258,"@2":"","@3":2}}]`}},
	{"binary5", []string{`[{"after":{"@1":{"hex":"6100000000"}}}]`}},
	{"varchar_256", []string{`[{"after":{"@1":"a","@2":"a"}}]`}},
	{"latin1_smartquote", []string{`[{"after":{"@1":"‘’"}}]`}},
	{"vector", []string{`[{"after":{"@1":[1.05,-17.8,32]}}]`}},
	{"floats", []string{`[{"after":{"@1":0.3,"@2":345.6789,"@3":4.56,"@4":1e20}}]`}},
	{"minimal_update", []string{`[{"before":{"@1":1},"after":{"@10":99}}]`}},
	{"last_row_all_null", []string{`[{"after":{"@1":1,"@2":2}},{"after":{"@1":null,"@2":null}}]`}},
	{"two_maps_one_stmt", []string{`[{"before":{"@1":1}}]`, `[{"after":{"@1":1}}]`}},
	{"typed_array_int", []string{`[{"after":{"@1":7}}]`}},
	{"typed_array_8018_extra_meta", []string{`[{"after":{"@1":7}}]`}},
	{"signbits_9_with_year", []string{`[{"after":{"@1":1,"@2":"2002","@3":3,"@4":4,"@5":5,"@6":6,"@7":7,"@8":8,"@9":9,"@10":""}}]`}},
	{"tlv_visibility", []string{`[{"after":{"@1":1,"@2":2}}]`}},
	{"long_names", []string{`[{"after":{"@1":1}}]`}},
	{"empties", []string{`[{"after":{"@1":"","@2":"","@3":null}}]`}},
	{"cols_300", []string{`[{"after":{` + threeHundred() + `}}]`}},
	{"tlv_long", []string{`[{"after":{` + tenLongNames() + `}}]`}},
	{"gbk", []string{`[{"after":{"@1":"测试"}}]`}},
	{"geometry_empty_coll", []string{`[{"after":{"@1":"GEOMETRYCOLLECTION EMPTY","@2":"SRID=4326;POINT(1 2)","@3":""}}]`}},
	{"json_00", []string{`[{"after":{"@1":null}}]`}},
	{"json_01", []string{`[{"after":{"@1":null}}]`}},
	{"json_02", []string{`[{"after":{"@1":true}}]`}},
	{"json_03", []string{`[{"after":{"@1":""}}]`}},
	{"json_04", []string{`[{"after":{"@1":{"":0}}}]`}},
	{"json_05", []string{`[{"after":{"@1":{"a":true,"b":"x"}}}]`}},
	{"json_06", []string{`[{"after":{"@1":1.99}}]`}},
	{"json_08", []string{`[{"after":{"@1":"2024-05-31 14:41:47.000000"}}]`}},
	{"json_09", []string{`[{"after":{"@1":"2024-05-31"}}]`}},
	{"json_11", []string{`[{"after":{"@1":"base64:type252:AP8="}}]`}},
	{"json_13", []string{`[{"after":{"@1":12.0}}]`}},
	{"json_15", []string{`[{"after":{"@1":-0.0}}]`}},
	{"json_16", []string{`[{"after":{"@1":-9223372036854775808}}]`}},
	{"json_18", []string{`[{"after":{"@1":[]}}]`}},
	{"json_19", []string{`[{"after":{"@1":{}}}]`}},
	{"maria_compressed", []string{`[{"after":{"@1":5}}]`}},
	{"partial_json_3diffs", []string{`[{"before":{"@1":1,"@2":{"a":1,"b":2}},"after":{"@1":1,"@2":{"a":9,"c":"z"}},` +
		`"diff":{"@2":[{"op":"replace","path":"$.a","value":9},{"op":"remove","path":"$.b"},{"op":"insert","path":"$.c","value":"z"}]}}]`}},
	{"partial_json_optoff", []string{`[{"before":{"@1":1,"@2":{"a":1,"b":2}},"after":{"@1":2,"@2":{"a":1,"b":2}}}]`}},
}

func threeHundred() string {
	var cells []string
	for i := range 300 {
		cells = append(cells, fmt.Sprintf(`"@%d":%d`, i+1, i%127+1))
	}
	return strings.Join(cells, ",")
}

// tenLongNames: ten TINY columns 0 to 9, named c000 to c009 and filled with x to 64 characters.
func tenLongNames() string {
	var cells []string
	for i := range 10 {
		cells = append(cells, fmt.Sprintf(`"c%03d%s":%d`, i, strings.Repeat("x", 60), i))
	}
	return strings.Join(cells, ",")
}

func isRows(typ string) bool {
	return strings.Contains(typ, "_ROWS_EVENT") || strings.Contains(typ, "_ROWS_COMPRESSED_EVENT")
}

func TestCasesRows(t *testing.T) {
	for _, c := range rowCases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, r := range dumpCase(t, c.name) {
				if isRows(text(r.m["type"])) {
					got = append(got, plain(get(r.m["data"], "rows")))
				}
				if list, _ := r.m["problems"].([]any); list != nil {
					t.Errorf("%v: %s", r.m["type"], plain(list))
				}
			}
			if strings.Join(got, "\n") != strings.Join(c.rows, "\n") {
				t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(c.rows, "\n     "))
			}
		})
	}
}

func dumpCase(t *testing.T, name string) []*object {
	t.Helper()
	b := shared(t, "cases/"+name+".binlog")
	rows := dump(t, open(t, b, session.Options{}))
	checkTiling(t, rows, 4, int64(len(b)))
	return rows
}

// want is a value at a path of the event JSON of one row.
type want struct {
	row   int
	path  []any
	value string // JSON; "absent" for no such key
}

// eventCases are cases in which other events than rows matter, or other things than the rows' values: the types of the
// log's rows, and what the event JSON has where.
var eventCases = []struct {
	name  string
	types string
	wants []want
}{
	{"in_use_flag", "FORMAT_DESCRIPTION_EVENT QUERY_EVENT", []want{
		{0, []any{"flags"}, `["BINLOG_IN_USE"]`}, {0, []any{"checksum", "ok"}, "true"}, {0, []any{"problems"}, "absent"}, {1, []any{"data", "query"}, `"BEGIN"`}}},
	{"truncated", "FORMAT_DESCRIPTION_EVENT QUERY_EVENT truncated", []want{
		{1, []any{"data", "query"}, `"BEGIN"`}, {2, []any{"offset"}, "169"}, {2, []any{"size"}, "37"}, {2, []any{"problems", 0, "kind"}, `"truncated"`},
		{2, []any{"problems", 0, "reason"}, `"QUERY_EVENT at 169 claims 44 bytes, the file has 37 of them"`}}},
	{"unknown_ignorable_100", "FORMAT_DESCRIPTION_EVENT UNKNOWN_EVENT_100 QUERY_EVENT", []want{
		{1, []any{"code"}, "100"}, {1, []any{"flags"}, `["IGNORABLE"]`}, {1, []any{"data", "body"}, `{"hex":"6175726f7261"}`}, {2, []any{"data", "query"}, `"BEGIN"`}}},
	{"bad_crc_middle", "FORMAT_DESCRIPTION_EVENT QUERY_EVENT QUERY_EVENT", []want{
		{0, []any{"checksum", "ok"}, "true"}, {1, []any{"checksum", "ok"}, "false"}, {1, []any{"problems", 0, "kind"}, `"checksum"`},
		{1, []any{"data", "query"}, `"BEGIN"`}, {2, []any{"checksum", "ok"}, "true"}, {2, []any{"data", "query"}, `"COMMIT"`}, {2, []any{"problems"}, "absent"}}},
	{"v55_no_checksum", "FORMAT_DESCRIPTION_EVENT QUERY_EVENT STOP_EVENT", []want{
		{0, []any{"size"}, "103"}, {0, []any{"data", "checksum_algorithm"}, "absent"}, {0, []any{"checksum"}, "absent"}, {2, []any{"size"}, "19"}, {2, []any{"data"}, "{}"}}},
	{"logpos_wrap", "FORMAT_DESCRIPTION_EVENT QUERY_EVENT QUERY_EVENT QUERY_EVENT", []want{
		{1, []any{"offset"}, "126"}, {2, []any{"offset"}, "169"}, {3, []any{"offset"}, "208"},
		{2, []any{"next_position"}, "4294962881"}, {3, []any{"next_position"}, "3601"}, {2, []any{"problems"}, "absent"}, {3, []any{"problems"}, "absent"}}},
	{"gtid_len_250", "FORMAT_DESCRIPTION_EVENT GTID_EVENT", []want{{1, []any{"data", "transaction_length"}, "250"}, {1, []any{"problems"}, "absent"}}},
	{"gtid_len_20000000", "FORMAT_DESCRIPTION_EVENT GTID_EVENT", []want{{1, []any{"data", "transaction_length"}, "20000000"}, {1, []any{"problems"}, "absent"}}},
	{"maria_status_131", "FORMAT_DESCRIPTION_EVENT QUERY_EVENT", []want{
		{1, []any{"data", "db"}, `"d"`}, {1, []any{"data", "query"}, `"BEGIN"`}, {1, []any{"data", "status_vars", "hrnow"}, "197121"}, {1, []any{"data", "status_vars", "xid"}, "9"}}},
	{"prev_gtids_tagged", "FORMAT_DESCRIPTION_EVENT PREVIOUS_GTIDS_EVENT", []want{
		{1, []any{"data", "gtid_set"}, `"896e7882-18fe-11ef-ab88-22222d34d411:1-4:aaaa:1:abc:1-3"`}, {1, []any{"problems"}, "absent"}}},
	{"no_fde", "TABLE_MAP_EVENT", []want{
		{0, []any{"checksum", "ok"}, "true"}, {0, []any{"data", "table"}, `"t"`},
		{0, []any{"problems", 0, "reason"}, `"there is no format description event: version 4 and CRC32 checksums are assumed"`}}},
	{"cols_300", "FORMAT_DESCRIPTION_EVENT TABLE_MAP_EVENT WRITE_ROWS_EVENT XID_EVENT", []want{{1, []any{"data", "column_count"}, "300"}, {2, []any{"data", "width"}, "300"}}},
	{"tlv_long", "FORMAT_DESCRIPTION_EVENT TABLE_MAP_EVENT WRITE_ROWS_EVENT XID_EVENT", []want{
		{1, []any{"data", "optional_metadata", "column_name", "length"}, "650"}, {2, []any{"data", "names"}, `"metadata"`}}},
	{"signbits_9_with_year", "FORMAT_DESCRIPTION_EVENT TABLE_MAP_EVENT WRITE_ROWS_EVENT XID_EVENT", []want{
		{1, []any{"data", "optional_metadata", "signedness"}, `{"hex":"0000"}`}, {1, []any{"problems"}, "absent"}}},
	{"tlv_visibility", "FORMAT_DESCRIPTION_EVENT TABLE_MAP_EVENT WRITE_ROWS_EVENT XID_EVENT", []want{
		{1, []any{"data", "optional_metadata", "column_visibility"}, `{"hex":"80"}`}}},
	{"two_maps_one_stmt", "FORMAT_DESCRIPTION_EVENT TABLE_MAP_EVENT TABLE_MAP_EVENT DELETE_ROWS_EVENT WRITE_ROWS_EVENT XID_EVENT", []want{
		{3, []any{"data", "table"}, `"a"`}, {4, []any{"data", "table"}, `"b"`}}},
	{"long_names", "FORMAT_DESCRIPTION_EVENT TABLE_MAP_EVENT WRITE_ROWS_EVENT XID_EVENT", []want{
		{1, []any{"data", "schema"}, `"` + strings.Repeat("d", 64) + `"`}, {2, []any{"data", "table"}, `"` + strings.Repeat("測", 64) + `"`}}},
	{"maria_compressed", "FORMAT_DESCRIPTION_EVENT QUERY_COMPRESSED_EVENT TABLE_MAP_EVENT WRITE_ROWS_COMPRESSED_EVENT_V1 XID_EVENT", []want{
		{1, []any{"data", "query"}, `"INSERT INTO t VALUES ` + strings.Repeat("(1),", 100) + `"`}, {1, []any{"problems"}, "absent"}, // 21 and 400 bytes
		{3, []any{"data", "table"}, `"t"`}, {3, []any{"size"}, "49"}}},
	{"gtid_tagged", "FORMAT_DESCRIPTION_EVENT GTID_TAGGED_LOG_EVENT", []want{
		{1, []any{"data", "gtid"}, `"55555555-4444-3333-2222-111111111111:secondtest:111111"`}, {1, []any{"data", "last_committed"}, "472"}, {1, []any{"data", "sequence_number"}, "474"},
		{1, []any{"data", "transaction_length"}, "278"}, {1, []any{"data", "immediate_server_version"}, "90100"}, {1, []any{"data", "uuid"}, `"55555555-4444-3333-2222-111111111111"`},
		{1, []any{"data", "tag"}, `"secondtest"`}, {1, []any{"data", "gno"}, "111111"}, {1, []any{"data", "original_server_version"}, "absent"}, {1, []any{"problems"}, "absent"}}},
	{"payload_none", "FORMAT_DESCRIPTION_EVENT TRANSACTION_PAYLOAD_EVENT QUERY_EVENT XID_EVENT XID_EVENT", []want{
		{1, []any{"data", "compression_type"}, "255"}, {1, []any{"data", "uncompressed_size"}, "66"}, {1, []any{"problems"}, "absent"},
		{2, []any{"payload", "ordinal"}, "1"}, {2, []any{"payload", "offset"}, "126"}, {2, []any{"offset"}, "0"}, {2, []any{"data", "query"}, `"BEGIN"`}, {2, []any{"data", "thread_id"}, "7"}, {2, []any{"checksum"}, "absent"},
		{3, []any{"payload", "ordinal"}, "1"}, {3, []any{"offset"}, "39"}, {3, []any{"data", "xid"}, "5"}, {3, []any{"checksum"}, "absent"}, {3, []any{"transaction"}, "1"},
		{4, []any{"payload"}, "absent"}, {4, []any{"offset"}, "227"}, {4, []any{"data", "xid"}, "42"}, {4, []any{"checksum", "ok"}, "true"}}},
	{"payload_zstd1", "FORMAT_DESCRIPTION_EVENT TRANSACTION_PAYLOAD_EVENT QUERY_EVENT XID_EVENT XID_EVENT", []want{
		{1, []any{"data", "compression_type"}, "0"}, {1, []any{"data", "uncompressed_size"}, "66"}, {1, []any{"data", "payload_size"}, "75"}, {1, []any{"problems"}, "absent"},
		{2, []any{"payload", "ordinal"}, "1"}, {2, []any{"data", "query"}, `"BEGIN"`}, {2, []any{"checksum"}, "absent"}, {3, []any{"offset"}, "39"}, {3, []any{"data", "xid"}, "5"}, {3, []any{"checksum"}, "absent"}}},
	{"partial_json_3diffs", "FORMAT_DESCRIPTION_EVENT TABLE_MAP_EVENT PARTIAL_UPDATE_ROWS_EVENT XID_EVENT", []want{
		{2, []any{"data", "rows", 0, "diff", "@2"}, `[{"op":"replace","path":"$.a","value":9},{"op":"remove","path":"$.b"},{"op":"insert","path":"$.c","value":"z"}]`}}},
	{"partial_json_optoff", "FORMAT_DESCRIPTION_EVENT TABLE_MAP_EVENT PARTIAL_UPDATE_ROWS_EVENT XID_EVENT", []want{{2, []any{"data", "rows", 0, "diff"}, "absent"}}},
	{"gbk", "FORMAT_DESCRIPTION_EVENT TABLE_MAP_EVENT WRITE_ROWS_EVENT XID_EVENT", []want{{1, []any{"data", "optional_metadata", "default_charset", "default"}, "28"}}},
}

func TestCasesEvents(t *testing.T) {
	for _, c := range eventCases {
		t.Run(c.name, func(t *testing.T) {
			checkEvents(t, c.name, dumpCase(t, c.name), c.types, c.wants)
		})
	}
}

// In logpos_wrap positions count in a log of which these events are a part: they pass 4 GiB between the last two.
func TestCaseWrapped(t *testing.T) {
	s := open(t, shared(t, "cases/logpos_wrap.binlog"), session.Options{})
	for i, want := range []string{"the end of this event", "the end of this event", "this event ends at 208 in this file",
		"wrapped at 4 GiB: 4,294,970,897 in the file it was written to; this event ends at 247 in this file"} {
		b, err := s.Detail(int64(i), false)
		if err != nil {
			t.Fatal(err)
		}
		d, err := parse(b)
		if err != nil {
			t.Fatal(err)
		}
		if got := text(get(d, "nodes", 4, "note")); got != want {
			t.Errorf("row %d: next_position is %q, want %q", i, got, want)
		}
	}
}

// An encrypted log is named as such: it is no log that can be read, and nothing in it is called corrupt.
func TestCaseEncrypted(t *testing.T) {
	b := shared(t, "cases/encrypted_magic.binlog")
	_, err := session.Open(bytes.NewReader(b), int64(len(b)), session.Options{})
	var not *frame.NotBinlog
	if !errors.As(err, &not) || !strings.Contains(not.LooksLike, "an encrypted MySQL binary log") || !strings.Contains(not.LooksLike, "8.0.14") {
		t.Errorf("encrypted_magic: %v", err)
	}
}

// Every case is in one of the tables above, and the tables have no others.
func TestCasesAreAllTold(t *testing.T) {
	told := map[string]bool{"encrypted_magic": true}
	for _, c := range rowCases {
		told[c.name] = true
	}
	for _, c := range eventCases {
		told[c.name] = true
	}
	cases := 0
	for line := range strings.Lines(string(shared(t, "cases/EXPECTED.tsv"))) {
		name, _, _ := strings.Cut(line, "\t")
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		if cases++; !told[name] {
			t.Errorf("no test reads case %s", name)
		}
		delete(told, name)
	}
	for name := range told {
		t.Errorf("the list of right results has no case %s", name)
	}
	t.Logf("%d cases", cases)
}
