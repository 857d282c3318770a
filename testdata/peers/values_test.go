package main

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"

	"binlens/decoder/charset"
	"binlens/decoder/value"
)

// rows compares the rows of an event, image by image.
func (c *comparison) rows(o *ours, e *replication.RowsEvent) {
	var images []fields
	for _, r := range o.Data.Rows {
		if r.Before != nil {
			images = append(images, r.Before)
		}
		if r.After != nil {
			images = append(images, r.After)
		}
	}
	c.seen.rows += int64(len(images))
	if len(images) != len(e.Rows) {
		c.differ("images", fmt.Sprint(len(images)), fmt.Sprint(len(e.Rows)))
		return
	}
	if e.Table == nil {
		return
	}
	c.text("schema", o.Data.Schema, e.Table.Schema)
	c.text("table", o.Data.Table, e.Table.Table)
	columns := columnsOf(e.Table, c.family)
	for i, row := range e.Rows {
		k := 0
		for j, theirs := range row {
			if slices.Contains(e.SkippedColumns[i], j) {
				continue
			}
			if k == len(images[i]) {
				c.differ("columns", fmt.Sprint(k), fmt.Sprint(len(row)-len(e.SkippedColumns[i])))
				return
			}
			mine := images[i][k]
			k++
			if why := columns[j].compare(mine.value, theirs); why != "" {
				c.differ(columns[j].name(), string(mine.value), why)
			}
		}
		if k != len(images[i]) {
			c.differ("columns", fmt.Sprint(len(images[i])), fmt.Sprint(k))
			return
		}
	}
}

// A column as go-mysql's table map has it.
type column struct {
	typ     byte
	meta    uint16
	labels  []string
	charset charset.Charset
}

func columnsOf(m *replication.TableMapEvent, name string) []column {
	family := charset.MySQL
	if name == "mariadb" {
		family = charset.MariaDB
	}
	list := make([]column, m.ColumnCount)
	enums, sets, texts, choices := m.EnumStrValueMap(), m.SetStrValueMap(), m.CollationMap(), m.EnumSetCollationMap()
	for i := range list {
		col := &list[i]
		col.typ, col.meta = m.ColumnType[i], m.ColumnMeta[i]
		if col.typ == mysql.MYSQL_TYPE_STRING {
			t, meta := value.Resolve(value.String, col.meta)
			col.typ, col.meta = byte(t), meta
		}
		if col.labels = enums[i]; col.labels == nil {
			col.labels = sets[i]
		}
		id := texts[i]
		if id == 0 {
			id = choices[i]
		}
		if id != 0 && id < 1<<16 {
			col.charset = charset.CharsetOf(family, charset.ID(id))
		}
	}
	return list
}

func (c *column) name() string { return value.Type(c.typ).String() }

// compare returns their value where it is not ours, in words; empty when they are the same.
func (c *column) compare(o json.RawMessage, theirs any) string {
	if theirs == nil {
		if string(o) == "null" {
			return ""
		}
		return "NULL"
	}
	ok := false
	switch c.typ {
	case mysql.MYSQL_TYPE_TINY, mysql.MYSQL_TYPE_SHORT, mysql.MYSQL_TYPE_INT24, mysql.MYSQL_TYPE_LONG, mysql.MYSQL_TYPE_LONGLONG:
		ok = sameInteger(o, theirs, c.typ)
	case mysql.MYSQL_TYPE_YEAR:
		ok = quoted(o) == fmt.Sprintf("%04d", theirs)
	case mysql.MYSQL_TYPE_FLOAT:
		f, err := strconv.ParseFloat(string(o), 32)
		ok = err == nil && float32(f) == theirs
	case mysql.MYSQL_TYPE_DOUBLE:
		f, err := strconv.ParseFloat(string(o), 64)
		ok = err == nil && f == theirs
	case mysql.MYSQL_TYPE_BIT:
		n, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimPrefix(quoted(o), "b'"), "'"), 2, 64)
		ok = err == nil && n == uint64(theirs.(int64))
	case mysql.MYSQL_TYPE_ENUM:
		ok = c.sameChoice(o, uint64(theirs.(int64)), false)
	case mysql.MYSQL_TYPE_SET:
		ok = c.sameChoice(o, uint64(theirs.(int64)), true)
	case mysql.MYSQL_TYPE_JSON:
		return sameDocument(o, theirs)
	case mysql.MYSQL_TYPE_GEOMETRY:
		b, bad := value.AppendWKT(nil, theirs.([]byte))
		ok = bad == nil && string(b) == quoted(o)
	case mysql.MYSQL_TYPE_VECTOR:
		ok = sameVector(o, theirs.([]byte))
	case mysql.MYSQL_TYPE_STRING, mysql.MYSQL_TYPE_VARCHAR, mysql.MYSQL_TYPE_VAR_STRING, mysql.MYSQL_TYPE_BLOB:
		ok = c.sameText(o, theirs)
	default: // decimals, dates and times are texts on both sides
		ok = quoted(o) == fmt.Sprint(theirs)
	}
	if ok {
		return ""
	}
	return fmt.Sprintf("%T %.200q", theirs, fmt.Sprint(theirs))
}

