package game

import (
	"context"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"gyre/bench/enginetest"
	"gyre/position"
	"gyre/protocol"
)

func TestMain(m *testing.M) {
	enginetest.Play()
	os.Exit(m.Run())
}

// hasty does not wait long for answers that never come.
var hasty = protocol.Patience{Handshake: 20 * time.Second, Answer: 20 * time.Second, Stop: 600 * time.Millisecond, Quit: 10 * time.Second}

var (
	nodes  = TimeControl{Nodes: 1}
	timing = TimeControl{Base: 60 * time.Second, Increment: 10 * time.Millisecond}
)

// patience returns how long to wait for an engine: short for an engine that never answers
// the handshake or does not quit.
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

// testPlayer returns a player of one of the test engines.
func testPlayer(t *testing.T, name string, limits TimeControl) *Player {
	t.Helper()
	pids := t.TempDir()
	engine := &Engine{Name: name, Start: enginetest.Program(name, pids).Start, Limits: limits,
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

// localPlayer returns a player of one of the test engines inside this program, for tests
// with simulated time.
func localPlayer(t *testing.T, name string, limits TimeControl) *Player {
	t.Helper()
	engine := &Engine{Name: name, Start: enginetest.Local(name), Limits: limits, Settings: []Setting{{"hash", "2"}}}
	p := NewPlayer(engine, patience(name), nil)
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// testOpening returns an opening of random turns.
func testOpening(seed uint64, turns int) Opening {
	rng := rand.New(rand.NewPCG(seed, 1))
	o := Opening{Start: position.Start(position.Standard)}
	p := o.Start
	for range turns {
		legal := p.Turns(nil)
		t := legal[rng.IntN(len(legal))]
		o.Turns = append(o.Turns, t)
		p = p.After(t)
	}
	return o
}

// checkGame replays a game and checks it against the rules.
func checkGame(t *testing.T, played *Played) {
	t.Helper()
	record := played.Record()
	end, err := record.End()
	if err != nil {
		t.Fatal(err)
	}
	if !end.Equal(played.Final) {
		t.Errorf("the turns end in %v, but the game in %v", &end, &played.Final)
	}
	if byRules := !played.Reason.Fault() && !played.Reason.Adjudicated(); byRules != end.Over() || byRules && end.Result() != played.Result {
		t.Errorf("ended as %v by %v, but the board shows %v", played.Result, played.Reason, end.Result())
	}
	if record.Result() != played.Result {
		t.Errorf("the record has %v, the game %v", record.Result(), played.Result)
	}
	var text strings.Builder
	if err := record.Write(&text); err != nil {
		t.Error(err)
	}
}

// transcript keeps the lines sent to engines.
type transcript struct {
	mu    sync.Mutex
	lines []string
}

func (s *transcript) trace(toEngine bool, line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if toEngine {
		s.lines = append(s.lines, line)
	}
}

// tracedPlayer returns a well-behaved player and its transcript.
func tracedPlayer(t *testing.T, limits TimeControl, settings ...Setting) (*Player, *transcript) {
	t.Helper()
	sent := &transcript{}
	engine := &Engine{Name: "traced", Start: enginetest.Program(enginetest.Good, "").Start, Limits: limits, Settings: settings}
	p := NewPlayer(engine, hasty, sent.trace)
	t.Cleanup(p.Kill)
	return p, sent
}

// traced traces a player and returns a function that returns the lines sent to it.
func traced(p *Player) func() []string {
	log := &transcript{}
	p.trace = log.trace
	return func() []string {
		log.mu.Lock()
		defer log.mu.Unlock()
		return log.lines
	}
}

// turnsOf returns the turns of a game.
func turnsOf(played *Played) (all []string) {
	for i := range played.Plies {
		all = append(all, played.Plies[i].Turn.String())
	}
	return all
}

// counted returns the times of the turns of an engine that reports CountedNodes.
func counted(turns int, nodesTime uint64) (all []time.Duration) {
	for i := range turns {
		all = append(all, time.Duration(enginetest.CountedNodes(i+1)*uint64(time.Millisecond)/nodesTime))
	}
	return all
}

// times returns the times of one side's turns in a game.
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

// onTime is Play for engines with clocks, as if this process were never late: on a busy machine it is,
// and such a game says nothing.
func onTime(ctx context.Context, players [2]*Player, opening Opening, conditions Conditions) (*Played, error) {
	return play(ctx, players, opening, conditions, func() time.Duration { return 0 })
}
