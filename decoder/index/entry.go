package index

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"encoding/binary"
)

// Entry is what a frame says by itself, whatever stands before it in the log. It has no pointers, so that entries can be
// made in one place and put together in another.
type Entry struct {
	Off    int64  // in the file, or inside the payload in decompressed bytes
	Table  uint64 // table id of a table map or row event, where it has one
	Map    uint64 // hash of a table map's bytes behind its table id; of a piece of a row event, total_fragments << 32 | seq_no
	Size   uint32 // bytes
	Time   uint32 // seconds UTC
	Server uint32 // server_id
	Flags  uint16 // of the header
	Type   decoder.Type
	Kind   frame.Kind
	Says   Says
	Query  QueryKind // of a statement
	Flags2 uint8     // of a MariaDB GTID_EVENT; of an XA_PREPARE_LOG_EVENT, one_phase
}

// Says is a set of facts of an entry.
type Says uint8

// The facts.
const (
	SaysTable   Says = 1 << iota // Table is there; of a table map, Map too
	SaysEnd                      // a row event, or the first piece of one: it ends its statement
	SaysRestart                  // a format description: the server started with it
	SaysDamaged                  // the checksum does not match
	SaysCipher                   // of its header only the size is known
)

// EntryOf returns what a frame says by itself.
func EntryOf(fr *frame.Frame) Entry {
	e := Entry{Off: fr.Off, Size: uint32(fr.Size), Kind: fr.Kind}
	if fr.Cipher {
		e.Says = SaysCipher
		return e
	}
	if fr.Kind != frame.Event && fr.Kind != frame.Truncated {
		return e
	}
	h := &fr.Header
	e.Time, e.Server, e.Flags, e.Type = h.Timestamp, h.ServerID, h.Flags, h.Type
	if fr.Kind == frame.Event {
		e.read(fr)
	}
	return e
}

// read takes from the event's body what the index needs.
func (e *Entry) read(fr *frame.Frame) {
	if !fr.Sum.OK() {
		e.Says |= SaysDamaged
	}
	if e.Type == decoder.TableMapType && fr.Raw == nil {
		return // it is not whole
	}
	e.readBody(fr.Format, bodyOf(fr))
}

func (e *Entry) readBody(f *decoder.FormatDescription, body []byte) {
	switch t := e.Type; {
	case t == decoder.TableMapType:
		e.readMap(body, f.TableIDLen(t))
	case t.RowOp() != decoder.NoRows:
		e.readRows(body, f.TableIDLen(t))
	case t == decoder.PartialRowDataType:
		e.readPiece(f, body)
	case isQuery(t):
		e.Query = kindOf(decoder.QueryText(f, t, body))
	case t == decoder.MariaGtidType && len(body) > 12:
		e.Flags2 = body[12]
	case t == decoder.XaPrepareType && len(body) > 0:
		e.Flags2 = body[0]
	case t == decoder.FormatDescriptionType && len(body) > 56 && binary.LittleEndian.Uint32(body[52:]) != 0:
		e.Says |= SaysRestart // created is set
	}
}

func (e *Entry) readMap(body []byte, idLen int) {
	if id, rest, ok := tableID(body, idLen); ok {
		e.Table, e.Map = id, hash(rest)
		e.Says |= SaysTable
	}
}

func (e *Entry) readRows(body []byte, idLen int) {
	id, rest, ok := tableID(body, idLen)
	if !ok || len(rest) < 2 {
		return
	}
	e.Table = id
	e.Says |= SaysTable
	if binary.LittleEndian.Uint16(rest)&decoder.RowsStmtEnd != 0 {
		e.Says |= SaysEnd
	}
}

// readPiece reads which piece of a row event this is. The first has the head of the row event, which tells its table.
func (e *Entry) readPiece(f *decoder.FormatDescription, body []byte) {
	p, ok := decoder.ReadPiece(body)
	if !ok {
		return
	}
	e.Map = uint64(p.Total)<<32 | uint64(p.Seq)
	if n := f.MinHeaderLen(); p.Seq == 1 && len(p.Chunk) > n && n >= decoder.HeaderLen {
		if t := decoder.Type(p.Chunk[4]); t.RowOp() != decoder.NoRows {
			e.readRows(p.Chunk[n:], f.TableIDLen(t))
		}
	}
}

// tableID reads the table id of n bytes at the start of a body and returns what follows it.
func tableID(body []byte, n int) (id uint64, rest []byte, ok bool) {
	if len(body) < n {
		return 0, nil, false
	}
	id = uint64(binary.LittleEndian.Uint32(body))
	if n == 6 {
		id |= uint64(binary.LittleEndian.Uint16(body[4:])) << 32
	}
	return id, body[n:], true
}

// bodyOf returns the event's body, or of one too large to hold the beginning, which tells enough.
func bodyOf(fr *frame.Frame) []byte {
	raw := fr.Raw
	if raw == nil {
		raw = fr.Head
	} else {
		raw = raw[:max(len(raw)-fr.Sum.Len, 0)]
	}
	if len(raw) < fr.Header.Len {
		return nil
	}
	return raw[fr.Header.Len:]
}

// hash is MurmurHash64A with the seed 0: cheap without a wide multiplication, which wasm does not have, and the same in
// every process.
func hash(b []byte) uint64 {
	const m, r = 0xc6a4a7935bd1e995, 47
	h := uint64(len(b)) * m
	for ; len(b) >= 8; b = b[8:] {
		k := binary.LittleEndian.Uint64(b) * m
		h = (h ^ (k^k>>r)*m) * m
	}
	if len(b) > 0 {
		for i, c := range b {
			h ^= uint64(c) << (8 * i)
		}
		h *= m
	}
	h = (h ^ h>>r) * m
	return h ^ h>>r
}
