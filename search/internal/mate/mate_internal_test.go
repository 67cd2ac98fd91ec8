package mate

import (
	"context"
	"testing"

	"gyre/position"
	"gyre/search"
	"gyre/search/internal/searchtest"
	"gyre/search/internal/timemanager"
)

// TestForgetfulProver checks that a prover whose table has a single place gives the
// same answers.
func TestForgetfulProver(t *testing.T) {
	const turns = 2
	prove := func(p position.Position, places int) (won bool, nodes uint64) {
		defaults := search.DefaultParameters()
		limits := timemanager.Begin(context.Background(), search.Limits{Mate: turns}, &defaults, &p, false)
		defer limits.End()
		prover := &prover{limits: limits, known: newProofs(places), plies: make([]provePly, 2*turns+3)}
		defer prover.known.close()
		for n := 1; n <= turns && !won; n++ {
			won = prover.wins(&p, 2*n, 0) > 0
		}
		return won, prover.nodes
	}
	var wins int
	var work, more uint64
	for i, p := range searchtest.GamePositions(60) {
		if late := p.Removed(position.White) == 2 || p.Removed(position.Black) == 2; !late || i%12 != 0 {
			continue
		}
		want, nodes := prove(p, maxProofs)
		got, others := prove(p, 1)
		if got != want {
			t.Errorf("%v: a win: %t by a forgetful prover, %t by one that remembers", &p, got, want)
		}
		if work, more = work+nodes, more+others; want {
			wins++
		}
	}
	if wins < 3 || work >= more {
		t.Errorf("%d wins, %d nodes with memory and %d without: too few for a comparison", wins, work, more)
	}
}
