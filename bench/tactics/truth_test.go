package tactics_test

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"gyre/bench/tactics/proof"
	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
	"gyre/search/mcts"
)

// The census of claims: what a search states about the result of the game must be true of the
// position, wherever its limit stops it. The solver, which shares nothing with the search, judges
// every claim; its own test compares it with plain minimax.

// Limits of the solver. A claim beyond them stays undecided.
const (
	longestClaim = 8       // plies
	solverNodes  = 600_000 // for each turn or position
)

// searcher is a searcher of the census.
type searcher struct {
	name string
	search.Searcher
	sorted bool // whether its lines are in the order of their scores
}

// searchers returns the searchers with small tables, which they keep from one search to the next.
func searchers() []searcher {
	return []searcher{{"alphabeta", alphabeta.New(16), true}, {"mcts", mcts.New(16), false}}
}

// gamePositions returns the positions of the games in generate/games.txt in which a row may soon
// decide, each with the number of its game.
func gamePositions(t testing.TB) (all []position.Position) {
	t.Helper()
	file, err := os.Open("generate/games.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if strings.HasPrefix(words[0], "#") {
			continue
		}
		rules, err := position.ParseRules(words[0])
		if err != nil {
			t.Fatal(err)
		}
		var game []position.Position
		p := position.Start(rules)
		for _, word := range words[1:] {
			turn, err := p.ParseTurn(word)
			if err != nil {
				t.Fatal(err)
			}
			game = append(game, p)
			p = p.After(turn)
		}
		all = append(all, game[max(0, len(game)-14):]...)
	}
	return all
}

// census judges the claims of searches.
type census struct {
	t       testing.TB
	solver  *proof.Solver
	verdict [3]int // claims by proof.Verdict
	lines   int    // lines of a mate
}

// answer is a search and what it stated.
type answer struct {
	root    position.Position
	limits  search.Limits
	by      string
	sorted  bool
	reports []search.Info
	outcome search.Outcome
}

// ask searches a position. Time stands still, because after a second a search also reports single
// lines that are out of their window, between the lists that check judges.
func ask(s searcher, p position.Position, limits search.Limits) answer {
	limits.NodesTime = 1 << 40
	a := answer{root: p, limits: limits, by: s.name, sorted: s.sorted}
	a.outcome = s.Search(context.Background(), p, limits, func(i search.Info) { a.reports = append(a.reports, i) })
	return a
}

// String describes the search.
func (a *answer) String() string {
	return fmt.Sprintf("%s, %v, nodes %d, MultiPV %d: %v", a.by, a.root.Rules(), a.limits.Nodes, a.limits.MultiPV, &a.root)
}

// check judges everything that a search stated.
func (c *census) check(a *answer) {
	last := a.reports[len(a.reports)-1]
	for i := len(a.reports) - 1; last.MultiPV > 1; i-- {
		last = a.reports[i]
	}
	switch {
	case a.outcome.Best != last.PV[0]:
		c.t.Errorf("%v: plays %v, but the first line is %v", a, a.outcome.Best, last.PV)
	case len(last.PV) > 1 && a.outcome.Ponder != last.PV[1], len(last.PV) == 1 && a.outcome.Ponder != position.None:
		c.t.Errorf("%v: ponders on %v, but the first line is %v", a, a.outcome.Ponder, last.PV)
	}
	var above []search.Info // the lines above in the same list
	judged := map[string]bool{}
	for _, info := range a.reports {
		if info.MultiPV == 1 {
			above = above[:0]
		}
		claim := fmt.Sprint(info.Score, info.Bound, info.PV, turnsOf(above))
		if !judged[claim] {
			judged[claim] = true
			c.checkLine(a, &info, above)
		}
		above = append(above, info)
	}
}

// turnsOf returns the first turns of lines.
func turnsOf(lines []search.Info) (turns []position.Turn) {
	for _, line := range lines {
		turns = append(turns, line.PV[0])
	}
	return turns
}

// checkLine judges a line, given the lines above it.
func (c *census) checkLine(a *answer, info *search.Info, above []search.Info) {
	p := a.root
	for _, turn := range info.PV {
		if !p.Legal(turn) {
			c.t.Errorf("%v: the line %v is not legal", a, info.PV)
			return
		}
		p = p.After(turn)
	}
	// An upper bound is about all turns that are not above it, so it may be higher than the score above.
	if n := len(above); n > 0 && a.sorted && info.Bound != search.Upper && above[n-1].Score < info.Score {
		c.t.Errorf("%v: line %d has score %d, and line %d has %d", a, n, above[n-1].Score, n+1, info.Score)
	}
	if slices.Contains(turnsOf(above), info.PV[0]) {
		c.t.Errorf("%v: two lines start with %v", a, info.PV[0])
	}
	plies, proven := info.Score.Mate()
	if !proven {
		return
	}
	c.lines++
	if a.sorted && info.Bound == search.Exact && (len(info.PV) != max(plies, -plies) || !p.Over()) {
		c.t.Errorf("%v: mate %d, but the line has %d turns: %v", a, plies, len(info.PV), info.PV)
	}
	var v proof.Verdict
	switch {
	case plies > 0 && info.Bound != search.Upper:
		child := a.root.After(info.PV[0])
		v = c.loses(&child, plies-1)
	case plies < 0 && info.Bound != search.Lower:
		v = c.allLose(&a.root, turnsOf(above), -plies)
	default:
		c.t.Errorf("%v: mate %d with bound %d", a, plies, info.Bound)
	}
	c.verdict[v]++
	if v == proof.Refuted {
		c.t.Errorf("%v: mate %d, bound %d, line %d: %v is false", a, plies, info.Bound, len(above)+1, info.PV)
	}
}

