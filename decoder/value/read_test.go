package value

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"binlens/decoder/wire"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// readAll reads one cell from all of the bytes, which stand 19 bytes into their event, and returns the event too.
func readAll(t testing.TB, typ Type, meta uint16, cell []byte) (event []byte, v Value) {
	t.Helper()
	event = append(make([]byte, 19), cell...)
	c := wire.NewCursor(event[19:], 19, nil)
	Read(&c, typ, meta, &v)
	if err := c.Err(); err != nil {
		t.Fatalf("%s(%#x) % x: %v", typ, meta, cell, err)
	}
	if v.Off != 19 || int(v.End) != len(event) || c.Len() != 0 {
		t.Fatalf("%s(%#x) % x: cell is [%d,%d) of [19,%d)", typ, meta, cell, v.Off, v.End, len(event))
	}
	return event, v
}

// The text of cells as the format's description and the reports of other readers' faults give it.
func TestText(t *testing.T) {
	const unsigned = true
	for _, tt := range []struct {
		typ      Type
		meta     uint16
		unsigned bool
		hex      string
		want     string
	}{
		{Tiny, 0, false, "81", "-127"},
		{Tiny, 0, unsigned, "81", "129"},
		{Tiny, 0, false, "80", "-128"},
		{Tiny, 0, false, "7f", "127"},
		{Short, 0, false, "00 80", "-32768"},
		{Short, 0, unsigned, "00 80", "32768"},
		{Int24, 0, false, "fe ff ff", "-2"},
		{Int24, 0, unsigned, "fe ff ff", "16777214"},
		{Int24, 0, false, "ff ff 7f", "8388607"},
		{Int24, 0, unsigned, "ff ff ff", "16777215"},
		{Long, 0, false, "ff ff ff ff", "-1"},
		{Long, 0, unsigned, "ff ff ff ff", "4294967295"},
		{Long, 0, false, "00 00 00 80", "-2147483648"},
		{LongLong, 0, false, "ff ff ff ff ff ff ff ff", "-1"},
		{LongLong, 0, unsigned, "ff ff ff ff ff ff ff ff", "18446744073709551615"},
		{LongLong, 0, false, "00 00 00 00 00 00 00 80", "-9223372036854775808"},
		{LongLong, 0, false, "01 00 00 00 00 00 20 00", "9007199254740993"},

		{Year, 0, false, "7c", "2024"},
		{Year, 0, unsigned, "00", "0000"},
		{Year, 0, unsigned, "01", "1901"},
		{Year, 0, unsigned, "ff", "2155"},
		{Year, 0, false, "8d", "2041"},

		{Float, 4, false, "9a 99 99 3e", "0.3"},
		{Float, 4, false, "e6 d6 ac 43", "345.6789"},
		{Float, 4, false, "c3 f5 48 40", "3.14"},
		{Double, 8, false, "00 00 00 00 00 00 04 c0", "-2.5"},
		{Double, 8, false, "3d 0a d7 a3 70 3d 12 40", "4.56"},
		{Double, 8, false, "40 8c b5 78 1d af 15 44", "1e20"},
		{Double, 8, false, "00 00 00 00 00 00 00 80", "-0"},
		{Double, 8, false, "00 00 00 00 00 00 f0 7f", "Infinity"},
		{Double, 8, false, "00 00 00 00 00 00 f0 ff", "-Infinity"},
		{Float, 4, false, "00 00 c0 7f", "NaN"},

		{NewDecimal, 14<<8 | 4, false, "81 0d fb 38 d2 04 d2", "1234567890.1234"},
		{NewDecimal, 14<<8 | 4, false, "7e f2 04 c7 2d fb 2d", "-1234567890.1234"},
		{NewDecimal, 5<<8 | 2, false, "80 7b 2d", "123.45"},
		{NewDecimal, 5<<8 | 2, false, "7f 84 d2", "-123.45"},
		{NewDecimal, 5<<8 | 2, false, "7f ff fe", "-0.01"},
		{NewDecimal, 5<<8 | 2, false, "80 00 00", "0.00"},
		{NewDecimal, 5<<8 | 2, false, "7f ff ff", "0.00"},
		{NewDecimal, 10 << 8, false, "80 00 00 00 00", "0"},
		{NewDecimal, 10 << 8, false, "7f ff ff ff fe", "-1"},
		{NewDecimal, 13<<8 | 4, false, "80 00 00 00 0d 05", "0.3333"},
		{NewDecimal, 20 << 8, false, "80 00 00 00 00 00 00 00 01", "1"},
		{NewDecimal, 10<<8 | 10, false, "80 00 00 00 01", "0.0000000001"},
		{NewDecimal, 10<<8 | 9, false, "80 00 00 00 01", "0.000000001"},
		{NewDecimal, 2<<8 | 2, false, "73", "-0.12"},
		{NewDecimal, 65<<8 | 30, false, "85 f5 e0 ff 3b 9a c9 ff 3b 9a c9 ff 3b 9a c9 ff 3b 9a c9 ff 3b 9a c9 ff 3b 9a c9 ff 03 e7",
			"99999999999999999999999999999999999.999999999999999999999999999999"},

		{Date, 0, false, "5d d0 0f", "2024-02-29"},
		{NewDate, 0, false, "5d d0 0f", "2024-02-29"},
		{Date, 0, false, "00 00 00", "0000-00-00"},
		{Date, 0, false, "0f ce 0f", "2023-00-15"},
		{Date, 0, false, "a0 ce 0f", "2023-05-00"},
		{Date, 0, false, "ff ff ff", "32767-15-31"},

		{Time, 0, false, "40 e2 01", "12:34:56"},
		{Time, 0, false, "c0 1d fe", "-12:34:56"},
		{Time, 0, false, "cf 00 80", "-838:84:01"}, // 0x8000cf = -8388401: minutes that are none, as stored
		{Datetime, 0, false, "f6 7c ac 8b 68 12 00 00", "2024-02-29 23:59:58"},
		{Datetime, 0, false, "00 00 00 00 00 00 00 00", "0000-00-00 00:00:00"},
		{Datetime, 0, false, "ff ff ff ff ff ff ff ff", "1844674407-37-09 55:16:15"},
		{Timestamp, 0, false, "7e 1a e1 65", "2024-02-29 23:59:58"},
		{Timestamp, 0, false, "00 00 00 00", "0000-00-00 00:00:00"},

		{Timestamp2, 0, false, "65 e1 1a 7e", "2024-02-29 23:59:58"},
		{Timestamp2, 6, false, "65 e1 1a 7e 01 e2 40", "2024-02-29 23:59:58.123456"},
		{Timestamp2, 0, false, "00 00 00 00", "0000-00-00 00:00:00"},
		{Timestamp2, 6, false, "00 00 00 00 00 00 00", "0000-00-00 00:00:00.000000"},
		{Timestamp2, 3, false, "00 00 00 00 00 00", "0000-00-00 00:00:00.000"},
		{Timestamp2, 2, false, "00 00 00 00 01", "1970-01-01 00:00:00.01"},
		{Timestamp2, 0, false, "00 00 00 01", "1970-01-01 00:00:01"},
		{Timestamp2, 0, false, "7f ff ff ff", "2038-01-19 03:14:07"},
		{Timestamp2, 0, false, "ff ff ff ff", "2106-02-07 06:28:15"},
		{Timestamp2, 1, false, "65 e1 1a 7e 5a", "2024-02-29 23:59:58.9"},

		{Datetime2, 0, false, "99 b2 bb 7e fa", "2024-02-29 23:59:58"},
		{Datetime2, 2, false, "99 b2 bb 7e fa 0c", "2024-02-29 23:59:58.12"},
		{Datetime2, 6, false, "99 b2 bb 7e fa 01 e2 40", "2024-02-29 23:59:58.123456"},
		{Datetime2, 0, false, "8c b2 42 00 00", "1000-01-01 00:00:00"},
		{Datetime2, 6, false, "fe f3 ff 7e fb 0f 42 3f", "9999-12-31 23:59:59.999999"},
		{Datetime2, 0, false, "80 00 00 00 00", "0000-00-00 00:00:00"},
		{Datetime2, 6, false, "80 00 00 00 00 00 00 00", "0000-00-00 00:00:00.000000"},
		{Datetime2, 0, false, "99 ae de a0 00", "2023-00-15 10:00:00"},
		{Datetime2, 0, false, "99 b0 00 a0 00", "2023-05-00 10:00:00"},
		{Datetime2, 1, false, "99 b0 1e a0 00 5a", "2023-05-15 10:00:00.9"},
		{Datetime2, 3, false, "99 b0 1e a0 00 04 ce", "2023-05-15 10:00:00.123"},
		{Datetime2, 5, false, "99 b0 1e a0 00 01 e2 3a", "2023-05-15 10:00:00.12345"},
		{Datetime2, 0, false, "7f ff ff ff ff", "-0000-00-00 00:00:01"},

		{Time2, 0, false, "80 c8 b8", "12:34:56"},
		{Time2, 0, false, "7f 37 48", "-12:34:56"},
		{Time2, 2, false, "80 c8 b8 4e", "12:34:56.78"},
		{Time2, 2, false, "7f ff ff ff", "-00:00:00.01"},
		{Time2, 2, false, "7f ff ff f4", "-00:00:00.12"},
		{Time2, 2, false, "7f ff ff 9d", "-00:00:00.99"},
		{Time2, 2, false, "7f ff ff 00", "-00:00:01.00"},
		{Time2, 2, false, "7f ff fe ff", "-00:00:01.01"},
		{Time2, 2, false, "7f ff fe f6", "-00:00:01.10"},
		{Time2, 3, false, "80 c8 b8 1e d2", "12:34:56.789"},
		{Time2, 6, false, "7f 37 47 f3 f5 ec", "-12:34:56.789012"},
		{Time2, 6, false, "b4 6e fb 00 00 00", "838:59:59.000000"},
		{Time2, 6, false, "4b 91 05 00 00 00", "-838:59:59.000000"},
		{Time2, 6, false, "7e fd fb ff d8 75", "-16:08:04.010123"},
		{Time2, 3, false, "7e fd fb f6 3c", "-16:08:04.250"},
		{Time2, 6, false, "7e fd fb fc 2f 70", "-16:08:04.250000"},
		{Time2, 0, false, "7e fd fc", "-16:08:04"},
		{Time2, 1, false, "80 00 00 5a", "00:00:00.9"},
		{Time2, 0, false, "80 00 00", "00:00:00"},
		{Time2, 4, false, "7f ff ff ff ff", "-00:00:00.0001"},
		{Time2, 6, false, "7f ff ff ff ff ff", "-00:00:00.000001"},

		// MariaDB, mysql56_temporal_format=OFF
		{Datetime, 6, false, "01 02 7a c7 05 58 9d c0", "2024-02-29 23:59:58.123456"},
		{Time, 6, false, "02 c9 c9 c4 a2 14", "12:34:56.789012"},
		{Time, 6, false, "02 b4 b1 f8 55 ec", "-12:34:56.789012"},
		{Datetime, 1, false, "ff ff ff ff ff ff", "10082-05-31 01:04:25.5"}, // past what DATETIME2 can store
		{Timestamp, 3, false, "65 e1 1a 7e 00 7b", "2024-02-29 23:59:58.123"},

		{Bit, 0<<8 | 1, false, "01", "b'1'"},
		{Bit, 0<<8 | 3, false, "04", "b'100'"},
		{Bit, 0<<8 | 4, false, "05", "b'0101'"},
		{Bit, 1<<8 | 2, false, "02 01", "b'1000000001'"},
		{Bit, 1 << 8, false, "80", "b'10000000'"},
		{Bit, 8 << 8, false, "ff ff ff ff ff ff ff ff", "b'" + strings.Repeat("1", 64) + "'"},
		{Bit, 0<<8 | 1, false, "81", "b'10000001'"}, // bits that BIT(1) does not have

		{Enum, 1, false, "02", "2"},
		{Enum, 2, false, "02 01", "258"},
		{Enum, 2, false, "00 00", "0"},
		{Set, 8, false, "01 00 00 00 00 00 00 80", "9223372036854775809"},
		{Set, 3, false, "01 00 80", "8388609"},
		{Null, 0, false, "", "NULL"},
	} {
		event, v := readAll(t, tt.typ, tt.meta, unhex(t, tt.hex))
		if got := string(AppendText(nil, event, tt.meta, tt.unsigned, &v)); got != tt.want {
			t.Errorf("%s(%#x) %s = %q, want %q", tt.typ, tt.meta, tt.hex, got, tt.want)
		}
		if n, ok := FixedLen(tt.typ, tt.meta); !ok || n != int(v.End-v.Off) {
			t.Errorf("FixedLen(%s, %#x) = %d, %v; the cell has %d bytes", tt.typ, tt.meta, n, ok, v.End-v.Off)
		}
	}
}

