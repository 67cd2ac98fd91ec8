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
	"slices"
	"strings"

	"gyre/bench/tactics"
	"gyre/bench/tactics/proof"
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
		err = writeFile(*games, func(out io.Writer) error { return playGames(out, *play, *seed) })
	} else {
		err = writeSuite(*games, *suite)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
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

// quota is the number of positions in the suite, by rules and by the number of turns to win.
var quota = [2][tactics.MaxTurns + 1]int{
	position.Standard: {1: 30, 2: 60, 3: 60, 4: 48, 5: 18},
	position.Blitz:    {1: 10, 2: 20, 3: 20, 4: 16, 5: 6},
}

// perGame is the maximum number of positions from one game. Forced wins of a game are often
// steps of the same combination.
const perGame = 2

// selection is the suite under construction.
type selection struct {
	chosen [2][tactics.MaxTurns + 1][]tactics.Problem // by rules and turns
	seen   map[string]bool                            // by canonical text
}

// choose selects positions from games until every quota is met, and writes its progress.
func choose(games []game, progress io.Writer) *selection {
	s := &selection{seen: map[string]bool{}}
	solver := proof.NewSolver()
	for i, g := range games {
		rules := g.positions[0].Rules()
		if s.full(rules) {
			continue
		}
		found := candidates(solver, g)
		for range perGame {
			s.take(rules, &found)
		}
		fmt.Fprintf(progress, "game %d of %d: %v\n", i+1, len(games), s)
	}
	return s
}

func (s *selection) full(rules position.Rules) bool {
	for n, want := range quota[rules] {
		if len(s.chosen[rules][n]) < want {
			return false
		}
	}
	return true
}

// take adds one of the positions found in a game and removes it from found. It takes the
// number of turns whose quota is filled the least.
func (s *selection) take(rules position.Rules, found *[tactics.MaxTurns + 1]*candidate) {
	best, lack := 0, 0.0
	for n, c := range found {
		want := quota[rules][n]
		if c == nil || s.seen[tactics.Canonical(&c.Position)] {
			continue
		}
		if l := 1 - float64(len(s.chosen[rules][n]))/float64(want); l > lack {
			best, lack = n, l
		}
	}
	if best == 0 {
		return
	}
	c := found[best]
	found[best] = nil
	s.seen[tactics.Canonical(&c.Position)] = true
	s.chosen[rules][best] = append(s.chosen[rules][best], c.Problem)
}

// String returns the number of chosen positions, by rules and turns.
func (s *selection) String() string {
	text := ""
	for rules := range quota {
		text += fmt.Sprintf("%v", position.Rules(rules))
		for n := 1; n <= tactics.MaxTurns; n++ {
			text += fmt.Sprintf(" %d", len(s.chosen[rules][n]))
		}
		text += "; "
	}
	return text[:len(text)-2]
}

// write writes the suite, ordered by number of turns and then by rules.
func (s *selection) write(out io.Writer) error {
	var all []tactics.Problem
	for n := range tactics.MaxTurns + 1 {
		for rules := range quota {
			all = append(all, s.chosen[rules][n]...)
		}
	}
	return tactics.Write(out, all)
}

// Limits of the search for wins. They decide which wins are found; each is still proven.
const (
	lookBack     = 18        // plies before the end of the game
	nodesToSpend = 3_000_000 // for each question to the solver
)

// candidate is a position with a forced win.
type candidate struct {
	tactics.Problem
	missed bool // whether the player missed it
}

// candidates returns the forced wins of a game, at most one for each number of turns. It
// prefers wins that the player missed, and among them those with fewer winning turns.
func candidates(s *proof.Solver, g game) (found [tactics.MaxTurns + 1]*candidate) {
	won := make([]int, len(g.positions)+2) // by ply, the turns to win for the side to move; 0 if unknown
	for i := len(g.positions) - 1; i >= max(2*position.RingsPerSide, len(g.positions)-lookBack); i-- {
		most := 3
		if won[i+2] > 0 { // one turn more is likely
			most = max(3, min(won[i+2]+1, tactics.MaxTurns))
		}
		n, ok := shortest(s, &g.positions[i], most)
		if !ok {
			continue
		}
		won[i] = n
		winning := s.WinningTurns(&g.positions[i], n)
		if len(winning) > tactics.MaxWinning {
			continue
		}
		c := &candidate{
			Problem: tactics.Problem{Position: g.positions[i], Turns: n, Winning: winning},
			missed:  !slices.Contains(winning, g.turns[i]),
		}
		if found[n] == nil || better(c, found[n]) {
			found[n] = c
		}
	}
	return found
}

// better reports whether a should be chosen over b.
func better(a, b *candidate) bool {
	if a.missed != b.missed {
		return a.missed
	}
	return len(a.Winning) < len(b.Winning)
}

// shortest returns the smallest n up to most in which the side to move provably wins, and
// whether there is one.
func shortest(s *proof.Solver, p *position.Position, most int) (int, bool) {
	for n := 1; n <= most; n++ {
		switch s.TryWins(p, n, nodesToSpend) {
		case proof.Proven:
			return n, true
		case proof.Unknown:
			return 0, false
		}
	}
	return 0, false
}
