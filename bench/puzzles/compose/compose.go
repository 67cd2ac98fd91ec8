// Package compose makes puzzles from games of the engine.
//
//	recipe.go     Recipe: all that puzzles depend on, but for the engine
//	games.go      games between levels of strength
//	candidate.go  positions with one right turn, by searches of more and more nodes
//	solution.go   how it goes on: proofs, and turns that are the only right ones too
//	rating.go     how strong a player must be
//	selection.go  which puzzles come into a set
//	run.go        Run: the set that is there, then game after game until it is whole
//
// A game depends on the recipe, its number and the engine; which of its positions
// become puzzles depends also on the games before it, whose puzzles fill the themes.
// So the same recipe, with the same set to begin with, makes the same set.
package compose

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"gyre/bench/puzzles"
	"gyre/position"
	"gyre/search"
)

// Recipe is what puzzles are made by.
type Recipe struct {
	Seed    uint64
	Puzzles int // wanted
	Games   int // after so many it ends with the puzzles that there are
	// Nodes are those of a search that decides whether a turn is right: one of all turns
	// and one of all but the right one.
	Nodes uint64
	Lead  int // thousandths by which the right turn leads then
	// Again are those of the searches, by puzzles.Judge.Recheck, that choose among what is
	// found so; 0 for none. What they choose is searched with [Recipe.Confirm] nodes, too.
	Again uint64
	Hold  int // thousandths by which the right turn leads still
}

// Default is the recipe of the set.
var Default = Recipe{Seed: 1, Puzzles: 1600, Games: 20_000, Nodes: 10_000, Lead: 300, Again: 100_000, Hold: 300}

// Confirm is the number of nodes of the last searches: ten times those that choose.
func (r *Recipe) Confirm() uint64 { return 10 * r.Again }

// Check returns what is wrong with the recipe, nil if nothing.
func (r *Recipe) Check() error {
	switch {
	case r.Puzzles < 1:
		return errors.New("no puzzles are wanted")
	case r.Games < 1:
		return errors.New("puzzles need games")
	case r.Nodes < fewest:
		return fmt.Errorf("%d nodes of a search: not at least %d", r.Nodes, fewest)
	}
	for _, lead := range []int{r.Lead, r.Hold} {
		if lead < 1 || lead > 1000 {
			return fmt.Errorf("a lead of %d thousandths: not from 1 to 1000", lead)
		}
	}
	return nil
}

const (
	perGame = 4 // puzzles of a game at most
	apart   = 3 // turns between two of them at least, which are else often stages of one
)

// composer makes puzzles.
type composer struct {
	recipe *Recipe
	judge  puzzles.Judge
	set    *selection
}

// Progress is how far a run is.
type Progress struct {
	Games, Puzzles int
	Kept           int    // of the puzzles, those that it began with
	Themes         string // how many of each theme
}

// Run grows a set of puzzles, which may be empty, with a searcher of one thread. Those of
// the set that hold, by the recipe's last searches, stay as they are and come first.
// Then it plays games with the searcher, the same that judges, and adds the puzzles
// found in them, in the order of the games, until the themes have the puzzles that they
// should have or the games are played. Progress is told after each puzzle and each game,
// from the calling goroutine. The error is the context's, or says what is wrong with the
// recipe.
func Run(ctx context.Context, recipe Recipe, set []puzzles.Puzzle, searcher puzzles.Searcher, tell func(Progress)) ([]puzzles.Puzzle, error) {
	if err := recipe.Check(); err != nil {
		return nil, err
	}
	c := &composer{recipe: &recipe, judge: puzzles.Judge{Searcher: searcher}, set: newSelection(recipe.Puzzles)}
	kept := 0
	told := func(games int) { tell(Progress{games, len(c.set.chosen), kept, c.set.String()}) }
	for i := 0; i < len(set) && !c.set.whole(); i++ {
		holds, err := c.holds(ctx, &set[i])
		if err != nil {
			return nil, err
		}
		if holds {
			c.set.add(&set[i])
			kept++
		}
		told(0)
	}
	for number := 0; number < recipe.Games && !c.set.whole(); number++ {
		positions, err := c.game(ctx, number)
		if err != nil {
			return nil, err
		}
		if err := c.search(ctx, positions, func() { told(number) }); err != nil {
			return nil, err
		}
		told(number + 1)
	}
	return c.set.chosen, nil
}

