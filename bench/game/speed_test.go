package game

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/position"
)

// TestSpeed counts the nodes of the last report to each position, and tells of an engine
// that tells none.
func TestSpeed(t *testing.T) {
	t.Parallel()
	positions := []position.Position{position.Start(position.Standard), position.Start(position.Blitz)}
	nodes, took, err := testPlayer(t, enginetest.Counts, nodes).Speed(context.Background(), positions, Conditions{})
	if want := 2 * enginetest.CountedNodes(1); err != nil || nodes != want || took <= 0 {
		t.Errorf("%d nodes in %v, not %d, %v", nodes, took, want, err)
	}
	_, _, err = testPlayer(t, enginetest.CountsNone, timing).Speed(context.Background(), positions, Conditions{})
	if err == nil || !strings.Contains(err.Error(), "tells no nodes") {
		t.Errorf("of an engine that tells none: %v", err)
	}
}

// TestScaledClocks multiplies real times alone, and has engines told of them.
func TestScaledClocks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		limits, want Limits
		factor       float64
	}{
		{Limits{Base: time.Second, Increment: 15 * time.Millisecond, Turns: 40}, Limits{Base: 1250 * time.Millisecond, Increment: 19 * time.Millisecond, Turns: 40}, 1.25},
		{Limits{MoveTime: time.Millisecond, Depth: 3}, Limits{MoveTime: time.Millisecond, Depth: 3}, 0.5},
		{Limits{MoveTime: time.Second}, Limits{MoveTime: time.Second}, 0},
		{Limits{MoveTime: time.Second, NodesTime: 5}, Limits{MoveTime: time.Second, NodesTime: 5}, 2},
		{Limits{Nodes: 7}, Limits{Nodes: 7}, 2},
	} {
		if diff := cmp.Diff(test.want, test.limits.scaled(test.factor)); diff != "" {
			t.Errorf("%v times %v: %s", test.limits, test.factor, diff)
		}
	}
	players := [2]*Player{testPlayer(t, enginetest.Good, timing), testPlayer(t, enginetest.Good, nodes)}
	said := traced(players[0])
	conditions := Conditions{TimeFactor: 2, Adjudication: Adjudication{MaxTurns: 14}}
	if _, err := Play(context.Background(), players, testOpening(3, 10), conditions); err != nil || !slices.Contains(said(), "go p1time 120000 p1inc 20") {
		t.Errorf("the engine was not told of twice its time: %q, %v", said(), err)
	}
	if err := (Conditions{TimeFactor: -1}).Check(); err == nil {
		t.Error("a negative factor was taken")
	}
}
