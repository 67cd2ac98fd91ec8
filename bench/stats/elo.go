// Package stats computes strengths from the results of matches: Elo and normalized
// Elo with their intervals, the likelihood of superiority, sequential probability
// ratio tests, and the ratings of several engines. It works on counts only and knows
// nothing about engines or rules.
//
//	elo.go      Games and Pairs: counts of outcomes; Elo, NormalizedElo, LOS and their
//	            intervals, as numbers and in words
//	sprt.go     SPRT: hypotheses, bounds, and the log-likelihood ratio; Forecast and
//	            Simulation: how long a test takes and how it ends
//	ratings.go  Rate: ratings of several engines by maximum likelihood; Place
//
// All results are from the view of the first of two engines. Intervals are 95%
// confidence intervals. A number without a bound is an infinity, never NaN; each
// function documents its result for no games and for one-sided results.
//
// There is one interval of Elo, that of [Elo], and [Ratings] give the same interval
// between two engines that met nobody else.
package stats

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// confidence is the number of standard errors on either side of the mean of a normal
// distribution that contain 95% of it.
const confidence = 1.959963984540054

// eloScale is the constant C in the papers on normalized Elo: the Elo per unit of
// score near an even result.
const eloScale = 800 / math.Ln10

// Estimate is a number with its error, half the width of a symmetric 95% interval.
// Either may be infinite; neither is NaN.
type Estimate struct {
	Value, Error float64
}

// Interval is an estimate with its 95% interval from Low to High, which need not be
// symmetric. Each may be infinite; none is NaN.
type Interval struct {
	Value, Low, High float64
}

// Error returns half the width of the interval.
func (i Interval) Error() float64 { return (i.High - i.Low) / 2 }

// Symmetric returns the estimate with a symmetric error: Error, or the distance to the
// finite end of the interval if the other is infinite.
func (i Interval) Symmetric() Estimate {
	e := Estimate{i.Value, i.Error()}
	switch {
	case math.IsInf(i.High, 1):
		e.Error = i.Value - i.Low
	case math.IsInf(i.Low, -1):
		e.Error = i.High - i.Value
	}
	return e
}

// String returns the estimate with its interval, for example `+26.1 (-8.2 to +61.0)`,
// or with its only bound, for example `+301.0, at least +150.2`.
func (i Interval) String() string {
	text := ""
	if !math.IsInf(i.Value, 0) {
		text = Signed(i.Value) + ", "
	}
	if math.IsInf(i.High, 1) || math.IsInf(i.Low, -1) {
		return text + i.Range()
	}
	return fmt.Sprintf("%s (%s)", Signed(i.Value), i.Range())
}

// Range returns the interval without its value, for example `-8.2 to +61.0` or
// `at least +150.2`.
func (i Interval) Range() string {
	switch {
	case math.IsInf(i.High, 1) && math.IsInf(i.Low, -1):
		return "without bounds"
	case math.IsInf(i.High, 1):
		return "at least " + Signed(i.Low)
	case math.IsInf(i.Low, -1):
		return "at most " + Signed(i.High)
	}
	return Signed(i.Low) + " to " + Signed(i.High)
}

// EloOfScore returns the Elo difference at which the logistic curve expects the score:
// -Inf for a score of 0 or less, +Inf for 1 or more.
func EloOfScore(score float64) float64 {
	if score <= 0 {
		return math.Inf(-1)
	}
	if score >= 1 {
		return math.Inf(1)
	}
	return -400 * math.Log10(1/score-1)
}