// search looks for puzzles among the positions of a game.
func (c *composer) search(ctx context.Context, positions []position.Position, taken func()) error {
	found := 0
	for i := 0; i < len(positions) && found < perGame && !c.set.whole(); i++ {
		z, err := c.puzzle(ctx, &positions[i])
		if err != nil {
			return err
		}
		if z != nil {
			c.set.add(z)
			found++
			taken()
			i += apart - 1
		}
	}
	return nil
}

// puzzle makes a puzzle of a position; nil if it makes none that the set lacks.
func (c *composer) puzzle(ctx context.Context, p *position.Position) (*puzzles.Puzzle, error) {
	if p.Placing() || !c.set.mayWant(p) {
		return nil, nil
	}
	found, ok, err := c.lead(ctx, p, c.set.wants)
	if err != nil || !ok {
		return nil, err
	}
	z := &puzzles.Puzzle{ID: puzzles.IDOf(p), Position: *p}
	if c.set.seen[z.ID] {
		return nil, nil
	}
	if err := c.solve(ctx, z, &found); err != nil {
		return nil, err
	}
	if z.Theme, ok = c.set.theme(z, found.strict); !ok {
		return nil, nil
	}
	if z.Rating, err = c.rate(ctx, z); err != nil {
		return nil, err
	}
	// A win may be too long for the solution to show, or by another ring.
	if !c.set.hasRoom(z) || z.Check() != nil {
		return nil, nil
	}
	if holds, err := c.holds(ctx, z); !holds || err != nil {
		return nil, err
	}
	return z, nil
}

// holds tells whether the first turn of a puzzle is still the only right one by the
// searches that choose, and by those that confirm, if the recipe has any.
func (c *composer) holds(ctx context.Context, z *puzzles.Puzzle) (bool, error) {
	if c.recipe.Again == 0 {
		return true, nil
	}
	for _, nodes := range []uint64{c.recipe.Again, c.recipe.Confirm()} {
		if wrong, err := c.judge.Recheck(ctx, z, nodes, c.recipe.Hold); wrong != nil || err != nil {
			return false, err
		}
	}
	return true, nil
}

// How games are played: by levels of strength, mostly by the standard rules, each
// with some rings placed by chance, so that no two go alike.
const (
	weakest, strongest = 500, 2100 // rating of a side
	ringsByChance      = 6         // the first of the ten
	blitzEvery         = 5         // one game in so many is blitz
)

