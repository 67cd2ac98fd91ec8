// Package ladder has players of fixed strength to measure engines with, and
// their ratings. They are plain and stay as they are: nothing here uses package
// search, whose changes would move the scale.
//
//	players.go     Players: the reference players, by name
//	serve.go       a player as an engine of the protocol
//	judgement.go   how the players judge a position
//	oneply.go      uniformly random turns, and the best position after one turn
//	alphabeta.go   plain alpha-beta to a number of nodes
//	boardspace.go  the robots of boardspace.net, by description
//	mcts.go        plain Monte-Carlo tree search with random playouts
//	ratings.go     Ratings: the scale, as it was measured
//	ratings.txt    the numbers
//	outside.go     Outside: ratings of other programs on that scale
//	outside.txt    the numbers
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
	About string // what it does, in a line
	make  func() chooser
}

// chooser picks a turn of a game that is not over, and says what it thinks of
// it. stopped is polled; a chooser that is stopped picks at once.
type chooser interface {
	choose(p *position.Position, stopped func() bool) choice
}

// choice is a turn with what was found of it.
type choice struct {
	turn  position.Turn
	score int // of the judgement, for the side to move
	known bool
	depth int
	nodes uint64
}

// Players returns the reference players, those expected to be weaker first. Names
// and what they stand for never change: a better player gets a new name.
func Players() []Player {
	all := []Player{
		{"random", "each legal turn with the same chance", func() chooser { return random{} }},
		{"greedy", "the turn after which its judgement is best", func() chooser { return greedy{} }},
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

// short writes thousands with a k.
func short(n uint64) string {
	text := fmt.Sprint(n)
	if cut, found := strings.CutSuffix(text, "000"); found {
		return cut + "k"
	}
	return text
}

// Find returns the player of a name.
func Find(name string) (Player, error) {
	var names []string
	for _, p := range Players() {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Player{}, fmt.Errorf("reference player %q: none of %s", name, strings.Join(names, ", "))
}

// Engine returns the player for a match, where it plays in this program, within
// limits of its own.
func (p Player) Engine() game.Engine {
	return game.Engine{Name: p.Name, Limits: game.Limits{Nodes: 1}, // more than nothing: a go without limits waits for stop
		Start: protocol.Local(func() protocol.Engine { return &served{player: p, chooser: p.make()} }).Start}
}

// served is a player behind the protocol. It knows no limits but its own.
type served struct {
	player  Player
	chooser chooser
}

// ID returns who it is.
func (s *served) ID() (name, author, version string) { return s.player.Name, "the Gyre authors", "1" }

// Options returns none.
func (s *served) Options() []protocol.Option { return nil }

// NewGame has nothing to forget.
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

// Evaluate tells the judgement.
func (s *served) Evaluate(p *position.Position) string {
	return fmt.Sprintf("judgement %d for the side to move", judge(p))
}

// Bench is not for players.
func (s *served) Bench(context.Context, []string, io.Writer) error {
	return errors.New("a reference player has no benchmark")
}

// The judgement's units: a ring removed, and markers of one colour on the five
// points of a row, by their number, when nothing else stands on them but rings.
const (
	ringWorth = 300
	moveWorth = 1 // of each ring move more
	won       = 1_000_000
)

var rowWorth = [position.RowLength + 1]int{0, 1, 4, 12, 30, 60}

// rowPoints are the points of all rows.
var rowPoints = func() (points []position.Bitboard) {
	for r := range position.Row(position.RowCount) {
		points = append(points, r.Points())
	}
	return points
}()

// judgeEnd tells whether the game is over, and how good that is for a side.
func judgeEnd(p *position.Position, own position.Side) (ended bool, score int) {
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

// judge returns how good a position is for the side to move: rings removed, rows
// that grow, moves. It is a plain sum, and never changes.
func judge(p *position.Position) int {
	own := p.SideToMove()
	other := own.Opponent()
	if ended, score := judgeEnd(p, own); ended {
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

// random picks each turn with the same chance.
type random struct{}

func (random) choose(p *position.Position, _ func() bool) choice {
	turns := p.Turns(nil)
	return choice{turn: turns[rand.IntN(len(turns))], nodes: 1}
}

// greedy picks the turn after which its judgement is best; of equal ones each
// with the same chance.
type greedy struct{}

func (greedy) choose(p *position.Position, _ func() bool) choice {
	best := choice{score: -won - 1, known: true, depth: 1}
	equal := 0
	for _, t := range p.Turns(nil) {
		var child position.Position
		p.Play(&child, t)
		best.nodes++
		score := -judge(&child)
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
