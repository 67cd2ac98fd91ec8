package alphabeta

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
	"gyre/search/internal/root"
	"gyre/search/internal/searchtest"
	"gyre/search/internal/timemanager"
)

// TestBeatsRandom plays the searcher with 500 nodes a turn against uniformly random
// turns, 10 times with each side, or 5 times with -short. It must win all games.
func TestBeatsRandom(t *testing.T) {
	games := 20
	if testing.Short() {
		games = 10
	}
	rng := rand.New(rand.NewPCG(20, 26))
	s := New(4)
	for game := range games {
		us := position.Side(game & 1)
		s.NewGame()
		p := position.Start(position.Standard)
		for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(nil) {
			turn := turns[rng.IntN(len(turns))]
			if p.SideToMove() == us {
				turn = s.Search(context.Background(), p, search.Limits{Nodes: 500}, func(search.Info) {}).Best
			}
			p = p.After(turn)
		}
		if p.Result() != position.WhiteWins+position.Result(us) {
			t.Errorf("game %d as %v ended %v at %v", game, us, p.Result(), &p)
		}
	}
}

// TestSearchRepeats checks that equal searches with one thread do the same work, even
// after other games.
func TestSearchRepeats(t *testing.T) {
	all := searchtest.GamePositions(3)
	s := New(1)
	run := func() (lines []search.Info) {
		for i := 5; i < len(all); i += 20 {
			s.NewGame()
			s.Search(context.Background(), all[i], search.Limits{Depth: 5}, func(info search.Info) {
				if info.Bound != search.Exact {
					return // reported only by a search of a second and more
				}
				info.Time = 0
				lines = append(lines, info)
			})
		}
		return lines
	}
	first := run()
	if diff := cmp.Diff(first, run()); diff != "" {
		t.Errorf("the second time:\n%s", diff)
	}
}

// TestLinesAreLegal checks that principal variations are legal, and that a proven
// result is correct.
func TestLinesAreLegal(t *testing.T) {
	s, games := New(1), 12
	if testing.Short() {
		games = 3
	}
	for i, p := range searchtest.GamePositions(games) {
		if i%9 != 0 {
			continue
		}
		s.Search(context.Background(), p, search.Limits{Depth: 5, MultiPV: 3}, func(info search.Info) {
			now := p
			for _, turn := range info.PV {
				if !now.Legal(turn) {
					t.Fatalf("%v: %v in %v is not legal", &p, turn, info.PV)
				}
				now = now.After(turn)
			}
			if plies, proven := info.Score.Mate(); proven && (len(info.PV) != max(plies, -plies) || !now.Over()) {
				t.Fatalf("%v: the game is not over in %d turns after %v", &p, plies, info.PV)
			}
		})
	}
}

// TestKeepsProvenWins checks that a searcher that has found a win still finds it in
// the next search, after any reply and with few nodes: the table has the proof.
func TestKeepsProvenWins(t *testing.T) {
	s, tried := New(16), 0
	for i, p := range searchtest.GamePositions(20) {
		if i%5 != 0 || p.Removed(position.White)+p.Removed(position.Black) < 3 {
			continue
		}
		s.NewGame()
		first := s.Search(context.Background(), p, search.Limits{Nodes: 20_000}, searchtest.Ignore)
		plies, proven := first.Info.Score.Mate()
		if !proven || plies < 5 {
			continue
		}
		after := p.After(first.Best)
		for _, reply := range after.Turns(nil) {
			tried++
			next := after.After(reply)
			now := s.Search(context.Background(), next, search.Limits{Nodes: 200}, searchtest.Ignore)
			if left, proven := now.Info.Score.Mate(); !proven || left < 0 || left > plies-2 {
				t.Errorf("%v: a win in %d turns; after %v and %v, the score is %v, want a win in %d or fewer",
					&p, plies, first.Best, reply, now.Info.Score, plies-2)
			}
		}
	}
	if tried == 0 {
		t.Error("no position with a win")
	}
}

