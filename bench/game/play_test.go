package game

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/position"
	"gyre/protocol"
	"gyre/search"
)

// TestGames plays games of well-behaved engines, which keep running between games.
func TestGames(t *testing.T) {
	players := [2]*Player{testPlayer(t, enginetest.Good, nodes), testPlayer(t, enginetest.Good, timing)}
	for seed := range uint64(4) {
		played, err := onTime(context.Background(), players, testOpening(seed, 12), Conditions{})
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

// TestRestart checks that a player restarts its engine after a fault, and only then.
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

// TestMaxTurns checks that a game is a draw after MaxTurns turns, including the opening.
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

// TestOwnMargin lets an engine overrun its virtual clock with a margin of its own that is larger
// and smaller than that of the conditions.
func TestOwnMargin(t *testing.T) {
	t.Parallel()
	limits := TimeControl{MoveTime: 10 * time.Millisecond, NodesTime: 100}
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

// TestNoGame checks the errors of games that cannot be played.
func TestNoGame(t *testing.T) {
	t.Parallel()
	good := func() *Player { return testPlayer(t, enginetest.Good, nodes) }
	bad := func() *Player { return testPlayer(t, enginetest.Exits, nodes) }
	unset := good()
	unset.Engine.Settings = []Setting{{"Depht", "1"}}
	canceled, cancel := context.WithCancel(context.Background())
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
		{"canceled", canceled, [2]*Player{good(), good()}, testOpening(1, 11), "canceled"},
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

// TestAdjudicatedGame checks the detail of an adjudicated game.
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

// TestConditions checks that invalid conditions are rejected.
func TestConditions(t *testing.T) {
	for _, wrong := range []Conditions{{Margin: -1}, {Margin: longest + 1}, {TurnPatience: -1}, {TurnPatience: longest + 1}, {Adjudication: Adjudication{MaxTurns: -1}}, {Adjudication: Adjudication{WinTurns: 1}}} {
		if wrong.Check() == nil {
			t.Errorf("%+v was accepted", wrong)
		}
	}
}

// TestCancel cancels a game while a program hangs in its third search.
func TestCancel(t *testing.T) {
	t.Parallel()
	players := [2]*Player{testPlayer(t, enginetest.Hangs, nodes), testPlayer(t, enginetest.Good, nodes)}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	searches := 0
	players[0].trace = func(toEngine bool, line string) {
		if toEngine && strings.HasPrefix(line, "go ") {
			if searches++; searches == 3 {
				cancel()
			}
		}
	}
	if _, err := Play(ctx, players, testOpening(1, 11), Conditions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestCancelHandshake cancels games, checks and measurements of engines that never answer the handshake: before and during
// it. Nobody waits for their patience.
func TestCancelHandshake(t *testing.T) {
	for name, do := range map[string]func(context.Context, *Player, *Player) error{
		"game": func(ctx context.Context, p, other *Player) error {
			_, err := Play(ctx, [2]*Player{p, other}, testOpening(1, 11), Conditions{})
			return err
		},
		"check": func(ctx context.Context, p, _ *Player) error {
			_, err := p.Check(ctx, testOpening(1, 11), Conditions{})
			return err
		},
		"speed": func(ctx context.Context, p, _ *Player) error {
			_, _, err := p.Speed(ctx, []position.Position{position.Start(position.Standard)}, Conditions{})
			return err
		},
	} {
		for _, before := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if before {
					cancel()
				}
				var players [2]*Player
				for i := range players {
					players[i] = localPlayer(t, enginetest.Silent, nodes)
					players[i].patience.Handshake = longest
					players[i].trace = func(bool, string) { cancel() }
				}
				began := time.Now()
				if err := do(ctx, players[0], players[1]); !errors.Is(err, context.Canceled) || time.Since(began) > time.Minute {
					t.Errorf("%s, canceled before: %v: error %v after %v", name, before, err, time.Since(began))
				}
			})
		}
	}
}

// TestFaults plays games in which one program misbehaves, first with White and then with
// Black. It loses each time.
func TestFaults(t *testing.T) {
	for _, test := range []faultTest{
		{name: enginetest.Exits, limits: nodes, want: StartFailure, detail: "no weights"},
		{name: enginetest.Dies, limits: nodes, want: Disconnect, detail: "index out of range"},
		{name: enginetest.Dies, limits: timing, want: Disconnect, detail: "exit status 7"},
		{name: enginetest.Illegal, limits: nodes, want: IllegalTurn, detail: "a1"},
		{name: enginetest.Resigns, limits: timing, want: IllegalTurn, detail: "none"},
		{name: enginetest.Garbage, limits: nodes, want: ProtocolError, detail: "Once"},
		{name: enginetest.Twice, limits: nodes, want: ProtocolError, detail: "unsolicited"},
		{name: enginetest.ClosesPipe, limits: nodes, want: Disconnect, detail: "closed its output"},
	} {
		t.Run(test.name+" "+test.limits.String(), func(t *testing.T) {
			t.Parallel()
			test.run(t, testPlayer(t, test.name, test.limits), testPlayer(t, enginetest.Good, nodes))
		})
	}
}

// TestFaultsInTime does the same with engines that lose by time, which is simulated.
func TestFaultsInTime(t *testing.T) {
	for _, test := range []faultTest{
		{name: enginetest.Silent, limits: nodes, want: StartFailure, detail: "handshake"},
		{name: enginetest.Hangs, limits: nodes, want: Stall, detail: "gave no turn"},
		{name: enginetest.Hangs, limits: TimeControl{Base: time.Second}, want: Stall, detail: "gave no turn"},
		{name: enginetest.CountsHangs, limits: TimeControl{Base: time.Hour, NodesTime: 1}, want: Stall, detail: "gave no turn"},
		{name: enginetest.Late, limits: TimeControl{Base: 200 * time.Millisecond}, want: TimeForfeit, detail: "took 400ms of 200ms", late: 200 * time.Millisecond},
		{name: enginetest.Late, limits: TimeControl{MoveTime: 100 * time.Millisecond}, want: TimeForfeit, detail: "took 400ms of 100ms", late: 300 * time.Millisecond},
	} {
		t.Run(test.name+" "+test.limits.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				test.run(t, localPlayer(t, test.name, test.limits), localPlayer(t, enginetest.Good, nodes))
			})
		})
	}
}

