package ladder

import (
	"fmt"
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
