package logtest

// File is a log with a name to tell it by.
type File struct {
	Name  string
	Bytes []byte
}

// Samples are logs of every server, with and without checksums, that hold every event it can write and this project reads.
func Samples() (files []File) {
	for _, s := range Servers {
		for _, c := range []Checksum{CRC32, Off} {
			if c == CRC32 && !s.Aware {
				continue
			}
			files = append(files, File{s.Name + map[Checksum]string{CRC32: " CRC32", Off: " OFF"}[c], Sample(s, c).Bytes()})
		}
	}
	return append(files, strangers()...)
}

// Sample is one of them.
func Sample(s Server, c Checksum) *Log {
	l := New(s, c)
	switch {
	case s.MariaDB:
		l.sampleMaria()
	case s.ClockLen() > 0:
		l.sampleGtids()
	}
	l.sampleStatements()
	if s.Rows() {
		l.sampleRows()
	}
	l.sampleRare()
	if s.Binlog == 4 {
		l.Event(200, []byte("nobody knows this type"))
	}
	return l.Event(TypeStop)
}

var sampleSID = [16]byte(Hex("3e11fa47 71ca 11e1 9e33 c80aa9429562"))

func (l *Log) sampleGtids() {
	l.EventFlags(TypePreviousGtids, FlagIgnorable, PreviousGtids(false, Sid{UUID: sampleSID, Intervals: []Interval{{1, 6}, {8, 9}}}))
	if l.Server.Version >= "8.3" {
		l.EventFlags(TypePreviousGtids, FlagIgnorable, PreviousGtids(true, Sid{UUID: sampleSID, Intervals: []Interval{{1, 6}}},
			Sid{UUID: sampleSID, Tag: "blue", Intervals: []Interval{{1, 2}}}))
	}
	g := Gtid{Flags: 1, SID: sampleSID, GNO: 9, Clock: 2, LastCommitted: 0, Sequence: 1}
	a := Gtid{Clock: 2, LastCommitted: 1, Sequence: 2}
	if l.Server.ClockLen() == 25 {
		l.Event(TypeGtid, g.Body56()).SQL("shop", "CREATE TABLE t (a INT)")
		return
	}
	for _, stages := range [][][]byte{
		nil,
		{Times(1_700_000_000_000_000)},
		{Times(1_700_000_000_000_000), Lenenc(250)},
		{Times(1_700_000_000_000_000, 1_600_000_000_000_000), Lenenc(70_000), Versions(80040)},
		{Times(1_700_000_000_000_000), Lenenc(300), Versions(80040, 50744), U64(3)},
	} {
		l.Event(TypeGtid, g.Body(stages...)).SQL("shop", "CREATE TABLE t (a INT)")
		l.Event(TypeAnonymous, a.Body(stages...)).SQL("shop", "DROP TABLE t")
		g.GNO++
	}
}

func (l *Log) sampleMaria() {
	if len(l.Server.Lengths) < TypeMariaGtid {
		return
	}
	l.Event(TypeGtidList, GtidList(0))
	l.Event(TypeGtidList, GtidList(1<<28, Position{0, 1, 17}, Position{1, 2, 1 << 40}))
	l.Event(TypeCheckpoint, Checkpoint("bin.000001"))
	l.Event(TypeMariaGtid, MariaGtid(18, 0, 1|0x20)).SQL("shop", "CREATE TABLE t (a INT)")
	l.Event(TypeMariaGtid, MariaGtid(19, 0, 2|4|8, U64(99))).SQL("shop", "INSERT INTO t VALUES (1)").Event(TypeXid, U64(5))
	l.Event(TypeMariaGtid, MariaGtid(20, 0, 0x40, U32(1), U8(2), U8(1), []byte("xyz"))).Event(TypeXaPrepare, Hex("00 01000000 02000000 01000000 78797a"))
	l.Event(TypeMariaGtid, MariaGtid(21, 0, 4, U8(1|4|0x10), U8(2), U64(18), U32(42))).SQL("shop", "COMMIT")
}

func (l *Log) sampleStatements() {
	l.SQL("shop", "BEGIN")
	l.Event(TypeIntvar, Intvar(2, 41))
	if l.Server.Binlog != 1 {
		l.Event(TypeRand, U64(1), U64(2))
		l.Event(TypeUserVar, UserVar{Name: "a", Type: 0, Charset: 33, Value: []byte("text")}.Body())
		l.Event(TypeUserVar, UserVar{Name: "n", Null: true}.Body())
		l.Event(TypeUserVar, UserVar{Name: "i", Type: 2, Charset: 63, Value: U64(1 << 63), Tail: U8(1)}.Body())
	}
	l.Event(TypeQuery, l.Query(Query{Thread: 12, Exec: 3, Error: 1317, DB: "shop", SQL: "INSERT INTO t VALUES (RAND())", Status: l.sampleStatus()}))
	if l.Server.Binlog == 4 {
		l.Event(TypeXid, U64(77))
	} else {
		l.SQL("shop", "COMMIT")
	}
	l.SQL("", "/* no database */ FLUSH LOGS")
	l.Event(TypeRotate, l.Rotate(4, "bin.000002"))
}