// BenchmarkSearch measures nodes per second with one thread in a middlegame.
func BenchmarkSearch(b *testing.B) {
	p, err := position.Parse("4/1w3b1/1W5b/2Bw3Bb/1wwb1b1B1B/5b2W/2bww2B1b/2WwW1W2/b3ww2/7/4 w 0-0", position.Standard)
	if err != nil {
		b.Fatal(err)
	}
	s := New(256)
	nodes := uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		s.NewGame()
		b.StartTimer()
		nodes += s.Search(context.Background(), p, search.Limits{Depth: 9}, func(search.Info) {}).Info.Nodes
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}

// BenchmarkThreads searches every twelfth position of four random games to a depth of 12 with 1, 2 and 4
// threads, and reports the time and the nodes of a search.
func BenchmarkThreads(b *testing.B) {
	var positions []position.Position
	for i, p := range searchtest.GamePositions(4) {
		if i%12 == 0 {
			positions = append(positions, p)
		}
	}
	for threads := 1; threads <= 4; threads *= 2 {
		b.Run(strconv.Itoa(threads), func(b *testing.B) {
			s := New(64)
			defer s.Close()
			s.SetThreads(threads)
			nodes, searches := uint64(0), 0
			for b.Loop() {
				for _, p := range positions {
					s.NewGame()
					nodes += s.Search(context.Background(), p, search.Limits{Depth: 12}, searchtest.Ignore).Info.Nodes
					searches++
				}
			}
			b.ReportMetric(float64(nodes)/float64(searches), "nodes/search")
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(searches), "ms/search")
		})
	}
}

// TestStopsInLongList checks that a search ends within a list of very many root turns once it must.
func TestStopsInLongList(t *testing.T) {
	p := searchtest.Parse(t, searchtest.Crowded)
	s := New(1)
	defer s.Close()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	out := s.Search(ctx, p, search.Limits{Infinite: true}, searchtest.Ignore)
	if n := len(s.workers[0].roots); !p.Legal(out.Best) || n > root.StopEvery {
		t.Errorf("plays %v after a look at %d turns", out.Best, n)
	}
}

// TestThreads searches with several threads over one small table and stops some of
// the searches early. CI runs it with the race detector.
func TestThreads(t *testing.T) {
	s := New(1)
	for i, p := range searchtest.GamePositions(4) {
		if i%11 != 0 {
			continue
		}
		s.SetThreads(1 + i%4)
		out := s.Search(context.Background(), p, search.Limits{Nodes: 6000}, func(search.Info) {})
		if !p.Legal(out.Best) {
			t.Fatalf("%v: %v is not legal", &p, out.Best)
		}
		ctx, cancel := context.WithCancel(context.Background())
		out = s.Search(ctx, p, search.Limits{Infinite: true}, func(info search.Info) {
			if info.Depth >= 2 {
				cancel()
			}
		})
		cancel()
		if !p.Legal(out.Best) {
			t.Fatalf("%v: cut short, %v is not legal", &p, out.Best)
		}
	}
}

// TestThreadsShareNodes checks that a limit on nodes holds for all threads together,
// up to the nodes between two checks.
func TestThreadsShareNodes(t *testing.T) {
	s := New(4)
	s.SetThreads(3)
	p := position.Start(position.Standard)
	out := s.Search(context.Background(), p, search.Limits{Nodes: 50_000}, func(search.Info) {})
	if out.Info.Nodes > 60_000 {
		t.Errorf("%d nodes, the limit is 50,000", out.Info.Nodes)
	}
}

// TestThreadsShareEvaluator checks that all threads use the evaluator that was set,
// including threads added later.
func TestThreadsShareEvaluator(t *testing.T) {
	s := New(1)
	s.SetThreads(2)
	want := evaluation.NewEvaluator(evaluation.NewWeights("none"))
	s.SetEvaluator(want)
	s.SetThreads(4)
	for i, w := range s.workers {
		if w.scorer.Evaluator != want {
			t.Errorf("thread %d has another evaluator", i)
		}
	}
}

// TestLastReportCountsAllThreads checks that the last report includes the final node
// counts of all threads.
func TestLastReportCountsAllThreads(t *testing.T) {
	s := New(1)
	s.SetThreads(3)
	var last search.Info
	s.Search(context.Background(), searchtest.Parse(t, searchtest.Middle), search.Limits{Nodes: 300_000}, func(i search.Info) { last = i })
	all := uint64(0)
	for _, w := range s.workers {
		all += w.nodes
	}
	if last.Nodes != all {
		t.Errorf("the last report tells %d nodes of %d", last.Nodes, all)
	}
}

