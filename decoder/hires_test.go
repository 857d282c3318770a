package decoder_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"binlens/decoder"
	"binlens/decoder/internal/logtest"
	"binlens/decoder/value"
	"binlens/decoder/wire"
)

// A moment is a value of a column of type TIME, DATETIME or TIMESTAMP as MariaDB wrote them before it had types of their
// own for fractions.
type moment struct {
	typ    value.Type
	digits int
	t      time.Time     // of DATETIME and TIMESTAMP, whole to its digits; zero for their zero
	d      time.Duration // of TIME, whole to its digits
}

var unit = [7]int64{1, 10, 100, 1000, 10_000, 100_000, 1_000_000} // in a second

// cell is the value as it stands in a row.
func (m moment) cell() []byte {
	u, micros := unit[m.digits], int64(m.t.Nanosecond()/1000)
	switch m.typ {
	case value.Time:
		if m.digits == 0 {
			s := int64(m.d.Abs() / time.Second)
			hms := s/3600*10_000 + s/60%60*100 + s%60
			if m.d < 0 {
				hms = -hms
			}
			return logtest.UN(uint64(hms), 3)
		}
		return bigEndian(839*3600*u+m.d.Microseconds()/(1_000_000/u), []int{3, 4, 4, 5, 5, 5, 6}[m.digits])
	case value.Datetime:
		y, mo, d := m.t.Date()
		if m.t.IsZero() {
			y, mo, d = 0, 0, 0
		}
		h, mi, s := m.t.Clock()
		if m.digits == 0 {
			return logtest.U64(uint64((y*10_000+int(mo)*100+d)*1_000_000 + h*10_000 + mi*100 + s))
		}
		v := int64((((((y*13+int(mo))*32+d)*24+h)*60+mi)*60 + s))
		return bigEndian(v*u+micros/(1_000_000/u), []int{8, 6, 6, 7, 7, 7, 8}[m.digits])
	}
	s := uint32(m.t.Unix())
	if m.t.IsZero() {
		s = 0
	}
	if m.digits == 0 {
		return u32(s)
	}
	return logtest.Cat(bigEndian(int64(s), 4), bigEndian(micros/(1_000_000/u), (m.digits+1)/2))
}

func bigEndian(v int64, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(v >> (8 * (n - 1 - i)))
	}
	return b
}

// text is the value as the server prints it.
func (m moment) text() string {
	fraction := func(micros int64) string {
		if m.digits == 0 {
			return ""
		}
		return fmt.Sprintf(".%0*d", m.digits, micros/(1_000_000/unit[m.digits]))
	}
	if m.typ == value.Time {
		d, sign := m.d.Abs(), ""
		if m.d < 0 {
			sign = "-"
		}
		return fmt.Sprintf("%s%02d:%02d:%02d", sign, int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60) + fraction(d.Microseconds()%1_000_000)
	}
	if m.t.IsZero() {
		return "0000-00-00 00:00:00" + fraction(0)
	}
	return m.t.Format(time.DateTime) + fraction(int64(m.t.Nanosecond()/1000))
}

var now = time.Date(2014, 5, 6, 7, 8, 9, 0, time.UTC) // of the events

// serverImage is an image with the null bits that servers write: those beyond the columns are set.
func serverImage(cells ...[]byte) []byte {
	b := logtest.Image(cells...)
	if over := len(cells) & 7; over != 0 {
		b[len(cells)/8] |= 0xff << over
	}
	return b
}

