package render

import (
	"binlens/decoder"
	"strconv"
	"strings"
)

// bit names one bit of a set of flags.
type bit struct {
	mask uint64
	name string
}

var headerFlags = []bit{
	{decoder.FlagInUse, "BINLOG_IN_USE"}, {decoder.FlagForcedRotate, "FORCED_ROTATE"},
	{decoder.FlagThreadSpecific, "THREAD_SPECIFIC"}, {decoder.FlagSuppressUse, "SUPPRESS_USE"},
	{decoder.FlagUpdateTableMap, "UPDATE_TABLE_MAP_VERSION"}, {decoder.FlagArtificial, "ARTIFICIAL"},
	{decoder.FlagRelayLog, "RELAY_LOG"}, {decoder.FlagIgnorable, "IGNORABLE"}, {decoder.FlagNoFilter, "NO_FILTER"},
	{decoder.FlagMtsIsolate, "MTS_ISOLATE"}, {decoder.FlagAcceptOwn, "ACCEPT_OWN"},
	{decoder.FlagSkipReplication, "SKIP_REPLICATION"},
}

var rowsFlags = []bit{
	{decoder.RowsStmtEnd, "STMT_END"}, {decoder.RowsNoForeignKeyChecks, "NO_FOREIGN_KEY_CHECKS"},
	{decoder.RowsRelaxedUniqueChecks, "RELAXED_UNIQUE_CHECKS"}, {decoder.RowsCompleteRows, "COMPLETE_ROWS"},
	{decoder.RowsUseSQLForeignKey, "USE_SQL_FOREIGN_KEY"}, {decoder.RowsNoCheckConstraintChks, "NO_CHECK_CONSTRAINT_CHECKS"},
}

var tableMapFlags = []bit{
	{decoder.TableMapBitLenExact, "BIT_LEN_EXACT"}, {decoder.TableMapReferredFKDB, "REFERRED_FK_DB"},
	{decoder.TableMapGeneratedPK, "GENERATED_INVISIBLE_PK"}, {decoder.TableMapHasTriggers, "HAS_TRIGGERS"},
}

var gtidFlags = []bit{{1, "MAY_HAVE_SBR"}}

var mariaGtidFlags = []bit{
	{decoder.MariaGtidStandalone, "STANDALONE"}, {decoder.MariaGtidGroupCommitID, "GROUP_COMMIT_ID"},
	{decoder.MariaGtidTransactional, "TRANSACTIONAL"}, {decoder.MariaGtidAllowParallel, "ALLOW_PARALLEL"},
	{decoder.MariaGtidWaited, "WAITED"}, {decoder.MariaGtidDDL, "DDL"}, {decoder.MariaGtidPreparedXA, "PREPARED_XA"},
	{decoder.MariaGtidCompletedXA, "COMPLETED_XA"},
}

var gtidExtraFlags = []bit{
	{decoder.GtidExtraMultiEngine, "MULTI_ENGINE"}, {decoder.GtidExtraStartAlter, "START_ALTER"},
	{decoder.GtidExtraCommitAlter, "COMMIT_ALTER"}, {decoder.GtidExtraRollbackAlter, "ROLLBACK_ALTER"},
	{decoder.GtidExtraThreadID, "THREAD_ID"},
}

var gtidListFlags = []bit{{decoder.GtidListUntilReached, "UNTIL_REACHED"}, {decoder.GtidListIgnoreGtids, "IGN_GTIDS"}}

var flags2Bits = []bit{
	{0x00004000, "AUTO_IS_NULL"}, {0x00080000, "NOT_AUTOCOMMIT"}, {0x04000000, "NO_FOREIGN_KEY_CHECKS"},
	{0x08000000, "RELAXED_UNIQUE_CHECKS"},
}

// mariaFlags2 has what MariaDB logs beyond these: check_constraint_checks=0, explicit_defaults_for_timestamp=1, and the
// meaning of sql_if_exists.
var mariaFlags2 = append(flags2Bits[:len(flags2Bits):len(flags2Bits)], bit{0x00008000, "NO_CHECK_CONSTRAINT_CHECKS"},
	bit{0x01000000, "EXPLICIT_DEFAULTS_FOR_TIMESTAMP"}, bit{0x10000000, "IF_EXISTS"})