func TestBytes(t *testing.T) {
	for _, tt := range []struct {
		typ  Type
		meta uint16
		hex  string
		kind Kind
		want string // hex
	}{
		{Varchar, 255, "01 61", KindBytes, "61"},
		{Varchar, 256, "01 00 61", KindBytes, "61"},
		{Varchar, 65535, "00 00", KindBytes, ""},
		{VarString, 10, "02 6162", KindBytes, "6162"},
		{String, 5, "01 61", KindBytes, "61"},
		{String, 300, "02 00 6162", KindBytes, "6162"},
		{Blob, 1, "02 00ff", KindBytes, "00ff"},
		{Blob, 2, "02 00 00ff", KindBytes, "00ff"},
		{Blob, 3, "02 00 00 00ff", KindBytes, "00ff"},
		{Blob, 4, "02 00 00 00 00ff", KindBytes, "00ff"},
		{Blob, 4, "00 00 00 00", KindBytes, ""},
		{TinyBlob, 1, "01 61", KindBytes, "61"},
		{JSON, 4, "02 00 00 00 04 01", KindJSON, "0401"},
		{JSON, 4, "00 00 00 00", KindJSON, ""},
		{Geometry, 4, "04 00 00 00 e6100000", KindGeometry, "e6100000"},
		{Vector, 4, "04 00 00 00 cdcc8c3f", KindVector, "cdcc8c3f"},
		{TypedArray, uint16(LongLong), "02 00 00 00 0401", KindArray, "0401"},
		{BlobCompressed, 2, "02 00 0061", KindCompressed, "0061"},
		{VarcharCompressed, 300, "02 00 0061", KindCompressed, "0061"},
	} {
		event, v := readAll(t, tt.typ, tt.meta, unhex(t, tt.hex))
		got := Bytes(event, &v)
		if v.Kind != tt.kind || hex.EncodeToString(got) != tt.want {
			t.Errorf("%s(%d) %s = kind %d, %x; want kind %d, %s", tt.typ, tt.meta, tt.hex, v.Kind, got, tt.kind, tt.want)
		}
		if cap(got) != len(got) {
			t.Errorf("%s(%d) %s: the data has room to append to", tt.typ, tt.meta, tt.hex)
		}
		if text := AppendText(nil, event, tt.meta, false, &v); len(text) != 0 {
			t.Errorf("%s(%d) %s has the text %q", tt.typ, tt.meta, tt.hex, text)
		}
		if n, ok := FixedLen(tt.typ, tt.meta); ok {
			t.Errorf("FixedLen(%s, %d) = %d", tt.typ, tt.meta, n)
		}
	}
}

