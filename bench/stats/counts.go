package stats

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Counts are outcomes sorted into evenly spaced classes, from the worst for the
// engine that they are counted for to the best. Games and Pairs are the two.
type Counts interface {
	// Classes returns the number of outcomes in each class. Class i of k is
	// worth the score i/(k-1); none of the numbers is negative.
	Classes() []int
	// GamesPerOutcome is how many games make up one outcome.
	GamesPerOutcome() int
}

// Games counts single games. Taken as independent of each other, which holds
// for games from different openings; for an opening played twice with sides
// reversed Pairs is the better count.
type Games struct {
	Wins, Losses, Draws int
}

// Classes returns losses, draws, wins: the scores 0, 1/2 and 1.
func (g Games) Classes() []int { return []int{g.Losses, g.Draws, g.Wins} }

// GamesPerOutcome is 1.
func (g Games) GamesPerOutcome() int { return 1 }

// Total is the number of games.
func (g Games) Total() int { return g.Wins + g.Losses + g.Draws }

// Plus returns the two counts together.
func (g Games) Plus(h Games) Games {
	return Games{Wins: g.Wins + h.Wins, Losses: g.Losses + h.Losses, Draws: g.Draws + h.Draws}
}

// Swapped returns the same games as the opponent sees them.
func (g Games) Swapped() Games {
	return Games{Wins: g.Losses, Losses: g.Wins, Draws: g.Draws}
}

// Pair is the outcome of two games from one opening with sides reversed, as an
// index into Pairs: the half points won in them.
type Pair int

// The outcomes of a pair. Two draws and a win with a loss score the same and
// share a class.
const (
	LossLoss Pair = iota
	LossDraw
	Even
	WinDraw
	WinWin
)

// Pairs counts pairs of games by the half points won in them (the pentanomial
// counts): LL, LD, DD+WL, WD, WW.
type Pairs [5]int

// Classes returns the five counts: the scores 0, 1/4, 1/2, 3/4 and 1.
func (p Pairs) Classes() []int { return p[:] }

// GamesPerOutcome is 2.
func (p Pairs) GamesPerOutcome() int { return 2 }

// Total is the number of pairs, half the number of games.
func (p Pairs) Total() int {
	total := 0
	for _, n := range p {
		total += n
	}
	return total
}

// Plus returns the two counts together.
func (p Pairs) Plus(q Pairs) Pairs {
	for i := range p {
		p[i] += q[i]
	}
	return p
}

// Swapped returns the same pairs as the opponent sees them.
func (p Pairs) Swapped() Pairs {
	return Pairs{p[4], p[3], p[2], p[1], p[0]}
}

// maxCount bounds one count in a text, so that totals and scores of parsed
// counts neither overflow nor lose digits as float64.
const maxCount = 1_000_000_000

// ParseError says which part of a text of counts is wrong.
type ParseError struct {
	What   string // "games" or "pairs"
	Index  int    // index of the wrong count from 0, or -1 when their number is wrong
	Text   string // the offending text
	Reason string
}

// Error names the kind of counts, the place and the reason.
func (e *ParseError) Error() string {
	if e.Index < 0 {
		return fmt.Sprintf("%s %q: %s", e.What, e.Text, e.Reason)
	}
	return fmt.Sprintf("%s: count %d %q: %s", e.What, e.Index+1, e.Text, e.Reason)
}

// ParseGames reads W,L,D, for example "76,89,123". Blanks around a count are
// allowed. Errors are of type *ParseError.
func ParseGames(text string) (Games, error) {
	var counts [3]int
	if err := parseCounts(counts[:], "games", "W,L,D", text); err != nil {
		return Games{}, err
	}
	return Games{Wins: counts[0], Losses: counts[1], Draws: counts[2]}, nil
}

// String returns W,L,D, the form that ParseGames reads.
func (g Games) String() string { return formatCounts([]int{g.Wins, g.Losses, g.Draws}) }

// ParsePairs reads LL,LD,DD+WL,WD,WW, for example "5,20,40,25,10". Blanks
// around a count are allowed. Errors are of type *ParseError.
func ParsePairs(text string) (Pairs, error) {
	var counts Pairs
	if err := parseCounts(counts[:], "pairs", "LL,LD,DD+WL,WD,WW", text); err != nil {
		return Pairs{}, err
	}
	return counts, nil
}

// String returns LL,LD,DD+WL,WD,WW, the form that ParsePairs reads.
func (p Pairs) String() string { return formatCounts(p[:]) }

// parseCounts fills counts from comma-separated text of the given form.
func parseCounts(counts []int, what, form, text string) error {
	words := strings.Split(text, ",")
	if len(words) != len(counts) {
		return &ParseError{What: what, Index: -1, Text: text,
			Reason: fmt.Sprintf("%d counts, need the %d of %s", len(words), len(counts), form)}
	}
	for i, word := range words {
		n, reason := parseCount(strings.TrimSpace(word))
		if reason != "" {
			return &ParseError{What: what, Index: i, Text: word, Reason: reason}
		}
		counts[i] = n
	}
	return nil
}

// parseCount reads a whole number from 0 to maxCount, or says what is wrong.
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

// Moments describe the score of one outcome, between 0 and 1.
type Moments struct {
	N        int     // outcomes counted: games, or pairs
	Mean     float64 // of the score
	Variance float64 // of the score, about the mean of these same outcomes
}

// MomentsOf returns the moments of the observed shares. Of no outcomes, which
// say nothing, it returns the mean 1/2 with the variance 0.
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
	// From whole numbers, so that even and one-sided results come out exact.
	mean := float64(steps) / (float64(len(classes)-1) * float64(total))
	variance := 0.0
	for i, n := range classes {
		off := classScore(i, len(classes)) - mean
		variance += float64(n) / float64(total) * off * off
	}
	return Moments{N: total, Mean: mean, Variance: variance}
}

// StandardError is the standard error of the mean; +Inf for no outcomes.
func (m Moments) StandardError() float64 {
	if m.N == 0 {
		return math.Inf(1)
	}
	return math.Sqrt(m.Variance / float64(m.N))
}

// classScore is the score of class i of k.
func classScore(i, k int) float64 { return float64(i) / float64(k-1) }
