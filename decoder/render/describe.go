package render

import (
	"binlens/decoder"
	"binlens/decoder/charset"
	"binlens/decoder/gtid"
	"strconv"
)

// describe writes the fields of an event in wire order.
func describe(w *writer, e *Event) {
	switch ev := e.Event.(type) {
	case *decoder.FormatDescription:
		describeFormat(w, ev)
	case *decoder.Query:
		describeQuery(w, ev, e)
	case *decoder.TableMap:
		describeTableMap(w, ev, e)
	case *decoder.Rows:
		describeRows(w, ev, e)
	case *decoder.Gtid:
		describeGtid(w, ev)
	case *decoder.PreviousGtids:
		describePrevious(w, ev, e)
	case *decoder.MariaGtid:
		describeMariaGtid(w, ev, e)
	case *decoder.GtidList:
		describeGtidList(w, ev)
	default:
		if !describeRare(w, e) {
			describeSmall(w, e)
		}
	}
}

func describeSmall(w *writer, e *Event) {
	switch ev := e.Event.(type) {
	case *decoder.Rotate:
		if ev.HasPosition {
			w.uint("position", ev.Position, "")
		}
		w.rest(e, "post_header_extra")
		w.text("next_file", ev.NextFile)
	case *decoder.Xid:
		w.uint("xid", ev.Xid, "")
	case *decoder.Intvar:
		w.uint("kind", uint64(ev.Kind), intvarKind(ev.Kind))
		w.uint("value", ev.Value, "")
	case *decoder.Rand:
		w.uint("seed1", ev.Seed1, "")
		w.uint("seed2", ev.Seed2, "")
	case *decoder.UserVar:
		describeUserVar(w, ev, e)
	case *decoder.RowsQuery:
		w.uint("length", uint64(ev.Length), "of the query, modulo 256")
		w.text("query", ev.Text)
	case *decoder.AnnotateRows:
		w.text("query", ev.Text)
	case *decoder.BinlogCheckpoint:
		w.length(e, "name_len", len(ev.Name))
		w.text("name", ev.Name)
	case *decoder.Opaque:
		note := "of a type that no server documents"
		switch {
		case e.Header.Type == decoder.IgnorableType:
			note = "to be ignored by who does not know what it is"
		case ev.Known:
			note = "rows as only 5.1.5 to 5.1.17 wrote them: the log does not tell how to read them"
		}
		if ev.PostHeader != nil {
			w.bytes("post_header", ev.PostHeader, "")
		}
		if len(ev.Body) > 0 {
			w.bytes("body", ev.Body, note)
		}
	}
}

func describeFormat(w *writer, f *decoder.FormatDescription) {
	w.uint("binlog_version", uint64(f.BinlogVersion), "")
	w.textNote("server_version", f.ServerVersion, "")
	w.uint("created", uint64(f.Created), seconds(uint64(f.Created)))
	if f.Start {
		return
	}
	w.uint("common_header_len", uint64(f.CommonHeaderLen), "")
	if w.group("post_header_lengths", strconv.Itoa(len(f.PostHeaderLengths))+" event types") {
		for i, n := range f.PostHeaderLengths {
			w.uint(f.Canonical(uint8(i+1)).String(), uint64(n), "type "+strconv.Itoa(i+1))
		}
		w.end()
	}
	if f.ChecksumAware {
		w.uint("checksum_algorithm", uint64(f.ChecksumAlgorithm), checksumName(f.ChecksumAlgorithm))
	}
}

func intvarKind(k uint8) string {
	switch k {
	case decoder.IntvarLastInsertID:
		return "LAST_INSERT_ID"
	case decoder.IntvarInsertID:
		return "INSERT_ID"
	}
	return "invalid"
}

var userVarTypes = [...]string{"STRING", "REAL", "INT", "ROW", "DECIMAL"}

func describeUserVar(w *writer, v *decoder.UserVar, e *Event) {
	w.length(e, "name_len", len(v.Name))
	w.text("name", v.Name)
	w.bool("is_null", v.IsNull, "")
	if v.IsNull {
		return
	}
	kind := "unknown type"
	if int(v.Type) < len(userVarTypes) {
		kind = userVarTypes[v.Type]
	}
	w.uint("type", uint64(v.Type), kind)
	w.uint("charset", uint64(v.Charset), e.collation(uint64(v.Charset)))
	w.length(e, "value_len", len(v.Value))
	w.content("value", userVarValue(v, e))
	if v.HasFlags {
		w.uint("flags", boolBit(v.Unsigned), map[bool]string{true: "UNSIGNED"}[v.Unsigned])
	}
	if v.DataType != nil {
		w.text("data_type", v.DataType)
	}
}

func boolBit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// describeQuery gives the text in UTF-8 where its character set is known and read, and says so when it is not.
func describeQuery(w *writer, q *decoder.Query, e *Event) {
	describeQueryHead(w, q)
	w.rest(e, "post_header_extra")
	describeQueryBody(w, q, e)
}

