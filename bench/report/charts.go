package report

import (
	"fmt"
	"math"

	"gyre/bench/match"
	"gyre/bench/stats"
)

// chart is the JSON data of a chart for the script.
type chart struct {
	Title   string   `json:"title"`
	Note    string   `json:"note,omitempty"` // an explanation below the title
	X       string   `json:"x"`              // units of the axes
	Y       string   `json:"y"`
	Bars    bool     `json:"bars"`             // draw bars instead of lines
	Labels  []string `json:"labels,omitempty"` // of the bars, at 0, 1, 2 and so on
	Zero    bool     `json:"zero"`             // include 0 on the vertical axis
	Least   float64  `json:"least,omitempty"`  // minimum span of the vertical axis
	Settled float64  `json:"settled"`          // scale the vertical axis by values from this X on
	Series  []series `json:"series"`
	Bounds  []bound  `json:"bounds"` // horizontal lines
}

// series is a line or a set of bars. Low and High are error bounds, if present, and Games the
// numbers of games behind each value.
type series struct {
	Name  string    `json:"name"`
	X     []float64 `json:"x"` // ascending integers
	Y     []float64 `json:"y"`
	Low   []float64 `json:"low,omitempty"`
	High  []float64 `json:"high,omitempty"`
	Games []int     `json:"games,omitempty"`
}

// bound is a horizontal line.
type bound struct {
	Name string  `json:"name"`
	Y    float64 `json:"y"`
}

// minPoints is the minimum number of points of a line.
const minPoints = 2

// thousandths rounds a number for display. It never returns -0.
func thousandths(value float64) float64 { return math.Round(value*1000)/1000 + 0 }

// eloChart returns the chart of the Elo estimate of the named engine, and false if there are
// too few points. It starts with the first pair from which on there always is an interval.
func eloChart(name string, c trajectory) (chart, bool) {
	first := len(c.elo)
	for first > 0 && bounded(c.elo[first-1]) && c.pairs[first-1] >= minPairs {
		first--
	}
	elo := series{}
	for i, e := range c.elo[first:] {
		elo.X = append(elo.X, c.pairs[first+i])
		elo.Y = append(elo.Y, thousandths(e.Value))
		elo.Low = append(elo.Low, thousandths(e.Low))
		elo.High = append(elo.High, thousandths(e.High))
	}
	if len(elo.X) < minPoints {
		return chart{}, false
	}
	// The first values vary widely, so the later ones set the scale.
	return chart{Title: "Elo of " + name + " so far, with its 95% interval", Note: fmt.Sprintf("From pair %.0f on there is an interval.", elo.X[0]), X: "pairs", Y: "Elo", Zero: true,
		Settled: elo.X[len(elo.X)/10], Series: []series{elo}, Bounds: []bound{}}, true
}

// minPairs is the number of pairs from which on the chart of Elo shows it: see stats.Enough.
const minPairs = 10

// llrChart returns the chart of a test's log-likelihood ratio and bounds.
func llrChart(c trajectory, low, high float64) (chart, bool) {
	if len(c.llr) < minPoints {
		return chart{}, false
	}
	llr := series{X: c.pairs}
	for _, value := range c.llr {
		llr.Y = append(llr.Y, thousandths(value))
	}
	return chart{Title: "Log-likelihood ratio (LLR) of the test", Note: "The test passes at H1 and fails at H0.", X: "pairs", Y: "LLR", Zero: true, Series: []series{llr},
		Bounds: []bound{{"H0", thousandths(low)}, {"H1", thousandths(high)}}}, true
}

// lengthChart returns the histogram of game lengths.
func lengthChart(lengths []int) chart {
	games := series{}
	for turns, count := range lengths {
		if len(games.X) == 0 && count == 0 {
			continue // shorter than every game
		}
		games.X = append(games.X, float64(turns))
		games.Y = append(games.Y, float64(count))
	}
	return chart{Title: "Games by length", X: "turns", Y: "games", Bars: true, Zero: true, Series: []series{games}, Bounds: []bound{}}
}

// pairChart returns the bar chart of the results of pairs.
func pairChart(first string, pairs stats.Pairs) chart {
	c := chart{Title: "Pair results", Note: "Points of " + first + " in the two games of a pair.", X: "points", Y: "pairs", Bars: true,
		Labels: pairTexts[:], Zero: true, Bounds: []bound{}}
	results := series{}
	for points, count := range pairs {
		results.X, results.Y = append(results.X, float64(points)), append(results.Y, float64(count))
	}
	c.Series = []series{results}
	return c
}

// fewGames is the number of games below which a point of a mean does not set the scale, and is
// drawn faintly.
const fewGames = 10

// turnChart returns the chart of a mean by turn number, for the engines with enough data. mean
// also returns the number of turns behind it, 0 for none. An engine plays a turn number once in
// a game.
func turnChart(title, y string, engines []*engine, mean func(perTurn) (float64, int)) (chart, bool) {
	c := chart{Title: title, X: "turn", Y: y, Zero: true, Bounds: []bound{}}
	for _, e := range engines {
		s := series{Name: e.name}
		for number, t := range e.byTurn {
			if value, games := mean(t); games > 0 {
				s.X = append(s.X, float64(number+1))
				s.Y = append(s.Y, thousandths(value))
				s.Games = append(s.Games, games)
				if games < fewGames {
					c.Note = fmt.Sprintf("Mean of all games. Faint: fewer than %d games.", fewGames)
				}
			}
		}
		if len(s.X) >= minPoints {
			c.Series = append(c.Series, s)
		}
	}
	return c, len(c.Series) > 0
}

// trajectory is the course of a match between two engines.
type trajectory struct {
	pairs []float64 // number of finished pairs
	elo   []stats.Interval
	llr   []float64 // nil without a test
}

// maxPoints is the number of pairs above which a chart skips some. A chart then has at least
// this number of points and less than twice that.
const maxPoints = 1000

// trajectoryOf returns the trajectory of the only encounter, over the pairs that count, from
// the point of view of the named engine.
func trajectoryOf(name string, pairs []*match.PooledPair, test *stats.SPRT) trajectory {
	var c trajectory
	var counts stats.Pairs
	step := max(1, len(pairs)/maxPoints)
	for i, p := range pairs {
		if !p.Ends.Counts() {
			continue
		}
		counts[p.SeenFrom(name).HalfPoints()]++
		if i%step != 0 && i != len(pairs)-1 {
			continue
		}
		c.pairs = append(c.pairs, float64(counts.Total()))
		c.elo = append(c.elo, stats.Elo(counts))
		if test != nil {
			c.llr = append(c.llr, test.LLR(counts))
		}
	}
	return c
}

// bounded reports whether an estimate can be drawn: its interval has two ends that are not
// too far apart.
func bounded(e stats.Interval) bool {
	return !math.IsInf(e.Value, 0) && e.Error() < 2000
}
