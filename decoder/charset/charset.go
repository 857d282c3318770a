// Package charset knows the character sets and collations of MySQL and MariaDB: which character set a collation id of a
// table map or a status variable means, what they are called, and how the bytes of a character set become UTF-8.
//
// It decodes ASCII, latin1 (which is Windows-1252 to the servers), every other single-byte set, UTF-8 with up to three
// and up to four bytes, UCS-2, UTF-16 in both byte orders and UTF-32. The multi-byte sets of East Asia (big5, cp932,
// eucjpms, euckr, gb18030, gb2312, gbk, sjis, ujis), whose tables are large, it decodes through a hook (SetDecoder), and
// the servers' file name encoding not at all: Charset.Supported tells these from bytes that are wrong. Bytes that are no text in their character set are
// never replaced by anything.
//
// Files: charset.go (character sets), collation.go and collation_tables.go (ids and names), decode.go, unicode.go,
// multi.go, tables.go (single-byte sets; made by gen.go).
package charset

// Charset is a character set. The zero Charset is Unknown.
type Charset uint8

// The character sets of MySQL 8 and 9 and of MariaDB 11. Unknown stands for an id or a name that no server has.
const (
	Unknown Charset = iota
	ARMSCII8
	ASCII
	Big5
	Binary
	CP1250
	CP1251
	CP1256
	CP1257
	CP850
	CP852
	CP866
	CP932
	DEC8
	EUCJPMS
	EUCKR
	Filename
	GB18030
	GB2312
	GBK
	GEOSTD8
	Greek
	Hebrew
	HP8
	KEYBCS2
	KOI8R
	KOI8U
	Latin1
	Latin2
	Latin5
	Latin7
	MacCE
	MacRoman
	SJIS
	SWE7
	TIS620
	UCS2
	UJIS
	UTF16
	UTF16LE
	UTF32
	UTF8MB3
	UTF8MB4

	numCharsets
)

// form says how the bytes of a character set are decoded.
type form uint8

const (
	formNone   form = iota // not decoded here
	formSingle             // ASCII below 0x80, a table or nothing from there on
	formUTF8
	formUnits // by a function that reads one character
	formMulti // by the Decoder that was set; see multi.go
)

// props is what is known of a character set.
type props struct {
	name   string
	maxLen uint8 // bytes of the longest character
	form   form
	high   *[128]uint16                     // formSingle: characters of 0x80 … 0xff, 0 for none; nil for ASCII
	next   func(src []byte) (r rune, n int) // formUnits
}

