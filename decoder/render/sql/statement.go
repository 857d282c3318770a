package sql

import (
	"binlens/decoder"
	"binlens/decoder/charset"
	"binlens/decoder/schema"
	"binlens/decoder/value"
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
)

// Settings is what a script has set so far, so that only what changes is set again. The zero value is what AppendHead sets.
type Settings struct {
	mode, zone, names, checks, autoInc, locale, timestamp, db string
}

// bits of the status variable flags2.
const (
	flagAutoIsNull  = 0x00004000
	flagNoForeign   = 0x04000000
	flagRelaxUnique = 0x08000000
)

// set appends a SET where the value is not the one that holds.
func set(dst []byte, now *string, otherwise, statement, v string) []byte {
	have := *now
	if have == "" {
		have = otherwise
	}
	if have == v {
		return dst
	}
	*now = v
	return append(append(append(dst, statement...), v...), ";\n"...)
}

func (s *Settings) setMode(dst []byte, v string) []byte {
	return set(dst, &s.mode, strictMode, "SET SESSION sql_mode=", v)
}

// checks are the settings with and without each of the checks.
var checks = [2][2]string{{"foreign_key_checks=0, unique_checks=0", "foreign_key_checks=0, unique_checks=1"},
	{"foreign_key_checks=1, unique_checks=0", "foreign_key_checks=1, unique_checks=1"}}

func (s *Settings) setChecks(dst []byte, foreign, unique bool) []byte {
	return set(dst, &s.checks, checks[1][1], "SET ", checks[b2i(foreign)][b2i(unique)])
}

const ourNames = "utf8mb4"

// ForRow appends what has to be set before the statement of a row.
func (s *Settings) ForRow(dst []byte, r *decoder.Rows, relaxed bool) []byte {
	mode := strictMode
	if relaxed {
		mode = relaxedMode
	}
	dst = s.setMode(dst, mode)
	dst = set(dst, &s.zone, "'+00:00'", "SET SESSION time_zone=", "'+00:00'")
	dst = set(dst, &s.names, ourNames, "SET NAMES ", ourNames)
	return s.setChecks(dst, r.Flags&decoder.RowsNoForeignKeyChecks == 0, r.Flags&decoder.RowsRelaxedUniqueChecks == 0)
}

// AppendQuery appends the statement of a QUERY_EVENT with the settings it ran under.
func (s *Settings) AppendQuery(dst []byte, q *decoder.Query, h *decoder.Header, family charset.Family) []byte {
	if len(q.DB) > 0 && h.Flags&decoder.FlagSuppressUse == 0 && s.db != string(q.DB) {
		s.db = string(q.DB)
		dst = append(schema.AppendName(append(dst, "USE "...), q.DB), ";\n"...)
	}
	text := q.Text
	number := func(code decoder.StatusCode, i int) (uint64, bool) {
		if v := q.Var(code); v != nil && i < len(v.Nums) {
			return v.Nums[i], true
		}
		return 0, false
	}
	stamp := strconv.FormatUint(uint64(h.Timestamp), 10)
	for _, code := range [2]decoder.StatusCode{decoder.StatusMicroseconds, decoder.StatusHrnow} {
		if us, ok := number(code, 0); ok && us > 0 {
			stamp += "." + strconv.FormatUint(1e6+us, 10)[1:]
		}
	}
	dst = set(dst, &s.timestamp, "", "SET TIMESTAMP=", stamp)
	if v, ok := number(decoder.StatusFlags2, 0); ok {
		dst = s.setChecks(dst, v&flagNoForeign == 0, v&flagRelaxUnique == 0)
	}
	if v, ok := number(decoder.StatusSQLMode, 0); ok {
		dst = s.setMode(dst, strconv.FormatUint(v, 10))
	}
	if v := q.Var(decoder.StatusCharset); v != nil {
		dst, text = s.setCharset(dst, v.Nums, text, family)
	}
	if v := q.Var(decoder.StatusTimeZone); v != nil {
		dst = set(dst, &s.zone, "'+00:00'", "SET SESSION time_zone=", string(appendQuoted(nil, v.Texts[0])))
	}
	if v := q.Var(decoder.StatusAutoIncrement); v != nil {
		dst = set(dst, &s.autoInc, "1, auto_increment_offset=1", "SET auto_increment_increment=",
			strconv.FormatUint(v.Nums[0], 10)+", auto_increment_offset="+strconv.FormatUint(v.Nums[1], 10))
	}
	if v, ok := number(decoder.StatusLcTimeNames, 0); ok {
		dst = set(dst, &s.locale, "0", "SET lc_time_names=", strconv.FormatUint(v, 10))
	}
	return appendStatement(dst, text)
}

