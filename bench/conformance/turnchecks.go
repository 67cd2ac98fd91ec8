package conformance

import (
	"fmt"
	"slices"

	"gyre/position"
)

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
