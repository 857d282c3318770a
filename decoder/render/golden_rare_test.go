package render_test

import lt "binlens/decoder/internal/logtest"

// payload80: transactions compressed with zstd, not compressed, and in two zstd frames.
func payload80() []byte {
	l := lt.New(lt.MySQL8040, lt.CRC32)
	gtid := func(n uint64) {
		l.Event(lt.TypeGtid, lt.Gtid{SID: sid, GNO: n, Clock: 2, LastCommitted: n - 1, Sequence: n}.Body(lt.Times(1_700_000_003_123_456), lt.Lenenc(400), lt.Versions(80040)))
	}
	columns := []lt.Column{{Type: 3, NotNull: true}, lt.Col(15, 80, 0)}
	var p lt.Inside
	p.Event(lt.TypeQuery, l.Query(lt.Query{Thread: 12, DB: "shop", SQL: "BEGIN", Status: status("shop")}))
	p.Event(lt.TypeTableMap, lt.Table{ID: 108, Flags: 1, Schema: "shop", Name: "t", Columns: columns, Optional: lt.Cat(lt.TLV(1, lt.U8(0x80)), lt.TLV(2, lt.Lenencs(255)), lt.TLV(4, lt.Names("id", "name")))}.Body())
	p.Event(lt.TypeWriteRows, lt.Rows{ID: 108, V2: true, Width: 2, After: lt.All(2), Data: lt.Cat(lt.Image(lt.U32(1), lt.Text8("one")), lt.Image(lt.U32(1<<32-1), nil))}.Body())
	p.Event(lt.TypeDeleteRows, lt.Rows{ID: 108, V2: true, Flags: lt.StmtEnd, Width: 2, Before: lt.All(2), Data: lt.Image(lt.U32(1), lt.Text8("one"))}.Body())
	p.Event(lt.TypeXid, lt.U64(7))
	b := p.Bytes()
	gtid(1)
	l.Event(lt.TypePayload, lt.Payload(0, uint64(len(b)), lt.ZstdStored(b, 64)))
	gtid(2)
	l.Event(lt.TypePayload, lt.Payload(255, uint64(len(b)), b))
	gtid(3)
	two := lt.Cat(lt.ZstdStored(b[:50], 100), lt.ZstdStored(b[50:], 1000))
	l.Event(lt.TypePayload, lt.LenencTLV(2, lt.U8(0)), lt.LenencTLV(77, lt.Hex("aabb")), lt.LenencTLV(1, lt.Lenenc(uint64(len(two)))), lt.U8(0), two)
	return l.Event(lt.TypeStop).Bytes()
}

// documents80: JSON, partial updates of it, and geometries.
func documents80() []byte {
	l := lt.New(lt.MySQL8040, lt.CRC32)
	columns := []lt.Column{{Type: 3, NotNull: true}, lt.Col(245, 4), lt.Col(255, 4)}
	optional := lt.Cat(lt.TLV(1, lt.U8(0)), lt.TLV(4, lt.Names("id", "doc", "place")), lt.TLV(7, lt.Lenencs(1)), lt.TLV(8, lt.Lenencs(0)))
	object := lt.Hex("00 02001400 1200 0100 1300 0100 05 0100 05 0200 61 62") // {"a":1,"b":2}
	opaque := lt.Hex("0f f6 04 03 02 81 63")                                  // the decimal 1.99
	point := func(srid uint32) []byte {
		return lt.Document(lt.Cat(lt.U32(srid), lt.Hex("01 01000000 000000000000f03f 0000000000000040")))
	}
	l.SQL("shop", "BEGIN").Event(lt.TypeTableMap, lt.Table{ID: 9, Flags: 1, Schema: "shop", Name: "documents", Columns: columns, Optional: optional}.Body())
	l.Event(lt.TypeWriteRows, lt.Rows{ID: 9, V2: true, Width: 3, After: lt.All(3), Data: lt.Cat(lt.Image(lt.U32(1), lt.Document(object), point(0)), lt.Image(lt.U32(2), lt.Document(opaque), point(4326)),
		lt.Image(lt.U32(3), lt.Document(lt.Hex("0c 03 22 c3a9")), nil))}.Body())
	row := func(id uint32, doc []byte) []byte { return lt.Image(lt.U32(id), doc, nil) }
	changes := lt.Cat(lt.Diff(0, "$.a", lt.Hex("05 0900")), lt.Diff(2, "$.b", nil), lt.Diff(1, "$.c", lt.Hex("0c 01 7a")))
	l.Event(lt.TypePartialUpdate, lt.Rows{ID: 9, V2: true, Width: 3, Before: lt.All(3), After: lt.All(3), Data: lt.Cat(
		row(1, lt.Document(object)), lt.U8(1), lt.U8(1), row(1, lt.Document(changes)),
		row(2, lt.Document(opaque)), lt.U8(0), row(2, lt.Document(lt.Hex("04 01"))))}.Body())
	l.Event(lt.TypePartialUpdate, lt.Rows{ID: 9, V2: true, Flags: lt.StmtEnd, Width: 3, Before: lt.U8(1), After: lt.U8(2), Data: lt.Cat(lt.Image(lt.U32(1)), lt.U8(1), lt.U8(1), lt.Image(lt.Document(changes)))}.Body())
	return l.Event(lt.TypeXid, lt.U64(8)).Event(lt.TypeStop).Bytes()
}

