package logtest

// Gtid is the 42-byte part of a GTID_EVENT or ANONYMOUS_GTID_EVENT.
type Gtid struct {
	Flags                   byte
	SID                     [16]byte
	GNO                     uint64
	Clock                   byte // 2 in every log
	LastCommitted, Sequence uint64
}

// Body56 builds the 25-byte body of MySQL 5.6.
func (g Gtid) Body56() []byte { return Cat(U8(g.Flags), g.SID[:], U64(g.GNO)) }

// Body builds the body of 5.7 and later, with the stages given.
func (g Gtid) Body(stages ...[]byte) []byte {
	return Cat(g.Body56(), U8(g.Clock), U64(g.LastCommitted), U64(g.Sequence), Cat(stages...))
}

// Times is the stage of the commit timestamps, µs: the immediate one alone, or with the original.
func Times(immediate uint64, original ...uint64) []byte {
	if len(original) == 0 {
		return UN(immediate, 7)
	}
	return Cat(UN(immediate|1<<55, 7), UN(original[0], 7))
}

// Versions is the stage of the server versions: the immediate one alone, or with the original.
func Versions(immediate uint32, original ...uint32) []byte {
	if len(original) == 0 {
		return U32(immediate)
	}
	return Cat(U32(immediate|1<<31), U32(original[0]))
}

// Interval is one of a GTID set: start, and end exclusive.
type Interval [2]uint64

// Sid is one source of a GTID set. Tag is used by the tagged form only.
type Sid struct {
	UUID      [16]byte
	Tag       string
	Intervals []Interval
}

// PreviousGtids is a GTID set in its binary form, plain or tagged.
func PreviousGtids(tagged bool, sids ...Sid) []byte {
	head := uint64(len(sids))
	if tagged {
		head = 1 | head<<8 | 1<<56
	}
	b := U64(head)
	for _, s := range sids {
		b = append(b, s.UUID[:]...)
		if tagged {
			b = Cat(b, Varlen(uint64(len(s.Tag))), []byte(s.Tag))
		}
		b = append(b, U64(uint64(len(s.Intervals)))...)
		for _, i := range s.Intervals {
			b = Cat(b, U64(i[0]), U64(i[1]))
		}
	}
	return b
}
