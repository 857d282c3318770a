package charset

// ID is the number of a collation, as table maps (DEFAULT_CHARSET, COLUMN_CHARSET), status variables and user variables
// have it. 0 is none. A number of a log that is beyond 16 bits is no collation's.
type ID uint16

// Family says whose numbers an ID belongs to: the families differ in a few.
type Family uint8

const (
	MySQL   Family = iota // MySQL, Percona Server and what else derives from MySQL
	MariaDB               // MariaDB
)

// Info describes a collation.
type Info struct {
	// Collation is the collation's name as the newest servers spell it: utf8mb3_… also where older ones say utf8_….
	Collation string
	// Charset is its character set.
	Charset Charset
}

// Lookup returns the name and the character set of a collation. ok is false for an id that no server of the family
// assigns, also for collations that users define in Index.xml (MySQL: 1024 and later). Ids that only MySQL assigns (17,
// 76, 248 to 323) are known for MariaDB too: they come from a MySQL source. It allocates the name; CharsetOf does not.
func Lookup(f Family, id ID) (info Info, ok bool) {
	info.Charset = CharsetOf(f, id)
	if info.Charset == Unknown {
		return Info{}, false
	}
	name, _ := AppendCollation(make([]byte, 0, 48), f, id)
	info.Collation = string(name)
	return info, true
}

// CharsetOf returns the character set of a collation, Unknown where Lookup finds none. It allocates nothing.
func CharsetOf(f Family, id ID) Charset {
	switch {
	case int(id) < len(lowCharset):
		return lowCharset[id]
	case id == 159:
		return UCS2
	case id == 223:
		return UTF8MB3
	case 248 <= id && id <= 250:
		return GB18030
	case uca9First <= id && id <= uca9Last:
		if n := id - uca9First; n < 64 && uca9Holes>>n&1 != 0 {
			return Unknown
		}
		return UTF8MB4
	case id < uca9First:
		c, _ := uca4(id)
		return c
	case f == MariaDB:
		return mariaCharset(id)
	}
	return Unknown
}

// mariaCharset is CharsetOf for the ids that only MariaDB assigns.
func mariaCharset(id ID) Charset {
	switch {
	case mariaFirst <= id && id <= mariaLast:
		n := id - mariaFirst
		c, i := mariaBlocks[n/32], n%32
		if c == UTF16LE || i > 3 || i == 3 && c != UTF8MB3 && c != UTF8MB4 {
			return Unknown
		}
		return c
	case noPad < id && id < noPad+uca9First:
		base := id - noPad
		if int(base) < len(lowCharset) {
			if lowNoPad[base>>6]>>(base&63)&1 != 0 {
				return lowCharset[base]
			}
			return Unknown
		}
		if c, i := uca4(base); i == uca4Unicode || i == uca4Unicode520 {
			return c
		}
	case uca14First <= id && id <= uca14Last:
		if tailoring := id >> 3 & 31; uca14Mask>>tailoring&1 != 0 {
			return uca14Charsets[(id-uca14First)>>8]
		}
	}
	return Unknown
}

// uca4 returns the character set of an id in one of uca4Blocks and its place there; Unknown for another id.
func uca4(id ID) (Charset, int) {
	for _, b := range uca4Blocks {
		if b.first <= id && id < b.first+uca4Len {
			return b.charset, int(id - b.first)
		}
	}
	return Unknown, 0
}

// AppendCollation appends the name of a collation. Where Lookup finds none, ok is false and dst comes back unchanged.
func AppendCollation(dst []byte, f Family, id ID) (out []byte, ok bool) {
	c := CharsetOf(f, id)
	if c == Unknown {
		return dst, false
	}
	dst = append(dst, c.Name()...)
	switch {
	case id >= uca14First:
		return appendUCA14(dst, id), true
	case id > noPad:
		return appendNoPad(dst, suffix(f, id-noPad)), true
	}
	if s := suffix(f, id); s != "." {
		dst = append(append(dst, '_'), s...)
	}
	return dst, true
}

// suffix returns what follows the name of the character set and "_" in the name of an assigned collation below 1024.
func suffix(f Family, id ID) string {
	switch {
	case int(id) < len(lowCharset):
		return word(lowSuffix, int(id)-1)
	case id == 159 || id == 223:
		return "general_mysql500_ci"
	case 248 <= id && id <= 250:
		return word("chinese_ci bin unicode_520_ci", int(id)-248)
	case id < uca9First:
		_, i := uca4(id)
		if i == uca4Croatian && f == MariaDB {
			return "croatian_mysql561_ci"
		}
		return word(uca4Suffix, i)
	case id < mariaFirst:
		return word(uca9Suffix, int(id-uca9First))
	}
	return word(mariaSuffix, int(id-mariaFirst)%32)
}

// appendNoPad appends "_" and the suffix with "nopad_" before its last word: general_ci is general_nopad_ci, bin is
// nopad_bin.
func appendNoPad(dst []byte, suffix string) []byte {
	last := len(suffix)
	for last > 0 && suffix[last-1] != '_' {
		last--
	}
	dst = append(append(dst, '_'), suffix[:last]...)
	dst = append(dst, "nopad_"...)
	return append(dst, suffix[last:]...)
}

func appendUCA14(dst []byte, id ID) []byte {
	dst = append(dst, "_uca1400"...)
	if t := word(uca14Tailorings, int(id>>3&31)); t != "." {
		dst = append(append(dst, '_'), t...)
	}
	if id&4 != 0 {
		dst = append(dst, "_nopad"...)
	}
	dst = append(dst, word("_ai _as", int(id>>1&1))...)
	return append(dst, word("_ci _cs", int(id&1))...)
}

// word returns the n-th word, from 0, of words separated by single spaces; "" when there are fewer.
func word(words string, n int) string {
	start := 0
	for i := range len(words) {
		if words[i] != ' ' {
			continue
		}
		if n == 0 {
			return words[start:i]
		}
		n, start = n-1, i+1
	}
	if n == 0 {
		return words[start:]
	}
	return ""
}
