package text

import (
	"binlens/decoder"
	"binlens/decoder/charset"
	"binlens/decoder/render"
	"binlens/decoder/schema"
	"bytes"
	"strconv"
)

// settings is what was printed of the settings of statements, so that only changes are printed.
type settings struct {
	db                                                                 string
	threadPrinted                                                      bool
	thread                                                             uint32
	flags2                                                             uint64
	flagsPrinted                                                       bool
	mode, autoInc, charset, zone, locale, dbCharset, explicit, defColl string
	skipParallel, domain, server                                       string
}

// option is one bit of the status variable flags2.
type option struct {
	bit   uint64
	name  string
	unset bool // the option is on where the bit is not set
}

var options = []option{{0x04000000, "@@session.foreign_key_checks", true}, {0x00004000, "@@session.sql_auto_is_null", false},
	{0x08000000, "@@session.unique_checks", true}, {0x00080000, "@@session.autocommit", true}}

var mariaOptions = append(options[:4:4], option{0x00008000, "@@session.check_constraint_checks", true}, option{optionIfExists, "@@session.sql_if_exists", false},
	option{optionExplicitDefaults, "@@session.explicit_defaults_for_timestamp", false}, option{0x00100000, "@@session.system_versioning_insert_history", false})

// printQuery prints a statement with its settings. text is what is printed in place of the event's own text, if not nil.
func (w *Writer) printQuery(dst []byte, e *render.Event, q *decoder.Query, text []byte) []byte {
	number := func(s string, n uint64) { dst = strconv.AppendUint(append(dst, s...), n, 10) }
	number("\tthread_id=", uint64(q.ThreadID))
	number("\texec_time=", uint64(q.ExecTime))
	number("\terror_code=", uint64(q.ErrorCode))
	if v := q.Var(decoder.StatusDDLXid); v != nil {
		number("\tXid = ", v.Nums[0])
	}
	if w.maria {
		xid := uint64(0)
		if v := q.Var(decoder.StatusMariaXid); v != nil {
			xid = v.Nums[0]
		}
		number("\txid=", xid)
	}
	dst = w.settings(append(dst, '\n'), e, q)
	if text == nil {
		text = q.Text
	}
	w.track(q.Text)
	return append(append(append(dst, text...), '\n'), delimiter...)
}

// track follows whether a transaction is open.
func (w *Writer) track(text []byte) {
	alone := w.onlyGtid
	w.onlyGtid = false
	switch {
	case bytes.HasPrefix(text, []byte("BEGIN")), bytes.HasPrefix(text, []byte("XA START")):
		w.inside = true
	case alone, bytes.HasPrefix(text, []byte("COMMIT")), bytes.HasPrefix(text, []byte("ROLLBACK")) && !bytes.HasPrefix(text, []byte("ROLLBACK TO")):
		w.inside = false
	}
}

// change prints a setting where it is not the one that was printed last.
func change(dst []byte, now *string, head, v, tail string) []byte {
	if *now == v {
		return dst
	}
	*now = v
	return append(append(append(append(dst, head...), v...), tail...), delimiter...)
}

func (w *Writer) settings(dst []byte, e *render.Event, q *decoder.Query) []byte {
	s, h := &w.query, &e.Header
	if h.Flags&decoder.FlagSuppressUse == 0 && len(q.DB) > 0 && s.db != string(q.DB) {
		s.db = string(q.DB)
		dst = append(schema.AppendName(append(dst, "use "...), q.DB), delimiter...)
	}
	if w.maria && bytes.HasPrefix(q.Text, []byte("DROP DATABASE")) {
		s.db = "" // it may have been the one in use
	}
	dst = strconv.AppendUint(append(dst, "SET TIMESTAMP="...), uint64(h.Timestamp), 10)
	for _, code := range [2]decoder.StatusCode{decoder.StatusMicroseconds, decoder.StatusHrnow} {
		if v := q.Var(code); v != nil && v.Nums[0] > 0 {
			dst = append(append(dst, '.'), strconv.FormatUint(1e6+v.Nums[0], 10)[1:]...)
		}
	}
	dst = append(dst, delimiter...)
	if !s.threadPrinted || h.Flags&decoder.FlagThreadSpecific != 0 && q.ThreadID != s.thread {
		s.threadPrinted, s.thread = true, q.ThreadID
		dst = strconv.AppendUint(append(dst, "SET @@session.pseudo_thread_id="...), uint64(q.ThreadID), 10)
		dst = append(dst, delimiter...)
	}
	if v := q.Var(decoder.StatusFlags2); v != nil {
		dst = w.flags(dst, v.Nums[0], e.Format.VersionNumber)
	}
	if v := q.Var(decoder.StatusSQLMode); v != nil {
		dst = change(dst, &s.mode, "SET @@session.sql_mode=", strconv.FormatUint(v.Nums[0], 10), "")
	}
	step := "1, @@session.auto_increment_offset=1"
	if v := q.Var(decoder.StatusAutoIncrement); v != nil {
		step = strconv.FormatUint(v.Nums[0], 10) + ", @@session.auto_increment_offset=" + strconv.FormatUint(v.Nums[1], 10)
	}
	dst = change(dst, &s.autoInc, "SET @@session.auto_increment_increment=", step, "")
	if v := q.Var(decoder.StatusCharset); v != nil {
		dst = w.charsets(dst, v.Nums)
	}
	return w.rare(dst, q)
}

// Options that servers of MariaDB do not log before a version.
const (
	optionIfExists         = 0x10000000
	optionExplicitDefaults = 0x01000000
)

// explicitDefaultsSince is the patch level that logs optionExplicitDefaults first, of 10.5 to 10.11.
var explicitDefaultsSince = [...]int{17, 9, 5, 4, 2, 2, 1}

