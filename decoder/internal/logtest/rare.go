package logtest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
)

// FileBlock is the body of a BEGIN_LOAD_QUERY_EVENT or APPEND_BLOCK_EVENT; without a block, of a DELETE_FILE_EVENT or
// EXEC_LOAD_EVENT.
func FileBlock(id uint32, block string) []byte { return Cat(U32(id), []byte(block)) }

// LoadQuery is the body of an EXECUTE_LOAD_QUERY_EVENT.
func (l *Log) LoadQuery(q Query, file, start, end uint32, dup byte) []byte {
	b := l.Query(q)
	return Cat(b[:13], U32(file), U32(start), U32(end), U8(dup), b[13:])
}

// Load is a LOAD_EVENT, NEW_LOAD_EVENT or CREATE_FILE_EVENT.
type Load struct {
	Thread, Exec, Skip uint32
	FileID             uint32    // CREATE_FILE only
	Options            [5]string // field_term, enclosed, line_term, line_start, escaped; one byte each in a LOAD_EVENT
	OptFlags, Empty    byte      // Empty is the LOAD_EVENT's
	Fields             []string
	Table, DB, File    string
	Block              string // CREATE_FILE only
}

// Body builds it for one of the three types.
func (v Load) Body(typ byte) []byte {
	b := Cat(U32(v.Thread), U32(v.Exec), U32(v.Skip), U8(uint8(len(v.Table))), U8(uint8(len(v.DB))), U32(uint32(len(v.Fields))))
	if typ == TypeCreateFile {
		b = Cat(b, U32(v.FileID))
	}
	for _, o := range v.Options {
		if typ == TypeLoad {
			b = append(b, (o + "\x00")[0])
		} else {
			b = Cat(b, Text8(o))
		}
	}
	b = append(b, v.OptFlags)
	if typ == TypeLoad {
		b = append(b, v.Empty)
	}
	for _, f := range v.Fields {
		b = append(b, uint8(len(f)))
	}
	for _, f := range v.Fields {
		b = Cat(b, TextNUL(f))
	}
	b = Cat(b, TextNUL(v.Table), TextNUL(v.DB))
	if typ == TypeCreateFile {
		return Cat(b, TextNUL(v.File), []byte(v.Block))
	}
	return Cat(b, []byte(v.File))
}

// Slave is the body of a SLAVE_EVENT.
func Slave(pos uint64, port uint16, host, log string) []byte {
	return Cat(U64(pos), U16(port), TextNUL(host), TextNUL(log))
}

// Incident is the body of an INCIDENT_EVENT.
func Incident(number uint16, message string) []byte { return Cat(U16(number), Text8(message)) }

// LenencTLV is a field of a HEARTBEAT_LOG_EVENT_V2 or TRANSACTION_PAYLOAD_EVENT.
func LenencTLV(typ uint64, value []byte) []byte {
	return Cat(Lenenc(typ), Lenenc(uint64(len(value))), value)
}

// HeartbeatV2 is the body of a HEARTBEAT_LOG_EVENT_V2.
func HeartbeatV2(log string, pos uint64) []byte {
	return Cat(LenencTLV(1, []byte(log)), LenencTLV(2, Lenenc(pos)), U8(0))
}

// XaPrepare is the body of an XA_PREPARE_LOG_EVENT.
func XaPrepare(onePhase byte, format uint32, gtrid, bqual string) []byte {
	return Cat(U8(onePhase), U32(format), U32(uint32(len(gtrid))), U32(uint32(len(bqual))), []byte(gtrid), []byte(bqual))
}

// StartEncryption is the body of a START_ENCRYPTION_EVENT; the nonce has 12 bytes.
func StartEncryption(scheme byte, version uint32, nonce []byte) []byte {
	return Cat(U8(scheme), U32(version), nonce)
}

// LargeTransaction is the body of a LARGE_TRANSACTION_HEADER_EVENT.
func LargeTransaction(end uint64, typ byte, padding int) []byte {
	return Cat(U8(1), U64(end), U8(typ), make([]byte, padding))
}

// PartialRowData is the body of a PARTIAL_ROW_DATA_EVENT; size is given with the first piece.
func PartialRowData(total, seq uint32, chunk []byte, size ...uint64) []byte {
	b := Cat(U32(total), U32(seq), U8(uint8(len(size))))
	for _, s := range size {
		b = Cat(b, U64(s))
	}
	return Cat(b, chunk)
}

// RowEvent is a whole event as MariaDB cuts it into pieces: without a checksum, although the log may have them.
func (l *Log) RowEvent(typ byte, body []byte) []byte {
	return Cat(U32(l.time), U8(typ), U32(ServerID), U32(uint32(19+len(body))), U32(0), U16(0), body)
}

// Pieces appends a row event as PARTIAL_ROW_DATA_EVENTs, cut at some of its bytes.
func (l *Log) Pieces(event []byte, cuts ...int) *Log {
	from, size := 0, []uint64{uint64(len(event))}
	for i, to := range append(cuts, len(event)) {
		l.Event(TypePartialRowData, PartialRowData(uint32(len(cuts)+1), uint32(i+1), event[from:to], size...))
		from, size = to, nil
	}
	return l
}

