package timemanager

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gyre/position"
	"gyre/search"
)

// start is the root of searches that do not depend on their root.
var start = position.Start(position.Standard)

// defaults are the default parameters.
var defaults = search.DefaultParameters()

// virtual is a clock that changes only when it is set.
type virtual struct{ shows atomic.Int64 }

func (v *virtual) now() time.Time            { return time.Unix(0, v.shows.Load()) }
func (v *virtual) set(elapsed time.Duration) { v.shows.Store(int64(elapsed)) }

// begin starts a search with a virtual clock.
func begin(t *testing.T, limits search.Limits) (*Manager, *virtual) {
	t.Helper()
	v := &virtual{}
	m := beginBy(context.Background(), limits, &defaults, &start, false, v.now)
	t.Cleanup(m.End)
	return m, v
}

// both returns equal clocks of both sides.
func both(c search.Clock) [2]search.Clock { return [2]search.Clock{c, c} }

// run visits up to limit nodes of a microsecond each, with an iteration every
// thousand nodes. It returns the number of nodes when the search ended.
func run(m *Manager, v *virtual, limit uint64) uint64 {
	next := uint64(0)
	for nodes := uint64(0); nodes < limit; nodes++ {
		v.set(time.Duration(nodes) * time.Microsecond)
		if nodes >= next {
			next = m.Check(nodes)
		}
		if nodes%1000 == 0 && !m.StartIteration(int(nodes/1000)+1, nodes, 0) || m.Stopped() {
			return nodes
		}
	}
	return limit
}

// TestFirstLimit checks combined limits: at how many nodes each of them ends a
// search, with nodes that take a microsecond by the wall clock, and exactly with a
// clock of nodes.
func TestFirstLimit(t *testing.T) {
	const ms = time.Millisecond
	clock := func(left time.Duration) search.Clock { return search.Clock{Left: left} }
	const limit = 1_000_000
	for _, c := range []struct {
		name     string
		limits   search.Limits
		min, max uint64
	}{
		{"none", search.Limits{}, limit, limit},
		{"nodes", search.Limits{Nodes: 77_777}, 77_777, 77_777},
		{"movetime", search.Limits{MoveTime: 100 * ms}, 100_000, 101_024},
		{"depth", search.Limits{Depth: 5}, 5_000, 5_000},
		{"clock", search.Limits{Clock: both(clock(400 * ms))}, 3_000, 12_000},
		{"nodes before movetime", search.Limits{Nodes: 50_000, MoveTime: 100 * ms}, 50_000, 50_000},
		{"movetime before nodes", search.Limits{Nodes: 500_000, MoveTime: 100 * ms}, 100_000, 101_024},
		{"clock before movetime", search.Limits{Clock: both(clock(200 * ms)), MoveTime: 3000 * ms}, 1_000, 6_128},
		{"movetime before clock", search.Limits{Clock: both(clock(time.Hour)), MoveTime: 10 * ms}, 10_000, 10_128},
		{"depth before all others", search.Limits{Depth: 2, Nodes: 5_000, Clock: both(clock(time.Hour)), MoveTime: 10 * ms}, 2_000, 2_000},
		{"nodes before all others", search.Limits{Depth: 7, Nodes: 5_000, Clock: both(clock(time.Hour)), MoveTime: 10 * ms}, 5_000, 5_000},
		{"no time if infinite", search.Limits{Infinite: true, Clock: both(clock(ms)), MoveTime: ms}, limit, limit},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, v := begin(t, c.limits)
			if got := run(m, v, limit); got < c.min || got > c.max {
				t.Errorf("ended after %d nodes, want from %d to %d", got, c.min, c.max)
			}
			c.limits.NodesTime = 1000
			m, _ = begin(t, c.limits)
			got := run(m, &virtual{}, limit)
			if c.limits.Clock[position.White].Left == 0 && got != c.min || got < c.min || got > c.max {
				t.Errorf("ended after %d nodes by the clock of nodes, want %d", got, c.min)
			}
		})
	}
}

