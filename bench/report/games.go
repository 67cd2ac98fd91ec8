package report

import (
	_ "embed"
	"math"
	"slices"

	"gyre/bench/match"
	"gyre/position"
)

// The script of the page that shows games: a board, and the list of them.
var (
	//go:embed page/board.js
	boardScript string
	//go:embed page/games.js
	gamesScript string
)

// heldGame is a game that the page holds, for its script. Positions are not in it: the
// script plays the turns.
type heldGame struct {
	ID      int      `json:"id"` // by which it is linked to, from 1
	White   string   `json:"white"`
	Black   string   `json:"black"`
	Result  string   `json:"result"`
	Reason  string   `json:"reason"`
	Fault   bool     `json:"fault"`
	Detail  string   `json:"detail,omitempty"`
	Round   int      `json:"round"`
	Start   string   `json:"start"`   // board, side to move and rings removed
	Turns   []string `json:"turns"`   // those of the opening included
	Opening int      `json:"opening"` // so many of them
	// Scores are those after the opening, in hundredths for White; an end that is seen is
	// beyond 10,000, null is unknown.
	Scores []*int `json:"scores"`
	// Swing is the most that White's chances changed by, from one score to the next, in
	// percent; SwingAt is the number of the turn.
	Swing   int `json:"swing"`
	SwingAt int `json:"swingAt"`
}

// mateScore is beyond any score: an end that is seen.
const mateScore = 10_001

// hold keeps a game for the page. One whose turns are not legal is left out: the page
// could not show it.
func (d *Data) hold(l *match.Line) {
	played, err := l.Played()
	if err != nil {
		return
	}
	g := heldGame{ID: len(d.held) + 1, White: l.White, Black: l.Black, Result: l.Result, Reason: l.Reason.String(), Fault: l.Reason.Fault(),
		Detail: l.Detail, Round: l.Round + 1, Start: played.Opening.Start.String(), Turns: slices.Clone(l.Opening), Opening: len(l.Opening), Scores: []*int{}}
	last, known := 0.5, false
	for i := range l.Turns {
		g.Turns = append(g.Turns, l.Turns[i].Turn)
		score := whiteScore(&l.Turns[i], l.SideOf(i))
		g.Scores = append(g.Scores, score)
		if score == nil {
			continue
		}
		chance := whiteChance(*score)
		if swing := int(math.Round(100 * math.Abs(chance-last))); known && swing > g.Swing {
			g.Swing, g.SwingAt = swing, len(l.Opening)+i+1
		}
		last, known = chance, true
	}
	d.held = append(d.held, g)
}

// whiteScore is the score of a turn for White, nil if none was told.
func whiteScore(t *match.TurnLine, side position.Side) *int {
	score := 0
	switch {
	case t.CP != nil:
		score = max(-mateScore+1, min(*t.CP, mateScore-1))
	case t.Mate != nil && *t.Mate > 0:
		score = mateScore
	case t.Mate != nil:
		score = -mateScore
	default:
		return nil
	}
	if side == position.Black {
		score = -score
	}
	return &score
}

// whiteChance is White's part of the point at a score, by the logistic curve with which
// 400 hundredths are ten to one; 0 or 1 for an end that is seen.
func whiteChance(score int) float64 {
	switch {
	case score >= mateScore:
		return 1
	case score <= -mateScore:
		return 0
	}
	return 1 / (1 + math.Pow(10, -float64(score)/400))
}