// quoted returns the text of a JSON string.
func quoted(o json.RawMessage) (s string) {
	_ = json.Unmarshal(o, &s)
	return s
}

// bytesOf returns the bytes of a text, which is a JSON string or {"hex":"…"}.
func bytesOf(o json.RawMessage) ([]byte, error) {
	var h struct{ Hex string }
	if json.Unmarshal(o, &h) == nil {
		return hex.DecodeString(h.Hex)
	}
	var s string
	err := json.Unmarshal(o, &s)
	return []byte(s), err
}

// sameInteger leaves the sign out: go-mysql reads all integers as signed and leaves the rest to its caller.
func sameInteger(o json.RawMessage, theirs any, typ byte) bool {
	bits := map[byte]uint{mysql.MYSQL_TYPE_TINY: 8, mysql.MYSQL_TYPE_SHORT: 16, mysql.MYSQL_TYPE_INT24: 24, mysql.MYSQL_TYPE_LONG: 32, mysql.MYSQL_TYPE_LONGLONG: 64}[typ]
	text := strings.Trim(string(o), `"`)
	mine, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		n, err := strconv.ParseInt(text, 10, 64)
		if mine = uint64(n); err != nil {
			return false
		}
	}
	n, err := strconv.ParseInt(fmt.Sprint(theirs), 10, 64)
	return err == nil && (mine^uint64(n))<<(64-bits) == 0
}

// sameChoice compares the members of an ENUM or SET.
func (c *column) sameChoice(o json.RawMessage, theirs uint64, set bool) bool {
	if n, err := strconv.ParseUint(strings.Trim(string(o), `"`), 10, 64); err == nil && c.labels == nil {
		return n == theirs
	}
	var labels []string
	for i, l := range c.labels {
		if set && theirs>>i&1 != 0 || !set && theirs == uint64(i+1) {
			if b, ok := c.utf8([]byte(l)); ok {
				l = string(b)
			}
			labels = append(labels, l)
		}
	}
	return quoted(o) == strings.Join(labels, ",")
}

// utf8 converts bytes by our own tables, which tests of their own hold against others.
func (c *column) utf8(b []byte) ([]byte, bool) {
	if c.charset == charset.Unknown || c.charset == charset.Binary {
		return b, true
	}
	return c.charset.AppendUTF8(nil, b)
}

// sameText compares texts and bytes: go-mysql gives the bytes in the log.
func (c *column) sameText(o json.RawMessage, theirs any) bool {
	var b []byte
	switch v := theirs.(type) {
	case string:
		b = []byte(v)
	case []byte:
		b = v
	}
	mine, err := bytesOf(o)
	if err != nil {
		return false
	}
	if bytes.Equal(mine, b) {
		return true
	}
	if c.typ == mysql.MYSQL_TYPE_STRING && bytes.Equal(bytes.TrimRight(mine, "\x00"), bytes.TrimRight(b, "\x00")) {
		return true // BINARY padded back to its length
	}
	text, ok := c.utf8(b)
	return ok && bytes.Equal(mine, text)
}

func sameVector(o json.RawMessage, theirs []byte) bool {
	var list []float32
	if json.Unmarshal(o, &list) != nil || 4*len(list) != len(theirs) {
		return false
	}
	for i, f := range list {
		if f != math.Float32frombits(binary.LittleEndian.Uint32(theirs[4*i:])) {
			return false
		}
	}
	return true
}

// sameDocument compares JSON documents: the same members in any order, numbers by their value.
func sameDocument(o json.RawMessage, theirs any) string {
	var text string
	switch v := theirs.(type) {
	case string:
		text = v
	case []byte:
		if text = string(v); text == "" {
			text = "null"
		}
	case *replication.JsonDiff:
		return fmt.Sprintf("diff %s %s %s", v.Op, v.Path, v.Value)
	}
	var a, b any
	da, db := json.NewDecoder(bytes.NewReader(o)), json.NewDecoder(strings.NewReader(text))
	da.UseNumber()
	db.UseNumber()
	if da.Decode(&a) == nil && db.Decode(&b) == nil && sameJSON(a, b) {
		return ""
	}
	return text
}

func sameJSON(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		n, ok := b.(json.Number)
		if !ok {
			return false
		}
		x, _ := a.Float64()
		y, _ := n.Float64()
		return a == n || x == y && strings.ContainsAny(a.String()+n.String(), ".eE")
	case map[string]any:
		m, ok := b.(map[string]any)
		if !ok || len(m) != len(a) {
			return false
		}
		for k, v := range a {
			if w, ok := m[k]; !ok || !sameJSON(v, w) {
				return false
			}
		}
		return true
	case []any:
		l, ok := b.([]any)
		return ok && slices.EqualFunc(a, l, sameJSON)
	}
	return a == b
}