// TestEndlessTimes checks that the longest times give much time, or none if the overhead is the
// longest, instead of overflowing.
func TestEndlessTimes(t *testing.T) {
	for _, side := range []search.Clock{{Left: math.MaxInt64}, {Left: math.MaxInt64, Increment: math.MaxInt64}, {Left: math.MaxInt64, Increment: time.Second}} {
		for _, movesToGo := range []int{0, 1, 10_000, math.MaxInt} {
			limits := search.Limits{Clock: both(side), MovesToGo: movesToGo}
			m, _ := begin(t, limits)
			if b := m.budget; b.soft < time.Hour || b.hard < time.Hour {
				t.Errorf("%+v: %+v", limits, b)
			}
			limits.Overhead = math.MaxInt64
			limits.Clock = both(search.Clock{Left: time.Hour})
			m, _ = begin(t, limits)
			if b := m.budget; b.hard != minTime {
				t.Errorf("%+v: %+v", limits, b)
			}
		}
	}
	m, _ := begin(t, search.Limits{MoveTime: math.MaxInt64, Overhead: math.MaxInt64})
	if m.budget.hard < time.Hour {
		t.Errorf("%+v", m.budget)
	}
}

// TestAnswerLimits checks the limits of the search that gives a mate search its turn.
func TestAnswerLimits(t *testing.T) {
	const ms, most = time.Millisecond, 2_000
	for _, c := range []struct{ limits, want search.Limits }{
		{search.Limits{}, search.Limits{Nodes: most}},
		{search.Limits{Infinite: true, MoveTime: ms, MultiPV: 3}, search.Limits{Nodes: most}},
		{search.Limits{Ponder: true, Depth: 3}, search.Limits{Nodes: most, Depth: 3}},
		{search.Limits{Nodes: 4_000}, search.Limits{Nodes: 1_000}},
		{search.Limits{Nodes: 40_000}, search.Limits{Nodes: most}},
		{search.Limits{Nodes: 1}, search.Limits{Nodes: 1}},
		{search.Limits{MoveTime: 100 * ms, Overhead: 20 * ms}, search.Limits{Nodes: most, MoveTime: 90 * ms / 4}},
		{search.Limits{Clock: both(search.Clock{Left: ms}), NodesTime: 7}, search.Limits{Nodes: most, NodesTime: 7, MoveTime: ms / 4}},
	} {
		c.limits.Mate = 5
		m, _ := begin(t, c.limits)
		if got := m.AnswerLimits(most); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: %+v, want %+v", c.limits, got, c.want)
		}
	}
}

// TestPonder checks that nothing is limited while pondering, and that time counts
// from ponderhit.
func TestPonder(t *testing.T) { synctest.Test(t, checkPonder) }

func checkPonder(t *testing.T) {
	hit, moveTime := make(chan struct{}), 100*time.Millisecond
	m, v := begin(t, search.Limits{Ponder: true, PonderHit: hit, MoveTime: moveTime, Nodes: 500_000})
	if got := run(m, v, 900_000); got != 900_000 || !m.Allows(900_001) {
		t.Fatalf("ended after %d nodes on the opponent's time", got)
	}
	close(hit)
	synctest.Wait() // another goroutine starts the clock
	if m.Allows(500_001) {
		t.Error("more nodes than the limit are allowed after the hit")
	}
	v.set(999 * time.Millisecond)
	if m.Check(1); m.Stopped() {
		t.Error("stopped before the time of the turn was over")
	}
	v.set(1000 * time.Millisecond)
	if m.Check(1); !m.Stopped() {
		t.Error("not stopped at the end of the turn's time")
	}
}

// TestSteadySearchUsesLess checks that a search whose best turn changes runs longer
// than a steady one.
func TestSteadySearchUsesLess(t *testing.T) {
	var steady, changing Manager
	for i := range 8 {
		steady.IterationDone(50, false, 0.9)
		changing.IterationDone(50-search.Score(10*i), i%2 == 0, 0.3)
	}
	if steady.factor >= changing.factor {
		t.Errorf("factor %v for a steady search, %v for a changing one", steady.factor, changing.factor)
	}
}