func TestBytesOfOtherEvent(t *testing.T) {
	event, v := readAll(t, Varchar, 255, unhex(t, "03 616263"))
	if got := Bytes(event[:len(event)-1], &v); got != nil {
		t.Errorf("Bytes of an event that is too short = %q", got)
	}
	if got := AppendText(nil, nil, 5<<8|2, false, &Value{Kind: KindDecimal, Off: 1, End: 4}); len(got) != 0 {
		t.Errorf("DECIMAL of an event that is too short = %q", got)
	}
	num := Value{Kind: KindInt, Off: 0, End: 8, Bits: 1}
	if got := Bytes(event, &num); got != nil {
		t.Errorf("Bytes of an integer = %q", got)
	}
}

func TestReadRefuses(t *testing.T) {
	for _, tt := range []struct {
		typ  Type
		meta uint16
		hex  string
		kind wire.Kind
		off  int64
		want string
	}{
		{Long, 0, "01 02 03", wire.Truncated, 0, "4 bytes needed, 3 left"},
		{Tiny, 0, "", wire.Truncated, 0, "1 byte needed, 0 left"},
		{NewDecimal, 14<<8 | 4, "81 0d", wire.Truncated, 0, "7 bytes needed, 2 left"},
		{Datetime2, 6, "99 b2 bb 7e fa 01", wire.Truncated, 0, "8 bytes needed, 6 left"},
		{Timestamp2, 6, "65 e1 1a 7e 01", wire.Truncated, 0, "7 bytes needed, 5 left"},
		{Varchar, 255, "05 61", wire.Truncated, 1, "a length of 5 bytes, 1 left"},
		{Varchar, 256, "05", wire.Truncated, 0, "2 bytes needed, 1 left"},
		{Blob, 4, "ff ff ff ff 61", wire.Truncated, 4, "a length of 4294967295 bytes, 1 left"},
		{Decimal, 0, "31", wire.Unsupported, 0, "DECIMAL from before MySQL 5.0.3: the width of its values is not in the log"},
		{Type(99), 0, "31", wire.Unsupported, 0, "column type 99 is not known, nor how long its values are"},
		{Bool, 0, "31", wire.Unsupported, 0, "column type BOOL is the server's placeholder: no table has it"},
		{Invalid, 0, "31", wire.Corrupt, 0, "the table map's metadata makes this column none of CHAR, BINARY, ENUM and SET"},
		{Blob, 0, "31", wire.Corrupt, 0, "the table map gives this BLOB column a length of 0 bytes; 1 to 4 are possible"},
		{JSON, 5, "31", wire.Corrupt, 0, "the table map gives this JSON column a length of 5 bytes; 1 to 4 are possible"},
		{Enum, 0, "31", wire.Corrupt, 0, "the table map gives this ENUM column values of 0 bytes"},
		{Enum, 3, "31", wire.Corrupt, 0, "the table map gives this ENUM column values of 3 bytes"},
		{Set, 5, "31", wire.Corrupt, 0, "the table map gives this SET column values of 5 bytes"},
		{Set, 0, "31", wire.Corrupt, 0, "the table map gives this SET column values of 0 bytes"},
		{Bit, 0, "31", wire.Corrupt, 0, "the table map gives this BIT column 0 bits; 1 to 64 are possible"},
		{Bit, 8<<8 | 1, "31", wire.Corrupt, 0, "the table map gives this BIT column 65 bits; 1 to 64 are possible"},
		{Time2, 7, "31", wire.Corrupt, 0, "the table map gives this TIME2 column 7 digits of a second; 0 to 6 are possible"},
		{Datetime2, 255, "31", wire.Corrupt, 0, "the table map gives this DATETIME2 column 255 digits of a second; 0 to 6 are possible"},
		{Timestamp2, 9, "31 32 33 34", wire.Corrupt, 0, "the table map gives this TIMESTAMP2 column 9 digits of a second; 0 to 6 are possible"},
		{NewDecimal, 66<<8 | 1, "31", wire.Corrupt, 0, "the table map gives this NEWDECIMAL column a precision of 66 and a scale of 1"},
		{NewDecimal, 0, "31", wire.Corrupt, 0, "the table map gives this NEWDECIMAL column a precision of 0 and a scale of 0"},
		{NewDecimal, 5<<8 | 6, "31", wire.Corrupt, 0, "the table map gives this NEWDECIMAL column a precision of 5 and a scale of 6"},
		{Datetime, 7, "31", wire.Corrupt, 0, "the table map gives this DATETIME column 7 digits of a second; 0 to 6 are possible"},
		{Blob, 4, "ff ff", wire.Truncated, 0, "4 bytes needed, 2 left"},
		{TypedArray, 8, "05 00 00 00 61", wire.Truncated, 4, "a length of 5 bytes, 1 left"},
	} {
		c := wire.NewCursor(unhex(t, tt.hex), 0, nil)
		v := Value{Kind: KindInt, Bits: 7}
		Read(&c, tt.typ, tt.meta, &v)
		err := c.Fault()
		if err == nil || err.Kind != tt.kind || err.Offset != tt.off || err.Msg != tt.want {
			t.Errorf("%s(%#x) %s: %v, want %v at %d: %s", tt.typ, tt.meta, tt.hex, err, tt.kind, tt.off, tt.want)
		}
		if v != (Value{}) {
			t.Errorf("%s(%#x) %s: a failed read left %+v", tt.typ, tt.meta, tt.hex, v)
		}
		if n, ok := FixedLen(tt.typ, tt.meta); ok && tt.kind != wire.Truncated {
			t.Errorf("FixedLen(%s, %#x) = %d, but Read refuses it", tt.typ, tt.meta, n)
		}
	}
}

