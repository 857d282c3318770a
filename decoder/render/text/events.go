package text

import (
	"binlens/decoder"
	"binlens/decoder/charset"
	"binlens/decoder/gtid"
	"binlens/decoder/render"
	"binlens/decoder/schema"
	"binlens/decoder/value"
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"sort"
	"strconv"
)

// body prints what is said of an event, from the tab behind its header on.
func (w *Writer) body(dst []byte, e *render.Event) []byte {
	switch ev := e.Event.(type) {
	case *decoder.FormatDescription:
		return w.format(dst, e, ev)
	case *decoder.Query:
		dst = append(dst, "\tQuery"...)
		if ev.Compressed != nil {
			dst = append(dst, "_compressed"...)
		}
		return w.printQuery(dst, e, ev, nil)
	case *decoder.LoadQuery:
		return w.loadQuery(dst, e, ev)
	case *decoder.Rows:
		return w.rowsHeader(dst, e, ev)
	case *decoder.TableMap:
		return w.tableMap(dst, e, ev)
	case *decoder.Xid:
		w.inside = false
		dst = strconv.AppendUint(append(dst, "\tXid = "...), ev.Xid, 10)
		return append(dst, "\nCOMMIT/*!*/;\n"...)
	case *decoder.Rotate:
		dst = append(append(append(dst, "\tRotate to "...), ev.NextFile...), "  pos: "...)
		return append(strconv.AppendUint(dst, ev.Position, 10), '\n')
	case *decoder.Stop:
		return append(dst, "\tStop\n"...)
	case *decoder.Gtid:
		return w.gtid(dst, ev)
	case *decoder.GtidTagged:
		return w.tagged(dst, ev)
	case *decoder.PreviousGtids:
		return w.previous(dst, ev)
	case *decoder.XaPrepare:
		return w.prepare(dst, ev)
	case *decoder.TransactionPayload:
		return w.startPayload(dst, e, ev)
	case *decoder.RowsQuery:
		return lines(append(dst, "\tRows_query\n"...), "# ", ev.Text)
	}
	return w.more(dst, e)
}

func (w *Writer) more(dst []byte, e *render.Event) []byte {
	number := func(s string, n uint64) { dst = strconv.AppendUint(append(dst, s...), n, 10) }
	switch ev := e.Event.(type) {
	case *decoder.Intvar:
		name := "LAST_INSERT_ID"
		if ev.Kind == decoder.IntvarInsertID {
			name = "INSERT_ID"
		}
		number("\tIntvar\nSET "+name+"=", ev.Value)
		return append(dst, delimiter...)
	case *decoder.Rand:
		number("\tRand\nSET @@RAND_SEED1=", ev.Seed1)
		number(", @@RAND_SEED2=", ev.Seed2)
		return append(dst, delimiter...)
	case *decoder.UserVar:
		return w.userVar(dst, ev)
	case *decoder.MariaGtid:
		return w.mariaGtid(dst, ev)
	case *decoder.GtidList:
		return w.gtidList(dst, ev)
	case *decoder.BinlogCheckpoint:
		return append(append(append(dst, "\tBinlog checkpoint "...), ev.Name...), '\n')
	case *decoder.AnnotateRows:
		return lines(append(dst, "\tAnnotate_rows:\n"...), "#Q> ", ev.Text)
	case *decoder.FileBlock:
		return fileBlock(dst, e.Header.Type, ev)
	case *decoder.PartialRowData:
		number("\tPartial_rows: piece ", uint64(ev.Seq))
		number(" of ", uint64(ev.Total))
		if dst = append(dst, '\n'); e.Joined == nil {
			return dst
		}
		return w.joined(dst, e.Joined)
	case *decoder.Incident:
		return append(dst, "\n# Incident: LOST_EVENTS\nRELOAD DATABASE; # Shall generate syntax error\n"...)
	case *decoder.StartEncryption:
		number("# Encryption scheme: ", uint64(ev.Scheme))
		number(", key_version: ", uint64(ev.KeyVersion))
		dst = append(dst, ", nonce: "...)
		for _, c := range ev.Nonce {
			dst = append(dst, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		}
		return append(dst, "\n# The rest of the binlog is encrypted!\n"...)
	}
	if e.Header.Flags&decoder.FlagIgnorable != 0 {
		return append(dst, "\tIgnorable\n# Unrecognized ignorable event\n"...)
	}
	return append(dst, "\n# Unknown event\n"...)
}

// joined prints what the pieces of a row event make, behind the last of them.
func (w *Writer) joined(dst []byte, e *render.Event) []byte {
	dst = append(dst, "# the pieces make one event:"...)
	if r, ok := e.Event.(*decoder.Rows); ok && e.Bad == nil {
		return w.rowsHeader(dst, e, r)
	}
	return comment(append(dst, '\n'), e.TypeTitle(), reason(e))
}

func fileBlock(dst []byte, t decoder.Type, b *decoder.FileBlock) []byte {
	name := "\n#Delete_file: file_id="
	switch t {
	case decoder.BeginLoadQueryType:
		name = "\n#Begin_load_query: file_id: "
	case decoder.AppendBlockType:
		name = "\n#Append_block: file_id: "
	case decoder.ExecLoadType:
		name = "\n#Exec_load: file_id="
	}
	dst = strconv.AppendUint(append(dst, name...), uint64(b.FileID), 10)
	if b.HasBlock {
		dst = strconv.AppendUint(append(dst, "  block_len: "...), uint64(len(b.Block)), 10)
	}
	return append(dst, '\n')
}

// lines prints a text with a mark before each of its lines; empty lines are left out.
func lines(dst []byte, mark string, text []byte) []byte {
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		if line = bytes.TrimRight(line, "\r"); len(line) > 0 {
			dst = append(append(append(dst, mark...), line...), '\n')
		}
	}
	return dst
}

