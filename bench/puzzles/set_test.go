package puzzles

import (
	"context"
	"testing"

	"gyre/bench/tactics/proof"
	"gyre/search/alphabeta"
)

// mustSet returns the set.
func mustSet(t *testing.T) []Puzzle {
	t.Helper()
	all, err := Set()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestSetMix checks that the set has enough of every theme and strength, and that ids
// are those of the positions.
func TestSetMix(t *testing.T) {
	all := mustSet(t)
	if len(all) < 1500 {
		t.Errorf("%d puzzles, want at least 1500", len(all))
	}
	var themes [themeCount]int
	var bands [4]int // of 500, the last without an end
	for i := range all {
		z := &all[i]
		themes[z.Theme]++
		bands[min(z.Rating/500, 3)]++
		if want := IDOf(&z.Position); z.ID != want {
			t.Errorf("puzzle %s has the position of %s", z.ID, want)
		}
	}
	for theme, count := range themes {
		if count < len(all)/50 {
			t.Errorf("%d of %d puzzles have the theme %v", count, len(all), Theme(theme))
		}
	}
	for i, count := range bands {
		if count < len(all)/30 {
			t.Errorf("%d of %d puzzles are rated from %d up, in a band of 500", count, len(all), 500*i)
		}
	}
}

// TestSetProofs proves by exhaustive search that wins are there in the number of turns
// that the set says and in no fewer, and that no other answer wins as soon.
func TestSetProofs(t *testing.T) {
	every, longest := 1, 3
	if testing.Short() {
		every, longest = 12, 2
	}
	solver := proof.NewSolver()
	proven := 0
	for i, z := range mustSet(t) {
		if z.Mate == 0 || z.Mate > longest || i%every != 0 {
			continue
		}
		proven++
		if z.Mate > 1 && solver.Wins(&z.Position, z.Mate-1) {
			t.Errorf("%v is won in less than %d", &z, z.Mate)
		}
		winning := solver.WinningTurns(&z.Position, z.Mate)
		if len(winning) == 0 {
			t.Errorf("%v is not won in %d", &z, z.Mate)
		}
		for _, turn := range winning {
			if !Same(turn, z.Solution[0], false) {
				t.Errorf("%v is won in %d by %v too", &z, z.Mate, turn)
			}
		}
	}
	if proven == 0 {
		t.Error("no win was proven")
	}
}

// TestSetHolds searches some puzzles of the set anew: none has another right turn.
func TestSetHolds(t *testing.T) {
	every, nodes := 40, uint64(30_000)
	if testing.Short() {
		every = 400
	}
	searcher := alphabeta.New(2)
	defer searcher.Close()
	judge := Judge{Searcher: searcher}
	all := mustSet(t)
	for i := 0; i < len(all); i += every {
		wrong, err := judge.Recheck(context.Background(), &all[i], nodes, Tolerance)
		if err != nil {
			t.Fatal(err)
		}
		if wrong != nil {
			t.Error(wrong)
		}
	}
}
