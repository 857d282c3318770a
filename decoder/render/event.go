package render

import (
	"binlens/decoder"
	"binlens/decoder/charset"
	"binlens/decoder/frame"
	"binlens/decoder/schema"
	"binlens/decoder/value"
	"binlens/decoder/wire"
	"sort"
	"strconv"
	"unicode/utf8"
)

// Event is one listed row with all that is needed to show it.
type Event struct {
	Ordinal    int64
	Off        int64 // in the file
	Size       int64 // bytes
	Kind       frame.Kind
	Header     decoder.Header
	Raw        []byte // the event's bytes; only the first of them when it is Large
	Inside     bool   // inside a transaction payload: Off counts decompressed bytes
	Payload    int64  // ordinal of that payload's row
	PayloadOff int64  // and where it stands in the file
	Cipher     bool   // encrypted: of the header only the size is known
	Large      bool   // larger than max_event_size: not decoded
	Sum        frame.Sum
	Format     *decoder.FormatDescription
	Event      decoder.Event // nil for what is no event
	Bad        *wire.Error   // why the event could not be decoded to its end; its fields before that are set
	RowBad     *wire.Error   // what is wrong with the row as a whole; offsets from its first byte
	Spans      []wire.Span
	Group      uint32               // transaction, 0 none
	Wrapped    bool                 // next_position passed 4 GiB between the row before and this one
	TableMap   int64                // ordinal of the table map a row event was read with; -1 none
	Names      string               // where the columns' names in its table map come from: "metadata", "ddl", "file", "none"
	NamesBad   string               // why names that are known of the table were not used
	Known      *schema.Table        // what SQL says of the table of a row event; nil when nothing does
	Refs       *Refs                // other rows that the page can go to; may be nil
	Plans      *Plans               // of the tables; may be nil
	Joined     *Event               // of the last PARTIAL_ROW_DATA_EVENT of a row event: the row event. Ordinal, group and place are the piece's
	JoinBad    *wire.Error          // of such a piece: why the row event could not be put together
	JoinLarge  bool                 // it is larger than max_event_size
	Pieces     []Piece              // of a row event that was put together: where its bytes are
	spans      map[string]wire.Span // Spans by path, of an event with many; made when first asked for
	asked      int                  // in Spans: behind the one found last
	problems   []Problem            // found while rows were rendered
}

// Piece is a part of an event that was put together.
type Piece struct {
	At  int64 // where it begins in the event
	Off int64 // and in the file
}

// at returns where a byte of the event is in the file.
func (e *Event) at(n int64) int64 {
	if len(e.Pieces) == 0 {
		return e.Off + n
	}
	k := sort.Search(len(e.Pieces), func(k int) bool { return e.Pieces[k].At > n }) - 1
	return e.Pieces[max(k, 0)].Off + n - e.Pieces[max(k, 0)].At
}

// lastPiece returns where the last piece of the event is in that piece's own event.
func (e *Event) lastPiece() (start, end uint32) {
	p := e.Pieces[len(e.Pieces)-1]
	start = uint32(p.Off - e.Off)
	return start, start + uint32(int64(len(e.Raw))-p.At)
}

// Refs are ordinals of rows that an event refers to; -1 where there is none.
type Refs struct {
	Format int64 // the format description that it was read with
	First  int64 // the first of its transaction
}

// Problem is one thing that is wrong with an event.
type Problem struct {
	Kind       wire.Kind
	Offset     int64 // in the file
	BodyOffset int64 // from the start of the event's body
	Path       string
	Reason     string
}

// manySpans is from how many spans on they are put into a map to be looked up.
const manySpans = 64

// lookup returns a recorded span. Fields are mostly asked for in wire order, which is that of the spans.
func (e *Event) lookup(path string) (wire.Span, bool) {
	n := len(e.Spans)
	if n >= manySpans {
		return e.lookupMap(path)
	}
	for i := range n {
		k := e.asked + i
		if k >= n {
			k -= n
		}
		if s := &e.Spans[k]; s.Path == path {
			e.asked = k + 1
			return *s, true
		}
	}
	return wire.Span{}, false
}

func (e *Event) lookupMap(path string) (wire.Span, bool) {
	if e.spans == nil {
		e.spans = make(map[string]wire.Span, len(e.Spans))
		for _, s := range e.Spans {
			e.spans[s.Path] = s
		}
	}
	s, ok := e.spans[path]
	return s, ok
}

// span returns the bytes of a field, nil when it was not recorded.
func (e *Event) span(path string) []byte {
	s, ok := e.lookup(path)
	if !ok || int(s.End) > len(e.Raw) {
		return nil
	}
	return e.Raw[s.Start:s.End]
}

// spanLen returns how many bytes the items of a list take.
func (e *Event) spanLen(list string) (n int) {
	for _, s := range e.Spans {
		if len(s.Path) > len(list) && s.Path[:len(list)] == list && (s.Path[len(list)] == '[' || s.Path == list+"_extra") {
			n += int(s.End - s.Start)
		}
	}
	return n
}