// sampleStatus has every status variable that the server writes.
func (l *Log) sampleStatus() []byte {
	b := Cat(Var(0, U32(0x4000)), Var(1, U64(0x45a00020)), Var(6, Text8("std")), Var(3, U16(2), U16(1)), Var(4, U16(33), U16(33), U16(8)),
		Var(5, Text8("SYSTEM")), Var(7, U16(3)), Var(8, U16(8)), Var(9, U64(3)), Var(10, U32(99)), Var(11, Text8("root"), Text8("localhost")),
		Var(12, U8(2), TextNUL("a"), TextNUL("b")))
	switch {
	case l.Server.MariaDB:
		return Cat(b, Var(128, UN(123456, 3)), Var(129, U64(7)), Var(130, U8(4), U64(18)), Var(131, U8(1), U16(45), U16(46)))
	case len(l.Server.Lengths) >= 39:
		return Cat(b, Var(13, UN(123456, 3)), Var(16, U8(1)), Var(17, U64(8)), Var(18, U16(255)), Var(19, U8(0)), Var(20, U8(0)))
	}
	return b
}

// SampleColumns is a table with every type whose values are read, and two rows of it.
func SampleColumns() (columns []Column, first, second []byte) {
	cells := []struct {
		c     Column
		value string
	}{
		{Col(1), "81"}, {Col(2), "0080"}, {Col(9), "feffff"}, {Col(3), "ffffffff"}, {Col(8), "ffffffffffffffff"},
		{Col(4, 4), "c3f54840"}, {Col(5, 8), "00000000000004c0"}, {Col(246, 14, 4), "810dfb38d204d2"}, {Col(246, 5, 2), "7ffffe"},
		{Col(13), "7c"}, {Col(10), "5dd00f"}, {Col(14), "5dd00f"}, {Col(11), "40e201"}, {Col(12), "f67cac8b68120000"}, {Col(7), "7e1ae165"},
		{Col(19, 0), "80c8b8"}, {Col(19, 6), "7f3747f3f5ec"}, {Col(18, 0), "99b2bb7efa"}, {Col(18, 3), "99b2bb7efa04ce"},
		{Col(17, 0), "65e11a7e"}, {Col(17, 6), "65e11a7e01e240"},
		{Col(16, 3, 0), "04"}, {Col(16, 2, 1), "0201"}, {Col(254, 0xf7, 1), "02"}, {Col(254, 0xf8, 2), "0500"},
		{Col(254, 0xfe, 10), "03616263"}, {Col(254, 0xee, 0x2c), "0300616263"}, {Col(15, 10, 0), "0161"}, {Col(15, 0, 1), "010061"},
		{Col(253, 10, 0), "0161"}, {Col(252, 1), "0161"}, {Col(252, 2), "010061"}, {Col(252, 3), "01000061"}, {Col(252, 4), "0100000061"},
		{Col(245, 4), "020000000400"}, {Col(255, 4), "00000000"}, {Col(242, 4), "040000000000803f"},
		{Col(140, 2), "0000"}, {Col(141, 10, 0), "00"}, {Col(6), ""},
	}
	var values, nulls [][]byte
	for i, c := range cells {
		columns = append(columns, c.c)
		values = append(values, append([]byte{}, Hex(c.value)...))
		nulls = append(nulls, nil)
		if i%2 == 0 {
			nulls[i] = values[i]
		}
	}
	return columns, Image(values...), Image(nulls...)
}

func (l *Log) sampleRows() {
	columns, first, second := SampleColumns()
	n, v2 := len(columns), l.Server.V2()
	write, update, erase := byte(TypeWriteRowsV1), byte(TypeUpdateRowsV1), byte(TypeDeleteRowsV1)
	if v2 {
		write, update, erase = TypeWriteRows, TypeUpdateRows, TypeDeleteRows
		l.EventFlags(TypeRowsQuery, FlagIgnorable, RowsQuery("INSERT INTO everything VALUES (…)"))
	} else if l.Server.MariaDB {
		l.Event(TypeAnnotate, []byte("INSERT INTO everything VALUES (…)"))
	}
	var optional []byte
	if v2 && len(l.Server.Lengths) >= 39 || l.Server.MariaDB && len(l.Server.Lengths) == 171 {
		optional = Cat(TLV(1, make([]byte, 2)), TLV(99, []byte("a field of the future")))
	}
	l.SQL("shop", "BEGIN")
	l.Event(TypeTableMap, Table{ID: 100, Flags: 1, Schema: "shop", Name: "everything", Columns: columns, Optional: optional}.Body())
	l.Event(write, Rows{ID: 100, V2: v2, Width: n, After: All(n), Data: Cat(first, second)}.Body())
	l.Event(update, Rows{ID: 100, V2: v2, Width: n, Before: All(n), After: All(n), Data: Cat(first, second, second, first)}.Body())
	// Only the first column in the before image, only the third in the after image.
	l.Event(update, Rows{ID: 100, V2: v2, Width: n, Before: UN(1, len(All(n))), After: UN(4, len(All(n))), Data: Cat(Image(Hex("05")), Image(Hex("010203")))}.Body())
	extra := []byte(nil)
	if v2 {
		extra = Hex("01 0300")
	}
	l.Event(erase, Rows{ID: 100, Flags: StmtEnd, V2: v2, Extra: extra, Width: n, Before: All(n), Data: second}.Body())
	l.Event(TypeXid, U64(78))
}
