package referee

import (
	"strings"

	"gyre/position"
)

// Threatened returns the line that begins and ends with the end of this one as
// it would be if the other side were to move: what that side does is what it
// threatens. The error is an *Error when it cannot be the other side's turn.
func (l *Line) Threatened() (*Line, error) {
	p := l.End()
	switch {
	case p.Over():
		return nil, refuse("", "the game is over: nothing is threatened")
	case p.Placing():
		return nil, refuse("", "nothing is threatened while rings are placed")
	case p.HasRow(p.SideToMove()):
		return nil, refuse("", "the row has to be taken off first")
	}
	fields := strings.Fields(p.String())
	fields[1] = sideLetters[p.SideToMove().Opponent()]
	other, err := position.Parse(strings.Join(fields, " "), p.Rules())
	if err != nil {
		return nil, refuse("", "%v", err)
	}
	return &Line{Positions: []position.Position{other}}, nil
}
