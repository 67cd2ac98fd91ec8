// Command starter is an engine to begin with: copy this folder, and replace think and
// value. The rules are those of package position. All of PROTOCOL.md but choosing a
// turn is in protocol.Server; `gyre-arena check 'cmd=./starter'` tells whether that
// still holds.
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
)

func main() {
	if err := protocol.NewServer(&engine{ringWorth: 300}, os.Stdin, os.Stdout).Serve(); err != nil {
		fmt.Fprintln(os.Stderr, "starter:", err)
		os.Exit(1)
	}
}

// engine is what a protocol.Server needs.
type engine struct {
	ringWorth int // of a ring removed, in centipawns
}

func (e *engine) ID() (name, author, version string) { return "Starter", "the Gyre authors", "1" }

// Options shows how an option of yours is bound to what it sets.
func (e *engine) Options() []protocol.Option {
	return []protocol.Option{protocol.Spin("RingWorth", e.ringWorth, 0, 1000, func(n int) error { e.ringWorth = n; return nil })}
}

func (e *engine) NewGame() {}

func (e *engine) Bench(context.Context, []string, io.Writer) error {
	return errors.New("there is none")
}

func (e *engine) Evaluate(p *position.Position) string { return fmt.Sprintf("%d cp", e.value(p)) }

// Search looks one turn deeper each time, until something ends it.
func (e *engine) Search(ctx context.Context, root position.Position, limits protocol.Limits, ponderHit <-chan struct{}, report func(protocol.Info)) (best, ponder position.Turn) {
	turns := limits.SearchTurns
	if len(turns) == 0 {
		turns = root.Turns(nil)
	}
	if len(turns) == 0 {
		return position.None, position.None // the game is over
	}
	s := &search{engine: e, ctx: ctx, ponderHit: ponderHit, limits: limits, began: time.Now(), budget: budget(&limits, root.SideToMove())}
	best = turns[0]
	for depth := 1; depth <= deepest(&limits); depth++ {
		alpha, found := -mateScore, best
		for _, t := range turns {
			var child position.Position
			root.Play(&child, t)
			if score := -s.think(&child, depth-1, 1, -mateScore, -alpha); score > alpha && !s.over() {
				alpha, found = score, t
			}
		}
		if depth == 1 || !s.over() { // or the turns not looked at may be better
			best = found
		}
		if s.over() {
			break
		}
		report(protocol.Info{Depth: depth, MultiPV: 1, Score: told(alpha), HasScore: true, Nodes: s.nodes, Time: time.Since(s.began), PV: []position.Turn{best}})
		if alpha > win {
			break
		}
	}
	return best, position.None
}

// search is one search on its way.
type search struct {
	*engine
	ctx       context.Context
	ponderHit <-chan struct{} // closed when the opponent has played the turn that we ponder on
	limits    protocol.Limits
	began     time.Time
	budget    time.Duration // 0 for none
	nodes     uint64
}

// over tells whether the search has to end.
func (s *search) over() bool {
	if s.ctx.Err() != nil || s.limits.HasNodes && s.nodes >= s.limits.Nodes {
		return true
	}
	if s.limits.Ponder {
		select {
		case <-s.ponderHit:
			s.limits.Ponder, s.began = false, time.Now() // our clock runs
		default:
			return false
		}
	}
	return s.budget > 0 && time.Since(s.began) >= s.budget
}

// budget returns how long a turn may take, 0 for any time.
func budget(l *protocol.Limits, side position.Side) (budget time.Duration) {
	if clock := l.Clock[side]; clock.Set {
		budget = max(min(clock.Left/30+clock.Increment/2, clock.Left/2), 1)
	}
	if l.HasMoveTime && (budget == 0 || l.MoveTime < budget) {
		budget = max(l.MoveTime*9/10, 1)
	}
	return budget
}

// deepest returns how deep a search may look.
func deepest(l *protocol.Limits) int {
	depth := 100
	if l.HasDepth {
		depth = min(depth, l.Depth)
	}
	if l.Mate > 0 {
		depth = min(depth, 2*l.Mate-1)
	}
	return depth
}

// mateScore is the score of a win at once, win the least score of any.
const mateScore, win = 30000, 29000

// think returns what a position is worth to the side to move, after so many turns
// more: alpha-beta. This is yours to replace.
func (s *search) think(p *position.Position, depth, ply, alpha, beta int) int {
	s.nodes++
	switch result := p.Result(); {
	case result == position.Draw:
		return 0
	case result != position.Ongoing:
		if (result == position.WhiteWins) == (p.SideToMove() == position.White) {
			return mateScore - ply
		}
		return ply - mateScore
	case depth == 0:
		return s.value(p)
	}
	for _, t := range p.Turns(nil) {
		if s.over() {
			return 0 // nobody looks at it
		}
		var child position.Position
		p.Play(&child, t)
		if alpha = max(alpha, -s.think(&child, depth-1, ply+1, -beta, -alpha)); alpha >= beta {
			break
		}
	}
	return alpha
}

// value is what a position is worth to the side to move, in centipawns, by rings
// removed, markers and where rings can go. This is yours to replace.
func (e *engine) value(p *position.Position) int {
	us, them := p.SideToMove(), p.SideToMove().Opponent()
	return e.ringWorth*(p.Removed(us)-p.Removed(them)) + 5*(p.Markers(us).Count()-p.Markers(them).Count()) + p.Mobility(us) - p.Mobility(them)
}

// told returns a score as the protocol tells it.
func told(score int) protocol.Score {
	switch {
	case score > win:
		return protocol.Score{Mate: true, Value: mateScore - score}
	case score < -win:
		return protocol.Score{Mate: true, Value: -mateScore - score}
	}
	return protocol.Score{Value: score}
}
