package mcts

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
	"gyre/search/internal/searchtest"
)

// defaults holds the default parameters.
var defaults = func() *params {
	parameters := search.DefaultParameters()
	return newParams(&parameters)
}()

// TestInitialValues checks that turns scored statically get the same value and proof
// as turns that are played, and that each turn occurs once, in positions from whole
// games.
func TestInitialValues(t *testing.T) {
	x := newExpansion(newArena(1), evaluation.NewScorer(evaluation.DefaultEvaluator()), defaults)
	here := &frame{}
	quiets, takings := 0, 0
	check := func(p position.Position) {
		here.position = p
		x.scorer.Reset(&here.worth, &p)
		turns := p.Turns(nil)
		want := map[position.Turn]newChild{}
		wins := false
		for _, turn := range turns {
			want[turn] = x.scoreTurn(here, turn)
			wins = wins || want[turn].proof.end() == won
		}
		x.children = x.children[:0]
		x.scoreTurns(here, turns, true)
		quiets, takings = quiets+len(x.static.quiets), takings+len(x.static.takings)
		got := map[position.Turn]newChild{}
		for _, child := range x.children {
			got[child.turn] = child
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(newChild{}), cmpopts.EquateEmpty()); diff != "" || len(x.children) != len(turns) {
			t.Fatalf("%v: %d of %d turns: %s", &p, len(x.children), len(turns), diff)
		}
		if x.scoreTurns(here, turns, false); wins && (len(x.children) != 1 || x.children[0].proof.end() != won) {
			t.Errorf("%v: a win at once among %d turns", &p, len(x.children))
		}
	}
	for i, p := range searchtest.GamePositions(12) {
		if !p.Over() && (i%3 == 0 || p.Pool() < 4) {
			check(p)
		}
	}
	check(searchtest.Parse(t, searchtest.MateIn1))
	check(searchtest.Parse(t, searchtest.PassOnly))
	if quiets < 1000 || takings < 100 {
		t.Errorf("only %d quiet turns and %d that take rows off were judged by their static scores", quiets, takings)
	}
}

// TestSortByWorth checks the order of children: by descending value, equal ones by
// their turns.
func TestSortByWorth(t *testing.T) {
	x := newExpansion(newArena(1), evaluation.NewScorer(evaluation.DefaultEvaluator()), defaults)
	for _, n := range []int{0, 1, 2, 3, 70, 300} {
		x.children = x.children[:0]
		for i := range n {
			x.children = append(x.children, newChild{turn: position.Turn(i * 31 % (n + 1)), worth: i*7919%50*1000 - quietWin})
		}
		x.sortByWorth()
		if len(x.children) != n {
			t.Fatalf("%d of %d children", len(x.children), n)
		}
		for i := 1; i < n; i++ {
			if a, b := x.children[i-1], x.children[i]; a.worth < b.worth || a.worth == b.worth && a.turn > b.turn {
				t.Fatalf("%d children: %+v before %+v", n, a, b)
			}
		}
	}
}