// TestEndsEarlyWithAClock checks that a single turn and a proven result use none of a
// clock's time, but do use MoveTime.
func TestEndsEarlyWithAClock(t *testing.T) {
	hour := time.Hour
	for _, c := range []struct {
		name   string
		limits search.Limits
		single bool
		best   search.Score
		want   bool
	}{
		{"a turn among others", search.Limits{Clock: both(search.Clock{Left: hour})}, false, 50, true},
		{"the only turn", search.Limits{Clock: both(search.Clock{Left: hour})}, true, 50, false},
		{"a proven win", search.Limits{Clock: both(search.Clock{Left: hour})}, false, search.WinIn(3), false},
		{"the only turn, by movetime", search.Limits{MoveTime: hour}, true, 50, true},
		{"a proven loss, by movetime", search.Limits{MoveTime: hour}, false, search.LossIn(2), true},
	} {
		m := Begin(context.Background(), c.limits, &defaults, &start, c.single)
		if got := m.StartIteration(5, 0, c.best); got != c.want {
			t.Errorf("%s: another iteration is %v, want %v", c.name, got, c.want)
		}
		m.End()
	}
}

// TestBudget checks the budget for different limits.
func TestBudget(t *testing.T) {
	const ms = time.Millisecond
	middle := phase{moves: 12, maxTurns: 30}
	for _, c := range []struct {
		name                string
		limits              search.Limits
		leastSoft, mostSoft time.Duration
		leastHard, mostHard time.Duration
	}{
		{"no limit", search.Limits{Depth: 5}, endless, endless, endless, endless},
		{"infinite", search.Limits{Infinite: true, MoveTime: ms}, endless, endless, endless, endless},
		{"the opponent's clock", search.Limits{Clock: [2]search.Clock{position.Black: {Left: ms}}}, endless, endless, endless, endless},
		{"time of the turn", search.Limits{MoveTime: 100 * ms}, endless, endless, 100 * ms, 100 * ms},
		{"time of the turn with overhead", search.Limits{MoveTime: 200 * ms, Overhead: 10 * ms}, endless, endless, 190 * ms, 190 * ms},
		{"a tenth of it is overhead at most", search.Limits{MoveTime: 10 * ms, Overhead: 10 * ms}, endless, endless, 9 * ms, 9 * ms},
		{"no time for the turn", search.Limits{MoveTime: 1, Overhead: 10 * ms}, endless, endless, ms, ms},
		{"a minute", search.Limits{Clock: both(search.Clock{Left: time.Minute})}, time.Second, 4 * time.Second, 5 * time.Second, 20 * time.Second},
		{"increment alone", search.Limits{Clock: both(search.Clock{Left: 20 * ms, Increment: 10 * time.Second})}, ms, 15 * ms, ms, 15 * ms},
		{"a millisecond", search.Limits{Clock: both(search.Clock{Left: ms})}, ms, ms, ms, ms},
		{"nothing left", search.Limits{Clock: both(search.Clock{Left: 1})}, ms, ms, ms, ms},
		{"last turn of a control", search.Limits{Clock: both(search.Clock{Left: 10 * time.Second}), MovesToGo: 1}, time.Second, 10 * time.Second, time.Second, 10 * time.Second},
		{"a clock shorter than the turn's time", search.Limits{Clock: both(search.Clock{Left: 200 * ms}), MoveTime: 3000 * ms}, ms, 200 * ms, ms, 200 * ms},
		{"a clock longer than the turn's time", search.Limits{Clock: both(search.Clock{Left: time.Hour}), MoveTime: 30 * ms}, time.Second, time.Hour, 30 * ms, 30 * ms},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := budgetFor(c.limits, position.White, &defaults, middle)
			if b.soft < c.leastSoft || b.soft > c.mostSoft {
				t.Errorf("soft limit %v, want from %v to %v", b.soft, c.leastSoft, c.mostSoft)
			}
			if b.hard < c.leastHard || b.hard > c.mostHard {
				t.Errorf("hard limit %v, want from %v to %v", b.hard, c.leastHard, c.mostHard)
			}
		})
	}
}

