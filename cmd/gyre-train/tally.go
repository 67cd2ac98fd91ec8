package main

import (
	"fmt"

	"gyre/cmd/gyre-train/internal/sample"
	"gyre/position"
)

// tally counts games as they come.
type tally struct {
	games, positions int
	results          [4]int // by position.Result
}

// add counts a game.
func (t *tally) add(g *sample.Game) {
	t.games++
	t.positions += len(g.Samples)
	t.results[g.Result()&3]++
}

// share returns the part of the games with a result, in percent.
func (t *tally) share(r position.Result) float64 {
	return 100 * float64(t.results[r]) / float64(max(t.games, 1))
}

// brief returns the counts in few columns, what matters most first.
func (t *tally) brief() string {
	return fmt.Sprintf("W %.1f%% B %.1f%%, %d positions", t.share(position.WhiteWins), t.share(position.BlackWins), t.positions)
}

// String returns the counts in a line, but for the games.
func (t *tally) String() string {
	return fmt.Sprintf("%d positions, white %.1f%% black %.1f%% drawn %.1f%%",
		t.positions, t.share(position.WhiteWins), t.share(position.BlackWins), t.share(position.Draw))
}
