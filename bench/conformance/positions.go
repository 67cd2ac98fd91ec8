package conformance

import (
	"cmp"
	_ "embed" // for the text of the positions
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gyre/bench"
	"gyre/position"
	"gyre/protocol"
)

// positionsText is the file of positions; see [bench.ParsePositions] for its format.
//
//go:embed positions.txt
var positionsText string

// allPositions returns the positions of the checks.
var allPositions = sync.OnceValues(func() ([]bench.Position, error) { return bench.ParsePositions(positionsText) })

// onPositions returns a check that is made on each position of the given rules.
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

// onSetUp returns a check that is made on each position of the given rules for which chosen
// is true, after it was set up.
func onSetUp(rules position.Rules, chosen func(p *position.Position) bool, check func(s *session) error) func(s *session) error {
	return onPositions(rules, func(s *session, p position.Position) error {
		if !chosen(&p) {
			return nil
		}
		if err := s.setUp(p); err != nil {
			return err
		}
		return check(s)
	})
}

func every(*position.Position) bool     { return true }
func ongoing(p *position.Position) bool { return !p.Over() }

const (
	games    = 5   // the number of random games, whose seeds start at 0
	maxTurns = 400 // more turns than any game has
)

// onGames returns a check that is made on random games, each played to its end.
func onGames(rules position.Rules, check func(s *session, rules position.Rules, game []position.Turn) error) func(s *session) error {
	return func(s *session) error {
		for seed := range uint64(games) {
			if err := check(s, rules, randomGame(rules, seed)); err != nil {
				return err
			}
		}
		return nil
	}
}

// randomGame returns the turns of a random game.
func randomGame(rules position.Rules, seed uint64) (game []position.Turn) {
	rng := rand.New(rand.NewPCG(seed, uint64(rules)))
	for p := position.Start(rules); !p.Over(); p = p.After(game[len(game)-1]) {
		turns := p.Turns(nil)
		game = append(game, turns[rng.IntN(len(turns))])
	}
	return game
}

// someTurns returns at most count legal turns: half of them remove the most rows, the
// others are spread over the list.
func someTurns(p *position.Position, count int) []position.Turn {
	all := p.Turns(nil)
	if len(all) <= count {
		return all
	}
	slices.SortStableFunc(all, func(a, b position.Turn) int { return b.Removals() - a.Removals() })
	some, rest, left := slices.Clone(all[:count/2]), all[count/2:], count-count/2
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
	{Section: positions, Name: takesPositions, Needs: []string{ready}, run: onSetUp(position.Standard, every, checkSetUp),
		Says:   "A position is three words, `BOARD SIDE SCORE`",
		Advice: "BOARD has the columns a to k, each from its lowest number up; SIDE is the side to move, SCORE the rings removed; a finished game may have rows of either side; `query fen` answers with the same three words"},
	{Section: positions, Name: takesBlitz, Optional: true, Needs: []string{takesPositions}, run: onSetUp(position.Blitz, every, checkSetUp),
		At: options.Place, Says: "`standard` (the third ring removed wins) or `blitz` (the first ring removed wins)",
		Advice: "the option Rules decides when a game is over, and therefore which positions are possible"},
	{Section: positions, Name: "turns after `moves` are played", Needs: []string{takesPositions}, run: onPositions(position.Standard, checkTurnsPlayed),
		At: turns.Place, Says: "It may then jump a run of markers of either color without gaps, and it lands on the first point behind the run, which must be vacant.",
		Advice: "replay the last turn of the conversation by hand"},
	{Section: positions, Name: "whole games are played from startpos", Needs: []string{ready}, run: onGames(position.Standard, checkGame),
		At: handshake.Place, Says: "sets up the start of a game and plays turns from it",
		Advice: "each `position startpos` starts a new game"},
	{Section: positions, Name: "the command moves plays turns from the current position", Optional: true, Needs: []string{takesPositions}, run: checkMovesCommand,
		At: handshake.Place, Says: "plays turns from the current position"},
	{Section: positions, Name: "turns are not case-sensitive, and rows may start at either end", Needs: []string{takesPositions}, run: onPositions(position.Standard, checkSpelling),
		Says:   "Engines read the ends in either order, and turns in either case.",
		Advice: "F6 means f6, and xc6-c2xa2 means xc2-c6xa2"},
	{Section: positions, Name: "a new game keeps the position", Needs: []string{takesPositions}, run: checkNewGame,
		At: handshake.Place, Says: "Options and the position stay"},
}

