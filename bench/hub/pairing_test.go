package hub

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"gyre/bench/enginetest"
	"gyre/bench/game"
	"gyre/bench/match"
	"gyre/position"
	"gyre/protocol"
)

// randomOpenings are random placements and a move.
type randomOpenings struct{}

func (randomOpenings) Opening(round int) (game.Opening, error) {
	rng := rand.New(rand.NewPCG(uint64(round), 2))
	o := game.Opening{Start: position.Start(position.Standard)}
	p := o.Start
	for range 11 {
		legal := p.Turns(nil)
		t := legal[rng.IntN(len(legal))]
		o.Turns = append(o.Turns, t)
		var child position.Position
		p.Play(&child, t)
		p = child
	}
	return o, nil
}

// pairing is a match of test engines, each against each, and their programs.
func pairing(t *testing.T, pairs int, kinds ...string) (*match.Match, []Program) {
	t.Helper()
	m := &match.Match{ID: "test", Schedule: match.RoundRobin(len(kinds), pairs), Openings: randomOpenings{}, Concurrency: 2,
		Patience:   protocol.Patience{Handshake: time.Minute, Answer: time.Minute, Stop: time.Minute, Quit: time.Minute},
		Conditions: game.Conditions{TurnPatience: time.Minute, Adjudication: game.Adjudication{MaxTurns: 30}},
	}
	dir, pids := t.TempDir(), t.TempDir()
	var programs []Program
	for i, kind := range kinds {
		path, err := enginetest.Script(dir, kind, pids)
		if err != nil {
			t.Skip(err)
		}
		program := protocol.Program{Path: path}
		programs = append(programs, Program{Program: program})
		m.Engines = append(m.Engines, game.Engine{Name: fmt.Sprint(kind, i), Start: program.Start, Build: game.BuildOf(program), Limits: game.Limits{Nodes: 1}})
	}
	t.Cleanup(func() {
		if left, _, err := enginetest.Left(pids); err != nil || len(left) > 0 {
			t.Errorf("processes %v left behind, %v", left, err)
		}
	})
	return m, programs
}
