package openings

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"gyre/bench/game"
	"gyre/position"
	"gyre/search/alphabeta"
)

// Recipe describes random openings. The same recipe gives the same openings on every
// machine, as long as the alpha-beta search and its weights do not change: the search is
// limited by nodes, not by time. With Bound 0 there is no search, and only the random
// numbers matter.
type Recipe struct {
	Seed  uint64
	Rules position.Rules
	// Rings is how many rings are placed at random; the engines place the rest.
	Rings Rings
	// Moves is the number of random turns after the placement, in openings that place all
	// rings.
	Moves int
	// Bound is the maximum score for either side after a search of Nodes, in centipawns of
	// the protocol; 0 accepts all openings.
	Bound int
	Nodes uint64
}

// Default is a recipe for matches.
var Default = Recipe{Seed: 1, Rings: AllRings, Moves: 4, Bound: 50, Nodes: 2000}

// maxMoves is the maximum of Moves; few games are over after this many turns.
const maxMoves = 20

// Check returns an error if the recipe is invalid.
func (r Recipe) Check() error {
	if err := r.Rings.Check(); err != nil {
		return err
	}
	switch {
	case r.Moves < 0 || r.Moves > maxMoves:
		return fmt.Errorf("%d moves after the rings are placed: not from 0 to %d", r.Moves, maxMoves)
	case r.Bound < 0:
		return fmt.Errorf("bound %d: negative", r.Bound)
	case r.Bound > 0 && r.Nodes == 0:
		return errors.New("-opening-bound needs -opening-nodes")
	}
	return nil
}

// fewRings is the number of rings up to which there are few openings.
const fewRings = 2

// Few reports whether the recipe has at most some hundred openings.
func (r Recipe) Few() bool { return r.Rings.Max <= fewRings }

// Turns returns the largest number of turns of an opening.
func (r Recipe) Turns() int {
	if r.Rings.Max < allRings {
		return r.Rings.Max
	}
	return allRings + r.Moves
}

// String returns the recipe in words. Files of games identify their match by this text, so
// it must not change.
func (r Recipe) String() string {
	text := fmt.Sprintf("seed %d: ", r.Seed)
	switch {
	case r.Rings == AllRings:
		text += fmt.Sprintf("rings at random, then %d moves", r.Moves)
	case r.Rings.Max == allRings:
		text += fmt.Sprintf("%v rings at random, after all of them %d moves", r.Rings, r.Moves)
	default:
		text += fmt.Sprintf("%v rings at random", r.Rings)
	}
	if r.Bound > 0 {
		text += fmt.Sprintf(", no side ahead by more than %d after %d nodes", r.Bound, r.Nodes)
	}
	if r.Rules != position.Standard {
		text += ", " + r.Rules.String()
	}
	return text
}

// Rings is how many rings of both sides together are placed at random: every number from
// Min to Max is equally likely.
type Rings struct {
	Min, Max int
}

// allRings is the number of rings of both sides.
const allRings = 2 * position.RingsPerSide

// AllRings places all rings at random.
var AllRings = Rings{allRings, allRings}

// Check returns an error if the numbers are invalid.
func (r Rings) Check() error {
	if r.Min < 0 || r.Max > allRings || r.Min > r.Max {
		return fmt.Errorf("%v rings at random: must be a number or a range from 0 to %d", r, allRings)
	}
	return nil
}

// String returns the number, or the range, for example `0-10`.
func (r Rings) String() string {
	if r.Min == r.Max {
		return strconv.Itoa(r.Min)
	}
	return fmt.Sprintf("%d-%d", r.Min, r.Max)
}

// MarshalText implements encoding.TextMarshaler. It never fails.
func (r Rings) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (r *Rings) UnmarshalText(text []byte) error {
	first, second, both := strings.Cut(string(text), "-")
	if !both {
		second = first
	}
	least, err1 := strconv.Atoi(first)
	most, err2 := strconv.Atoi(second)
	if err1 != nil || err2 != nil {
		return errors.New("must be a number or a range such as 0-10")
	}
	read := Rings{least, most}
	if err := read.Check(); err != nil {
		return err
	}
	*r = read
	return nil
}

// Generator generates the openings of a recipe, distinct up to the symmetries of the board,
// always in the same order. It must be used from one goroutine.
type Generator struct {
	// Work bounds the nodes that the searches for one opening visit; 0 for no bound. Each
	// candidate counts as at least candidateWork.
	Work uint64
	// Borrower, if not nil, borrows a searcher for all candidates, also without a bound; see Searchers.Share.
	Borrower *Borrower
	recipe   Recipe
	searcher *alphabeta.Searcher // on one thread; nil without a bound, and with Borrower
	tried    uint64              // candidates so far
	seen     hashSet             // of their positions
	spent    map[int]bool        // numbers of rings with no further openings
	made     []made
	known    []learned // openings, by number
	next     attempt
	failed   error // why there are no further openings; nil if that is not known
	score    scorer
}

// scorer returns the score of a position after a search of a number of nodes, in centipawns, and how many it visited; see scoreOf.
type scorer func(ctx context.Context, s *alphabeta.Searcher, p *position.Position, nodes uint64) (score int, visited uint64)

