package ladder

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

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

//go:embed outside.txt
var outsideText string

// Outside is the rating of a program that is no player of the ladder, as it was
// measured on its scale. The program, and the driver that it may need to speak the
// protocol, are not here: Engine tells how it was run.
type Outside struct {
	Name   string
	Elo    stats.Estimate
	Games  int
	Date   time.Time // of the measurement, a day
	Engine string    // as gyre-arena -engine describes it
}

// OutsideRatings returns the ratings of outside programs that were measured, the
// weakest first. The error says what is wrong with the committed file.
func OutsideRatings() ([]Outside, error) { return ParseOutside(outsideText) }

// outsideWords is how many words come before the description of the engine.
const outsideWords = 5

// ParseOutside reads outside ratings, NAME ELO ERROR GAMES DATE ENGINE a line, in any
// order; a line that begins with # is a comment. It returns them by rating.
func ParseOutside(text string) ([]Outside, error) {
	var all []Outside
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		o, err := parseOutside(line)
		if err != nil {
			return nil, fmt.Errorf("outside ratings: line %d: %w", number, err)
		}
		if slices.ContainsFunc(all, func(other Outside) bool { return other.Name == o.Name }) {
			return nil, fmt.Errorf("outside ratings: line %d: %s is there twice", number, o.Name)
		}
		all = append(all, o)
	}
	slices.SortStableFunc(all, func(a, b Outside) int { return cmp.Compare(a.Elo.Value, b.Elo.Value) })
	return all, nil
}

// parseOutside reads one line.
func parseOutside(line string) (o Outside, err error) {
	words := strings.Fields(line)
	if len(words) <= outsideWords {
		return o, errors.New("not NAME ELO ERROR GAMES DATE ENGINE")
	}
	o.Name = words[0]
	if o.Elo, err = parseElo(words[1], words[2]); err != nil {
		return o, err
	}
	if o.Games, err = strconv.Atoi(words[3]); err != nil || o.Games < 1 {
		return o, fmt.Errorf("%q: not a number of games", words[3])
	}
	if o.Date, err = time.Parse(time.DateOnly, words[4]); err != nil {
		return o, fmt.Errorf("%q: not a day, as in 2026-11-22", words[4])
	}
	for range outsideWords {
		_, line, _ = strings.Cut(line, strings.Fields(line)[0])
	}
	o.Engine = strings.TrimSpace(line)
	return o, nil
}

// parseElo reads a rating and its error.
func parseElo(value, reach string) (stats.Estimate, error) {
	var numbers [2]float64
	for i, word := range []string{value, reach} {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil || math.IsNaN(x) || math.Abs(x) > 1e5 || i == 1 && x < 0 {
			return stats.Estimate{}, fmt.Errorf("%q: not a number of Elo", word)
		}
		numbers[i] = x
	}
	return stats.Estimate{Value: numbers[0], Error: numbers[1]}, nil
}

// OutsideMark is in the first line of a file of outside ratings.
const OutsideMark = "Ratings of outside programs"

// WriteOutside writes outside ratings as ParseOutside reads them. The error is w's, or
// names a rating that no line can hold.
func WriteOutside(w io.Writer, all []Outside) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s on the ladder: NAME ELO ERROR GAMES DATE ENGINE, half the 95%% interval.\n", OutsideMark)
	b.WriteString("# Measured by gyre-arena ladder -outside; programs and drivers are not in this project.\n")
	for _, o := range all {
		line := fmt.Sprintf("%s %.1f %.1f %d %s %s", o.Name, o.Elo.Value, o.Elo.Error, o.Games, o.Date.Format(time.DateOnly), o.Engine)
		if again, err := parseOutside(line); err != nil || again.Name != o.Name || again.Engine != o.Engine || strings.ContainsAny(line, "\r\n") || strings.HasPrefix(line, "#") {
			return fmt.Errorf("outside rating of %q: not to be written as a line of words", o.Name)
		}
		b.WriteString(line + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
