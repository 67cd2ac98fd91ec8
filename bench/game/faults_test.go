package game

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"gyre/bench/enginetest"
	"gyre/position"
	"gyre/protocol"
)

// TestFaults plays games in which one engine misbehaves, as either side, and
// then a game of the same players more: the fault is the engine's each time.
func TestFaults(t *testing.T) {
	shortTime := Limits{Base: 200 * time.Millisecond}
	for _, test := range []struct {
		name   string
		limits Limits
		want   Reason
		detail string
	}{
		{enginetest.Exits, nodes, StartFailure, "no weights"},
		{enginetest.Silent, nodes, StartFailure, "handshake"},
		{enginetest.Dies, nodes, Disconnect, "index out of range"},
		{enginetest.Dies, timing, Disconnect, "exit status 7"},
		{enginetest.Hangs, nodes, Stall, "gives no turn"},
		{enginetest.Hangs, Limits{Base: time.Second}, Stall, "gives no turn"},
		{enginetest.Late, shortTime, TimeForfeit, "took"},
		{enginetest.Late, Limits{MoveTime: 100 * time.Millisecond}, TimeForfeit, "of 100ms"},
		{enginetest.Illegal, nodes, IllegalTurn, "a1"},
		{enginetest.Resigns, timing, IllegalTurn, "none"},
		{enginetest.Garbage, nodes, ProtocolError, "Once"},
		{enginetest.Twice, nodes, ProtocolError, "nobody asked for"},
		{enginetest.ClosesPipe, nodes, Disconnect, "closed its output"},
	} {
		t.Run(test.name+" "+test.limits.String(), func(t *testing.T) {
			t.Parallel()
			conditions := Conditions{}
			if test.want == Stall {
				conditions.TurnPatience = time.Second
			}
			bad, good := testPlayer(t, test.name, test.limits), testPlayer(t, enginetest.Good, nodes)
			for _, side := range []position.Side{position.White, position.Black} {
				players := [2]*Player{good, good}
				players[side] = bad
				played, err := Play(context.Background(), players, testOpening(7, 11), conditions)
				if err != nil {
					t.Fatal(err)
				}
				if played.Result != win(side.Opponent()) || played.Reason != test.want {
					t.Errorf("%v by %v against %v: %s", played.Result, played.Reason, side, played.Detail)
				}
				if !strings.Contains(played.Detail, test.detail) || strings.Contains(played.Detail, "\n") {
					t.Errorf("detail %q does not tell %q", played.Detail, test.detail)
				}
				if forfeit := test.want == TimeForfeit; len(played.Late) > 0 != forfeit || forfeit && played.Late[0] < 100*time.Millisecond {
					t.Errorf("late by %v", played.Late)
				}
				checkGame(t, played)
			}
		})
	}
}

// TestLateWithinMargin has an engine answer late in a game that allows for it: it
// goes on, and tells of it.
func TestLateWithinMargin(t *testing.T) {
	late, good := testPlayer(t, enginetest.Late, Limits{MoveTime: 100 * time.Millisecond}), testPlayer(t, enginetest.Good, nodes)
	played, err := Play(context.Background(), [2]*Player{late, good}, testOpening(7, 11), Conditions{Margin: 10 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if played.Reason.Fault() || len(played.Late) == 0 || slices.Max(played.Late) < 300*time.Millisecond {
		t.Errorf("%v, late by %v", played.Reason, played.Late)
	}
}

// TestFaultless checks what is strange and no fault: a flood of reports, a long
// game of a slow engine within its time, and not ending when told to.
func TestFaultless(t *testing.T) {
	for _, test := range []struct {
		name   string
		limits Limits
	}{
		{enginetest.Flood, nodes},
		{enginetest.Slow, Limits{Base: 20 * time.Second, Increment: 100 * time.Millisecond}},
		{enginetest.IgnoresQuit, nodes},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.name == enginetest.Flood && testing.Short() {
				t.Skip("100 MB")
			}
			t.Parallel()
			players := [2]*Player{testPlayer(t, test.name, test.limits), testPlayer(t, enginetest.Good, nodes)}
			played, err := Play(context.Background(), players, testOpening(3, 11), Conditions{})
			if err != nil {
				t.Fatal(err)
			}
			if played.Reason.Fault() {
				t.Errorf("%v by %v: %s", played.Result, played.Reason, played.Detail)
			}
			err = players[0].Close()
			if unwilling := test.name == enginetest.IgnoresQuit; unwilling != (err != nil) {
				t.Errorf("closing: %v", err)
			}
		})
	}
}

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

// TestFloodOutOfTime checks that an engine that floods us is out of time when
// its time is over, not when its flood is.
func TestFloodOutOfTime(t *testing.T) {
	t.Parallel()
	limits := Limits{MoveTime: 20 * time.Millisecond}
	players := [2]*Player{testPlayer(t, enginetest.Flood, limits), testPlayer(t, enginetest.Good, nodes)}
	played, err := Play(context.Background(), players, testOpening(3, 11), Conditions{})
	if err != nil {
		t.Fatal(err)
	}
	if played.Reason != TimeForfeit && played.Reason != Stall || played.Result != position.BlackWins {
		t.Errorf("%v by %v: %s", played.Result, played.Reason, played.Detail)
	}
}
