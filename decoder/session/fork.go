package session

// Fork returns a session that shows the rows that s has indexed, with buffers of its own: while s does nothing, it and other
// forks may be used at once, each by one goroutine. It shares the index, which grows with s, the file and the schemas given so
// far. It is for loading rows and what is made of them, such as AppendJSON; it is neither fed nor stepped.
func Fork(s *Session) *Session {
	f := &Session{ra: s.ra, size: s.size, maxEvent: s.maxEvent, start: s.start, mapNames: s.mapNames, index: s.index}
	f.names.file, f.names.files = s.names.file, s.names.files
	f.init()
	return f
}