// TestSharesByPhase checks the soft and hard limits of a clock by phase of the game.
func TestSharesByPhase(t *testing.T) {
	const ms = time.Millisecond
	placing, first, middle, late := phase{placing: true, maxTurns: 41}, phase{maxTurns: 36}, phase{moves: 15, maxTurns: 21}, phase{moves: 30, maxTurns: 6}
	for _, c := range []struct {
		name       string
		clock      search.Clock
		movesToGo  int
		overhead   time.Duration
		phase      phase
		soft, hard time.Duration
	}{
		{"placing", search.Clock{Left: 10_040 * ms}, 0, 0, placing, 120 * ms, 300 * ms},
		{"placing, with an increment", search.Clock{Left: 10_000 * ms, Increment: 100 * ms}, 0, 0, placing, 120 * ms, 300 * ms},
		{"first ring move", search.Clock{Left: 10_000 * ms, Increment: 100 * ms}, 0, 0, first, 294 * ms, 1470 * ms},
		{"middle", search.Clock{Left: 6000 * ms, Increment: 100 * ms}, 0, 0, middle, 354 * ms, 1770 * ms},
		{"late", search.Clock{Left: 900 * ms, Increment: 10 * ms}, 0, 0, late, 113400 * time.Microsecond, 567 * ms},
		{"overhead", search.Clock{Left: 6010 * ms, Increment: 100 * ms}, 0, 10 * ms, middle, 354 * ms, 1770 * ms},
		{"overhead of the turns to come", search.Clock{Left: 6060 * ms}, 0, 2 * ms, late, 6043 * ms * 3 / 25, 6043 * ms * 3 / 5},
		{"five turns to the control", search.Clock{Left: 10_000 * ms, Increment: ms}, 5, 0, first, 1200540 * time.Microsecond, 6002700 * time.Microsecond},
		{"the last turn before it", search.Clock{Left: 10_000 * ms}, 1, 0, first, 6000 * ms, 10_000 * ms},
		{"a placing before it", search.Clock{Left: 10_000 * ms, Increment: ms}, 3, 0, placing, 1200 * ms, 3000 * ms},
		{"the last placing before it", search.Clock{Left: 10_000 * ms}, 1, 0, placing, 6000 * ms, 10_000 * ms},
		{"increment alone", search.Clock{Left: 1, Increment: 1000 * ms}, 0, 0, late, ms, ms},
	} {
		b := shareOfClock(c.clock, c.movesToGo, c.overhead, &defaults, c.phase)
		if far := 100 * time.Microsecond; (b.soft-c.soft).Abs() > far || (b.hard-c.hard).Abs() > far {
			t.Errorf("%s: soft %v and hard %v, want %v and %v", c.name, b.soft, b.hard, c.soft, c.hard)
		}
	}
}

// randomGame plays a random game, and calls visit with each position that has a legal
// turn.
func randomGame(rules position.Rules, rng *rand.Rand, visit func(p *position.Position)) {
	p := position.Start(rules)
	for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(turns[:0]) {
		visit(&p)
		p = p.After(turns[rng.IntN(len(turns))])
	}
}

// TestPhaseOfGames checks the phases of random games: the number of ring moves made,
// and the bound on the turns left. It skips games with a pass, because the number of
// markers then says less.
func TestPhaseOfGames(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	checked := 0
	for n := range 60 {
		rules := []position.Rules{position.Standard, position.Blitz}[n%2]
		var phases [2][]phase
		passes := false
		randomGame(rules, rng, func(p *position.Position) {
			us := p.SideToMove()
			phases[us] = append(phases[us], phaseOf(p))
			passes = passes || !p.Placing() && !p.CanMove(us)
		})
		if passes {
			continue
		}
		checked++
		for _, side := range phases {
			for i, p := range side {
				if placing, moves := i < position.RingsPerSide, max(i-position.RingsPerSide, 0); p.placing != placing || p.moves != moves {
					t.Fatalf("%v, turn %d: phase %+v, want %d ring moves made, placing: %t", rules, i, p, moves, placing)
				}
				if left := len(side) - i; left > p.maxTurns {
					t.Fatalf("%v, turn %d: %d turns come, %d at most by phase %+v", rules, i, left, p.maxTurns, p)
				}
			}
		}
	}
	if checked < 20 {
		t.Errorf("only %d games without a pass", checked)
	}
}