// faultTest is a game that an engine loses by a fault.
type faultTest struct {
	name   string
	limits TimeControl
	want   Reason
	detail string        // part of it
	late   time.Duration // of the last answer; 0 for none
}

func (test faultTest) run(t *testing.T, bad, good *Player) {
	for _, side := range []position.Side{position.White, position.Black} {
		players := [2]*Player{good, good}
		players[side] = bad
		played, err := Play(context.Background(), players, testOpening(7, 11), Conditions{})
		if err != nil {
			t.Fatal(err)
		}
		if played.Result != position.WonBy(side.Opponent()) || played.Reason != test.want {
			t.Errorf("%v by %v against %v: %s", played.Result, played.Reason, side, played.Detail)
		}
		if !strings.Contains(played.Detail, test.detail) || strings.Contains(played.Detail, "\n") {
			t.Errorf("detail %q does not contain %q", played.Detail, test.detail)
		}
		var late time.Duration
		for _, late = range played.Late {
		}
		if late != test.late {
			t.Errorf("late by %v, want %v", played.Late, test.late)
		}
		checkGame(t, played)
	}
}

// TestLateWithinMargin checks that a late answer within the margin is recorded and does not
// end the game.
func TestLateWithinMargin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late, good := localPlayer(t, enginetest.Late, TimeControl{MoveTime: 100 * time.Millisecond}), localPlayer(t, enginetest.Good, nodes)
		played, err := Play(context.Background(), [2]*Player{late, good}, testOpening(7, 11), Conditions{Margin: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]time.Duration{300 * time.Millisecond}, played.Late); diff != "" || played.Reason.Fault() {
			t.Errorf("%v, late (-want +got):\n%s", played.Reason, diff)
		}
	})
}

// TestSlow plays a long game of a slow engine within its time.
func TestSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := TimeControl{Base: 20 * time.Second, Increment: 100 * time.Millisecond}
		players := [2]*Player{localPlayer(t, enginetest.Slow, limits), localPlayer(t, enginetest.Good, nodes)}
		played, err := onTime(context.Background(), players, testOpening(3, 11), Conditions{})
		if err != nil {
			t.Fatal(err)
		}
		if played.Reason.Fault() || played.Plies[7].Time != 20*time.Millisecond {
			t.Errorf("%v by %v: %s, fourth turn %v", played.Result, played.Reason, played.Detail, played.Plies[7].Time)
		}
	})
}

