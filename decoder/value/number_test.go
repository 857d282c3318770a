package value

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// Floats of every exponent, and those around the edges of plain digits, are numbers of JSON that read back.
func TestFloatReadsBack(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	check32 := func(f float32) {
		s := string(appendFloat(nil, float64(f), 32))
		back, err := strconv.ParseFloat(s, 32)
		if err != nil || math.Float32bits(float32(back)) != math.Float32bits(f) || !json.Valid([]byte(s)) {
			t.Fatalf("float32 %#x = %s", math.Float32bits(f), s)
		}
	}
	check64 := func(f float64) {
		s := string(appendFloat(nil, f, 64))
		back, err := strconv.ParseFloat(s, 64)
		if err != nil || math.Float64bits(back) != math.Float64bits(f) || !json.Valid([]byte(s)) {
			t.Fatalf("float64 %#x = %s", math.Float64bits(f), s)
		}
	}
	for exp := range uint32(255) {
		for range 400 {
			check32(math.Float32frombits(rnd.Uint32()&0x807fffff | exp<<23))
		}
		check32(math.Float32frombits(exp << 23))
	}
	for exp := range uint64(2047) {
		for range 40 {
			check64(math.Float64frombits(rnd.Uint64()&0x800fffffffffffff | exp<<52))
		}
		check64(math.Float64frombits(exp << 52))
	}
}

func TestFloatForm(t *testing.T) {
	for _, tt := range []struct {
		f    float64
		bits int
		want string
	}{
		{0, 64, "0"}, {math.Copysign(0, -1), 64, "-0"}, {1, 64, "1"}, {-1.5, 32, "-1.5"}, {100000000, 32, "100000000"},
		{999999999999999, 64, "999999999999999"}, {1e15, 64, "1e15"}, {-1e15, 64, "-1e15"}, {1.5e300, 64, "1.5e300"},
		{1e-15, 64, "0.000000000000001"}, {9e-16, 64, "9e-16"}, {1.25e-7, 64, "0.000000125"}, {5e-324, 64, "5e-324"},
		{float64(float32(1e15)), 32, "1e15"}, {float64(float32(1e-15)), 32, "0.000000000000001"}, {float64(float32(3.4028235e38)), 32, "3.4028235e38"},
		{float64(float32(1e-45)), 32, "1e-45"}, {1e9, 64, "1000000000"}, {1e22, 64, "1e22"}, {1e100, 64, "1e100"},
		{1234567890123456.75, 64, "1234567890123456.8"}, {4503599627370495.5, 64, "4503599627370495.5"}, {4503599627370497, 64, "4.503599627370497e15"},
	} {
		if got := string(appendFloat(nil, tt.f, tt.bits)); got != tt.want {
			t.Errorf("%v (%d bits) = %s, want %s", tt.f, tt.bits, got, tt.want)
		}
	}
	if got := string(appendFloat([]byte("x="), 1e20, 64)); got != "x=1e20" {
		t.Errorf("appended: %s", got)
	}
}

func TestAppendPadded(t *testing.T) {
	for _, tt := range []struct {
		n     uint64
		width int
		want  string
	}{
		{0, 0, ""}, {0, 1, "0"}, {7, 3, "007"}, {1234, 3, "1234"}, {math.MaxUint64, 1, "18446744073709551615"}, {5, 9, "000000005"},
		{999999999, 9, "999999999"}, {1000000000, 9, "1000000000"}, {10, 1, "10"}, {9, 1, "9"}, {1, 0, "1"},
	} {
		if got := string(appendPadded(nil, tt.n, tt.width)); got != tt.want {
			t.Errorf("appendPadded(%d, %d) = %q, want %q", tt.n, tt.width, got, tt.want)
		}
	}
}
