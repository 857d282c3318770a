package render

import (
	"binlens/decoder"
	"strconv"
)

// describeRare writes the fields of the events that are seldom met; false for others.
func describeRare(w *writer, e *Event) bool {
	switch ev := e.Event.(type) {
	case *decoder.FileBlock:
		w.uint("file_id", uint64(ev.FileID), "")
		w.rest(e, "post_header_extra")
		if ev.HasBlock {
			w.bytes("block", ev.Block, bytesNote(uint64(len(ev.Block)))+" of the file")
		}
	case *decoder.PreGARows:
		w.uint("table_id", ev.TableID, "")
		w.flags("flags", uint64(ev.Flags), rowsFlags)
		w.uint("width", ev.Width, "columns")
		w.bytes("columns", ev.Columns, "")
		if len(ev.Rows) > 0 {
			w.bytes("rows_data", ev.Rows, "rows of a pre-release server, which only its table's definition tells apart")
		}
	case *decoder.LoadQuery:
		describeLoadQuery(w, ev, e)
	case *decoder.Load:
		describeLoad(w, ev, e)
	case *decoder.Slave:
		w.uint("master_pos", ev.Position, "")
		w.uint("master_port", uint64(ev.Port), "")
		w.text("host", ev.Host)
		w.text("log_name", ev.Log)
	case *decoder.Incident:
		w.uint("incident", uint64(ev.Number), incidentName(ev.Number))
		w.rest(e, "post_header_extra")
		w.text("message", ev.Message)
	case *decoder.Heartbeat:
		w.text("log_name", ev.LogName)
	case *decoder.HeartbeatV2:
		describeHeartbeatV2(w, ev, e)
	case *decoder.XaPrepare:
		w.uint("one_phase", uint64(ev.OnePhase), map[bool]string{true: "XA COMMIT … ONE PHASE", false: "XA PREPARE"}[ev.OnePhase != 0])
		w.uint("format_id", uint64(ev.FormatID), "")
		w.length(e, "gtrid_length", len(ev.Gtrid))
		w.length(e, "bqual_length", len(ev.Bqual))
		w.bytes("gtrid", ev.Gtrid, "")
		w.bytes("bqual", ev.Bqual, "")
	case *decoder.StartEncryption:
		w.uint("scheme", uint64(ev.Scheme), "")
		w.uint("key_version", uint64(ev.KeyVersion), "of key id 1, the server's system data key")
		w.bytes("nonce", ev.Nonce, "")
	case *decoder.LargeTransaction:
		w.uint("version", uint64(ev.Version), "")
		w.uint("terminating_event_offset", ev.EndOffset, "")
		w.uint("terminating_event_type", uint64(ev.EndType), decoder.Type(ev.EndType).String())
	case *decoder.PartialRowData:
		w.uint("total_fragments", uint64(ev.Total), "")
		w.uint("seq_no", uint64(ev.Seq), "from 1")
		w.uint("flags", uint64(ev.Flags), "")
		if ev.HasSize {
			w.uint("original_size", ev.OriginalSize, sizeNote(ev.OriginalSize))
		}
		w.bytes("chunk", ev.Chunk, "")
	case *decoder.TransactionContext:
		describeTransactionContext(w, ev, e)
	case *decoder.ViewChange:
		w.text("view_id", ev.ViewID)
		w.uint("seq_number", ev.Seq, "")
		w.uint("certification_info_count", uint64(ev.Count), "")
		w.rest(e, "post_header_extra")
		w.list("certification_info", len(ev.Info), func(i int) {
			w.text("key", ev.Info[i].Key)
			w.bytes("value", ev.Info[i].Value, "")
		})
	case *decoder.GtidTagged:
		describeTagged(w, ev)
	case *decoder.TransactionPayload:
		describePayload(w, ev, e)
	default:
		return false
	}
	return true
}

func incidentName(n uint16) string {
	switch n {
	case decoder.IncidentNone:
		return "NONE"
	case decoder.IncidentLostEvents:
		return "LOST_EVENTS"
	}
	return "not a known incident"
}

