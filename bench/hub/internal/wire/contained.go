package wire

import (
	"fmt"
	"runtime/debug"
)

// Contained returns the error of do, or one with the stack if do panics.
func Contained(do func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &panicError{value, debug.Stack()}
		}
	}()
	return do()
}

// panicError is a panic with its stack.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.value, e.stack) }
