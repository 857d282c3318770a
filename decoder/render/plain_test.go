package render

import (
	"binlens/decoder"
	"binlens/decoder/value"
	"binlens/decoder/wire"
	"math/rand/v2"
	"strings"
	"testing"
)

// Cells that are plain become what they become one by one, and no trouble was overlooked.
func TestPlainCells(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	texts := []string{"", "a", "short", "exactly8", "nine char", strings.Repeat("long and plain ", 9),
		"quo\"te", "back\\slash at 8", "tab\tin a longer text",
		"Größe – 東京 🚲", "a longer text with its last letter é", "cut \xe2\x80", "\xff", "\x00", "\x1fpast the end", "DEL\x7f", "\xc3\xa9\xc3"}
	for _, b := range []byte{0x00, 0x1f, ' ', '"', '\\', 0x7f, 0x80, 0xff} { // at every place of a word, and of the last one
		for at := range 19 {
			text := []byte("nineteen characters")
			text[at] = b
			texts = append(texts, string(text))
		}
	}
	columns := []decoder.Column{{Type: value.Double, Meta: 8}, {Type: value.Float, Meta: 4}, {Type: value.Date}, {Type: value.Year}, {Type: value.Bit, Meta: 1<<8 | 3},
		{Type: value.Enum, Meta: 1, Labels: [][]byte{[]byte("new"), []byte("it's \"x\"")}}, {Type: value.Enum, Meta: 2}, {Type: value.Set, Meta: 1},
		{Type: value.JSON, Meta: 4},
		{Type: value.String, Meta: 20, Collation: bytesOnly}}
	for _, ty := range []value.Type{value.Tiny, value.Short, value.Int24, value.Long, value.LongLong} {
		columns = append(columns, decoder.Column{Type: ty}, decoder.Column{Type: ty, Unsigned: true})
	}
	for fsp := range uint16(7) {
		for _, ty := range []value.Type{value.Time2, value.Datetime2, value.Timestamp2, value.Time, value.Datetime, value.Timestamp} {
			columns = append(columns, decoder.Column{Type: ty, Meta: fsp})
		}
	}
	for _, d := range [][2]uint16{{1, 0}, {5, 5}, {9, 0}, {10, 2}, {12, 2}, {18, 9}, {18, 0}, {18, 18}, {19, 1}, {30, 10}, {65, 30}} {
		columns = append(columns, decoder.Column{Type: value.NewDecimal, Meta: d[0]<<8 | d[1]})
	}
	for _, collation := range []uint32{0, utf8mb4, latin1, bytesOnly, utf8mb3, ucs2} {
		columns = append(columns, decoder.Column{Type: value.Varchar, Meta: 400, Collation: collation})
	}
	seen := map[value.Kind]int{}
	for i := range columns {
		for round := range 3000 {
			raw := make([]byte, 19, 64)
			switch c := &columns[i]; {
			case c.Type == value.Varchar:
				text := texts[round%len(texts)]
				raw = append(append(raw, byte(len(text)), byte(len(text)>>8)), text...)
			default:
				raw = raw[:19+40]
				for k := 19; k < len(raw); k++ {
					raw[k] = byte(rnd.Uint32())
				}
				if round%2 == 0 { // few bits set, so that digits fit more often
					for k := 20; k < len(raw); k++ {
						raw[k] &= byte(rnd.Uint32())
					}
				}
			}
			if columns[i].Type == value.Enum {
				raw[19] &= 3 // around the labels there are
			}
			checkPlain(t, &columns[i], raw, seen)
		}
	}
	for _, k := range []value.Kind{value.KindInt, value.KindFloat32, value.KindFloat64, value.KindDecimal, value.KindDate, value.KindDatetime,
		value.KindTimestamp, value.KindEnum, value.KindBytes} {
		if seen[k] < 100 {
			t.Errorf("only %d cells of kind %d were plain", seen[k], k)
		}
	}
}

func checkPlain(t *testing.T, column *decoder.Column, raw []byte, seen map[value.Kind]int) {
	var cells [1]value.Value
	c := wire.NewCursor(raw[19:], 19, nil)
	value.Read(&c, column.Type, column.Meta, &cells[0])
	if !c.OK() {
		return
	}
	p := newPlan(&decoder.TableMap{Columns: []decoder.Column{*column}}, &Event{Format: &decoder.FormatDescription{Family: decoder.MySQL}})
	got, n := value.AppendMembers([]byte("before"), raw, p.members, cells[:], 0)
	if n == 0 {
		if string(got) != "before" {
			t.Fatalf("%s %x: not plain, but written: %s", column.Type, raw[19:], got)
		}
		return
	}
	seen[cells[0].Kind]++
	want, trouble := p.columns[0].appendCell([]byte(`before,"@1":`), raw, &cells[0])
	if string(got) != string(want) || trouble != nil {
		t.Fatalf("%s(%#x) %x: %s, want %s (%v)", column.Type, column.Meta, raw[19:], got, want, trouble)
	}
}