var dupNames = map[uint8]string{decoder.DupError: "ERROR", decoder.DupIgnore: "IGNORE", decoder.DupReplace: "REPLACE"}

func describeLoadQuery(w *writer, l *decoder.LoadQuery, e *Event) {
	describeQueryHead(w, &l.Query)
	w.uint("file_id", uint64(l.FileID), "")
	w.uint("fn_pos_start", uint64(l.FnPosStart), "")
	w.uint("fn_pos_end", uint64(l.FnPosEnd), "")
	w.uint("dup_handling", uint64(l.DupHandling), dupNames[l.DupHandling])
	w.rest(e, "post_header_extra")
	describeQueryBody(w, &l.Query, e)
}

var loadFlags = []bit{{decoder.LoadDumpfile, "DUMPFILE"}, {decoder.LoadOptEnclosed, "OPT_ENCLOSED"}, {decoder.LoadReplace, "REPLACE"}, {decoder.LoadIgnore, "IGNORE"}}

var loadEmptyFlags = []bit{{1, "FIELD_TERM_EMPTY"}, {2, "ENCLOSED_EMPTY"}, {4, "LINE_TERM_EMPTY"}, {8, "LINE_START_EMPTY"}, {16, "ESCAPED_EMPTY"}}

func describeLoad(w *writer, l *decoder.Load, e *Event) {
	w.uint("thread_id", uint64(l.ThreadID), "connection")
	w.uint("exec_time", uint64(l.ExecTime), "seconds")
	w.uint("skip_lines", uint64(l.SkipLines), "")
	w.uint("table_len", uint64(l.TableLen), "")
	w.uint("db_len", uint64(l.DBLen), "")
	w.uint("num_fields", uint64(l.NumFields), "")
	if l.HasFileID {
		w.uint("file_id", uint64(l.FileID), "")
	}
	if w.group("sql_ex", "") {
		for i, name := range decoder.LoadOptionNames {
			w.text(name, l.Options[i])
		}
		w.flags("opt_flags", uint64(l.OptFlags), loadFlags)
		if l.HasEmpty {
			w.flags("empty_flags", uint64(l.EmptyFlags), loadEmptyFlags)
		}
		w.end()
	}
	if len(l.Fields) > 0 {
		w.bytes("field_lens", e.span("field_lens"), "")
	}
	w.texts("fields", l.Fields)
	w.text("table", l.Table)
	w.text("db", l.DB)
	w.text("file_name", l.FileName)
	if l.HasFileID {
		w.bytes("block", l.Block, bytesNote(uint64(len(l.Block)))+" of the file")
	}
}

// describeHeartbeatV2 writes the fields in the order in which they stand, but those that are not known together.
func describeHeartbeatV2(w *writer, h *decoder.HeartbeatV2, e *Event) {
	for _, s := range e.Spans {
		switch s.Path {
		case "log_name":
			w.text(s.Path, h.LogName)
		case "position":
			w.uint(s.Path, h.Position, "")
		case "unknown[0]":
			describeUnknown(w, h.Unknown)
		case "end_mark":
			w.uint(s.Path, decoder.HeartbeatEnd, "")
		}
	}
}

// describeUnknown writes fields that are not known.
func describeUnknown(w *writer, list []decoder.TypedBytes) {
	w.values("unknown", len(list), func(dst []byte, i int) []byte { return appendHexObject(dst, list[i].Value) },
		func(i int) text { return text{showHex(list[i].Value), "type " + strconv.FormatUint(list[i].Type, 10)} })
}

