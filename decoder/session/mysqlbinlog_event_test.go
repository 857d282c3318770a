package session_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// sum compares the checksum. An event inside a payload has none: the tool makes one, of the event with the size that it would
// have.
func (c *comparison) sum(t *testing.T, i int, r *object, e *toolEvent) {
	t.Helper()
	got := strings.TrimPrefix(text(get(r, "checksum", "stored")), "0x")
	if e.inside {
		raw := c.raw(t, i)
		binary.LittleEndian.PutUint32(raw[9:], uint32(len(raw)+4))
		got = fmt.Sprintf("%08x", crc32.ChecksumIEEE(raw))
	}
	if off := plain(get(r.m["data"], "checksum_algorithm")) == "0"; off && !e.hasCRC {
		return // where the algorithm is OFF the tool does not show the checksum that a format description has even so
	}
	if got != e.crc {
		t.Errorf("%v at %d: checksum %q, the tool has %q", r.m["type"], number(r.m["offset"]), got, e.crc)
	}
}

// line is what the tool says of an event in the line of its header.
func (c *comparison) line(t *testing.T, i int, r *object, e *toolEvent) string {
	d := r.m["data"]
	num := func(path ...any) string { return strings.Trim(plain(get(d, path...)), `"`) }
	switch typ := text(r.m["type"]); typ {
	case "FORMAT_DESCRIPTION_EVENT":
		when := time.Unix(e.time, 0).UTC()
		line := "Start: binlog v " + num("binlog_version") + ", server v " + text(get(d, "server_version")) + " created " + when.Format("060102 ") + fmt.Sprintf("%2d", when.Hour()) + when.Format(":04:05")
		if number(get(d, "created")) != 0 {
			line += " at startup"
		}
		return line
	case "QUERY_EVENT":
		line := "Query\t" + queryLine(num)
		if x := get(d, "status_vars", "ddl_logged_with_xid"); x != nil {
			line += "\tXid = " + plain(x)
		}
		return line
	case "EXECUTE_LOAD_QUERY_EVENT":
		return "Execute_load_query\t" + queryLine(num)
	case "ROTATE_EVENT":
		return "Rotate to " + text(get(d, "next_file")) + "  pos: " + num("position")
	case "XID_EVENT":
		return "Xid = " + num("xid")
	case "GTID_EVENT", "ANONYMOUS_GTID_EVENT":
		return gtidLine(typ, d)
	case "TABLE_MAP_EVENT":
		return "Table_map: " + tick(d) + " mapped to number " + num("table_id")
	case "XA_PREPARE_LOG_EVENT":
		return "XA PREPARE " + xid(d)
	case "TRANSACTION_PAYLOAD_EVENT":
		return "Transaction_Payload\t\tpayload_size=" + num("payload_size") + "\tcompression_type=" + map[string]string{"0": "ZSTD", "255": "NONE"}[num("compression_type")] + "\tuncompressed_size=" + num("uncompressed_size")
	case "MARIADB_GTID_EVENT", "GTID_LIST_EVENT", "BINLOG_CHECKPOINT_EVENT":
		return mariaLine(typ, r)
	default:
		if isRows(typ) {
			return rowsLine(map[string]string{"W": "Write", "U": "Update", "D": "Delete", "P": "Update"}[typ[:1]], d, map[bool]string{true: "_partial"}[typ[0] == 'P'])
		}
		line, ok := map[string]string{"STOP_EVENT": "Stop", "INTVAR_EVENT": "Intvar", "RAND_EVENT": "Rand", "USER_VAR_EVENT": "User_var",
			"PREVIOUS_GTIDS_EVENT": "Previous-GTIDs", "ROWS_QUERY_LOG_EVENT": "Rows_query", "BEGIN_LOAD_QUERY_EVENT": "", "APPEND_BLOCK_EVENT": "", "DELETE_FILE_EVENT": ""}[typ]
		if !ok {
			t.Errorf("the tool prints a %s, which is not compared: %q", typ, e.text)
		}
		return line
	}
}

