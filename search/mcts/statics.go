package mcts

import (
	"gyre/position"
	"gyre/search/evaluation"
	"gyre/search/internal/mate"
)

// statics are the turns of a position of which the static score says what they are worth at
// first sight: they do not end the game, and if the opponent is one row from winning, he
// cannot make that row after them.
type statics struct {
	quietTurns, takeRow bool            // whether a turn of each kind cannot end the game
	threatened          bool            // whether the opponent is one row from winning
	quiets, takings     []position.Turn // the turns of each kind
	quietScores         []evaluation.QuietScore
	takingScores        []int
}

// begin finds out which turns of a position cannot end the game, by all of its turns or some.
//
// Where two rings of a side can move on two lines each, neither side is blocked after a
// quiet turn: it takes at most one line from a ring that it does not move. A turn that takes
// a row off removes one ring more.
func (s *statics) begin(p *position.Position, turns []position.Turn) {
	s.quiets, s.takings = s.quiets[:0], s.takings[:0]
	s.quietTurns, s.takeRow = false, false
	us := p.SideToMove()
	if p.Placing() || p.Pool() <= 1 || p.HasRow(us) {
		return
	}
	free := freeRings(turns, 3)
	s.quietTurns = free >= 2
	s.takeRow = free >= 3 && !mate.OneRowFromWinning(p, us)
	s.threatened = mate.OneRowFromWinning(p, us.Opponent())
}

// freeRings returns how many rings can move on two lines and more by the turns of a
// position, at most so many as asked for.
func freeRings(turns []position.Turn, most int) (free int) {
	from := position.Point(0)
	var line position.Direction
	for _, t := range turns {
		d, _ := position.DirectionOf(t.From(), t.To())
		switch {
		case t.Kind() != position.Move:
		case t.From() != from:
			from, line = t.From(), d
		case d != line && line < position.Directions:
			if line, free = position.Directions, free+1; free == most {
				return free
			}
		}
	}
	return free
}

// fits tells whether a turn cannot end the game, as far as that is known.
func (s *statics) fits(t position.Turn) bool {
	if t.Quiet() {
		return s.quietTurns
	}
	return s.takeRow && t.Removals() == 1 // with a ring move: no row was there before
}

// take keeps a turn that fits, and after which the opponent does not win at once.
func (s *statics) take(t position.Turn) {
	if t.Quiet() {
		s.quiets = append(s.quiets, t)
	} else {
		s.takings = append(s.takings, t)
	}
}

// score appends the turns taken to children, with what they are worth.
func (s *statics) score(by *evaluation.Scorer, here *frame, children []newChild) []newChild {
	s.quietScores = by.ScoreQuiet(&here.worth, &here.position, s.quiets, s.quietScores[:0])
	for i, t := range s.quiets {
		children = append(children, newChild{turn: t, worth: s.quietScores[i].Score})
	}
	s.takingScores = by.ScoreRowTaking(&here.worth, &here.position, s.takings, s.takingScores[:0])
	for i, t := range s.takings {
		children = append(children, newChild{turn: t, worth: s.takingScores[i]})
	}
	return children
}
