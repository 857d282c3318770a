package logtest

// strangers are logs with events that a server does not write between others: those of the network, and those behind which
// nothing can be read.
func strangers() []File {
	network := New(MySQL84, CRC32).Event(TypeHeartbeat, []byte("bin.000001")).Event(TypeHeartbeatV2, HeartbeatV2("bin.000001", 5<<32)).
		Event(TypeHeartbeatV2, LenencTLV(2, Lenenc(4)), LenencTLV(77, []byte("of the future")), U8(0)).Event(TypeStop)
	encrypted := New(MariaDB105, CRC32).Event(TypeStartEncryption, StartEncryption(1, 3, Hex("101112131415161718191a1b")))
	old := New(MySQL5117, Off).Event(TypePreGAWrite, Rows{ID: 7, IDLen: 4, Width: 2, After: All(2), Data: Hex("f9 00000000 03 6f6e65")}.Body())
	return []File{{"the network", network.Bytes()}, {"encryption", encrypted.Bytes()}, {"pre-GA rows", old.Bytes()}}
}

// sampleRare has the events that most logs never have: those of LOAD DATA, of group replication, and of compression.
func (l *Log) sampleRare() {
	n := len(l.Server.Lengths)
	switch {
	case l.Server.Binlog == 4:
		l.sampleLoad()
	case l.Server.Binlog == 3:
		l.sampleOldLoad()
	default:
		l.Event(TypeLoad, oldLoad.Body(TypeLoad))
	}
	if n >= TypeIncident {
		l.Event(TypeIncident, Incident(1, "some events are lost"))
	}
	if l.Server.MariaDB {
		if n >= TypeQueryCompressed {
			l.sampleDeflated()
		}
		return
	}
	if n >= TypeIgnorable {
		l.EventFlags(TypeIgnorable, FlagIgnorable, []byte("to be ignored"))
	}
	if n >= TypeViewChange {
		l.sampleGroup()
	}
	if n >= TypeXaPrepare {
		l.SQL("shop", "XA START X'78',X'79',7").Event(TypeXaPrepare, XaPrepare(0, 7, "x", "y"))
		l.SQL("shop", "XA START X'78',X'',1").Event(TypeXaPrepare, XaPrepare(1, 1, "x", ""))
	}
	if n >= TypePartialUpdate {
		l.samplePartial()
	}
	if n >= TypePayload {
		l.samplePayloads()
	}
	if n >= TypeTagged {
		l.sampleTagged()
		l.EventFlags(TypeLarge, FlagIgnorable, LargeTransaction(4711, TypeXid, 6))
	}
}

func (l *Log) sampleLoad() {
	const sql = "LOAD DATA INFILE 'a.txt' INTO TABLE `t` FIELDS TERMINATED BY ','"
	l.SQL("shop", "BEGIN").Event(TypeBeginLoad, FileBlock(3, "1,one\n")).Event(TypeAppendBlock, FileBlock(3, "2,two\n"))
	l.Event(TypeExecuteLoad, l.LoadQuery(Query{Thread: 12, DB: "shop", SQL: sql, Status: l.sampleStatus()}, 3, 10, 29, 2))
	l.SQL("shop", "COMMIT").Event(TypeBeginLoad, FileBlock(4, "")).Event(TypeDeleteFile, FileBlock(4, ""))
}

var oldLoad = Load{Thread: 5, Exec: 1, Skip: 2, FileID: 9, Options: [5]string{",", "\"", "\n", "", "\\"}, OptFlags: 2, Empty: 8,
	Fields: []string{"id", "name"}, Table: "t", DB: "test", File: "/tmp/a.txt", Block: "1,one\n"}

func (l *Log) sampleOldLoad() {
	long := oldLoad
	long.Options[0], long.Fields = ", ", nil
	l.Event(TypeNewLoad, long.Body(TypeNewLoad)).Event(TypeCreateFile, oldLoad.Body(TypeCreateFile))
	l.Event(TypeAppendBlock, FileBlock(9, "2,two\n")).Event(TypeExecLoad, FileBlock(9, "")).Event(TypeDeleteFile, FileBlock(9, ""))
	l.Event(TypeSlave, Slave(4711, 3306, "source.example", "bin.001"))
}

func (l *Log) sampleGroup() {
	set := PreviousGtids(false, Sid{UUID: sampleSID, Intervals: []Interval{{1, 6}}})
	c := TransactionContext{UUID: "3e11fa47-71ca-11e1-9e33-c80aa9429562", Thread: 12, Specified: 1, Snapshot: set, Write: []string{"one", "\x00\xff"}, Read: []string{"two"}}
	l.Event(TypeContext, c.Body())
	c.Snapshot, c.Write, c.Read = nil, nil, nil
	l.Event(TypeContext, c.Body())
	l.Event(TypeViewChange, ViewChange("15000000000000001:2", 7, "3e11fa47", string(set), "", ""))
	l.Event(TypeViewChange, ViewChange("", 0))
}

// Binary JSON: {"a": 1, "b": 2}, and the int16 9.
var (
	sampleObject = Hex("00 02001400 1200 0100 1300 0100 05 0100 05 0200 61 62")
	sampleInt9   = Hex("05 0900")
)

