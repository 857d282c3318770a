package decoder_test

import (
	"bytes"
	"testing"

	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/internal/logtest"
)

// framesOf cuts a log into frames, whose bytes stay valid.
func framesOf(t testing.TB, log []byte) (frames []frame.Frame) {
	t.Helper()
	start, err := frame.Sniff(log[:min(len(log), frame.SniffLen)], int64(len(log)))
	if err != nil {
		t.Fatal(err)
	}
	s := frame.NewScanner(bytes.NewReader(log), int64(len(log)), start, 0)
	s.Feed(log[start.Off:])
	s.Finish()
	var fr frame.Frame
	for {
		switch st := s.Next(&fr); st {
		case frame.Got:
			fr.Raw = bytes.Clone(fr.Raw)
			frames = append(frames, fr)
		case frame.Done:
			return frames
		case frame.More:
			t.Fatal("the scanner wants more after the end")
		}
	}
}

// Every body of the GTID tables as an event of a whole log, with and without checksums.
func TestGtidsInLogs(t *testing.T) {
	for _, s := range []logtest.Server{logtest.MySQL576, logtest.MySQL8040, logtest.MySQL84} {
		for _, sum := range []logtest.Checksum{logtest.CRC32, logtest.Off} {
			l := logtest.New(s, sum)
			valid, invalid := validGtids(), invalidGtids()
			for _, c := range valid {
				l.Event(byte(c.typ), c.body).SQL("d", "DO 1")
			}
			for _, c := range invalid {
				l.Event(byte(c.typ), c.body).SQL("d", "DO 1")
			}
			n := 0
			for _, fr := range framesOf(t, l.Bytes()) {
				if fr.Kind != frame.Event || fr.Bad != nil {
					t.Fatalf("%s: a %s at %d: %v", s.Name, fr.Kind, fr.Off, fr.Bad)
				}
				if fr.Header.Type != decoder.GtidType && fr.Header.Type != decoder.AnonymousGtidType {
					continue
				}
				ctx := &decoder.Context{Format: fr.Format}
				ev, bad := decoder.DecodeWhole(ctx, fr.Header, fr.Raw, fr.Sum.Len, nil)
				body := fr.Raw[fr.Header.Len : len(fr.Raw)-fr.Sum.Len]
				api, err := decoder.DecodeGtid(fr.Format, fr.Header.Type, fr.Off, body)
				if n < len(valid) {
					want := valid[n]
					if bad != nil || err != nil || *ev.(*decoder.Gtid) != want.want || *api != want.want {
						t.Errorf("%s: %v, %v, %+v", want.name, bad, err, ev)
					}
				} else {
					want := invalid[n-len(valid)]
					if bad == nil || bad.Offset != want.offset || bad.Path != want.field || bad.Kind != want.kind || bad.Msg != want.reason {
						t.Errorf("%s: %+v", want.name, bad)
					}
					i, ok := err.(*decoder.InvalidGtidEvent)
					if !ok || i.FileOffset != fr.Off || i.BodyOffset != want.offset {
						t.Errorf("%s: %v", want.name, err)
					}
				}
				n++
			}
			if n != len(valid)+len(invalid) {
				t.Errorf("%s: %d GTID events of %d", s.Name, n, len(valid)+len(invalid))
			}
		}
	}
}
