package conformance

import (
	"cmp"
	_ "embed" // for the text of the positions
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"gyre/bench"
	"gyre/position"
	"gyre/protocol"
)

// positionsText is the file of the positions: see [bench.ParsePositions] for its form.
//
//go:embed positions.txt
var positionsText string

// allPositions returns the positions that engines are asked about.
var allPositions = sync.OnceValues(func() ([]bench.Position, error) { return bench.ParsePositions(positionsText) })

// onPositions is a check made on each of the positions of some rules.
func onPositions(rules position.Rules, check func(s *session, p position.Position) error) func(s *session) error {
	return func(s *session) error {
		all, err := allPositions()
		if err != nil {
			return err
		}
		for _, p := range all {
			if p.Position.Rules() != rules {
				continue
			}
			if err := check(s, p.Position); err != nil {
				return err
			}
		}
		return nil
	}
}

// The games that are played, by their seeds.
const (
	games     = 5
	mostTurns = 400 // of a game: more than any can have
)

// onGames is a check made on games of random turns, each played to its end.
func onGames(rules position.Rules, check func(s *session, game []position.Turn) error) func(s *session) error {
	return func(s *session) error {
		for seed := range uint64(games) {
			if err := check(s, randomGame(rules, seed)); err != nil {
				return err
			}
		}
		return nil
	}
}

// randomGame plays a game of random turns.
func randomGame(rules position.Rules, seed uint64) (game []position.Turn) {
	rng := rand.New(rand.NewPCG(seed, uint64(rules)))
	for p := position.Start(rules); !p.Over(); p = after(p, game[len(game)-1]) {
		turns := p.Turns(nil)
		game = append(game, turns[rng.IntN(len(turns))])
	}
	return game
}

// someTurns returns at most so many turns of a position: half of them those that
// take off most rows, the others from all over the list.
func someTurns(p *position.Position, most int) []position.Turn {
	all := p.Turns(nil)
	if len(all) <= most {
		return all
	}
	slices.SortStableFunc(all, func(a, b position.Turn) int { return b.Removals() - a.Removals() })
	some, rest, left := slices.Clone(all[:most/2]), all[most/2:], most-most/2
	for i := range left {
		some = append(some, rest[i*len(rest)/left])
	}
	return some
}

const (
	takesPositions = "position fen sets up positions"
	takesBlitz     = "position fen sets up positions of blitz"
)

var positionChecks = []Check{
	{Section: positions, Name: takesPositions, Needs: []string{ready}, run: onPositions(position.Standard, checkSetUp),
		Advice: "BOARD has the columns a to k, each from its lowest number up; SIDE is whose turn it is, SCORE the rings removed; `query fen` answers the same three words"},
	{Section: positions, Name: takesBlitz, Optional: true, Needs: []string{takesPositions}, run: onPositions(position.Blitz, checkSetUp),
		Advice: "the option Rules decides when a game is over, and so which positions can be"},
	{Section: positions, Name: "turns after `moves` are played", Needs: []string{takesPositions}, run: onPositions(position.Standard, checkTurnsPlayed),
		Advice: "a ring move leaves a marker, flips what it jumps, and ends behind a run of markers; then rows go, each with a ring; play the turn named in the lines on paper"},
	{Section: positions, Name: "whole games are played from startpos", Needs: []string{ready}, run: onGames(position.Standard, checkGame),
		Advice: "`position startpos moves T...` begins anew each time, and plays all turns"},
	{Section: positions, Name: "the command moves goes on from the position", Optional: true, Needs: []string{takesPositions}, run: checkMovesCommand,
		Advice: "play the turns from the current position"},
	{Section: positions, Name: "turns are read in either case, and rows from either end", Needs: []string{takesPositions}, run: onPositions(position.Standard, checkSpelling),
		Advice: "F6 is f6, and xc6-c2xa2 is xc2-c6xa2"},
	{Section: positions, Name: "a new game keeps the position", Needs: []string{takesPositions}, run: checkNewGame,
		Advice: "`uginewgame` forgets what was learned, not the position and the options"},
}

