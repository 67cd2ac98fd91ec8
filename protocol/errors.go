package protocol

import (
	"errors"
	"fmt"
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

// FailureKind is a way in which driving an engine fails.
type FailureKind uint8

// The ways to fail. After IllegalTurn, WrongPosition, and a SearchTimeout whose
// answer came late, the engine can still be used; after all others it cannot.
const (
	CannotStart   FailureKind = iota // the program could not be started
	NoHandshake                      // no ugiok or uciok in time
	Died                             // the program ended on its own
	ClosedOutput                     // the output ended while the program lives, or there is no program
	NoAnswer                         // no readyok or response in time, or it does not read its input
	SearchTimeout                    // no bestmove in time
	Garbage                          // something that is no answer instead of one, or an answer that nobody asked for
	IllegalTurn                      // a bestmove that is not legal
	WrongPosition                    // another position than it was told
	Closed                           // used after Quit or Kill
)

// failureTexts say what happened, by kind.
var failureTexts = [...]string{
	CannotStart:   "cannot be started",
	NoHandshake:   "does not complete the handshake in time",
	Died:          "died",
	ClosedOutput:  "closed its output",
	NoAnswer:      "does not answer in time",
	SearchTimeout: "gives no turn in time",
	Garbage:       "breaks the protocol",
	IllegalTurn:   "gives an illegal turn",
	WrongPosition: "has not taken the position",
	Closed:        "was ended",
}

// String says what happened in a few words.
func (k FailureKind) String() string {
	if int(k) < len(failureTexts) {
		return failureTexts[k]
	}
	return fmt.Sprintf("FailureKind(%d)", uint8(k))
}

// Failure is an engine that did not do what it should.
type Failure struct {
	Kind   FailureKind
	Engine string   // which one
	Detail string   // what exactly; may be empty
	Status string   // of Died: how it ended, such as "exit status 3" or "signal: killed"
	Stderr []string // the last lines of its standard error, if it has one
	// Complaint is the engine's last `info string error` since it was given the
	// position, without these three words; empty for none.
	Complaint string
	Err       error // the cause, if it is an error
}

// Error returns one line.
func (f *Failure) Error() string {
	text := f.Engine + " " + f.Kind.String()
	for _, more := range []string{f.Status, f.Detail} {
		if more != "" {
			text += ": " + more
		}
	}
	if f.Err != nil {
		text += ": " + f.Err.Error()
	}
	if f.Complaint != "" {
		text += "; its last error: " + f.Complaint
	}
	if len(f.Stderr) > 0 {
		text += "; it said: " + strings.Join(f.Stderr, " | ")
	}
	return text
}

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }
