// Package ladder provides reference players of fixed strength and their ratings, so that
// engines can be measured on one scale. The players are simple and never change. In
// particular they do not use package search, whose changes would move the scale.
//
// [Players] lists the players, [Ratings] their ratings (file ratings.txt), and
// [OutsideRatings] the ratings of other programs on the same scale (file outside.txt).
// The players are in players.go, the ratings in ratings.go.
package ladder

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"strings"

	"gyre/bench/game"
	"gyre/position"
	"gyre/protocol"
	"gyre/search"
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
		all = append(all, Player{fmt.Sprintf("boardspace-%d", depth), fmt.Sprintf("alpha-beta to depth %d with an early description of boardspace.net's evaluation; not the robot", depth),
			func() chooser { return boardspace(depth) }})
	}
	all = append(all, Player{"dumbot", "as boardspace.net's Dumbot plays after its random opening: alpha-beta to depth 3",
		func() chooser { return dumbot() }})
	for _, moves := range []uint64{200_000, 2_000_000, 7_500_000} {
		all = append(all, Player{"playouts-" + short(moves), fmt.Sprintf("Monte-Carlo tree search until its playouts have %d turns; the same turn each time", moves),
			func() chooser { return &monteCarlo{limit: math.MaxUint64, turns: moves, seed: 1} }})
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
	return game.Engine{Name: p.Name, Limits: game.TimeControl{Nodes: 1}, // not zero, because a go without limits waits for stop
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
func (s *served) Search(ctx context.Context, root position.Position, _ search.Limits, report func(protocol.Info)) (best, ponder position.Turn) {
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
	result := p.Result()
	return result != position.Ongoing, won * result.For(own)
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

// alphaBeta is plain iterative-deepening alpha-beta. It stops after a number of nodes or at
// a fixed depth. It has no transposition table. Turns that remove rows are searched first,
// and at the root the best turns of the previous iteration. Root turns are shuffled so that
// games do not repeat.
type alphaBeta struct {
	limit    uint64                       // in nodes
	deepest  int                          // in turns
	evaluate func(*position.Position) int // for the side to move
	nodes    uint64
	stopped  func() bool
	turns    [][]position.Turn // buffers, indexed by remaining depth
}

// longestGame is a depth that no search reaches: every game is shorter.
const longestGame = 100

// byNodes returns an alpha-beta player limited to a number of nodes.
func byNodes(limit uint64) *alphaBeta {
	return &alphaBeta{limit: limit, deepest: longestGame, evaluate: evaluate}
}

func (a *alphaBeta) choose(p *position.Position, stopped func() bool) choice {
	a.nodes, a.stopped = 0, stopped
	root := p.Turns(nil)
	rand.Shuffle(len(root), func(i, j int) { root[i], root[j] = root[j], root[i] })
	removalsFirst(root)
	best := choice{turn: root[0]}
	for depth := 1; depth <= a.deepest && !a.over(); depth++ {
		score, at := -won-1, 0
		for i, t := range root {
			var child position.Position
			p.Play(&child, t)
			value := -a.search(&child, depth-1, -won-1, -score)
			if a.over() {
				break
			}
			if value > score {
				score, at = value, i
			}
		}
		if score >= -won {
			// Use an interrupted iteration too: it searched the previous best
			// turn first, so only a better one can replace it.
			best = choice{turn: root[at], score: score, known: true, depth: depth}
			t := root[at]
			copy(root[1:at+1], root[:at])
			root[0] = t
		}
		if score >= won || score <= -won || len(root) == 1 {
			break
		}
	}
	best.nodes = a.nodes
	return best
}

// over reports whether the search must end.
func (a *alphaBeta) over() bool {
	return a.nodes >= a.limit || a.nodes%256 == 0 && a.nodes > 0 && a.stopped()
}

// search returns the score of p for the side to move. The score is exact if it is between
// alpha and beta.
func (a *alphaBeta) search(p *position.Position, depth, alpha, beta int) int {
	a.nodes++
	if depth == 0 || p.Over() {
		return a.evaluate(p)
	}
	for len(a.turns) <= depth {
		a.turns = append(a.turns, nil)
	}
	turns := p.Turns(a.turns[depth][:0])
	a.turns[depth] = turns
	removalsFirst(turns)
	best := -won - 1
	for _, t := range turns {
		var child position.Position
		p.Play(&child, t)
		best = max(best, -a.search(&child, depth-1, -beta, -max(alpha, best)))
		if best >= beta || a.over() {
			break
		}
	}
	return best
}

// removalsFirst moves the turns that remove rows to the front.
func removalsFirst(turns []position.Turn) {
	next := 0
	for i, t := range turns {
		if t.Removals() > 0 {
			turns[next], turns[i] = turns[i], turns[next]
			next++
		}
	}
}

// The alpha-beta robots of boardspace.net, the YINSH programs most people have played:
// WeakBot searches 2 turns deep, Dumbot 3 and SmartBot 4, also while placing rings. An
// early description says that for each side they evaluate
//
//	100 for each removed ring
//	0.1 for each move of its rings
//	0.1 for each marker that these moves flip
//	0.1 for each marker of its color on the board
//
// and take the difference. This implementation follows that description (D. Dyer,
// yinsh/common/YinshPlay.java in the sources of boardspace.net, 2006-2023), not the code.
// The players boardspace-N are not the robots: see [dumbot] for what the live Dumbot
// counts. They keep their meaning, because ratings rest on them. They also differ where
// the description is silent or depends on the site's driver:
//
//   - In its first 12 moves a robot picks one of its best 21 to 32 turns at random. Here
//     only ties are broken at random, because matches begin from openings.
//   - A finished game outweighs any evaluation.
//   - The flips of all moves are added up, even if several moves flip the same marker.
//   - There is no time limit.
//
// The unit is a tenth, so that all weights are integers.
const (
	boardspaceRing = 1000
	boardspaceOne  = 1
)

// boardspace returns the player boardspace-N that searches to depth N.
func boardspace(depth int) *alphaBeta {
	return &alphaBeta{limit: 1 << 62, deepest: depth, evaluate: evaluateBoardspace}
}

// evaluateBoardspace returns the evaluation of boardspace-N for the side to move.
func evaluateBoardspace(p *position.Position) int { return difference(p, boardspaceSide) }

// difference returns the value of the side to move minus that of its opponent, or the
// result if the game is over.
func difference(p *position.Position, valueOf func(*position.Position, position.Side) int) int {
	own := p.SideToMove()
	if ended, score := endScore(p, own); ended {
		return score
	}
	return valueOf(p, own) - valueOf(p, own.Opponent())
}

// boardspaceSide returns the evaluation of one side.
func boardspaceSide(p *position.Position, s position.Side) int {
	markers := p.AllMarkers()
	moves, flips := 0, 0
	for rings := p.Rings(s); !rings.IsEmpty(); rings = rings.WithoutFirst() {
		from := rings.First()
		for targets := p.Targets(from); !targets.IsEmpty(); targets = targets.WithoutFirst() {
			moves++
			flips += position.Between(from, targets.First()).And(markers).Count()
		}
	}
	return boardspaceRing*p.Removed(s) + boardspaceOne*(moves+flips+p.Markers(s).Count())
}

// dumbot returns a player that searches to depth 3 with the evaluation of the live Dumbot,
// which is described by its recorded games. It differs from boardspace-3 in what it
// counts as moves and flips: the robot follows each ray of a ring up to and including the
// first vacant point behind markers, or the ring that blocks it. Every point on the way is
// a move and every marker a flip, even if the ring cannot land there. It does not open at
// random as the robot does, because matches begin from openings.
func dumbot() *alphaBeta {
	return &alphaBeta{limit: math.MaxUint64, deepest: 3, evaluate: evaluateDumbot}
}

// evaluateDumbot returns the evaluation of Dumbot for the side to move.
func evaluateDumbot(p *position.Position) int { return difference(p, dumbotSide) }

// dumbotSide returns Dumbot's evaluation of one side. The weights are those of
// boardspace-N.
func dumbotSide(p *position.Position, s position.Side) int {
	markers := p.AllMarkers()
	rings := p.Rings(position.White).Or(p.Rings(position.Black))
	moves, flips := 0, 0
	for own := p.Rings(s); !own.IsEmpty(); own = own.WithoutFirst() {
		for _, ray := range rays[own.First()] {
			jumped := false
			for _, at := range ray {
				moves++
				if markers.Has(at) {
					flips++
					jumped = true
				} else if jumped || rings.Has(at) {
					break
				}
			}
		}
	}
	return boardspaceRing*p.Removed(s) + boardspaceOne*(moves+flips+p.Markers(s).Count())
}

// rays holds the points in each direction from a point, the nearest first.
var rays = func() (all [128][][]position.Point) {
	for from := position.Board(); !from.IsEmpty(); from = from.WithoutFirst() {
		var byDirection [2 * position.Directions][]position.Point
		for board := position.Board(); !board.IsEmpty(); board = board.WithoutFirst() {
			d, ok := position.DirectionOf(from.First(), board.First())
			switch {
			case !ok:
			case board.First() > from.First():
				byDirection[d] = append(byDirection[d], board.First())
			default: // the farthest is listed first
				byDirection[position.Directions+d] = append([]position.Point{board.First()}, byDirection[position.Directions+d]...)
			}
		}
		all[from.First()] = byDirection[:]
	}
	return all
}()

// monteCarlo is plain UCT. Each playout adds one node to the tree and plays random turns
// from it. The root turn with the most playouts wins.
//
// Source: L. Kocsis and C. Szepesvari, "Bandit based Monte-Carlo planning" (2006).
type monteCarlo struct {
	limit uint64 // in playouts
	turns uint64 // in turns that the playouts play, in the tree and below it; 0: no limit
	seed  uint64 // determines the random numbers together with the position; 0: they always differ
}

// exploration is the UCT exploration constant, for results from 0 to 1.
const exploration = 0.7

// branch is a node of the tree.
type branch struct {
	turn     position.Turn // the turn that leads to this node
	untried  []position.Turn
	children []branch // next to each other, as each pick looks at all of them
	visits   float64
	points   float64 // for the side that played turn
	open     bool    // whether untried has been filled
}

func (m *monteCarlo) choose(p *position.Position, stopped func() bool) choice {
	rng := rand.NewPCG(rand.Uint64(), rand.Uint64())
	if m.seed != 0 {
		hash := fnv.New64a()
		io.WriteString(hash, p.String()) // a hash returns no errors
		rng.Seed(m.seed, hash.Sum64())
	}
	root := &branch{}
	n, played := uint64(0), uint64(0)
	for ; n < m.limit && (m.turns == 0 || played < m.turns) && (n == 0 || n%64 != 0 || !stopped()); n++ {
		at := *p
		_, turns := root.descend(&at, rng)
		played += uint64(turns)
	}
	best := &root.children[0]
	for i := range root.children {
		if c := &root.children[i]; c.visits > best.visits {
			best = c
		}
	}
	return choice{turn: best.turn, nodes: n, depth: 1, known: true, score: int(1000 * (best.points/best.visits - 0.5))}
}

// descend walks down the tree from the node of p, adds a leaf, plays a random game from it
// and returns the result and the number of turns played, in the tree and below. It
// modifies p.
func (b *branch) descend(p *position.Position, rng *rand.PCG) (result position.Result, turns int) {
	if p.Over() {
		return p.Result(), 1 // a visit is never free, so that a limit in turns ends
	}
	if !b.open {
		b.open, b.untried = true, p.Turns(nil)
	}
	side := p.SideToMove()
	var next *branch
	var child position.Position
	if len(b.untried) > 0 {
		i := int(rng.Uint64() % uint64(len(b.untried)))
		last := len(b.untried) - 1
		b.children = append(b.children, branch{turn: b.untried[i]})
		next = &b.children[len(b.children)-1]
		b.untried[i] = b.untried[last]
		b.untried = b.untried[:last]
		p.Play(&child, next.turn)
		result, turns = child.Playout(rng)
	} else {
		next = b.pick()
		p.Play(&child, next.turn)
		result, turns = next.descend(&child, rng)
	}
	if len(b.untried) == 0 {
		b.untried = nil
	}
	next.visits++
	next.points += share(result, side)
	return result, turns + 1
}

// pick returns the child with the highest upper confidence bound.
func (b *branch) pick() *branch {
	total := 0.0
	for i := range b.children {
		total += b.children[i].visits
	}
	log := math.Log(total)
	best, highest := &b.children[0], math.Inf(-1)
	for i := range b.children {
		c := &b.children[i]
		if bound := c.points/c.visits + exploration*math.Sqrt(log/c.visits); bound > highest {
			best, highest = c, bound
		}
	}
	return best
}

// share returns the points of a side in a game that is over: 1, 0.5 or 0.
func share(result position.Result, side position.Side) float64 {
	return float64(1+result.For(side)) / 2
}