func checkSetUp(s *session, p position.Position) error {
	if err := s.setUp(p); err != nil {
		return err
	}
	if s.known.queries["fen"] {
		return s.answersTo("fen", p.String())
	}
	if s.known.queries["p1turn"] {
		return s.answersTo("p1turn", turnOfWhite(&p))
	}
	return nil // the turns tell
}

// turnsTried is how many turns of each position are played.
const turnsTried = 8

func checkTurnsPlayed(s *session, p position.Position) error {
	for _, t := range someTurns(&p, turnsTried) {
		if err := s.setUp(p, t); err != nil {
			return err
		}
		if !s.known.queries["fen"] && s.root.Over() {
			continue // that is a section of its own
		}
		if err := s.believes(); err != nil {
			return err
		}
	}
	return nil
}

// stages are the parts of a game, in hundredths, after which it is looked at.
var stages = []int{10, 30, 50, 70, 90, 100}

func checkGame(s *session, game []position.Turn) error {
	for _, percent := range stages {
		if err := s.setUp(position.Start(position.Standard), game[:len(game)*percent/100]...); err != nil {
			return err
		}
		if s.root.Over() && !s.known.queries["fen"] {
			continue
		}
		if err := s.believes(); err != nil {
			return err
		}
	}
	return nil
}

func checkMovesCommand(s *session) error {
	game := randomGame(position.Standard, games)[:20]
	before := s.root
	for part := range slices.Chunk(game, 7) {
		words := make([]string, len(part))
		for i, t := range part {
			words[i] = t.String()
		}
		if err := s.tell("moves " + joined(words)); err != nil {
			return err
		}
		s.root = after(s.root, part...)
	}
	if err := s.needsQuery("fen"); err != nil {
		return err
	}
	if words, _, err := s.query("fen"); err != nil || joined(words) == before.String() {
		s.root = before
		return cmp.Or(err, lackf("the position stays as it is"))
	}
	return s.believes()
}

// checkSpelling writes turns in capitals, with the ends of rows turned around.
func checkSpelling(s *session, p position.Position) error {
	for _, t := range someTurns(&p, 2) {
		line := positionLine(p) + " moves " + turnedAround(t.String())
		if err := s.tell(line); err != nil {
			return err
		}
		if said, refused := s.first("info string error"); refused {
			return faultf("%s: %s", printable(line), printable(joined(said)))
		}
		s.root = after(p, t)
		if s.known.queries["fen"] {
			if err := s.answersTo("fen", s.root.String()); err != nil {
				return err
			}
		}
	}
	return nil
}

// turnedAround writes a turn in capitals, each row from its other end, the x of a
// removal aside.
func turnedAround(turn string) string {
	parts := strings.Split(turn, ";")
	for i, part := range parts {
		if row, isRow := strings.CutPrefix(part, "x"); isRow {
			ends, ring, _ := strings.Cut(row, "x")
			one, other, _ := strings.Cut(ends, "-")
			parts[i] = "x" + strings.ToUpper(other+"-"+one) + "x" + strings.ToUpper(ring)
			continue
		}
		parts[i] = strings.ToUpper(part)
	}
	return strings.Join(parts, ";")
}

func checkNewGame(s *session) error {
	if err := s.setUp(position.Start(position.Standard), randomGame(position.Standard, games)[:21]...); err != nil {
		return err
	}
	if err := s.tell(protocol.NewGame{Dialect: s.known.dialect}.String()); err != nil {
		return err
	}
	return s.believes()
}

const legalTurns = "its turns are legal in every position"