// attempt is the search for the next opening, so far.
type attempt struct {
	draw  *rand.Rand // nil before it begins
	rings int
	left  uint64 // tries with this number of rings
	work  uint64
}

// made identifies an opening that was generated, in the memory of a number: a match may have millions.
type made uint64

// ringBits has room for a number of rings.
const ringBits = 4

func madeOf(tried uint64, rings int) made { return made(tried<<ringBits | uint64(rings)) }

// opening makes the opening again, without a search.
func (m made) opening(r Recipe) game.Opening {
	o, _, _ := candidate(r, int(m&(1<<ringBits-1)), uint64(m>>ringBits))
	return o
}

// candidateWork is about how many nodes a search visits in the time that a candidate takes without one.
const candidateWork = 50

// NewGenerator returns the generator of a recipe, or an error if the recipe is invalid.
func NewGenerator(r Recipe) (*Generator, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	return &Generator{recipe: r, spent: map[int]bool{}, score: scoreOf}, nil
}

// borrow returns a loan of a searcher: its own if the generator has no Borrower.
func (g *Generator) borrow() (*Loan, error) {
	if g.Borrower != nil {
		return g.Borrower.Borrow()
	}
	if g.searcher == nil && g.recipe.Bound > 0 {
		g.searcher = alphabeta.New(generatorHash)
	}
	return &Loan{searcher: g.searcher}, nil
}

// Close frees the memory of the search. The generator cannot be used afterwards.
func (g *Generator) Close() {
	if g.searcher != nil {
		g.searcher.Close()
	}
}

// Opening returns the opening of a number, counted from 0, the same each time. It generates
// all openings before it first. It returns an error if the recipe has no further openings.
func (g *Generator) Opening(number int) (game.Opening, error) {
	if err := g.generate(number); err != nil {
		return game.Opening{}, err
	}
	return g.made[number].opening(g.recipe), nil
}

// generate generates the openings up to a number. If other owners of a shared searcher have had more of it, it makes further
// ones ahead until they come next: a generator that is soon asked again would otherwise have lost its turn to one of them.
func (g *Generator) generate(number int) error {
	if number < len(g.made) {
		return nil
	}
	loan, err := g.borrow()
	if err != nil {
		return err
	}
	defer loan.Return()
	for len(g.made) <= number {
		if err := g.generateNext(loan, loan.Continue); err != nil {
			return err
		}
	}
	for err == nil {
		err = g.generateNext(loan, loan.Lead)
	}
	return nil
}

// Learn has the turns of an opening that the recipe has given before, for example in the games of a match that is
// resumed. Then the generator finds it among its candidates without a search. If it is not there, and for those
// that it does not know, the generator searches as always.
func (g *Generator) Learn(number int, turns []string) {
	if number < len(g.made) {
		return
	}
	if more := number + 1 - len(g.known); more > 0 {
		g.known = append(g.known, make([]learned, more)...)
	}
	g.known[number] = learnedFrom(turns)
}

// learned identifies an opening that was learned: its number of rings, from 1, and the rest a hash of its turns. 0 is none.
type learned uint64

func learnedFrom(turns []string) learned {
	return learned(xxh3.HashString(strings.Join(turns, " "))<<ringBits) | learned(min(len(turns), allRings)+1)
}

func (l learned) rings() int { return int(l&(1<<ringBits-1)) - 1 }

// recall makes the next opening if it was learned, and reports whether it did. The error is that of mayTry.
func (g *Generator) recall(loan *Loan, mayTry func() error) (ok bool, err error) {
	if len(g.made) >= len(g.known) {
		g.known = nil
		return false, nil
	}
	want := g.known[len(g.made)]
	if want.rings() != g.next.rings { // it was not learned, or there is no further one with this number of rings
		return false, nil
	}
	for last := g.tried; last < g.tried+triesWith(g.next.rings); last++ {
		if err := mayTry(); err != nil {
			return false, err
		}
		loan.Charge(candidateWork)
		if o, _, ok := candidate(g.recipe, g.next.rings, last); !ok || learnedFrom(position.Words(o.Turns)) != want {
			continue
		}
		for ; g.tried <= last; g.tried++ {
			if _, end, ok := candidate(g.recipe, g.next.rings, g.tried); ok {
				g.seen.add(end.SymmetricHash())
			}
		}
		return true, nil
	}
	g.known = nil // another generator made them
	return false, nil
}

// All returns all openings of the recipe. Use it only for recipes with few openings: see
// Recipe.Few.
func (g *Generator) All() (all Book) {
	for {
		o, err := g.Opening(len(all))
		if err != nil {
			return all
		}
		all = append(all, o)
	}
}

