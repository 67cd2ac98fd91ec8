package puzzles

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gyre/position"
	"gyre/search"
	"gyre/search/evaluation"
	"gyre/search/strength"
)

// Recipe holds the parameters of [Compose].
type Recipe struct {
	Seed    uint64
	Puzzles int // target size of the set
	Games   int // maximum number of games; the set may then be smaller than Puzzles
	// Nodes is the number of nodes of each search that decides whether a turn is right: a
	// search of all turns and a search of all turns except the right one.
	Nodes uint64
	Lead  int // margin of the right turn in these searches, in thousandths
	// Again is the number of nodes with which Judge.Recheck checks a candidate, or 0
	// for no check. A candidate that passes is checked again with [Recipe.Confirm] nodes.
	Again uint64
	Hold  int // margin of the right turn in these checks, in thousandths
}

// DefaultRecipe is the recipe of the committed set.
var DefaultRecipe = Recipe{Seed: 1, Puzzles: 1600, Games: 20_000, Nodes: 10_000, Lead: 300, Again: 100_000, Hold: 300}

// Confirm returns the number of nodes of the final check: ten times Again.
func (r *Recipe) Confirm() uint64 { return 10 * r.Again }

// Check reports what is wrong with the recipe, or nil.
func (r *Recipe) Check() error {
	switch {
	case r.Puzzles < 1:
		return errors.New("the number of puzzles must be at least 1")
	case r.Games < 1:
		return errors.New("the number of games must be at least 1")
	case r.Nodes < minNodes:
		return fmt.Errorf("%d nodes a search: use at least %d", r.Nodes, minNodes)
	}
	for _, lead := range []int{r.Lead, r.Hold} {
		if lead < 1 || lead > 1000 {
			return fmt.Errorf("margin of %d thousandths: must be from 1 to 1000", lead)
		}
	}
	return nil
}

const (
	perGame = 4 // maximum number of puzzles from a game
	apart   = 3 // turns between two puzzles of a game; closer ones are often steps of the same combination
)

// composer finds puzzles.
type composer struct {
	recipe *Recipe
	judge  Judge
	set    *selection
}

// Progress reports the state of a run.
type Progress struct {
	Games, Puzzles int
	Kept           int    // puzzles kept from the initial set
	Themes         string // number of puzzles of each theme
}

// Compose grows a set of puzzles, which may be empty. It uses a single-threaded searcher both to
// play and to judge. Puzzles of the set that pass the recipe's final checks stay unchanged
// and come first. Compose then plays games and adds the puzzles it finds, in the order of the
// games, until the set is complete or all games are played. It calls report after each puzzle
// and each game, from the calling goroutine. It returns an error if the recipe is invalid or
// ctx is done.
func Compose(ctx context.Context, recipe Recipe, set []Puzzle, searcher Searcher, report func(Progress)) ([]Puzzle, error) {
	if err := recipe.Check(); err != nil {
		return nil, err
	}
	c := &composer{recipe: &recipe, judge: Judge{Searcher: searcher}, set: newSelection(recipe.Puzzles)}
	kept := 0
	update := func(games int) { report(Progress{games, len(c.set.chosen), kept, c.set.String()}) }
	for i := 0; i < len(set) && !c.set.complete(); i++ {
		holds, err := c.holds(ctx, &set[i])
		if err != nil {
			return nil, err
		}
		if holds {
			c.set.add(&set[i])
			kept++
		}
		update(0)
	}
	for number := 0; number < recipe.Games && !c.set.complete(); number++ {
		positions, err := c.game(ctx, number)
		if err != nil {
			return nil, err
		}
		if err := c.search(ctx, positions, func() { update(number) }); err != nil {
			return nil, err
		}
		update(number + 1)
	}
	return c.set.chosen, nil
}

