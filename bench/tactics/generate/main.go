// Command generate makes the tactical suite, bench/tactics/suite.txt, from the games in
// games.txt next to it:
//
//	go generate ./bench/tactics
//
// The same games always make the same suite, even after the engine changes. With -play it
// makes the games instead, by the current engine:
//
//	cd bench/tactics; go run ./generate -play 320 -seed 1
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"gyre/position"
	"gyre/search"
	"gyre/search/alphabeta"
)

func main() {
	games := flag.String("games", "generate/games.txt", "`file` of games")
	suite := flag.String("suite", "suite.txt", "`file` of the suite to write")
	play := flag.Int("play", 0, "write a file of `N` new games instead of a suite")
	seed := flag.Uint64("seed", 1, "random seed of the new games")
	flag.Parse()
	var err error
	if *play > 0 {
		err = writeGames(*games, *play, *seed)
	} else {
		err = writeSuite(*games, *suite)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// writeGames plays games and writes them to a file.
func writeGames(path string, games int, seed uint64) error {
	return writeFile(path, func(out io.Writer) error { return playGames(out, games, seed) })
}

// writeSuite makes the suite from a file of games.
func writeSuite(games, suite string) error {
	in, err := os.Open(games)
	if err != nil {
		return err
	}
	defer in.Close()
	all, err := readGames(in)
	if err != nil {
		return fmt.Errorf("%s: %w", games, err)
	}
	chosen := choose(all, os.Stderr)
	return writeFile(suite, chosen.write)
}

// writeFile creates a file with the output of write.
func writeFile(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

// game is a game: its positions, and the turn played in each.
type game struct {
	positions []position.Position
	turns     []position.Turn
}

// readGames reads a file of games. Each line holds the rules and the turns, separated by
// spaces; lines that begin with # are comments. The error names the line.
func readGames(in io.Reader) (games []game, err error) {
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		g, err := readGame(strings.Fields(lines.Text()))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		games = append(games, g)
	}
	return games, lines.Err()
}

// readGame parses the words of one line.
func readGame(words []string) (g game, err error) {
	if len(words) < 2 {
		return game{}, fmt.Errorf("expected the rules and at least one turn")
	}
	rules, err := position.ParseRules(words[0])
	if err != nil {
		return game{}, err
	}
	p := position.Start(rules)
	for i, word := range words[1:] {
		t, err := p.ParseTurn(word)
		if err != nil {
			return game{}, fmt.Errorf("turn %d: %w", i+1, err)
		}
		g.positions = append(g.positions, p)
		g.turns = append(g.turns, t)
		p = p.After(t)
	}
	return g, nil
}

// Most games are played by the searcher with few nodes a turn, so that they look like games
// and contain missed wins. Random turns make them differ. A few games are entirely random;
// they last longer and end with an empty pool.
const (
	minNodes    = 200
	maxNodes    = 3200
	randomShare = 0.08 // share of random turns once the rings are placed
	randomRings = 6    // rings placed at random in every game
	hashMebi    = 4
	blitzEvery  = 4 // one game in four is a blitz game
	randomEvery = 8 // one game in eight is random
)

// playGames writes games in the format of readGames.
func playGames(out io.Writer, games int, seed uint64) error {
	rng := rand.New(rand.NewPCG(seed, 1))
	searcher := alphabeta.New(hashMebi)
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "# %d games of the engine against itself, seed %d: the rules and the turns of each.\n", games, seed)
	for i := range games {
		rules := position.Standard
		if i%blitzEvery == blitzEvery-1 {
			rules = position.Blitz
		}
		luck := randomShare
		if i%randomEvery == randomEvery-2 {
			luck = 1
		}
		searcher.NewGame()
		fmt.Fprintln(w, rules, strings.Join(playGame(searcher, rules, luck, rng), " "))
	}
	return w.Flush()
}

// playGame returns the turns of one game with the given share of random turns.
func playGame(searcher *alphabeta.Searcher, rules position.Rules, luck float64, rng *rand.Rand) (words []string) {
	nodes := uint64(minNodes + rng.IntN(maxNodes-minNodes))
	p := position.Start(rules)
	for turns := p.Turns(nil); len(turns) > 0; turns = p.Turns(nil) {
		turn := turns[rng.IntN(len(turns))]
		if len(words) >= randomRings && rng.Float64() >= luck {
			turn = searcher.Search(context.Background(), p, search.Limits{Nodes: nodes}, func(search.Info) {}).Best
		}
		words = append(words, turn.String())
		p = p.After(turn)
	}
	return words
}