// TestClockNeverRunsOut plays whole games in which each turn takes the hard limit
// plus the overhead.
func TestClockNeverRunsOut(t *testing.T) {
	const ms = time.Millisecond
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		base, increment, overhead time.Duration
		control                   int // turns to a time control that adds the base time again; 0 for none
	}{
		{400 * ms, 4 * ms, 1 * ms, 0},
		{1000 * ms, 10 * ms, 10 * ms, 0},
		{1000 * ms, 10 * ms, 1 * ms, 0},
		{1000 * ms, 0, 10 * ms, 0},
		{2000 * ms, 20 * ms, 10 * ms, 0},
		{10_000 * ms, 100 * ms, 10 * ms, 0},
		{60_000 * ms, 0, 10 * ms, 0},
		{60_000 * ms, 0, 500 * ms, 0},
		{time.Hour, 0, 5000 * ms, 0},
		{20 * ms, 20 * ms, 5 * ms, 0},
		{10_000 * ms, 1 * ms, 10 * ms, 10},
		{500 * ms, 0, 10 * ms, 1},
		{500 * ms, 0, 10 * ms, 40},
	} {
		for range 20 {
			left, turns := [2]time.Duration{c.base, c.base}, [2]int{}
			randomGame(position.Standard, rng, func(p *position.Position) {
				us := p.SideToMove()
				clock, movesToGo := search.Clock{Left: left[us], Increment: c.increment}, 0
				if c.control > 0 {
					movesToGo = c.control - turns[us]%c.control
				}
				b := shareOfClock(clock, movesToGo, c.overhead, &defaults, phaseOf(p))
				if b.soft > b.hard {
					t.Fatalf("%+v, turn %d: the soft limit %v is beyond the hard one %v", c, turns[us], b.soft, b.hard)
				}
				if left[us] -= b.hard + c.overhead; left[us] < 0 {
					t.Fatalf("%+v: a clock runs out in turn %d of a side, with %+v", c, turns[us], clock)
				}
				left[us] += c.increment
				if turns[us]++; movesToGo == 1 {
					left[us] += c.base
				}
			})
		}
	}
}

// TestNodesTime checks that a clock of nodes ends a search at the exact node,
// whatever the wall clock shows, and how it rounds.
func TestNodesTime(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		perMilli uint64
		moveTime time.Duration
		max      uint64 // nodes of the search
		elapsed  time.Duration
	}{
		{1, 100 * ms, 100, 100 * ms},
		{300, 100 * ms, 30_000, 100 * ms},
		{3, 2 * ms, 6, 2 * ms},
		{1, 2500 * time.Microsecond, 2, 2 * ms},
		{1_000_000, ms, 1_000_000, ms},
		{7, 1500 * time.Microsecond, 10, 10 * ms / 7},
		{1_000_000, math.MaxInt64 - 1, math.MaxInt64 - 1, math.MaxInt64 - 1},
		{4_000_000, math.MaxInt64 - 1, unlimited, 1<<62 - 1},
	} {
		m := Begin(context.Background(), search.Limits{MoveTime: c.moveTime, NodesTime: c.perMilli}, &defaults, &start, false)
		if !m.Allows(c.max) || c.max < unlimited && m.Allows(c.max+1) {
			t.Errorf("%v at %d nodes to a millisecond: not %d nodes at most", c.moveTime, c.perMilli, c.max)
		}
		if got := m.Elapsed(c.max); got != c.elapsed {
			t.Errorf("%d nodes at %d to a millisecond take %v, want %v", c.max, c.perMilli, got, c.elapsed)
		}
		m.End()
	}
}

