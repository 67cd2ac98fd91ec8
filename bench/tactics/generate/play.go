package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
)

// How games are played: mostly by the searcher at few nodes a turn, so that
// they look like games and hold missed wins; sometimes by chance, so that they
// differ. A few are all chance: they go on longer and end with an empty pool.
const (
	leastNodes   = 200
	mostNodes    = 3200
	shareOfLuck  = 0.08 // of random turns once the rings are placed
	ringsByLuck  = 6    // rings that are placed by chance in every game
	hashMebi     = 4
	blitzEvery   = 4 // one game in so many is blitz
	randomsEvery = 8 // one game in so many is all chance
)

// playGames writes so many games, in the form that readGames reads.
func playGames(out io.Writer, games int, seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 1))
	searcher := alphabeta.New(hashMebi)
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "# %d games of the engine against itself, seed %d: rules, then a turn a word.\n", games, seed)
	for i := range games {
		rules := position.Standard
		if i%blitzEvery == blitzEvery-1 {
			rules = position.Blitz
		}
		luck := shareOfLuck
		if i%randomsEvery == randomsEvery-2 {
			luck = 1
		}
		searcher.NewGame()
		fmt.Fprintln(w, rules, strings.Join(playGame(searcher, rules, luck, rng), " "))
	}
	return w.Flush()
}

// playGame returns the turns of one game with a share of random turns.
func playGame(searcher *alphabeta.Searcher, rules position.Rules, luck float64, rng *rand.Rand) (words []string) {
	nodes := uint64(leastNodes + rng.IntN(mostNodes-leastNodes))
	p := position.Start(rules)
	for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(nil) {
		turn := turns[rng.IntN(len(turns))]
		if len(words) >= ringsByLuck && rng.Float64() >= luck {
			turn = searcher.Search(context.Background(), p, search.Limits{Nodes: nodes}, func(search.Info) {}).Best
		}
		words = append(words, turn.String())
		var child position.Position
		p.Play(&child, turn)
		p = child
	}
	return words
}
