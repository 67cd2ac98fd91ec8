package game

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/position"
)

// TestGames plays games of good engines, as programs that stay the same.
func TestGames(t *testing.T) {
	players := [2]*Player{testPlayer(t, enginetest.Good, nodes), testPlayer(t, enginetest.Good, timing)}
	for seed := range uint64(4) {
		played, err := Play(context.Background(), players, testOpening(seed, 12), Conditions{})
		if err != nil {
			t.Fatal(err)
		}
		checkGame(t, played)
		if played.Reason.Fault() || played.Lasted <= 0 {
			t.Errorf("ended by %v: %s", played.Reason, played.Detail)
		}
		players[0], players[1] = players[1], players[0]
	}
}

// TestRestart checks that a player whose engine has misbehaved plays on with a
// new one, and one whose engine has not with the same.
func TestRestart(t *testing.T) {
	counts := [2]int{}
	var players [2]*Player
	dirs := [2]string{t.TempDir(), t.TempDir()}
	for side, name := range []string{enginetest.Illegal, enginetest.Good} {
		engine := &Engine{Name: name, Start: enginetest.Program(name, dirs[side]).Start, Limits: nodes}
		players[side] = NewPlayer(engine, hasty, nil)
		defer players[side].Kill()
	}
	for range 3 {
		if _, err := Play(context.Background(), players, testOpening(5, 11), Conditions{}); err != nil {
			t.Fatal(err)
		}
	}
	for side, dir := range dirs {
		players[side].Kill()
		var err error
		if _, counts[side], err = enginetest.Left(dir); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([2]int{3, 1}, counts); diff != "" {
		t.Errorf("processes started (-want +got):\n%s", diff)
	}
}

// TestMaxTurns ends a game as a draw after so many turns, those of the opening included.
func TestMaxTurns(t *testing.T) {
	t.Parallel()
	players := [2]*Player{testPlayer(t, enginetest.Good, nodes), testPlayer(t, enginetest.Good, nodes)}
	played, err := Play(context.Background(), players, testOpening(1, 11), Conditions{Adjudication: Adjudication{MaxTurns: 20}})
	if err != nil {
		t.Fatal(err)
	}
	if played.Reason != TurnLimit || played.Result != position.Draw || len(played.Plies) != 9 || played.Detail != "the game had 20 turns" {
		t.Errorf("%v by %v after %d turns: %s", played.Result, played.Reason, len(played.Plies), played.Detail)
	}
	checkGame(t, played)
}

// TestOwnMargin has an engine overrun its time by a virtual clock within its own margin,
// which is wider than that of the others, and narrower.
func TestOwnMargin(t *testing.T) {
	t.Parallel()
	limits := Limits{MoveTime: 10 * time.Millisecond, NodesTime: 100}
	for _, test := range []struct {
		own, others time.Duration
		forfeits    bool
	}{{100 * time.Millisecond, 0, false}, {0, 100 * time.Millisecond, true}} {
		players := [2]*Player{testPlayer(t, enginetest.Counts, limits), testPlayer(t, enginetest.Good, nodes)}
		players[0].Engine.Margin, players[0].Engine.HasMargin = test.own, true
		played, err := Play(context.Background(), players, testOpening(3, 11), Conditions{Margin: test.others})
		if err != nil {
			t.Fatal(err)
		}
		if (played.Reason == TimeForfeit) != test.forfeits {
			t.Errorf("margin %v, of others %v: ended by %v, %s", test.own, test.others, played.Reason, played.Detail)
		}
	}
}

// TestNoGame checks what keeps a game from being played.
func TestNoGame(t *testing.T) {
	t.Parallel()
	good := func() *Player { return testPlayer(t, enginetest.Good, nodes) }
	bad := func() *Player { return testPlayer(t, enginetest.Exits, nodes) }
	unset := good()
	unset.Engine.Settings = []Setting{{"Depht", "1"}}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	ended := testOpening(1, 11)
	ended.Turns = append(ended.Turns, ended.Turns[0])
	for _, test := range []struct {
		name    string
		ctx     context.Context
		players [2]*Player
		opening Opening
		want    string
	}{
		{"no such option", context.Background(), [2]*Player{good(), unset}, testOpening(1, 11), `"Depht"`},
		{"neither starts", context.Background(), [2]*Player{bad(), bad()}, testOpening(1, 11), "neither engine"},
		{"cancelled", cancelled, [2]*Player{good(), good()}, testOpening(1, 11), "canceled"},
		{"illegal opening", context.Background(), [2]*Player{good(), good()}, ended, "turn 12"},
	} {
		t.Run(test.name, func(t *testing.T) {
			played, err := Play(test.ctx, test.players, test.opening, Conditions{})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%+v, error %v", played, err)
			}
		})
	}
}

// TestAdjudicatedGame checks that a game which the scores end says why.
func TestAdjudicatedGame(t *testing.T) {
	t.Parallel()
	players := [2]*Player{testPlayer(t, enginetest.Good, nodes), testPlayer(t, enginetest.Good, nodes)}
	rules := Adjudication{DrawTurns: 2, DrawScore: 30, DrawFrom: 20}
	played, err := Play(context.Background(), players, testOpening(1, 11), Conditions{Adjudication: rules})
	if err != nil {
		t.Fatal(err)
	}
	const why = "no score was above 0.30 for 2 turns of each, at turn 20 or later"
	if played.Reason != AdjudicatedDraw || played.Detail != why || len(played.Plies) != 9 {
		t.Errorf("%v after %d turns: %s", played.Reason, len(played.Plies), played.Detail)
	}
	checkGame(t, played)
}

// TestConditions checks the numbers that are refused.
func TestConditions(t *testing.T) {
	for _, wrong := range []Conditions{{Margin: -1}, {TurnPatience: -1}, {Adjudication: Adjudication{MaxTurns: -1}}, {Adjudication: Adjudication{WinTurns: 1}}} {
		if wrong.Check() == nil {
			t.Errorf("%+v was taken", wrong)
		}
	}
}

// TestCancel ends a game of a hanging engine.
func TestCancel(t *testing.T) {
	t.Parallel()
	players := [2]*Player{testPlayer(t, enginetest.Hangs, nodes), testPlayer(t, enginetest.Good, nodes)}
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if _, err := Play(ctx, players, testOpening(1, 11), Conditions{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}
