// Package logtest builds binary logs byte by byte, for tests: what a server of each generation writes, and what it never
// would.
//
// It is written from the description of the format and shares no code with the decoder, so that a mistake would have to be
// made twice to stay unseen. Values that a test wants wrong can be given as raw bytes everywhere.
//
//	l := logtest.New(logtest.MySQL8040, logtest.CRC32)
//	l.Event(logtest.TypeQuery, l.Query(logtest.Query{DB: "shop", SQL: "BEGIN"}))
//	l.Event(logtest.TypeXid, logtest.U64(7))
//	file := l.Bytes()
//
// Layout: server.go has the servers and their tables; log.go frames events; number.go encodes numbers; statement.go, table.go,
// gtid.go, maria.go and rare.go build bodies; damage.go spoils finished logs; samples.go and samples_rare.go have logs with everything in them; files.go
// finds the real logs there are; big.go writes large logs.
package logtest
