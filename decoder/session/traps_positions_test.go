package session_test

import (
	"binlens/decoder/internal/logtest"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"testing"
)

// notes returns what the page says of next_position of each row.
func notes(t *testing.T, log []byte) (list []string) {
	t.Helper()
	s := open(t, log, noOptions)
	for i := range s.Index().Len() {
		b, err := s.Detail(i, false)
		if err != nil {
			t.Fatal(err)
		}
		d, err := parse(b)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, text(get(d, "nodes", 4, "note")))
	}
	return list
}

// In a log larger than 4 GiB next_position wraps: shown as stored, and as wrapped; places in the file do not depend on it.
func TestTrapWrappedPositions(t *testing.T) {
	for _, sum := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
		l := logtest.New(logtest.MySQL8040, sum)
		at := uint64(l.Len())
		l.SQL("d", "BEGIN").SQL("d", "INSERT")
		first := uint64(l.Len())
		l.Shift = 1<<32 - first - 10
		l.SQL("d", "COMMIT").SQL("d", "BEGIN")
		rows := dumpLog(t, l.Bytes())
		checkEvents(t, "140 behind 4 GiB", rows, "FORMAT_DESCRIPTION_EVENT QUERY_EVENT QUERY_EVENT QUERY_EVENT QUERY_EVENT", []want{{1, []any{"offset"}, fmt.Sprint(at)}, {3, []any{"problems"}, "absent"},
			{3, []any{"next_position"}, fmt.Sprint(uint32(uint64(l.Events[3].Off+l.Events[3].Size) + l.Shift))}, {4, []any{"problems"}, "absent"}})
	}
	// Events in front of 4 GiB and behind it; one ends there exactly, so that its next_position is 0.
	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
	l.Shift = 1<<32 - 300
	l.SQL("d", "BEGIN").SQL("d", "COMMIT").SQL("d", "BEGIN").SQL("d", "COMMIT")
	var want []string
	for i, e := range l.Events {
		end, position := uint64(e.Off+e.Size), uint64(e.Off+e.Size)+l.Shift
		switch wrapped := position >= 1<<32; {
		case i == 0:
			want = append(want, "the end of this event")
		case wrapped && uint64(l.Events[i-1].Off+l.Events[i-1].Size)+l.Shift < 1<<32:
			want = append(want, fmt.Sprintf("wrapped at 4 GiB: 4,294,9%02d,%03d in the file it was written to; this event ends at %d in this file", position/1000%100, position%1000, end))
		default:
			want = append(want, fmt.Sprintf("this event ends at %d in this file", end))
		}
	}
	got := notes(t, l.Bytes())
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("140: event %d: %s, want %s", i, got[i], want[i])
		}
	}
}

// withPositions sets next_position of the events from the first given on, and makes their checksums right again.
func withPositions(l *logtest.Log, from int, position uint32) []byte {
	b := append([]byte(nil), l.Bytes()...)
	for _, e := range l.Events[from:] {
		binary.LittleEndian.PutUint32(b[e.Off+13:], position)
		if l.Checksum == logtest.CRC32 {
			end := e.Off + e.Size - 4
			binary.LittleEndian.PutUint32(b[end:], crc32.ChecksumIEEE(b[e.Off:end]))
		}
	}
	return b
}

// Events whose next_position is not set are events like others: of MariaDB 11.4 and later in a transaction, of a source that
// made them up, heartbeats.
func TestTrapPositionsOfZero(t *testing.T) {
	for _, sum := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
		l := logtest.New(logtest.MariaDB105, sum)
		l.Event(logtest.TypeMariaGtid, logtest.MariaGtid(1, 0, 4))
		l.Event(logtest.TypeTableMap, rawTable(100, []byte{1}, nil, nil).Body())
		insert(l, 100, 1, logtest.Hex("00 05"))
		l.Event(logtest.TypeXid, logtest.U64(5))
		log := withPositions(l, 1, 0)
		rows := dumpLog(t, log)
		checkEvents(t, "141 MariaDB", rows, "FORMAT_DESCRIPTION_EVENT MARIADB_GTID_EVENT TABLE_MAP_EVENT WRITE_ROWS_EVENT_V1 XID_EVENT", []want{{1, []any{"problems"}, "absent"}, {2, []any{"problems"}, "absent"},
			{3, []any{"data", "rows"}, `[{"after":{"@1":5}}]`}, {4, []any{"problems"}, "absent"}, {4, []any{"next_position"}, "0"}, {4, []any{"transaction"}, "1"}})
		if got := notes(t, log)[3]; got != "not set" {
			t.Errorf("141, 142: %s", got)
		}
	}
	l := logtest.New(logtest.MySQL8040, logtest.CRC32).SQL("d", "BEGIN")
	l.EventFlags(logtest.TypeHeartbeat, logtest.FlagArtificial, []byte("bin.000001"))
	l.EventFlags(logtest.TypeRotate, logtest.FlagArtificial, l.Rotate(4, "bin.000001")).SQL("d", "COMMIT")
	rows := dumpLog(t, l.Bytes())
	checkEvents(t, "142 events that a source made up", rows, "FORMAT_DESCRIPTION_EVENT QUERY_EVENT HEARTBEAT_LOG_EVENT ROTATE_EVENT QUERY_EVENT", []want{{1, []any{"transaction"}, "1"}, {4, []any{"transaction"}, "1"},
		{2, []any{"next_position"}, "0"}, {2, []any{"flags"}, `["ARTIFICIAL"]`}, {2, []any{"transaction"}, "absent"}, {3, []any{"next_position"}, "0"}, {4, []any{"problems"}, "absent"}})
}

// What a source puts in the place of an event that an old replica does not know is a query that is a comment.
func TestTrapDummyEvents(t *testing.T) {
	const comment = "# Dummy event replacing event type 160 that slave cannot handle."
	l := logtest.New(logtest.MariaDB105, logtest.CRC32)
	l.Event(logtest.TypeMariaGtid, logtest.MariaGtid(1, 0, 4)).SQL("", comment)
	l.Event(logtest.TypeTableMap, rawTable(100, []byte{1}, nil, nil).Body())
	insert(l, 100, 1, logtest.Hex("00 05"))
	l.Event(logtest.TypeXid, logtest.U64(5))
	rows := dumpLog(t, l.Bytes())
	checkEvents(t, "143 a comment", rows, "FORMAT_DESCRIPTION_EVENT MARIADB_GTID_EVENT QUERY_EVENT TABLE_MAP_EVENT WRITE_ROWS_EVENT_V1 XID_EVENT", []want{{2, []any{"data", "query"}, quote(comment)}, {2, []any{"data", "db"}, `""`},
		{2, []any{"transaction"}, "1"}, {4, []any{"data", "rows"}, `[{"after":{"@1":5}}]`}, {5, []any{"transaction"}, "1"}})
}