// TestElect checks which thread's turn is played.
func TestElect(t *testing.T) {
	const none = -search.Infinity
	type thread struct {
		turn          position.Turn
		depth         int
		score, before search.Score
		static        search.Score
	}
	for _, c := range []struct {
		name    string
		threads []thread
		want    int
	}{
		{"one thread", []thread{{turn: 1, depth: 9, score: 40}}, 0},
		{"all the same: the first leads", []thread{{turn: 1, depth: 9, score: 40}, {turn: 1, depth: 9, score: 40}}, 0},
		{"no vote is heavier: the first leads", []thread{{turn: 1, depth: 9, score: 40}, {turn: 2, depth: 9, score: 40}}, 0},
		{"a deeper thread", []thread{{turn: 1, depth: 9, score: 40}, {turn: 2, depth: 10, score: 40}}, 1},
		{"a higher score", []thread{{turn: 1, depth: 9, score: 40}, {turn: 2, depth: 9, score: 60}}, 1},
		{"much higher outweighs a turn deeper", []thread{{turn: 1, depth: 9, score: 90}, {turn: 2, depth: 10, score: 40}}, 0},
		{"two against one", []thread{{turn: 1, depth: 9, score: 50}, {turn: 2, depth: 9, score: 45}, {turn: 2, depth: 8, score: 45}}, 1},
		{"the deepest of those for the turn", []thread{{turn: 1, depth: 9, score: 40}, {turn: 2, depth: 8, score: 40}, {turn: 2, depth: 9, score: 40}}, 2},
		{"a quicker win", []thread{{turn: 1, depth: 9, score: search.WinIn(7)}, {turn: 2, depth: 5, score: search.WinIn(5)}}, 1},
		{"a win against votes", []thread{{turn: 1, depth: 20, score: 900}, {turn: 2, depth: 5, score: search.WinIn(5)}, {turn: 1, depth: 20, score: 900}}, 1},
		{"a loss that the others see, too late for a vote", []thread{{turn: 1, depth: 9, score: search.LossIn(6)}, {turn: 2, depth: 8, score: -80}}, 1},
		{"an iteration that did not get to it", []thread{{turn: 1, depth: 9, score: none, before: 40}, {turn: 2, depth: 9, score: 40}}, 1},
		{"no iteration at all", []thread{{turn: 1, depth: 3, score: 0}, {turn: 2, depth: 1, score: none, before: none, static: 300}}, 0},
	} {
		var workers []*worker
		for _, th := range c.threads {
			w := &worker{rootDepth: th.depth}
			w.roots = []rootTurn{{turn: th.turn, score: th.score, previousScore: th.before, static: th.static}}
			workers = append(workers, w)
		}
		if got := elect(workers); got != workers[c.want] {
			for i := range workers {
				if got == workers[i] {
					t.Errorf("%s: thread %d is chosen, want %d", c.name, i, c.want)
				}
			}
		}
	}
}

// TestShareLosses checks that a thread does not play a turn that another thread has proven to lose.
func TestShareLosses(t *testing.T) {
	const loss, none = search.Score(-search.Win + 4), -search.Infinity
	roots := func(first, second rootTurn) *worker {
		first.turn, second.turn = 1, 2
		return &worker{rootDepth: 5, roots: []rootTurn{first, second}}
	}
	a := roots(rootTurn{score: 50, previousScore: 40, upper: 50}, rootTurn{score: none, previousScore: 30, upper: 50})
	b := roots(rootTurn{score: loss, previousScore: 40, upper: loss}, rootTurn{score: none, previousScore: none, upper: 45})
	shareLosses([]*worker{a, b})
	for i, w := range []*worker{a, b} {
		if w.roots[0].turn != 2 || !w.roots[1].lost() {
			t.Errorf("thread %d: first %v, lost %v; want first the turn that nobody has proven to lose", i, w.roots[0].turn, w.roots[1].lost())
		}
	}
}