func checkSetUp(s *session) error {
	if s.known.queries["fen"] {
		return s.answersTo("fen", s.root.String())
	}
	if s.known.queries["p1turn"] {
		return s.answersTo("p1turn", turnOfWhite(&s.root))
	}
	return nil // later checks search these positions
}

// turnsTried is how many turns are played from each position.
const turnsTried = 8

func checkTurnsPlayed(s *session, p position.Position) error {
	for _, t := range someTurns(&p, turnsTried) {
		if err := s.setUp(p, t); err != nil {
			return err
		}
		if !s.known.queries["fen"] && s.root.Over() {
			continue // the section ends checks this
		}
		if err := s.checkPosition(); err != nil {
			return brokenBy(err, ruleOfPlaying(t, false))
		}
	}
	return nil
}

// brokenBy adds the rule to a fault about a position that is wrong after a turn.
func brokenBy(err error, broken *rule) error {
	if wrong, isFault := errors.AsType[*fault](err); isFault && !wrong.silent && wrong.rule == nil {
		wrong.rule = broken
	}
	return err
}

// stages lists the points of a game, in percent, at which the position is checked.
var stages = []int{10, 30, 50, 70, 90, 100}

func checkGame(s *session, rules position.Rules, game []position.Turn) error {
	for _, percent := range stages {
		if err := s.setUp(position.Start(rules), game[:len(game)*percent/100]...); err != nil {
			return err
		}
		if s.root.Over() && !s.known.queries["fen"] {
			continue
		}
		if err := s.checkPosition(); err != nil {
			return s.firstWrong(err, position.Start(rules), game)
		}
	}
	return nil
}

// firstWrong plays a game turn by turn to find the first turn after which the engine has a wrong
// position, and returns that fault. If there is none, it returns err.
func (s *session) firstWrong(err error, start position.Position, game []position.Turn) error {
	if wrong, isFault := errors.AsType[*fault](err); !isFault || wrong.silent {
		return err
	}
	for i, t := range game {
		if err := s.setUp(start, game[:i+1]...); err != nil {
			return err
		}
		if s.root.Over() && !s.known.queries["fen"] {
			break
		}
		if err := s.checkPosition(); err != nil {
			return brokenBy(explained(err, "after %v", t), ruleOfPlaying(t, false))
		}
	}
	return err
}

func checkMovesCommand(s *session) error {
	game := randomGame(position.Standard, games)[:20]
	before := s.root
	for part := range slices.Chunk(game, 7) {
		if err := s.execute("moves " + joined(position.Words(part))); err != nil {
			return err
		}
		s.root = s.root.AfterAll(part...)
	}
	if err := s.needsQuery("fen"); err != nil {
		return err
	}
	if words, _, err := s.query("fen"); err != nil || joined(words) == before.String() {
		s.root = before
		return cmp.Or(err, lackf("moves does not change the position"))
	}
	return s.checkPosition()
}

// checkSpelling writes turns in capitals, with the ends of rows exchanged.
func checkSpelling(s *session, p position.Position) error {
	for _, t := range someTurns(&p, 2) {
		if err := s.accepts(positionLine(p) + " moves " + respelled(t.String())); err != nil {
			return err
		}
		s.root = p.After(t)
		if s.known.queries["fen"] {
			if err := s.answersTo("fen", s.root.String()); err != nil {
				return err
			}
		}
	}
	return nil
}