// isLogged says that a server of MariaDB logs an option.
func isLogged(bit uint64, v [3]int) bool {
	switch {
	case bit != optionIfExists && bit != optionExplicitDefaults || v[0] > 10:
		return true
	case v[0] < 10 || v[1] < 5:
		return false
	case bit == optionIfExists:
		return v[1] > 5 || v[2] >= 2
	}
	return v[1]-5 >= len(explicitDefaultsSince) || v[2] >= explicitDefaultsSince[v[1]-5]
}

func (w *Writer) flags(dst []byte, flags uint64, version [3]int) []byte {
	s := &w.query
	changed := s.flags2 ^ flags
	if !s.flagsPrinted {
		changed = ^uint64(0)
	}
	s.flags2, s.flagsPrinted = flags, true
	list := options
	if w.maria {
		list = mariaOptions
	}
	start := len(dst)
	for _, o := range list {
		if changed&o.bit == 0 || w.maria && !isLogged(o.bit, version) {
			continue
		}
		if len(dst) > start {
			dst = append(dst, ", "...)
		} else {
			dst = append(dst, "SET "...)
		}
		on := flags&o.bit != 0
		dst = append(append(append(dst, o.name...), '='), "01"[b2i(on != o.unset)])
	}
	if len(dst) > start {
		dst = append(dst, delimiter...)
	}
	return dst
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (w *Writer) charsets(dst []byte, nums []uint64) []byte {
	name := charset.CharsetOf(w.family, charset.ID(nums[0])).Name()
	client := strconv.FormatUint(nums[0], 10)
	if w.maria {
		client = name
	}
	v := client + ",@@session.collation_connection=" + strconv.FormatUint(nums[1], 10) + ",@@session.collation_server=" + strconv.FormatUint(nums[2], 10)
	if v == w.query.charset {
		return dst
	}
	dst = append(append(append(dst, `/*!\C `...), name...), " *//*!*/;\n"...)
	return change(dst, &w.query.charset, "SET @@session.character_set_client=", v, "")
}

func (w *Writer) rare(dst []byte, q *decoder.Query) []byte {
	s := &w.query
	text := func(code decoder.StatusCode, otherwise string) string {
		if v := q.Var(code); v != nil {
			return strconv.FormatUint(v.Nums[0], 10)
		}
		return otherwise
	}
	if v := q.Var(decoder.StatusTimeZone); v != nil {
		dst = change(dst, &s.zone, "SET @@session.time_zone='", string(v.Texts[0]), "'")
	}
	dst = change(dst, &s.locale, "SET @@session.lc_time_names=", text(decoder.StatusLcTimeNames, "0"), "")
	db := text(decoder.StatusCharsetDatabase, "DEFAULT")
	if db == "0" {
		db = "DEFAULT"
	}
	dst = change(dst, &s.dbCharset, "SET @@session.collation_database=", db, "")
	if v := text(decoder.StatusExplicitDefaultsTS, ""); v != "" {
		dst = change(dst, &s.explicit, "SET @@session.explicit_defaults_for_timestamp=", v, "")
	}
	if v := text(decoder.StatusDefaultCollation, ""); v != "" {
		dst = change(dst, &s.defColl, "/*!80011 SET @@session.default_collation_for_utf8mb4=", v, "*/")
	}
	if v := text(decoder.StatusRequirePrimaryKey, ""); v != "" {
		dst = append(append(append(dst, "/*!80013 SET @@session.sql_require_primary_key="...), v...), "*//*!*/;\n"...)
	}
	if v := text(decoder.StatusTableEncryption, ""); v != "" {
		dst = append(append(append(dst, "/*!80016 SET @@session.default_table_encryption="...), v...), "*//*!*/;\n"...)
	}
	return dst
}

// gtid prints what a GTID of MariaDB sets.
func (s *settings) gtid(dst []byte, g *decoder.MariaGtid) []byte {
	const tail = "*/"
	dst = change(dst, &s.skipParallel, "/*M!100101 SET @@session.skip_parallel_replication=", "01"[b2i(g.Flags2&decoder.MariaGtidAllowParallel == 0):][:1], tail)
	dst = change(dst, &s.domain, "/*M!100001 SET @@session.gtid_domain_id=", strconv.FormatUint(uint64(g.DomainID), 10), tail)
	dst = change(dst, &s.server, "/*M!100001 SET @@session.server_id=", strconv.FormatUint(uint64(g.ServerID), 10), tail)
	dst = strconv.AppendUint(append(dst, "/*M!100001 SET @@session.gtid_seq_no="...), g.SeqNo, 10)
	return append(dst, "*//*!*/;\n"...)
}

// loadQuery prints a LOAD DATA over blocks of the log, with the name that its file would have.
func (w *Writer) loadQuery(dst []byte, e *render.Event, l *decoder.LoadQuery) []byte {
	q := &l.Query
	start, end := int(l.FnPosStart), int(l.FnPosEnd)
	if start > end || end > len(q.Text) {
		start, end = 0, 0
	}
	id := strconv.FormatUint(uint64(l.FileID), 10)
	text := append([]byte(nil), q.Text[:start]...)
	if end > 0 {
		text = append(append(append(text, " LOCAL INFILE 'SQL_LOAD_MB-"...), id...), "-0'"...)
		if l.DupHandling == decoder.DupReplace { // LOCAL ignores by itself
			text = append(text, " REPLACE"...)
		}
		text = append(text, " INTO"...)
	}
	text = append(text, q.Text[end:]...)
	dst = w.printQuery(append(dst, "\tExecute_load_query"...), e, q, text)
	return append(append(append(dst, "# file_id: "...), id...), " \n"...)
}