// sqlModes are the bits of sql_mode; both families share 0 to 31.
var sqlModes = namedBits("REAL_AS_FLOAT PIPES_AS_CONCAT ANSI_QUOTES IGNORE_SPACE IGNORE_BAD_TABLE_OPTIONS ONLY_FULL_GROUP_BY " +
	"NO_UNSIGNED_SUBTRACTION NO_DIR_IN_CREATE POSTGRESQL ORACLE MSSQL DB2 MAXDB NO_KEY_OPTIONS NO_TABLE_OPTIONS NO_FIELD_OPTIONS " +
	"MYSQL323 MYSQL40 ANSI NO_AUTO_VALUE_ON_ZERO NO_BACKSLASH_ESCAPES STRICT_TRANS_TABLES STRICT_ALL_TABLES NO_ZERO_IN_DATE " +
	"NO_ZERO_DATE ALLOW_INVALID_DATES ERROR_FOR_DIVISION_BY_ZERO TRADITIONAL NO_AUTO_CREATE_USER HIGH_NOT_PRECEDENCE " +
	"NO_ENGINE_SUBSTITUTION PAD_CHAR_TO_FULL_LENGTH")

var (
	mySQLModes = append(sqlModes[:len(sqlModes):len(sqlModes)], bit{1 << 32, "TIME_TRUNCATE_FRACTIONAL"})
	mariaModes = append(sqlModes[:len(sqlModes):len(sqlModes)], bit{1 << 32, "EMPTY_STRING_IS_NULL"},
		bit{1 << 33, "SIMULTANEOUS_ASSIGNMENT"}, bit{1 << 34, "TIME_ROUND_FRACTIONAL"})
)

func namedBits(names string) (bits []bit) {
	for i, n := range strings.Fields(names) {
		bits = append(bits, bit{1 << i, n})
	}
	return bits
}

// appendFlags appends the names of the bits that are set as a JSON list, unknown ones together as one hexadecimal
// number, and returns them too.
func appendFlags(dst []byte, v uint64, names []bit) ([]byte, []string) {
	list := flagNames(v, names)
	dst = append(dst, '[')
	for _, n := range list {
		dst = appendString(comma(dst), n)
	}
	return append(dst, ']'), list
}

func flagNames(v uint64, names []bit) (list []string) {
	for _, n := range names {
		if v&n.mask != 0 {
			list = append(list, n.name)
			v &^= n.mask
		}
	}
	if v != 0 {
		list = append(list, "0x"+strconv.FormatUint(v, 16))
	}
	return list
}

func joinWords(list []string) string { return strings.Join(list, " | ") }

// seconds spells out a timestamp in UTC; empty for 0.
func seconds(s uint64) string {
	if s == 0 {
		return ""
	}
	return civil(s) + " UTC"
}

// micros spells out a timestamp in microseconds.
func micros(us uint64) string {
	f := strconv.FormatUint(us%1e6, 10)
	return civil(us/1e6) + "." + "000000"[len(f):] + f + " UTC"
}

// civil returns the date and time of s seconds after 1970, UTC.
func civil(s uint64) string {
	days, rest := int64(s/86400), s%86400
	// The calendar repeats after 400 years of 146,097 days; years start in March, so that the leap day is their last.
	z := days + 719468
	era := z / 146097
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day, month, year := doy-(153*mp+2)/5+1, mp+3, yoe+era*400
	if month > 12 {
		month, year = month-12, year+1
	}
	b := strconv.AppendInt(nil, year, 10)
	for len(b) < 4 {
		b = append([]byte{'0'}, b...)
	}
	two := func(sep byte, n uint64) { b = append(b, sep, byte('0'+n/10), byte('0'+n%10)) }
	two('-', uint64(month))
	two('-', uint64(day))
	two(' ', rest/3600)
	two(':', rest/60%60)
	two(':', rest%60)
	return string(b)
}

// serverVersion spells out 80014 as 8.0.14; empty for the values that stand for no version.
func serverVersion(v uint32) string {
	if v == 0 || v == 999999 {
		return "unknown version"
	}
	return strconv.Itoa(int(v/10000)) + "." + strconv.Itoa(int(v/100%100)) + "." + strconv.Itoa(int(v%100))
}

func checksumName(alg uint8) string {
	switch alg {
	case decoder.ChecksumOff:
		return "OFF"
	case decoder.ChecksumCRC32:
		return "CRC32"
	case decoder.ChecksumUndef:
		return "UNDEF"
	}
	return "unknown algorithm"
}

var geometryTypes = [...]string{"GEOMETRY", "POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON", "GEOMETRYCOLLECTION"}

func bytesNote(n uint64) string {
	if n == 1 {
		return "1 byte"
	}
	return thousands(n) + " bytes"
}

// sizeNote is bytesNote where the number alone is hard to read.
func sizeNote(n uint64) string {
	if n < 10_000 {
		return "bytes"
	}
	return bytesNote(n)
}

// thousands separates the digits of n in groups of three.
func thousands(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
