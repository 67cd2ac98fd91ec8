package game

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/position"
)

func TestVirtualTime(t *testing.T) {
	for _, test := range []struct {
		nodes, nodesTime uint64
		want             time.Duration
	}{
		{0, 1000, 0},
		{1, 1000, time.Microsecond},
		{1234567, 1000, 1234567 * time.Microsecond},
		{5, 3, 1666666},
		{999_999, 1_000_000, 999_999},
	} {
		if got := virtualTime(test.nodes, test.nodesTime); got != test.want {
			t.Errorf("%d nodes, %d a millisecond: %v, want %v", test.nodes, test.nodesTime, got, test.want)
		}
	}
	for _, nodesTime := range []uint64{1, 1_000_000} { // none is so long that it is negative
		if got := virtualTime(math.MaxUint64, nodesTime); got <= longest {
			t.Errorf("all nodes that there are, %d a millisecond: %v", nodesTime, got)
		}
	}
}

// counted are the times of an engine's turns that tells CountedNodes.
func counted(turns int, nodesTime uint64) (all []time.Duration) {
	for i := range turns {
		all = append(all, time.Duration(enginetest.CountedNodes(i+1)*uint64(time.Millisecond)/nodesTime))
	}
	return all
}

// times returns the times of one side's turns of a game.
func times(played *Played, side position.Side) (all []time.Duration) {
	start, err := played.Opening.End()
	if err != nil {
		return nil
	}
	for i := range played.Plies {
		if position.Side(i%2)^start.SideToMove() == side {
			all = append(all, played.Plies[i].Time)
		}
	}
	return all
}

// TestGameByNodes plays a whole game with a millisecond on the clock: its turns are
// charged with the nodes of the last report alone, which the engine was told of.
func TestGameByNodes(t *testing.T) {
	limits := Limits{Base: time.Millisecond, NodesTime: 1_000_000}
	var told []string
	players := [2]*Player{testPlayer(t, enginetest.Counts, limits), testPlayer(t, enginetest.Good, nodes)}
	players[0].trace = func(toEngine bool, line string) {
		if toEngine {
			told = append(told, line)
		}
	}
	played, err := Play(context.Background(), players, testOpening(3, 11), Conditions{})
	if err != nil {
		t.Fatal(err)
	}
	checkGame(t, played)
	got := times(played, position.White)
	if diff := cmp.Diff(counted(len(got), limits.NodesTime), got); diff != "" || played.Reason.Fault() || len(got) < 10 {
		t.Errorf("ended by %v, times (-want +got):\n%s", played.Reason, diff)
	}
	if played.Plies[0].Nodes != 10 || played.Plies[1].Nodes != enginetest.CountedNodes(1) { // black begins after the opening
		t.Errorf("nodes %d and %d", played.Plies[0].Nodes, played.Plies[1].Nodes)
	}
	all := strings.Join(told, "\n")
	for _, want := range []string{"setoption name nodestime value 1000000", "go p1time 1"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q was not said", want)
		}
	}
}

// TestFlagByNodes has engines overrun virtual time, and says exactly where: a node is
// 10 microseconds, so the turns take 10.07 ms, 10.14 ms, 10.21 ms and so on.
func TestFlagByNodes(t *testing.T) {
	for _, test := range []struct {
		name   string
		limits Limits
		margin time.Duration
		turns  int // that count
		detail string
		late   []time.Duration
	}{
		{"clock", Limits{Base: 25 * time.Millisecond}, 0, 2, "took 10.21ms of 4.79ms: 1021 nodes", []time.Duration{5420 * time.Microsecond}},
		{"increment", Limits{Base: 25 * time.Millisecond, Increment: time.Millisecond}, 0, 2, "took 10.21ms of 6.79ms", []time.Duration{3420 * time.Microsecond}},
		{"margin", Limits{Base: 25 * time.Millisecond, Increment: time.Millisecond}, 5 * time.Millisecond, 3, "took 10.28ms of 1ms",
			[]time.Duration{3420 * time.Microsecond, 9280 * time.Microsecond}},
		{"time a turn", Limits{MoveTime: 10 * time.Millisecond}, 200 * time.Microsecond, 2, "took 10.21ms of 10ms",
			[]time.Duration{70 * time.Microsecond, 140 * time.Microsecond, 210 * time.Microsecond}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.limits.NodesTime = 100
			players := [2]*Player{testPlayer(t, enginetest.Counts, test.limits), testPlayer(t, enginetest.Good, nodes)}
			played, err := Play(context.Background(), players, testOpening(3, 11), Conditions{Margin: test.margin})
			if err != nil {
				t.Fatal(err)
			}
			if played.Reason != TimeForfeit || played.Result != position.BlackWins || !strings.Contains(played.Detail, test.detail) {
				t.Errorf("%v by %v: %s", played.Result, played.Reason, played.Detail)
			}
			got := times(played, position.White)
			if diff := cmp.Diff(counted(test.turns, 100), got); diff != "" {
				t.Errorf("times (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.late, played.Late); diff != "" {
				t.Errorf("late (-want +got):\n%s", diff)
			}
		})
	}
}

// TestHangsByNodes checks that real time ends an engine that never answers, however
// much virtual time it has.
func TestHangsByNodes(t *testing.T) {
	t.Parallel()
	limits := Limits{Base: time.Hour, NodesTime: 1}
	players := [2]*Player{testPlayer(t, enginetest.CountsHangs, limits), testPlayer(t, enginetest.Good, nodes)}
	played, err := Play(context.Background(), players, testOpening(3, 11), Conditions{TurnPatience: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if played.Reason != Stall || played.Result != position.BlackWins {
		t.Errorf("%v by %v: %s", played.Result, played.Reason, played.Detail)
	}
}

// TestCheckByNodes checks which engines cannot play by a virtual clock.
func TestCheckByNodes(t *testing.T) {
	t.Parallel()
	limits := Limits{MoveTime: time.Millisecond, NodesTime: 1000}
	for name, want := range map[string]string{
		enginetest.Counts:     "",
		enginetest.Good:       "it has no option nodestime, so its time cannot be counted in nodes",
		enginetest.CountsNone: "it tells no nodes before its turn, so its time cannot be counted in them",
	} {
		checked, err := testPlayer(t, name, limits).Check(context.Background(), testOpening(1, 11), Conditions{})
		if err == nil && want != "" || err != nil && err.Error() != want || checked.Warning != nil {
			t.Errorf("%s: %+v, %v", name, checked, err)
		}
	}
}