var turnChecks = []Check{
	{Section: turns, Name: givesTurn, Needs: []string{ready}, run: checkFirstTurn,
		Advice: "answer each `go` with one line `bestmove TURN`; `go depth 1` should take next to no time"},
	{Section: turns, Name: legalTurns, Needs: []string{givesTurn, takesPositions}, run: onPositions(position.Standard, checkTurn),
		Advice: "see the rules in the lines' position: rows must be taken when they are there, each with one ring, and in any order; `pass` when no ring can move"},
	{Section: turns, Name: "its turns are legal in positions of blitz", Optional: true, Needs: []string{givesTurn, takesBlitz}, run: onPositions(position.Blitz, checkTurn),
		Advice: "the first ring removed ends a game of blitz, at once"},
	{Section: turns, Name: "it plays a game against itself to the end", Needs: []string{givesTurn}, run: checkSelfPlay(position.Standard),
		Advice: "it was given all turns after startpos, as tournament managers do"},
	{Section: turns, Name: "it plays a game of blitz against itself to the end", Optional: true, Needs: []string{givesTurn, takesBlitz}, run: checkSelfPlay(position.Blitz),
		Advice: "it was given all turns after startpos, as tournament managers do"},
	{Section: turns, Name: "query moves lists the legal turns", Optional: true, Needs: []string{takesPositions}, run: onPositions(position.Standard, checkTurnList),
		Advice: "each order of taking off the same rows is a turn; each ring pays for each row; a row is written by its end with the lower letter first"},
	{Section: turns, Name: "query moves lists the legal turns of blitz", Optional: true, Needs: []string{takesBlitz}, run: onPositions(position.Blitz, checkTurnList),
		Advice: "with the first ring removed the turn ends: no second row, and no ring move"},
	{Section: turns, Name: "perft counts turns", Optional: true, Needs: []string{legalTurns}, run: onPositions(position.Standard, checkPerft),
		Advice: "`perft N` ends with a line `perft N nodes X ...`: X sequences of N turns"},
}

// perftDepth is how many turns are counted: in each position the legal turns.
const perftDepth = 1

// checkPerft has a search wait for the count: an engine that is silent until it has
// answered does not count.
func checkPerft(s *session, p position.Position) error {
	if p.Over() {
		return nil
	}
	if err := s.setUp(p); err != nil {
		return err
	}
	command := fmt.Sprint("perft ", perftDepth)
	begin, err := s.begin(command + "\ngo depth 1")
	if err != nil {
		return err
	}
	if _, err := s.bestmove(command+" and go depth 1", begin); err != nil {
		return err
	}
	line, counts := s.first(command)
	if !counts {
		return lackf("perft is not answered")
	}
	want := fmt.Sprint(position.Perft(&p, perftDepth, nil))
	if len(line) < 4 || line[2] != "nodes" || line[3] != want {
		return faultf("in %v, %s is answered %q, and there are %s turns", &p, command, printable(joined(line)), want)
	}
	return nil
}

func checkFirstTurn(s *session) error {
	_, err := s.search("go depth 1")
	return err
}

func checkTurn(s *session, p position.Position) error {
	if p.Over() {
		return nil
	}
	if err := s.setUp(p); err != nil {
		return err
	}
	return checkFirstTurn(s)
}

// checkSelfPlay has the engine play all turns of a game.
func checkSelfPlay(rules position.Rules) func(s *session) error {
	return func(s *session) error {
		var game []position.Turn
		if err := s.setUp(position.Start(rules)); err != nil {
			return err
		}
		for len(game) < mostTurns {
			a, err := s.search("go depth 1")
			if err != nil {
				return err
			}
			game = append(game, a.turn)
			if err := s.setUp(position.Start(rules), game...); err != nil {
				return err
			}
			if s.root.Over() {
				return nil
			}
		}
		return faultf("the game has not ended after %d turns", mostTurns)
	}
}