func queryLine(num func(path ...any) string) string {
	return "thread_id=" + num("thread_id") + "\texec_time=" + num("exec_time") + "\terror_code=" + num("error_code")
}

func tick(d any) string {
	r := strings.NewReplacer("`", "``")
	return "`" + r.Replace(text(get(d, "schema"))) + "`.`" + r.Replace(text(get(d, "table"))) + "`"
}

func xid(d any) string {
	return "X'" + text(get(d, "gtrid", "hex")) + "',X'" + text(get(d, "bqual", "hex")) + "'," + plain(get(d, "format_id"))
}

func rowsLine(op string, d any, suffix string) string {
	line := op + "_rows" + suffix + ": table id " + plain(get(d, "table_id"))
	if strings.Contains(plain(get(d, "flags")), "STMT_END") {
		line += " flags: STMT_END_F"
	}
	return line
}

func mariaLine(typ string, r *object) string {
	d := r.m["data"]
	switch typ {
	case "MARIADB_GTID_EVENT":
		return fmt.Sprintf("GTID %s-%d-%s", plain(get(d, "domain_id")), number(r.m["server_id"]), plain(get(d, "seq_no")))
	case "GTID_LIST_EVENT":
		var list []string
		for i := range number(get(d, "count")) {
			g := get(d, "gtids", int(i))
			list = append(list, fmt.Sprintf("%s-%s-%s", plain(get(g, "domain_id")), plain(get(g, "server_id")), plain(get(g, "seq_no"))))
		}
		return "Gtid list [" + strings.Join(list, ",\n# ") + "]"
	}
	return "Binlog checkpoint " + text(get(d, "name"))
}

func gtidLine(typ string, d any) string {
	name := map[string]string{"GTID_EVENT": "GTID", "ANONYMOUS_GTID_EVENT": "Anonymous_GTID"}[typ]
	if get(d, "last_committed") == nil { // 5.6
		return name + " [commit=" + map[bool]string{true: "yes", false: "no"}[strings.Contains(plain(get(d, "flags")), "MAY_HAVE_SBR")] + "]"
	}
	line := name + "\tlast_committed=" + plain(get(d, "last_committed")) + "\tsequence_number=" + plain(get(d, "sequence_number")) +
		"\trbr_only=" + map[bool]string{true: "no", false: "yes"}[strings.Contains(plain(get(d, "flags")), "MAY_HAVE_SBR")]
	if get(d, "immediate_commit_timestamp") == nil { // 5.7
		return line
	}
	return line + "\toriginal_committed_timestamp=" + original(d, "commit_timestamp") + "\timmediate_commit_timestamp=" + plain(get(d, "immediate_commit_timestamp")) +
		"\ttransaction_length=" + plain(get(d, "transaction_length"))
}

// original is a field of the server where the transaction began: where it is absent it is that of this server.
func original(d any, field string) string {
	if v := get(d, "original_"+field); v != nil {
		return plain(v)
	}
	return plain(get(d, "immediate_"+field))
}

