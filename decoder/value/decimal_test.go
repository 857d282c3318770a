package value

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// packDecimal makes the bytes of the DECIMAL whose digits, without point, are those of |n|. It works on the number as a
// whole, where the reader works on groups.
func packDecimal(n *big.Int, precision, scale int) []byte {
	var cell []byte
	put := func(part *big.Int, digits []int) { // the widths of the groups, first to last
		for i := len(digits) - 1; i >= 0; i-- {
			g := new(big.Int)
			part.QuoRem(part, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits[i])), nil), g)
			size := []int{0, 1, 1, 2, 2, 3, 3, 4, 4, 4}[digits[i]]
			cell = append(g.FillBytes(make([]byte, size)), cell...)
		}
	}
	groups := func(digits int, restFirst bool) (widths []int) {
		for range digits / 9 {
			widths = append(widths, 9)
		}
		if rest := digits % 9; rest > 0 && restFirst {
			widths = append([]int{rest}, widths...)
		} else if rest > 0 {
			widths = append(widths, rest)
		}
		return widths
	}
	whole, fraction := new(big.Int), new(big.Int)
	whole.QuoRem(new(big.Int).Abs(n), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil), fraction)
	put(fraction, groups(scale, false))
	put(whole, groups(precision-scale, true))
	if n.Sign() < 0 {
		for i := range cell {
			cell[i] = ^cell[i]
		}
	}
	cell[0] ^= 0x80
	return cell
}

// decimalText is the text of n / 10^scale.
func decimalText(n *big.Int, scale int) string {
	digits := new(big.Int).Abs(n).String()
	if short := scale + 1 - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	if scale > 0 {
		digits = digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	}
	if n.Sign() < 0 {
		digits = "-" + digits
	}
	return digits
}

// Every precision and scale that MySQL or MariaDB has, with the edges and with random digits of random length.
func TestDecimalAll(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for precision := 1; precision <= 65; precision++ {
		for scale := 0; scale <= min(precision, 38); scale++ {
			limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(precision)), nil)
			most := new(big.Int).Sub(limit, big.NewInt(1))
			samples := []*big.Int{new(big.Int), big.NewInt(1), big.NewInt(-1), most, new(big.Int).Neg(most)}
			for range 8 {
				var digits strings.Builder
				for range 1 + rnd.IntN(precision) {
					digits.WriteByte('0' + byte(rnd.IntN(10)))
				}
				n, _ := new(big.Int).SetString(digits.String(), 10)
				samples = append(samples, n, new(big.Int).Neg(n))
			}
			meta := uint16(precision<<8 | scale)
			for _, n := range samples {
				event, v := readAll(t, NewDecimal, meta, packDecimal(n, precision, scale))
				if got, want := string(AppendText(nil, event, meta, false, &v)), decimalText(n, scale); got != want {
					t.Fatalf("DECIMAL(%d,%d) % x = %s, want %s", precision, scale, event[19:], got, want)
				}
				if s := Doubt(event, meta, &v); s != "" {
					t.Fatalf("DECIMAL(%d,%d) %s is doubted: %s", precision, scale, n, s)
				}
			}
		}
	}
}

// Groups that hold more than their digits come from damage: they are printed as stored, and doubted.
func TestDecimalDamaged(t *testing.T) {
	for _, tt := range []struct {
		meta uint16
		hex  string
		want string
	}{
		{9 << 8, "ff ff ff ff", "2147483647"},
		{5<<8 | 2, "80 7b ff", "123.255"},
		{18<<8 | 9, "80 00 00 01 ff ff ff ff", "1.4294967295"},
	} {
		event, v := readAll(t, NewDecimal, tt.meta, unhex(t, tt.hex))
		if got := string(AppendText(nil, event, tt.meta, false, &v)); got != tt.want {
			t.Errorf("%s = %s, want %s", tt.hex, got, tt.want)
		}
		if Doubt(event, tt.meta, &v) == "" {
			t.Errorf("%s is not doubted", tt.hex)
		}
	}
}
