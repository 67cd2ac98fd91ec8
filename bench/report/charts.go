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

// The script of the page, which draws its charts: the axes, the drawing, and the
// answers to mouse and keys.
var (
	//go:embed page/axes.js
	axesScript string
	//go:embed page/charts.js
	chartsScript string
	//go:embed page/cursor.js
	cursorScript string
)

// script returns the script of charts with others after it, and the hash of all as a
// content security policy names it: the page lets no other script run.
func script(more ...string) (template.JS, string) {
	text := "\n" + axesScript + "\n" + chartsScript + "\n" + cursorScript
	for _, other := range more {
		text += "\n" + other
	}
	sum := sha256.Sum256([]byte(text))
	return template.JS(text), "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// chart is what the page's script draws. The page holds it as JSON.
type chart struct {
	Title   string   `json:"title"`
	X       string   `json:"x"` // what the axes count
	Y       string   `json:"y"`
	Bars    bool     `json:"bars"`    // instead of a line
	Zero    bool     `json:"zero"`    // the vertical axis holds 0
	Settled float64  `json:"settled"` // the number from which on values scale the whole chart
	Series  []series `json:"series"`
	Bounds  []bound  `json:"bounds"` // lines across
}

// series is a line, or bars. Low and High bound the values if there are any.
type series struct {
	Name string    `json:"name"`
	X    []float64 `json:"x"` // ascending whole numbers
	Y    []float64 `json:"y"`
	Low  []float64 `json:"low,omitempty"`
	High []float64 `json:"high,omitempty"`
}

// bound is a line across a chart.
type bound struct {
	Name string  `json:"name"`
	Y    float64 `json:"y"`
}

// fewestPoints is how many points make a line.
const fewestPoints = 2

// thousandths rounds a number as far as anybody looks. There is no -0.
func thousandths(value float64) float64 { return math.Round(value*1000)/1000 + 0 }

// eloChart is the Elo as it went, with its error; false if there is too little of it.
func eloChart(c trajectory) (chart, bool) {
	elo := series{}
	for i, e := range c.elo {
		if !bounded(e) {
			continue
		}
		elo.X = append(elo.X, c.pairs[i])
		elo.Y = append(elo.Y, thousandths(e.Value))
		elo.Low = append(elo.Low, thousandths(e.Value-e.Error))
		elo.High = append(elo.High, thousandths(e.Value+e.Error))
	}
	if len(elo.X) < fewestPoints {
		return chart{}, false
	}
	// The first pairs swing far: the range is that of the later ones.
	return chart{Title: "Elo of the first engine, with its 95% interval", X: "pairs", Y: "Elo", Zero: true,
		Settled: elo.X[len(elo.X)/10], Series: []series{elo}, Bounds: []bound{}}, true
}

// llrChart is the log-likelihood ratio of a test as it went, between its bounds.
func llrChart(c trajectory, low, high float64) (chart, bool) {
	if len(c.llr) < fewestPoints {
		return chart{}, false
	}
	llr := series{X: c.pairs}
	for _, value := range c.llr {
		llr.Y = append(llr.Y, thousandths(value))
	}
	return chart{Title: "Log-likelihood ratio of the test", X: "pairs", Y: "LLR", Zero: true, Series: []series{llr},
		Bounds: []bound{{"H0", thousandths(low)}, {"H1", thousandths(high)}}}, true
}

// lengthChart is how many games lasted how many turns.
func lengthChart(lengths []int) chart {
	games := series{}
	for turns, count := range lengths {
		if len(games.X) == 0 && count == 0 {
			continue // shorter than any game
		}
		games.X = append(games.X, float64(turns))
		games.Y = append(games.Y, float64(count))
	}
	return chart{Title: "Games by length", X: "turns", Y: "games", Bars: true, Zero: true, Series: []series{games}, Bounds: []bound{}}
}

// turnChart is a mean by the number of the turn, for each engine of which enough
// is known.
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
		if len(s.X) >= fewestPoints {
			c.Series = append(c.Series, s)
		}
	}
	return c, len(c.Series) > 0
}

// trajectory is how a match of two engines went, pair by pair.
type trajectory struct {
	pairs []float64 // so many had ended
	elo   []stats.Estimate
	llr   []float64 // nil without a test
}

// mostPoints is the number of pairs from which on a chart leaves some out: it then
// has at least so many points, and fewer than twice as many.
const mostPoints = 1000

// trajectoryOf returns the trajectory of the only encounter over the pairs that count,
// as the engine of a name sees it.
func trajectoryOf(name string, pairs []*match.PooledPair, test *stats.SPRT) trajectory {
	var c trajectory
	var counts stats.Pairs
	step := max(1, len(pairs)/mostPoints)
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

// bounded tells whether an estimate can be drawn: pairs that all ended alike bound
// nothing.
func bounded(e stats.Estimate) bool {
	return e.Error > 0 && !math.IsInf(e.Value, 0) && !math.IsInf(e.Error, 0) && e.Error < 2000
}