func itemPath(name string, i int) string { return wire.Item(name, i) }

// headerLen returns the length of the common header, 0 for what is no event.
func (e *Event) headerLen() int64 {
	if e.Kind != frame.Event {
		return 0
	}
	return int64(e.Header.Len)
}

// problem makes a Problem of an error whose offset counts from the start of the body.
func (e *Event) problem(err *wire.Error) Problem {
	return Problem{Kind: err.Kind, Offset: e.at(e.headerLen() + err.Offset), BodyOffset: err.Offset, Path: err.Path, Reason: err.Msg}
}

// Problems returns all that is wrong with the event, as far as it was looked at: of rows, those that were rendered.
func (e *Event) Problems() []Problem {
	var list []Problem
	if b := e.RowBad; b != nil {
		list = append(list, Problem{Kind: b.Kind, Offset: e.at(b.Offset), BodyOffset: max(b.Offset-e.headerLen(), 0), Path: b.Path, Reason: b.Msg})
	}
	if e.Bad != nil {
		p := e.problem(e.Bad)
		if _, ok := e.Event.(*decoder.Gtid); ok {
			p.Reason = "InvalidGtidEvent: " + p.Reason
		}
		list = append(list, p)
	}
	switch ev := e.Event.(type) {
	case *decoder.Query:
		if ev.StatusErr != nil {
			list = append(list, e.problem(ev.StatusErr))
		}
	case *decoder.TableMap:
		if ev.OptionalErr != nil {
			list = append(list, e.problem(ev.OptionalErr))
		}
	}
	if e.NamesBad != "" {
		list = append(list, Problem{Kind: wire.Unsupported, Offset: e.at(e.startOf("table_id")), BodyOffset: e.startOf("table_id") - e.headerLen(), Path: "table_id", Reason: e.NamesBad})
	}
	if e.JoinBad != nil {
		list = append(list, e.problem(e.JoinBad))
	}
	if e.Joined != nil {
		for _, p := range e.Joined.Problems() {
			p.Path = "joined." + p.Path
			list = append(list, p)
		}
	}
	return append(list, e.problems...)
}