// generateNext generates another opening. It calls mayTry before each candidate, and returns its error. Called again, it
// resumes.
func (g *Generator) generateNext(loan *Loan, mayTry func() error) error {
	numbers := g.recipe.Rings.Max - g.recipe.Rings.Min + 1
	if g.next.draw == nil {
		g.next = attempt{draw: rand.New(rand.NewPCG(g.recipe.Seed, ^uint64(len(g.made))))} // not the seed of a candidate
	}
	for g.failed == nil && len(g.spent) < numbers {
		if g.next.left == 0 {
			g.next.rings = g.recipe.Rings.Min + g.next.draw.IntN(numbers)
			if g.spent[g.next.rings] {
				continue
			}
			g.next.left = triesWith(g.next.rings)
		}
		ok, err := g.recall(loan, mayTry)
		if !ok && err == nil {
			ok, err = g.withRings(loan, mayTry)
		}
		switch {
		case err != nil:
			return err
		case ok:
			g.made = append(g.made, madeOf(g.tried-1, g.next.rings))
			g.next = attempt{}
			return nil
		case g.overworked():
			g.failed = fmt.Errorf("opening %d needs a search of more than %d nodes in all: use a higher bound, fewer nodes, or more rings or moves", len(g.made)+1, g.Work)
		default:
			g.spent[g.next.rings] = true
		}
	}
	if g.failed == nil {
		g.failed = fmt.Errorf("openings after number %d cannot be generated: hardly any other candidate passes; use more rings or moves, or a higher bound", len(g.made))
	}
	return g.failed
}

// After this many rejected candidates in a row a number of rings is given up. With few
// rings there are few openings: some 600 with two rings, and the rarest of them is one
// candidate in 1190.
const (
	maxTries    = 100_000
	maxTriesFew = 20_000
)

func triesWith(rings int) uint64 {
	if rings <= fewRings {
		return maxTriesFew
	}
	return maxTries
}

// withRings tries candidates with a number of rings until one is another opening. It returns false if hardly
// any candidate passes. Each number of rings has its own tries, so its frequency does not
// depend on how many candidates pass. The error is that of mayTry.
func (g *Generator) withRings(loan *Loan, mayTry func() error) (ok bool, err error) {
	for ; g.next.left > 0; g.next.left-- {
		if err := mayTry(); err != nil {
			return false, err
		}
		if g.next.work += candidateWork; g.overworked() {
			break
		}
		if g.try(loan) {
			return true, nil
		}
	}
	return false, nil
}

// try makes the next candidate, and reports whether it is another opening.
func (g *Generator) try(loan *Loan) bool {
	loan.Charge(candidateWork)
	_, end, ok := candidate(g.recipe, g.next.rings, g.tried)
	g.tried++
	return ok && g.seen.add(end.SymmetricHash()) && g.even(loan, &end)
}

// overworked reports whether the next opening takes more than Work.
func (g *Generator) overworked() bool { return g.Work > 0 && g.next.work > g.Work }

// candidate makes the random turns of a candidate that place a number of rings and, if these are all, the
// moves after the placement. It returns false if the game is then over.
func candidate(r Recipe, rings int, number uint64) (o game.Opening, end position.Position, ok bool) {
	rng := rand.New(rand.NewPCG(r.Seed, number))
	o.Start = position.Start(r.Rules)
	end = o.Start
	var turns []position.Turn
	count := rings
	if rings == allRings {
		count += r.Moves
	}
	for range count {
		turns = end.Turns(turns[:0])
		if len(turns) == 0 {
			return o, end, false
		}
		t := turns[rng.IntN(len(turns))]
		o.Turns = append(o.Turns, t)
		end = end.After(t)
	}
	return o, end, !end.Over()
}

// hashSet is a set of hashes. Each needs 10 to 13 bytes, which is a third of what a map needs.
type hashSet [1 << shardBits]shard

// shardBits are the bits of a hash that select its shard. Shards grow one by one, so growth needs little memory.
const shardBits = 8

// shard is a hash table with linear probing. 0 is a free slot.
type shard struct {
	slots []uint64
	used  int
}

// add adds a hash, and reports whether it was not there.
func (s *hashSet) add(hash uint64) bool {
	hash *= 0x9E3779B97F4A7C15 // spreads it, and keeps hashes distinct
	return s[hash>>(64-shardBits)].add(max(hash, 1))
}

func (s *shard) add(hash uint64) bool {
	if 5*s.used >= 4*len(s.slots) {
		old := s.slots
		s.slots, s.used = make([]uint64, len(old)+len(old)/4+4), 0
		for _, h := range old {
			if h != 0 {
				s.add(h)
			}
		}
	}
	at, _ := bits.Mul64(hash<<shardBits, uint64(len(s.slots)))
	for s.slots[at] != 0 {
		if s.slots[at] == hash {
			return false
		}
		if at++; at == uint64(len(s.slots)) {
			at = 0
		}
	}
	s.slots[at] = hash
	s.used++
	return true
}

// generatorHash is the size of the transposition table in MiB.
const generatorHash = 4

// searchWork is about how many nodes a search visits in the time that it takes to begin.
const searchWork = 100

// even reports whether the score of a position after a search is within the recipe's bound.
func (g *Generator) even(loan *Loan, p *position.Position) bool {
	if g.recipe.Bound == 0 {
		return true
	}
	g.next.work += g.recipe.Nodes
	score, nodes := g.score(context.Background(), loan.searcher, p, g.recipe.Nodes)
	loan.Charge(searchWork + nodes)
	return max(score, -score) <= g.recipe.Bound
}
