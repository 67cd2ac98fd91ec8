package mcts

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
	"gyre/search/internal/root"
	"gyre/search/internal/searchtest"
)

// TestTreeBeatsRandom plays the tree search with 150 visits a turn against
// uniformly random turns. It must win every game. A player that is no better wins all
// once in a thousand times.
func TestTreeBeatsRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("10 games take a while")
	}
	rng := rand.New(rand.NewPCG(20, 27))
	s := New(16)
	for game := range 10 {
		us := position.Side(game & 1)
		s.NewGame()
		p := position.Start(position.Standard)
		for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(nil) {
			turn := turns[rng.IntN(len(turns))]
			if p.SideToMove() == us {
				turn = s.Search(context.Background(), p, search.Limits{Nodes: 150}, searchtest.Ignore).Best
			}
			p = p.After(turn)
		}
		if p.Result() != position.WhiteWins+position.Result(us) {
			t.Errorf("game %d as %v ended %v at %v", game, us, p.Result(), &p)
		}
	}
}

// TestReports checks that reports are consistent and in order.
func TestReports(t *testing.T) {
	p := searchtest.Parse(t, searchtest.Middle)
	s := New(8)
	var nodes uint64
	var elapsed time.Duration
	count := 0
	s.Search(context.Background(), p, search.Limits{Nodes: 2000, MultiPV: 3}, func(i search.Info) {
		count++
		if i.Nodes < nodes || i.Time < elapsed {
			t.Errorf("%d nodes after %v follow %d after %v", i.Nodes, i.Time, nodes, elapsed)
		}
		if i.Depth != len(i.PV) || i.SelDepth < i.Depth {
			t.Errorf("depth %d, deepest %d, line %v", i.Depth, i.SelDepth, i.PV)
		}
		nodes, elapsed = i.Nodes, i.Time
	})
	if count < 3*5 {
		t.Errorf("%d reports in 2,000 visits", count)
	}
}

// defaults holds the default parameters.
var defaults = func() *params {
	parameters := search.DefaultParameters()
	return newParams(&parameters)
}()

// TestRanking checks which turn of the root is played, given their visits, mean chances in percent and proofs.
func TestRanking(t *testing.T) {
	type child struct {
		visits  uint32
		percent int64
		proof   proof
	}
	for name, c := range map[string]struct {
		children []child
		best     int
	}{
		"the most visited":                           {[]child{{100, 50, unproven}, {90, 50, unproven}}, 0},
		"the most valuable of two with many visits":  {[]child{{100, 50, unproven}, {50, 60, unproven}}, 1},
		"the most valuable of three":                 {[]child{{100, 50, unproven}, {70, 70, unproven}, {60, 60, unproven}}, 1},
		"too few visits":                             {[]child{{100, 50, unproven}, {49, 90, unproven}}, 0},
		"a draw that is worth more":                  {[]child{{100, 40, unproven}, {80, 50, drawn}}, 1},
		"a draw that is worth less":                  {[]child{{80, 60, unproven}, {100, 50, drawn}}, 0},
		"a win, however few its visits":              {[]child{{100, 90, unproven}, {1, 10, won | 3}}, 1},
		"the quicker win, whatever its visits found": {[]child{{100, 90, won | 5}, {60, 10, won | 3}}, 1},
		"the longer loss":                            {[]child{{100, 90, lost | 2}, {60, 10, lost | 4}}, 1},
	} {
		a := newArena(1)
		block, _ := a.allot(0, len(c.children))
		a.branches[0].block.Store(block)
		for i, child := range c.children {
			estimate := chance(int64(certain) * child.percent / 100)
			b := &a.children(0)[i]
			b.fill(position.Turn(i+1), 0, estimate, child.proof)
			b.visits.Store(child.visits)
			b.total.Store(int64(estimate) * int64(child.visits))
		}
		r := &run{arena: a, params: defaults}
		if ranking := r.ranking(); len(ranking) != len(c.children) || ranking[0].turn != position.Turn(c.best+1) {
			t.Errorf("%s: turn %d of %d instead of %d", name, ranking[0].turn-1, len(ranking), c.best)
		}
		a.close()
	}
}

