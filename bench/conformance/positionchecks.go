package conformance

import (
	"cmp"
	"slices"
	"strings"

	"gyre/position"
	"gyre/protocol"
)

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
