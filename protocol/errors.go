package protocol

import (
	"errors"
	"strconv"
	"strings"

	"gyre/position"
)

// Error describes a rejected input: the command, the word and the reason. A rejected
// command changes nothing.
type Error struct {
	Command string // the command's first word, or "line"
	Word    string // the invalid word as it was read; may be empty, long or unprintable
	Reason  string
	// Complaint is the engine's own message, without `info string error`, if it was an
	// engine that rejected the input.
	Complaint string
}

// Error returns one printable line, with the word quoted and shortened.
func (e *Error) Error() string {
	text := e.Command + ": "
	if e.Word != "" {
		text += quoted(e.Word) + ": "
	}
	text += e.Reason
	if e.Complaint != "" {
		text += ": " + e.Complaint
	}
	return printable(text)
}

// reject returns an *Error about word in command.
func reject(command, word, reason string) error {
	return &Error{Command: command, Word: word, Reason: reason}
}

// rejectPosition converts an error of package position to an *Error. where names the
// part of the command.
func rejectPosition(command, where string, err error) error {
	var fault *position.Error
	if !errors.As(err, &fault) {
		return reject(command, "", where+": "+err.Error())
	}
	if where == "" {
		where = fault.Field
	}
	return reject(command, fault.Word, where+": "+fault.Reason)
}

// maxQuote is the most bytes of a word that a message quotes.
const maxQuote = 40

// quoted returns word in quotes, in ASCII, cut to maxQuote bytes.
func quoted(word string) string {
	if len(word) > maxQuote {
		return strconv.QuoteToASCII(word[:maxQuote]) + "..."
	}
	return strconv.QuoteToASCII(word)
}

// maxText is the most bytes of free text in an answer.
const maxText = 400

// MaxText is the most bytes of an engine's text in an Answer, with the dots of a text that was cut.
const MaxText = maxText + len("...")

// printable returns text as one line of printable ASCII, cut to maxText bytes.
func printable(text string) string { return Printable(text, maxText) }

// Printable returns text as one line of printable ASCII. If it is longer than limit bytes,
// it is cut and ends in "...".
func Printable(text string, limit int) string {
	if len(text) > limit {
		text = text[:limit] + "..."
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, text)
}

// FailureKind is the kind of a [Failure].
type FailureKind uint8

// The kinds of failures. After IllegalTurn, WrongPosition, and a SearchTimeout with
// a late answer, the engine can still be used. After all others it cannot.
const (
	CannotStart   FailureKind = iota // the program could not be started
	NoHandshake                      // no ugiok or uciok in time
	Died                             // the program ended on its own
	ClosedOutput                     // the output ended but the program runs, or the engine is not a program
	NoAnswer                         // no readyok or response in time, or the engine does not read its input
	SearchTimeout                    // no bestmove in time
	Garbage                          // an invalid or unsolicited answer
	IllegalTurn                      // a bestmove that is not legal
	WrongPosition                    // the engine has another position
	Closed                           // used after Quit or Kill
)

// failureTexts holds a verb phrase for each kind.
var failureTexts = [...]string{
	CannotStart:   "cannot be started",
	NoHandshake:   "did not complete the handshake in time",
	Died:          "died",
	ClosedOutput:  "closed its output",
	NoAnswer:      "did not answer in time",
	SearchTimeout: "gave no turn in time",
	Garbage:       "broke the protocol",
	IllegalTurn:   "gave an illegal turn",
	WrongPosition: "did not accept the position",
	Closed:        "was ended",
}

// String describes the failure in a few words.
func (k FailureKind) String() string { return failureTexts[k] }

// Failure describes a fault of an engine.
type Failure struct {
	Kind   FailureKind
	Engine string   // its name
	Detail string   // may be empty
	Status string   // for Died: how it ended, such as "exit status 3" or "signal: killed"
	Stderr []string // the last lines of its standard error, if it has one
	// Complaint is the engine's last `info string error` since the last position
	// or option, without these three words; empty for none.
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
