package index

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"encoding/binary"
)

// entryOfPlain returns what EntryOf does, of the plain event at the front of a run, and its size.
func entryOfPlain(run []byte, off int64, f *decoder.FormatDescription) (e Entry, size int) {
	size = int(binary.LittleEndian.Uint32(run[9:13]))
	e = Entry{Off: off, Size: uint32(size), Kind: frame.Event, Type: decoder.Type(run[4]), Time: binary.LittleEndian.Uint32(run),
		Server: binary.LittleEndian.Uint32(run[5:9]), Flags: binary.LittleEndian.Uint16(run[17:19])}
	e.readBody(f, run[f.CommonHeaderLen:size-f.ChecksumLen()])
	return e, size
}
