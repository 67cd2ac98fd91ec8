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

// TestFaultAfterLastTurn checks that closing a player reports a fault after its last turn.
func TestFaultAfterLastTurn(t *testing.T) {
	t.Parallel()
	p := testPlayer(t, enginetest.Twice, nodes)
	opening := testOpening(1, 11)
	if _, err := p.prepare(opening, Conditions{}); err != nil {
		t.Fatal(err)
	}
	client := p.running()
	for range 3 {
		if _, err := client.Go(context.Background(), protocol.Limits{Nodes: 1}, nil); err != nil {
			t.Fatal(err)
		}
	}
	_ = client.Ready() // all its output has been read
	if err := p.Close(); err == nil || !strings.Contains(err.Error(), "unsolicited") {
		t.Errorf("closed: %v", err)
	}
}

// TestOverhead checks that the overhead of an engine with a clock is reduced by the
// margin, unless its description sets the option.
func TestOverhead(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		limits   Limits
		margin   time.Duration
		settings []Setting
		want     string // empty for none
	}{
		{timing, 6 * time.Millisecond, nil, "setoption name MoveOverhead value 4"},
		{timing, 20 * time.Millisecond, nil, "setoption name MoveOverhead value 1"},
		{nodes, 6 * time.Millisecond, nil, ""},
		{timing, 6 * time.Millisecond, []Setting{{"moveoverhead", "7"}}, "setoption name MoveOverhead value 7"},
	} {
		traced, log := tracedPlayer(t, test.limits, test.settings...)
		players := [2]*Player{traced, testPlayer(t, enginetest.Good, nodes)}
		if _, err := Play(context.Background(), players, testOpening(8, 11), Conditions{Margin: test.margin}); err != nil {
			t.Fatal(err)
		}
		sent := slices.DeleteFunc(log.lines, func(line string) bool { return !strings.Contains(line, "MoveOverhead") })
		if strings.Join(sent, "; ") != test.want {
			t.Errorf("%v: sent %q, want %q", test.limits, sent, test.want)
		}
	}
}

// TestSettingsChange checks that a player's options change between games on the running
// engine, and that a restarted engine gets all of them.
func TestSettingsChange(t *testing.T) {
	t.Parallel()
	traced, log := tracedPlayer(t, nodes, Setting{"MoveOverhead", "3"}, Setting{"Hash", "2"})
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
	var sent []string
	for _, line := range log.lines {
		if words := strings.Fields(line); words[0] == "setoption" && words[2] != "Rules" {
			sent = append(sent, words[2]+" "+words[4])
		}
	}
	want := []string{"MoveOverhead 3", "Hash 2", "Hash 5", "MoveOverhead 3", "Hash 5"}
	if !slices.Equal(sent, want) {
		t.Errorf("sent %q, want %q", sent, want)
	}
	if got := shared.Settings[1]; got != (Setting{"Hash", "2"}) {
		t.Errorf("the shared description now has %v", got)
	}
}

// TestSpeed checks that the nodes of the last report for each position are counted, and
// that an engine without node counts is an error.
func TestSpeed(t *testing.T) {
	t.Parallel()
	positions := []position.Position{position.Start(position.Standard), position.Start(position.Blitz)}
	nodes, took, err := testPlayer(t, enginetest.Counts, nodes).Speed(context.Background(), positions, Conditions{})
	if want := 2 * enginetest.CountedNodes(1); err != nil || nodes != want || took <= 0 {
		t.Errorf("%d nodes in %v, not %d, %v", nodes, took, want, err)
	}
	_, _, err = testPlayer(t, enginetest.CountsNone, timing).Speed(context.Background(), positions, Conditions{})
	if err == nil || !strings.Contains(err.Error(), "reports no nodes") {
		t.Errorf("of an engine that tells none: %v", err)
	}
}

// TestScaledClocks checks that only real times are multiplied, also for the engines.
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
	sent := traced(players[0])
	conditions := Conditions{TimeFactor: 2, Adjudication: Adjudication{MaxTurns: 14}}
	if _, err := Play(context.Background(), players, testOpening(3, 10), conditions); err != nil || !slices.Contains(sent(), "go p1time 120000 p1inc 20") {
		t.Errorf("the engine did not receive twice its time: %q, %v", sent(), err)
	}
	if err := (Conditions{TimeFactor: -1}).Check(); err == nil {
		t.Error("a negative factor was accepted")
	}
}

// TestCheckByNodes checks engines for the virtual clock.
func TestCheckByNodes(t *testing.T) {
	t.Parallel()
	limits := Limits{MoveTime: time.Millisecond, NodesTime: 1000}
	for name, want := range map[string]string{
		enginetest.Counts:     "",
		enginetest.Good:       "it has no option nodestime, so its time cannot be counted in nodes",
		enginetest.CountsNone: "it reports no nodes before its turn, so its time cannot be counted in nodes",
	} {
		checked, err := testPlayer(t, name, limits).Check(context.Background(), testOpening(1, 11), Conditions{})
		if err == nil && want != "" || err != nil && err.Error() != want || checked.Warning != nil {
			t.Errorf("%s: %+v, %v", name, checked, err)
		}
	}
}
