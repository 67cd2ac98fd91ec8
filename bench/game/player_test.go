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
	"gyre/protocol"
)

// TestFaultAfterLastTurn checks that closing a player tells of a fault that showed
// after its last turn.
func TestFaultAfterLastTurn(t *testing.T) {
	t.Parallel()
	p := testPlayer(t, enginetest.Twice, nodes)
	opening := testOpening(1, 11)
	if _, err := p.prepare(opening, Conditions{}); err != nil {
		t.Fatal(err)
	}
	client := p.running()
	for range 3 {
		if _, err := client.Go(context.Background(), protocol.Limits{HasNodes: true, Nodes: 1}, nil); err != nil {
			t.Fatal(err)
		}
	}
	_ = client.Ready() // all that it said was heard
	if err := p.Close(); err == nil || !strings.Contains(err.Error(), "nobody asked for") {
		t.Errorf("closed: %v", err)
	}
}

// TestOverheadTold checks that an engine with a clock is told how much of its
// overhead the margin forgives, unless its description sets the option.
func TestOverheadTold(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		limits   Limits
		margin   time.Duration
		settings []Setting
		want     string // empty for none told
	}{
		{timing, 6 * time.Millisecond, nil, "setoption name MoveOverhead value 4"},
		{timing, 20 * time.Millisecond, nil, "setoption name MoveOverhead value 1"},
		{nodes, 6 * time.Millisecond, nil, ""},
		{timing, 6 * time.Millisecond, []Setting{{"moveoverhead", "7"}}, "setoption name MoveOverhead value 7"},
	} {
		traced, heard := tracedPlayer(t, test.limits, test.settings...)
		players := [2]*Player{traced, testPlayer(t, enginetest.Good, nodes)}
		if _, err := Play(context.Background(), players, testOpening(8, 11), Conditions{Margin: test.margin}); err != nil {
			t.Fatal(err)
		}
		told := slices.DeleteFunc(heard.lines, func(line string) bool { return !strings.Contains(line, "MoveOverhead") })
		if strings.Join(told, "; ") != test.want {
			t.Errorf("%v: told %q, want %q", test.limits, told, test.want)
		}
	}
}

// TestSettingsChange checks that a player's options change from game to game on the
// engine that runs, and that an engine started anew has them all.
func TestSettingsChange(t *testing.T) {
	t.Parallel()
	traced, heard := tracedPlayer(t, nodes, Setting{"MoveOverhead", "3"}, Setting{"Hash", "2"})
	other := testPlayer(t, enginetest.Good, nodes)
	shared := traced.Engine
	play := func() {
		t.Helper()
		if _, err := Play(context.Background(), [2]*Player{traced, other}, testOpening(2, 11), Conditions{}); err != nil {
			t.Fatal(err)
		}
	}
	play()
	traced.Set([]Setting{{"hash", "5"}})
	play()
	play()
	traced.Kill()
	play()
	var told []string
	for _, line := range heard.lines {
		if words := strings.Fields(line); words[0] == "setoption" && words[2] != "Rules" {
			told = append(told, words[2]+" "+words[4])
		}
	}
	want := []string{"MoveOverhead 3", "Hash 2", "Hash 5", "MoveOverhead 3", "Hash 5"}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	if got := shared.Settings[1]; got != (Setting{"Hash", "2"}) {
		t.Errorf("the description that others share has %v", got)
	}
}

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
