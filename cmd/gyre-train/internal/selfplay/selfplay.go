// Package selfplay has the engine play itself for samples to learn from.
//
//	recipe.go   Recipe: all that the games depend on, but for the engine
//	player.go   Player: one game after the other
//	opening.go  how each begins; Late: positions of earlier games to begin from
//	run.go      Run: many games on several threads, handed on in order
//	file.go     Open: the file of a run, begun or gone on with
//
// A game depends on the recipe, its number and the engine, and on nothing else:
// neither on the games before it, nor on how many are played at once. So a run
// that was broken off goes on as if nothing had been, and a file that has more
// games than another of the same recipe begins with the same games.
package selfplay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"

	"github.com/zeebo/xxh3"

	"gyre/cmd/gyre-train/internal/sample"
	"gyre/position"
	"gyre/search"
)

// Recipe is what games are made by.
type Recipe struct {
	Seed  uint64
	Rules position.Rules
	// Nodes are those of each search; PlacingNodes while rings are placed.
	Nodes, PlacingNodes uint64
	// Hash is the searcher's memory in MiB. It is emptied before each game.
	Hash int
	// RandomTurns is the largest number of random turns after the rings are
	// placed. A game makes any number of them up to it, equally likely.
	RandomTurns int
	// Late are positions to begin from; nil to begin from the start.
	Late *Late
	// Bound is the highest score, in centipawns, that one side may be ahead by
	// after the opening; where it is more, another opening is made.
	Bound int
	// Slips is the chance that a turn after the opening is a random one, so that
	// games do not all go along the engine's own paths. Such a position is not
	// recorded.
	Slips float64
}

// Default is the recipe of the engine's evaluation but for the seed.
var Default = Recipe{Seed: 1, Nodes: 5000, PlacingNodes: 500, Hash: 8, RandomTurns: 8, Bound: 300, Slips: 0.02}

// The bounds of recipes.
const (
	mostRandomTurns = 40   // games are hardly over after so many
	mostHash        = 4096 // MiB
)

// Check returns what is wrong with the recipe, nil if nothing.
func (r *Recipe) Check() error {
	switch {
	case r.Nodes == 0 || r.PlacingNodes == 0:
		return errors.New("a turn needs nodes to search")
	case r.Hash < 1 || r.Hash > mostHash:
		return fmt.Errorf("%d MiB of memory: not from 1 to %d", r.Hash, mostHash)
	case r.RandomTurns < 0 || r.RandomTurns > mostRandomTurns:
		return fmt.Errorf("up to %d random turns: not from 0 to %d", r.RandomTurns, mostRandomTurns)
	case r.Bound < 1:
		return fmt.Errorf("bound %d: not positive", r.Bound)
	case !(r.Slips >= 0 && r.Slips < 1):
		return fmt.Errorf("chance %g of a slip: not from 0 to below 1", r.Slips)
	}
	return nil
}

// About returns the recipe as it stands in the header of a file.
func (r *Recipe) About() sample.About {
	return sample.About{
		{Name: "rules", Value: r.Rules.String()},
		{Name: "seed", Value: strconv.FormatUint(r.Seed, 10)},
		{Name: "nodes a turn", Value: strconv.FormatUint(r.Nodes, 10)},
		{Name: "nodes a ring placed", Value: strconv.FormatUint(r.PlacingNodes, 10)},
		{Name: "hash", Value: fmt.Sprintf("%d MiB", r.Hash)},
		{Name: "openings", Value: fmt.Sprintf("%s; no side ahead by more than %d", r.openings(), r.Bound)},
		{Name: "slips", Value: strconv.FormatFloat(r.Slips, 'g', -1, 64)},
	}
}

// openings says how games begin.
func (r *Recipe) openings() string {
	if r.Late != nil {
		return r.Late.String()
	}
	return fmt.Sprintf("rings at random in half of the games, else each at random or by the engine; 0 to %d random turns", r.RandomTurns)
}

// ringTurns is how many turns the placing of the rings takes.
const ringTurns = 2 * position.RingsPerSide

// opening is a plan of how a game begins: from which position, and which turns are
// random.
type opening struct {
	start position.Position
	first int             // ply of the start
	rings [ringTurns]bool // which of the rings are placed at random
	end   int             // ply of the first turn after the opening
}

// newOpening draws a plan: from a late position if the recipe has some, and else from
// the start. There, in half of the games all rings are placed at random; in the others
// a coin decides for each ring whether it is, or the engine places it. The first ring
// is always placed at random: otherwise games would begin alike.
func newOpening(r *Recipe, rng *rand.Rand) opening {
	if r.Late != nil {
		return r.Late.opening(rng)
	}
	o := opening{start: position.Start(r.Rules)}
	all := rng.IntN(2) == 0
	for i := range o.rings {
		o.rings[i] = i == 0 || all || rng.IntN(2) == 0
	}
	o.end = ringTurns + rng.IntN(r.RandomTurns+1)
	return o
}

// random tells whether a turn of the opening is a random one.
func (o *opening) random(ply int) bool { return ply >= ringTurns || o.rings[ply] }

// Late are positions late in games of before, for games to begin from: those where
// each side has removed a ring. There evaluations err most, and games from the start
// seldom come to them.
type Late struct {
	origin  string // what they are from
	records []byte // samples, one after the other
}

// mostLateTurns is the largest number of random turns that are made from a late
// position. A game makes one at least.
const mostLateTurns = 3

