package session_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// textEvent is an event as a server's tool prints it: where it stands, and in one letter what it is to transactions.
type textEvent struct {
	at     int64
	letter byte
	inside []byte // of a payload whose events are printed: their letters
}

// The letters.
const (
	letterOutside  = 'o' // no part of a transaction: rotation, checkpoints, sets of GTIDs
	letterStart    = 'F' // a start of the server
	letterGtid     = 'G' // MySQL's GTID, or that there is none
	letterAlone    = 'S' // MariaDB's GTID of a group that begins with no START TRANSACTION
	letterMaria    = 'T' // MariaDB's GTID of one that does
	letterBegin    = 'B' // BEGIN, XA START
	letterCommit   = 'C'
	letterXid      = 'X' // printed as COMMIT
	letterRollback = 'R'
	letterPrepare  = 'P' // XA PREPARE
	letterOnePhase = 'p' // XA COMMIT … ONE PHASE
	letterXACommit = 'c'
	letterXARoll   = 'r'
	letterQuery    = 'q' // another statement
	letterValue    = 'v' // variables and blocks of files, in front of the statement they are for
	letterMap      = 'm' // table maps, and the statement of rows
	letterRows     = 'w'
	letterRowsEnd  = 'W' // rows that end their statement
	letterPayload  = 'Z'
	letterIncident = 'I'
	letterGroup    = 'V' // group replication
)

// textReader reads what a tool prints.
type textReader struct {
	events   []textEvent  // all whose place is printed
	size     int64        // of the log
	met      int          // of events, whose places were read
	unspoken []int        // events whose place was read, and nothing else so far
	current  *spokenEvent // whose lines are read
	inside   bool         // of a payload
	cipher   bool         // the rest of the log is encrypted
}

// spokenEvent is an event of which the tool prints a header.
type spokenEvent struct {
	number    int    // in events
	text      string // of the header
	statement []string
	lines     []string
}

var (
	textAt     = regexp.MustCompile(`^# at (\d+)$`)
	textHeader = regexp.MustCompile(`^#\d{6} +\d+:\d\d:\d\d server id \d+  end_log_pos (\d+) (?:CRC32 0x[0-9a-f]{8} )?(.*)$`)
)