// Cells follow one another; a NULL has a place and no bytes, a column that is not present is left alone, and reading ends at
// the first cell that cannot be read.
func TestReadCells(t *testing.T) {
	layouts := []Layout{LayoutOf(Tiny, 0), LayoutOf(Long, 0), LayoutOf(Varchar, 20), LayoutOf(Short, 0), LayoutOf(Decimal, 0), LayoutOf(Long, 0)}
	read := func(data string, nulls byte, present ...uint16) (cells []Value, n, pos int, err *wire.Error) {
		cells = make([]Value, len(layouts))
		for i := range cells {
			cells[i].Bits = 99
		}
		c := wire.NewCursor([]byte("\xee\xee"+data), 30, nil)
		c.Skip(2)
		list := make([]Layout, len(present))
		for k, i := range present {
			list[k] = layouts[i]
			list[k].Column = i
		}
		n = ReadCells(&c, list, []byte{nulls}, cells)
		return cells, n, c.EventPos(), c.Fault()
	}
	untouched := Value{Bits: 99}

	cells, n, pos, err := read("\x07\x02hi\xfe\xff", 0b0010, 0, 1, 2, 3)
	want := []Value{{KindInt, 32, 33, 7}, {KindNull, 33, 33, 0}, {KindBytes, 33, 36, 34}, {KindInt, 36, 38, 0xfffe}, untouched, untouched}
	if !slices.Equal(cells, want) || n != 4 || pos != 38 || err != nil {
		t.Errorf("read %d cells to %d: %v, %v; want %v", n, pos, cells, err, want)
	}
	cells, n, pos, err = read("\x01\x02\x03\x04\x05\x06", 0, 1, 5, 0)
	want = []Value{untouched, {KindInt, 32, 36, 0x04030201}, untouched, untouched, untouched, {Off: 36, End: 36}}
	if !slices.Equal(cells, want) || n != 1 || err == nil || err.Kind != wire.Truncated || err.Offset != 6 {
		t.Errorf("a cell that is cut: read %d cells to %d: %v, %v; want %v", n, pos, cells, err, want)
	}
	cells, n, _, err = read("\x01\x02\x03\x04\x05\x06", 0b0001, 4, 4)
	if want := (Value{Off: 32, End: 32}); cells[4] != want || n != 1 || err == nil || err.Kind != wire.Unsupported {
		t.Errorf("a type that is not read: %d cells, %v, %v", n, cells[4], err)
	}
}

func TestAccessors(t *testing.T) {
	_, v := readAll(t, Int24, 0, unhex(t, "fe ff ff"))
	if v.Int64() != -2 || v.Uint64() != 16777214 {
		t.Errorf("fe ff ff = %d, %d", v.Int64(), v.Uint64())
	}
	_, v = readAll(t, Float, 4, unhex(t, "c3 f5 48 40"))
	if v.Float() != float64(float32(3.14)) || !v.IsFinite() {
		t.Errorf("c3 f5 48 40 = %v", v.Float())
	}
	var none Value
	if none.Int64() != 0 || none.Kind != KindNone {
		t.Errorf("the zero Value is %d of kind %d", none.Int64(), none.Kind)
	}
}