func describeTransactionContext(w *writer, t *decoder.TransactionContext, e *Event) {
	w.length(e, "server_uuid_len", len(t.ServerUUID))
	w.uint("thread_id", uint64(t.ThreadID), "connection")
	w.uint("gtid_specified", uint64(t.GtidSpecified), "")
	w.uint("snapshot_len", uint64(t.SnapshotLen), sizeNote(uint64(t.SnapshotLen)))
	w.uint("write_set_count", uint64(t.WriteCount), "")
	w.uint("read_set_count", uint64(t.ReadCount), "")
	w.rest(e, "post_header_extra")
	w.text("server_uuid", t.ServerUUID)
	if t.SnapshotLen > 0 && w.group("snapshot", "") {
		describeSids(w, t.Snapshot, t.SnapshotTag, e)
		if b := e.span("snapshot.surplus"); b != nil {
			w.bytes("surplus", b, "more than the set takes")
		}
		w.end()
	}
	hex := func(name string, items [][]byte) {
		w.values(name, len(items), func(dst []byte, i int) []byte { return appendHexObject(dst, items[i]) },
			func(i int) text { return text{value: showHex(items[i])} })
	}
	hex("write_set", t.WriteSet)
	hex("read_set", t.ReadSet)
}

func describeTagged(w *writer, g *decoder.GtidTagged) {
	w.uint("version", g.Version, "")
	w.uint("message_size", g.MessageSize, sizeNote(g.MessageSize))
	w.uint("last_non_ignorable", g.LastNonIgnorable, "")
	for _, f := range g.Fields() {
		describeTaggedField(w, g, f)
	}
	if g.Unknown != nil {
		w.bytes("unknown_fields", g.Unknown, "")
	}
	w.derived("gtid", func(dst []byte) []byte { return appendString(dst, g.GTID().String()) })
}

func describeTaggedField(w *writer, g *decoder.GtidTagged, f decoder.TaggedField) {
	switch name := f.Name(); name {
	case "gtid_flags":
		w.flags(name, uint64(g.Flags), gtidFlags)
	case "uuid":
		w.string(name, g.UUID.String(), "")
	case "gno":
		w.uint(name, uint64(g.GNO), g.GTID().String())
	case "tag":
		w.text(name, g.Tag)
	case "last_committed":
		w.int(name, g.LastCommitted)
	case "sequence_number":
		w.int(name, g.SequenceNumber)
	case "immediate_commit_timestamp":
		w.uint(name, g.ImmediateTimestamp, micros(g.ImmediateTimestamp))
	case "original_commit_timestamp":
		w.uint(name, g.OriginalTimestamp, micros(g.OriginalTimestamp))
	case "transaction_length":
		w.uint(name, g.TransactionLength, sizeNote(g.TransactionLength))
	case "immediate_server_version":
		w.uint(name, g.ImmediateVersion, serverVersion(uint32(g.ImmediateVersion)))
	case "original_server_version":
		w.uint(name, g.OriginalVersion, serverVersion(uint32(g.OriginalVersion)))
	case "commit_group_ticket":
		w.uint(name, g.CommitGroupTicket, "")
	}
}

// int is a number with a sign.
func (w *writer) int(name string, v int64) {
	if v >= 0 {
		w.uint(name, uint64(v), "")
		return
	}
	w.content(name, content{b: strconv.AppendInt(nil, v, 10), form: formJSON})
}

var payloadCompressions = map[uint64]string{decoder.PayloadZstd: "ZSTD", decoder.PayloadNone: "NONE"}

// describePayload writes the fields in the order in which they stand, but those that are not known together.
func describePayload(w *writer, p *decoder.TransactionPayload, e *Event) {
	for _, s := range e.Spans {
		switch s.Path {
		case "payload_size":
			w.uint(s.Path, p.Size, sizeNote(p.Size))
		case "compression_type":
			w.uint(s.Path, p.Compression, payloadCompressions[p.Compression])
		case "uncompressed_size":
			w.uint(s.Path, p.UncompressedSize, sizeNote(p.UncompressedSize))
		case "unknown[0]":
			describeUnknown(w, p.Unknown)
		case "end_mark":
			w.uint(s.Path, 0, "")
		}
	}
	w.bytes("payload", p.Payload, "")
}
