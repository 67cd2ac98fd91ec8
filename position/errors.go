package position

import (
	"fmt"
	"strconv"
)

// Error says what is wrong with a text and where. Every error of this package
// is an *Error: those of reading points, turns, rules and positions, and of turns
// that are not legal.
type Error struct {
	Field  string // the part that is wrong: "board", "side", "score", "turn", "point", "rules", ...
	Word   string // the offending text as it was given, possibly empty
	Reason string // what is wrong with it
}

// Error returns field, word and reason in one line. A long word is cut.
func (e *Error) Error() string {
	if e.Word == "" {
		return e.Field + ": " + e.Reason
	}
	return fmt.Sprintf("%s %s: %s", e.Field, quote(e.Word), e.Reason)
}

// quote makes a word of any bytes and length fit to stand in a line of text.
func quote(word string) string {
	const longest = 60
	if len(word) > longest {
		return strconv.QuoteToASCII(word[:longest]) + "..."
	}
	return strconv.QuoteToASCII(word)
}

// fail is short for an *Error whose reason is formatted.
func fail(field, word, format string, args ...any) *Error {
	return &Error{Field: field, Word: word, Reason: fmt.Sprintf(format, args...)}
}