// TestFaultless checks unusual behavior that is not a fault: a flood of reports, and an
// engine that ignores `quit`.
func TestFaultless(t *testing.T) {
	for _, test := range []struct {
		name   string
		limits TimeControl
	}{
		{enginetest.Flood, nodes},
		{enginetest.IgnoresQuit, nodes},
	} {
		t.Run(test.name, func(t *testing.T) {
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

// TestFloodOutOfTime checks that an engine that floods its output loses on time when its
// time is over, not at the end of the flood.
func TestFloodOutOfTime(t *testing.T) {
	t.Parallel()
	limits := TimeControl{MoveTime: 20 * time.Millisecond}
	play := func() (*Played, error) {
		players := [2]*Player{testPlayer(t, enginetest.Flood, limits), testPlayer(t, enginetest.Good, nodes)}
		return Play(context.Background(), players, testOpening(3, 11), Conditions{})
	}
	played, err := play()
	for errors.As(err, new(*LateError)) { // a busy machine makes this program late, too: then the game says nothing
		played, err = play()
	}
	if err != nil {
		t.Fatal(err)
	}
	if played.Reason != TimeForfeit && played.Reason != Stall || played.Result != position.BlackWins {
		t.Errorf("%v by %v: %s", played.Result, played.Reason, played.Detail)
	}
}

// TestPonder plays a game of an engine that ponders against an engine without that option.
// Each pondering search ends by ponderhit or stop, both occur, and the game is the same as
// without pondering.
func TestPonder(t *testing.T) {
	t.Parallel()
	game := func(name string, conditions Conditions) (*Played, []string) {
		players := [2]*Player{testPlayer(t, name, timing), testPlayer(t, enginetest.Good, timing)}
		sent := traced(players[0])
		played, err := onTime(context.Background(), players, testOpening(3, 12), conditions)
		if err != nil {
			t.Fatal(err)
		}
		return played, sent()
	}
	plain, _ := game(enginetest.Good, Conditions{Ponder: true})
	off, sent := game(enginetest.Ponders, Conditions{})
	if diff := cmp.Diff(turnsOf(plain), turnsOf(off)); diff != "" || strings.Contains(strings.Join(sent, "\n"), "onder") {
		t.Errorf("without -ponder: %s, %q", diff, sent)
	}
	played, sent := game(enginetest.Ponders, Conditions{Ponder: true})
	checkGame(t, played)
	if diff := cmp.Diff(turnsOf(plain), turnsOf(played)); diff != "" || played.Reason.Fault() {
		t.Errorf("%v: %s", played.Reason, diff)
	}
	hits, stops, set, pondering := 0, 0, false, false
	for _, line := range sent {
		switch {
		case line == "setoption name Ponder value true":
			set = true
		case strings.HasPrefix(line, "go ponder"):
			pondering = true
			if !strings.Contains(line, "p1time") {
				t.Errorf("no clock in %q", line)
			}
		case line == "ponderhit" || line == "stop":
			if !pondering {
				t.Errorf("%s to an engine that is not pondering", line)
			}
			pondering = false
			if line == "stop" {
				stops++
			} else {
				hits++
			}
		case pondering && (strings.HasPrefix(line, "go") || strings.HasPrefix(line, "position")):
			t.Errorf("%q while it is pondering", line)
		}
	}
	if !set || pondering || hits < 5 || stops < 2 {
		t.Errorf("set: %t, still pondering: %t, %d hits, %d stops", set, pondering, hits, stops)
	}
}

// TestPonderByOption checks that an engine ponders if its description sets the option, and
// that this is an error with a virtual clock.
func TestPonderByOption(t *testing.T) {
	t.Parallel()
	players := [2]*Player{testPlayer(t, enginetest.Ponders, timing), testPlayer(t, enginetest.Good, nodes)}
	players[0].Engine.Settings = []Setting{{"ponder", "true"}}
	sent := traced(players[0])
	if _, err := onTime(context.Background(), players, testOpening(3, 12), Conditions{Adjudication: Adjudication{MaxTurns: 20}}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(sent(), "\n"), "\nponderhit") {
		t.Errorf("it does not ponder: %q", sent())
	}
	p := &Player{Engine: &Engine{Settings: []Setting{{"Ponder", "true"}}, Limits: TimeControl{Base: 1, NodesTime: 1}}}
	client, err := testPlayer(t, enginetest.Ponders, nodes).start(t.Context(), Conditions{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Kill()
	if err := p.setPonder(client, Conditions{}); err == nil || !strings.Contains(err.Error(), "it cannot ponder") {
		t.Errorf("error %v", err)
	}
}

// TestDiesPondering checks that an engine loses if it exits while pondering.
func TestDiesPondering(t *testing.T) {
	t.Parallel()
	players := [2]*Player{testPlayer(t, enginetest.PondersDies, timing), testPlayer(t, enginetest.Good, timing)}
	played, err := onTime(context.Background(), players, testOpening(3, 12), Conditions{Ponder: true})
	if err != nil {
		t.Fatal(err)
	}
	if played.Reason != Disconnect || played.Result != position.BlackWins || !strings.Contains(played.Detail, "exit status 9") {
		t.Errorf("%v by %v: %s", played.Result, played.Reason, played.Detail)
	}
}

// TestSlowToStopPondering plays games of an engine that needs enginetest.Lag to stop
// pondering after an unexpected turn and no time otherwise. Its clock runs meanwhile: it
// loses if that exceeds its limit, and its next search gets only the time that is left.
func TestSlowToStopPondering(t *testing.T) {
	const lag = enginetest.Lag
	for _, test := range []struct {
		name   string
		limits TimeControl
		margin time.Duration
		told   string // in each search after an unexpected turn; "" for any
		loses  bool
	}{
		{"clock", timing, 0, "", false},
		{"short clock", TimeControl{Base: lag / 2}, 0, "", true},
		{"time for a turn", TimeControl{MoveTime: lag + 100*time.Millisecond}, 0, "movetime 100", false},
		{"within the margin", TimeControl{MoveTime: lag / 2}, lag, "movetime 1", false},
		{"beyond the margin", TimeControl{MoveTime: lag / 2}, lag / 4, "movetime 1", true},
		{"nodes", nodes, 0, "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				players := [2]*Player{localPlayer(t, enginetest.PondersLags, test.limits), localPlayer(t, enginetest.Good, nodes)}
				sent := traced(players[position.White])
				played, err := onTime(context.Background(), players, testOpening(3, 12), Conditions{Ponder: true, Margin: test.margin})
				if err != nil {
					t.Fatal(err)
				}
				if lost := played.Reason == TimeForfeit && played.Result == position.BlackWins; lost != test.loses || lost != played.Reason.Fault() {
					t.Errorf("%v by %v: %s; want a loss on time: %t", played.Result, played.Reason, played.Detail, test.loses)
				}
				stops, stopped := 0, false
				for _, line := range sent() {
					switch {
					case line == "stop" && !stopped:
						stopped = true
						stops++
					case strings.HasPrefix(line, "go"):
						if stopped && !strings.HasPrefix(line, "go ponder") && !strings.HasSuffix(line, test.told) {
							t.Errorf("%q after an unexpected turn, want %s", line, test.told)
						}
						stopped = false
					}
				}
				if stops == 0 {
					t.Fatal("the opponent played only expected turns")
				}
				if test.loses || !test.limits.RealTime() {
					return
				}
				charged := 0
				for _, took := range times(played, position.White) {
					switch took {
					case lag:
						charged++
					case 0:
					default:
						t.Errorf("a turn took %v, want 0 or %v", took, lag)
					}
				}
				// The last stop may come at the end of the game.
				if charged == 0 || charged < stops-1 || charged > stops {
					t.Errorf("%d turns were charged, but %d searches stopped", charged, stops)
				}
			})
		})
	}
}

// TestGameByNodes plays a game with one virtual millisecond on the clock. Each turn costs
// the nodes of the last report, and the engine receives its virtual clock.
func TestGameByNodes(t *testing.T) {
	limits := TimeControl{Base: time.Millisecond, NodesTime: 1_000_000}
	var sent []string
	players := [2]*Player{testPlayer(t, enginetest.Counts, limits), testPlayer(t, enginetest.Good, nodes)}
	players[0].trace = func(toEngine bool, line string) {
		if toEngine {
			sent = append(sent, line)
		}
	}
	played, err := onTime(context.Background(), players, testOpening(3, 11), Conditions{})
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
	all := strings.Join(sent, "\n")
	for _, want := range []string{"setoption name nodestime value 1000000", "go p1time 1"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q was not sent", want)
		}
	}
}

// TestFlagByNodes checks exactly when an engine overruns its virtual time. A node is 10
// microseconds, so the turns take 10.07 ms, 10.14 ms, 10.21 ms and so on.
func TestFlagByNodes(t *testing.T) {
	for _, test := range []struct {
		name   string
		limits TimeControl
		margin time.Duration
		turns  int // before the flag
		detail string
		late   []time.Duration
	}{
		{"clock", TimeControl{Base: 25 * time.Millisecond}, 0, 2, "took 10.21ms of 4.79ms: 1021 nodes", []time.Duration{5420 * time.Microsecond}},
		{"increment", TimeControl{Base: 25 * time.Millisecond, Increment: time.Millisecond}, 0, 2, "took 10.21ms of 6.79ms", []time.Duration{3420 * time.Microsecond}},
		{"margin", TimeControl{Base: 25 * time.Millisecond, Increment: time.Millisecond}, 5 * time.Millisecond, 3, "took 10.28ms of 1ms",
			[]time.Duration{3420 * time.Microsecond, 9280 * time.Microsecond}},
		{"time a turn", TimeControl{MoveTime: 10 * time.Millisecond}, 200 * time.Microsecond, 2, "took 10.21ms of 10ms",
			[]time.Duration{70 * time.Microsecond, 140 * time.Microsecond, 210 * time.Microsecond}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.limits.NodesTime = 100
			players := [2]*Player{testPlayer(t, enginetest.Counts, test.limits), testPlayer(t, enginetest.Good, nodes)}
			played, err := onTime(context.Background(), players, testOpening(3, 11), Conditions{Margin: test.margin})
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

// TestWholeGameSent checks that an engine receives the start of the opening and all turns
// since, not only the current position.
func TestWholeGameSent(t *testing.T) {
	t.Parallel()
	traced, log := tracedPlayer(t, nodes)
	opening := testOpening(2, 11)
	played, err := Play(context.Background(), [2]*Player{traced, testPlayer(t, enginetest.Good, nodes)}, opening, Conditions{})
	if err != nil {
		t.Fatal(err)
	}
	var turns []string
	for _, turn := range opening.Turns {
		turns = append(turns, turn.String())
	}
	for i := range played.Plies {
		turns = append(turns, played.Plies[i].Turn.String())
	}
	end, err := opening.End()
	if err != nil {
		t.Fatal(err)
	}
	for i := range played.Plies {
		own := i%2 == 0 == (end.SideToMove() == position.White)
		line := "position startpos moves " + strings.Join(turns[:len(opening.Turns)+i], " ")
		if own && !slices.Contains(log.lines, line) {
			t.Fatalf("before turn %d it did not receive %q", i+1, line)
		}
	}
}

// TestOpeningFromPosition checks that an engine receives the start of an opening if it is
// not the start of a game.
func TestOpeningFromPosition(t *testing.T) {
	t.Parallel()
	from := testOpening(4, 13)
	start, err := from.End()
	if err != nil {
		t.Fatal(err)
	}
	traced, log := tracedPlayer(t, nodes)
	if _, err := Play(context.Background(), [2]*Player{traced, testPlayer(t, enginetest.Good, nodes)}, Opening{Start: start}, Conditions{}); err != nil {
		t.Fatal(err)
	}
	if want := "position fen " + start.String(); !slices.Contains(log.lines, want) {
		t.Errorf("it did not receive %q", want)
	}
}

// TestPositionsAccepted checks an engine that accepts only games from the start, and an
// engine that ends up with a wrong position. Each loses only openings that it cannot play.
func TestPositionsAccepted(t *testing.T) {
	t.Parallel()
	opening := testOpening(6, 13)
	end, err := opening.End()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name    string
		opening Opening
		detail  string // of its fault; empty for none
	}{
		{enginetest.OnlyStart, opening, ""},
		{enginetest.OnlyStart, Opening{Start: end}, "only startpos"},
		{enginetest.Forgets, Opening{Start: position.Start(position.Standard)}, ""},
		{enginetest.Forgets, opening, "instead of " + end.String()},
	} {
		played, err := Play(context.Background(), [2]*Player{testPlayer(t, test.name, nodes), testPlayer(t, enginetest.Good, nodes)}, test.opening, Conditions{})
		if err != nil {
			t.Fatal(err)
		}
		if played.Reason.Fault() != (test.detail != "") || !strings.Contains(played.Detail, test.detail) {
			t.Errorf("%s: %v: %s", test.name, played.Reason, played.Detail)
		}
	}
}

// TestVerifyRealTime replaces the times of a game and verifies them against clocks of two
// minutes plus 20 ms per turn, with a margin of 20 ms.
func TestVerifyRealTime(t *testing.T) {
	t.Parallel()
	conditions := Conditions{TimeFactor: 2, Margin: 20 * time.Millisecond, Adjudication: Adjudication{MaxTurns: 18}}
	players := [2]*Player{testPlayer(t, enginetest.Good, timing), testPlayer(t, enginetest.Good, timing)}
	played, err := onTime(context.Background(), players, testOpening(3, 10), conditions)
	if err != nil || len(played.Plies) != 8 || played.Final.SideToMove() != position.White {
		t.Fatalf("%+v, %v", played, err)
	}
	engines := [2]*Engine{players[0].Engine, players[1].Engine}
	const all = 2 * time.Minute
	first := func(took time.Duration) func(*Played) {
		return func(p *Played) { p.Plies[0].Time = took }
	}
	late := func(first func(*Played), late ...time.Duration) func(*Played) {
		return func(p *Played) { first(p); p.Late = late }
	}
	lost := func(by position.Result, late ...time.Duration) func(*Played) {
		return func(p *Played) { p.Plies, p.Reason, p.Result, p.Late = p.Plies[:4], TimeForfeit, by, late }
	}
	for name, test := range map[string]struct {
		change func(*Played)
		want   string // the error; empty for none
	}{
		"in time":                          {first(time.Millisecond), ""},
		"all time":                         {first(all), ""},
		"all time, to rounding":            {late(first(all), 300), ""},
		"late":                             {late(first(all+15*time.Millisecond), 15*time.Millisecond), ""},
		"late, rounded":                    {late(first(all+15*time.Millisecond), 15*time.Millisecond-400), ""},
		"late, not recorded":               {first(all + 15*time.Millisecond), "0 late answers are recorded, but by the clocks there are 1"},
		"late by another time":             {late(first(all+15*time.Millisecond), 5*time.Millisecond), "recorded as late by 5ms"},
		"not late":                         {late(first(time.Second), 15*time.Millisecond), "1 late answers are recorded, but by the clocks there are 0"},
		"beyond the margin":                {late(first(all+30*time.Millisecond), 30*time.Millisecond), "turn 11: it took 2m0.03s of 2m0s, but the game continued"},
		"negative":                         {first(-time.Second), "it took -1s"},
		"lost on time":                     {lost(position.BlackWins, 21*time.Millisecond), ""},
		"lost within the margin":           {lost(position.BlackWins, 19*time.Millisecond), "within the margin of 20ms"},
		"lost in time":                     {lost(position.BlackWins), "late answers are recorded"},
		"lost by the wrong side":           {lost(position.WhiteWins, time.Second), "is recorded as the winner on time"},
		"lost with an earlier late answer": {lost(position.BlackWins, time.Millisecond, time.Second), "2 late answers are recorded, but by the clocks there are 1"},
	} {
		changed := *played
		changed.Late, changed.Plies = nil, append([]Ply{}, played.Plies...)
		for i := range changed.Plies {
			changed.Plies[i].Time = time.Millisecond
		}
		test.change(&changed)
		err := changed.Verify(engines, conditions)
		if err == nil && test.want != "" || err != nil && (test.want == "" || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: error %v, want %q", name, err, test.want)
		}
	}
}

// TestVerifyFactor verifies times against doubled clocks and against the original ones.
func TestVerifyFactor(t *testing.T) {
	t.Parallel()
	conditions := Conditions{TimeFactor: 2, Adjudication: Adjudication{MaxTurns: 18}}
	players := [2]*Player{testPlayer(t, enginetest.Good, timing), testPlayer(t, enginetest.Good, timing)}
	played, err := onTime(context.Background(), players, testOpening(3, 10), conditions)
	if err != nil {
		t.Fatal(err)
	}
	engines := [2]*Engine{players[0].Engine, players[1].Engine}
	played.Late = nil
	for i := range played.Plies {
		played.Plies[i].Time = 25 * time.Second
	}
	if err := played.Verify(engines, conditions); err != nil {
		t.Error(err)
	}
	conditions.TimeFactor = 1
	if played.Verify(engines, conditions) == nil {
		t.Error("times within two minutes were accepted for a clock of one minute")
	}
}

// TestAdjudication feeds scores, each from the view of the side that makes the turn,
// White first, and checks in which turn the game ends.
func TestAdjudication(t *testing.T) {
	rules := Adjudication{WinTurns: 2, WinScore: 300, DrawTurns: 1, DrawScore: 10, DrawFrom: 5}
	const none = 1 << 20
	score := func(cp int) Ply { return Ply{HasScore: cp != none, Score: protocol.Score{Value: cp}} }
	mate := func(plies int) Ply { return Ply{HasScore: true, Score: protocol.Score{Mate: true, Value: plies}} }
	for _, test := range []struct {
		name   string
		plies  []Ply
		turn   int // 0: never
		result position.Result
	}{
		{"white is ahead", []Ply{score(300), score(-300), score(400), score(-301), score(0)}, 4, position.WhiteWins},
		{"black is ahead", []Ply{score(-300), score(300), score(-400), score(500)}, 4, position.BlackWins},
		{"one turn too few", []Ply{score(299), score(-300), score(400), score(-301)}, 0, position.Ongoing},
		{"scores disagree", []Ply{score(300), score(300), score(300), score(300), score(300)}, 0, position.Ongoing},
		{"a missing score", []Ply{score(300), score(-300), score(none), score(-300), score(300)}, 0, position.Ongoing},
		{"a mate score", []Ply{mate(5), mate(-4), score(300), mate(0), score(0)}, 4, position.WhiteWins},
		{"a draw", []Ply{score(0), score(10), score(-10), score(5), score(5)}, 5, position.Draw},
		{"a mate score is not a draw", []Ply{score(0), score(0), mate(1), score(0), mate(-1)}, 0, position.Ongoing},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := agreement{rules: rules}
			turn, result := 0, position.Ongoing
			for i := range test.plies {
				r, reason := a.update(position.Side(i%2), &test.plies[i], i+1)
				if r != position.Ongoing {
					turn, result = i+1, r
					if !reason.Adjudicated() {
						t.Errorf("reason %v", reason)
					}
					break
				}
			}
			if turn != test.turn || result != test.result {
				t.Errorf("%v in turn %d, want %v in turn %d", result, turn, test.result, test.turn)
			}
		})
	}
	limited := agreement{rules: Adjudication{MaxTurns: 3}}
	for number, want := range []Reason{Unfinished, Unfinished, TurnLimit} {
		if r, reason := limited.update(position.Side(number%2), &Ply{}, number+1); reason != want || (r == position.Draw) != (want == TurnLimit) {
			t.Errorf("turn %d of 3: %v by %v, want %v", number+1, r, reason, want)
		}
	}
	off := agreement{}
	for i := range 200 {
		if r, _ := off.update(position.Side(i%2), &Ply{HasScore: true}, i+1); r != position.Ongoing {
			t.Fatal("adjudicated when off")
		}
	}
}

func TestReasonTexts(t *testing.T) {
	for _, r := range append(Reasons(), Unfinished) {
		text, _ := r.MarshalText()
		var again Reason
		if err := again.UnmarshalText(text); err != nil || again != r {
			t.Errorf("%v: parsed as %v, %v", r, again, err)
		}
	}
	var r Reason
	if r.UnmarshalText([]byte("boredom")) == nil {
		t.Error("\"boredom\" was accepted")
	}
}

// TestFaultAfterLastTurn checks that closing a player reports a fault after its last turn.
func TestFaultAfterLastTurn(t *testing.T) {
	t.Parallel()
	p := testPlayer(t, enginetest.Twice, nodes)
	opening := testOpening(1, 11)
	if _, err := p.prepare(t.Context(), opening, Conditions{}); err != nil {
		t.Fatal(err)
	}
	client := p.running()
	for range 3 {
		if _, err := client.Go(context.Background(), search.Limits{Nodes: 1}, nil); err != nil {
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
		limits   TimeControl
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
		if _, err := onTime(context.Background(), players, testOpening(8, 11), Conditions{Margin: test.margin}); err != nil {
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
	traced.Set([]Setting{{"hash", "4"}, {"MoveOverhead", "4"}})
	traced.Set([]Setting{{"Hash", "5"}}) // before a game with the first change
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
	want := []string{"MoveOverhead 3", "Hash 2", "Hash 5", "MoveOverhead 4", "MoveOverhead 4", "Hash 5"}
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
		limits, want TimeControl
		factor       float64
	}{
		{TimeControl{Base: time.Second, Increment: 15 * time.Millisecond, Turns: 40}, TimeControl{Base: 1250 * time.Millisecond, Increment: 19 * time.Millisecond, Turns: 40}, 1.25},
		{TimeControl{MoveTime: time.Millisecond, Depth: 3}, TimeControl{MoveTime: time.Millisecond, Depth: 3}, 0.5},
		{TimeControl{MoveTime: time.Second}, TimeControl{MoveTime: time.Second}, 0},
		{TimeControl{MoveTime: time.Second, NodesTime: 5}, TimeControl{MoveTime: time.Second, NodesTime: 5}, 2},
		{TimeControl{Nodes: 7}, TimeControl{Nodes: 7}, 2},
	} {
		if diff := cmp.Diff(test.want, test.limits.scaled(test.factor)); diff != "" {
			t.Errorf("%v times %v: %s", test.limits, test.factor, diff)
		}
	}
	players := [2]*Player{testPlayer(t, enginetest.Good, timing), testPlayer(t, enginetest.Good, nodes)}
	sent := traced(players[0])
	conditions := Conditions{TimeFactor: 2, Adjudication: Adjudication{MaxTurns: 14}}
	if _, err := onTime(context.Background(), players, testOpening(3, 10), conditions); err != nil || !slices.Contains(sent(), "go p1time 120000 p1inc 20") {
		t.Errorf("the engine did not receive twice its time: %q, %v", sent(), err)
	}
	if err := (Conditions{TimeFactor: -1}).Check(); err == nil {
		t.Error("a negative factor was accepted")
	}
}

// thinker is an engine that thinks until it is stopped.
type thinker struct{ protocol.Engine }

func (thinker) ID() (name, author, version string) { return "thinker", "nobody", "1" }

func (thinker) Options() []protocol.Option { return nil }

func (thinker) NewGame() {}

func (thinker) Search(ctx context.Context, root position.Position, _ search.Limits, _ func(protocol.Info)) (best, ponder position.Turn) {
	<-ctx.Done()
	return root.Turns(nil)[0], position.None
}

// TestCheckBuiltIn checks that an engine that is a part of this program is not asked for a turn: a
// reference player may need minutes.
func TestCheckBuiltIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for build, want := range map[string]time.Duration{"": 0, "xxh3 1": checkWait} {
			e := Engine{Name: "thinker", Build: build, Limits: TimeControl{Nodes: 1}, Start: protocol.Local(func() protocol.Engine { return thinker{} }).Start}
			began := time.Now()
			if _, err := NewPlayer(&e, hasty, nil).Check(t.Context(), testOpening(1, 11), Conditions{}); err != nil {
				t.Error(err)
			}
			if took := time.Since(began); took != want {
				t.Errorf("build %q: the check takes %v, want %v", build, took, want)
			}
		}
	})
}

// TestCheckByNodes checks engines for the virtual clock.
func TestCheckByNodes(t *testing.T) {
	t.Parallel()
	limits := TimeControl{MoveTime: time.Millisecond, NodesTime: 1000}
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

// TestScoresThatCount checks which last scores of a search are recorded, and so count for
// adjudication: a bound counts only if it proves the result.
func TestScoresThatCount(t *testing.T) {
	start := position.Start(position.Standard)
	for line, want := range map[string]bool{
		"info depth 3 score cp 400":             true,
		"info depth 3 score cp 400 lowerbound":  false,
		"info depth 3 score cp -400 upperbound": false,
		"info depth 3 score mate 5":             true,
		"info depth 3 score mate 5 lowerbound":  true,
		"info depth 3 score mate 5 upperbound":  false,
		"info depth 3 score mate -4":            true,
		"info depth 3 score mate -4 upperbound": true,
		"info depth 3 score mate -4 lowerbound": false,
		"info depth 3":                          false,
	} {
		info, ok := protocol.ParseInfo(line, &start)
		if !ok {
			t.Fatalf("%s: not read", line)
		}
		if ply := plyOf(&protocol.Answer{Last: info}); ply.HasScore != want {
			t.Errorf("%s: counts is %t, want %t", line, ply.HasScore, want)
		}
	}
}

// TestPulse feeds the times at which a process runs.
func TestPulse(t *testing.T) {
	start := time.Unix(1000, 0)
	for _, test := range []struct {
		name  string
		after []time.Duration // since the beat before
		late  time.Duration
	}{
		{"on time", []time.Duration{50 * time.Millisecond, 50 * time.Millisecond}, 0},
		{"early", []time.Duration{time.Millisecond}, 0},
		{"busy", []time.Duration{80 * time.Millisecond, 50 * time.Millisecond}, 30 * time.Millisecond},
		{"stopped once", []time.Duration{50 * time.Millisecond, 4050 * time.Millisecond, 50 * time.Millisecond}, 4 * time.Second},
		{"stopped until now", []time.Duration{2050 * time.Millisecond}, 2 * time.Second},
	} {
		p, now := &pulse{last: start}, start
		for _, d := range test.after {
			now = now.Add(d)
			p.beat(now)
		}
		for _, want := range []time.Duration{test.late, 0} { // each time is reported once
			if late := p.since(now); late != want {
				t.Errorf("%s: late by %v, want %v", test.name, late, want)
			}
		}
	}
}

// TestTimeUpAtOnce searches with a time limit that is over before anything happens, as if this
// process was stopped between two of its steps. The search begins and is stopped: the error is
// the engine's, not the one of a context, which would end a match.
func TestTimeUpAtOnce(t *testing.T) {
	for name, expired := range map[string]limiter{
		"before":   func(ctx context.Context) (context.Context, context.CancelFunc) { return context.WithTimeout(ctx, -1) },
		"at once":  func(ctx context.Context) (context.Context, context.CancelFunc) { return context.WithTimeout(ctx, 0) },
		"patience": func(ctx context.Context) (context.Context, context.CancelFunc) { return protocol.WithPatience(ctx, 0) },
	} {
		for _, engine := range []string{enginetest.Hangs, enginetest.Late, enginetest.Good} {
			t.Run(name+", "+engine, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					p := localPlayer(t, engine, nodes)
					if _, err := p.prepare(t.Context(), testOpening(5, 10), Conditions{}); err != nil {
						t.Fatal(err)
					}
					both := newClock(nodes)
					for range 3 { // some engines misbehave in the third
						_, err := think(t.Context(), p.running(), position.White, [2]clock{both, both}, expired)
						if err != nil && !isTimeout(err) {
							t.Errorf("%v", err)
						}
					}
				})
			})
		}
	}
}

