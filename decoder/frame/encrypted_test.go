package frame_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"binlens/decoder/frame"
)

// What an encrypted log tells in the clear: the key it needs. A header that is cut off or unknown tells what it can.
func TestEncryptedHeader(t *testing.T) {
	key := "\x01\x05key_1"
	password := "\x02" + strings.Repeat("p", 32)
	iv := "\x03\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\xff"
	for _, tt := range []struct{ header, want string }{
		{"\x01" + key + password + iv + strings.Repeat("\x00", 400), `header version 1, key "key_1", an encrypted file password, IV 000102030405060708090a0b0c0d0eff`},
		{"\x01" + iv + key + "\x00", `header version 1, IV 000102030405060708090a0b0c0d0eff, key "key_1"`},
		{"\x02" + key + "\x07rest", `header version 2, key "key_1", an unknown field 7 at 12`},
		{"\x01\x01\x05ke", "cut off inside a field"},
		{"\x01", "header version 1"},
		{"", "header version 0, cut off inside a field"},
	} {
		_, err := frame.Sniff([]byte("\xfdbin"+tt.header), 1000)
		if not := new(frame.NotBinlog); !errors.As(err, &not) || !strings.Contains(not.Says, tt.want) || !strings.Contains(err.Error(), not.Says) {
			t.Errorf("%q: %v, want %s", tt.header, err, tt.want)
		}
	}
}

func TestEncryptedHeaderOfAServer(t *testing.T) {
	head, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "corpus", "mysql80", "g-encrypted.binlog.000001"))
	if err != nil {
		t.Skip("skipped: no corpus")
	}
	_, err = frame.Sniff(head[:frame.SniffLen], int64(len(head)))
	if err == nil || !strings.Contains(err.Error(), `key "MySQLReplicationKey_`) || !strings.Contains(err.Error(), "an encrypted file password, IV ") {
		t.Error(err)
	}
}