// fitRows decodes an INSERT of rows into the columns; each row is its cells, nil for NULL.
func fitRows(t testing.TB, s logtest.Server, columns []logtest.Column, rows ...[][]byte) (*decoder.Rows, []byte) {
	t.Helper()
	f := format(t, s, logtest.CRC32)
	m := read[*decoder.TableMap](t, f, decoder.TableMapType, logtest.Table{ID: 7, Schema: "d", Name: "t", Columns: columns}.Body())
	var data []byte
	for _, r := range rows {
		data = append(data, serverImage(r...)...)
	}
	body := logtest.Rows{ID: 7, Flags: logtest.StmtEnd, Width: len(columns), After: logtest.All(len(columns)), Data: data}.Body()
	h := header(f, decoder.WriteRowsV1Type, body)
	h.Timestamp = uint32(now.Unix())
	ev, bad, _ := inspect(t, &decoder.Context{Format: f, TableMap: m}, h, body)
	if bad != nil {
		t.Fatal(bad)
	}
	for i, c := range m.Columns {
		if c.Type != value.Varchar && c.Meta != 0 {
			t.Errorf("the fit changed the table map's own column %d", i)
		}
	}
	return ev.(*decoder.Rows), append(make([]byte, h.Len), body...)
}

// fitted writes down what was found: the digits of each column, behind a slash those that fit as well.
func fitted(e *decoder.Rows) string {
	var list []string
	for _, f := range e.Fitted {
		s := fmt.Sprintf("%d:%d", f.Column, e.Map.Columns[f.Column].Meta)
		for n := range 8 {
			if f.Also>>n&1 != 0 {
				s += fmt.Sprintf("/%d", n)
			}
		}
		list = append(list, s)
	}
	return strings.Join(list, " ")
}

// One old column with each number of digits is found again, or of those that make the same cells the one that is said.
func TestFitOneColumn(t *testing.T) {
	at := time.Date(2013, 12, 31, 23, 59, 58, 987_654_000, time.UTC)
	for _, tt := range []struct {
		typ  value.Type
		want [7]string
	}{
		{value.Time, [7]string{"", "1:1", "1:2", "1:3", "1:4", "1:5", "1:6"}},
		{value.Datetime, [7]string{"", "1:1", "1:2", "1:3", "1:4", "1:5", "1:6"}},
		{value.Timestamp, [7]string{"", "1:1/2", "1:2", "1:3/4", "1:4", "1:6/5", "1:6"}},
	} {
		for n, want := range tt.want {
			u := time.Duration(1_000_000_000 / unit[n])
			m := moment{typ: tt.typ, digits: n, t: at.Truncate(u), d: (-16*time.Hour - 987_654*time.Microsecond).Truncate(u)}
			e, event := fitRows(t, logtest.MariaDB53, []logtest.Column{logtest.Col(3), logtest.Col(byte(tt.typ))}, [][]byte{u32(1), m.cell()}, [][]byte{u32(2), nil})
			got, bad := text(t, e, event)
			if shown := "1 " + m.text() + " | 2 NULL"; bad != nil || fitted(e) != want || got != shown && want != "1:6/5" {
				t.Errorf("%s(%d): found %q, want %q; rows %q, want %q; %v", tt.typ, n, fitted(e), want, got, shown, bad)
			}
		}
	}
}

