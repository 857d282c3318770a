package charset

// The collations with ids below 100, which both families have from MySQL 4.1 on, but for filename (17, internal) and
// utf8mb3_tolower_ci (76, MySQL and MariaDB after 10.11). Source: mysys/charset-def.c and sql/share/charsets/Index.xml.

// lowCharset has the character set of each id.
var lowCharset = [100]Charset{
	Unknown,
	Big5, Latin2, DEC8, CP850, Latin1, HP8, KOI8R, Latin1, Latin2, SWE7, // 1
	ASCII, UJIS, SJIS, CP1251, Latin1, Hebrew, Filename, TIS620, EUCKR, Latin7, // 11
	Latin2, KOI8U, CP1251, GB2312, Greek, CP1250, Latin2, GBK, CP1257, Latin5, // 21
	Latin1, ARMSCII8, UTF8MB3, CP1250, UCS2, CP866, KEYBCS2, MacCE, MacRoman, CP852, // 31
	Latin7, Latin7, MacCE, CP1250, UTF8MB4, UTF8MB4, Latin1, Latin1, Latin1, CP1251, // 41
	CP1251, CP1251, MacRoman, UTF16, UTF16, UTF16LE, CP1256, CP1257, CP1257, UTF32, // 51
	UTF32, UTF16LE, Binary, ARMSCII8, ASCII, CP1250, CP1256, CP866, DEC8, Greek, // 61
	Hebrew, HP8, KEYBCS2, KOI8R, KOI8U, UTF8MB3, Latin2, Latin5, Latin7, CP850, // 71
	CP852, SWE7, UTF8MB3, Big5, EUCKR, GB2312, GBK, SJIS, TIS620, UCS2, // 81
	UJIS, GEOSTD8, GEOSTD8, Latin1, CP932, CP932, EUCJPMS, EUCJPMS, CP1250, // 91
}

// lowSuffix has, for each id from 1 on, what follows the character set's name and "_"; "." for nothing.
const lowSuffix = "" +
	"chinese_ci czech_cs swedish_ci general_ci german1_ci english_ci general_ci swedish_ci general_ci swedish_ci " + // 1
	"general_ci japanese_ci japanese_ci bulgarian_ci danish_ci general_ci . thai_ci korean_ci estonian_cs " + // 11
	"hungarian_ci general_ci ukrainian_ci chinese_ci general_ci general_ci croatian_ci chinese_ci lithuanian_ci turkish_ci " + // 21
	"german2_ci general_ci general_ci czech_cs general_ci general_ci general_ci general_ci general_ci general_ci " + // 31
	"general_ci general_cs bin croatian_ci general_ci bin bin general_ci general_cs bin " + // 41
	"general_ci general_cs bin general_ci bin general_ci general_ci bin general_ci general_ci " + // 51
	"bin bin . bin bin bin bin bin bin bin " + // 61
	"bin bin bin bin bin tolower_ci bin bin bin bin " + // 71
	"bin bin bin bin bin bin bin bin bin bin " + // 81
	"bin general_ci bin spanish_ci japanese_ci bin japanese_ci bin polish_ci" // 91

// lowNoPad has a bit for each id below 100 of which MariaDB (10.2 and later) has a NOPAD variant, at id + 1024: the default
// and the _bin collation of every character set but binary.
var lowNoPad = [2]uint64{0x7fecebfb574d3fda, 0x7bfffefff}

// uca4Blocks are the ids at which the 24 collations of UCA 4.0.0 (uca4Suffix) of a Unicode character set begin.
var uca4Blocks = [...]struct {
	first   ID
	charset Charset
}{{101, UTF16}, {128, UCS2}, {160, UTF32}, {192, UTF8MB3}, {224, UTF8MB4}}

const (
	uca4Unicode    = 0
	uca4Croatian   = 21 // croatian_mysql561_ci in MariaDB
	uca4Unicode520 = 22
	uca4Len        = 24
)

const uca4Suffix = "unicode_ci icelandic_ci latvian_ci romanian_ci slovenian_ci polish_ci estonian_ci spanish_ci swedish_ci " +
	"turkish_ci czech_ci danish_ci lithuanian_ci slovak_ci spanish2_ci roman_ci persian_ci esperanto_ci hungarian_ci " +
	"sinhala_ci german2_ci croatian_ci unicode_520_ci vietnamese_ci"

