package logtest

// Server is one that writes logs.
type Server struct {
	Name    string
	Version string // as it stands in the log
	Binlog  uint16 // binlog version: 1, 3 or 4
	Lengths []byte // post-header lengths; nil before version 4
	Aware   bool   // knows checksums: its format description ends in algorithm and checksum
	MariaDB bool
	Header  int // common_header_len; 0 stands for 19
}

// V2 says that the server writes row events of version 2.
func (s Server) V2() bool { return !s.MariaDB && len(s.Lengths) >= 32 }

// Rows says that the server writes row events at all.
func (s Server) Rows() bool { return len(s.Lengths) >= 25 }

// ClockLen is the length of a GTID event's post-header, 0 where the server has none.
func (s Server) ClockLen() int {
	if s.MariaDB || len(s.Lengths) < 33 {
		return 0
	}
	return int(s.Lengths[TypeGtid-1])
}

// The servers. Their tables are those seen in the logs of such servers.
var (
	MySQL323  = Server{Name: "MySQL 3.23", Version: "3.23.58-log", Binlog: 1}
	MySQL41   = Server{Name: "MySQL 4.1", Version: "4.1.22-log", Binlog: 3}
	MySQL50   = Server{Name: "MySQL 5.0", Version: "5.0.96-log", Binlog: 4, Lengths: table(head5)}
	MySQL5117 = Server{Name: "MySQL 5.1.17 (pre-GA)", Version: "5.1.17-beta-log", Binlog: 4, Lengths: table(head5, list(6, 6, 6, 6))}
	MySQL51   = Server{Name: "MySQL 5.1", Version: "5.1.73-log", Binlog: 4, Lengths: table(head5, rows51)}
	MySQL55   = Server{Name: "MySQL 5.5", Version: "5.5.62-log", Binlog: 4, Lengths: table(head5, rows51, list(0))}
	MySQL56   = Server{Name: "MySQL 5.6", Version: "5.6.51-log", Binlog: 4, Aware: true, Lengths: table(head5, rows51, list(0), rows56, list(25, 25, 0))}
	MySQL576  = Server{Name: "MySQL 5.7.6", Version: "5.7.6-m16-log", Binlog: 4, Aware: true, Lengths: table(head5, rows51, list(0), rows56, gtid57)}
	MySQL5722 = Server{Name: "MySQL 5.7.22", Version: "5.7.22-log", Binlog: 4, Aware: true, Lengths: table(head5, rows51, list(0), rows56, gtid57, list(0))}
	MySQL8017 = Server{Name: "MySQL 8.0.17", Version: "8.0.17", Binlog: 4, Aware: true, Lengths: table(head8, rows51, list(0), rows56, gtid57, list(0, 10))}
	MySQL8026 = Server{Name: "MySQL 8.0.26", Version: "8.0.26", Binlog: 4, Aware: true, Lengths: table(head8, rows51, list(0), rows56, gtid57, list(0, 10, 40))}
	MySQL8040 = Server{Name: "MySQL 8.0.40", Version: "8.0.40", Binlog: 4, Aware: true, Lengths: table(head8, rows51, list(0), rows56, gtid57, list(0, 10, 40, 0))}
	MySQL84   = Server{Name: "MySQL 8.4", Version: "8.4.3", Binlog: 4, Aware: true, Lengths: table(head8, rows84, list(0), rows56, gtid57, list(0, 10, 40, 0, 0))}
	MySQL96   = Server{Name: "MySQL 9.6", Version: "9.6.0", Binlog: 4, Aware: true, Lengths: MySQL84.Lengths}

	MariaDB53  = Server{Name: "MariaDB 5.3", Version: "5.3.12-MariaDB-log", Binlog: 4, Aware: true, MariaDB: true, Lengths: table(head5, rows51, list(0), zeros(132), list(0))}
	MariaDB100 = Server{Name: "MariaDB 10.0", Version: "10.0.38-MariaDB-log", Binlog: 4, Aware: true, MariaDB: true,
		Lengths: table(head5, rows51, list(0), rows56, zeros(127), list(0, 4, 19, 4))}
	MariaDB105 = Server{Name: "MariaDB 10.5", Version: "10.5.29-MariaDB-log", Binlog: 4, Aware: true, MariaDB: true,
		Lengths: table(head5, rows51, list(0), rows56, zeros(127), list(0, 4, 19, 4, 0, 13, 8, 8, 8, 10, 10, 10))}
)

// Servers are all of the above.
var Servers = []Server{MySQL323, MySQL41, MySQL50, MySQL5117, MySQL51, MySQL55, MySQL56, MySQL576, MySQL5722, MySQL8017,
	MySQL8026, MySQL8040, MySQL84, MySQL96, MariaDB53, MariaDB100, MariaDB105}

// Parts of the tables. The entry for the format description itself, at index 14, is filled in by table.
var (
	head5  = list(56, 13, 0, 8, 0, 18, 0, 4, 4, 4, 4, 18, 0, 0, 0, 0, 4, 26)
	head8  = list(0, 13, 0, 8, 0, 0, 0, 0, 4, 0, 4, 0, 0, 0, 0, 0, 4, 26)
	rows51 = list(8, 0, 0, 0, 8, 8, 8, 2)
	rows84 = list(8, 0, 0, 0, 0, 0, 0, 2)
	rows56 = list(0, 0, 10, 10, 10)
	gtid57 = list(42, 42, 0, 18, 52)
)

func list(b ...byte) []byte    { return b }
func zeros(n int) []byte       { return make([]byte, n) }
func table(p ...[]byte) []byte { t := Cat(p...); t[14] = byte(57 + len(t)); return t }