// TestLateReferee plays games in which an engine runs out of time, in several ways, with a referee
// that was late and one that was not. Only the second one blames the engine. Other faults are
// blamed by both.
func TestLateReferee(t *testing.T) {
	for _, test := range []struct {
		name   string
		limits TimeControl
		reason Reason
		timed  bool // whether the game ended because time ran out
	}{
		{enginetest.Late, TimeControl{MoveTime: 100 * time.Millisecond}, TimeForfeit, true},
		{enginetest.Late, TimeControl{Base: 300 * time.Millisecond}, TimeForfeit, true},
		{enginetest.Hangs, nodes, Stall, true},
		{enginetest.Silent, nodes, StartFailure, true},
		{enginetest.Illegal, nodes, IllegalTurn, false},
		{enginetest.CountsHangs, TimeControl{Base: time.Hour, NodesTime: 1}, Stall, true},
		{enginetest.Counts, TimeControl{MoveTime: 2 * time.Millisecond, NodesTime: 1}, TimeForfeit, false}, // by nodes
	} {
		for late, blames := range map[time.Duration]bool{0: true, stopped - 1: true, stopped: !test.timed, time.Hour: !test.timed} {
			t.Run(fmt.Sprint(test.name, test.limits, late), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					players := [2]*Player{localPlayer(t, test.name, test.limits), localPlayer(t, enginetest.Good, nodes)}
					played, err := play(t.Context(), players, testOpening(5, 10), Conditions{}, func() time.Duration { return late })
					if blames {
						if err != nil || played.Reason != test.reason || played.Result != position.BlackWins {
							t.Errorf("%+v, %v", played, err)
						}
						return
					}
					var wrong *LateError
					if !errors.As(err, &wrong) || wrong.By != late || wrong.Played.Reason != test.reason || wrong.Played.Lasted <= 0 {
						t.Errorf("%+v, %v: %+v", played, err, wrong)
					}
				})
			})
		}
	}
}

