package render_test

import (
	lt "binlens/decoder/internal/logtest"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// mysqlLogs builds the logs of testdata/mysql: what MySQL servers write, of which no real log may stand in the project.
// They were written to files once, and the files are what counts: a change here is a change of a log only when its file
// is removed before -update.
func mysqlLogs() map[string][]byte {
	return map[string][]byte{"rows80": rows80(), "statements57": statements57(), "rows55": rows55(), "version3": version3(), "version1": version1(), "damaged84": damaged84(),
		"payload80": payload80(), "documents80": documents80(), "rare84": rare84(), "damaged_parts84": damagedParts84(), "load57": load57(), "load41": load41(), "load323": load323()}
}

func writeMySQLLogs(t *testing.T) {
	dir := filepath.FromSlash("../../testdata/mysql")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, b := range mysqlLogs() {
		path := filepath.Join(dir, name+".binlog")
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

var sid = [16]byte(lt.Hex("3e11fa47 71ca 11e1 9e33 c80aa9429562"))

// status is what MySQL 8.0 writes with a statement: utf8mb4 client, sql_mode as installed, one schema concerned.
func status(db string) []byte {
	return lt.Cat(lt.Var(0, lt.U32(0)), lt.Var(1, lt.U64(1168113696)), lt.Var(6, lt.Text8("std")), lt.Var(4, lt.U16(255), lt.U16(255), lt.U16(255)),
		lt.Var(12, lt.U8(1), lt.TextNUL(db)), lt.Var(16, lt.U8(1)), lt.Var(18, lt.U16(255)))
}

// rows80: a transaction of each kind of row change on a table described with binlog_row_metadata=FULL, then one on the
// same table with MINIMAL metadata and images.
func rows80() []byte {
	l := lt.New(lt.MySQL8040, lt.CRC32)
	l.EventFlags(lt.TypePreviousGtids, lt.FlagIgnorable, lt.PreviousGtids(false, lt.Sid{UUID: sid, Intervals: []lt.Interval{{1, 6}, {8, 9}}}))
	gtid := lt.Gtid{SID: sid, GNO: 9, Clock: 2, Sequence: 1}
	stages := [][]byte{lt.Times(1_700_000_003_123_456, 1_699_999_999_000_000), lt.Lenenc(900), lt.Versions(80040, 80036)}
	l.Event(lt.TypeGtid, gtid.Body(stages...))
	l.Event(lt.TypeQuery, l.Query(lt.Query{Thread: 12, DB: "shop", SQL: "BEGIN", Status: status("shop")}))
	l.EventFlags(lt.TypeRowsQuery, lt.FlagIgnorable, lt.RowsQuery("INSERT INTO orders VALUES (1, 'Zoë', 3.14, 'paid', 'gift,express', x'0061', '2023-11-14 22:13:20.5', NULL)"))
	columns := []lt.Column{{Type: 8, NotNull: true}, lt.Col(15, 160, 0), lt.Col(246, 10, 2), lt.Col(254, 0xf7, 1), lt.Col(254, 0xf8, 1), lt.Col(254, 0xfe, 4), lt.Col(18, 1), lt.Col(3)}
	full := lt.Cat(lt.TLV(1, lt.BitsMSB(true, false, false)), lt.TLV(2, lt.Lenencs(255, 1, 63)), lt.TLV(4, lt.Names("id", "customer", "total", "state", "options", "tag", "placed", "refund")),
		lt.TLV(5, lt.Labels("gift", "express", "insured")), lt.TLV(6, lt.Labels("new", "paid", "sent")), lt.TLV(8, lt.Lenencs(0)), lt.TLV(10, lt.Lenencs(255)), lt.TLV(12, lt.BitsMSB(true, true, true, true, true, true, true, false)))
	order := func(id uint64, customer string, cents int, refund []byte) []byte {
		return lt.Image(lt.U64(id), lt.Text8(customer), lt.Cat(lt.Hex("800000"), []byte{byte(cents / 100), byte(cents % 100)}), lt.U8(2), lt.U8(3), lt.Hex("02 0061"), lt.Hex("99b19d635432"), refund)
	}
	all := lt.All(8)
	l.Event(lt.TypeTableMap, lt.Table{ID: 108, Flags: 1, Schema: "shop", Name: "orders", Columns: columns, Optional: full}.Body())
	l.Event(lt.TypeWriteRows, lt.Rows{ID: 108, V2: true, Width: 8, After: all, Data: lt.Cat(order(1, "Zoë", 314, nil), order(1<<63, "", 0, lt.U32(1<<32-5)))}.Body())
	l.Event(lt.TypeUpdateRows, lt.Rows{ID: 108, V2: true, Extra: lt.Hex("01 0300 0200"), Width: 8, Before: all, After: all, Data: lt.Cat(order(1, "Zoë", 314, nil), order(1, "Zoé", 999, lt.U32(7)))}.Body())
	l.Event(lt.TypeDeleteRows, lt.Rows{ID: 108, Flags: lt.StmtEnd, V2: true, Width: 8, Before: all, Data: order(1, "Zoé", 999, lt.U32(7))}.Body())
	l.Event(lt.TypeXid, lt.U64(4711))

	l.Event(lt.TypeAnonymous, lt.Gtid{Flags: 1, Clock: 2, LastCommitted: 1, Sequence: 2}.Body(lt.Times(1_700_000_010_000_000), lt.Lenenc(300), lt.Versions(80040), lt.U64(3)))
	l.SQL("shop", "BEGIN")
	minimal := lt.Cat(lt.TLV(1, lt.BitsMSB(true, false, false)), lt.TLV(2, lt.Lenencs(255, 1, 63)), lt.TLV(10, lt.Lenencs(255)))
	l.Event(lt.TypeTableMap, lt.Table{ID: 109, Flags: 1, Schema: "shop", Name: "orders", Columns: columns, Optional: minimal}.Body())
	l.Event(lt.TypeUpdateRows, lt.Rows{ID: 109, Flags: lt.StmtEnd, V2: true, Width: 8, Before: lt.BitsLSB(true, false, false, false, false, false, false, false), After: lt.BitsLSB(false, false, true, true, false, false, false, true),
		Data: lt.Cat(lt.Image(lt.U64(2)), lt.Image(lt.Hex("7ffffffeff"), lt.U8(3), nil))}.Body())
	l.Event(lt.TypeXid, lt.U64(4712))
	return l.Event(lt.TypeRotate, l.Rotate(4, "binlog.000002")).Bytes()
}

// statements57: statement format with the values that go before a statement, and DDL.
func statements57() []byte {
	l := lt.New(lt.MySQL5722, lt.CRC32)
	l.EventFlags(lt.TypePreviousGtids, lt.FlagIgnorable, lt.PreviousGtids(false))
	anonymous := func(n uint64) {
		l.Event(lt.TypeAnonymous, lt.Gtid{Flags: 1, Clock: 2, LastCommitted: n - 1, Sequence: n}.Body())
	}
	vars := lt.Cat(lt.Var(0, lt.U32(0x4000)), lt.Var(1, lt.U64(1436549152)), lt.Var(6, lt.Text8("std")), lt.Var(3, lt.U16(2), lt.U16(1)), lt.Var(4, lt.U16(8), lt.U16(8), lt.U16(33)),
		lt.Var(5, lt.Text8("Europe/Berlin")), lt.Var(7, lt.U16(4)), lt.Var(8, lt.U16(8)), lt.Var(11, lt.Text8("app"), lt.Text8("10.0.0.7")), lt.Var(12, lt.U8(2), lt.TextNUL("a"), lt.TextNUL("b")), lt.Var(13, lt.UN(123456, 3)))
	anonymous(1)
	l.EventFlags(lt.TypeQuery, 0x0008, l.Query(lt.Query{Thread: 5, DB: "shop", SQL: "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(20))", Status: vars}))
	anonymous(2)
	l.SQL("shop", "BEGIN")
	l.Event(lt.TypeIntvar, lt.Intvar(1, 40))
	l.Event(lt.TypeIntvar, lt.Intvar(2, 1<<63))
	l.Event(lt.TypeRand, lt.U64(274190850), lt.U64(550636449))
	for _, v := range []lt.UserVar{
		{Name: "text", Charset: 8, Value: []byte("caf\xe9")}, {Name: "bytes", Charset: 63, Value: lt.Hex("00ff")}, {Name: "nothing", Null: true},
		{Name: "negative", Type: 2, Charset: 63, Value: lt.U64(1<<64 - 5), Tail: lt.U8(0)}, {Name: "large", Type: 2, Charset: 63, Value: lt.U64(1<<64 - 1), Tail: lt.U8(1)},
		{Name: "real", Type: 1, Charset: 63, Value: lt.Hex("00000000000004c0")}, {Name: "decimal", Type: 4, Charset: 63, Value: lt.Hex("0502 7f84d2")},
	} {
		l.Event(lt.TypeUserVar, v.Body())
	}
	// In latin1: 0xe9 is é.
	l.Event(lt.TypeQuery, l.Query(lt.Query{Thread: 5, Exec: 2, Error: 1317, DB: "shop", SQL: "INSERT INTO t (v) VALUES ('caf\xe9')", Status: vars}))
	l.Event(lt.TypeXid, lt.U64(99))
	return l.Event(lt.TypeStop).Bytes()
}

// rows55: row events of version 1, no checksums, no optional metadata: signs and names are unknown.
func rows55() []byte {
	l := lt.New(lt.MySQL55, lt.Off)
	l.SQL("d", "BEGIN")
	columns := []lt.Column{{Type: 3, NotNull: true}, lt.Col(1), lt.Col(11), lt.Col(12), lt.Col(7), lt.Col(252, 2)}
	row := lt.Image(lt.U32(1), lt.U8(200), lt.Hex("40e201"), lt.Hex("f67cac8b68120000"), lt.Hex("7e1ae165"), lt.Hex("0300 00ff61"))
	l.Event(lt.TypeTableMap, lt.Table{ID: 33, Flags: 1, Schema: "d", Name: "old", Columns: columns}.Body())
	l.Event(lt.TypeWriteRowsV1, lt.Rows{ID: 33, Width: 6, After: lt.All(6), Data: row}.Body())
	l.Event(lt.TypeUpdateRowsV1, lt.Rows{ID: 33, Width: 6, Before: lt.All(6), After: lt.All(6), Data: lt.Cat(row, lt.Image(lt.U32(1), nil, nil, nil, nil, nil))}.Body())
	l.Event(lt.TypeDeleteRowsV1, lt.Rows{ID: 33, Flags: lt.StmtEnd, Width: 6, Before: lt.All(6), Data: lt.Image(lt.U32(1), nil, nil, nil, nil, nil)}.Body())
	return l.Event(lt.TypeXid, lt.U64(12)).Event(lt.TypeStop).Bytes()
}

// version3 and version1: START_EVENT_V3; version 1 has headers of 13 bytes.
func version3() []byte {
	l := lt.New(lt.MySQL41, lt.Off)
	l.SQL("test", "CREATE TABLE t (a INT)").Event(lt.TypeIntvar, lt.Intvar(2, 7)).SQL("test", "INSERT INTO t VALUES (NULL)")
	return l.Event(lt.TypeRotate, l.Rotate(4, "master-bin.000002")).Bytes()
}

func version1() []byte {
	l := lt.New(lt.MySQL323, lt.Off)
	l.SQL("test", "CREATE TABLE t (a INT)")
	return l.Event(lt.TypeRotate, l.Rotate(4, "master-bin.002")).Event(lt.TypeStop).Bytes()
}

// damaged84: a wrong checksum, bytes that are no event, an event with too few bytes, and an end inside of an event.
func damaged84() []byte {
	l := lt.New(lt.MySQL84, lt.CRC32)
	l.SQL("d", "BEGIN").SQL("d", "INSERT INTO t VALUES (1)")
	wrong := l.Last()
	l.Event(lt.TypeXid, lt.U64(1))
	gap := l.Len()
	l.Event(lt.TypeXid, lt.Hex("0203")).SQL("d", "COMMIT").SQL("d", "FLUSH LOGS")
	b := lt.Flip(l.Bytes(), wrong.Off+wrong.Size-6, 0x01)
	b = lt.Insert(b, gap, []byte("these bytes belong to no event at all"))
	return b[:len(b)-9]
}
