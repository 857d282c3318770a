package render

import (
	"math"
	"strings"
	"testing"
	"time"
)

// Dates agree with package time from 1970 to the year 9999 and beyond.
func TestCivil(t *testing.T) {
	check := func(s uint64) {
		t.Helper()
		if got, want := civil(s), time.Unix(int64(s), 0).UTC().Format("2006-01-02 15:04:05"); got != want {
			t.Fatalf("%d is %s, want %s", s, got, want)
		}
	}
	for day := uint64(0); day < 365*150; day++ { // every day up to 2119
		check(day*86400 + day*7919%86400)
	}
	for year := 2100; year < 10_000; year++ { // and the days around the end of February of each year from then on
		for d := range 5 {
			check(uint64(time.Date(year, 2, 26+d, year%24, year%60, d, 0, time.UTC).Unix()))
		}
		check(uint64(time.Date(year, 12, 31, 23, 59, 59, 0, time.UTC).Unix()))
	}
	for _, s := range []uint64{0, 1, 59, 60, 3599, 3600, 86399, 86400, 951782399, 951782400, 951868799, 951868800, 1<<31 - 1, 1 << 31, math.MaxUint32, 253402300799} {
		check(s)
	}
	for _, c := range []struct{ got, want string }{
		{seconds(0), ""}, {seconds(1), "1970-01-01 00:00:01 UTC"}, {seconds(math.MaxUint32), "2106-02-07 06:28:15 UTC"},
		{micros(0), "1970-01-01 00:00:00.000000 UTC"}, {micros(1), "1970-01-01 00:00:00.000001 UTC"},
		{micros(1700000000123456), "2023-11-14 22:13:20.123456 UTC"}, {micros(1<<55 - 1), "3111-09-16 23:10:18.963967 UTC"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// micros takes any 56 bits: the years beyond 9999 have five digits.
func TestMicrosOfAnyValue(t *testing.T) {
	for us := uint64(0); us < 1<<56; us += 1<<44 + 987654321987 {
		want := time.UnixMicro(int64(us)).UTC().Format("2006-01-02 15:04:05.000000") + " UTC"
		if got := micros(us); got != want {
			t.Fatalf("%d is %s, want %s", us, got, want)
		}
	}
}

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		v     uint64
		names []bit
		want  string
	}{
		{0, headerFlags, ""}, {1, headerFlags, "BINLOG_IN_USE"}, {0x0040 | 0x0080, headerFlags, "RELAY_LOG|IGNORABLE"},
		{0xffff, headerFlags, "BINLOG_IN_USE|FORCED_ROTATE|THREAD_SPECIFIC|SUPPRESS_USE|UPDATE_TABLE_MAP_VERSION|ARTIFICIAL|RELAY_LOG|IGNORABLE|NO_FILTER|" +
			"MTS_ISOLATE|ACCEPT_OWN|SKIP_REPLICATION|0x3c00"},
		{0x0001, rowsFlags, "STMT_END"}, {0x00ff, rowsFlags, "STMT_END|NO_FOREIGN_KEY_CHECKS|RELAXED_UNIQUE_CHECKS|COMPLETE_ROWS|USE_SQL_FOREIGN_KEY|NO_CHECK_CONSTRAINT_CHECKS|0x60"},
		{0x4001, tableMapFlags, "BIT_LEN_EXACT|HAS_TRIGGERS"}, {0xfe, gtidFlags, "0xfe"}, {0xff, gtidFlags, "MAY_HAVE_SBR|0xfe"},
		{0x2c, mariaGtidFlags, "TRANSACTIONAL|ALLOW_PARALLEL|DDL"}, {1<<28 | 1<<30, gtidListFlags, "UNTIL_REACHED|0x40000000"},
		{0x0c084000, flags2Bits, "AUTO_IS_NULL|NOT_AUTOCOMMIT|NO_FOREIGN_KEY_CHECKS|RELAXED_UNIQUE_CHECKS"},
		{0x11008000, mariaFlags2, "NO_CHECK_CONSTRAINT_CHECKS|EXPLICIT_DEFAULTS_FOR_TIMESTAMP|IF_EXISTS"}, {0x01008000, flags2Bits, "0x1008000"},
		// sql_mode of MySQL 5.7 and 8.0 as installed, and NO_BACKSLASH_ESCAPES alone, which mysqlbinlog prints as 1048576
		{1436549152, mySQLModes, "ONLY_FULL_GROUP_BY|STRICT_TRANS_TABLES|NO_ZERO_IN_DATE|NO_ZERO_DATE|ERROR_FOR_DIVISION_BY_ZERO|NO_AUTO_CREATE_USER|NO_ENGINE_SUBSTITUTION"},
		{1168113696, mySQLModes, "ONLY_FULL_GROUP_BY|STRICT_TRANS_TABLES|NO_ZERO_IN_DATE|NO_ZERO_DATE|ERROR_FOR_DIVISION_BY_ZERO|NO_ENGINE_SUBSTITUTION"},
		{1048576, mariaModes, "NO_BACKSLASH_ESCAPES"}, {1 << 32, mySQLModes, "TIME_TRUNCATE_FRACTIONAL"}, {1 << 32, mariaModes, "EMPTY_STRING_IS_NULL"},
		{1 << 63, mySQLModes, "0x8000000000000000"},
	} {
		b, list := appendFlags(nil, c.v, c.names)
		if got := strings.Join(list, "|"); got != c.want {
			t.Errorf("%#x is %s, want %s", c.v, got, c.want)
		}
		want := `["` + strings.ReplaceAll(c.want, "|", `","`) + `"]`
		if c.want == "" {
			want = "[]"
		}
		if string(b) != want {
			t.Errorf("%#x is %s, want %s", c.v, b, want)
		}
	}
}

func TestSmallMeanings(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{serverVersion(80014), "8.0.14"}, {serverVersion(50744), "5.7.44"}, {serverVersion(101119), "10.11.19"}, {serverVersion(0), "unknown version"},
		{serverVersion(999999), "unknown version"},
		{checksumName(0), "OFF"}, {checksumName(1), "CRC32"}, {checksumName(255), "UNDEF"}, {checksumName(2), "unknown algorithm"},
		{thousands(0), "0"}, {thousands(999), "999"}, {thousands(1000), "1,000"}, {thousands(1234567), "1,234,567"}, {thousands(math.MaxUint64), "18,446,744,073,709,551,615"},
		{bytesNote(19), "19 bytes"}, {intvarKind(1), "LAST_INSERT_ID"}, {intvarKind(2), "INSERT_ID"}, {intvarKind(3), "invalid"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