// TransactionContext is a TRANSACTION_CONTEXT_EVENT.
type TransactionContext struct {
	UUID        string // of the server, as text
	Thread      uint32
	Specified   byte
	Snapshot    []byte // a GTID set, as PreviousGtids builds it
	Write, Read []string
}

// Body builds it.
func (t TransactionContext) Body() []byte {
	b := Cat(U8(uint8(len(t.UUID))), U32(t.Thread), U8(t.Specified), U32(uint32(len(t.Snapshot))), U32(uint32(len(t.Write))), U32(uint32(len(t.Read))),
		[]byte(t.UUID), t.Snapshot)
	for _, s := range append(append([]string(nil), t.Write...), t.Read...) {
		b = Cat(b, U16(uint16(len(s))), []byte(s))
	}
	return b
}

// ViewChange is the body of a VIEW_CHANGE_EVENT; info are keys and values in turn.
func ViewChange(id string, seq uint64, info ...string) []byte {
	view := make([]byte, 40)
	copy(view, id)
	b := Cat(view, U64(seq), U32(uint32(len(info)/2)))
	for i := 0; i+1 < len(info); i += 2 {
		b = Cat(b, U16(uint16(len(info[i]))), []byte(info[i]), U32(uint32(len(info[i+1]))), []byte(info[i+1]))
	}
	return b
}

// Zigzag is v as a signed integer of MySQL's serialization library.
func Zigzag(v int64) []byte { return Varlen(uint64(v<<1) ^ uint64(v>>63)) }

// TaggedField is a field of a message of that library.
func TaggedField(id uint64, value ...[]byte) []byte { return Cat(Varlen(id), Cat(value...)) }

// TaggedUUID is a UUID in it: each byte an integer of its own.
func TaggedUUID(uuid [16]byte) (b []byte) {
	for _, c := range uuid {
		b = Cat(b, Varlen(uint64(c)))
	}
	return b
}

// Tagged is the body of a GTID_TAGGED_LOG_EVENT: a message of version 1 whose size counts itself.
func Tagged(lastNonIgnorable uint64, fields ...[]byte) []byte {
	rest := Cat(Varlen(lastNonIgnorable), Cat(fields...))
	for n := 1; ; n++ {
		if size := Varlen(uint64(1 + n + len(rest))); len(size) == n {
			return Cat(Varlen(1), size, rest)
		}
	}
}

// Inside collects events as they stand inside a transaction payload: no checksums, positions of zero.
type Inside struct {
	b    []byte
	Offs []int // where each event starts
}

// Event appends one.
func (p *Inside) Event(typ byte, body ...[]byte) *Inside {
	whole := Cat(body...)
	p.Offs = append(p.Offs, len(p.b))
	p.b = Cat(p.b, U32(Start), U8(typ), U32(ServerID), U32(uint32(19+len(whole))), U32(0), U16(0), whole)
	return p
}

// Bytes returns the events so far.
func (p *Inside) Bytes() []byte { return p.b }

// ZstdStored is a zstd frame that holds b as it is, in blocks of at most block bytes.
func ZstdStored(b []byte, block int) []byte {
	out := Cat(Hex("28b52ffd a0"), U32(uint32(len(b))))
	for {
		n := min(block, len(b))
		last := uint32(0)
		if n == len(b) {
			last = 1
		}
		out = Cat(out, U32(uint32(n)<<3 | last)[:3], b[:n])
		if b = b[n:]; last == 1 {
			return out
		}
	}
}

// Payload is the body of a TRANSACTION_PAYLOAD_EVENT whose fields are in the order that the server writes them in.
func Payload(compression, uncompressed uint64, payload []byte) []byte {
	return Cat(LenencTLV(2, Lenenc(compression)), LenencTLV(3, Lenenc(uncompressed)), LenencTLV(1, Lenenc(uint64(len(payload)))), U8(0), payload)
}

// Deflated is what MariaDB makes of a query's text or a row event's rows: a header with the length, and a zlib stream.
func Deflated(plain []byte) []byte {
	size := binary.BigEndian.AppendUint32(nil, uint32(len(plain)))
	for len(size) > 1 && size[0] == 0 {
		size = size[1:]
	}
	return Cat(U8(0x80|uint8(len(size))), size, Zlib(plain))
}

// Zlib is b compressed.
func Zlib(b []byte) []byte {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	if _, err := w.Write(b); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// QueryCompressed builds the body of a QUERY_COMPRESSED_EVENT.
func (l *Log) QueryCompressed(q Query) []byte {
	text := q.SQL
	q.SQL = ""
	return Cat(l.Query(q), Deflated([]byte(text)))
}

// Compressed builds the body of the compressed form of a row event.
func (r Rows) Compressed() []byte {
	data := r.Data
	r.Data = nil
	return Cat(r.Body(), Deflated(data))
}

// Document is the value of a JSON column: a length of 4 bytes and the binary document.
func Document(b []byte) []byte { return Cat(U32(uint32(len(b))), b) }

// Diff is a change of a JSON document; op is 0 replace, 1 insert, 2 remove, which has no value.
func Diff(op byte, path string, value []byte) []byte {
	b := Cat(U8(op), LenencText(path))
	if op != 2 {
		b = Cat(b, Lenenc(uint64(len(value))), value)
	}
	return b
}
