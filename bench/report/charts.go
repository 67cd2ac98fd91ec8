package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"math"

	"gyre/bench/match"
	"gyre/bench/stats"
)

// The scripts that draw charts and handle the mouse and keys.
var (
	//go:embed page/axes.js
	axesScript string
	//go:embed page/charts.js
	chartsScript string
	//go:embed page/cursor.js
	cursorScript string
)

// script returns the script for charts followed by others, and its hash for the content
// security policy, which allows no other script.
func script(more ...string) (template.JS, string) {
	text := "\n" + axesScript + "\n" + chartsScript + "\n" + cursorScript
	for _, other := range more {
		text += "\n" + other
	}
	sum := sha256.Sum256([]byte(text))
	return template.JS(text), "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// chart is the JSON data of a chart for the script.
type chart struct {
	Title   string   `json:"title"`
	X       string   `json:"x"` // units of the axes
	Y       string   `json:"y"`
	Bars    bool     `json:"bars"`    // draw bars instead of lines
	Zero    bool     `json:"zero"`    // include 0 on the vertical axis
	Settled float64  `json:"settled"` // scale the vertical axis by values from this X on
	Series  []series `json:"series"`
	Bounds  []bound  `json:"bounds"` // horizontal lines
}

// series is a line or a set of bars. Low and High are error bounds, if present.
type series struct {
	Name string    `json:"name"`
	X    []float64 `json:"x"` // ascending integers
	Y    []float64 `json:"y"`
	Low  []float64 `json:"low,omitempty"`
	High []float64 `json:"high,omitempty"`
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

// eloChart returns the chart of the Elo estimate, and false if there are too few points.
func eloChart(c trajectory) (chart, bool) {
	elo := series{}
	for i, e := range c.elo {
		if !bounded(e) {
			continue
		}
		elo.X = append(elo.X, c.pairs[i])
		elo.Y = append(elo.Y, thousandths(e.Value))
		elo.Low = append(elo.Low, thousandths(e.Low))
		elo.High = append(elo.High, thousandths(e.High))
	}
	if len(elo.X) < minPoints {
		return chart{}, false
	}
	// The first values vary widely, so the later ones set the scale.
	return chart{Title: "Elo of the first engine, with its 95% interval", X: "pairs", Y: "Elo", Zero: true,
		Settled: elo.X[len(elo.X)/10], Series: []series{elo}, Bounds: []bound{}}, true
}

// llrChart returns the chart of a test's log-likelihood ratio and bounds.
func llrChart(c trajectory, low, high float64) (chart, bool) {
	if len(c.llr) < minPoints {
		return chart{}, false
	}
	llr := series{X: c.pairs}
	for _, value := range c.llr {
		llr.Y = append(llr.Y, thousandths(value))
	}
	return chart{Title: "Log-likelihood ratio of the test", X: "pairs", Y: "LLR", Zero: true, Series: []series{llr},
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

// turnChart returns the chart of a mean by turn number, for the engines with enough data.
func turnChart(title, y string, engines []*engine, mean func(perTurn) (float64, bool)) (chart, bool) {
	c := chart{Title: title, X: "turn", Y: y, Zero: true, Bounds: []bound{}}
	for _, e := range engines {
		s := series{Name: e.name}
		for number, t := range e.byTurn {
			if value, known := mean(t); known {
				s.X = append(s.X, float64(number+1))
				s.Y = append(s.Y, thousandths(value))
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
