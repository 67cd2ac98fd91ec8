package match

import (
	"errors"
	"fmt"

	"gyre/position"
)

// Schedule numbers the games of a match. A round is a pair of games of each
// pairing, all from the same opening. After the rounds of all pairings may come
// further ones of some.
type Schedule struct {
	Pairings [][2]int // engines by index; the first has white in the first game of a pair
	Rounds   int      // of all pairings
	Some     []int    // pairings by index
	More     int      // rounds of these
}

// Game is a game to play.
type Game struct {
	Number  int
	Pair    int    // Number / 2
	Pairing int    // index in the schedule's pairings
	Round   int    // from 0; also the number of the opening
	Sides   [2]int // engines by side
}

// RoundRobin is the schedule in which each engine meets each other one. A match
// of two is one of these.
func RoundRobin(engines, rounds int) Schedule {
	s := Schedule{Rounds: rounds}
	for i := range engines {
		for j := i + 1; j < engines; j++ {
			s.Pairings = append(s.Pairings, [2]int{i, j})
		}
	}
	return s
}

// Gauntlet is the schedule in which the first engine meets each of the others.
func Gauntlet(engines, rounds int) Schedule {
	s := Schedule{Rounds: rounds}
	for j := 1; j < engines; j++ {
		s.Pairings = append(s.Pairings, [2]int{0, j})
	}
	return s
}

// mostGames bounds a schedule; more is a slip of the pen.
const mostGames = 10_000_000

// Check returns what is wrong with a schedule for a number of engines, nil if
// nothing.
func (s Schedule) Check(engines int) error {
	if len(s.Pairings) == 0 || s.Rounds < 1 {
		return errors.New("no games to play")
	}
	if s.Rounds > mostGames/len(s.Pairings)/2 || len(s.Some) > 0 && s.More > mostGames/len(s.Some)/2 {
		return fmt.Errorf("more than %d games", mostGames)
	}
	for _, p := range s.Pairings {
		if p[0] == p[1] || min(p[0], p[1]) < 0 || max(p[0], p[1]) >= engines {
			return fmt.Errorf("pairing %v: not two of the %d engines", p, engines)
		}
	}
	for _, i := range s.Some {
		if i < 0 || i >= len(s.Pairings) {
			return fmt.Errorf("pairing %d: not one of the %d", i, len(s.Pairings))
		}
	}
	return nil
}

// Games is the number of games.
func (s Schedule) Games() int { return 2 * (s.Rounds*len(s.Pairings) + s.More*len(s.Some)) }

// Game returns the game of a number from 0 and below Games.
func (s Schedule) Game(number int) Game {
	pair := number / 2
	g := Game{Number: number, Pair: pair, Pairing: pair % len(s.Pairings), Round: pair / len(s.Pairings)}
	if further := pair - s.Rounds*len(s.Pairings); further >= 0 {
		g.Pairing, g.Round = s.Some[further%len(s.Some)], s.Rounds+further/len(s.Some)
	}
	p := s.Pairings[g.Pairing]
	g.Sides = [2]int{position.White: p[number%2], position.Black: p[1-number%2]}
	return g
}
