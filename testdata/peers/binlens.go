package main

import (
	"bytes"
	"io"
	"os"

	"binlens/decoder/session"
)

// chunk is how much of the file is read at once, in bytes: as the page's worker does.
const chunk = 1 << 20

// scan opens a log and indexes it, with the checksum of every event verified, to its end. After each chunk it calls
// listed, if there is one, with the session.
func scan(file string, listed func(*session.Session) error) (*session.Session, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	s, err := session.Open(f, info.Size(), session.Options{})
	if err != nil {
		return nil, err
	}
	buf := make([]byte, chunk)
	for ended := false; !ended; {
		n, err := io.ReadFull(f, buf)
		if ended = err == io.EOF || err == io.ErrUnexpectedEOF; err != nil && !ended {
			return nil, err
		}
		s.Feed(buf[:n])
		if ended {
			s.Finish()
		}
		for s.Step(0) {
		}
		if listed != nil {
			if err := listed(s); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// indexAndSum finds every event, verifies its checksum and lists it.
func indexAndSum(file string) (count, error) {
	s, err := scan(file, nil)
	if err != nil {
		return count{}, err
	}
	return count{events: s.Index().Len()}, nil
}

// toJSON does what indexAndSum does and turns every event, with all its rows, into the public event JSON.
func toJSON(file string) (count, error) { return appendAll(file, func([]byte) int64 { return 0 }) }

// toJSONCounted is toJSON that also counts rows, which costs time.
func toJSONCounted(file string) (count, error) {
	return appendAll(file, func(line []byte) int64 {
		if !bytes.Contains(line, []byte(`"rows":[`)) {
			return 0
		}
		// A quote inside a JSON string is escaped, so these stand nowhere but at the start of a row.
		return int64(bytes.Count(line, []byte(`{"after":{`)) + bytes.Count(line, []byte(`{"before":{`)))
	})
}

func appendAll(file string, rows func(line []byte) int64) (count, error) {
	var seen count
	var line []byte
	_, err := scan(file, func(s *session.Session) (err error) {
		for ; seen.events < s.Index().Len(); seen.events++ {
			if line, err = s.AppendJSON(line[:0], seen.events, true); err != nil {
				return err
			}
			seen.rows += rows(line)
		}
		return nil
	})
	return seen, err
}
