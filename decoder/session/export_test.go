package session

// SetInsideFloor changes how many events inside payloads are listed, and returns how to change it back.
func SetInsideFloor(n int64) (restore func()) {
	old := insideFloor
	insideFloor = n
	return func() { insideFloor = old }
}

// CountedTwice counts the rows of a row event in the short way and in the long one; short is false when it is left to that.
func (s *Session) CountedTwice(ordinal int64) (n, again uint32, short, long bool) {
	row := s.Index().Row(ordinal)
	a, short := s.countPlain(row)
	b := s.countRows(row)
	return a.n, b.n, short, b.known
}