func (l *Log) samplePartial() {
	columns := []Column{Col(3), Col(245, 4), Col(15, 20, 0), Col(245, 4)}
	l.SQL("shop", "BEGIN")
	l.Event(TypeTableMap, Table{ID: 101, Flags: 1, Schema: "shop", Name: "documents", Columns: columns, Optional: Cat(TLV(1, U8(0)), TLV(4, Names("id", "a", "t", "b")))}.Body())
	before := Image(U32(1), Document(sampleObject), Text8("x"), nil)
	data := Cat(
		before, U8(1), U8(1), Image(U32(1), Document(Cat(Diff(0, "$.a", sampleInt9), Diff(2, "$.b", nil))), Text8("y"), Document(nil)),
		before, U8(0), Image(U32(2), Document(sampleObject), nil, Document(sampleInt9)))
	l.Event(TypePartialUpdate, Rows{ID: 101, V2: true, Width: 4, Before: All(4), After: All(4), Data: data}.Body())
	// The after image has only the documents, of which the before image has none.
	l.Event(TypePartialUpdate, Rows{ID: 101, Flags: StmtEnd, V2: true, Width: 4, Before: U8(1), After: U8(10),
		Data: Cat(Image(U32(1)), U8(1), U8(3), Image(Document(Diff(0, "$.a", sampleInt9)), Document(nil)))}.Body())
	l.Event(TypeXid, U64(79))
}

func (l *Log) samplePayloads() {
	columns := []Column{Col(3), Col(15, 20, 0)}
	var p Inside
	p.Event(TypeQuery, l.Query(Query{Thread: 12, DB: "shop", SQL: "BEGIN"}))
	p.Event(TypeTableMap, Table{ID: 102, Flags: 1, Schema: "shop", Name: "packed", Columns: columns}.Body())
	p.Event(TypeWriteRows, Rows{ID: 102, Flags: StmtEnd, V2: true, Width: 2, After: All(2), Data: Cat(Image(U32(1), Text8("one")), Image(U32(2), nil))}.Body())
	p.Event(TypeXid, U64(80))
	b := p.Bytes()
	l.Event(TypePayload, Payload(0, uint64(len(b)), ZstdStored(b, 50)))
	l.Event(TypePayload, Payload(255, uint64(len(b)), b))
	two := Cat(ZstdStored(b[:60], 1000), ZstdStored(b[60:], 1000)) // two frames that part inside an event
	l.Event(TypePayload, LenencTLV(2, U8(0)), LenencTLV(1, Lenenc(uint64(len(two)))), U8(0), two)
}

func (l *Log) sampleTagged() {
	uuid, tag := TaggedField(1, TaggedUUID(sampleSID)), TaggedField(3, Varlen(4), []byte("blue"))
	clock := Cat(TaggedField(4, Zigzag(3)), TaggedField(5, Zigzag(4)), TaggedField(6, Varlen(1_700_000_000_000_000)))
	l.Event(TypeTagged, Tagged(0, TaggedField(0, Varlen(1)), uuid, TaggedField(2, Zigzag(7)), tag, clock, TaggedField(8, Varlen(250)), TaggedField(9, Varlen(90600))))
	l.SQL("shop", "CREATE TABLE t (a INT)")
	l.Event(TypeTagged, Tagged(6, TaggedField(0, Varlen(0)), uuid, TaggedField(2, Zigzag(8)), tag, clock, TaggedField(7, Varlen(1_600_000_000_000_000)),
		TaggedField(8, Varlen(70_000)), TaggedField(9, Varlen(90600)), TaggedField(10, Varlen(80040)), TaggedField(11, Varlen(3)), TaggedField(99, Varlen(5))))
	l.SQL("shop", "DROP TABLE t")
}

func (l *Log) sampleDeflated() {
	columns := []Column{Col(3), Col(15, 20, 0)}
	image := func(id uint32, text string) []byte { return Image(U32(id), Text8(text)) }
	l.Event(TypeQueryCompressed, l.QueryCompressed(Query{Thread: 12, DB: "shop", SQL: "INSERT INTO t VALUES (1), (1), (1), (1), (1), (1), (1)", Status: l.sampleStatus()}))
	l.Event(TypeTableMap, Table{ID: 102, Flags: 1, Schema: "shop", Name: "packed", Columns: columns, Optional: TLV(4, Names("id", "text"))}.Body())
	for _, v2 := range []bool{false, true} {
		typ := byte(TypeWriteDeflatedV1)
		if v2 {
			typ = TypeWriteDeflated
		}
		r := Rows{ID: 102, V2: v2, Width: 2, After: All(2), Data: Cat(image(1, "a long text, text"), image(2, "b"))}
		l.Event(typ, r.Compressed())
		r.Before, r.Data = All(2), Cat(image(1, "a long text, text"), image(1, "c"))
		l.Event(typ+1, r.Compressed())
		r.Flags, r.After, r.Data = StmtEnd, nil, Cat(image(1, "c"), image(2, "b"))
		l.Event(typ+2, r.Compressed())
	}
	r := Rows{ID: 102, Flags: StmtEnd, Width: 2, After: All(2), Data: Cat(image(3, "in pieces"), image(4, "d"))}
	l.Event(TypeTableMap, Table{ID: 102, Flags: 1, Schema: "shop", Name: "packed", Columns: columns, Optional: TLV(4, Names("id", "text"))}.Body())
	l.Pieces(l.RowEvent(TypeWriteRowsV1, r.Body()), 40, 45)
	l.Event(TypeXid, U64(81))
}
