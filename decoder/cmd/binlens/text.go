package main

import (
	"binlens/decoder/charset"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// encodings are the multi-byte character sets of East Asia, which the page leaves to the browser.
var encodings = map[charset.Charset]encoding.Encoding{
	charset.Big5: traditionalchinese.Big5, charset.GBK: simplifiedchinese.GBK, charset.GB2312: simplifiedchinese.GBK,
	charset.GB18030: simplifiedchinese.GB18030, charset.CP932: japanese.ShiftJIS, charset.SJIS: japanese.ShiftJIS,
	charset.UJIS: japanese.EUCJP, charset.EUCJPMS: japanese.EUCJP, charset.EUCKR: korean.EUCKR,
}

// decodeText is a charset.Decoder. The encodings put U+FFFD for bytes that are no text, and no text of these sets has it.
func decodeText(c charset.Charset, src []byte) ([]byte, bool) {
	e, ok := encodings[c]
	if !ok {
		return nil, false
	}
	text, err := e.NewDecoder().Bytes(src)
	if err != nil {
		return nil, false
	}
	for _, r := range string(text) {
		if r == '\ufffd' {
			return nil, false
		}
	}
	return text, true
}
