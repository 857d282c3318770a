package session_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"regexp"
	"testing"

	"binlens/decoder/index"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/render"
	"binlens/decoder/session"
)

// A timeline asked for while the log is indexed ends up as one asked for at its end, and adds up to the log.
func TestTimelineGrows(t *testing.T) {
	for _, f := range logtest.ProjectLogs(t) {
		if _, err := session.Open(bytes.NewReader(f.Bytes), int64(len(f.Bytes)), session.Options{}); err != nil {
			continue
		}
		whole := open(t, f.Bytes, session.Options{})
		if whole.Index().Len() == 0 {
			continue
		}
		for _, axis := range []index.Axis{index.ByTime, index.ByOffset} {
			want := whole.Timeline(axis, 0, 0, 50, false)
			_, last := whole.Index().Times()
			first, _ := whole.Index().Times()
			from, to := int64(first), int64(last)+1
			if axis == index.ByOffset {
				from, to = 0, int64(len(f.Bytes))
			}
			s, _ := session.Open(bytes.NewReader(f.Bytes), int64(len(f.Bytes)), session.Options{})
			for rest := f.Bytes; len(rest) > 0; {
				n := min(len(rest), 997)
				s.Feed(rest[:n])
				rest = rest[n:]
				s.Step(0)
				s.Timeline(axis, from, to, 50, false)
			}
			s.Finish()
			for s.Step(0) {
			}
			if got := s.Timeline(axis, from, to, 50, false); !bytes.Equal(got, want) {
				t.Errorf("%s, axis %d: another timeline when it grew", f.Name, axis)
			}
			bins, classes := int(binary.LittleEndian.Uint32(want)), int(binary.LittleEndian.Uint32(want[4:]))
			rows := int64(math.Float64frombits(binary.LittleEndian.Uint64(want[24:])))
			sizes := 0.0
			at := 32 + (4*bins*classes+7)&^7
			for k := range bins * classes {
				rows += int64(binary.LittleEndian.Uint32(want[32+4*k:]))
				sizes += math.Float64frombits(binary.LittleEndian.Uint64(want[at+8*k:]))
			}
			if rows != whole.Index().Len() {
				t.Errorf("%s, axis %d: %d rows, the index has %d", f.Name, axis, rows, whole.Index().Len())
			}
			if want := float64(len(f.Bytes)) - float64(whole.Index().Row(0).Off); axis == index.ByOffset && sizes != want {
				t.Errorf("%s: %f bytes of %f", f.Name, sizes, want)
			}
		}
	}
}

// The timeline of a filter counts the rows that it leaves; with another filter, or none, it is made anew.
func TestTimelineOfAFilter(t *testing.T) {
	for _, f := range logtest.ProjectLogs(t) {
		if _, err := session.Open(bytes.NewReader(f.Bytes), int64(len(f.Bytes)), session.Options{}); err != nil {
			continue
		}
		s := open(t, f.Bytes, session.Options{})
		if s.Index().Len() == 0 {
			continue
		}
		count := func(matched bool) (n int64) {
			b := s.Timeline(index.ByOffset, 0, 0, 20, matched)
			for k := range binary.LittleEndian.Uint32(b) * binary.LittleEndian.Uint32(b[4:]) {
				n += int64(binary.LittleEndian.Uint32(b[32+4*k:]))
			}
			return n
		}
		all := count(true)
		sum := int64(0)
		for _, filter := range []string{"type:rows", "-type:rows"} {
			if err := s.SetFilter(filter); err != nil {
				t.Fatal(err)
			}
			count(true) // before the filter has looked at anything
			for s.Step(0) {
			}
			n := count(true)
			if want := s.View().Count(s.Index().Len()); n != want {
				t.Errorf("%s: %d rows of %s on the timeline, the view has %d", f.Name, n, filter, want)
			}
			sum += n
		}
		if all != s.Index().Len() || sum != all || count(false) != all {
			t.Errorf("%s: %d rows, %d in both filters, %d without", f.Name, all, sum, count(false))
		}
	}
}

// Statements that define are a class of their own: as many as mysqlbinlog's text has.
func TestTimelineDefinitions(t *testing.T) {
	ddl := regexp.MustCompile(`(?mi)^(CREATE|ALTER|DROP|TRUNCATE|RENAME|GRANT|REVOKE|ANALYZE|OPTIMIZE|REPAIR|FLUSH)\s`)
	for _, name := range []string{"basic", "types", "statement", "extras"} {
		log, err := os.ReadFile("../../testdata/mariadb/" + name + ".binlog")
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile("../../testdata/mariadb/" + name + ".mariadb-binlog.txt")
		if err != nil {
			t.Fatal(err)
		}
		s := open(t, log, session.Options{})
		for _, axis := range []index.Axis{index.ByTime, index.ByOffset} {
			b := s.Timeline(axis, 0, 0, 7, false)
			bins, classes := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
			n := 0
			for bin := range bins {
				n += int(binary.LittleEndian.Uint32(b[32+4*(bin*classes+uint32(render.ClassDDL)):]))
			}
			if want := len(ddl.FindAll(text, -1)); n != want || want == 0 {
				t.Errorf("%s, axis %d: %d statements that define, the server's tool has %d", name, axis, n, want)
			}
		}
	}
}