// search adds the puzzles found among the positions of a game, and calls added for each.
func (c *composer) search(ctx context.Context, positions []position.Position, added func()) error {
	found := 0
	for i := 0; i < len(positions) && found < perGame && !c.set.complete(); i++ {
		z, err := c.puzzle(ctx, &positions[i])
		if err != nil {
			return err
		}
		if z != nil {
			c.set.add(z)
			found++
			added()
			i += apart - 1
		}
	}
	return nil
}

// puzzle turns p into a puzzle, or returns nil if that is impossible or the set has enough.
func (c *composer) puzzle(ctx context.Context, p *position.Position) (*Puzzle, error) {
	if p.Placing() || !c.set.mayNeed(p) {
		return nil, nil
	}
	found, ok, err := c.lead(ctx, p)
	if err != nil || !ok {
		return nil, err
	}
	z := &Puzzle{ID: IDOf(p), Position: *p}
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
	// A win may be too long for Solution, or use a different ring.
	if !c.set.hasRoom(z) || z.Check() != nil {
		return nil, nil
	}
	if holds, err := c.holds(ctx, z); !holds || err != nil {
		return nil, err
	}
	return z, nil
}

// holds reports whether the first turn of a puzzle remains the only right one in the
// recipe's checks, if it has any.
func (c *composer) holds(ctx context.Context, z *Puzzle) (bool, error) {
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

// Games are played between two levels of strength, mostly by the standard rules. Some rings
// are placed at random so that no two games are alike.
const (
	weakest, strongest = 500, 2100 // range of ratings
	randomRings        = 6         // random rings among the first ten
	blitzEvery         = 5         // one game in five is a blitz game
)

// game plays the game with the given number. It returns the positions before each turn,
// followed by the positions that slips would have led to.
func (c *composer) game(ctx context.Context, number int) ([]position.Position, error) {
	rng := rand.New(rand.NewPCG(c.recipe.Seed, uint64(number)))
	rules := position.Standard
	if number%blitzEvery == blitzEvery-1 {
		rules = position.Blitz
	}
	c.judge.Searcher.NewGame()
	var players [2]search.Searcher
	for side := range players {
		players[side] = strength.Limit(c.judge.Searcher, weakest+rng.IntN(strongest-weakest+1), rng.Uint64())
	}
	p := position.Start(rules)
	var positions, slips []position.Position
	for !p.Over() {
		positions = append(positions, p)
		var turn position.Turn
		if len(positions) <= randomRings {
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
		p = p.After(turn)
	}
	return append(positions, slips...), nil
}

// slipAt picks a random turn that completes a row for the opponent and returns the position
// after it, if there is one. Engines rarely play such turns, but people do.
func slipAt(p *position.Position, rng *rand.Rand) (slip position.Position, ok bool) {
	if p.Placing() {
		return slip, false
	}
	count := 0
	for _, t := range p.Turns(nil) {
		child := p.After(t)
		if child.Over() || !child.HasRow(child.SideToMove()) {
			continue
		}
		if count++; rng.IntN(count) == 0 {
			slip = child
		}
	}
	return slip, count > 0
}

// stage is one search of a candidate. Candidates below the margin are dropped. Stages get
// more expensive and stricter.
type stage struct {
	nodes uint64
	lead  int // thousandths
}

// minNodes is the smallest useful number of nodes.
const minNodes = 300

// stages returns the stages of the recipe.
func (r *Recipe) stages() []stage {
	return []stage{{max(r.Nodes/25, minNodes), r.Lead * 11 / 20}, {max(r.Nodes/5, minNodes), r.Lead * 3 / 4}, {r.Nodes, r.Lead}}
}

// minChance is the smallest chance of the right turn, in thousandths. Finding the turn that
// loses slowest is no fun.
const minChance = 350

// candidate is a position with one right turn.
type candidate struct {
	lead Lead
	// strict reports whether the removed ring matters: every other is worse by the margin.
	strict bool
}

// lead passes p through the stages and reports whether it passes all of them and fits a theme
// that needs puzzles.
func (c *composer) lead(ctx context.Context, p *position.Position) (found candidate, ok bool, err error) {
	for _, s := range c.recipe.stages() {
		l, err := c.judge.Lead(ctx, p, s.nodes)
		if err != nil || l.Chance() < s.lead || l.Right.Chance < minChance {
			return found, false, err
		}
		plies, proven := l.Right.Score.Mate()
		if !c.set.needs(p, l.Right.Best, proven && plies > 0) {
			return found, false, nil
		}
		found.lead = l
	}
	found.strict, err = c.ringCounts(ctx, p, &found.lead.Right)
	return found, err == nil, err
}

// ringCounts reports whether removing any other ring than the right turn is worse by the margin.
func (c *composer) ringCounts(ctx context.Context, p *position.Position, right *Worth) (bool, error) {
	others := OtherRings(p, right.Best)
	if len(others) == 0 {
		return false, nil
	}
	w, err := c.judge.Weigh(ctx, p, others, c.recipe.Nodes)
	return w.Chance <= right.Chance-c.recipe.Lead, err
}

const (
	maxTurns    = 3  // maximum number of the solver's turns in a solution that is not a win
	proofFactor = 10 // nodes of a proof relative to a search
)

// solve sets the solution of a puzzle and, if a win is proven, its length.
func (c *composer) solve(ctx context.Context, z *Puzzle, found *candidate) error {
	if plies, proven := found.lead.Right.Score.Mate(); proven && plies > 0 {
		win, err := c.judge.Win(ctx, &z.Position, nil, MaxMate, c.recipe.Nodes*proofFactor)
		if err != nil {
			return err
		}
		// The solution ends with a turn of the solver, not with a reply that ends the game.
		if len(win)%2 == 1 && Same(win[0], found.lead.Right.Best, found.strict) {
			z.Mate = (len(win) + 1) / 2
			z.Solution, err = c.onlyWins(ctx, z.Position, win)
			return err
		}
	}
	var err error
	z.Solution, err = c.onlyTurns(ctx, z.Position, found.lead.Right.Best)
	return err
}

// onlyWins truncates a win before the winner's first turn that is not unique. The last turn
// need not be unique.
func (c *composer) onlyWins(ctx context.Context, p position.Position, win []position.Turn) ([]position.Turn, error) {
	for i, t := range win {
		if left := (len(win) - i + 1) / 2; i > 0 && i%2 == 0 && left > 1 {
			_, others := Split(&p, t, false)
			other, err := c.judge.Win(ctx, &p, others, left, c.recipe.Nodes*proofFactor)
			if err != nil {
				return nil, err
			}
			if len(other) > 0 {
				return win[:i-1], nil
			}
		}
		p = p.After(t)
	}
	return win, nil
}

// onlyTurns extends the solution with the best reply and the next right turn, as long as that
// turn is the only right one and the game continues.
func (c *composer) onlyTurns(ctx context.Context, p position.Position, right position.Turn) ([]position.Turn, error) {
	solution := []position.Turn{right}
	p = p.After(right)
	for len(solution) < 2*maxTurns-1 && !p.Over() {
		reply, err := c.judge.Weigh(ctx, &p, nil, 2*c.recipe.Nodes)
		if err != nil {
			return nil, err
		}
		p = p.After(reply.Best)
		if p.Over() {
			break
		}
		next, err := c.judge.Lead(ctx, &p, 2*c.recipe.Nodes)
		if err != nil {
			return nil, err
		}
		child := p.After(next.Right.Best)
		if next.Chance() < c.recipe.Lead || child.Over() {
			break
		}
		solution = append(solution, reply.Best, next.Right.Best)
		p = child
	}
	return solution, nil
}

// bandWidth is the width of a rating band. At most two fifths of a theme's puzzles fall into
// one band.
const bandWidth = 500

// bands is the number of bands.
const bands = MaxRating/bandWidth + 1

// selection is the set under construction.
type selection struct {
	chosen []Puzzle
	seen   map[string]bool // ids
	target int
	quota  int          // puzzles of each theme; two themes are rare and stay below it
	count  []int        // by theme
	band   [][bands]int // by theme
}

// newSelection returns an empty selection with a target size.
func newSelection(target int) *selection {
	themes := len(Themes())
	return &selection{
		target: target, seen: map[string]bool{}, quota: (target + themes - 3) / (themes - 2),
		count: make([]int, themes), band: make([][bands]int, themes),
	}
}

// full reports whether a theme has reached its quota.
func (s *selection) full(t Theme) bool { return s.count[t] >= s.quota }

// mayNeed reports, without a search, whether a turn of p could have a theme that is not full.
func (s *selection) mayNeed(p *position.Position) bool {
	us := p.SideToMove()
	ours, theirs := CouldMakeRow(p, us), CouldMakeRow(p, us.Opponent())
	open := func(themes ...Theme) bool {
		return slices.ContainsFunc(themes, func(t Theme) bool { return !s.full(t) })
	}
	return open(Win) || p.HasRow(us) && open(OpponentsRow) || !ours && open(Threaten) ||
		ours && open(MakeRow, TwoRows, RightRing) || theirs && open(StopRow, BreakAndMake)
}

// needs reports whether a turn, with a proven win or not, could have a theme that is not full.
func (s *selection) needs(p *position.Position, turn position.Turn, wins bool) bool {
	for _, t := range Themes() {
		if !s.full(t) && (t == Win && wins || t == TwoRows && turn.Removals() > 0 || t.Fits(p, turn)) {
			return true
		}
	}
	return false
}

// theme returns the theme under which to add a puzzle: of the matching themes that are not
// full, the one with the fewest puzzles. ok is false if there is none. If the removed ring
// matters, only RightRing makes that clear to the solver.
func (s *selection) theme(z *Puzzle, strict bool) (best Theme, ok bool) {
	if strict {
		return RightRing, !s.full(RightRing)
	}
	for _, t := range Themes() {
		if t != RightRing && z.Has(t) && !s.full(t) && (!ok || s.count[t] < s.count[best]) {
			best, ok = t, true
		}
	}
	return best, ok
}

// hasRoom reports whether the rating band of a puzzle has room for it.
func (s *selection) hasRoom(z *Puzzle) bool {
	return s.band[z.Theme][z.Rating/bandWidth] < (2*s.quota+4)/5
}

// add adds a puzzle.
func (s *selection) add(z *Puzzle) {
	s.band[z.Theme][z.Rating/bandWidth]++
	s.count[z.Theme]++
	s.seen[z.ID] = true
	s.chosen = append(s.chosen, *z)
}

// complete reports whether the target size is reached.
func (s *selection) complete() bool { return len(s.chosen) >= s.target }

// String returns the number of puzzles of each theme.
func (s *selection) String() string {
	var words []string
	for _, t := range Themes() {
		words = append(words, fmt.Sprintf("%v %d", t, s.count[t]))
	}
	return strings.Join(words, ", ")
}

// trials are the levels that try a puzzle and how often each tries. A level defined by nodes
// varies only with the symmetry of the board that it sees; other levels draw random numbers
// from a seed.
var trials = []struct{ elo, times int }{
	{300, 4}, {600, 4}, {900, 4}, {1200, 4}, {1515, 4}, {1700, 3}, {1900, 3}, {2100, 3}, {2300, 3}, {2500, 3}, {2700, 3},
}

// certain is the number of consecutive levels that must find the turn in all tries before the
// stronger levels are assumed to find it.
const certain = 3

// views are the symmetries under which the tries of a level see the board.
var views = [...]position.Symmetry{0, 2, 7, 10}

// rate returns the rating of a player who finds the first turn half the time.
func (c *composer) rate(ctx context.Context, z *Puzzle) (int, error) {
	var tries []try
	sure := 0
	for _, trial := range trials {
		missed := false
		for i := range trial.times {
			found := sure == certain
			if !found {
				var err error
				if found, err = c.finds(ctx, z, trial.elo, i); err != nil {
					return 0, err
				}
			}
			missed = missed || !found
			tries = append(tries, try{trial.elo, found})
		}
		if sure = min(sure+1, certain); missed {
			sure = 0
		}
	}
	return fit(tries), nil
}

// finds reports whether a level finds the first turn of a puzzle.
func (c *composer) finds(ctx context.Context, z *Puzzle, elo, try int) (bool, error) {
	view := views[try]
	level := strength.Limit(c.judge.Searcher, elo, c.recipe.Seed+uint64(try))
	level.NewGame()
	turn := level.Search(ctx, view.Position(&z.Position), search.Limits{}, func(search.Info) {}).Best
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	return Same(view.Inverse().Turn(turn), z.Solution[0], z.Theme == RightRing), nil
}

// try is the outcome of one try by a player with rating elo.
type try struct {
	elo   int
	found bool
}

// fit returns the maximum-likelihood rating, a multiple of 10 from 0 to MaxRating. A
// player of rating E finds the turn of a puzzle of rating R as often as it beats a player of
// rating R: 1 / (1 + 10^((R-E)/400)). Two extra tries keep the result within bounds: a
// player of 0 fails, and a player of MaxRating succeeds.
func fit(tries []try) int {
	tries = append(tries, try{0, false}, try{MaxRating, true})
	found := 0.0
	for _, t := range tries {
		if t.found {
			found++
		}
	}
	// At the maximum the expected number of finds equals the observed number. It decreases
	// with the rating.
	least, most := 0, MaxRating/10
	for least < most {
		middle := (least + most) / 2
		if expectedFound(tries, 10*middle) > found {
			least = middle + 1
		} else {
			most = middle
		}
	}
	return 10 * least
}

// expectedFound returns the expected number of finds among the tries.
func expectedFound(tries []try, rating int) (sum float64) {
	for _, t := range tries {
		sum += 1 / (1 + math.Pow(10, float64(rating-t.elo)/400))
	}
	return sum
}

// Tolerance is the margin, in thousandths of a point, by which the right turn must lead
// when a puzzle is checked.
const Tolerance = 100

// Searcher is the searcher of a [Judge]: a single-threaded one, such as package alphabeta's,
// that can clear its state cheaply before a search of few nodes.
type Searcher interface {
	search.Searcher
	NewGameFor(nodes uint64)
}

// Judge evaluates turns by searching. It must not be used from several goroutines. Its
// searcher is cleared before each question, so that answers are reproducible.
type Judge struct {
	Searcher Searcher
}

// Worth is the result of searching some turns of a position.
type Worth struct {
	Best   position.Turn
	Chance int // of the side to move after Best: 0 to 1000
	Score  search.Score
}

// Weigh searches the given turns of p, or all turns if none are given, with the given
// number of nodes. It returns an error only if ctx is done.
func (j *Judge) Weigh(ctx context.Context, p *position.Position, turns []position.Turn, nodes uint64) (Worth, error) {
	j.Searcher.NewGameFor(nodes)
	out := j.Searcher.Search(ctx, *p, search.Limits{Nodes: nodes, SearchTurns: turns}, func(search.Info) {})
	if ctx.Err() != nil {
		return Worth{}, context.Cause(ctx)
	}
	return worthOf(p, out.Best, out.Info.Score), nil
}

// weighUntilProven is Weigh, but ends as soon as the search has proven the result. The
// search continues for a moment after it is stopped; the first proof counts.
func (j *Judge) weighUntilProven(ctx context.Context, p *position.Position, turns []position.Turn, nodes uint64) (w Worth, err error) {
	searching, stop := context.WithCancel(ctx)
	defer stop()
	proven := false
	j.Searcher.NewGameFor(nodes)
	out := j.Searcher.Search(searching, *p, search.Limits{Nodes: nodes, SearchTurns: turns}, func(i search.Info) {
		if _, ended := i.Score.Mate(); !proven && ended && i.Bound == search.Exact {
			proven = true
			w = worthOf(p, i.PV[0], i.Score)
			stop()
		}
	})
	if ctx.Err() != nil {
		return Worth{}, context.Cause(ctx)
	}
	if !proven {
		w = worthOf(p, out.Best, out.Info.Score)
	}
	return w, nil
}

// worthOf returns the result of a search of p.
func worthOf(p *position.Position, best position.Turn, score search.Score) Worth {
	return Worth{Best: best, Chance: ChanceOf(p, score), Score: score}
}

// ChanceOf converts the score of a search of p to a chance.
func ChanceOf(p *position.Position, score search.Score) int {
	if plies, proven := score.Mate(); proven {
		if plies > 0 {
			return 1000
		}
		return 0
	}
	win, draw, _ := evaluation.ScaleOf(p).WDL(score)
	return win + draw/2
}

// Win searches for a win in at most most turns of the side to move, among the given turns
// or all, with the given number of nodes. It returns the turns of the shortest win, with
// the loser's longest resistance, or nil if no win was proven.
func (j *Judge) Win(ctx context.Context, p *position.Position, turns []position.Turn, most int, nodes uint64) ([]position.Turn, error) {
	out := j.Searcher.Search(ctx, *p, search.Limits{Mate: most, Nodes: nodes, SearchTurns: turns}, func(search.Info) {})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	plies, proven := out.Info.Score.Mate()
	if !proven || plies <= 0 || plies > 2*most || len(out.Info.PV) != plies {
		return nil, nil
	}
	return out.Info.PV, nil
}

// Lead compares the best turn of a position with all other answers.
type Lead struct {
	Right  Worth
	Others Worth // Best is None if there is no other answer
}

// Chance returns the lead in thousandths. It is 0 if there is no other answer, because then
// there is nothing to solve.
func (l *Lead) Chance() int {
	if l.Others.Best == position.None {
		return 0
	}
	return l.Right.Chance - l.Others.Chance
}

// Lead finds the best turn of p and the best turn that is a different answer, with the
// given number of nodes for each.
func (j *Judge) Lead(ctx context.Context, p *position.Position, nodes uint64) (l Lead, err error) {
	if l.Right, err = j.Weigh(ctx, p, nil, nodes); err != nil {
		return l, err
	}
	_, others := Split(p, l.Right.Best, false)
	if len(others) > 0 {
		l.Others, err = j.Weigh(ctx, p, others, nodes)
	}
	return l, err
}

// Recheck searches a puzzle again, with the given number of nodes for the right turn and as
// many for the others. If another turn comes within least thousandths of the right one,
// wrong says so; otherwise wrong is nil. It returns an err only if ctx is done.
func (j *Judge) Recheck(ctx context.Context, z *Puzzle, nodes uint64, least int) (wrong, err error) {
	same, others := Split(&z.Position, z.Solution[0], z.Theme == RightRing)
	if len(others) == 0 {
		return fmt.Errorf("%v: the position has no other turn", z), nil
	}
	var l Lead
	if l.Right, err = j.weighUntilProven(ctx, &z.Position, same, nodes); err != nil {
		return nil, err
	}
	if l.Others, err = j.weighUntilProven(ctx, &z.Position, others, nodes); err != nil {
		return nil, err
	}
	if l.Chance() < least {
		return fmt.Errorf("%v: %v has a chance of %.1f%%, but %v has %.1f%%", z, z.Solution[0], float64(l.Right.Chance)/10,
			l.Others.Best, float64(l.Others.Chance)/10), nil
	}
	return nil, nil
}
