package session_test

import (
	"binlens/decoder/session"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func statsOf(t testing.TB, s *session.Session, sel session.Selection, top int) *session.Stats {
	t.Helper()
	st, err := s.Stats(sel, top)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// toolWords are the words that MariaDB's tool has for events of a type.
var toolWords = []struct{ word, typ string }{
	{"Start: binlog", "FORMAT_DESCRIPTION_EVENT"}, {"Gtid list", "GTID_LIST_EVENT"}, {"Binlog checkpoint", "BINLOG_CHECKPOINT_EVENT"}, {"GTID ", "MARIADB_GTID_EVENT"},
	{"Annotate_rows:", "ANNOTATE_ROWS_EVENT"}, {"Table_map:", "TABLE_MAP_EVENT"}, {"Write_rows", "WRITE_ROWS_EVENT_V1"}, {"Update_rows", "UPDATE_ROWS_EVENT_V1"},
	{"Delete_rows", "DELETE_ROWS_EVENT_V1"}, {"Xid =", "XID_EVENT"}, {"Query_compressed", "QUERY_COMPRESSED_EVENT"}, {"Query", "QUERY_EVENT"}, {"Rotate to", "ROTATE_EVENT"},
	{"Stop", "STOP_EVENT"}, {"Intvar", "INTVAR_EVENT"}, {"Rand", "RAND_EVENT"}, {"User_var", "USER_VAR_EVENT"},
	{"Write_compressed_rows", "WRITE_ROWS_COMPRESSED_EVENT_V1"}, {"Update_compressed_rows", "UPDATE_ROWS_COMPRESSED_EVENT_V1"}, {"Delete_compressed_rows", "DELETE_ROWS_COMPRESSED_EVENT_V1"},
}

// toolCounts counts in a text of the tool: events and bytes by type, and rows by table and INSERT, UPDATE, DELETE.
func toolCounts(t *testing.T, said []byte) (types map[string]session.SizeStats, rows map[string][3]int64) {
	tool := readTool(t, said)
	var starts []int64
	for at := range tool.at {
		starts = append(starts, at)
	}
	slices.Sort(starts)
	types, rows = map[string]session.SizeStats{}, map[string][3]int64{}
	for i, at := range starts {
		for end, line := range tool.events {
			if end <= at || i+1 < len(starts) && end != starts[i+1] {
				continue
			}
			for _, w := range toolWords {
				if strings.HasPrefix(line[3], w.word) {
					c := types[w.typ]
					types[w.typ] = session.SizeStats{Events: c.Events + 1, Bytes: c.Bytes + end - at}
					break
				}
			}
		}
	}
	for _, line := range strings.Split(string(said), "\n") {
		if m := toolRow.FindStringSubmatch(line); m != nil {
			c := rows[m[2]]
			c[strings.Index("IUD", m[1][:1])]++
			rows[m[2]] = c
		}
	}
	return types, rows
}

// The figures of each log are those of the text that the server's own tool made of it.
func TestStatsAgainstTool(t *testing.T) {
	compared := 0
	for _, name := range []string{"basic", "compressed", "extras", "gtid", "images", "nochecksum", "types", "types_minimal", "types_nolog", "temporals_old"} {
		said := testdata(t, "mariadb/"+name+".mariadb-binlog.txt")
		if strings.Contains(string(said), "# exit status") {
			continue
		}
		compared++
		t.Run(name, func(t *testing.T) {
			types, rows := toolCounts(t, said)
			st := statsOf(t, surveyed(t, testdata(t, "mariadb/"+name+".binlog")), nil, 5)
			for _, e := range st.Types {
				if types[e.Type] != e.SizeStats {
					t.Errorf("%s: %+v, the tool has %+v", e.Type, e.SizeStats, types[e.Type])
				}
				delete(types, e.Type)
			}
			for typ, c := range types {
				t.Errorf("%s: not counted, the tool has %+v", typ, c)
			}
			tick := strings.NewReplacer("`", "``")
			for _, v := range st.Tables {
				table := "`" + tick.Replace(v.Schema) + "`.`" + tick.Replace(v.Table) + "`"
				if got := [3]int64{v.Inserted, v.Updated, v.Deleted}; got != rows[table] {
					t.Errorf("%s: rows %v, the tool has %v", table, got, rows[table])
				}
				delete(rows, table)
			}
			for table, c := range rows {
				t.Errorf("%s: not counted, the tool has %v", table, c)
			}
		})
	}
	if compared < 8 {
		t.Errorf("only %d logs compared", compared)
	}
}

// What stands in testdata/mariadb/gtid.sql and in the tool's text of it.
func TestStatsOfGTIDs(t *testing.T) {
	s := surveyed(t, testdata(t, "mariadb/gtid.binlog"))
	previous := []string{"1-101-1000", "0-1-3", "4294967295-4294967295-9223372036854775806", "2-1-4294967296"}
	for _, c := range []struct {
		filter       string
		counted      int64
		states       map[string]int64
		ranges       []session.GTIDRange
		largest      string
		mostRows     uint64
		tableOf      string
		inserted     int64
		first, bytes int64
	}{
		{"", 45, map[string]int64{"committed": 7, "implicit": 2}, []session.GTIDRange{{0, 1, 4, 10, 7}, {1, 102, 1001, 1001, 1}, {7, 102, 1, 1, 1}},
			"0-1-8", 6, "t", 5, 1767686340, 2967 - 4},
		{"table:gtids.m", 2, map[string]int64{"committed": 1}, []session.GTIDRange{{0, 1, 5, 5, 1}}, "0-1-5", 1, "m", 1, 1767686340, 906 - 786},
		{"gtid:1-102-1001", 5, map[string]int64{"committed": 1}, []session.GTIDRange{{1, 102, 1001, 1001, 1}}, "1-102-1001", 1, "t", 1, 1767686340, 1696 - 1417},
		{"type:stop", 0, map[string]int64{}, nil, "", 0, "", 0, 0, 0},
	} {
		var sel session.Selection
		if c.filter != "" {
			filtered(t, s, c.filter)
			sel = s.Filtered()
		}
		st := statsOf(t, s, sel, 3)
		if st.Listed != 45 || st.Counted != c.counted || !reflect.DeepEqual(st.Transactions.States, c.states) || !slices.Equal(st.GTIDs.Previous, previous) || !slices.Equal(st.GTIDs.Ranges, c.ranges) {
			t.Errorf("%q: %d rows, %v, %+v", c.filter, st.Counted, st.Transactions.States, st.GTIDs)
		}
		if int64(st.First) != c.first || st.Bytes != c.bytes || st.Checks.Total != 0 || st.Problems.Rows != 0 {
			t.Errorf("%q: first %d, %d bytes, %+v, %+v", c.filter, st.First, st.Bytes, st.Checks, st.Problems)
		}
		if c.largest == "" {
			continue
		}
		if got := st.Transactions.Largest[0].GTID; got != c.largest {
			t.Errorf("%q: the largest is %s", c.filter, got)
		}
		if got := *st.Transactions.Most[0].Rows; got != c.mostRows {
			t.Errorf("%q: most rows %d", c.filter, got)
		}
		i := slices.IndexFunc(st.Tables, func(v session.TableStats) bool { return v.Table == c.tableOf })
		if i < 0 || st.Tables[i].Inserted != c.inserted {
			t.Errorf("%q: %+v", c.filter, st.Tables)
		}
	}
}

// The sample's story, as testdata/sample/sample.sql tells it: at 14:03:07 a DELETE without half of its WHERE takes 90 items and 30
// orders, the largest change but for the load of customers.
func TestStatsOfSample(t *testing.T) {
	st := statsOf(t, surveyed(t, testdata(t, "sample/sample.binlog")), nil, 2)
	if got := fmt.Sprint(st.Transactions.Most[0].Tables, *st.Transactions.Most[0].Rows, st.Transactions.Most[1].Tables, *st.Transactions.Most[1].Rows, st.Transactions.Most[1].Start); got != "[shop.customers] 250 [shop.order_items shop.orders] 120 1767708187" {
		t.Error(got)
	}
	if len(st.Busy.List) != 2 || st.Busy.Seconds != 60 || st.Busy.List[1].From != 1767708180 {
		t.Errorf("%+v", st.Busy)
	}
}

// Problems are counted with the reasons of the first, and of a part of the log only those in it.
func TestStatsOfProblems(t *testing.T) {
	s := surveyed(t, testdata(t, "mysql/damaged84.binlog"))
	st := statsOf(t, s, nil, 2)
	if want := map[string]int64{"truncated": 2, "checksum": 1, "corrupt": 1}; st.Problems.Rows != 4 || !reflect.DeepEqual(st.Problems.Kinds, want) || len(st.Problems.List) != 2 {
		t.Errorf("%+v", st.Problems)
	}
	if f := st.Problems.List[0]; f.Ordinal != 2 || f.Offset != 228 || f.Type != "QUERY_EVENT" || f.Path != "checksum" {
		t.Errorf("%+v", f)
	}
	if !reflect.DeepEqual(st.NoEvents, []session.TypeStats{{Type: "gap", SizeStats: session.SizeStats{Events: 1, Bytes: 37}}, {Type: "truncated", SizeStats: session.SizeStats{Events: 1, Bytes: 39}}}) {
		t.Errorf("%+v", st.NoEvents)
	}
	if st := statsOf(t, s, session.Rows{From: 5, To: 7}, 2); st.Problems.Rows != 1 || st.Problems.List[0].Ordinal != 5 || st.Counted != 2 {
		t.Errorf("%+v", st.Problems)
	}
}

// The figures of all of a log are those that the page's views have; those of its two halves add up to them.
func TestStatsOfEveryLog(t *testing.T) {
	n := eachLog(t, func(t *testing.T, log []byte) {
		s := surveyed(t, log)
		st := statsOf(t, s, nil, 3)
		if st.Problems.Rows != s.Progress().Problems {
			t.Errorf("%d rows with a problem, the session has %d", st.Problems.Rows, s.Progress().Problems)
		}
		sum := st.Bytes + 4
		for _, e := range st.NoEvents {
			sum += e.Bytes
		}
		if log[0] == 0xfe && sum != st.Size {
			t.Errorf("%d of %d bytes", sum, st.Size)
		}
		var totals struct{ Types []session.TypeStats }
		var tables struct{ Tables []session.TableStats }
		var trx struct{ Transactions []session.TransactionFacts }
		decodeAll(t, s.Totals(), &totals, s.Tables(session.TablesByBytes, 0, 1<<20), &tables, s.Transactions(session.ByBytes, 0, 3), &trx)
		if len(totals.Types) != len(st.Types) || len(tables.Tables) != len(st.Tables) || !reflect.DeepEqual(trx.Transactions, st.Transactions.Largest) && len(trx.Transactions) > 0 {
			t.Errorf("%+v\n%+v", trx.Transactions, st.Transactions.Largest)
		}
		for _, v := range totals.Types {
			if !slices.Contains(st.Types, v) {
				t.Errorf("%+v in %+v", v, st.Types)
			}
		}
		for _, v := range tables.Tables {
			if !slices.Contains(st.Tables, v) {
				t.Errorf("%+v in %+v", v, st.Tables)
			}
		}
		half := s.Index().Len() / 2
		a, b := statsOf(t, s, session.Rows{From: 0, To: half}, 3), statsOf(t, s, session.Rows{From: half, To: s.Index().Len()}, 3)
		if a.Counted+b.Counted != st.Counted || a.Bytes+b.Bytes != st.Bytes || a.Inside.Events+b.Inside.Events != st.Inside.Events ||
			a.Problems.Rows+b.Problems.Rows != st.Problems.Rows || rowsIn(a)+rowsIn(b) != rowsIn(st) || a.Transactions.Total+b.Transactions.Total < st.Transactions.Total {
			t.Errorf("%+v and %+v are not %+v", a, b, st)
		}
	})
	if n < 40 {
		t.Errorf("only %d logs", n)
	}
}

func rowsIn(st *session.Stats) (n int64) {
	for _, v := range st.Tables {
		n += v.Inserted + v.Updated + v.Deleted + v.Uncounted
	}
	return n
}

// decodeAll decodes JSON into what follows it.
func decodeAll(t *testing.T, pairs ...any) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if err := json.Unmarshal(pairs[i].([]byte), pairs[i+1]); err != nil {
			t.Fatal(err)
		}
	}
}

// The statistics of a real server's corpus count the rows that its tool prints.
func TestStatsOfCorpus(t *testing.T) {
	texts, _ := filepath.Glob(filepath.Join(root(t), "..", "shared", "corpus", "mysql80", "*.mysqlbinlog.txt"))
	if len(texts) == 0 {
		t.Skip("skipped: no corpus")
	}
	for _, name := range texts {
		log, err := os.ReadFile(strings.TrimSuffix(name, ".mysqlbinlog.txt"))
		if err != nil {
			continue
		}
		said, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, rows := toolCounts(t, said)
		if rows["`types`.`geo`"] == [3]int64{1} { // the SQL beside it inserts two, and the tool cannot print the second
			rows["`types`.`geo`"] = [3]int64{2}
		}
		got := map[string][3]int64{}
		for _, v := range statsOf(t, surveyed(t, log), nil, 1).Tables {
			if c := [3]int64{v.Inserted, v.Updated, v.Deleted}; c != [3]int64{} {
				got["`"+v.Schema+"`.`"+v.Table+"`"] = c
			}
		}
		if !reflect.DeepEqual(got, rows) {
			t.Errorf("%s: %v, the tool has %v", filepath.Base(name), got, rows)
		}
	}
}
