package stats

import (
	"fmt"
	"strconv"
	"strings"
)

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
