package conformance

import (
	"context"
	"errors"
	"io"
	"time"

	"gyre/position"
	"gyre/protocol"
)

// sound is an engine that keeps to the protocol, but for its flaws: it wins in one
// turn where it can, and else plays by the hash of the position.
type sound struct {
	multiPV int

	beyondNodes  bool // search further than nodes and depth allow
	anyTurn      bool // do not look at searchmoves
	claims       bool // tell a mate in one wherever it is
	lateMoveTime bool // overstep movetime
	lateFlag     bool // take time when there is none
	strangeLine  bool // tell a pv that cannot be played
	copies       bool // tell one line several times
}

func (e *sound) ID() (name, author, version string) { return "Sound", "the tests", "1" }

func (e *sound) Options() []protocol.Option {
	return []protocol.Option{
		protocol.Spin("Hash", 16, 1, 1024, func(int) error { return nil }),
		protocol.Spin("MultiPV", 1, 1, 8, func(n int) error { e.multiPV = n; return nil }),
		protocol.Button("Clear Hash", func() error { return nil }),
		protocol.Text("Book File", "", func(string) error { return nil }),
	}
}

func (e *sound) NewGame() {}

// choose returns the turns of a position that it may play, the best first.
func (e *sound) choose(root *position.Position, limits *protocol.Limits) []position.Turn {
	turns := limits.SearchTurns
	if len(turns) == 0 || e.anyTurn {
		turns = root.Turns(nil)
	}
	best := int(root.Hash() % uint64(len(turns)))
	for i, t := range turns {
		if end := after(*root, t); wins(&end, root.SideToMove()) {
			best = i
		}
	}
	return append([]position.Turn{turns[best]}, append(turns[:best:best], turns[best+1:]...)...)
}

// A depth takes so many nodes; it goes no deeper than this.
const (
	nodesADepth = 50
	deepest     = 30
)

func (e *sound) Search(ctx context.Context, root position.Position, limits protocol.Limits, ponderHit <-chan struct{}, report func(protocol.Info)) (best, ponder position.Turn) {
	if root.Over() {
		return position.None, position.None
	}
	turns := e.choose(&root, &limits)
	end := after(root, turns[0])
	mate := wins(&end, root.SideToMove())
	last := deepest
	if limits.HasDepth {
		last = min(last, limits.Depth)
	}
	for depth := 1; depth <= last && (depth == 1 || ctx.Err() == nil); depth++ {
		nodes := uint64(depth * nodesADepth)
		if limits.HasNodes && nodes > limits.Nodes && !e.beyondNodes {
			break
		}
		if e.beyondNodes {
			nodes, depth = nodes*100_000, depth+3
		}
		for rank := 1; rank <= max(1, min(e.multiPV, len(turns))); rank++ {
			info := protocol.Info{Depth: depth, MultiPV: rank, HasScore: true, Nodes: nodes, PV: turns[rank-1 : rank]}
			if mate && rank == 1 || e.claims {
				info.Score = protocol.Score{Mate: true, Value: 1}
			}
			if e.strangeLine {
				info.PV = []position.Turn{turns[0], turns[0]}
			}
			if e.copies {
				info.PV = turns[:1]
			}
			report(info)
		}
	}
	e.wait(ctx, &limits, root.SideToMove(), ponderHit)
	return turns[0], position.None
}

// wait takes a part of the time that it has, if nothing else ends the search.
func (e *sound) wait(ctx context.Context, limits *protocol.Limits, side position.Side, ponderHit <-chan struct{}) {
	if limits.Ponder {
		select {
		case <-ponderHit:
		case <-ctx.Done():
		}
	}
	clock := limits.Clock[side]
	var think time.Duration
	switch {
	case limits.Infinite:
		think = time.Hour
	case limits.HasDepth && limits.Depth <= deepest, limits.HasNodes && limits.Nodes <= deepest*nodesADepth, limits.Mate > 0:
	case limits.HasMoveTime:
		think = limits.MoveTime / 2
	case clock.Set:
		think = clock.Left / 30
	}
	if e.lateMoveTime && limits.MoveTime == 100*time.Millisecond || e.lateFlag && clock.Set && clock.Left == 0 {
		think += testMargin + 500*time.Millisecond
	}
	select {
	case <-time.After(think):
	case <-ctx.Done():
	}
}

func (e *sound) Evaluate(*position.Position) string { return "0" }

func (e *sound) Bench(context.Context, []string, io.Writer) error { return errors.New("none") }