func describeQueryHead(w *writer, q *decoder.Query) {
	w.uint("thread_id", uint64(q.ThreadID), "connection")
	w.uint("exec_time", uint64(q.ExecTime), "seconds")
	w.uint("db_len", uint64(q.DBLen), "")
	w.uint("error_code", uint64(q.ErrorCode), "")
	if q.HasStatusVars {
		w.uint("status_vars_len", uint64(q.StatusVarsLen), "")
	}
}

func describeQueryBody(w *writer, q *decoder.Query, e *Event) {
	if q.StatusVarsLen > 0 && w.group("status_vars", "") {
		for i := range q.Status {
			describeStatus(w, &q.Status[i], e)
		}
		if rest := e.span("status_vars.unread"); rest != nil {
			w.bytes("unread", rest, "what follows a variable that cannot be read")
		}
		w.end()
	}
	w.text("db", q.DB)
	text := e.queryText(q)
	if q.Compressed != nil {
		text.note = "decompressed from " + bytesNote(uint64(len(q.Compressed)))
	}
	w.content("query", text)
}

func describeStatus(w *writer, v *decoder.StatusVar, e *Event) {
	name := v.Code.Name()
	coll := func(i int) string { return e.collation(v.Nums[i]) }
	switch v.Code {
	case decoder.StatusFlags2:
		names := flags2Bits
		if e.Format.Family == decoder.MariaDB {
			names = mariaFlags2
		}
		w.flags(name, v.Nums[0], names)
	case decoder.StatusSQLMode:
		modes := mySQLModes
		if e.Format.Family == decoder.MariaDB {
			modes = mariaModes
		}
		w.flags(name, v.Nums[0], modes)
	case decoder.StatusCatalog, decoder.StatusCatalogNZ, decoder.StatusTimeZone:
		w.text(name, v.Texts[0])
	case decoder.StatusCharsetDatabase, decoder.StatusDefaultCollation:
		w.uint(name, v.Nums[0], coll(0))
	case decoder.StatusMicroseconds, decoder.StatusHrnow:
		w.uint(name, v.Nums[0], "µs after the event's timestamp")
	case decoder.StatusAutoIncrement:
		describeParts(w, v, "increment", "offset")
	case decoder.StatusCharset:
		if w.group(name, "") {
			w.uint("client", v.Nums[0], coll(0))
			w.uint("collation_connection", v.Nums[1], coll(1))
			w.uint("collation_server", v.Nums[2], coll(2))
			w.end()
		}
	case decoder.StatusInvoker:
		if w.group(name, "") {
			w.text("user", v.Texts[0])
			w.text("host", v.Texts[1])
			w.end()
		}
	case decoder.StatusCommitTS2:
		describeParts(w, v, "first", "second")
	case decoder.StatusDummy:
		w.bytes(name, e.span("status_vars.dummy"), "filler")
	case decoder.StatusUpdatedDBNames, decoder.StatusGtidFlags3, decoder.StatusCollations:
		describeStatusLists(w, v, coll)
	default:
		w.uint(name, v.Nums[0], "")
	}
}

func describeParts(w *writer, v *decoder.StatusVar, names ...string) {
	if w.group(v.Code.Name(), "") {
		for i, n := range names {
			w.uint(n, v.Nums[i], "")
		}
		w.end()
	}
}

func describeStatusLists(w *writer, v *decoder.StatusVar, coll func(int) string) {
	if !w.group(v.Code.Name(), "") {
		return
	}
	switch v.Code {
	case decoder.StatusUpdatedDBNames:
		note := ""
		if v.Nums[0] == decoder.OverMaxDBs {
			note = "more than are logged"
		}
		w.uint("count", v.Nums[0], note)
		w.texts("names", v.Texts)
	case decoder.StatusGtidFlags3:
		w.flags("flags", v.Nums[0], gtidExtraFlags)
		if len(v.Nums) > 1 {
			w.uint("sa_seq_no", v.Nums[1], "")
		}
	case decoder.StatusCollations:
		w.uint("count", v.Nums[0], "")
		w.list("collations", (len(v.Nums)-1)/2, func(i int) {
			w.uint("from", v.Nums[2*i+1], coll(2*i+1))
			w.uint("to", v.Nums[2*i+2], coll(2*i+2))
		})
	}
	w.end()
}

// texts writes a list of texts.
func (w *writer) texts(name string, list [][]byte) {
	w.values(name, len(list), func(dst []byte, i int) []byte { return appendText(dst, list[i]) },
		func(i int) text { return text{value: showText(list[i])} })
}

