package review

import (
	"math"

	"gyre/position"
	"gyre/protocol"
)

// whole is a point in per cent.
const whole = 100

// chances returns the part of a point that a score promises, in per cent.
func chances(s protocol.Score) float64 {
	switch {
	case s.Mate && s.Value > 0:
		return whole
	case s.Mate:
		return 0
	}
	return whole / (1 + math.Exp(-float64(s.Value)/100))
}

// Lost returns the chances, in per cent of a point, that are lost where the best turn is worth
// one score and the one played another, both the side's that plays it.
func Lost(best, played protocol.Score) float64 { return max(chances(best)-chances(played), 0) }

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
