package session_test

import (
	"binlens/decoder"
	"binlens/decoder/session"
	"testing"
)

// Nearly all row events are counted in the short way, and it counts what the long one does.
func TestRowsAreCountedTheShortWay(t *testing.T) {
	shorts, all := 0, 0
	eachLog(t, func(t *testing.T, log []byte) {
		s := open(t, log, session.Options{})
		problems := s.Progress().Problems
		for i := range s.Index().Len() {
			if row := s.Index().Row(i); row.Type.RowOp() == decoder.NoRows || row.Cipher {
				continue
			}
			n, again, short, long := s.CountedTwice(i)
			if short && (!long || n != again) {
				t.Errorf("row event %d: %d rows the short way, %d the long one (%v)", i, n, again, long)
			}
			if short && s.Progress().Problems > problems {
				t.Errorf("row event %d has a problem that the short way does not see", i)
			}
			problems = s.Progress().Problems
			if long {
				all++
			}
			if short {
				shorts++
			}
		}
	})
	if all < 300 || shorts < all*9/10 {
		t.Errorf("%d of %d row events were counted the short way", shorts, all)
	}
}
