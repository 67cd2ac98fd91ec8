package report

import (
	"fmt"
	"io"
	"strings"

	"gyre/bench/tune"
)

// TuningMark occurs in every page about a tuning.
const TuningMark = `<meta name="generator" content="gyre-arena tune">`

// WriteTuning writes a page about the progress of a tuning: its values, and a chart of each.
func WriteTuning(w io.Writer, t *tune.Tuning, reached *tune.Progress) error {
	return writeTuning(w, t, reached, nil)
}

// writeTuning writes the page. detached is not nil if a hub tunes by itself.
func writeTuning(w io.Writer, t *tune.Tuning, reached *tune.Progress, detached *detachedMatch) error {
	p := &document{kind: TuningMark + "\n"}
	b := &p.body
	p.title = "Tuning of " + plural(len(t.Parameters), "option")
	state := fmt.Sprintf("%s of %s played", number(reached.Played), plural(t.Iterations, "pair"))
	if reached.Played >= t.Iterations {
		state = "Finished: " + plural(t.Iterations, "pair") + " played"
	}
	b.put("<header>\n<h1>%s</h1>\n<p class=\"lead\">%s</p>\n", p.title, state)
	b.put("<p class=\"when\">Pairs of games; batches of %s, rate %v, seed %v. %s</p>\n", plural(t.Batch, "pair"), t.Rate, t.Seed,
		"A tuning finds values; let a match decide whether they are better.")
	if detached != nil {
		p.title = detached.name + ": " + p.title
	}
	if detached != nil {
		b.put("%s<nav aria-label=\"Pages\"><a href=\"./\">History</a></nav>\n", detached.lines())
	}
	b.put("</header>\n")
	b.section("values", "Values")
	var rows []row
	var options []string
	charts := []chart{}
	for i, parameter := range t.Parameters {
		value := reached.Values()[i]
		change := value - float64(parameter.Value)
		rows = append(rows, row{parameter.Name, number(parameter.Value), grouped(value, 2), typeset(fmt.Sprintf("%+.2f", change)),
			number(parameter.Min) + " to " + number(parameter.Max), grouped(parameter.Step, decimals(parameter.Step))})
		options = append(options, fmt.Sprintf("option.%s=%d", parameter.Name, tune.Round(value)))
		charts = append(charts, pathChart(t, reached, i))
	}
	b.table("Values", columns("<option", "start", "now", "change", "range", "step"), rows)
	b.put("<p>For the description of an engine, <code>-engine</code>:</p>\n")
	b.copyable("options", "Options", strings.Join(options, " "))
	b.section("course", "Course")
	b.put("<p class=\"note\">An axis spans at least one step of its option, so smaller changes look small.</p>\n<noscript><p>The charts need JavaScript. The table shows the values.</p></noscript>\n<div class=\"charts\">\n")
	b.figures(0, charts)
	b.put("</div>\n")
	p.data = []pageData{{"charts", charts}}
	return p.write(w)
}

// decimals returns the decimals that a step needs, at most 2.
func decimals(step float64) int {
	for n := range 2 {
		if scaled := step * []float64{1, 10}[n]; scaled == float64(int(scaled)) {
			return n
		}
	}
	return 2
}

// maxValues is the approximate maximum number of points of a path.
const maxValues = 1000

// pathChart returns the chart of a parameter's values, with the initial value as a line.
func pathChart(t *tune.Tuning, reached *tune.Progress, i int) chart {
	path := series{Name: t.Parameters[i].Name}
	stride := 1 + len(reached.Path)/maxValues
	for at, values := range reached.Path {
		if at%stride == 0 || at == len(reached.Path)-1 {
			path.X = append(path.X, float64(min(at*t.Batch, t.Iterations)))
			path.Y = append(path.Y, thousandths(values[i]))
		}
	}
	return chart{Title: path.Name, X: "pairs", Y: "value", Least: t.Parameters[i].Step, Series: []series{path},
		Bounds: []bound{{"start", float64(t.Parameters[i].Value)}}}
}
