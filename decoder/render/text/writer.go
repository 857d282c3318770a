package text

import (
	"binlens/decoder"
	"binlens/decoder/charset"
	"binlens/decoder/frame"
	"binlens/decoder/render"
	"strconv"
)

// Writer prints events in their order. The zero value prints in UTC and without BINLOG statements.
type Writer struct {
	Zone   int  // seconds east of UTC
	Blocks bool // BINLOG statements are printed

	maria    bool
	family   charset.Family
	query    settings
	held     []byte // of events that are printed with the one after them
	gtids    bool   // a GTID was printed
	inside   bool   // a transaction is open
	onlyGtid bool   // and nothing of it but its GTID
	rows     int64  // printed of the statement at hand
	payload  int64  // the payload whose events are printed; -1 none
	outer    uint32 // next_position of that payload
}

const delimiter = "/*!*/;\n"

// Head begins the text of a log.
func (w *Writer) Head(dst []byte, f *decoder.FormatDescription) []byte {
	w.maria = f.Family == decoder.MariaDB
	w.payload = -1
	if w.maria {
		w.family = charset.MariaDB
		return append(dst, "/*!50530 SET @@SESSION.PSEUDO_SLAVE_MODE=1*/;\n/*!40019 SET @@session.max_delayed_threads=0*/;\n"+
			"/*!50003 SET @OLD_COMPLETION_TYPE=@@COMPLETION_TYPE,COMPLETION_TYPE=0*/;\nDELIMITER /*!*/;\n"...)
	}
	return append(dst, "# The proper term is pseudo_replica_mode, but we use this compatibility alias\n"+
		"# to make the statement usable on server versions 8.0.24 and older.\n"+
		"/*!50530 SET @@SESSION.PSEUDO_SLAVE_MODE=1*/;\n/*!50003 SET @OLD_COMPLETION_TYPE=@@COMPLETION_TYPE,COMPLETION_TYPE=0*/;\nDELIMITER /*!*/;\n"...)
}

// Tail ends the text.
func (w *Writer) Tail(dst []byte) []byte {
	dst = w.endPayload(append(dst, w.held...))
	w.held = nil
	if w.maria {
		return append(dst, "DELIMITER ;\n# End of log file\nROLLBACK /* added by mysqlbinlog */;\n"+
			"/*!50003 SET COMPLETION_TYPE=@OLD_COMPLETION_TYPE*/;\n/*!50530 SET @@SESSION.PSEUDO_SLAVE_MODE=0*/;\n"...)
	}
	if w.onlyGtid {
		dst = append(dst, "BEGIN /*added by mysqlbinlog */ /*!*/;\n"...)
	}
	if w.inside {
		dst = append(dst, "ROLLBACK /* added by mysqlbinlog */ /*!*/;\n"...)
	}
	if w.gtids {
		dst = append(dst, "SET @@SESSION.GTID_NEXT= 'AUTOMATIC' /* added by mysqlbinlog */ /*!*/;\n"...)
	}
	return append(dst, "DELIMITER ;\n# End of log file\n/*!50003 SET COMPLETION_TYPE=@OLD_COMPLETION_TYPE*/;\n"+
		"/*!50530 SET @@SESSION.PSEUDO_SLAVE_MODE=0*/;\n"...)
}

// Event prints all of an event but its rows and its BINLOG statement.
func (w *Writer) Event(dst []byte, e *render.Event) []byte {
	if w.payload >= 0 && (!e.Inside || e.Payload != w.payload) {
		dst = w.endPayload(dst)
	}
	at := e.Off
	if e.Inside {
		at = int64(w.outer)
	}
	dst = append(strconv.AppendInt(append(dst, "# at "...), at, 10), '\n')
	if e.Cipher {
		return append(dst, "# Encrypted event\n"...)
	}
	if e.Kind != frame.Event {
		return comment(dst, e.TypeTitle()+", "+strconv.FormatInt(e.Size, 10)+" bytes", reason(e))
	}
	if w.holds(e) {
		w.held = w.event(w.held, e)
		return dst
	}
	if w.releases(e) {
		dst = append(dst, w.held...)
		w.held = w.held[:0]
	}
	return w.event(dst, e)
}

// releases says that an event is the one that those held are for.
func (w *Writer) releases(e *render.Event) bool {
	_, block := e.Event.(*decoder.FileBlock)
	return !block
}

// holds says that an event is printed together with the one after it: what sets values for a statement in MySQL's tool, and the
// annotation of rows in MariaDB's.
func (w *Writer) holds(e *render.Event) bool {
	switch e.Event.(type) {
	case *decoder.Intvar, *decoder.Rand, *decoder.UserVar:
		return !w.maria
	case *decoder.AnnotateRows:
		return true
	}
	return false
}

func (w *Writer) event(dst []byte, e *render.Event) []byte {
	if _, alone := e.Event.(*decoder.StartEncryption); !alone {
		dst = w.header(dst, e)
	}
	if e.Bad != nil || e.Event == nil {
		return comment(append(dst, '\t'), e.TypeTitle(), reason(e))
	}
	return w.body(dst, e)
}

// reason is what is wrong with an event.
func reason(e *render.Event) string {
	if list := e.Problems(); len(list) > 0 {
		return list[0].Reason
	}
	return ""
}

func comment(dst []byte, what, why string) []byte {
	dst = append(append(dst, "# "...), what...)
	if why != "" {
		dst = append(append(dst, ": "...), why...)
	}
	return append(dst, '\n')
}

// header prints the line that every event has, up to what is said of it.
func (w *Writer) header(dst []byte, e *render.Event) []byte {
	h := &e.Header
	dst = w.appendTime(append(dst, '#'), h.Timestamp)
	dst = strconv.AppendUint(append(dst, " server id "...), uint64(h.ServerID), 10)
	next := h.NextPosition
	if e.Inside {
		next = w.outer
	}
	dst = append(strconv.AppendUint(append(dst, "  end_log_pos "...), uint64(next), 10), ' ')
	switch {
	case e.Inside:
		return append(appendHex32(append(dst, "CRC32 0x"...), sumInside(e)), ' ')
	case e.Sum.Len > 0 && e.Format.ChecksumLen() > 0:
		return append(appendHex32(append(dst, "CRC32 0x"...), e.Sum.Stored), ' ')
	}
	return dst
}

// appendTime prints a time as YYMMDD and the time of day, its hour filled up with a space.
func (w *Writer) appendTime(dst []byte, t uint32) []byte {
	s := stamp(int64(t) + int64(w.Zone))
	hour := s[11:13]
	if hour[0] == '0' {
		hour = " " + hour[1:]
	}
	return append(append(append(append(append(append(dst, s[2:4]...), s[5:7]...), s[8:10]...), ' '), hour...), s[13:]...)
}

func appendHex32(dst []byte, n uint32) []byte {
	for shift := 28; shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789abcdef"[n>>shift&15])
	}
	return dst
}

// endPayload ends the events of a payload.
func (w *Writer) endPayload(dst []byte) []byte {
	if w.payload < 0 {
		return dst
	}
	w.payload = -1
	return append(dst, "# End of compressed events.\n"...)
}