// TestLateInTurn stops the referee once: while the engines get ready, between two turns, and in a
// turn. The game counts unless a clock of real time paid for the stop. A loss on time in another turn
// counts, too.
func TestLateInTurn(t *testing.T) {
	const ready, inWhite, inBlack = 0, 2, 4 // calls of late; 1 and 3 are before the turns
	each := TimeControl{MoveTime: 100 * time.Millisecond}
	for _, test := range []struct {
		name   string // of White's engine; Black's has no clock
		limits TimeControl
		reason Reason // Unfinished for any
		harms  int    // the call whose stop a clock pays for; 0 for none
	}{
		{enginetest.Good, nodes, Unfinished, 0},
		{enginetest.Good, timing, Unfinished, inWhite},
		{enginetest.Good, each, Unfinished, 0},
		{enginetest.Counts, TimeControl{Base: time.Hour, NodesTime: 1}, Unfinished, 0},
		{enginetest.Late, each, TimeForfeit, 0},
		{enginetest.Hangs, nodes, Stall, 0},
	} {
		for at := ready; at <= inBlack; at++ {
			t.Run(fmt.Sprint(test.name, test.limits, at), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					calls := -1
					late := func() time.Duration {
						if calls++; calls == at {
							return time.Second
						}
						return 0
					}
					players := [2]*Player{localPlayer(t, test.name, test.limits), localPlayer(t, enginetest.Good, nodes)}
					played, err := play(t.Context(), players, testOpening(5, 10), Conditions{}, late)
					var wrong *LateError
					if harms := test.harms != 0 && at == test.harms; errors.As(err, &wrong) != harms {
						t.Fatalf("%+v, %v", played, err)
					} else if harms {
						err, played = wrong.Err, wrong.Played
					}
					if err != nil || played.Result == position.Ongoing || test.reason != Unfinished && played.Reason != test.reason {
						t.Errorf("%+v, %v", played, err)
					}
				})
			})
		}
	}
}