// game plays the game of a number and returns its positions before each turn, and after
// those the positions that slips would have led to.
func (c *composer) game(ctx context.Context, number int) ([]position.Position, error) {
	rng := rand.New(rand.NewPCG(c.recipe.Seed, uint64(number)))
	rules := position.Standard
	if number%blitzEvery == blitzEvery-1 {
		rules = position.Blitz
	}
	c.judge.Searcher.NewGame()
	var players [2]search.Searcher
	for side := range players {
		players[side] = search.LimitStrength(c.judge.Searcher, weakest+rng.IntN(strongest-weakest+1), rng.Uint64())
	}
	p := position.Start(rules)
	var positions, slips []position.Position
	for !p.Over() {
		positions = append(positions, p)
		var turn position.Turn
		if len(positions) <= ringsByChance {
			turns := p.Turns(nil)
			turn = turns[rng.IntN(len(turns))]
		} else {
			turn = players[p.SideToMove()].Search(ctx, p, search.Limits{}, func(search.Info) {}).Best
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if slip, ok := slipAt(&p, rng); ok {
			slips = append(slips, slip)
		}
		p = after(&p, turn)
	}
	return append(positions, slips...), nil
}

// slipAt returns the position after a turn drawn from those that make a row for the other
// side, which players seldom do and people do, and whether there is any.
func slipAt(p *position.Position, rng *rand.Rand) (slip position.Position, ok bool) {
	if p.Placing() {
		return slip, false
	}
	count := 0
	for _, t := range p.Turns(nil) {
		child := after(p, t)
		if child.Over() || !child.HasRow(child.SideToMove()) {
			continue
		}
		if count++; rng.IntN(count) == 0 {
			slip = child
		}
	}
	return slip, count > 0
}

// after returns the position after a legal turn.
func after(p *position.Position, t position.Turn) (child position.Position) {
	p.Play(&child, t)
	return child
}

// stage is a search of a position: it has to show a lead, or the position is no
// puzzle. Cheap stages come first and are content with less.
type stage struct {
	nodes uint64
	lead  int // thousandths
}

// fewest is how many nodes tell anything.
const fewest = 300

// stages are those of the recipe.
func (r *Recipe) stages() []stage {
	return []stage{{max(r.Nodes/25, fewest), r.Lead * 11 / 20}, {max(r.Nodes/5, fewest), r.Lead * 3 / 4}, {r.Nodes, r.Lead}}
}

// leastChance is what the right turn promises at least, in thousandths: nobody likes
// to find the turn that loses slowest.
const leastChance = 350

// candidate is a position with one right turn.
type candidate struct {
	position position.Position
	lead     puzzles.Lead
	// strict tells that the ring that pays counts: every other is worse by the lead wanted.
	strict bool
}

// lead puts a position through the stages, and tells whether it comes through. wanted
// tells whether a turn, with its proven end or without, could be of a theme that lacks
// puzzles.
func (c *composer) lead(ctx context.Context, p *position.Position, wanted func(*position.Position, position.Turn, bool) bool) (found candidate, ok bool, err error) {
	found.position = *p
	for _, s := range c.recipe.stages() {
		l, err := c.judge.Lead(ctx, p, s.nodes)
		if err != nil || l.Chance() < s.lead || l.Right.Chance < leastChance {
			return found, false, err
		}
		plies, proven := l.Right.Score.Mate()
		if !wanted(p, l.Right.Best, proven && plies > 0) {
			return found, false, nil
		}
		found.lead = l
	}
	found.strict, err = c.ringCounts(ctx, &found)
	return found, err == nil, err
}

// ringCounts tells whether every other ring pays too much.
func (c *composer) ringCounts(ctx context.Context, found *candidate) (bool, error) {
	others := puzzles.OtherRings(&found.position, found.lead.Right.Best)
	if len(others) == 0 {
		return false, nil
	}
	w, err := c.judge.Weigh(ctx, &found.position, others, c.recipe.Nodes)
	return w.Chance <= found.lead.Right.Chance-c.recipe.Lead, err
}

const (
	mostTurns   = 3  // of the solver in a solution that is no win
	proofFactor = 10 // nodes of a proof for one of a search
)

// solve sets the solution of a puzzle and, if a win is proven, in how many turns.
func (c *composer) solve(ctx context.Context, z *puzzles.Puzzle, found *candidate) error {
	if plies, proven := found.lead.Right.Score.Mate(); proven && plies > 0 {
		win, err := c.judge.Win(ctx, &z.Position, nil, puzzles.MostMate, c.recipe.Nodes*proofFactor)
		if err != nil {
			return err
		}
		if len(win) > 0 && puzzles.Same(win[0], found.lead.Right.Best, found.strict) {
			z.Mate = (len(win) + 1) / 2
			z.Solution, err = c.onlyWins(ctx, z.Position, win)
			return err
		}
	}
	var err error
	z.Solution, err = c.onlyTurns(ctx, z.Position, found.lead.Right.Best)
	return err
}

// onlyWins cuts a win off before the first turn of the winner, but for its last, for
// which another that wins as soon is there.
func (c *composer) onlyWins(ctx context.Context, p position.Position, win []position.Turn) ([]position.Turn, error) {
	for i, t := range win {
		if left := (len(win) - i + 1) / 2; i > 0 && i%2 == 0 && left > 1 {
			_, others := puzzles.Split(&p, t, false)
			other, err := c.judge.Win(ctx, &p, others, left, c.recipe.Nodes*proofFactor)
			if err != nil {
				return nil, err
			}
			if len(other) > 0 {
				return win[:i-1], nil
			}
		}
		p = after(&p, t)
	}
	return win, nil
}

// onlyTurns goes on from the right turn with the best reply and the next right turn, as
// long as that is the only one and the game goes on.
func (c *composer) onlyTurns(ctx context.Context, p position.Position, right position.Turn) ([]position.Turn, error) {
	solution := []position.Turn{right}
	p = after(&p, right)
	for len(solution) < 2*mostTurns-1 && !p.Over() {
		reply, err := c.judge.Weigh(ctx, &p, nil, 2*c.recipe.Nodes)
		if err != nil {
			return nil, err
		}
		p = after(&p, reply.Best)
		if p.Over() {
			break
		}
		next, err := c.judge.Lead(ctx, &p, 2*c.recipe.Nodes)
		if err != nil {
			return nil, err
		}
		child := after(&p, next.Right.Best)
		if next.Chance() < c.recipe.Lead || child.Over() {
			break
		}
		solution = append(solution, reply.Best, next.Right.Best)
		p = child
	}
	return solution, nil
}
