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
