package alphabeta

import (
	"math"

	"gyre/position"
)

// moveScore is how promising a turn of a list is, above its place from the end of
// the list: so no two are equal, and the highest names its turn.
type moveScore int64

// placeBits is the width of the place in a move score.
const placeBits = 31

// handedOut is the move score of a turn that was handed out.
const handedOut moveScore = math.MinInt64

// moveScoreAt returns the move score of the turn at a place of a list.
func moveScoreAt(score int32, place int) moveScore {
	return moveScore(score)<<placeBits | moveScore(1<<placeBits-1-place)
}

// score returns how promising the turn is.
func (s moveScore) score() int32 { return int32(s >> placeBits) }

// place returns the place of the turn of a move score in its list.
func (s moveScore) place() int { return 1<<placeBits - 1 - int(s&(1<<placeBits-1)) }

// moveList is a list of turns that hands out the most promising first.
type moveList struct {
	turns  []position.Turn
	scores []moveScore // of the turns
	next   int         // how many of them are handed out
	last   int         // place of the turn handed out last
}

// resetScores begins to score the turns of the list.
func (l *moveList) resetScores() { l.scores, l.next = l.scores[:0], 0 }

// addScore scores the next turn of the list.
func (l *moveList) addScore(score int32) {
	l.scores = append(l.scores, moveScoreAt(score, len(l.scores)))
}

// highest returns the turn with the highest score of those that are left, or None. It
// looks for it without branches: which one it is cannot be predicted.
func (l *moveList) highest() position.Turn {
	if l.next >= len(l.turns) {
		return position.None
	}
	l.next++
	best := handedOut
	for _, s := range l.scores {
		best = max(best, s)
	}
	l.last = best.place()
	l.scores[l.last] = handedOut
	return l.turns[l.last]
}
