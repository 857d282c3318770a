package text

import (
	"binlens/decoder"
	"binlens/decoder/render"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
)

// InBlock says that an event is part of the BINLOG statement of the rows that it belongs to.
func (w *Writer) InBlock(e *render.Event) bool {
	switch e.Event.(type) {
	case *decoder.TableMap, *decoder.Rows, *decoder.RowsQuery:
		return true
	}
	return false
}

// BeginBlock opens the BINLOG statement of rows.
func (w *Writer) BeginBlock(dst []byte) []byte { return append(dst, "\nBINLOG '\n"...) }

// EndBlock closes a BINLOG statement.
func (w *Writer) EndBlock(dst []byte) []byte {
	return append(dst, "'/*!*/;\n"...)
}

// lineBytes is how many bytes give a line of base64.
const lineBytes = 57

// Block prints an event in base64, as a part of a BINLOG statement. Events are as they would stand alone in a log: with a
// checksum where the log has them, and not compressed.
func (w *Writer) Block(dst []byte, e *render.Event) []byte {
	raw := e.Raw
	switch r, _ := e.Event.(*decoder.Rows); {
	case r != nil && r.Inflated != nil:
		raw = plainRows(e, r)
	case e.Inside, len(e.Pieces) > 0 && e.Sum.Len == 0 && e.Format.ChecksumLen() > 0:
		raw = withSum(append([]byte(nil), e.Raw...))
	}
	for len(raw) > 0 {
		n := min(lineBytes, len(raw))
		dst = append(base64.StdEncoding.AppendEncode(dst, raw[:n]), '\n')
		raw = raw[n:]
	}
	return dst
}

// plainRows is a compressed row event of MariaDB as it would stand uncompressed.
func plainRows(e *render.Event, r *decoder.Rows) []byte {
	out := append([]byte(nil), r.Inflated...)
	copy(out, e.Raw[:e.Header.Len])
	switch t := e.Header.Type; {
	case t >= decoder.WriteRowsCompressedType:
		out[4] = byte(t - decoder.WriteRowsCompressedType + decoder.WriteRowsType)
	default:
		out[4] = byte(t - decoder.WriteRowsCompressedV1 + decoder.WriteRowsV1Type)
	}
	binary.LittleEndian.PutUint32(out[9:], uint32(len(out)))
	if e.Format.ChecksumLen() > 0 {
		return withSum(out)
	}
	return out
}

// withSum is an event with a checksum behind it, which its size counts.
func withSum(raw []byte) []byte {
	if len(raw) < decoder.HeaderLen {
		return raw
	}
	binary.LittleEndian.PutUint32(raw[9:], uint32(len(raw)+4))
	return binary.LittleEndian.AppendUint32(raw, crc32.ChecksumIEEE(raw))
}

// sumInside is the checksum that an event inside a payload would have.
func sumInside(e *render.Event) uint32 {
	raw := withSum(append([]byte(nil), e.Raw...))
	return binary.LittleEndian.Uint32(raw[len(raw)-4:])
}
