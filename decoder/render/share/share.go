// Package share writes events for a bug report: their structure and bytes, without the data. Every field is there with its place
// and length; the bytes of what says how an event is built are shown, those that are somebody's data are not. Of rows there is the
// type, the length and the place of every cell, and whether it is NULL.
//
// The checksum's own bytes are not shown, only whether it is right: short values could be found by trying all against it.
//
// What is shown is a list of fields that are known to be structure. Whatever is not on it is masked: fields of the future, the
// bytes of what could not be read, text of any kind. Names of schemas, tables and columns are masked unless they are asked for.
//
// One JSON object an event, in one line:
//
//	{"ordinal":7,"offset":1288,"type":"WRITE_ROWS_EVENT_V1","code":23,"size":57,"checksum_ok":true,"fields":[
//	 {"path":"timestamp","start":0,"end":4,"bytes":"2ec2a963"},…,{"path":"rows","start":37,"end":53,"masked":16}],
//	 "rows":[{"after":[{"column":1,"type":"int","start":38,"end":42},{"column":2,"type":"varchar(400 bytes)","null":true}]}],
//	 "problems":[{"kind":"corrupt","offset":1300,"path":"rows[0].after"}]}
//
// Offsets of fields and cells count from the event's first byte. The reasons of problems are left out where they may quote data:
// their kind and place say enough.
package share

import (
	"binlens/decoder"
	"binlens/decoder/frame"
	"binlens/decoder/render"
	"binlens/decoder/value"
	"strconv"
	"strings"
)

// shown are the fields whose bytes are structure: a name is that of a leaf, or of a group all of whose leaves are meant.
var shown = words("timestamp type_code server_id event_size next_position flags table_id post_header_extra column_count column_types " +
	"metadata_length metadata null_bits length extra_length width columns_before columns_after kind format partition_id source_partition_id " +
	"thread_id exec_time db_len error_code status_vars_len flags2 sql_mode auto_increment charset lc_time_names charset_database microseconds hrnow " +
	"explicit_defaults_ts ddl_logged_with_xid default_collation_for_utf8mb4 sql_require_primary_key default_table_encryption " +
	"xid seq_no domain_id flags2 commit_id binlog_version server_version created common_header_len post_header_lengths checksum_algorithm " +
	"sid gno logical_timestamp_type last_committed sequence_number immediate_commit_timestamp original_commit_timestamp transaction_length " +
	"immediate_server_version original_server_version commit_group_ticket position file_id fn_pos_start fn_pos_end dup_handling name_len is_null type " +
	"value_len payload_size compression_type uncompressed_size end_mark signedness default_charset column_charset geometry_type simple_primary_key " +
	"primary_key_with_prefix enum_and_set_default_charset enum_and_set_column_charset column_visibility vector_dimensionality count format_id " +
	"gtrid_length bqual_length one_phase incident")

// names are the fields that name schemas, tables and columns.
var names = words("schema table column_name db updated_db_names")

