package index_test

import (
	"testing"

	"binlens/decoder/internal/logtest"
)

// Transactions of every family of servers, after spec/gtid.md.
func TestTransactions(t *testing.T) {
	my, my56, my55, my51, my41, maria := logtest.MySQL8040, logtest.MySQL56, logtest.MySQL55, logtest.MySQL51, logtest.MySQL41, logtest.MariaDB105
	for _, tt := range []struct {
		name   string
		server logtest.Server
		log    string
		want   string
	}{
		// MySQL with GTID events.
		{"rows", my, "previous gtid 'BEGIN' map rows- rows xid stop", "previous [gtid ·query ·map ·rows ·rows xid] stop"},
		{"two transactions", my, "gtid 'BEGIN' map rows xid anon 'BEGIN' map rows xid", "[gtid ·query ·map ·rows xid] [anon ·query ·map ·rows xid]"},
		{"tagged", my, "tagged 'BEGIN' xid", "[tagged ·query xid]"},
		{"5.6", my56, "gtid 'BEGIN' 'INSERT INTO t VALUES (1)' xid", "[gtid ·query ·query xid]"},
		{"several statements", my, "gtid 'BEGIN' rowsquery map rows rowsquery map rows xid", "[gtid ·query ·rowsquery ·map ·rows ·rowsquery ·map ·rows xid]"},
		{"COMMIT after other engines", my, "gtid 'BEGIN' map rows 'COMMIT' gtid", "[gtid ·query ·map ·rows query] [gtid"},
		{"ROLLBACK", my, "gtid 'BEGIN' map rows 'ROLLBACK'", "[gtid ·query ·map ·rows query]"},
		{"an empty transaction", my, "gtid 'BEGIN' 'COMMIT'", "[gtid ·query query]"},
		{"savepoints end nothing", my, "gtid 'BEGIN' 'SAVEPOINT a' map rows 'ROLLBACK TO `a`' 'rollback to a' '/* x */ SAVEPOINT a' 'RELEASE SAVEPOINT a' xid", "[gtid ·query ·query ·map ·rows ·query ·query ·query ·query xid]"},
		{"DDL", my, "gtid 'CREATE TABLE t (a INT)' gtid 'DROP TABLE t'", "[gtid query] [gtid query]"},
		{"values before a single statement", my, "anon intvar rand uservar 'INSERT INTO t VALUES (RAND())' anon", "[anon ·intvar ·rand ·uservar query] [anon"},
		{"values inside", my, "anon 'BEGIN' intvar 'INSERT INTO t VALUES (NULL)' intvar 'INSERT INTO t VALUES (NULL)' xid", "[anon ·query ·intvar ·query ·intvar ·query xid]"},
		{"CREATE TABLE … SELECT, atomic", my, "gtid 'BEGIN' 'CREATE TABLE t (a INT) START TRANSACTION' map rows xid", "[gtid ·query ·query ·map ·rows xid]"},
		{"CREATE TABLE … SELECT, before 8.0.21", my, "gtid 'CREATE TABLE t (a INT)' gtid 'BEGIN' map rows xid", "[gtid query] [gtid ·query ·map ·rows xid]"},
		{"payload", my, "gtid payload gtid payload", "[gtid payload] [gtid payload]"},
		{"XA prepared, then committed", my, "gtid 'XA START 1' map rows 'XA END 1' xaprepare gtid 'XA COMMIT 1' gtid", "[gtid ·query ·map ·rows ·query xaprepare] [gtid query] [gtid"},
		{"XA rolled back before", my, "gtid 'XA START 1' map rows 'XA END 1' 'XA ROLLBACK 1' gtid", "[gtid ·query ·map ·rows ·query query] [gtid"},
		{"XA rolled back after", my, "gtid 'XA ROLLBACK 1' gtid 'BEGIN' xid", "[gtid query] [gtid ·query xid]"},
		{"LOAD DATA", my, "anon 'BEGIN' beginload append executeload xid", "[anon ·query ·beginload ·append ·executeload xid]"},
		{"LOAD DATA alone", my, "anon beginload append executeload anon", "[anon ·beginload ·append executeload] [anon"},
		{"incident", my, "gtid incident gtid 'DO 1'", "[gtid incident] [gtid query]"},
		{"incident without GTID", my, "incident 'DO 1'", "incident [query]"},
		{"group replication", my, "gtid 'BEGIN' viewchange 'COMMIT' gtid", "[gtid ·query ·viewchange query] [gtid"},
		{"the end of the file inside", my, "gtid 'BEGIN' map rows", "[gtid ·query ·map ·rows"},
		{"a GTID alone", my, "gtid", "[gtid"},
		{"an unfinished one before another", my, "gtid 'BEGIN' map gtid 'BEGIN' map rows xid", "[gtid ·query ·map [gtid ·query ·map ·rows xid]"},
		{"a restart of the server", my, "gtid 'BEGIN' map fde 'BEGIN' xid", "[gtid ·query ·map fde [query xid]"},
		{"rows without BEGIN, from a fragment", my, "gtid map rows rows xid", "[gtid ·map ·rows ·rows xid]"},

		// MySQL without them.
		{"5.5", my55, "'BEGIN' map rows xid 'BEGIN' 'DELETE FROM t' 'COMMIT' stop", "[query ·map ·rows xid] [query ·query query] stop"},
		{"5.5 autocommit", my55, "'INSERT INTO t VALUES (1)' 'INSERT INTO t VALUES (2)'", "[query] [query]"},
		{"5.5 values", my55, "intvar 'INSERT INTO t VALUES (NULL)' uservar rand 'INSERT INTO t VALUES (@a)'", "[intvar query] [uservar ·rand query]"},
		{"5.5 values, then a transaction", my55, "intvar 'BEGIN' 'INSERT' xid", "[intvar ·query ·query xid]"},
		{"5.1 rows of tables without transactions", my51, "map rows- rows map rows 'BEGIN' map rows xid", "[map ·rows rows] [map rows] [query ·map ·rows xid]"},
		{"5.1 rows that do not end", my51, "map rows- 'COMMIT' 'DO 1'", "[map ·rows query] [query]"},
		{"5.1 lower case and spaces", my51, "'  begin' map rows 'commit' '\trollback' 'DO 1'", "[query ·map ·rows query] [query] [query]"},
		{"5.1 words that only begin so", my51, "'BEGINNING' 'commits' 'ROLLBACKS' 'XA STARTED'", "[query] [query] [query] [query]"},
		{"4.1", my41, "'BEGIN' 'INSERT' 'COMMIT' 'INSERT' stop", "[query ·query query] [query] stop"},

		// MariaDB.
		{"a transaction", maria, "list checkpoint mgtid:0x0c annotate map rows xid mgtid:0x0c", "list checkpoint [mgtid ·annotate ·map ·rows xid] [mgtid"},
		{"standalone statement", maria, "mgtid:1 'CREATE TABLE t (a INT)' mgtid:0x21 'DROP TABLE t' stop", "[mgtid query] [mgtid query] stop"},
		{"standalone with values", maria, "mgtid:1 intvar 'INSERT INTO t VALUES (NULL)' mgtid:1", "[mgtid ·intvar query] [mgtid"},
		{"standalone rows", maria, "mgtid:1 map rows- rows mgtid:1", "[mgtid ·map ·rows rows] [mgtid"},
		{"COMMIT", maria, "mgtid:0 'INSERT' 'INSERT' 'COMMIT' mgtid:0 'ROLLBACK'", "[mgtid ·query ·query query] [mgtid query]"},
		{"group commit", maria, "mgtid:0x0e map rows xid mgtid:0x0e map rows xid", "[mgtid ·map ·rows xid] [mgtid ·map ·rows xid]"},
		{"XA", maria, "mgtid:0x40 'XA START 1' map rows 'XA END 1' xaprepare mgtid:0x81 'XA COMMIT 1' mgtid:0x81 'XA ROLLBACK 1'", "[mgtid ·query ·map ·rows ·query xaprepare] [mgtid query] [mgtid query]"},
		{"a checkpoint inside", maria, "mgtid:0 map checkpoint rows xid", "[mgtid ·map checkpoint ·rows xid]"},
		{"without GTIDs", logtest.MariaDB53, "'BEGIN' annotate map rows xid 'DO 1'", "[query ·annotate ·map ·rows xid] [query]"},
	} {
		x := build(t, log(t, tt.server, tt.log).Bytes())
		start := "fde "
		if tt.server.Lengths == nil {
			start = "start "
		}
		if got := groups(x); got != start+tt.want {
			t.Errorf("%s: %s\n got %s\nwant %s", tt.name, tt.log, got, start+tt.want)
		}
		n := uint32(0)
		for i := range x.Len() {
			n = max(n, x.Row(i).Group)
		}
		if x.Groups() != n {
			t.Errorf("%s: %d transactions, rows know %d", tt.name, x.Groups(), n)
		}
	}
}
