package referee

import (
	"errors"
	"fmt"
	"slices"

	"gyre/position"
)

// Replay is a game that is played again by the steps of its turns, as files hold it that
// know no turns. Copies go on apart from each other.
type Replay struct {
	now     position.Position
	turns   int              // that are complete
	partial position.Partial // the turn in the making
	inTurn  bool
}

// NewReplay returns the replay of a game before its first step.
func NewReplay(start position.Position) Replay {
	return Replay{now: start, partial: position.Begin(&start)}
}

// Now returns the position after the turns that are complete.
func (r *Replay) Now() *position.Position { return &r.now }

// InTurn tells whether steps were done of a turn that is not complete.
func (r *Replay) InTurn() bool { return r.inTurn }

// PassFor passes for the side to move where another goes on and passing is all that is
// legal: files tell no pass. It returns the pass, and whether there was one.
func (r *Replay) PassFor(next position.Side) (turn position.Turn, passed bool) {
	pass := position.Step{Kind: position.StepPass}
	if r.now.SideToMove() == next || !slices.Contains(r.partial.Steps(nil), pass) {
		return position.None, false
	}
	return r.apply(pass)
}

// Do does a step of a side. It returns the turn, if that is complete by it. The error tells
// why the step is not legal.
func (r *Replay) Do(side position.Side, step position.Step) (turn position.Turn, complete bool, err error) {
	switch {
	case r.now.Over():
		return position.None, false, errors.New("the game is over before this")
	case r.now.SideToMove() != side:
		return position.None, false, fmt.Errorf("it is the turn of %v", r.now.SideToMove())
	case !slices.Contains(r.partial.Steps(nil), step):
		return position.None, false, fmt.Errorf("this is not legal in turn %d", r.turns+1)
	}
	turn, complete = r.apply(step)
	return turn, complete, nil
}

// apply does a legal step, and plays the turn once it is complete.
func (r *Replay) apply(step position.Step) (turn position.Turn, complete bool) {
	r.partial.Apply(step)
	if r.inTurn = !r.partial.Complete(); r.inTurn {
		return position.None, false
	}
	turn = r.partial.Turn()
	var after position.Position
	r.now.Play(&after, turn)
	r.now, r.turns, r.partial = after, r.turns+1, position.Begin(&after)
	return turn, true
}
