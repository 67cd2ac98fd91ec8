package timemanager

import (
	"context"
	"math"
	"testing"
	"time"

	"gyre/position"
	"gyre/search"
)

// TestNodesTime checks that a clock of nodes ends a search at the node that its limit
// stands for, whatever the wall says, and how it rounds.
func TestNodesTime(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		perMilli uint64
		moveTime time.Duration
		most     uint64 // nodes of the search
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
		m := Begin(context.Background(), search.Limits{MoveTime: &c.moveTime, NodesTime: c.perMilli}, &usual, &start, false)
		if !m.Allows(c.most) || c.most < unlimited && m.Allows(c.most+1) {
			t.Errorf("%v at %d nodes to a millisecond: not %d nodes at most", c.moveTime, c.perMilli, c.most)
		}
		if got := m.Elapsed(c.most); got != c.elapsed {
			t.Errorf("%d nodes at %d to a millisecond take %v, want %v", c.most, c.perMilli, got, c.elapsed)
		}
		m.End()
	}
}

// TestNodesTimeOfParts checks that the nodes of a part before take time too.
func TestNodesTimeOfParts(t *testing.T) {
	moveTime := 10 * time.Millisecond
	m := Begin(context.Background(), search.Limits{MoveTime: &moveTime, NodesTime: 100}, &usual, &start, false)
	defer m.End()
	m.LimitRest(400, 5_000)
	if got := m.Elapsed(200); got != 6*time.Millisecond {
		t.Errorf("%v gone, want 6ms", got)
	}
	if got := run(m, &virtual{}, 5_000); got != 600 {
		t.Errorf("ended after %d nodes more, want 600", got)
	}
}

// TestPonderByNodes checks that the nodes of the opponent's time count for nothing, and
// those from the hit on to the node.
func TestPonderByNodes(t *testing.T) {
	hit, moveTime := make(chan struct{}), 100*time.Millisecond
	m := Begin(context.Background(), search.Limits{Ponder: hit, MoveTime: &moveTime, NodesTime: 10}, &usual, &start, false)
	defer m.End()
	if got := run(m, &virtual{}, 900_000); got != 900_000 || !m.Allows(900_001) {
		t.Fatalf("ended after %d nodes on the opponent's time", got)
	}
	seen := m.clock.seen.Load()
	close(hit)
	for !m.clock.running() { // the clock is started by a thread of its own
		time.Sleep(time.Millisecond)
	}
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

// TestPonderCredit checks that what a search found by the opponent's time counts: the hit
// ends one that is sure of its turn, and no other.
func TestPonderCredit(t *testing.T) {
	hour, ms := time.Hour, time.Millisecond
	clock := &search.Clock{Left: 10 * time.Second} // a soft limit of 120 ms for a placing
	for _, c := range []struct {
		name   string
		limits search.Limits
		single bool
		best   search.Score
		nodes  uint64 // microseconds, by the opponent's time
		want   bool   // ended by the hit
	}{
		{"long enough", search.Limits{Clock: clock}, false, 50, 121_000, true},
		{"not long enough", search.Limits{Clock: clock}, false, 50, 119_000, false},
		{"a single turn", search.Limits{Clock: clock}, true, 50, 1000, true},
		{"a proven win", search.Limits{Clock: clock}, false, search.WinIn(3), 1000, true},
		{"a turn's time", search.Limits{MoveTime: &hour}, false, 50, 500_000, false},
		{"a question about mate", search.Limits{Clock: clock, Mate: 2}, false, 50, 500_000, false},
	} {
		hit := make(chan struct{})
		c.limits.Ponder, c.limits.NodesTime = hit, 1000
		m := Begin(context.Background(), c.limits, &usual, &start, c.single)
		if !m.StartIteration(5, c.nodes, c.best) || m.Stopped() {
			t.Errorf("%s: ended by the opponent's time", c.name)
		}
		close(hit)
		for !m.clock.running() { // by a thread of its own
			time.Sleep(ms)
		}
		used, _ := m.clock.used(c.nodes)
		if used != 0 || m.Stopped() != c.want {
			t.Errorf("%s: ended by the hit is %t, want %t, with %v used", c.name, m.Stopped(), c.want, used)
		}
		m.End()
	}
}

// TestClockOfTheWallStepsBack checks that limits hold also when the clock of the wall
// shows less at its second look than at its first, as on machines whose processors
// disagree by nanoseconds.
func TestClockOfTheWallStepsBack(t *testing.T) {
	for back := range time.Duration(3) {
		looks := time.Duration(0)
		now := func() time.Time { looks++; return time.Unix(1, 0).Add(-min(looks-1, 1) * back) }
		start := position.Start(position.Standard)
		m := beginBy(context.Background(), search.Limits{Nodes: 1}, &usual, &start, false, now)
		if m.Check(1); !m.Stopped() {
			t.Errorf("%d ns back: the limit of nodes does not hold", back)
		}
		m.End()
	}
}
