package referee

import "fmt"

// Error is a question that was refused.
type Error struct {
	Message string // what is wrong, for people
	Where   string // where: "rules", "start", "turn 12", "step 2", "line 7"; empty for all of it
}

// Error returns where and what in one line.
func (e *Error) Error() string {
	if e.Where == "" {
		return e.Message
	}
	return e.Where + ": " + e.Message
}

// refuse is short for an *Error whose message is formatted.
func refuse(where, format string, args ...any) *Error {
	return &Error{Message: fmt.Sprintf(format, args...), Where: where}
}