// TestInitialValues checks that turns scored statically get the same value and proof
// as turns that are played, and that each turn occurs once, in positions from whole
// games.
func TestInitialValues(t *testing.T) {
	x := newExpansion(newArena(1), evaluation.NewScorer(evaluation.DefaultEvaluator()), defaults, never)
	here := &frame{}
	quiets, takings := 0, 0
	check := func(p position.Position) {
		here.position = p
		x.scorer.Reset(&here.accumulator, &p)
		here.crossings = x.scorer.Crossings(&here.accumulator, &p)
		turns := p.Turns(nil)
		want := map[position.Turn]newChild{}
		wins := false
		for _, turn := range turns {
			want[turn] = x.scoreTurn(here, turn)
			wins = wins || want[turn].proof.end() == won
		}
		x.children = x.children[:0]
		x.scoreTurns(here, turns, true)
		quiets, takings = quiets+len(x.static.quiets), takings+len(x.static.rowTakings)
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

// TestCrossingsOfChildren compares the initial values of turns with their definition:
// turns that remove rows have the crossings after them, all others those of the
// position before, until the most promising ones are judged with their own.
func TestCrossingsOfChildren(t *testing.T) {
	x := newExpansion(newArena(1), evaluation.NewScorer(evaluation.DefaultEvaluator()), defaults, never)
	lent, own, judged := 0, 0, 0
	for i, p := range searchtest.GamePositions(12) {
		if i%3 > 0 || p.Over() || p.Placing() {
			continue
		}
		here := &frame{position: p}
		x.scorer.Reset(&here.accumulator, &p)
		here.crossings = x.scorer.Crossings(&here.accumulator, &p)
		x.children = x.children[:0]
		x.scoreTurns(here, p.Turns(nil), true)
		for _, c := range x.children {
			if c.proof != unproven {
				continue
			}
			child := p.After(c.turn)
			want := -x.scorer.Evaluate(&child)
			if c.turn.Removals() > 0 {
				own++
			} else {
				var a evaluation.Accumulator
				x.scorer.Reset(&a, &child)
				want = -a.Score(child.SideToMove()) - here.crossings.Score(child.SideToMove())
				lent++
			}
			if c.score != want {
				t.Fatalf("%v after %v: %d, want %d", &p, c.turn, c.score, want)
			}
		}
		x.sortByScore()
		x.judgeBest(here)
		for _, c := range x.children {
			if !c.own {
				continue
			}
			judged++
			child := p.After(c.turn)
			if want := -x.scorer.Evaluate(&child); c.score != want {
				t.Fatalf("%v after %v: judged %d, want %d", &p, c.turn, c.score, want)
			}
		}
	}
	if lent < 1000 || own < 100 || judged < 500 {
		t.Errorf("only %d quiet turns, %d with removals and %d judged again", lent, own, judged)
	}
}

// TestSortByScore checks the order of children: by descending value, equal ones by
// their turns.
func TestSortByScore(t *testing.T) {
	x := newExpansion(newArena(1), evaluation.NewScorer(evaluation.DefaultEvaluator()), defaults, never)
	for _, n := range []int{0, 1, 2, 3, 70, 300} {
		x.children = x.children[:0]
		for i := range n {
			x.children = append(x.children, newChild{turn: position.Turn(i * 31 % (n + 1)), score: i*7919%50*1000 - quietWin})
		}
		x.sortByScore()
		if len(x.children) != n {
			t.Fatalf("%d of %d children", len(x.children), n)
		}
		for i := 1; i < n; i++ {
			if a, b := x.children[i-1], x.children[i]; a.score < b.score || a.score == b.score && a.turn > b.turn {
				t.Fatalf("%d children: %+v before %+v", n, a, b)
			}
		}
	}
}

// never is stopped of a search without end.
func never() bool { return false }

// TestLongLists checks that the work for a list of very many turns grows with its length only, and
// ends on the way once the search must end.
func TestLongLists(t *testing.T) {
	x := newExpansion(newArena(1), evaluation.NewScorer(evaluation.DefaultEvaluator()), defaults, never)
	const n = 20_000
	for i := range n { // equal children, the last one first
		x.children = append(x.children, newChild{turn: position.Turn(n - i)})
	}
	if moved := x.sortNearly(); moved > (nearly+1)*n || x.children[0].turn != 1 || x.children[n-1].turn != n {
		t.Errorf("moved %d equal children by %d places, the first is turn %d", n, moved, x.children[0].turn)
	}

	p := searchtest.Parse(t, searchtest.Crowded)
	turns, asked := p.Turns(nil), 0
	f := &frame{position: p}
	x.scorer.Reset(&f.accumulator, &p)
	x.stopped = func() bool { asked++; return asked == 3 }
	if x.makeChildren(f, turns, true) || len(x.children) > 3*root.StopEvery {
		t.Errorf("makes %d children, asked to stop at %d", len(x.children), 3*root.StopEvery)
	}
}

// TestStopsInLongList checks that a search stops early at a position of very many turns, also
// in the tree of the search before.
func TestStopsInLongList(t *testing.T) {
	p := searchtest.Parse(t, searchtest.Crowded)
	s := New(128)
	defer s.Close()
	for range 2 {
		out := s.Search(t.Context(), p, search.Limits{Nodes: 1}, searchtest.Ignore)
		if child := p.After(out.Best); !p.Legal(out.Best) || child.Result() != position.WonBy(position.White) {
			t.Errorf("plays %v, which does not win", out.Best)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	s.NewGame()
	if out := s.Search(ctx, p, search.Limits{Infinite: true}, searchtest.Ignore); !p.Legal(out.Best) || out.Info.Nodes > 0 {
		t.Errorf("a stopped search of %d nodes plays %v", out.Info.Nodes, out.Best)
	}
}

// TestFreeRings compares the number of rings that can move along two lines with a count
// by ring, for turns in any order.
func TestFreeRings(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for _, p := range searchtest.GamePositions(5) {
		if p.Placing() || p.HasRow(p.SideToMove()) {
			continue
		}
		turns := p.Turns(nil)
		lines := map[position.Point]map[position.Direction]bool{}
		for _, turn := range turns {
			d, _ := position.DirectionOf(turn.From(), turn.To())
			if lines[turn.From()] == nil {
				lines[turn.From()] = map[position.Direction]bool{}
			}
			lines[turn.From()][d] = turn.Kind() == position.Move
		}
		want := 0
		for _, of := range lines {
			if len(of) > 1 {
				want++
			}
		}
		const limit = position.RingsPerSide + 1
		if got := freeRings(turns, limit); got != want {
			t.Fatalf("%v: %d free rings, want %d", &p, got, want)
		}
		rng.Shuffle(len(turns), func(i, j int) { turns[i], turns[j] = turns[j], turns[i] })
		if got := freeRings(turns, limit); got > want {
			t.Fatalf("%v: %d free rings by turns in another order, want at most %d", &p, got, want)
		}
	}
}

// TestChancesOnEveryArchitecture checks that no evaluation's chance is close enough
// to a rounding boundary for the last bits of its calculation to matter. The chance
// of 0 is exact.
func TestChancesOnEveryArchitecture(t *testing.T) {
	for centipawns := -5000; centipawns <= 5000; centipawns++ {
		if centipawns == 0 {
			continue
		}
		chance := float64(certain) / (1 + math.Exp(-float64(centipawns)/chanceUnit))
		if math.Abs(chance-math.Floor(chance)-0.5) < 1e-9 {
			t.Errorf("%d centipawns: a chance of %v", centipawns, chance)
		}
	}
}

// TestPriorWeights compares priorWeights with math.Exp.
func TestPriorWeights(t *testing.T) {
	for n, got := range priorWeights {
		if want := math.Exp(-float64(n) / priorUnit); math.Abs(got-want) > 1e-12*want {
			t.Errorf("%d steps: %v, want %v", n, got, want)
		}
	}
}

// exhaust plays every game from p to its end and returns the result for the side to
// move as a proof, with the turns of the shortest win or of the longest loss. It
// gives up when the budget of positions is spent.
func exhaust(p *position.Position, budget *int) proof {
	if *budget--; *budget < 0 {
		return unproven
	}
	turns := p.Turns(nil)
	if len(turns) == 0 {
		return endFor(p, p.SideToMove())
	}
	quickest, longest, draws := turnsMask, 0, false
	for _, t := range turns {
		child := p.After(t)
		switch theirs := exhaust(&child, budget); theirs.end() {
		case lost:
			quickest = min(quickest, theirs.turns()+1)
		case won:
			longest = max(longest, theirs.turns()+1)
		case drawn:
			draws = true
		}
		if *budget < 0 {
			return unproven
		}
	}
	switch {
	case quickest < turnsMask:
		return won | proof(quickest)
	case draws:
		return drawn
	}
	return lost | proof(longest)
}

// TestSolverAgreesWithMinimax compares the proofs of the tree search for positions
// near the end of random games with a full minimax.
func TestSolverAgreesWithMinimax(t *testing.T) {
	const enough = 20_000 // visits; the hardest position takes some 300
	budgets, seen := 20_000, map[proof]int{}
	if testing.Short() {
		budgets = 2_000
	}
	s := New(16)
	for _, p := range searchtest.GamePositions(80) {
		if p.Pool() > 4 {
			continue
		}
		budget := budgets
		want := exhaust(&p, &budget)
		if want == unproven {
			continue
		}
		seen[want.end()]++
		s.NewGame()
		out := s.Search(context.Background(), p, search.Limits{Nodes: enough}, searchtest.Ignore)
		checkProof(t, &p, out.Info, want)
		if out.Info.Nodes >= enough {
			t.Fatalf("%v: %v not proven", &p, want)
		}
		child := p.After(out.Best)
		budget = 10 * budgets
		if after := exhaust(&child, &budget); after.rank() != -want.rank() {
			t.Fatalf("%v: %v leads to %v, the position is %v", &p, out.Best, after, want)
		}
	}
	if seen[won] < 10 || seen[lost] < 10 || seen[drawn] < 3 {
		t.Fatalf("%d wins, %d losses and %d draws are too few to test anything", seen[won], seen[lost], seen[drawn])
	}
}

// checkProof compares a score with the true result of the position.
func checkProof(t *testing.T, p *position.Position, info search.Info, want proof) {
	t.Helper()
	plies, proven := info.Score.Mate()
	switch want.end() {
	case drawn:
		if info.Score != 0 || info.Bound != search.Exact {
			t.Fatalf("%v: score %d, the position is drawn", p, info.Score)
		}
	case won:
		if !proven || plies < want.turns() || info.Bound == search.Exact && plies != want.turns() || info.Bound == search.Upper {
			t.Fatalf("%v: score %d with bound %d, it is a win in %d", p, info.Score, info.Bound, want.turns())
		}
	case lost:
		if !proven || -plies < want.turns() || info.Bound == search.Exact && -plies != want.turns() || info.Bound == search.Lower {
			t.Fatalf("%v: score %d with bound %d, it is a loss in %d", p, info.Score, info.Bound, want.turns())
		}
	}
}

// TestProofScores checks the scores and bounds of proofs.
func TestProofScores(t *testing.T) {
	for _, c := range []struct {
		proof proof
		score search.Score
		bound search.Bound
	}{
		{won, search.WinIn(1), search.Exact},
		{won | 1, search.WinIn(2), search.Exact},
		{won | 2, search.WinIn(3), search.Lower},
		{won | 4, search.WinIn(5), search.Lower},
		{lost | 1, search.LossIn(2), search.Exact},
		{lost | 2, search.LossIn(3), search.Exact},
		{lost | 3, search.LossIn(4), search.Upper},
		{drawn, 0, search.Exact},
	} {
		if score, bound := c.proof.score(); score != c.score || bound != c.bound {
			t.Errorf("proof %#x has score %d with bound %d, want %d with %d", c.proof, score, bound, c.score, c.bound)
		}
	}
}

// TestChances checks that converting an evaluation to a chance and back gives a score
// of the same value.
func TestChances(t *testing.T) {
	for centipawns := -600; centipawns <= 600; centipawns += 25 {
		c := defaults.chanceOf(centipawns)
		want := float64(centipawns) * 100 / chanceUnit
		const scale evaluation.Scale = 80
		if got := scale.Centipawns(scoreOf(c.share(), scale)); math.Abs(float64(got)-want) > 2 {
			t.Errorf("%d comes back as %d, want %v", centipawns, got, want)
		}
		if mirrored := defaults.chanceOf(-centipawns); int(mirrored)-int(c.opponent()) > 1 || int(c.opponent())-int(mirrored) > 1 {
			t.Errorf("chance %d at %d, %d at its negation", c, centipawns, mirrored)
		}
	}
	for _, centipawns := range []int{-quietWin, quietWin} {
		if _, proven := scoreOf(defaults.chanceOf(centipawns).share(), 120).Mate(); proven {
			t.Errorf("%d comes back as a proven end", centipawns)
		}
	}
}

// TestParametersShapeTheTree checks that each parameter of the tree search changes
// the distribution of its visits.
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

// takeOrNot returns a position in which the side to move can remove a row, but need
// not.
func takeOrNot(t *testing.T) position.Position {
	for _, p := range searchtest.GamePositions(40) {
		if p.Removed(position.White)+p.Removed(position.Black) == 0 && len(p.CompletingTurns(nil)) > 0 && len(p.QuietTurns(nil)) > 20 {
			return p
		}
	}
	t.Fatal("no such position")
	return position.Position{}
}

// TestScales checks the scales of priors and chances: at half the scale, half the
// evaluation has the same effect.
func TestScales(t *testing.T) {
	twice := search.DefaultParameters()
	twice[search.TreePriorScale] *= 2
	twice[search.TreeScale] *= 2
	wide := newParams(&twice)
	for centipawns := range 400 {
		if got, want := wide.priorWeight(2*centipawns), defaults.priorWeight(centipawns); got != want {
			t.Fatalf("prior of %d centipawns: %v, want %v", 2*centipawns, got, want)
		}
		if got, want := wide.chanceOf(2*centipawns), defaults.chanceOf(centipawns); got != want {
			t.Fatalf("chance of %d centipawns: %v, want %v", 2*centipawns, got, want)
		}
	}
}

// TestArenaBound checks that a tree never outgrows its memory, that the search
// continues when it is full, and that the tree stays consistent.
func TestArenaBound(t *testing.T) {
	for _, threads := range []int{1, 3} {
		s := New(1)
		s.SetThreads(threads)
		if bytes := len(s.arena.branches) * branchBytes; bytes > 1<<20 {
			t.Fatalf("%d bytes in a mebibyte", bytes)
		}
		p := searchtest.Parse(t, searchtest.Middle)
		swept := false
		for range 3 {
			last := 0
			out := s.Search(context.Background(), p, search.Limits{Nodes: 1800}, func(i search.Info) {
				if i.HashFull > 1000 {
					t.Fatalf("%d thousandths full", i.HashFull)
				}
				swept = swept || i.HashFull < last
				last = i.HashFull
			})
			checkArena(t, s)
			searchtest.CheckLine(t, p, out.Info.PV)
			p = p.After(out.Best)
		}
		if threads == 1 && !swept { // with more threads no report may come before the arena fills again
			t.Error("the arena was never swept")
		}
	}
}

// checkArena walks the tree and checks its blocks, turns and visits.
func checkArena(t *testing.T, s *Searcher) {
	t.Helper()
	a := s.arena
	if int(a.used.Load()) > len(a.branches) {
		t.Fatalf("%d of %d branches used", a.used.Load(), len(a.branches))
	}
	var walk func(p position.Position, at uint32)
	walk = func(p position.Position, at uint32) {
		block := a.branches[at].block.Load()
		if block == noBlock {
			return
		}
		if block == busyBlock || block <= at || a.branches[block].turn != position.Turn(at) {
			t.Fatalf("branch %d has block %d of owner %d", at, block, a.branches[block].turn)
		}
		sum := uint32(0)
		for i := range a.blockAt(block) {
			child := &a.branches[block+1+uint32(i)]
			if child.proof() != drawn { // draws are credited with visits that others get
				sum += child.visits.Load()
			}
			if !p.Legal(child.turn) {
				t.Fatalf("%v is not legal at %v", child.turn, &p)
			}
			if child.total.Load() > int64(child.visits.Load())*int64(certain) {
				t.Fatalf("total %d of %d visits", child.total.Load(), child.visits.Load())
			}
			next := p.After(child.turn)
			walk(next, block+1+uint32(i))
		}
		if sum > a.branches[at].visits.Load() {
			t.Fatalf("%d visits below %d", sum, a.branches[at].visits.Load())
		}
	}
	walk(s.root, 0)
}

// TestSweepKeepsReachableBranches compares trees before and after sweeping.
func TestSweepKeepsReachableBranches(t *testing.T) {
	s := New(16) // large enough to avoid a sweep before
	p := searchtest.Parse(t, searchtest.Middle)
	out := s.Search(context.Background(), p, search.Limits{Nodes: 1500}, searchtest.Ignore)
	child := p.After(out.Best)
	s.adopt(&child)
	visits, blocks := s.arena.branches[0].visits.Load(), countBlocks(s.arena, 0)
	used := s.arena.used.Load()
	s.arena.sweep(0)
	checkArena(t, s)
	if got := s.arena.branches[0].visits.Load(); got != visits {
		t.Errorf("%d visits at the root after sweeping, %d before", got, visits)
	}
	if got := countBlocks(s.arena, 0); got != blocks {
		t.Errorf("%d blocks after sweeping, %d before", got, blocks)
	}
	if s.arena.used.Load() >= used {
		t.Errorf("%d branches used after sweeping, %d before", s.arena.used.Load(), used)
	}
	s.arena.sweep(3)
	checkArena(t, s)
	if got := countBlocks(s.arena, 0); got >= blocks || got == 0 {
		t.Errorf("%d blocks after thinning, %d before", got, blocks)
	}
}

// countBlocks counts the blocks at and below a branch.
func countBlocks(a *arena, at uint32) (n int) {
	block := a.branches[at].block.Load()
	if block == noBlock {
		return 0
	}
	for i := range a.blockAt(block) {
		n += countBlocks(a, block+1+uint32(i))
	}
	return n + 1
}

// TestTreeIsReused checks that the next search uses the tree of the last one, that
// its turns are legal, and that NewGame drops it.
func TestTreeIsReused(t *testing.T) {
	const visits = 80
	s := New(8)
	rng := rand.New(rand.NewPCG(3, 4))
	p := position.Start(position.Standard)
	kept := 0
	for turn := 0; !p.Over(); turn++ {
		out := s.Search(context.Background(), p, search.Limits{Nodes: visits}, searchtest.Ignore)
		searchtest.CheckLine(t, p, out.Info.PV)
		if s.arena.branches[0].visits.Load() > visits {
			kept++
		}
		reply := out.Best
		if turn%3 == 0 {
			turns := p.Turns(nil)
			reply = turns[rng.IntN(len(turns))]
		}
		p = p.After(reply)
	}
	if kept < 10 {
		t.Errorf("the tree went on %d times", kept)
	}
	s.NewGame()
	if n := s.arena.used.Load(); n != 1 {
		t.Errorf("%d branches after NewGame", n)
	}
}

// TestTreeFindsItsPlace checks where the search continues in the tree after zero, one
// and two turns.
func TestTreeFindsItsPlace(t *testing.T) {
	s := New(8)
	root := searchtest.Parse(t, searchtest.Middle)
	p := root
	line := s.Search(context.Background(), p, search.Limits{Nodes: 3000}, searchtest.Ignore).Info.PV
	for n := range 4 {
		_, found := s.find(&p)
		if want := n <= 2; found != want {
			t.Errorf("after %d turns of the principal variation found is %v", n, found)
		}
		p = p.After(line[n])
	}
	blitz := root
	if got, err := position.Parse(root.String(), position.Blitz); err == nil {
		blitz = got
	}
	if _, found := s.find(&blitz); found && blitz != root {
		t.Error("a position of other rules is found")
	}
}