// body compares what the tool says of an event in the lines after its header's.
func (c *comparison) body(t *testing.T, i int, r *object, e *toolEvent) {
	t.Helper()
	d := r.m["data"]
	has := func(line string) {
		t.Helper()
		if !slices.Contains(e.lines, line) {
			t.Errorf("%v at %d: no line %q in %q", r.m["type"], number(r.m["offset"]), cut(line), cut(strings.Join(e.lines, "\n")))
		}
	}
	num := func(path ...any) string { return strings.Trim(plain(get(d, path...)), `"`) }
	switch typ := text(r.m["type"]); typ {
	case "FORMAT_DESCRIPTION_EVENT":
		inUse := slices.Contains(e.lines, "# Warning: this binlog is either in use or was not closed properly.")
		if inUse != strings.Contains(plain(r.m["flags"]), "IN_USE") {
			t.Errorf("flags %s, the tool says in use: %t", plain(r.m["flags"]), inUse)
		}
	case "QUERY_EVENT":
		c.query(t, i, r, e)
	case "EXECUTE_LOAD_QUERY_EVENT":
		has("# file_id: " + num("file_id") + " ")
	case "BEGIN_LOAD_QUERY_EVENT":
		has(fmt.Sprintf("#Begin_load_query: file_id: %s  block_len: %d", num("file_id"), len(text(get(d, "block", "hex")))/2))
	case "APPEND_BLOCK_EVENT":
		has(fmt.Sprintf("#Append_block: file_id: %s  block_len: %d", num("file_id"), len(text(get(d, "block", "hex")))/2))
	case "DELETE_FILE_EVENT":
		has("#Delete_file: file_id=" + num("file_id"))
	case "XID_EVENT":
		has("COMMIT/*!*/;")
	case "INTVAR_EVENT":
		has("SET " + map[string]string{"1": "LAST_INSERT_ID", "2": "INSERT_ID"}[num("kind")] + "=" + num("value") + "/*!*/;")
	case "RAND_EVENT":
		has("SET @@RAND_SEED1=" + num("seed1") + ", @@RAND_SEED2=" + num("seed2") + "/*!*/;")
	case "USER_VAR_EVENT":
		value := c.userVar(t, i, d)
		if !strings.Contains(strings.Join(e.lines, ""), "utf8mb3") { // as servers before 8.0.28 do not call it
			value = strings.ReplaceAll(value, "utf8mb3", "utf8")
		}
		has("SET @`" + text(get(d, "name")) + "`:=" + value + "/*!*/;")
	case "ROWS_QUERY_LOG_EVENT":
		has("# " + text(get(d, "query")))
	case "PREVIOUS_GTIDS_EVENT":
		set := strings.ReplaceAll(text(get(d, "gtid_set")), ",", ",\n# ")
		if set == "" {
			set = "[empty]"
		}
		if got := strings.Join(e.lines, "\n"); !strings.HasPrefix(got, "# "+set) {
			t.Errorf("the set %q, the tool has %q", set, got)
		}
	case "XA_PREPARE_LOG_EVENT":
		has(map[string]string{"0": "XA PREPARE " + xid(d), "1": "XA COMMIT " + xid(d) + " ONE PHASE"}[num("one_phase")])
	case "GTID_EVENT", "ANONYMOUS_GTID_EVENT":
		next := "ANONYMOUS"
		if typ == "GTID_EVENT" {
			next = text(get(d, "sid")) + ":" + num("gno")
		}
		has("SET @@SESSION.GTID_NEXT= '" + next + "'/*!*/;")
		if strings.Contains(e.text, "transaction_length") {
			has("/*!80001 SET @@session.original_commit_timestamp=" + original(d, "commit_timestamp") + "*//*!*/;")
			has("/*!80014 SET @@session.original_server_version=" + original(d, "server_version") + "*//*!*/;")
			has("/*!80014 SET @@session.immediate_server_version=" + num("immediate_server_version") + "*//*!*/;")
		}
	}
}

