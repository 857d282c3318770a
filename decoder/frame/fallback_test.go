package frame_test

import (
	"strings"
	"testing"

	"binlens/decoder/frame"
	"binlens/decoder/internal/logtest"
)

// A format description that names another checksum algorithm than the events behind it have: that of the one before holds
// on, and the format description has the problem.
func TestChecksumAlgorithmFallsBack(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, said  logtest.Checksum
		events        int
		falls         bool
		then          logtest.Checksum // what the events behind really have
		damageTheNext bool
	}{
		{name: "says none, has CRC32", before: logtest.CRC32, said: logtest.Off, then: logtest.CRC32, events: 4, falls: true},
		{name: "says none, has CRC32, one event", before: logtest.CRC32, said: logtest.Off, then: logtest.CRC32, events: 1, falls: true},
		{name: "says CRC32, has none", before: logtest.Off, said: logtest.CRC32, then: logtest.Off, events: 4, falls: true},
		{name: "says CRC32, has none, two events", before: logtest.Off, said: logtest.CRC32, then: logtest.Off, events: 2, falls: true},
		{name: "says CRC32, has none, one event: it may be damaged", before: logtest.Off, said: logtest.CRC32, then: logtest.Off, events: 1},
		{name: "says none and has none", before: logtest.CRC32, said: logtest.Off, then: logtest.Off, events: 4},
		{name: "says CRC32 and has it", before: logtest.Off, said: logtest.CRC32, then: logtest.CRC32, events: 4},
		{name: "says CRC32 and has it, the first one damaged", before: logtest.Off, said: logtest.CRC32, then: logtest.CRC32, events: 4, damageTheNext: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := logtest.New(logtest.MySQL8040, c.before).SQL("d", "BEGIN").Event(logtest.TypeXid, logtest.U64(1))
			l.Checksum = c.said
			l.Format(0)
			format := len(l.Events) - 1
			l.Checksum = c.then
			for range c.events {
				l.SQL("d", "SELECT 'a statement of some length'")
			}
			b := l.Bytes()
			if c.damageTheNext {
				b = logtest.Flip(b, l.Events[format+1].Off+30, 0xff)
			}
			frames := scan(t, b, options{})
			if len(frames) != len(l.Events) {
				t.Fatalf("%d rows of %d events: %s", len(frames), len(l.Events), show(frames))
			}
			fr := frames[format]
			if said := fr.Bad != nil && fr.Bad.Path == "checksum_algorithm" && strings.Contains(fr.Bad.Msg, "as the format description before it says"); said != c.falls {
				t.Errorf("the format description: %v", fr.Bad)
			}
			for i, fr := range frames[format+1:] {
				want := 0
				if c.falls == (c.before == logtest.CRC32) {
					want = 4
				}
				sound := fr.Bad == nil
				if c.damageTheNext && i == 0 || c.events == 1 && !c.falls {
					sound = fr.Bad != nil
				}
				if fr.Kind != frame.Event || fr.Sum.Len != want || !sound {
					t.Errorf("event %d behind: %d bytes of checksum, want %d; %v", i, fr.Sum.Len, want, fr.Bad)
				}
			}
		})
	}
}
