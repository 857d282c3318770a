package decoder

import (
	"binlens/decoder/inflate"
	"binlens/decoder/wire"
	"bytes"
	"errors"
	"io"
)

// Payload compression types.
const (
	PayloadZstd = 0
	PayloadNone = 255
)

// Fields of a TRANSACTION_PAYLOAD_EVENT.
const (
	payloadEnd              = 0
	payloadSize             = 1
	payloadCompression      = 2
	payloadUncompressedSize = 3
)

// TransactionPayload is a TRANSACTION_PAYLOAD_EVENT (8.0.20+): a whole transaction, compressed. The events inside have
// the common header, no checksum, and next_position 0.
//
//	fields of lenenc type, lenenc length and lenenc value, up to type 0: 1 payload size, 2 compression type (0 zstd,
//	255 none), 3 uncompressed size; in any order
//	payload
type TransactionPayload struct {
	HasSize             bool
	Size                uint64 // bytes that the field says
	HasCompression      bool
	Compression         uint64
	HasUncompressedSize bool
	UncompressedSize    uint64 // bytes that the field says
	Unknown             []TypedBytes
	Payload             []byte
}

func (*TransactionPayload) isEvent() {}

func (e *TransactionPayload) decode(c *wire.Cursor) {
	for c.OK() {
		typ := c.Lenenc()
		if typ == payloadEnd {
			c.Field("end_mark")
			break
		}
		v := c.Sub(c.Count(c.Lenenc(), 1))
		switch typ {
		case payloadSize:
			once(&v, &e.HasSize)
			e.Size = v.Lenenc()
			v.ExpectEnd()
			c.FieldFrom(&v, "payload_size")
		case payloadCompression:
			once(&v, &e.HasCompression)
			e.Compression = v.Lenenc()
			v.ExpectEnd()
			c.FieldFrom(&v, "compression_type")
		case payloadUncompressedSize:
			once(&v, &e.HasUncompressedSize)
			e.UncompressedSize = v.Lenenc()
			v.ExpectEnd()
			c.FieldFrom(&v, "uncompressed_size")
		default:
			e.Unknown = append(e.Unknown, TypedBytes{typ, v.Rest()})
			c.FieldFrom(&v, wire.Item("unknown", len(e.Unknown)-1))
		}
	}
	n := c.Len()
	if e.HasSize {
		n = c.Count(e.Size, 1)
	}
	e.Payload = c.Bytes(n)
	c.Field("payload")
}

// MaxPayload is how much one payload may hold when it is decompressed, in bytes.
const MaxPayload = 1 << 30

// Reader reads the decompressed payload, of which the reader keeps no copy. Its errors, after what could be read, are a
// *wire.Error whose offset counts from the payload's first byte.
func (e *TransactionPayload) Reader() (io.Reader, *wire.Error) {
	switch {
	case e.Compression == PayloadNone:
		return bytes.NewReader(e.Payload), nil
	case e.Compression == PayloadZstd && e.HasCompression:
		return &payloadReader{r: inflate.NewZstdReader(e.Payload, MaxPayload)}, nil
	}
	if !e.HasCompression {
		return nil, &wire.Error{Kind: wire.Unsupported, Path: "payload", Msg: "no field says how the payload is compressed"}
	}
	return nil, &wire.Error{Kind: wire.Unsupported, Path: "compression_type", Msg: "compression type " + utoa(e.Compression) + " is neither 0 (zstd) nor 255 (none)"}
}

// payloadReader gives errors of inflate as those of the event.
type payloadReader struct{ r io.Reader }

func (p *payloadReader) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	bad, ok := errors.AsType[*inflate.Error](err)
	if !ok {
		return n, err
	}
	return n, &wire.Error{Kind: inflateKind(bad), Offset: int64(bad.Offset), Path: "payload", Msg: "the payload cannot be decompressed: " + bad.Msg, Err: bad}
}

// inflateKind is the kind of what cannot be decompressed.
func inflateKind(bad *inflate.Error) wire.Kind {
	switch bad.Reason {
	case inflate.Truncated:
		return wire.Truncated
	case inflate.Unsupported, inflate.TooLarge:
		return wire.Unsupported
	}
	return wire.Corrupt
}

// Inside returns the format of the events inside a transaction payload: as f, but without checksums.
func (f *FormatDescription) Inside() *FormatDescription {
	n := *f
	n.ChecksumAlgorithm = ChecksumOff
	return &n
}