func readBoundaries(b []byte, size int64) []textEvent {
	lines := strings.Split(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n")
	r := textReader{size: size}
	for _, line := range lines {
		if m := textAt.FindStringSubmatch(line); !r.enters(line) && m != nil {
			n, _ := strconv.ParseInt(m[1], 10, 64)
			r.events = append(r.events, textEvent{at: n, letter: letterOutside})
		}
	}
	for _, line := range lines {
		r.line(line)
	}
	r.spoken()
	return r.events
}

// enters follows where payloads begin and end, and says that the line is in one.
func (r *textReader) enters(line string) bool {
	switch line {
	case "# Start of compressed events.":
		r.inside = true
	case "# End of compressed events.":
		r.inside = false
	}
	return r.inside
}

func (r *textReader) line(line string) {
	place, header := textAt.MatchString(line), textHeader.FindStringSubmatch(line)
	if place || header != nil || strings.HasSuffix(line, " of compressed events.") || strings.HasPrefix(line, "DELIMITER ;") || line == "# Encrypted event" {
		r.spoken()
	}
	inside := r.enters(line)
	switch {
	case place && !inside: // an event inside a payload is said to stand at its end
		r.unspoken = append(r.unspoken, r.met)
		r.met++
	case header != nil:
		end, _ := strconv.ParseInt(header[1], 10, 64)
		r.current = &spokenEvent{number: r.pick(end), text: strings.TrimPrefix(header[2], "\t")}
	case line == "# Encrypted event": // also MariaDB's word for events of MySQL that it does not know: no header
		r.encrypted(r.pick(-1))
	case strings.HasPrefix(line, "# Encryption scheme: "):
		r.pick(-1)
		r.cipher = true
	case r.current != nil:
		r.current.add(line)
	}
}

// encrypted is for MySQL's payloads, which stand alone behind a GTID, and its partial updates.
func (r *textReader) encrypted(n int) {
	switch {
	case r.cipher:
	case r.events[n-1].letter == letterGtid:
		r.events[n].letter = letterPayload
	default:
		r.events[n].letter = letterRows
	}
}

// pick returns the event that a header is for: that which ends where it says, or the first of which nothing was printed.
// Inside a payload, and where the tool prints one twice, there is none: -1.
func (r *textReader) pick(end int64) int {
	if r.inside || len(r.unspoken) == 0 {
		return -1
	}
	k := max(slices.IndexFunc(r.unspoken, func(n int) bool {
		if n+1 < len(r.events) {
			return r.events[n+1].at == end
		}
		return r.size == end
	}), 0)
	n := r.unspoken[k]
	r.unspoken = slices.Delete(r.unspoken, k, k+1)
	return n
}

// add takes a line behind a header. A statement is what stands between the settings, each with a delimiter behind it, and a
// delimiter on a line of its own.
func (e *spokenEvent) add(line string) {
	if rest, ok := strings.CutPrefix(line, "# \t"); ok && e.text == "" { // behind the bytes, with the option that prints them
		e.text = rest
	}
	e.lines = append(e.lines, line)
	if line == "/*!*/;" && e.statement == nil {
		e.statement = e.pending()
	}
}

// pending returns the lines since the last setting.
func (e *spokenEvent) pending() []string {
	lines := e.lines[:len(e.lines)-1]
	from := 0
	for i, l := range lines {
		if strings.HasSuffix(l, "/*!*/;") {
			from = i + 1
		}
	}
	return lines[from:]
}

// spoken ends the event whose lines are read.
func (r *textReader) spoken() {
	e := r.current
	r.current = nil
	if e == nil {
		return
	}
	letter := e.letter()
	switch {
	case r.inside:
		payload := &r.events[r.met-1]
		payload.inside = append(payload.inside, letter)
	case e.number >= 0:
		r.events[e.number].letter = letter
	}
}

var summaryLetters = []struct {
	start  string
	letter byte
}{
	{"GTID\t", letterGtid}, {"Anonymous_GTID\t", letterGtid}, {"Tagged_GTID\t", letterGtid},
	{"Table_map: ", letterMap}, {"Rows_query", letterMap}, {"Annotate_rows:", letterMap},
	{"Xid = ", letterXid}, {"Intvar", letterValue}, {"Rand", letterValue}, {"User_var", letterValue},
	{"Transaction_Payload", letterPayload},
}

// said are lines behind a header that says nothing of itself.
var saidLetters = []struct {
	start  string
	letter byte
}{
	{"#Begin_load_query", letterValue}, {"#Append_block", letterValue}, {"#Delete_file", letterValue}, {"#Exec_load", letterQuery},
	{"# Incident", letterIncident}, {"# LOAD DATA", letterValue},
	{"# Ignorable event type 29 ", letterMap}, {"# Ignorable event type 33 ", letterGtid}, {"# Ignorable event type 34 ", letterGtid},
	{"# Ignorable event type 36 ", letterGroup}, {"# Ignorable event type 37 ", letterGroup},
}

var rowsSummary = regexp.MustCompile(`^(Write|Update|Delete)_(compressed_)?rows\w*: table id `)

// letter says what the event is to transactions.
func (e *spokenEvent) letter() byte {
	for _, s := range summaryLetters {
		if strings.HasPrefix(e.text, s.start) {
			return s.letter
		}
	}
	for _, line := range e.lines {
		for _, s := range saidLetters {
			if strings.HasPrefix(line, s.start) {
				return s.letter
			}
		}
	}
	switch word, _, _ := strings.Cut(e.text, " "); {
	case rowsSummary.MatchString(e.text):
		if strings.Contains(e.text, "STMT_END_F") {
			return letterRowsEnd
		}
		return letterRows
	case word == "Start:":
		if slices.Contains(e.lines, "ROLLBACK/*!*/;") {
			return letterStart
		}
	case word == "GTID":
		for _, l := range e.lines {
			if l == "START TRANSACTION" || l == "BEGIN" || strings.HasPrefix(l, "XA START ") {
				return letterMaria
			}
		}
		return letterAlone
	case strings.HasPrefix(e.text, "XA PREPARE X'"), strings.HasPrefix(e.text, "XID = X'"):
		if slices.ContainsFunc(e.lines, func(l string) bool { return strings.HasSuffix(l, "ONE PHASE") }) {
			return letterOnePhase
		}
		return letterPrepare
	case strings.HasPrefix(e.text, "Query"), strings.HasPrefix(e.text, "Execute_load_query"):
		return statementLetter(strings.Join(e.statement, "\n"))
	}
	return letterOutside
}

var statementLetters = []struct {
	like   *regexp.Regexp
	letter byte
}{
	{regexp.MustCompile(`(?i)^\s*(BEGIN|XA\s+(START|BEGIN)\b.*)\s*$`), letterBegin},
	{regexp.MustCompile(`(?i)^\s*COMMIT\s*$`), letterCommit},
	{regexp.MustCompile(`(?i)^\s*ROLLBACK\s*$`), letterRollback},
	{regexp.MustCompile(`(?i)^\s*XA\s+COMMIT\b`), letterXACommit},
	{regexp.MustCompile(`(?i)^\s*XA\s+ROLLBACK\b`), letterXARoll},
}

func statementLetter(sql string) byte {
	for _, s := range statementLetters {
		if s.like.MatchString(sql) {
			return s.letter
		}
	}
	return letterQuery
}
