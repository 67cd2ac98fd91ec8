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
	"gyre/position/plaintext"
)

//go:embed ratings.txt
var ratingsText string

// Rating is the rating of a reference player, with its error bars relative to the anchor.
type Rating struct {
	Name string
	Elo  stats.Estimate
}

// Anchor is the player with rating 0.
const Anchor = "random"

// Ratings returns the measured ratings of reference players, in the order of [Players]. A
// player without a rating is not part of the scale yet. An error means that the committed
// file is invalid.
func Ratings() ([]Rating, error) { return ParseRatings(ratingsText) }

// ParseRatings parses the ratings of reference players, among them the anchor. Each line
// is NAME ELO ERROR, in any order; # starts a comment. The result is in the order of
// [Players].
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
			return nil, &plaintext.LineError{Line: number, Err: err}
		}
		if _, twice := found[words[0]]; twice {
			return nil, &plaintext.LineError{Line: number, Err: fmt.Errorf("%s is rated twice; delete one of the lines", words[0])}
		}
		found[words[0]] = e
	}
	if _, ok := found[Anchor]; !ok {
		return nil, fmt.Errorf("ratings: no line for %s; add NAME ELO ERROR", Anchor)
	}
	var all []Rating
	for _, p := range Players() {
		if e, ok := found[p.Name]; ok {
			all = append(all, Rating{p.Name, e})
		}
	}
	return all, nil
}

// parseRating parses the words of a line. There is at least one.
func parseRating(words []string) (stats.Estimate, error) {
	if len(words) != 3 {
		return stats.Estimate{}, errors.New("expected NAME ELO ERROR")
	}
	if _, err := Find(words[0]); err != nil {
		return stats.Estimate{}, err
	}
	return parseElo(words[1], words[2])
}

// WriteRatings writes ratings in the format of ParseRatings, after a comment that may have
// several lines.
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

// line formats the rating as a line of the file.
func (r Rating) line() string {
	return fmt.Sprintf("%-16s %8.1f %7.1f", r.Name, r.Elo.Value, r.Elo.Error)
}

// ReplaceRating returns text with the rating of one player replaced, or added at the end
// if the player has none. The new line ends with
// how, a one-line comment that says how the rating was measured; other lines stay the same.
// It returns an error if ParseRatings does.
func ReplaceRating(text string, rating Rating, how string) (string, error) {
	text, err := plaintext.Decode(text)
	if err != nil {
		return "", err
	}
	if _, err := ParseRatings(text); err != nil {
		return "", err
	}
	var b strings.Builder
	replacement, found := rating.line()+"  # "+how+"\n", false
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) > 0 && words[0] == rating.Name {
			line, found = replacement, true
		}
		b.WriteString(strings.TrimSuffix(line, "\n") + "\n")
	}
	if !found {
		b.WriteString(replacement)
	}
	return b.String(), nil
}

//go:embed outside.txt
var outsideText string

// Outside is the measured rating of a program that is not a reference player. This project
// contains neither the program nor the driver that it may need to speak the protocol;
// Engine says how it was run.
type Outside struct {
	Name   string
	Elo    stats.Estimate
	Games  int
	Date   time.Time // day of the measurement
	Engine string    // the description given to gyre-arena -engine
}

// OutsideRatings returns the measured ratings of outside programs, weakest first. An error
// means that the committed file is invalid.
func OutsideRatings() ([]Outside, error) { return ParseOutside(outsideText) }

// outsideWords is the number of words before the engine's description.
const outsideWords = 5

// ParseOutside parses outside ratings. Each line is NAME ELO ERROR GAMES DATE ENGINE, in
// any order; lines starting with # are comments. The result is sorted by rating.
func ParseOutside(text string) ([]Outside, error) {
	text, err := plaintext.Decode(text)
	if err != nil {
		return nil, err
	}
	var all []Outside
	for number, line := range plaintext.Entries(text) {
		o, err := parseOutside(line)
		if err != nil {
			return nil, &plaintext.LineError{Line: number, Err: err}
		}
		if slices.ContainsFunc(all, func(other Outside) bool { return other.Name == o.Name }) {
			return nil, &plaintext.LineError{Line: number, Err: fmt.Errorf("%s is rated twice; delete one of the lines", o.Name)}
		}
		all = append(all, o)
	}
	slices.SortStableFunc(all, func(a, b Outside) int { return cmp.Compare(a.Elo.Value, b.Elo.Value) })
	return all, nil
}

// parseOutside parses one line.
func parseOutside(line string) (o Outside, err error) {
	words := strings.Fields(line)
	if len(words) <= outsideWords {
		return o, errors.New("expected NAME ELO ERROR GAMES DATE ENGINE")
	}
	o.Name = words[0]
	if o.Elo, err = parseElo(words[1], words[2]); err != nil {
		return o, err
	}
	if o.Games, err = strconv.Atoi(words[3]); err != nil || o.Games < 1 {
		return o, fmt.Errorf("%q: expected a number of games of at least 1", words[3])
	}
	if o.Date, err = time.Parse(time.DateOnly, words[4]); err != nil {
		return o, fmt.Errorf("%q: expected a date such as 2026-11-22", words[4])
	}
	for range outsideWords {
		_, line, _ = strings.Cut(line, strings.Fields(line)[0])
	}
	o.Engine = strings.TrimSpace(line)
	return o, nil
}

// parseElo parses a rating and its error.
func parseElo(value, reach string) (stats.Estimate, error) {
	var numbers [2]float64
	for i, word := range []string{value, reach} {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil || math.IsNaN(x) || math.Abs(x) > 1e5 || i == 1 && x < 0 {
			return stats.Estimate{}, fmt.Errorf("%q: expected an Elo number", word)
		}
		numbers[i] = x
	}
	return stats.Estimate{Value: numbers[0], Error: numbers[1]}, nil
}

// OutsideMark appears in the first line of a file of outside ratings.
const OutsideMark = "Ratings of outside programs"

// WriteOutside writes outside ratings in the format of ParseOutside. It returns an error if
// a rating cannot be written as a line.
func WriteOutside(w io.Writer, all []Outside) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s on the ladder: NAME ELO ERROR GAMES DATE ENGINE; ERROR is half the 95%% interval.\n", OutsideMark)
	b.WriteString("# Measured by gyre-arena ladder -outside; programs and drivers are not in this project.\n")
	for _, o := range all {
		line := fmt.Sprintf("%s %.1f %.1f %d %s %s", o.Name, o.Elo.Value, o.Elo.Error, o.Games, o.Date.Format(time.DateOnly), o.Engine)
		if again, err := parseOutside(line); err != nil || again.Name != o.Name || again.Engine != o.Engine || strings.ContainsAny(line, "\r\n") || strings.HasPrefix(line, "#") {
			return fmt.Errorf("outside rating of %q: the name must be one word and the engine one line", o.Name)
		}
		b.WriteString(line + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
