// Command generate makes the tactical suite, bench/tactics/suite.txt, from the
// games in games.txt next to it:
//
//	go generate ./bench/tactics
//
// The same games make the same suite, whatever the engine has become since.
// With -play it makes the games instead, by the engine as it is today:
//
//	cd bench/tactics; go run ./generate -play 320 -seed 1
//
// Its files:
//
//	main.go       the flags
//	games.go      the file of games
//	play.go       games of the searcher against itself, and of chance
//	candidate.go  the forced wins in a game, proven
//	select.go     which of them come into the suite
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
	games := flag.String("games", "generate/games.txt", "the `file` of games")
	suite := flag.String("suite", "suite.txt", "the `file` for the suite")
	play := flag.Int("play", 0, "make the file of games instead, with so many games")
	seed := flag.Uint64("seed", 1, "the seed of those games")
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

// writeGames plays games into a file.
func writeGames(path string, games int, seed uint64) error {
	return writeFile(path, func(out io.Writer) error { return playGames(out, games, seed) })
}

// writeSuite makes the suite from the games of a file.
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

// writeFile makes a file of what write writes.
func writeFile(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

// game is a game as its positions and the turn played in each.
type game struct {
	positions []position.Position
	turns     []position.Turn
}

// readGames reads a file of games: on each line the rules and the turns, with
// blanks between them. Lines that begin with # are comments. An error names
// the line.
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

// readGame reads the words of one line.
func readGame(words []string) (g game, err error) {
	if len(words) < 2 {
		return game{}, fmt.Errorf("rules and at least one turn are needed")
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
		var child position.Position
		p.Play(&child, t)
		p = child
	}
	return g, nil
}

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
