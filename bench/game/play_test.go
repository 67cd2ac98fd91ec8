package game

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gyre/bench/enginetest"
	"gyre/position"
	"gyre/protocol"
)

func TestMain(m *testing.M) {
	enginetest.Play()
	os.Exit(m.Run())
}

// hasty is not to wait long for what never comes.
var hasty = protocol.Patience{Handshake: 20 * time.Second, Answer: 20 * time.Second, Stop: 600 * time.Millisecond, Quit: 10 * time.Second}

var (
	nodes  = Limits{Nodes: 1}
	timing = Limits{Base: 60 * time.Second, Increment: 10 * time.Millisecond}
)

// patience is how a test waits for an engine: not long for one that never
// answers the handshake, or does not quit.
func patience(name string) protocol.Patience {
	p := hasty
	switch name {
	case enginetest.Silent:
		p.Handshake = time.Second
	case enginetest.IgnoresQuit:
		p.Quit = 200 * time.Millisecond
	}
	return p
}

// testPlayer is a player of one of the test engines.
func testPlayer(t *testing.T, name string, limits Limits) *Player {
	t.Helper()
	pids := t.TempDir()
	engine := &Engine{Name: name, Start: Program(enginetest.Program(name, pids)), Limits: limits,
		Settings: []Setting{{"hash", "2"}}}
	if err := engine.Check(); err != nil {
		t.Fatal(err)
	}
	p := NewPlayer(engine, patience(name), nil)
	t.Cleanup(func() {
		_ = p.Close()
		if left, _, err := enginetest.Left(pids); err != nil || len(left) > 0 {
			t.Errorf("%s: processes %v left behind, %v", name, left, err)
		}
	})
	return p
}

// testOpening is a few random turns.
func testOpening(seed uint64, turns int) Opening {
	rng := rand.New(rand.NewPCG(seed, 1))
	o := Opening{Start: position.Start(position.Standard)}
	p := o.Start
	for range turns {
		legal := p.Turns(nil)
		t := legal[rng.IntN(len(legal))]
		o.Turns = append(o.Turns, t)
		var child position.Position
		p.Play(&child, t)
		p = child
	}
	return o
}

// checkGame replays a game and holds it to the rules.
func checkGame(t *testing.T, played *Played) {
	t.Helper()
	record := played.Record()
	end, err := record.End()
	if err != nil {
		t.Fatal(err)
	}
	if !end.Equal(played.Final) {
		t.Errorf("the turns end in %v, the game in %v", &end, &played.Final)
	}
	if byRules := !played.Reason.Fault() && !played.Reason.Adjudicated(); byRules != end.Over() || byRules && end.Result() != played.Result {
		t.Errorf("ended as %v by %v, the board says %v", played.Result, played.Reason, end.Result())
	}
	if record.Result() != played.Result {
		t.Errorf("the record says %v, the game %v", record.Result(), played.Result)
	}
	var text strings.Builder
	if err := record.Write(&text); err != nil {
		t.Error(err)
	}
}

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
		{enginetest.Hangs, shortTime, Stall, "gives no turn"},
		{enginetest.Late, shortTime, TimeForfeit, "took"},
		{enginetest.Late, Limits{MoveTime: 100 * time.Millisecond}, TimeForfeit, "of 100ms"},
		{enginetest.Illegal, nodes, IllegalTurn, "a1"},
		{enginetest.Resigns, timing, IllegalTurn, "none"},
		{enginetest.Garbage, nodes, ProtocolError, "Once"},
		{enginetest.ClosesPipe, nodes, Disconnect, "closed its output"},
	} {
		t.Run(test.name+" "+test.limits.String(), func(t *testing.T) {
			t.Parallel()
			bad, good := testPlayer(t, test.name, test.limits), testPlayer(t, enginetest.Good, nodes)
			for _, side := range []position.Side{position.White, position.Black} {
				players := [2]*Player{good, good}
				players[side] = bad
				played, err := Play(context.Background(), players, testOpening(7, 11), Conditions{TurnPatience: time.Second})
				if err != nil {
					t.Fatal(err)
				}
				if winner, won := played.Winner(); !won || winner == side || played.Reason != test.want {
					t.Errorf("%v by %v against %v: %s", played.Result, played.Reason, side, played.Detail)
				}
				if !strings.Contains(played.Detail, test.detail) || strings.Contains(played.Detail, "\n") {
					t.Errorf("detail %q does not tell %q", played.Detail, test.detail)
				}
				checkGame(t, played)
			}
		})
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
		{enginetest.Slow, Limits{Base: 400 * time.Millisecond, Increment: 100 * time.Millisecond}},
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

// TestRestart checks that a player whose engine has misbehaved plays on with a
// new one, and one whose engine has not with the same.
func TestRestart(t *testing.T) {
	counts := [2]int{}
	var players [2]*Player
	dirs := [2]string{t.TempDir(), t.TempDir()}
	for side, name := range []string{enginetest.Illegal, enginetest.Good} {
		engine := &Engine{Name: name, Start: Program(enginetest.Program(name, dirs[side])), Limits: nodes}
		players[side] = NewPlayer(engine, hasty, nil)
		defer players[side].Kill()
	}
	for range 3 {
		if _, err := Play(context.Background(), players, testOpening(5, 11), Conditions{}); err != nil {
			t.Fatal(err)
		}
	}
	for side, dir := range dirs {
		var err error
		if _, counts[side], err = enginetest.Left(dir); err != nil {
			t.Fatal(err)
		}
		players[side].Kill()
	}
	if diff := cmp.Diff([2]int{3, 1}, counts); diff != "" {
		t.Errorf("processes started (-want +got):\n%s", diff)
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
