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
	"gyre/search/evaluation"
)

// Exploration collects statistics of openings. The engine plays itself, and each position
// counts its games and their results, up to symmetry. The same exploration has the same
// result on every machine, as long as the alpha-beta search and its weights do not
// change.
type Exploration struct {
	Rules position.Rules
	Seed  uint64
	Games int
	Nodes uint64 // of the search for a turn
	Plies int    // number of turns of each game that are counted
	// Slips is the probability of a random turn among these. Without random turns all games
	// would be identical.
	Slips      float64
	MinGames   int    // minimum number of games of a position
	ScoreNodes uint64 // nodes of the search that scores each position
}

// DefaultExploration makes the table for the board page.
var DefaultExploration = Exploration{Seed: 1, Games: 10_000, Nodes: 500, Plies: 12, Slips: 0.25, MinGames: 3, ScoreNodes: 1500}

// Check returns an error if the exploration is invalid.
func (e Exploration) Check() error {
	switch {
	case e.Games < 1:
		return fmt.Errorf("%d games: must be at least 1", e.Games)
	case e.Nodes < 1 || e.ScoreNodes < 1:
		return fmt.Errorf("a search of %d nodes: must be at least 1", min(e.Nodes, e.ScoreNodes))
	case e.Plies < 1 || e.Plies > maxPlies:
		return fmt.Errorf("%d turns: must be from 1 to %d", e.Plies, maxPlies)
	case e.Slips < 0 || e.Slips > 1:
		return fmt.Errorf("a probability of %v: must be from 0 to 1", e.Slips)
	case e.MinGames < 1:
		return fmt.Errorf("positions of at least %d games: must be at least 1", e.MinGames)
	}
	return nil
}

// maxPlies is the maximum of Plies.
const maxPlies = 40

// String returns the exploration in words.
func (e Exploration) String() string {
	return fmt.Sprintf("%v, seed %d, %d games of %d nodes a turn, %d turns with slips of %v, positions of %d games, scores of %d nodes",
		e.Rules, e.Seed, e.Games, e.Nodes, e.Plies, e.Slips, e.MinGames, e.ScoreNodes)
}

// Explored is the statistics of a position.
type Explored struct {
	Key        string // see Key
	Games      int    // that reached it
	HalfPoints int    // half points of White in these games
	Score      int    // in centipawns, from White's view
}

// Key returns the key of a position, the same for all its symmetric images.
func Key(p *position.Position) string { return strconv.FormatUint(p.SymmetricHash(), 36) }

// String returns a line of the table.
func (x Explored) String() string {
	return fmt.Sprint(x.Key, " ", x.Games, " ", x.HalfPoints, " ", x.Score)
}

// explorationHash is the size of a transposition table in MiB.
const explorationHash = 1

// Run explores on a number of threads and returns the positions ordered by key. It calls
// progress with the number of games and scores done and their total. The error is ctx's
// cause.
func (e Exploration) Run(ctx context.Context, threads int, progress func(done, of int)) ([]Explored, error) {
	type played struct {
		visited []position.Position
		halves  int
	}
	games := make([]played, e.Games)
	done := 0
	err := parallel(ctx, threads, explorationHash, e.Games, func(s *alphabeta.Searcher, i int) {
		games[i].visited, games[i].halves = e.play(ctx, s, uint64(i))
	}, func(int) { done++; progress(done, e.Games) })
	if err != nil {
		return nil, err
	}
	found := map[string]*Explored{}
	var first []position.Position // one of each key, in order of appearance
	for _, game := range games {
		for _, p := range game.visited {
			key := Key(&p)
			if found[key] == nil {
				found[key] = &Explored{Key: key}
				first = append(first, p)
			}
			found[key].Games++
			found[key].HalfPoints += game.halves
		}
	}
	first = slices.DeleteFunc(first, func(p position.Position) bool { return found[Key(&p)].Games < e.MinGames })
	all := make([]Explored, len(first))
	of := done + len(first)
	err = parallel(ctx, threads, explorationHash, len(first), func(s *alphabeta.Searcher, i int) {
		all[i] = *found[Key(&first[i])]
		all[i].Score = e.score(ctx, s, &first[i])
	}, func(int) { done++; progress(done, of) })
	slices.SortFunc(all, func(a, b Explored) int { return strings.Compare(a.Key, b.Key) })
	return all, err
}

// parallel calls do for 0 to count-1 on several threads, each with its own searcher, whose
// hash table has the given size in MiB. It calls did after each, never concurrently. The
// error is ctx's cause.
func parallel(ctx context.Context, threads, hash, count int, do func(s *alphabeta.Searcher, i int), did func(i int)) error {
	var working sync.WaitGroup
	var mu sync.Mutex
	next := 0
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		next++
		return next - 1
	}
	for range min(max(threads, 1), count) {
		working.Go(func() {
			s := alphabeta.New(hash)
			defer s.Close()
			for i := take(); i < count && ctx.Err() == nil; i = take() {
				do(s, i)
				mu.Lock()
				did(i)
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

// play plays a game and returns the positions that count and the half points of White. It
// stops when ctx is done.
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
		child := p.After(turn)
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

// score returns the score of a position after a search, from White's view.
func (e Exploration) score(ctx context.Context, s *alphabeta.Searcher, p *position.Position) int {
	score, _ := scoreOf(ctx, s, p, e.ScoreNodes)
	if p.SideToMove() == position.Black {
		return -score
	}
	return score
}

// scoreOf returns the score for the side to move after a search with an empty table, in
// centipawns of the protocol, and the number of nodes that the search visited.
func scoreOf(ctx context.Context, s *alphabeta.Searcher, p *position.Position, limit uint64) (score int, nodes uint64) {
	s.NewGame()
	outcome := s.Search(ctx, *p, search.Limits{Nodes: limit}, func(search.Info) {})
	return evaluation.ScaleOf(p).Centipawns(outcome.Info.Score), outcome.Info.Nodes
}