// loses returns whether the side to move loses within a number of plies.
func (c *census) loses(p *position.Position, plies int) proof.Verdict {
	if plies >= longestClaim {
		return proof.Unknown
	}
	return c.solver.TryLosesWithin(p, plies, solverNodes)
}

// allLose returns whether all turns of a position except some lose within a number of plies.
func (c *census) allLose(p *position.Position, except []position.Turn, plies int) proof.Verdict {
	if plies > longestClaim {
		return proof.Unknown
	}
	all := proof.Proven
	for _, turn := range p.Turns(nil) {
		child := p.After(turn)
		if slices.Contains(except, turn) {
			continue
		}
		v := proof.Refuted
		if child.Over() {
			if child.Result() == position.WonBy(child.SideToMove()) {
				v = proof.Proven
			}
		} else {
			v = c.solver.TryWinsWithin(&child, plies-1, solverNodes)
		}
		switch v {
		case proof.Refuted:
			return v
		case proof.Unknown:
			all = v
		}
	}
	return all
}

// TestTruth searches positions of games with many limits on nodes, with one line and more, and
// judges every claim of a result: 0 may be false. MCTS, which is slower, takes every second search. -stress judges
// more than 5,000 claims of each.
func TestTruth(t *testing.T) {
	searches, want := 200, [2]int{100, 50}
	stress := flag.Lookup("stress").Value.String() == "true"
	switch {
	case stress:
		searches, want = 12_000, [2]int{5000, 5000}
	case testing.Short():
		searches, want = 100, [2]int{30, 10}
	}
	all := gamePositions(t)
	var next atomic.Int64
	var mu sync.Mutex
	var total [2][3]int
	lines := 0
	var running sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		running.Go(func() {
			by, counts := searchers(), [2]census{}
			solver := proof.NewSolver()
			for s := range counts {
				counts[s] = census{t: t, solver: solver}
			}
			for i := int(next.Add(1)); i <= searches && !t.Failed(); i = int(next.Add(1)) {
				rng := rand.New(rand.NewPCG(41, uint64(i)))
				p := all[rng.IntN(len(all))]
				limits := search.Limits{Nodes: uint64(2 * math.Pow(5000, rng.Float64())), MultiPV: []int{1, 1, 1, 2, 3, 5}[rng.IntN(6)]}
				for s := range by {
					if s > 0 && i%2 == 0 && !stress {
						continue // MCTS, which takes most of the time
					}
					by[s].NewGame()
					a := ask(by[s], p, limits)
					counts[s].check(&a)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			for s := range by {
				by[s].Close()
				lines += counts[s].lines
				for v, n := range counts[s].verdict {
					total[s][v] += n
				}
			}
		})
	}
	running.Wait()
	t.Logf("alpha-beta: %d true claims, %d false, %d undecided; MCTS: %d, %d, %d; %d lines of a mate", total[0][proof.Proven], total[0][proof.Refuted],
		total[0][proof.Unknown], total[1][proof.Proven], total[1][proof.Refuted], total[1][proof.Unknown], lines)
	for s := range want {
		if total[s][proof.Proven] < want[s] && !t.Failed() {
			t.Errorf("%d decided claims, want at least %d: the test checks too little", total[s][proof.Proven], want[s])
		}
	}
}

// stopped are positions in which a search once stated a loss, or an order of lines, that it had not
// searched.
var stopped = []struct {
	name, position string
	rules          position.Rules
	multiPV        int
	nodes          []uint64
}{
	{"no loss within five turns", "1B1w/1bW2W1/2W4w/B8/b1B7/bB7/1B1ww5/9/1b3W2/3W3/4 w 0-0", position.Blitz, 1,
		[]uint64{200, 400, 600, 800, 1000, 1107, 1200, 1300}},
	{"a later loss by another turn", "wBb1/wb1w1bB/ww1b2bb/wwbw1wwwb/WWw1bb1bbb/bbb4b1/2b2b1w2/1b1B2W2/w1Bb1bwB/b2b2b/2b1 b 2-0", position.Standard, 1,
		[]uint64{300, 400, 500, 600, 700, 800, 900, 1000}},
	{"lines that contradict each other", "1Bwb/b1W1w1w/wwwwWwW1/BbbWbbwbw/1w1w1wb2b/wbb1wbw2/2b1b1Wbw1/bwb1b1w2/b1Bb1bbb/bwbwwbb/2b1 w 0-2", position.Standard, 3,
		[]uint64{2, 3, 4, 5, 6, 7, 8, 10, 20, 50}},
}

// TestTruthOfExamples judges the claims in the positions of the table stopped.
func TestTruthOfExamples(t *testing.T) {
	for _, test := range stopped {
		t.Run(test.name, func(t *testing.T) {
			p, err := position.Parse(test.position, test.rules)
			if err != nil {
				t.Fatal(err)
			}
			c := census{t: t, solver: proof.NewSolver()}
			for _, s := range searchers() {
				defer s.Close()
				for _, nodes := range test.nodes {
					s.NewGame()
					a := ask(s, p, search.Limits{Nodes: nodes, MultiPV: test.multiPV})
					c.check(&a)
				}
			}
		})
	}
}

// TestMateLineOverSearches checks that the line of a mate ends the game when the table has a
// quicker proof than the search, from an earlier search.
func TestMateLineOverSearches(t *testing.T) {
	p, err := position.Parse("2b1/bbb1b2/2bb4/3w4b/b2bwbb3/4bb3/b3bb2bw/b1bbWwWWw/bbwwbBBw/bwwbBBB/2Ww b 1-0", position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	s := searchers()[0]
	defer s.Close()
	c := census{t: t, solver: proof.NewSolver()}
	for _, step := range []struct {
		turn  string
		nodes uint64
	}{{"pass", 12_319}, {"h9-d5", 228}} {
		turn, err := p.ParseTurn(step.turn)
		if err != nil {
			t.Fatal(err)
		}
		p = p.After(turn)
		a := ask(s, p, search.Limits{Nodes: step.nodes})
		c.check(&a)
	}
	if c.lines == 0 {
		t.Error("no line of a mate: the test checks nothing")
	}
}

// TestMateSearches compares what searches for a mate in one, two and three turns prove with the
// solver: each win, its length in plies, and each denial.
func TestMateSearches(t *testing.T) {
	const turns = 3
	count := 40
	switch {
	case flag.Lookup("stress").Value.String() == "true":
		count = 1200
	case testing.Short():
		count = 15
	}
	// Any reply to i11-g9 places the last marker: a win in one turn, and in two plies.
	last, err := position.Parse("1bwW/w3bw1/2bwbbww/b2bBbwBw/3b1wWwwb/1bb1bbB1w/2W1bbw1w1/1w2bbbb1/1bb1wwbW/wwbwwbB/wbBb w 1-0", position.Standard)
	if err != nil {
		t.Fatal(err)
	}
	all, rng := gamePositions(t), rand.New(rand.NewPCG(41, 2))
	s := searchers()[0]
	defer s.Close()
	solver := proof.NewSolver()
	wins, replies, denials := 0, 0, 0
	for i := range count {
		p := last
		if i > 0 {
			p = all[rng.IntN(len(all))]
		}
		denied := 0
		ctx, stop := context.WithCancel(context.Background())
		out := s.Search(ctx, p, search.Limits{Mate: turns, Nodes: 500_000}, func(info search.Info) {
			if info.Message != "" {
				denied++
			}
			if denied == turns { // a normal search would follow
				stop()
			}
		})
		stop()
		if denied > 0 {
			denials++
			if solver.TryWinsWithin(&p, 2*denied, 20_000_000) == proof.Proven {
				t.Errorf("%v: no win in %d, but the solver finds one: %v", p.Rules(), denied, &p)
			}
		}
		plies, proven := out.Info.Score.Mate()
		if !proven || (plies+1)/2 != denied+1 {
			continue // it comes from the normal search after the limit
		}
		wins++
		if plies%2 == 0 {
			replies++
		}
		end := p.AfterAll(out.Info.PV...)
		if len(out.Info.PV) != plies || !end.Over() {
			t.Errorf("%v: a win in %d plies, but its line is %v: %v", p.Rules(), plies, out.Info.PV, &p)
		}
		child := p.After(out.Best)
		if solver.TryLosesWithin(&child, plies-1, 20_000_000) == proof.Refuted {
			t.Errorf("%v: %v does not win in %d plies: %v", p.Rules(), out.Best, plies, &p)
		}
		if plies > 1 && solver.TryWinsWithin(&p, plies-1, 20_000_000) == proof.Proven {
			t.Errorf("%v: a win in %d plies, but the solver finds a quicker one: %v", p.Rules(), plies, &p)
		}
		if i == 0 && plies != 2 {
			t.Errorf("a win in %d plies, want 2: %v", plies, &p)
		}
	}
	t.Logf("%d wins, %d of them by a reply of the loser, and %d denials", wins, replies, denials)
	if wins < count/10 || replies == 0 || denials < count/10 {
		t.Errorf("too few results: %d wins, %d by a reply, %d denials", wins, replies, denials)
	}
}