// TestPonderByNodes checks that nodes during pondering do not count, and that nodes
// from ponderhit on count exactly.
func TestPonderByNodes(t *testing.T) { synctest.Test(t, checkPonderByNodes) }

func checkPonderByNodes(t *testing.T) {
	hit, moveTime := make(chan struct{}), 100*time.Millisecond
	m := Begin(context.Background(), search.Limits{Ponder: true, PonderHit: hit, MoveTime: moveTime, NodesTime: 10}, &defaults, &start, false)
	defer m.End()
	if got := run(m, &virtual{}, 900_000); got != 900_000 || !m.Allows(900_001) {
		t.Fatalf("ended after %d nodes on the opponent's time", got)
	}
	seen := m.clock.seen.Load()
	close(hit)
	synctest.Wait() // another goroutine starts the clock
	if !m.Allows(seen+1000) || m.Allows(seen+1001) {
		t.Error("not just the nodes of the turn's time are allowed after the hit")
	}
	if next := m.Check(seen + 999); next != seen+1000 || m.Stopped() {
		t.Errorf("the next look is at %d nodes, stopped: %t", next, m.Stopped())
	}
	if m.Check(seen + 1000); !m.Stopped() {
		t.Error("not stopped at the end of the turn's time")
	}
}

// TestPonderCredit checks that results from pondering count: ponderhit ends a search
// that is sure of its turn, and no other.
func TestPonderCredit(t *testing.T) { synctest.Test(t, checkPonderCredit) }

func checkPonderCredit(t *testing.T) {
	hour := time.Hour
	clock := search.Clock{Left: 10 * time.Second} // a soft limit of 120 ms for a placing
	for _, c := range []struct {
		name   string
		limits search.Limits
		single bool
		best   search.Score
		nodes  uint64 // microseconds spent pondering
		want   bool   // whether ponderhit ends the search
	}{
		{"long enough", search.Limits{Clock: both(clock)}, false, 50, 121_000, true},
		{"not long enough", search.Limits{Clock: both(clock)}, false, 50, 119_000, false},
		{"a single turn", search.Limits{Clock: both(clock)}, true, 50, 1000, true},
		{"a proven win", search.Limits{Clock: both(clock)}, false, search.WinIn(3), 1000, true},
		{"a turn's time", search.Limits{MoveTime: hour}, false, 50, 500_000, false},
		{"a question about mate", search.Limits{Clock: both(clock), Mate: 2}, false, 50, 500_000, false},
	} {
		hit := make(chan struct{})
		c.limits.Ponder, c.limits.PonderHit, c.limits.NodesTime = true, hit, 1000
		m := Begin(context.Background(), c.limits, &defaults, &start, c.single)
		if !m.StartIteration(5, c.nodes, c.best) || m.Stopped() {
			t.Errorf("%s: ended by the opponent's time", c.name)
		}
		close(hit)
		synctest.Wait() // another goroutine starts the clock
		used, _ := m.clock.used(c.nodes)
		if used != 0 || m.Stopped() != c.want {
			t.Errorf("%s: ended by the hit is %t, want %t, with %v used", c.name, m.Stopped(), c.want, used)
		}
		m.End()
	}
}

// TestWallClockStepsBack checks that limits hold even if the second reading of the
// wall clock is lower than the first, as on machines whose processors disagree by
// nanoseconds.
func TestWallClockStepsBack(t *testing.T) {
	for back := range time.Duration(3) {
		looks := time.Duration(0)
		now := func() time.Time { looks++; return time.Unix(1, 0).Add(-min(looks-1, 1) * back) }
		start := position.Start(position.Standard)
		m := beginBy(context.Background(), search.Limits{Nodes: 1}, &defaults, &start, false, now)
		if m.Check(1); !m.Stopped() {
			t.Errorf("%d ns back: the limit of nodes does not hold", back)
		}
		m.End()
	}
}
