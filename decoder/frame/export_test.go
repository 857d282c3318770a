package frame

// Summed returns how many bytes the scanner made checksums of.
func (s *Scanner) Summed() int64 { return s.summed }

// What the tests of files made to hurt count by.
const (
	SumFloor  = sumFloor
	SumFactor = sumFactor
	PeekCost  = peekCost
)

// SetMaxGap sets the largest gap, and returns what sets it back.
func SetMaxGap(n int64) func() {
	old := maxGap
	maxGap = n
	return func() { maxGap = old }
}
