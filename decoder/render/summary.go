package render

import (
	"binlens/decoder"
	"binlens/decoder/charset"
	"binlens/decoder/frame"
	"binlens/decoder/value"
	"strconv"
	"unicode/utf8"
)

// Class groups event types by what they mean to a reader.
type Class uint8

// The classes.
const (
	ClassControl Class = iota
	ClassTransaction
	ClassQuery
	ClassDDL
	ClassTableMap
	ClassInsert
	ClassUpdate
	ClassDelete
	ClassOther
	ClassDamage
)

// Class returns the class of the event.
func (e *Event) Class() Class {
	if e.Kind != frame.Event {
		return ClassDamage
	}
	if q, ok := e.Event.(*decoder.Query); ok {
		return queryClass(q.Text)
	}
	return ClassOf(e.Header.Type)
}

// Classes is the number of classes.
const Classes = int(ClassDamage) + 1

// ClassOf returns the class of events of a type; of statements, whose text tells, the one of queries.
func ClassOf(t decoder.Type) Class {
	switch t.RowOp() {
	case decoder.Insert:
		return ClassInsert
	case decoder.Update:
		return ClassUpdate
	case decoder.Delete:
		return ClassDelete
	}
	switch t {
	case decoder.GtidType, decoder.AnonymousGtidType, decoder.GtidTaggedType, decoder.MariaGtidType, decoder.XidType,
		decoder.XaPrepareType, decoder.TransactionPayloadType:
		return ClassTransaction
	case decoder.QueryType, decoder.QueryCompressedType, decoder.RowsQueryType, decoder.AnnotateRowsType, decoder.IntvarType, decoder.RandType,
		decoder.UserVarType, decoder.BeginLoadQueryType, decoder.ExecuteLoadQueryType, decoder.AppendBlockType:
		return ClassQuery
	case decoder.TableMapType:
		return ClassTableMap
	case decoder.FormatDescriptionType, decoder.StartV3, decoder.RotateType, decoder.StopType, decoder.PreviousGtidsType,
		decoder.GtidListType, decoder.BinlogCheckpointType, decoder.HeartbeatType, decoder.HeartbeatV2Type, decoder.StartEncryptionType:
		return ClassControl
	}
	return ClassOther
}

func queryClass(text []byte) Class {
	switch decoder.StatementOf(text) {
	case decoder.Transactional:
		return ClassTransaction
	case decoder.Definition:
		return ClassDDL
	}
	return ClassQuery
}

// maxSummary is the length of a summary, in bytes.
const maxSummary = 240

// AppendSummary appends one line of at most maxSummary bytes that says what the event is about: its table, the beginning of its statement, its GTID.
func (e *Event) AppendSummary(dst []byte) []byte {
	at := len(dst)
	dst = e.summary(dst)
	if cut := at + maxSummary; len(dst) > cut+utf8.UTFMax+len("…") { // more than appendLine makes
		for !utf8.RuneStart(dst[cut]) {
			cut--
		}
		dst = append(dst[:cut], "…"...)
	}
	return dst
}

func (e *Event) summary(dst []byte) []byte {
	if e.Kind != frame.Event {
		if e.RowBad != nil {
			return append(dst, e.RowBad.Msg...)
		}
		return append(strconv.AppendInt(dst, e.Size, 10), " bytes"...)
	}
	if e.Cipher {
		return append(dst, "encrypted"...)
	}
	if e.Large {
		return append(append(dst, "larger than max_event_size: "...), bytesNote(uint64(e.Size))...)
	}
	if e.Bad != nil { // what was read of it may be half of the truth
		return appendLine(append(dst, "cannot be read: "...), []byte(e.Bad.Msg))
	}
	switch ev := e.Event.(type) {
	case *decoder.Rows:
		if ev.Map == nil {
			return strconv.AppendUint(append(dst, "table id "...), ev.TableID, 10)
		}
		return append(dst, e.tableName(ev)...)
	case *decoder.TableMap:
		return append(dst, showText(ev.Schema)+"."+showText(ev.Table)...)
	case *decoder.Query:
		return appendLine(dst, e.peekText(ev))
	case *decoder.RowsQuery:
		return appendLine(dst, ev.Text)
	case *decoder.AnnotateRows:
		return appendLine(dst, ev.Text)
	case *decoder.Gtid:
		if ev.Anonymous {
			return append(dst, "ANONYMOUS"...)
		}
		return append(dst, ev.GTID().String()...)
	case *decoder.GtidTagged:
		return append(dst, ev.GTID().String()...)
	case *decoder.MariaGtid:
		return append(dst, ev.GTID().String()...)
	}
	if rare, ok := e.appendRareSummary(nil); ok {
		return appendLine(dst, rare)
	}
	return e.appendSmallSummary(dst)
}