func describeGtid(w *writer, g *decoder.Gtid) {
	w.flags("flags", uint64(g.Flags), gtidFlags)
	w.string("sid", g.SID.String(), "")
	note := ""
	if !g.Anonymous {
		note = g.GTID().String()
	}
	w.uint("gno", g.GNO, note)
	if !g.HasClock && w.only == nil { // else the clock may be read in part
		return
	}
	w.uint("logical_timestamp_type", uint64(g.ClockType), "")
	w.uint("last_committed", g.LastCommitted, "")
	w.uint("sequence_number", g.SequenceNumber, "")
	if g.HasTimestamp {
		w.uint("immediate_commit_timestamp", g.ImmediateTimestamp, micros(g.ImmediateTimestamp))
	}
	if g.HasOriginalTimestamp {
		w.uint("original_commit_timestamp", g.OriginalTimestamp, micros(g.OriginalTimestamp))
	}
	if g.HasLength {
		w.uint("transaction_length", g.TransactionLength, sizeNote(g.TransactionLength))
	}
	if g.HasVersion {
		w.uint("immediate_server_version", uint64(g.ImmediateVersion), serverVersion(g.ImmediateVersion))
	}
	if g.HasOriginalVersion {
		w.uint("original_server_version", uint64(g.OriginalVersion), serverVersion(g.OriginalVersion))
	}
	if g.HasTicket {
		w.uint("commit_group_ticket", g.CommitGroupTicket, "")
	}
}

func describePrevious(w *writer, p *decoder.PreviousGtids, e *Event) {
	describeSids(w, p.Sids, p.Tagged, e)
	w.derived("gtid_set", func(dst []byte) []byte { return appendString(dst, p.Set().String()) })
}

// describeSids writes a GTID set in its binary form.
func describeSids(w *writer, sids []decoder.GtidSid, tagged bool, e *Event) {
	note := ""
	count := w.stored(e, "sid_count", len(sids))
	if tagged {
		note, count = "tagged form", count>>8&(1<<48-1)
	}
	w.uint("sid_count", count, note)
	w.list("sids", len(sids), func(i int) {
		s := &sids[i]
		w.string("uuid", s.UUID.String(), "")
		if tagged {
			w.text("tag", s.Tag)
		}
		w.length(e, "interval_count", len(s.Intervals))
		w.list("intervals", len(s.Intervals), func(j int) {
			v := s.Intervals[j]
			w.uint("start", v.Start, "")
			w.uint("end", v.End, "exclusive")
			w.sum(intervalText(v))
		})
	})
}

func intervalText(v gtid.Interval) string {
	if v.End == v.Start+1 {
		return strconv.FormatUint(v.Start, 10)
	}
	return strconv.FormatUint(v.Start, 10) + "-" + strconv.FormatUint(v.End-1, 10)
}

func describeMariaGtid(w *writer, g *decoder.MariaGtid, e *Event) {
	w.uint("seq_no", g.SeqNo, g.GTID().String())
	w.uint("domain_id", uint64(g.DomainID), "")
	w.flags("flags2", uint64(g.Flags2), mariaGtidFlags)
	if g.Flags2&decoder.MariaGtidGroupCommitID != 0 {
		w.uint("commit_id", g.CommitID, "")
	}
	if g.HasXID() {
		w.uint("format_id", uint64(g.FormatID), "")
		w.length(e, "gtrid_length", len(g.Gtrid))
		w.length(e, "bqual_length", len(g.Bqual))
		w.bytes("gtrid", g.Gtrid, "")
		w.bytes("bqual", g.Bqual, "")
	}
	if g.HasExtra {
		w.flags("flags_extra", uint64(g.FlagsExtra), gtidExtraFlags)
		if g.FlagsExtra&decoder.GtidExtraMultiEngine != 0 {
			w.uint("extra_engines", uint64(g.ExtraEngines), "")
		}
		if g.HasSaSeqNo() {
			w.uint("sa_seq_no", g.SaSeqNo, "")
		}
		if g.FlagsExtra&decoder.GtidExtraThreadID != 0 {
			w.uint("thread_id", uint64(g.ThreadID), "connection")
		}
	}
}

func describeGtidList(w *writer, l *decoder.GtidList) {
	w.uint("count", uint64(len(l.Gtids)), joinWords(flagNames(uint64(l.Flags), gtidListFlags)))
	if !w.tree {
		w.derived("flags", func(dst []byte) []byte { dst, _ = appendFlags(dst, uint64(l.Flags), gtidListFlags); return dst })
	}
	w.list("gtids", len(l.Gtids), func(i int) {
		g := l.Gtids[i]
		w.uint("domain_id", uint64(g.Domain), "")
		w.uint("server_id", uint64(g.Server), "")
		w.uint("seq_no", g.Seq, "")
		w.sum(g.String())
	})
}

// collation spells out a collation id.
func (e *Event) collation(id uint64) string {
	if id > 0xffff {
		return "unknown collation"
	}
	if info, ok := charset.Lookup(e.family(), charset.ID(id)); ok {
		return info.Collation
	}
	return "unknown collation"
}

func (e *Event) family() charset.Family {
	if e.Format.Family == decoder.MariaDB {
		return charset.MariaDB
	}
	return charset.MySQL
}
