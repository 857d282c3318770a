package wire

import "strconv"

// Kind tells what is wrong. The kinds stay apart everywhere, also on screen, because they ask for different action:
// truncated bytes may still arrive, corrupt ones will not heal, unsupported ones are fine and only not read here.
type Kind uint8

// The kinds of Error.
const (
	Truncated   Kind = iota + 1 // bytes are missing
	Corrupt                     // bytes contradict the format
	Unsupported                 // valid, not read here
	Checksum                    // bytes contradict their checksum
)

// String returns the kind's name as it stands in the event JSON.
func (k Kind) String() string {
	switch k {
	case Truncated:
		return "truncated"
	case Corrupt:
		return "corrupt"
	case Unsupported:
		return "unsupported"
	case Checksum:
		return "checksum"
	}
	return "unknown"
}

// Error says what is wrong with bytes, and where.
type Error struct {
	Offset int64  // bytes from the start of the event's body (after the common header) to the fault; callers that know add the file offset
	Path   string // the field that could not be read, such as "columns[3].name"; empty when no field is to blame
	Kind   Kind
	Msg    string // the reason in words
	Err    error  // the cause, if another error is it
}

// Error returns kind, place and reason in one line.
func (e *Error) Error() string {
	s := e.Kind.String() + " at byte " + strconv.FormatInt(e.Offset, 10)
	if e.Path != "" {
		s += " in " + e.Path
	}
	return s + ": " + e.Msg
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