// MySQL 8.0's collations of utf8mb4 by UCA 9.0.0 (strings/ctype-uca.cc): ids from uca9First on; "-" for an id that is not
// assigned. The first 23 are named with _ai_ci, the next 23 with _as_cs.
const (
	uca9First ID = 255
	uca9Last  ID = 323
)

const uca9Suffix = "0900_ai_ci de_pb_0900_ai_ci is_0900_ai_ci lv_0900_ai_ci ro_0900_ai_ci sl_0900_ai_ci pl_0900_ai_ci " +
	"et_0900_ai_ci es_0900_ai_ci sv_0900_ai_ci tr_0900_ai_ci cs_0900_ai_ci da_0900_ai_ci lt_0900_ai_ci sk_0900_ai_ci " +
	"es_trad_0900_ai_ci la_0900_ai_ci - eo_0900_ai_ci hu_0900_ai_ci hr_0900_ai_ci - vi_0900_ai_ci " + // 255 … 277
	"0900_as_cs de_pb_0900_as_cs is_0900_as_cs lv_0900_as_cs ro_0900_as_cs sl_0900_as_cs pl_0900_as_cs " +
	"et_0900_as_cs es_0900_as_cs sv_0900_as_cs tr_0900_as_cs cs_0900_as_cs da_0900_as_cs lt_0900_as_cs sk_0900_as_cs " +
	"es_trad_0900_as_cs la_0900_as_cs - eo_0900_as_cs hu_0900_as_cs hr_0900_as_cs - vi_0900_as_cs " + // 278 … 300
	"- - ja_0900_as_cs ja_0900_as_cs_ks 0900_as_ci ru_0900_ai_ci ru_0900_as_cs zh_0900_as_cs 0900_bin nb_0900_ai_ci " + // 301
	"nb_0900_as_cs nn_0900_ai_ci nn_0900_as_cs sr_latn_0900_ai_ci sr_latn_0900_as_cs bs_0900_ai_ci bs_0900_as_cs " + // 311
	"bg_0900_ai_ci bg_0900_as_cs gl_0900_ai_ci gl_0900_as_cs mn_cyrl_0900_ai_ci mn_cyrl_0900_as_cs" // 318 … 323

// uca9Holes has a bit for each id of uca9Suffix, from uca9First on, that is not assigned; the last id has none.
const uca9Holes uint64 = 1<<17 | 1<<21 | 1<<40 | 1<<44 | 1<<46 | 1<<47

// MariaDB's own collations below 1024: a block of 32 ids for each Unicode character set.
var mariaBlocks = [...]Charset{UTF8MB3, UTF8MB4, UCS2, UTF16, UTF16LE, UTF32}

const (
	mariaFirst ID = 576
	mariaLast  ID = mariaFirst + 6*32 - 1
	noPad      ID = 1024 // added to the id of a collation to give its NOPAD variant
	uca14First ID = 2048
	uca14Last  ID = uca14First + 5<<8 - 1
)

// mariaSuffix has the first ids of a block; the last of them only the UTF-8 sets have, after MariaDB 10.11, and utf16le none.
const mariaSuffix = "croatian_ci myanmar_ci thai_520_w2 general1400_as_ci"

// MariaDB's collations by UCA 14.0.0 (10.10 and later, strings/ctype-uca1400.c) have computed ids:
//
//	2048 + (character set << 8) + (tailoring << 3) + (nopad << 2) + (accent sensitive << 1) + case sensitive
var uca14Charsets = [...]Charset{UTF8MB3, UTF8MB4, UCS2, UTF16, UTF32}

// uca14Tailorings are in the order of their number; "." for no tailoring, "-" for a number that is not assigned.
const uca14Tailorings = ". icelandic latvian romanian slovenian polish estonian spanish swedish turkish czech danish " +
	"lithuanian slovak spanish2 roman persian esperanto hungarian sinhala german2 - - vietnamese croatian"

// uca14Mask has a bit for each number of a tailoring that is assigned.
const uca14Mask uint32 = 0x1ffffff &^ (1<<21 | 1<<22)