// query compares the statement, byte by byte, and what the tool sets before it.
func (c *comparison) query(t *testing.T, i int, r *object, e *toolEvent) {
	t.Helper()
	d := r.m["data"]
	end := slices.Index(e.lines, "/*!*/;")
	if end < 0 {
		t.Errorf("the tool has no statement: %q", e.lines)
		return
	}
	sql := string(c.field(t, i, "query"))
	said := strings.Join(e.lines[:end], "\n")
	before, ok := strings.CutSuffix(said, sql)
	if !ok || before != "" && !strings.HasSuffix(before, ";\n") {
		t.Errorf("at %d: the statement %q, the tool has %q", number(r.m["offset"]), cut(sql), cut(said))
		return
	}
	if q, ok := get(d, "query").(string); ok && strings.IndexFunc(sql, func(r rune) bool { return r >= 0x80 }) < 0 && q != sql {
		t.Errorf("at %d: %q, its bytes are %q", number(r.m["offset"]), cut(q), cut(sql))
	}
	when := fmt.Sprint(number(r.m["timestamp"]))
	if us := number(get(d, "status_vars", "microseconds")); us > 0 {
		when += fmt.Sprintf(".%06d", us)
	}
	charset := get(d, "status_vars", "charset")
	for _, line := range strings.Split(before, "\n") {
		line = strings.TrimSuffix(line, "/*!*/;")
		want := line
		switch key, _, _ := strings.Cut(strings.TrimPrefix(line, "SET "), "="); {
		case strings.HasPrefix(line, "use `"):
			want = "use `" + text(get(d, "db")) + "`"
		case key == "TIMESTAMP":
			want = "SET TIMESTAMP=" + when
		case key == "@@session.pseudo_thread_id":
			want = "SET @@session.pseudo_thread_id=" + plain(get(d, "thread_id"))
		case key == "@@session.character_set_client":
			want = "SET @@session.character_set_client=" + plain(get(charset, "client")) + ",@@session.collation_connection=" + plain(get(charset, "collation_connection")) +
				",@@session.collation_server=" + plain(get(charset, "collation_server"))
		case key == "@@session.auto_increment_increment":
			step := get(d, "status_vars", "auto_increment")
			if step != nil {
				want = "SET @@session.auto_increment_increment=" + plain(get(step, "increment")) + ", @@session.auto_increment_offset=" + plain(get(step, "offset"))
			}
		case key == "@@session.time_zone":
			want = "SET @@session.time_zone='" + text(get(d, "status_vars", "time_zone")) + "'"
		case key == "@@session.lc_time_names":
			if n := get(d, "status_vars", "lc_time_names"); n != nil {
				want = "SET @@session.lc_time_names=" + plain(n)
			}
		case strings.HasPrefix(line, "/*!80011 SET @@session.default_collation_for_utf8mb4="):
			want = "/*!80011 SET @@session.default_collation_for_utf8mb4=" + plain(get(d, "status_vars", "default_collation_for_utf8mb4")) + "*/"
		case strings.HasPrefix(line, "/*!80013 SET @@session.sql_require_primary_key="):
			want = "/*!80013 SET @@session.sql_require_primary_key=" + plain(get(d, "status_vars", "sql_require_primary_key")) + "*/"
		case strings.HasPrefix(line, "/*!80016 SET @@session.default_table_encryption="):
			want = "/*!80016 SET @@session.default_table_encryption=" + plain(get(d, "status_vars", "default_table_encryption")) + "*/"
		}
		if line != want {
			t.Errorf("at %d: %q, the tool has %q", number(r.m["offset"]), want, line)
		}
	}
}

// userVar is a user variable's value as the tool writes it.
func (c *comparison) userVar(t *testing.T, i int, d any) string {
	if get(d, "is_null") == true {
		return "NULL"
	}
	switch number(get(d, "type")) {
	case 0:
		b, err := c.s.Detail(int64(i), false)
		if err != nil {
			t.Fatal(err)
		}
		v, err := parse(b)
		if err != nil {
			t.Fatal(err)
		}
		collation := ""
		for _, n := range get(v, "nodes").([]any) {
			if text(get(n, "path")) == "charset" {
				collation = text(get(n, "note"))
			}
		}
		set, _, _ := strings.Cut(collation, "_")
		return "_" + set + " 0x" + strings.ToUpper(hex.EncodeToString(c.field(t, i, "value"))) + " COLLATE `" + collation + "`"
	case 1:
		f := math.Float64frombits(binary.LittleEndian.Uint64(c.field(t, i, "value")))
		if got, err := strconv.ParseFloat(plain(get(d, "value")), 64); err != nil || got != f {
			t.Errorf("the real number %s is %v", plain(get(d, "value")), f)
		}
		return printG(f, 14)
	}
	return strings.Trim(plain(get(d, "value")), `"`)
}

// printG is printf's %.Ng.
func printG(f float64, digits int) string {
	e := strconv.FormatFloat(f, 'e', digits-1, 64)
	mantissa, exponent, _ := strings.Cut(e, "e")
	x, _ := strconv.Atoi(exponent)
	if x < -4 || x >= digits {
		if strings.Contains(mantissa, ".") {
			mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
		}
		return fmt.Sprintf("%se%+03d", mantissa, x)
	}
	s := strconv.FormatFloat(f, 'f', digits-1-x, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