// all has the servers' names and mbmaxlen (MAXLEN of information_schema.CHARACTER_SETS).
var all = [numCharsets]props{
	ARMSCII8: {"armscii8", 1, formSingle, &armscii8Table, nil},
	ASCII:    {"ascii", 1, formSingle, nil, nil},
	Big5:     {"big5", 2, formMulti, nil, nil},
	Binary:   {"binary", 1, formNone, nil, nil},
	CP1250:   {"cp1250", 1, formSingle, &cp1250Table, nil},
	CP1251:   {"cp1251", 1, formSingle, &cp1251Table, nil},
	CP1256:   {"cp1256", 1, formSingle, &cp1256Table, nil},
	CP1257:   {"cp1257", 1, formSingle, &cp1257Table, nil},
	CP850:    {"cp850", 1, formSingle, &cp850Table, nil},
	CP852:    {"cp852", 1, formSingle, &cp852Table, nil},
	CP866:    {"cp866", 1, formSingle, &cp866Table, nil},
	CP932:    {"cp932", 2, formMulti, nil, nil},
	DEC8:     {"dec8", 1, formSingle, &dec8Table, nil},
	EUCJPMS:  {"eucjpms", 3, formMulti, nil, nil},
	EUCKR:    {"euckr", 2, formMulti, nil, nil},
	Filename: {"filename", 5, formNone, nil, nil},
	GB18030:  {"gb18030", 4, formMulti, nil, nil},
	GB2312:   {"gb2312", 2, formMulti, nil, nil},
	GBK:      {"gbk", 2, formMulti, nil, nil},
	GEOSTD8:  {"geostd8", 1, formSingle, &geostd8Table, nil},
	Greek:    {"greek", 1, formSingle, &greekTable, nil},
	Hebrew:   {"hebrew", 1, formSingle, &hebrewTable, nil},
	HP8:      {"hp8", 1, formSingle, &hp8Table, nil},
	KEYBCS2:  {"keybcs2", 1, formSingle, &keybcs2Table, nil},
	KOI8R:    {"koi8r", 1, formSingle, &koi8rTable, nil},
	KOI8U:    {"koi8u", 1, formSingle, &koi8uTable, nil},
	Latin1:   {"latin1", 1, formSingle, &latin1Table, nil},
	Latin2:   {"latin2", 1, formSingle, &latin2Table, nil},
	Latin5:   {"latin5", 1, formSingle, &latin5Table, nil},
	Latin7:   {"latin7", 1, formSingle, &latin7Table, nil},
	MacCE:    {"macce", 1, formSingle, &macceTable, nil},
	MacRoman: {"macroman", 1, formSingle, &macromanTable, nil},
	SJIS:     {"sjis", 2, formMulti, nil, nil},
	SWE7:     {"swe7", 1, formUnits, nil, nextSWE7},
	TIS620:   {"tis620", 1, formSingle, &tis620Table, nil},
	UCS2:     {"ucs2", 2, formUnits, nil, nextUCS2},
	UJIS:     {"ujis", 3, formMulti, nil, nil},
	UTF16:    {"utf16", 4, formUnits, nil, nextUTF16},
	UTF16LE:  {"utf16le", 4, formUnits, nil, nextUTF16LE},
	UTF32:    {"utf32", 4, formUnits, nil, nextUTF32},
	UTF8MB3:  {"utf8mb3", 3, formUTF8, nil, nil},
	UTF8MB4:  {"utf8mb4", 4, formUTF8, nil, nil},
}

func (c Charset) props() *props {
	if c >= numCharsets {
		c = Unknown
	}
	return &all[c]
}

// Name returns the server's name of the character set, "" for Unknown. What servers before MySQL 8.0.30 and MariaDB 10.6
// call utf8 is utf8mb3.
func (c Charset) Name() string { return c.props().name }

// String returns Name, or "unknown".
func (c Charset) String() string {
	if name := c.Name(); name != "" {
		return name
	}
	return "unknown"
}

// MaxLen returns the number of bytes of the longest character, 1 to 5 (5: filename); 0 for Unknown. A CHAR(n) column may
// have n times as many bytes.
func (c Charset) MaxLen() int { return int(c.props().maxLen) }

// Supported reports whether AppendUTF8 can decode c: what it then refuses is no text of c. It is false for Binary, which
// is not text, for Unknown, for Filename, and for the multi-byte sets of East Asia unless SetDecoder was called.
func (c Charset) Supported() bool {
	f := c.props().form
	return f != formNone && (f != formMulti || multi != nil)
}

// HasASCII reports whether bytes below 0x80 are ASCII in c, whatever stands before them, and AppendUTF8 decodes c.
func (c Charset) HasASCII() bool {
	f := c.props().form
	return f == formSingle || f == formUTF8
}

// ByName returns the character set that the server calls name, in any case; "utf8" is utf8mb3, as both families have it by
// default. It is Unknown for any other name.
func ByName(name string) Charset {
	if equalFold(name, "utf8") {
		return UTF8MB3
	}
	for c := Unknown + 1; c < numCharsets; c++ {
		if equalFold(name, all[c].name) {
			return c
		}
	}
	return Unknown
}

// ByCollationName returns the character set of a collation of either family by its name, in any case. It reads the
// character set's name, up to the first "_", and does not ask whether there is such a collation. It is Unknown for a name
// that begins with no character set, as MariaDB's uca1400_ai_ci without one.
func ByCollationName(name string) Charset {
	for i := range len(name) {
		if name[i] == '_' {
			return ByName(name[:i])
		}
	}
	if c := ByName(name); c == Binary || c == Filename {
		return c
	}
	return Unknown
}

// equalFold reports whether name is lower, which is in lower case, in any case of ASCII letters.
func equalFold(name, lower string) bool {
	if len(name) != len(lower) {
		return false
	}
	for i := range len(name) {
		b := name[i]
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		if b != lower[i] {
			return false
		}
	}
	return true
}
