package stats

import (
	"fmt"
	"strconv"
	"strings"
)

// Counts are outcomes in evenly spaced classes, from the worst for the first engine to
// the best. The two kinds are Games and Pairs.
type Counts interface {
	// Classes returns the number of outcomes in each class, which is never negative. The
	// score of class i of k is i/(k-1).
	Classes() []int
	// GamesPerOutcome returns the number of games in one outcome.
	GamesPerOutcome() int
}

// Games counts single games as if they were independent, which is true for games from
// different openings. Use Pairs if each opening is played twice with colors reversed.
type Games struct {
	Wins   int `json:"wins"`
	Losses int `json:"losses"`
	Draws  int `json:"draws"`
}

// Classes returns losses, draws, wins: the scores 0, 1/2 and 1.
func (g Games) Classes() []int { return []int{g.Losses, g.Draws, g.Wins} }

// GamesPerOutcome returns 1.
func (g Games) GamesPerOutcome() int { return 1 }

// Total returns the number of games.
func (g Games) Total() int { return g.Wins + g.Losses + g.Draws }

// Points returns the points: one for a win, a half for a draw.
func (g Games) Points() float64 { return float64(g.Wins) + float64(g.Draws)/2 }

// Plus returns the sum of two counts.
func (g Games) Plus(h Games) Games {
	return Games{Wins: g.Wins + h.Wins, Losses: g.Losses + h.Losses, Draws: g.Draws + h.Draws}
}

// Swapped returns the same games from the opponent's view.
func (g Games) Swapped() Games {
	return Games{Wins: g.Losses, Losses: g.Wins, Draws: g.Draws}
}

// Pairs counts pairs of games by their half points (pentanomial counts): LL, LD, DD+WL,
// WD, WW.
type Pairs [5]int

// Classes returns the five counts: the scores 0, 1/4, 1/2, 3/4 and 1.
func (p Pairs) Classes() []int { return p[:] }

// GamesPerOutcome returns 2.
func (p Pairs) GamesPerOutcome() int { return 2 }

// Total returns the number of pairs, half the number of games.
func (p Pairs) Total() int {
	total := 0
	for _, n := range p {
		total += n
	}
	return total
}

// Plus returns the sum of two counts.
func (p Pairs) Plus(q Pairs) Pairs {
	for i := range p {
		p[i] += q[i]
	}
	return p
}

// Swapped returns the same pairs from the opponent's view.
func (p Pairs) Swapped() Pairs {
	return Pairs{p[4], p[3], p[2], p[1], p[0]}
}

// maxCount is the maximum of a parsed count, so that totals and scores neither overflow
// nor lose precision as float64.
const maxCount = 1_000_000_000

// ParseGames parses W,L,D, for example "76,89,123". Blanks around a count are allowed.
func ParseGames(text string) (Games, error) {
	var counts [3]int
	if err := parseCounts(counts[:], "games", "W,L,D", text); err != nil {
		return Games{}, err
	}
	return Games{Wins: counts[0], Losses: counts[1], Draws: counts[2]}, nil
}

// String returns W,L,D, the form of ParseGames.
func (g Games) String() string { return formatCounts([]int{g.Wins, g.Losses, g.Draws}) }

// ParsePairs parses LL,LD,DD+WL,WD,WW, for example "5,20,40,25,10". Blanks around a count
// are allowed.
func ParsePairs(text string) (Pairs, error) {
	var counts Pairs
	if err := parseCounts(counts[:], "pairs", "LL,LD,DD+WL,WD,WW", text); err != nil {
		return Pairs{}, err
	}
	return counts, nil
}

// String returns LL,LD,DD+WL,WD,WW, the form of ParsePairs.
func (p Pairs) String() string { return formatCounts(p[:]) }

// parseCounts parses a comma-separated text of the given form into counts.
func parseCounts(counts []int, what, form, text string) error {
	words := strings.Split(text, ",")
	if len(words) != len(counts) {
		return fmt.Errorf("%s %q: %d counts, need the %d of %s", what, text, len(words), len(counts), form)
	}
	for i, word := range words {
		n, reason := parseCount(strings.TrimSpace(word))
		if reason != "" {
			return fmt.Errorf("%s: count %d %q: %s", what, i+1, word, reason)
		}
		counts[i] = n
	}
	return nil
}

// parseCount parses a whole number from 0 to maxCount, or returns the reason why not.
func parseCount(word string) (n int, reason string) {
	if word == "" {
		return 0, "missing"
	}
	for _, r := range word {
		if r < '0' || r > '9' {
			return 0, "not a whole number of at least 0"
		}
	}
	n, err := strconv.Atoi(word)
	if err != nil || n > maxCount {
		return 0, fmt.Sprintf("more than %d", maxCount)
	}
	return n, ""
}

func formatCounts(counts []int) string {
	words := make([]string, len(counts))
	for i, n := range counts {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ",")
}

// Moments describe the distribution of the score of one outcome, between 0 and 1.
type Moments struct {
	N        int     // number of outcomes: games or pairs
	Mean     float64 // of the score
	Variance float64 // of the score, about the same mean
}

// MomentsOf returns the moments of the counts. No outcomes give the mean 1/2 and the
// variance 0.
func MomentsOf(c Counts) Moments {
	classes := c.Classes()
	total, steps := 0, 0
	for i, n := range classes {
		total += n
		steps += i * n
	}
	if total == 0 {
		return Moments{Mean: 0.5}
	}
	// Computed from whole numbers, so that even and one-sided results are exact.
	mean := float64(steps) / (float64(len(classes)-1) * float64(total))
	variance := 0.0
	for i, n := range classes {
		off := classScore(i, len(classes)) - mean
		variance += float64(n) / float64(total) * off * off
	}
	return Moments{N: total, Mean: mean, Variance: variance}
}

// classScore returns the score of class i of k.
func classScore(i, k int) float64 { return float64(i) / float64(k-1) }
