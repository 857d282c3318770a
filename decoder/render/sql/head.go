package sql

// strictMode is the SQL mode that rows are written under: nothing is cut short or changed to fit without an error, and zero
// dates, impossible dates and zero in AUTO_INCREMENT columns go in as they are.
const strictMode = "'STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES'"

// relaxedMode is for the invalid value of an ENUM, which a strict mode takes for a mistake.
const relaxedMode = "'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES'"

// AppendComment appends a comment, one line for each of the text. What could end the line is made a space.
func AppendComment(dst []byte, text string) []byte {
	dst = append(dst, "-- "...)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			dst = append(dst, "\n-- "...)
		case c < ' ':
			dst = append(dst, ' ')
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '\n')
}

// AppendHead appends what a script sets before anything else. AppendTail sets it back.
func AppendHead(dst []byte) []byte {
	return append(dst, "/*!40101 SET NAMES utf8mb4 */;\n"+
		"SET @binlens_sql_mode=@@SESSION.sql_mode, @binlens_time_zone=@@SESSION.time_zone,\n"+
		"  @binlens_foreign_key_checks=@@SESSION.foreign_key_checks, @binlens_unique_checks=@@SESSION.unique_checks;\n"+
		"SET SESSION sql_mode="+strictMode+";\nSET SESSION time_zone='+00:00';\n"...)
}

// AppendTail ends a script that began with AppendHead.
func AppendTail(dst []byte) []byte {
	return append(dst, "SET SESSION sql_mode=@binlens_sql_mode, SESSION time_zone=@binlens_time_zone,\n"+
		"  SESSION foreign_key_checks=@binlens_foreign_key_checks, SESSION unique_checks=@binlens_unique_checks, TIMESTAMP=DEFAULT;\n"...)
}

// AppendGuard appends a statement that fails: a client stops there unless it is told to go on.
func AppendGuard(dst []byte, text string) []byte {
	return append(appendQuoted(append(dst, "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT="...), []byte(text)), ";\n"...)
}
