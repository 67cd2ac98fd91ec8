// Command starter is a small engine to start from: copy this directory and replace the
// functions think and value. Package position implements the rules. protocol.Server
// handles the whole of PROTOCOL.md; you choose the turns. To check that your engine still
// follows the protocol, run `gyre-arena check 'cmd=./starter'`.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"gyre/position"
	"gyre/protocol"
	"gyre/search"
)

func main() {
	if len(os.Args) > 1 {
		fmt.Fprintln(os.Stderr, "starter: it takes no arguments, and reads commands such as go nodes 1000 from standard input; see PROTOCOL.md")
		os.Exit(2)
	}
	if err := protocol.NewServer(&engine{ringWorth: 300}, os.Stdin, os.Stdout).Serve(); err != nil {
		fmt.Fprintln(os.Stderr, "starter:", err)
		os.Exit(1)
	}
}

// engine implements protocol.Engine.
type engine struct {
	ringWorth int // the value of a removed ring, in centipawns
}

func (e *engine) ID() (name, author, version string) { return "Starter", "the Gyre authors", "1" }

// Options shows how to bind an option to a field.
func (e *engine) Options() []protocol.Option {
	return []protocol.Option{protocol.Spin("RingWorth", e.ringWorth, 0, 1000, func(n int) error { e.ringWorth = n; return nil })}
}

func (e *engine) NewGame() {}

func (e *engine) Bench(context.Context, []string, io.Writer) error {
	return errors.New("this engine has no benchmark")
}

func (e *engine) Evaluate(p *position.Position) string { return fmt.Sprintf("%d cp", e.value(p)) }

// Search searches one turn deeper each time (iterative deepening) until a limit ends it.
func (e *engine) Search(ctx context.Context, root position.Position, limits search.Limits, report func(protocol.Info)) (best, ponder position.Turn) {
	turns := limits.SearchTurns
	if len(turns) == 0 {
		turns = root.Turns(nil)
	}
	if len(turns) == 0 {
		return position.None, position.None // the game is over
	}
	s := &run{engine: e, ctx: ctx, limits: limits, began: time.Now(), budget: budget(&limits, root.SideToMove())}
	best = turns[0]
	for depth := 1; depth <= deepest(&limits); depth++ {
		alpha, found := -mateScore, best
		for _, t := range turns {
			child := root.After(t)
			if score := -s.think(&child, depth-1, 1, -mateScore, -alpha); score > alpha && !s.over() {
				alpha, found = score, t
			}
		}
		if depth == 1 || !s.over() { // in an unfinished search, a skipped turn may be better
			best = found
		}
		if s.over() {
			break
		}
		report(protocol.Info{Depth: depth, MultiPV: 1, Score: protocolScore(alpha), HasScore: true, Nodes: s.nodes, Time: time.Since(s.began), PV: []position.Turn{best}})
		if alpha > win {
			break
		}
	}
	return best, position.None
}

// run is one search in progress.
type run struct {
	*engine
	ctx    context.Context
	limits search.Limits
	began  time.Time
	budget time.Duration // 0 for none
	nodes  uint64
}

// over reports whether the search must end.
func (s *run) over() bool {
	if s.ctx.Err() != nil || s.limits.Nodes > 0 && s.nodes >= s.limits.Nodes {
		return true
	}
	if s.limits.Ponder {
		select {
		case <-s.limits.PonderHit:
			s.limits.Ponder, s.began = false, time.Now() // now our clock runs
		default:
			return false
		}
	}
	return s.budget > 0 && time.Since(s.began) >= s.budget
}

// budget returns the time for a turn; 0 means no limit.
func budget(l *search.Limits, side position.Side) (budget time.Duration) {
	if clock := l.Clock[side]; clock.Left > 0 {
		budget = max(min(clock.Left/30+clock.Increment/2, clock.Left/2), 1)
	}
	if l.MoveTime > 0 && (budget == 0 || l.MoveTime < budget) {
		budget = max(l.MoveTime*9/10, 1)
	}
	return budget
}

// deepest returns the greatest depth to search.
func deepest(l *search.Limits) int {
	depth := 100
	if l.Depth > 0 {
		depth = min(depth, l.Depth)
	}
	if l.Mate > 0 {
		depth = min(depth, 2*l.Mate-1)
	}
	return depth
}

// mateScore is the score of an immediate win. Every score above win is a win.
const mateScore, win = 30000, 29000

// think returns the score of a position for the side to move, from an alpha-beta search
// of depth turns. Replace it with your own.
func (s *run) think(p *position.Position, depth, ply, alpha, beta int) int {
	s.nodes++
	switch result := p.Result(); {
	case result != position.Ongoing:
		return result.For(p.SideToMove()) * (mateScore - ply) // 0 for a draw
	case depth == 0:
		return s.value(p)
	}
	for _, t := range p.Turns(nil) {
		if s.over() {
			return 0 // not used
		}
		child := p.After(t)
		if alpha = max(alpha, -s.think(&child, depth-1, ply+1, -beta, -alpha)); alpha >= beta {
			break
		}
	}
	return alpha
}

// value evaluates a position for the side to move, in centipawns: by removed rings,
// markers and mobility. Replace it with your own.
func (e *engine) value(p *position.Position) int {
	us, them := p.SideToMove(), p.SideToMove().Opponent()
	return e.ringWorth*(p.Removed(us)-p.Removed(them)) + 5*(p.Markers(us).Count()-p.Markers(them).Count()) + p.Mobility(us) - p.Mobility(them)
}

// protocolScore converts a score to the protocol's form.
func protocolScore(score int) protocol.Score {
	switch {
	case score > win:
		return protocol.Score{Mate: true, Value: mateScore - score}
	case score < -win:
		return protocol.Score{Mate: true, Value: -mateScore - score}
	}
	return protocol.Score{Value: score}
}