// TestLinesOfStoppedIteration checks the lines of a search that was stopped in its fifth iteration.
func TestLinesOfStoppedIteration(t *testing.T) {
	type line struct {
		Turn  position.Turn
		Score search.Score
		Bound search.Bound
		Depth int
	}
	tests := []struct {
		name  string
		roots []rootTurn
		want  []line
	}{
		{"a bound of this iteration counts more than the higher score of the one before", []rootTurn{
			{turn: 1, score: 20, bound: search.Upper, previousScore: 50, upper: 20, upperDepth: 5},
			{turn: 2, score: -search.Infinity, previousScore: 40, upper: 25, upperDepth: 5},
		}, []line{{1, 25, search.Upper, 5}, {2, 25, search.Upper, 5}}},
		{"a bound that later turns raise does not raise the line", []rootTurn{
			{turn: 1, score: 85, previousScore: 100, upper: 85, upperDepth: 5},
			{turn: 2, score: -search.Infinity, previousScore: 98, upper: 70, upperDepth: 5},
			{turn: 3, score: -search.Infinity, previousScore: -search.Infinity, upper: 97, upperDepth: 4},
		}, []line{{1, 85, search.Exact, 5}, {2, 97, search.Upper, 4}}},
		{"the higher score of the iteration before raises a line that is not searched yet", []rootTurn{
			{turn: 1, score: 85, previousScore: 100, upper: 85, upperDepth: 5},
			{turn: 2, score: -search.Infinity, previousScore: 98, upper: 98, upperDepth: 4},
		}, []line{{2, 98, search.Exact, 4}, {1, 85, search.Exact, 5}}},
		{"the same, if the first line has failed low", []rootTurn{
			{turn: 1, score: 20, bound: search.Upper, previousScore: 50, upper: 20, upperDepth: 5},
			{turn: 2, score: -search.Infinity, previousScore: 45, upper: 45, upperDepth: 4},
		}, []line{{2, 45, search.Exact, 4}, {1, 45, search.Upper, 4}}},
		{"a proof of another turn does not lower the depth of a bound", []rootTurn{
			{turn: 1, score: 20, bound: search.Upper, previousScore: 50, upper: 20, upperDepth: 5},
			{turn: 2, score: -search.Infinity, previousScore: 40, upper: 25, upperDepth: 5},
			{turn: 3, score: -search.Infinity, previousScore: -search.Infinity, upper: search.LossIn(4), upperDepth: 1},
		}, []line{{1, 25, search.Upper, 5}, {2, 25, search.Upper, 5}}},
		{"turns that were never searched leave no bound of all, only the static score", []rootTurn{
			{turn: 1, score: -search.Infinity, previousScore: -search.Infinity, static: 25, upper: 15, upperDepth: 5},
			{turn: 2, score: -search.Infinity, previousScore: -search.Infinity, upper: search.Infinity},
		}, []line{{1, 25, search.Exact, 0}}},
	}
	for _, test := range tests {
		w, m := exactWorker(t, func(*search.Parameters) {})
		w.limits, w.rootDepth, w.roots = m, 5, test.roots
		for i := range w.roots {
			w.roots[i].pv = []position.Turn{w.roots[i].turn}
		}
		var got []line
		for _, info := range w.lines(2) {
			got = append(got, line{info.PV[0], info.Score, info.Bound, info.Depth})
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: lines (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestLinesOfIterationHaveItsDepth checks that an iteration reports its own depth for each line, also
// for a loss that an earlier one proved.
func TestLinesOfIterationHaveItsDepth(t *testing.T) {
	for _, text := range []string{
		"b1b1/1bWw1Bw/3bwwbW/1w1bbbwb1/bbb2wwww1/1bW1b2w1/bbbw3b2/Bwwwb2w1/w2WB1bw/1w2wb1/4 w 1-2",
		"3b/b1BwwB1/bbb1bBbb/2wb2wb1/bbwbwb1w1w/1wbwwWBbW/W2bw2bwb/w1bwbbbww/2b1bwwb/w3bw1/w2b b 2-1",
	} {
		lines := 0
		s, p := New(8), searchtest.Parse(t, text)
		s.Search(t.Context(), p, search.Limits{Depth: 7, MultiPV: 3}, func(info search.Info) {
			if info.Bound != search.Exact {
				return // reported only by a search of a second and more
			}
			if want := min(lines/3+1, 7); info.Depth != want { // the end of the search repeats the last lines
				t.Errorf("%s: iteration %d: line %d has depth %d", text, want, info.MultiPV, info.Depth)
			}
			lines++
		})
	}
}

// TestBoundIsNoPreviousScore checks that an iteration that found only an upper bound of a turn
// leaves the next one no score of it.
func TestBoundIsNoPreviousScore(t *testing.T) {
	for bound, want := range map[search.Bound]search.Score{search.Exact: 20, search.Upper: -search.Infinity} {
		r := rootTurn{score: 20, bound: bound, upper: 20, upperDepth: 4}
		r.beginIteration()
		if r.previousScore != want {
			t.Errorf("bound %v: previous score %d, want %d", bound, r.previousScore, want)
		}
	}
}

// TestDepthOfHelper checks that a thread that never began an iteration does not vote with the
// depth of the search before.
func TestDepthOfHelper(t *testing.T) {
	s := New(1)
	s.SetThreads(2)
	helper := s.workers[1]
	helper.rootDepth = 17
	s.Search(t.Context(), position.Start(position.Standard), search.Limits{Nodes: 1}, func(search.Info) {})
	if helper.rootDepth == 17 {
		t.Errorf("the helper is at depth %d of a search that ended at once", helper.rootDepth)
	}
}

// TestProofKeepsNoLine checks that a score that a proof of the table limits has no line of the
// search that did not find the proof again.
func TestProofKeepsNoLine(t *testing.T) {
	const win, loss = search.Score(search.Win - 6), search.Score(-search.Win + 6)
	for proof, bound := range map[search.Score]search.Bound{win: search.Lower, loss: search.Upper} {
		w := New(1).workers[0]
		w.stack[0].pv = []position.Turn{1, 2, 3}
		before := tableEntry{turn: 1, score: proof, depth: 6, bound: bound}
		got := w.store(0, before, tableEntry{turn: 2, score: 10, depth: 3, bound: search.Exact})
		if got != proof || len(w.stack[0].pv) > 0 {
			t.Errorf("score %d with a line of %d turns, want the proven %d without a line", got, len(w.stack[0].pv), proof)
		}
	}
}

// exactWorker returns a worker without a net, whose static scores are therefore exact, and a time
// manager without limits. change sets its parameters.
func exactWorker(t *testing.T, change func(*search.Parameters)) (*worker, *timemanager.Manager) {
	s := New(1)
	weights := s.evaluator.Weights()
	weights.Net = evaluation.Net{}
	s.SetEvaluator(evaluation.NewEvaluator(weights))
	change(&s.parameters)
	s.tuning = newTuning(&s.parameters, s.evaluator)
	root := position.Start(position.Standard)
	m := timemanager.Begin(context.Background(), search.Limits{}, &s.parameters, &root, false)
	t.Cleanup(m.End)
	w := s.workers[0]
	w.tuning = s.tuning
	return w, m
}

// TestEvasionsCountOnce counts the nodes of a tree that is easy to count by hand. At the leaf Black can
// only pass, and White then completes the row that wins: two nodes, the leaf and the position after the pass.
func TestEvasionsCountOnce(t *testing.T) {
	w, c := exactWorker(t, func(*search.Parameters) {})
	root, err := position.Parse("W1b1/bbb1b2/2bb4/3w4b/b2bwbb3/4bb3/b3bb2bw/b1bbWwWWw/bbwwbBBw/bwbbBBB/2Ww w 0-0", position.Blitz)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"a2-a3", "a2-a5", "a2-c2"} {
		turn, err := root.ParseTurn(word)
		if err != nil {
			t.Fatal(err)
		}
		leaf := root.After(turn)
		if replies := leaf.Turns(nil); len(replies) != 1 || replies[0].Kind() != position.Pass {
			t.Fatalf("%s: replies %v", word, replies)
		}
		w.start(&root, root.Turns(nil), c)
		w.rootDepth = 1
		w.play(0, turn)
		score := w.quiescence(1, -search.Infinity, search.Infinity)
		if w.nodes != 2 || score != search.LossIn(3) {
			t.Errorf("%s: %d nodes, score %d, want 2 nodes and %d", word, w.nodes, score, search.LossIn(3))
		}
	}
}

// TestLeavesByStaticScore checks that skipping turns of the last ply by the static
// scores after them changes no score: it is the score of the best turn in a full
// search. Without a net the scores are exact, not estimates.
func TestLeavesByStaticScore(t *testing.T) {
	w, c := exactWorker(t, func(p *search.Parameters) { p[search.LateMoves1] = 200 })
	left := 0
	for _, p := range searchtest.GamePositions(60) {
		if p.Over() || p.Placing() {
			continue
		}
		turns := p.Turns(nil)
		w.start(&p, turns, c)
		want := -search.Infinity
		for _, turn := range turns {
			w.play(0, turn)
			want = max(want, -w.quiescence(1, -search.Infinity, search.Infinity))
		}
		w.nodes = 0
		if got := w.visit(0, 1, -search.Infinity, search.Infinity); got != want {
			t.Errorf("%v: worth %d, with every turn searched %d", &p, got, want)
		}
		if int(w.nodes) < len(turns) {
			left++
		}
	}
	if left == 0 {
		t.Error("no turn was left out: the test checks nothing")
	}
}

// bestWithout returns the highest score of the turns other than the table's, searched one
// turn deep.
func (w *worker) bestWithout(excluded position.Turn, turns []position.Turn) search.Score {
	best := -search.Infinity
	for _, turn := range turns {
		if asStored(turn) != excluded {
			w.play(0, turn)
			best = max(best, -w.quiescence(1, -search.Infinity, search.Infinity))
		}
	}
	return best
}

// checkSingular calls check with positions of games. For some quiet turns of each, entry is a
// table entry with that turn, and others is the highest score of the other turns. The worker's
// table is empty. It searches two turns deep without pruning, and looks for singular turns.
func checkSingular(t *testing.T, check func(w *worker, p *position.Position, entry tableEntry, others search.Score)) {
	w, m := exactWorker(t, func(parameters *search.Parameters) {
		parameters[search.SingularFrom] = 2
		parameters[search.ReverseFutilityDepth] = 0
		for p := search.LateMoves1; p <= search.LateMoves5; p++ {
			parameters[p] = 10_000
		}
	})
	checked := 0
	for _, p := range searchtest.GamePositions(20) {
		turns := p.Turns(nil)
		if p.Over() || p.Placing() || len(turns) < 2 {
			continue
		}
		for _, turn := range []position.Turn{turns[0], turns[len(turns)/2], turns[len(turns)-1]} {
			entry := unpack(tableEntry{turn: turn, depth: 1, bound: search.Lower}.pack(0))
			w.start(&p, turns, m)
			w.rootDepth = 2
			others := w.bestWithout(entry.turn, turns)
			if turn.Quiet() && others > -search.WinThreshold/2 && others < search.WinThreshold/2 {
				checked++
				w.table.clearFor(10_000)
				w.table.nextSearch()
				check(w, &p, entry, others)
			}
		}
	}
	if checked == 0 {
		t.Error("no position was checked")
	}
}

// TestExcludedTurn checks that a search with an excluded turn compares the target with the
// best of the other turns, and leaves nothing about them in the table.
func TestExcludedTurn(t *testing.T) {
	checkSingular(t, func(w *worker, p *position.Position, entry tableEntry, others search.Score) {
		w.evaluate(0)
		if got := w.search(0, 1, others-1, others, entry.turn); got < others {
			t.Errorf("%v without %v: score %d for the target %d", p, entry.turn, got, others)
		}
		if got := w.search(0, 1, others, others+1, entry.turn); got > others {
			t.Errorf("%v without %v: score %d for the target %d, which no turn reaches", p, entry.turn, got, others+1)
		}
		if _, found := w.table.probe(p.Hash()); found {
			t.Errorf("%v without %v: the score is in the table", p, entry.turn)
		}
	})
}

// singularMargin is by how much a turn must be better than the others at depth 2.
const singularMargin = 2 * 2

// TestSingularExtension checks that the table's turn is searched one turn deeper if and
// only if its score is higher than those of all others by more than the margin.
func TestSingularExtension(t *testing.T) {
	checkSingular(t, func(w *worker, p *position.Position, entry tableEntry, others search.Score) {
		child := p.After(entry.turn)
		if child.Over() {
			return
		}
		for score, want := range map[search.Score]int{others + singularMargin: 1, others + singularMargin + 1: 2} {
			w.table.clearFor(10_000)
			w.table.nextSearch()
			entry.score = score
			w.table.store(p.Hash(), entry)
			w.visit(0, 2, -search.Infinity, search.Infinity)
			if got, _ := w.table.probe(child.Hash()); got.depth != want {
				t.Errorf("%v: %v, of score %d, was searched to depth %d, want %d; the others have %d", p, entry.turn, score, got.depth, want, others)
			}
		}
	})
}

// TestMultiCut checks that a zero-window node fails high without a search of all turns if
// the table's turn and another one are good enough.
func TestMultiCut(t *testing.T) {
	checkSingular(t, func(w *worker, p *position.Position, entry tableEntry, others search.Score) {
		entry.score = others + singularMargin
		w.table.store(p.Hash(), entry)
		if got := w.visit(0, 2, others-1, others); got != others {
			t.Errorf("%v: score %d, want the target %d", p, got, others)
		}
		if got, _ := w.table.probe(p.Hash()); got != entry {
			t.Errorf("%v: the entry %+v became %+v", p, entry, got)
		}
	})
}

// TestLazyEvaluation checks that an evaluation without its own crossings is at most the margin off
// where the search uses it, and its own elsewhere: for a window that contains the estimate,
// evaluateFully returns the evaluation of the position.
func TestLazyEvaluation(t *testing.T) {
	s := New(1)
	w := s.workers[0]
	root := position.Start(position.Standard)
	c := timemanager.Begin(context.Background(), search.Limits{}, &s.parameters, &root, false)
	defer c.End()
	w.tuning = s.tuning
	estimates := 0
	for _, p := range searchtest.GamePositions(30) {
		turns := p.Turns(nil)
		if p.Over() || p.Placing() || len(turns) == 0 {
			continue
		}
		w.start(&p, turns, c)
		for _, turn := range turns {
			child := &w.play(0, turn).position
			if _, over := ended(child, 1); over {
				continue
			}
			w.evaluate(1)
			estimate, margin := w.stack[1].static, w.stack[1].lazyMargin
			if got := w.evaluateFully(1, estimate+margin, estimate+margin+1); got != estimate {
				t.Fatalf("%v: %d, though the estimate %d cannot reach the window", child, got, estimate)
			}
			want := search.Score(s.evaluator.Evaluate(child))
			if got := w.evaluateFully(1, estimate-1, estimate+1); got != want {
				t.Fatalf("%v: evaluated as %d, want %d", child, got, want)
			}
			if estimate != want {
				estimates++
			}
		}
	}
	if estimates == 0 {
		t.Error("every estimate was exact: the test checks nothing")
	}
}

// TestReductionsOnEveryArchitecture checks that no reduction is close enough to an
// integer for the last bits of its calculation to matter.
func TestReductionsOnEveryArchitecture(t *testing.T) {
	defaults := search.DefaultParameters()
	for depth := 1; depth < len(tuning{}.reductions); depth++ {
		for number := 1; number < len(tuning{}.reductions); number++ {
			if r := baseReduction(&defaults, depth, number); math.Abs(r-math.Round(r)) < 1e-9 {
				t.Errorf("depth %d, number %d: reduced by %v", depth, number, r)
			}
		}
	}
}

// TestSelDepthOfLines checks that the selective depth of a line is that of its own search,
// not the greatest so far: here most lines are searched less deeply than the first.
func TestSelDepthOfLines(t *testing.T) {
	s := New(4)
	defer s.Close()
	p := searchtest.Parse(t, searchtest.Middle)
	var lines [6]search.Info
	s.Search(context.Background(), p, search.Limits{Depth: 6, MultiPV: len(lines)}, func(i search.Info) { lines[i.MultiPV-1] = i })
	shallower := 0
	for _, line := range lines {
		if line.SelDepth < lines[0].SelDepth {
			shallower++
		}
	}
	if shallower <= len(lines)/2 {
		t.Errorf("%d of %d lines were searched less deeply than the first", shallower, len(lines))
	}
}
