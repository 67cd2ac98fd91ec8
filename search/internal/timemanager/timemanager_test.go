package timemanager

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"gyre/position"
	"gyre/search"
)

// start is the root of searches that do not depend on one.
var start = position.Start(position.Standard)

// usual are the default parameters.
var usual = search.DefaultParameters()

// virtual is a clock that stands still until it is set.
type virtual struct{ shows atomic.Int64 }

func (v *virtual) now() time.Time            { return time.Unix(0, v.shows.Load()) }
func (v *virtual) set(elapsed time.Duration) { v.shows.Store(int64(elapsed)) }

// begin begins a search by a virtual clock.
func begin(t *testing.T, limits search.Limits) (*Manager, *virtual) {
	t.Helper()
	v := &virtual{}
	m := beginBy(context.Background(), limits, &usual, &start, false, v.now)
	t.Cleanup(m.End)
	return m, v
}

// run visits node after node, each a microsecond long, with an iteration every thousand
// nodes, and returns how many were visited when a limit ended the search, or most.
func run(m *Manager, v *virtual, most uint64) uint64 {
	next := uint64(0)
	for nodes := uint64(0); nodes < most; nodes++ {
		v.set(time.Duration(nodes) * time.Microsecond)
		if nodes >= next {
			next = m.Check(nodes)
		}
		if nodes%1000 == 0 && !m.StartIteration(int(nodes/1000)+1, nodes, 0) || m.Stopped() {
			return nodes
		}
	}
	return most
}

// TestFirstLimit checks that limits hold together, and at how many nodes each of them
// ends a search whose nodes take a microsecond, or count as one: then to the node.
func TestFirstLimit(t *testing.T) {
	const ms = time.Millisecond
	moveTime := func(d time.Duration) *time.Duration { return &d }
	clock := func(left time.Duration) *search.Clock { return &search.Clock{Left: left} }
	const most = 1_000_000
	for _, c := range []struct {
		name        string
		limits      search.Limits
		least, most uint64
	}{
		{"none", search.Limits{}, most, most},
		{"nodes", search.Limits{Nodes: 77_777}, 77_777, 77_777},
		{"movetime", search.Limits{MoveTime: moveTime(100 * ms)}, 100_000, 101_024},
		{"depth", search.Limits{Depth: 5}, 5_000, 5_000},
		{"clock", search.Limits{Clock: clock(400 * ms)}, 3_000, 12_000},
		{"nodes before movetime", search.Limits{Nodes: 50_000, MoveTime: moveTime(100 * ms)}, 50_000, 50_000},
		{"movetime before nodes", search.Limits{Nodes: 500_000, MoveTime: moveTime(100 * ms)}, 100_000, 101_024},
		{"clock before movetime", search.Limits{Clock: clock(200 * ms), MoveTime: moveTime(3000 * ms)}, 1_000, 6_128},
		{"movetime before clock", search.Limits{Clock: clock(time.Hour), MoveTime: moveTime(10 * ms)}, 10_000, 10_128},
		{"depth before all others", search.Limits{Depth: 2, Nodes: 5_000, Clock: clock(time.Hour), MoveTime: moveTime(10 * ms)}, 2_000, 2_000},
		{"nodes before all others", search.Limits{Depth: 7, Nodes: 5_000, Clock: clock(time.Hour), MoveTime: moveTime(10 * ms)}, 5_000, 5_000},
		{"no time if infinite", search.Limits{Infinite: true, Clock: clock(ms), MoveTime: moveTime(ms)}, most, most},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, v := begin(t, c.limits)
			if got := run(m, v, most); got < c.least || got > c.most {
				t.Errorf("ended after %d nodes, want from %d to %d", got, c.least, c.most)
			}
			c.limits.NodesTime = 1000
			m, _ = begin(t, c.limits)
			got := run(m, &virtual{}, most)
			if c.limits.Clock == nil && got != c.least || got < c.least || got > c.most {
				t.Errorf("ended after %d nodes by the clock of nodes, want %d", got, c.least)
			}
		})
	}
}

// TestRest checks that the nodes of a part before count, and that the rest has a limit of
// its own.
func TestRest(t *testing.T) {
	for _, c := range []struct{ limit, before, most, want uint64 }{
		{0, 500, 2_000, 2_000},
		{10_000, 500, 2_000, 2_000},
		{1_700, 500, 2_000, 1_200},
		{500, 500, 2_000, 0},
		{500, 600, 2_000, 0},
	} {
		m, v := begin(t, search.Limits{Nodes: c.limit})
		m.LimitRest(c.before, c.most)
		if m.Allows(c.want + 1) {
			t.Errorf("%+v: one node more is allowed", c)
		}
		if got := run(m, v, 100_000); got != c.want {
			t.Errorf("%+v: ended after %d nodes", c, got)
		}
	}
}

// TestPonder checks that nothing is limited while the opponent's clock runs, and that
// the time counts from the hit.
func TestPonder(t *testing.T) {
	hit, moveTime := make(chan struct{}), 100*time.Millisecond
	m, v := begin(t, search.Limits{Ponder: hit, MoveTime: &moveTime, Nodes: 500_000})
	if got := run(m, v, 900_000); got != 900_000 || !m.Allows(900_001) {
		t.Fatalf("ended after %d nodes on the opponent's time", got)
	}
	close(hit)
	for !m.clock.running() { // the clock is started by a thread of its own
		time.Sleep(time.Millisecond)
	}
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

// TestSteadySearchUsesLess checks that a search whose best turn changes goes on
// longer than one that is sure.
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

// TestEndsEarlyWithAClock checks that a single turn and a proven end take no time of a
// clock, but that of a turn's own time.
func TestEndsEarlyWithAClock(t *testing.T) {
	hour := time.Hour
	for _, c := range []struct {
		name   string
		limits search.Limits
		single bool
		best   search.Score
		want   bool
	}{
		{"a turn among others", search.Limits{Clock: &search.Clock{Left: hour}}, false, 50, true},
		{"the only turn", search.Limits{Clock: &search.Clock{Left: hour}}, true, 50, false},
		{"a proven win", search.Limits{Clock: &search.Clock{Left: hour}}, false, search.WinIn(3), false},
		{"the only turn, by movetime", search.Limits{MoveTime: &hour}, true, 50, true},
		{"a proven loss, by movetime", search.Limits{MoveTime: &hour}, false, search.LossIn(2), true},
	} {
		m := Begin(context.Background(), c.limits, &usual, &start, c.single)
		if got := m.StartIteration(5, 0, c.best); got != c.want {
			t.Errorf("%s: another iteration is %v, want %v", c.name, got, c.want)
		}
		m.End()
	}
}