// respelled writes a turn in capitals, except for the x of a removal, and each row from
// its other end.
func respelled(turn string) string {
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
	for range 3 { // one program plays many games
		if err := s.execute(protocol.NewGame{Dialect: s.known.dialect}.String()); err != nil {
			return err
		}
	}
	return s.checkPosition()
}

const legalTurns = "the engine's turns are legal in every position"

var turnChecks = []Check{
	{Section: turns, Name: givesTurn, Needs: []string{ready}, run: checkFirstTurn,
		At: limits.Place, Says: "Every `go` gets exactly one `bestmove`",
		Advice: "answer each `go` with one line `bestmove TURN`; `go depth 1` should take almost no time"},
	{Section: turns, Name: legalTurns, Needs: []string{givesTurn, takesPositions}, run: onSetUp(position.Standard, ongoing, checkFirstTurn),
		Says:   "If you have a row, which your opponent made, remove it as in step 3. Repeat until you have no row.",
		Advice: "apply the rules to the last position of the conversation"},
	{Section: turns, Name: "the engine's turns are legal in positions of blitz", Optional: true, Needs: []string{givesTurn, takesBlitz}, run: onSetUp(position.Blitz, ongoing, checkFirstTurn),
		Says: "In blitz, the first ring removed wins; everything else is the same."},
	{Section: turns, Name: "the engine plays a game against itself to the end", Needs: []string{givesTurn}, run: checkSelfPlay(position.Standard),
		At: limits.Place, Says: "Every `go` gets exactly one `bestmove`",
		Advice: "each position was sent as all turns from startpos, as tournament managers do"},
	{Section: turns, Name: "the engine plays a game of blitz against itself to the end", Optional: true, Needs: []string{givesTurn, takesBlitz}, run: checkSelfPlay(position.Blitz),
		At: limits.Place, Says: "Every `go` gets exactly one `bestmove`",
		Advice: "each position was sent as all turns from startpos, as tournament managers do"},
	{Section: turns, Name: "query moves lists the legal turns", Optional: true, Needs: []string{takesPositions}, run: onSetUp(position.Standard, every, checkTurnList),
		At: handshake.Place, Says: "`response` and all legal turns in ASCII order, `e10` before `e2`; only `response` when the game is over",
		Advice: "each order of removing the same rows is a separate turn; any ring can be removed with a row; a row starts at its end with the lower letter"},
	{Section: turns, Name: "query moves lists the legal turns of blitz", Optional: true, Needs: []string{takesBlitz}, run: onSetUp(position.Blitz, every, checkTurnList),
		Says:   "In blitz, the first ring removed wins; everything else is the same.",
		Advice: "the turn ends with the first ring removed: no second row, and no ring move"},
	{Section: turns, Name: "perft counts turns", Optional: true, Needs: []string{legalTurns}, run: onSetUp(position.Standard, ongoing, checkPerft),
		At: handshake.Place, Says: "counts the sequences of N turns. The last line is `perft N nodes X time MS nps R`"},
}

// perftDepth is the depth of the count: 1 counts the legal turns.
const perftDepth = 1

// checkPerft queues a search behind the count. If the engine answers only the search, it
// does not support perft.
func checkPerft(s *session) error {
	command := fmt.Sprint("perft ", perftDepth)
	if _, err := s.search(command + "\ngo depth 1"); err != nil {
		return err
	}
	line, counts := s.first(command)
	if !counts {
		return lackf("no answer to perft")
	}
	want := fmt.Sprint(position.Perft(&s.root, perftDepth, nil))
	if len(line) < 4 || line[2] != "nodes" || line[3] != want {
		return faultf("in %v, the answer to %s is %q instead of %s nodes", &s.root, command, printable(joined(line)), want)
	}
	return nil
}

func checkFirstTurn(s *session) error {
	_, err := s.search("go depth 1")
	return err
}