func checkTurnList(s *session, p position.Position) error {
	if err := s.needsQuery("moves"); err != nil {
		return err
	}
	if err := s.setUp(p); err != nil {
		return err
	}
	words, _, err := s.query("moves")
	if err != nil {
		return err
	}
	legal := make([]string, 0, 200)
	for _, t := range p.Turns(nil) {
		legal = append(legal, t.String())
	}
	slices.Sort(legal)
	if slices.Equal(legal, words) {
		return nil
	}
	listed := slices.Clone(words)
	slices.Sort(listed)
	where := printable(p.String()) + ", " + p.Rules().String() + " rules"
	for _, word := range listed {
		if _, legal := slices.BinarySearch(legal, word); !legal {
			return faultf("in %s, %q is listed and is no legal turn", where, printable(word))
		}
	}
	for _, word := range legal {
		if _, found := slices.BinarySearch(listed, word); !found {
			return faultf("in %s, %q is legal and not listed", where, word)
		}
	}
	if len(listed) != len(legal) {
		return faultf("in %s, turns are listed twice: there are %d, and %d are listed", where, len(legal), len(listed))
	}
	return faultf("in %s, the turns are not in alphabetical order", where)
}

const goWhenOver = "go in a game that is over is answered `bestmove none`"

var endChecks = []Check{
	{Section: ends, Name: "query gameover and query result tell how games stand", Needs: []string{takesPositions}, run: onPositions(position.Standard, checkResult),
		Advice: "the third ring removed wins; else a game ends when the pool of 51 markers is empty or neither side can move, and more rings removed win"},
	{Section: ends, Name: "query gameover and query result tell how games of blitz stand", Optional: true, Needs: []string{takesBlitz}, run: onPositions(position.Blitz, checkResult),
		Advice: "the first ring removed wins"},
	{Section: ends, Name: "games played to their end are over", Needs: []string{ready}, run: onGames(position.Standard, checkGameEnd(position.Standard)),
		Advice: "play the turns of the lines: after the last one the game is over, before it is not"},
	{Section: ends, Name: "games of blitz played to their end are over", Optional: true, Needs: []string{takesBlitz}, run: onGames(position.Blitz, checkGameEnd(position.Blitz)),
		Advice: "play the turns of the lines: after the last one the game is over, before it is not"},
	{Section: ends, Name: goWhenOver, Needs: []string{givesTurn, takesPositions}, run: onPositions(position.Standard, checkNoTurn),
		Advice: "every `go` gets a bestmove, also where there is no turn"},
}

// result is the answer to `query result`.
func result(p *position.Position) string {
	switch p.Result() {
	case position.WhiteWins:
		return "p1win"
	case position.BlackWins:
		return "p2win"
	case position.Draw:
		return "draw"
	}
	return "none"
}

func checkResult(s *session, p position.Position) error {
	if err := s.setUp(p); err != nil {
		return err
	}
	return s.knowsResult()
}

// knowsResult checks the answers to the queries that the engine knows.
func (s *session) knowsResult() error {
	if s.known.queries["gameover"] {
		over := "false"
		if s.root.Over() {
			over = "true"
		}
		if err := s.answersTo("gameover", over); err != nil {
			return err
		}
	}
	if s.known.queries["result"] {
		if err := s.answersTo("result", result(&s.root)); err != nil {
			return err
		}
	}
	if s.known.queries["p1turn"] {
		return s.answersTo("p1turn", turnOfWhite(&s.root))
	}
	return nil
}

func checkGameEnd(rules position.Rules) func(s *session, game []position.Turn) error {
	return func(s *session, game []position.Turn) error {
		for _, played := range [][]position.Turn{game[:len(game)-1], game} {
			if err := s.setUp(position.Start(rules), played...); err != nil {
				return err
			}
			if err := s.knowsResult(); err != nil {
				return err
			}
		}
		return nil
	}
}

func checkNoTurn(s *session, p position.Position) error {
	if !p.Over() {
		return nil
	}
	if err := s.setUp(p); err != nil {
		return err
	}
	_, err := s.search("go depth 1")
	return err
}