// AppendJSON appends the event's JSON object, the public contract: one line, without a line break.
func (e *Event) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	dst = strconv.AppendInt(appendKey(dst, "ordinal"), e.Ordinal, 10)
	if e.Kind != frame.Event {
		dst = appendString(appendKey(dst, "kind"), e.Kind.String())
	}
	dst = strconv.AppendInt(appendKey(dst, "offset"), e.Off, 10)
	if e.Kind != frame.Event {
		dst = strconv.AppendInt(appendKey(dst, "size"), e.Size, 10)
	} else {
		dst = e.appendEvent(dst)
	}
	if e.Inside {
		dst = strconv.AppendInt(append(appendKey(dst, "payload"), `{"ordinal":`...), e.Payload, 10)
		dst = append(strconv.AppendInt(append(dst, `,"offset":`...), e.PayloadOff, 10), '}')
	}
	if e.Joined != nil {
		dst = e.Joined.appendJoined(append(appendKey(dst, "joined"), '{'))
	}
	if list := e.Problems(); len(list) > 0 {
		dst = append(appendKey(dst, "problems"), '[')
		for _, p := range list {
			dst = p.AppendJSON(comma(dst))
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func (e *Event) appendEvent(dst []byte) []byte {
	h := &e.Header
	dst = appendString(appendKey(dst, "type"), e.TypeTitle())
	if e.Cipher {
		dst = append(appendKey(dst, "encrypted"), "true"...)
		return strconv.AppendUint(appendKey(dst, "size"), uint64(h.Size), 10)
	}
	dst = strconv.AppendUint(appendKey(dst, "code"), uint64(h.Code), 10)
	dst = strconv.AppendUint(appendKey(dst, "timestamp"), uint64(h.Timestamp), 10)
	dst = strconv.AppendUint(appendKey(dst, "server_id"), uint64(h.ServerID), 10)
	dst = strconv.AppendUint(appendKey(dst, "size"), uint64(h.Size), 10)
	if h.Len >= decoder.HeaderLen {
		dst = strconv.AppendUint(appendKey(dst, "next_position"), uint64(h.NextPosition), 10)
		dst, _ = appendFlags(appendKey(dst, "flags"), uint64(h.Flags), headerFlags)
	}
	if e.Sum.Len > 0 {
		dst = append(appendKey(dst, "checksum"), `{"stored":"0x`...)
		dst = appendHex32(dst, e.Sum.Stored)
		dst = append(strconv.AppendBool(append(dst, `","ok":`...), e.Sum.OK()), '}')
	}
	if e.Group > 0 {
		dst = strconv.AppendUint(appendKey(dst, "transaction"), uint64(e.Group), 10)
	}
	if e.Large || e.Event == nil {
		return dst
	}
	return e.appendData(dst)
}

// appendJoined appends a row event that was put together, without what it has in common with its last piece.
func (e *Event) appendJoined(dst []byte) []byte {
	dst = appendString(appendKey(dst, "type"), e.TypeTitle())
	dst = strconv.AppendUint(appendKey(dst, "code"), uint64(e.Header.Code), 10)
	dst = strconv.AppendInt(appendKey(dst, "size"), e.Size, 10)
	dst = strconv.AppendInt(appendKey(dst, "pieces"), int64(len(e.Pieces)), 10)
	return append(e.appendData(dst), '}')
}

func (e *Event) appendData(dst []byte) []byte {
	w := writer{b: append(appendKey(dst, "data"), '{'), only: e.only()}
	describe(&w, e)
	for _, name := range [...]string{"padding", "surplus", "trailing", "unread"} {
		w.rest(e, name)
	}
	return append(w.b, '}')
}

// only returns the paths that were recorded, for an event that could not be read to its end.
func (e *Event) only() map[string]bool {
	if e.Bad == nil {
		return nil
	}
	m := make(map[string]bool, len(e.Spans))
	for _, s := range e.Spans {
		m[s.Path] = true
	}
	return m
}

// AppendJSON appends the problem as it stands in the event JSON.
func (p *Problem) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	dst = appendString(appendKey(dst, "kind"), p.Kind.String())
	dst = strconv.AppendInt(appendKey(dst, "offset"), p.Offset, 10)
	dst = strconv.AppendInt(appendKey(dst, "body_offset"), p.BodyOffset, 10)
	dst = appendString(appendKey(dst, "path"), p.Path)
	dst = appendString(appendKey(dst, "reason"), p.Reason)
	return append(dst, '}')
}

func appendHex32(dst []byte, n uint32) []byte {
	return appendHex(dst, []byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
}

// typeName spells out a column's type as SHOW COLUMNS does.
func (e *Event) typeName(c *decoder.Column) string {
	cs := charset.Unknown
	if c.Collation != 0 && c.Collation <= 0xffff {
		cs = charset.CharsetOf(e.family(), charset.ID(c.Collation))
	}
	t := value.Traits{Unsigned: c.Unsigned, Binary: cs == charset.Binary, Dims: int(min(c.Dimension, 1<<16)), Geometry: int(min(c.Geometry, 255))}
	if cs != charset.Unknown {
		t.CharLen = cs.MaxLen()
	}
	return string(value.AppendTypeName(nil, c.Type, c.Meta, t))
}

// queryText returns the text of a statement: in its client's character set where the event names one, else as UTF-8 if
// it is that.
func (e *Event) queryText(q *decoder.Query) content {
	id, known := q.ClientCharset()
	if !known {
		return guess(q.Text)
	}
	return e.decodeText("query", q.Text, charset.CharsetOf(e.family(), charset.ID(id)))
}

// guess is for bytes of an unknown character set.
func guess(b []byte) content {
	if utf8.Valid(b) {
		return content{b: b}
	}
	return content{b: b, form: formHex, note: "character set unknown"}
}

// decodeText returns the text of a field in UTF-8; bytes that are none are shown in hexadecimal, and are a problem.
func (e *Event) decodeText(path string, b []byte, cs charset.Charset) content {
	if cs == charset.Binary || cs == charset.Unknown {
		return guess(b)
	}
	text, ok := cs.AppendUTF8(nil, b)
	switch {
	case ok:
		return content{b: text}
	case cs.Supported():
		at := cs.FirstBad(b)
		e.addProblem(wire.Corrupt, path, e.startOf(path)+int64(at), "byte "+strconv.Itoa(at)+" is no character of "+cs.Name()+": shown in hexadecimal")
	default:
		e.addProblem(wire.Unsupported, path, e.startOf(path), "text in "+cs.Name()+" is not read yet: shown in hexadecimal")
	}
	return content{b: b, form: formHex, note: cs.Name()}
}

func (e *Event) startOf(path string) int64 {
	s, _ := e.lookup(path)
	return int64(s.Start)
}

// maxRowProblems is how many problems of one event are listed; rows beyond it still show theirs in place.
const maxRowProblems = 1000

// addProblem notes a problem at a byte of the event.
func (e *Event) addProblem(k wire.Kind, path string, at int64, reason string) {
	if n := len(e.problems); n < maxRowProblems && (n == 0 || e.problems[n-1].Path != path) {
		e.problems = append(e.problems, Problem{Kind: k, Offset: e.at(at), BodyOffset: at - e.headerLen(), Path: path, Reason: reason})
	}
}

func (e *Event) tableName(r *decoder.Rows) string {
	if r.Map == nil {
		return ""
	}
	return showText(r.Map.Schema) + "." + showText(r.Map.Table)
}
