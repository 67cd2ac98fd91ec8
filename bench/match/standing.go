package match

import (
	"fmt"

	"gyre/bench/game"
	"gyre/bench/stats"
	"gyre/position"
)

// Standing is the results so far. What is counted of the strength are settled
// pairs: those of which both games have ended, and all pairs before them in the
// schedule too.
type Standing struct {
	Games    int // that have ended
	Settled  int // pairs
	Pairings []Pairing
	Faults   []map[game.Reason]int // by engine: the games that it lost by a fault, of all that have ended
	Ends     map[game.Reason]int   // all games that have ended, by reason
	LLR      float64               // of the test
	State    stats.State           // of the test; Continue without one

	schedule Schedule
	names    []string
	test     *stats.SPRT
	results  []position.Result // by game; Ongoing for those not ended
}

// Pairing is what two engines did to each other in settled pairs, as the first
// of the schedule's pairing sees it.
type Pairing struct {
	Games   stats.Games
	Pairs   stats.Pairs
	ByWhite [2]stats.Games // the same games, those with white first, then those with black
}

// NewStanding returns the standing of a match before its first game. test may
// be nil.
func NewStanding(schedule Schedule, names []string, test *stats.SPRT) *Standing {
	s := &Standing{Pairings: make([]Pairing, len(schedule.Pairings)), Ends: map[game.Reason]int{},
		schedule: schedule, names: names, test: test, results: make([]position.Result, schedule.Games())}
	for range names {
		s.Faults = append(s.Faults, map[game.Reason]int{})
	}
	return s
}

// Ended tells whether the game of a number has ended.
func (s *Standing) Ended(number int) bool { return s.results[number] != position.Ongoing }

// Over tells whether nothing is left to play: all games have ended, or the test
// has its verdict.
func (s *Standing) Over() bool { return s.State != stats.Continue || s.Games == len(s.results) }

// Add counts a game. The error says why it cannot be one of this match.
func (s *Standing) Add(line *Line) error {
	if line.Game >= len(s.results) {
		return fmt.Errorf("game %d: the match has only %d games", line.Game, len(s.results))
	}
	g := s.schedule.Game(line.Game)
	if white, black := s.names[g.Sides[position.White]], s.names[g.Sides[position.Black]]; line.White != white || line.Black != black {
		return fmt.Errorf("game %d: %s against %s, by the schedule it is %s against %s", line.Game, line.White, line.Black, white, black)
	}
	if s.Ended(line.Game) {
		return fmt.Errorf("game %d is there twice", line.Game)
	}
	result := line.Outcome()
	s.results[line.Game] = result
	s.Games++
	s.Ends[line.Reason]++
	if line.Reason.Fault() {
		loser := position.White
		if result == position.WhiteWins {
			loser = position.Black
		}
		s.Faults[g.Sides[loser]][line.Reason]++
	}
	for s.State == stats.Continue && 2*s.Settled < len(s.results) && s.Ended(2*s.Settled) && s.Ended(2*s.Settled+1) {
		s.settle()
	}
	return nil
}

// settle counts the next pair, and asks the test.
func (s *Standing) settle() {
	p := &s.Pairings[s.schedule.Game(2*s.Settled).Pairing]
	halves := 0
	for reversed := range 2 {
		one := stats.Games{}
		switch s.results[2*s.Settled+reversed] {
		case position.Draw:
			one.Draws = 1
		case position.WhiteWins:
			one.Wins = 1
		case position.BlackWins:
			one.Losses = 1
		}
		if reversed == 1 {
			one = one.Swapped()
		}
		p.Games = p.Games.Plus(one)
		p.ByWhite[reversed] = p.ByWhite[reversed].Plus(one)
		halves += 2*one.Wins + one.Draws
	}
	p.Pairs[halves]++
	s.Settled++
	if s.test != nil {
		s.LLR, s.State = s.test.LLR(p.Pairs), s.test.State(p.Pairs)
	}
}

// Encounters returns the results for stats.Rate.
func (s *Standing) Encounters() []stats.Encounter {
	var all []stats.Encounter
	for i, p := range s.Pairings {
		engines := s.schedule.Pairings[i]
		all = append(all, stats.Encounter{First: engines[0], Second: engines[1], Pairs: p.Pairs})
	}
	return all
}
