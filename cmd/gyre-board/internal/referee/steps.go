package referee

import (
	"fmt"

	"gyre/position"
)

// Steps is what can be done next in a turn of which some steps are done.
type Steps struct {
	Steps    []Step     `json:"steps"`    // empty when the turn is complete
	Prompt   string     `json:"prompt"`   // what the player is asked for
	Complete *string    `json:"complete"` // the turn's word when it is complete, else null
	View     View       `json:"view"`     // the board in the course of the turn
	Strip    []string   `json:"strip"`    // the steps done, a few words each
	Taking   *[2]string `json:"taking"`   // ends of the row whose ring is to be taken now, else null
}

// Steps returns what can be done next at the end of the line once the steps of
// prefix are done. The error is an *Error that names the first step that cannot
// be done, counted from 1.
func (l *Line) Steps(prefix []Step) (Steps, error) {
	partial := position.Begin(l.End())
	strip := []string{}
	for i, step := range prefix {
		legal, ok := choose(&partial, step)
		if !ok {
			return Steps{}, &Error{Message: step.words() + " is not possible here", Where: fmt.Sprintf("step %d", i+1)}
		}
		strip = append(strip, stepOf(partial.Position(), legal).words())
		partial.Apply(legal)
	}
	return stepsOf(&partial, len(l.Turns), strip), nil
}

// choose finds the legal step that the page's step means.
func choose(partial *position.Partial, step Step) (position.Step, bool) {
	for _, legal := range partial.Steps(nil) {
		if step.matches(legal) {
			return legal, true
		}
	}
	return position.Step{}, false
}

// stepsOf returns what can be done next in a turn.
func stepsOf(partial *position.Partial, ply int, strip []string) Steps {
	now := partial.Position()
	next := Steps{Steps: []Step{}, Prompt: prompt(partial), View: viewOf(now, ply), Strip: strip}
	for _, legal := range partial.Steps(nil) {
		next.Steps = append(next.Steps, stepOf(now, legal))
	}
	if row, taking := partial.TakenRow(); taking {
		ends := endsOf(row)
		next.Taking = &ends
	}
	if turn := partial.Turn(); partial.Complete() && turn != position.None {
		word := turn.String()
		next.Complete = &word
	}
	return next
}
