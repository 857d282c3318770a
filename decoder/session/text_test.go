package session_test

import (
	"binlens/decoder/charset"
	"bytes"
	"os"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// The multi-byte character sets of East Asia are read as at the terminal.
func TestMain(m *testing.M) {
	sets := map[charset.Charset]encoding.Encoding{
		charset.Big5: traditionalchinese.Big5, charset.GBK: simplifiedchinese.GBK, charset.GB2312: simplifiedchinese.GBK,
		charset.GB18030: simplifiedchinese.GB18030, charset.CP932: japanese.ShiftJIS, charset.SJIS: japanese.ShiftJIS,
		charset.UJIS: japanese.EUCJP, charset.EUCJPMS: japanese.EUCJP, charset.EUCKR: korean.EUCKR,
	}
	charset.SetDecoder(func(c charset.Charset, src []byte) ([]byte, bool) {
		if sets[c] == nil {
			return nil, false
		}
		text, err := sets[c].NewDecoder().Bytes(src)
		return text, err == nil && !bytes.ContainsRune(text, '\ufffd')
	})
	os.Exit(m.Run())
}
