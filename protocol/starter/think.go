package main

import (
	"gyre/position"
	"gyre/protocol"
)

// mateScore is the score of a win at once, win the least score of any.
const mateScore, win = 30000, 29000

// think returns what a position is worth to the side to move, after so many turns
// more: alpha-beta. This is yours to replace.
func (s *search) think(p *position.Position, depth, ply, alpha, beta int) int {
	s.nodes++
	switch result := p.Result(); {
	case result == position.Draw:
		return 0
	case result != position.Ongoing:
		if (result == position.WhiteWins) == (p.SideToMove() == position.White) {
			return mateScore - ply
		}
		return ply - mateScore
	case depth == 0:
		return s.value(p)
	}
	for _, t := range p.Turns(nil) {
		if s.over() {
			return 0 // nobody looks at it
		}
		var child position.Position
		p.Play(&child, t)
		if alpha = max(alpha, -s.think(&child, depth-1, ply+1, -beta, -alpha)); alpha >= beta {
			break
		}
	}
	return alpha
}

// value is what a position is worth to the side to move, in centipawns, by rings
// removed, markers and where rings can go. This is yours to replace.
func (e *engine) value(p *position.Position) int {
	us, them := p.SideToMove(), p.SideToMove().Opponent()
	return e.ringWorth*(p.Removed(us)-p.Removed(them)) + 5*(p.Markers(us).Count()-p.Markers(them).Count()) + p.Mobility(us) - p.Mobility(them)
}

// told returns a score as the protocol tells it.
func told(score int) protocol.Score {
	switch {
	case score > win:
		return protocol.Score{Mate: true, Value: mateScore - score}
	case score < -win:
		return protocol.Score{Mate: true, Value: -mateScore - score}
	}
	return protocol.Score{Value: score}
}
