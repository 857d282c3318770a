package session_test

import (
	"binlens/decoder/internal/logtest"
	"binlens/decoder/session"
	"fmt"
	"testing"
)

// The post-header lengths of MySQL 5.7, with the type that each is for.
var postHeader57 = []struct {
	name   string
	length int64
}{
	{"START_EVENT_V3", 56}, {"QUERY_EVENT", 13}, {"STOP_EVENT", 0}, {"ROTATE_EVENT", 8}, {"INTVAR_EVENT", 0}, {"LOAD_EVENT", 18},
	{"SLAVE_EVENT", 0}, {"CREATE_FILE_EVENT", 4}, {"APPEND_BLOCK_EVENT", 4}, {"EXEC_LOAD_EVENT", 4}, {"DELETE_FILE_EVENT", 4},
	{"NEW_LOAD_EVENT", 18}, {"RAND_EVENT", 0}, {"USER_VAR_EVENT", 0}, {"FORMAT_DESCRIPTION_EVENT", 95}, {"XID_EVENT", 0},
	{"BEGIN_LOAD_QUERY_EVENT", 4}, {"EXECUTE_LOAD_QUERY_EVENT", 26}, {"TABLE_MAP_EVENT", 8}, {"PRE_GA_WRITE_ROWS_EVENT", 0},
	{"PRE_GA_UPDATE_ROWS_EVENT", 0}, {"PRE_GA_DELETE_ROWS_EVENT", 0}, {"WRITE_ROWS_EVENT_V1", 8}, {"UPDATE_ROWS_EVENT_V1", 8},
	{"DELETE_ROWS_EVENT_V1", 8}, {"INCIDENT_EVENT", 2}, {"HEARTBEAT_LOG_EVENT", 0}, {"IGNORABLE_LOG_EVENT", 0},
	{"ROWS_QUERY_LOG_EVENT", 0}, {"WRITE_ROWS_EVENT", 10}, {"UPDATE_ROWS_EVENT", 10}, {"DELETE_ROWS_EVENT", 10}, {"GTID_EVENT", 42},
	{"ANONYMOUS_GTID_EVENT", 42}, {"PREVIOUS_GTIDS_EVENT", 0}, {"TRANSACTION_CONTEXT_EVENT", 18}, {"VIEW_CHANGE_EVENT", 52},
	{"XA_PREPARE_LOG_EVENT", 0},
}

// leaf is a field of the tree; an empty note is not looked at.
type leaf struct {
	path       string
	start, end int64
	value      string
	note       string
}

// The first event of a log of MySQL 5.7: every field with its value and its bytes.
func TestFirstEventOfMySQL57(t *testing.T) {
	t.Run("built", func(t *testing.T) {
		checkFirstEvent(t, logtest.New(logtest.MySQL5722, logtest.CRC32).Bytes(), "5.7.22-log", 1_700_000_000, 7)
	})
	t.Run("MySQL 5.7.30", func(t *testing.T) {
		checkFirstEvent(t, shared(t, "corpus/files/my5.7.30_boxer_02_query.bin"), "5.7.30-log", 1594395328, 1)
	})
}

func checkFirstEvent(t *testing.T, log []byte, version string, created, server int64) {
	t.Helper()
	s := open(t, log, session.Options{})
	line, err := s.AppendJSON(nil, 0, false)
	if err != nil {
		t.Fatal(err)
	}
	event, err := parse(line)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []struct {
		path []any
		want string
	}{
		{[]any{"ordinal"}, "0"}, {[]any{"offset"}, "4"}, {[]any{"type"}, `"FORMAT_DESCRIPTION_EVENT"`}, {[]any{"code"}, "15"},
		{[]any{"server_id"}, fmt.Sprint(server)}, {[]any{"size"}, "119"}, {[]any{"next_position"}, "123"}, {[]any{"flags"}, "[]"},
		{[]any{"checksum", "ok"}, "true"}, {[]any{"data", "binlog_version"}, "4"}, {[]any{"data", "server_version"}, quote(version)},
		{[]any{"data", "created"}, fmt.Sprint(created)}, {[]any{"data", "common_header_len"}, "19"}, {[]any{"data", "checksum_algorithm"}, "1"},
	} {
		if got := plain(get(event, w.path...)); got != w.want {
			t.Errorf("%v is %s, want %s", w.path, got, w.want)
		}
	}
	table, _ := get(event, "data", "post_header_lengths").(*object)
	if table == nil || len(table.keys) != len(postHeader57) {
		t.Fatalf("the table of post-header lengths is %s", plain(table))
	}

	// start, end, value and note of every leaf of the tree
	leaves := []leaf{
		{"timestamp", 0, 4, fmt.Sprint(created), ""}, {"type_code", 4, 5, "15", "FORMAT_DESCRIPTION_EVENT"}, {"server_id", 5, 9, fmt.Sprint(server), ""},
		{"event_size", 9, 13, "119", "bytes"}, {"next_position", 13, 17, "123", "the end of this event"}, {"header_flags", 17, 19, "0x0", ""},
		{"binlog_version", 19, 21, "4", ""}, {"server_version", 21, 71, version, ""}, {"created", 71, 75, fmt.Sprint(created), ""},
		{"common_header_len", 75, 76, "19", ""},
	}
	for i, p := range postHeader57 {
		if table.keys[i] != p.name || number(table.m[p.name]) != p.length {
			t.Errorf("entry %d is %s = %v, want %s = %d", i, table.keys[i], table.m[table.keys[i]], p.name, p.length)
		}
		leaves = append(leaves, leaf{"post_header_lengths." + p.name, 76 + int64(i), 77 + int64(i), fmt.Sprint(p.length), fmt.Sprintf("type %d", i+1)})
	}
	leaves = append(leaves, leaf{"checksum_algorithm", 114, 115, "1", "CRC32"})
	b, err := s.Detail(0, false)
	if err != nil {
		t.Fatal(err)
	}
	detail, err := parse(b)
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	for _, n := range get(detail, "nodes").([]any) {
		path := text(get(n, "path"))
		switch {
		case path == "post_header_lengths":
			if get(n, "group") != true || number(get(n, "start")) != 76 || number(get(n, "end")) != 114 || text(get(n, "note")) != "38 event types" {
				t.Errorf("the table is %s", plain(n))
			}
			continue
		case path == "checksum":
			if number(get(n, "start")) != 115 || number(get(n, "end")) != 119 || text(get(n, "note")) != "matches" {
				t.Errorf("the checksum is %s", plain(n))
			}
			continue
		case i == len(leaves):
			t.Fatalf("one field too many: %s", plain(n))
		}
		l := leaves[i]
		i++
		note := text(get(n, "note"))
		if path != l.path || number(get(n, "start")) != l.start || number(get(n, "end")) != l.end || text(get(n, "value")) != l.value || l.note != "" && note != l.note {
			t.Errorf("%s, want %+v", plain(n), l)
		}
	}
	if i != len(leaves) {
		t.Errorf("%d fields, want %d", i, len(leaves))
	}
}