// setCharset sets the character sets of a statement. Its text is sent as UTF-8 where it can be: the server makes of it what it
// was in the client's character set.
func (s *Settings) setCharset(dst []byte, nums []uint64, text []byte, family charset.Family) ([]byte, []byte) {
	client := strconv.FormatUint(nums[0], 10)
	if t, ok := charset.CharsetOf(family, charset.ID(nums[0])).AppendUTF8(nil, text); ok {
		client, text = ourNames, t
	}
	v := client + ", collation_connection=" + strconv.FormatUint(nums[1], 10) + ", collation_server=" + strconv.FormatUint(nums[2], 10)
	return set(dst, &s.names, "", "SET character_set_client=", v), text
}

// appendStatement appends a statement and what ends it.
func appendStatement(dst, text []byte) []byte {
	text = bytes.TrimRight(text, "; \n\t\r\x00")
	if bytes.IndexByte(text, ';') < 0 {
		dst = append(dst, text...)
		if bytes.IndexByte(text, '#') >= 0 || bytes.Contains(text, []byte("--")) {
			dst = append(dst, '\n') // it may end in a comment
		}
		return append(dst, ";\n"...)
	}
	mark := "$$"
	for bytes.Contains(text, []byte(mark)) {
		mark += "$"
	}
	dst = append(append(append(dst, "DELIMITER "...), mark...), '\n')
	dst = append(append(dst, text...), '\n')
	return append(append(dst, mark...), "\nDELIMITER ;\n"...)
}

// AppendIntvar appends what an INTVAR_EVENT sets for the next statement.
func AppendIntvar(dst []byte, e *decoder.Intvar) []byte {
	name := "SET LAST_INSERT_ID="
	if e.Kind == decoder.IntvarInsertID {
		name = "SET INSERT_ID="
	}
	return append(strconv.AppendUint(append(dst, name...), e.Value, 10), ";\n"...)
}

// AppendRand appends what a RAND_EVENT sets for the next statement.
func AppendRand(dst []byte, e *decoder.Rand) []byte {
	dst = strconv.AppendUint(append(dst, "SET @@RAND_SEED1="...), e.Seed1, 10)
	return append(strconv.AppendUint(append(dst, ", @@RAND_SEED2="...), e.Seed2, 10), ";\n"...)
}

// AppendUserVar appends what a USER_VAR_EVENT sets for the next statement. ok is false, and nothing is appended, where the bytes
// are no value of the variable's type.
func AppendUserVar(dst []byte, e *decoder.UserVar, family charset.Family) (out []byte, ok bool) {
	out = append(schema.AppendName(append(dst, "SET @"...), e.Name), ":="...)
	if out, ok = appendUserValue(out, e, family); !ok {
		return dst, false
	}
	return append(out, ";\n"...), true
}

func appendUserValue(dst []byte, e *decoder.UserVar, family charset.Family) ([]byte, bool) {
	switch {
	case e.IsNull:
		return append(dst, "NULL"...), true
	case e.Type == decoder.UserVarInt, e.Type == decoder.UserVarDecimal:
		return e.AppendNumber(dst)
	case e.Type == decoder.UserVarReal:
		f := value.Value{Kind: value.KindFloat64}
		if len(e.Value) != 8 {
			return dst, false
		}
		if f.Bits = binary.LittleEndian.Uint64(e.Value); !f.IsFinite() {
			return dst, false
		}
		return strconv.AppendFloat(dst, math.Float64frombits(f.Bits), 'e', -1, 64), true
	}
	return appendUserText(dst, e, family), true
}

func appendUserText(dst []byte, e *decoder.UserVar, family charset.Family) []byte {
	if e.Charset <= math.MaxUint16 {
		if name, ok := charset.AppendCollation(nil, family, charset.ID(e.Charset)); ok {
			cs := charset.CharsetOf(family, charset.ID(e.Charset))
			dst = appendHex(append(append(append(dst, '_'), cs.Name()...), ' '), e.Value)
			return append(append(append(dst, " COLLATE `"...), name...), '`')
		}
	}
	return appendHex(dst, e.Value)
}
