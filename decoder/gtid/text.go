package gtid

import "strconv"

// AppendText appends s as the server writes it on one line: UUIDs in the order of their bytes and separated by ",";
// of each UUID its untagged intervals, then each tag with its own, all separated by ":". An interval of one number is
// that number, another is "first-last", both inclusive. The empty set is no text at all.
func (s *Set) AppendText(dst []byte) []byte { return s.appendText(dst, ",") }

// AppendLines appends s as AppendText does, but with ",\n" between UUIDs, as the server shows gtid_executed.
func (s *Set) AppendLines(dst []byte) []byte { return s.appendText(dst, ",\n") }

// String returns the text of AppendText.
func (s *Set) String() string { return string(s.AppendText(nil)) }

func (s *Set) appendText(dst []byte, separator string) []byte {
	for i := range s.groups {
		g := &s.groups[i]
		if i == 0 || s.groups[i-1].tsid.UUID != g.tsid.UUID {
			if i > 0 {
				dst = append(dst, separator...)
			}
			dst = g.tsid.UUID.AppendText(dst)
		}
		if g.tsid.Tag != "" {
			dst = append(dst, ':')
			dst = append(dst, g.tsid.Tag...)
		}
		for _, v := range g.ivs {
			dst = append(dst, ':')
			dst = strconv.AppendUint(dst, v.Start, 10)
			if v.Len() > 1 {
				dst = append(dst, '-')
				dst = strconv.AppendUint(dst, v.End-1, 10)
			}
		}
	}
	return dst
}