// ScoreOfElo returns the score that the logistic curve expects of an engine that is
// stronger by elo.
func ScoreOfElo(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// Elo returns the logistic Elo difference of the mean score. The ends of its interval
// are the Elo of the ends of the score's interval, so it is wider on the side of the
// stronger engine.
//
// The score's interval is Student's t interval after the addition of five games: two won,
// two lost and one drawn, or two and a half pairs of independent games with these results.
// Its coverage is 94% to 96% from fifty pairs on if fewer than 90% of the points are one
// engine's. From ten outcomes on it is at least 93.9%, also for one-sided results and for
// results all of one class, for which the plain interval has no width. For many games the
// addition does not matter. Sources: A. Agresti and B. Coull, "Approximate is better than
// 'exact' for interval estimation of binomial proportions" (1998); Student, "The probable
// error of a mean" (1908).
//
// No games give 0 with an infinite interval; only wins give +Inf with a finite Low.
func Elo(c Counts) Interval {
	m := MomentsOf(c)
	if m.N == 0 {
		return Interval{Low: math.Inf(-1), High: math.Inf(1)}
	}
	mean, deviation, outcomes := adjusted(c)
	reach := student(outcomes-1) * deviation
	return around(EloOfScore(m.Mean), EloOfScore(mean-reach), EloOfScore(mean+reach))
}

// The games that Elo adds to the counts, half of their points won, and the variance of
// their scores.
const (
	adjustment         = 5.0
	adjustmentVariance = 0.2
)

// adjusted returns the mean score with the adjustment, its standard error, and the number
// of outcomes, including the added ones.
func adjusted(c Counts) (mean, deviation, outcomes float64) {
	m := MomentsOf(c)
	games := float64(c.GamesPerOutcome())
	n, added := float64(m.N), adjustment/games
	outcomes = n + added
	// The variance is that of the two groups plus that between their means. Written from the
	// distance to 1/2, it is exactly antisymmetric.
	off := m.Mean - 0.5
	variance := (n*m.Variance+added*adjustmentVariance/games)/outcomes + n*added/(outcomes*outcomes)*off*off
	return 0.5 + n/outcomes*off, math.Sqrt(variance / outcomes), outcomes
}

// student returns the number of standard errors on either side of the mean of Student's
// distribution that contain 95% of it. Its error is below 0.002 from five degrees of freedom
// on. Source: R. Fisher and E. Cornish, "The percentile points of distributions having known
// cumulants" (1960).
func student(freedom float64) float64 {
	z := confidence
	z3, z5 := z*z*z, z*z*z*z*z
	return z + (z3+z)/(4*freedom) + (5*z5+16*z3+3*z)/(96*freedom*freedom)
}

// NormalizedElo returns the mean score above 1/2 in units of the standard deviation of
// one game's score, on the scale of Elo. For pairs, the deviation of a game is sqrt(2)
// times that of a pair, so that pairs of independent games give the same number as
// their games.
//
// No games give 0 with an infinite error. Outcomes all of one class have no deviation:
// in the even class they give 0 with the usual error, which depends on the number of
// outcomes only; in another class an infinity with an infinite error.
func NormalizedElo(c Counts) Estimate {
	m := MomentsOf(c)
	if m.N == 0 {
		return Estimate{Error: math.Inf(1)}
	}
	units := math.Sqrt(float64(c.GamesPerOutcome()))
	off := m.Mean - 0.5
	if m.Variance == 0 && off != 0 {
		return Estimate{Value: math.Inf(sign(off)), Error: math.Inf(1)}
	}
	e := Estimate{Error: eloScale * confidence / math.Sqrt(float64(m.N)) / units}
	if off != 0 {
		e.Value = eloScale * off / math.Sqrt(m.Variance) / units
	}
	return e
}

// LOS returns the likelihood of superiority, from 0 to 1: the probability that the
// engine is the stronger one. It agrees with the interval of Elo: it is above 97.5% if
// and only if the interval is above 0.
// No games and even scores give exactly 1/2.
func LOS(c Counts) float64 {
	mean, deviation, outcomes := adjusted(c)
	off := mean - 0.5
	if off == 0 {
		return 0.5
	}
	return normalCDF(off / deviation * confidence / student(outcomes-1))
}

// minGames is the number of games from which on Enough is true: ten pairs.
const minGames = 20

// Enough reports whether there are enough games to state a strength: twenty, or ten
// pairs.
func Enough(c Counts) bool { return MomentsOf(c).N*c.GamesPerOutcome() >= minGames }

// TooFew is the text for a strength when there are not enough games.
const TooFew = "too few games"

// Verdict says which of two engines is stronger, by how much, and how sure that is:
//
//	new is stronger: +223.4 Elo (95%: +130.1 to +330.0)
//	No clear difference: new +12.0 Elo (95%: -20.3 to +44.5)
//	Too few games for a verdict: 6, and at least 20 are needed
//
// An engine is stronger if the 95% interval of Elo excludes 0. Counts are from the first
// engine's view.
func Verdict(first, second string, c Counts) string {
	if !Enough(c) {
		return fmt.Sprintf("Too few games for a verdict: %d, and at least %d are needed", MomentsOf(c).N*c.GamesPerOutcome(), minGames)
	}
	e := Elo(c)
	name := first
	switch {
	case e.High < 0:
		name, e = second, Interval{-e.Value, -e.High, -e.Low}
	case e.Low <= 0:
		return fmt.Sprintf("No clear difference: %s %s", first, e.Elo())
	}
	return name + " is stronger: " + e.Elo()
}

// Elo returns the interval with its unit, as in Verdict.
func (i Interval) Elo() string {
	switch {
	case math.IsInf(i.Value, 1):
		return fmt.Sprintf("at least %s Elo", Signed(i.Low))
	case math.IsInf(i.High, 1):
		return fmt.Sprintf("%s Elo (95%%: at least %s)", Signed(i.Value), Signed(i.Low))
	case math.IsInf(i.Low, -1):
		return fmt.Sprintf("%s Elo (95%%: at most %s)", Signed(i.Value), Signed(i.High))
	}
	return fmt.Sprintf("%s Elo (95%%: %s to %s)", Signed(i.Value), Signed(i.Low), Signed(i.High))
}

// DescribeElo returns the Elo difference with its interval in words, or TooFew.
func DescribeElo(c Counts) string {
	if !Enough(c) {
		return TooFew
	}
	return Elo(c).String()
}

// DescribeNormalizedElo returns the normalized Elo with its error in words, or TooFew.
func DescribeNormalizedElo(c Counts) string {
	e := NormalizedElo(c)
	switch {
	case !Enough(c):
		return TooFew
	case math.IsInf(e.Value, 0):
		return "without bounds"
	}
	return fmt.Sprintf("%s +- %.1f", Signed(e.Value), e.Error)
}

// DescribeLOS returns the likelihood of superiority in percent, or TooFew: see Percent.
func DescribeLOS(c Counts) string {
	if !Enough(c) {
		return TooFew
	}
	return Percent(LOS(c))
}

// Percent returns a likelihood in percent with one decimal, at most ">99.9%" and at least
// "<0.1%".
func Percent(los float64) string {
	switch {
	case los > 0.999:
		return ">99.9%"
	case los < 0.001:
		return "<0.1%"
	}
	return fmt.Sprintf("%.1f%%", 100*los)
}

// Signed returns a number with its sign and one decimal. Zero is always "+0.0".
func Signed(x float64) string {
	if text := fmt.Sprintf("%+.1f", x); text != "-0.0" {
		return text
	}
	return "+0.0"
}

// WriteReport writes the strengths as lines `name value`: elo, elo_low, elo_high,
// elo_error (half the interval's width), nelo, nelo_error, and los in percent. If there
// are not Enough games, it writes one line `strength too few games: ...` instead. With
// a test it adds llr, lower, upper and state. Numbers have six decimals or are inf or
// -inf; the state is continue, accept H0 or accept H1. The error is w's.
func WriteReport(w io.Writer, c Counts, test *SPRT) error {
	var out bytes.Buffer
	line := func(name, value string) { fmt.Fprintf(&out, "%s %s\n", name, value) }
	if Enough(c) {
		elo, nelo := Elo(c), NormalizedElo(c)
		line("elo", number(elo.Value))
		line("elo_low", number(elo.Low))
		line("elo_high", number(elo.High))
		line("elo_error", number(elo.Error()))
		line("nelo", number(nelo.Value))
		line("nelo_error", number(nelo.Error))
		line("los", number(100*LOS(c)))
	} else {
		line("strength", fmt.Sprintf("%s: %d, and at least %d are needed", TooFew, MomentsOf(c).N*c.GamesPerOutcome(), minGames))
	}
	if test != nil {
		lower, upper := test.Bounds()
		line("llr", number(test.LLR(c)))
		line("lower", number(lower))
		line("upper", number(upper))
		line("state", test.State(c).String())
	}
	_, err := w.Write(out.Bytes())
	return err
}

// number returns x with six decimals, without the sign of a zero.
func number(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	text := fmt.Sprintf("%.6f", x)
	if text == "-0.000000" {
		return text[1:]
	}
	return text
}

// normalCDF is the distribution function of the standard normal distribution.
func normalCDF(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

func sign(x float64) int {
	if x < 0 {
		return -1
	}
	return 1
}

// NiceStep returns the smallest step of 1, 2 or 5 times a power of ten that divides span into
// at most most parts, for the axis of a chart (Heckbert, "Nice Numbers for Graph Labels",
// Graphics Gems, 1990). It returns 0 for an empty span.
func NiceStep(span, most float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(span/most)))
	for _, times := range []float64{1, 2, 5} {
		if span <= most*times*power*(1+1e-9) {
			return times * power
		}
	}
	return 10 * power
}

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
			return 0, "not a non-negative integer"
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
