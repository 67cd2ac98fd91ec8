package mcts

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gyre/position"
	"gyre/search"
	"gyre/search/internal/searchtest"
)

// TestParametersShapeTheTree checks that each parameter of the tree search changes where
// its visits go.
func TestParametersShapeTheTree(t *testing.T) {
	before := visitsBy(t, search.DefaultParameters())
	for p, value := range map[search.Parameter]int{
		search.TreeExploration: 100, search.TreeMinimax: 80, search.TreeScale: 140, search.TreeFirstVisit: 50,
		search.TreePriorScale: 90, search.TreePriorFloor: 30, search.TreePriorOfRow: 400,
	} {
		parameters := search.DefaultParameters()
		parameters[p] = value
		if cmp.Equal(visitsBy(t, parameters), before) {
			t.Errorf("%v of %d changes nothing", p, value)
		}
	}
}

// visitsBy returns the visits of the root's children after a search.
func visitsBy(t *testing.T, parameters search.Parameters) (visits []uint32) {
	s := New(4)
	defer s.Close()
	s.SetParameters(&parameters)
	s.Search(context.Background(), takeOrNot(t), search.Limits{Nodes: 3000}, searchtest.Ignore)
	children := s.arena.children(0)
	for i := range children {
		visits = append(visits, children[i].visits.Load())
	}
	return visits
}

// takeOrNot returns a position in which a row can be taken off, and need not be.
func takeOrNot(t *testing.T) position.Position {
	for _, p := range searchtest.GamePositions(40) {
		if p.Removed(position.White)+p.Removed(position.Black) == 0 && len(p.CompletingTurns(nil)) > 0 && len(p.QuietTurns(nil)) > 20 {
			return p
		}
	}
	t.Fatal("no such position")
	return position.Position{}
}

// TestScales checks what the scales of priors and chances are: an evaluation counts as
// much as a half of it does by half the scale.
func TestScales(t *testing.T) {
	twice := search.DefaultParameters()
	twice[search.TreePriorScale] *= 2
	twice[search.TreeScale] *= 2
	wide := numbersOf(&twice)
	for centipawns := range 400 {
		if got, want := wide.priorWeight(2*centipawns), usual.priorWeight(centipawns); got != want {
			t.Fatalf("prior of %d centipawns: %v, want %v", 2*centipawns, got, want)
		}
		if got, want := wide.chanceOf(2*centipawns), usual.chanceOf(centipawns); got != want {
			t.Fatalf("chance of %d centipawns: %v, want %v", 2*centipawns, got, want)
		}
	}
}