func (w *Writer) format(dst []byte, e *render.Event, f *decoder.FormatDescription) []byte {
	dst = strconv.AppendUint(append(dst, "\tStart: binlog v "...), uint64(f.BinlogVersion), 10)
	dst = append(append(append(dst, ", server v "...), f.ServerVersion...), " created "...)
	dst = w.appendTime(dst, e.Header.Timestamp)
	if f.Created != 0 {
		dst = append(dst, " at startup"...)
	}
	dst = append(dst, '\n')
	if e.Header.Flags&decoder.FlagInUse != 0 {
		dst = append(dst, "# Warning: this binlog is either in use or was not closed properly.\n"...)
	}
	if f.Created != 0 && e.Header.Flags&decoder.FlagArtificial == 0 {
		dst = append(dst, "ROLLBACK/*!*/;\n"...)
	}
	if w.Blocks {
		dst = w.EndBlock(w.Block(append(dst, "BINLOG '\n"...), e))
	}
	return dst
}

func (w *Writer) gtid(dst []byte, g *decoder.Gtid) []byte {
	w.onlyGtid, w.inside = true, true
	w.gtids = true
	name, next := "\tGTID", g.GTID().String()
	if g.Anonymous {
		name, next = "\tAnonymous_GTID", "ANONYMOUS"
	}
	dst = append(dst, name...)
	if !g.HasClock {
		dst = append(append(dst, " [commit="...), map[bool]string{true: "yes", false: "no"}[g.Flags&1 != 0]...)
		dst = append(dst, "]\n"...)
	} else {
		dst = w.clock(dst, g.LastCommitted, g.SequenceNumber, g.Flags&1 == 0)
		if g.HasTimestamp {
			dst = w.commitTimes(dst, g.OriginalTimestamp, g.ImmediateTimestamp, g.TransactionLength, g.Flags&1 == 0)
		} else {
			dst = isolation(append(dst, '\n'), g.Flags&1 == 0)
		}
		if g.HasVersion {
			dst = serverVersions(dst, g.OriginalVersion, g.ImmediateVersion)
		}
	}
	return append(append(append(dst, "SET @@SESSION.GTID_NEXT= '"...), next...), "'/*!*/;\n"...)
}

func (w *Writer) tagged(dst []byte, g *decoder.GtidTagged) []byte {
	w.onlyGtid, w.inside, w.gtids = true, true, true
	dst = w.clock(append(dst, "\tGTID"...), uint64(g.LastCommitted), uint64(g.SequenceNumber), g.Flags&1 == 0)
	dst = w.commitTimes(dst, g.OriginalTimestamp, g.ImmediateTimestamp, g.TransactionLength, g.Flags&1 == 0)
	dst = serverVersions(dst, uint32(g.OriginalVersion), uint32(g.ImmediateVersion))
	return append(append(append(dst, "SET @@SESSION.GTID_NEXT= '"...), g.GTID().String()...), "'/*!*/;\n"...)
}

