package query

import (
	"binlens/decoder/gtid"
	"errors"
	"math"
	"strconv"
)

const gtidExpected = "UUID, UUID:1-99, UUID:tag:5, or of MariaDB 0-1-100 or 0-1-100..200"

// parseGTID takes a UUID with or without intervals, or MariaDB's domain-server-sequence, or a range of these.
func parseGTID(w word) (a Alt, bad *Error) {
	if w.empty() {
		return a, w.wrong("", gtidExpected)
	}
	text := w.String()
	if dots := w.find("..", 0); dots >= 0 {
		return parseMariaRange(w, dots)
	}
	if g, err := gtid.ParseMariaGTID(text); err == nil {
		return Alt{Maria: &MariaGTIDs{g.Domain, g.Server, g.Seq, g.Seq}}, nil
	}
	if u, err := gtid.ParseUUID(text); err == nil {
		return Alt{Source: &u}, nil
	}
	set, err := gtid.Parse(text)
	if err != nil {
		return a, gtidError(w, err)
	}
	if set.IsEmpty() {
		return a, w.wrong("no transaction number is in this", gtidExpected)
	}
	return Alt{Set: set}, nil
}

// gtidError puts a mistake that package gtid found where it is in the text of the filter.
func gtidError(w word, err error) *Error {
	bad := w.wrong(err.Error(), gtidExpected)
	if at, ok := errors.AsType[*gtid.ParseError](err); ok {
		bad.Message = at.Reason
		if at.Offset < len(w.letters) {
			bad.Start = w.letters[at.Offset].at
		} else {
			bad.Start = w.end
		}
	}
	return bad
}

// parseMariaRange takes D-S-N.., D-S-N..M and D-S-N..D-S-M.
func parseMariaRange(w word, dots int) (a Alt, bad *Error) {
	first, second := w.to(dots), w.from(dots+1).from(1)
	g, err := gtid.ParseMariaGTID(first.String())
	if err != nil {
		return a, gtidError(first, err)
	}
	m := &MariaGTIDs{g.Domain, g.Server, g.Seq, math.MaxUint64}
	if !second.empty() {
		last, err := gtid.ParseMariaGTID(second.String())
		if err != nil {
			last = g
			if last.Seq, err = strconv.ParseUint(second.String(), 10, 64); err != nil {
				return a, second.wrong("this is no sequence number", gtidExpected)
			}
		}
		if m.Hi = last.Seq; last.Domain != g.Domain || last.Server != g.Server || m.Hi < m.Lo {
			return a, w.wrong("the range does not go up in one domain and server", gtidExpected)
		}
	}
	return Alt{Maria: m}, nil
}
