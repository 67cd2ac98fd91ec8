package openings

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
)

// Exploration is how openings are explored: the engine plays itself, and how often a
// position came up and how the games ended is counted, symmetries of the board apart. The
// same exploration finds the same on any machine, as long as the alpha-beta search and
// its weights stay the same.
type Exploration struct {
	Rules position.Rules
	Seed  uint64
	Games int
	Nodes uint64 // of the search for a turn
	Plies int    // so many turns of each game are counted
	// Slips is the chance that one of these turns is a random one: without them all
	// games would be the same.
	Slips  float64
	Least  int    // positions of fewer games are left out
	Judged uint64 // nodes of the search that scores a position
}

// DefaultExploration makes a table for the page of the board.
var DefaultExploration = Exploration{Seed: 1, Games: 10_000, Nodes: 500, Plies: 12, Slips: 0.25, Least: 3, Judged: 1500}

// Check returns what is wrong with the exploration, nil if nothing.
func (e Exploration) Check() error {
	switch {
	case e.Games < 1:
		return fmt.Errorf("%d games", e.Games)
	case e.Nodes < 1 || e.Judged < 1:
		return fmt.Errorf("a search of %d nodes", min(e.Nodes, e.Judged))
	case e.Plies < 1 || e.Plies > mostPlies:
		return fmt.Errorf("%d turns: not from 1 to %d", e.Plies, mostPlies)
	case e.Slips < 0 || e.Slips > 1:
		return fmt.Errorf("a chance of %v", e.Slips)
	case e.Least < 1:
		return fmt.Errorf("positions of at least %d games", e.Least)
	}
	return nil
}

// mostPlies bounds Plies.
const mostPlies = 40

// String returns the exploration in words.
func (e Exploration) String() string {
	return fmt.Sprintf("%v, seed %d, %d games of %d nodes a turn, %d turns with slips of %v, positions of %d games, scores of %d nodes",
		e.Rules, e.Seed, e.Games, e.Nodes, e.Plies, e.Slips, e.Least, e.Judged)
}

// Explored is a position and how it did.
type Explored struct {
	Key    string // see Key
	Games  int    // that came to it
	Halves int    // points that White made in them, in halves
	Score  int    // in centipawns, White's view
}

// Key is the same for positions that a symmetry of the board takes to each other.
func Key(p *position.Position) string { return strconv.FormatUint(p.SymmetricHash(), 36) }

// String returns it as a line of a table.
func (x Explored) String() string {
	return fmt.Sprint(x.Key, " ", x.Games, " ", x.Halves, " ", x.Score)
}

// explorationHash is the size of a search's transposition table, in MiB.
const explorationHash = 1

// Run explores on a number of threads, and tells how many games and scores are done of
// how many. What it finds is in the order of the keys. The error is the context's.
func (e Exploration) Run(ctx context.Context, threads int, told func(done, of int)) ([]Explored, error) {
	type played struct {
		visited []position.Position
		halves  int
	}
	games := make([]played, e.Games)
	done := 0
	err := e.each(ctx, threads, e.Games, func(s *alphabeta.Searcher, i int) {
		games[i].visited, games[i].halves = e.play(ctx, s, uint64(i))
	}, func() { done++; told(done, e.Games) })
	if err != nil {
		return nil, err
	}
	found := map[string]*Explored{}
	var first []position.Position // of each key, in the order in which they came
	for _, game := range games {
		for _, p := range game.visited {
			key := Key(&p)
			if found[key] == nil {
				found[key] = &Explored{Key: key}
				first = append(first, p)
			}
			found[key].Games++
			found[key].Halves += game.halves
		}
	}
	first = slices.DeleteFunc(first, func(p position.Position) bool { return found[Key(&p)].Games < e.Least })
	all := make([]Explored, len(first))
	of := done + len(first)
	err = e.each(ctx, threads, len(first), func(s *alphabeta.Searcher, i int) {
		all[i] = *found[Key(&first[i])]
		all[i].Score = e.score(ctx, s, &first[i])
	}, func() { done++; told(done, of) })
	slices.SortFunc(all, func(a, b Explored) int { return strings.Compare(a.Key, b.Key) })
	return all, err
}

// each does so many things on threads, each with a search of its own, and tells of each
// that is done, one after the other.
func (e Exploration) each(ctx context.Context, threads, count int, do func(s *alphabeta.Searcher, i int), did func()) error {
	var working sync.WaitGroup
	var mu sync.Mutex
	next := 0
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		next++
		return next - 1
	}
	for range max(threads, 1) {
		working.Go(func() {
			s := alphabeta.New(explorationHash)
			defer s.Close()
			for i := take(); i < count && ctx.Err() == nil; i = take() {
				do(s, i)
				mu.Lock()
				did()
				mu.Unlock()
			}
		})
	}
	working.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// play plays a game, and returns the positions that count and White's points in halves.
// When ctx is done it breaks off.
func (e Exploration) play(ctx context.Context, s *alphabeta.Searcher, number uint64) (visited []position.Position, halves int) {
	rng := rand.New(rand.NewPCG(e.Seed, number))
	s.NewGame()
	p := position.Start(e.Rules)
	for ply := 0; !p.Over(); ply++ {
		var turn position.Turn
		if turns := p.Turns(nil); ply < e.Plies && rng.Float64() < e.Slips || len(turns) == 1 {
			turn = turns[rng.IntN(len(turns))]
		} else {
			turn = s.Search(ctx, p, search.Limits{Nodes: e.Nodes}, func(search.Info) {}).Best
			if ctx.Err() != nil {
				break
			}
		}
		var child position.Position
		p.Play(&child, turn)
		if p = child; ply < e.Plies {
			visited = append(visited, p)
		}
	}
	switch p.Result() {
	case position.WhiteWins:
		return visited, 2
	case position.BlackWins:
		return visited, 0
	}
	return visited, 1
}

// score returns what a search makes of a position, as White sees it.
func (e Exploration) score(ctx context.Context, s *alphabeta.Searcher, p *position.Position) int {
	s.NewGame()
	outcome := s.Search(ctx, *p, search.Limits{Nodes: e.Judged}, func(search.Info) {})
	score := search.ScaleOf(p).Centipawns(outcome.Info.Score)
	if p.SideToMove() == position.Black {
		return -score
	}
	return score
}
