package logtest

// MariaGtid is the part of a MariaDB GTID_EVENT up to flags2, and what follows it.
func MariaGtid(seq uint64, domain uint32, flags2 byte, rest ...[]byte) []byte {
	b := Cat(U64(seq), U32(domain), U8(flags2), Cat(rest...))
	for len(b) < 19 {
		b = append(b, 0)
	}
	return b
}

// Position is one entry of a GTID_LIST_EVENT.
type Position struct {
	Domain, Server uint32
	Seq            uint64
}

// GtidList is the body of a GTID_LIST_EVENT; an empty one is padded as the servers do.
func GtidList(flags uint32, list ...Position) []byte {
	b := U32(uint32(len(list)) | flags)
	for _, p := range list {
		b = Cat(b, U32(p.Domain), U32(p.Server), U64(p.Seq))
	}
	if len(list) == 0 {
		b = append(b, 0, 0)
	}
	return b
}

// Checkpoint is the body of a BINLOG_CHECKPOINT_EVENT.
func Checkpoint(file string) []byte { return Cat(U32(uint32(len(file))), []byte(file)) }