func (w *Writer) clock(dst []byte, committed, sequence uint64, rowsOnly bool) []byte {
	dst = strconv.AppendUint(append(dst, "\tlast_committed="...), committed, 10)
	dst = strconv.AppendUint(append(dst, "\tsequence_number="...), sequence, 10)
	if rowsOnly {
		return append(dst, "\trbr_only=yes"...)
	}
	return append(dst, "\trbr_only=no"...)
}

func isolation(dst []byte, rowsOnly bool) []byte {
	if rowsOnly {
		return append(dst, "/*!50718 SET TRANSACTION ISOLATION LEVEL READ COMMITTED*//*!*/;\n"...)
	}
	return dst
}

func (w *Writer) commitTimes(dst []byte, original, immediate, length uint64, rowsOnly bool) []byte {
	dst = strconv.AppendUint(append(dst, "\toriginal_committed_timestamp="...), original, 10)
	dst = strconv.AppendUint(append(dst, "\timmediate_commit_timestamp="...), immediate, 10)
	dst = strconv.AppendUint(append(dst, "\ttransaction_length="...), length, 10)
	dst = isolation(append(dst, '\n'), rowsOnly)
	dst = w.micro(append(dst, "# original_commit_timestamp="...), original)
	dst = w.micro(append(dst, "# immediate_commit_timestamp="...), immediate)
	dst = strconv.AppendUint(append(dst, "/*!80001 SET @@session.original_commit_timestamp="...), original, 10)
	return append(dst, "*//*!*/;\n"...)
}

func serverVersions(dst []byte, original, immediate uint32) []byte {
	dst = strconv.AppendUint(append(dst, "/*!80014 SET @@session.original_server_version="...), uint64(original), 10)
	dst = strconv.AppendUint(append(dst, "*//*!*/;\n/*!80014 SET @@session.immediate_server_version="...), uint64(immediate), 10)
	return append(dst, "*//*!*/;\n"...)
}

// micro prints a time in microseconds, as a number and as a time of the zone.
func (w *Writer) micro(dst []byte, us uint64) []byte {
	dst = append(strconv.AppendUint(dst, us, 10), " ("...)
	dst = append(append(dst, stamp(int64(us/1e6)+int64(w.Zone))...), '.')
	dst = append(dst, strconv.FormatUint(1e6+us%1e6, 10)[1:]...)
	return append(append(append(dst, ' '), zoneName(w.Zone)...), ")\n"...)
}

// zoneName names a zone by its distance from UTC.
func zoneName(seconds int) string {
	if seconds == 0 {
		return "UTC"
	}
	sign, minutes := "+", seconds/60
	if minutes < 0 {
		sign, minutes = "-", -minutes
	}
	return "UTC" + sign + strconv.Itoa(100 + minutes/60)[1:] + ":" + strconv.Itoa(100 + minutes%60)[1:]
}

// stamp is a time as YYYY-MM-DD hh:mm:ss.
func stamp(t int64) string {
	v := value.Value{Kind: value.KindTimestamp, Bits: uint64(max(t, 0)) << 24}
	if v.Bits == 0 {
		return "1970-01-01 00:00:00"
	}
	return string(value.AppendText(nil, nil, 0, false, &v))
}

func (w *Writer) previous(dst []byte, p *decoder.PreviousGtids) []byte {
	dst = append(dst, "\tPrevious-GTIDs\n# "...)
	set := bytes.ReplaceAll([]byte(p.Set().String()), []byte("\n"), nil)
	if len(set) == 0 {
		return append(dst, "[empty]\n"...)
	}
	return append(append(dst, bytes.ReplaceAll(set, []byte(","), []byte(",\n# "))...), '\n')
}

func (w *Writer) prepare(dst []byte, p *decoder.XaPrepare) []byte {
	x := appendXID(nil, p.Gtrid, p.Bqual, p.FormatID)
	title := "\tXA PREPARE "
	if w.maria {
		title = "\tXID = "
	}
	dst = append(append(append(dst, title...), x...), '\n')
	if p.OnePhase != 0 {
		return append(append(append(append(dst, "XA COMMIT "...), x...), " ONE PHASE\n"...), delimiter...)
	}
	return append(append(append(append(dst, "XA PREPARE "...), x...), '\n'), delimiter...)
}

func appendXID(dst, gtrid, bqual []byte, format uint32) []byte {
	dst = append(appendHex(append(dst, "X'"...), gtrid), "',X'"...)
	return strconv.AppendUint(append(appendHex(dst, bqual), "',"...), uint64(format), 10)
}