// What is found, and what is not.
func TestFit(t *testing.T) {
	datetime := func(n int, s string) []byte {
		at, err := time.Parse("2006-01-02 15:04:05.999999", s)
		if err != nil {
			t.Fatal(err)
		}
		return moment{typ: value.Datetime, digits: n, t: at}.cell()
	}
	clock := func(n int, d time.Duration) []byte { return moment{typ: value.Time, digits: n, d: d}.cell() }
	stamp := func(n int, at time.Time) []byte { return moment{typ: value.Timestamp, digits: n, t: at}.cell() }
	columns := func(types ...byte) (list []logtest.Column) {
		for _, typ := range types {
			if typ == 15 {
				list = append(list, logtest.Col(15, 20, 0))
			} else {
				list = append(list, logtest.Col(typ))
			}
		}
		return list
	}
	for _, tt := range []struct {
		name    string
		server  logtest.Server
		columns []logtest.Column
		rows    [][][]byte
		want    string // the rows
		found   string
		bad     string
	}{
		{"no fractions, a year that the manual does not allow", logtest.MariaDB100, columns(12), [][][]byte{{datetime(0, "0002-02-03 00:00:00")}}, "0002-02-03 00:00:00", "", ""},
		{"zeros", logtest.MariaDB100, columns(3, 12, 7), [][][]byte{{u32(1), moment{typ: value.Datetime, digits: 3}.cell(), moment{typ: value.Timestamp, digits: 3}.cell()},
			{u32(2), datetime(3, "2014-01-02 03:04:05.678"), stamp(3, now.Add(678*time.Millisecond))}},
			"1 0000-00-00 00:00:00.000 0000-00-00 00:00:00.000 | 2 2014-01-02 03:04:05.678 2014-05-06 07:08:09.678", "1:3 2:3/4", ""},
		{"NULLs alone", logtest.MariaDB100, columns(3, 11, 12), [][][]byte{{u32(1), nil, nil}}, "1 NULL NULL", "", ""},
		{"a NULL column is not found", logtest.MariaDB100, columns(3, 11, 11), [][][]byte{{u32(1), nil, clock(6, time.Second)}}, "1 NULL 00:00:01.000000", "2:6", ""},
		{"later rows narrow it down", logtest.MariaDB100, columns(3, 7), [][][]byte{{u32(1), stamp(2, now)}, {u32(2), stamp(2, now.Add(990*time.Millisecond))}},
			"1 2014-05-06 07:08:09.00 | 2 2014-05-06 07:08:09.99", "1:2", ""},
		{"between texts", logtest.MariaDB53, columns(15, 12, 15, 11, 15), [][][]byte{{text8("a"), datetime(6, "2014-01-02 03:04:05.678901"), text8("bc"), clock(3, -1500*time.Millisecond), text8("")}},
			"a 2014-01-02 03:04:05.678901 bc -00:00:01.500 ", "1:6 3:3", ""},
		{"MySQL has no such columns", logtest.MySQL55, columns(3, 12), [][][]byte{{u32(1), datetime(3, "2014-01-02 03:04:05.678")}}, "", "",
			"truncated: row 1 ends inside column 2 datetime: 8 bytes needed, 7 left"},
		{"bytes that nothing fits", logtest.MariaDB100, columns(3, 12), [][][]byte{{u32(1), hex("ffff")}}, "", "",
			"unsupported: the digits of a second of MariaDB's old TIME, DATETIME and TIMESTAMP are not in the log, and no choice of them fits these rows; without fractions, row 1 ends inside column 2 datetime: 8 bytes needed, 2 left"},
		{"a value of no server, in a row of the right length", logtest.MariaDB100, columns(3, 12), [][][]byte{{u32(1), hex("ffffffffffffffff")}, {u32(2), datetime(0, "2014-01-02 03:04:05")}},
			"1 1844674407-37-09 55:16:15 | 2 2014-01-02 03:04:05", "", ""},
		{"two choices", logtest.MariaDB100, columns(7, 7), [][][]byte{{hex("53681d03 05"), hex("53681d03 0055")}}, "", "",
			"unsupported: the digits of a second of MariaDB's old TIME, DATETIME and TIMESTAMP are not in the log, and more than one choice of them fits these rows"},
		{"more columns than can be tried", logtest.MariaDB100, slices.Repeat([]logtest.Column{{Type: 7, NotNull: true}}, 40), [][][]byte{append(slices.Repeat([][]byte{stamp(6, now)}, 39), make([]byte, 8))}, "", "",
			"unsupported: the digits of a second of MariaDB's old TIME, DATETIME and TIMESTAMP are not in the log, and the choices are too many to be tried"},
	} {
		e, event := fitRows(t, tt.server, tt.columns, tt.rows...)
		got, bad := text(t, e, event)
		said := ""
		if bad != nil {
			said = bad.Kind.String() + ": " + bad.Msg
		}
		if got != tt.want || fitted(e) != tt.found || said != tt.bad {
			t.Errorf("%s:\n rows %q\n want %q\nfound %q, want %q\n  bad %q\n want %q", tt.name, got, tt.want, fitted(e), tt.found, said, tt.bad)
		}
	}
}