func (e *Event) appendSmallSummary(dst []byte) []byte {
	switch ev := e.Event.(type) {
	case *decoder.FormatDescription:
		return append(append(append(dst, "server "...), showText(ev.ServerVersion)...), ", binlog version "+strconv.Itoa(int(ev.BinlogVersion))...)
	case *decoder.Rotate:
		return append(append(dst, "next: "...), showText(ev.NextFile)...)
	case *decoder.Xid:
		return strconv.AppendUint(append(dst, "commit "...), ev.Xid, 10)
	case *decoder.Intvar:
		return strconv.AppendUint(append(append(dst, intvarKind(ev.Kind)...), " = "...), ev.Value, 10)
	case *decoder.Rand:
		return append(dst, "seeds of RAND()"...)
	case *decoder.UserVar:
		dst = append(append(dst, '@'), showText(ev.Name)...)
		if ev.IsNull {
			return append(dst, " = NULL"...)
		}
		c := userVarValue(ev, e)
		dst = append(dst, " = "...)
		if c.form == formHex {
			return appendLine(append(dst, "0x"...), appendHex(nil, c.b[:min(len(c.b), maxSummary)]))
		}
		return appendLine(dst, c.b)
	case *decoder.PreviousGtids:
		return appendLine(dst, []byte(ev.Set().String()))
	case *decoder.GtidList:
		for i, g := range ev.Gtids {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			if dst = g.AppendText(dst); i == 7 {
				return append(dst, " …"...)
			}
		}
		return dst
	case *decoder.BinlogCheckpoint:
		return append(append(dst, "recovery needs from "...), showText(ev.Name)...)
	case *decoder.Opaque:
		return append(append(dst, "not decoded: "...), bytesNote(uint64(len(ev.Body)))...)
	}
	return dst
}

func (e *Event) appendRareSummary(dst []byte) ([]byte, bool) {
	switch ev := e.Event.(type) {
	case *decoder.PreGARows:
		return strconv.AppendUint(append(dst, "table id "...), ev.TableID, 10), true
	case *decoder.LoadQuery:
		return appendLine(dst, e.peekText(&ev.Query)), true
	case *decoder.Load:
		return append(dst, "LOAD DATA into "+showText(ev.DB)+"."+showText(ev.Table)+" from "+showText(ev.FileName)...), true
	case *decoder.FileBlock:
		dst = strconv.AppendUint(append(dst, "file "...), uint64(ev.FileID), 10)
		if ev.HasBlock {
			dst = append(append(dst, ", "...), bytesNote(uint64(len(ev.Block)))...)
		}
		return dst, true
	case *decoder.Incident:
		return append(append(dst, incidentName(ev.Number)...), ": "+showText(ev.Message)...), true
	case *decoder.Heartbeat:
		return append(dst, showText(ev.LogName)...), true
	case *decoder.HeartbeatV2:
		return strconv.AppendUint(append(append(dst, showText(ev.LogName)...), " at "...), ev.Position, 10), true
	case *decoder.XaPrepare:
		if ev.OnePhase != 0 {
			return append(dst, "XA COMMIT "+xidText(ev)+" ONE PHASE"...), true
		}
		return append(dst, "XA PREPARE "+xidText(ev)...), true
	case *decoder.StartEncryption:
		return strconv.AppendUint(append(dst, "the events after this are encrypted, key version "...), uint64(ev.KeyVersion), 10), true
	case *decoder.TransactionPayload:
		dst = append(append(dst, payloadCompressions[ev.Compression]...), ' ')
		dst = append(dst, thousands(uint64(len(ev.Payload)))...)
		if ev.HasUncompressedSize {
			dst = append(append(dst, " → "...), thousands(ev.UncompressedSize)...)
		}
		return append(dst, " bytes"...), true
	case *decoder.TransactionContext:
		return append(append(dst, "from "...), showText(ev.ServerUUID)...), true
	case *decoder.ViewChange:
		return append(append(dst, "view "...), showText(ev.ViewID)...), true
	case *decoder.PartialRowData:
		dst = strconv.AppendUint(append(dst, "piece "...), uint64(ev.Seq), 10)
		return strconv.AppendUint(append(dst, " of "...), uint64(ev.Total), 10), true
	}
	return dst, false
}

// xidText writes an XA transaction's identifier as the server does: X'gtrid',X'bqual',format.
func xidText(x *decoder.XaPrepare) string {
	return "X'" + string(appendHex(nil, x.Gtrid)) + "',X'" + string(appendHex(nil, x.Bqual)) + "'," + strconv.FormatUint(uint64(x.FormatID), 10)
}

// peekText returns the beginning of a statement in UTF-8, without noting problems.
func (e *Event) peekText(q *decoder.Query) []byte {
	b := q.Text[:min(len(q.Text), 4*maxSummary)]
	if id, ok := q.ClientCharset(); ok {
		cs := charset.CharsetOf(e.family(), charset.ID(id))
		for n := len(b); n > len(b)-4 && n > 0; n-- { // it may have been cut inside a character
			if text, ok := cs.AppendUTF8(nil, b[:n]); ok {
				return text
			}
		}
	}
	return b
}

// appendLine appends text as one line of at most maxSummary bytes. Bytes that are not UTF-8 show as U+FFFD, which a
// summary may: the value itself is in the detail.
func appendLine(dst, s []byte) []byte {
	end := len(dst) + maxSummary
	space := true
	for len(s) > 0 && len(dst) < end {
		r, n := utf8.DecodeRune(s)
		s = s[n:]
		if r <= ' ' || r == 0x7f {
			if !space {
				dst = append(dst, ' ')
			}
			space = true
			continue
		}
		space = false
		dst = utf8.AppendRune(dst, r)
	}
	if len(s) > 0 {
		dst = append(dst, "…"...)
	}
	return dst
}

// signMatters says that a numeric column reads differently with and without a sign.
func signMatters(c *decoder.Column) bool {
	switch c.Type {
	case value.Tiny, value.Short, value.Int24, value.Long, value.LongLong:
		return true
	}
	return false
}