// checkSelfPlay returns a check in which the engine plays both sides of a game.
func checkSelfPlay(rules position.Rules) func(s *session) error {
	return func(s *session) error {
		var game []position.Turn
		if err := s.setUp(position.Start(rules)); err != nil {
			return err
		}
		for len(game) < maxTurns {
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
		return faultf("the game did not end after %d turns", maxTurns)
	}
}

func checkTurnList(s *session) error {
	if err := s.needsQuery("moves"); err != nil {
		return err
	}
	words, _, err := s.query("moves")
	if err != nil {
		return err
	}
	legal := position.Words(s.root.Turns(nil))
	slices.Sort(legal)
	if slices.Equal(legal, words) {
		return nil
	}
	listed := slices.Clone(words)
	slices.Sort(listed)
	where := printable(s.root.String()) + ", " + s.root.Rules().String() + " rules"
	for _, word := range listed {
		if _, legal := slices.BinarySearch(legal, word); legal {
			continue
		}
		turn, err := s.root.ParseTurn(word)
		if err != nil {
			return brokenf(ruleOf(err), "in %s, the list contains %q, which is not legal: %v", where, printable(word), err)
		}
		return brokenf(spelling, "in %s, the list contains %q, which is written %v", where, printable(word), turn)
	}
	for _, word := range legal {
		if _, found := slices.BinarySearch(listed, word); !found {
			return faultf("in %s, the list lacks the legal turn %q", where, word)
		}
	}
	if len(listed) != len(legal) {
		return faultf("in %s, the list repeats turns: it has %d, and %d are legal", where, len(listed), len(legal))
	}
	return faultf("in %s, the turns are not in alphabetical order", where)
}

const goWhenOver = "go in a finished game gets `bestmove none`"

var endChecks = []Check{
	{Section: ends, Name: "query gameover and query result are correct", Needs: []string{takesPositions}, run: onSetUp(position.Standard, every, (*session).knowsResult),
		Says: "It also ends after step 1 of a turn if the pool is empty or no ring of either player can move."},
	{Section: ends, Name: "query gameover and query result are correct for blitz", Optional: true, Needs: []string{takesBlitz}, run: onSetUp(position.Blitz, every, (*session).knowsResult),
		Says: "In blitz, the first ring removed wins; everything else is the same."},
	{Section: ends, Name: "games played to their end are over", Needs: []string{ready}, run: onGames(position.Standard, checkGameEnd),
		Says:   "The game ends at once when a player has removed three rings; that player wins.",
		Advice: "replay the last turns of the conversation: the game is over after the last turn, and not before"},
	{Section: ends, Name: "games of blitz played to their end are over", Optional: true, Needs: []string{takesBlitz}, run: onGames(position.Blitz, checkGameEnd),
		Says:   "In blitz, the first ring removed wins; everything else is the same.",
		Advice: "replay the last turns of the conversation: the game is over after the last turn, and not before"},
	{Section: ends, Name: goWhenOver, Needs: []string{givesTurn, takesPositions}, run: onSetUp(position.Standard, (*position.Position).Over, checkFirstTurn),
		At: answers.Place, Says: "no turn: the game is over",
		Advice: "every `go` gets a bestmove, even if there is no legal turn"},
}

// knowsResult checks the answers to the queries that the engine supports.
func (s *session) knowsResult() error {
	if s.known.queries["gameover"] {
		if err := s.answersTo("gameover", strconv.FormatBool(s.root.Over())); err != nil {
			return err
		}
	}
	if s.known.queries["result"] {
		if err := s.answersTo("result", protocol.ResultWord(s.root.Result())); err != nil {
			return brokenBy(err, winning)
		}
	}
	if s.known.queries["p1turn"] {
		return s.answersTo("p1turn", turnOfWhite(&s.root))
	}
	return nil
}

func checkGameEnd(s *session, rules position.Rules, game []position.Turn) error {
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