// UPDATE: both images have the column, one of them may lack it.
func TestFitImages(t *testing.T) {
	f := format(t, logtest.MariaDB100, logtest.CRC32)
	m := read[*decoder.TableMap](t, f, decoder.TableMapType, logtest.Table{ID: 7, Schema: "d", Name: "t", Columns: []logtest.Column{logtest.Col(3), logtest.Col(11), logtest.Col(7)}}.Body())
	a := moment{typ: value.Time, digits: 3, d: 1234 * time.Millisecond}
	b := moment{typ: value.Timestamp, digits: 6, t: now.Add(123456 * time.Microsecond)}
	body := logtest.Rows{ID: 7, Width: 3, Before: logtest.BitsLSB(true, true, false), After: logtest.BitsLSB(false, true, true),
		Data: logtest.Cat(serverImage(u32(1), a.cell()), serverImage(nil, b.cell()), serverImage(u32(2), nil), serverImage(a.cell(), b.cell()))}.Body()
	ev, bad, _ := inspect(t, &decoder.Context{Format: f, TableMap: m}, header(f, decoder.UpdateRowsV1Type, body), body)
	if bad != nil {
		t.Fatal(bad)
	}
	got, bad := text(t, ev.(*decoder.Rows), append(make([]byte, 19), body...))
	want := fmt.Sprintf("1 %s . -> . NULL %s | 2 NULL . -> . %s %s", a.text(), b.text(), a.text(), b.text())
	if got != want || bad != nil || fitted(ev.(*decoder.Rows)) != "1:3 2:6" {
		t.Errorf("%q, want %q; found %s; %v", got, want, fitted(ev.(*decoder.Rows)), bad)
	}
}

// Made tables with values as applications store them: what is found is right, and most are found.
func TestFitManyTables(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	tables := 3000
	if testing.Short() {
		tables = 300
	}
	found, none := [4]int{}, [4]int{}
	for range tables {
		columns, digits := []logtest.Column{logtest.Col(3)}, []int{0}
		n := 1 + r.IntN(4)
		for range n {
			columns, digits = append(columns, logtest.Col([]byte{7, 11, 12}[r.IntN(3)])), append(digits, []int{0, 0, 1, 2, 3, 3, 3, 4, 5, 6, 6, 6}[r.IntN(12)])
		}
		var rows [][][]byte
		want, exact := "", true
		for i := range 1 + r.IntN(3) {
			row, shown := [][]byte{u32(uint32(i))}, []string{fmt.Sprint(i)}
			for k := 1; k < len(columns); k++ {
				m := moment{typ: value.Type(columns[k].Type), digits: digits[k]}
				u := time.Duration(1_000_000_000 / unit[digits[k]])
				m.t = now.Add(-time.Duration(r.Int64N(int64(8000 * time.Hour)))).Truncate(u)
				m.d = time.Duration(r.Int64N(int64(48*time.Hour)) - int64(12*time.Hour)).Truncate(u)
				row, shown = append(row, m.cell()), append(shown, m.text())
			}
			rows, want = append(rows, row), want+" | "+strings.Join(shown, " ")
		}
		e, event := fitRows(t, logtest.MariaDB100, columns, rows...)
		got, bad := text(t, e, event)
		if bad != nil {
			if bad.Kind != wire.Unsupported || !strings.Contains(bad.Msg, "more than one choice") {
				t.Errorf("columns %v(%v): %v", columns, digits, bad)
			}
			none[n-1]++
			continue
		}
		found[n-1]++
		for _, x := range e.Fitted {
			exact = exact && (x.Also == 0 || int(e.Map.Columns[x.Column].Meta) == digits[x.Column])
		}
		if exact && got != want[3:] {
			t.Errorf("columns %v(%v): %q, want %q", columns, digits, got, want[3:])
		}
	}
	t.Logf("found by number of columns: %v, not: %v", found, none)
}
