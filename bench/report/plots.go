package report

import (
	"bytes"
	"html/template"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"gyre/bench/stats"
)

// The size of a plot.
const (
	plotWidth  = 7.2 * vg.Inch
	plotHeight = 2.8 * vg.Inch
)

// colours tell the lines of a plot apart: blue, orange, green, red, violet, in
// shades that the colour-blind can tell too (Okabe and Ito, 2008).
var colours = []color.RGBA{
	{0, 114, 178, 255}, {230, 159, 0, 255}, {0, 158, 115, 255}, {213, 94, 0, 255}, {204, 121, 167, 255}, {86, 180, 233, 255},
}

// newPlot returns an empty plot.
func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	sans := font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(10)}
	for _, style := range []*font.Font{&p.Title.TextStyle.Font, &p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font,
		&p.X.Tick.Label.Font, &p.Y.Tick.Label.Font, &p.Legend.TextStyle.Font} {
		*style = sans
	}
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Legend.Top = true
	p.X.Tick.Marker, p.Y.Tick.Marker = plainTicks{}, plainTicks{}
	p.Add(plotter.NewGrid())
	return p
}

// plainTicks are the ticks that plots have anyway, with their numbers as short as
// can be: 25, not 25.00.
type plainTicks struct{}

// Ticks returns the ticks between two numbers.
func (plainTicks) Ticks(least, most float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(least, most)
	for i := range ticks {
		if ticks[i].Label != "" {
			ticks[i].Label = strconv.FormatFloat(ticks[i].Value, 'g', 6, 64)
		}
	}
	return ticks
}

// line adds a line to a plot, with a name in the legend unless it is empty.
func line(p *plot.Plot, points plotter.XYs, c color.Color, name string) error {
	l, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	l.Color, l.Width = c, vg.Points(1.3)
	p.Add(l)
	if name != "" {
		p.Legend.Add(name, l)
	}
	return nil
}

// svg draws a plot.
func svg(p *plot.Plot) (template.HTML, error) {
	canvas := vgsvg.New(plotWidth, plotHeight)
	p.Draw(draw.New(canvas))
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return "", err
	}
	text := out.Bytes()
	if at := bytes.Index(text, []byte("<svg")); at > 0 {
		text = text[at:] // without the head of an XML file
	}
	return template.HTML(text), nil // names in it are escaped by the canvas
}

// eloPlot draws the Elo as it went, with its error.
func eloPlot(c course) (template.HTML, error) {
	var middle, upper, lower plotter.XYs
	for i, e := range c.elo {
		if !bounded(e) {
			continue
		}
		middle = append(middle, plotter.XY{X: c.pairs[i], Y: e.Value})
		upper = append(upper, plotter.XY{X: c.pairs[i], Y: e.Value + e.Error})
		lower = append(lower, plotter.XY{X: c.pairs[i], Y: e.Value - e.Error})
	}
	if len(middle) < 2 {
		return "", nil
	}
	p := newPlot("Elo of the first engine, with its 95% interval", "pairs", "Elo")
	outline := upper
	for i := len(lower) - 1; i >= 0; i-- {
		outline = append(outline, lower[i])
	}
	band, err := plotter.NewPolygon(outline)
	if err != nil {
		return "", err
	}
	band.Color, band.Width = color.RGBA{200, 220, 235, 255}, 0
	p.Add(band)
	if err := line(p, middle, colours[0], ""); err != nil {
		return "", err
	}
	// The first pairs swing far: the range is that of the later ones.
	late := outline[len(middle)/10 : len(middle)]
	p.Y.Min, p.Y.Max = 0, 0
	for i := range late {
		p.Y.Max = math.Max(p.Y.Max, late[i].Y)
		p.Y.Min = math.Min(p.Y.Min, lower[len(middle)/10+i].Y)
	}
	return svg(p)
}

// llrPlot draws the log-likelihood ratio of a test as it went, and its bounds.
func llrPlot(c course, test *stats.SPRT) (template.HTML, error) {
	if test == nil || len(c.llr) < 2 {
		return "", nil
	}
	p := newPlot("Log-likelihood ratio of the test", "pairs", "LLR")
	points := make(plotter.XYs, len(c.llr))
	for i, llr := range c.llr {
		points[i] = plotter.XY{X: c.pairs[i], Y: llr}
	}
	if err := line(p, points, colours[0], ""); err != nil {
		return "", err
	}
	low, high := test.Bounds()
	last := points[len(points)-1].X
	for i, bound := range []float64{low, high} {
		if err := line(p, plotter.XYs{{X: points[0].X, Y: bound}, {X: last, Y: bound}}, colours[3-i], []string{"H0", "H1"}[i]); err != nil {
			return "", err
		}
	}
	p.Legend.Left = true
	p.Y.Min, p.Y.Max = math.Min(p.Y.Min, low-1), math.Max(p.Y.Max, high)+2 // room for the legend
	return svg(p)
}

// lengthPlot draws how many games lasted how many turns.
func lengthPlot(lengths []int) (template.HTML, error) {
	p := newPlot("Games by length", "turns", "games")
	bins := make([]plotter.HistogramBin, 0, len(lengths))
	for turns, games := range lengths {
		if len(bins) == 0 && games == 0 {
			continue // shorter than any game
		}
		bins = append(bins, plotter.HistogramBin{Min: float64(turns) - 0.5, Max: float64(turns) + 0.5, Weight: float64(games)})
	}
	p.Add(&plotter.Histogram{Bins: bins, Width: 1, FillColor: colours[5], LineStyle: draw.LineStyle{Color: color.White, Width: vg.Points(0.3)}})
	p.Y.Min = 0
	return svg(p)
}

// turnPlot draws a mean by the number of the turn, for each engine.
func turnPlot(title, y string, engines []*engine, mean func(perTurn) (float64, bool)) (template.HTML, error) {
	p := newPlot(title, "turn", y)
	drawn := false
	for i, e := range engines {
		var points plotter.XYs
		for number, t := range e.byTurn {
			if value, known := mean(t); known {
				points = append(points, plotter.XY{X: float64(number + 1), Y: value})
			}
		}
		if len(points) < 2 {
			continue
		}
		drawn = true
		if err := line(p, points, colours[i%len(colours)], e.name); err != nil {
			return "", err
		}
	}
	if !drawn {
		return "", nil
	}
	p.Y.Min, p.Y.Max = 0, p.Y.Max*1.25 // room for the legend
	return svg(p)
}
