package index_test

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/index"
	"binlens/decoder/internal/logtest"
)

// build indexes a log.
func build(t testing.TB, log []byte) *index.Index {
	t.Helper()
	start, err := frame.Sniff(log[:min(len(log), frame.SniffLen)], int64(len(log)))
	if err != nil {
		t.Fatal(err)
	}
	s := frame.NewScanner(bytes.NewReader(log), int64(len(log)), start, 0)
	s.Feed(log[start.Off:])
	s.Finish()
	var b index.Builder
	var fr frame.Frame
	for {
		switch s.Next(&fr) {
		case frame.Got:
			b.Add(&fr)
		case frame.Done:
			return &b.Index
		case frame.More:
			t.Fatal("the scanner wants more after the end")
		}
	}
}

// groups shows the transactions of a log: each event as the first letters of its type, in brackets from the first of a
// transaction to its last; a transaction without an end has no closing bracket; events outside stand alone.
func groups(x *index.Index) string {
	var b []string
	for i := range x.Len() {
		r := x.Row(i)
		name := short[r.Type]
		if name == "" {
			name = r.Type.String()
		}
		switch {
		case r.Group == 0:
		case r.First && r.Last:
			name = "[" + name + "]"
		case r.First:
			name = "[" + name
		case r.Last:
			name += "]"
		default:
			name = "·" + name
		}
		b = append(b, name)
	}
	return strings.Join(b, " ")
}

var short = map[decoder.Type]string{decoder.FormatDescriptionType: "fde", decoder.StartV3: "start", decoder.QueryType: "query", decoder.XidType: "xid", decoder.GtidType: "gtid",
	decoder.AnonymousGtidType: "anon", decoder.GtidTaggedType: "tagged", decoder.TableMapType: "map", decoder.WriteRowsType: "rows", decoder.WriteRowsV1Type: "rows", decoder.UpdateRowsV1Type: "rows",
	decoder.RotateType: "rotate", decoder.StopType: "stop", decoder.IntvarType: "intvar", decoder.RandType: "rand", decoder.UserVarType: "uservar", decoder.RowsQueryType: "rowsquery",
	decoder.PreviousGtidsType: "previous", decoder.MariaGtidType: "mgtid", decoder.GtidListType: "list", decoder.BinlogCheckpointType: "checkpoint", decoder.AnnotateRowsType: "annotate",
	decoder.XaPrepareType: "xaprepare", decoder.TransactionPayloadType: "payload", decoder.IncidentType: "incident", decoder.ViewChangeType: "viewchange", decoder.BeginLoadQueryType: "beginload",
	decoder.AppendBlockType: "append", decoder.ExecuteLoadQueryType: "executeload"}

// log writes the events that a line of words names, of a server: words as in groups; 'sql' is a QUERY_EVENT; rows ends its
// statement, rows- does not; mgtid:N has the flags N.
func log(t testing.TB, s logtest.Server, words string) *logtest.Log {
	t.Helper()
	l := logtest.New(s, logtest.CRC32)
	write := byte(logtest.TypeWriteRowsV1)
	if s.V2() {
		write = logtest.TypeWriteRows
	}
	columns := []logtest.Column{logtest.Col(3)}
	rows := func(flags uint16) {
		l.Event(write, logtest.Rows{ID: 9, Flags: flags, V2: s.V2(), Width: 1, After: []byte{1}, Data: logtest.Image(logtest.U32(5))}.Body())
	}
	for words != "" {
		var word string
		if words[0] == '\'' {
			word, words, _ = strings.Cut(words[1:], "'")
			l.SQL("d", word)
			words = strings.TrimPrefix(words, " ")
			continue
		}
		word, words, _ = strings.Cut(words, " ")
		word, arg, _ := strings.Cut(word, ":")
		switch word {
		case "gtid":
			l.Event(logtest.TypeGtid, make([]byte, 42))
		case "anon":
			l.Event(logtest.TypeAnonymous, make([]byte, 42))
		case "tagged":
			l.Event(42, []byte{2, 6, 0})
		case "mgtid":
			flags, err := strconv.ParseUint(arg, 0, 8)
			if err != nil {
				t.Fatal(err)
			}
			l.Event(logtest.TypeMariaGtid, logtest.MariaGtid(1, 0, byte(flags)))
		case "xid":
			l.Event(logtest.TypeXid, logtest.U64(1))
		case "map":
			l.Event(logtest.TypeTableMap, logtest.Table{ID: 9, Schema: "d", Name: "t" + arg, Columns: columns}.Body())
		case "rows":
			rows(logtest.StmtEnd)
		case "rows-":
			rows(0)
		case "intvar":
			l.Event(logtest.TypeIntvar, logtest.Intvar(2, 5))
		case "rand":
			l.Event(logtest.TypeRand, logtest.U64(1), logtest.U64(2))
		case "uservar":
			l.Event(logtest.TypeUserVar, logtest.UserVar{Name: "a", Null: true}.Body())
		case "fde":
			l.Format(0)
		default:
			typ := map[string]byte{"rotate": logtest.TypeRotate, "stop": logtest.TypeStop, "rowsquery": logtest.TypeRowsQuery, "previous": logtest.TypePreviousGtids, "list": logtest.TypeGtidList,
				"checkpoint": logtest.TypeCheckpoint, "annotate": logtest.TypeAnnotate, "xaprepare": logtest.TypeXaPrepare, "payload": logtest.TypePayload, "incident": logtest.TypeIncident,
				"viewchange": logtest.TypeViewChange, "beginload": 17, "append": 9, "executeload": 18}[word]
			if typ == 0 {
				t.Fatalf("no event %q", word)
			}
			l.Event(typ, make([]byte, 60))
		}
	}
	return l
}