func words(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

// listed says that a path, or a group that it is in, has its name in a list. The labels of ENUM and SET are data although their
// groups have lengths and counts.
func listed(list map[string]bool, path string) bool {
	for part := range strings.SplitSeq(path, ".") {
		part, _, _ = strings.Cut(part, "[")
		if part == "labels" {
			return false
		}
		if list[part] {
			return true
		}
	}
	return false
}

// Append appends the line of an event. With keepNames the names of schemas, tables and columns are shown.
func Append(dst []byte, e *render.Event, keepNames bool) []byte {
	dst = strconv.AppendInt(append(dst, `{"ordinal":`...), e.Ordinal, 10)
	dst = strconv.AppendInt(append(dst, `,"offset":`...), e.Off, 10)
	dst = append(append(append(dst, `,"type":"`...), e.TypeTitle()...), '"')
	if e.Kind == frame.Event {
		dst = strconv.AppendUint(append(dst, `,"code":`...), uint64(e.Header.Code), 10)
	}
	dst = strconv.AppendInt(append(dst, `,"size":`...), e.Size, 10)
	if e.Sum.Len > 0 {
		dst = strconv.AppendBool(append(dst, `,"checksum_ok":`...), e.Sum.OK())
	}
	dst = appendFields(dst, e, keepNames)
	if r, ok := e.Event.(*decoder.Rows); ok && e.Bad == nil && r.Map != nil {
		dst = appendRows(dst, e, r)
	}
	return append(appendProblems(dst, e), "}\n"...)
}

func appendFields(dst []byte, e *render.Event, keepNames bool) []byte {
	dst = append(dst, `,"fields":[`...)
	first := true
	for i, s := range e.Spans {
		if i+1 < len(e.Spans) && e.Spans[i+1].Depth > s.Depth {
			continue // a group: its parts follow
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(append(dst, `{"path":"`...), s.Path...), '"')
		dst = appendPlace(dst, s.Start, s.End)
		show := listed(shown, s.Path) && !listed(names, s.Path) || keepNames && listed(names, s.Path)
		if show && int(s.End) <= len(e.Raw) && s.Start <= s.End {
			dst = append(dst, `,"bytes":"`...)
			for _, c := range e.Raw[s.Start:s.End] {
				dst = append(dst, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
			}
			dst = append(dst, `"}`...)
			continue
		}
		dst = append(strconv.AppendUint(append(dst, `,"masked":`...), uint64(s.End-s.Start), 10), '}')
	}
	return append(dst, ']')
}

func appendPlace(dst []byte, start, end uint32) []byte {
	dst = strconv.AppendUint(append(dst, `,"start":`...), uint64(start), 10)
	return strconv.AppendUint(append(dst, `,"end":`...), uint64(end), 10)
}

func appendRows(dst []byte, e *render.Event, r *decoder.Rows) []byte {
	dst = append(dst, `,"rows":[`...)
	rd := r.Reader()
	for rd.Next() {
		if rd.Index > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '{')
		if rd.Before.Cells != nil {
			dst = appendImage(append(dst, `"before":[`...), r.Map, rd.Before.Cells)
		}
		if rd.After.Cells != nil {
			if rd.Before.Cells != nil {
				dst = append(dst, ',')
			}
			dst = appendImage(append(dst, `"after":[`...), r.Map, rd.After.Cells)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

func appendImage(dst []byte, m *decoder.TableMap, cells []value.Value) []byte {
	first := true
	for i := range cells {
		v, c := &cells[i], &m.Columns[i]
		if v.Kind == value.KindNone {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = strconv.AppendInt(append(dst, `{"column":`...), int64(i+1), 10)
		dst = append(value.AppendTypeName(append(dst, `,"type":"`...), c.Type, c.Meta, value.Traits{}), '"')
		if v.Kind == value.KindNull {
			dst = append(dst, `,"null":true}`...)
			continue
		}
		dst = append(appendPlace(dst, v.Off, v.End), '}')
	}
	return append(dst, ']')
}

// appendProblems appends kind and place of each problem.
func appendProblems(dst []byte, e *render.Event) []byte {
	list := e.Problems()
	if len(list) == 0 {
		return dst
	}
	dst = append(dst, `,"problems":[`...)
	for i, p := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, `{"kind":"`...), p.Kind.String()...), '"')
		dst = strconv.AppendInt(append(dst, `,"offset":`...), p.Offset, 10)
		dst = append(append(append(dst, `,"path":"`...), cutName(p.Path)...), `"}`...)
	}
	return append(dst, ']')
}

// cutName takes the column's name off the path of a cell.
func cutName(path string) string {
	for _, image := range [2]string{".before", ".after"} {
		if i := strings.Index(path, image); i >= 0 {
			return path[:i+len(image)]
		}
	}
	return path
}
