package record

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gyre/position"
	"gyre/position/plaintext"
)

// Error reports what is wrong with the text of a game, and where. The readers of all formats use
// it.
type Error struct {
	Line int    // the line of the text, from 1; 0 if it is unknown
	Turn int    // the number of the turn; 0 if the error is in no turn
	Part string // another place, such as "packet 3, notification 2"; may be empty

	Reason string
	position.Fault

	foreign *plaintext.Error // the cause, or nil
}

// Foreign returns the error for a file that is no text.
func Foreign(cause *plaintext.Error) *Error {
	wrong := Errorf(0, "%v", cause).With("not-text")
	wrong.foreign = cause
	return wrong
}

// Unwrap returns the *plaintext.Error if the file is no text, or nil.
func (e *Error) Unwrap() error {
	if e.foreign == nil {
		return nil
	}
	return e.foreign
}

// Errorf returns an error in a line, which may be 0, with a formatted reason.
func Errorf(line int, format string, args ...any) *Error {
	return &Error{Line: line, Reason: fmt.Sprintf(format, args...)}
}

// With sets the fault of an error: see [position.NewFault].
func (e *Error) With(code string, pairs ...any) *Error {
	e.Fault = position.NewFault(code, pairs...)
	return e
}

// Where returns the place in words, such as "line 6, turn 31". It is empty if the place is
// unknown.
func (e *Error) Where() string {
	var parts []string
	if e.Line > 0 {
		parts = append(parts, fmt.Sprintf("line %d", e.Line))
	}
	if e.Part != "" {
		parts = append(parts, e.Part)
	}
	if e.Turn > 0 {
		parts = append(parts, fmt.Sprintf("turn %d", e.Turn))
	}
	return strings.Join(parts, ", ")
}

// Error returns the place and the reason in one line.
func (e *Error) Error() string {
	if where := e.Where(); where != "" {
		return where + ": " + e.Reason
	}
	return e.Reason
}

// In returns the error with the name of its file: "game.txt:6: turn 31: ...".
func (e *Error) In(file string) string {
	rest := *e
	if e.Line > 0 {
		rest.Line = 0
		return fmt.Sprintf("%s:%d: %s", file, e.Line, rest.Error())
	}
	return file + ": " + rest.Error()
}

// Because returns the error for a reason in a line, which may be 0. It keeps the code of errors
// of package position, and the place of an *Error.
func Because(line int, err error) *Error {
	if known, ok := errors.AsType[*Error](err); ok {
		placed := *known
		placed.Line = cmp.Or(placed.Line, line)
		return &placed
	}
	cause, ok := errors.AsType[*position.Error](err)
	if !ok {
		return Errorf(line, "%v", err)
	}
	reason := cause.Error()
	if cause.Field == "turn" {
		reason = cause.Reason
	}
	return &Error{Line: line, Reason: reason, Fault: cause.Fault}
}

// Replay replays a game step by step, for file formats that have no whole turns. Copies are
// independent.
type Replay struct {
	now     position.Position
	turns   int              // complete turns
	start   position.Side    // to move in the first turn
	partial position.Partial // the current turn
	inTurn  bool
}

// NewReplay returns the replay of a game before its first step.
func NewReplay(start position.Position) Replay {
	return Replay{now: start, start: start.SideToMove(), partial: position.Begin(&start)}
}

// Now returns the position after the last complete turn.
func (r *Replay) Now() *position.Position { return &r.now }

// Number returns the number of the current turn. White has the odd numbers, as in a record.
func (r *Replay) Number() int { return r.turns + 1 + int(r.start) }

// InTurn reports whether a turn has begun but is not complete.
func (r *Replay) InTurn() bool { return r.inTurn }

// PassFor passes for the side to move if the next step belongs to the other side and passing
// is the only legal turn: files do not record passes. It returns the pass, and whether it
// passed.
func (r *Replay) PassFor(next position.Side) (turn position.Turn, passed bool) {
	pass := position.Step{Kind: position.StepPass}
	if r.now.SideToMove() == next || !slices.Contains(r.partial.Steps(nil), pass) {
		return position.None, false
	}
	return r.apply(pass)
}

// Do plays a step of a side. It returns the turn if the step completes it. The error is an
// [*Error] with the reason why the step is illegal.
func (r *Replay) Do(side position.Side, step position.Step) (turn position.Turn, complete bool, err error) {
	defer func() {
		if fault, ok := err.(*Error); ok {
			fault.Turn = r.Number()
		}
	}()
	switch {
	case r.now.Over():
		return position.None, false, Errorf(0, "the game is over before this").With("game-over")
	case r.now.SideToMove() != side:
		return position.None, false, Errorf(0, "it is the turn of %v", r.now.SideToMove()).With("other-side", "side", r.now.SideToMove().Letter())
	case !slices.Contains(r.partial.Steps(nil), step):
		return position.None, false, Errorf(0, "this is not legal").With("not-legal")
	}
	turn, complete = r.apply(step)
	return turn, complete, nil
}

// apply plays a legal step, and the turn if it is complete.
func (r *Replay) apply(step position.Step) (turn position.Turn, complete bool) {
	r.partial.Apply(step)
	if r.inTurn = !r.partial.Complete(); r.inTurn {
		return position.None, false
	}
	turn = r.partial.Turn()
	after := r.now.After(turn)
	r.now, r.turns, r.partial = after, r.turns+1, position.Begin(&after)
	return turn, true
}
