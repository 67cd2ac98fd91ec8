package review

import (
	"math"

	"gyre/position"
	"gyre/protocol"
)

// decided is the score that stands for a game that is decided, in hundredths of
// the protocol's unit; no other counts for more.
const decided = 1000

// bounded returns a score in hundredths of the protocol's unit, within what a
// decided game counts.
func bounded(s protocol.Score) int {
	switch {
	case s.Mate && s.Value > 0:
		return decided
	case s.Mate:
		return -decided
	}
	return min(max(s.Value, -decided), decided)
}

// expected returns the part of a point that a score promises: PROTOCOL.md says
// how. A decided game is a whole point or none.
func expected(s protocol.Score) float64 {
	if s.Mate {
		return float64(bounded(s)+decided) / (2 * decided)
	}
	return 1 / (1 + math.Exp(-float64(s.Value)/100))
}

// negated returns a score from the other side's point of view.
func negated(s protocol.Score) protocol.Score { return protocol.Score{Mate: s.Mate, Value: -s.Value} }

// outcome returns the score of a position where the game is over, for the side
// to move: a game won counts as if it were to be won by the next turn.
func outcome(p *position.Position) protocol.Score {
	switch result := p.Result(); {
	case result == position.Draw:
		return protocol.Score{}
	case (result == position.WhiteWins) == (p.SideToMove() == position.White):
		return protocol.Score{Mate: true, Value: 1}
	}
	return protocol.Score{Mate: true, Value: -1}
}
