package logtest

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"
	"strconv"
)

// Tables over which the transactions of WriteTransactions go.
const bigTables = 12

// BigFacts is what a log of WriteTransactions holds.
type BigFacts struct {
	Bytes        int64             `json:"bytes"`
	Events       int64             `json:"events"`
	Head         int64             `json:"head"`         // events in front of the first transaction
	Transactions int64             `json:"transactions"` // of five events each
	Start        int64             `json:"start"`        // of the first transaction, seconds UTC
	PerSecond    int64             `json:"perSecond"`    // transactions
	Tables       [bigTables]BigUse `json:"tables"`       // shop.orders_0, shop.orders_1, …
}

// BigUse is what a table has of a log: a transaction has one table map and one row event.
type BigUse struct {
	Transactions int64 `json:"transactions"`
	Rows         int64 `json:"rows"`
}

const perSecond = 500

// WriteTransactions writes a log of small transactions, as a busy shop has them, until it has size bytes: GTID_EVENT, BEGIN,
// TABLE_MAP_EVENT, one row event of one to eight rows, XID_EVENT, about 100 bytes each, all with checksums. A second passes every
// 500 of them. Of the columns, which have no names, the first has the transaction's number from 0 on in its first row and the
// row's in the others, the second the table's number.
func WriteTransactions(w io.Writer, size int64) (*BigFacts, error) {
	out := bufio.NewWriterSize(w, 1<<20)
	head := New(MySQL8040, CRC32).Event(TypePreviousGtids, PreviousGtids(false))
	if _, err := out.Write(head.Bytes()); err != nil {
		return nil, err
	}
	facts := &BigFacts{Head: int64(len(head.Events)), Start: Start, PerSecond: perSecond}
	at := int64(head.Len())
	var templates [bigTables * 8]*Log
	for i := range templates {
		templates[i] = bigTransaction(i/8, 1+i%8)
	}
	for n := uint64(0); at < size; n++ {
		k := (n*7 + n>>5) % uint64(len(templates))
		t := templates[k]
		for _, e := range t.Events {
			b := t.b[e.Off : e.Off+e.Size]
			at += int64(len(b))
			patch(b, n, uint32(at))
		}
		if _, err := out.Write(t.b); err != nil {
			return nil, err
		}
		facts.Transactions++
		use := &facts.Tables[k/8]
		use.Transactions++
		use.Rows += int64(1 + k%8)
	}
	facts.Bytes, facts.Events = at, facts.Head+5*facts.Transactions
	return facts, out.Flush()
}

// bigTransaction is a transaction on the table of this number.
func bigTransaction(table, rows int) *Log {
	l := Bare(MySQL8040, CRC32)
	name := "orders_" + strconv.Itoa(table)
	g := Gtid{Flags: 1, SID: [16]byte(Hex("3e11fa47 71ca 11e1 9e33 c80aa9429562")), Clock: 2}
	l.Event(TypeGtid, g.Body(Times(1_700_000_000_000_000), Lenenc(500), Versions(80040)))
	status := Cat(Var(0, U32(0)), Var(1, U64(1168113696)), Var(6, Text8("std")), Var(4, U16(45), U16(45), U16(255)))
	l.Event(TypeQuery, l.Query(Query{Thread: 40, Status: status, DB: "shop", SQL: "BEGIN"}))
	columns := []Column{Col(8), Col(3), Col(15, U16(200)...), Col(8)}
	l.Event(TypeTableMap, Table{ID: uint64(100 + table), Schema: "shop", Name: name, Columns: columns}.Body())
	var data []byte
	for i := range rows {
		data = Cat(data, Image(U64(uint64(i)), U32(uint32(table)), Text8("customer "+name+" of the day"), U64(20260102030405)))
	}
	l.Event(TypeWriteRows, Rows{ID: uint64(100 + table), Flags: StmtEnd, V2: true, Width: len(columns), After: All(len(columns)), Data: data}.Body())
	return l.Event(TypeXid, U64(0))
}

// patch makes an event that of transaction n, ending at next_position.
func patch(b []byte, n uint64, position uint32) {
	binary.LittleEndian.PutUint32(b, Start+uint32(n/perSecond))
	binary.LittleEndian.PutUint32(b[13:], position)
	body := b[19:]
	switch b[4] {
	case TypeGtid:
		binary.LittleEndian.PutUint64(body[17:], n+1)
		binary.LittleEndian.PutUint64(body[26:], n)
		binary.LittleEndian.PutUint64(body[34:], n+1)
	case TypeWriteRows:
		binary.LittleEndian.PutUint64(body[13:], n)
	case TypeXid:
		binary.LittleEndian.PutUint64(body, n)
	}
	end := len(b) - 4
	binary.LittleEndian.PutUint32(b[end:], crc32.ChecksumIEEE(b[:end]))
}
