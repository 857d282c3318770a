package charset

// Decoder decodes text in a multi-byte character set of East Asia into UTF-8; ok is false when any of it is no text in
// that set. The tables are large, and every platform has them: the browser in TextDecoder, the terminal command in
// golang.org/x/text.
type Decoder func(c Charset, src []byte) (text []byte, ok bool)

var multi Decoder

// SetDecoder makes the multi-byte sets of East Asia Supported. It is called once, before anything is decoded.
func SetDecoder(d Decoder) { multi = d }

// WHATWG returns the name that the Encoding Standard, and so TextDecoder, has for a multi-byte character set; "" for
// others. Where the standard has no set of its own for one of the servers', it is the larger one that contains it.
func (c Charset) WHATWG() string {
	switch c {
	case Big5:
		return "big5"
	case CP932, SJIS:
		return "shift_jis"
	case UJIS, EUCJPMS:
		return "euc-jp"
	case EUCKR:
		return "euc-kr"
	case GB18030:
		return "gb18030"
	case GB2312, GBK:
		return "gbk"
	}
	return ""
}

// appendMulti appends text of a multi-byte set, in which ASCII stands for itself.
func appendMulti(c Charset, dst, src []byte) ([]byte, bool) {
	if asciiLen(src) == len(src) {
		return append(dst, src...), true
	}
	if multi == nil {
		return dst, false
	}
	text, ok := multi(c, src)
	if !ok {
		return dst, false
	}
	return append(dst, text...), true
}
