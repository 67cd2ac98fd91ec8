// Package ladder provides reference players of fixed strength and their ratings, so that
// engines can be measured on one scale. The players are simple and never change. In
// particular they do not use package search, whose changes would move the scale.
//
// [Players] lists the players, [Ratings] their ratings (file ratings.txt), and
// [OutsideRatings] the ratings of other programs on the same scale (file outside.txt).
// The players are in players.go and searchers.go, the ratings in ratings.go.
package ladder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"gyre/bench/game"
	"gyre/position"
	"gyre/protocol"
)

// Player is a reference player.
type Player struct {
	Name  string
	About string // one line that describes the player
	make  func() chooser
}

// A chooser picks a turn in a game that is not over and scores it. It polls stopped, and
// once that returns true, it picks a turn at once.
type chooser interface {
	choose(p *position.Position, stopped func() bool) choice
}

// choice is the turn a player picked and what its search found.
type choice struct {
	turn  position.Turn
	score int // in the evaluation's units, for the side to move
	known bool
	depth int
	nodes uint64
}

// Players returns the reference players, roughly from weakest to strongest. Names and
// their meanings never change: a better player gets a new name.
func Players() []Player {
	all := []Player{
		{"random", "a uniformly random legal turn", func() chooser { return random{} }},
		{"greedy", "the turn with the best evaluation right after it", func() chooser { return greedy{} }},
	}
	for _, nodes := range []uint64{100, 1_000, 10_000, 100_000} {
		all = append(all, Player{"alphabeta-" + short(nodes), fmt.Sprintf("alpha-beta, %d nodes a turn", nodes),
			func() chooser { return byNodes(nodes) }})
	}
	for _, nodes := range []uint64{100, 1_000, 10_000} {
		all = append(all, Player{"mcts-" + short(nodes), fmt.Sprintf("Monte-Carlo tree search, %d playouts a turn", nodes),
			func() chooser { return &monteCarlo{limit: nodes} }})
	}
	for depth := 2; depth <= 4; depth++ {
		all = append(all, Player{fmt.Sprintf("boardspace-%d", depth), fmt.Sprintf("alpha-beta to depth %d with the evaluation of boardspace.net's robots", depth),
			func() chooser { return boardspace(depth) }})
	}
	return all
}

// short formats n, writing thousands as "k".
func short(n uint64) string {
	text := fmt.Sprint(n)
	if cut, found := strings.CutSuffix(text, "000"); found {
		return cut + "k"
	}
	return text
}

// Find returns the player called name.
func Find(name string) (Player, error) {
	var names []string
	for _, p := range Players() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Player{}, fmt.Errorf("unknown reference player %q: choose from %s", name, strings.Join(names, ", "))
}

// Engine returns the player as an engine that runs inside this program. It ignores all
// limits except its own.
func (p Player) Engine() game.Engine {
	return game.Engine{Name: p.Name, Limits: game.Limits{Nodes: 1}, // not zero, because a go without limits waits for stop
		Start: protocol.Local(func() protocol.Engine { return &served{player: p, chooser: p.make()} }).Start}
}

// served is a player as a protocol engine. It ignores all limits except its own.
type served struct {
	player  Player
	chooser chooser
}

// ID implements protocol.Engine.
func (s *served) ID() (name, author, version string) { return s.player.Name, "the Gyre authors", "1" }

// Options returns nil: reference players have no options.
func (s *served) Options() []protocol.Option { return nil }

// NewGame does nothing: players keep no state between games.
func (s *served) NewGame() {}

// Search picks a turn.
func (s *served) Search(ctx context.Context, root position.Position, _ protocol.Limits, _ <-chan struct{}, report func(protocol.Info)) (best, ponder position.Turn) {
	if root.Over() {
		return position.None, position.None
	}
	c := s.chooser.choose(&root, func() bool { return ctx.Err() != nil })
	report(protocol.Info{Depth: c.depth, Nodes: c.nodes, HasScore: c.known, Score: protocol.Score{Value: c.score}, PV: []position.Turn{c.turn}})
	return c.turn, position.None
}

// Evaluate describes the evaluation of p.
func (s *served) Evaluate(p *position.Position) string {
	return fmt.Sprintf("evaluation %d for the side to move", evaluate(p))
}

// Bench returns an error: reference players have no benchmark.
func (s *served) Bench(context.Context, []string, io.Writer) error {
	return errors.New("a reference player has no benchmark")
}

// The units of the evaluation: a removed ring, and the markers of one color on the five
// points of a row, by their number, if the other points are empty or hold rings.
const (
	ringWorth = 300
	moveWorth = 1 // for each ring move
	won       = 1_000_000
)

var rowWorth = [position.RowLength + 1]int{0, 1, 4, 12, 30, 60}

// rowPoints lists the points of every row.
var rowPoints = func() (points []position.Bitboard) {
	for r := range position.Row(position.RowCount) {
		points = append(points, r.Points())
	}
	return points
}()

// endScore reports whether the game is over, and its score for side own.
func endScore(p *position.Position, own position.Side) (ended bool, score int) {
	switch p.Result() {
	case position.Ongoing:
		return false, 0
	case position.Draw:
		return true, 0
	case position.WhiteWins + position.Result(own):
		return true, won
	}
	return true, -won
}

// evaluate returns the evaluation of p for the side to move: removed rings, unfinished rows
// and mobility. It is a plain sum and never changes.
func evaluate(p *position.Position) int {
	own := p.SideToMove()
	other := own.Opponent()
	if ended, score := endScore(p, own); ended {
		return score
	}
	score := ringWorth * (p.Removed(own) - p.Removed(other))
	mine, theirs := p.Markers(own), p.Markers(other)
	for _, points := range rowPoints {
		m, t := mine.And(points).Count(), theirs.And(points).Count()
		if t == 0 {
			score += rowWorth[m]
		}
		if m == 0 {
			score -= rowWorth[t]
		}
	}
	return score + moveWorth*(p.Mobility(own)-p.Mobility(other))
}

// random picks a uniformly random turn.
type random struct{}

func (random) choose(p *position.Position, _ func() bool) choice {
	turns := p.Turns(nil)
	return choice{turn: turns[rand.IntN(len(turns))], nodes: 1}
}

// greedy picks the turn with the best evaluation after it. Ties are broken at random.
type greedy struct{}

func (greedy) choose(p *position.Position, _ func() bool) choice {
	best := choice{score: -won - 1, known: true, depth: 1}
	equal := 0
	for _, t := range p.Turns(nil) {
		child := p.After(t)
		best.nodes++
		score := -evaluate(&child)
		switch {
		case score > best.score:
			best.turn, best.score, equal = t, score, 1
		case score == best.score:
			if equal++; rand.IntN(equal) == 0 {
				best.turn = t
			}
		}
	}
	return best
}