// ReadLate reads the late positions of a file of samples. Name is that of the file.
// Damage is told and passed over. The error says that the file is none, of other rules
// or has no such position.
func ReadLate(in io.Reader, name string, rules position.Rules, tell func(error)) (*Late, error) {
	hash := xxh3.New()
	r, err := sample.NewReader(io.TeeReader(in, hash))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	l := &Late{}
	for {
		g, err := r.Next()
		if err == io.EOF {
			break
		}
		if damage, damaged := errors.AsType[*sample.Damage](err); damaged {
			tell(fmt.Errorf("%s: %w", name, damage))
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err := l.add(g, rules); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if l.count() == 0 {
		return nil, fmt.Errorf("%s: it has no position where each side has removed a ring", name)
	}
	l.origin = fmt.Sprintf("%s, xxh3 %016x", name, hash.Sum64())
	return l, nil
}

// add adds the late positions of a game.
func (l *Late) add(g *sample.Game, rules position.Rules) error {
	for i := range g.Samples {
		s := &g.Samples[i]
		p := &s.Position
		if p.Rules() != rules {
			return fmt.Errorf("game %d is by the %v rules, not the %v ones", g.Number, p.Rules(), rules)
		}
		if p.Removed(position.White) > 0 && p.Removed(position.Black) > 0 {
			l.records = s.Append(l.records)
		}
	}
	return nil
}

// count returns how many positions there are.
func (l *Late) count() int { return len(l.records) / sample.Size }

// opening draws a position and how many random turns are made from it.
func (l *Late) opening(rng *rand.Rand) opening {
	at := rng.IntN(l.count()) * sample.Size
	s, err := sample.Decode(l.records[at : at+sample.Size])
	if err != nil {
		panic("a sample that was read: " + err.Error()) // it was written by Append
	}
	return opening{start: s.Position, first: int(s.Ply), end: int(s.Ply) + 1 + rng.IntN(mostLateTurns)}
}

// String says what they are.
func (l *Late) String() string {
	return fmt.Sprintf("from %d positions where each side has removed a ring, of %s; 1 to %d random turns", l.count(), l.origin, mostLateTurns)
}

// Searcher is what a player needs of a searcher. After NewGame a search with a
// limit of nodes has to do the same work every time.
type Searcher interface {
	Search(ctx context.Context, root position.Position, limits search.Limits, report func(search.Info)) search.Outcome
	NewGame()
}

// Player plays games by a recipe. It is for one goroutine.
type Player struct {
	recipe   *Recipe
	searcher Searcher
	turns    []position.Turn // memory for lists
}

// NewPlayer returns a player with a searcher of its own.
func NewPlayer(r *Recipe, s Searcher) *Player { return &Player{recipe: r, searcher: s} }

// mostTries is how many openings in a row may be decided before Game gives up.
const mostTries = 1000

// Game plays the game of a number, the same one each time. The error is the
// context's, or says that the recipe lets hardly any opening pass.
func (p *Player) Game(ctx context.Context, number uint32) (*sample.Game, error) {
	rng := source(p.recipe, uint64(number))
	p.searcher.NewGame()
	for range mostTries {
		g, err := p.try(ctx, number, rng)
		if g != nil || err != nil {
			return g, err
		}
	}
	return nil, fmt.Errorf("game %d: none of %d openings is even enough: the bound is too low", number, mostTries)
}

// source returns the source of all that is random in the game of a number.
func source(r *Recipe, number uint64) *rand.Rand { return rand.New(rand.NewPCG(r.Seed, number)) }

// try plays a game with one opening. It returns nil if the opening is decided.
func (p *Player) try(ctx context.Context, number uint32, rng *rand.Rand) (*sample.Game, error) {
	g := &sample.Game{Number: number}
	plan := newOpening(p.recipe, rng)
	judged := false
	here := plan.start
	for ply := plan.first; !here.Over(); ply++ {
		begun := ply >= plan.end
		var turn position.Turn
		if begun && rng.Float64() < p.recipe.Slips || !begun && plan.random(ply) {
			turn = p.randomTurn(&here, rng)
		} else {
			best, score, err := p.search(ctx, &here)
			if err != nil {
				return nil, err
			}
			if begun && !judged && max(score, -score) > int16(min(p.recipe.Bound, sample.MostScore)) {
				return nil, nil
			}
			judged = judged || begun
			g.Samples = append(g.Samples, sample.Sample{Position: here, Score: score, Ply: uint8(ply), Game: number})
			turn = best
		}
		var child position.Position
		here.Play(&child, turn)
		here = child
	}
	if !judged { // it was over before the engine had a turn
		return nil, nil
	}
	setResults(g, here.Result())
	return g, nil
}

// randomTurn returns any turn, each equally likely.
func (p *Player) randomTurn(here *position.Position, rng *rand.Rand) position.Turn {
	p.turns = here.Turns(p.turns[:0])
	return p.turns[rng.IntN(len(p.turns))]
}

// search returns the engine's turn and its score for the side to move.
func (p *Player) search(ctx context.Context, here *position.Position) (position.Turn, int16, error) {
	limits := search.Limits{Nodes: p.recipe.Nodes}
	if here.Placing() {
		limits.Nodes = p.recipe.PlacingNodes
	}
	out := p.searcher.Search(ctx, *here, limits, func(search.Info) {})
	if ctx.Err() != nil {
		return position.None, 0, context.Cause(ctx)
	}
	return out.Best, clamped(out.Info.Score), nil
}

// clamped is a search's score as samples have it: no evaluation is worth more
// than a proven end.
func clamped(score search.Score) int16 {
	return int16(max(-sample.MostScore, min(sample.MostScore, score)))
}

// setResults gives all samples the result of their game.
func setResults(g *sample.Game, r position.Result) {
	for i := range g.Samples {
		s := &g.Samples[i]
		switch {
		case r == position.Draw:
			s.Result = 0
		case (r == position.WhiteWins) == (s.Position.SideToMove() == position.White):
			s.Result = 1
		default:
			s.Result = -1
		}
	}
}
