package protocol

import (
	"errors"
	"strconv"
	"strings"

	"gyre/position"
)

// Error is an input that was refused: in which command, at which word, and why.
// Nothing that a refused command says takes effect.
type Error struct {
	Command string // the command's first word, or "line"
	Word    string // the offending word as it was read; may be empty, long and unprintable
	Reason  string
}

// Error returns one printable line with the word quoted and shortened.
func (e *Error) Error() string {
	text := e.Command + ": "
	if e.Word != "" {
		text += quoted(e.Word) + ": "
	}
	return printable(text + e.Reason)
}

// refuse is an Error about word in command.
func refuse(command, word, reason string) error {
	return &Error{Command: command, Word: word, Reason: reason}
}

// refusePosition wraps an error of the rules, saying where in command it arose.
func refusePosition(command, where string, err error) error {
	var fault *position.Error
	if !errors.As(err, &fault) {
		return refuse(command, "", where+": "+err.Error())
	}
	if where == "" {
		where = fault.Field
	}
	return refuse(command, fault.Word, where+": "+fault.Reason)
}

// longestQuote is how many bytes of a word an answer repeats.
const longestQuote = 40

// quoted returns word in quotes, in ASCII, and cut when it is long.
func quoted(word string) string {
	if len(word) > longestQuote {
		return strconv.QuoteToASCII(word[:longestQuote]) + "..."
	}
	return strconv.QuoteToASCII(word)
}

// longestText is the most bytes of free text in an answer.
const longestText = 400

// printable returns text as one line of printable ASCII, cut when it is long.
func printable(text string) string {
	if len(text) > longestText {
		text = text[:longestText] + "..."
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, text)
}
