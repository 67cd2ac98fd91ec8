package review

import (
	"gyre/position"
	"gyre/protocol"
)

// Judgement is what an engine makes of a position.
type Judgement struct {
	Score protocol.Score // for the side to move
	Best  position.Turn  // None where the game is over
}

// Game judges each turn of a game. positions are those before the first turn and
// after each, so one more than turns. judge is asked about each position where
// the game is not over, by its number, once and in order; report is told each
// verdict as soon as it is known. Game returns the tallies by side, of the turns
// judged so far when judge fails, with its error.
func Game(positions []position.Position, turns []position.Turn, judge func(ply int) (Judgement, error), report func(Verdict)) ([2]Tally, error) {
	var tallies [2]Tally
	var before Judgement
	for i := range positions {
		now := Judgement{Score: outcome(&positions[i])}
		if !positions[i].Over() {
			var err error
			if now, err = judge(i); err != nil {
				return tallies, err
			}
		}
		if i > 0 {
			v := verdict(&positions[i-1], turns[i-1], before, now)
			v.Ply = i
			tallies[v.Side].add(v)
			report(v)
		}
		before = now
	}
	return tallies, nil
}
