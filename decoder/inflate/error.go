package inflate

import "strconv"

// Reason tells apart what can be wrong.
type Reason uint8

// The reasons of Error.
const (
	Truncated   Reason = iota + 1 // bytes are missing
	Corrupt                       // bytes contradict the format, or the size they claim
	Unsupported                   // valid, not read here
	Checksum                      // the output contradicts its checksum
	TooLarge                      // the output is larger than the limit
)

// String returns the reason in words.
func (r Reason) String() string {
	switch r {
	case Truncated:
		return "truncated"
	case Corrupt:
		return "corrupt"
	case Unsupported:
		return "unsupported"
	case Checksum:
		return "checksum"
	case TooLarge:
		return "too large"
	}
	return "unknown"
}

// Error says why bytes cannot be decompressed.
type Error struct {
	Reason Reason
	Offset int // bytes of input before the part that cannot be read: a frame's header, a block, a checksum
	Msg    string
}

// Error returns reason, place and message in one line.
func (e *Error) Error() string {
	return e.Reason.String() + " at byte " + strconv.Itoa(e.Offset) + ": " + e.Msg
}

func fault(r Reason, at int, msg string) *Error { return &Error{Reason: r, Offset: at, Msg: msg} }

func tooLarge(at, limit int) *Error {
	return fault(TooLarge, at, "more than "+strconv.Itoa(limit)+" bytes come out, which is the limit")
}
