package ladder

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"strings"

	"gyre/bench/stats"
)

//go:embed ratings.txt
var ratingsText string

// Rating is the rating of a reference player, with its error against the anchor.
type Rating struct {
	Name string
	Elo  stats.Estimate
}

// Anchor is the player whose rating is 0.
const Anchor = "random"

// Ratings returns the ratings of all reference players, in their order, as they
// were measured. The error says what is wrong with the committed file.
func Ratings() ([]Rating, error) { return ParseRatings(ratingsText) }

// ParseRatings reads ratings of all reference players, NAME ELO ERROR a line, in
// any order; # begins a comment. It returns them in the players' order.
func ParseRatings(text string) ([]Rating, error) {
	found := map[string]stats.Estimate{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		e, err := parseRating(words)
		if err != nil {
			return nil, fmt.Errorf("ratings: line %d: %w", number, err)
		}
		if _, twice := found[words[0]]; twice {
			return nil, fmt.Errorf("ratings: line %d: %s is there twice", number, words[0])
		}
		found[words[0]] = e
	}
	var all []Rating
	for _, p := range Players() {
		e, ok := found[p.Name]
		if !ok {
			return nil, fmt.Errorf("ratings: none of %s", p.Name)
		}
		all = append(all, Rating{p.Name, e})
	}
	return all, nil
}

// parseRating reads one line of at least one word.
func parseRating(words []string) (stats.Estimate, error) {
	if len(words) != 3 {
		return stats.Estimate{}, errors.New("not NAME ELO ERROR")
	}
	if _, err := Find(words[0]); err != nil {
		return stats.Estimate{}, err
	}
	return parseElo(words[1], words[2])
}

// WriteRatings writes ratings as ParseRatings reads them, after a comment of
// any number of lines.
func WriteRatings(w io.Writer, comment string, ratings []Rating) error {
	var b strings.Builder
	for line := range strings.Lines(comment) {
		b.WriteString("# " + strings.TrimSuffix(line, "\n") + "\n")
	}
	for _, r := range ratings {
		b.WriteString(r.line() + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// line is the rating as a line of a file has it.
func (r Rating) line() string {
	return fmt.Sprintf("%-16s %8.1f %7.1f", r.Name, r.Elo.Value, r.Elo.Error)
}

// ReplaceRating returns a text of ratings in which a player's is another, with a comment
// of one line that says how it was measured. All else stays. The error says why
// ParseRatings does not take the text.
func ReplaceRating(text string, rating Rating, how string) (string, error) {
	if _, err := ParseRatings(text); err != nil {
		return "", err
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) > 0 && words[0] == rating.Name {
			line = rating.line() + "  # " + how + "\n"
		}
		b.WriteString(line)
	}
	return b.String(), nil
}