// rare84: tagged GTIDs, group replication, XA, an incident, and what the network has.
func rare84() []byte {
	l := lt.New(lt.MySQL84, lt.CRC32)
	set := lt.PreviousGtids(true, lt.Sid{UUID: sid, Intervals: []lt.Interval{{1, 6}}}, lt.Sid{UUID: sid, Tag: "blue", Intervals: []lt.Interval{{1, 2}, {4, 9}}})
	l.EventFlags(lt.TypePreviousGtids, lt.FlagIgnorable, set)
	l.EventFlags(lt.TypeLarge, lt.FlagIgnorable, lt.LargeTransaction(4711, lt.TypeXid, 5))
	fields := [][]byte{lt.TaggedField(0, lt.Varlen(1)), lt.TaggedField(1, lt.TaggedUUID(sid)), lt.TaggedField(2, lt.Zigzag(9)), lt.TaggedField(3, lt.Varlen(4), []byte("blue")), lt.TaggedField(4, lt.Zigzag(0)), lt.TaggedField(5, lt.Zigzag(1)),
		lt.TaggedField(6, lt.Varlen(1_700_000_003_123_456)), lt.TaggedField(7, lt.Varlen(1_699_999_999_000_000)), lt.TaggedField(8, lt.Varlen(300)), lt.TaggedField(9, lt.Varlen(90600)), lt.TaggedField(10, lt.Varlen(80403)), lt.TaggedField(11, lt.Varlen(5))}
	l.Event(lt.TypeTagged, lt.Tagged(0, append(fields, lt.TaggedField(12, lt.Varlen(1)))...)).SQL("shop", "CREATE TABLE t (a INT)")
	l.Event(lt.TypeTagged, lt.Tagged(0, fields[1:4]...)).SQL("shop", "XA START X'78',X'ff79',7").Event(lt.TypeXaPrepare, lt.XaPrepare(0, 7, "x", "\xffy"))
	l.Event(lt.TypeTagged, lt.Tagged(12, fields...)).SQL("shop", "XA START X'78',X'',1").Event(lt.TypeXaPrepare, lt.XaPrepare(1, 1, "x", ""))
	l.Event(lt.TypeContext, lt.TransactionContext{UUID: "3e11fa47-71ca-11e1-9e33-c80aa9429562", Thread: 12, Specified: 1, Snapshot: set, Write: []string{"one", "\x00\xff"}, Read: []string{"two"}}.Body())
	l.Event(lt.TypeViewChange, lt.ViewChange("15000000000000001:2", 7, "3e11fa47", string(set[:8]), "", ""))
	l.Event(lt.TypeIncident, lt.Incident(lt.StmtEnd, "the source lost some events"))
	l.EventFlags(lt.TypeIgnorable, lt.FlagIgnorable, []byte("of the future"))
	l.Event(lt.TypeHeartbeat, []byte("binlog.000002")).Event(lt.TypeHeartbeatV2, lt.HeartbeatV2("binlog.000002", 5<<32))
	return l.Event(lt.TypeStop).Bytes()
}

