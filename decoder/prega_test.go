package decoder_test

import (
	"testing"

	"binlens/decoder"
	"binlens/decoder/wire"
)

// The rows are those of a log of 5.1.17: two rows of two columns that may be NULL.
func TestPreGARows(t *testing.T) {
	f := &decoder.FormatDescription{BinlogVersion: 4, CommonHeaderLen: 19, PostHeaderLengths: make([]byte, 22)}
	f.PostHeaderLengths[decoder.PreGAWriteRowsType-1] = 8
	rows := []byte("\xf9\x00\x00\x00\x00\x03one\xf9\x01\x00\x00\x00\x03two")
	body := append([]byte("\x0f\x00\x00\x00\x00\x00\x01\x00\x02\xff"), rows...)
	h := decoder.Header{Type: decoder.PreGAWriteRowsType, Len: 19, Size: uint32(19 + len(body))}
	ev, err := decoder.Decode(&decoder.Context{Format: f}, h, body, nil)
	if err != nil {
		t.Fatal(err)
	}
	e := ev.(*decoder.PreGARows)
	if e.Op != decoder.Insert || e.TableID != 15 || e.Flags != 1 || e.Width != 2 || string(e.Columns) != "\xff" || string(e.Rows) != string(rows) {
		t.Errorf("%+v", e)
	}
	f.PostHeaderLengths[decoder.PreGAWriteRowsType-1] = 6 // 4-byte table ids
	if ev, err = decoder.Decode(&decoder.Context{Format: f}, h, append([]byte("\x0f\x00\x00\x00"), body[6:]...), nil); err != nil || ev.(*decoder.PreGARows).TableID != 15 {
		t.Errorf("%+v %v", ev, err)
	}
	for _, tt := range []struct {
		body string
		kind wire.Kind
		at   int64
		path string
	}{
		{"\x0f\x00\x00", wire.Truncated, 0, "table_id"},
		{"\x0f\x00\x00\x00\x01", wire.Truncated, 4, "flags"},
		{"\x0f\x00\x00\x00\x01\x00", wire.Truncated, 6, "width"},
		{"\x0f\x00\x00\x00\x01\x00\xfc\x01\x10", wire.Corrupt, 6, "width"},
		{"\x0f\x00\x00\x00\x01\x00\x09\xff", wire.Truncated, 7, "columns"},
	} {
		_, bad := decoder.Inspect(&decoder.Context{Format: f}, h, []byte(tt.body), nil)
		if bad == nil || bad.Kind != tt.kind || bad.Offset != tt.at || bad.Path != tt.path {
			t.Errorf("% x: %v, want %s at %d in %s", tt.body, bad, tt.kind, tt.at, tt.path)
		}
	}
}
