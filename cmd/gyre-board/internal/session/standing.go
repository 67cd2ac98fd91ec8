package session

import (
	"fmt"
	"math"

	"gyre/bench/stats"
	"gyre/position"
)

// standing is where a match stands, as its first player sees it. The results of a match are
// a text with a letter for each game, in their order: w, d or l, as that player won, drew or
// lost it. Two that follow each other, from the first on, are a pair. What is said of the
// strength goes by whole pairs.
type standing struct {
	Wins   int    `json:"wins"`
	Draws  int    `json:"draws"`
	Losses int    `json:"losses"`
	Pairs  [5]int `json:"pairs"` // by half points, 0 to 4
	Elo    string `json:"elo"`   // in words, with its error; empty without pairs
	// Superiority is how likely it is that the first player is the stronger one, in per
	// cent; null while all pairs ended alike.
	Superiority *float64   `json:"superiority"`
	Course      []eloPoint `json:"course"` // from the pair on with which the error has bounds
}

// eloPoint is what is known of the Elo after so many pairs.
type eloPoint struct {
	Pairs int     `json:"pairs"`
	Elo   float64 `json:"elo"`
	Error float64 `json:"error"` // half of the 95% interval
}

// The letters of results.
const (
	wonLetter   = 'w'
	drawnLetter = 'd'
	lostLetter  = 'l'
)

// resultFor returns the letter of a result for a side.
func resultFor(side position.Side, result position.Result) rune {
	winner := map[position.Result]position.Side{position.WhiteWins: position.White, position.BlackWins: position.Black}
	switch by, won := winner[result]; {
	case !won:
		return drawnLetter
	case by == side:
		return wonLetter
	}
	return lostLetter
}

// countResults returns where a match of these results stands. The error names a letter that
// is none.
func countResults(results string) (standing, error) {
	s := standing{Course: []eloPoint{}}
	var pairs stats.Pairs
	first := 0 // half points in the first game of a pair
	for i, letter := range []byte(results) {
		halves := 0
		switch letter {
		case wonLetter:
			s.Wins++
			halves = 2
		case drawnLetter:
			s.Draws++
			halves = 1
		case lostLetter:
			s.Losses++
		default:
			return standing{}, fmt.Errorf("results: the letter %q of game %d is none of w, d, l", letter, i+1)
		}
		if i%2 == 0 {
			first = halves
			continue
		}
		pairs[first+halves]++
		if elo := stats.Elo(pairs); elo.Error > 0 && !math.IsInf(elo.Error, 0) {
			s.Course = append(s.Course, eloPoint{Pairs: pairs.Total(), Elo: tenths(elo.Value), Error: tenths(elo.Error)})
		}
	}
	s.Pairs = pairs
	if pairs.Total() > 0 {
		s.Elo = stats.DescribeElo(pairs)
	}
	if stats.MomentsOf(pairs).Variance > 0 {
		superiority := tenths(100 * stats.LOS(pairs))
		s.Superiority = &superiority
	}
	return s, nil
}

// standingQuestion asks where a match stands.
type standingQuestion struct {
	Results string `json:"results"`
}

// standing tells where a match stands.
func (s *session) standing(q standingQuestion) (standing, error) {
	if len(q.Results) > mostGames {
		return standing{}, fmt.Errorf("results of %d games: more than %d", len(q.Results), mostGames)
	}
	return countResults(q.Results)
}