// damagedParts84: events that are whole, and something in them is not: documents, geometries, changes of documents, payloads,
// a message with a field that may not be ignored.
func damagedParts84() []byte {
	l := lt.New(lt.MySQL84, lt.CRC32)
	columns := []lt.Column{{Type: 3, NotNull: true}, lt.Col(245, 4), lt.Col(255, 4)}
	l.Event(lt.TypeTagged, lt.Tagged(20, lt.TaggedField(2, lt.Zigzag(9)))).SQL("shop", "BEGIN")
	l.Event(lt.TypeTableMap, lt.Table{ID: 9, Flags: 1, Schema: "shop", Name: "documents", Columns: columns, Optional: lt.TLV(1, lt.U8(0))}.Body())
	l.Event(lt.TypeWriteRows, lt.Rows{ID: 9, V2: true, Width: 3, After: lt.All(3), Data: lt.Image(lt.U32(4), lt.Document(lt.Hex("00 ff")), lt.Document(lt.Hex("0000000001")))}.Body())
	l.Event(lt.TypePartialUpdate, lt.Rows{ID: 9, V2: true, Flags: lt.StmtEnd, Width: 3, Before: lt.U8(2), After: lt.U8(2),
		Data: lt.Cat(lt.Image(lt.Document(lt.Hex("04 01"))), lt.U8(1), lt.U8(1), lt.Image(lt.Document(lt.Diff(2, "$.z", nil))))}.Body()).Event(lt.TypeXid, lt.U64(8))
	var p lt.Inside
	b := p.Event(lt.TypeQuery, l.Query(lt.Query{Thread: 12, DB: "shop", SQL: "BEGIN", Status: status("shop")})).Event(lt.TypeXid, lt.U64(7)).Bytes()
	stored := lt.ZstdStored(b, 64)
	l.Event(lt.TypePayload, lt.Payload(0, uint64(len(b)), stored[:len(stored)-10])) // cut
	l.Event(lt.TypePayload, lt.Payload(0, uint64(len(b))+1, stored))                // a lying size
	l.Event(lt.TypePayload, lt.Payload(9, uint64(len(b)), b))                       // an unknown compression
	l.Event(lt.TypePayload, lt.Payload(255, uint64(len(b)-5), b[:len(b)-5]))        // an event cut
	return l.Event(lt.TypeStop).Bytes()
}

// load57: LOAD DATA in statement format, once as it should be and once cancelled.
func load57() []byte {
	l := lt.New(lt.MySQL5722, lt.CRC32)
	const sql = "LOAD DATA INFILE 'orders.csv' REPLACE INTO TABLE `orders` FIELDS TERMINATED BY ',' (`id`, `name`)"
	l.SQL("shop", "BEGIN").Event(lt.TypeBeginLoad, lt.FileBlock(3, "1,one\n2,")).Event(lt.TypeAppendBlock, lt.FileBlock(3, "two\n"))
	l.Event(lt.TypeExecuteLoad, l.LoadQuery(lt.Query{Thread: 5, Exec: 1, DB: "shop", SQL: sql, Status: status("shop")}, 3, 9, 42, 2)).Event(lt.TypeXid, lt.U64(99))
	return l.Event(lt.TypeBeginLoad, lt.FileBlock(4, "")).Event(lt.TypeDeleteFile, lt.FileBlock(4, "")).Event(lt.TypeStop).Bytes()
}

var oldLoad = lt.Load{Thread: 5, Exec: 1, Skip: 2, FileID: 9, Options: [5]string{",", "\"", "\n", "", "\\"}, OptFlags: 6, Empty: 8, Fields: []string{"id", "name"}, Table: "orders", DB: "shop", File: "/tmp/orders.csv", Block: "1,one\n"}

// load41 and load323: LOAD DATA taken apart, as servers before 5.0 did.
func load41() []byte {
	l := lt.New(lt.MySQL41, lt.Off).Event(lt.TypeSlave, lt.Slave(4711, 3306, "source.example", "master-bin.001")).Event(lt.TypeCreateFile, oldLoad.Body(lt.TypeCreateFile)).Event(lt.TypeAppendBlock, lt.FileBlock(9, "2,two\n"))
	return l.Event(lt.TypeExecLoad, lt.FileBlock(9, "")).Event(lt.TypeNewLoad, oldLoad.Body(lt.TypeNewLoad)).Event(lt.TypeDeleteFile, lt.FileBlock(9, "")).Event(lt.TypeStop).Bytes()
}

func load323() []byte {
	return lt.New(lt.MySQL323, lt.Off).Event(lt.TypeLoad, oldLoad.Body(lt.TypeLoad)).Event(lt.TypeStop).Bytes()
}