// TestIsRead tells the files that an engine reads from those that it writes.
func TestIsRead(t *testing.T) {
	for option, read := range map[string]bool{"EvalFile": true, "BookFile": true, "SyzygyPath": true, "Log File": false, "LearnFile": false,
		"Experience File": false, "TraceFile": false, "Debug Log File": false, "CacheDir": false, "Hash": false} {
		if got := IsRead(option); got != read {
			t.Errorf("IsRead(%q) = %v, want %v", option, got, read)
		}
	}
}

// TestCutDetail cuts details between characters, and none twice.
func TestCutDetail(t *testing.T) {
	for _, test := range []struct {
		detail string
		length int
	}{
		{"", 0},
		{"it died", 7},
		{strings.Repeat("a", MaxDetail), MaxDetail},
		{strings.Repeat("a", MaxDetail+1), MaxDetail},
		{strings.Repeat("\u2028", MaxDetail), MaxDetail - 1},
		{"a" + strings.Repeat("\U0001f4a5", MaxDetail), MaxDetail},
		{strings.Repeat("\x80", MaxDetail+1), len("...")},
	} {
		cut := CutDetail(test.detail)
		if len(cut) != test.length || cut != test.detail && !strings.HasSuffix(cut, "...") || !utf8.ValidString(cut) || CutDetail(cut) != cut {
			t.Errorf("%.20q with %d bytes: %d bytes are left, want %d", test.detail, len(test.detail), len(cut), test.length)
		}
	}
}