func appendHex(dst, b []byte) []byte {
	for _, c := range b {
		dst = append(dst, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
	}
	return dst
}

func (w *Writer) startPayload(dst []byte, e *render.Event, p *decoder.TransactionPayload) []byte {
	w.payload, w.outer = e.Ordinal, e.Header.NextPosition
	dst = strconv.AppendUint(append(dst, "\tTransaction_Payload\t\tpayload_size="...), uint64(len(p.Payload)), 10)
	dst = append(dst, "\tcompression_type="...)
	dst = append(dst, map[bool]string{true: "ZSTD", false: "NONE"}[p.Compression != decoder.PayloadNone]...)
	dst = strconv.AppendUint(append(dst, "\tuncompressed_size="...), p.UncompressedSize, 10)
	return append(dst, "\n# Start of compressed events.\n"...)
}

func (w *Writer) mariaGtid(dst []byte, g *decoder.MariaGtid) []byte {
	dst = append(append(dst, "\tGTID "...), g.GTID().String()...)
	if g.Flags2&decoder.MariaGtidGroupCommitID != 0 {
		dst = strconv.AppendUint(append(dst, " cid="...), g.CommitID, 10)
	}
	for _, f := range [...]struct {
		bit  uint8
		word string
	}{{decoder.MariaGtidDDL, " ddl"}, {decoder.MariaGtidTransactional, " trans"}, {decoder.MariaGtidWaited, " waited"}} {
		if g.Flags2&f.bit != 0 {
			dst = append(dst, f.word...)
		}
	}
	dst = w.query.gtid(append(dst, '\n'), g)
	switch {
	case g.Flags2&decoder.MariaGtidStandalone != 0:
		return dst
	case g.Flags2&decoder.MariaGtidPreparedXA != 0:
		return append(appendXID(append(dst, "XA START "...), g.Gtrid, g.Bqual, g.FormatID), delimiter...)
	}
	return append(append(dst, "START TRANSACTION\n"...), delimiter...)
}

// gtidList is sorted by sort, which is a part of the page's program anyway: the generic functions cost 5 kB of it.
type gtidList []gtid.MariaGTID

func (l gtidList) Len() int           { return len(l) }
func (l gtidList) Less(i, j int) bool { return l[i].Compare(l[j]) < 0 }
func (l gtidList) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }

func (w *Writer) gtidList(dst []byte, l *decoder.GtidList) []byte {
	dst = append(dst, "\tGtid list ["...)
	sorted := gtidList(slices.Clone(l.Gtids))
	sort.Sort(sorted)
	for i, g := range sorted {
		if i > 0 {
			dst = append(dst, ",\n# "...)
		}
		dst = append(dst, g.String()...)
	}
	return append(dst, "]\n"...)
}

// userVar prints a user variable and its value.
func (w *Writer) userVar(dst []byte, v *decoder.UserVar) []byte {
	dst = append(schema.AppendName(append(dst, "\tUser_var\nSET @"...), v.Name), ":="...)
	return append(w.userValue(dst, v), delimiter...)
}

func (w *Writer) userValue(dst []byte, v *decoder.UserVar) []byte {
	switch {
	case v.IsNull:
		return append(dst, "NULL"...)
	case v.Type == decoder.UserVarReal && len(v.Value) == 8:
		return appendG(dst, math.Float64frombits(binary.LittleEndian.Uint64(v.Value)), 14)
	}
	if out, ok := v.AppendNumber(dst); ok {
		return out
	}
	return w.userText(dst, v)
}

func (w *Writer) userText(dst []byte, v *decoder.UserVar) []byte {
	id := charset.ID(min(v.Charset, math.MaxUint16))
	dst = append(append(append(dst, '_'), charset.CharsetOf(w.family, id).Name()...), ' ')
	switch {
	case !w.maria:
		dst = append(dst, "0x"...)
		for _, c := range v.Value {
			dst = append(dst, "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
		}
	case len(v.Value) == 0:
		dst = append(dst, `""`...)
	default:
		dst = append(dst, "X'"...)
		for _, c := range v.Value {
			dst = append(dst, "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
		}
		dst = append(dst, '\'')
	}
	dst, _ = charset.AppendCollation(append(dst, " COLLATE `"...), w.family, id)
	return append(dst, '`')
}
